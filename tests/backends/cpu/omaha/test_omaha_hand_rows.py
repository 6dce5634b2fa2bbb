"""Many rows of known hands of Omaha: the counts and the answers of each row alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.backends.cpu.omaha.known_hands.known_hands import count_known_hands
from gpuodds.backends.cpu.omaha.known_hands.rows import count_rows
from gpuodds.errors import InputError
from gpuodds.results.player_equity import PlayerEquity


def draw(rows: int, players: int, hole_cards: int, on_board: int, dead: int) -> tuple[Any, Any, Any]:
    """Draw rows, every second from fewer cards: most of these may have flushes and lows."""
    drawn = np.random.default_rng(rows + players + 10 * hole_cards + 100 * on_board)
    size = players * hole_cards + on_board + dead
    decks = np.array([drawn.permutation(52) for _ in range(rows)], np.uint8)
    for row in range(0, rows, 2):
        some = [card for card in range(52) if card % 4 < 2 or card < 32]
        decks[row, : len(some)] = drawn.permutation(some)
    ends = np.cumsum([players * hole_cards, on_board])
    hands, boards, out = np.split(decks[:, :size], ends, axis=1)
    return hands.reshape(rows, players, hole_cards).copy(), boards.copy(), out.copy()


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize(("players", "hole_cards"), [(2, 4), (3, 4), (2, 5), (2, 6), (3, 6)])
@pytest.mark.parametrize(("on_board", "dead"), [(0, 1), (3, 0), (3, 2), (4, 1), (5, 0)])
def test_counts_are_those_of_each_row_alone(
    players: int, hole_cards: int, low: bool, on_board: int, dead: int
) -> None:
    rows = draw(3 if on_board == 0 else 40, players, hole_cards, on_board, dead)
    found = count_rows(*rows, low)
    for row, (hands, board, out) in enumerate(zip(*rows, strict=True)):
        alone = count_known_hands(np.sort(hands, axis=1), board.tolist(), out.tolist(), low)
        counted = {
            (high, of_low): int(found[row, of_low, high]) for of_low, high in np.argwhere(found[row])
        }
        assert counted == alone


@pytest.mark.parametrize("game", ["omaha", "omaha-hi-lo", "omaha5-hi-lo", "omaha6"])
@pytest.mark.parametrize("players", [2, 3])
def test_answers_are_those_of_each_row_alone(game: Any, players: int) -> None:
    hole_cards = gpuodds.games.find_game(game).hole_cards
    hands, boards, _ = draw(30, players, hole_cards, 3, 0)
    hands[4] = hands[5]
    boards[4] = boards[5]  # equal rows
    hands[7, 1, 0] = hands[7, 0, 0]  # a card twice
    answers = gpuodds.equities(hands, boards=boards, game=game, errors="column")
    assert list(answers.errors) == [7]
    for row, (known, board) in enumerate(zip(hands.tolist(), boards.tolist(), strict=True)):
        if row == 7:
            with pytest.raises(InputError, match="the same card is in"):
                answers[row]
            continue
        alone = gpuodds.equity([tuple(hand) for hand in known], board=board, game=game)
        assert answers[row].to_dict() | {"seconds": 0} == alone.to_dict() | {"seconds": 0}
        for number, player in enumerate(alone.players, 1):
            for name in ("equity", "win", "tie"):
                value: float = getattr(player, name)
                assert answers.columns[f"{name}_{number}"][row] == value
        assert answers.columns["outcomes"][row] == alone.outcomes
        assert isinstance(alone.players[0], PlayerEquity)


def test_dicts_of_omaha_are_counted_together() -> None:
    rows = [
        {"hands": ["AsAhKsKd", "QsJsTh9h"], "board": "2s7d9s", "game": "omaha"},
        {"hands": ["AsAhKsKd", "QsJsTh9h"], "board": "2s7d9s", "dead": "QhQd", "game": "omaha-hi-lo"},
        {"hands": ["AsAhKsKd", "AA", "QsJsTh9h"], "board": "2s7d9s", "game": "omaha"},
    ]
    answers = gpuodds.equities(rows)
    for row, answer in zip(rows, answers, strict=True):
        assert answer.players == gpuodds.equity(**row).players  # type: ignore[arg-type]
