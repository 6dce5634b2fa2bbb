"""``gpuodds abstraction``: output for people and for programs, and mistakes in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from toy_tables import FEW_BUCKETS, make_known

from gpuodds.cli.main import run

HERE = "2c2d2h2s"  # a turn of the first shard
BUILD = ["build", "--street", "turn", "--buckets", "9", "--seed", "4", "--sample", "1000"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("buckets")
    with pytest.MonkeyPatch.context() as patch:
        make_known(patch.setattr, *FEW_BUCKETS)
        assert run(["abstraction", *BUILD, "--backend", "cpu", "--out", str(folder)]) == 0
    return folder


@pytest.fixture(autouse=True)
def _tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make_known(monkeypatch.setattr, *FEW_BUCKETS)
    monkeypatch.setenv("GPUODDS_TABLES", str(tmp_path / "tables"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(["abstraction", *arguments]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def test_a_build_goes_where_it_is_looked_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    printed = output_of(capsys, *BUILD, "--backend", "cpu")
    folder = tmp_path / "tables" / "turn-buckets"
    assert printed.startswith(f"{folder}: turn-buckets, complete: 9 buckets, mean distance 0.0")
    assert printed == output_of(capsys, *BUILD)  # nothing is left to do
    shown = output_of(capsys, "show", "AsKs", "--board", HERE)
    assert shown.startswith(f"AsKs on {HERE}: bucket ") and " of 9\n" in shown


def test_show_for_people(capsys: pytest.CaptureFixture[str], built: Path) -> None:
    shown = output_of(capsys, "show", "AsKs", "--board", HERE, "--table", str(built))
    lines = [line.split() for line in shown.splitlines() if line.strip()]
    assert lines[1] == ["bucket", "share", "equity", "distance"]
    own, *others = lines[3:9]
    assert own[0] == lines[0][4] and " ".join(own[6:]) == "of its own hands"
    distances = [float(line[-1]) for line in others]
    assert len(others) == 5 and distances == sorted(distances)
    assert "distance: earth mover's, in equity" in shown
    assert "AsKs" in shown[shown.index("in the same bucket:") :]


def test_show_for_programs(capsys: pytest.CaptureFixture[str], built: Path) -> None:
    words = ["AsKs", "--board", HERE, "--table", str(built), "--json"]
    found = json.loads(output_of(capsys, "show", *words))
    assert (found["hand"], found["board"], found["table"]) == ("AsKs", HERE, "turn-buckets")
    assert 0 <= found["bucket"] < found["buckets"] == 9 and "AsKs" in found["combos"]
    about = json.loads(output_of(capsys, "show", "--table", str(built), "--json"))
    assert found["share"] == about["shares"][found["bucket"]]
    assert found["equity"] == about["equities"][found["bucket"]]
    assert found["mean_distance"] == about["mean_distances"][found["bucket"]]
    assert (about["distance"], about["seed"], about["sample"]) == ("emd", 4, 1000)


def test_show_how_buckets_were_made(capsys: pytest.CaptureFixture[str], built: Path) -> None:
    shown = output_of(capsys, "show", "--table", str(built))
    facts = {line.split()[0]: line.split()[-1] for line in shown.splitlines() if line.strip()}
    assert (facts["table"], facts["buckets"], facts["sample"]) == ("turn-buckets", "9", "1,000")
    assert "(earth mover's, in equity)" in shown


def test_show_before_the_flop(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output_of(capsys, "show", "KsAs")
    assert "AsKs: bucket 77 of 169\n" in shown and "equity 67.04 %" in shown
    found = json.loads(output_of(capsys, "show", "AKs", "--json"))
    assert found["bucket"] == 77 and found["combos"] == ["AcKc", "AdKd", "AhKh", "AsKs"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("street turn buckets 500", "turn-buckets: 500 buckets, about "),
        ("street river buckets 1000 distance ochs", "river-buckets: 1,000 buckets, about "),
        ("street flop buckets 200 distance l2", "flop-buckets: 200 buckets, about "),
    ],
)
def test_a_dry_run_builds_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: str, says: str
) -> None:
    make_it = words.split()
    options = [f"--{word}" if place % 2 == 0 else word for place, word in enumerate(make_it)]
    printed = output_of(capsys, "build", *options, "--dry-run")
    assert printed.startswith(says) and "MB of disk" in printed
    assert not (tmp_path / "tables").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("build --street preflop --buckets 9", "each of the 169 starting hands is a bucket"),
        ("build --street fourth --buckets 9", "--street fourth: expected flop, turn, river"),
        ("build --street flop --buckets 9 --distance x", "--distance x: expected emd, l2, ochs"),
        ("build --street flop --buckets 9 --workers 0", "--workers 0: expected at least 1"),
        ("build --street flop --buckets 9 --seed -1", "--seed -1: expected 0 to 18446744073709551615"),
        ("build --street flop --buckets 0", "buckets 0: expected 1 to 20,408"),
        ("build --street flop --buckets 9 --over nowhere", "table nowhere: expected a folder"),
        ("build --street river --buckets 9 --over .", "there is no next street"),
        ("show", "expected a hand, or --table"),
        ("show AK", "hand AK: expected a starting hand, such as AKo"),
        ("show AsKs --board 2c2d", "--board 2c2d: expected 0, 3, 4 or 5 cards"),
        ("show AsKs --board 2c2dAs", "build it: gpuodds abstraction build --street flop --buckets N"),
        ("show --table preflop-random", "table preflop-random: expected a folder or one of"),
    ],
)
def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], words: str, why: str) -> None:
    said = output_of(capsys, *words.split(), code=2)
    assert why in said and said.count("\n") == 1 and "Traceback" not in said


def test_a_table_without_buckets(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["table", "build", "preflop-heads-up", "--dry-run"]) == 0
    assert run(["table", "build", "preflop-random", "--opponents", "1", "--out", "one"]) == 0
    said = output_of(capsys, "show", "AsKs", "--board", HERE, "--table", "one", code=2)
    assert said == "gpuodds: table preflop-random: it has no buckets\n"


def test_other_buckets_in_the_folder(capsys: pytest.CaptureFixture[str], built: Path) -> None:
    words = [*BUILD, "--out", str(built), "--distance", "ochs"]
    said = output_of(capsys, *words, code=2)
    assert said.endswith(
        "it holds turn-buckets with distance emd, expected distance ochs: name another folder\n"
    )


def test_a_plot_of_buckets(built: Path, tmp_path: Path) -> None:
    assert run(["table", "plot", str(built), "--out", str(tmp_path / "buckets.svg")]) == 0
    assert (tmp_path / "buckets.svg").read_text().count("<path") > 9
