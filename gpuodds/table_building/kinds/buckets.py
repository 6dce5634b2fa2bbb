"""Put all hands of a street into buckets: each goes to the nearest centre."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.nearest_centres import NearestCentres
from gpuodds.basics.lazy import cached_property
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import InputError, TableError
from gpuodds.games.holdem.streets import HALF_POTS
from gpuodds.games.shared.rules import BOARD_CARDS
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.table_building.kinds.measures import STREET_NAMES, Measure, make_measure
from gpuodds.table_building.kinds.street import Street, label_rows, number_rows
from gpuodds.tables.files.clustering import Clustering, Sums
from gpuodds.tables.hands import Cards
from gpuodds.tables.layouts.streets import (
    BucketsLayout,
    FlopBucketsLayout,
    RiverBucketsLayout,
    TurnBucketsLayout,
)
from gpuodds.tables.store import StoredTable

if TYPE_CHECKING:
    from gpuodds.tables.files.manifest import Manifest

SUMS = b"gpuodds.sums"  # of a shard, among the metadata of its schema
COORDINATE = 3e-11  # seconds that two cores take for one of a hand and a centre
ROW = 1.5e-7  # seconds to number, write and read one
DEFAULT_SECONDS = {3: 45.0, 4: 45.0, 5: 80.0}  # of 200, 500 and 1,000 buckets


class Buckets(Street):
    """Hands by bucket.

    ``clustering`` has the centres, ``over`` is the folder of the next street's buckets.
    """

    layout: BucketsLayout
    memory = 1.0

    def __init__(
        self, layout: BucketsLayout, clustering: Clustering | None = None, over: Path | None = None
    ) -> None:
        """Take the street and the centres; without these, nothing is counted."""
        self.layout = layout
        self.clustering = clustering
        self.over = over

    def __reduce__(self) -> Any:
        """Pickle what it was made of, without the tables that are open."""
        return Buckets, (self.layout, self.clustering, self.over)

    def of(self, manifest: Manifest, finer: Path | None = None) -> Kind:
        """Return the kind with a table's centres.

        Raises:
            TableError: They are not those that this one has.
        """
        found, own = manifest.clustering, self.clustering
        if found is not None and own is not None and not np.array_equal(found.centres, own.centres):
            raise TableError(f"table {self.name}: begun with other centres")
        return Buckets(self.layout, found, finer or self.over)

    def new_manifest(self, opponents: int) -> Manifest:
        """Return the manifest that a build begins with."""
        manifest = super().new_manifest(opponents)
        manifest.clustering = self.found
        return manifest

    @property
    def found(self) -> Clustering:
        """The centres.

        Raises:
            InputError: There are none.
        """
        if self.clustering is None:
            street = STREET_NAMES[self.layout.board_cards]
            raise InputError(
                f"table {self.name}: build it: gpuodds abstraction build --street {street}"
            )
        return self.clustering

    @cached_property
    def measure(self) -> Measure:
        """What the distance compares.

        Raises:
            InputError: There are no centres yet.
            TableError: The buckets of the next street are missing, or others than those compared.
        """
        clustering = self.found
        if clustering.over and self.over is None:
            raise TableError(f"table {self.name}: expected the folder of the next street's buckets")
        over = self.over if clustering.over else None
        measure = make_measure(clustering.distance, self.layout.board_cards, over)
        if measure.over != clustering.over:
            raise TableError(f"{over}: other buckets than those that {self.name} was begun with")
        return measure

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Put the hands on some boards into buckets."""
        clustering = self.found
        boards, _, _ = self.layout.boards_of(rows)
        measured = self.measure.measure(boards, backend)
        numbering = self.number(rows, backend)
        points, half_pots = (self.gather(array, numbering) for array in measured)
        shard = self.shard_of(rows, numbering, [half_pots // 2, half_pots % 2])
        operation = NearestCentres(points, clustering.centres, clustering.squared)
        numbers, distances = backend.count(operation).counts
        deals = np.asarray(shard.deals).astype(np.int64)
        columns = deals, deals * half_pots, deals * distances
        sums = [_by_bucket(numbers, column, clustering.buckets) for column in columns]
        labels = {"row": number_rows(rows)}
        if len(self.layout.labels) > 1:
            labels = label_rows(rows, shard, self.situations(rows, backend)[0])
        table = pa.table({**labels, "bucket": pa.array(numbers), "deals": shard.deals})
        return table.replace_schema_metadata({SUMS: json.dumps(sums)})

    def complete(self, manifest: Manifest, shards: Iterable[pa.Table]) -> None:
        """Add up what falls to each bucket.

        Raises:
            TableError: The sums of a shard are missing or not those of its rows.
        """
        clustering = self.found
        total = np.zeros((len(Sums._fields), clustering.buckets), object)
        for number, shard in enumerate(shards):
            sums = _read_sums(shard, clustering.buckets)
            if sums is None:
                raise TableError(
                    f"{self.name}: shard {number}: what falls to each bucket is wrong: without its "
                    "file the same command counts it again"
                )
            total += sums
        found = Sums(*(tuple(map(int, column)) for column in total))
        manifest.clustering = replace(clustering, sums=found)

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes, once the centres are found."""
        if self.clustering is None:
            return DEFAULT_SECONDS[self.layout.board_cards]
        return seconds_to_assign(self.measure, self.layout, self.clustering.buckets)

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes in the shards."""
        return 2.0

    def check_counts(
        self, rows: range, opponents: int, part: int | None, values: Mapping[str, Any]
    ) -> None:
        """Check the deals of each row, and that there are such buckets."""
        super().check_counts(rows, opponents, part, values)
        if (values["bucket"] >= self.found.buckets).any():
            raise TableError(f"{self.name}: column bucket: expected 0 to {self.found.buckets - 1}")

    def check_invariants(self, table: StoredTable) -> Iterator[str]:
        """Check the deals, and what falls to each bucket."""
        yield from super().check_invariants(table)
        again = self.new_manifest(table.opponents)
        self.complete(again, (table.read_shard(number) for number in range(len(table.shards))))
        if again.clustering is None or again.clustering.sums != self.found.sums:
            raise TableError(f"{table.folder}: what falls to each bucket is not what its shards have")
        sums = self.found.sums or Sums((), (), ())
        # Half of all pots are won.
        if sum(sums.half_pots) != sum(sums.deals) * self._runouts() * HALF_POTS // 2:
            raise TableError(f"{table.folder}: the pots of all buckets do not add up")
        yield f"hands, pots and distances of {len(sums.deals)} buckets"

    def _runouts(self) -> int:
        size = self.layout.board_cards
        return comb(DECK_SIZE - 2 - size, BOARD_CARDS - size)

    def recount_deals(self, hand: Cards, board: Cards, opponents: int) -> dict[str, Any]:
        """Compare the hand with every centre, in Python's integers."""
        point, clustering = self.measure.recount(hand, board), self.found
        best, least = 0, None
        for number, centre in enumerate(clustering.centres.tolist()):
            off = [abs(x - y) for x, y in zip(point, centre, strict=True)]
            distance = sum(x * x for x in off) if clustering.squared else sum(off)
            if least is None or distance < least:
                best, least = number, distance
        return {"bucket": best}


def seconds_to_assign(measure: Measure, layout: BucketsLayout, buckets: int) -> float:
    """Return about how long two cores take to put all hands into buckets."""
    rows = layout.row_count(layout.default_opponents)
    boards = len(layout.boards_of(range(rows))[0])
    compared = rows * buckets * measure.dimensions * COORDINATE
    return boards * measure.seconds_per_board() + rows * ROW + compared


def _by_bucket(numbers: Any, column: Any, size: int) -> list[int]:
    sums = np.zeros(size, np.int64)
    np.add.at(sums, numbers, column)
    counted: list[int] = sums.tolist()
    return counted


def _read_sums(shard: pa.Table, buckets: int) -> Any:
    """Return what a shard adds to each bucket, (3, buckets), None if its rows say something else."""
    try:
        sums = np.array(json.loads((shard.schema.metadata or {})[SUMS]), object)
    except (KeyError, ValueError):
        return None
    whole = sums.shape == (len(Sums._fields), buckets)
    if not whole or not all(type(value) is int and value >= 0 for value in sums.ravel()):
        return None
    numbers = shard["bucket"].to_numpy()
    if numbers.max(initial=0) >= buckets:
        return None
    deals = _by_bucket(numbers, shard["deals"].to_numpy().astype(np.int64), buckets)
    return sums if sums[0].tolist() == deals else None


def bucket_kinds() -> list[Buckets]:
    """Return the kinds of all tables of buckets, without centres."""
    return [Buckets(layout()) for layout in (FlopBucketsLayout, TurnBucketsLayout, RiverBucketsLayout)]
