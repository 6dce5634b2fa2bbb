"""Batched look-up: the columns of many rows, equal to looking them up one by one."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from toy_tables import FEW, FewFlops, FewFlopsLayout, Toy, digest, make_known

import gpuodds
from gpuodds.cards import format_cards
from gpuodds.errors import InputError, TableError
from gpuodds.games.holdem.starting_hands import starting_hands
from gpuodds.games.shared.combos import combo_cards
from gpuodds.table_building.build import build
from gpuodds.table_building.kinds.catalog import find_kind
from gpuodds.table_building.kinds.preflop_heads_up_folded import PreflopHeadsUpFolded
from gpuodds.table_building.kinds.preflop_three_way import PreflopThreeWay
from gpuodds.table_building.verify import verify
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.files.manifest import read_manifest, shard_file
from gpuodds.tables.files.plain_arrays import plain_values
from gpuodds.tables.layouts.preflop_heads_up_folded import PreflopHeadsUpFoldedLayout
from gpuodds.tables.layouts.preflop_three_way import COUNTS, PreflopThreeWayLayout
from gpuodds.tables.layouts.streets import FlopLayout
from gpuodds.tables.layouts.three_hands import PAIRS
from gpuodds.tables.store import StoredTable

STREETS = {"flop-random": 3, "turn-random": 4, "river-random": 5}


def is_equal(taken: dict[str, Any], rows: list[dict[str, Any]]) -> bool:
    """Compare columns with rows, which leave out what has no value."""
    lists = {name: column.tolist() for name, column in taken.items()}
    for place, row in enumerate(rows):
        for name, column in lists.items():
            value = column[place]
            same = value == row[name] if name in row else value == 0 or isnan(value)
            if not same or (name in row and type(value) is not type(row[name])):
                return False
    return all(set(row) <= set(taken) for row in rows)


@pytest.mark.parametrize("name", STREETS)
def test_rows_of_streets(few: Path, name: str) -> None:
    table = StoredTable(few / name)
    drawn = np.random.default_rng(1).integers(0, len(table), 1500)
    drawn = np.concatenate([drawn, [0, len(table) - 1, 0]])
    expected = table.rows(drawn.tolist())
    taken = table.take_rows(drawn)
    assert list(taken) == table.columns == list(expected[0])
    assert is_equal(taken, expected)
    assert all(column.dtype.kind in "OUif" or key == "histogram" for key, column in taken.items())
    taken["deals" if "deals" in taken else "win"][0] += 1
    assert not is_equal(taken, expected)
    for dtype in (np.int32, np.uint64):
        again = table.take_rows(drawn.astype(dtype), columns=["deals"])
        assert list(again) == ["deals"] and again["deals"].dtype == np.int64
        assert again["deals"].tolist() == [row["deals"] for row in expected]
    assert table.take_rows([], ["deals"])["deals"].shape == (0,)


@pytest.mark.parametrize("name", STREETS)
def test_hands_on_boards(few: Path, name: str) -> None:
    table = StoredTable(few / name)
    drawn = np.random.default_rng(2).integers(0, len(table), 200)
    hands, boards = gpuodds.canonical_cards(drawn, STREETS[name])
    suits = np.random.default_rng(3).permutation(4)
    hands, boards = (cards // 4 * 4 + suits[cards % 4] for cards in (hands, boards))
    hands, boards = hands[:, ::-1], boards[:, ::-1]
    column = {"flop-random": "win_3", "turn-random": "equity"}.get(name, "strength")
    taken = table.take(hands, boards, [column, "row"])
    expected = [
        table.lookup(format_cards(hand), board=format_cards(board))[0]
        for hand, board in zip(hands.tolist(), boards.tolist(), strict=True)
    ]
    assert taken[column].tolist() == [row[column] for row in expected]
    assert taken["row"].tolist() == drawn.tolist()
    texts = [[format_cards([card]) for card in hand] for hand in hands.tolist()]
    assert table.take(texts, boards, [column])[column].tolist() == taken[column].tolist()


def test_nine_opponents_on_a_flop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch.setattr, FewFlops())
    monkeypatch.setattr(FewFlopsLayout, "shards", lambda self, k: FlopLayout.shards(self, k)[:1])
    build(FewFlops(), tmp_path, 9, backend="cpu")
    table = StoredTable(tmp_path)
    rows = np.random.default_rng(6).integers(0, len(table), 60)
    taken = table.take_rows(rows)
    assert is_equal(taken, table.rows(rows.tolist()))
    assert max(taken["win_9"]) > 1 << 64 and taken["win_6"].dtype == np.int64
    sizes = [
        path.stat().st_size for path in tmp_path.iterdir() if path.name in ("win_2.u32", "win_7.u128")
    ]
    assert sorted(sizes) == [4 * len(table), 16 * len(table)]


@pytest.mark.weekly
@pytest.mark.parametrize("name", ["turn-random", "turn-features"])
def test_a_million_rows_of_the_turn(tmp_path: Path, name: str) -> None:
    build(find_kind(name), tmp_path, 1, workers=2)
    table = StoredTable(tmp_path)
    drawn = np.random.default_rng(7)
    rows = np.sort(drawn.integers(0, len(table), 1_000_000))  # so that each shard is read once
    for some in np.array_split(rows, 20):
        assert is_equal(table.take_rows(some), table.rows(some.tolist()))
    cards = np.argsort(drawn.random((3000, 52)), axis=1)[:, :6]
    hands, boards = cards[:, :2], cards[:, 2:]
    order = np.argsort(gpuodds.canonical_rows(hands, boards))
    hands, boards = hands[order], boards[order]
    asked = zip(hands.tolist(), boards.tolist(), strict=True)
    assert is_equal(table.take(hands, boards), [table.lookup(h, board=b)[0] for h, b in asked])


def test_wide_counts_are_whole_numbers() -> None:
    halves = [(0, 0), (5, 0), ((1 << 64) - 1, 0), (7, 1 << 60)]
    numbers = [low | high << 64 for low, high in halves]
    column = pa.chunked_array([pa.array([*numbers, None], pa.decimal128(38, 0))])
    assert plain_values(column, "win", "(2,)<u8").tolist() == [list(half) for half in (*halves, (0, 0))]
    for wrong, dtype in [([1 << 32], "<u4"), ([-1], "<u2"), ([256], "|u1")]:
        with pytest.raises(TableError, match="column win: its values do not fit"):
            plain_values(pa.chunked_array([pa.array(wrong, pa.int64())]), "win", dtype)


@pytest.mark.parametrize("where", ["shipped", "built"])
def test_one_hand_before_the_flop(built_random: Path, where: str) -> None:
    shipped = gpuodds.table("preflop-random")
    table = shipped if where == "shipped" else StoredTable(built_random)
    hands = [[51, 47], [0, 1], [50, 45]]
    taken = table.take(hands)
    for place, hand in enumerate(hands):
        found = table.lookup(hand)
        assert taken["win"].shape == (3, len(found))
        assert is_equal({name: column[place] for name, column in taken.items()}, found)
    last = table.take_rows([len(table) - 1])
    assert is_equal(last, table.rows(range(len(table) - 1, len(table))))


@pytest.mark.parametrize("where", ["shipped", "built"])
def test_pairs_of_hands(built_pairs: Path, where: str) -> None:
    table = gpuodds.table("preflop-heads-up") if where == "shipped" else StoredTable(built_pairs)
    combos = combo_cards()
    drawn = np.random.default_rng(4).integers(0, 1326, (600, 2))
    hands = combos[drawn]
    hands = hands[[len({*row.ravel().tolist()}) == 4 for row in hands]][:, :, ::-1]
    taken = table.take(hands)
    pairs = taken.pop("pairs")
    asked = [table.lookup(*map(format_cards, pair))[0] for pair in hands.tolist()]
    assert [row.pop("pairs", int(pairs[i])) for i, row in enumerate(asked)] == pairs.tolist()
    assert is_equal(taken, asked)
    turned = table.take(hands[:, ::-1], columns=["win_b", "hand_b"])
    assert turned["win_b"].tolist() == taken["win_a"].tolist()
    assert turned["hand_b"].tolist() == taken["hand_a"].tolist()
    rows = table.take_rows(range(len(table)), ["win_a", "win_b", "tie", "pairs", "hand_a"])
    assert set((rows["win_a"] + rows["win_b"] + rows["tie"]).tolist()) == {1_712_304}
    assert rows["pairs"].sum() == 812_175
    assert rows["hand_a"][::500].tolist() == [
        table.rows(range(row, row + 1))[0]["hand_a"] for row in range(0, len(table), 500)
    ]


class AcesLayout(PreflopThreeWayLayout):
    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:1]


class Aces(PreflopThreeWay):
    """The rows of pocket aces, with numbers that were not counted."""

    layout = AcesLayout()

    def compute(self, rows: range, opponents: int, backend: Any, progress: Any = None) -> Any:
        names = np.array(starting_hands())
        first, second = np.triu_indices(169)
        absent = np.arange(PAIRS) % 97 == 0
        counts = {name: np.arange(PAIRS) * 1000 + place for place, name in enumerate(COUNTS)}
        return pa.table(
            {
                "hero": pa.array(np.full(PAIRS, "AA")),
                "second": pa.array(names[first]),
                "third": pa.array(names[second]),
                **{name: pa.array(values, pa.int64(), mask=absent) for name, values in counts.items()},
                "equity": pa.array(np.arange(PAIRS) / PAIRS, mask=absent),
            }
        )


def test_three_starting_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch.setattr, Aces())
    build(Aces(), tmp_path / "aces", 0, backend="cpu")
    table = StoredTable(tmp_path / "aces")
    names = starting_hands()
    others = np.random.default_rng(5).integers(0, 169, (300, 2))
    hands = [["AA", names[one], names[two]] for one, two in [*others.tolist(), (0, 0), (7, 7)]]
    assert is_equal(table.take(hands), [table.lookup(*given)[0] for given in hands])
    for wrong, message in [
        ([["AA", "KK", "AsKs"]], "hands: row 0: expected a starting hand, such as AKs, found AsKs"),
        ([["AA", "KK"]], r"expected an array of shape \(n, 3\), of names"),
        ([[51, 47, 3]], r"of names of starting hands such as AKs, found int64, shape \(1, 3\)"),
    ]:
        with pytest.raises(InputError, match=message):
            table.take(wrong)
    with pytest.raises(InputError, match="row 14365: expected 0 to 14364 in table preflop-three-way"):
        table.take([["AKs", "AA", "AA"]])


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda t: t.take_rows([0, 10**9]), r"row 1000000000: expected 0 to \d+"),
        (lambda t: t.take_rows([-1]), "row -1: expected 0 to"),
        (lambda t: t.take_rows([1.5]), r"rows: expected an array of integers of shape \(n,\), found f"),
        (lambda t: t.take_rows([[1]]), r"found int64, shape \(1, 1\)"),
        (lambda t: t.take_rows([True]), "found bool"),
        (lambda t: t.take_rows([1], ["best"]), "column best: expected one of row, hand, board, win, "),
        (
            lambda t: t.take_rows([1], "win"),
            r"columns win: expected a list of names, such as \['deals'",
        ),
        (lambda t: t.take([[51, 47]], [[0, 1, 2, 51]]), "row 0: a hand cannot hold a card twice"),
        (lambda t: t.take([[51, 47]], [[0, 1, 2, 52]]), "boards: row 0: expected card numbers from 0"),
        (lambda t: t.take([[51, 47]], [[0, 1, 2]]), r"boards: expected an array of shape \(n, 4\) for"),
        (lambda t: t.take([[51, 47]]), r"boards: expected an array of shape \(n, 4\) for table turn"),
        (lambda t: t.take([[51, 47], [0, 1]], [[3, 4, 5, 6]]), "2 hands and 1 boards"),
        (lambda t: t.take([["As", "Kx"]], [[3, 4, 5, 6]]), "hands: row 0: expected a card, found Kx"),
        (lambda t: t.array("row"), "array row: expected one of win, tie, equity, deals in table turn"),
    ],
)
def test_what_a_table_of_a_street_refuses(
    few: Path, ask: Callable[[StoredTable], Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        ask(StoredTable(few / "turn-random"))


@pytest.mark.parametrize(
    ("hands", "boards", "message"),
    [
        ([[51, 47]], None, r"hands: expected an array of shape \(n, 2, 2\), found \(1, 2\)"),
        ([[[51, 47], [47, 1]]], None, "hands: row 0: a hand cannot hold a card twice"),
        ([[[51, 47], [52, 1]]], None, "hands: row 0: expected card numbers from 0 to 51, found 52"),
        ([[[51, 47], [3, 1]]], [[4, 5, 6]], "table preflop-heads-up: expected no boards"),
        ([[[51, 47], [3]]], None, "hands: expected rows of one length"),
    ],
)
def test_what_a_table_of_pairs_refuses(hands: Any, boards: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        gpuodds.table("preflop-heads-up").take(hands, boards)


def test_a_long_list_of_columns_is_cut(few: Path) -> None:
    with pytest.raises(InputError, match=r"expected one of row, .*, \.\.\., histogram, deals in table"):
        StoredTable(few / "flop-random").take_rows([1], ["x"])


def forget_arrays(folder: Path, keep: int = 0) -> None:
    """Leave a table as an older gpuodds built it: another origin, and few plain arrays or none."""
    manifest = read_manifest(folder)
    for array in manifest.arrays[keep:]:
        (folder / array.file).unlink()
    manifest.arrays = manifest.arrays[:keep]
    manifest.origin = replace(manifest.origin, engine="0.0.1", fingerprint="0123456789abcdef")
    (folder / MANIFEST).write_bytes(manifest.to_bytes())


@pytest.mark.parametrize("keep", [0, 1])
def test_a_build_adds_arrays_to_an_older_table(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keep: int
) -> None:
    kind, folder = FEW[1], tmp_path / "turns"
    build(kind, folder, 1, backend="cpu")
    expected = StoredTable(folder).take_rows([7, 70])
    shards = {number: (folder / shard_file(number)).stat().st_mtime_ns for number in range(2)}
    forget_arrays(folder, keep)
    assert not any("plain" in line for line in verify(folder, rows=1)) or keep
    with pytest.raises(TableError, match=r"built without an array of column tie: gpuodds table build"):
        StoredTable(folder).take_rows([7, 70], ["tie"])
    assert StoredTable(folder).rows([7])[0]["win"] == expected["win"][0]

    def count(*arguments: Any) -> Any:
        raise AssertionError("nothing is to be counted")

    monkeypatch.setattr(type(kind), "compute", count)
    assert build(kind, folder, 1, backend="cpu")
    assert {name: column.tolist() for name, column in expected.items()} == {
        name: column.tolist() for name, column in StoredTable(folder).take_rows([7, 70]).items()
    }
    assert read_manifest(folder).origin.engine == "0.0.1"
    assert {n: (folder / shard_file(n)).stat().st_mtime_ns for n in shards} == shards
    (folder / shard_file(1)).write_bytes(b"PAR1")
    with pytest.raises(TableError, match=r"begun by gpuodds 0\.0\.1"):
        build(kind, folder, 1, backend="cpu")
    assert read_manifest(folder).complete


def test_a_half_built_table_is_refused(toy: None, tmp_path: Path, whole: Path) -> None:
    build(Toy(), tmp_path / "half", 2, backend="cpu", only=range(6))
    assert not list((tmp_path / "half").glob("*.u16*"))
    with pytest.raises(TableError, match="half-built: 6 of 8 shards are there: gpuodds table build"):
        StoredTable(tmp_path / "half", part=True).take_rows([0], ["strength"])
    assert build(Toy(), tmp_path / "half", 2, backend="cpu")
    assert digest(tmp_path / "half") == digest(whole)


def test_an_array_of_other_rows_is_found(whole: Path) -> None:
    values = np.fromfile(whole / "strength.u16", "<u2")
    values[250] += 1
    values.tofile(whole / "strength.u16")
    manifest = read_manifest(whole)
    entry = manifest.arrays[0]
    manifest.arrays = [replace(entry, sha256=(hashlib.sha256(values.tobytes()).hexdigest(),))]
    (whole / MANIFEST).write_bytes(manifest.to_bytes())
    with pytest.raises(TableError, match="shard 2: the plain array of strength differs"):
        verify(whole, rows=0)


def test_a_damaged_array_is_refused(whole: Path) -> None:
    table = StoredTable(whole)
    assert table.take_rows([3, 799], ["strength", "row"])["strength"].tolist() == [6, 1598]
    path = whole / "strength.u16"
    data = bytearray(path.read_bytes())
    data[700] ^= 16
    path.write_bytes(bytes(data))
    with pytest.raises(
        TableError, match=r"strength\.u16: damaged: rows 0 to 799 differ.*makes it again"
    ):
        table.take_rows([3])
    path.unlink()
    with pytest.raises(TableError, match=r"strength\.u16: No such file.*makes it again"):
        table.take_rows([3])


def test_rows_need_no_numba(built_pairs: Path) -> None:
    code = (
        "import sys, gpuodds\n"
        "heavy = lambda: sorted({'numba', 'pyarrow', 'cupy', 'scipy'} & set(sys.modules))\n"
        "gpuodds.table('preflop-heads-up').take_rows([5], ['win_a', 'pairs']), print(heavy())\n"
        f"gpuodds.table({str(built_pairs)!r}).take_rows([5]), print('numba' in heavy())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\nFalse\n", done.stderr


class FoldedAcesLayout(PreflopHeadsUpFoldedLayout):
    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:1]


class FoldedAces(PreflopHeadsUpFolded):
    """The rows of pocket aces against every hand, with numbers that were not counted."""

    layout = FoldedAcesLayout()

    def compute(self, rows: range, opponents: int, backend: Any, progress: Any = None) -> Any:
        names = np.array(starting_hands())
        second, folded = np.divmod(np.arange(169 * 169), 169)
        absent = second % 13 == folded % 17
        return pa.table(
            {
                "hand_a": pa.array(np.full(len(second), "AA")),
                "hand_b": pa.array(names[second]),
                "folded": pa.array(names[folded]),
                **{
                    name: pa.array(np.arange(len(second)) * 1000 + place, pa.int64(), mask=absent)
                    for place, name in enumerate(("win_a", "win_b", "tie"))
                },
            }
        )


def test_two_starting_hands_and_a_folded_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch.setattr, FoldedAces())
    build(FoldedAces(), tmp_path / "aces", 0, backend="cpu")
    table = StoredTable(tmp_path / "aces")
    names = starting_hands()
    drawn = np.random.default_rng(5).integers(1, 169, (300, 2)).tolist()
    hands = [["AA", names[one], names[two]] for one, two in drawn]
    taken = table.take(hands)
    assert is_equal(taken, [table.lookup(*given)[0] for given in hands])
    turned = table.take([[one, aces, folded] for aces, one, folded in hands])
    assert turned["win_b"].tolist() == taken["win_a"].tolist()
    assert turned["hand_b"].tolist() == taken["hand_a"].tolist()
    some, others = (table.lookup("AA", name, "AQs")[0] for name in ("KQs", "KQo"))
    both = table.lookup("AA", "KQ", "AQs")[0]
    assert both["win_a"] == some["win_a"] + others["win_a"] and both["hand_b"] == "KQ"
    with pytest.raises(InputError, match="hand AsAh: expected a starting hand, such as AA"):
        table.lookup("AsAh", "KK", "QQ")
