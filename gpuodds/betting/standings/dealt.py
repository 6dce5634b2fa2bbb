"""Standings against opponents by dealing.

Where ranges differ, the odds against each do not determine how several pots come out together. Nor do
sampled odds against one, two and more opponents with any cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.betting.odds import Odds, Standing
from gpuodds.betting.pots import Seats
from gpuodds.betting.question import DEFAULT_SAMPLES, BetOptions, has_own_cards, own_cards
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.game import Game
from gpuodds.methods.hands.evaluate import rank_hands
from gpuodds.spots.spot import HeldHands, Spot

BATCHES = 16  # that the deals come in; their spread is the error
ATTEMPTS = 1 << 16  # deals tried at once
MIN_KEPT = 1e-6  # of the deals tried: fewer mean that the ranges hardly leave one another cards
WORSE, TIED, BETTER = range(3)

Cards = npt.NDArray[np.int64]
Attempt = Callable[[], tuple[list[Cards], Cards]]
"""Draws deals: the cards of the player and of each seat, and the rest of the board, a row a deal."""


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
        spot: The hand, a hand or range for each of two or more opponents, or that number of opponents
            with any cards, the board and the dead cards.
        order: The place of each seat among the opponents.
        options: How many deals to draw, by which seed, and what to call with the fraction done.

    Raises:
        InputError: The ranges leave each other no cards, or hardly any.
    """
    progress = options.progress
    draw = np.random.Generator(np.random.Philox(options.seed or 0))
    attempt = _any_cards(spot, draw) if len(spot.hands) == 1 else _by_range(spot, order, draw)
    size = -(-options.samples // BATCHES)
    batches = []
    for number in range(BATCHES):

        def advance(share: float, before: int = number) -> None:
            if progress is not None:
                progress((before + share) / BATCHES)

        batches.append(Deals(_deal(spot, attempt, len(order), size, advance)))
    return batches


def seat_hands(spot: Spot, order: Sequence[int]) -> list[HeldHands]:
    """Return the hands that each seat may have, without those that hold a card of the player.

    Args:
        spot: The hand, and the hand, the range or any cards of each opponent.
        order: The place of each seat among the opponents.

    Raises:
        ImpossibleDeal: The player's cards leave a range no hand.
    """
    ours, by_seat = np.array(own_cards(spot)), []
    for place in order:
        held = spot.held_by_all[1 + place]
        kept = ~np.isin(held.cards, ours).any(axis=1)
        if not kept.any():
            raise ImpossibleDeal("the ranges leave one another no cards")
        by_seat.append(HeldHands(held.cards[kept], held.weights[kept], held.numbers[kept]))
    return by_seat


def _by_range(spot: Spot, order: Sequence[int], draw: np.random.Generator) -> Attempt:
    """Return what draws all hands by their ranges, and keeps the deals without a card twice."""
    held = [spot.held[0], *seat_hands(spot, order)]
    chances = [combos.weights / combos.weights.sum() for combos in held]
    cards_of = [combos.cards.astype(np.int64) for combos in held]
    bits_of = [(1 << cards).sum(axis=1) for cards in cards_of]
    known = sum(1 << card for card in (*spot.board, *spot.removed))
    is_known, nothing = has_own_cards(spot), np.zeros(ATTEMPTS, np.int64)

    def attempt() -> tuple[list[Cards], Cards]:
        used = np.full(ATTEMPTS, known, np.int64)
        clash = np.zeros(ATTEMPTS, bool)
        drawn: list[npt.NDArray[np.int64]] = []
        for chance, bits in zip(chances, bits_of, strict=True):
            combo = nothing if is_known and not drawn else draw.choice(len(chance), ATTEMPTS, p=chance)
            clash |= (used & bits[combo]) != 0
            used |= bits[combo]
            drawn.append(combo)
        runout = draw.integers(0, DECK_SIZE, (spot.to_come, ATTEMPTS))
        for card in runout:
            clash |= (used >> card & 1) != 0
            used |= 1 << card
        kept = np.flatnonzero(~clash)
        hands = [cards[combo[kept]] for cards, combo in zip(cards_of, drawn, strict=True)]
        return hands, runout[:, kept].T

    return attempt


def _any_cards(spot: Spot, draw: np.random.Generator) -> Attempt:
    """Return what deals each seat any cards of the deck, and the rest of the board."""
    deck = np.array([card for card in range(DECK_SIZE) if card not in spot.known], np.int64)
    size, ours = spot.game.hole_cards, spot.held[0]
    chance, cards_of = ours.weights / ours.weights.sum(), ours.cards.astype(np.int64)

    def attempt() -> tuple[list[Cards], Cards]:
        dealt = draw.permuted(np.tile(deck, (ATTEMPTS, 1)), axis=1)
        board = spot.opponents * size
        if has_own_cards(spot):
            own = np.tile(cards_of, (ATTEMPTS, 1))
        else:  # a range, whose cards are in the deck
            own = cards_of[draw.choice(len(chance), ATTEMPTS, p=chance)]
            used = (1 << dealt[:, : board + spot.to_come]).sum(axis=1)
            kept = np.flatnonzero(((1 << own).sum(axis=1) & used) == 0)
            dealt, own = dealt[kept], own[kept]
        hands = [dealt[:, first : first + size] for first in range(0, board, size)]
        return [own, *hands], dealt[:, board : board + spot.to_come]

    return attempt


def _deal(
    spot: Spot, attempt: Attempt, seats: int, size: int, advance: Progress
) -> dict[tuple[int, ...], int]:
    board = np.array(spot.board, np.int64)
    totals: Counter[int] = Counter()
    kept = tried = 0
    while kept < size:
        if tried > 20 * ATTEMPTS and kept < MIN_KEPT * tried:
            raise ImpossibleDeal("the ranges leave one another no cards, or hardly any")
        tried += ATTEMPTS
        (own, *hands), runout = attempt()
        count = min(len(runout), size - kept)
        kept += count
        boards = np.concatenate([np.tile(board, (count, 1)), runout[:count]], axis=1)
        ours = rank_on(own[:count], boards, spot.game)
        code = np.zeros(count, np.int64)
        for cards in hands:
            theirs = rank_on(cards[:count], boards, spot.game)
            code = 3 * code + np.where(theirs < ours, WORSE, np.where(theirs == ours, TIED, BETTER))
        values, counts = np.unique(code, return_counts=True)
        totals.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
        advance(kept / size)
    return {_digits(code, seats): count for code, count in sorted(totals.items())}


def rank_on(
    hole_cards: npt.NDArray[np.integer], boards: npt.NDArray[np.integer], game: Game
) -> npt.NDArray[np.uint16]:
    """Return the hand rank of hole cards on a board, a row each."""
    if not len(boards):
        return np.zeros(0, np.uint16)
    hands = np.concatenate([hole_cards, boards], axis=1).astype(np.uint8)
    ranks: npt.NDArray[np.uint16] = rank_hands(hands, game=game)
    return ranks


def _digits(code: int, seats: int) -> tuple[int, ...]:
    return tuple(code // 3 ** (seats - 1 - seat) % 3 for seat in range(seats))


def _share(states: list[int]) -> Fraction:
    return Fraction(0) if BETTER in states else Fraction(1, 1 + states.count(TIED))
