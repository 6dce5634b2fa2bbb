"""Arrays of spots: one hand and one board each, against every number of random opponents."""

from __future__ import annotations

from math import comb
from typing import Any

from gpuodds.backends.choice import refuse_repeated_rows, run_for
from gpuodds.backends.counts import Progress
from gpuodds.backends.operations.known_hands import UnbeatenDeals
from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.results.batches.equity_batch import EquityBatch
from gpuodds.spots.arrays import as_hands_and_boards, refuse_missing_cards


def answer_batch(
    hands: Any,
    boards: Any,
    opponents: int,
    backend: str,
    game: Game,
    progress: Progress | None = None,
) -> EquityBatch:
    """Answer many spots of a game: see :func:`gpuodds.equity_batch`."""
    if not 1 <= opponents < game.max_players:
        raise InputError(f"opponents {opponents}: expected 1 to {game.max_players - 1}")
    rows, on_board = as_hands_and_boards(hands, boards)
    refuse_missing_cards(rows, "hands", game)
    refuse_missing_cards(on_board, "boards", game)
    refuse_repeated_rows(rows, on_board, "hands and boards")
    operation = UnbeatenDeals(game, rows, on_board, opponents)
    counts, chosen = run_for(rows, operation, backend, progress)
    unseen = game.deck_size - game.hole_cards - on_board.shape[1]
    to_come = game.board_cards - on_board.shape[1]
    numbers = range(1, opponents + 1)
    outcomes = [comb(unseen, to_come) * game.deals(unseen - to_come, number) for number in numbers]
    return EquityBatch(counts, outcomes, chosen)
