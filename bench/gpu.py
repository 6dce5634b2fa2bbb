"""The rows of a run on GPUs: ``bench/run.py --backend cuda``.

Every row checks its answer before its time counts. A row's note names the rate that would bound it on
the device; ``gpuodds doctor`` and a profiler say more.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import gpuodds
from bench.report import Bar, Figures
from bench.rows import Rows, time_runs
from gpuodds.backends.cpu.backend import CpuBackend

ROWS = Rows()
row = ROWS.row

HANDS = 133_784_560  # seven cards of 52
SHOWDOWNS = 2_097_572_400  # of a hand against a random one before the flop
FLOPS = 1_000_000
ACES = 1_781_508_418, 11_402_312  # wins and ties of AsAh against a random hand


def _timed(work: Callable[[], Any], runs: int) -> list[float]:
    """Return the seconds of each run, waiting for the device at its end."""
    import cupy

    def wait() -> None:
        work()
        cupy.cuda.Device().synchronize()

    return time_runs(wait, runs)


def _backend() -> Any:
    from gpuodds.backends.choice import choose_backend

    return choose_backend("cuda")


@row("cold command", "gpuodds equity AsKs --no-table --opponents 3 --backend cuda, a new process")
def cold_command() -> Figures:
    from bench.rows import call, command

    arguments = command("equity", "AsKs", "--no-table", "--opponents", "3", "--backend", "cuda")
    return Figures(time_runs(lambda: call(arguments), 5))


@row("all 7-card hands", f"the ranks of all {HANDS:,} hands, written in order", Bar(0.001, "s"))
def all_hands() -> Figures:
    from gpuodds.backends.cuda.ranks import PREFIXES, count_all_seven, rank_prefixes

    assert int(count_all_seven().sum()) == HANDS
    assert int((rank_prefixes(0, PREFIXES) == 7462).sum()) == 4324  # royal flushes
    seconds = _timed(lambda: rank_prefixes(0, PREFIXES), 20)
    notes = ["Bound: about 100 integer instructions a hand; 2 bytes a hand are written."]
    return Figures(seconds, rate=HANDS / median(seconds), notes=notes)


@row("drawn 7-card hands", "rank_hands of drawn hands in device memory", Bar(60e9, "hands/s"))
def drawn_hands() -> Figures:
    import cupy

    from gpuodds.backends.cuda.ranks import rank_cards

    rng = np.random.default_rng(7)
    some = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (1 << 20, 1)), axis=1)[:, :7]
    cards = cupy.concatenate([cupy.asarray(np.ascontiguousarray(some))] * 64)
    expected = gpuodds.rank_hands(np.ascontiguousarray(some))
    assert np.array_equal(cupy.asnumpy(rank_cards(cards)[-len(some) :]), expected)
    seconds = _timed(lambda: rank_cards(cards), 20)
    notes = ["Bound: 9 bytes a hand, read and written; table look-ups in L1 and L2."]
    return Figures(seconds, rate=len(cards) / median(seconds), notes=notes)


@row("plain heads-up", "AsAh v a random hand, all showdowns one by one", Bar(0.015, "s"))
def plain_heads_up() -> Figures:
    sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
    from reference.enumeration import enumerate_heads_up

    assert enumerate_heads_up((51, 50))[:2] == ACES
    seconds = _timed(lambda: enumerate_heads_up((51, 50)), 10)
    notes = ["Bound: shared memory look-ups, one or two a showdown."]
    return Figures(seconds, rate=SHOWDOWNS / median(seconds), notes=notes)


@row("clever heads-up", "AsAh v a random hand, by board class", Bar(0.001, "s"))
def clever_heads_up() -> Figures:
    backend = _backend()
    spot = gpuodds.equity("AsAh", opponents=1).spot
    result = gpuodds.equity("AsAh", opponents=1, table=False, backend="cuda")
    assert (result.players[0].win_outcomes, *result.players[0].tie_outcomes) == ACES
    seconds = _timed(lambda: backend.matching_counts([spot], 1, None), 20)
    return Figures(seconds, notes=["Bound: launches and copies to the host, about ten of them."])


@row("all pairs", "1,326 combos v 1,326 before the flop, wins and ties", Bar(1.0, "s"))
def all_pairs() -> Figures:
    from gpuodds.games.holdem.combos import combo_index

    backend = _backend()
    wins, ties = backend.heads_up_matrix((), (), None)
    ours, theirs = combo_index(51, 47), combo_index(42, 41)  # AsKs, QhQd
    assert (wins[ours, theirs], wins[theirs, ours], ties[ours, theirs]) == (787966, 917606, 6732)
    seconds = _timed(lambda: backend.heads_up_matrix((), (), None), 5)
    notes = ["Bound: two or three integer instructions for each pair and canonical board."]
    return Figures(seconds, rate=134_459 * 1326**2 / median(seconds), notes=notes)


def _table(max_opponents: int, runs: int) -> Figures:
    from gpuodds.games.holdem.starting_hands import example_combo
    from gpuodds.tables.shipped.build_preflop_random import count_all_hands
    from gpuodds.tables.shipped.preflop_random import preflop_counts

    backend = _backend()
    counts = count_all_hands(max_opponents, backend, lambda done: None)
    for name in ("AA", "AKs", "72o"):
        assert counts[name][max_opponents] == preflop_counts(example_combo(name), max_opponents)
    seconds = _timed(lambda: count_all_hands(max_opponents, backend, lambda done: None), runs)
    notes = [
        "Computed on the device; the sums become Python integers on the host, which is counted in."
    ]
    return Figures(seconds, notes=notes)


@row("table k=1..9", "169 hands v 1 to 9 random hands", Bar(1.0, "s"))
def table_to_nine() -> Figures:
    return _table(9, 5)


@row("table k=1..22", "169 hands v 1 to 22 random hands", Bar(10.0, "s"))
def table_to_all() -> Figures:
    return _table(22, 3)


@row("a million flops", f"{FLOPS:,} drawn hands on drawn flops v 1 to 9 random hands", Bar(5.0, "s"))
def million_flops() -> Figures:
    import cupy

    rng = np.random.default_rng(11)
    cards = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (FLOPS, 1)), axis=1)[:, :5]
    hands = cupy.asarray(np.ascontiguousarray(cards[:, :2]))
    flops = cupy.asarray(np.ascontiguousarray(cards[:, 2:]))
    few = gpuodds.equity_batch(cards[:5, :2], cards[:5, 2:], opponents=9, backend="cpu")
    batch = gpuodds.equity_batch(hands[:5], flops[:5], opponents=9)
    assert np.array_equal(cupy.asnumpy(batch.unbeaten), few.unbeaten)
    seconds = _timed(lambda: gpuodds.equity_batch(hands, flops, opponents=9).equity, 2)
    return Figures(seconds, notes=["Bound: classification of 300 million board classes."])


@row("monte carlo", "AsKs v three random hands, deals drawn", Bar(20e9, "hands/s"))
def monte_carlo() -> Figures:
    from gpuodds.games.holdem.draws import plan_draws

    deals = 1 << 30
    backend = _backend()
    draws = plan_draws(gpuodds.Range("AsKs").weights[None])
    few = (backend, CpuBackend())
    counts = [chosen.sample_deals(draws, 3, (), (), 1, 0, 100_000)[0] for chosen in few]
    assert np.array_equal(counts[0], counts[1])
    seconds = _timed(lambda: backend.sample_deals(draws, 3, (), (), 1, 0, deals), 3)
    notes = ["A hand is a deal here.", "Bound: about a thousand integer instructions a deal."]
    return Figures(seconds, rate=deals / median(seconds), notes=notes)


def _street(size: int, detail: bool) -> Figures:
    from gpuodds.games.holdem.boards import canonical_boards

    boards, _ = canonical_boards(size)
    backend = _backend()
    ours, expected = (one.against_random(boards[:3], detail) for one in (backend, CpuBackend()))
    assert all(np.array_equal(a, b) for a, b in zip(ours, expected, strict=True))
    seconds = _timed(lambda: backend.against_random(boards, detail), 2)
    return Figures(seconds, notes=["Bound: 1.8 million comparisons a full board, from shared memory."])


@row("all rivers", "1,326 combos v a random one on 134,459 boards", Bar(5.0, "s"))
def all_rivers() -> Figures:
    return _street(5, False)


@row("all turns", "1,326 combos v a random one on 16,432 boards, 48 rivers each", Bar(10.0, "s"))
def all_turns() -> Figures:
    return _street(4, False)


@row("all flops", "1,326 combos v a random one on 1,755 flops, 1,176 boards each", Bar(15.0, "s"))
def all_flops() -> Figures:
    return _street(3, True)
