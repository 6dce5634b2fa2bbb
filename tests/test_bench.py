"""The benchmark runs and writes what it says; how fast anything is, is not tested."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parent.parent / "bench" / "run.py"


def test_a_row_is_measured_and_written(tmp_path: Path) -> None:
    out = tmp_path / "results" / "cpu.json"
    run = subprocess.run(
        [sys.executable, str(RUN), "--only", "flop k=9", "--out", str(out)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert "flop k=9" in run.stdout
    report = json.loads(out.read_text("utf-8"))
    assert set(report) == {"machine", "rows"}
    machine = {"cpu", "cores", "threads", "os", "python", "packages", "date"}
    assert set(report["machine"]) == machine
    assert report["machine"]["packages"]["gpuodds"]
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
