"""Standings against opponents by counting: every deal of their hands, on every runout.

A hand is worse, tied or better than the hand that is bet on, or it shares a card with the runout. For
the two seats with the most hands these states are two matrices of 0 and 1, a row for a hand and a
state, a column for a runout; their product counts the runouts of every two hands and states. The hands
of the other seats are dealt one by one, and the runouts sorted by their states. Counts are whole
numbers, exact as floats; weights become integers, as every float is a whole number of some power of
two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import inf, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.betting.question import has_own_cards, own_cards
from gpuodds.betting.standings.dealt import BETTER, TIED, WORSE, Deals, rank_on, seat_hands
from gpuodds.errors import ImpossibleDeal
from gpuodds.spots.spot import HeldHands, Spot

COUNTED = "exact"  # the name of the method
STATES = (WORSE, TIED, BETTER)
CLASH = 3  # the hand shares a card with the runout

LONG = 1 << 13  # runouts, from which on pairs of hands are compared one by one
HANDS_ON_RUNOUTS = 1 << 21  # ranked at once; their counts are exact in a float32
# Seconds: to rank a hand; to compare it with the player's, for each deal of the other seats; to
# multiply two states; to begin with the runouts of some states; to add up a pair of hands, and one of
# weights.
RANKED_HAND, RANKED_OMAHA_HAND, STATE_OF_HAND = 6e-8, 1e-7, 5e-9
PRODUCT, CALL, PAIR_OF_HANDS, PAIR_OF_WEIGHTS = 4e-11, 1e-4, 1.5e-8, 3e-7
# Seconds to sort one state of the seats into the pots of some callers; about the most states that come.
SORTED_STATE, MANY_STATES = 5e-6, 1000

Bits = npt.NDArray[np.int64]
States = npt.NDArray[np.uint8]


class _Hands(NamedTuple):
    """The hands of a seat, those of equal weight together."""

    cards: npt.NDArray[np.uint8]
    bits: Bits
    kinds: npt.NDArray[np.int64]  # the place of each hand's weight
    weights: list[int]


class _Others(NamedTuple):
    """A deal of the seats that are dealt one by one."""

    chosen: tuple[int, ...]
    bits: int
    weight: int


def deal_counting_seconds(spot: Spot) -> float:
    """Estimate the seconds to count every deal of a spot; infinity beyond an hour.

    Args:
        spot: The hand, and two or more opponents.
    """
    second, first = sorted(spot.sizes[1:])[-2:]
    deals_of_others = prod(sorted(spot.sizes[1:])[:-2])
    ranked = RANKED_HAND if spot.game.hole_cards == 2 else RANKED_OMAHA_HAND
    runouts, hands = spot.boards, 1 + sum(spot.sizes[1:])
    seconds = ranked * runouts * hands
    compared = runouts * (STATE_OF_HAND * hands + 18 * PRODUCT * first * second)
    if seconds + deals_of_others * compared > 3600:
        return inf
    kinds = sorted(len(np.unique(held.weights)) for held in spot.held_by_all[1:])[-2:]
    parts = -(-runouts // _runouts_at_once(hands)) * min(3 ** (len(spot.sizes) - 3), runouts)
    added = CALL + 9 * (PAIR_OF_HANDS * first * second + PAIR_OF_WEIGHTS * prod(kinds))
    each = float(seconds + deals_of_others * (compared + parts * added))
    return each * spot.sizes[0]


def sorting_seconds(opponents: int) -> float:
    """Estimate the seconds to sort counted deals into the pots of some opponents."""
    return float(SORTED_STATE * 2**opponents * min(3**opponents, MANY_STATES))


def count_deals(spot: Spot, order: Sequence[int], progress: Progress | None = None) -> Deals:
    """Count every deal of the opponents' hands and of the rest of the board, by the seats' states.

    Args:
        spot: The hand, two or more opponents with hands, ranges or any cards, the board and dead cards.
        order: The place of each seat among the opponents.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        The sum of the products of the weights of the hands in each deal, as integers in proportion.

    Raises:
        ImpossibleDeal: The ranges leave one another no cards.
    """
    if progress is not None:
        progress(0.0)
    if has_own_cards(spot):
        return Deals(dict(sorted(_count_deals(spot, order, progress).items())))
    own, total = spot.held[0], Counter[tuple[int, ...]]()
    weights, _ = _as_integers(own.weights)
    pairs = list(zip(own.cards.tolist(), weights, strict=True))
    for number, (cards, weight) in enumerate(pairs):
        of_hand = replace(spot, hands=(tuple(cards), *spot.hands[1:]))
        with suppress(ImpossibleDeal):
            counts = _count_deals(of_hand, order, None)
            total.update({state: count * weight for state, count in counts.items()})
        if progress is not None:
            progress((number + 1) / len(pairs))
    if not any(total.values()):
        raise ImpossibleDeal("the ranges leave one another no cards")
    return Deals(dict(sorted(total.items())))


def _count_deals(
    spot: Spot, order: Sequence[int], progress: Progress | None
) -> dict[tuple[int, ...], int]:
    """Count the deals of a hand; the integers are in the same proportion for every hand of a range.

    Raises:
        ImpossibleDeal: The hand leaves the ranges, or they leave one another, no cards.
    """
    held = seat_hands(spot, order)
    every = (spot.held_by_all[1 + place].weights for place in order)
    seats = [_sorted(own, weights) for own, weights in zip(held, every, strict=True)]
    # The two seats with the most hands come last.
    by_size = sorted(range(len(seats)), key=lambda seat: len(seats[seat].bits))
    hands = [seats[seat] for seat in by_size]
    deck = [card for card in range(52) if card not in spot.known]
    runouts = _combinations(deck, spot.to_come)
    step = _runouts_at_once(1 + sum(len(own.bits) for own in hands))
    counts_of: Counter[tuple[int, ...]] = Counter()
    whole = prod(len(own.bits) for own in hands[:-2])
    for first in range(0, len(runouts), step):
        some = runouts[first : first + step]
        states = _states(spot, hands, some)
        for number, dealt in enumerate(_other_deals(hands[:-2]), 1):
            _add(counts_of, hands, states, dealt)
            if progress is not None:
                progress((first + len(some) * number / whole) / len(runouts))
    places = [by_size.index(seat) for seat in range(len(seats))]
    counts = {tuple(state[place] for place in places): count for state, count in counts_of.items()}
    if not any(counts.values()):
        raise ImpossibleDeal("the ranges leave one another no cards")
    return counts


def _runouts_at_once(hands: int) -> int:
    return max(1, HANDS_ON_RUNOUTS // hands)


def _sorted(held: HeldHands, every: npt.NDArray[np.float64]) -> _Hands:
    """Return the hands of a seat by weight, of which ``every`` has those of all hands of its range."""
    by_weight = np.argsort(held.weights, kind="stable")
    weights, kinds = np.unique(held.weights, return_inverse=True)
    _, scale = _as_integers(every)
    cards, whole = held.cards[by_weight], [int(Fraction(weight) * scale) for weight in weights.tolist()]
    return _Hands(cards, _bits(cards), kinds[by_weight], whole)


def _as_integers(weights: npt.NDArray[np.float64]) -> tuple[list[int], int]:
    """Return weights as integers in the same proportion, and the factor."""
    exact = [Fraction(weight) for weight in weights.tolist()]
    scale = max(weight.denominator for weight in exact)  # powers of two
    return [int(weight * scale) for weight in exact], scale


def _bits(cards: npt.NDArray[np.uint8]) -> Bits:
    bits: Bits = (1 << cards.astype(np.int64)).sum(axis=1)
    return bits


def _combinations(cards: Sequence[int], size: int) -> npt.NDArray[np.uint8]:
    """Return every set of ``size`` cards, shape (sets, size), ascending places in each row."""
    rows = np.zeros((1, 0), np.int64)
    for _ in range(size):
        last = rows[:, -1] if rows.shape[1] else np.full(len(rows), -1)
        more = len(cards) - 1 - last
        before = np.cumsum(more) - more
        added = np.arange(more.sum()) - np.repeat(before, more) + np.repeat(last + 1, more)
        rows = np.column_stack([np.repeat(rows, more, axis=0), added])
    return np.array(cards, np.uint8)[rows]


def _states(spot: Spot, hands: Sequence[_Hands], runouts: npt.NDArray[np.uint8]) -> list[States]:
    """Return the state of each hand of each seat on each runout, arrays of shape (hands, runouts)."""
    board_cards, ours_cards = (np.array(cards, np.uint8) for cards in (spot.board, own_cards(spot)))
    boards = np.concatenate([np.tile(board_cards, (len(runouts), 1)), runouts], axis=1)
    ours = rank_on(np.tile(ours_cards, (len(boards), 1)), boards, spot.game)
    taken, by_seat = _bits(runouts), []
    for cards, bits, *_ in hands:
        states = np.full((len(bits), len(runouts)), CLASH, np.uint8)
        hand, board = np.nonzero((bits[:, None] & taken) == 0)
        theirs, mine = rank_on(cards[hand], boards[board], spot.game), ours[board]
        states[hand, board] = np.where(theirs < mine, WORSE, np.where(theirs == mine, TIED, BETTER))
        by_seat.append(states)
    return by_seat


def _other_deals(hands: Sequence[_Hands]) -> Iterator[_Others]:
    """Yield every deal of a hand to each of these seats."""
    if not hands:
        yield _Others((), 0, 1)
        return
    *fewer, last = hands
    for chosen, used, weight in _other_deals(fewer):
        for place in np.flatnonzero((last.bits & used) == 0).tolist():
            more = last.weights[last.kinds[place]]
            yield _Others((*chosen, place), used | int(last.bits[place]), weight * more)


def _add(
    counts_of: Counter[tuple[int, ...]],
    hands: Sequence[_Hands],
    states: Sequence[States],
    dealt: _Others,
) -> None:
    """Add the weights of the deals with some hands of the other seats to ``counts_of``, by state."""
    fixed = [row[place] for row, place in zip(states, dealt.chosen, strict=False)]
    free = [np.flatnonzero((own.bits & dealt.bits) == 0) for own in hands[-2:]]
    kept = [own[hand] for own, hand in zip(states[-2:], free, strict=True)]
    first_bits, second_bits = (own.bits[hand] for own, hand in zip(hands[-2:], free, strict=True))
    apart = (first_bits[:, None] & second_bits) == 0
    if not apart.any():
        return
    sums = [_Sums(seat.kinds[hand], seat.weights) for seat, hand in zip(hands[-2:], free, strict=True)]
    for state, columns in _by_state(fixed, kept[0].shape[1]):
        pairs = _count_pairs(*(some[:, columns] for some in kept))
        counts = pairs.reshape(3, len(first_bits), 3, len(second_bits)) * apart[None, :, None, :]
        by_first = np.add.reduceat(counts, sums[0].starts, axis=1, dtype=np.float64)
        by_both = np.add.reduceat(by_first, sums[1].starts, axis=3).astype(np.int64).astype(object)
        total = ((by_both * sums[1].of_kind).sum(axis=3) * sums[0].of_kind[:, None]).sum(axis=1)
        for (first, second), weight in np.ndenumerate(total):
            if weight:
                counts_of[(*state, first, second)] += dealt.weight * int(weight)


class _Sums:
    """Where the hands of each weight begin, and these weights."""

    def __init__(self, kinds: npt.NDArray[np.int64], weights: Sequence[int]) -> None:
        self.starts = np.flatnonzero(np.diff(kinds, prepend=-1))
        self.of_kind = np.array([weights[kind] for kind in kinds[self.starts].tolist()], object)


def _by_state(
    fixed: Sequence[States], runouts: int
) -> Iterator[tuple[tuple[int, ...], slice | npt.NDArray[np.int64]]]:
    """Yield the states of the other seats' hands, and the runouts on which they have these states."""
    if not fixed:
        yield (), slice(None)
        return
    rows = np.array(fixed)
    kept = np.flatnonzero((rows != CLASH).all(axis=0))
    if not len(kept):
        return
    code = np.zeros(len(kept), np.int64)
    for row in rows:
        code = 3 * code + row[kept]
    by_code = np.argsort(code, kind="stable")
    starts = np.flatnonzero(np.diff(code[by_code], prepend=-1))
    for columns in np.split(kept[by_code], starts[1:]):
        yield tuple(rows[:, columns[0]].tolist()), columns


def _count_pairs(a: States, b: States) -> npt.NDArray[np.float32]:
    """Return the number of runouts for each state and hand of one seat, and each of another.

    Args:
        a: The state of each hand of the first seat on each runout, shape (hands, runouts).
        b: That of the second seat's.

    Returns:
        Whole numbers, shape (3 x hands of the first, 3 x hands of the second).
    """
    first, second = (np.concatenate([states == state for state in STATES]) for states in (a, b))
    if a.shape[1] < LONG:
        product: npt.NDArray[np.float32] = first.astype(np.float32) @ second.T.astype(np.float32)
        return product
    # The threads of a product wait for each other every few hundred runouts, long on a busy machine.
    counts = np.empty((len(first), len(second)), np.float32)
    for place, row in enumerate(first):
        counts[place] = [np.count_nonzero(row & other) for other in second]
    return counts
