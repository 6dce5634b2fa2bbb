"""Rows of abstractions: how long the buckets of a street take, and finding their centres."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from bench.report import Bar, Comparison, Figures
from bench.rows import SMALL, Rows, call, command, peak_memory, refuse_small, time_runs

ROWS = Rows()
row = ROWS.row


def build_buckets(street: str, buckets: int, distance: str, over: str = "") -> Figures:
    """Time the process that puts a street's hands into buckets, with compiled functions."""
    refuse_small()
    build = command("abstraction", "build", "--seed", "1", "--workers", "2")
    peaks = []
    with TemporaryDirectory() as folder:
        table = Path(folder, "buckets")

        def work(out: Path, street: str, buckets: int, *options: str) -> None:
            words = ["--street", street, "--buckets", str(buckets), "--out", str(out)]
            peaks.append(peak_memory([*build, *words, *options]))

        options = []
        if over:
            work(Path(folder, "next"), over, 500)
            options = ["--over", str(Path(folder, "next"))]
        chosen = ["--distance", distance]
        seconds = time_runs(lambda: work(table, street, buckets, *chosen, *options), 1, warm=False)
        about = json.loads(call(command("abstraction", "show", "--table", str(table), "--json")))
    memory = f"{peaks[-1] / 1e9:.1f} GB of memory at most"
    return Figures(seconds, notes=[f"Mean distance {about['mean_distance']:.4f}; {memory}."])


@row("buckets flop", "flop-buckets: 200 by emd, a new process, two shards at a time", Bar(60, "s"))
def flop_buckets() -> Figures:
    return build_buckets("flop", 200, "emd")


@row("buckets turn", "turn-buckets: 500 by emd, a new process, two shards at a time", Bar(600, "s"))
def turn_buckets() -> Figures:
    return build_buckets("turn", 500, "emd")


@row(
    "buckets river", "river-buckets: 1,000 by ochs, a new process, two shards at a time", Bar(600, "s")
)
def river_buckets() -> Figures:
    return build_buckets("river", 1000, "ochs")


@row(
    "buckets flop over turn", "flop-buckets: 200 by emd over 500 of the turn, a new process", slow=True
)
def flop_buckets_over_turn() -> Figures:
    return build_buckets("flop", 200, "emd", over="turn")


@row("find centres", "1,000 centres of river hands by ochs, of a sample of 200,000, at most 50 moves")
def find_centres() -> Figures:
    """Compare with scikit-learn's k-means on the same sample, with as many moves at most."""
    from gpuodds.backends.choice import choose_backend
    from gpuodds.table_building import clustering
    from gpuodds.table_building.kinds.measures import make_measure

    size = 1000 if SMALL else 200_000
    wanted = clustering.Wanted("ochs", 10 if SMALL else 1000, 1, size)
    measure, backend = make_measure("ochs", 5), choose_backend("cpu")
    found: list[Any] = []
    seconds = time_runs(
        lambda: found.append(clustering.find_centres(measure, 5, wanted, backend)), 1, warm=False
    )
    words = clustering.random_words(wanted.seed)
    sample = clustering.draw_sample(measure, 5, size, words, backend, lambda done: None)
    points = sample.points.astype(np.float64)

    def inertia(centres: Any) -> float:
        least = np.full(len(points), np.inf)
        for some in np.array_split(centres.astype(np.float64), max(1, len(centres) // 50)):
            off = (points**2).sum(axis=1)[:, None] - 2 * points @ some.T + (some**2).sum(axis=1)
            least = np.minimum(least, off.min(axis=1))
        return float(np.average(least, weights=sample.weights))

    try:
        from sklearn.cluster import KMeans
    except ImportError:
        return Figures(seconds, others=[Comparison("scikit-learn", "missing")])
    means = KMeans(wanted.buckets, n_init=1, max_iter=clustering.MAX_ITERATIONS, random_state=1)
    taken = time_runs(
        lambda: means.fit(points.astype(np.float32), sample_weight=sample.weights), 1, warm=False
    )
    more = inertia(found[-1].centres) / inertia(means.cluster_centers_) - 1
    other = Comparison("scikit-learn's k-means, the sample already drawn,", "measured", taken[0])
    return Figures(
        seconds, others=[other], notes=[f"Its sum of squares is {more:.1%} above the other's."]
    )
