"""Which rows a table has, and which row answers a question: one module per table."""
