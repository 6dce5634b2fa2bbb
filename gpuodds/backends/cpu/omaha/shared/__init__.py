"""What counts of Omaha share: flushes, and ranks of pairs and of hands."""
