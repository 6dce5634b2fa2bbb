"""The class Range: what it is made of, what it refuses, and what its operators mean."""

from __future__ import annotations

import copy
import logging
import pickle
from typing import Any, get_args

import numpy as np
import pytest

from gpuodds.basics.choices import GameName
from gpuodds.errors import InputError
from gpuodds.games.catalog import GAMES, find_game
from gpuodds.games.shared.combos import combo_index
from gpuodds.spots.ranges.range import MAX_KEPT_TEXT, Range
from gpuodds.spots.ranges.rankings import equity_ranking, find_ranking, register_ranking

OMAHA, SHORT = find_game("omaha"), find_game("short-deck")
A_LIST = "expected a text, a list of hands, or weights by hand"
AS_TEXT = "; for weights of all combos, gpuodds.Range.of"


def message_of(call: Any) -> str:
    with pytest.raises(InputError) as fault:
        call()
    return str(fault.value)


def test_a_range_is_made_of_texts_hands_weights_or_a_range() -> None:
    expected = Range("AA,AsKs")
    assert Range(["AA", "AsKs"]) == Range(["AA", (51, 47)]) == Range(iter(["AA", "AsKs"])) == expected
    assert Range([["As", "Ks"], "AA"]) == Range({"AA": 1, "AsKs": 1.0}) == Range(expected) == expected
    assert Range({"AA": 0.5, (51, 47): 0.1, "22,33": 0}) == Range("AA:0.5,AsKs:0.1")
    assert Range({"AA,KK": 1e-5}) == Range("(AA,KK):0.00001")
    assert Range([(51, 47, 43, 39), "AAAA"], game="omaha") == Range("AsKsQsJs,AAAA", game=OMAHA)
    assert Range({"AAAA": 0.5}, game="omaha") == Range("AAAA@50", game="omaha")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (5, f"range 5: {A_LIST}"),
        (None, f"range None: {A_LIST}"),
        ([5], f"range: 5: expected a hand as text or as two cards{AS_TEXT}"),
        ([(51,)], f"range: (51,): expected a hand as text or as two cards{AS_TEXT}"),
        ([0.0] * 1326, f"range: 0.0: expected a hand as text or as two cards{AS_TEXT}"),
        (["AsKs QhQd"], "AsKs QhQd: two readings: write AsKs,QhQd for a range of combos, or give AsKs "
         "and QhQd as two players"),
        ({"AA": 1.5}, "range: AA: weight 1.5: expected 0 to 1"),
        ({"AA": -0.1}, "range: AA: weight -0.1: expected 0 to 1"),
        ({(51, 47): 2}, "range: AsKs: weight 2.0: expected 0 to 1"),
        ({"AA": "x"}, "range: AA: weight x: expected a number"),
    ],
)  # fmt: skip
def test_other_things_are_no_range(given: Any, message: str) -> None:
    assert message_of(lambda: Range(given)) == message


@pytest.mark.parametrize(
    ("game", "number"),
    [("omaha", "four"), ("omaha5", "five"), ("omaha6", "six"), ("short-deck", "two")],
)
def test_hands_have_the_cards_of_the_game(game: GameName, number: str) -> None:
    expected = f"range: (51,): expected a hand as text or as {number} cards{AS_TEXT}"
    assert message_of(lambda: Range([(51,)], game=game)) == expected


def test_a_range_of_a_range_keeps_its_game() -> None:
    ours = Range("76s+", game="short-deck")
    for again in (Range(ours), Range(ours, game="short-deck"), Range(ours, game=SHORT)):
        assert again == ours and again.notes == ours.notes != () and again.name == "76s+"
        assert again.facts is ours.facts and again.game is SHORT
    wanted = "short-deck: this range is of another game than holdem"
    assert message_of(lambda: Range(ours, game="holdem")) == wanted
    wanted = "ranking other: expected one of equity"
    assert message_of(lambda: Range(ours, ranking="other")) == wanted


def test_notes_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "gpuodds"):
        notes = Range("76s+,98s+").notes
    assert len(notes) == 2 and [record.getMessage() for record in caplog.records] == [*notes]
    assert {(record.name, record.levelname) for record in caplog.records} == {("gpuodds", "INFO")}
    assert notes[0] == (
        "76s+ is read as 76s alone; some solvers and charts mean 76s-AKs: write 76s or 76s-AKs"
    )


def test_a_range_is_named_as_it_was_written() -> None:
    assert Range(" KK,\n AA ").name == "KK, AA" and Range("KK,AA").name == "KK,AA"
    assert Range(["KK", "AA"]).name == "KK,AA"
    assert Range({"KK": 1, "AA": 1}).name == "KK+" == str(Range("KK,AA"))
    assert Range.of(Range("KK,AA").weights).name == "KK+" == (Range("KK") | Range("AA")).name
    assert repr(Range("KK,AA")) == "Range('KK+')"
    assert repr(Range("AAAA", game="omaha")) == "Range('AAAA', game='omaha')"


@pytest.mark.parametrize("text", ["AA,KK:0.5", "AA," * (MAX_KEPT_TEXT // 3) + "KK", "AA," * 2000])
def test_short_and_long_texts_mean_the_same_each_time(text: str) -> None:
    first, second = Range(text), Range(text)
    assert first == second and hash(first) == hash(second)
    assert first.weight == (9.0 if ":" in text else 12.0 if "KK" in text else 6.0)


def test_ranges_of_omaha_are_kept_apart_from_those_of_other_games() -> None:
    games: list[tuple[GameName, str, int]] = [("omaha", "AAAK", 16), ("omaha5", "AAAKK", 24)]
    for game, text, combos in (*games, games[0]):
        found = Range(text, game=game)
        assert found.weight == combos and found.game is find_game(game)


def test_weights_of_all_combos_make_a_range() -> None:
    weights = [0.0] * 1326
    weights[combo_index(51, 47)] = 0.5
    found = Range.of(weights)
    assert found == Range("AsKs:0.5") and found.weights.dtype == np.float64 and found.notes == ()
    given = np.zeros(1326)
    found = Range.of(given)
    given[0] = 1.0
    assert not found and not found.weights.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        Range("AA").weights[0] = 1.0
    assert Range.of(Range("AAAA", game="omaha").weights, game="omaha") == Range("AAAA", game="omaha")
    short = Range("AA", game="short-deck")
    assert Range.of(short.weights, game="short-deck") == short


@pytest.mark.parametrize(
    ("weights", "game", "message"),
    [
        ("AA", "holdem", "weights: expected 1,326 numbers"),
        ([[1.0], [2.0, 3.0]], "holdem", "weights: expected 1,326 numbers"),
        (None, "holdem", "weights: expected the shape (1326,), found ()"),
        ([1.0], "holdem", "weights: expected the shape (1326,), found (1,)"),
        ([1.0], "omaha", "weights: expected the shape (270725,), found (1,)"),
        ([0.5, 2.0, 3.0] * 442, "holdem", "weights: expected 0 to 1, found 2.0"),
        ([0.5, -0.25] * 663, "holdem", "weights: expected 0 to 1, found -0.25"),
        ([0.5, float("nan")] * 663, "holdem", "weights: expected 0 to 1, found nan"),
        ([1.0] * 1326, "short-deck", "weights: expected 0 for hands with cards up to 5s in short-deck"),
    ],
)
def test_other_weights_are_refused(weights: Any, game: GameName, message: str) -> None:
    assert message_of(lambda: Range.of(weights, game=game)) == message


def test_combos_make_a_range() -> None:
    assert Range.of_combos(["AsKh", (51, 47), [0, 1]], 0.25) == Range("(AsKh,AsKs,2c2d):0.25")
    assert Range.of_combos(iter(["AsKs"])) == Range("AsKs") and not Range.of_combos([])
    assert Range.of_combos(["AsKsQsJs"], game="omaha") == Range("AsKsQsJs", game="omaha")
    assert Range.of_combos([(16, 17)], game=SHORT) == Range("6d6c", game="short-deck")


@pytest.mark.parametrize(
    ("combos", "weight", "game", "message"),
    [
        ("AsKs", 1, "holdem", "combos AsKs: expected a list of hands"),
        (7, 1, "holdem", "combos 7: expected a list of hands"),
        (["AsKs"], 2, "holdem", "weights: expected 0 to 1, found 2.0"),
        (["AsKs"], "x", "holdem", "weight x: expected a number"),
        (["As"], 1, "holdem", "hand As: a hand has two cards, found 1"),
        ([(51, 51)], 1, "holdem", "As: a hand has two different cards"),
        (["AsKs"], 1, "omaha", "hand AsKs: a hand of omaha has 4 different cards"),
        ([(0, 1, 2, 2)], 1, "omaha", "hand 2c2d2h2h: a hand of omaha has 4 different cards"),
        ([(0, 1, 2, 3)], 1, "omaha5", "hand 2c2d2h2s: a hand of omaha5 has 5 different cards"),
        ([(16, 15)], 1, "short-deck", "5s: this card is not in the deck of short-deck"),
        ([(0, 51)], 1, "short-deck", "2c: this card is not in the deck of short-deck"),
    ],
)
def test_other_combos_are_refused(combos: Any, weight: Any, game: GameName, message: str) -> None:
    assert message_of(lambda: Range.of_combos(combos, weight, game=game)) == message


def test_operators_take_ranges_of_one_game() -> None:
    a, b = Range("AA:0.5,KK"), Range("AA,QQ:0.25")
    assert a | b == b | a == Range("AA,KK,QQ:0.25")
    assert a & b == b & a == Range("AA:0.5")
    assert a - b == Range("KK") and b - a == Range("QQ:0.25")
    assert ~a == Range("random,!KK,AA:0.5")
    for game in ("short-deck", "omaha"):
        one = Range("AA" if game == "short-deck" else "AAAA", game=game)
        assert one | one == one & one == ~~one == one and not one - one
        assert (one | one).game is one.game and ~one == Range("random", game=game) - one
        for both in (lambda x, y: x | y, lambda x, y: x & y, lambda x, y: x - y):
            wanted = f"holdem and {game}: ranges of different games"
            assert message_of(lambda both=both, one=one: both(a, one)) == wanted
    for both in (lambda x, y: x | y, lambda x, y: x & y, lambda x, y: x - y):
        with pytest.raises(TypeError, match="unsupported operand"):
            both(a, "AA")


def test_combos_with_a_card_are_taken_out() -> None:
    found = Range("AA,KK:0.5").without("As Kd")
    assert found == Range("AcAd,AcAh,AdAh,(KcKh,KcKs,KhKs):0.5") and found.name == str(found)
    assert Range("AA").without([]) == Range("AA") and Range("AA").without([51, 50, 49, 48]).weight == 0
    omaha = Range("AAAK", game="omaha").without("As")
    assert omaha.weight == 4 and omaha.game is OMAHA
    assert Range("AA", game="short-deck").without("As").game is SHORT


def test_equal_ranges_have_one_game_and_equal_weights() -> None:
    found = Range("AA,KK:0.5")
    same = Range.of(found.weights)
    assert found == same and hash(found) == hash(same) and len({found, same}) == 1
    assert found != Range("AA") and found != "AA,KK:0.5" and found != Range("AA,KK:0.5", game=SHORT)
    for again in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
        assert again == found and again.name == "AA,KK:0.5" and again.game is found.game
    noted = Range("76s+", game="short-deck")
    again = pickle.loads(pickle.dumps(noted))
    assert (again.notes, again.game, again) == (noted.notes, SHORT, noted)


def test_a_range_does_not_change() -> None:
    with pytest.raises(AttributeError, match="a range does not change: weights"):
        Range("AA").weights = np.zeros(1326)
    with pytest.raises(AttributeError, match="a range does not change: other"):
        Range("AA").other = 1


def test_sums_counts_and_shares() -> None:
    found = Range("AA:0.25,KK")
    assert (found.weight, found.num_combos, found.percent) == (7.5, 12, 100 * 7.5 / 1326)
    short = Range("AA", game="short-deck")
    assert (short.weight, short.num_combos, short.percent) == (6.0, 6, 100 * 6 / 630)
    assert Range("AsAh:0.01") and not Range("AA:0")
    assert found.dialects == ("plain", "pio", "gto+") and found.facts.total == 7.5
    assert Range("AAAA", game="omaha").dialects == ("plain",)
    assert not found.facts.is_integer and short.facts.is_integer and Range("0%").facts.is_integer


@pytest.mark.parametrize(("text", "size"), [("AA,KK", 24), ("AsKs", 6), ("AsKh,22", 2)])
def test_a_range_of_weights_has_the_suit_renamings_of_its_text(text: str, size: int) -> None:
    for found in (Range(text), Range.of(Range(text).weights), Range(text) | Range(text)):
        assert len(found.facts.suit_group) == size


def test_starting_hands_of_a_range_are_listed() -> None:
    rows = [tuple(row) for row in Range("AA,AKs:0.5,KsQh").by_class()]
    assert rows == [("AA", "", 6, 6.0), ("AK", "s", 4, 2.0), ("KQ", "o", 12, 1.0)]


def test_dialects_are_named() -> None:
    assert (
        message_of(lambda: Range("AA").to_string("x")) == "dialect x: expected one of plain, pio, gto+"
    )
    wanted = "dialect pio: expected one of plain"
    assert message_of(lambda: Range("AAAA", game="omaha").to_string("pio")) == wanted


@pytest.mark.parametrize(
    ("name", "hands", "game", "message"),
    [
        ("", ["AA"], "holdem", "ranking '': expected a name"),
        ("  ", ["AA"], "holdem", "ranking   : expected a name"),
        (5, ["AA"], "holdem", "ranking 5: expected a name"),
        ("equity", ["AA"], "holdem", "ranking equity: this ranking is built in; expected another name"),
        ("mine", "AA", "holdem", "ranking AA: expected the 169 starting hands, each once"),
        ("mine", ["AA"], "holdem", "ranking mine: expected the 169 starting hands, each once"),
        ("mine", ["AA"] * 169, "holdem", "ranking mine: expected the 169 starting hands, each once"),
        ("mine", ["AA"], "short-deck", "ranking mine: expected the 81 starting hands, each once"),
        ("mine", ["AA"], "chess", "game chess: expected one of holdem, short-deck, short-deck-trips, "
         "omaha, omaha-hi-lo, omaha5, omaha5-hi-lo, omaha6"),
    ],
)  # fmt: skip
def test_other_rankings_are_refused(name: Any, hands: Any, game: GameName, message: str) -> None:
    assert message_of(lambda: register_ranking(name, hands, game=game)) == message


def test_a_ranking_is_of_one_game() -> None:
    order = equity_ranking()[::-1]
    register_ranking("upside down", order)
    found = find_ranking("upside down", find_game("holdem"))
    assert (found.name, found.order, found.by_equity) == ("upside down", order, False)
    assert find_ranking("equity", find_game("holdem")).by_equity
    assert Range("0.5%", ranking="upside down") == Range("32o")
    wanted = message_of(lambda: Range("5%", ranking="upside down", game="short-deck"))
    assert wanted.startswith("ranking upside down: expected one of ") and "equity" in wanted
    assert "upside down" not in wanted.partition(":")[2]
    number: Any = 5
    assert message_of(lambda: find_ranking(number, SHORT)).startswith("ranking 5: expected one of ")


def test_a_range_is_iterated_by_combos_and_has_a_length() -> None:
    found = Range("AA,KK:0.5,76s-65s")
    assert len(found) == found.num_combos == len(list(found)) == 20
    assert Range.of_combos(found) == Range("AA,KK,76s-65s")
    assert list(Range("AsKh,2c2d")) == ["AsKh", "2d2c"] and list(Range("0%")) == []
    assert len(Range("AAKK", game="omaha")) == len({*Range("AAKK", game="omaha")}) == 36
    assert not Range("0%") and len(Range("0%")) == 0


def test_hands_are_in_a_range() -> None:
    found = Range("AK,QQ:0.5")
    for hand in ("AsKs", "AKs", "QQ", "QsQh", (51, 47), [51, 47], Range("AKo")):
        assert hand in found, hand
    for other in ("AQ", "AsQs", "AK,AQ", "0%", (51, 43), Range("QQ+")):
        assert other not in found, other
    with pytest.raises(InputError, match="AKx: column 3"):
        _ = "AKx" in found
    with pytest.raises(InputError, match="ranges of different games"):
        _ = Range("AAKK", game="omaha") in found


def test_the_names_of_games_are_those_of_the_catalog() -> None:
    names = {name for game in GAMES for name in (game.name, *game.aliases)}
    assert {*get_args(GameName)} == names
