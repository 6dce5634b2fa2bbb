"""Range text of Omaha against brute force in plain Python, and errors with places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuodds.cards import RANKS, SUITS
from gpuodds.errors import InputError
from gpuodds.games.omaha import equity_order
from gpuodds.games.omaha.combos import combo_cards
from gpuodds.games.omaha.starting_hands import class_names, class_of_combos, starting_hands
from gpuodds.spots.notation.omaha import items as range_items
from gpuodds.spots.notation.omaha import sets as range_sets
from gpuodds.spots.notation.omaha import text as range_text
from gpuodds.spots.notation.omaha.sets import of_pattern
from gpuodds.spots.ranges import rankings
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.ranges.rankings import register_ranking

Counts = Counter[Any]
STEP = 11  # of the combos that brute force looks at

Predicate = Callable[[Counts, Counts, list[tuple[str, str]]], bool]


def omaha(text: Any, **options: Any) -> Range:
    return Range(text, game="omaha", **options)


@pytest.fixture(scope="module")
def hands() -> list[tuple[Counts, Counts, list[tuple[str, str]]]]:
    return [
        (Counter(rank for rank, _ in hand), Counter(suit for _, suit in hand), hand)
        for cards in combo_cards(4)[::STEP].tolist()
        for hand in [[(RANKS[card >> 2], SUITS[card & 3]) for card in cards]]
    ]


@pytest.fixture
def an_order(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Stand in for the shipped orders: numbers drawn at random."""
    shares = np.random.default_rng(3).integers(0, 1000, 16432)
    caches = (equity_order.equity_order, rankings._by_equity)
    monkeypatch.setattr(equity_order, "FOLDER", tmp_path / "data")
    for cache in caches:
        cache.cache_clear()
    equity_order.write_order("omaha", shares)
    yield shares
    monkeypatch.undo()
    for cache in caches:
        cache.cache_clear()


def counts_of_suits(*wanted: int) -> Predicate:
    return lambda ranks, suits, cards: sorted(suits.values(), reverse=True) == list(wanted)


def counts_of_ranks(*wanted: int) -> Predicate:
    return lambda ranks, suits, cards: sorted(ranks.values(), reverse=True) == list(wanted)


def some_cards(fits: Callable[..., bool], places: int) -> Predicate:
    """Return whether some cards of a hand, in some order, fit: the meaning of a pattern."""
    return lambda ranks, suits, cards: any(fits(*chosen) for chosen in permutations(cards, places))


BY_BRUTE_FORCE: list[tuple[str, Predicate]] = [
    ("AA", lambda ranks, suits, cards: ranks["A"] >= 2),
    ("AA**", lambda ranks, suits, cards: ranks["A"] >= 2),
    ("A*", lambda ranks, suits, cards: ranks["A"] >= 1),
    ("AAKK", lambda ranks, suits, cards: ranks["A"] == ranks["K"] == 2),
    ("akqj", lambda ranks, suits, cards: set(ranks) == set("AKQJ")),
    ("AA!AAA", lambda ranks, suits, cards: ranks["A"] == 2),
    ("sshh", lambda ranks, suits, cards: suits["s"] == suits["h"] == 2),
    ("ss", lambda ranks, suits, cards: suits["s"] >= 2),
    ("xxyy", counts_of_suits(2, 2)),
    ("$ds", counts_of_suits(2, 2)),
    ("$ss", counts_of_suits(2, 1, 1)),
    ("$ts", counts_of_suits(3, 1)),
    ("$rb", counts_of_suits(1, 1, 1, 1)),
    ("$ms", counts_of_suits(4)),
    ("wxyz", counts_of_suits(1, 1, 1, 1)),
    ("wxy", lambda ranks, suits, cards: len(suits) >= 3),
    ("xx", lambda ranks, suits, cards: len(suits) < 4),
    ("RRON", counts_of_ranks(2, 1, 1)),
    ("RROO", counts_of_ranks(2, 2)),
    ("RONP", counts_of_ranks(1, 1, 1, 1)),
    ("$np", counts_of_ranks(1, 1, 1, 1)),
    ("$op", counts_of_ranks(2, 1, 1)),
    ("$tp", counts_of_ranks(2, 2)),
    ("$nt", lambda ranks, suits, cards: max(ranks.values()) < 3),
    ("RR", lambda ranks, suits, cards: max(ranks.values()) >= 2),
    ("AAR", lambda ranks, suits, cards: ranks["A"] >= 2 and len(ranks) > 1),
    ("AARR", lambda ranks, suits, cards: ranks["A"] == 2 and len(ranks) == 2),
    ("[A-T][A-T][A-T][A-T]", lambda ranks, suits, cards: set(ranks) <= set("AKQJT")),
    ("$R$R$R$R", lambda ranks, suits, cards: set(ranks) <= set("AKQJT")),
    ("[AKQ][234]", lambda ranks, suits, cards: bool(set(ranks) & {*"AKQ"} and set(ranks) & {*"234"})),
    ("T+", lambda ranks, suits, cards: bool(set(ranks) & set("TJQKA"))),
    ("[T+]*", lambda ranks, suits, cards: bool(set(ranks) & set("TJQKA"))),
    ("3-", lambda ranks, suits, cards: bool(set(ranks) & set("32"))),
    ("KK-JJ", lambda ranks, suits, cards: any(ranks[rank] >= 2 for rank in "KQJ")),
    ("JJ-KK", lambda ranks, suits, cards: any(ranks[rank] >= 2 for rank in "KQJ")),
    ("TT+", lambda ranks, suits, cards: any(ranks[rank] >= 2 for rank in "TJQKA")),
    (
        "JT98-9876",
        lambda ranks, suits, cards: any(set(run) == set(ranks) for run in ("JT98", "T987", "9876")),
    ),
    (
        "JT98+",
        lambda ranks, suits, cards: (
            len(ranks) == 4 and "".join(sorted(ranks, key=RANKS.index)) in "89TJQKA"
        ),
    ),
    ("AK-AT", lambda ranks, suits, cards: bool(ranks["A"] and set(ranks) & set("KQJT"))),
    ("AsKh", lambda ranks, suits, cards: {("A", "s"), ("K", "h")} <= set(cards)),
    ("[As,h]", lambda ranks, suits, cards: suits["h"] >= 1 or ("A", "s") in cards),
    ("AxAyxy", some_cards(lambda a, b, c, d: a[0] == b[0] == "A" and a[1] == c[1] != b[1] == d[1], 4)),
    ("AxKx", some_cards(lambda a, b: a[0] == "A" and b[0] == "K" and a[1] == b[1], 2)),
    ("AsKx", some_cards(lambda a, b: a == ("A", "s") and b[0] == "K" and b[1] != "s", 2)),
    ("ssxx", some_cards(lambda a, b, c, d: a[1] == b[1] == "s" and c[1] == d[1] != "s", 4)),
    (
        "AwKwQxJx",
        some_cards(
            lambda a, b, c, d: a[0] + b[0] + c[0] + d[0] == "AKQJ" and a[1] == b[1] != c[1] == d[1], 4
        ),
    ),
    (
        "RxRyOxOy",
        some_cards(lambda a, b, c, d: a[0] == b[0] != c[0] == d[0] and a[1] == c[1] != b[1] == d[1], 4),
    ),
    ("KxQx-KxJx", some_cards(lambda a, b: a[0] == "K" and b[0] in "QJ" and a[1] == b[1], 2)),
    (
        "AA:xxyy, JJ!JJJ, KK",
        lambda ranks, suits, cards: (
            (ranks["A"] >= 2 and sorted(suits.values()) == [2, 2]) or ranks["J"] == 2 or ranks["K"] >= 2
        ),
    ),
    (
        "(AA,KK):$ds",
        lambda ranks, suits, cards: (
            max(ranks["A"], ranks["K"]) >= 2 and sorted(suits.values()) == [2, 2]
        ),
    ),
    ("*!(A,K)!ss", lambda ranks, suits, cards: not ranks["A"] + ranks["K"] and suits["s"] < 2),
]


@pytest.mark.parametrize(("text", "fits"), BY_BRUTE_FORCE, ids=[text for text, _ in BY_BRUTE_FORCE])
def test_items_mean_what_brute_force_finds(
    text: str, fits: Predicate, hands: list[tuple[Counts, Counts, list[tuple[str, str]]]]
) -> None:
    expected = [float(fits(*hand)) for hand in hands]
    assert np.array_equal(omaha(text).weights[::STEP], expected)


@pytest.mark.parametrize(
    ("text", "combos"),
    [
        ("AA**", 6961),
        ("$ds", 36504),
        ("AAKK:$ds", 6),
        ("AwKwQxJx", 12),
        ("AsKhQd2c", 1),
        ("1s13h12d2c", 1),
        ("A\u2660K\u2665Q\u26662\u2663", 1),
        ("random", 270725),
        ("*", 270725),
        ("****", 270725),
        ("100%", 270725),
        ("0%", 0),
        ("AA@50", 3480.5),
        ("(AAKK,KKQQ@50)@50", 27),
        ("AAKK;KKQQ\nQQJJ,\n", 108),
        ("AA,AA@25", 1740.25),
        ("AA@0", 0),
    ],
)
def test_combos_of_known_ranges(text: str, combos: float) -> None:
    assert omaha(text).weight == combos


def test_a_ten_may_be_written_in_digits() -> None:
    assert omaha("10109*") == omaha("TT9")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("AA", lambda ranks, suits: (ranks == 12).sum(axis=1) >= 2),
        ("$ds", lambda ranks, suits: (suits == [2, 2, 1, 0]).all(axis=1)),
        pytest.param(
            "$dts", lambda ranks, suits: (suits == [3, 2, 0, 0]).all(axis=1), marks=pytest.mark.weekly
        ),
        ("$qs,$ms", lambda ranks, suits: suits[:, 0] >= 4),
        pytest.param("xxyy", lambda ranks, suits: suits[:, 1] >= 2, marks=pytest.mark.weekly),
    ],
)
def test_hands_of_five_cards(text: str, fits: Callable[[Any, Any], Any]) -> None:
    cards = combo_cards(5)
    suits = np.stack([(cards & 3 == suit).sum(axis=1) for suit in range(4)], axis=1)
    found = Range(text, game="omaha5")
    assert np.array_equal(found.weights, fits(cards >> 2, np.sort(suits, axis=1)[:, ::-1]))
    assert Range(str(found), game="omaha5") == found


def test_cards_of_five_card_hands() -> None:
    assert Range("AsKhQd2c", game="omaha5").weight == 48
    assert Range("AAAAK", game="omaha5").weight == 4


def test_hands_of_six_cards() -> None:
    found = Range("AsKhQd2c9c", game="omaha6")
    assert found.weight == 47 and found.game.name == "omaha6"
    assert found.weights.shape == (20358520,)


def test_readings_that_differ_are_noted(an_order: Any) -> None:
    assert omaha("AA:ss,ds").notes == (
        "ss is read as two spades, as in ProPokerTools: single-suited is $ss",
        "ds is read as a diamond and a spade, as in ProPokerTools: double-suited is $ds",
    )
    assert omaha("15%,20%-30%").notes == (
        "percentages go by exact equity against one random hand; ProPokerTools has an order of its own",
    )
    assert "write one of these" in omaha("$B$B$B$M").notes[0]
    assert omaha("AA,AAKK@50").notes == (
        "a hand that several items name has the weight of the last; ProPokerTools gives it the largest",
    )
    assert Range("$ds", game="omaha5").notes == (
        "$ds is read as suits of 2-2-1 cards: write xxyy for at least",
    )
    assert omaha("AA@50,AAKK,$ds:AA").notes == ()


def test_percentages_follow_the_order(an_order: Any) -> None:
    every = starting_hands(4)
    order = sorted(range(16432), key=lambda number: (-an_order[number], number))
    chosen: list[int] = []
    held = 0
    for number in order:
        if held >= 0.15 * 270725:
            break
        chosen.append(number)
        held += int(every.sizes[number])
    found = omaha("15%")
    assert found.weight == held
    assert set(class_of_combos(4)[found.weights > 0].tolist()) == set(chosen)
    assert omaha("10%-20%") == omaha("20%") - omaha("10%") == omaha("20%-10%") == omaha("20%!10%")
    best = every.sizes[order[0]]
    assert omaha(f"{100 * best / 270725:.9f}%").weight == best


def test_without_an_order_percentages_are_refused() -> None:
    message = (
        "AsKsQsJsTs9s,15%: column 14: expected hands: no ranking of omaha6 is shipped, "
        "gpuodds.register_ranking adds one, found '15%'"
    )
    with pytest.raises(InputError) as caught:
        Range("AsKsQsJsTs9s,15%", game="omaha6")
    assert str(caught.value) == message


def test_register_ranking_adds_an_order() -> None:
    names = class_names(4)
    register_ranking("by name", names, game="omaha")
    assert str(omaha("0.0003%", ranking="by name")) == "AAAA"
    assert not omaha("5%", ranking="by name").notes
    with pytest.raises(InputError, match="all starting hands of omaha"):
        register_ranking("short", names[1:], game="omaha")
    with pytest.raises(InputError, match=r"expected one of .*equity"):
        Range("5%", ranking="by name")
    with pytest.raises(InputError, match=r"expected one of .*equity"):
        Range("5%", ranking="by name", game="omaha8")


PARTS = [
    "AA",
    "AAKK",
    "KQJT:$ds",
    "AwKwQxJx",
    "AsKhQd2c",
    "ss",
    "$rb",
    "JT98-7654",
    "99+!A",
    "xxyy:A",
    "As*",
    "RROO",
    "[A-J][A-J]:$ss",
    "2c3d4h5s",
]


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(PARTS), st.sampled_from(["", "@50", "@12.5", "@0", "@100"])),
        min_size=1,
        max_size=6,
    )
)
def test_a_range_survives_its_text(parts: list[tuple[str, str]]) -> None:
    found = omaha(",".join(f"({part}){weight}" for part, weight in parts))
    assert omaha(str(found)) == found
    assert omaha(found.to_dict()["weights"] or "0%") == found


def test_any_weights_survive_their_text() -> None:
    draw = np.random.default_rng(1)
    for share in (0.001, 0.1):
        weights = np.where(draw.random(270725) < share, draw.random(270725), 0.0)
        found = Range.of(weights, game="omaha")
        assert omaha(str(found)) == found
    by_class = Range.of(draw.integers(0, 3, 16432)[class_of_combos(4)] / 2, game="omaha")
    assert omaha(str(by_class)) == by_class
    assert omaha(by_class.to_dict()["weights"]) == by_class


def test_written_text_is_short() -> None:
    assert str(omaha("AA**")) == "AA"
    assert str(omaha("KK,AA:xxyy")) == "KK,AA:$ds"
    assert str(omaha("****")) == "random"
    assert str(omaha("AAKK@50,JT98")) == "JT98,AAKK@50"
    assert str(omaha("AwKwQxJx,As2s3s4s")) == "AwKwQxJx,As4s3s2s"
    assert str(omaha("0%")) == "0%"
    assert repr(omaha("AAKK:$ds")) == "Range('AAKK:$ds', game='omaha')"


def test_what_names_no_suit_is_the_same_in_every_suit() -> None:
    for text in ("AwKwQxJx", "AxAyxy", "AxKx", "$ds!RR", "T987+:xxyy"):
        assert len(omaha(text).facts.suit_group) == 24


@pytest.mark.parametrize("separator", [",", "\n", ",(2222),"])
@pytest.mark.parametrize("draw", range(20))
def test_repeated_items_mean_what_they_mean_one_by_one(separator: str, draw: int) -> None:
    drawn = np.random.default_rng(draw)
    hands = ["AA", "ssh", "AxKx", "AAKK", "AwAxKwKx", "AsAhKsKh", "xxyy!AA", "(AA:ss)", "AsKs"]
    weights = ["", "", "@50", "@0"][: drawn.integers(1, 5)]
    items = ["".join(map(str, drawn.choice(each, 1)[0])) for each in [hands[:4], hands] * 3]
    items = [item + str(drawn.choice(weights)) for item in [*items, *items[:3], *items[1:4]]]
    wanted, lowered = np.zeros(270725), False
    for item in items:
        hand, _, weight = item.partition("@")
        held = omaha(hand).weights > 0
        value = float(weight or 100) / 100
        lowered |= bool((wanted[held] > value).any())
        wanted[held] = value
    found = omaha(separator.join(items))
    if "2222" in separator:
        wanted[omaha("2222").weights > 0] = 1.0
    assert np.array_equal(found.weights, wanted)
    assert any("weight of the last" in note for note in found.notes) == lowered


@pytest.mark.parametrize("text", ["wxyz", "h!s", "AAKK:$ds", "(h,ss)!AA", "A!K!Q!J!T!9!8!7!6!5!4"])
@pytest.mark.parametrize("separator", [",", "\n"])
def test_a_repeated_item_is_read_once(
    text: str, separator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    patterns = []

    def count(size: int, pattern: Any) -> Any:
        patterns.append(pattern)
        return of_pattern(size, pattern)

    monkeypatch.setattr(range_text, "of_pattern", count)
    Range(text + " " * 5000, game="omaha")  # so long that it is not kept
    once = len(patterns)
    Range(separator.join([text] * 600) + " " * 5000, game="omaha")
    assert len(patterns) <= 2 * once


@pytest.mark.parametrize("operator", [":", "!"])
def test_a_long_list_of_operators_is_read(operator: str) -> None:
    assert omaha(operator.join(["AA", *["[AK]"] * 3000])) == omaha(f"AA{operator}[AK]")


@pytest.mark.slow
def test_few_items_of_six_cards_do_not_list_all_starting_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    # That takes eight seconds.
    for module in (range_text, range_items, range_sets):
        monkeypatch.setattr(module, "starting_hands", None)
    found = Range("AAKKQQ,AAKK22:$33,AwAxKwKxQyQz@50", game="omaha6")
    # The pairs have 6 times 6 times 6 choices of suits; 6 if all have the same, and 6 if w and x are
    # those of aces and kings.
    assert found.weight == 6**3 + 6 - 6 * 0.5
    assert Range("100%", game="omaha6") == Range("random", game="omaha6")
    assert not Range("0%", game="omaha6")
