"""Five-card poker."""
