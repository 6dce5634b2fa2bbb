"""Two ranges against a random player: runouts of the same ranks at once count as each runout alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuodds import Range
from gpuodds.backends.cpu.ranges import showdowns, two_and_random
from gpuodds.backends.operations.range_showdowns import RangeShowdowns
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.boards import full_boards
from gpuodds.games.shared.combos import combo_masks

# Three suits, two, one; a pair, three alike; turns with and without a flush to come, and of two pairs.
BOARDS = [
    "2s7d9h",
    "2s7s9h",
    "2s7s9s",
    "2s2d9h",
    "2s2d2h",
    "2s7d9hTc",
    "2s7s9sTc",
    "2s2d9hTs",
    "KsKd9h9c",
]
RANGES = ["QQ+,AK", "22+,A2s+", "random"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Note of each count whether it has found boards to be counted at once."""
    noted: list[bool] = []

    def find(*given: Any) -> Any:
        found = two_and_random.find_alike(*given)
        noted.append(found is not None)
        return found

    monkeypatch.setattr(showdowns, "find_alike", find)
    return noted


def count(weights: Any, boards: Any, times: Any, heroes: list[int], one_by_one: bool) -> Any:
    # Hand categories are counted board by board.
    return RangeShowdowns(HOLDEM, weights, boards, times, heroes, one_by_one).on_cpu().by_winners


def rows(texts: list[str], board: str, dead: str = "") -> tuple[Any, Any]:
    known = parse_cards(board), parse_cards(dead)
    out = sum(1 << card for card in (*known[0], *known[1]))
    free = combo_masks() & out == 0
    return np.stack([Range(text).weights * free for text in texts]), full_boards(*known)


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("dead", ["", "AsQd7c"])
def test_counts_equal_those_of_each_board(board: str, dead: str, asked: list[bool]) -> None:
    """All places of the random player, and boards that count several times."""
    for turn in range(3):
        texts = RANGES[turn:] + RANGES[:turn]
        weights, boards = rows(texts, board, dead)
        times = np.arange(len(boards), dtype=np.int64) % 5 + 1
        heroes = [player for player, text in enumerate(texts) if text != "random"]
        found = count(weights, boards, times, heroes, False)
        assert found.dtype == np.int64 and found.any()
        assert np.array_equal(found, count(weights, boards, times, heroes, True))
    assert asked == [board not in ("2s7s9s", "2s7s9sTc")] * 3


def test_ranges_and_boards_may_have_cards_in_common() -> None:
    weights = np.stack([Range(text).weights for text in RANGES])
    boards = rows(RANGES, "2s7d9h")[1][::3].copy()
    times = np.ones(len(boards), np.int64)
    found = count(weights, boards, times, [0, 1], False)
    assert np.array_equal(found, count(weights, boards, times, [0, 1], True))


@pytest.mark.parametrize(
    ("texts", "heroes"),
    [
        (["QQ+,AK", "22+,A2s+", "99%"], [0, 1]),
        (["QQ+,AK", "22+,A2s+", "random"], [0, 1, 2]),
        (["QQ+,AK", "22+,A2s+", "random"], [0, 2]),
        (["random", "90%", "random"], [0, 1]),
        (["AA,KK", "AK", "AA,KK,AK"], [0, 1]),  # all combos of their own cards alone
    ],
)
def test_other_ranges_are_counted_board_by_board(
    texts: list[str], heroes: list[int], asked: list[bool]
) -> None:
    weights, boards = rows(texts, "2s7d9hTc")
    times = np.ones(len(boards), np.int64)
    found = count(weights, boards, times, heroes, False)
    assert np.array_equal(found, count(weights, boards, times, heroes, True))
    assert asked == [False]


def test_weights_of_two_count_each_deal_of_two_opponents_four_times(asked: list[bool]) -> None:
    weights, boards = rows(RANGES, "2s7d9hTc")
    times = np.ones(len(boards), np.int64)
    found = count(weights, boards, times, [0, 1], False)
    assert np.array_equal(4 * found, count(2 * weights, boards, times, [0, 1], False))
    assert asked == [True]
