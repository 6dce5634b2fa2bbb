"""Whole tables: every combo against a random one on a street, three starting hands before the flop."""
