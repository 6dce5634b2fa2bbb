"""Short deck by brute force: an evaluator in plain Python, and every deal one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

from gpuodds.games.game import Game
from gpuodds.spots.spot import Spot

DECK = tuple(range(16, 52))
SHAPES = ((1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1))
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, FULL_HOUSE, QUADS = range(6)
# Strengths of categories, in steps that leave place for the orders of straights and trips.
STRENGTHS = {HIGH_CARD: 0, PAIR: 10, TWO_PAIR: 20, TRIPS: 30, FULL_HOUSE: 50, QUADS: 70}
FLUSH, STRAIGHT_FLUSH = 60, 80

Strength = tuple[int, ...]


@cache
def strength_of_five(cards: tuple[int, ...], trips_beat_straights: bool) -> Strength:
    """Return a tuple that orders hands of five cards."""
    counts = Counter(card // 4 for card in cards)
    in_order = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = SHAPES.index(tuple(counts[rank] for rank in in_order))
    is_flush = len({card % 4 for card in cards}) == 1
    top = None
    if shape == HIGH_CARD:
        highest, second = in_order[0], in_order[1]
        if highest - in_order[4] == 4:
            top = highest
        elif in_order == [12, 7, 6, 5, 4]:
            top = second
    if top is not None:
        return (STRAIGHT_FLUSH if is_flush else 25 if trips_beat_straights else 40, top)
    return (FLUSH if is_flush else STRENGTHS[shape], *in_order)


def strength(cards: Sequence[int], game: Game) -> Strength:
    """Return the strength of the best five of some cards."""
    trips = game.name == "short-deck-trips"
    return max(strength_of_five(five, trips) for five in combinations(sorted(cards), 5))


def _hands(spot: Spot) -> list[list[tuple[tuple[int, int], Fraction]]]:
    """List the hands of each player, and their weights: named, random, then folded ones."""
    every: list[list[tuple[tuple[int, int], Fraction]]] = []
    pairs = list(combinations(DECK, 2))

    def enter(hand: object) -> None:
        if isinstance(hand, tuple):
            every.append([(hand, Fraction(1))])
        else:
            weights = hand.weights  # type: ignore[attr-defined]
            numbers = ((pair, weights[pair[1] * (pair[1] - 1) // 2 + pair[0]]) for pair in pairs)
            every.append([(pair, Fraction(float(weight))) for pair, weight in numbers if weight])

    for hand in spot.hands:
        enter(hand)
    every += [[(pair, Fraction(1)) for pair in pairs] for _ in range(spot.opponents)]
    for hand in spot.folded:
        enter(hand)
    return every


def equities(spot: Spot) -> list[tuple[Fraction, Fraction]]:
    """Return the share of deals that each named player wins alone, and the equity."""
    hands, live = _hands(spot), len(spot.hands) + spot.opponents
    out = {*spot.board, *spot.dead}
    won, shared = [Fraction(0)] * len(spot.hands), [Fraction(0)] * len(spot.hands)
    whole = Fraction(0)

    def deals(player: int, used: frozenset[int]) -> Iterator[tuple[list[tuple[int, int]], Fraction]]:
        if player == len(hands):
            yield [], Fraction(1)
            return
        for pair, weight in hands[player]:
            if pair[0] in used or pair[1] in used:
                continue
            for rest, product in deals(player + 1, used | {*pair}):
                yield [pair, *rest], product * weight

    known = {card for hand in (*spot.hands, *spot.folded) if isinstance(hand, tuple) for card in hand}
    left = [card for card in DECK if card not in out | known]
    for more in combinations(left, 5 - len(spot.board)):
        board = (*spot.board, *more)
        ranked: dict[tuple[int, int], Strength] = {}
        for dealt, weight in deals(0, frozenset((*out, *more))):
            for pair in dealt[:live]:
                if pair not in ranked:
                    ranked[pair] = strength((*pair, *board), spot.game)
            ranks = [ranked[pair] for pair in dealt[:live]]
            best = max(ranks)
            winners = ranks.count(best)
            whole += weight
            for player in range(len(spot.hands)):
                if ranks[player] == best:
                    shared[player] += weight / winners
                    won[player] += weight if winners == 1 else 0
    return [(win / whole, share / whole) for win, share in zip(won, shared, strict=True)]
