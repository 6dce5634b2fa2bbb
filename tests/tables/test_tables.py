"""The tables themselves: slices of them counted, checked, looked up, exported and drawn."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import gpuodds
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError, TableError
from gpuodds.games.holdem.boards import canonical_boards, canonical_index
from gpuodds.games.holdem.starting_hands import combinations, starting_hands
from gpuodds.tables import verify as verification
from gpuodds.tables.build import build
from gpuodds.tables.export import export, export_to_file
from gpuodds.tables.kinds.catalog import check_opponents, find_kind, kinds
from gpuodds.tables.kinds.recount import count_alike
from gpuodds.tables.kinds.streets import FlopRandom, RiverRandom, Street, TurnRandom
from gpuodds.tables.store import StoredTable, compute_shard, decode
from gpuodds.tables.verify import verify

CPU = CpuBackend()


class FewFlops(FlopRandom):
    """The first of the flops, two a shard."""

    boards_a_shard = 2

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:3]


class FewTurns(TurnRandom):
    boards_a_shard = 10

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:2]


class FewRivers(RiverRandom):
    boards_a_shard = 20

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:2]


@pytest.fixture(scope="module")
def few(tmp_path_factory: Any) -> Any:
    """Small tables of the streets, built, under the names of the whole ones."""
    folder = tmp_path_factory.mktemp("few")
    patch = pytest.MonkeyPatch()
    made = {kind.name: kind for kind in (FewFlops(), FewTurns(), FewRivers())}
    patch.setattr("gpuodds.tables.kinds.catalog.kinds", lambda: {**kinds(), **made})
    for kind in made.values():
        assert build(kind, folder / kind.name, min(kind.most_opponents, 3), backend="cpu")
    yield folder
    patch.undo()


def test_rows_of_all_tables() -> None:
    assert {name: kind.rows(kind.usual_opponents) for name, kind in kinds().items()} == {
        "preflop-random": 169 * 22,
        "preflop-heads-up": 47_008,
        "preflop-three-way": 169 * 14_365,
        "flop-random": 1_286_792,
        "turn-random": 13_960_050,
        "river-random": 123_156_254,
    }
    for kind in kinds().values():
        shards = kind.shards(kind.usual_opponents)
        assert shards[0].start == 0
        assert all(one.stop == two.start for one, two in pairwise(shards))


@pytest.mark.parametrize("row", [0, 700, 1500, -1])
def test_a_flop_has_what_single_questions_say(few: Path, row: int) -> None:
    table = StoredTable(few / "flop-random")
    row %= len(table)
    values = table.rows(range(row, row + 1))[0]
    hand, board = values["hand"], values["board"]
    answers = gpuodds.equities_by_opponents(hand, opponents=3, board=board, backend="cpu")
    for k, answer in enumerate(answers, 1):
        player = answer.players[0]
        found = [values[f"win_{k}"], *(values[f"tie_{k}_{t}"] for t in range(1, k + 1))]
        assert found == [player.win_outcomes, *player.tie_outcomes]
        assert values[f"equity_{k}"] == pytest.approx(player.equity, rel=1e-15)
    assert sum(values["histogram"]) == 1081
    assert values["strength_squared"] == values["sum_of_squares"] / (1081 * 1980**2)
    # The mean of the strengths is the equity; that of their squares is no smaller than its square.
    assert values["equity_1"] ** 2 <= values["strength_squared"] <= values["equity_1"]
    assert table.lookup(hand, board=board) == [values]
    relabelled = str.maketrans("cdhs", "hscd")
    assert table.lookup(hand.translate(relabelled), board=board.translate(relabelled)) == [values]


def test_turns_and_rivers(few: Path) -> None:
    turns, rivers = StoredTable(few / "turn-random"), StoredTable(few / "river-random")
    for row in (0, 5000, len(turns) - 1):
        values = turns.rows(range(row, row + 1))[0]
        answer = gpuodds.equity(values["hand"], opponents=1, board=values["board"], backend="cpu")
        player = answer.players[0]
        assert (values["win"], values["tie"]) == (player.win_outcomes, *player.tie_outcomes)
        assert values["equity"] == player.equity
    for row in (0, 9999, len(rivers) - 1):
        hands, boards = gpuodds.canonical_cards([row], 5)
        given = gpuodds.equity([hands[0]], opponents=1, board=boards[0], backend="cpu").players[0]
        strength = 2 * given.win_outcomes + given.tie_outcomes[0]
        deals = count_alike(tuple(hands[0].tolist()), tuple(boards[0].tolist()))
        expected = [{"row": row, "strength": strength, "deals": deals}]
        assert rivers.rows(range(row, row + 1)) == expected
        assert rivers.array()[row] == strength


@pytest.mark.parametrize("name", ["flop-random", "turn-random", "river-random"])
def test_what_is_built_is_verified(few: Path, name: str) -> None:
    shares: list[float] = []
    held = verify(few / name, rows=5, seed=3, progress=shares.append)
    assert any("counted again by another method" in line for line in held)
    assert shares == sorted(shares) and shares[-1] == 1.0


def test_a_wrong_count_is_found(few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FewTurns, "recount", lambda self, row, opponents: {"win": row["win"] + 1})
    with pytest.raises(TableError, match=r"shard [01]: row \d+: win is \d+, counted again it is \d+"):
        verify(few / "turn-random", rows=1)


def test_streets_that_do_not_fit(few: Path) -> None:
    with pytest.raises(TableError, match="not of the street after"):
        verify(few / "flop-random", rows=1, finer=few / "river-random")


def test_pots_that_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    real = CpuBackend.against_random

    def wrong(self: CpuBackend, boards: Any, detail: bool) -> Any:
        found = real(self, boards, detail)
        found.wins[0] += found.wins[0] > 0
        return found

    monkeypatch.setattr(CpuBackend, "against_random", wrong)
    with pytest.raises(TableError, match="pots of a board do not add up"):
        FewTurns().compute(FewTurns().shards(1)[0], 1, CPU)


def test_preflop_random_is_what_ships(built_random: Path) -> None:
    folder = built_random
    table, shipped = StoredTable(folder), gpuodds.table("preflop-random")
    for name in starting_hands():
        assert table.lookup(name) == shipped.lookup(name)[:2]
    assert verify(folder, rows=2)[1] == "equities over all hands: exactly 1/(k + 1), k = 1 to 2"
    assert table.to_arrow().schema.field("win").type.precision == 38


def test_preflop_heads_up_is_what_ships(built_pairs: Path) -> None:
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


def test_the_csv_of_pairs_is_by_starting_hands() -> None:
    out = io.BytesIO()
    export(gpuodds.table("preflop-heads-up"), "csv", out)
    rows = list(csv.DictReader(io.StringIO(out.getvalue().decode("ascii"))))
    assert list(rows[0]) == ["hand_a", "hand_b", "win_a", "win_b", "tie"] and len(rows) == 14_365
    found = {(row["hand_a"], row["hand_b"]): row for row in rows}
    # AA v KK: 36 pairs of holdings; the golden counts of ranges.
    row = found["AA", "KK"]
    assert [int(row[name]) for name in ("win_a", "win_b", "tie")] == [50371344, 10986372, 285228]
    row = found["AA", "AA"]
    assert (
        row["win_a"] == row["win_b"]
        and sum(int(row[n]) for n in ("win_a", "win_b", "tie")) == 6 * 1712304
    )


def test_other_exports(few: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    pairs = gpuodds.table("preflop-heads-up")
    export_to_file(pairs, "parquet", tmp_path / "pairs.parquet", "canonical")
    assert pq.read_table(tmp_path / "pairs.parquet").num_rows == 47_008
    out = io.BytesIO()
    export(gpuodds.table("preflop-random"), "json", out)
    lines = [json.loads(line) for line in out.getvalue().decode().splitlines()]
    aces = next(line for line in lines if line["hand"] == "AA" and line["opponents"] == 22)
    assert isinstance(aces["win"], str) and aces["equity"] < 0.13
    table = StoredTable(few / "flop-random")
    out = io.BytesIO()
    export(table, "csv", out)
    text = out.getvalue().decode("ascii").splitlines()
    assert len(text) == 1 + len(table) and text[0].startswith("row,hand,board,win_1,tie_1_1,equity_1")
    export_to_file(table, "parquet", tmp_path / "flops.parquet")
    assert pq.read_table(tmp_path / "flops.parquet").num_rows == len(table)
    with pytest.raises(InputError, match="format xls: expected one of csv, json, parquet"):
        export(table, "xls", out)
    with pytest.raises(InputError, match="view classes: expected canonical for table flop-random"):
        export(table, "csv", out, "classes")
    with pytest.raises(InputError, match="Is a directory"):
        export_to_file(table, "csv", tmp_path)


def test_other_programs_read_the_shards(few: Path) -> None:
    import duckdb
    import pandas as pd
    import polars as pl

    folder = few / "flop-random"
    rows = len(StoredTable(folder))
    frame = pd.read_parquet(sorted(folder.glob("*.parquet")))
    assert len(frame) == rows and frame["equity_1"].between(0, 1).all()
    assert len(pl.read_parquet(folder / "*.parquet")) == rows
    query = f"select count(*), max(equity_1) from '{folder}/*.parquet'"
    assert duckdb.sql(query).fetchall()[0] == (rows, frame["equity_1"].max())


@pytest.mark.parametrize(
    ("name", "number", "opponents"),
    [("turn-random", 0, 1), ("river-random", 0, 1), ("preflop-random", 160, 3)],
)
def test_gpus_give_the_same_bytes(
    cuda: Any, monkeypatch: pytest.MonkeyPatch, name: str, number: int, opponents: int
) -> None:
    kind = {**kinds(), "turn-random": FewTurns(), "river-random": FewRivers()}[name]
    size = "hands_a_shard" if name == "preflop-random" else "boards_a_shard"
    monkeypatch.setattr(type(kind), size, 1)  # a thread is a coroutine there
    rows = kind.shards(opponents)[number]
    ours = kind.compute(rows, opponents, CudaBackend())
    assert ours.equals(kind.compute(rows, opponents, CPU))


def test_a_shard_is_bytes(few: Path) -> None:
    data = compute_shard(FewTurns(), 1, 1, "cpu")
    assert data == compute_shard(FewTurns(), 1, 1, "cpu")
    assert data == (few / "turn-random" / "00001.parquet").read_bytes()
    assert len(decode(data)) == len(FewTurns().shards(1)[1])


def test_what_is_no_row(few: Path) -> None:
    table = StoredTable(few / "turn-random")
    for hands, board, says in [
        (("AsKs",), "2s7d9h", "expected one hand and a board of 4 cards"),
        (("AsKs", "QhQd"), "2s7d9hTc", "expected one hand and a board of 4 cards"),
        (("AsKs",), "2s7d9hAs", "AsKsAs2s7d9h|a card is given twice"),
        (("As",), "2s7d9hTc", "hand As: expected two different cards"),
    ]:
        with pytest.raises(InputError, match=says):
            table.lookup(*hands, board=board)
    with pytest.raises(InputError, match="expected a folder or one of preflop-random"):
        gpuodds.table("preflop-rand")
    with pytest.raises(InputError, match="expected two hands and no board"):
        gpuodds.table("preflop-heads-up").lookup("AsKs")
    with pytest.raises(InputError, match=r"expected four different cards|different cards"):
        gpuodds.table("preflop-heads-up").lookup("AsKs", "AsQs")


def test_opponents_of_tables() -> None:
    flop, pairs = find_kind("flop-random"), find_kind("preflop-heads-up")
    assert check_opponents(flop, None) == 9 and check_opponents(pairs, None) == 0
    with pytest.raises(InputError, match="opponents 10: expected 1 to 9 for table flop-random"):
        check_opponents(flop, 10)
    with pytest.raises(InputError, match="it has no number of opponents"):
        check_opponents(pairs, 1)
    with pytest.raises(InputError, match="table flop: expected one of preflop-random"):
        find_kind("flop")


def test_rows_drawn_are_the_seed_s(few: Path) -> None:
    table = StoredTable(few / "turn-random")
    assert verification._draw(table, 5, 1) == verification._draw(table, 5, 1)
    assert verification._draw(table, len(table) + 5, 1) == list(range(len(table)))


def test_rows_of_all_flops_stand_for_all_deals() -> None:
    deals = FlopRandom().deals(range(1_286_792), CPU)
    assert int(deals.sum()) == comb(52, 2) * comb(50, 3)
    assert np.unique(deals).tolist() == [4, 12, 24]


@pytest.mark.parametrize(("kind", "cards"), [(FlopRandom(), 3), (TurnRandom(), 4), (RiverRandom(), 5)])
def test_deals_are_the_cards_that_a_row_stands_for(kind: Street, cards: int) -> None:
    spans = kind.shards(1)
    for number in (0, len(spans) // 2, len(spans) - 1):
        deals = kind.deals(spans[number], CPU)
        drawn = [0, len(deals) - 1, *np.random.default_rng(number).integers(0, len(deals), 40).tolist()]
        hands, boards = gpuodds.canonical_cards([spans[number].start + row for row in drawn], cards)
        for row, hand, board in zip(drawn, hands.tolist(), boards.tolist(), strict=True):
            assert deals[row] == count_alike(tuple(hand), tuple(board))


def test_deals_are_found_by_naming_every_suit() -> None:
    assert count_alike((0, 1), (4, 5, 10, 11)) == 6  # 2c2d on 3c3d4h4s: either pair of suits may change
    assert count_alike((0, 4), (8, 12, 16)) == 4  # one suit
    assert count_alike((0, 5), (10, 15, 16)) == 24


@pytest.mark.parametrize("name", ["flop-random", "turn-random", "river-random"])
def test_means_over_deals_are_even(few: Path, name: str) -> None:
    table = StoredTable(few / name)
    columns = {column: table.to_arrow()[column].to_numpy() for column in ("row", "deals")}
    size = {"flop-random": 3, "turn-random": 4, "river-random": 5}[name]
    boards = np.searchsorted(canonical_index(size)[1], len(table))
    sizes = canonical_boards(size)[1][:boards]
    assert columns["deals"].sum() == sizes.sum() * comb(52 - size, 2)
    assert table.to_arrow().schema.field("deals").type == pa.int32()
    if name == "river-random":
        equity = table.array() / 1980
    else:
        equity = table.to_arrow()["equity" if name == "turn-random" else "equity_1"].to_numpy()
    # Whoever holds which, half of what is played for is won on each board.
    assert np.average(equity, weights=columns["deals"]) == pytest.approx(0.5, abs=1e-12)
    assert abs(np.average(equity) - 0.5) > 1e-4


def test_deals_that_do_not_add_up(few: Path) -> None:
    table = StoredTable(few / "turn-random")
    shard = table.read_shard(1)
    wrong = shard["deals"].to_numpy().copy()
    wrong[7] += 12
    place = shard.column_names.index("deals")
    hurt = shard.set_column(place, "deals", pa.array(wrong))
    table._decoded[1] = hurt, table._decoded[1][1]
    with pytest.raises(TableError, match=r"the rows stand for \d+ deals, expected \d+"):
        list(table.kind.laws(table))


def test_a_flop_row_is_the_mean_of_its_turns() -> None:
    """Street consistency, on two whole boards: all turns of a flop."""
    flop = np.array([parse_cards("2s7d9h")], np.uint8)
    turns = np.array([[*flop[0], c] for c in range(52) if c not in flop[0]], np.uint8)
    whole, parts = CPU.against_random(flop, False), CPU.against_random(turns, False)
    assert np.array_equal(2 * whole.wins[0], parts.wins.sum(axis=0))
    assert np.array_equal(2 * whole.ties[0], parts.ties.sum(axis=0))
