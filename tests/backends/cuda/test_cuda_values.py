"""Showdown and fold values by kernels: the values of the CPU backend."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import THREADS
from gpuodds.backends.cuda.values import values as cuda_values
from gpuodds.backends.operations.values import FoldValues, OrderCombos, ShowdownValues
from gpuodds.backends.strength_orders import StrengthOrders
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import combo_cards
from gpuodds.methods.values.weights import check_weights

# Nothing special, four of a suit, and a straight flush that all share.
BOARDS = [list(parse_cards(text)) for text in ("2c7d9h3d4s", "2s7s9sTsKd", "TsJsQsKsAs")]


def orders() -> StrengthOrders:
    return OrderCombos(HOLDEM, np.array(BOARDS, np.uint8)).on_cpu()


def weights(items: int, players: int, dtype: Any = np.float64) -> Any:
    """Return whole numbers, of which the sums are exact in any order."""
    return np.random.default_rng(items).integers(0, 5, (items, players, 1326)).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("players", "boards"), [(2, [0, 1, 2]), pytest.param(3, [1, 0, 2], marks=pytest.mark.slow)]
)
def test_showdowns(
    cuda: Any, players: int, boards: list[int], dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_values, "MAX_ITEMS", 2)
    reach = weights(len(boards), players, dtype)
    for folded in (-1, 0, 2) if players == 3 else (-1,):
        given = orders(), np.array(boards), folded, reach
        found = CudaBackend().count(ShowdownValues(*given, np.empty_like(reach)))
        assert found.backend == "cuda" and found.counts.dtype == dtype
        assert np.array_equal(found.counts, ShowdownValues(*given, np.empty_like(reach)).on_cpu())


@pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("live", ["all", "some"])
def test_folds(cuda: Any, players: int, live: str) -> None:
    reach, dealt = weights(2, players), np.ones(1326, bool)
    if live == "some":
        dealt[::3] = False
    found = CudaBackend().count(FoldValues(dealt, reach, np.empty_like(reach)))
    assert np.array_equal(found.counts, FoldValues(dealt, reach, np.empty_like(reach)).on_cpu())


def test_arrays_of_the_device(cuda: Any) -> None:
    import cupy

    reach = weights(2, 2)
    on_device = cupy.asarray(reach)
    operation = ShowdownValues(orders(), np.array([0, 1]), -1, on_device, on_device)
    found = CudaBackend().count(operation).counts
    assert found is on_device
    expected = ShowdownValues(orders(), np.array([0, 1]), -1, reach, np.empty_like(reach)).on_cpu()
    assert np.array_equal(cupy.asnumpy(found), expected)
    check_weights(again := cupy.asarray(reach))
    for wrong in (-1.0, np.inf, np.nan):
        again[1, 1, 1325] = wrong
        with pytest.raises(InputError, match="player 1, combo 1325 of item 1: expected a weight"):
            check_weights(again)


def toy_boards() -> tuple[Any, Any, Any, Any, Any]:
    """Return six hands on two boards, and their groups: of two, one, three; and of one each."""
    hands = np.array([[0, 3, 1, 5, 14, 2], [2, 14, 5, 1, 3, 0]], np.uint16)
    starts = np.array([[0, 2, 3, 6, 0, 0, 0], [0, 1, 2, 3, 4, 5, 6]], np.uint16)
    groups = np.array([[0, 0, 1, 2, 2, 2], [0, 1, 2, 3, 4, 5]], np.uint16)
    positions = np.full((2, 1326), 0xFFFF, np.uint16)
    for board in range(2):
        positions[board, hands[board]] = range(6)
    return hands, starts, groups, positions, combo_cards()


def listed(cupy: Any) -> tuple[Any, Any]:
    hands, starts, groups, _, cards = (cupy.asarray(array) for array in toy_boards())
    by_card, below = cupy.empty((2, 52, 51), np.uint16), cupy.zeros((2, 7, 52), np.uint8)
    given = hands, starts, groups, cards, np.int64(2), np.int32(6), by_card, below
    device.launch("values/values", "list_by_card", 2 * 52, THREADS, given)
    return by_card, below


def test_list_by_card(cuda: Any) -> None:
    import cupy

    by_card, below = (cupy.asnumpy(array) for array in listed(cupy))
    hands, starts, groups, _, cards = toy_boards()
    for board in range(2):
        for card in range(52):
            own = [int(hand) for hand in hands[board] if card in cards[hand]]
            assert by_card[board, card].tolist() == own + [1326] * (51 - len(own))
            for group in range(int(groups[board, -1]) + 2):
                before = hands[board, : starts[board, group]]
                assert below[board, group, card] == sum(card in cards[hand] for hand in before)


def check_sums(cupy: Any, players: int, kernel: tuple[str, str]) -> None:
    reach, by_card = weights(2, players), listed(cupy)[0]
    vectors = cuda_values.VECTORS[players]
    sums, boards = cupy.empty((2, vectors, 52, 52), np.float64), np.array([1, 0])
    given = cupy.asarray(reach), cupy.asarray(boards), by_card, np.int64(2), sums
    device.launch(*kernel, sums.size // 52, THREADS, given)
    numbers = reach
    if players == 3:
        products = [reach[:, (one + 1) % 3] * reach[:, (one + 2) % 3] for one in range(3)]
        numbers = np.concatenate([reach, np.stack(products, axis=1)], axis=1)
    for item, board in enumerate(boards):
        padded = np.concatenate([numbers[item], np.zeros((vectors, 1))], axis=1)
        expected = np.cumsum(padded[:, cupy.asnumpy(by_card)[board]], axis=2)
        assert np.array_equal(cupy.asnumpy(sums)[item, :, :, 1:], expected)
        assert not cupy.asnumpy(sums)[item, :, :, 0].any()


def toy_values(
    cupy: Any, kernel: tuple[str, str], summing: tuple[str, str], folded: int
) -> tuple[Any, Any]:
    """Return what a kernel gives for toy boards, and what brute force does."""
    players = 2 if "two" in kernel[1] else 3
    reach, (by_card, below) = weights(2, players), listed(cupy)
    hands, starts, groups, positions, cards = toy_boards()
    boards = np.array([1, 0])
    sums = cupy.empty((2, cuda_values.VECTORS[players], 52, 52), np.float64)
    values = cupy.zeros(reach.shape, np.float64)
    on_device = cupy.asarray(reach), cupy.asarray(boards)
    summed = *on_device, by_card, np.int64(2), sums
    device.launch(*summing, sums.size // 52, THREADS, summed)
    order = (cupy.asarray(array) for array in (hands, positions, groups, starts))
    last = below, cupy.asarray(cards), np.int64(2), np.int32(6), np.int32(folded), values
    given = (on_device[0], sums, on_device[1], *order, *last)
    device.launch(*kernel, 2 * 6, THREADS, given)
    expected = np.zeros_like(reach)
    for item, board in enumerate(boards):
        strength = {
            int(hand): int(group) for hand, group in zip(hands[board], groups[board], strict=True)
        }
        add_by_brute_force(expected[item], reach[item], strength, cards, folded)
    return cupy.asnumpy(values), expected


def add_by_brute_force(
    values: Any, reach: Any, strength: dict[int, int], cards: Any, folded: int
) -> None:
    from itertools import product

    players = len(reach)
    for deal in product(strength, repeat=players):
        held = {int(card) for hand in deal for card in cards[hand]}
        if len(held) < 2 * players:
            continue
        best = max(strength[hand] for player, hand in enumerate(deal) if player != folded)
        winners = [player != folded and strength[hand] == best for player, hand in enumerate(deal)]
        for player, hand in enumerate(deal):
            others = np.prod([reach[p, deal[p]] for p in range(players) if p != player])
            share = players / sum(winners) if winners[player] else 0
            values[player, hand] += others * (1 if folded == cuda_values.NO_SHOWDOWN else share - 1)


@pytest.mark.parametrize("folded", [-2, -1])
def test_two_player_values(cuda: Any, folded: int) -> None:
    import cupy

    found, expected = toy_values(
        cupy, ("values/values", "two_player_values"), ("values/values", "sum_two_players"), folded
    )
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("folded", [-2, -1, 0, 1, 2])
def test_three_player_values(cuda: Any, folded: int) -> None:
    import cupy

    found, expected = toy_values(
        cupy, ("values/values", "three_player_values"), ("values/values", "sum_three_players"), folded
    )
    assert np.array_equal(found, expected)


def test_sum_two_players(cuda: Any) -> None:
    import cupy

    check_sums(cupy, 2, ("values/values", "sum_two_players"))


def test_sum_three_players(cuda: Any) -> None:
    import cupy

    check_sums(cupy, 3, ("values/values", "sum_three_players"))
