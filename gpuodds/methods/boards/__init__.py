"""Reports over boards: every flop, every turn card, every combo on a board, a range's hits."""
