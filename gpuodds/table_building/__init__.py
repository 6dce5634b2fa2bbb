"""Build a table into a folder, and verify it."""
