"""Build the tables that ship, and write them where they ship."""
