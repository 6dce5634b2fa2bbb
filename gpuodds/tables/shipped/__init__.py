"""The tables that ship: their data and readers."""
