"""Drawn spots of every game against a brute force that deals every deal, with evaluators of the tests.

The weekly tests draw other spots each time; a failure names their seed. To draw the same spots again:
``GPUODDS_DRAWN_SEED=SEED pytest -m weekly tests/methods/test_drawn_spots.py``.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import omaha_oracle
import oracle
import pytest
import short_deck_oracle
from drawn_spots import Drawn, Hand, Player, draw_spots
from numba import njit

import gpuodds
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.games import find_game

SEED = os.environ.get("GPUODDS_DRAWN_SEED") or str(int.from_bytes(os.urandom(4), "big"))
SPOTS = {"holdem": 400, "short-deck": 200, "short-deck-trips": 200, "omaha": 240, "omaha-hi-lo": 240}
SPOTS |= {"omaha5": 60, "omaha5-hi-lo": 60, "omaha6": 15}  # whose ranges take long to read
SECONDS, FEW_SECONDS = 1.0, 0.02  # that the brute force of a spot takes, roughly, at most
LETTERS = "ABCD"

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Counts = dict[tuple[int, int], Any]
"""Outcomes by the players with the best high hand and those with the best low, two masks."""


# Brute force


def count(spot: Drawn) -> Counts:
    """Count every deal on every board; the order of players without a name does not matter."""
    game, deck = find_game(spot.game), spot.deck
    players = [*spot.live, *spot.folded]
    counts = np.zeros((1 << len(spot.live), 1 << len(spot.live)))
    for more in combinations(deck, 5 - len(spot.board)):
        board = np.array([*spot.board, *more], np.int64)
        gone = {*more, *spot.board, *spot.dead}
        left = np.array([card for card in deck if card not in more], np.int64)
        found: dict[tuple[int, bool], tuple[Ints, Ints, Ints, Floats]] = {}
        kinds = [(id(player.hands), place < len(spot.live)) for place, player in enumerate(players)]
        for kind, player in zip(kinds, players, strict=True):
            if kind not in found:
                found[kind] = list_hands(player, left, gone, board if kind[1] else None, game)
        parts = [found[kind] for kind in kinds]
        starts = np.cumsum([0, *(len(part[0]) for part in parts)])
        masks, high, low, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
        shares = np.array([player.share for player in players])
        add_deals(starts, masks, high, low, weights, shares, len(spot.named), len(spot.live), counts)
    dealt = zip(*(place.tolist() for place in np.nonzero(counts)), strict=True)
    return {masks: int(counts[masks]) if spot.is_exact else float(counts[masks]) for masks in dealt}


def list_hands(
    player: Player, left: Ints, gone: set[int], board: Ints | None, game: Any
) -> tuple[Ints, Ints, Ints, Floats]:
    """Return the hands that a player may have: cards as masks, both scores on a board, weights."""
    if player.hands is None:
        hands: list[Hand] = list(combinations(left.tolist(), game.hole_cards))
        weights = np.ones(len(hands))
    else:
        hands = [hand for hand in player.hands if not gone & {*hand}]
        weights = np.array([player.hands[hand] for hand in hands])
    cards = np.array(hands, np.int64).reshape(len(hands), game.hole_cards)
    high, low = np.zeros((2, len(hands)), np.int64)
    if board is None:
        pass  # a folded hand has no score
    elif game.missing:
        for place, hand in enumerate(hands):
            category, *ranks = short_deck_oracle.strength((*hand, *board.tolist()), game)
            high[place] = sum(
                number * 16 ** (5 - digit) for digit, number in enumerate((category, *ranks))
            )
    elif game.hole_cards == 2:
        score_holdem(cards, board, high)
    else:
        score_omaha(cards, board, game.has_low, high, low)
    return (np.int64(1) << cards).sum(axis=1), high, low, weights


@njit(cache=True)
def score_holdem(cards: Ints, board: Ints, high: Ints) -> None:
    """Score hands of two cards with the board."""
    seven = np.empty(7, np.int64)
    seven[:5] = board
    for place in range(len(cards)):
        seven[5:] = cards[place]
        high[place] = oracle.score(seven)


@njit(cache=True)
def score_omaha(cards: Ints, board: Ints, has_low: bool, high: Ints, low: Ints) -> None:
    """Score hands of Omaha with the board; a low is above 0, and the better the higher."""
    for place in range(len(cards)):
        high[place], number = omaha_oracle.score_hand(cards[place], board)
        if has_low:
            low[place] = omaha_oracle.NO_LOW - number


@njit(cache=True)
def add_deals(
    starts: Ints,
    masks: Ints,
    high: Ints,
    low: Ints,
    weights: Floats,
    shares: Floats,
    named: int,
    live: int,
    counts: Floats,
) -> None:
    """Add the weight of each deal to the counts, by the winners of both halves.

    Player p has the hands from ``starts[p]`` on. Players ``named`` to ``live`` have no names: they have
    the same hands, and take them in one order only.
    """
    players = len(shares)
    at = np.zeros(players, np.int64)
    at[0] = starts[0]
    used = np.zeros(players + 1, np.int64)
    weight = np.ones(players + 1)
    best = np.full((2, players + 1), -1, np.int64)
    winners = np.zeros((2, players + 1), np.int64)
    player = 0
    while player >= 0:
        hand = at[player]
        if hand == starts[player + 1]:
            player -= 1
            if player >= 0:
                at[player] += 1
            continue
        if masks[hand] & used[player]:
            at[player] += 1
            continue
        used[player + 1] = used[player] | masks[hand]
        weight[player + 1] = weight[player] * weights[hand] * shares[player]
        for half in range(2):
            score = high[hand] if half == 0 else low[hand]
            best[half, player + 1] = best[half, player]
            winners[half, player + 1] = winners[half, player]
            if player < live and score >= best[half, player]:
                others = winners[half, player] if score == best[half, player] else 0
                best[half, player + 1] = score
                winners[half, player + 1] = others | 1 << player
        if player < players - 1:
            player += 1
            at[player] = starts[player]
            if named < player < live:
                at[player] += at[player - 1] - starts[player - 1] + 1
            continue
        lowest = winners[1, players] if best[1, players] > 0 else 0
        counts[winners[0, players], lowest] += weight[players]
        at[player] += 1


# What the answer should be


def faults_of(spot: Drawn, counts: Counts, result: Any) -> Iterator[str]:
    """Yield what is wrong with an answer. A player's counts may be None: they are not given."""
    exact = spot.is_exact
    outcomes, has_low = sum(counts.values()), find_game(spot.game).has_low
    letters = LETTERS[: len(spot.named)]

    def compare(name: str, found: Any, expected: Any) -> Iterator[str]:
        if isinstance(expected, (tuple, list)):
            if len(found) != len(expected):
                yield f"{name}: {found}, expected {expected}"
            for place, (one, other) in enumerate(zip(found, expected, strict=False)):
                yield from compare(f"{name}[{place}]", one, other)
        elif isinstance(found, (int, Fraction)) and exact:
            if found != expected:
                yield f"{name}: {found}, expected {expected}"
        elif not math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9):
            yield f"{name}: {found}, expected {expected}"

    def by_winners(half: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for masks, number in counts.items():
            who = "".join(letter for place, letter in enumerate(letters) if masks[half] >> place & 1)
            found[who] = found.get(who, 0) + number
        return found

    if not result.exact:
        yield "sampled"
    if is_given(result.outcomes):
        yield from compare("outcomes", result.outcomes, outcomes)
    rest: Any = 1
    for place, player in enumerate(result.players):
        expected = shares_of(place, len(spot.live), counts, has_low)
        rest -= expected["equity_exact"]
        if is_given(player.win_outcomes):
            for name in [name for name in expected if name != "equity_exact"]:
                yield from compare(f"player {place}: {name}", getattr(player, name), expected[name])
        yield from compare(f"player {place}: equity", player.equity, float(expected["equity_exact"]))
        if player.equity_exact is not None:
            found = player.equity_exact
            yield from compare(f"player {place}: equity_exact", found, expected["equity_exact"])
        elif exact:
            yield f"player {place}: no fraction, with weights of 0 and 1"
    if spot.opponents:
        yield from compare("random_equity", result.random_equity, float(rest / spot.opponents))
    for half, name in enumerate(("winners", "low_winners")):
        found = getattr(result, name)
        if found is None:
            counted = all(is_given(player.win_outcomes) for player in result.players)
            if counted and not spot.opponents and (half == 0 or has_low):
                yield f"no {name}"
            continue
        wanted = by_winners(half)
        for who in sorted({*found, *wanted}):
            yield from compare(f"{name} {who!r}", found.get(who, 0), wanted.get(who, 0))


def is_given(figure: Any) -> bool:
    return figure is not None and not math.isnan(figure)


def shares_of(place: int, players: int, counts: Counts, has_low: bool) -> dict[str, Any]:
    """Return a player's figures, by the attribute of the answer."""
    shared, high, low = ([0] * players for _ in range(3))
    pot: Any = 0
    for (best, lowest), number in counts.items():
        of_high, of_low = (mask.bit_count() if mask >> place & 1 else 0 for mask in (best, lowest))
        half = Fraction(1, 2) if lowest else Fraction(1)
        part = (half / of_high if of_high else 0) + (Fraction(1, 2) / of_low if of_low else 0)
        pot += part * number
        if part:
            shared[(best | lowest).bit_count() - 1] += number
        if of_high:
            high[of_high - 1] += number
        if of_low:
            low[of_low - 1] += number
    equity = pot / sum(counts.values())
    found = {"equity_exact": equity, "win_outcomes": shared[0], "tie_outcomes": tuple(shared[1:])}
    return found | ({"high_outcomes": tuple(high), "low_outcomes": tuple(low)} if has_low else {})


def check(game: str, seed: str, spots: int, seconds: float) -> None:
    """Compare the answers to drawn spots, one by one and as a batch, with the brute force."""
    drawn = list(draw_spots(seed, game, spots, seconds))
    rows = [{**spot.arguments, "folded": folded_of(spot)} for spot in drawn]
    options: dict[str, Any] = {"method": "exact", "backend": "cpu", "errors": "column"}
    batch = gpuodds.equities(rows, **options)
    faults, counted = [], 0
    for row, spot in enumerate(drawn):
        counts = count(spot)
        in_batch = batch.errors.get(row) or batch[row]
        for where, found in (("", answer_of(spot)), (" in a batch", in_batch)):
            counted += not isinstance(found, InputError)
            fault = fault_of(spot, counts, found)
            faults += [f"{spot.call}{where}: {fault}"] if fault else []
    again = f"GPUODDS_DRAWN_SEED={seed}"
    print(f"{again}: {game}, {counted} of {2 * len(drawn)} answers counted")
    assert not faults, f"{again}: {game}: {len(faults)} faults\n" + "\n".join(faults[:20])
    assert counted > len(drawn), again


def fault_of(spot: Drawn, counts: Counts, found: Any) -> str | None:
    """Return what is wrong with an answer or an error, None if nothing is."""
    if isinstance(found, ImpossibleDeal):
        return str(found) if counts else None
    if isinstance(found, InputError):
        return None if "no method counts this spot" in str(found) else str(found)
    return next(faults_of(spot, counts, found), None) if counts else "it cannot be dealt"


def answer_of(spot: Drawn) -> Any:
    """Return the answer to a spot, or the error."""
    try:
        return gpuodds.equity(folded=folded_of(spot), method="exact", backend="cpu", **spot.arguments)
    except InputError as error:
        return error


def folded_of(spot: Drawn) -> list[str]:
    """Return the hands or ranges of the folded players."""
    return [str(player.text) for player in spot.folded]


@pytest.mark.parametrize("game", SPOTS)
def test_drawn_spots(game: str) -> None:
    check(game, "1", SPOTS[game] // 60 + 1, FEW_SECONDS)


@pytest.mark.weekly
@pytest.mark.parametrize("game", SPOTS)
def test_spots_that_are_drawn_anew(game: str) -> None:
    check(game, SEED, SPOTS[game], SECONDS)
