"""A spot is valid by construction: each fault is one line that names the cards and the rule."""

from __future__ import annotations

import pytest

from gpuodds.errors import InputError
from gpuodds.spots.spot import Spot


@pytest.mark.parametrize(
    ("hands", "options", "message"),
    [
        ([], {}, "no hand given"),
        (["AsAs"], {}, "As"),
        (["AsKs", "AsQd"], {}, "As: the same card is in AsKs and AsQd"),
        (["AsKs"], {"board": "2c3dAs"}, "As: the same card is in AsKs and the board"),
        (["AsKs"], {"dead": "Ks"}, "Ks: the same card is in AsKs and the dead cards"),
        (
            ["AsKs"],
            {"board": "2c3d4h", "dead": "2c"},
            "2c: the same card is in the board and the dead",
        ),
        (["AsKs"], {"board": "2c3c4c5c6c7c"}, "at most 5 cards, found 6"),
        (["AsKs"], {"opponents": -1}, "expected 0 to 22"),
        (["AsKs"], {"opponents": 23}, "a deck has cards for 23"),
        (["AsKs", "QhQd"], {"opponents": 22}, "24 players"),
        (["AsKs"], {"opponents": 0}, "no opponents"),
        (["AsKsQs"], {}, "a hand has two cards"),
        (["As"], {}, "two cards"),
        ([""], {}, "two cards"),
        (["0%"], {}, "0%: the range has no hand of a weight above 0"),
        (["AA"], {"board": "AsAhAd"}, "AA: every hand of the range has a card of the board"),
        (["AA", "AsKs"], {"board": "As2s3s"}, "As: the same card is in AsKs and the board"),
        (["QQ+"] * 22, {"dead": "2c2d2h2s3c"}, "49 are needed for the board and 22 players"),
        (["QQ+", "AsKs"], {"opponents": 22}, "24 players"),
        ([(51,)], {}, "a hand has two cards, found 1"),
        ([(51, 52)], {}, "card number 52: expected 0 to 51"),
        (["AsKs"], {"opponents": 22, "dead": "2c2d"}, "cards are left in the deck: 49 are needed"),
    ],
)
def test_faults_are_one_clear_line(hands, options, message):
    with pytest.raises(InputError) as fault:
        Spot.of(hands, **options)
    assert message in str(fault.value)
    assert "\n" not in str(fault.value)


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
