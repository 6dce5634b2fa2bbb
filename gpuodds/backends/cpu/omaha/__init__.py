"""Count Omaha on the CPU."""
