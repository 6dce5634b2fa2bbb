"""Count ``preflop-three-way``: every starting hand against every two others, card removal exact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.three_way import ThreeWay
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import ImpossibleDeal, TableError
from gpuodds.games.holdem.combo_hands import combo_hands
from gpuodds.games.holdem.starting_hands import starting_hands
from gpuodds.games.shared.combos import combo_cards
from gpuodds.table_building.kinds.kind import Kind, check_equities
from gpuodds.table_building.kinds.recount import count_starting_hands
from gpuodds.tables.equities import equity_column
from gpuodds.tables.layouts.preflop_three_way import COUNTS, PreflopThreeWayLayout
from gpuodds.tables.layouts.three_hands import BOARDS, HANDS, PAIRS
from gpuodds.tables.store import StoredTable

Ints = npt.NDArray[np.int64]


class PreflopThreeWay(Kind):
    """Counts go over all disjoint combos of the three hands, in this order, and all boards.

    What cannot be dealt, such as AA against AA against AA, has null.
    """

    layout = PreflopThreeWayLayout()
    memory = 0.7

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count a hero against all two others."""
        hero = rows.start // PAIRS
        first, second = np.triu_indices(HANDS)
        counted = backend.count(ThreeWay(self.layout.game, hero)).counts
        win, tie_all = counted.win[first, second], counted.tie_all[first, second]
        tie_second, tie_third = counted.tie_row[first, second], counted.tie_row[second, first]
        outcomes = count_deals(hero)[first, second] * BOARDS
        lost = outcomes - win - tie_all - tie_second - tie_third
        if any((counts < 0).any() for counts in (win, tie_all, tie_second, tie_third, lost)):
            raise TableError(f"{self.name}: {starting_hands()[hero]}: a count is below zero")
        absent = outcomes == 0
        equity = equity_column([win, tie_second + tie_third, tie_all], np.maximum(outcomes, 1))
        hands = {"hero": np.full(PAIRS, hero), "second": first, "third": second}
        columns = dict(zip(COUNTS, (outcomes, win, tie_second, tie_third, tie_all), strict=True))
        labels = {
            name: pa.DictionaryArray.from_arrays(pa.array(places, pa.int16()), starting_hands())
            for name, places in hands.items()
        }
        return pa.table(
            {
                **labels,
                **{name: pa.array(counts, pa.int64(), mask=absent) for name, counts in columns.items()},
                "equity": pa.array(equity, pa.float64(), mask=absent),
            }
        )

    def check_counts(
        self, rows: range, opponents: int, part: int | None, values: Mapping[str, Any]
    ) -> None:
        """Check the outcomes, the totals and the equity of each row."""
        outcomes = count_deals(rows.start // PAIRS)[np.triu_indices(HANDS)] * BOARDS
        if not np.array_equal(values["outcomes"], outcomes):
            raise TableError(f"{self.name}: column outcomes: those of other rows")
        dealt, counts = outcomes > 0, {name: values[name] for name in COUNTS}
        if any(counted[~dealt].any() for counted in counts.values()):
            raise TableError(f"{self.name}: a row counts more deals than there are")
        ties = counts["tie_second"] + counts["tie_third"]
        by_ties = [column[dealt] for column in (counts["win"], ties, counts["tie_all"])]
        check_equities(self.name, by_ties, outcomes[dealt], values["equity"][dealt])
        if not np.isnan(values["equity"][~dealt]).all():
            raise TableError(f"{self.name}: an equity of hands that cannot be dealt")

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 150.0

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes."""
        return 22.0

    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Count three ranges of one starting hand each."""
        try:
            counted = count_starting_hands([row[place] for place in ("hero", "second", "third")])
        except ImpossibleDeal:
            return dict.fromkeys(COUNTS)
        winners = counted.winners or {}
        heroes = ("A", "AB", "AC", "ABC")  # the hero alone, with the second, with the third, with both
        counts = {name: winners.get(best, 0) for name, best in zip(COUNTS[1:], heroes, strict=True)}
        return {"outcomes": counted.outcomes} | counts

    def check_invariants(self, table: StoredTable) -> Iterator[str]:
        """Check that the rows of a deal agree from its three seats, and that outcomes add up."""
        yield from seats_agree(table)


def count_deals(hero: int) -> Ints:
    """Return in how many ways a starting hand and each two others can be dealt, shape (169, 169).

    Once the hero's cards are gone, n_b combos of hand b are left, n_b(card) of them with a card. Pairs
    of combos that share no card are n_b n_c less the sum of n_b(card) n_c(card) over all cards. For
    b = c this takes out each combo with itself twice, so n_b is added once.
    """
    cards, hands = combo_cards(), combo_hands()
    total = np.zeros((HANDS, HANDS), np.int64)
    for combo in cards[hands == hero]:
        free = ~np.isin(cards, combo).any(axis=1)
        left = np.bincount(hands[free], minlength=HANDS)
        by_card = np.zeros((HANDS, DECK_SIZE), np.int64)
        for side in range(2):
            np.add.at(by_card, (hands[free], cards[free, side]), 1)
        total += np.outer(left, left) - by_card @ by_card.T + np.diag(left)
    return total


def seats_agree(table: StoredTable) -> Iterator[str]:
    """Check that the rows of a deal agree from its three seats, and that its outcomes add up.

    Raises:
        TableError: They do not.
    """
    names = ("outcomes", "win", "tie", "tie_all")
    cube = {name: np.zeros((HANDS, HANDS, HANDS), np.int64) for name in names}
    first, second = np.triu_indices(HANDS)
    for hero in range(HANDS):
        shard = table.read_shard(hero)
        column = {name: shard[name].fill_null(0).to_numpy() for name in COUNTS}
        for name in ("outcomes", "win", "tie_all"):
            cube[name][hero, first, second] = cube[name][hero, second, first] = column[name]
        # tie[a, b, c]: a and b tie and beat c.
        cube["tie"][hero, first, second] = column["tie_second"]
        cube["tie"][hero, second, first] = column["tie_third"]
    for name in ("outcomes", "tie_all", "tie"):
        if not np.array_equal(cube[name], cube[name].transpose(1, 0, 2)):
            raise TableError(f"{table.folder}: {name} differs from seat to seat")
    win, tie = cube["win"], cube["tie"]
    total = win + win.transpose(1, 0, 2) + win.transpose(1, 2, 0) + cube["tie_all"]
    total += tie + tie.transpose(0, 2, 1) + tie.transpose(2, 0, 1)
    if not np.array_equal(total, cube["outcomes"]):
        raise TableError(f"{table.folder}: the outcomes of three hands do not add up")
    yield "each three hands: the same from all three seats; wins and ties are all outcomes"
