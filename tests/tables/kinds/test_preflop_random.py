"""The shipped table is complete and exactly symmetric."""

from __future__ import annotations

import shutil
from fractions import Fraction

import pytest

from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import (
    combinations,
    example_combo,
    starting_hand,
    starting_hands,
)
from gpuodds.results.result import split_outcomes
from gpuodds.spots.spot import Spot
from gpuodds.table_building.shipped.preflop_random import table_lines
from gpuodds.tables.shipped.preflop_random import PREFLOP_RANDOM, RandomTable, preflop_counts

FULL_DECK = range(52)


def equity_of(name, opponents):
    spot = Spot((example_combo(name),), opponents, game=HOLDEM)
    return split_outcomes(spot, {1: preflop_counts(example_combo(name), opponents)})[0].equity_exact


def test_starting_hands_cover_every_combo_once():
    assert len(starting_hands()) == len(set(starting_hands())) == 169
    found = [starting_hand((a, b)) for a in FULL_DECK for b in range(a)]
    assert {name: found.count(name) for name in starting_hands()} == {
        name: combinations(name) for name in starting_hands()
    }
    assert all(starting_hand(example_combo(name)) == name for name in starting_hands())


@pytest.mark.parametrize("opponents", range(1, 23))
def test_equities_of_all_combos_add_up_to_a_fair_share(opponents):
    total = sum(combinations(name) * equity_of(name, opponents) for name in starting_hands())
    assert total / 1326 == Fraction(1, opponents + 1)


def test_one_opponent_equals_the_reference(golden_equity):
    rows = golden_equity["one_random_opponent"]["win_tie_lose"]
    assert len(rows) == 169
    for name, (win, tie, lose) in rows.items():
        assert preflop_counts(example_combo(name), 1) == [win, tie]
        assert win + tie + lose == Spot((example_combo(name),), 1, game=HOLDEM).outcomes


def test_rows_have_the_outcomes_and_equity_of_a_result():
    lines = PREFLOP_RANDOM.text.splitlines()[1:]
    assert len(lines) == 169 * 22
    for line in lines[::7]:  # every number of opponents, and every hand
        name, opponents, outcomes, *_, equity = line.split(",")
        assert int(outcomes) == Spot((example_combo(name),), int(opponents), game=HOLDEM).outcomes
        assert float(equity) == float(equity_of(name, int(opponents)))


def test_rows_by_number():
    assert (
        PREFLOP_RANDOM.read_row(0)["hand"] == "AA"
        and PREFLOP_RANDOM.read_row(169 * 22 - 1)["hand"] == "22"
    )
    row = PREFLOP_RANDOM.read_row(22 * starting_hands().index("AKs") + 8)
    assert (row["hand"], row["opponents"], row["win"]) == ("AKs", 9, 24835908359745459738198837)
    assert "tie_9" in row and "tie_10" not in row


def test_the_builder_writes_the_shipped_file():
    counts = {name: {} for name in starting_hands()}
    for row in map(PREFLOP_RANDOM.read_row, range(169 * 22)):
        k = row["opponents"]
        counts[row["hand"]][k] = [row["win"], *(row[f"tie_{t}"] for t in range(1, k + 1))]
    assert table_lines(counts, PREFLOP_RANDOM) == PREFLOP_RANDOM.text.splitlines()


def test_a_damaged_file_is_refused(tmp_path):
    table = RandomTable(PREFLOP_RANDOM.name, HOLDEM)
    copy = tmp_path / table.data_file.name
    for name in (copy.name, copy.name + ".sha256"):
        shutil.copy(table.data_file.with_name(name), tmp_path / name)
    data = bytearray(copy.read_bytes())
    data[len(data) // 2] ^= 1
    copy.write_bytes(data)
    table.data_file = copy
    with pytest.raises(ValueError, match="damaged: its sha256"):
        _ = table.text


def test_the_table_is_small():
    assert PREFLOP_RANDOM.data_file.stat().st_size < 2_000_000
