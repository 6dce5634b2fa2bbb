"""Values of hands at showdowns and folds, for solvers: sums over the weights of others' hands."""
