"""The clustering that a table of buckets comes from: parameters, centres, and what falls to each."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuodds.basics.lazy import cached_property
from gpuodds.errors import InputError, TableError, excerpt

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Int32s = npt.NDArray[np.int32]

DISTANCES = ("emd", "l2", "ochs")
DEFAULT_SAMPLE = 200_000  # hands to find the centres from
MAX_BUCKETS = 1 << 16  # numbers of a uint16
MAX_COORDINATES = 1_000_000  # of all centres, in a manifest of at most 8 MB
MAX_SEED = (1 << 64) - 1
SHA256 = 64  # hexadecimal digits
INT32_BYTES = 4


def is_squared(distance: str) -> bool:
    """Return whether a distance is a sum of squares, else of differences without their signs."""
    return distance != "emd"


class Sums(NamedTuple):
    """What falls to each bucket, over all deals of a hand and a board: (k,) each."""

    deals: tuple[int, ...]
    """How many deals."""
    half_pots: tuple[int, ...]
    """2 wins + ties against a random hand, over their runouts."""
    distances: tuple[int, ...]
    """Distances of hands from the centre, in units of the coordinates."""


class Neighbour(NamedTuple):
    """A bucket beside another."""

    bucket: int
    """Its number."""
    distance: float
    """Of the centres from each other, in the unit of
    :attr:`gpuodds.tables.Clustering.mean_distance`."""


@dataclass(frozen=True, eq=False)
class Clustering:
    """Buckets of hands: what was asked for, the centres found, and what falls to each.

    Buckets are numbered by equity, the weakest first.
    """

    distance: str
    """``"emd"``, ``"l2"`` or ``"ochs"``."""
    seed: int
    """The seed of the sample and of the first centres."""
    sample: int
    """How many hands the centres were found from."""
    over: str
    """The SHA-256 of the manifest of the buckets of the next street whose distribution is compared;
    "" for none."""
    iterations: int
    """How often the centres were moved."""
    scale: int
    """The difference of coordinates that stands for a difference of 1 in equity."""
    centres: npt.NDArray[np.int32]
    """Shape (k, dimensions), int32."""
    sums: Sums | None = None
    """None before the table is complete."""

    @property
    def buckets(self) -> int:
        """How many buckets there are."""
        return len(self.centres)

    @property
    def squared(self) -> bool:
        """Whether distances of coordinates are sums of squares."""
        return is_squared(self.distance)

    @cached_property
    def shares(self) -> npt.NDArray[np.float64]:
        """The share of all deals that falls to each bucket, (k,)."""
        import numpy as np

        deals = np.array(self._sums().deals, np.float64)
        shares: npt.NDArray[np.float64] = deals / deals.sum()
        return shares

    @cached_property
    def equities(self) -> npt.NDArray[np.float64]:
        """The equity of each bucket against a random hand, (k,); NaN for one without hands."""
        import numpy as np

        deals, half_pots, _ = (np.array(column, np.float64) for column in self._sums())
        with np.errstate(invalid="ignore"):  # no deals: NaN
            # Each deal's equity is as good as any other's: all hands together win half.
            equities: npt.NDArray[np.float64] = half_pots / deals * (deals.sum() / half_pots.sum() / 2)
        return equities

    @property
    def mean_distance(self) -> float:
        """The mean distance of a hand from the centre of its bucket.

        The earth mover's distance, in equity: 0.01 is one percent of the pot. Of ``"l2"`` and
        ``"ochs"``, the root of the mean square, in shares of the runouts and in equity. What k-means
        calls inertia is the sum of ``sums.distances``.
        """
        sums = self._sums()
        return self._distance(sum(sums.distances) / sum(sums.deals))

    @property
    def mean_distances(self) -> list[float]:
        """The mean distance of each bucket's hands, in the unit of :attr:`mean_distance`."""
        sums = self._sums()
        pairs = zip(sums.distances, sums.deals, strict=True)
        return [self._distance(total / (deals or 1)) for total, deals in pairs]

    def neighbours(self, bucket: int, count: int = 5) -> list[Neighbour]:
        """Return the buckets nearest to one, the nearest first.

        Args:
            bucket: Its number, from 0.
            count: How many to return.

        Raises:
            InputError: There is no such bucket.
        """
        import numpy as np

        if not 0 <= bucket < self.buckets:
            raise InputError(f"bucket {bucket}: expected 0 to {self.buckets - 1}")
        off = np.abs(self.centres.astype(np.int64) - self.centres[bucket])
        distances = (off**2 if self.squared else off).sum(axis=1)
        nearest = [at for at in np.argsort(distances, kind="stable").tolist() if at != bucket]
        return [Neighbour(at, self._distance(float(distances[at]))) for at in nearest[:count]]

    def _distance(self, units: float) -> float:
        return (units**0.5 if self.squared else units) / self.scale

    def _sums(self) -> Sums:
        if self.sums is None:
            raise TableError("buckets: the table is not complete: what falls to each is not known yet")
        return self.sums

    def arguments(self) -> str:
        """Return the arguments of the command that asks for it."""
        over = " --over DIR" if self.over else ""
        chosen = f"--buckets {self.buckets} --distance {self.distance} --seed {self.seed}"
        return f"{chosen} --sample {self.sample}{over}"

    def to_json(self) -> dict[str, Any]:
        """Return the clustering as a manifest has it; centres are base64 of little-endian int32."""
        rows = [b64encode(row.astype("<i4").tobytes()).decode("ascii") for row in self.centres]
        content: dict[str, Any] = {
            "distance": self.distance,
            "buckets": self.buckets,
            "seed": self.seed,
            "sample": self.sample,
            "over": self.over,
            "iterations": self.iterations,
            "scale": self.scale,
            "dimensions": self.centres.shape[1],
            "centres": rows,
        }
        if self.sums is not None:
            content |= {name: list(values) for name, values in self.sums._asdict().items()}
        return content


def read_clustering(content: Any, where: str, complete: bool) -> Clustering:
    """Return the clustering that a manifest has.

    Args:
        content: What JSON gave.
        where: The file, for the error.
        complete: Whether the table is, and its sums are there.

    Raises:
        TableError: It is damaged.
    """
    known = content if isinstance(content, dict) else {}
    for name, least, most in (
        ("seed", 0, MAX_SEED),
        ("sample", 1, 1 << 40),
        ("iterations", 0, 1 << 20),
        ("scale", 1, (1 << 31) - 1),
        ("buckets", 1, MAX_BUCKETS),
        ("dimensions", 1, MAX_COORDINATES),
    ):
        value = known.get(name)
        if type(value) is not int or not least <= value <= most:
            raise TableError(f"{where}: damaged: clustering: {name} {excerpt(str(value))}")
    distance, over = known.get("distance"), known.get("over")
    if distance not in DISTANCES:
        raise TableError(f"{where}: damaged: clustering: distance {excerpt(str(distance))}")
    if not (isinstance(over, str) and len(over) in (0, SHA256) and (over.isalnum() or not over)):
        raise TableError(f"{where}: damaged: clustering: over {excerpt(str(over))}")
    centres = _read_centres(known.get("centres"), known["buckets"], known["dimensions"], where)
    sums = None
    if complete:
        counted: dict[str, Any] = {name: known.get(name) for name in Sums._fields}
        for name, values in counted.items():
            if not _are_counts(values, len(centres)):
                raise TableError(f"{where}: damaged: clustering: {name}")
        sums = Sums(*map(tuple, counted.values()))
    iterations, scale = known["iterations"], known["scale"]
    return Clustering(distance, known["seed"], known["sample"], over, iterations, scale, centres, sums)


def _read_centres(rows: Any, buckets: int, dimensions: int, where: str) -> Int32s:
    import numpy as np

    if not isinstance(rows, list) or len(rows) != buckets:
        raise TableError(f"{where}: damaged: clustering: expected {buckets} centres")
    centres = np.empty((buckets, dimensions), np.int32)
    for number, row in enumerate(rows):
        try:
            data = b64decode(row, validate=True)
        except (TypeError, ValueError):
            data = b""
        if len(data) != INT32_BYTES * dimensions:
            raise TableError(f"{where}: damaged: clustering: centre {number}")
        centres[number] = np.frombuffer(data, "<i4")
    return centres


def _are_counts(values: Any, size: int) -> bool:
    return (
        isinstance(values, list)
        and len(values) == size
        and all(type(value) is int and value >= 0 for value in values)
    )


def check_buckets(buckets: int, dimensions: int) -> None:
    """Refuse a number of buckets that no table can have.

    Raises:
        InputError: There are too few or too many.
    """
    most = min(MAX_BUCKETS, MAX_COORDINATES // dimensions)
    if not 1 <= buckets <= most:
        raise InputError(f"buckets {buckets:,}: expected 1 to {most:,}, at {dimensions} numbers each")
