"""Ranges of Omaha: their grammar, what their texts mean, and how they are written."""
