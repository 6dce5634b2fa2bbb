"""All-in or fold before the flop: equilibria of short stacks, and what stacks are worth in prizes."""
