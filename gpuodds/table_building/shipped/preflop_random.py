"""Build the table ``preflop-random`` of hold'em or short deck and write it where it ships.

Run ``python -m gpuodds.table_building.shipped.preflop_random [short-deck]``. The starting hands share
their threat graphs: all are gathered first, each distinct graph is solved once, then the sums are split
by hand.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import numpy as np

from gpuodds.backends.choice import run_operation
from gpuodds.backends.counts import Progress
from gpuodds.backends.operations.known_hands import UnbeatenDeals
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.games.holdem.starting_hands import example_combo, starting_hands
from gpuodds.spots.spot import Spot
from gpuodds.tables.equities import equity_of
from gpuodds.tables.shipped.data_file import write_data
from gpuodds.tables.shipped.preflop_random import RANDOM_TABLES, RandomTable


def count_all_hands(
    game: Game, opponents: int, backend: str, progress: Progress, names: Sequence[str]
) -> dict[str, dict[int, list[int]]]:
    """Return wins and ties by their number, for each starting hand and 1 to ``opponents`` opponents."""
    hands = np.array([example_combo(name) for name in names], np.uint8)
    operation = UnbeatenDeals(game, hands, hands[:, :0], opponents)
    halves = run_operation(operation, backend, None, progress).counts.tolist()
    return {
        name: {k: [low + (high << 64) for low, high in row[: k + 1]] for k, row in enumerate(rows, 1)}
        for name, rows in zip(names, halves, strict=True)
    }


def table_lines(counts: dict[str, dict[int, list[int]]], table: RandomTable) -> list[str]:
    """Write counts as the lines of a table's CSV, header first."""
    lines = [table.header]
    for name, rows in counts.items():
        for opponents, row in sorted(rows.items()):
            outcomes = Spot((example_combo(name),), opponents, game=table.game).outcomes
            empty = [""] * (table.max_opponents - opponents)
            equity = repr(equity_of(row, outcomes))
            lines.append(
                ",".join([name, str(opponents), str(outcomes), *map(str, row), *empty, equity])
            )
    return lines


def write_table(lines: list[str], out: Path) -> None:
    """Write the compressed table and its checksum."""
    write_data(gzip.compress("\n".join([*lines, ""]).encode("ascii"), 9, mtime=0), out)


def main() -> None:
    """Build the table from the command line."""
    from rich.console import Console
    from rich.progress import Progress as Bars

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", default="holdem", help="holdem or a game of short deck")
    parser.add_argument("--opponents", type=int, help="build k = 1 to this")
    parser.add_argument("--backend", default="auto", help="auto, cpu, cuda or cuda:0,2")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    game = find_game(options.game)
    table = RANDOM_TABLES[game]
    names = starting_hands(len(game.missing) // 4)
    opponents, out = options.opponents or table.max_opponents, options.out or table.data_file
    begin = perf_counter()
    with Bars(console=Console(stderr=True)) as bars:
        task = bars.add_task("counting", total=1.0)
        counts = count_all_hands(
            game, opponents, options.backend, lambda done: bars.update(task, completed=done), names
        )
    write_table(table_lines(counts, table), out)
    print(f"{out}: {out.stat().st_size:,} bytes, {perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main()
