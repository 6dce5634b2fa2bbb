"""Omaha: hand ranks, a hand against a random one, showdowns of ranges, deals drawn at random."""
