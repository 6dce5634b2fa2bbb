"""The answers: counts, equities, errors, and how they were found."""
