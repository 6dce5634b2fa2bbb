"""Commands for short stacks: all-in or fold, and what stacks are worth."""
