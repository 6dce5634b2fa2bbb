"""Operations as classes: each has a name, and GPUs count it as the CPU does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from importlib import import_module
from inspect import isabstract
from pkgutil import walk_packages
from typing import Any

import numpy as np
import pytest

from gpuodds import Range
from gpuodds.backends import operations
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.operation import Operation
from gpuodds.backends.operations.against_clusters import AgainstClusters
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.backends.operations.canonical import (
    CanonicalRows,
    CanonicalSituations,
    RecalledSituations,
    RecallRows,
)
from gpuodds.backends.operations.double_boards import PairsOnTwoBoards, SubsetCounts
from gpuodds.backends.operations.five_card import (
    BestDiscards,
    CountDraws,
    FiveCardHands,
    FiveCardHighCards,
    SampleDraws,
)
from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
from gpuodds.backends.operations.known_hands import (
    HandsAlone,
    HandsVersusHands,
    ThreatMatchings,
    UnbeatenDeals,
)
from gpuodds.backends.operations.nearest_centres import NearestCentres
from gpuodds.backends.operations.omaha.known_hands import (
    OmahaHandRows,
    OmahaKnownHands,
    OmahaOneRandomHand,
    OmahaOneRandomHandOnBoards,
    OmahaPreflopRandom,
)
from gpuodds.backends.operations.omaha.ranges import OmahaBoardTotals, OmahaShowdowns, OmahaThreePlayers
from gpuodds.backends.operations.omaha.ranks import OmahaHandRanks, OmahaLowRanks
from gpuodds.backends.operations.range_showdowns import RangeShowdowns
from gpuodds.backends.operations.ranks import FindRepeatedCard, RankCards, RankCombos
from gpuodds.backends.operations.samples import SampleDeals, SampleOmaha, SamplePairs
from gpuodds.backends.operations.three_way import HeadsUpFolded, ThreeWay
from gpuodds.backends.operations.two_ranges import TwoRangeBoards, TwoRangesPreflop
from gpuodds.backends.operations.values import (
    FoldValues,
    OrderCombos,
    ShowdownValues,
)
from gpuodds.cards import parse_cards
from gpuodds.games.five_card import DrawSpot, rank_names
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.omaha.draws import plan_draws as plan_omaha_draws
from gpuodds.games.omaha.game import OMAHA, OMAHA6, OMAHA_HI_LO
from gpuodds.games.shared.draws import plan_draws
from gpuodds.spots.spot import Spot


def operation_classes() -> list[type[Operation[Any]]]:
    """Return the classes of all modules of operations."""
    found = walk_packages(operations.__path__, f"{operations.__name__}.")
    modules = [import_module(module.name) for module in found]
    return [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
    ]


CLASSES = operation_classes()
CARDS = np.random.default_rng(3).permuted(np.tile(np.arange(52, dtype=np.uint8), (20, 1)), axis=1)
FLOP, TURN = parse_cards("2s7d9h"), parse_cards("2s7d9hTc")
TURNS, RIVERS = (np.ascontiguousarray(CARDS[:3, first:]) for first in (48, 47))
ONCE = np.ones(3, np.int64)


def ranges(*texts: str) -> Any:
    return np.stack([Range(text).weights for text in texts])


def omaha(*texts: str) -> list[Any]:
    """Return hands of each player, ascending cards."""
    return [
        np.sort([parse_cards(hand) for hand in text.split()], axis=1).astype(np.uint8) for text in texts
    ]


def drawn(size: int, rows: int = 20, first: int = 0) -> Any:
    """Return rows of different cards, from a place in each row on."""
    return np.ascontiguousarray(CARDS[:rows, first : first + size])


TWO = omaha("AsAhKsKh 3c3d4c5d", "QsQhJsJh 2c4h5h6h")
SIX = omaha("AsAhKsKh2d3d 3c3s4c5dTdTh", "QsQhJsJh4s5s")
WEIGHTS = [np.array([1.0, 0.3]), np.array([0.5, 1.0])]
SPOT = Spot.of(["AsKs"], opponents=2, board="2s7d9hTcJc")
DRAW = DrawSpot(
    np.array(parse_cards("AsKs2d2h9c"), np.uint8),
    np.arange(12, dtype=np.uint8),
    2,
    rank_names("standard"),
)
RANKS = np.broadcast_to((np.add.outer(np.arange(5), np.arange(5)) % 4).ravel(), (2, 3, 25)).astype(
    np.uint16
)
RANKS = RANKS * np.arange(1, 4, dtype=np.uint16)[:, None]
ORDERS = OrderCombos(HOLDEM, RIVERS[:2])
REACH = np.random.default_rng(4).integers(0, 5, (2, 2, 1326)).astype(np.float32)
POINTS = np.arange(60, dtype=np.int32).reshape(20, 3) % 17, np.arange(12, dtype=np.int32).reshape(4, 3)
CASES: list[Any] = [  # functions, some with marks
    lambda: AgainstRandom(HOLDEM, TURNS, True),
    lambda: AgainstClusters(HOLDEM, RIVERS[:1], (np.arange(1326) % 8).astype(np.uint8)),
    lambda: NearestCentres(*POINTS, False),
    lambda: NearestCentres(*POINTS, True),
    lambda: CanonicalRows(drawn(2), drawn(3, first=2)),
    lambda: CanonicalSituations(np.arange(20), 3),
    lambda: RecallRows(drawn(2), drawn(5, first=2)),
    lambda: RecallRows(drawn(2), drawn(4, first=2)),
    lambda: RecalledSituations(np.arange(20) * 121_414_370, 5),
    lambda: RecalledSituations(np.arange(20) * 2_759_526, 4),
    lambda: FiveCardHands(np.array([2**52 - 1, 2**30 - 1])),
    lambda: FiveCardHighCards(np.array([2**52 - 1, 2**30 - 1])),
    lambda: CountDraws(DRAW),
    lambda: SampleDraws(DRAW, False, 200, 1),
    pytest.param(
        lambda: BestDiscards(np.sort(drawn(5), axis=1), 3, rank_names("standard")),
        marks=pytest.mark.slow,
    ),
    lambda: SubsetCounts(drawn(1, 20)[:, 0] % 3, 6, 3, 3, 3),
    lambda: PairsOnTwoBoards(RANKS, RANKS[:, ::-1], 5, 2),
    lambda: HeadsUpMatrix(HOLDEM, parse_cards("2s7d9hTcJc"), ()),
    lambda: ShowdownValues(ORDERS.on_cpu(), np.array([1, 0]), -1, REACH, np.empty_like(REACH)),
    lambda: FoldValues(np.ones(1326, bool), REACH, np.empty_like(REACH)),
    lambda: ORDERS,
    lambda: HandsVersusHands(HOLDEM, drawn(4).reshape(20, 2, 2), drawn(3, first=4), drawn(2, first=7)),
    lambda: HandsVersusHands(HOLDEM, drawn(6).reshape(20, 3, 2), drawn(3, first=6), drawn(2, first=9)),
    lambda: HandsAlone(Spot.of(["AsKs", "QhQd"], board="2s7d9h")),
    lambda: HandsAlone(Spot.of(["AsKs", "QhQd", "7c7h"], board="2s7d9h")),
    lambda: ThreatMatchings([SPOT], 2),
    lambda: UnbeatenDeals(HOLDEM, drawn(2, 4), drawn(4, 4, 2), 2),
    lambda: OmahaKnownHands(OMAHA_HI_LO, np.concatenate([own[:1] for own in TWO]), FLOP, ()),
    lambda: OmahaHandRows(OMAHA_HI_LO, drawn(8, 5).reshape(5, 2, 4), drawn(3, 5, 8), drawn(1, 5, 11)),
    lambda: OmahaOneRandomHand(OMAHA_HI_LO, TWO[0][1].tolist(), TURN, ()),
    lambda: OmahaOneRandomHandOnBoards(
        OMAHA, TWO[0][0].tolist(), FLOP, (), np.array([[*FLOP, 0], [*FLOP, 35]], np.uint8)
    ),
    pytest.param(lambda: OmahaPreflopRandom(OMAHA, TWO[0], range(100, 101)), marks=pytest.mark.slow),
    lambda: OmahaShowdowns(OMAHA_HI_LO, TWO, [np.ones(2)] * 2, RIVERS, ONCE, True),
    lambda: OmahaShowdowns(OMAHA6, SIX, [np.ones(2), np.ones(1)], RIVERS[:1], ONCE[:1], True),
    lambda: OmahaShowdowns(OMAHA_HI_LO, TWO, WEIGHTS, RIVERS, ONCE, True),
    lambda: OmahaBoardTotals(OMAHA_HI_LO, TWO, [np.ones(2)] * 2, RIVERS),
    lambda: OmahaThreePlayers(
        OMAHA_HI_LO, [*TWO, *omaha("TsTh9s9h 8c8d7c6d")], [np.ones(2)] * 3, RIVERS, ONCE
    ),
    lambda: OmahaHandRanks(drawn(4), drawn(4, first=4)),
    lambda: OmahaLowRanks(drawn(4), drawn(5, first=4)),
    lambda: RangeShowdowns(HOLDEM, ranges("AA,KK", "QQ+"), RIVERS, ONCE, (0, 1), True),
    lambda: RangeShowdowns(
        HOLDEM, ranges("AA,KK", "QQ+", "AK"), RIVERS, ONCE, (0, 1, 2), True, ranges("A9s+")
    ),
    lambda: FindRepeatedCard(drawn(2), drawn(3, first=2)),
    lambda: RankCards(HOLDEM, drawn(7)),
    lambda: RankCombos(HOLDEM, RIVERS),
    lambda: SampleDeals(HOLDEM, plan_draws(ranges("AKs", "QQ+", "TT")), 2, FLOP, (), 1, 0, 300, 1),
    lambda: SamplePairs(HOLDEM, plan_draws(ranges("AsKs")), 2, FLOP, (), 1, 0, 300),
    lambda: SampleOmaha(OMAHA, plan_omaha_draws(TWO, WEIGHTS), 1, FLOP, (), 1, 0, 300),
    pytest.param(lambda: ThreeWay(HOLDEM, 0), marks=pytest.mark.weekly),
    pytest.param(lambda: HeadsUpFolded(HOLDEM, 0), marks=pytest.mark.weekly),
    lambda: TwoRangeBoards(HOLDEM, ranges("AA,KK", "QQ+"), TURNS, (), True),
    pytest.param(
        lambda: TwoRangesPreflop(HOLDEM, ranges("AsAh", "KsKh"), (0,)), marks=pytest.mark.weekly
    ),
]


def factory(case: Any) -> Callable[[], Operation[Any]]:
    function: Callable[[], Operation[Any]] = getattr(case, "values", (case,))[0]
    return function


def test_names_are_those_of_one_operation() -> None:
    assert len(CLASSES) == len({operation.name for operation in CLASSES}) > 30
    assert all(issubclass(operation, Operation) and not isabstract(operation) for operation in CLASSES)


def test_every_operation_is_asked_below() -> None:
    assert {type(factory(case)()) for case in CASES} == {*CLASSES}


def as_lists(counts: Any) -> Any:
    """Return counts as they compare: arrays as lists, of arrays of either kind."""
    if hasattr(counts, "tolist"):
        return counts.tolist()
    if is_dataclass(counts):
        return as_lists(vars(counts))
    if isinstance(counts, dict):
        return {key: as_lists(value) for key, value in counts.items()}
    if isinstance(counts, (tuple, list)):
        return [as_lists(part) for part in counts]
    return counts


@pytest.mark.parametrize("case", CASES)
def test_gpus_count_what_the_cpu_does(cuda: Any, case: Callable[[], Operation[Any]]) -> None:
    operation = case()
    found = CudaBackend().count(operation)
    assert found.backend == "cuda"
    ours, theirs = as_lists(found.counts), as_lists(operation.on_cpu())
    if getattr(operation, "weights", None) is WEIGHTS:  # float64: the made hands follow the counts
        for one, other in zip([*ours[0], *ours[1]], [*theirs[0], *theirs[1]], strict=True):
            assert np.allclose(one, other, rtol=1e-12)
    else:
        assert ours == theirs
