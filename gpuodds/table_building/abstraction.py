"""Begin an abstraction: the kind of a street's buckets, with centres found or those of its folder."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from gpuodds.backends.choice import run_on
from gpuodds.backends.counts import Progress
from gpuodds.errors import TableError
from gpuodds.table_building.clustering import Wanted, find_centres, seconds_to_find
from gpuodds.table_building.kinds.buckets import Buckets, seconds_to_assign
from gpuodds.table_building.kinds.catalog import find_kind
from gpuodds.table_building.kinds.measures import STREET_NAMES, make_measure
from gpuodds.tables.files.clustering import Clustering, check_buckets
from gpuodds.tables.files.locate import is_table
from gpuodds.tables.files.manifest import read_manifest


def bucket_kind(board_cards: int, over: Path | None = None) -> Buckets:
    """Return the kind of the buckets of a street, without centres."""
    kind = find_kind(f"{STREET_NAMES[board_cards]}-buckets")
    if not isinstance(kind, Buckets):
        raise TypeError(kind.name)
    return Buckets(kind.layout, None, over)


def _begun(folder: Path, kind: Buckets, wanted: Wanted) -> Clustering | None:
    """Return the centres of a build that goes on in a folder, None if there is none.

    Raises:
        TableError: The folder holds other buckets than those that are wanted, or another table.
    """
    if not is_table(folder):
        return None
    manifest = read_manifest(folder)
    found = manifest.clustering
    if found is None or manifest.layout.name != kind.name:
        raise TableError(f"{folder}: it holds {manifest.layout.name}, not {kind.name}")
    over = make_measure(wanted.distance, kind.layout.board_cards, kind.over).over
    for name, value in (*wanted._asdict().items(), ("over", over)):
        other = getattr(found, name)
        if other != value:
            texts = (f"{name} {text}" if text != "" else f"no {name}" for text in (other, value))
            wrong = ", expected ".join(texts)
            raise TableError(f"{folder}: it holds {kind.name} with {wrong}: name another folder")
    return found


class Estimate(NamedTuple):
    """What a build takes."""

    seconds: float
    """On two cores of a present-day CPU."""
    disk: float
    """Bytes."""
    memory: float
    """Bytes."""


def estimate(kind: Buckets, wanted: Wanted) -> Estimate:
    """Return about what a build of new buckets takes.

    Raises:
        InputError: The buckets cannot be had.
        TableError: The next street's buckets cannot be read.
    """
    size, rows = kind.layout.board_cards, kind.layout.row_count(kind.layout.default_opponents)
    measure = make_measure(wanted.distance, size, kind.over)
    check_buckets(wanted.buckets, measure.dimensions)
    seconds = seconds_to_find(measure, size, wanted) + seconds_to_assign(
        measure, kind.layout, wanted.buckets
    )
    sample = 4 * wanted.sample * measure.dimensions
    disk = rows * kind.disk_per_row(kind.layout.default_opponents)
    return Estimate(seconds, disk, max(1e9 * kind.memory, 3 * sample))


def with_centres(
    kind: Buckets,
    wanted: Wanted,
    folder: Path,
    backend: str = "auto",
    progress: Progress | None = None,
) -> Buckets:
    """Return the kind with centres, for :func:`gpuodds.table_building.build.build`.

    Args:
        kind: The street, and the folder of the next street's buckets if they are compared.
        wanted: The buckets.
        folder: Where they will be built: what was begun there goes on with its centres.
        backend: "auto", "cpu", "cuda" or "cuda:0,2".
        progress: Called with the fraction done, 0 to 1.

    Raises:
        InputError: The buckets cannot be had.
        TableError: The folder holds something else, or a table cannot be read.
    """
    clustering = _begun(folder, kind, wanted)
    if clustering is None:
        size = kind.layout.board_cards
        measure = make_measure(wanted.distance, size, kind.over)
        clustering, _ = run_on(
            backend, None, lambda on: find_centres(measure, size, wanted, on, progress)
        )
    return Buckets(kind.layout, clustering, kind.over)
