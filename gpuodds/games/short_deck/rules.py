"""The numbers of short deck."""

LOWEST_RANK = 4
"""The rank of a six: cards of lower ranks are not in the deck."""
