"""The planner, and each method that answers a spot."""
