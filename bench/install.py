"""Measure what an install costs: ``python bench/install.py [EXTRA ...]``.

Each extra, and the base, is installed from wheels into a virtual environment of its own. The download
is the size of the wheels, on disk that of the files, with the bytecode that pip writes. The base then
compiles what ordinary questions need (``gpuodds doctor --warm``), for hold'em and for Omaha. ``--out
FILE`` keeps the figures; ``python bench/performance.py`` writes them into docs/install.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

# Behind the installed packages, as in run.py.
sys.path.append(str(Path(__file__).resolve().parent.parent))

from bench.report import in_bytes

ROOT = Path(__file__).resolve().parent.parent
BASE = "base"
EXTRAS = (BASE, "tables", "plot", "cluster", "betting", "five", "play", "server", "cuda12", "cuda13")

COLUMNS = ("install", "packages", "download", "on disk", "most of it")
COMPILED = {"compiled for hold'em": (), "compiled for Omaha": ("--game", "omaha")}

LARGEST, SMALL = 6, 500_000  # packages that a row names at most; bytes below which one is left out


class Cost(NamedTuple):
    """What a package, or an install of several, takes: bytes."""

    download: int
    disk: int


class Install(NamedTuple):
    """What an install takes, as the page shows it: of the base, or what an extra adds to it.

    Attributes:
        packages: Their number.
        download: Bytes.
        disk: Bytes, without compiled code.
        largest: Bytes on disk of the largest packages, by name.
    """

    packages: int
    download: int
    disk: int
    largest: dict[str, int]


def pip(*arguments: str) -> None:
    """Run pip."""
    said = subprocess.run([sys.executable, "-m", "pip", *arguments], capture_output=True, text=True)
    if said.returncode:
        raise SystemExit(said.stderr)


def measure(extra: str) -> dict[str, Cost]:
    """Install an extra; return the cost of each package, and in the base that of compiled code."""
    with TemporaryDirectory() as folder:
        wheels, place, cache = (Path(folder, name) for name in ("wheels", "venv", "cache"))
        pip("wheel", "-q", "-w", str(wheels), str(ROOT) if extra == BASE else f"{ROOT}[{extra}]")
        venv.create(place)
        files = sorted(wheels.glob("*.whl"))
        pip("--python", str(place), "install", "-q", "--no-deps", *map(str, files))
        downloads = {key(file.name.split("-")[0]): file.stat().st_size for file in files}
        site = sysconfig.get_path("purelib", "venv", {"base": str(place)})
        costs = {
            package.name: Cost(
                downloads[key(package.name)], size(map(package.locate_file, package.files))
            )
            for package in distributions(path=[site])
            if package.files
        }
        if extra == BASE:
            scripts = sysconfig.get_path("scripts", "venv", {"base": str(place)})
            for name, options in COMPILED.items():
                warm = [f"{scripts}/gpuodds", "doctor", "--warm", *options]
                before = size(cache.rglob("*.nb?"))
                subprocess.run(warm, env=os.environ | {"NUMBA_CACHE_DIR": str(cache)}, check=True)
                costs[name] = Cost(0, size(cache.rglob("*.nb?")) - before)
    return costs


def size(files: Iterable[Any]) -> int:
    """Return the size of files, bytes."""
    return sum(Path(str(file)).stat().st_size for file in files)


def key(name: str) -> str:
    """Return a package's name as all spellings of it have it."""
    return name.lower().replace("-", "_").replace(".", "_")


def sum_up(packages: Mapping[str, Cost], base: Mapping[str, Cost]) -> Install:
    """Return what packages take that are not in the base; for the base itself, give an empty one."""
    new = {name: cost for name, cost in packages.items() if name not in base}
    costs = [cost for name, cost in new.items() if name not in COMPILED]
    by_size = sorted(sorted(new), key=lambda name: -new[name].disk)[:LARGEST]
    largest = {name: new[name].disk for name in by_size if new[name].disk >= SMALL}
    download, disk = (sum(cost[part] for cost in costs) for part in range(2))
    return Install(len(costs), download, disk, largest)


def rows(extras: Mapping[str, Install]) -> list[tuple[str, ...]]:
    """Return the table of the figures: the base, then what each extra adds to it."""
    cells: list[tuple[str, ...]] = []
    for extra, install in extras.items():
        largest = ", ".join(f"{name} {in_bytes(size)}" for name, size in install.largest.items())
        totals = in_bytes(install.download), in_bytes(install.disk)
        cells.append((extra, str(install.packages), *totals, largest))
    return cells


def main() -> None:
    """Measure the extras that are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "extras", nargs="*", metavar="EXTRA", help=f"of {' '.join(EXTRAS[1:])}; default: all"
    )
    parser.add_argument("--out", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    # The base first: what an extra adds is the difference.
    packages = {}
    for extra in (BASE, *[extra for extra in options.extras or EXTRAS if extra != BASE]):
        print(f"{extra} ...", file=sys.stderr)
        packages[extra] = measure(extra)
    base = packages[BASE]
    installs = {
        extra: sum_up(costs, {} if extra == BASE else base) for extra, costs in packages.items()
    }
    table = Table(*COLUMNS, box=None)
    for row in rows(installs):
        table.add_row(*row)
    Console().print(table)
    if options.out:
        about = {
            "os": platform.platform(),
            "python": platform.python_version(),
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        report = {
            "machine": about,
            "compiled": sum(base[name].disk for name in COMPILED),
            "extras": {extra: install._asdict() for extra, install in installs.items()},
        }
        options.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
