"""Two ranges before the flop, by types of hands."""
