"""Spots and ranges: read from text or arrays, and checked once."""
