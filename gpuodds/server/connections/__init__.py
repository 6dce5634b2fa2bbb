"""Connections, their limits, and what a request passes before the application."""
