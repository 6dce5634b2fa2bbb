"""The accumulator: cases gathered in pieces, and sums of more than 64 bits."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuodds.backends.cpu.known_hands.accumulator import SUM_LIMBS, Accumulator, add_up
from gpuodds.backends.cpu.known_hands.matching_counts import board_scan
from gpuodds.backends.cpu.known_hands.threat_graphs.graph_cases import WINNER_BITS
from gpuodds.backends.graph_words import LIMB_BITS
from gpuodds.backends.operations.known_hands import ThreatMatchings
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_ranks import hand_rank_tables
from gpuodds.spots.spot import Spot


def run(work: Callable[[int, int], None], count: int) -> None:
    work(0, count)


def gather(spot: Spot, cuts: list[int], label: int = 0) -> Accumulator:
    """Gather a spot's boards in separate pieces that end at ``cuts``, then merge them."""
    scan = board_scan(spot)
    whole = Accumulator()
    for begin, end in zip([0, *cuts], [*cuts, len(scan.runout_ranks)], strict=True):
        part = Accumulator()
        part.add_boards(scan, begin, end, spot.undealt, hand_rank_tables(), label)
        whole.add_all(part)
    return whole


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(0, 91), max_size=4).map(sorted))
@settings(max_examples=10)
def test_pieces_add_up_to_the_whole(seed: int, cuts: list[int]) -> None:
    cards = Random(seed).sample(range(52), 7)
    spot = Spot(((cards[0], cards[1]), (cards[2], cards[3])), 3, tuple(cards[4:]), game=HOLDEM)
    whole = gather(spot, [])
    assert sum(whole.boards[: whole.cases.used[0]]) == 990
    assert gather(spot, cuts).matching_counts(3, run) == whole.matching_counts(3, run)


def test_more_cases_than_the_first_arrays_hold() -> None:
    spot = Spot.of(["AsKs"], opponents=3, board="2s7d9h")
    parts = Accumulator()
    scan = board_scan(spot)
    for label in range(60):
        parts.add_boards(scan, 0, len(scan.runout_ranks), spot.undealt, hand_rank_tables(), label)
    assert parts.cases.used[0] > 1024
    counts = parts.matching_counts(3, run)
    (expected,) = ThreatMatchings([spot], 3).on_cpu()
    for group, found in counts.items():
        assert found == expected[group & (1 << WINNER_BITS) - 1]
    assert {group >> WINNER_BITS for group in counts} == set(range(60))


@given(
    st.lists(
        st.tuples(st.integers(0, 2**21), st.integers(0, 2**63), st.integers(0, 2**48)),
        min_size=1,
        max_size=6,
    )
)
def test_sums_are_exact(given_: list[tuple[int, int, int]]) -> None:
    # A graph each, of one number: an upper limb and a lower one, which may pass its 48 bits.
    count = len(given_)
    cases = np.array([[graph, 40, 0] for graph in range(count)], np.int64)
    boards = np.array([number for number, _, _ in given_], np.int64)
    shape = np.tile(np.array([2, 1, 1], np.int32), (count, 1))
    place = np.arange(0, 2 * count + 2, 2)
    results = np.array([(low, high) for _, high, low in given_], np.uint64).reshape(-1)
    results[0::2] &= np.uint64((1 << LIMB_BITS) - 1)
    sums = np.zeros((53, SUM_LIMBS, 1, 1), np.uint64)
    add_up(cases, boards, np.arange(count), shape, place, results, sums)
    limbs = sums[40, :, 0, 0].tolist()
    values = [int(results[2 * i]) + (int(results[2 * i + 1]) << LIMB_BITS) for i in range(count)]
    total = sum(number * value for (number, _, _), value in zip(given_, values, strict=True))
    found = sum(limb << 32 * i for i, limb in enumerate(limbs))
    assert found % (1 << 128) == total % (1 << 128)
    assert not sums[:40].any() and not sums[41:].any()
