"""Matchings of one and two edges: the closed formula against the sweep over threat graphs."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cpu.known_hands.matching_counts import CLOSED_FORM
from gpuodds.backends.operations.known_hands import ThreatMatchings
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.multiway import unbeaten_deals
from gpuodds.spots.spot import Spot


def drawn(text: str) -> tuple[int, ...]:
    return parse_cards(text)


# Flushes of the known hand, straight flushes, full houses and quads, on three to five cards of a suit.
@settings(max_examples=25, deadline=None)
@given(st.permutations(range(52)), st.integers(3, 5), st.integers(1, 2), st.integers(0, 2))
@example(drawn("AsKs2s7s9hTh3d"), 3, 1, 0)
@example(drawn("AsKsQsJs2h3d4c"), 3, 1, 0)
@example(drawn("5s6s7s8s2h2d2c"), 4, 1, 1)
@example(drawn("2h2d2s2c7s9sJs"), 3, 1, 0)
@example(drawn("AhKd2s7s9sJs3d"), 4, 1, 0)
@example(drawn("AsKhQsQd7s9sJs3d"), 3, 2, 0)
@example(drawn("As2h3s4s5s7s9h"), 5, 1, 0)
def test_one_and_two_edges_are_those_of_the_sweep(
    cards: list[int], size: int, hands: int, dead: int
) -> None:
    known = tuple((cards[2 * i], cards[2 * i + 1]) for i in range(hands))
    board = tuple(cards[2 * hands : 2 * hands + size])
    out = tuple(cards[2 * hands + size :][:dead])
    spot, backend = Spot(known, CLOSED_FORM, board, out, game=HOLDEM), CpuBackend()
    ours = backend.count(ThreatMatchings([spot], CLOSED_FORM)).counts[0]
    swept = backend.count(ThreatMatchings([spot], CLOSED_FORM + 1)).counts[0]
    assert ours.keys() == swept.keys()
    if hands == 1:
        (alone,) = backend.count(ThreatMatchings([replace(spot, opponents=1)], 1)).counts
        assert unbeaten_deals(alone[1], 1) == unbeaten_deals(swept[1], 1)
    for winners, sums in ours.items():
        for number in range(1, CLOSED_FORM + 1):
            assert unbeaten_deals(sums, number) == unbeaten_deals(swept[winners], number)
