"""The benchmark runs and writes its report; no test compares speeds."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import sysconfig
import time
from importlib.machinery import PathFinder
from os import environ
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

import gpuodds

sys.path.append(str(ROOT))

from bench.report import Bar, Comparison, Figures, in_rate, print_table, row_record, share_of_bar
from bench.rows import Rows
from bench.run import ROWS, main
from bench.server.cpu import cpu_seconds, in_process

pytestmark = pytest.mark.slow

RUN = ROOT / "bench" / "run.py"
HOST_CUDA = ROOT / "tests" / "host_cuda"


def test_no_file_hides_a_package() -> None:
    """Python finds the files next to a script first: bench/cuda.py would stand for NVIDIA's package."""
    installed = [sysconfig.get_paths()[name] for name in ("stdlib", "purelib", "platlib")]
    assert PathFinder.find_spec("json", installed) and PathFinder.find_spec("numba", installed)
    files = {path.stem for path in RUN.parent.rglob("*.py")} - {"__init__"}
    assert not [name for name in files if PathFinder.find_spec(name, installed)]


def bench(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(RUN), *arguments],
        cwd=folder,
        env=environ | environment,
        capture_output=True,
        text=True,
    )


def test_a_row_is_measured_and_written(tmp_path: Path) -> None:
    out = tmp_path / "results" / "cpu.json"
    run = bench(tmp_path, "--only", "ranges table", "--out", str(out))
    assert run.returncode == 0, run.stderr
    assert "ranges table" in run.stdout
    report = json.loads(out.read_text("utf-8"))
    assert set(report) == {"machine", "rows"}
    machine = {"cpu", "cores", "threads", "os", "python", "packages", "date"}
    assert set(report["machine"]) == machine
    assert report["machine"]["packages"]["gpuodds"] == gpuodds.__version__
    (row,) = report["rows"]
    keys = {"name", "measures", "seconds", "rate", "peak_bytes", "bar", "others", "notes"}
    assert set(row) == keys
    assert row["name"] == "ranges table" and row["rate"] is None
    assert 0 < row["seconds"]["min"] <= row["seconds"]["median"] and row["seconds"]["runs"] > 1
    assert set(row["bar"]) == {"value", "unit", "within"}
    for other in row["others"]:
        assert set(other) == {"name", "how", "seconds", "rate", "note", "ratio"}
        assert other["how"] in {"measured", "sampled", "extrapolated", "missing"}
        assert (other["how"] == "missing") == (other["ratio"] is None)
    assert {"eval7", "phevaluator", "treys", "pokerkit"} <= {x["name"] for x in row["others"]}


@pytest.mark.weekly
def test_rows_run_in_small(tmp_path: Path) -> None:
    """Every row that is not slow; comparisons check the equities that they find against ours."""
    out, asked = tmp_path / "small.json", [name for name, row in ROWS.items() if not row.slow]
    only = [text for name in asked for text in ("--only", name)]
    run = bench(tmp_path, *only, "--out", str(out), BENCH_SMALL="1")
    assert run.returncode == 0, run.stderr
    report = json.loads(out.read_text("utf-8"))
    left_out = report["not_measured"]
    assert {"first call", "warm", "build river"} <= {*left_out}
    assert {*left_out.values()} == {"no small size"}
    assert [row["name"] for row in report["rows"]] == [name for name in asked if name not in left_out]
    assert len(report["rows"]) > 40
    assert not any(row["rate"] or row["bar"] or row["others"] for row in report["rows"])


def test_bars_are_of_seconds_bytes_rates_and_of_the_first_comparison() -> None:
    def share(bar: Bar, **figures: Any) -> float:
        others = [Comparison("bare", "measured", 0.5), Comparison("none", "missing")]
        found = row_record("a", "b", bar, Figures([1.0, 1.5, 4.0], others=others, **figures))
        assert found["bar"]["within"] == (share_of_bar(found) <= 1)
        return share_of_bar(found)

    assert share(Bar(3.0, "s")) == 0.5
    assert share(Bar(2.5, "times")) == pytest.approx(1.2)
    assert share(Bar(3e6, "rows/s"), rate=2e6) == share(Bar(3e6, "hands/s"), rate=2e6) == 1.5
    assert share(Bar(1e9, "bytes"), peak_bytes=250_000_000) == 0.25
    assert share_of_bar(row_record("a", "b", None, Figures([1.0]))) == 0


def test_rates_are_written_in_the_unit_that_suits_them() -> None:
    rates = (0.0262, 393.4, 19_100, 2_010_000)
    assert [in_rate(rate) for rate in rates] == [
        "0.0262/s",
        "393/s",
        "19.1 thousand/s",
        "2.01 million/s",
    ]


def test_the_table_says_which_bars_are_met(capsys: pytest.CaptureFixture[str]) -> None:
    bars: dict[str, Bar | None] = {"near": Bar(2.0, "s"), "far": Bar(0.5, "s"), "none": None}
    rows = [row_record(name, "work", bar, Figures([1.0])) for name, bar in bars.items()]
    print_table({"machine": {"cpu": "a CPU", "threads": 2, "python": "3.12"}, "rows": rows}, bars)
    text = capsys.readouterr().out
    assert "< 2 s met" in text and "0.50 of it" in text
    assert "< 500 ms missed" in text and "2.00 of it" in text
    assert "3 rows measured; of 2 with a bar, 1 does not meet it." in text


def test_the_cpu_of_a_cached_answer_is_measured_in_the_application() -> None:
    begin = time.process_time()
    seconds = asyncio.run(in_process(requests=20))
    assert 0 < 20 * seconds < time.process_time() - begin


def test_the_cpu_of_a_process_is_read() -> None:
    begin, before = time.process_time(), cpu_seconds(os.getpid())
    while time.process_time() - begin < 0.1:
        pass
    assert 0.05 < cpu_seconds(os.getpid()) - before < time.process_time() - begin + 0.05


def test_a_row_that_fails_costs_no_other_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> Figures:
        raise AssertionError("eval7")

    out, rows = tmp_path / "cpu.json", Rows()
    rows.row("wrong", "what fails", Bar(1.0, "s"))(fail)
    rows.row("right", "what does not", Bar(1.0, "s"))(lambda: Figures([0.5]))
    monkeypatch.setattr("bench.run.ROWS", rows)
    monkeypatch.setattr("sys.argv", ["run.py", "--out", str(out)])
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")
    with pytest.raises(SystemExit, match="failed: wrong"):
        main()
    report = json.loads(out.read_text("utf-8"))
    assert [row["name"] for row in report["rows"]] == ["right"]
    assert report["not_measured"] == {"wrong": "failed: AssertionError: eval7"}
    assert "wrong: not measured: failed" in capsys.readouterr().out


STAND_IN = {"PYTHONPATH": str(HOST_CUDA), "HOST_CUDA_DEVICES": "1", "BENCH_SMALL": "1"}


def test_a_gpu_is_measured_by_the_same_command(tmp_path: Path) -> None:
    """A small part of a row is run, and gives no figure; a row that has none is named."""
    out = tmp_path / "gpu.json"
    rows = ("--only", "drawn 7-card hands", "--only", "clever heads-up", "--only", "all flops")
    run = bench(tmp_path, "--backend", "cuda", *rows, "--out", str(out), **STAND_IN)
    assert run.returncode == 0, run.stderr
    assert "all flops: not measured: no small size" in run.stdout
    report = json.loads(out.read_text("utf-8"))
    machine = report["machine"]
    assert machine["devices"] and machine["driver"] and machine["packages"]["cupy"] == "stand-in"
    assert [row["name"] for row in report["rows"]] == ["drawn 7-card hands", "clever heads-up"]
    assert not any(row["rate"] or row["bar"] for row in report["rows"])
    assert report["not_measured"] == {"all flops": "no small size"}


def test_a_missing_device_or_row_is_one_line(tmp_path: Path) -> None:
    run = bench(tmp_path, "--backend", "cuda", PYTHONPATH=str(HOST_CUDA))
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("backend 'cuda': ") and run.stderr.count("\n") == 1
    assert "expected one of" in bench(tmp_path, "--only", "nothing").stderr


def test_the_page_is_timed_by_the_figures_of_the_last_spot() -> None:
    pytest.importorskip("playwright")
    from bench.server.page import figures

    # Asked at 10 and again at 30; estimates at 20, 40 and 50, exact at 60.
    first, again = (10.0, True, False), (30.0, True, False)
    shown = [(40.0, False, False), (50.0, False, False), (60.0, False, True)]
    assert figures([first, (20.0, False, False), again, *shown], begin=5.0) == (35.0, 55.0)
