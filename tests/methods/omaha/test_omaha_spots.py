"""Spots of Omaha through ``gpuodds.equity``: golden counts of an independent brute force."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import gpuodds
from gpuodds.basics.choices import GameName
from gpuodds.errors import InputError

AAKK = ["AsAhKsKh", "7c8c9dTd"]


@pytest.mark.parametrize(
    ("game", "board", "hands", "winners"),
    [
        ("omaha", "2s7d9h", AAKK, {"A": 257, "B": 563}),
        ("omaha", "", AAKK, {"A": 654_359, "B": 431_649}),
        ("omaha5", "2s7d9h", ["AsAhKsKhQd", "7c8c9dTdJd"], {"A": 214, "B": 527}),
        ("omaha6", "2s7d9h", ["AsAhKsKhQd2h", "7c8c9dTdJd3c"], {"A": 204, "B": 462}),
    ],
)
def test_known_hands_of_omaha(game: GameName, board: str, hands: list[str], winners: Any) -> None:
    found = gpuodds.equity(hands, board=board, game=game)
    assert found.winners == winners and found.outcomes == sum(winners.values())
    assert found.exact and found.method == "exact" and found.low_winners is None
    assert sum(player.equity_exact or 0 for player in found.players) == 1


@pytest.mark.parametrize(
    ("board", "hands", "winners", "low_winners", "equities"),
    [
        (
            "2s7d9h", ["AsAh2c3h", "7c8c9dTd"],
            {"A": 174, "B": 646}, {"": 319, "A": 495, "B": 6}, [0.4579268293, 0.5420731707],
        ),
        (
            "3s4d8h", ["AcAd2c5h", "AhAs2s5c"],
            {"B": 45, "AB": 775}, {"AB": 820}, [0.4862804878, 0.5137195122],
        ),
        (
            "3s4d8h", ["Ac2cKhKd", "Ad2dQhQs", "Ah2h9c9d"],
            {"A": 383, "B": 81, "C": 77, "ABC": 125}, {"ABC": 666},
            [0.4854854855, 0.2587587588, 0.2557557558],
        ),
        (
            "", ["AsAh2c3d", "KcKdQcJd"],
            {"A": 626_714, "B": 459_294}, {"": 480_024, "A": 605_984}, [0.6621958586, 0.3378041414],
        ),
    ],
)  # fmt: skip
def test_known_hands_of_hi_lo(
    board: str, hands: list[str], winners: Any, low_winners: Any, equities: list[float]
) -> None:
    found = gpuodds.equity(hands, board=board, game="omaha-hi-lo")
    assert found.winners == winners and found.low_winners == low_winners
    assert [round(player.equity, 10) for player in found.players] == equities
    assert sum(player.equity_exact or 0 for player in found.players) == 1
    for player in found.to_dict()["players"]:
        counts = [*player["tie_outcomes"], player["win_outcomes"]]
        assert sum(map(int, counts)) / found.outcomes == pytest.approx(1 - player["lose"])
        assert player["scoop"] == player["win"]
    alone = [int(player["high_outcomes"][0]) for player in found.to_dict()["players"]]
    assert sum(alone) == sum(count for who, count in winners.items() if len(who) == 1)


def test_shares_of_the_pot_of_hi_lo() -> None:
    # A wins the high half of every board, and both split each low, of which there is always one.
    found = gpuodds.equity(["Ac2cKcQc", "Ad2dKhQh"], board="3c4c8c9hTs", game="omaha8")
    one, two = found.players
    assert one.equity_exact == Fraction(3, 4) and two.equity_exact == Fraction(1, 4)
    assert (one.win, one.tie, one.lose) == (0, 1, 0) and found.low_winners == {"AB": 1}
    assert found.to_dict()["game"] == "omaha-hi-lo"


def test_one_random_hand() -> None:
    found = gpuodds.equity("AsAhKsKh", game="omaha")
    assert found.outcomes == 211_315_436_640 and found.exact
    assert round(found.equity, 6) == 0.706781
    flop = gpuodds.equity("AsAhKsKh", board="2s7d9h", game="omaha")
    every = [gpuodds.equity("AsAhKsKh", board=f"2s7d9h{card}", game="omaha") for card in ("3c", "Kc")]
    assert flop.outcomes == 990 * 123_410 and all(turn.outcomes == 44 * 123_410 for turn in every)


def test_equity_of_cards_that_are_alike_is_alike() -> None:
    first = gpuodds.equity("KhKsAhAs", board="2d7c9c", game="omaha-hi-lo").players[0].to_dict()
    again = gpuodds.equity("AcAsKcKs", board="7d2h9d", game="omaha8").players[0].to_dict()
    assert {**first, "hand": ""} == {**again, "hand": ""}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hands": "AsAhKs", "game": "omaha"}, "AsAhKs: a hand of omaha has four cards, found 3"),
        ({"hands": ["AsAh", "KsKh"], "game": "omaha"}, "a hand of omaha has four cards, found 2"),
        ({"hands": "AsAhKsKh"}, "a hand has two cards, found 4"),
        ({"hands": "AsKs", "board": "2c7d9h", "game": "short-deck"}, "2c: short-deck has cards from 6"),
        ({"hands": "AsKs", "game": "stud"}, "game stud: expected one of holdem, short-deck"),
        ({"hands": "AsAhKsKh", "opponents": 11, "game": "omaha"}, "a deck has cards for 11"),
        ({"hands": "AsAhKsKhQd", "opponents": 9, "game": "omaha5"}, "a deck has cards for 9"),
        ({"hands": "AsAhKsKh", "board": "As2c3c", "game": "omaha"}, "As: the same card is in"),
    ],
)
def test_bad_input_of_games(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        gpuodds.equity(**arguments)


def test_what_no_method_counts_is_said_in_these_words() -> None:
    with pytest.raises(InputError, match="no method counts this spot: use known hands"):
        gpuodds.equity(["AAKK", "QQ", "random"], board="2s7d9h", game="omaha", made_hands=True)
    with pytest.raises(InputError, match="method 'exact': no method counts this spot"):
        gpuodds.equity("AsAhKsKh", opponents=3, game="omaha", method="exact")
    found = gpuodds.equity("AsAhKsKh", opponents=3, game="omaha", samples=1000, seed=1)
    assert found.notes == ("sampling; no method counts this spot exactly",)


def test_many_spots_whose_hands_are_listed() -> None:
    hands = ["6cTsJh5d", "AAKK,9876:$rb@40"]
    boards = ["Jd6h3d", "Jd6h3s", "Jd6h3c"]
    rows = [{"hands": hands, "board": board} for board in boards]
    answers = gpuodds.equities(rows, game="omaha", method="exact", backend="cpu")
    for answer, board in zip(answers, boards, strict=True):
        alone = gpuodds.equity(hands, board=board, game="omaha", method="exact", backend="cpu")
        assert answer.winners == alone.winners
