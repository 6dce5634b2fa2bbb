"""Matches, tournaments and tables of bots."""
