"""What tables there are: one module a kind."""
