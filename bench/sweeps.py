"""Count the work of the solver and of the board classes that lead to it; no GPU is needed.

``python bench/sweeps.py`` gathers the distinct threat graphs of the 169 starting hands before the
flop on the CPU and goes through their sweeps as kernels/known_hands/matchings.cu does, without the
numbers themselves. It prints what the sweeps write and keeps it in bench/results/sweeps.json, which
``forecasts.py`` reads.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

# Behind the installed packages, as in run.py.
sys.path.append(str(Path(__file__).resolve().parent.parent))

from bench.kernel_model import WARP
from gpuodds.backends.cpu.compile.jit import compiled, inlined
from gpuodds.backends.cpu.known_hands.accumulator import Accumulator, most_cards_in_one_limb
from gpuodds.backends.cpu.known_hands.elimination_order import (
    count_states,
    merge_pools,
    own_cards,
    shape_counts,
    sweep_order,
    unpack,
)
from gpuodds.backends.cpu.known_hands.matching_counts import board_scan
from gpuodds.backends.cpu.shared.board_classes import board_classes
from gpuodds.backends.cuda.known_hands.solving import SOLVE_SIZES
from gpuodds.backends.cuda.shared.layout import MAX_STATES
from gpuodds.backends.graph_words import TYPES
from gpuodds.backends.operations.canonical import CanonicalSituations
from gpuodds.games.holdem.starting_hands import example_combo, starting_hands
from gpuodds.games.shared.boards import canonical_index
from gpuodds.games.shared.hand_ranks import hand_rank_tables
from gpuodds.spots.spot import Spot

Ints = npt.NDArray[np.int64]

KEPT = Path(__file__).resolve().parent / "results" / "sweeps.json"
MOST = 9, 22  # opponents of the tables
FLOPS = 2000  # drawn
# What is counted, in limbs of numbers: those of all steps, their closers, how often they are written
# (more than once where a card has many closers), the lane slots in which they are; those that merges
# move, the lane slots of these.
NAMES = "steps", "closers", "writes", "write_slots", "merges", "merge_slots"
STEPS, CLOSERS, WRITES, WRITE_SLOTS, MERGES, MERGE_SLOTS = range(len(NAMES))
CLOSERS_PER_PASS = 4  # the most that take_card has code for


@inlined
def numbers_up_to(last: int, ties: int) -> int:
    """Count the numbers with up to ``last`` edges, and no more ties than edges or ``ties`` - 1."""
    rows = last + 1
    few = min(rows, ties)
    return few * (few + 1) // 2 + (rows - few) * ties


@compiled
def count_numbers(
    waiting: Ints, states: int, items: int, done: int, most: int, edges: int, ties: int, threads: int
) -> tuple[int, int]:
    """Return how many numbers some items have after ``done`` cards, and the lane slots that they take.

    A warp takes ``rows`` rows of edges of neighbouring items at a time, as ``Share`` says; in each turn
    its lanes take as long as the one with the most ties.
    """
    rows = 1
    while items * rows < 2 * threads and 2 * rows <= min(edges, threads):
        rows *= 2
    numbers = slots = 0
    for begin in range(0, items, WARP // rows):
        top = -1
        for item in range(begin, min(begin + WARP // rows, items)):
            open_cards = waiting[item % states] + item // states
            last = min(min(most - open_cards, (done - open_cards) >> 1), edges - 1)
            top = max(top, last)
            if last >= 0:
                numbers += numbers_up_to(last, ties)
        for row in range(0, top + 1, rows):
            slots += WARP * min(min(row + rows, top + 1), ties)
    return numbers, slots


@compiled
def count_sweep(
    words: Ints,
    tags: npt.NDArray[np.int8],
    most: int,
    one_limb: Ints,
    sizes: Ints,
    waiting: Ints,
    out: Ints,
) -> None:
    """Add to ``out`` what the sweep of a graph writes up to ``most`` edges.

    ``sizes`` has a block's threads and the numbers of a step up to which it takes graphs, in each row;
    ``waiting`` (MAX_STATES,) is for the open cards of the states.
    """
    count = len(words)
    size, loss, tie = np.zeros(TYPES, np.int64), np.zeros(TYPES, np.int64), np.zeros(TYPES, np.int64)
    order, shape = np.zeros(TYPES, np.int8), np.zeros(3, np.int32)
    cap, pool_size, pool_loss, pool_tie, becomes = np.zeros((5, TYPES + 1), np.int64)
    unpack(words, count, size, loss, tie)
    sweep_order(count, size, loss, tie, tags, order)
    shape_counts(count, size, tie, most, one_limb, shape)
    limbs, edges, ties = int(shape[0]), int(shape[1]), int(shape[2])
    peak, _ = count_states(
        count, most, size, loss, tie, order, pool_size, pool_loss, pool_tie, cap, becomes
    )
    kind = 0
    while peak * limbs * edges * ties >= sizes[kind, 1]:
        kind += 1
    threads = sizes[kind, 0]
    rest, done, pools, states = (1 << count) - 1, 0, 0, 1
    waiting[0] = 0
    for at in range(count):
        i = int(order[at])
        rest &= ~(1 << i)
        ahead = (loss[i] | tie[i]) & rest
        inside = (loss[i] | tie[i]) >> i & 1 if size[i] > 1 else 0
        own = own_cards(i, size, ahead, inside, most)
        closers = inside
        for q in range(pools):
            closers += (pool_loss[q] | pool_tie[q]) >> i & 1
        passes = max(1, -(-closers // CLOSERS_PER_PASS))
        for card in range(size[i]):
            after = min(card + 1, own) if ahead else min(min(card + 1, own), size[i] - 1 - card)
            done += 1
            numbers, slots = count_numbers(
                waiting, states, (after + 1) * states, done, most, edges, ties, threads
            )
            out[STEPS] += numbers * limbs
            out[WRITES] += passes * numbers * limbs
            out[WRITE_SLOTS] += passes * slots * limbs
            out[CLOSERS] += closers * numbers * limbs
        left = own if ahead else 0
        numbers, slots = count_numbers(
            waiting, states, (left + 1) * states, done, most, edges, ties, threads
        )
        out[MERGES] += numbers * limbs
        out[MERGE_SLOTS] += slots * limbs
        pool_size[pools], pool_loss[pools], pool_tie[pools] = size[i], loss[i], tie[i]
        pools = merge_pools(pools, rest, most, size, cap, pool_size, pool_loss, pool_tie, becomes)
        states = 1
        for p in range(pools):
            for digit in range(1, cap[p] + 1):
                for state in range(states):
                    waiting[digit * states + state] = waiting[state] + digit
            states *= cap[p] + 1


@compiled
def count_sweeps(
    start: Ints, words: Ints, tags: npt.NDArray[np.int8], most: int, one_limb: Ints, sizes: Ints
) -> Ints:
    """Return what the sweeps of all graphs write."""
    out = np.zeros(len(NAMES), np.int64)
    waiting = np.zeros(MAX_STATES, np.int64)
    for graph in range(len(start) - 1):
        begin, end = start[graph], start[graph + 1]
        count_sweep(words[begin:end], tags[begin:end], most, one_limb, sizes, waiting, out)
    return out


def gather_graphs() -> tuple[Accumulator, int]:
    """Return the threat graphs of all starting hands, and the number of their board classes."""
    gathered, classes = Accumulator(), 0
    for name in starting_hands():
        spot = Spot.of([example_combo(name)], opponents=max(MOST))
        scan = board_scan(spot)
        classes += count_classes(spot)
        gathered.add_boards(scan, 0, len(scan.completions), spot.undealt, hand_rank_tables())
    return gathered, classes


def count_classes(spot: Spot) -> int:
    """Return the number of board classes of a spot."""
    scan = board_scan(spot)
    return int(board_classes(scan, 0, len(scan.completions), hand_rank_tables()).shape[1])


def classes_of_flops(hands: npt.NDArray[Any], flops: npt.NDArray[Any]) -> float:
    """Return the mean number of board classes of hands on flops."""
    counts = [
        count_classes(Spot.of([hand], board=flop, opponents=1))
        for hand, flop in zip(hands.tolist(), flops.tolist(), strict=True)
    ]
    return float(np.mean(counts))


def count_others() -> dict[str, float]:
    """Return the board classes of AsAh, and the means of drawn flops and of rows of flop-random."""
    rng = np.random.default_rng(11)
    cards = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (FLOPS, 1)), axis=1)
    rows = np.linspace(0, canonical_index(3)[1][-1] - 1, FLOPS).astype(np.int64)
    return {
        "heads_up_classes": count_classes(Spot.of(["AsAh"], opponents=1)),
        "drawn_flop_classes": classes_of_flops(cards[:, :2], cards[:, 2:5]),
        "flop_table_classes": classes_of_flops(*CanonicalSituations(rows, 3).on_cpu()),
    }


def print_counts(report: dict[str, Any]) -> None:
    """Print what was counted."""
    title = f"{report['graphs']:,} threat graphs of {report['classes']:,} board classes before the flop"
    table = Table(title=title, title_justify="left")
    for name in (
        "opponents",
        "limbs of steps",
        "closers each",
        "lanes busy",
        "of merges",
        "lanes busy",
    ):
        table.add_column(name, justify="right")
    for most, found in report["most"].items():
        steps, merges = found["steps"], found["merges"]
        table.add_row(
            *(f"1 to {most}", f"{steps:,}", f"{found['closers'] / steps:.2f}"),
            *(f"{found['writes'] / found['write_slots']:.2f}", f"{merges:,}"),
            f"{merges / found['merge_slots']:.2f}",
        )
    console = Console() if Console().is_terminal else Console(width=100)
    console.print(table)
    for name in ("heads_up_classes", "drawn_flop_classes", "flop_table_classes"):
        console.print(f"{name.replace('_', ' ')}: {report[name]:,}")


def main() -> None:
    """Count, print and keep."""
    gathered, classes = gather_graphs()
    graphs = len(gathered.graphs)
    table = gathered.graphs.table
    given = table.start[: graphs + 1], table.words, gathered.graphs.tags
    report: dict[str, Any] = {"graphs": graphs, "classes": classes} | count_others()
    report["most"] = {}
    for most in MOST:
        found = count_sweeps(*given, most, most_cards_in_one_limb(), np.array(SOLVE_SIZES)).tolist()
        report["most"][str(most)] = dict(zip(NAMES, found, strict=True))
    print_counts(report)
    KEPT.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    main()
