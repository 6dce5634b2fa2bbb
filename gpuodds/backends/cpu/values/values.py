"""Showdown and fold values on the CPU, items shared out to threads: see the operations."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.values.folds import three_player_folds, two_player_folds
from gpuodds.backends.cpu.values.three_players import parts_of_hands, three_player_values
from gpuodds.backends.cpu.values.two_players import two_player_values
from gpuodds.backends.strength_orders import StrengthOrders
from gpuodds.games.shared.combos import combo_cards

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

WORTH_THREADS = 5e-4  # seconds of one thread; to start another takes a fifth of it


def showdown_values(
    orders: StrengthOrders, boards: Ints, folded: int, reach: Any, out: Any, seconds: float
) -> None:
    """Write the values of items: see the operation.

    Args:
        orders: The combos of boards by strength.
        boards: The board of each item, shape (batch,), int64.
        folded: Which of three players has folded, or -1.
        reach: Weights, shape (batch, players, 1326).
        out: Receives the values.
        seconds: About how long one thread takes.
    """
    items = np.argsort(boards, kind="stable")  # those of a board side by side
    order, cards = (orders.hands, orders.starts, orders.groups), combo_cards()

    def work(begin: int, end: int) -> None:
        if reach.shape[1] == 2:
            two_player_values(*order, cards, boards, items, begin, end, reach, out)
        else:
            own, parts = (orders.own_cards, orders.widths), parts_of_hands(folded)
            three_player_values(
                *order, *own, cards, parts, folded, boards, items, begin, end, reach, out
            )

    _share(work, len(reach), seconds)


def fold_values(live: Bools, reach: Any, out: Any, seconds: float) -> None:
    """Write the values of items: see the operation and :func:`showdown_values`."""
    folds = two_player_folds if reach.shape[1] == 2 else three_player_folds

    def work(begin: int, end: int) -> None:
        folds(live, begin, end, reach, out)

    _share(work, len(reach), seconds)


def _share(work: Any, count: int, seconds: float) -> None:
    threads = thread_count() if seconds > WORTH_THREADS else 1
    with thread_pool(threads, None, threads) as run:  # a piece a thread: items take the same time
        run(work, count)
