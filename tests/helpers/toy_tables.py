"""Small tables for tests: a toy one for the tests of folders, and the first boards of each street.

``python toy_tables.py MODE DIR [N]`` kills builds of the first one, or with ``TOY=toy-in-parts`` of the
second, and prints how often it did. Each build is a process split from this one, so that it takes
milliseconds.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa

from gpuodds.games.holdem.game import HOLDEM
from gpuodds.table_building.abstraction import with_centres
from gpuodds.table_building.build import build
from gpuodds.table_building.clustering import Wanted
from gpuodds.table_building.kinds import catalog, measures
from gpuodds.table_building.kinds.buckets import Buckets
from gpuodds.table_building.kinds.flop_random import FlopRandom
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.table_building.kinds.river_random import RiverRandom
from gpuodds.table_building.kinds.turn_random import TurnRandom
from gpuodds.tables.files.origin import this_origin
from gpuodds.tables.hands import Cards
from gpuodds.tables.layouts import catalog as layout_catalog
from gpuodds.tables.layouts.layout import Found, Layout
from gpuodds.tables.layouts.streets import (
    FlopBucketsLayout,
    FlopLayout,
    RiverBucketsLayout,
    RiverLayout,
    TurnBucketsLayout,
    TurnLayout,
)

SHARDS, ROWS = 8, 100
PARTS = 3


class ToyLayout(Layout):
    name = "toy"
    game = HOLDEM
    about = "squares"
    max_opponents = 3
    default_opponents = 1
    labels = ("row",)

    def shards(self, opponents: int) -> list[range]:
        return [range(begin, begin + ROWS) for begin in range(0, SHARDS * ROWS, ROWS)]

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        return range(hands[0][0], hands[0][0] + 1)

    def find_all(self, hands: Any, boards: Any, opponents: int) -> Found:
        return Found(np.asarray(hands)[:, 0])

    def arrays(self, opponents: int) -> dict[str, str]:
        return {"strength": "<u2"}

    def label(self, column: str, rows: Any, opponents: int) -> Any:
        return rows


class Toy(Kind):
    """Row numbers times the opponents, eight hundred of them."""

    layout = ToyLayout()

    def compute(self, rows: range, opponents: int, backend: Any, progress: Any = None) -> pa.Table:
        time.sleep(float(os.environ.get("TOY_SECONDS", "0")))
        if os.environ.get("TOY_DIES"):
            os._exit(7)
        strength = pa.array([row * opponents for row in rows], pa.uint16())
        return pa.table({"row": pa.array(rows, pa.int32()), "strength": strength})

    def seconds(self, opponents: int) -> float:
        return 1.0

    def bytes_per_row(self, opponents: int) -> float:
        return 4.0

    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        return {"strength": row["row"] * opponents}


class ToyInPartsLayout(ToyLayout):
    name = "toy-in-parts"

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:2]


class ToyInParts(Toy):
    """The first rows of the toy, each shard counted in parts."""

    layout = ToyInPartsLayout()
    parts = PARTS
    part_columns = ("strength",)

    def compute_part(
        self, rows: range, opponents: int, part: int, backend: Any, progress: Any = None
    ) -> pa.Table:
        table = self.compute(rows, opponents, backend)
        shares = [(strength + part) // PARTS for strength in table["strength"].to_pylist()]
        return pa.table({"strength": pa.array(shares, pa.uint16())})  # the shares add up

    def join_parts(self, rows: range, opponents: int, parts: Iterable[pa.Table]) -> pa.Table:
        strength = sum(part["strength"].to_numpy() for part in parts)
        return pa.table({"row": pa.array(rows, pa.int32()), "strength": strength})


class FewFlopsLayout(FlopLayout):
    boards_per_shard = 2

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:3]


class FewTurnsLayout(TurnLayout):
    boards_per_shard = 10

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:2]


class FewRiversLayout(RiverLayout):
    boards_per_shard = 20

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:2]


class FewFlopBucketsLayout(FlopBucketsLayout):
    boards_per_shard = 1

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:2]


class FewTurnBucketsLayout(TurnBucketsLayout):
    boards_per_shard = 5

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:3]


class FewRiverBucketsLayout(RiverBucketsLayout):
    boards_per_shard = 20

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:2]


FEW_BUCKETS = (
    Buckets(FewFlopBucketsLayout()),
    Buckets(FewTurnBucketsLayout()),
    Buckets(FewRiverBucketsLayout()),
)


def build_buckets(kind: Buckets, wanted: Wanted, folder: Path, **options: Any) -> bool:
    """Find centres, unless they are in the folder, and put the hands of a street into buckets."""
    return build(with_centres(kind, wanted, folder, "cpu"), folder, 1, backend="cpu", **options)


def next_street(monkeypatch: Any, folder: Path, size: int, buckets: int) -> Any:
    """Put a table of the next street's buckets in place of a real one: row number modulo buckets."""
    layout = {4: TurnBucketsLayout, 5: RiverBucketsLayout}[size + 1]()
    order = np.random.default_rng(1).permutation(buckets)
    equities = (order + 0.5) / buckets
    numbers = (np.arange(layout.row_count(1)) % buckets).astype(np.uint16)
    (folder / "manifest.json").write_text("{}")
    table = SimpleNamespace(
        name=layout.name,
        layout=layout,
        manifest=SimpleNamespace(clustering=SimpleNamespace(equities=equities), origin=this_origin()),
        array=lambda column: numbers,
        rows=lambda rows: [{"bucket": int(numbers[row])} for row in rows],
    )
    monkeypatch.setattr(measures, "StoredTable", lambda folder: table)
    return equities, numbers


class FewFlops(FlopRandom):
    layout = FewFlopsLayout()


class FewTurns(TurnRandom):
    layout = FewTurnsLayout()


class FewRivers(RiverRandom):
    layout = FewRiversLayout()


FEW = (FewFlops(), FewTurns(), FewRivers())
TOYS = {kind.name: kind for kind in (Toy(), ToyInParts())}
REAL = catalog.kinds()


def make_known(put: Callable[[Any, str, Any], None], *kinds: Kind) -> None:
    """Let tables be found by name, in place of real ones of the same name.

    ``put`` is ``setattr``, or that of a monkeypatch.
    """
    known = {**REAL, **{kind.name: kind for kind in kinds}}
    put(catalog, "kinds", lambda: known)
    put(layout_catalog, "layouts", lambda: {name: kind.layout for name, kind in known.items()})


def digest(folder: Path) -> str:
    """Return one checksum of all files that a complete build leaves."""
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("lock"))
    parts = [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names]
    return hashlib.sha256(repr([names, parts]).encode()).hexdigest()


def split(work: Callable[[], None]) -> int:
    """Do work in a process split from this one; return its number."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
            os._exit(3)
        os._exit(0)
    return child


def end_of(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def build_toy(folder: Path, before: Callable[[], None] | None = None) -> None:
    if before is not None:
        before()
    build(TOYS[os.environ.get("TOY", "toy")], folder, 2, backend="cpu")


def kill_at_call(name: str, place: int) -> None:
    """Kill this process at the ``place``-th call of ``os.fsync``, or after that of ``os.replace``."""
    real, calls = getattr(os, name), [0]

    def counted(*arguments: Any, **options: Any) -> Any:
        calls[0] += 1
        if calls[0] == place and name == "fsync":
            os.kill(os.getpid(), signal.SIGKILL)
        result = real(*arguments, **options)
        if calls[0] == place:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(os, name, counted)


def kill_everywhere(folder: Path) -> int:
    kills = 0
    for name in ("replace", "fsync"):
        for place in range(1, 1000):
            target = folder / f"{name}-{place}"
            if end_of(split(partial(build_toy, target, partial(kill_at_call, name, place)))) == 0:
                break
            kills += 1
            assert end_of(split(partial(build_toy, target))) == 0
            assert digest(target) == digest(folder / "whole"), target
    return kills


def kill_at_moments(folder: Path, times: int) -> int:
    kills = 0
    drawn = random.Random(0)
    os.environ["TOY_SECONDS"] = "0.002"
    for name in ("first", "timed"):
        begin = time.monotonic()
        assert end_of(split(partial(build_toy, folder / name))) == 0
    whole_build = time.monotonic() - begin
    while kills < times:
        target, longest = folder / f"moment-{kills}", whole_build
        while True:
            child = split(partial(build_toy, target))
            time.sleep(drawn.uniform(0.0, longest))
            os.kill(child, signal.SIGKILL)
            if end_of(child) == 0:
                break
            kills += 1
            longest *= 1.1  # each folder gets done, however slow the machine has become
        assert digest(target) == digest(folder / "whole"), target
    return kills


def race(folder: Path, times: int) -> int:
    """Start two builds at once in each folder; one may be refused, neither may damage the table."""
    refused = 0
    os.environ["TOY_SECONDS"] = "0.002"
    for number in range(times):
        target = folder / f"race-{number}"
        target.mkdir()
        ends = [end_of(child) for child in [split(partial(build_toy, target)) for _ in range(2)]]
        assert 0 in ends and set(ends) <= {0, 3}, ends
        refused += 3 in ends
        assert digest(target) == digest(folder / "whole"), target
    return refused


def main() -> None:
    # Before all splits, since it takes seconds.
    import filelock  # noqa: F401
    import pyarrow.parquet  # noqa: F401

    import gpuodds.table_building.build  # noqa: F401
    from gpuodds.backends.cpu import backend
    from gpuodds.tables.files.origin import this_origin

    this_origin()
    Toy().compute(range(1), 2, backend.CpuBackend())  # pyarrow imports pandas here

    make_known(setattr, *TOYS.values())
    mode, folder = sys.argv[1], Path(sys.argv[2])
    assert end_of(split(partial(build_toy, folder / "whole"))) == 0
    if mode == "everywhere":
        print(kill_everywhere(folder))
    elif mode == "races":
        print(race(folder, int(sys.argv[3])))
    else:
        print(kill_at_moments(folder, int(sys.argv[3])))


if __name__ == "__main__":
    main()
