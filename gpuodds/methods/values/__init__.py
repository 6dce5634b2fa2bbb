"""What hands are worth where a hand ends, at a showdown or a fold, for authors of solvers."""
