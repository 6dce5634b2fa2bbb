"""Known hands against random opponents and each other: board classes, unbeaten deals, matchings."""
