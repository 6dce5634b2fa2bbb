"""The luck of all-ins, hand by hand, and what is left without it."""
