"""Build the table ``omaha-preflop-random`` and write it where it ships, with the order of its hands.

Run ``python -m gpuodds.table_building.shipped.omaha_preflop_random``. With the names of other games of
Omaha it writes the orders of their starting hands (:mod:`gpuodds.games.omaha.equity_order`), by which
percentages choose the best.
"""

from __future__ import annotations

import argparse
import zlib
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import choose_backend
from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.omaha.known_hands import OmahaPreflopRandom
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.games.omaha.equity_order import write_order
from gpuodds.games.omaha.game import OMAHA
from gpuodds.games.omaha.starting_hands import starting_hands
from gpuodds.games.shared.boards import board_ranks
from gpuodds.spots.spot import Spot
from gpuodds.tables.shipped.data_file import write_data
from gpuodds.tables.shipped.omaha_preflop_random import DATA_FILE, table_bytes

Ints = npt.NDArray[np.int64]

QUARTERS = ((4, 4, 3, 2), (2, 3, 2, 1), (0, 2, 1, 0))
"""The hand's share of the pot, in quarters, by who has the best high and the best low."""


def count_starting_hands(game: Game, backend: Backend, progress: Progress | None) -> Ints:
    """Count all starting hands of a game against one random hand.

    Args:
        game: A game of Omaha.
        backend: What counts.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        Shape (starting hands, 3, 4): boards times the other's hands by who has the best high (hand,
        both, the other) and the best low (neither, hand, both, the other).

    Raises:
        AssertionError: The deals of a hand, or the equities of all hands, do not add up.
    """
    every = starting_hands(game.hole_cards)
    ranks = range(len(board_ranks()))
    counts = backend.count(OmahaPreflopRandom(game, every.cards, ranks), progress).counts
    outcomes = Spot((tuple(every.cards[0].tolist()),), 1, game=game).outcomes
    if not (counts.sum(axis=(1, 2)) == outcomes).all():
        raise AssertionError("the deals of a hand do not add up")
    if int(every.sizes @ shares_of_pot(counts)) != 2 * outcomes * game.combos:
        raise AssertionError("the equities of all hands do not average one half")
    return counts


def shares_of_pot(counts: Ints) -> Ints:
    """Return the shares of the pot of hands, in quarters, shape (n,), from counts (n, 3, 4)."""
    shares: Ints = (counts * np.array(QUARTERS)).sum(axis=(1, 2))
    return shares


def write_table(counts: Ints, out: Path) -> None:
    """Write the compressed table of ``omaha`` and its checksum."""
    columns = counts.sum(axis=2)[:, :2].T
    write_data(zlib.compress(table_bytes(columns), 9), out)


def main() -> None:
    """Build the table and orders from the command line."""
    from rich.console import Console
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", default=[OMAHA.name], help="omaha, omaha-hi-lo, ...")
    parser.add_argument("--out", type=Path, default=DATA_FILE, help="of the table of omaha")
    options = parser.parse_args()
    for game in map(find_game, options.games):
        begin = perf_counter()
        with Bars(console=Console(stderr=True)) as bars:
            task = bars.add_task(f"counting {game.name}", total=1.0)

            def show(done: float, bars: Bars = bars, task: TaskID = task) -> None:
                bars.update(task, completed=done)

            counts = count_starting_hands(game, choose_backend("cpu"), show)
        write_order(game.name, shares_of_pot(counts))
        print(f"order of {game.name}: {perf_counter() - begin:.1f} s")
        if game is OMAHA:
            write_table(counts, options.out)
            print(f"{options.out}: {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
