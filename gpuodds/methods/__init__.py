"""How a spot is answered: the planner, and each of its methods."""
