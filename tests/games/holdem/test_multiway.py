"""The counting formula and the matchings it uses, against published figures (docs/history.md)."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuodds.backends.operations.known_hands import ThreatMatchings
from gpuodds.games.holdem.multiway import deals, unbeaten_deals
from gpuodds.spots.spot import Spot

PUBLISHED_TOTALS = [
    990, 446_985, 122_175_900, 22_633_085_475, 3_014_726_985_270, 298_960_426_039_275,
    22_550_157_849_819_600, 1_310_727_925_020_764_250,
]  # fmt: skip


def test_numbers_of_deals_are_those_published():
    assert [deals(45, k) for k in range(1, 9)] == PUBLISHED_TOTALS
    assert deals(45, 0) == 1
    assert deals(44, 22) > 0
    assert deals(43, 22) == deals(-2, 0) == 0


def test_disjoint_losses_are_those_published(golden_equity):
    # f(S, k): ways to choose k disjoint two-card losses.
    case = golden_equity["seed_001_spot"]
    spot = Spot.of([case["hand"]], opponents=8, board=case["board"])
    counts = ThreatMatchings([spot], 8).on_cpu()[0][1]
    assert {deck for deck, _, _ in counts} == {45}  # no one-card losses here
    found = [counts[45, k, 0] for k in range(1, 9)]
    assert found == case["f"]


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 8), st.data())
def test_inclusion_and_exclusion_equals_enumeration(cards, data):
    pairs = list(combinations(range(cards), 2))
    outcome = data.draw(st.lists(st.sampled_from("WTL"), min_size=len(pairs), max_size=len(pairs)))
    by_pair = dict(zip(pairs, outcome, strict=True))
    counts = {}
    wanted = {}
    for size in range(cards // 2 + 1):
        for chosen in combinations(pairs, size):
            if len({card for pair in chosen for card in pair}) < 2 * size:
                continue
            kinds = [by_pair[pair] for pair in chosen]
            ties = kinds.count("T")
            if "W" not in kinds:
                counts[cards, size, ties] = counts.get((cards, size, ties), 0) + 1
            if "L" not in kinds:
                wanted[size, ties] = wanted.get((size, ties), 0) + 1
    for opponents in range(cards // 2 + 1):
        expected = [wanted.get((opponents, ties), 0) for ties in range(opponents + 1)]
        assert unbeaten_deals(counts, opponents) == expected


@pytest.mark.parametrize("width", [31, 32, 53, 63, 64, 100])
def test_counts_of_any_width_are_exact(width):
    ways = (1 << width) + 1
    assert unbeaten_deals({(45, 0, 0): ways}, 3) == [ways * deals(45, 3), 0, 0, 0]


def test_counts_of_decks_of_several_sizes_are_added():
    # Boards with cards that no opponent may hold leave fewer to deal.
    parts = [
        {(45, 0, 0): 7, (45, 1, 1): 3},
        {(44, 0, 0): 5, (44, 1, 1): 2},
        {(40, 1, 1): 1, (40, 2, 1): 4},
    ]
    together = {key: ways for part in parts for key, ways in part.items()}
    for opponents in range(4):
        apart = [unbeaten_deals(part, opponents) for part in parts]
        assert unbeaten_deals(together, opponents) == [
            sum(counts) for counts in zip(*apart, strict=True)
        ]
