"""Pickled ranges, spots and plans are equal to what they were, and small: processes exchange them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from gpuodds.games.catalog import GAMES, find_game
from gpuodds.games.game import Game
from gpuodds.methods.method import Machine
from gpuodds.methods.options import Options
from gpuodds.methods.planner import make_plan
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.spot import ARRAYS, Spot

Floats = npt.NDArray[np.float64]


def each_game() -> list[Any]:
    """Return the games; those with millions of combos take seconds for each range."""
    marks = {5: [pytest.mark.slow], 6: [pytest.mark.weekly]}
    return [pytest.param(game.name, marks=marks.get(game.hole_cards, [])) for game in GAMES]


WEIGHTS = (
    "half",
    "all",
    "none",
    "one weight",
    "three weights",
    "hundredths",
    "thousandths",
    "any",
)


def drawn(kind: str, game: Game) -> Range:
    """Return a range of random combos, with weights of a kind."""
    draws = np.random.default_rng(1)
    if kind in ("all", "none"):
        weights = np.full(game.combos, float(kind == "all"))
    else:
        # A tenth of the combos have no weight of their own, so that each kind has some of them.
        weights = draws.random(game.combos, np.float32).astype(np.float64)
        weights = np.maximum(weights - 0.1, 0.0)
    if kind in ("half", "one weight"):
        weights = (weights > 0.4) * (1.0 if kind == "half" else 0.3)
    parts = {"three weights": 3, "hundredths": 100, "thousandths": 1000}.get(kind)
    if parts is not None:
        weights = np.round(weights * parts) / parts
    if game.missing:
        weights = np.where(Range("random", game=game).weights > 0, weights, 0.0)
    return Range.of(weights, game=game)


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def size_of(value: object) -> int:
    return len(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


@pytest.mark.parametrize("game", each_game())
@pytest.mark.parametrize("kind", WEIGHTS)
def test_a_pickled_range_is_the_same(kind: str, game: str) -> None:
    given = drawn(kind, find_game(game))
    found = again(given)
    assert found == given and hash(found) == hash(given) and found.game is given.game
    assert not found.weights.flags.writeable
    for fact in ("size", "total", "is_integer", "only_weight", "suit_group"):
        assert getattr(found.facts, fact) == getattr(given.facts, fact)


def test_a_pickled_range_has_its_text_and_notes() -> None:
    given = Range("76s+, 22:0.5")
    found = again(given)
    assert found == given and found.notes == given.notes != () and found.name == given.name
    assert str(found) == str(given)


@pytest.mark.parametrize("text", ["AA", "15%", "random", "QQ+,AK:0.5,22:0.25", "0%"])
def test_ranges_of_holdem_are_below_a_kilobyte(text: str) -> None:
    assert size_of(Range(text)) < 1000


@pytest.mark.parametrize("kind", ["half", "one weight", "all"])
@pytest.mark.parametrize(
    ("game", "limit"),
    [
        ("holdem", 1000),
        ("omaha", 40_000),
        pytest.param("omaha6", 3_000_000, marks=pytest.mark.slow),
    ],
)
def test_random_ranges_take_a_bit_a_combo(game: str, limit: int, kind: str) -> None:
    assert size_of(drawn(kind, find_game(game))) < limit


def test_equal_texts_are_pickled_once() -> None:
    one, two = Range("AA**", game="omaha"), Range("AA**", game="omaha")
    assert size_of((one, two)) < size_of(one) + 100
    first, second = again((one, two))
    assert first.weights is second.weights


SPOTS: list[tuple[list[str], dict[str, Any]]] = [
    (["AsKs"], {"opponents": 3}),
    (["QQ+,AK:0.5", "22+,A2s+"], {"board": "2s7d9h", "dead": "3c", "folded": ["TT"]}),
    (["AA", "KK", "random"], {}),
    (["66+", "AK"], {"board": "6s9hTd", "game": "short-deck"}),
    (["AA**", "KK**"], {"board": "2s7d9h", "game": "omaha"}),
    (["AAKK", "random"], {"board": "2s7d9h", "game": "omaha-hi-lo"}),
]


@pytest.mark.parametrize(("hands", "options"), SPOTS)
def test_a_pickled_spot_has_no_arrays(hands: list[str], options: dict[str, Any]) -> None:
    spot = Spot.of(hands, **options)
    bare = size_of(spot)
    facts = spot.suit_group, spot.sizes, spot.has_integer_weights, spot.names, spot.known
    assert spot.held and spot.weights.size and spot.all_weights.size and spot.held_by_all
    assert size_of(spot) < bare + 1000
    found = again(spot)
    assert found == spot and not ARRAYS & vars(found).keys()
    assert (
        found.suit_group,
        found.sizes,
        found.has_integer_weights,
        found.names,
        found.known,
    ) == facts
    assert (found.weights == spot.weights).all()


@pytest.mark.parametrize("explain", [False, True])
@pytest.mark.parametrize("method", ["auto", "monte-carlo"])
@pytest.mark.parametrize(("hands", "options"), SPOTS)
def test_a_pickled_plan_is_the_same(
    hands: list[str], options: dict[str, Any], method: str, explain: bool
) -> None:
    asked = Options(method, explain=explain)
    plan = make_plan(Spot.of(hands, **options), asked, Machine(1, has_gpu=False))
    assert again(plan) == plan and again(plan).said == plan.said
    assert size_of(plan) < 5000
