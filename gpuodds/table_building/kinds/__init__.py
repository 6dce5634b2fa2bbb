"""How the rows of a table are counted and checked: one module per table."""
