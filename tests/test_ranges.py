"""Range text in every dialect, percentages, and what can be done with ranges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.holdem.holdings import HOLDINGS, holding_cards, holding_index
from gpuodds.holdem.starting_hands import (
    combinations,
    grid_name,
    starting_hand,
    starting_hands,
)
from gpuodds.ranges import DIALECTS, Range, equity_ranking, register_ranking

COMBOS = [
    ("AA", 6),
    ("AK", 16),
    ("KA", 16),
    ("AKs", 4),
    ("aKO", 12),
    ("22+", 78),
    ("TT+", 30),
    ("ATs+", 16),
    ("ATo+", 48),
    ("A9+", 80),
    ("KTs+", 12),
    ("QQ-88", 30),
    ("88-QQ", 30),
    ("22-77", 36),
    ("A9s-A6s", 16),
    ("A6s-A9s", 16),
    ("AK-AT", 64),
    ("JTs-67s", 20),
    ("67s-JTs", 20),
    ("J9o-97o", 36),
    ("1010", 6),
    ("109s", 4),
    ("AsKh", 1),
    ("1s13h", 1),
    ("A\u2660K\u2665", 1),
    ("random", HOLDINGS),
    ("ANY", HOLDINGS),
    ("**", HOLDINGS),
    ("XxXx", HOLDINGS),
    ("100%", HOLDINGS),
    ("AA,KK;QQ JJ", 24),
    (" AA ,, KK;\n", 12),
    ("22+,-(KK,AA)", 66),
    ("22+ !AA", 72),
    ("AK,!AKs", 12),
    ("random,-(22+, AsKs)", HOLDINGS - 79),
    ("AK:0.5", 8),
    ("AK@50", 8),
    ("[50]AK[/50]", 8),
    ("[50]AK,QQ[/]", 11),
    ("0.5(AK,QQ)", 11),
    ("(AK,QQ):0.5", 11),
    ("0.5(AK,QQ:0.5)", 9.5),
    ("AKs:0.5", 2),
    ("AK:0", 0),
    ("AA,AA:0.5", 3),
    ("AA:0.5,AA", 6),
    ("AsAh:.25", 0.25),
]


@pytest.mark.parametrize(("text", "combos"), COMBOS)
def test_every_way_to_write_a_range(text: str, combos: float) -> None:
    assert Range(text).combos == combos


FAULTS = [
    ("AKx+", "AKx+: column 3: expected s, o, + or the end of the hand, found 'x'"),
    ("AA KKs", "AA KKs: column 6: expected a pair without s or o, found 's'"),
    ("QQx", "QQx: column 3: expected +, - or the end of the hand, found 'x'"),
    ("", "column 1: expected a hand, such as AKs, or a range, such as QQ+, found the end"),
    (",", "column 2: expected a hand"),
    ("hello", "column 1: expected a hand"),
    ("A2s-K2s", "column 5: expected a hand with A or with ranks as far apart as A2s, found 'K2s'"),
    ("AKs-AJ", "column 5: expected a suited hand, found 'AJ'"),
    ("QQ-AK", "column 4: expected a pair, found 'AK'"),
    ("AK-QQ", "column 4: expected no pair, found 'QQ'"),
    ("AK:1.5", "column 4: expected a weight of 0 to 1, found '1.5'"),
    ("AK:", "column 4: expected a weight, found the end"),
    ("AK:-1", "column 4: expected a weight, found '-'"),
    ("AK@101", "column 4: expected a weight of 0 to 100, found '101'"),
    ("2(AA)", "column 1: expected a weight of 0 to 1, found '2'"),
    ("[150]AA[/150]", "column 1: expected a weight of 0 to 100, found '150'"),
    ("[50]AA[/40]", "column 7: expected [/50], found '[/40]'"),
    ("[50]AA", "column 7: expected [/...], found the end"),
    ("(AA", "column 4: expected ), found the end"),
    ("AA)", "column 3: expected the end of the item, found ')'"),
    ("-(AA", "column 5: expected ), found the end"),
    ("AA,!", "column 5: expected a hand"),
    ("120%", "column 1: expected a percentage of 0% to 100%, found '120%'"),
    ("AsAs", "column 1: expected two different cards, found 'AsAs'"),
    ("AA\x1b[31m", "column 3: expected +, - or the end of the hand, found '\\x1b'"),
    ("(" * 30 + "AA", "column 21: expected at most 20 brackets in brackets"),
    ("A" * 200_000, "200000 characters: expected at most 100000"),
]


@pytest.mark.parametrize(("text", "said"), FAULTS)
def test_faults_are_named_with_their_place(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        Range(text)
    assert said in str(caught.value) and str(caught.value).isprintable()


@given(st.text("AKQJT9872so+-:@!()[]/%.,; 105cdhsrandomXx*", max_size=30))
@settings(max_examples=400)
def test_any_text_is_a_range_or_a_named_fault(text: str) -> None:
    try:
        found = Range(text)
    except InputError as error:
        assert str(error).isprintable()
    else:
        assert ((found.weights >= 0) & (found.weights <= 1)).all()


@st.composite
def ranges(draw: Any) -> Range:
    """Draw ranges of whole starting hands and single holdings, with a few weights."""
    values = draw(st.lists(st.sampled_from([1.0, 0.5, 0.25, 0.137, 0.9999, 1 / 3]), min_size=1))
    weights = np.zeros(HOLDINGS)
    names = [starting_hand((low, high)) for low, high in holding_cards().tolist()]
    for name in draw(st.lists(st.sampled_from(starting_hands()), max_size=40)):
        weights[[i for i, other in enumerate(names) if other == name]] = draw(st.sampled_from(values))
    for h in draw(st.lists(st.integers(0, HOLDINGS - 1), max_size=8)):
        weights[h] = draw(st.sampled_from([0.0, *values]))
    return Range.of(weights)


@given(ranges(), st.sampled_from(DIALECTS))
@settings(max_examples=150, deadline=None)
def test_text_and_range_are_the_same_thing(found: Range, dialect: str) -> None:
    text = found.to_string(dialect)
    if not found:
        assert text == ""
        return
    again = Range(text)
    assert again == found and hash(again) == hash(found)
    assert again.to_string(dialect) == text


def test_text_is_short_and_human() -> None:
    assert str(Range("AK,AQs,QQ,AA,KK")) == "QQ+,AK,AQs"
    assert str(Range("88,99,TT,A5s,A4s,A3s")) == "TT-88,A5s-A3s"
    assert str(Range("random")) == "random"
    assert Range("QQ+:0.5,AK").to_string("gto+") == "AK,[50.0]QQ+[/50.0]"
    assert Range("QQ+:0.5,AKs").to_string("pio") == "AKs,AA:0.5,KK:0.5,QQ:0.5"
    assert repr(Range("AsKh")) == "Range('AsKh')"
    with pytest.raises(InputError, match="expected one of plain, pio"):
        Range("AA").to_string("latin")


def test_percentages_go_by_exact_equity() -> None:
    ranking = equity_ranking()
    assert ranking[:5] == ("AA", "KK", "QQ", "JJ", "TT") and ranking[-1] == "32o"
    assert len(set(ranking)) == 169
    for percent in (1, 5, 15, 42.5, 99, 100):
        found = Range(f"{percent}%")
        best = [name for name in ranking if found.grid()[_cell(name)]]
        assert best == list(ranking[: len(best)])
        held = sum(combinations(name) for name in best)
        assert held == found.combos >= percent * 13.26 - 1e-6
        assert held - combinations(best[-1]) < percent * 13.26
    assert Range("16%-50%") | Range("16%") == Range("50%")
    assert not Range("16%-50%") & Range("16%")
    assert Range("50%-16%") == Range("16%-50%")
    assert Range("0%").combos == 0


def _cell(name: str) -> tuple[int, int]:
    return next((r, c) for r in range(13) for c in range(13) if grid_name(r, c) == name)


def test_other_rankings_can_be_added() -> None:
    register_ranking("backwards", equity_ranking()[::-1])
    assert Range("0.5%", ranking="backwards") == Range("32o")
    with pytest.raises(InputError, match="expected one of backwards, equity"):
        Range("5%", ranking="unknown")
    with pytest.raises(InputError, match="expected the 169 starting hands"):
        register_ranking("short", ["AA"])


def test_set_operations() -> None:
    a, b = Range("AA,KK:0.5"), Range("KK,QQ:0.25")
    assert a | b == Range("AA,KK,QQ:0.25")
    assert a & b == Range("KK:0.5")
    assert a - b == Range("AA")
    assert ~Range("random") == Range("AA:0") and ~~a == a
    assert a.without(parse_cards("As")).combos == 3 + 3
    assert (a.holdings, a.percent) == (12, 100 * 9 / HOLDINGS)
    assert bool(a) and not Range("AA:0")


def test_a_range_does_not_change() -> None:
    found = Range("AA")
    with pytest.raises(ValueError, match="read-only"):
        found.weights[0] = 1
    with pytest.raises(AttributeError):
        found.weights = found.weights


def test_weights_make_a_range() -> None:
    weights = np.zeros(HOLDINGS)
    weights[holding_index(*parse_cards("AsKh"))] = 0.5
    assert Range.of(weights) == Range("AsKh:0.5")
    with pytest.raises(InputError, match=r"shape \(1326,\)"):
        Range.of([1.0])
    with pytest.raises(InputError, match=r"expected 0 to 1, found 2\.0"):
        Range.of(np.full(HOLDINGS, 2.0))
    with pytest.raises(InputError, match="expected 0 to 1, found nan"):
        Range.of(np.full(HOLDINGS, np.nan))


def test_the_grid_has_suited_hands_above_the_diagonal() -> None:
    grid = Range("AKs,QQ:0.5,72o").grid()
    assert grid[0, 1] == 1 and grid[1, 0] == 0 and grid[2, 2] == 0.5 and grid[12, 7] == 1
    assert grid_name(0, 1) == "AKs" and grid_name(12, 7) == "72o"
    assert "<table>" in Range("AA")._repr_html_()


def test_a_range_is_a_player() -> None:
    by_text = gpuodds.equity(["AA", "KK"])
    assert gpuodds.equity([Range("AA"), Range("KK")]).winners == by_text.winners
    assert gpuodds.equity(Range("AA"), opponents=1, board="2s7d9hTc").spot.players == 2
