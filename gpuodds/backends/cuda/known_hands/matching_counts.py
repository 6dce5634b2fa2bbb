"""Matchings of threat graphs of several spots on devices, summed over boards."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.known_hands.spots import count_runouts, load_spots, read_key
from gpuodds.backends.cuda.known_hands.sums import read_sums
from gpuodds.backends.cuda.known_hands.worker import Worker, max_items
from gpuodds.backends.cuda.shared.pieces import Work, share_out
from gpuodds.games.holdem.multiway import MatchingCounts
from gpuodds.games.shared.rules import BOARD_CARDS
from gpuodds.spots.spot import Spot

Ints = npt.NDArray[np.int64]


def matching_counts(
    spots: Sequence[Spot], most: int, progress: Progress | None, devices: Sequence[int]
) -> list[dict[int, MatchingCounts]]:
    """Sum matchings: see :class:`gpuodds.backends.operations.known_hands.ThreatMatchings`."""
    answers: list[dict[int, dict[tuple[int, int, int], int]]] = [{} for _ in spots]
    lock = Lock()

    def receive(first: int, last: int, groups: Ints, sums: Any) -> None:
        rows = read_sums(sums)
        with lock:
            for key, counts in zip(groups.tolist(), rows, strict=True):
                _enter(answers, key, counts)

    def start() -> Work:
        on_device, worker = load_spots(spots), Worker(most)
        return Work(lambda begin, end: worker.add_items(on_device, begin, end, receive), worker.finish)

    def size() -> int:
        return max_items(most, len(spots[0].board), len(spots[0].known_hands))

    items = len(spots) * count_runouts(BOARD_CARDS - len(spots[0].board))
    share_out(devices, items, start, size, progress)
    return [dict(answer) for answer in answers]


def _enter(
    answers: list[dict[int, dict[tuple[int, int, int], int]]], key: int, rows: list[list[int]]
) -> None:
    spot, winners, deck = read_key(key)
    counts = answers[spot].setdefault(winners, {})
    for edges, row in enumerate(rows):
        for ties, ways in enumerate(row):
            if ways:
                at = (deck, edges, ties)
                counts[at] = counts.get(at, 0) + ways
