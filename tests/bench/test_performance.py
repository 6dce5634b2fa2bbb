"""``bench/performance.py`` and ``bench/history.py``: the tables and the plot of docs/performance.md."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

sys.path.append(str(ROOT))

from bench import history, install, performance
from bench.others import LIBRARIES
from bench.report import Bar, in_times

CPU = performance.RESULTS / "cpu.json"


def other(name: str, how: str, ratio: float | None, **figures: Any) -> dict[str, Any]:
    plain = {"seconds": None, "rate": None, "note": ""}
    return plain | {"name": name, "how": how, "ratio": ratio} | figures


def row(name: str, *others: dict[str, Any], **figures: Any) -> dict[str, Any]:
    plain = {
        "measures": name,
        "seconds": {"median": 2.0},
        "rate": None,
        "peak_bytes": None,
        "notes": [],
    }
    return plain | {"name": name, "others": list(others)} | figures


def report(date: str, *rows: dict[str, Any]) -> dict[str, Any]:
    about = {"cpu": "a CPU", "cores": 2, "threads": 2, "os": "Linux-6.1-x86_64", "python": "3.12.1"}
    versions = dict.fromkeys(("numpy", *LIBRARIES), "1.0")
    return {"machine": about | {"packages": versions, "date": date}, "rows": list(rows)}


def test_the_pages_show_the_figures_of_the_runs() -> None:
    shown = [
        name
        for page in performance.PAGES
        for _, name, _ in performance.BLOCK.findall(page.read_text("utf-8"))
    ]
    assert {*performance.TABLES} - {*shown} <= {"readme"} and len(shown) == len({*shown})
    for page in performance.PAGES:
        text = page.read_text("utf-8")
        assert performance.fill(text) == text, "run python bench/performance.py"


def test_installs_are_those_of_the_project() -> None:
    project = tomllib.loads((performance.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {*project["optional-dependencies"]} - {"test", "dev", "docs", "mutants", "bench"}
    page = (performance.ROOT / "docs" / "install.md").read_text("utf-8")
    assert {*install.EXTRAS} == {*performance.read("install")["extras"]} == {"base", *extras}
    assert {*re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", page, re.M)))} == extras


def test_an_extra_costs_what_it_adds_to_the_base() -> None:
    tiny, small = install.Cost(9, 499_999), install.Cost(400_000, 2_000_000)
    large, compiled = install.Cost(10**7, 3 * 10**7), install.Cost(0, 10**6)
    base = {"lark": small, "numba": large, "compiled for Omaha": compiled}
    installs = {
        "base": install.sum_up(base, {}),
        "more": install.sum_up({"lark": small, "x": large, "y": tiny}, base),
    }
    assert install.rows(installs) == [
        ("base", "2", "10 MB", "32 MB", "numba 30 MB, lark 2 MB, compiled for Omaha 1 MB"),
        ("more", "2", "10 MB", "30 MB", "x 30 MB"),
    ]


def test_a_page_keeps_what_stands_around_a_table() -> None:
    page = "a\n<!-- table: bars -->\nold\n<!-- end of table -->\nb\n"
    said = performance.bars()
    met = r"(all \d+ with a bar meet it|of \d+ with a bar, \d+ do(es)? not meet it)\."
    pattern = r"\* `python bench/(run|server/page)\.py`: \d+ rows measured; " + met
    assert len(said) == 2 and all(re.fullmatch(pattern, line) for line in said)
    lines = "\n".join(said)
    filled = f"a\n<!-- table: bars -->\n\n{lines}\n\n<!-- end of table -->\nb\n"
    assert performance.fill(page) == performance.fill(filled) == filled
    with pytest.raises(KeyError):
        performance.fill(page.replace("bars", "nothing"))


def test_a_figure_is_a_rate_the_memory_or_the_time() -> None:
    assert performance.taken(row("a")) == "2 s"
    assert performance.taken(row("a", peak_bytes=201_000_000)) == "201 MB"
    assert performance.taken(row("a", rate=764e6)) == "764 million/s"


def test_comparisons_measured_come_first_then_the_fastest_then_samples() -> None:
    slow = other("treys", "extrapolated", 500.0, seconds=1000.0)
    fast = other("eval7", "extrapolated", 30.0, seconds=60.0)
    drawn = other("pokerkit calculate_equities", "sampled", 4.0, seconds=8.0, note="10 samples")
    done = other("phevaluator", "measured", 45.0, seconds=90.0)
    bare = other("import typer", "measured", 0.5, seconds=1.0)
    gone = other("eval7", "missing", None)
    ages = other("eval7", "extrapolated", 1e10, seconds=2e10)

    def said(*others: dict[str, Any], **more: Any) -> str:
        return performance.compared(row("a", *others, **more))

    assert said(gone) == ""
    assert said(slow, drawn, fast) == "eval7 1 min, extrapolated, 30 times"
    assert said(slow, fast, done) == "phevaluator 1.5 min, 45 times"
    assert (
        said(bare, slow) == "import typer 1 s, 2 times faster; treys 16.7 min, extrapolated, 500 times"
    )
    assert said(drawn, ages) == "pokerkit calculate_equities 8 s (10 samples)"
    notes = ["Compared: k = 9 alone.", "Anything."]
    assert said(done, notes=notes) == "phevaluator 1.5 min, 45 times; compared: k = 9 alone"


def test_the_rows_of_a_gpu_show_what_each_device_measured() -> None:
    bars = {"fast": Bar(1.0, "s"), "many": Bar(1e9, "hands/s"), "free": None, "unused": None}
    assert performance.row_table(bars, []) == [
        "| row | bar | measured |",
        "| --- | --- | --- |",
        "| fast | < 1 s | not measured yet |",
        "| many | >= 1,000 million/s | not measured yet |",
    ]
    figures = {"fast": (0.25, None), "many": (0.1, 2e9), "free": (3.0, 5e9)}
    run = {
        "machine": {"devices": ["NVIDIA H200, 140 GiB"]},
        "rows": [
            {"name": name, "seconds": {"median": seconds}, "rate": rate}
            for name, (seconds, rate) in figures.items()
        ],
    }
    titles, _, *lines = performance.row_table(bars, [run])
    assert titles == "| row | bar | measured, NVIDIA H200 |"
    assert lines == [
        "| fast | < 1 s | 250 ms |",
        "| many | >= 1,000 million/s | 2,000 million/s |",
        "| free |  | 3 s |",
    ]


def test_the_history_has_the_run_that_is_stated() -> None:
    records = history.read_records(history.RECORDS)
    assert records == sorted(records, key=lambda record: str(record["date"]))
    stated = json.loads(CPU.read_text("utf-8"))
    assert history.new_record(stated, records, "", "") is None, "run python bench/history.py --add"
    known = {kind: {*history.ratios(stated)[kind]} for kind in history.KINDS}
    assert set(history.PLOTTED) <= known["measured"] | known["extrapolated"]
    dates = [record["date"] for record in records]
    assert len({*dates}) == len(dates) and all(
        re.fullmatch("[0-9a-f]{40}", r["commit"]) for r in records
    )


@pytest.fixture
def plotted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rows "a" and "c" be those of the plot."""
    monkeypatch.setattr(history, "PLOTTED", {"a": "A", "c": "C"})


def test_a_record_has_what_is_new_of_a_run(plotted: None) -> None:
    measured = other("eval7", "measured", 12.3456, seconds=24.0)
    theirs = other("treys", "extrapolated", 500.0, seconds=1000.0)
    left_out = [
        other("eval7", "sampled", 2.0),
        other("treys", "missing", None),
        other("typer", "measured", 1),
        other("eval7 Deck", "measured", 1),
    ]
    rows = [row("a", measured, theirs, *left_out), row("alone"), row("not plotted", measured)]
    first = report("2026-01-02T03:04:05+00:00", *rows)
    record = history.new_record(first, [], "c0de", "now")
    assert record == {
        "commit": "c0de",
        "date": "2026-01-02T03:04:05+00:00",
        "measured": {"a": {"eval7": 12.35}},
        "extrapolated": {"a": {"treys": 500.0}},
    }
    assert history.new_record(first, [record], "c0de", "now") is None
    # A row that was added to the run on another day.
    first["rows"].append(row("c", measured))
    added = history.new_record(first, [record], "cafe", "2026-01-03T00:00:00+00:00")
    assert added is not None and added["date"] == "2026-01-03T00:00:00+00:00"
    assert added["measured"] == {"c": {"eval7": 12.35}} and added["extrapolated"] == {}


def test_the_past_is_read_from_commits(tmp_path: Path, plotted: None) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")

    def commit(path: str, text: str) -> str:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
        history.git(tmp_path, "add", ".")
        who = ("-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false")
        history.git(tmp_path, *who, "commit", "-q", "-m", path)
        return history.git(tmp_path, "rev-parse", "HEAD")

    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    first = report("2026-01-02T00:00:00+00:00", row("a", other("eval7", "measured", 1.0)))
    again = report("2026-01-04T00:00:00+00:00", row("a", other("eval7", "measured", 2.0)))
    code = commit("gpuodds/api.py", "1")
    commit(history.RESULTS, json.dumps(first))
    commit(history.RESULTS, json.dumps(first, indent=1))
    later = commit("kernels/ranks.cu", "2")
    commit("README.md", "3")
    commit(history.RESULTS, json.dumps(again))
    records = list(history.past_records(tmp_path))
    ratios = [(record["commit"], record["measured"]["a"]["eval7"]) for record in records]
    assert ratios == [(code, 1.0), (later, 2.0)]
    history.write_records(records, tmp_path / "history.json")
    assert history.read_records(tmp_path / "history.json") == records


def test_the_plot_has_the_figures_of_the_records(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "history.svg"
    history.draw(history.read_records(history.RECORDS), out)
    pictures = out.read_text("utf-8"), history.PICTURE.read_text("utf-8")
    last = history.ratios(json.loads(CPU.read_text("utf-8")))
    for kind in history.KINDS:
        for ratios_of_row in last[kind].values():
            for library, ratio in ratios_of_row.items():
                label = f">{library} {in_times(ratio)}<"
                assert all(label in picture for picture in pictures), "run python bench/history.py"
