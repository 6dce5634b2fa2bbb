"""Alias tables of Omaha ranges: every hand has its share, and which ranges can be dealt."""

from __future__ import annotations

import time

import numpy as np
import pytest

from gpuodds.cards import parse_cards
from gpuodds.games.omaha.combos import combo_cards
from gpuodds.games.omaha.draws import OmahaDraws, can_be_dealt, plan_draws

RNG = np.random.default_rng(3)
FOUR = combo_cards(4)
ACES = (FOUR >> 2 == 12).sum(axis=1)


def shares(draws: OmahaDraws, player: int) -> np.ndarray:
    """Return the probability of each entry of a player, in units of 2^-32 / entries."""
    begin, end = draws.starts[player : player + 2].tolist()
    own = np.arange(begin, end)
    others, limits = draws.others[begin:end], draws.limits[begin:end].astype(np.int64)
    found = np.where(others == own, 1 << 32, limits)
    np.add.at(found, others - begin, np.where(others == own, 0, (1 << 32) - limits))
    return found


@pytest.mark.parametrize(
    "weights",
    [
        np.ones(1),
        np.full(7, 0.37),
        np.array([1.0, 0.5, 0.25]),
        RNG.random(3),
        RNG.random(1000) + 1e-9,
        np.concatenate([RNG.random(500) / 1000 + 1e-9, np.ones(2)]),
        np.concatenate([np.ones(300), np.full(300, 1e-3), np.full(300, 0.5)]),
        # What two entries have too much fills two others to the last bit.
        np.repeat([1.0, 0.5], [4, 4]),
        np.repeat([1.0, 0.5], [15, 11])[RNG.permutation(26)],
        np.repeat([0.4, 1.0], [24, 36]),
    ],
)
def test_every_hand_has_its_share(weights: np.ndarray) -> None:
    draws = plan_draws([FOUR[5:6], FOUR[: len(weights)]], [np.ones(1), weights])
    found = shares(draws, 1)
    count = len(weights)
    assert int(found.sum()) == count << 32
    assert np.abs(found / (count << 32) - weights / weights.sum()).max() <= 2**-32
    assert shares(draws, 0).tolist() == [1 << 32]
    if len(set(weights)) == 1:
        assert np.array_equal(draws.others, np.arange(1 + count))


@pytest.mark.parametrize("size", [4, 5, 6])
def test_hands_are_packed(size: int) -> None:
    hands = combo_cards(size)[RNG.integers(0, 270_725, 50)]
    draws = plan_draws([hands], [RNG.random(50)])
    assert draws.hole_cards == size and draws.players == 1 and not draws.is_fixed
    unpacked = [[int(hand) >> 8 * place & 63 for place in range(size)] for hand in draws.cards]
    assert unpacked == hands.tolist()


def test_a_wide_range_takes_little_time() -> None:
    begin = time.process_time()
    plan_draws([FOUR], [RNG.random(len(FOUR)) + 0.1])
    assert time.process_time() - begin < 0.5  # 0.02 measured


@pytest.mark.parametrize(
    ("hands", "possible"),
    [
        ([FOUR[ACES == 2]] * 2, True),
        ([FOUR[ACES == 2]] * 3, False),
        ([FOUR[ACES == 1]] * 4, True),
        ([FOUR[ACES == 1]] * 5, False),
        ([FOUR] * 11, True),
        ([FOUR, FOUR[:1], FOUR[:1]], False),
        ([FOUR[:0], FOUR], False),
        ([FOUR], True),
        ([], True),
        ([FOUR[(FOUR & 3 == 0).all(axis=1)]] * 3, True),
        ([FOUR[(FOUR & 3 == 0).all(axis=1)]] * 4, False),
    ],
)
def test_what_can_be_dealt(hands: list[np.ndarray], possible: bool) -> None:
    assert can_be_dealt(hands) == possible


def test_a_search_goes_back() -> None:
    texts = ["2s2h2d2c 3s3h3d3c", "2s2h3s3h 4s4h5s5h", "2c3c4c5c 2s4s6s7s"]
    ranges = [np.array([parse_cards(hand) for hand in text.split()], np.uint8) for text in texts]
    assert not can_be_dealt(ranges)
    ranges[1] = np.vstack([ranges[1], [parse_cards("4d5d6d7d")]]).astype(np.uint8)
    assert can_be_dealt(ranges)
