"""Values of hands at showdowns and folds on GPUs."""
