"""Layouts: the number of rows of each table, and hands without a row."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import gpuodds
from gpuodds.errors import InputError
from gpuodds.tables.layouts.catalog import check_opponents, find_layout, layouts
from gpuodds.tables.store import StoredTable


def test_rows_of_all_tables() -> None:
    assert {name: layout.row_count(layout.default_opponents) for name, layout in layouts().items()} == {
        "preflop-random": 169 * 22,
        "preflop-heads-up": 47_008,
        "omaha-preflop-random": 16_432,
        "short-deck-preflop-random": 81 * 14,
        "short-deck-trips-preflop-random": 81 * 14,
        "preflop-three-way": 169 * 14_365,
        "preflop-heads-up-folded": 14_365 * 169,
        "flop-random": 1_286_792,
        "turn-random": 13_960_050,
        "river-random": 123_156_254,
        "flop-features": 1_286_792,
        "turn-features": 13_960_050,
        "river-features": 123_156_254,
        "flop-buckets": 1_286_792,
        "turn-buckets": 13_960_050,
        "river-buckets": 123_156_254,
        "omaha-hi-lo-preflop-random": 16_432,
        "omaha5-preflop-random": 134_459,
        "omaha5-hi-lo-preflop-random": 134_459,
    }
    for layout in layouts().values():
        shards = layout.shards(layout.default_opponents)
        assert shards[0].start == 0
        assert all(one.stop == two.start for one, two in pairwise(shards))


def test_opponents_of_tables() -> None:
    flop, pairs = find_layout("flop-random"), find_layout("preflop-heads-up")
    assert check_opponents(flop, None) == 9 and check_opponents(pairs, None) == 0
    with pytest.raises(InputError, match="opponents 10: expected 1 to 9 for table flop-random"):
        check_opponents(flop, 10)
    with pytest.raises(InputError, match="it has no number of opponents"):
        check_opponents(pairs, 1)
    with pytest.raises(InputError, match="table flop: expected one of preflop-random"):
        find_layout("flop")


def test_hands_without_a_row_are_refused(few: Path) -> None:
    table = StoredTable(few / "turn-random")
    for hands, board, message in [
        (("AsKs",), "2s7d9h", "expected one hand and a board of 4 cards"),
        (("AsKs", "QhQd"), "2s7d9hTc", "expected one hand and a board of 4 cards"),
        (("AsKs",), "2s7d9hAs", "AsKsAs2s7d9h|a card is given twice"),
        (("As",), "2s7d9hTc", "hand As: a hand has two cards, found 1"),
    ]:
        with pytest.raises(InputError, match=message):
            table.lookup(*hands, board=board)
    with pytest.raises(InputError, match="expected a folder or one of preflop-random"):
        gpuodds.table("preflop-rand")
    with pytest.raises(InputError, match="expected two hands and no board"):
        gpuodds.table("preflop-heads-up").lookup("AsKs")
    with pytest.raises(InputError, match=r"expected four different cards|different cards"):
        gpuodds.table("preflop-heads-up").lookup("AsKs", "AsQs")
