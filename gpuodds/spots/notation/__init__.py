"""How ranges are written: a notation for each family of games, and what reading one costs."""
