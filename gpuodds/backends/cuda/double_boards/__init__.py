"""Two boards from one deck on GPUs."""
