"""Hold'em's range text in short deck, and what ranges of every game of two cards have."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuodds.basics.choices import GameName
from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import starting_hands
from gpuodds.games.shared.combos import combo_cards
from gpuodds.games.short_deck import equity_order
from gpuodds.spots.ranges import rankings
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.ranges.rankings import register_ranking

DEALT = (combo_cards() >= 16).all(axis=1)


def short(text: Any, **options: Any) -> Range:
    return Range(text, game="short-deck", **options)


@pytest.fixture
def an_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Stand in for the shipped order: by name, not by equity."""
    order = starting_hands(4)[::-1]
    caches = (equity_order.equity_order, rankings._by_equity)
    (tmp_path / "short-deck.txt").write_text("\n".join(order))
    monkeypatch.setattr(equity_order, "FOLDER", tmp_path)
    for cache in caches:
        cache.cache_clear()
    yield order
    monkeypatch.undo()
    for cache in caches:
        cache.cache_clear()


@pytest.mark.parametrize(
    ("text", "combos"),
    [
        ("random", 630),
        ("100%", 630),
        ("0%", 0),
        ("XX", 630),
        ("66+", 54),
        ("77-", 12),
        ("A6s+", 32),
        ("A9-", 64),
        ("KX", 112),
        ("JTs-76s", 20),
        ("random,!AA", 624),
        ("AsKs", 1),
        ("AK:0.5,QQ", 14),
    ],
)
def test_hands_of_the_short_deck(text: str, combos: float) -> None:
    found = short(text)
    assert found.weight == combos and not found.weights[~DEALT].any()
    assert found.percent == pytest.approx(100 * combos / 630)
    for dialect in found.dialects:
        assert short(found.to_string(dialect)) == found
    assert pickle.loads(pickle.dumps(found)) == found


def test_text_of_short_deck_is_short() -> None:
    assert str(short("random")) == "random"
    assert str(short("77-66,A6s+")) == "77-66,A6s+"
    assert repr(short("AA")) == "Range('AA', game='short-deck')"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AA,22+", "AA,22+: column 4: expected a card of short-deck, 6 to A, found '22'"),
        ("A5s-A2s", "A5s-A2s: column 1: expected a card of short-deck, 6 to A, found 'A5s'"),
        ("A9s-A2s", "A9s-A2s: column 5: expected a card of short-deck, 6 to A, found 'A2s'"),
        ("As5h", "As5h: column 1: expected a card of short-deck, 6 to A, found 'As5h'"),
        ("5X", "5X: column 1: expected a card of short-deck, 6 to A, found '5X'"),
        ("6X", "6X: column 1: expected a rank that has a lower one, found '6X'"),
        ("98s-", "98s-: column 1: two readings: write 98s-96s, or 98s-76s"),
    ],
)
def test_faults_are_named_with_their_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Range(text, game="short-deck")
    assert str(caught.value) == message


def test_percentages_follow_the_order(an_order: list[str]) -> None:
    assert an_order[:2] == ["66", "76o"]
    assert short("0.9%") == short("66") and short("2.8%") == short("66,76o")
    assert short("1%-3%") == short("76s") == short("3%") - short("1%")
    register_ranking("best first", an_order[::-1], game="short-deck")
    assert str(short("1%", ranking="best first")) == "AA,AKs"
    with pytest.raises(InputError, match="expected the 81 starting hands, each once"):
        register_ranking("all", starting_hands(), game="short-deck")


def test_the_deck_bounds_every_operation() -> None:
    assert ~short("AA") == short("random,!AA")
    assert short("AA").without("As").weight == 3
    assert short("AA") != Range("AA") and hash(short("AA")) != hash(Range("AA"))
    with pytest.raises(InputError, match="expected 0 for hands with cards up to 5s in short-deck"):
        Range.of(np.ones(1326), game="short-deck")
    with pytest.raises(InputError, match="5h: this card is not in the deck of short-deck"):
        Range.of_combos(["As5h"], game="short-deck")
    with pytest.raises(InputError, match="short-deck and holdem: ranges of different games"):
        short("AA") | Range("AA")
    assert Range.of(DEALT, game="short-deck") == short("random")
    line = "set_range OOP " + " ".join("1" for _ in range(1326))
    with pytest.raises(InputError, match="expected weights of hands that short-deck deals"):
        short(line)


def test_views_of_a_range_of_two_cards() -> None:
    decks: dict[GameName, int] = {"holdem": 1326, "short-deck": 630}
    for game, deck in decks.items():
        found = Range("AA,AKs:0.5,AK", game=game)
        rows = [(row.ranks, row.suits, row.combos, row.weight) for row in found.by_class()]
        assert rows == [("AA", "", 6, 6.0), ("AK", "s", 4, 4.0), ("AK", "o", 12, 12.0)]
        made = found.to_dict()
        assert made["game"] == game and np.array_equal(made["grid"], found.grid())
        assert sum(row.combos for row in Range("random", game=game).by_class()) == deck
        assert "<table>" in found._repr_html_()
        assert len(found.facts.suit_group) == 24
