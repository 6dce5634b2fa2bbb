"""Questions about hands: their ranks, their canonical form, what beats them."""
