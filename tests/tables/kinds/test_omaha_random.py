"""All starting hands of Omaha against a random hand: what ships, what is built, what is looked up."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.operations.omaha.known_hands import OmahaOneRandomHand, OmahaPreflopRandom
from gpuodds.basics.choices import GameName
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.games.catalog import find_game
from gpuodds.games.omaha.equity_order import equity_order
from gpuodds.games.omaha.starting_hands import class_names, starting_hands
from gpuodds.results.hi_lo import HiLoEquity
from gpuodds.table_building.build import build
from gpuodds.table_building.kinds.catalog import find_kind
from gpuodds.table_building.kinds.omaha_random import OmahaRandom, read_counts
from gpuodds.table_building.shipped import omaha_preflop_random as build_omaha_preflop_random
from gpuodds.table_building.shipped.omaha_preflop_random import count_starting_hands, shares_of_pot
from gpuodds.table_building.verify import verify
from gpuodds.tables.layouts.omaha_random import equity, pot
from gpuodds.tables.shipped import omaha_preflop_random
from gpuodds.tables.shipped.omaha_preflop_random import DATA_FILE, read_table, table_bytes
from gpuodds.tables.store import StoredTable

NAME = "omaha-preflop-random"
OUTCOMES = 211_315_436_640
ORDERED = ("omaha", "omaha-hi-lo", "omaha5", "omaha5-hi-lo")


def joint_counts() -> Any:
    """Return the shipped counts as the backend counts them."""
    win, tie = read_table()
    counts = np.zeros((len(win), 3, 4), np.int64)
    counts[:, 0, 0], counts[:, 1, 0], counts[:, 2, 0] = win, tie, OUTCOMES - win - tie
    return counts


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the backend have counted already."""

    def count(operation: OmahaPreflopRandom, progress: Callable[[float], None] | None = None) -> Any:
        ranks = operation.ranks
        assert len(operation.hands) == 16_432 and not operation.game.has_low
        assert len(ranks) * ranks.step >= 6175 - 3
        if progress is not None:
            progress(0.25)
            progress(1.0)
        return (joint_counts() + ranks.start) // ranks.step  # these add up

    monkeypatch.setattr(OmahaPreflopRandom, "on_cpu", count)


def test_the_equities_of_all_hands_average_one_half() -> None:
    table = gpuodds.table(NAME)
    columns = table.take_rows(range(len(table)))
    assert len(table) == 16_432 and columns["hand"].tolist() == class_names(4)
    assert columns["combos"].sum() == 270_725 and (columns["outcomes"] == OUTCOMES).all()
    assert int(columns["combos"] @ (2 * columns["win"] + columns["tie"])) == 270_725 * OUTCOMES
    assert columns["equity"].tolist() == [row["equity"] for row in table.rows(range(len(table)))]


@pytest.mark.slow
@pytest.mark.parametrize("hand", ["AsAhKsKh", "7c7d2c2d"])
def test_a_row_is_what_is_counted(hand: str) -> None:
    row = gpuodds.table(NAME).lookup(hand)[0]
    player = gpuodds.equity(hand, game="omaha", table=False, backend="cpu").players[0]
    assert (row["win"], row["tie"]) == (player.win_outcomes, player.tie_outcomes[0])
    assert (row["outcomes"], row["equity"]) == (player.outcomes, player.equity)


def test_hands_by_name_ranks_and_pattern() -> None:
    table = gpuodds.table(NAME)
    (row,) = table.lookup("AsAhKsKh")
    assert (row["hand"], row["combos"], row["win"]) == ("AwAxKwKx", 6, 148_999_832_330)
    for same in ("AwAxKwKx", "kwawaxkx", "AAKK ds", "kaka DS"):
        assert table.lookup(same) == [row]
    assert table.lookup([51, 50, 47, 46]) == table.lookup("KxAyKyAx") == [row]
    (every,) = table.lookup("AAKK")
    parts = [table.lookup(f"AAKK {pattern}")[0] for pattern in ("ds", "ss", "rb")]
    assert (every["hand"], every["combos"]) == ("AAKK", 36)
    assert [part["combos"] for part in parts] == [6, 24, 6]
    for name in ("win", "tie", "outcomes"):
        assert every[name] == sum(part["combos"] * part[name] for part in parts)
    assert every["equity"] == (2 * every["win"] + every["tie"]) / (2 * every["outcomes"])
    (suited,) = table.lookup("AKQJss")
    assert suited["hand"] == "AKQJ ss" and suited["combos"] == 6 * 24


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        (
            "AKs",
            "hand AKs: expected cards, such as AsAhKsKh, a starting hand, such as AwAxKwKx, or ranks",
        ),
        ("AAKK ts", "hand AAKK ts: there is no such starting hand; these ranks have ds, ss, rb"),
        ("AAAAA", "hand AAAAA: expected cards"),
        ("AwAwKxKy", "hand AwAwKxKy: expected different cards"),
        ("AsAhKs", "a hand of omaha has four cards, found 3"),
        ("AsKs", "a hand of omaha has four cards, found 2"),
    ],
)
def test_hands_that_are_refused(hand: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        gpuodds.table(NAME).lookup(hand)


def test_a_board_or_two_hands_are_refused() -> None:
    table = gpuodds.table(NAME)
    for hands, board in ((["AAKK", "QQJJ"], ""), (["AAKK"], "2c3d4h")):
        with pytest.raises(InputError, match="expected one hand and no board"):
            table.lookup(*hands, board=board)
    with pytest.raises(InputError, match=r"expected an array of shape \(n, 4\)"):
        table.take([[51, 50]])
    with pytest.raises(InputError, match="cannot hold a card twice"):
        table.take([[51, 51, 50, 49]])


def test_rows_of_many_hands() -> None:
    table = gpuodds.table(NAME)
    found = table.take([["As", "Ah", "Ks", "Kh"], ["2s", "2h", "2d", "2c"]], columns=["hand", "win"])
    assert found["hand"].tolist() == ["AwAxKwKx", "2w2x2y2z"]
    assert found["win"].tolist() == [148_999_832_330, 19_634_139_072]


def test_a_build_equals_what_ships(counted: None, tmp_path: Path) -> None:
    folder, shares = tmp_path / "omaha", []
    assert build(find_kind(NAME), folder, 0, backend="cpu", progress=shares.append)
    assert shares == sorted(shares) and 0.25 / 4 in shares and shares[-1] == 1.0
    table, shipped = StoredTable(folder), gpuodds.table(NAME)
    assert table.to_arrow().equals(shipped.to_arrow())
    assert table.lookup("AAKK") == shipped.lookup("AAKK")
    for name, column in shipped.take_rows([0, 214, 16_431]).items():
        assert column.tolist() == table.take_rows([0, 214, 16_431])[name].tolist()
    held = verify(folder, rows=1)
    assert "combos: all 270,725; the equities of all hands average exactly 1/2" in held
    assert held[-1] == "1 rows drawn with seed 0: counted again by another method"


def test_counts_that_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = joint_counts()
    counts[5, 0, 0] += 1
    monkeypatch.setattr(OmahaPreflopRandom, "on_cpu", lambda *given: counts)
    with pytest.raises(AssertionError, match="the deals of a hand do not add up"):
        count_starting_hands(find_game("omaha"), CpuBackend(), None)
    counts[5, 2, 0] -= 1
    with pytest.raises(AssertionError, match="do not average one half"):
        count_starting_hands(find_game("omaha"), CpuBackend(), None)


@pytest.mark.parametrize("name", ["omaha", "omaha-hi-lo"])
@pytest.mark.parametrize(("hand", "board"), [("AsAh2c3h", "2s7d9h"), ("Ac2cKhKd", "3s4d8h")])
def test_columns_of_counts_are_those_of_an_answer(name: GameName, hand: str, board: str) -> None:
    game = find_game(name)
    cards = parse_cards(hand), parse_cards(board)
    one = OmahaOneRandomHand(game, *cards, ()).on_cpu().sum(axis=0)
    counts = {column: int(values[0]) for column, values in read_counts(one[None], game.has_low).items()}
    player = gpuodds.equity(hand, board=board, game=name, opponents=1).players[0]
    assert (counts["win"], counts["tie"]) == (player.win_outcomes, player.tie_outcomes[0])
    assert equity(counts, int(one.sum())) == player.equity
    assert pot(counts) == shares_of_pot(one[None])[0]
    if isinstance(player, HiLoEquity):
        assert (counts["high_win"], counts["high_tie"]) == player.high_outcomes
        assert (counts["low_win"], counts["low_tie"]) == player.low_outcomes


def test_the_builder_writes_the_shipped_files(
    counted: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders: dict[str, Any] = {}
    monkeypatch.setattr(build_omaha_preflop_random, "write_order", orders.__setitem__)
    out = tmp_path / DATA_FILE.name
    monkeypatch.setattr(sys, "argv", ["build", "--out", str(out)])
    build_omaha_preflop_random.main()
    assert zlib.decompress(out.read_bytes()) == zlib.decompress(DATA_FILE.read_bytes())
    assert zlib.decompress(DATA_FILE.read_bytes()) == table_bytes(read_table())
    assert DATA_FILE.stat().st_size < 400_000
    win, tie = read_table()
    assert (orders["omaha"] == 4 * win + 2 * tie).all()


def test_the_order_is_that_of_the_table() -> None:
    win, tie = read_table()
    order = equity_order("omaha")
    assert order is not None and (np.diff((2 * win + tie)[order]) < 0).all()  # no two are equal
    assert class_names(4)[order[0]] == "AwAxTwTx" and class_names(4)[order[-1]] == "2w2x2y2z"


@pytest.mark.parametrize("game", ORDERED)
def test_an_order_has_every_starting_hand_once(game: GameName) -> None:
    order, every = equity_order(game), starting_hands(find_game(game).hole_cards)
    assert order is not None and np.sort(order).tolist() == list(range(len(every.cards)))


def test_a_damaged_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / DATA_FILE.name
    for name in (copy.name, copy.name + ".sha256"):
        shutil.copy(DATA_FILE.with_name(name), tmp_path / name)
    data = bytearray(copy.read_bytes())
    data[len(data) // 2] ^= 1
    copy.write_bytes(data)
    monkeypatch.setattr(omaha_preflop_random, "DATA_FILE", copy)
    read_table.cache_clear()
    try:
        with pytest.raises(ValueError, match="damaged: its sha256"):
            read_table()
    finally:
        read_table.cache_clear()


def test_a_look_up_imports_little(tmp_path: Path) -> None:
    code = """
import sys, gpuodds
gpuodds.table("omaha-preflop-random").lookup("AAKK ds")
gpuodds.equity("AsAhKsKh", game="omaha")
heavy = "numba", "cupy", "pyarrow", "scipy", "matplotlib"
print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stderr


@pytest.mark.weekly
@pytest.mark.parametrize("game", ["omaha", "omaha-hi-lo", "omaha5"])
def test_whole_tables(game: GameName, tmp_path: Path) -> None:
    kind = find_kind(f"{game}-preflop-random")
    assert isinstance(kind, OmahaRandom) and build(kind, tmp_path / game, 0, backend="cpu")
    assert len(verify(tmp_path / game, rows=3)) >= 4
    table = StoredTable(tmp_path / game)
    columns = table.take_rows(range(len(table)), kind.layout.counts)
    order = equity_order(game)
    assert order is not None and (np.diff(pot(columns)[order]) <= 0).all()
    if game == "omaha":
        assert table.to_arrow().equals(gpuodds.table(NAME).to_arrow())
