"""Range text of Omaha: its grammar, what it means, how ranges are written."""
