"""Ranges against each other: two players, two and a random one, several (exact or weighted)."""
