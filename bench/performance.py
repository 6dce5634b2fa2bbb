"""Write the tables of figures on the pages from bench/results/: ``python bench/performance.py``.

A page has ``<!-- table: NAME -->`` and ``<!-- end of table -->``; what stands between them is written
here, nothing else is touched. The names are those of ``TABLES``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

# Behind the installed packages, as in run.py.
sys.path.append(str(Path(__file__).resolve().parent.parent))

from bench import install
from bench.gpu import rows as on_gpu
from bench.others import LIBRARIES
from bench.report import (
    Bar,
    count_missed,
    in_bytes,
    in_digits,
    in_markdown,
    in_rate,
    in_time,
    in_times,
    in_words,
)
from bench.rows import Rows
from bench.run import ROWS, TOPICS

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"(<!-- table: ([\w ]+) -->\n).*?(<!-- end of table -->)", re.S)
RUNS = {
    "cpu": "python bench/run.py",
    "server": "python bench/server/run.py",
    "attack": "python bench/server/attack.py --seconds 60",
    "page": "python bench/server/page.py",
}
NOT_MEASURED = "not measured yet"
LEAST_SHARE = 0.02  # of a workload, for a kernel to be shown
LONGEST = 100 * 365.25 * 86400  # seconds: a longer extrapolated time says nothing
README = {
    "cold command": "the answer command, `1s 13s --opponents 3`, whole process",
    "k=1..9": "AsKs against 1 to 9 random hands, computed",
    "known hands": "AsKs against QhQd, all 1,712,304 boards",
    "three ranges flop": "QQ+,AK against 22+,A2s+ against random on 2s7d9h",
    "flop report": "QQ+,AK against 22+,A2s+ on all 1,755 flops",
    "build river": "table of all 123,156,254 hands on rivers",
    "push-fold 3": "all-in or fold, 3 players with 10 big blinds, to 1e-9 of the pool, whole process",
}

Row = dict[str, Any]


def read(name: str) -> dict[str, Any]:
    """Return a report of bench/results/."""
    report: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text("utf-8"))
    return report


def runs() -> list[str]:
    """Return the table of the runs: command, date, machine, versions, file."""
    rows = []
    for name, command in RUNS.items():
        about = read(name)["machine"]
        versions = [f"{package} {version}" for package, version in about["packages"].items() if version]
        versions += [about["browser"]] if "browser" in about else []
        file = f"[{name}.json](../bench/results/{name}.json)"
        rows.append((f"`{command}`", about["date"][:10], in_words(about), ", ".join(versions), file))
    return in_markdown(("command", "date", "machine", "versions", "run"), rows)


def measured_rows(rows: Rows) -> list[str]:
    """Return the table of some rows of ``run.py``, with other libraries."""
    known = {row["name"]: row for row in read("cpu")["rows"]}
    shown = [known[name] for name in rows if name in known]
    cells = [(f"`{row['name']}`", row["measures"], taken(row), compared(row)) for row in shown]
    return in_markdown(("row", "work", "measured", "others, in the same run"), cells)


def taken(row: Row) -> str:
    """Write what a row measures: a rate, the peak of memory, or the median of the time."""
    if row["rate"] is not None:
        return in_rate(row["rate"])
    return (
        in_time(row["seconds"]["median"]) if row["peak_bytes"] is None else in_bytes(row["peak_bytes"])
    )


def compared(row: Row) -> str:
    """Write the comparisons of a row that say most.

    Those measured to the end; without any of a library, the shortest extrapolated time if it is less
    than a century, else what was sampled.
    """
    others = [other for other in row["others"] if other["ratio"] is not None]
    kinds = {how: [other for other in others if other["how"] == how] for how in ("measured", "sampled")}
    shown = kinds["measured"]
    if not any(other["name"] in LIBRARIES for other in shown):
        longer = [other for other in others if other["how"] == "extrapolated"]
        best = min(longer, key=lambda other: float(other["ratio"]), default=None)
        if best is not None and best["ratio"] * row["seconds"]["median"] < LONGEST:
            shown = [*shown, best]
    texts = [_comparison(other) for other in shown or kinds["sampled"]]
    texts += [note[:-1].lower() for note in row["notes"] if texts and note.startswith("Compared: ")]
    return "; ".join(texts)


def _comparison(other: Row) -> str:
    figure = in_time(other["seconds"]) if other["rate"] is None else in_rate(other["rate"])
    if other["how"] == "sampled":
        return f"{other['name']} {figure} ({other['note']})"
    how = ", extrapolated" if other["how"] == "extrapolated" else ""
    if other["ratio"] < 1:
        return f"{other['name']} {figure}{how}, {in_times(1 / other['ratio'])} times faster"
    return f"{other['name']} {figure}{how}, {in_times(other['ratio'])} times"


def peers() -> list[str]:
    """Return the tables of the libraries of other languages, after a line on each run."""
    lines, rows = [], []
    for library, run in json.loads((RESULTS / "peers.json").read_text("utf-8")).items():
        about = run["machine"]
        lines.append(f"* {library} {run['version']}, {about['date'][:10]}, {in_words(about)}")
        for row in run["rows"]:
            write = in_time if row["unit"] == "seconds" else in_rate
            figures = [write(row["ours"]), f"{library} {write(row['theirs'])}"]
            rows.append((f"`{row['name']}`", row["measures"], *figures, in_times(row["ratio"])))
    titles = ("row", "work", "gpuodds", "library", "times as fast")
    return [*lines, "", *in_markdown(titles, sorted(rows, key=_place))]


def _place(row: Sequence[str]) -> tuple[int, float]:
    """Return where a row of the libraries comes: in the order of ``run.py``, the nearest first."""
    return [*ROWS].index(row[0].strip("`")), float(row[-1].replace(",", ""))


def bars() -> list[str]:
    """Say how many rows of ``run.py`` and of ``page.py`` miss their bar."""
    rows = {name: read(name)["rows"] for name in ("cpu", "page")}
    page = [{"bar": {"within": row["met"]} if "bar" in row else None} for row in rows["page"]]
    said = {"cpu": count_missed(rows["cpu"]), "page": count_missed(page)}
    return [f"* `{RUNS[name]}`: {text}" for name, text in said.items()]


def plain_rows(name: str) -> list[str]:
    """Return the table of the server's or the page's run."""
    cells = []
    for row in read(name)["rows"]:
        figures = [f"{in_digits(row['value'])} {row['unit']}"]
        figures += [in_digits(row["worst"])] if "worst" in row else []
        bar = f"{row['bar']:,}{'' if row['met'] else ', missed'}" if "bar" in row else ""
        cells.append((row["name"], row["measures"], *figures, bar))
    titles = ("measured", "worst", "bar") if len(cells[0]) == 5 else ("measured", "bar")
    return in_markdown(("row", "work", *titles), cells)


def gpu_rows() -> list[str]:
    """Return the table of the rows of a GPU, with what each device measured that has run them."""
    reports = [json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    bars_of_rows = {name: row.bar for name, row in on_gpu.ROWS.items()}
    return row_table(
        bars_of_rows, [report for report in reports if "devices" in report.get("machine", {})]
    )


def row_table(bars_of_rows: dict[str, Bar | None], devices: list[dict[str, Any]]) -> list[str]:
    """Return the lines of the table of a run on GPUs.

    Args:
        bars_of_rows: The bars by the names of the rows; one without bar and figure is left out.
        devices: Reports of runs on devices, as ``run.py`` writes them.
    """
    names = [run["machine"]["devices"][0].partition(",")[0] for run in devices]
    measured = [{row["name"]: row for row in run["rows"]} for run in devices] or [{}]
    titles = [f"measured, {name}" for name in names] or ["measured"]
    lines = []
    for name, bar in bars_of_rows.items():
        if bar is not None or any(name in run for run in measured):
            figures = [_on_device(run[name], bar) if name in run else NOT_MEASURED for run in measured]
            lines.append([name, str(bar or ""), *figures])
    return in_markdown(["row", "bar", *titles], lines)


def _on_device(row: Row, bar: Bar | None) -> str:
    in_hands = bar is not None and bar.unit == "hands/s" and row["rate"] is not None
    return in_rate(row["rate"]) if in_hands else in_time(row["seconds"]["median"])


def kernels() -> list[str]:
    """Return the table of the predicted rates of the kernels, a line a kernel of a workload."""
    predicted, rows, last = read("kernels-predicted"), [], ""
    for row in predicted["rows"]:
        if row["share"] < LEAST_SHARE:
            continue
        head = (row["workload"], f"{in_times(row['rate'])} {row['unit']}")
        figures = [in_times(row[name]) for name in ("instructions", "bytes")]
        rows.append(
            (
                *(("", "") if row["workload"] == last else head),
                *(f"`{row['kernel']}`", f"{row['share']:.0%}", figures[0], f"{row['active']:.0%}"),
                *(figures[1], row["bound"]),
            )
        )
        last = row["workload"]
    names = ("workload", "a second at most", "kernel", "of the time", "warp instructions", "lanes")
    return [
        f"Predicted by `python bench/gpu/model.py` for {predicted['device']}; instructions and bytes "
        "are those of a unit of the workload.",
        "",
        *in_markdown((*names, "bytes", "bound"), rows),
    ]


def readme() -> list[str]:
    """Return the table of the README."""
    known = {row["name"]: row for row in read("cpu")["rows"]}
    cells = []
    for name, text in README.items():
        time = taken(known[name])
        for other in known[name]["others"]:
            if other["name"] == "eval7" and other["how"] == "measured":
                time += f"; eval7 takes {in_times(other['ratio'])} times as long"
        cells.append((text, time))
    return in_markdown(("work", "time"), cells)


def three_handed() -> list[str]:
    """Return the table of the hands of three players: stacks, percentages, what each gains."""
    run = read("three_handed")
    places = [*run["rows"][0]["percent"]]
    rows = []
    for row in run["rows"]:
        stacks = " / ".join(f"{stack:,}" for stack in row["stacks"])
        gains = " / ".join(f"{value:+.2f}" for value in row["values"])
        rows.append((stacks, *(f"{row['percent'][place]:.1f}" for place in places), gains))
    return [
        *in_markdown(("BTN / SB / BB", *(f"`{place}`" for place in places), "gains"), rows),
        "",
        "Best responses gain at most "
        f"{max(row['gain'] for row in run['rows']):.0e} of {sum(run['prizes'])} in prizes: "
        "`python bench/three_handed.py`.",
    ]


def mutants() -> list[str]:
    """Return the table of the mutation scores, a line a group of modules."""
    rows = []
    for name, modules in read("mutants")["groups"].items():
        score = modules["together"]
        files = [f"`{Path(path).name}`" for path in modules if path != "together"]
        counts = [f"{score[key]:,}" for key in ("mutants", "survived")]
        rows.append((name, ", ".join(files), *counts, f"{score['score']} %"))
    return in_markdown(("group", "modules", "mutants", "survive", "score"), rows)


def installs() -> list[str]:
    """Return the table of what installs cost: the base, then what each extra adds; and when."""
    report = read("install")
    about = report["machine"]
    extras = {extra: install.Install(**figures) for extra, figures in report["extras"].items()}
    return [
        *in_markdown(install.COLUMNS, install.rows(extras)),
        "",
        f"Measured by `python bench/install.py` on {about['date'][:10]}, Python {about['python']}.",
        "Functions compiled for ordinary questions of hold'em, short deck and Omaha take",
        f"{in_bytes(report['compiled'])} more.",
    ]


TABLES: dict[str, Callable[[], list[str]]] = {
    "kernels": kernels,
    "runs": runs,
    **{topic.__name__.rpartition(".")[2]: partial(measured_rows, topic.ROWS) for topic in TOPICS},
    "peers": peers,
    "bars": bars,
    "server": partial(plain_rows, "server"),
    "attack": partial(plain_rows, "attack"),
    "page": partial(plain_rows, "page"),
    "gpu": gpu_rows,
    "readme": readme,
    "three handed": three_handed,
    "install": installs,
    "mutants": mutants,
}


def fill(page: str) -> str:
    """Return the text of a page with its tables as the results have them.

    Raises:
        KeyError: The page names a table that there is not.
    """
    return BLOCK.sub(lambda block: block[1] + "\n".join(["", *TABLES[block[2]](), "", block[3]]), page)


def write_pages() -> None:
    """Write the tables of all pages; print the pages that changed."""
    for path in PAGES:
        before = path.read_text("utf-8")
        after = fill(before)
        if after != before:
            path.write_text(after, "utf-8")
            print(path)


if __name__ == "__main__":
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    write_pages()
