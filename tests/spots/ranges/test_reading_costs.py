"""The estimate of what it costs to read range text."""

from __future__ import annotations

import pytest

from gpuodds.games import find_game
from gpuodds.spots.notation.reading_costs import reading_seconds

OMAHA = ["omaha", "omaha5", "omaha6", "omaha5-hi-lo"]
ITEMS = [
    "h",
    "wxyz",
    "h!s",
    "[A-T][A-T]:$ds",
    "RROO!s",
    "KK-99",
    "A- T",
    "AsKs:15%-20%",
    "([A,K]9):random",
    "TT+",
    "$R$R",
    "AxKx@50%",
    "!!(,",
    "[[[",
]


def distinct_items(number: int) -> list[str]:
    ranks = "AKQJT98765432"
    pairs = [one + other for one in ranks for other in ranks]
    return [f"{pair}!h" for pair in pairs[:number]]


@pytest.mark.parametrize("game", OMAHA)
@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("separator", [",", "\n", " ;\n"])
def test_repeats_of_an_item_cost_nothing(game: str, item: str, separator: str) -> None:
    once = reading_seconds(item, find_game(game))
    assert reading_seconds(separator.join([item] * 500), find_game(game)) == pytest.approx(once)


@pytest.mark.parametrize("game", OMAHA)
def test_distinct_items_cost_in_proportion(game: str) -> None:
    few, some, many = (
        reading_seconds(",".join(distinct_items(number)), find_game(game)) for number in (10, 60, 110)
    )
    assert many - some == pytest.approx(some - few)
    assert many > 5 * few


@pytest.mark.parametrize("game", ["holdem", "short-deck"])
def test_of_two_cards_characters_cost(game: str) -> None:
    one, two, three = (reading_seconds("AA,15%" * n, find_game(game)) for n in (100, 200, 300))
    assert three - two == pytest.approx(two - one)
    assert 0 < three < 1


def test_games_cost_by_their_combos() -> None:
    seconds = [reading_seconds("h!s", find_game(game)) for game in ("holdem", *OMAHA[:3])]
    assert seconds == sorted(seconds)
    assert seconds[3] > 2 * seconds[2] > 4 * seconds[1]


def test_what_takes_longer_costs_more() -> None:
    game = find_game("omaha5")
    for less, more in [
        ("AA", "AA@50,KK"),
        ("AA", "AxAy"),
        ("xx", "RxRy"),
        ("TT", "TT+"),
        ("KK-QQ", "KK-22"),
        ("33-", "KK-"),
        ("AsKhQdJc", "A*"),
        ("h", "(h:h):h"),
        ("15%", "15%-20%"),
    ]:
        assert reading_seconds(less, game) < reading_seconds(more, game), (less, more)


def test_hands_that_are_not_kept_are_read_again() -> None:
    # A reader keeps the last few of the sets that a text names.
    game = find_game("omaha5")
    few, many = ("!".join(["A", *pairs]) for pairs in (["KK", "QQ"] * 60, distinct_ranks() * 10))
    assert reading_seconds(many, game) > 3 * reading_seconds(few, game)


def distinct_ranks() -> list[str]:
    return [2 * rank for rank in "AKQJT9876543"]
