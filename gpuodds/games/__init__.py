"""The rules and the mathematics of each game, independent of any device."""
