"""Standings against opponents with ranges, by dealing.

Where ranges differ, the odds against each do not determine how several pots come out together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from gpuodds.backends.protocol import Progress
from gpuodds.betting.odds import Odds, Standing
from gpuodds.betting.pots import Seats
from gpuodds.betting.question import DEFAULT_SAMPLES, BetOptions, own_hand
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.holdem.combos import combo_cards
from gpuodds.games.holdem.rules import BOARD_CARDS
from gpuodds.methods.evaluate import rank_hands
from gpuodds.spots.spot import Spot

BATCHES = 16  # that the deals come in; their spread is the error
ATTEMPTS = 1 << 16  # deals tried at once
MIN_KEPT = 1e-6  # of the deals tried: fewer mean that the ranges hardly leave one another cards
WORSE, TIED, BETTER = range(3)


@dataclass(frozen=True)
class Deals:
    """How often each combination of the seats' states (worse, tied or better) was dealt."""

    states: dict[tuple[int, ...], int]

    def joint(self, contesting: Sequence[Seats]) -> list[Standing]:
        """Return the standings of pots that these seats contest, by how often they were dealt."""
        counts: Counter[tuple[Fraction, ...]] = Counter()
        for state, count in self.states.items():
            counts[tuple(_share([state[seat] for seat in seats]) for seats in contesting)] += count
        all_deals = sum(self.states.values())
        return [Standing(Fraction(count, all_deals), shares) for shares, count in counts.items()]

    def odds(self) -> Odds:
        """Return the odds against all seats."""
        seats = len(next(iter(self.states)))
        split = [0] * (seats + 1)
        for state, count in self.states.items():
            if BETTER not in state:
                split[state.count(TIED)] += count
        all_deals = sum(self.states.values())
        return Odds(tuple(Fraction(count, all_deals) for count in split))


def dealing_seconds(opponents: int, samples: int) -> float:
    """Estimate the seconds to draw deals against ``opponents`` players and sort them into pots."""
    # Measured: each opponent is dealt cards, and may fold or stay, and win, tie or lose.
    return (0.25 * opponents + 0.0015 * 4.0**opponents) * samples / DEFAULT_SAMPLES


def together(batches: Sequence[Deals]) -> Deals:
    """Return the deals of all batches."""
    states: Counter[tuple[int, ...]] = Counter()
    for batch in batches:
        states.update(batch.states)
    return Deals(dict(states))


def deal_batches(spot: Spot, order: Sequence[int], options: BetOptions) -> list[Deals]:
    """Deal cards to each seat by its range, and the board, ``options.samples`` times, in batches.

    Args:
        spot: The hand, a hand or range for each of two or more opponents, the board and the dead cards.
        order: The place of each seat among the opponents.
        options: How many deals to draw, by which seed, and what to call with the fraction done.

    Raises:
        InputError: The ranges leave each other no cards, or hardly any.
    """
    hand, board, dead, progress = own_hand(spot), spot.board, spot.dead, options.progress
    seats = tuple(spot.hands[1 + place] for place in order)
    weights = Spot(seats, 0, board, (*dead, *hand)).weights
    rows = weights / weights.sum(axis=1, keepdims=True)
    draw = np.random.Generator(np.random.Philox(options.seed or 0))
    known = sum(1 << card for card in (*hand, *board, *dead))
    size = -(-options.samples // BATCHES)
    batches = []
    for number in range(BATCHES):

        def advance(share: float, before: int = number) -> None:
            if progress is not None:
                progress((before + share) / BATCHES)

        batches.append(Deals(_deal(draw, rows, hand, board, known, size, advance)))
    return batches


def _deal(
    draw: np.random.Generator,
    rows: npt.NDArray[np.float64],
    hand: tuple[int, ...],
    board: tuple[int, ...],
    known: int,
    size: int,
    advance: Progress,
) -> dict[tuple[int, ...], int]:
    cards_of = combo_cards().astype(np.int64)
    bits_of = (1 << cards_of).sum(axis=1)
    found: Counter[int] = Counter()
    kept = tried = 0
    while kept < size:
        if tried > 20 * ATTEMPTS and kept < MIN_KEPT * tried:
            raise ImpossibleDeal("the ranges leave one another no cards, or hardly any")
        tried += ATTEMPTS
        used = np.full(ATTEMPTS, known, np.int64)
        clash = np.zeros(ATTEMPTS, bool)
        seats = []
        for row in rows:
            combo = draw.choice(len(row), ATTEMPTS, p=row)
            clash |= (used & bits_of[combo]) != 0
            used |= bits_of[combo]
            seats.append(cards_of[combo])
        runout = draw.integers(0, DECK_SIZE, (BOARD_CARDS - len(board), ATTEMPTS))
        for card in runout:
            clash |= (used >> card & 1) != 0
            used |= 1 << card
        rest = np.nonzero(~clash)[0][: size - kept]
        kept += len(rest)
        boards = np.concatenate(
            [np.tile(np.array(board, np.int64), (len(rest), 1)), runout[:, rest].T], axis=1
        )
        ours = _ranks(np.tile(np.array(hand, np.int64), (len(rest), 1)), boards)
        code = np.zeros(len(rest), np.int64)
        for cards in seats:
            theirs = _ranks(cards[rest], boards)
            code = 3 * code + np.where(theirs < ours, WORSE, np.where(theirs == ours, TIED, BETTER))
        values, counts = np.unique(code, return_counts=True)
        found.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
        advance(kept / size)
    return {_digits(code, len(rows)): count for code, count in sorted(found.items())}


def _ranks(combos: npt.NDArray[np.int64], boards: npt.NDArray[np.int64]) -> npt.NDArray[np.uint16]:
    if not len(boards):
        return np.zeros(0, np.uint16)
    hands = np.concatenate([combos, boards], axis=1).astype(np.uint8)
    ranks: npt.NDArray[np.uint16] = rank_hands(hands)
    return ranks


def _digits(code: int, seats: int) -> tuple[int, ...]:
    return tuple(code // 3 ** (seats - 1 - seat) % 3 for seat in range(seats))


def _share(states: list[int]) -> Fraction:
    return Fraction(0) if BETTER in states else Fraction(1, 1 + states.count(TIED))
