"""One question has one answer, however it is spelled: seats, random opponents, alike hands, weights."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, factorial, isnan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds.cards import format_cards
from gpuodds.games import find_game

GAMES = ["holdem", "short-deck", "omaha", "omaha-hi-lo"]
TURNS = {"holdem": "2s7d9hTc", "short-deck": "6s7d9hTc", "omaha": "2s7d9hTc", "omaha-hi-lo": "2s7d4hTc"}


def ask(hands: Sequence[Any], **spot: Any) -> gpuodds.EquityResult:
    return gpuodds.equity(list(hands), backend="cpu", **spot)


def assert_same(one: gpuodds.EquityResult, two: gpuodds.EquityResult, orders: int = 1) -> None:
    """Compare the players whom both answers name; ``two`` has ``orders`` times as many outcomes."""
    assert one.exact and two.exact
    for mine, theirs in zip(one.players, two.players, strict=False):
        assert mine.equity == pytest.approx(theirs.equity, rel=1e-12)
        assert mine.equity_exact == theirs.equity_exact
        assert mine.win == pytest.approx(theirs.win, rel=1e-12)
        if mine.equity_exact is not None:
            assert mine.win_outcomes * orders == theirs.win_outcomes
            assert [count * orders for count in mine.tie_outcomes] == list(theirs.tie_outcomes)
    if isinstance(one.outcomes, int):
        assert one.outcomes * orders == two.outcomes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hands", "opponents", "spot"),
    [
        ("AsKs", 2, {}),
        ("AsKs", 3, {"dead": "Qh"}),
        ("AsKs", 9, {"board": "2s7d9h"}),
        ("AsKs", 2, {"board": "2s7d9h", "folded": ["QQ+,AK"]}),
        (["AsKs", "QhQd"], 1, {}),
        (["AsKs", "QhQd"], 2, {"board": "2s7d9h"}),
        ("AA", 5, {}),
        ("22+", 3, {}),
        ("22+,A2s+:0.5", 3, {}),
        ("AKs", 2, {"game": "short-deck"}),
        pytest.param("AsAhKsKh", 1, {"game": "omaha", "dead": "2c"}, marks=pytest.mark.weekly),
        pytest.param("AsAh2s3h", 1, {"game": "omaha-hi-lo"}, marks=pytest.mark.weekly),
        pytest.param(
            "AsAh2s3h4d5d", 1, {"game": "omaha6", "board": "2d7d9h"}, marks=pytest.mark.weekly
        ),
        ("AsAhKsKh", 1, {"game": "omaha", "dead": "2c", "board": "2d7d9h"}),
        ("AsAh2s3h", 1, {"game": "omaha-hi-lo", "board": "2d7d9h"}),
        ("AsAh2s3h4d", 1, {"game": "omaha5", "board": "2d7d9h"}),
        ("AsAhKsKh", 2, {"game": "omaha", "board": "2s7d9hTcJc"}),
    ],
)
@pytest.mark.parametrize("spelling", ["random", "100%"])
def test_seats_with_any_cards_are_random_opponents(
    hands: Any, opponents: int, spot: dict[str, Any], spelling: str
) -> None:
    if spelling != "random" and spot.get("game") == "omaha6":
        pytest.skip("no percentages")
    named = [hands] if isinstance(hands, str) else hands
    unnamed = ask(named, opponents=opponents, **spot)
    for seats in ([*named, *[spelling] * opponents], [spelling, *named, *[spelling] * (opponents - 1)]):
        found = ask(seats, **spot)
        known = [player for player in found.players if player.hand != spelling]
        assert found.exact and len(found.players) == len(seats)
        orders = factorial(opponents)
        for mine, theirs in zip(unnamed.players, known, strict=True):
            assert mine.equity_exact == theirs.equity_exact
            assert mine.equity == pytest.approx(theirs.equity, rel=1e-12)
            if isinstance(mine.outcomes, int):
                assert mine.win_outcomes * orders == theirs.win_outcomes
                assert [count * orders for count in mine.tie_outcomes] == list(theirs.tie_outcomes)
        random = [player for player in found.players if player.hand == spelling]
        assert [player.equity for player in random] == pytest.approx(
            [unnamed.random_equity] * opponents, rel=1e-9
        )
        total = sum((player.equity_exact or 0 for player in found.players), Fraction(0))
        assert total == 1 or not isinstance(found.outcomes, int)
        if found.winners is not None:
            assert sum(found.winners.values()) == pytest.approx(found.outcomes, rel=1e-12)


def test_a_random_opponent_who_is_named_has_all_figures() -> None:
    found = ask(["AsKs", "random"], board="2s7d9hTc")
    named, other = found.players
    won, lost, (tied,) = named.win_outcomes, other.win_outcomes, named.tie_outcomes
    assert lost == named.outcomes - won - tied
    assert found.winners == {"A": won, "B": lost, "AB": tied}
    turned = ask(["random", "AsKs"], board="2s7d9hTc")
    assert turned.players == found.players[::-1]
    assert turned.winners == {"A": lost, "B": won, "AB": tied}


@pytest.mark.parametrize(
    "hands", [["AsKs", "random", "random"], ["random", "AsKs", "random", "random"]]
)
def test_counts_of_several_seats_with_any_cards(hands: list[str]) -> None:
    """On a river their own counts take no time; three seats are also counted by plain showdowns."""
    board = "2s7d9hTcJc"
    found = ask(hands, board=board)
    assert all(player.win_outcomes is not None for player in found.players)
    # 99.9 % of all hands are no random hand for the normal form: one hand is left out by a weight.
    almost = gpuodds.Range({"random": 1.0, "3d3c": 1e-12})
    other = ask([almost if hand == "random" else hand for hand in hands], board=board)
    for mine, theirs in zip(found.players, other.players, strict=True):
        assert mine.win == pytest.approx(theirs.win, abs=0.01)
    assert found.winners is not None and sum(found.winners.values()) == found.outcomes
    for place, player in enumerate(found.players):
        letter = "ABCD"[place]
        assert found.winners[letter] == player.win_outcomes
        shared = [who for who in found.winners if letter in who]
        for others, count in enumerate(player.tie_outcomes, 1):
            assert count == sum(found.winners[who] for who in shared if len(who) == others + 1)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["holdem", "short-deck", "omaha", "omaha-hi-lo"])
@pytest.mark.parametrize("spot", [{}, {"board": "9hTcJc"}, {"dead": "As"}])
def test_players_who_are_alike_have_equal_shares(game: str, spot: dict[str, Any]) -> None:
    for hands in (["random"] * 2, ["random"] * 4, ["100%"] * 3):
        found = ask(hands, game=game, **spot)
        assert found.exact and [p.equity_exact for p in found.players] == [
            Fraction(1, len(hands))
        ] * len(hands)
    wide = ["60%"] * 5
    found = ask(wide, game=game, **spot)
    assert found.method == "symmetry" and found.equity == 0.2
    assert found.outcomes is None and found.winners is None and isnan(found.players[0].win)
    assert found.to_dict()["winners"] is None and found.to_dict()["outcomes"] is None
    one = found.to_dict()["players"][0]
    assert one["equity_exact"] == "1/5"
    names = ("win", "tie", "lose", "win_outcomes", "tie_outcomes")
    assert [one[name] for name in names] == [None] * 5


def test_players_who_are_alike_are_counted_where_that_is_quick() -> None:
    pair = ask(["AA", "AA"])
    assert pair.method == "table" and pair.winners is not None and pair.outcomes == 6 * 1712304
    four = ask(["QQ+"] * 4, board="2s7d9h")
    assert four.method == "exact" and four.players[0] == four.players[3]
    assert four.winners is not None and four.winners["A"] == four.winners["D"]
    assert sum(four.winners.values()) == four.outcomes


def test_two_seats_with_any_cards_have_winners_of_each_half() -> None:
    # test_drawn_spots.py drew this spot, and its brute force finds the same counts.
    dead = "6cQh4sJcKhAcJd2h5h8dAdTh6s6h9h9s3sAsQs3hKd7s2c8s4d4h5d8h2s8c4cQcJhKs5c9dTc"
    found = ask(["random", "random"], board="Ts3cKc7d", dead=dead, game="omaha-hi-lo")
    assert found.winners == {"A": 17325, "B": 17325}
    assert found.low_winners == {"": 26250, "A": 4200, "B": 4200}
    assert [player["low_outcomes"] for player in found.to_dict()["players"]] == [["4200", "0"]] * 2


def test_symmetry_answers_nothing_that_cannot_be_dealt() -> None:
    for hands, game in ((["AA"] * 3, "holdem"), (["AAAA"] * 2, "omaha")):
        with pytest.raises(gpuodds.InputError, match="cannot be dealt together"):
            ask(hands, game=game)


def test_details_need_counts_where_symmetry_has_none() -> None:
    with pytest.raises(gpuodds.InputError, match="the equity of each hand: counted, not sampled"):
        ask(["60%"] * 6, by_hand=True)


@pytest.mark.parametrize(
    ("alike", "one", "spot"),
    [
        ("AKs", "AsKs", {"opponents": 3}),
        ("AKs", "AsKs", {"opponents": 3, "table": False}),
        ("AA", "AsAh", {"opponents": 2, "dead": "2c2d2h2s"}),
        ("AwAx2w3x", "AsAh2s3h", {"opponents": 1, "game": "omaha", "board": "4s5s6s"}),
        pytest.param(
            *("AwAxKwKx", "AsAhKsKh", {"opponents": 1, "game": "omaha-hi-lo"}), marks=pytest.mark.weekly
        ),
    ],
)
def test_hands_that_are_alike_are_counted_as_one(alike: str, one: str, spot: dict[str, Any]) -> None:
    if "board" in spot:  # only two hands remain alike where spades are on the board
        alike = "AsAh2s3h,AsAd2s3d,AsAc2s3c"
    many, single = ask([alike], **spot), ask([one], **spot)
    assert many.equity == single.equity
    assert many.outcomes % single.outcomes == 0
    assert (
        many.players[0].win_outcomes * single.outcomes == single.players[0].win_outcomes * many.outcomes
    )


def test_equities_by_hand_of_alike_hands() -> None:
    found = ask(["AKs"], opponents=3, board="2s2d2h", by_hand=True)
    assert found.by_hand is not None
    by_suit = {hand.hand: hand.equity for hand in found.by_hand[0]}
    assert by_suit["AsKs"] == by_suit["AdKd"] != by_suit["AcKc"]
    found = ask(["AKs"], opponents=3, dead="Qs", by_hand=True)
    alone = ask(["AsKs"], opponents=3, dead="Qs")
    assert found.by_hand is not None
    assert {hand.hand: hand.equity for hand in found.by_hand[0]}["AsKs"] == pytest.approx(alone.equity)
    weighted = ask(["AKs:0.25", "random"], by_hand=True)
    assert weighted.by_hand is not None
    assert {hand.weight for hand in weighted.by_hand[0]} == {0.25} and len(weighted.by_hand[1]) == 1326


def test_sums_of_rows_of_the_table() -> None:
    for text in ("JJ", "AK", "22+", "AsKs,7h2d:0.5"):
        looked_up = ask([text], opponents=2, by_hand=True)
        counted = ask([text], opponents=2, by_hand=True, table=False)
        assert looked_up.method == "table" and counted.method == "exact"
        assert_same(looked_up, counted)
        assert looked_up.by_hand is not None and counted.by_hand is not None
        figures = [{hand.hand: hand for hand in (one.by_hand or ())[0]} for one in (looked_up, counted)]
        for name, hand in figures[0].items():
            one, other = ([*vars(found).values()][1:] for found in (hand, figures[1][name]))
            assert one == pytest.approx(other, rel=1e-12)


def test_a_range_of_which_one_hand_is_left() -> None:
    found = ask(["AhAd,AhAc:0.5", "KK"], dead="Ad", board="2s7d9h")
    hand = ask(["AhAc", "KK"], dead="Ad", board="2s7d9h")
    assert found.equity == hand.equity and found.outcomes == hand.outcomes / 2
    assert found.players[0].hand == "AhAd,AhAc:0.5"
    chain = ask(["AhAd,AhAc", "AcKc,KcKh"], dead="Ad", board="2s7d9h")
    assert_same(chain, ask(["AhAc", "KcKh"], dead="Ad", board="2s7d9h"))
    with pytest.raises(gpuodds.InputError, match="cannot be dealt together"):
        ask(["AhAd,AhAc", "AcKc,AcKh"], dead="Ad", board="2s7d9h")


def test_one_weight_for_all_hands_changes_no_equity() -> None:
    whole = ask(["QQ+,AK", "22+"], board="2s7d9h")
    half = ask(["QQ+:0.5,AK:0.5", "22+"], board="2s7d9h")
    assert half.equity == whole.equity and half.outcomes == whole.outcomes / 2
    assert half.players[0].equity_exact is None
    folded = ask(["AsKs", "random@50"], folded=["random@50"], board="2s7d9h")
    plain = ask(["AsKs"], opponents=1, board="2s7d9h")
    assert folded.equity == plain.equity and folded.outcomes == plain.outcomes * 43 * 42 / 2 / 4


@pytest.mark.slow
def test_made_hands_beside_a_random_hand() -> None:
    named = ask(["AsAhKsKh", "random"], game="omaha", board="2s7d9h", made_hands=True)
    alone = ask(["AsAhKsKh"], opponents=1, game="omaha", board="2s7d9h", made_hands=True)
    assert named.made_hands is not None and alone.made_hands is not None
    assert named.made_hands[0] == alone.made_hands[0]
    preflop = ask(["AsAhKsKh", "random"], game="omaha", made_hands=True)
    assert preflop.made_hands is not None and not preflop.made_hands[1]
    assert preflop.to_dict()["players"][1]["made_hands"] is None and preflop.exact
    assert preflop.players[1].win_outcomes is not None


def test_omaha_ignores_the_order_of_random_opponents() -> None:
    dead = "2c2d2h3c3d3h3s4c4d4h4s5c5d5h5s6c6d6h6s"
    for game, hand in (("omaha", "AsAhKsKh"), ("omaha-hi-lo", "AsAhKsKh"), ("omaha5", "AsAhKsKh8s")):
        spot: dict[str, Any] = {"board": "2s7d9hTcJc", "dead": dead, "game": game, "method": "exact"}
        found, size = ask([hand], opponents=2, **spot), len(hand) // 2
        left = 52 - 5 - 19 - size
        assert found.outcomes == comb(left, size) * comb(left - size, size) // 2
        assert_same(found, ask([hand, "random", "random"], **spot), orders=2)
    assert ask(["AsAhKsKh"], opponents=2, **spot | {"game": "omaha"}).outcomes == 25_741_485


@st.composite
def spots(draw: Any) -> dict[str, Any]:
    """Draw a small spot: hands, ranges, random seats and opponents, folded players, dead cards."""
    game = find_game(draw(st.sampled_from(GAMES)))
    board = TURNS[game.name] + draw(st.sampled_from(["", "Jc"]))
    used = {*gpuodds.cards.parse_cards(board), *game.missing}
    deck = [card for card in range(52) if card not in used]
    cards = draw(st.permutations(deck))
    size = game.hole_cards
    hands = [format_cards(cards[place : place + size]) for place in range(0, 12 * size, size)][:8]
    one = ",".join(hands[4:6])
    weight = ":0.5" if size == 2 else "@50"
    seat = draw(st.sampled_from([hands[0], one, f"{hands[4]}{weight},{hands[5]}"]))
    return {
        "game": game.name,
        "board": board,
        "named": [seat] if draw(st.booleans()) else [seat, hands[1]],
        "random": draw(st.integers(1, 2 if size == 2 else 1)),
        "dead": draw(st.sampled_from(["", format_cards(cards[-1:])])),
        "folded": draw(st.sampled_from([[], [hands[2]], ["random"], [f"{hands[2]},{hands[3]}"]])),
        "order": draw(st.permutations(range(4))),
    }


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(spots())
def test_every_spelling_of_a_drawn_question(drawn: dict[str, Any]) -> None:
    named, random = drawn["named"], drawn["random"]
    spot = {name: drawn[name] for name in ("game", "board", "dead", "folded")}
    if find_game(drawn["game"]).hole_cards > 2 and len(named) + random > 2:
        spot["folded"] = []  # three players of Omaha are counted if none has folded
    plain = ask(named, opponents=random, **spot)
    seats = [*named, *["random"] * random]
    order = [place for place in drawn["order"] if place < len(seats)]
    spellings = [
        (seats, list(range(len(named)))),
        ([seats[place] for place in order], [order.index(place) for place in range(len(named))]),
        ([*named, *["100%"] * random], list(range(len(named)))),
    ]
    for hands, places in spellings:
        found = ask(hands, **spot)
        assert found.exact == plain.exact is True
        for place, mine in zip(places, plain.players, strict=True):
            theirs = found.players[place]
            assert mine.equity == pytest.approx(theirs.equity, rel=1e-12)
            if isinstance(mine.outcomes, int):
                assert mine.equity_exact == theirs.equity_exact
                assert mine.win_outcomes * factorial(random) == theirs.win_outcomes
                assert mine.outcomes * factorial(random) == theirs.outcomes
        assert sum(player.equity for player in found.players) == pytest.approx(1, rel=1e-12)
