"""Ranges of Omaha against each other: two players and three."""
