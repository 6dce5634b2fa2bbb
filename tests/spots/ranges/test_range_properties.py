"""Properties of range text: what any text means, and that any range survives its text."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import (
    starting_hand,
    starting_hands,
)
from gpuodds.games.shared.combos import COMBOS, combo_cards, combo_index
from gpuodds.spots.ranges.range import DIALECTS, Range


@given(st.text(max_size=20))
@settings(max_examples=200)
def test_any_characters_are_a_range_or_a_named_fault(text: str) -> None:
    try:
        Range("AA," + text)
    except InputError as error:
        assert str(error).isprintable()


RANK_NAMES = "23456789TJQKA"

Weights = dict[frozenset[str], Decimal]


def _all_of(high: int, low: int, kinds: str = "so") -> list[frozenset[str]]:
    """List the combos of two ranks card by card, independently of the package."""
    cards = [(a, b) for a in "cdhs" for b in "cdhs" if high != low or a < b]
    return [
        frozenset([RANK_NAMES[high] + a, RANK_NAMES[low] + b])
        for a, b in cards
        if high == low or ("s" if a == b else "o") in kinds
    ]


@st.composite
def hands(draw: Any) -> tuple[str, list[frozenset[str]]]:
    """Draw an item without a weight, and the combos that it names."""
    high, low = sorted(draw(st.tuples(st.integers(0, 12), st.integers(0, 12))), reverse=True)
    suits = "" if high == low else draw(st.sampled_from(["", "s", "o"]))

    def name(one: int, two: int) -> str:
        ranks = [RANK_NAMES[one], RANK_NAMES[two]]
        return "".join(ranks[::-1] if draw(st.booleans()) else ranks) + suits

    kind = draw(st.sampled_from(["one", "up", "down", "run", "gap", "cards", "wild", "cards run"]))
    if kind == "cards":
        chosen = draw(st.sampled_from(_all_of(high, low)))
        return "".join(sorted(chosen, reverse=draw(st.booleans()))), [chosen]
    if kind == "wild" and high:
        found = [h for kicker in range(high) for h in _all_of(high, kicker, suits or "so")]
        return f"{RANK_NAMES[high]}X{suits}", found
    if kind == "cards run":
        a, b = draw(st.permutations("cdhs"))[:2]
        b = a if high > low and draw(st.booleans()) else b
        steps = draw(st.integers(0, 12 - high))
        cards = [(RANK_NAMES[high + step] + a, RANK_NAMES[low + step] + b) for step in range(steps + 1)]
        ends = ["".join(draw(st.permutations(cards[place]))) for place in (0, -1)]
        return "-".join(draw(st.permutations(ends))), [frozenset(pair) for pair in cards]
    if kind == "up":
        pairs = [(rank, rank) for rank in range(high, 13)]
        ranks = pairs if high == low else [(high, kicker) for kicker in range(low, high)]
        text = name(high, low) + "+"
    elif kind == "down" and high - low != 1:
        pairs = [(rank, rank) for rank in range(high + 1)]
        ranks = pairs if high == low else [(high, kicker) for kicker in range(low + 1)]
        text = name(high, low) + "-"
    elif kind == "run" and high > low:
        other = draw(st.integers(0, high - 1))
        ranks = [(high, kicker) for kicker in range(min(low, other), max(low, other) + 1)]
        text = f"{name(high, low)}-{name(high, other)}"
    elif kind == "gap":
        top = draw(st.integers(high, 12))
        ranks = [(high + step, low + step) for step in range(top - high + 1)]
        text = "-".join(draw(st.permutations([name(*ranks[0]), name(*ranks[-1])])))
    else:
        ranks, text = [(high, low)], name(high, low)
    found = [combo for one, two in ranks for combo in _all_of(one, two, suits or "so")]
    return (text.lower() if draw(st.booleans()) else text), found


@st.composite
def texts(draw: Any, depth: int = 2) -> tuple[str, Weights]:
    """Draw a list of items with weights, exclusions and brackets, and the weights that it means."""
    shares = st.decimals(0, 1, places=2)
    parts, weights = [], {}
    for _ in range(draw(st.integers(1, 4))):
        share = draw(shares)
        kind = draw(
            st.sampled_from(["hand", ":", "@", "()", "(%)", "!", "-(", "(", "%(", "):", "{", "["])
        )
        if depth == 0 or kind in ("hand", ":", "@", "()", "(%)", "!"):
            text, named = draw(hands())
            blank = draw(st.sampled_from(["", " "]))
            wrapped = {
                ":": f"{text}{blank}:{blank}{share}",
                "@": f"{text}{blank}@{blank}{100 * share}",
                "()": f"{text}({share})",
                "(%)": f"{text}({100 * share}%)",
                "!": f"!{text}",
            }
            weight = {"hand": Decimal(1), "!": Decimal(0)}.get(kind, share)
            if kind not in ("hand", *wrapped):
                weight = Decimal(1)
            inside = dict.fromkeys(named, weight)
            parts.append(wrapped.get(kind, text))
        elif kind == "-(":
            items = draw(st.lists(hands(), min_size=1, max_size=3))
            parts.append(f"-({','.join(text for text, _ in items)})")
            inside = {combo: Decimal(0) for _, found in items for combo in found}
        else:
            text, within = draw(texts(depth=depth - 1))
            inside = {combo: share * weight for combo, weight in within.items()}
            percent = 100 * share
            wrapped = {
                "(": f"{share}({text})",
                "%(": f"{percent}%({text})",
                "):": f"({text}):{share}",
                "{": f"{{{text}}}:{share}",
            }
            parts.append(wrapped.get(kind, f"[{percent}]{text}[/{percent}]"))
        weights |= inside
    # By blanks alone, hands are players, and a run goes on: see FAULTS.
    separators = st.sampled_from([",", ";", ", ", " ;\n", ",,"])
    text = parts[0] + "".join(draw(separators) + part for part in parts[1:])
    return text, weights


@pytest.mark.slow
@given(texts())
@settings(max_examples=120)
def test_a_text_means_the_sum_of_its_parts(drawn: tuple[str, Weights]) -> None:
    text, meant = drawn
    found = Range(text)
    expected = np.zeros(COMBOS)
    for combo, weight in meant.items():
        expected[combo_index(*parse_cards("".join(combo)))] = weight
    np.testing.assert_allclose(found.weights, expected, rtol=0, atol=1e-15)
    for dialect in DIALECTS:
        assert Range(found.to_string(dialect)) == found


@given(st.text("AKQJT9872so+-:@!()[]{}/%.,; 105cdhsrandomXx*#_", max_size=30))
@settings(max_examples=200)
def test_any_text_is_a_range_or_a_named_fault(text: str) -> None:
    try:
        found = Range(text)
    except InputError as error:
        assert str(error).isprintable()
    else:
        assert ((found.weights >= 0) & (found.weights <= 1)).all()


@st.composite
def ranges(draw: Any) -> Range:
    """Draw ranges of whole starting hands and single combos, with a few weights."""
    some = st.sampled_from([1.0, 0.5, 0.25, 0.137, 1 / 3]) | st.integers(1, 10_000).map(
        lambda parts: parts / 10_000
    )
    values = draw(st.lists(some, min_size=1, max_size=6))
    weights = np.zeros(COMBOS)
    names = [starting_hand((low, high)) for low, high in combo_cards().tolist()]
    for name in draw(st.lists(st.sampled_from(starting_hands()), max_size=40)):
        weights[[i for i, other in enumerate(names) if other == name]] = draw(st.sampled_from(values))
    for h in draw(st.lists(st.integers(0, COMBOS - 1), max_size=8)):
        weights[h] = draw(st.sampled_from([0.0, *values]))
    return Range.of(weights)


@pytest.mark.slow
@given(ranges(), st.sampled_from(DIALECTS))
@settings(max_examples=150, deadline=None)
def test_a_range_survives_its_text(found: Range, dialect: str) -> None:
    text = found.to_string(dialect)
    again = Range(text)
    assert again == found and hash(again) == hash(found)
    assert again.to_string(dialect) == text
