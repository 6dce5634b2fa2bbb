"""Launches are short, whatever the work: a desktop's GPU ends a kernel after two seconds."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from gpuodds import Range
from gpuodds.backends.cuda.arrays import canonical, ranks, recall
from gpuodds.backends.cuda.arrays import combos as heads_up
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.known_hands import solving, unbeaten_deals
from gpuodds.backends.cuda.sampling import samples as sampling
from gpuodds.backends.cuda.shared.pieces import launches, launches_by_work
from gpuodds.backends.cuda.tables import streets
from gpuodds.backends.operation import Operation
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.backends.operations.canonical import (
    CanonicalRows,
    CanonicalSituations,
    RecalledSituations,
    RecallRows,
)
from gpuodds.backends.operations.known_hands import UnbeatenDeals
from gpuodds.backends.operations.ranks import RankCards, RankCombos
from gpuodds.backends.operations.samples import SampleDeals, SamplePairs
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.draws import plan_draws

CARDS = np.random.default_rng(9).permuted(np.tile(np.arange(52, dtype=np.uint8), (60, 1)), axis=1)
HANDS, BOARDS, SEVEN = (np.ascontiguousarray(CARDS[:, a:b]) for a, b in ((0, 2), (2, 7), (0, 7)))
TURNS = np.ascontiguousarray(CARDS[:3, 2:6])
DRAWS = plan_draws(np.array([Range("AKs").weights, Range("QQ+").weights]))
ACES = plan_draws(np.array([Range("AcAd").weights]))
FULL = {"seed": 4, "begin": 100, "end": 1100}


@pytest.fixture
def settings(cuda: Any) -> Any:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in records launches")
    return cuda.cuda.settings


def count_launches(settings: Any, kernel: str) -> int:
    names = [launch[1] for launch in settings.launches]
    return names.count(kernel)


# The kernel, what limits a launch, the limit here, the launches that it makes, and the operation.
CASES: list[tuple[str, Any, str, int, int, Operation[Any]]] = [
    ("rank_hands", ranks, "MAX_HANDS", 7, 9, RankCards(HOLDEM, SEVEN)),
    ("rank_combos", ranks, "MAX_HANDS", 13 * 1326, 5, RankCombos(HOLDEM, BOARDS)),
    ("number_situations", canonical, "MAX_ROWS", 25, 3, CanonicalRows(HANDS, BOARDS)),
    ("list_hands", canonical, "MAX_ROWS", 9, 5, CanonicalSituations(np.arange(42), 3)),
    ("add_places", recall, "MAX_ROWS", 25, 3, RecallRows(HANDS, BOARDS)),
    ("find_flops", recall, "MAX_ROWS", 9, 5, RecalledSituations(np.arange(42) << 25, 5)),
    ("list_later_cards", recall, "MAX_ROWS", 9, 5, RecalledSituations(np.arange(42) << 20, 4)),
    ("against_random", streets, "MAX_FULL_BOARDS", 96, 2, AgainstRandom(HOLDEM, TURNS, True)),
    ("against_random", streets, "MAX_FULL_BOARDS", 96, 2, AgainstRandom(HOLDEM, TURNS, False)),
    ("against_random", streets, "MAX_FULL_BOARDS", 1, 3, AgainstRandom(HOLDEM, TURNS, False)),
    (
        "sample_deals", sampling, "MAX_HANDS", 800, 5,
        SampleDeals(HOLDEM, DRAWS, 2, (0, 21, 30), (), **FULL),
    ),
    (
        "sample_pairs", sampling, "MAX_HANDS", 1600, 4,
        SamplePairs(HOLDEM, ACES, 2, (0, 21, 30), (), **FULL),
    ),
    (
        "close_sums", unbeaten_deals, "MAX_TERMS", 20 * 120, 3,
        UnbeatenDeals(HOLDEM, HANDS, BOARDS, 3),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kernel", "module", "limit", "size", "number", "operation"), CASES)
def test_launches_are_cut_and_change_nothing(
    settings, monkeypatch, kernel, module, limit, size, number, operation
) -> None:
    expected = operation.on_cpu()
    monkeypatch.setattr(module, limit, size)
    gpus = CudaBackend()
    gpus.count(RankCards(HOLDEM, SEVEN))
    settings.launches.clear()
    settings.copies = 0
    found = gpus.count(operation).counts
    assert count_launches(settings, kernel) == number
    if kernel != "close_sums":  # a piece of its own, whose results are copied
        assert settings.copies <= 6
    found, expected = (x if isinstance(x, tuple) else (x,) for x in (found, expected))
    for ours, theirs in zip(found, expected, strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("opponents", [1, 21])
def test_samples_are_drawn_in_launches_of_bounded_work(settings, monkeypatch, opponents) -> None:
    drawn: list[tuple[int, int]] = []

    def launch(*given: Any) -> None:
        before = given[4]
        drawn.append((int(before[0]), int(before[1])))

    monkeypatch.setattr(sampling, "_launch", launch)
    CudaBackend().count(SampleDeals(HOLDEM, DRAWS, opponents, (), (), 1, 0, 3 << 28))
    assert drawn[0][0] == 0 and drawn[-1][1] == 3 << 28
    assert all(one[1] == other[0] for one, other in pairwise(drawn))
    # At 0.1 G deals/s among 4 players, far below a twentieth of an H100's predicted rate: 0.2 s.
    assert max(end - begin for begin, end in drawn) * (2 + opponents) <= 1 << 26
    assert settings.copies <= 4


@pytest.mark.parametrize(("most", "least", "sizes"), [(10, 1, [3, 1, 2, 2]), (10, 3, [3, 3, 2])])
def test_launches_by_work(most, least, sizes) -> None:
    work = np.array([2, 4, 4, 30, 5, 5, 3, 1])
    found = [range(len(work))[part] for part in launches_by_work(work, most, least)]
    assert [len(part) for part in found] == sizes and [i for part in found for i in part] == [*range(8)]


def test_graphs_are_solved_in_launches_of_bounded_work(settings, monkeypatch) -> None:
    def solve() -> tuple[Any, int]:
        settings.launches.clear()
        found = CudaBackend().count(UnbeatenDeals(HOLDEM, HANDS[:3], TURNS, 9)).counts
        return found, count_launches(settings, "solve_graphs")

    monkeypatch.setattr(solving, "resident_blocks", lambda *_: 2)
    whole, few = solve()
    monkeypatch.setattr(solving, "MAX_NUMBERS", 1)
    cut, many = solve()
    assert np.array_equal(whole, cut) and many > few


def test_launches_of_whole_flops_are_bounded() -> None:
    # A flop has 1,176 runouts, each of which compares 351 pairs of types with 351.
    assert streets.MAX_FULL_BOARDS >= 1176 and streets.MAX_FULL_BOARDS * 351**2 < 1 << 35
    assert heads_up.MAX_BOARDS * 1326**2 < 1 << 35
    assert list(launches(3, 10, 4)) == [(3, 7), (7, 10)] and list(launches(0, 3, 0)) == [
        (0, 1), (1, 2), (2, 3),
    ]  # fmt: skip
