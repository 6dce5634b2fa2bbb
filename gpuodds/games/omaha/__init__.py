"""Omaha: four, five or six hole cards, of which exactly two count, with exactly three of the board."""
