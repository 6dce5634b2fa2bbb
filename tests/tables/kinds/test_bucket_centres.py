"""What buckets are found by: distances against SciPy's, samples, and centres."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import wasserstein_distance
from toy_tables import next_street

import gpuodds
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.cards import parse_cards
from gpuodds.games.shared.boards import canonical_boards
from gpuodds.games.shared.combos import combo_cards
from gpuodds.table_building import clustering
from gpuodds.table_building.clustering import Wanted, find_centres
from gpuodds.table_building.kinds.measures import Measure, Measured, make_measure
from gpuodds.table_building.kinds.recount import rank_every_deal

CPU = CpuBackend()


@pytest.mark.parametrize(("size", "text"), [(3, "2c7d9h"), (4, "2c7d9hTs")])
def test_emd_is_that_of_scipy(size: int, text: str) -> None:
    """Between all pairs of some hands, with histograms that are counted deal by deal."""
    measure, board = make_measure("emd", size), parse_cards(text)
    hands = [parse_cards(hand) for hand in ("AsKs", "9c9d", "3s4h", "JcTc")[: 7 - size]]
    numbers = [combo_cards().tolist().index(sorted(hand)) for hand in hands]
    points = measure.measure(np.array([board], np.uint8), CPU).points[0, numbers].astype(np.int64)
    histograms = [rank_every_deal(hand, board)[3] for hand in hands]
    middles = (np.arange(50) + 0.5) / 50
    for i in range(len(hands)):
        assert points[i].tolist() == measure.recount(hands[i], board)
        for j in range(i):
            expected = wasserstein_distance(middles, middles, histograms[i], histograms[j])
            assert np.abs(points[i] - points[j]).sum() / measure.scale == pytest.approx(expected)


def test_squares_stay_below_31_bits() -> None:
    for size in (3, 4, 5):
        for distance in ("l2", "ochs"):
            measure = make_measure(distance, size)
            apart = 2 if distance == "l2" and size < 5 else measure.dimensions
            assert apart * measure.scale**2 < 2**31 - 1
    for size in (3, 4, 5):
        measure = make_measure("emd", size)
        assert measure.scale < 2**31 - 1


class Line(Measure):
    """Points on a line or in a plane, in place of hands."""

    scale = 1

    def __init__(self, coordinates: Callable[[Any], Any]) -> None:
        self.dimensions = coordinates(np.zeros(1, np.int64)).shape[-1]
        self._coordinates = coordinates

    def measure(self, boards: Any, backend: Any) -> Measured:
        numbers = np.arange(len(boards) * 1326).reshape(-1, 1326)
        return Measured(self._coordinates(numbers).astype(np.int32), numbers)

    def recount(self, hand: Any, board: Any) -> list[int]:
        raise NotImplementedError

    def seconds_per_board(self) -> float:
        return 0.0


@pytest.mark.parametrize("distance", ["emd", "l2"])
def test_clusters_far_apart_are_found(distance: str) -> None:
    def coordinates(numbers: Any) -> Any:
        return np.stack([numbers % 5 * 1000 + numbers % 3, numbers % 5 * 100], axis=-1)

    found = find_centres(Line(coordinates), 4, Wanted(distance, 5, 3, 500), CPU)
    centres = sorted(found.centres.tolist())
    assert [y for _, y in centres] == [0, 100, 200, 300, 400]
    assert [round(x / 1000) for x, _ in centres] == [0, 1, 2, 3, 4]


def test_centres_are_means_that_no_move_makes_better() -> None:
    measure = make_measure("ochs", 5)
    wanted = Wanted("ochs", 12, 1, 1000)
    found = find_centres(measure, 5, wanted, CPU)
    assert found.iterations < clustering.MAX_ITERATIONS
    words = clustering.random_words(1)
    sample = clustering.draw_sample(measure, 5, 1000, words, CPU, lambda done: None)
    off = sample.points[:, None].astype(np.int64) - found.centres
    nearest = (off**2).sum(axis=2).argmin(axis=1)
    for number, centre in enumerate(found.centres):
        own = nearest == number
        mean = np.average(sample.points[own], axis=0, weights=sample.weights[own])
        assert np.abs(mean - centre).max() <= 0.5 + 1e-9


def test_a_sample_has_hands_that_can_be_dealt() -> None:
    for size in (3, 5):
        numbers: list[Any] = []

        class Cards(Line):
            def measure(self, boards: Any, backend: Any, numbers: list[Any] = numbers) -> Measured:
                taken = (combo_cards()[None, :, :, None] == boards[:, None, None, :]).any(axis=(2, 3))
                points = np.where(taken, -1, np.arange(1326)).astype(np.int32)[..., None]
                return Measured(points, points[..., 0].astype(np.int64))

        measure = Cards(lambda numbers: numbers[..., None])
        sample = clustering.draw_sample(
            measure, size, 3000, clustering.random_words(0), CPU, lambda done: None
        )
        assert len(sample.points) >= 3000 and (sample.points >= 0).all()
        boards = -(-3000 // clustering.HANDS_PER_BOARD[size])
        each = len(sample.points) // boards
        by_board = sample.points.reshape(boards, each)
        assert all(len(set(row.tolist())) == each for row in by_board)
        assert set(sample.weights.tolist()) <= set(canonical_boards(size)[1].tolist())


def test_a_sample_of_everything() -> None:
    class Few(Line):
        pass

    sample = clustering.draw_sample(
        Few(lambda numbers: numbers[..., None]),
        3,
        1755 * 1326,
        clustering.random_words(0),
        CPU,
        lambda done: None,
    )
    assert len(sample.points) == 1755 * 1176 and sample.weights.sum() == 22100 * 1176


@pytest.mark.parametrize(("size", "text"), [(3, "2c7d9h"), (4, "2c7d9hTs")])
def test_over_the_next_streets_buckets_emd_is_that_of_scipy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, text: str
) -> None:
    equities, numbers = next_street(monkeypatch, tmp_path, size, 6)
    measure, board = make_measure("emd", size, tmp_path), parse_cards(text)
    hands = [parse_cards(hand) for hand in ("AsKs", "9c9d", "3s4h", "JcTc")]
    places = [combo_cards().tolist().index(sorted(hand)) for hand in hands]
    points = measure.measure(np.array([board], np.uint8), CPU).points[0, places].astype(np.int64)
    lines = []
    for hand, point in zip(hands, points, strict=True):
        assert measure.recount(hand, board) == point.tolist()
        later = [card for card in range(52) if card not in (*hand, *board)]
        rows = gpuodds.canonical_rows([hand] * len(later), [[*board, card] for card in later])
        lines.append(np.bincount(numbers[rows], minlength=6))
    for i in range(len(hands)):
        for j in range(i):
            expected = wasserstein_distance(equities, equities, lines[i], lines[j])
            found = np.abs(points[i] - points[j]).sum() / measure.scale
            assert found == pytest.approx(expected, abs=1e-5)


def test_over_buckets_of_which_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    next_street(monkeypatch, tmp_path, 3, 1)
    measure = make_measure("emd", 3, tmp_path)
    board = parse_cards("2c7d9h")
    assert not measure.measure(np.array([board], np.uint8), CPU).points.any()
    assert measure.recount(parse_cards("AsKs"), board) == [0]
