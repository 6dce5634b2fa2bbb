"""Hand strength on a street: every combo against a random one, counted by three methods."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.cards import format_cards, parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import COMBOS, combo_cards, combo_index

RIVERS = ["2c2d2h2s3c", "AcKcQcJcTc", "Ac2d3h4s9c", "2h5h9h3cKd", "2h5h9hJhKd", "7c7d8h8s9c"]


def boards(*texts: str) -> Any:
    return np.array([parse_cards(text) for text in texts], np.uint8)


def test_a_river_equals_comparing_ranks_pair_by_pair() -> None:
    given = boards(*RIVERS)
    found = AgainstRandom(HOLDEM, given, True).on_cpu()
    ranks = gpuodds.rank_combos(given, backend="cpu").astype(int)
    cards = combo_cards().astype(np.int64)
    masks = 1 << cards[:, 0] | 1 << cards[:, 1]
    apart = (masks[:, None] & masks) == 0
    for board in range(len(RIVERS)):
        here = ranks[board]
        meet = apart & (here > 0)[:, None] & (here > 0)
        wins = (meet & (here[:, None] > here)).sum(axis=1)
        ties = (meet & (here[:, None] == here)).sum(axis=1)
        assert np.array_equal(found.wins[board], wins) and np.array_equal(found.ties[board], ties)
        strength = (2 * wins + ties)[here > 0]
        assert np.array_equal(found.squares[board][here > 0], strength**2)
        bins = np.minimum(strength * 50 // 1980, 49)
        assert (found.histogram[board].sum(axis=1) == (here > 0)).all()
        assert (found.histogram[board][here > 0, bins] == 1).all()


@pytest.mark.parametrize("board", ["2s7d9h", "AcKcQc", "2s7d9hTc", "5c5d5h5s"])
def test_a_street_equals_single_spots(board: str) -> None:
    found = AgainstRandom(HOLDEM, boards(board), True).on_cpu()
    free = [pair for pair in combo_cards().tolist() if not {*pair} & {*parse_cards(board)}]
    for low, high in free[::97]:
        answer = gpuodds.equity(format_cards((low, high)), opponents=1, board=board, backend="cpu")
        player, h = answer.players[0], combo_index(low, high)
        assert (found.wins[0, h], found.ties[0, h]) == (player.win_outcomes, *player.tie_outcomes)


@pytest.mark.parametrize("board", ["2s7d9hTc", "Ah Kh Qh 2h"])
def test_a_turn_is_the_sum_of_its_rivers(board: str) -> None:
    given = parse_cards(board)
    rivers = [format_cards((*given, card)) for card in range(52) if card not in given]
    turn = AgainstRandom(HOLDEM, boards(board), True).on_cpu()
    parts = AgainstRandom(HOLDEM, boards(*rivers), True).on_cpu()
    for whole, part in zip(turn, parts, strict=True):
        assert np.array_equal(whole[0], part.sum(axis=0))


@pytest.mark.slow
def test_a_flop_is_the_sum_of_its_full_boards() -> None:
    given = parse_cards("2s7d9h")
    rest = [card for card in range(52) if card not in given]
    rivers = np.array([[*given, *more] for more in combinations(rest, 2)], np.uint8)
    flop = AgainstRandom(HOLDEM, boards("2s7d9h"), True).on_cpu()
    parts = AgainstRandom(HOLDEM, rivers, True).on_cpu()
    for whole, part in zip(flop, parts, strict=True):
        assert np.array_equal(whole[0], part.sum(axis=0))


@pytest.mark.parametrize("detail", [False, True])
@pytest.mark.parametrize("given", [RIVERS[:3], ["2s7d9hTc"]])
def test_gpus_count_the_same(cuda: Any, given: list[str], detail: bool) -> None:
    operation = AgainstRandom(HOLDEM, boards(*given), detail)
    ours, expected = CudaBackend().count(operation).counts, operation.on_cpu()
    for one, two in zip(ours, expected, strict=True):
        assert one.dtype == two.dtype and np.array_equal(one, two)


def test_combos_that_share_a_board_card_have_zeros() -> None:
    found = AgainstRandom(HOLDEM, boards("2s7d9h"), True).on_cpu()
    blocked = np.isin(combo_cards(), parse_cards("2s7d9h")).any(axis=1)
    assert blocked.sum() == COMBOS - 1176
    for counts in found:
        assert not counts[0, blocked].any()
