"""The shipped table of every hand against every hand before the flop."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starting_hand_sums import by_starting_hand

import gpuodds
from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import combinations, example_combo, starting_hands
from gpuodds.table_building.shipped.preflop_heads_up import table_bytes, write_table
from gpuodds.tables.shipped import preflop_heads_up
from gpuodds.tables.shipped.preflop_heads_up import (
    BOARDS,
    DATA_FILE,
    PAIRS,
    matrices,
    pair_counts,
    pair_index,
    pair_of,
    read_table,
)
from gpuodds.tables.shipped.preflop_random import preflop_counts

hands = st.permutations(range(52)).map(lambda deck: (tuple(deck[:2]), tuple(deck[2:4])))


def test_pairs_of_other_sources() -> None:
    first, second = parse_cards("AsKs"), parse_cards("QhQd")
    assert pair_counts(first, second) == (787_966, 917_606, 6_732)  # type: ignore[arg-type]
    wins, ties = (by_starting_hand(matrix.astype(np.int64)) for matrix in matrices())
    aces, kings = (starting_hands().index(name) for name in ("AA", "KK"))
    assert (wins[aces, kings], wins[kings, aces], ties[aces, kings]) == (50371344, 10986372, 285228)


def test_rows_are_those_of_preflop_random() -> None:
    wins, ties = (by_starting_hand(matrix.astype(np.int64)) for matrix in matrices())
    for i, name in enumerate(starting_hands()):
        expected = [combinations(name) * count for count in preflop_counts(example_combo(name), 1)]
        assert [int(wins[i].sum()), int(ties[i].sum())] == expected


def test_every_row_is_found_by_its_cards() -> None:
    codes, _, _ = read_table()
    assert len(codes) == PAIRS == len(set(codes))
    for row in range(0, PAIRS, 97):
        first, second = pair_of(row)
        assert pair_index(first, second)[0] == row == pair_index(second, first)[0]


@given(hands, st.permutations(range(4)))
def test_suits_and_places_do_not_matter(pair, names) -> None:
    first, second = pair
    wins, losses, ties = pair_counts(first, second)
    assert wins + losses + ties == BOARDS
    assert pair_counts(second, first) == (losses, wins, ties)
    renamed = [tuple(card & ~3 | names[card & 3] for card in hand[::-1]) for hand in pair]
    assert pair_counts(*renamed) == (wins, losses, ties)


@pytest.mark.weekly
def test_the_table_equals_the_counts_of_the_engine(tmp_path: Path) -> None:
    wins, ties = HeadsUpMatrix(HOLDEM, (), ()).on_cpu()
    assert np.array_equal(wins, matrices()[0]) and np.array_equal(ties, matrices()[1])
    out = tmp_path / DATA_FILE.name
    write_table(table_bytes(wins, ties), out)
    assert out.read_bytes() == DATA_FILE.read_bytes()


def test_ranges_before_the_flop_are_looked_up() -> None:
    ranges = ["QQ+,AK", "22+,A2s+:0.5"]
    table = gpuodds.equity(ranges, by_hand=True)
    counted = gpuodds.equity(ranges, by_hand=True, table=False, backend="cpu")
    assert (table.method, counted.method) == ("table", "exact")
    assert table.equity == pytest.approx(counted.equity, rel=1e-13)
    assert table.by_hand is not None and counted.by_hand is not None
    for one, other in zip(table.by_hand, counted.by_hand, strict=True):
        found = {hand.hand: hand.equity for hand in other}
        assert {hand.hand: hand.equity for hand in one} == pytest.approx(found, rel=1e-12)
    exact = gpuodds.equity(["QQ+,AK", "22+,A2s+"])
    assert exact.winners == gpuodds.equity(["QQ+,AK", "22+,A2s+"], table=False).winners


def test_hands_that_share_a_card() -> None:
    with pytest.raises(InputError, match="four different cards"):
        pair_index((1, 2), (2, 3))


@pytest.mark.parametrize("damage", ["header", "payload", "short", "empty"])
def test_damage_is_refused(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytearray(DATA_FILE.read_bytes())
    if damage == "header":
        data[3] ^= 1
    elif damage == "payload":
        data[len(data) // 2] ^= 16
    data = data[: {"short": len(data) - 1, "empty": 0}.get(damage, len(data))]
    copy = tmp_path / DATA_FILE.name
    copy.write_bytes(bytes(data))
    checksum = DATA_FILE.name + ".sha256"
    shutil.copy(DATA_FILE.with_name(checksum), tmp_path / checksum)
    monkeypatch.setattr(preflop_heads_up, "DATA_FILE", copy)
    read_table.cache_clear()
    with pytest.raises(ValueError, match=r"preflop_heads_up.*damaged"):
        read_table()
    read_table.cache_clear()


def test_another_table_with_a_right_checksum_is_refused(tmp_path, monkeypatch) -> None:
    write_table(b"something else", tmp_path / DATA_FILE.name)
    monkeypatch.setattr(preflop_heads_up, "DATA_FILE", tmp_path / DATA_FILE.name)
    read_table.cache_clear()
    with pytest.raises(ValueError, match="not a preflop-heads-up table"):
        read_table()
    read_table.cache_clear()


def test_a_look_up_needs_the_standard_library_alone(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from gpuodds.tables.shipped.preflop_heads_up import pair_counts\n"
        "assert sum(pair_counts((51, 50), (47, 46))) == 1712304\n"
        "assert not {'numpy', 'numba'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def test_the_checksum_file_is_that_of_sha256sum(tmp_path: Path) -> None:
    if shutil.which("sha256sum") is None:
        pytest.skip("no sha256sum on this machine")
    name = DATA_FILE.name + ".sha256"
    subprocess.run(["sha256sum", "--check", "--quiet", name], cwd=DATA_FILE.parent, check=True)
