"""What is played, no device in sight: the rules and the mathematics of each game."""
