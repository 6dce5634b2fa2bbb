"""``gpuodds table``: output for people and for programs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gpuodds.cards import parse_cards
from gpuodds.cli.main import run
from gpuodds.table_building.kinds.catalog import kinds
from gpuodds.tables.files.locate import BUILT
from gpuodds.tables.layouts.catalog import find_layout, layouts
from gpuodds.tables.open import SHIPPED

HERE = "2c2d2h2s"  # a turn of the first shards


@pytest.fixture(scope="module")
def turns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two shards of the turns."""
    folder = tmp_path_factory.mktemp("tables") / "turns"
    words = ["turn-random", "--shards", "0-1", "--out", str(folder)]
    assert run(["table", "build", *words, "--backend", "cpu"]) == 0
    return folder


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(["table", *arguments]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def find_shard(hand: str, board: str) -> int:
    layout = find_layout("turn-random")
    (row,) = layout.find([tuple(parse_cards(hand))], tuple(parse_cards(board)), 1)
    return next(number for number, span in enumerate(layout.shards(1)) if row in span)


def test_names_of_tables_are_known_without_arrow() -> None:
    assert [*SHIPPED, *BUILT] == [*layouts()] == [*kinds()]
    assert all(kind.layout.name == name for name, kind in kinds().items())


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    header, rule, *rows = output_of(capsys, "list").strip().splitlines()
    assert header.split() == ["table", "rows", "builds", "in", "what", "it", "is"]
    found = {row.split()[0]: row.split()[1] for row in rows[: len(kinds())]}
    assert [*found] == [*kinds()] and rule.strip("─ ") == ""
    assert (found["preflop-random"], found["river-random"]) == ("3,718", "123,156,254")
    assert rows[-1] == f"{', '.join(SHIPPED[:-1])} and {SHIPPED[-1]} ship with gpuodds."


def test_a_dry_run_builds_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "none"
    text = output_of(
        capsys, "build", "flop-random", "--opponents", "1-9", "--dry-run", "--out", str(out)
    )
    assert text == (
        "flop-random: 1,286,792 rows in 135 shards, about 75 s on two cores of a CPU, 1.4 GB of disk, "
        "0.5 GB of memory\n"
    )
    assert not out.exists()
    text = output_of(capsys, "build", "flop-random", "--dry-run", "--shards", "3")
    assert "in 1 shards" in text


def test_a_dry_run_omits_finished_shards(
    capsys: pytest.CaptureFixture[str], turns: Path, built_random: Path
) -> None:
    text = output_of(capsys, "build", "turn-random", "--dry-run", "--out", str(turns))
    left = 13_960_050 - sum(map(len, find_layout("turn-random").shards(1)[:2]))
    assert text.startswith(
        f"turn-random: 2 of 129 shards are there; {left:,} rows in 127 shards, about"
    )
    words = ["preflop-random", "--opponents", "1-2", "--dry-run", "--out", str(built_random)]
    text = output_of(capsys, "build", *words)
    assert text.startswith("preflop-random: 13 of 13 shards are there; 0 rows in 0 shards, about 0 s")
    text = output_of(capsys, "build", "river-random", "--dry-run", "--workers", "4")
    assert "about 11 s" in text and "440 MB of disk, 2.0 GB of memory" in text
    text = output_of(capsys, "build", "flop-random", "--dry-run", "--out", str(turns), code=2)
    assert "it holds turn-random" in text


def test_a_dry_run_tells_that_arrays_will_be_written(
    capsys: pytest.CaptureFixture[str], built_random: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "less"
    shutil.copytree(built_random, folder)
    next(folder.glob("*.f64")).unlink()
    words = ["preflop-random", "--opponents", "1-2", "--out", str(folder)]
    expected = (
        "preflop-random: 13 of 13 shards are there; plain arrays will be written from them, "
        "nothing counted\n"
    )
    assert output_of(capsys, "build", *words, "--dry-run") == expected
    some = output_of(capsys, "build", *words, "--dry-run", "--shards", "0-2")
    assert some.startswith("preflop-random: 3 of 3 shards are there; plain arrays will be written")
    output_of(capsys, "build", *words)
    assert "0 rows in 0 shards" in output_of(capsys, "build", *words, "--dry-run")


def test_a_half_built_table_is_refused(capsys: pytest.CaptureFixture[str], turns: Path) -> None:
    text = output_of(capsys, "show", str(turns), "AsKs", "--board", "2s7d9hTc", code=2)
    number = find_shard("AsKs", "2s7d9hTc")
    command = f"gpuodds table build turn-random --shards {number} --out {turns}"
    assert "half-built: 2 of 129 shards are there, but not shard" in text and command in text
    row = json.loads(output_of(capsys, "show", str(turns), "9s8s", "--board", HERE, "--json"))
    assert row["deals"] in (4, 6, 12, 24)
    lines = output_of(capsys, "verify", str(turns), "--rows", "2").splitlines()
    text = output_of(capsys, "export", str(turns), "--out", str(turns.with_suffix(".csv")), code=2)
    assert "half-built: 2 of 129 shards are there" in text and not (turns.with_suffix(".csv")).exists()
    assert lines[0] == (
        "holds: 2 of 129 shards, a part of the table: checksums and numbers of rows"
    ) and lines[1].startswith("holds: 2 rows drawn")
    again = output_of(capsys, "build", "turn-random", "--shards", "1-1", "--out", str(turns))
    assert "in part" in again


def test_verify_lists_the_checks_that_hold(
    capsys: pytest.CaptureFixture[str], built_random: Path
) -> None:
    lines = output_of(capsys, "verify", str(built_random), "--rows", "1").splitlines()
    assert lines == [
        "holds: 13 shards: checksums and numbers of rows",
        "holds: plain arrays of outcomes, win, tie_1, tie_2, equity: checksums, and equal to the "
        "shards",
        "holds: equities over all hands: exactly 1/(k + 1), k = 1 to 2",
        "holds: 1 rows drawn with seed 0: counted again by another method",
    ]


def test_show(capsys: pytest.CaptureFixture[str], built_random: Path) -> None:
    assert "1,389,004,215" in output_of(capsys, "show", "preflop-random", "AKs")
    assert "787,966" in output_of(capsys, "show", "preflop-heads-up", "AsKs", "QhQd")
    lines = output_of(capsys, "show", str(built_random), "AsKs", "--json").splitlines()
    rows = [json.loads(line) for line in lines]
    assert rows[0]["win"] == 1389004215 and [row["hand"] for row in rows] == ["AKs", "AKs"]
    assert (
        output_of(capsys, "show", "preflop-random") == "preflop-random: 3,718 rows, 1 to 22 opponents\n"
    )
    assert json.loads(output_of(capsys, "show", "preflop-heads-up", "--json"))["rows"] == 47_008


def test_export(capsys: pytest.CaptureFixture[str], built_random: Path, tmp_path: Path) -> None:
    out = tmp_path / "random.csv"
    output_of(capsys, "export", str(built_random), "--format", "csv", "--out", str(out))
    lines = out.read_text().splitlines()
    assert lines[0] == "hand,opponents,outcomes,win,tie_1,tie_2,equity" and len(lines) == 1 + 2 * 169
    assert lines[1].startswith("AA,1,2097572400,1781508418,11402312,,0.85203")


@pytest.mark.parametrize(
    ("words", "called"),
    [
        (["preflop-random", "--opponents", "1,9"], {"opponents": [1, 9]}),
        (["preflop-random", "AA", "AKs", "72o"], {"hands": ["AA", "AKs", "72o"]}),
        (["preflop-heads-up", "AsKs", "--board", "2s7d9h"], {"hands": ["AsKs"], "board": "2s7d9h"}),
    ],
)
def test_plot_passes_its_options_on(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    called: dict[str, object],
) -> None:
    calls = []
    monkeypatch.setattr(
        "gpuodds.tables.plot.plot", lambda *given, **named: calls.append((given, named))
    )
    out = tmp_path / "plot.png"
    assert output_of(capsys, "plot", *words, "--out", str(out)) == f"{out}\n"
    ((table, where), named) = calls[0]
    assert (table.name, where) == (words[0], out)
    assert named == {"hands": (), "opponents": [], "board": "", **called}


def test_plot_writes_a_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from matplotlib.image import imread

    out = tmp_path / "map.png"
    output_of(capsys, "plot", "preflop-heads-up", "AsKs", "--out", str(out))
    picture = imread(out)
    assert picture.shape == (1380, 1275, 4)  # 8.5 x 9.2 inches at 150 dots
    inside = picture[100:1000, 100:1000, :3].reshape(-1, 3)
    assert len({*map(bytes, inside[::50])}) > 50  # a scale of colours


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "flops"], "table flops: expected one of preflop-random"),
        (["build", "flop-random", "--opponents", "10"], "opponents 10: expected 1 to 9"),
        (["build", "flop-random", "--opponents", "x"], "--opponents x: expected a whole number"),
        (["build", "preflop-heads-up", "--opponents", "2"], "it has no number of opponents"),
        (["build", "flop-random", "--shards", "9-2"], "--shards 9-2: expected numbers from 0 to 134"),
        (["build", "flop-random", "--workers", "0"], "--workers 0: expected at least 1"),
        (["show", "river-random"], "build it: gpuodds table build river-random"),
        (["export", "flop-random"], "build it: gpuodds table build flop-random"),
        (["build", "turn-random", "--tls-ca", "x"], "expected all three, and --scheduler"),
        (["verify", "nowhere"], "table nowhere: expected a folder or one of preflop-three-way"),
        (["verify", "river-random"], "build it: gpuodds table build river-random"),
        (["show", "nowhere", "AA"], "table nowhere: expected a folder or one of"),
        (["show", "preflop-random", "AKx"], "expected"),
        (["export", "preflop-random", "--format", "xls"], "format xls: expected one of csv"),
        (["export", "preflop-random", "--view", "pairs"], "view pairs: expected canonical"),
        (["plot", "preflop-random"], "--out: expected a file to write"),
        (["plot", "preflop-random", "--out", "x.bmp"], "x.bmp: expected a file that ends in .png"),
        (["plot", "preflop-random", "--opponents", "23", "--out", "x.png"], "opponents 23: expected 1"),
        (["plot", "preflop-heads-up", "--out", "x.png"], "expected one hand to draw, found 0"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    text = output_of(capsys, *arguments, code=2)
    assert message in text and text.count("\n") == 1


def test_a_look_up_imports_little(tmp_path: Path) -> None:
    code = """
import sys
from gpuodds.cli.main import run
run(["table", "show", "preflop-random", "AKs"])
run(["table", "show", "preflop-heads-up", "AsKs", "QhQd"])
heavy = "numba", "cupy", "pyarrow", "scipy", "matplotlib"
print([name for name in heavy if name in sys.modules])
"""
    # Away from the checkout, so that the installed package runs.
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
