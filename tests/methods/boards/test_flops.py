"""Built tables by name, and equities of all hands on a flop, from a table or counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import needs
import numpy as np
import pytest

import gpuodds
from gpuodds import flop_equities
from gpuodds.cards import format_cards, parse_cards
from gpuodds.cli.main import run
from gpuodds.errors import InputError, TableError
from gpuodds.games.shared.combos import combo_cards, combo_index
from gpuodds.methods.boards import flops
from gpuodds.play.strength import against_random
from gpuodds.table_building.build import build
from gpuodds.table_building.kinds.catalog import find_kind
from gpuodds.tables.files.locate import built_tables, find_table, folder_to_build, table_folders
from gpuodds.tables.layouts.streets import FlopLayout, TurnLayout
from gpuodds.tables.store import StoredTable

FLOP = "2s7d9h"
ABSENT = "AhKhQh"  # a flop of another shard


@pytest.fixture(autouse=True, scope="module")
def small_shards() -> Iterator[None]:
    """Make the tables of shards of one board, which take no time to build."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FlopLayout, "boards_per_shard", 1)
        patch.setattr(TurnLayout, "boards_per_shard", 1)
        yield


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, small_shards: None) -> Path:
    """A folder of tables with one shard of ``flop-random``, against one and two opponents."""
    folder = tmp_path_factory.mktemp("tables")
    kind = find_kind("flop-random")
    row = kind.layout.find([parse_cards("AsKs")], parse_cards(FLOP), 2).start
    number = next(number for number, span in enumerate(kind.layout.shards(2)) if row in span)
    build(kind, folder / "flop-random", 2, backend="cpu", only=range(number, number + 1))
    return folder


@pytest.fixture
def named(tables: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GPUODDS_TABLES", str(tables))
    return tables


def output_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run([*words]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def test_a_flop_is_read_from_the_table(named: Path) -> None:
    found = flop_equities(FLOP, opponents=2)
    assert found.method == "table" and found.folder == named / "flop-random" and found.backend is None
    counted = flop_equities(FLOP, opponents=2, table=False, backend="cpu")
    assert counted.method == "exact" and counted.folder is None and counted.backend == "cpu"
    assert np.abs(found.equity - counted.equity).max() < 1e-14
    # Any order of the cards and any names of the suits; more opponents than the table has are counted.
    assert flop_equities("9c2d7s").method == "table"
    assert flop_equities(FLOP, opponents=3, backend="cpu").method == "exact"
    assert flop_equities(ABSENT, backend="cpu").method == "exact"  # a part of a table is built


def test_bots_read_the_table(named: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    shard = StoredTable.read_shard

    def read_shard(table: StoredTable, number: int) -> Any:
        read.append(number)
        return shard(table, number)

    monkeypatch.setattr(StoredTable, "read_shard", read_shard)
    against_random.cache_clear()
    found = against_random(parse_cards(FLOP))
    against_random.cache_clear()
    assert len(read) == 1
    counted = flop_equities(FLOP, table=False, backend="cpu").equity[:, 0]
    assert np.abs(found - counted).max() < 1e-14


def test_equities_on_a_flop_are_those_of_each_hand() -> None:
    found = flop_equities(FLOP, opponents=4, backend="cpu")
    assert found.equity.shape == (1326, 4) and found.method == "exact"
    for hand in ("AsKs", "9s9c", "3c2c", "8h6h"):
        for k in range(1, 5):
            exact = gpuodds.equity(hand, opponents=k, board=FLOP, backend="cpu").equity
            assert found.of(hand, k) == pytest.approx(exact, abs=1e-14)
    dealt = ~np.isin(combo_cards(), parse_cards(FLOP)).any(axis=1)
    assert (found.equity[~dealt] == 0).all()
    for k in range(1, 5):
        assert found.equity[dealt, k - 1].mean() == pytest.approx(1 / (k + 1), abs=1e-13)
    one = flop_equities(parse_cards(FLOP), backend="cpu").equity
    assert np.abs(one[:, 0] - found.equity[:, 0]).max() < 1e-14
    with pytest.raises(ValueError, match="read-only"):
        found.equity[combo_index(51, 47), 0] = 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("2s7d",), "flop 2s7d: expected three different cards"),
        (("",), "flop '': expected three different cards"),
        (((0, 0, 1),), "flop 2c2c2d: expected three different cards"),
        ((FLOP, 0), "opponents 0: expected 1 to 22"),
        ((FLOP, 23), "opponents 23: expected 1 to 22"),
        ((FLOP, 1, "no"), "table no: expected True or False"),
        ((FLOP, 1, False, "gpu"), "backend 'gpu': expected auto, cpu"),
    ],
)
def test_flop_equities_refuses_invalid_arguments(arguments: tuple[Any, ...], message: str) -> None:
    names = ("board", "opponents", "table", "backend")
    given = dict(zip(names, arguments, strict=False))
    with pytest.raises(InputError, match=message):
        flop_equities(given.pop("board"), **given)


def test_invalid_hands_on_a_flop_are_refused() -> None:
    found = flop_equities(FLOP, backend="cpu")
    for hand, k, message in [
        ("2sAs", 1, "2s: the same card is in 2sAs and the board"),
        ("AsKs", 2, "opponents 2: expected 1 to 1"),
        ("As", 1, "a hand has two cards"),
    ]:
        with pytest.raises(InputError, match=message):
            found.of(hand, k)


def test_places_are_looked_at_in_turn(
    tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data" / "gpuodds" / "tables"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("GPUODDS_TABLES", raising=False)
    assert table_folders() == [data] and find_table("flop-random") is None
    assert folder_to_build("flop-random") == data / "flop-random"
    assert folder_to_build("preflop-random") == Path("preflop-random")  # that name is the shipped one
    data.mkdir(parents=True)
    needs.link(data / "flop-random", tables / "flop-random")
    assert find_table("flop-random") == data / "flop-random"
    monkeypatch.setenv("GPUODDS_TABLES", str(tables))
    assert find_table("flop-random") == tables / "flop-random" == folder_to_build("flop-random")
    assert built_tables() == {"flop-random": tables / "flop-random"}
    # A table begun here goes on here.
    monkeypatch.chdir(tables)
    assert folder_to_build("flop-random") == Path("flop-random")
    assert folder_to_build("turn-random") == tables / "turn-random"
    # Of relative folders of data the XDG specification takes no notice.
    monkeypatch.setenv("XDG_DATA_HOME", "data")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert table_folders()[1] == tmp_path / ".local" / "share" / "gpuodds" / "tables"
    # A relative home is as none: what lies below the working directory may be another user's.
    monkeypatch.setattr(Path, "home", lambda: Path("here"))
    assert table_folders() == [tables]


def test_tables_by_name(named: Path) -> None:
    table = gpuodds.table("flop-random")
    (row,) = table.lookup("AsKs", board=FLOP)
    assert row["equity_1"] == flop_equities(FLOP).of("AsKs")
    with pytest.raises(InputError) as caught:
        gpuodds.table("turn-random")
    places = [Path(), *table_folders()]
    assert str(caught.value) == (
        f"table turn-random: it does not ship, and there is no "
        f"{' or '.join(str(place / 'turn-random') for place in places)}: build it: gpuodds table build "
        "turn-random; or name its folder"
    )


def test_a_folder_with_another_table(
    tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs.link(tmp_path / "turn-random", tables / "flop-random")
    monkeypatch.setenv("GPUODDS_TABLES", str(tmp_path))
    with pytest.raises(TableError, match="turn-random: it holds flop-random, expected turn-random"):
        gpuodds.table("turn-random")


def test_a_damaged_table_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "flop-random").mkdir()
    (tmp_path / "flop-random" / "manifest.json").write_text("{}")
    monkeypatch.setenv("GPUODDS_TABLES", str(tmp_path))
    with pytest.raises(TableError, match=r"flop-random.manifest\.json: expected schema"):
        flop_equities(FLOP)
    assert flop_equities(FLOP, table=False, backend="cpu").method == "exact"


def test_a_table_is_read_as_it_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUODDS_TABLES", str(tmp_path))
    kind = find_kind("flop-random")
    build(kind, tmp_path / "flop-random", 1, backend="cpu", only=range(0, 1))
    first, second = (parse_cards(flop_of(shard)) for shard in (0, 1))
    assert flop_equities(first).method == "table"
    assert flop_equities(second, backend="cpu").method == "exact"
    build(kind, tmp_path / "flop-random", 1, backend="cpu", only=range(1, 2))
    assert flop_equities(second).method == "table"


def flop_of(shard: int) -> str:
    from gpuodds.methods.hands.canonical import canonical_cards

    row = find_kind("flop-random").layout.shards(1)[shard].start
    return format_cards(canonical_cards([row], 3)[1][0].tolist())


def test_flops_need_no_arrow(named: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flops, "has_arrow", lambda: False)
    assert flop_equities(FLOP, backend="cpu").method == "exact"
    monkeypatch.setattr("gpuodds.tables.open.has_arrow", lambda: False)
    with pytest.raises(InputError, match=r"pyarrow and filelock are not installed: pip install"):
        gpuodds.table("flop-random")


def test_commands_take_names(named: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shown = json.loads(
        output_of(capsys, "table", "show", "flop-random", "AsKs", "--board", FLOP, "--json")
    )
    assert shown["equity_1"] == flop_equities(FLOP).of("AsKs")
    assert f"flop-random is built: {named / 'flop-random'}" in output_of(capsys, "table", "list")
    lines = output_of(capsys, "table", "verify", "flop-random", "--rows", "1").splitlines()
    assert lines[0].startswith("holds: 1 of 1755 shards")
    assert "half-built" in output_of(capsys, "table", "export", "flop-random", code=2)
    there = output_of(capsys, "table", "build", "flop-random", "--opponents", "2", "--dry-run")
    assert there.startswith("flop-random: 1 of 1755 shards are there")
    report = json.loads(output_of(capsys, "doctor", "--json"))
    assert report["tables"]["flop-random"] == f"built, {named / 'flop-random'}"
    plot = tmp_path / "flop.png"
    output_of(capsys, "table", "plot", "flop-random", "--board", FLOP, "--out", str(plot))
    # The table by name gives the plot of its folder, byte for byte.
    by_folder = tmp_path / "folder.png"
    output_of(
        capsys, "table", "plot", str(named / "flop-random"), "--board", FLOP, "--out", str(by_folder)
    )
    assert plot.read_bytes().startswith(b"\x89PNG") and plot.read_bytes() == by_folder.read_bytes()


def test_a_build_without_a_folder_is_found_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    words = "table build turn-random --shards 0-0 --backend cpu"
    folder = tmp_path / "gpuodds" / "tables" / "turn-random"
    assert output_of(capsys, *words.split()).startswith(f"{folder}: turn-random, in part")
    (row,) = gpuodds.table("turn-random").lookup("9s8s", board="2c2d2h2s")
    assert (row["hand"], row["win"], row["tie"]) == ("9c8c", 5_313, 16_127)


def test_servers_read_tables_by_name(named: Path) -> None:
    from gpuodds.server.problems import Problem
    from gpuodds.server.routes.tables import _rows, _tables

    assert {"name": "flop-random", "ships": False} in _tables(None)["tables"]
    (row,) = _rows(None, "flop-random", ["AsKs"], FLOP)["rows"]
    assert row["equity_1"] == flop_equities(FLOP).of("AsKs")
    found = _rows(None, "preflop-random", ["AKs"], "")["rows"]
    assert [line["opponents"] for line in found] == list(range(1, 23))
    for name in ("turn-random", "..", "."):
        with pytest.raises(Problem, match="there is no table"):
            _rows(named / "flop-random", name, ["AsKs"], FLOP)
