"""Hands, ranges and games."""
