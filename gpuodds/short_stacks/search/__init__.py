"""Search for an equilibrium of a game of two-way decisions; no poker."""
