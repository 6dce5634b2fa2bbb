"""What several rooms go through: board ranks, board classes, sorted combos, random words."""
