"""A spot is valid by construction: each fault is one line that names the cards and the rule."""

from __future__ import annotations

import pytest

from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.spots.spot import Spot


@pytest.mark.parametrize(
    ("hands", "options", "message"),
    [
        ([], {}, "no hand given: expected at least one, such as AsKs"),
        (["AsAs"], {}, "AsAs: column 3: expected a card not named before, found 'As'"),
        (["AsKs", "AsQd"], {}, "As: the same card is in AsKs and AsQd"),
        (["AsKs"], {"board": "2c3dAs"}, "As: the same card is in AsKs and the board"),
        (["AsKs"], {"dead": "Ks"}, "Ks: the same card is in AsKs and the dead cards"),
        (
            ["AsKs"],
            {"board": "2c3d4h", "dead": "2c"},
            "2c: the same card is in the board and the dead cards",
        ),
        (["AsKs"], {"folded": ["AsQd"]}, "As: the same card is in AsKs and folded AsQd"),
        (
            ["AsKs"],
            {"folded": ["Qd2c"], "dead": "2c"},
            "2c: the same card is in folded Qd2c and the dead cards",
        ),
        (["AsKs"], {"board": "2c3c4c5c6c7c"}, "board 2c3c4c5c6c7c: expected at most 5 cards, found 6"),
        (["AsKs"], {"opponents": -1}, "opponents -1: expected 0 to 22"),
        (["AsKs"], {"opponents": 1.5}, "opponents 1.5: expected a whole number"),
        (["AsKs"], {"opponents": 23}, "24 players (1 known, 23 random): a deck has cards for 23"),
        (
            ["AsKs", "QhQd"],
            {"opponents": 22},
            "24 players (2 known, 22 random): a deck has cards for 23",
        ),
        (
            ["AsKs"],
            {"opponents": 22, "folded": "QhQd"},
            "24 players (1 known, 22 random, 1 folded): a deck has cards for 23",
        ),
        (["AsKs"], {"opponents": 0}, "one hand and no opponents: expected --opponents 1 or more"),
        (["AsKsQs"], {}, "AsKsQs: a hand has two cards, found 3"),
        (["As"], {}, "As: a hand has two cards, this is the only card of the last hand"),
        ([""], {}, "'': a hand has two cards, found none"),
        (["0%"], {}, "0%: the range has no hand of a weight above 0"),
        (["AsKs"], {"folded": "0%"}, "0%: the range has no hand of a weight above 0"),
        (
            ["AA"],
            {"board": "AsAhAd"},
            "AA: every hand of the range has a card of the board or a dead card",
        ),
        (
            ["AsKs"],
            {"dead": "QsQhQd", "folded": ["QQ"]},
            "QQ: every hand of the range has a card of the board or a dead card",
        ),
        (["AA", "AsKs"], {"board": "As2s3s"}, "As: the same card is in AsKs and the board"),
        (
            ["QQ+"] * 22,
            {"dead": "2c2d2h2s3c"},
            "47 cards are left in the deck: 49 are needed for the board and 22 players",
        ),
        (
            ["AsKs"],
            {"opponents": 21, "dead": "2c2d2h2s", "folded": "QQ"},
            "46 cards are left in the deck: 49 are needed for the board and 22 players",
        ),
        (
            ["QQ+", "AsKs"],
            {"opponents": 22},
            "24 players (2 known, 22 random): a deck has cards for 23",
        ),
        ([(51,)], {}, "hand As: a hand has two cards, found 1"),
        ([(51, 52)], {}, "card number 52: expected 0 to 51"),
        (
            ["AsKs"],
            {"opponents": 22, "dead": "2c2d"},
            "48 cards are left in the deck: 49 are needed for the board and 22 random opponents",
        ),
        (["AsKs"], {"game": "short-deck", "board": "Tc6c5c"}, "5c: short-deck has cards from 6 to A"),
        (["AsKs"], {"game": "short-deck", "dead": "2c"}, "2c: short-deck has cards from 6 to A"),
        (["AsKs"], {"game": "short-deck", "folded": "2c2d"}, "2c: short-deck has cards from 6 to A"),
        (
            ["AsKs"],
            {"game": "short-deck", "opponents": 15},
            "16 players (1 known, 15 random): a deck has cards for 15",
        ),
        (["AsKs"], {"game": "omaha"}, "AsKs: a hand of omaha has four cards, found 2"),
        (
            ["AsKsQsJs"],
            {"game": "omaha", "opponents": 11},
            "12 players (1 known, 11 random): a deck has cards for 11",
        ),
    ],
)
def test_faults_are_one_clear_line(hands, options, message):
    with pytest.raises(InputError) as fault:
        Spot.of(hands, **options)
    assert str(fault.value) == message


def test_a_range_that_cannot_be_dealt_is_an_impossible_deal():
    for options in ({"board": "AsAhAd"}, {"dead": "AsAhAd"}):
        with pytest.raises(ImpossibleDeal):
            Spot.of(["AA"], board=options.get("board"), dead=options.get("dead"))


def test_one_hand_meets_one_opponent_by_default():
    assert Spot.of(["AsKs"]).opponents == 1
    assert Spot.of(["AsKs", "QhQd"]).opponents == 0


def test_a_spot_counts_its_players_and_cards():
    spot = Spot.of(["AsKs", "QhQd"], opponents=2, board="2s7d9h", dead="2c2d")
    assert (spot.players, spot.unseen, spot.undealt, spot.boards) == (4, 43, 41, 903)
    assert spot.outcomes == 903 * (41 * 40 * 39 * 38 // 24) * 3


def test_every_card_of_the_deck_can_be_dealt():
    spot = Spot.of(["AsKs"], opponents=22, dead="2c")
    assert (spot.unseen, spot.undealt) == (49, 44)
    assert spot.outcomes > 0


@pytest.mark.parametrize(
    ("hands", "options"),
    [
        (["AsKs", "QhQd"], {"board": "2s7d9h", "dead": "3c3d"}),
        (["AsKs"], {"opponents": 22}),
        (["AsKsQhJh", "2c2d3h4s"], {"game": "omaha", "opponents": 3}),
    ],
)
def test_what_a_check_of_known_hands_keeps_is_what_the_spot_would_find(hands, options):
    spot = Spot.of(hands, **options)
    kept = {name: value for name, value in vars(spot).items() if name in vars(Spot)}
    kept = {name: value for name, value in kept.items() if hasattr(vars(Spot)[name], "func")}
    assert len(kept) >= 8
    for name in kept:
        del vars(spot)[name]
    assert {name: getattr(spot, name) for name in kept} == kept
