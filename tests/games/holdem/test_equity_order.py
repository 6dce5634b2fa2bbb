"""The order of starting hands behind percentages, against the table that it comes from."""

from __future__ import annotations

from gpuodds.games.holdem.equity_order import equity_order
from gpuodds.games.holdem.starting_hands import example_combo, starting_hands
from gpuodds.tables.shipped.preflop_random import preflop_counts


def test_the_order_is_that_of_the_table() -> None:
    def half_pots(name: str) -> int:
        win, tie = preflop_counts(example_combo(name), 1)
        return 2 * win + tie

    assert len({half_pots(name) for name in starting_hands()}) == 169
    assert equity_order() == tuple(sorted(starting_hands(), key=half_pots, reverse=True))
