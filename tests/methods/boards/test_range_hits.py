"""Made hands and draws of ranges: by street, over all flops, with weights, and what is refused."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

import hits_oracle
import numpy as np
import pytest

import gpuodds
from gpuodds.basics.choices import GameName
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.hits import hit_codes
from gpuodds.games.shared.hit_names import CODES, DRAWS, MADE, draw_table
from gpuodds.results.reports.range_hits import Hit, RangeHits, StreetHits


def combos(hits: dict[str, Hit]) -> dict[str, float]:
    return {name: hit.combos for name, hit in hits.items() if hit.combos}


def test_a_range_on_every_street() -> None:
    found = gpuodds.range_hits("QQ+,AK,7s6s", board="2s7dKhTs3s")
    assert [street.street for street in found.streets] == ["flop", "turn", "river"]
    assert [len(street.board) for street in found.streets] == [3, 4, 5] and found.combos == 28
    flop, turn, river = found.streets
    held = {"set": 3, "overpair": 6, "top pair": 12, "pocket pair below top": 6, "middle pair": 1}
    assert combos(flop.made) == held and list(flop.made) == list(MADE)
    assert combos(flop.draws) == {"backdoor flush draw": 3}  # AsKs, AdKd, 7s6s
    del held["middle pair"]
    assert combos(turn.made) == {**held, "weak pair": 1}
    assert combos(turn.draws) == {"flush draw": 2, "nut flush draw": 1, "flush draw + pair": 2}
    assert combos(river.made) == {**held, "flush": 2, "top pair": 11} and river.draws == {}


def test_the_hands_add_up() -> None:
    for text, board in (("15%", "2s7dKh"), ("40%:0.3,AA", "JsTs9s8d"), ("random", "2s7dKhTh3h")):
        found = gpuodds.range_hits(text, board=board, dead="AcQd")
        expected = gpuodds.Range(text).without(board).without("AcQd")
        assert found.combos == pytest.approx(expected.weight)
        for street in found.streets:
            assert sum(hit.combos for hit in street.made.values()) == pytest.approx(found.combos)
            assert sum(hit.share for hit in street.made.values()) == pytest.approx(1)
            made, draws = defaultdict(float), defaultdict(float)
            for row in street.by_hand:
                made[row.made] += row.weight
                for name in row.draws:
                    draws[name] += row.weight
            assert combos(street.made) == pytest.approx(made)
            assert combos(street.draws) == pytest.approx(draws)
            assert len(street.by_hand) == expected.num_combos


def test_counts_are_integers_unless_hands_have_weights() -> None:
    found = gpuodds.range_hits("QQ+", board="2s7dKh")
    assert type(found.combos) is int and type(found.streets[0].made["set"].combos) is int
    found = gpuodds.range_hits("QQ+:0.5", board="2s7dKh")
    assert (found.combos, found.streets[0].made["set"].combos) == (7.5, 1.5)
    assert type(found.combos) is float


def test_hands_come_best_first() -> None:
    rows = gpuodds.range_hits("22+,AK", board="2s7dKh").streets[0].by_hand
    assert [(row.hand, row.made) for row in rows[:2]] == [("KsKd", "set"), ("KsKc", "set")]
    order = [MADE.index(row.made) for row in rows]
    assert order == sorted(order)


def test_all_flops_make_the_hands_of_five_cards() -> None:
    (flop,) = gpuodds.range_hits("random").streets
    assert (flop.street, flop.board, flop.boards) == ("flop", (), 19_600)
    made = combos(flop.made)
    # Each hand of five cards is a combo and a flop in ten ways.
    five = {"straight flush": 40, "four of a kind": 624, "full house": 3744, "flush": 5108}
    assert {name: made[name] for name in five} == {name: 10 * count for name, count in five.items()}
    assert made["straight"] == 10 * 10_200
    # Of ten ways to split three of a kind, three leave a pair in the hand, six one card of it.
    assert (made["set"], made["trips"]) == (3 * 54_912, 6 * 54_912)
    # Of ten ways to split two pair, four leave a card of each in the hand.
    assert made["two pair"] == 4 * 123_552
    assert sum(made.values()) == 1326 * 19_600


def test_all_flops_of_suited_ace_king() -> None:
    (flop,) = gpuodds.range_hits("AKs").streets
    # One of three aces or kings, and two of the 44 cards below kings.
    assert flop.made["top pair"].combos == 4 * 6 * 946
    # Two of eleven cards of the suit and one of 39 others, less nine flops that make a straight.
    assert flop.draws["flush draw"].combos == 4 * (55 * 39 - 9)
    assert flop.draws["nut flush draw"] == flop.draws["flush draw"]
    # Three of eleven cards; one of these flops is Q-J-T.
    assert (flop.made["straight flush"].combos, flop.made["flush"].combos) == (4, 4 * 164)


def test_a_straight_draws_to_a_flush_where_it_stands_below_sets() -> None:
    expected: dict[GameName, tuple[str, ...]] = {
        "short-deck": (),
        "short-deck-trips": ("flush draw", "nut flush draw"),
    }
    for game, draws in expected.items():
        (flop, turn) = gpuodds.range_hits("ThAh", board="QhKdJh8c", game=game).streets
        assert [hand.made for hand in (*flop.by_hand, *turn.by_hand)] == ["straight", "straight"]
        assert flop.by_hand[0].draws == turn.by_hand[0].draws == draws


@pytest.mark.slow
def test_all_flops_of_short_deck_are_those_of_the_definitions() -> None:
    found = gpuodds.range_hits("AsKs:0.5,9h9d", dead="7c8c", game="short-deck")
    (flop,) = found.streets
    deck = [card for card in range(16, 52) if card not in parse_cards("7c8c")]
    made, draws = Counter[str](), Counter[str]()
    for hand, weight in ((parse_cards("AsKs"), 1), (parse_cards("9h9d"), 2)):
        for board in combinations([card for card in deck if card not in hand], 3):
            made[hits_oracle.made_hand(hand, board, "short-deck")] += weight
            for name in hits_oracle.draws(hand, board, parse_cards("7c8c"), "short-deck"):
                draws[name] += weight
    assert combos(flop.made) == {name: count / 2 for name, count in made.items()}
    assert combos(flop.draws) == {name: count / 2 for name, count in draws.items()}
    assert flop.boards == 4960 and sum(made.values()) == 3 * 4960


@pytest.mark.parametrize(
    ("text", "dead"),
    [("22,AK,T9s", ""), ("22,AK,T9s", "2c3d"), ("AsKh,7s6s,A2s:0.5", "2c"), ("KsQs,KhQh", "KdQd")],
)
def test_classes_of_flops_stand_for_all_flops(text: str, dead: str) -> None:
    (flop,) = gpuodds.range_hits(text, dead=dead).streets
    out = parse_cards(dead)
    flops = np.array([f for f in combinations(range(52), 3) if not {*f} & {*out}], np.uint8)
    held = gpuodds.Range(text).without(dead)
    numbers = np.flatnonzero(held.weights)
    sums = np.zeros(CODES + 1)
    for part in np.array_split(flops, 20):
        codes = hit_codes(part, numbers, HOLDEM, out)
        weights = np.broadcast_to(held.weights[numbers], codes.shape)
        sums += np.bincount(codes.ravel(), weights.ravel(), CODES + 1)
    by_made = sums[:CODES].reshape(len(MADE), -1).sum(axis=1)
    assert [flop.made[name].combos for name in MADE] == by_made.tolist()
    by_draw = [sums[:CODES][codes].sum() for codes in draw_table(HOLDEM)]
    assert [flop.draws[name].combos for name in DRAWS] == by_draw
    assert sums[:CODES].sum() == held.weight * flop.boards


def test_a_hand_without_combos() -> None:
    for text, board in (("AsKs", "As7dKh"), ("0%", "2s7dKh"), ("0%", "")):
        found = gpuodds.range_hits(text, board=board)
        assert found.combos == 0
        assert all(hit == (0, 0.0) for hit in found.streets[0].made.values())


def test_hands_of_every_kind() -> None:
    expected = objects(gpuodds.range_hits("AsKs", board="2s7s9h"))
    for hand in ([51, 47], gpuodds.Range("AsKs"), {"AsKs": 1.0}):
        assert objects(gpuodds.range_hits(hand, board="2s7s9h")) == expected


def objects(found: RangeHits) -> list[object]:
    return [street.to_dict(by_hand=True) for street in found.streets]


def test_json_has_every_field() -> None:
    found = gpuodds.range_hits("AsKs,AhKh", board="2s7s9h", dead="Qd").to_dict(by_hand=True)
    streets = found.pop("streets")
    assert found == {
        "schema": "gpuodds.hits/1",
        "game": "holdem",
        "range": "AsKs,AhKh",
        "board": "2s7s9h",
        "dead": "Qd",
        "combos": 2,
    }
    assert list(streets[0]) == ["street", "board", "boards", "made", "draws", "by_hand"]
    assert streets[0]["made"][-2] == {"name": "ace high", "combos": 2, "share": 1.0}
    assert streets[0]["draws"][0] == {"name": "flush draw", "combos": 1, "share": 0.5}
    assert [row["hand"] for row in streets[0]["by_hand"]] == ["AsKs", "AhKh"]
    assert streets[0]["by_hand"][0] == {
        "hand": "AsKs",
        "weight": 1.0,
        "made": "ace high",
        "draws": ["flush draw", "nut flush draw", "overcards"],
    }
    assert "by_hand" not in gpuodds.range_hits("AA").to_dict()["streets"][0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hands": "AA", "game": "omaha"}, "in omaha: expected a board of three to five cards"),
        ({"hands": "AA", "board": "2s7d"}, "board 2s7d: expected no cards, or three to five, found 2"),
        ({"hands": "AA", "board": "2s7d8d9dTdJd"}, "expected at most 5 cards"),
        ({"hands": "AA", "board": "2s7d8d", "dead": "2s"}, "2s: the same card is in"),
        ({"hands": "AA", "board": "6s7d8d", "dead": "2s", "game": "short-deck"}, "2s: short-deck has"),
        ({"hands": ["AA", "KK"]}, "2 hands or ranges: expected one"),
        ({"hands": "AsKs QsQh"}, "2 hands or ranges: expected one"),
        ({"hands": "AKx"}, "AKx: column 3"),
        ({"hands": gpuodds.Range("AA"), "game": "short-deck"}, "a range of holdem, not short-deck"),
    ],
)
def test_refusals(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as refused:
        gpuodds.range_hits(**options)  # type: ignore[arg-type]
    assert message in str(refused.value) and "\n" not in str(refused.value)


def test_all_flops_have_no_list_of_hands() -> None:
    found = gpuodds.range_hits("AA")
    with pytest.raises(InputError, match="by hand: expected a board"):
        found.to_dict(by_hand=True)
    assert isinstance(found.streets[0], StreetHits)
