"""Two ranges on two boards: pair by pair of their hands, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import comb, fsum
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import run_operation
from gpuodds.backends.counts import Progress, part_of
from gpuodds.backends.operations.double_boards import PairsOnTwoBoards, pair_seconds
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.boards import subsets
from gpuodds.methods.double_boards.known_hands import RANKED, count_known, known_seconds
from gpuodds.methods.double_boards.ranks import ROWS, card_sets, rank_rows
from gpuodds.results.player_equity import Count
from gpuodds.spots.double_board import DoubleBoardSpot
from gpuodds.spots.spot import HeldHands

UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]
Winners = Mapping[tuple[int, int], Count]

MOST_TO_COME = 2  # on each board, for pairs that are compared together
MAX_PAIRS = 20_000  # whose classes are found
MAX_RANKS = 1 << 27  # numbers of ranks kept, 256 MB
PIECE = 1 << 21  # pairs compared at once
LOSS, WIN, TIE = 0b10, 0b01, 0b11  # the winners, a mask
RENAMINGS = list(permutations(range(4)))

Pair = tuple[tuple[int, ...], tuple[int, ...]]


def seconds_of(spot: DoubleBoardSpot, threads: int, limit: float) -> float | None:
    """Estimate how long the CPU takes; None if the spot is not counted.

    Args:
        spot: Two players, one or both with a range.
        threads: The threads that count.
        limit: Seconds beyond which a lower bound will do.
    """
    first, second = spot.single[0].held
    deck = len(spot.deck())
    if spot.to_come[0] == spot.to_come[1] <= MOST_TO_COME:
        size = spot.to_come[0]
        hands = len(first.numbers) + len(second.numbers)
        if 2 * hands * deck**size > MAX_RANKS:
            return None
        pairs = len(first.numbers) * len(second.numbers)
        ranking = 2 * hands * comb(deck, size) * RANKED[spot.game.hole_cards]
        return ranking + pairs * pair_seconds(deck, size) / threads
    pairs = len(first.numbers) * len(second.numbers)
    if pairs > MAX_PAIRS:
        return None
    each = known_seconds(spot.game, 2, deck - 2 * spot.game.hole_cards, spot.to_come)
    # A renaming of suits turns a pair into at most as many others; most pairs share no card.
    least = pairs / (2 * len(RENAMINGS)) * each
    return least if least > limit else len(_classes(spot)) * each


def count_ranges(
    spot: DoubleBoardSpot, backend: str, progress: Progress | None = None
) -> tuple[Winners, Count, str]:
    """Count the deals of two ranges and both boards by the winners on each.

    Args:
        spot: Two players, one or both with a range.
        backend: The backend to use.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        The deals by winners, all deals, and the backend that counted: integers if all weights are 0 or
        1, else floats.
    """
    if spot.to_come[0] == spot.to_come[1] <= MOST_TO_COME:
        return _count_together(spot, backend, progress)
    return _count_one_by_one(spot, backend, progress)


def _count_together(
    spot: DoubleBoardSpot, backend: str, progress: Progress | None
) -> tuple[Winners, Count, str]:
    held, size = spot.single[0].held, spot.to_come[0]
    deck, is_whole = spot.deck(), spot.single[0].has_integer_weights
    ranks = [_rank_all(spot, hands, deck, backend) for hands in held]
    first, second = held
    weights = second.weights.astype(np.int64) if is_whole else second.weights
    masks = [card_sets(hands.cards) for hands in held]
    runouts = comb(len(deck) - 2 * spot.game.hole_cards, size)
    after = comb(len(deck) - 2 * spot.game.hole_cards - size, size)
    totals: list[list[Any]] = []
    whole: list[Any] = []
    step, name = max(1, PIECE // len(second.numbers)), "cpu"
    for begin in range(0, len(first.numbers), step):
        rows = slice(begin, begin + step)
        operation = PairsOnTwoBoards(ranks[0][:, rows], ranks[1], len(deck), size)
        (counts, name) = run_operation(operation, backend)
        apart = (masks[0][rows, None] & masks[1][None, :]) == 0
        counts = counts.astype(np.int64) * apart[:, :, None]
        summed = np.einsum("hok,o->hk", counts, weights)
        own = first.weights[rows].astype(np.int64) if is_whole else first.weights[rows]
        totals += (summed * own[:, None]).tolist()
        whole += ((apart @ weights) * own).tolist()
        if progress is not None:
            progress(min(begin + step, len(first.numbers)) / len(first.numbers))
    add = sum if is_whole else fsum
    wins, ties, wins2, ties2, ww, wt, tw, tt = (add(column) for column in zip(*totals, strict=True))
    outcomes = add(whole) * runouts * after
    # Each runout of a board goes with as many of the other.
    w_any, t_any, any_w, any_t = (value * after for value in (wins, ties, wins2, ties2))
    joint = {
        (WIN, WIN): ww,
        (WIN, TIE): wt,
        (TIE, WIN): tw,
        (TIE, TIE): tt,
        (WIN, LOSS): w_any - ww - wt,
        (TIE, LOSS): t_any - tw - tt,
        (LOSS, WIN): any_w - ww - tw,
        (LOSS, TIE): any_t - wt - tt,
    }
    joint[LOSS, LOSS] = outcomes - add(list(joint.values()))
    return {key: count for key, count in joint.items() if count}, outcomes, name


def _rank_all(spot: DoubleBoardSpot, held: HeldHands, deck: tuple[int, ...], backend: str) -> UInt16s:
    """Return the ranks of hands on the runouts of both boards: see the operation."""
    size = spot.to_come[0]
    places = subsets(len(deck), size)
    dealt = np.array(deck, np.uint8)[places] if size else np.zeros((1, 0), np.uint8)
    hand, runout = np.nonzero((card_sets(held.cards)[:, None] & card_sets(dealt)[None, :]) == 0)
    powers = len(deck) ** np.arange(size, dtype=np.int64)
    columns = [order.astype(np.int64) @ powers for order in (places, places[:, ::-1])]
    ranks = np.zeros((2, len(held.numbers), len(deck) ** size), np.uint16)
    for place, board in enumerate(spot.boards):
        known = np.broadcast_to(np.array(board, np.uint8), (len(dealt), len(board)))
        full = np.concatenate([known, dealt], axis=1)
        for begin in range(0, len(hand), ROWS):
            rows = slice(begin, begin + ROWS)
            of, on = hand[rows], runout[rows]
            ranked, _ = rank_rows(spot.game, held.cards[of], full[on], backend)
            for column in columns:
                ranks[place, of, column[on]] = ranked
    return ranks


def _count_one_by_one(
    spot: DoubleBoardSpot, backend: str, progress: Progress | None
) -> tuple[Winners, Count, str]:
    is_whole = spot.single[0].has_integer_weights
    classes = _classes(spot)
    counted: dict[tuple[int, int], list[Any]] = {}
    whole: list[Any] = []
    name = "cpu"
    for done, (hands, weight) in enumerate(classes.items()):
        times = int(weight) if is_whole else float(weight)
        deck = spot.deck([*hands[0], *hands[1]])
        part = part_of(progress, done / len(classes), 1 / len(classes))
        winners, name = count_known(spot.game, hands, spot.boards, deck, backend, part)
        for key, count in winners.items():
            counted.setdefault(key, []).append(times * count)
        whole.append(times * sum(winners.values()))
    add = sum if is_whole else fsum
    return {key: add(counts) for key, counts in counted.items()}, add(whole), name


@lru_cache(1)  # asked for the price, then for the count
def _classes(spot: DoubleBoardSpot) -> dict[Pair, Fraction]:
    """Return the pairs of disjoint hands, one for all that a renaming of suits turns into each other.

    Returns:
        The sum of the weights of each class, the product of the weights of a pair's hands.
    """
    known = {*spot.boards[0], *spot.boards[1], *spot.dead}
    boards = [frozenset(board) for board in spot.boards]
    renamings = []
    for suits in RENAMINGS:
        rename = [4 * (card >> 2) + suits[card & 3] for card in range(DECK_SIZE)]
        same = all(frozenset(rename[card] for card in board) == board for board in boards)
        if same and {rename[card] for card in known} == known:
            renamings.append(rename)
    classes: dict[Pair, Fraction] = {}
    for pair, weight in _pairs(spot):
        least = min(
            tuple(tuple(sorted(rename[card] for card in hand)) for hand in pair) for rename in renamings
        )
        key: Pair = (least[0], least[1])
        classes[key] = classes.get(key, Fraction(0)) + weight
    return classes


def _pairs(spot: DoubleBoardSpot) -> Iterator[tuple[Pair, Fraction]]:
    first, second = spot.single[0].held
    others = [
        (tuple(hand), weight)
        for hand, weight in zip(second.cards.tolist(), second.weights.tolist(), strict=True)
    ]
    for hand, weight in zip(first.cards.tolist(), first.weights.tolist(), strict=True):
        for other, other_weight in others:
            if not {*hand} & {*other}:
                yield (tuple(hand), other), Fraction(weight) * Fraction(other_weight)
