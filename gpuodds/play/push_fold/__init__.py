"""Short stacks in play: turns as decisions of all-in or fold, and bots measured by them."""
