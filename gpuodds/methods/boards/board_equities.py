"""Count the equities of every combo on a board against random opponents."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuodds.games.game import Game
from gpuodds.games.shared.rules import BOARD_CARDS, COMBOS, HOLE_CARDS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class BoardEquities(NamedTuple):
    """Equities of all combos on a board against 1 to k random opponents."""

    equity: npt.NDArray[np.float64]
    """Shape (1326, k): combo h against j + 1 opponents at [h, j], 0 if it shares a board card."""
    backend: str
    """The name of the backend that counted."""


def board_equities(
    board: tuple[int, ...],
    opponents: int = 1,
    *,
    backend: str = "auto",
    progress: Callable[[float], None] | None = None,
    game: Game,
) -> BoardEquities:
    """Count the equities of all combos on a board against 1 to ``opponents`` random opponents.

    Against one opponent this takes some hundredths of a second on a flop and less on later streets.

    Args:
        board: Three to five different card numbers.
        opponents: The largest number of random opponents, k, 1 to 22.
        backend: ``auto``, ``cpu`` or ``cuda``.
        progress: Called with the fraction done, 0 to 1, before, between and after operations of the
            backend. An exception that it raises stops the computation.
        game: The game, one of hold'em's family.

    Returns:
        The equities, float64 of shape (1326, k), and the backend that counted them.

    Example:
        >>> from gpuodds.games.shared.combos import combo_index
        >>> from gpuodds.games.holdem.game import HOLDEM
        >>> found = board_equities((0, 21, 30, 35, 51), backend="cpu", game=HOLDEM)
        >>> found.equity.shape, float(found.equity[combo_index(50, 49), 0].round(4))
        ((1326, 1), 0.9677)
    """
    if progress is not None:
        progress(0.0)
    count = _against_one if opponents == 1 else _against_several
    equities = count(board, opponents, backend, progress, game)
    if progress is not None:
        progress(1.0)
    return equities


def board_seconds(board_cards: int, opponents: int, threads: int) -> float:
    """Estimate how long the CPU takes to count the equities of all combos on a board.

    Args:
        board_cards: The number of cards on the board, 3 to 5.
        opponents: The number of random opponents.
        threads: The threads of the CPU.
    """
    if opponents == 1:
        return 0.03 if board_cards == 3 else 2e-3  # one thread counts a board
    if board_cards == 3:
        return (0.25 + (0.15 if opponents < 10 else 0.22) * opponents) / threads
    return (0.06 + 2e-3 * opponents) / threads


def combos_and_rows(
    board: tuple[int, ...], missing: tuple[int, ...] = ()
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]:
    """Return the combos that a board leaves possible, and their rows in the tables of its street.

    ``missing`` are the cards that are not in the deck.
    """
    import numpy as np

    from gpuodds.games.shared.combos import combo_cards
    from gpuodds.methods.hands.canonical import canonical_rows

    combos = np.flatnonzero(~np.isin(combo_cards(), (*board, *missing)).any(axis=1))
    hands = combo_cards()[combos]
    return combos, canonical_rows(hands, np.tile(np.array(board, np.uint8), (len(hands), 1)))


def _against_one(
    board: tuple[int, ...], opponents: int, backend: str, progress: Any, game: Game
) -> BoardEquities:
    import numpy as np

    from gpuodds.backends.choice import run_operation
    from gpuodds.backends.operations.against_random import AgainstRandom

    boards = np.array([board], np.uint8)
    counts, chosen = run_operation(AgainstRandom(game, boards, False), backend)
    half_pots = 2 * counts.wins[0].astype(np.int64) + counts.ties[0]
    runouts = comb(game.deck_size - HOLE_CARDS - len(board), BOARD_CARDS - len(board))
    hands_of_other = game.deals(game.deck_size - HOLE_CARDS - BOARD_CARDS, 1)
    # Both numbers are exact as doubles, so the quotient is the nearest double.
    return BoardEquities((half_pots / (2 * runouts * hands_of_other)).reshape(COMBOS, 1), chosen)


def _against_several(
    board: tuple[int, ...],
    opponents: int,
    backend: str,
    progress: Callable[[float], None] | None,
    game: Game,
) -> BoardEquities:
    import numpy as np

    from gpuodds.methods.batches.batch import answer_batch
    from gpuodds.methods.hands.canonical import canonical_cards

    # Combos that differ only by a renaming of the suits have one row, so each row is counted once.
    combos, rows = combos_and_rows(board, game.missing)
    numbers, places = np.unique(rows, return_inverse=True)
    hands, boards = canonical_cards(numbers, len(board))
    batch = answer_batch(hands, boards, opponents, backend, game, progress)
    equity = np.zeros((COMBOS, opponents))
    equity[combos] = batch.equity[places]
    return BoardEquities(equity, batch.backend)
