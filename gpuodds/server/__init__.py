"""The calculation server: equity over HTTP and WebSocket, streamed, cached, and with a page."""
