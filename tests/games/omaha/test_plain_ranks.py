"""The table of ranks of pairs on boards against the rules, on every board of drawn ranks."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

import numpy as np
import pytest

from gpuodds.games.omaha.hand_ranks import rank_omaha
from gpuodds.games.omaha.plain_ranks import THREE_CARDS, plain_ranks
from gpuodds.games.shared.hand_ranks import hand_rank_tables


@pytest.mark.slow
def test_each_entry_is_the_rank_of_its_cards() -> None:
    table, step = plain_ranks(), hand_rank_tables().step
    assert table.shape == (8450, 91) and table.dtype == np.uint16
    boards = [board for size in (3, 4, 5) for board in combinations_with_replacement(range(13), size)]
    for board in Random(1).sample(boards, 300):
        state = 0
        for rank in board:
            state = int(step[state, rank])
        if not state:  # five of a rank
            continue
        for high in range(13):
            for low in range(high + 1):
                ranks = [*board, high, low]
                if any(ranks.count(rank) > 4 for rank in ranks):
                    continue
                cards = [4 * rank + ranks[:at].count(rank) for at, rank in enumerate(ranks)]
                hole = cards[len(board) :]
                found = table[state - THREE_CARDS, high * (high + 1) // 2 + low]
                assert found == plain(hole, cards[: len(board)])


def plain(hole: list[int], board: list[int]) -> int:
    """Rank two hole cards with suits that make no flush: the suits of the hole cards differ."""
    for one in range(4):
        for two in range(4):
            cards = [hole[0] & ~3 | one, hole[1] & ~3 | two]
            if one != two and len({*cards, *board}) == 2 + len(board):
                return rank_omaha(cards, board)
    raise AssertionError
