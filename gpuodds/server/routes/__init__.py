"""The routes: what a client can ask, over HTTP and WebSocket."""
