"""ProPokerTools' generic hands in hold'em, against a plain reading; what people type beside ranges."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import gpuodds
from gpuodds import InputError, Range
from gpuodds.cards import RANKS
from gpuodds.games.shared.combos import combo_cards

Card = tuple[str, int]


def matching(fits: Callable[[Card, Card], bool]) -> set[int]:
    """Return the combos whose cards, in one order or the other, fit."""
    found = set()
    for number, cards in enumerate(combo_cards().tolist()):
        low, high = ((RANKS[card >> 2], card & 3) for card in cards)
        if fits(low, high) or fits(high, low):
            found.add(number)
    return found


SPADE = 3
GENERIC: list[tuple[str, Callable[[Card, Card], bool]]] = [
    ("AxKx", lambda a, b: a[0] == "A" and b[0] == "K" and a[1] == b[1]),
    ("AxKy", lambda a, b: a[0] == "A" and b[0] == "K" and a[1] != b[1]),
    ("10x9x", lambda a, b: a[0] == "T" and b[0] == "9" and a[1] == b[1]),
    ("A*", lambda a, b: a[0] == "A"),
    ("*2", lambda a, b: a[0] == "2"),
    ("As*", lambda a, b: a == ("A", SPADE)),
    ("A*s", lambda a, b: a[0] == "A" and b[1] == SPADE),
    ("Ax*x", lambda a, b: a[0] == "A" and a[1] == b[1]),
    ("*x*x", lambda a, b: a[1] == b[1]),
    ("*x*y", lambda a, b: a[1] != b[1]),
    ("RR", lambda a, b: a[0] == b[0]),
    ("RO", lambda a, b: a[0] != b[0]),
    ("$B$B", lambda a, b: a[0] in "AKQJ" and b[0] in "AKQJ"),
    ("A$W", lambda a, b: a[0] == "A" and b[0] in "A5432"),
    ("[A-T][A-T]", lambda a, b: a[0] in "AKQJT" and b[0] in "AKQJT"),
    ("K[QT]", lambda a, b: a[0] == "K" and b[0] in "QT"),
    ("*", lambda a, b: True),
]


@pytest.mark.parametrize(("text", "fits"), GENERIC)
def test_generic_hands_are_those_that_fit(text: str, fits: Callable[[Card, Card], bool]) -> None:
    weights = Range(text).weights
    assert {*weights.nonzero()[0].tolist()} == matching(fits)
    assert Range(f"{text}:0.5").weight == weights.sum() / 2
    assert Range(f"AA,{text}") == Range("AA") | Range(text)
    with_suits = Range(text, game="short-deck").weights > 0
    assert (with_suits <= (weights > 0)).all()
    assert gpuodds.equity(["7s7d", text], board="2s7h9h").players[1].hand == text


@pytest.mark.parametrize("text", ["AK", "AKs", "AX", "22+", "[50]AK[/50]", "[98]AK[/98]", "**", "XX"])
def test_what_was_a_range_stays_what_it_was(text: str) -> None:
    assert Range(text).notes == ()


@pytest.mark.parametrize("text", ["AKx", "QQx", "Ax", "xx", "AsKx", "AxKs", "A*K*2*", "[A-T", "$Q$Q"])
def test_what_is_half_generic_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Range(text)


def test_readings_of_two_programs_have_notes() -> None:
    for text, note in (
        ("A*s", "A*s is read as A and any spade, as in ProPokerTools: suited is Ax*x"),
        ("$B$B", "$B is read as [A-J]"),
        ("15%6h", "15%6h is read as 15%: percentages go by exact equity"),
    ):
        (found,) = Range(text).notes
        assert found.startswith(note)
    assert Range("15%6h") == Range("15%") and Range("5%-10%6h") == Range("5%-10%")
    assert Range("15%6h", game="omaha") == Range("15%", game="omaha")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("15 %", "15%"),
        ("AA, 5 % - 15 %", "AA,5%-15%"),
        ("A5s\u2013A2s", "A5s-A2s"),
        ("QQ \u2014 99", "QQ-99"),
        ("QQ\u221299", "QQ-99"),
        ("AK@50%", "AK@50"),
        ("50 %(AK)", "50%(AK)"),
    ],
)
def test_what_has_one_meaning_is_read(typed: str, meant: str) -> None:
    assert Range(typed) == Range(meant)


def test_versus_separates_players() -> None:
    expected = gpuodds.equity(["AKs", "QQ"]).players[0].equity_exact
    for hands in ("AKs vs QQ", "AKs v QQ", "AKs vs. QQ", "AKs VERSUS QQ"):
        assert gpuodds.equity(hands).players[0].equity_exact == expected
    three = gpuodds.equity("As Ks vs QQ vs 22+,A2s+", board="2s7d9h")
    assert [player.hand for player in three.players] == ["AsKs", "QQ", "22+,A2s+"]
    with pytest.raises(InputError, match="AKs vs QQ: 2 players: expected one hand or range"):
        Range("AKs vs QQ")
