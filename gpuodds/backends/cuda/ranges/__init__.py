"""Ranges against each other."""
