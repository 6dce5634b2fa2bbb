"""The benchmark runs and writes its report; no test compares speeds."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from importlib.machinery import PathFinder
from os import environ
from pathlib import Path

import gpuodds

RUN = Path(__file__).parent.parent / "bench" / "run.py"
HOST_CUDA = Path(__file__).parent / "host_cuda"


def test_no_file_hides_a_package() -> None:
    """Python finds the files next to a script first: bench/cuda.py would stand for NVIDIA's package."""
    installed = [sysconfig.get_paths()[name] for name in ("stdlib", "purelib", "platlib")]
    assert PathFinder.find_spec("json", installed) and PathFinder.find_spec("numba", installed)
    files = [path.stem for path in RUN.parent.glob("*.py")]
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
    run = bench(tmp_path, "--only", "flop k=9", "--out", str(out))
    assert run.returncode == 0, run.stderr
    assert "flop k=9" in run.stdout
    report = json.loads(out.read_text("utf-8"))
    assert set(report) == {"machine", "rows"}
    machine = {"cpu", "cores", "threads", "os", "python", "packages", "date"}
    assert set(report["machine"]) == machine
    assert report["machine"]["packages"]["gpuodds"] == gpuodds.__version__
    (row,) = report["rows"]
    keys = {"name", "measures", "seconds", "rate", "peak_bytes", "bar", "others", "notes"}
    assert set(row) == keys
    assert row["name"] == "flop k=9" and row["rate"] is None
    assert 0 < row["seconds"]["min"] <= row["seconds"]["median"] and row["seconds"]["runs"] > 1
    assert set(row["bar"]) == {"value", "unit", "within"}
    for other in row["others"]:
        assert set(other) == {"name", "how", "seconds", "rate", "note", "ratio"}
        assert other["how"] in {"measured", "sampled", "extrapolated", "missing"}
        assert (other["how"] == "missing") == (other["ratio"] is None)
    assert {"eval7", "phevaluator", "treys", "pokerkit"} <= {x["name"] for x in row["others"]}


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
