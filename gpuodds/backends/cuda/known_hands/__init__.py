"""Known hands against random opponents: spots, threat graphs, their matchings, sums."""
