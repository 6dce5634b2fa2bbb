"""Drawn range texts of every game: each is a range or a named fault, in a time that its estimate names.

The weekly tests draw other texts each time; a failure names their seed. To draw the same texts again:
``GPUODDS_DRAWN_SEED=SEED pytest -m weekly tests/spots/ranges/test_drawn_ranges.py``.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from drawn_ranges import RANKS, Hand, draw_holdem_text, draw_omaha_meaning, draw_omaha_text

from gpuodds.errors import InputError
from gpuodds.games import find_game
from gpuodds.games.game import OMAHA_FAMILY, Game
from gpuodds.spots.notation.by_game import notation_of
from gpuodds.spots.notation.holdem.text import parse_range
from gpuodds.spots.notation.reading_costs import reading_seconds
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.ranges.rankings import find_ranking

SEED = os.environ.get("GPUODDS_DRAWN_SEED") or str(int.from_bytes(os.urandom(4), "big"))
TEXTS = {"holdem": 4000, "short-deck": 2000, "omaha": 600, "omaha5": 120, "omaha6": 15}
MEANINGS = {"omaha": 400, "omaha5": 120, "omaha6": 15}
WRITTEN = {"holdem": 4, "short-deck": 4, "omaha": 2, "omaha5": 10}  # one text of so many is written
LONGEST = 30_000  # characters
HANDS = 60  # of a text that brute force looks at, half of them in the range
SECONDS = 2.0  # that a text may take for which the estimate is less
SLACK = 10.0  # between a text's estimate and its time: other work shares the machine


def read(text: str, game: Game) -> Any:
    """Return the weights and notes of a text, read anew, or its fault."""
    ranking = find_ranking("equity", game)
    parse_range.cache_clear()
    try:
        return notation_of(game).parse(text, ranking.order, ranking.by_equity)
    except InputError as error:
        assert str(error) and "\n" not in str(error), text
        return str(error)


def draw_text(draw: random.Random, game: Game) -> str:
    if game.family == OMAHA_FAMILY:
        return draw_omaha_text(draw, game.hole_cards)
    return draw_holdem_text(draw, RANKS[: 13 - len(game.missing) // 4])


def slowness(game: Game) -> float:
    """Return how many times as long as estimated this machine takes, at least once."""
    text = "h!s,$ds,AxKx@50" if game.family == OMAHA_FAMILY else "AKs 22+ 15% " * 200
    taken = []
    for _ in range(3):
        begin = time.perf_counter()
        read(text, game)
        taken.append(time.perf_counter() - begin)
    return max(1.0, min(taken) / reading_seconds(text, game))


def check_texts(game: Game, seed: str, number: int, *, timed: bool) -> None:
    draw = random.Random(f"{seed} {game.name}")
    again = f"GPUODDS_DRAWN_SEED={seed}: {game.name}: "
    factor = slowness(game) if timed else 1.0
    accepted = 0
    for place in range(number):
        text = draw_text(draw, game)[:LONGEST]
        begin = time.perf_counter()
        found = read(text, game)
        taken = time.perf_counter() - begin
        if timed:
            wanted = max(SECONDS, SLACK * reading_seconds(text, game)) * factor
            assert taken < wanted, f"{again}{taken:.1f} s: {text!r}"
        twice = read(text, game)
        if isinstance(found, str):
            assert found == twice, again + repr(text)
            continue
        accepted += 1
        weights, notes = found
        assert weights.shape == (game.combos,), again + repr(text)
        assert ((weights >= 0) & (weights <= 1)).all(), again + repr(text)
        assert np.array_equal(weights, twice[0]) and notes == twice[1], again + repr(text)
        if place % WRITTEN.get(game.name, number) == 0 and game.name in WRITTEN:
            written = Range.of(weights, game=game).to_string()
            assert np.array_equal(read(written, game)[0], weights), again + repr(text)
    assert accepted >= number // 5, again


def check_meanings(game: Game, seed: str, number: int) -> None:
    draw = random.Random(f"{seed} {game.name}")
    again = f"GPUODDS_DRAWN_SEED={seed}: {game.name}: "
    looked_at = 0
    for _ in range(number):
        text, weight = draw_omaha_meaning(draw, game.hole_cards)
        found = read(text, game)
        if isinstance(found, str):
            assert "two readings" in found, f"{again}{text!r}: {found}"
            continue
        looked_at += 1
        check_meaning(draw, game, found[0], weight, again + repr(text))
    assert looked_at > number // 2, again


def check_meaning(
    draw: random.Random, game: Game, weights: Any, weight: Callable[[Hand], float], about: str
) -> None:
    numbers = [draw.randrange(game.combos) for _ in range(HANDS // 2)]
    with suppress(IndexError):
        numbers += draw.choices(np.flatnonzero(weights).tolist(), k=HANDS // 2)
    for number, hand in zip(numbers, game.cards_of(np.array(numbers)).tolist(), strict=True):
        assert weights[number] == weight(tuple(hand)), f"{about}: {hand}"


@pytest.mark.slow
@pytest.mark.parametrize("game", TEXTS)
def test_drawn_texts(game: str) -> None:
    check_texts(find_game(game), "1", TEXTS[game] // 40 + 1, timed=False)


@pytest.mark.parametrize("game", ["omaha", "omaha5", pytest.param("omaha6", marks=pytest.mark.slow)])
def test_drawn_texts_mean_what_their_parts_mean(game: str) -> None:
    check_meanings(find_game(game), "1", MEANINGS[game] // 15)


@pytest.mark.weekly
@pytest.mark.parametrize("game", TEXTS)
def test_texts_that_are_drawn_anew(game: str) -> None:
    check_texts(find_game(game), SEED, TEXTS[game], timed=True)


@pytest.mark.weekly
@pytest.mark.parametrize("game", MEANINGS)
def test_texts_that_are_drawn_anew_mean_what_their_parts_mean(game: str) -> None:
    check_meanings(find_game(game), SEED, MEANINGS[game])
