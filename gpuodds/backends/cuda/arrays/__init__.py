"""Arrays of hands and boards: hand ranks, every combo at once, rows of situations."""
