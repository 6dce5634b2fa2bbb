"""Equities of every combo on a board: against counting each hand, and against counting two ranges."""

from __future__ import annotations

import numpy as np
import pytest

import gpuodds
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import combo_cards, combo_index
from gpuodds.methods.boards.board_equities import board_equities

BOARDS = ("2s7d9h", "QsQdQh", "2s7d9hTc", "2s7s9sTs", "2s7d9hTcJd", "AsKsQsJsTs")


@pytest.mark.parametrize("board", BOARDS)
def test_one_opponent_gives_the_doubles_of_two_ranges(board: str) -> None:
    found = board_equities(parse_cards(board), backend="cpu", game=HOLDEM)
    assert found.backend == "cpu" and found.equity.shape == (1326, 1)
    ranges = gpuodds.equity(
        ["random", "random"], board=board, method="exact", by_hand=True, backend="cpu"
    )
    assert ranges.by_hand is not None
    expected = np.zeros(1326)
    for hand in ranges.by_hand[0]:
        expected[combo_index(*parse_cards(hand.hand))] = hand.equity
    assert found.equity[:, 0].tobytes() == expected.tobytes()


@pytest.mark.parametrize("board", BOARDS)
def test_several_opponents_give_the_doubles_of_each_hand(board: str) -> None:
    cards = parse_cards(board)
    combos = np.flatnonzero(~np.isin(combo_cards(), cards).any(axis=1))
    batch = gpuodds.equity_batch(
        combo_cards()[combos], [cards] * len(combos), opponents=3, backend="cpu"
    )
    expected = np.zeros((1326, 3))
    expected[combos] = batch.equity
    assert board_equities(cards, 3, backend="cpu", game=HOLDEM).equity.tobytes() == expected.tobytes()


@pytest.mark.parametrize("opponents", [1, 4])
def test_progress_stops_the_count(opponents: int) -> None:
    class StoppedError(Exception):
        pass

    fractions: list[float] = []

    def stop(fraction: float) -> None:
        fractions.append(fraction)
        if len(fractions) == 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        board_equities(parse_cards("2s7d9h"), opponents, backend="cpu", progress=stop, game=HOLDEM)
    fractions.clear()
    board_equities(
        parse_cards("2s7d9hTc"), opponents, backend="cpu", progress=fractions.append, game=HOLDEM
    )
    assert fractions == sorted(fractions) and (fractions[0], fractions[-1]) == (0.0, 1.0)
