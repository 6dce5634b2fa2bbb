"""Ranges counted exactly: which way is the cheapest, what it costs, and what it gives.

Two ways lead to the same integers. *Showdowns* goes through the full boards and counts, for each
holding of each player, the others' holdings that it beats or ties
(:mod:`gpuodds.backends.cpu.showdowns`); random opponents are players with every holding. *By hands*
lists the hands that the ranges can be dealt together, up to renaming the suits, and lets the engine for
known hands answer each: random opponents are cheap there, wide ranges are not.

Weights 0 and 1 give integers, others float64.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import comb, factorial, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import choose_backend
from gpuodds.backends.cpu.showdowns import count_showdowns
from gpuodds.backends.cpu.threads import thread_count
from gpuodds.backends.protocol import Progress
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.holdem.combos import COMBOS, combo_cards
from gpuodds.games.holdem.multiway import deals, unbeaten_deals
from gpuodds.games.holdem.rules import BOARD_CARDS
from gpuodds.games.holdem.symmetry import average, suit_group, weighted_boards
from gpuodds.results.result import split_outcomes
from gpuodds.spots.spot import Spot

Floats = npt.NDArray[np.float64]

MOST_SHOWDOWN_PLAYERS = 6
FULL_GROUP = 24  # all renamings of the suits
MOST_HANDS = 20_000  # combinations of hands that are worth listing

# Seconds of one core, fitted to what `python bench/pricing.py` measures; meant to be right within a
# factor of three.
SECONDS_A_CALL = 5e-4
LISTING_A_BOARD = 1e-8  # full boards, one by one
GROUPING_A_BOARD = (6e-8, 2e-8)  # into classes by renaming suits: each board, and each renaming of it
SECONDS_A_BOARD = 3e-7
# With two players, for each board:
SECONDS_A_COMBO = 1.5e-8  # ranked and sorted
SECONDS_A_DUEL = 3e-9  # counted against the other range
MADE_FACTOR = 1.3
# With more players, for each board:
SECONDS_A_SORTED_COMBO = 1.2e-8
SECONDS_A_HERO_COMBO = 1.5e-8  # of any range, for each hero: sums kept up to date
SECONDS_TO_TAKE_OUT = 2e-7  # a hero's combo, if opponents beyond two are listed
SECONDS_TO_CLOSE = 2.2e-7  # the sums of the two widest opponents
# A spot of known hands, by board cards, and by random opponents: at most 2, at most 9, more.
SECONDS_A_SPOT = (
    (0.03, 0.08, 0.8),
    (0.005, 0.07, 0.4),
    (8e-4, 0.015, 0.1),
    (2e-4, 2e-3, 0.015),
    (8e-5, 7e-4, 3e-3),
    (5e-5, 1.5e-4, 5e-4),
)


@dataclass(frozen=True)
class RangeQuestion:
    """Players with ranges, random opponents, board and dead cards.

    ``weights`` (players, 1326) float64 are 0 for holdings that share a card with the board or the dead
    cards.
    """

    weights: Floats
    opponents: int
    board: tuple[int, ...]
    dead: tuple[int, ...]

    @property
    def players(self) -> int:
        """How many players there are, random ones too."""
        return len(self.weights) + self.opponents

    @property
    def to_come(self) -> int:
        """How many board cards are to come."""
        return BOARD_CARDS - len(self.board)

    @property
    def integers(self) -> bool:
        """Whether all weights are 0 or 1, and so all counts integers."""
        return bool(np.isin(self.weights, (0.0, 1.0)).all())

    @cached_property
    def group(self) -> list[int]:
        """The renamings of the suits that change nothing: see :func:`suit_group`."""
        return suit_group(self.weights, self.board, self.dead)

    def with_random(self) -> Floats:
        """Return the weights of all players, those of the random opponents last."""
        if not self.opponents:
            return self.weights
        cards = combo_cards().astype(np.int64)
        known = sum(1 << card for card in (*self.board, *self.dead))
        free = ((1 << cards[:, 0] | 1 << cards[:, 1]) & known) == 0
        return np.vstack([self.weights, *[free.astype(np.float64)] * self.opponents])


@dataclass(frozen=True)
class RangeCounts:
    """What a question counts up to.

    ``outcomes`` are boards times deals, the order of random opponents ignored. ``shared[p][t]`` are
    those in which player p is best together with exactly t others. ``winners``, without random
    opponents, are outcomes by the set of best players, a mask. ``by_combo`` (players, 1326, all
    players) are ``shared`` of each holding, its own weight left out, and ``dealt`` (players, 1326) all
    outcomes with it; None unless they were asked for. ``made`` (players, 9, all players + 1) float64
    are outcomes by the category of a player's final hand: ``shared``, and in the last column all.
    """

    outcomes: Any
    shared: list[list[Any]]
    winners: dict[int, Any] | None
    by_combo: Any = None
    dealt: Any = None
    made: Any = None


def estimate_seconds(
    question: RangeQuestion, by_combo: bool, made: bool = False, threads: int | None = None
) -> dict[str, float]:
    """Estimate how long each method of counting takes.

    Args:
        question: What is to be counted.
        by_combo: Whether each combo's counts are wanted.
        made: Whether the categories of the final hands are wanted.
        threads: Threads that count; those of this process by default.

    Returns:
        Seconds by method, "showdowns" or "hands"; a method that cannot answer is left out.
    """
    ways: dict[str, float] = {}
    threads = threads or thread_count()
    weights = question.with_random()
    sizes = sorted(int(size) for size in np.count_nonzero(weights, axis=1))
    if question.players <= MOST_SHOWDOWN_PLAYERS and _fits(question, sizes):
        active = int(np.count_nonzero(weights.any(axis=0)))
        listing, boards = _price_boards(question)
        if question.players == 2:
            work = SECONDS_A_COMBO * active + SECONDS_A_DUEL * sum(sizes)
            work *= MADE_FACTOR if made else 1.0
        else:
            heroes = len(sizes) if by_combo or made else len(sizes) - 1
            work = (SECONDS_A_SORTED_COMBO + SECONDS_A_HERO_COMBO * heroes) * active
            work += sum(_price_hero(sizes, hero, made) for hero in range(heroes))
        counting = boards * (SECONDS_A_BOARD + work) / threads
        ways["showdowns"] = SECONDS_A_CALL + listing + counting
    if question.opponents and not made:
        hands = 1.0
        for size in np.count_nonzero(question.weights, axis=1):
            hands *= float(size)
        if hands <= MOST_HANDS:
            group = suit_group(np.zeros((1, COMBOS)), question.board, question.dead)
            price = SECONDS_A_SPOT[len(question.board)][bisect_left((2, 9), question.opponents)]
            ways["hands"] = max(1.0, 1.5 * hands / len(group)) * price / threads
    return ways


def _price_boards(question: RangeQuestion) -> tuple[float, float]:
    # Seconds to list the boards, and how many are left of them.
    every = comb(DECK_SIZE - len(question.board) - len(question.dead), question.to_come)
    group = len(question.group)
    if group == FULL_GROUP and not question.board and not question.dead:
        return 0.0, every / group  # kept from call to call
    each, renamed = GROUPING_A_BOARD if group > 1 else (0.0, 0.0)
    return every * (LISTING_A_BOARD + each + renamed * group), every / group


def _price_hero(sizes: list[int], hero: int, made: bool) -> float:
    # Of the listed opponents those combos count that do not beat the hero's: of n lists 1 / (n + 1) on
    # average. Made hands list all of them once more.
    lists = (sizes[:hero] + sizes[hero + 1 :])[:-2]
    visits = (1 / (len(lists) + 1) + made) * prod(lists)
    return sizes[hero] * (SECONDS_TO_TAKE_OUT * bool(lists) + SECONDS_TO_CLOSE * visits)


def _fits(question: RangeQuestion, sizes: list[int]) -> bool:
    # A holding's counts over all boards must fit 63 bits, those of one board 53.
    tuples = 1
    for size in sizes[1:]:
        tuples *= size
    boards = comb(DECK_SIZE - len(question.board) - len(question.dead), question.to_come)
    return tuples < 1 << 53 and tuples * boards < 1 << 63


def count(
    question: RangeQuestion,
    way: str,
    by_combo: bool,
    backend: str,
    progress: Progress | None,
    made: bool = False,
) -> tuple[RangeCounts, str]:
    """Count a question in one of the ways of :func:`estimate_seconds`; also returns the backend."""
    if way == "hands":
        return _count_by_hands(question, by_combo, backend, progress)
    return _count_showdowns(question, by_combo, made, progress), "cpu"


def _count_showdowns(
    question: RangeQuestion, by_combo: bool, made: bool, progress: Progress | None
) -> RangeCounts:
    weights = question.with_random()
    players = len(weights)
    group = question.group
    boards, times = weighted_boards(question.board, question.dead, group)
    heroes = list(range(players))
    if not (by_combo or made) and players > 2:
        # The widest range is left out: what nobody else wins or splits is won by it alone.
        heroes.remove(max(heroes, key=lambda player: np.count_nonzero(weights[player])))
    counted, by_category = count_showdowns(weights, boards, times, heroes, progress, made)
    no_board = np.zeros((1, 0), np.uint8), np.ones(1, np.int64)
    all_tie = count_showdowns(weights, *no_board, heroes)[0][:, :, -1]
    cards_left = DECK_SIZE - len(question.board) - len(question.dead) - 2 * players
    fillings = comb(cards_left, question.to_come) if cards_left >= 0 else 0
    own = weights[heroes]
    if counted.dtype.kind == "i":
        own = own.astype(np.int64)
    outcomes = _total(own[0] * all_tie[0]) * fillings
    by_mask: dict[int, Any] = {}
    for place, hero in enumerate(heroes):
        others = [player for player in range(players) if player != hero]
        for split in range(1 << players - 1):
            mask = 1 << hero
            for bit, player in enumerate(others):
                mask |= (split >> bit & 1) << player
            if mask not in by_mask:
                by_mask[mask] = _total(own[place] * counted[place, :, split])
    for player in set(range(players)) - set(heroes):
        by_mask[1 << player] = outcomes - sum(by_mask.values())
    orders = factorial(question.opponents)
    outcomes = _divide(outcomes, orders)
    shared = [[0 * outcomes] * players for _ in question.weights]
    for mask, deals_ in by_mask.items():
        for player in range(len(question.weights)):
            if mask >> player & 1:
                shared[player][mask.bit_count() - 1] += deals_
    shared = [[_divide(value, orders) for value in row] for row in shared]
    winners = None if question.opponents else {m: n for m, n in sorted(by_mask.items()) if n}
    hands = _by_category(by_category, len(question.weights), players) / orders if made else None
    if not by_combo:
        return RangeCounts(outcomes, shared, winners, made=hands)
    held: Any = np.zeros((len(question.weights), COMBOS, players), counted.dtype)
    for split in range(1 << players - 1):
        held[:, :, split.bit_count()] += counted[: len(question.weights), :, split]
    held = average(held, group)
    dealt = all_tie[: len(question.weights)] * fillings
    if orders > 1:
        held = held // orders if held.dtype.kind == "i" else held / orders
        dealt = dealt // orders if dealt.dtype.kind == "i" else dealt / orders
    return RangeCounts(outcomes, shared, winners, held, dealt, hands)


def _by_category(counted: Floats, named: int, players: int) -> Floats:
    # From who splits to with how many.
    masks = counted.shape[2] - 1
    hands = np.zeros((named, counted.shape[1], players + 1))
    hands[:, :, players] = counted[:named, :, masks]
    for split in range(masks):
        hands[:, :, split.bit_count()] += counted[:named, :, split]
    return hands


def _total(values: Any) -> Any:
    # Python integers do not overflow; floats are summed without losing anything on the way.
    if values.dtype.kind == "i":
        return sum(values.tolist())
    from math import fsum

    return fsum(values.tolist())


def _divide(value: Any, by: int) -> Any:
    return value // by if isinstance(value, int) else value / by


def _count_by_hands(
    question: RangeQuestion, by_combo: bool, backend: str, progress: Progress | None
) -> tuple[RangeCounts, str]:
    chosen = choose_backend(backend)
    classes = _classes_of_hands(question)
    ranges = len(question.weights)
    players = question.players
    if not classes:
        raise ImpossibleDeal
    keys = list(classes)
    spots = [
        Spot(tuple((h >> 6, h & 63) for h in key), question.opponents, question.board, question.dead)
        for key in keys
    ]
    found = chosen.matching_counts(spots, question.opponents, progress)
    per_deal = spots[0].outcomes
    outcomes: Any = 0
    shared: list[list[Any]] = [[0] * players for _ in range(ranges)]
    held = np.zeros((ranges, COMBOS, players), object) if by_combo else None
    dealt = np.zeros((ranges, COMBOS), object) if by_combo else None
    for key, spot, sums in zip(keys, spots, found, strict=True):
        unbeaten = {mask: unbeaten_deals(counts, question.opponents) for mask, counts in sums.items()}
        answers = split_outcomes(spot, unbeaten)
        weight, members = classes[key]
        outcomes += weight * per_deal
        for player, answer in enumerate(answers):
            counts = [answer.win_outcomes, *answer.tie_outcomes]
            for others, value in enumerate(counts):
                shared[player][others] += weight * value
            if held is not None and dealt is not None:
                for holdings, of_others in members:
                    h = holdings[player]
                    dealt[player, h] += of_others[player] * per_deal
                    for others, value in enumerate(counts):
                        held[player, h, others] += of_others[player] * value
    return RangeCounts(outcomes, shared, None, held, dealt), chosen.name


def _classes_of_hands(question: RangeQuestion) -> dict[tuple[int, ...], Any]:
    # Combinations of hands that can be dealt together, by what they are up to renaming the suits that
    # board and dead cards do not tell apart. Each class has its weight, and its members: holdings, and
    # for each player the weight of the others' holdings.
    integers = question.integers
    cards = combo_cards().tolist()
    group = suit_group(np.zeros((1, COMBOS)), question.board, question.dead)
    names = [name for number, name in enumerate(permutations(range(4))) if number in set(group)]
    renamed = [[4 * (c >> 2) + name[c & 3] for c in range(DECK_SIZE)] for name in names]
    classes: dict[tuple[int, ...], Any] = {}
    lists = [np.flatnonzero(row).tolist() for row in question.weights]

    def enter(holdings: list[int]) -> None:
        least = min(
            tuple(max(to[a], to[b]) << 6 | min(to[a], to[b]) for a, b in (cards[h] for h in holdings))
            for to in renamed
        )
        given = [question.weights[player, h] for player, h in enumerate(holdings)]
        if integers:
            given = [int(weight) for weight in given]
        whole: Any = 1
        for weight in given:
            whole *= weight
        of_others = [whole / weight if not integers else 1 for weight in given]
        entry = classes.setdefault(least, [0, []])
        entry[0] += whole
        entry[1].append((tuple(holdings), of_others))

    def extend(holdings: list[int], used: int) -> None:
        if len(holdings) == len(lists):
            enter(holdings)
            return
        for h in lists[len(holdings)]:
            bits = 1 << cards[h][0] | 1 << cards[h][1]
            if not used & bits:
                extend([*holdings, h], used | bits)

    extend([], 0)
    return classes


def count_deals(question: RangeQuestion) -> int:
    """Return in how many ways random opponents are dealt once the ranges' hands and the board lie."""
    unseen = DECK_SIZE - len(question.board) - len(question.dead) - 2 * len(question.weights)
    return deals(unseen - question.to_come, question.opponents)
