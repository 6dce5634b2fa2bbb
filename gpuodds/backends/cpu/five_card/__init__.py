"""Five-card poker: hands by rank, the draw and its discards."""
