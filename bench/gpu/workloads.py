"""What ``model.py`` runs: for each kernel, a small part of the work that it is made for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import gpuodds
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.operation import Operation
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.backends.operations.five_card import CountDraws, FiveCardHands, SampleDraws
from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
from gpuodds.backends.operations.known_hands import HandsVersusHands, ThreatMatchings, UnbeatenDeals
from gpuodds.backends.operations.omaha.known_hands import (
    OmahaKnownHands,
    OmahaOneRandomHand,
    OmahaOneRandomHandOnBoards,
)
from gpuodds.backends.operations.omaha.ranges import OmahaBoardTotals, OmahaShowdowns, OmahaThreePlayers
from gpuodds.backends.operations.omaha.ranks import OmahaHandRanks
from gpuodds.backends.operations.range_showdowns import RangeShowdowns
from gpuodds.backends.operations.samples import SampleDeals, SampleOmaha, SamplePairs
from gpuodds.cards import parse_cards
from gpuodds.games.five_card import DrawSpot, rank_names
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.omaha.combos import combo_cards
from gpuodds.games.omaha.draws import plan_draws as plan_omaha_draws
from gpuodds.games.omaha.game import OMAHA, OMAHA5, OMAHA_HI_LO
from gpuodds.games.shared.boards import canonical_boards
from gpuodds.games.shared.draws import plan_draws
from gpuodds.spots.spot import Spot

Prepared = tuple[Callable[[], Any], float]

FOUR, FIVE = ("30%", "31%", "32%", "33%"), ("13%", "14%", "15%", "16%", "17%")


@dataclass(frozen=True)
class Workload:
    """Work of which a small part is run: ``prepare`` returns what to run, and its units."""

    name: str
    unit: str
    prepare: Callable[[], Prepared]


WORKLOADS: list[Workload] = []


def workload(name: str, unit: str) -> Callable[[Callable[[], Prepared]], Callable[[], Prepared]]:
    """Add a workload: the function below prepares it."""

    def add(prepare: Callable[[], Prepared]) -> Callable[[], Prepared]:
        WORKLOADS.append(Workload(name, unit, prepare))
        return prepare

    return add


def counting(operation: Operation[Any], units: float) -> Prepared:
    """Return what counts an operation, and its units."""
    return lambda: CudaBackend().count(operation), units


def comparing(weights: Any, count: int, folded: Any = None) -> Prepared:
    """Return what compares ranges on some boards as on many: each is one item, not one of parts."""
    from gpuodds.backends.cuda.ranges import showdowns

    rows = boards(count)
    operation = RangeShowdowns(HOLDEM, weights, rows, once(rows), range(len(weights)), False)
    if folded is not None:
        operation = replace(operation, folded=folded)

    def run() -> None:
        items, showdowns.ITEMS = showdowns.ITEMS, 1
        try:
            CudaBackend().count(operation)
        finally:
            showdowns.ITEMS = items

    return run, count


def drawn(rows: int, size: int) -> Any:
    """Return rows of different cards."""
    deck = np.tile(np.arange(52, dtype=np.uint8), (rows, 1))
    return np.ascontiguousarray(np.random.default_rng(7).permuted(deck, axis=1)[:, :size])


def ranges(*texts: str) -> Any:
    """Return the weights of some ranges."""
    return np.stack([gpuodds.Range(text).weights for text in texts])


def boards(count: int, size: int = 5) -> Any:
    """Return boards that differ by more than their suits, from all over the list."""
    every = canonical_boards(size)[0]
    step = len(every) // count
    return np.ascontiguousarray(every[step // 2 :: step][:count])


def once(rows: Any) -> Any:
    """Return a factor of 1 for each board."""
    return np.ones(len(rows), np.int64)


@workload("all 7-card hands", "hands")
def all_hands() -> Prepared:
    from gpuodds.backends.cuda.arrays.ranks import PREFIXES, rank_prefixes

    first = PREFIXES - 2000
    hands = len(rank_prefixes(first, PREFIXES))
    return lambda: rank_prefixes(first, PREFIXES), hands


@workload("drawn 7-card hands", "hands")
def drawn_hands() -> Prepared:
    import cupy

    from gpuodds.backends.cuda.arrays.ranks import rank_cards

    cards = cupy.asarray(drawn(1 << 16, 7))
    return lambda: rank_cards(cards, HOLDEM), 1 << 16


@workload("all combos on boards", "boards")
def all_combos() -> Prepared:
    import cupy

    from gpuodds.backends.cuda.arrays.ranks import rank_combos

    rows = cupy.asarray(boards(200))
    return lambda: rank_combos(rows, HOLDEM), 200


@workload("all pairs", "pairs on boards")
def all_pairs() -> Prepared:
    turn = parse_cards("2s7d9hTc")
    return counting(HeadsUpMatrix(HOLDEM, turn, ()), 48 * 1326**2)


@workload("hands v 9 random on flops", "hands")
def unbeaten() -> Prepared:
    cards = drawn(100, 5)
    hands, flops = (np.ascontiguousarray(part) for part in (cards[:, :2], cards[:, 2:]))
    return counting(UnbeatenDeals(HOLDEM, hands, flops, 9), 100)


@workload("a hand v 22 random on a flop", "spots")
def many_opponents() -> Prepared:
    spot = Spot.of(["AsKd"], opponents=22, board="2s7d9h")
    return counting(ThreatMatchings([spot], 22), 1)


@workload("pairs of hands on flops", "pairs")
def pairs_of_hands() -> Prepared:
    cards = drawn(2000, 7)
    parts = cards[:, :4].reshape(-1, 2, 2), cards[:, 4:7], cards[:, :0]
    hands, flops, nothing = (np.ascontiguousarray(part) for part in parts)
    return counting(HandsVersusHands(HOLDEM, hands, flops, nothing), 2000)


@workload("monte carlo, a hand v 3 random", "deals")
def monte_carlo() -> Prepared:
    draws = plan_draws(ranges("AsKs"))
    return counting(SamplePairs(HOLDEM, draws, 3, (), (), 1, 0, 1 << 16), 2 << 16)


@workload("monte carlo, three ranges", "deals")
def monte_carlo_of_ranges() -> Prepared:
    draws = plan_draws(ranges("15%", "30%", "60%"))
    return counting(SampleDeals(HOLDEM, draws, 0, (), (), 1, 0, 1 << 16), 1 << 16)


@workload("rivers, all v a random hand", "boards")
def rivers() -> Prepared:
    return counting(AgainstRandom(HOLDEM, boards(60), False), 60)


@workload("turns with histograms", "boards")
def turns() -> Prepared:
    return counting(AgainstRandom(HOLDEM, boards(4, 4), True), 4)


@workload("random v random", "boards")
def two_ranges() -> Prepared:
    return comparing(ranges("random", "random"), 60)


@workload("15% v 30%, weighted", "boards")
def two_weighted() -> Prepared:
    return comparing(0.5 * ranges("15%", "30%"), 60)


@workload("15% v 30% v random", "boards")
def three_ranges() -> Prepared:
    return comparing(ranges("15%", "30%", "random"), 20)


@workload("15% v 30% v random, weighted", "boards")
def three_weighted() -> Prepared:
    return comparing(0.5 * ranges("15%", "30%", "random"), 10)


@workload("AA v 5% v 15% v 30%", "boards")
def four_ranges() -> Prepared:
    return comparing(ranges("AA", "5%", "15%", "30%"), 4)


@workload("30% to 33%, four players", "boards")
def four_wide_ranges() -> Prepared:
    return comparing(ranges(*FOUR), 2)


@workload("30% to 33%, four players, weighted", "boards")
def four_weighted() -> Prepared:
    return comparing(0.5 * ranges(*FOUR), 2)


@workload("13% to 17%, five players", "boards")
def five_ranges() -> Prepared:
    return comparing(ranges(*FIVE), 1)


@workload("13% to 17%, five players, weighted", "boards")
def five_weighted() -> Prepared:
    return comparing(0.5 * ranges(*FIVE), 1)


@workload("15% v 30% while 15% folded", "boards")
def folded_ranges() -> Prepared:
    return comparing(ranges("15%", "30%"), 20, ranges("15%"))


@workload("22 v every two starting hands", "boards")
def three_way() -> Prepared:
    from gpuodds.backends.cuda.tables.three_way import count_three_way

    rows = boards(64)
    return lambda: count_three_way(0, (0,), rows, once(rows)), 64


@workload("22 v every starting hand, each third folded", "boards")
def heads_up_folded() -> Prepared:
    from gpuodds.backends.cuda.tables.three_way import count_folded

    rows = boards(64)
    return lambda: count_folded(0, np.arange(169), (0,), rows, once(rows)), 64


@workload("Omaha ranks", "hands")
def omaha_ranks() -> Prepared:
    cards = drawn(1 << 14, 9)
    hands, rows = (np.ascontiguousarray(part) for part in (cards[:, :4], cards[:, 4:]))
    return counting(OmahaHandRanks(hands, rows), 1 << 14)


@workload("Omaha, two hands on a turn", "boards")
def omaha_hands() -> Prepared:
    hands = np.sort([parse_cards("AsAhKsKh"), parse_cards("3c3d4c5d")], axis=1).astype(np.uint8)
    operation = OmahaKnownHands(OMAHA_HI_LO, hands, parse_cards("2s7d"), ())
    return counting(operation, 13244)


@workload("Omaha, a hand v a random one", "classes")
def omaha_random() -> Prepared:
    operation = OmahaOneRandomHand(OMAHA, parse_cards("AsAhKsKh"), parse_cards("2s7d9hTc"), ())
    return counting(operation, 13)


@workload("Omaha, a hand on all turns of a flop", "boards")
def omaha_on_turns() -> Prepared:
    flop, hand = parse_cards("2s7d9h"), parse_cards("AsAhKsKh")
    left = [card for card in range(52) if card not in {*flop, *hand}][:9]
    rows = np.array([[*flop, card] for card in left], np.uint8)
    return counting(OmahaOneRandomHandOnBoards(OMAHA, hand, flop, (), rows), 9)


def omaha_range(size: int, count: int, seed: int) -> Any:
    """Return some of all hands of a size, ascending."""
    every = combo_cards(size)
    chosen = np.random.default_rng(seed).choice(len(every), count, replace=False)
    return np.ascontiguousarray(every[np.sort(chosen)])


@workload("Omaha, two ranges of 5,000", "boards")
def omaha_ranges() -> Prepared:
    hands, rows = [omaha_range(4, 5000, player) for player in range(2)], boards(4)
    weights = [np.ones(5000)] * 2
    return counting(OmahaShowdowns(OMAHA, hands, weights, rows, once(rows), True), 4)


@workload("Omaha hi-lo, two ranges of 5,000", "boards")
def omaha_hi_lo_ranges() -> Prepared:
    hands, rows = [omaha_range(4, 5000, player) for player in range(2)], boards(4)
    return counting(OmahaBoardTotals(OMAHA_HI_LO, hands, [np.ones(5000)] * 2, rows), 4)


@workload("Omaha, two weighted ranges of 5,000", "boards")
def omaha_weighted_ranges() -> Prepared:
    hands, rows = [omaha_range(4, 5000, player) for player in range(2)], boards(4)
    weights = [np.full(5000, 0.3), np.full(5000, 0.7)]
    return counting(OmahaShowdowns(OMAHA, hands, weights, rows, once(rows), False), 4)


@workload("five-card Omaha, two ranges of 5,000", "boards")
def omaha_five_ranges() -> Prepared:
    hands, rows = [omaha_range(5, 5000, player) for player in range(2)], boards(2)
    weights = [np.ones(5000)] * 2
    return counting(OmahaShowdowns(OMAHA5, hands, weights, rows, once(rows), False), 2)


@workload("Omaha, three ranges of 20, 500 and 500", "boards")
def omaha_three_ranges() -> Prepared:
    hands, rows = [omaha_range(4, count, count) for count in (20, 500, 501)], boards(2)
    weights = [np.ones(len(own)) for own in hands]
    return counting(OmahaThreePlayers(OMAHA, hands, weights, rows, once(rows)), 2)


@workload("Omaha, monte carlo of two ranges", "deals")
def omaha_deals() -> Prepared:
    hands = [omaha_range(4, 5000, player) for player in range(2)]
    draws = plan_omaha_draws(hands, [np.ones(5000)] * 2)
    return counting(SampleOmaha(OMAHA, draws, 0, (), (), 1, 0, 1 << 15), 1 << 15)


@workload("five-card hands of decks", "decks")
def five_card_decks() -> Prepared:
    return counting(FiveCardHands(np.random.default_rng(3).integers(0, 1 << 52, 200)), 200)


def draw_spot(cards: int, most: int) -> DrawSpot:
    """Return a hand before the draw from some of the other cards."""
    own = np.array(parse_cards("4h9d4c7dQs"), np.uint8)
    deck = np.array([card for card in range(52) if card not in own][:cards], np.uint8)
    return DrawSpot(own, deck, most, rank_names("standard"))


@workload("the draw of up to three, 27 cards left", "hands")
def counted_draws() -> Prepared:
    return counting(CountDraws(draw_spot(27, 3)), 1)


@workload("the draw of up to three, drawn", "deals")
def sampled_draws() -> Prepared:
    return counting(SampleDraws(draw_spot(47, 3), False, 1 << 14, 1), 1 << 14)
