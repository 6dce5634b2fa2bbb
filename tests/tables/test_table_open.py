"""Tables by name: shipped tables equal built ones."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import gpuodds
from gpuodds.games.holdem.starting_hands import combinations, starting_hands
from gpuodds.table_building.verify import verify
from gpuodds.tables.store import StoredTable


def test_a_built_preflop_random_equals_the_shipped_one(built_random: Path) -> None:
    folder = built_random
    table, shipped = StoredTable(folder), gpuodds.table("preflop-random")
    for name in starting_hands():
        assert table.lookup(name) == shipped.lookup(name)[:2]
    assert verify(folder, rows=2)[2] == "equities over all hands: exactly 1/(k + 1), k = 1 to 2"
    assert table.to_arrow().schema.field("win").type.precision == 38


def test_a_built_preflop_heads_up_equals_the_shipped_one(built_pairs: Path) -> None:
    folder = built_pairs
    table, shipped = StoredTable(folder), gpuodds.table("preflop-heads-up")
    assert table.to_arrow().equals(shipped.to_arrow())
    held = verify(folder, rows=5)
    assert "wins and ties of each pair: all 1,712,304 boards; the pairs: all 812,175" in held
    for hands in (("AsKs", "QhQd"), ("QdQh", "KsAs"), ("AKs", "AsAh")):
        one, other = table.lookup(*hands)[0], shipped.lookup(*hands)[0]
        assert {**one, "pairs": None} == {**other, "pairs": None}


def test_shipped_equities_add_up() -> None:
    table = gpuodds.table("preflop-random")
    assert len(table) == 3718
    total = Fraction(0)
    for name in starting_hands():
        row = table.lookup(name)[2]
        assert row["opponents"] == 3
        pots = sum(Fraction(row[f"tie_{t}"], t + 1) for t in range(1, 4)) + row["win"]
        total += combinations(name) * pots / row["outcomes"] / 1326
    assert total == Fraction(1, 4)
