"""What a spot knows of its players: the hands that they may hold, counted here card by card."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import InputError
from gpuodds.games.catalog import find_game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.spots.hands import check_cards
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.spot import Spot


def test_a_spot_of_defaults_has_a_board_to_come_and_the_whole_deck():
    spot = Spot.of("AsKs")
    assert (spot.hands, spot.opponents, spot.board, spot.dead) == (((51, 47),), 1, (), ())
    assert (spot.folded, spot.game.name, spot.known) == ((), "holdem", frozenset({51, 47}))
    assert (spot.unseen, spot.to_come, spot.undealt, spot.players) == (50, 5, 45, 2)
    assert spot.boards == comb(50, 5) and spot.outcomes == comb(50, 5) * comb(45, 2)


def test_cards_of_each_kind_are_known():
    spot = Spot.of(["AsKs", "22"], board="3c4c5c", dead="6d", folded=["QhQd", "77"])
    assert spot.known == frozenset(parse_cards("AsKs3c4c5c6dQhQd"))
    assert spot.known_hands == ((51, 47),) and spot.folded_hands == (parse_cards("QhQd"),)
    assert (spot.unseen, spot.to_come, spot.undealt) == (44, 2, 42)
    assert spot.names == ("AsKs", "22") and spot.folded_names == ("QhQd", "77")
    assert spot.removed == (parse_cards("6d")[0],)


def test_a_game_without_some_ranks_removes_their_cards():
    spot = Spot.of(["AsKs"], dead="6c", game="short-deck")
    assert spot.removed == (16, *range(16)) and spot.unseen == 33
    assert spot.outcomes == comb(33, 5) * comb(28, 2)
    assert spot.sizes == [1, comb(35, 2)]


@pytest.mark.parametrize(
    ("hands", "options", "known", "in_pairs"),
    [
        (["AsKs"], {}, True, True),
        (["AsKs", "QhQd"], {}, True, False),  # no random opponent
        (["AsKs"], {"board": "2c3c4c5c"}, True, True),
        (["AsKs"], {"board": "2c3c4c5c6c"}, True, False),  # the board is full
        (["AA"], {}, False, False),
        (["AsKs", "AA"], {"opponents": 1}, False, False),
        (["AsKs"], {"folded": "2c2d"}, False, False),
    ],
)
def test_known_hands_against_random_ones_are_dealt_in_pairs(hands, options, known, in_pairs):
    spot = Spot.of(hands, **options)
    assert spot.is_known is known and spot.is_dealt_in_pairs is in_pairs


def test_outcomes_of_ranges_are_the_answers_to_tell():
    for folded in ("22", "2c2d"):
        with pytest.raises(InputError) as fault:
            _ = Spot.of(["AsKs", "QQ+"], folded=folded).outcomes
        names = f"AsKs, QQ+, {folded}"
        assert str(fault.value) == f"{names}: the answer has the number of outcomes of ranges"


def _hands_of(ranks, out, weight=1.0):
    """List the combos of two ranks, or "any", without the cards that are out, in combo order."""
    kept = [pair for pair in combinations(range(52), 2) if not {*pair} & {*parse_cards(out)}]
    if ranks != "any":
        kept = [(a, b) for a, b in kept if format_cards([a, b])[::2] in (ranks, ranks[::-1])]
    return {pair: weight for pair in sorted(kept, key=lambda pair: comb(pair[1], 2) + pair[0])}


def _held(hands):
    return dict(zip(map(tuple, hands.cards.tolist()), hands.weights.tolist(), strict=True))


def test_players_hold_what_the_board_and_dead_cards_leave():
    spot = Spot.of(["KsAs", "AA:0.5,KQ"], opponents=2, board="AdKd2c", dead="Qc", folded=["22", "Jh3h"])
    aces = _hands_of("AA", "AdKd2cQc", 0.5)
    expected = [
        {parse_cards("KsAs"): 1.0},
        _hands_of("KQ", "AdKd2cQc") | aces,
        _hands_of("any", "AdKd2cQc"),
        _hands_of("any", "AdKd2cQc"),
    ]
    for held in (spot.held, spot.held_by_all[:2]):
        assert [_held(hands) for hands in held] == expected[:2]
    assert [_held(hands) for hands in spot.held_by_all] == expected
    assert [_held(hands) for hands in spot.held_by_folded] == [
        _hands_of("22", "2c"),
        {parse_cards("3hJh"): 1.0},
    ]
    assert spot.sizes == [len(hands) for hands in expected] == [1, 3 + 9, comb(48, 2), comb(48, 2)]
    assert spot.least_weights == [1.0, 0.5, 1.0, 1.0]
    for hands in (*spot.held_by_all, *spot.held_by_folded):
        assert hands.numbers.tolist() == [comb(b, 2) + a for a, b in hands.cards.tolist()]
        assert hands.numbers.tolist() == sorted(hands.numbers.tolist())
        assert [array.dtype.name for array in hands] == ["uint8", "float64", "int64"]


@pytest.mark.parametrize("opponents", [0, 2])
def test_weights_by_combo_say_the_same_as_hands(opponents):
    spot = Spot.of(["KsAs", "AA:0.5,KQ"], opponents=opponents, board="AdKd2c", dead="Qc", folded="22")
    for rows, held in (
        (spot.weights, spot.held),
        (spot.all_weights, spot.held_by_all),
        (spot.folded_weights, spot.held_by_folded),
    ):
        assert rows.shape == (len(held), 1326) and rows.dtype == np.float64
        for row, hands in zip(rows, held, strict=True):
            assert np.flatnonzero(row).tolist() == hands.numbers.tolist()
            assert row[hands.numbers].tolist() == hands.weights.tolist()
    assert len(spot.all_weights) == len(spot.held_by_all) == 2 + opponents
    assert np.flatnonzero(spot.free).tolist() == [
        comb(b, 2) + a for a, b in _hands_of("any", "AdKd2cQc")
    ]
    for rows in (spot.weights, spot.folded_weights):
        with pytest.raises(ValueError, match="read-only"):
            rows[0, 0] = 1.0


def test_omaha_hands_are_listed_without_a_row_for_all_combos():
    spot = Spot.of(["AAAK", "AsKsQsJs"], board="Ac2c2d", game="omaha", folded="KKKA")
    names = {format_cards(cards) for cards in spot.held[0].cards.tolist()}
    assert names == {f"K{suit}AdAhAs" for suit in "cdhs"}
    assert _held(spot.held[1]) == {parse_cards("JsQsKsAs"): 1.0}
    assert spot.sizes == [4, 1] and spot.least_weights == [1.0, 1.0, 1.0]
    assert len(spot.held_by_folded[0].cards) == 4 * 3
    with pytest.raises(InputError, match="AAAK: every hand of the range has a card of the board"):
        Spot.of(["AAAK"], board="AcAd2c", game="omaha")
    with pytest.raises(InputError, match="AAAK: every hand of the range has a card of the board"):
        Spot.of(["2c3c4c5c"], board="AcAd2d", game="omaha", folded=["AAAK"])


@pytest.mark.parametrize(
    ("hands", "options", "expected"),
    [
        (["AsKs", "QQ+"], {}, True),
        (["AsKs", "QQ+:0.5"], {}, False),
        (["AsKs", "QQ,AA:0.5"], {"board": "AcAdAh"}, True),  # the half ones cannot be held
        (["AsKs"], {"folded": ["22:0.5"]}, False),
        (["AsKs"], {"folded": ["33,22:0.5"], "board": "2c2d2h"}, True),
    ],
)
def test_integer_weights_are_those_of_hands_that_can_be_held(hands, options, expected):
    assert Spot.of(hands, **options).has_integer_weights is expected


def _renamed(text, renaming):
    return "".join(
        dict(zip("cdhs", renaming, strict=True)).get(letter, letter) if at % 2 else letter
        for at, letter in enumerate(text)
    )


@pytest.mark.parametrize(
    ("hands", "options", "size"),
    [
        (["AsKs"], {}, 6),
        (["AsKd"], {}, 2),
        (["QQ+,AKs"], {}, 24),
        (["QQ+", "AsKs"], {}, 6),
        (["AsKs"], {"board": "2c3c4c"}, 2),
        (["AsKs"], {"dead": "2c3d"}, 1),
        (["AsKs"], {"folded": ["QdQc"]}, 2),
        (["AsKs"], {"folded": ["QdQc,QdQh"]}, 1 * 2),
        (["QQ"], {"folded": ["AsKs"], "board": "2h3h4h"}, 2),
        (["AsKs,AhKh", "QQ"], {}, 4),
        (["AsKs"], {"game": "short-deck"}, 6),
    ],
)
def test_suits_that_change_nothing_form_a_group(hands, options, size):
    assert len(Spot.of(hands, **options).suit_group) == size


def test_renaming_suits_renames_the_group():
    # A group of a renamed spot has the same size: the order of suits means nothing.
    for renaming in ("cdhs", "dchs", "shdc"):
        spot = Spot.of([_renamed("AsKs", renaming)], board=_renamed("2c3c4d", renaming))
        assert len(spot.suit_group) == 1
        spot = Spot.of([_renamed("AsKs", renaming)], board=_renamed("2c3c4c", renaming))
        assert len(spot.suit_group) == 2


def test_what_is_forgotten_is_computed_again():
    spot = Spot.of(["AsKs", "QQ+"], opponents=1, folded="22")
    names = (
        "weights",
        "free",
        "all_weights",
        "folded_weights",
        "held",
        "held_by_folded",
        "held_by_all",
    )
    before = {name: getattr(spot, name) for name in names}
    assert all(getattr(spot, name) is before[name] for name in names)  # kept
    spot.forget()
    spot.forget()
    for name in names:
        assert getattr(spot, name) is not before[name]
    assert spot.weights.tolist() == before["weights"].tolist()


def test_notes_of_all_ranges_are_gathered_once():
    spot = Spot.of(["76s+", "AsKs", "76s+,98s+"], folded=["T9o+", "98s+"])
    assert [note.partition("+")[0] for note in spot.notes] == ["76s", "98s", "T9o"]
    assert Spot.of(["AsKs", "QQ"]).notes == ()


def test_a_spot_is_its_players_board_and_dead_cards():
    players: list[Any] = [(51, 47), Range("QQ+")]
    spot = Spot.of(players, opponents=2, board=["2c", "3d", "4h"], dead=[9], folded=None)
    assert spot == Spot.of(["AsKs", "QQ+"], opponents=2, board="2c3d4h", dead="4d")
    assert spot.players == 4
    omaha = Spot.of("AsKsQsJs", game="PLO")  # type: ignore[arg-type]
    assert omaha.game is find_game("omaha") and omaha.opponents == 1
    assert omaha.outcomes == comb(48, 5) * comb(43, 4)


def test_a_spot_made_of_card_numbers_is_checked_too():
    for board, message in (
        ((0, 0), "2c: the same card is twice in the board"),
        ((51,), "As: the same card is in AsKs and the board"),
    ):
        with pytest.raises(InputError) as fault:
            Spot(((51, 47),), 1, board, game=HOLDEM)
        assert str(fault.value) == message
    with pytest.raises(InputError) as fault:
        Spot((), 2, game=HOLDEM)
    assert str(fault.value) == "no hand given: expected at least one, such as AsKs"


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"board": [0, 1, 2, 3, 4, 5]}, "board 2c2d2h2s3c3d: expected at most 5 cards, found 6"),
        ({"board": [0], "dead": [0]}, "2c: the same card is in the board and the dead cards"),
        ({"dead": [7, 7]}, "3s: the same card is twice in the dead cards"),
        ({"hands": [(0, 1)], "dead": [1]}, "2d: the same card is in 2c2d and the dead cards"),
        ({"folded": [(0, 1)], "board": [1]}, "2d: the same card is in folded 2c2d and the board"),
        ({"hands": [(0, 1)], "folded": [(2, 1)]}, "2d: the same card is in 2c2d and folded 2h2d"),
    ],
)
def test_cards_of_all_places_are_checked(where, message):
    holdem = find_game("holdem")
    check_cards(holdem, [0, 1, 2, 3, 4], [5], [(6, 7)], [(8, 9)])
    places: dict[str, Any] = {"board": [], "dead": [], **where}
    with pytest.raises(InputError) as fault:
        check_cards(holdem, **places)
    assert str(fault.value) == message


def test_cards_that_a_deck_lacks_are_refused_in_every_place():
    short = find_game("short-deck")
    check_cards(short, [16], [17], [(18, 19)], [(20, 21)])
    absent: list[dict[str, Any]] = [
        {"board": [15]},
        {"dead": [15]},
        {"hands": [(16, 15)]},
        {"folded": [(16, 15)]},
    ]
    for place in absent:
        with pytest.raises(InputError) as fault:
            check_cards(short, **{"board": [], "dead": [], **place})
        assert str(fault.value) == "5s: short-deck has cards from 6 to A"


def test_outcomes_are_boards_times_unordered_deals():
    spot = Spot.of(["AsKs"], opponents=2, board="2c3c4c5c")
    assert spot.outcomes == 46 * comb(45, 2) * comb(43, 2) // 2
