"""``bench/peers.py``: figures of a program beside those of gpuodds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

sys.path.append(str(ROOT))

from bench import peers, performance

CALL = {"row": "call 2 hands", "seconds": 1000.0}
RANKS = {"row": "drawn hands int64", "rate": 0.001}


def run(folder: Path, *lines: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run it beside a program that prints some lines."""
    program = folder / "program.py"
    printed = [f"print({json.dumps(line)!r})" for line in lines]
    program.write_text("\n".join(["import sys", *printed, f"sys.exit({code})"]))
    options = ["--rounds", "2", "--out", str(folder / "peers.json")]
    return subprocess.run(
        [
            *(sys.executable, str(ROOT / "bench" / "peers.py"), *options),
            *("toys", "1.0", sys.executable, str(program)),
        ],
        env=os.environ | {"BENCH_SMALL": "1"},
        cwd=folder,
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
def test_a_library_is_measured_in_turns(tmp_path: Path) -> None:
    (tmp_path / "peers.json").write_text(json.dumps({"others": {"version": "2"}}))
    done = run(tmp_path, CALL, RANKS)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "peers.json").read_text())
    assert report["others"] == {"version": "2"} and report["toys"]["version"] == "1.0"
    call, ranks = report["toys"]["rows"]
    assert (call["name"], call["unit"], call["theirs"]) == ("call 2 hands", "seconds", 1000.0)
    assert (ranks["name"], ranks["unit"], ranks["theirs"]) == ("drawn hands int64", "rate", 0.001)
    assert all(row["ours"] > 0 and row["ratio"] > 100 for row in (call, ranks))
    assert "call 2 hands: " in done.stdout and "toys 16.7 min" in done.stdout


@pytest.mark.parametrize(
    ("line", "wrong"),
    [({"row": "nothing", "rate": 1}, "nothing"), ({"row": "call 2 hands"}, "call 2 hands")],
)
def test_a_line_that_cannot_be_read_is_an_error(tmp_path: Path, line: object, wrong: str) -> None:
    done = run(tmp_path, line)
    assert done.returncode == 1 and wrong in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "peers.json").exists()


def test_a_program_that_fails_is_an_error(tmp_path: Path) -> None:
    done = run(tmp_path, CALL, code=3)
    assert done.returncode == 1 and "exit code 3" in done.stderr and "Traceback" not in done.stderr


def test_the_ratio_is_the_median_of_the_rounds() -> None:
    rounds = [({"call 2 hands": ("seconds", theirs)}, {"call 2 hands": ("seconds", ours)})
              for theirs, ours in ((2.0, 1.0), (30.0, 10.0), (4.0, 1.0))]  # fmt: skip
    (row,) = peers.compare(rounds)
    assert (row["theirs"], row["ours"], row["ratio"]) == (4.0, 1.0, 3.0)


def test_the_page_shows_rows_in_order_and_the_nearest_library_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def library(*rows: tuple[str, float]) -> dict[str, object]:
        about = {"cpu": "a CPU", "cores": 2, "os": "Linux-6", "python": "3.12", "date": "2026-11-28T"}
        shown = [
            {"name": name, "measures": name, "unit": "rate", "ours": ratio * 1e6, "theirs": 1e6,
             "ratio": ratio} for name, ratio in rows
        ]  # fmt: skip
        return {"version": "1", "machine": about, "rows": shown}

    first = library(("index flop", 1500.0), ("drawn 7-card hands", 2.0))
    report = {"A": first, "B": library(("drawn 7-card hands", 0.5))}
    (tmp_path / "peers.json").write_text(json.dumps(report))
    monkeypatch.setattr(performance, "RESULTS", tmp_path)
    lines = performance.peers()
    assert lines[:2] == [f"* {name} 1, 2026-11-28, a CPU, 2 cores, Linux, Python 3.12" for name in "AB"]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[5:]]
    assert [(cell[0], cell[3], cell[4]) for cell in cells] == [
        ("`drawn 7-card hands`", "B 1 million/s", "0.5"),
        ("`drawn 7-card hands`", "A 1 million/s", "2"),
        ("`index flop`", "A 1 million/s", "1,500"),
    ]
