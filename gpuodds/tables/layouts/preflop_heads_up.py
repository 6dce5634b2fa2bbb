"""The rows of ``preflop-heads-up``: each pair of disjoint hands, up to renaming the suits."""

from __future__ import annotations

from gpuodds.cards import format_cards
from gpuodds.errors import InputError
from gpuodds.tables.hands import Cards, Hand, Row, add_pairs
from gpuodds.tables.layouts.layout import Layout, Rows
from gpuodds.tables.shipped.preflop_heads_up import PAIRS, pair_index


class PreflopHeadsUpLayout(Layout):
    """Rows are in the order of :func:`gpuodds.tables.shipped.preflop_heads_up.pair_index`."""

    name = "preflop-heads-up"
    about = "every hand against every hand before the flop: 47,008 pairs"

    def shards(self, opponents: int) -> list[range]:
        """Return one shard: all pairs are counted at once, in seconds."""
        return [range(PAIRS)]

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the row of two hands."""
        if len(hands) != 2 or board:
            raise InputError(f"table {self.name}: expected two hands and no board")
        row, _ = pair_index((hands[0][0], hands[0][1]), (hands[1][0], hands[1][1]))
        return range(row, row + 1)

    def lookup(self, table: Rows, hands: list[Hand], board: Cards) -> list[Row]:
        """Return the row of two combos, or the sums over the combos of starting hands."""
        if len(hands) != 2 or board or not any(hand.classes for hand in hands):
            return self.lookup_combos(table, [hand.combos[0] for hand in hands], board)

        def counts(one: Cards, two: Cards) -> tuple[int, int, int]:
            number, swapped = pair_index((one[0], one[1]), (two[0], two[1]))
            (row,) = table.rows(range(number, number + 1))
            return *_wins(row, swapped), row["tie"]

        return [add_pairs(hands[0], hands[1], counts)]

    def orient(self, row: Row, hands: list[Cards]) -> Row:
        """Name the hands as they were asked for."""
        _, swapped = pair_index((hands[0][0], hands[0][1]), (hands[1][0], hands[1][1]))
        names = [format_cards(sorted(hand, reverse=True)) for hand in hands]
        win_a, win_b = _wins(row, swapped)
        return row | {"hand_a": names[0], "hand_b": names[1], "win_a": win_a, "win_b": win_b}


def _wins(row: Row, swapped: bool) -> tuple[int, int]:
    return (row["win_b"], row["win_a"]) if swapped else (row["win_a"], row["win_b"])
