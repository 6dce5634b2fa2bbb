"""Two boards from one deck: runouts that share cards, and pairs of hands on two boards."""
