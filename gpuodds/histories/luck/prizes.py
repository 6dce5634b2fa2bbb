"""What a hand of a tournament changes in prize money: by the independent chip model of the stacks.

All who are dealt in are taken for all who are left. Prizes are not linear in chips, so an all-in counts
by every way in which its pots can be won together, each with its number of boards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE
from gpuodds.histories.hand import Hand
from gpuodds.histories.luck.entry import Amount, Entry
from gpuodds.histories.pots import Pot, split_pots
from gpuodds.methods.hands.evaluate import low_ranks, rank_hands
from gpuodds.short_stacks.icm import float_values

Array = npt.NDArray[np.int64]
CHUNK = 200_000  # boards that are ranked together


class Prize(NamedTuple):
    """What a hand changed in a player's prize money: what came, and what was to be expected."""

    result: float
    ev: float


def prizes_of(
    entry: Entry, payouts: Sequence[Fraction], *, dead_folds: bool = False
) -> tuple[Prize, ...] | None:
    """Return each player's prize money of a hand of a tournament; None for a hand of cash.

    Args:
        entry: The hand.
        payouts: The prizes from the first place on.
        dead_folds: Whether known cards of players who folded are out of the deck.

    Example:
        >>> from gpuodds.histories import EXAMPLE_HAND, ledger_entries, read_text
        >>> entry = next(ledger_entries(read_text(EXAMPLE_HAND)))
        >>> [round(prize.result, 2) for prize in prizes_of(entry, [Fraction(70), Fraction(30)])]
        [-24.81, 17.94, 6.87]
    """
    hand = entry.hand
    if hand.currency and not hand.tournament:
        return None
    before = _values(hand.stacks, hand.stacks, payouts)
    after = [stack + won for stack, won in zip(hand.stacks, entry.result, strict=True)]
    result = _values(after, hand.stacks, payouts) - before
    if entry.luck is None or entry.why or len(hand.boards) != 1:
        return tuple(Prize(float(won), float(won)) for won in result)
    put = [
        stack - bet - ante for stack, bet, ante in zip(hand.stacks, hand.live, hand.dead, strict=True)
    ]
    pots = split_pots(hand.live, hand.dead, hand.folded, hand.added)
    folds = [cards for cards, gone in zip(hand.cards, hand.folded, strict=True) if gone and cards]
    dead = [card for cards in folds for card in cards] if dead_folds else []
    ev = np.zeros(len(put))
    total = 0
    for ways, number in _ways(hand, pots, dead):
        stacks: list[Amount] = list(put)
        for pot, share in zip(pots, ways, strict=True):
            for place, part in share.items():
                stacks[place] += part * pot.size
        ev += number * _values(stacks, hand.stacks, payouts)
        total += number
    expected = ev / total - before
    return tuple(Prize(float(won), float(mean)) for won, mean in zip(result, expected, strict=True))


def _values(
    stacks: Sequence[Amount], before: Sequence[int], payouts: Sequence[Fraction]
) -> npt.NDArray[np.float64]:
    """Return what stacks are worth; who has no chips left is placed by the chips he had before."""
    left = [place for place, chips in enumerate(stacks) if chips > 0]
    values = np.zeros(len(stacks))
    values[left] = float_values([Fraction(stacks[place]) for place in left], payouts[: len(left)])
    out = [place for place in range(len(stacks)) if place not in left]
    for place in out:
        above = sum(before[other] > before[place] for other in out)
        equal = sum(before[other] == before[place] for other in out)
        first = len(left) + above
        values[place] = float(sum(payouts[first : first + equal])) / equal
    return values


def _ways(
    hand: Hand, pots: Sequence[Pot], dead: Sequence[int]
) -> list[tuple[list[dict[int, Fraction]], int]]:
    """Return how the pots of an all-in can be won together: shares, and the number of boards."""
    game, players = hand.game, len(hand.names)
    contest = [place for place, gone in enumerate(hand.folded) if not gone]
    known = {card for place in contest for card in hand.cards[place] or ()} | set(dead)
    board = hand.boards[0][: hand.seen]
    gone = {*known, *board, *game.missing}
    deck = [card for card in range(DECK_SIZE) if card not in gone]
    counts: dict[tuple[int, ...], int] = {}
    cards = np.array(deck, dtype=np.uint8)
    picked = _subsets(len(deck), game.board_cards - len(board))
    for begin in range(0, len(picked), CHUNK):
        some = cards[picked[begin : begin + CHUNK]]
        full = np.hstack([_rows(board, len(some)), some])
        ranks = [_ranks(hand, contest, full, players, rank_hands)]
        if game.has_low:
            ranks.append(_ranks(hand, contest, full, players, low_ranks))
        masks = [_masks(pot.players, some_ranks) for some_ranks in ranks for pot in pots]
        for row, number in _count_rows(masks):
            counts[row] = counts.get(row, 0) + number
    return [(_shares(pots, row), number) for row, number in counts.items()]


@lru_cache(maxsize=4)
def _subsets(size: int, picked: int) -> npt.NDArray[np.uint8]:
    """Return all sets of some of ``size`` numbers, shape (sets, picked)."""
    numbers = chain.from_iterable(combinations(range(size), picked))
    return np.fromiter(numbers, np.uint8, comb(size, picked) * picked).reshape(-1, picked)


def _rows(cards: Sequence[int], count: int) -> npt.NDArray[np.uint8]:
    return np.tile(np.array(cards, dtype=np.uint8), (count, 1))


def _count_rows(columns: Sequence[Array]) -> list[tuple[tuple[int, ...], int]]:
    """Return the rows that columns make, each with its number."""
    keys = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:  # numbered anew after each column, so that keys stay small
        values, numbers = np.unique(column, return_inverse=True)
        keys = np.unique(keys * len(values) + numbers, return_inverse=True)[1]
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    rows = np.stack([column[first] for column in columns], axis=1)
    return [(tuple(row), int(number)) for row, number in zip(rows.tolist(), counts, strict=True)]


def _ranks(
    hand: Hand,
    contest: Sequence[int],
    boards: npt.NDArray[np.uint8],
    players: int,
    rank: Callable[..., npt.NDArray[np.uint16]],
) -> Array:
    """Return the ranks on each board, shape (boards, players); -1 for who folded."""
    ranks = np.full((len(boards), players), -1, dtype=np.int64)
    for place in contest:
        hole = _rows(hand.cards[place] or (), len(boards))
        ranks[:, place] = rank(np.hstack([hole, boards]), game=hand.game)
    return ranks


def _masks(players: Sequence[int], ranks: Array) -> Array:
    """Return who of a pot's players has the best rank on each board, as bits; 0 if none is above 0."""
    some = ranks[:, list(players)]
    best = some.max(axis=1)
    bits = (some == best[:, None]) @ np.array([1 << place for place in players])
    return np.where(best > 0, bits, 0)


def _shares(pots: Sequence[Pot], masks: Sequence[int]) -> list[dict[int, Fraction]]:
    """Return the share of each pot that each player gets: half goes to the best low, if any."""
    found = []
    for number, pot in enumerate(pots):
        lows = masks[len(pots) + number] if len(masks) > len(pots) else 0
        halves = [masks[number], lows] if lows else [masks[number]]
        shares: dict[int, Fraction] = {}
        for mask in halves:
            winners = [place for place in pot.players if mask >> place & 1]
            for place in winners:
                part = Fraction(1, len(winners) * len(halves))
                shares[place] = shares.get(place, Fraction()) + part
        found.append(shares)
    return found
