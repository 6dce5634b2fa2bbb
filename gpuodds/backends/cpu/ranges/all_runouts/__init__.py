"""Two ranges on a flop or turn, over all runouts at once."""
