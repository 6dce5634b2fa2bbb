"""Arguments of public functions: any clear form is accepted, the rest gives one line, no traceback."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.basics.arguments import as_flag, as_number, as_seed, as_whole
from gpuodds.betting import kelly_bet
from gpuodds.errors import InputError
from gpuodds.five_card.decks import five_odds
from gpuodds.five_card.draw import best_draw
from gpuodds.spots.ranges import rankings
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.ranges.rankings import equity_ranking

WEIRD: list[Any] = [
    *(None, True, False, 2.0, 2.5, float("nan"), float("inf"), -1, 10**30, 2**63, 1j, Decimal(2)),
    *("many", "", "AsKs QhQd", b"As", object(), len, Fraction(1, 2), range(3), {"As"}, {"AA": 1}),
    *([], {}, (), [None], [True, False], [51, 47], [51.0, 47.0], ("As", "Ks"), ["2s", "7d", "9h"]),
    *([["As"]], [["As", "Ks"], ["Qh", "Qd"]], [float("nan")], np.int64(2), np.float32(2)),
    *(np.bool_(True), np.array([1, 2]), np.array(2), np.array([["As", "Ks"]]), np.zeros((2, 2, 2))),
]
TURN = {"board": "2s7d9hTc", "backend": "cpu"}
SAMPLING = {"samples": 100, "standard_error": 0.1, "time_limit": 1.0, "seed": 1}
AMOUNTS = {"bankroll": 100, "pot": 10, "side_pots": (), "to_call": 0, "stacks": None, "fold": 0}
FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "equity": (
        gpuodds.equity,
        {"hands": ["AsKs", "QhQd"], "opponents": 0, "dead": "", "method": "auto", "table": True}
        | {"by_hand": False, "made_hands": False, **TURN},
    ),
    "sampled": (
        gpuodds.equity,
        {"hands": ["AsKs", "QQ"], "opponents": 1, "method": "monte-carlo", **SAMPLING, **TURN},
    ),
    "by opponents": (
        gpuodds.equities_by_opponents,
        {"hands": "AsKs", "opponents": 2, "dead": "", **TURN},
    ),
    "by next card": (
        gpuodds.equities_by_next_card,
        {"hands": ["AsKs", "QhQd"], "opponents": 0, "dead": "", **TURN},
    ),
    "batch": (
        gpuodds.equity_batch,
        {"hands": [[51, 47]], "boards": [[0, 1, 2]], "opponents": 1, "backend": "cpu"},
    ),
    "matrix": (partial(gpuodds.heads_up_matrix, "2s7d9hTc"), {"dead": "", "backend": "cpu"}),
    "ranks": (gpuodds.rank_hands, {"cards": [[51, 47, 43, 39, 35]]}),
    "combos": (gpuodds.rank_combos, {"boards": [[51, 47, 43, 39, 35]], "backend": "cpu"}),
    "rows": (gpuodds.canonical_rows, {"hands": [[51, 47]], "boards": [[0, 1, 2]]}),
    "cards": (gpuodds.canonical_cards, {"rows": [3], "board_cards": 3}),
    "range": (Range, {"text": "AA", "ranking": "equity", "game": "holdem"}),
    "omaha range": (Range, {"text": "AA", "ranking": "equity", "game": "omaha"}),
    "of": (Range.of, {"weights": np.zeros(1326), "game": "holdem"}),
    "of combos": (Range.of_combos, {"combos": ["AsKs"], "weight": 1.0, "game": "holdem"}),
    "without": (Range("AA").without, {"cards": "As"}),
    "to string": (Range("AA").to_string, {"dialect": "pio"}),
    "ranking": (
        gpuodds.register_ranking,
        {"name": "an order", "hands": equity_ranking(), "game": "holdem"},
    ),
    "table": (gpuodds.table, {"name": "preflop-random"}),
    "lookup": (gpuodds.table("preflop-random").lookup, {"board": ""}),
    "kelly": (
        kelly_bet,
        {"hand": "AsKs", "opponents": 1, **AMOUNTS, "callers": None, "model": "exact", "minimum": 0}
        | {"multiple": 1.0, "spread": 0.0, "dead": "", **TURN},
    ),
    "kelly, sampled": (
        partial(kelly_bet, board="2s7d9hTc", bankroll=100, pot=10),
        {"hand": "AsKs", "opponents": ["QQ", "JJ"], "stacks": [10, 20], "fold": 0.5}
        | {"samples": 500, "seed": 1, "spread": 0.1, "backend": "cpu"},
    ),
    "five odds": (five_odds, {"hand": "KsKh7d4c2c", "seen": ""}),
    "five draw": (
        best_draw,
        {"hand": "4h9d4c7dQs", "seen": "", "max_discards": 1, "opponent": "pat", "runs": 10}
        | {"ranking": "standard", "method": "monte-carlo", "seed": 1},
    ),
}
PLACES = [
    (function, argument) for function, (_, defaults) in FUNCTIONS.items() for argument in defaults
]
FLAGS = ("table", "by_hand", "made_hands")


@pytest.fixture(autouse=True)
def no_ranking_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rankings, "_rankings", dict(rankings._rankings))


@pytest.mark.parametrize(("function", "argument"), PLACES)
@pytest.mark.filterwarnings("error")
def test_any_value_is_accepted_or_gives_one_line(function: str, argument: str) -> None:
    call, defaults = FUNCTIONS[function]
    arguments = ["AsKs"] if function == "lookup" else []
    for value in WEIRD:
        if argument in ("samples", "runs") and isinstance(value, int) and value > 10**6:
            continue  # a number of samples: only long
        try:
            call(*arguments, **{**defaults, argument: value})
        except InputError as error:
            assert str(error).isprintable() and len(str(error)) < 300
        else:
            truth = isinstance(value, (bool, np.bool_))
            assert not truth or argument in FLAGS, f"{argument}={value!r} is no number"


def test_forms_with_one_meaning_are_equal() -> None:
    defaults = gpuodds.equity(["AsKs", "QhQd"], opponents=2, board="2s7d9h")
    hands: Any
    for hands in (
        "AsKs QhQd",
        [["As", "Ks"], ("Qh", "Qd")],
        [(51, 47), [42, 41]],
        np.array([[51, 47], [42, 41]]),
        [[51.0, np.uint8(47)], "QhQd"],
    ):
        boards: list[Any] = ["2s7d9h", ["2s", "7d", "9h"], ["2s7d", 30], np.array([3, 21, 30])]
        for board in boards:
            two: Any = 2.0
            found = gpuodds.equity(hands, opponents=two, board=board, dead=None)
            assert found.players == defaults.players and found.spot == defaults.spot
    alone = gpuodds.equity("AsKs").players
    one: Any = np.int64(1)
    for hand in ([51, 47], (51, 47), np.array([51, 47]), [["As", "Ks"]], ["AsKs"]):
        assert gpuodds.equity(hand, board=None, opponents=one).players == alone
        assert gpuodds.equities_by_opponents(hand, opponents=1)[0].players[0].equity == alone[0].equity
    by_card = gpuodds.equities_by_next_card("AsKs QhQd", board=["2s", "7d", "9h", "Tc"])
    assert by_card["Qc"].players[1].equity == 1


def test_a_range_is_text_a_list_or_weights() -> None:
    assert Range(["AA", "KK:0.5", (51, 47)]) == Range("AA,KK:0.5,AsKs")
    assert Range(("22+", "!AA")) == Range("22+,!AA")
    assert Range({"AA": 1, "QQ+": 0.5, (51, 47): 0.1}) == Range("QQ+:0.5,AsKs:0.1")
    assert Range({"AA": 1 / 3})._text == "" and Range({"AA": 1 / 3}).weights.max() == 1 / 3
    assert Range(Range("AA")) == Range("AA") and Range(["AsKs", "QhQd"]).weight == 2
    players: Any = [{"AA": 1, "KK": 0.5}, "QQ"]
    result = gpuodds.equity(players, board="2s7d9hTcJc")
    assert result.players == gpuodds.equity(["AA,KK:0.5", "QQ"], board="2s7d9hTcJc").players
    assert [player.hand for player in result.players] == ["AA,KK:0.5", "QQ"]
    wrong: Any
    for wrong, message in (
        (["AsKs QhQd", "AA"], "two readings: write AsKs,QhQd"),
        ([], "expected a hand"),
        ({"AA": 2}, "range: AA: weight 2.0: expected 0 to 1"),
        ({"AA": "1"}, "range: AA: weight 1: expected a number"),
        ({"AA": True}, "range: AA: weight True: expected a number"),
        (np.zeros(1326), "gpuodds.Range.of"),
        (None, "range None: expected a text, a list of hands, or weights by hand"),
    ):
        with pytest.raises(InputError, match=message):
            Range(wrong)


def test_one_player_is_not_several_hands() -> None:
    for hands in (["AsKs QhQd"], ["AsKs QhQd", "AA"], ["22", "AsKs QhQd"]):
        with pytest.raises(InputError, match="AsKs QhQd: two readings: write AsKs,QhQd for a range"):
            gpuodds.equity(hands)
    with pytest.raises(InputError, match="two readings"):
        kelly_bet("2c2d", opponents=["AsKs QhQd"], bankroll=100)
    assert gpuodds.equity("AsKs,QhQd").spot.players == 2  # a range of two combos against any cards


def test_a_note_of_a_range_is_a_note_of_the_result() -> None:
    players: Any = ["76s+", Range("T9o+,76s+")]
    for method in ("auto", "monte-carlo"):
        result = gpuodds.equity(players, method=method, samples=100)
        assert [note[:4] for note in result.notes[:2]] == ["76s+", "T9o+"]
        assert result.to_dict()["notes"] == list(result.notes)
    assert gpuodds.equity(["76s", "22"]).notes == ()


def test_arrays_of_cards_may_be_texts() -> None:
    royal: Any = ["As", "Ks", "Qs", "Js", "Ts"]
    assert gpuodds.rank_hands("AsKsQsJsTs") == gpuodds.rank_hands(royal) == 7462
    assert gpuodds.rank_hands([royal, royal]).tolist() == [7462, 7462]
    batch = gpuodds.equity_batch([["As", "Ks"]], [["2s", "7d", "9h"]], opponents=2)
    assert (
        batch.equity.tolist()
        == gpuodds.equity_batch([[51, 47]], [[3, 21, 30]], opponents=2).equity.tolist()
    )
    wrong: Any
    for wrong, message in (
        ([["As", "Ks", "Qs", "Js", "1x"]], "cards: row 0: expected a card, found 1x"),
        ([[51.0, 47, 43, 39, 35]], "expected an array of integers, found float64"),
        ([[True] * 5], "expected an array of integers, found bool"),
    ):
        with pytest.raises(InputError, match=message):
            gpuodds.rank_hands(wrong)


def test_numbers_have_one_meaning() -> None:
    whole = [as_whole("n", value) for value in (2, 2.0, np.uint8(2), np.float32(2), Decimal(2))]
    assert whole == [2] * 5 and all(type(value) is int for value in whole)
    assert as_number("n", Fraction(1, 2)) == as_number("n", np.float32(0.5)) == 0.5
    assert (as_seed(None), as_seed(7.0), as_seed(2**63 - 1)) == (None, 7, 2**63 - 1)
    assert as_flag("f", np.bool_(True)) is True and as_flag("f", 0) is False
    for read, value, message in (
        (as_whole, "2", "n 2: expected a whole number"),
        (as_whole, 2.5, "n 2.5: expected a whole number"),
        (as_whole, True, "n True: expected a whole number"),
        (as_number, float("inf"), "n inf: expected a number"),
        (as_number, np.bool_(False), "expected a number"),
        (as_flag, "no", "n no: expected True or False"),
    ):
        with pytest.raises(InputError, match=message):
            read("n", value)
