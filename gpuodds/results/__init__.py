"""Results: counts, equities, standard errors, method and backend."""
