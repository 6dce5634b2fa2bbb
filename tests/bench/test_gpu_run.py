"""``.ci/gpu``: what it does without a GPU, and the page that it writes about a run."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import needs
import pytest
from paths import ROOT

pytestmark = [pytest.mark.slow, needs.bash]

GPU = ROOT / ".ci" / "gpu"
HOST_CUDA = ROOT / "tests" / "host_cuda"


def gpu(work: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if name not in ("WHEELS", "REHEARSE")}
    return subprocess.run(
        [str(GPU), *arguments],
        env=own | {"PYTHON": sys.executable, "WORK": str(work)} | environment,
        capture_output=True,
        text=True,
    )


def test_help_is_the_script_s_own_comment(tmp_path: Path) -> None:
    run = gpu(tmp_path, "--help")
    assert run.returncode == 0 and run.stderr == ""
    assert ".ci/gpu wheels DIR" in run.stdout and "WHEELS=DIR" in run.stdout
    assert gpu(tmp_path, "nothing").returncode == 2


def test_the_list_has_the_rows_and_quick_leaves_slow_ones_out(tmp_path: Path) -> None:
    every, quick = (gpu(tmp_path, "--list", *some).stdout.splitlines() for some in ((), ("--quick",)))
    steps = ["doctor", "compile", "controls", "tests", "bench", "sanitize"]
    assert [line.partition(":")[0] for line in every[:6]] == steps
    assert [line.partition(":")[0] for line in quick[:5]] == steps[:5]
    rows, short = every[6:], quick[5:]
    assert {"all 7-card hands", "wide preflop", "three-way", "flop table"} <= set(rows)
    assert set(short) < set(rows) and "flop table" not in short
    # The steps of a run fit ten minutes.
    assert sum(int(line.split()[-2]) for line in every[:5]) < 600


def test_without_a_gpu_it_says_so_and_stops(tmp_path: Path) -> None:
    run = gpu(tmp_path, "doctor", "bench", OUT=str(tmp_path), PYTHONPATH=str(HOST_CUDA))
    assert run.returncode == 1, run.stderr
    assert "| doctor | exit code 1 |" in (tmp_path / "summary.md").read_text("utf-8")
    assert "No row was measured." in run.stdout and "row:" not in run.stdout


def row(name: str, seconds: float, bar: float | None, rate: float | None = None) -> dict[str, Any]:
    unit, value = ("s", seconds) if rate is None else ("hands/s", rate)
    within = None if bar is None else value <= bar if rate is None else value >= bar
    return {
        "name": name,
        "seconds": {"median": seconds, "min": seconds, "runs": 3},
        "rate": rate,
        "peak_bytes": None,
        "bar": None if bar is None else {"value": bar, "unit": unit, "within": within},
    }


def report(device: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    about = {
        "devices": [f"{device}, 139.8 GiB (139.1 free), compute capability 9.0"],
        "driver": "13.0",
        "state": {"driver_version": "580.65", "clocks.sm": "1980 MHz"},
        "packages": {"cupy": "14.2.0", "cupy-cuda12x": None},
        "python": "3.12.1",
        "cpu": "a CPU",
        "os": "Linux",
    }
    return {"machine": about, "rows": rows}


def summarize(out: Path, keep: Path) -> str:
    command = [sys.executable, str(ROOT / "bench" / "gpu" / "summary.py")]
    subprocess.run([*command, "merge", str(out / "rows"), str(out)], check=True)
    run = subprocess.run(
        [*command, "summary", str(out), "--keep", str(keep)], capture_output=True, text=True, check=True
    )
    return run.stdout


def write_run(out: Path, device: str) -> None:
    (out / "rows").mkdir()
    rows = [
        row("near", 0.9, 1.0),
        row("far", 3.0, 1.0),
        row("rate", 1.0, 8e9, 4e9),
        row("none", 5.0, None),
    ]
    for number, one in enumerate(rows):
        path = out / "rows" / f"{100 + number}.json"
        path.write_text(json.dumps(report(device, [one])), "utf-8")
    left_out = report(device, []) | {"not_measured": {"later": "the CPU does it"}}
    (out / "rows" / "104.json").write_text(json.dumps(left_out), "utf-8")
    steps = ["doctor\t0\t3", "tests\t1\t20", "row: far\t0\t4", "racecheck\t124\t60"]
    (out / "steps.tsv").write_text("\n".join([*steps, ""]), "utf-8")


def test_the_page_has_the_largest_miss_first(tmp_path: Path) -> None:
    write_run(tmp_path, "NVIDIA H200")
    text = summarize(tmp_path, tmp_path / "results")
    assert "| tests | exit code 1 | 20 s |" in text and "| racecheck | out of time | 60 s |" in text
    assert "4 rows measured; of 3 with a bar, 2 do not meet it." in text
    bars = [
        line for line in text.splitlines() if line.startswith(("| far", "| rate", "| near", "| none"))
    ]
    assert [line.split(" | ")[0] for line in bars] == ["| far", "| rate", "| near", "| none"]
    assert [line.split("|")[-2].strip() for line in bars] == ["3.00 missed", "2.00 missed", "0.90", ""]
    assert "- later: not measured: the CPU does it" in text
    assert "clocks.sm 1980 MHz" in text and "cupy 14.2.0" in text and "cupy-cuda12x" not in text
    kept = json.loads((tmp_path / "results" / "nvidia-h200.json").read_text("utf-8"))
    assert [one["name"] for one in kept["rows"]] == ["near", "far", "rate", "none"]


def test_nothing_of_the_stand_in_is_kept(tmp_path: Path) -> None:
    write_run(tmp_path, "stand-in")
    assert "no time here is a figure" in summarize(tmp_path, tmp_path / "results")
    assert not (tmp_path / "results").exists()


def collected(*arguments: str) -> list[str]:
    """Return the tests that pytest would run."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", *arguments],
        cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "PYTHONSAFEPATH": "1"},  # the package as it is installed
    )  # fmt: skip
    return [line for line in run.stdout.splitlines() if "::" in line]


def test_each_kernel_is_launched_once_under_the_checkers() -> None:
    files = sorted(str(path) for path in (ROOT / "tests" / "backends" / "cuda").rglob("test_*.py"))
    names = [line.partition("::")[2] for line in collected("-m", "gpu", "--each-kernel-once", *files)]
    tests = {name.partition("[")[0] for name in names}
    assert len(names) == len(tests)
    for path in (ROOT / "kernels").rglob("*.cu"):
        for kernel in re.findall(r"^extern.* (\w+)\($", path.read_text("utf-8"), re.MULTILINE):
            assert any(test.startswith(f"test_{kernel}") for test in tests), kernel


def test_slow_tests_alone_ask_for_no_gpu() -> None:
    operations = "tests/backends/test_operations.py"
    found = collected("-m", "slow", operations)
    assert found and not any("gpu" in name.partition("[")[2] for name in found)
    assert any("gpu" in name.partition("[")[2] for name in collected("-m", "gpu and slow", operations))


def test_the_tests_step_finds_every_test_that_needs_a_gpu() -> None:
    """The files that .ci/gpu picks are those in which a test takes the fixture ``cuda``."""
    pattern = re.search(r"grep -rlE --include='test_\*\.py' '(.*)' tests", GPU.read_text("utf-8"))
    assert pattern is not None
    for path in (ROOT / "tests").rglob("test_*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        takes = any(argument.arg == "cuda" for one in functions for argument in one.args.args)
        found = re.search(pattern[1], path.read_text("utf-8"), re.MULTILINE) is not None
        assert found or not takes, path
