"""The answers to many spots, in columns, arrays and files."""
