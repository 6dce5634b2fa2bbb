"""The starting hands of Omaha by exact equity against one random hand: the order of percentages.

``data/<game>.npz`` has one array, ``order``: the numbers of the starting hands
(:mod:`gpuodds.games.omaha.starting_hands`), best first, as the narrowest unsigned integers that hold
them. The files come from the tables of all starting hands against one random hand.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

FOLDER = Path(__file__).parent / "data"


@lru_cache
def equity_order(game: str) -> npt.NDArray[np.int64] | None:
    """Return the numbers of a game's starting hands, best first; None if no order is shipped.

    Args:
        game: The name of the game, such as ``omaha``.
    """
    path = FOLDER / f"{game}.npz"
    if not path.exists():
        return None
    with np.load(path) as arrays:
        order: npt.NDArray[np.int64] = arrays["order"].astype(np.int64)
    order.flags.writeable = False
    return order


def write_order(game: str, shares: npt.NDArray[np.integer]) -> None:
    """Write the order of a game's starting hands.

    Args:
        game: The name of the game.
        shares: The exact share of the pot of each starting hand, in any unit, shape (starting hands,):
            the more the better. Of equal shares the lower number comes first.
    """
    order = np.argsort(-shares.astype(np.int64), kind="stable")
    FOLDER.mkdir(exist_ok=True)
    np.savez_compressed(FOLDER / f"{game}.npz", order=order.astype(np.min_scalar_type(len(order))))
