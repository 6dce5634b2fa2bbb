"""The rows of a run on GPUs: ``bench/run.py --backend cuda``.

Every row checks its answer against the CPU's integers, on a small part where all takes long, before its
time counts. A row's note names what would bound it on the device; ``model.py`` predicts rates of
kernels. With ``BENCH_SMALL=1`` rows do a small part of their work, to try them where no device is; such
a time is no figure, and has no bar.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import gpuodds
from bench.report import Bar, Figures, machine
from bench.rows import SMALL, Rows, refuse_small, time_runs
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.operation import Backend, Counts, Operation
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
from gpuodds.backends.operations.known_hands import (
    HandsVersusHands,
    ThreatMatchings,
    UnbeatenDeals,
)
from gpuodds.backends.operations.omaha.known_hands import OmahaOneRandomHand, OmahaPreflopRandom
from gpuodds.backends.operations.range_showdowns import RangeShowdowns
from gpuodds.backends.operations.samples import SamplePairs
from gpuodds.backends.operations.three_way import HeadsUpFolded, ThreeWay
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.omaha.game import OMAHA

ROWS = Rows()
row = ROWS.row

HANDS = 133_784_560  # seven cards of 52
SHOWDOWNS = 2_097_572_400  # of a hand against a random one before the flop
FLOPS = 1_000_000
FLOP = "2s7d9h"
STATE = ("driver_version", "clocks.sm", "clocks.max.sm", "clocks.mem", "power.limit", "temperature.gpu")
ACES = 1_781_508_418, 11_402_312  # wins and ties of AsAh against a random hand


def _timed(work: Callable[[], Any], runs: int, warm: bool = True) -> list[float]:
    """Return the seconds of each run, waiting for the device at its end."""
    import cupy

    def wait() -> None:
        work()
        cupy.cuda.Device().synchronize()

    return time_runs(wait, runs, warm)


def _backend() -> Backend:
    from gpuodds.backends.choice import choose_backend

    return choose_backend("cuda")


def _on_both(operation: Operation[Counts]) -> tuple[Counts, Counts]:
    """Return what a GPU counts, and what the CPU does."""
    return _backend().count(operation).counts, operation.on_cpu()


def describe() -> tuple[dict[str, Any], str]:
    """Return the machine with its devices, their versions and clocks; and the device's name for a file.

    ``state`` is what ``nvidia-smi`` says at the beginning of the run, by the names of its fields.
    """
    import cupy

    from gpuodds.backends.cuda.shared.device import describe_devices, driver_version

    _backend()
    devices = describe_devices()
    about = machine(1, ("cupy-cuda13x", "cupy-cuda12x", "numba-cuda"))
    about["packages"] |= {"gpuodds": gpuodds.__version__, "cupy": cupy.__version__}
    about |= {"devices": devices, "driver": driver_version(), "state": _state()}
    name = re.sub(r"[^a-z0-9]+", "-", devices[0].partition(",")[0].lower()).strip("-")
    return about, name


def _state() -> dict[str, str]:
    if shutil.which("nvidia-smi") is None:
        return {}
    command = ["nvidia-smi", "--id=0", f"--query-gpu={','.join(STATE)}", "--format=csv,noheader"]
    said = subprocess.run(command, capture_output=True, text=True).stdout
    return dict(zip(STATE, (part.strip() for part in said.split(",")), strict=False))


@row(
    "cold command",
    "gpuodds equity AsKs --no-table --opponents 3 --backend cuda, a new process",
    slow=True,
)
def cold_command() -> Figures:
    from bench.rows import call, command

    arguments = command("equity", "AsKs", "--no-table", "--opponents", "3", "--backend", "cuda")
    return Figures(time_runs(lambda: call(arguments), 5))


@row("all 7-card hands", f"the ranks of all {HANDS:,} hands, written in order", Bar(0.0005, "s"))
def all_hands() -> Figures:
    import cupy

    from gpuodds.backends.cpu.arrays import ranks
    from gpuodds.backends.cuda.arrays.ranks import (
        PREFIXES,
        count_all_seven,
        rank_all_seven,
        rank_prefixes,
    )

    assert np.array_equal(cupy.asnumpy(rank_all_seven(40, 41)), ranks.rank_all_seven(40, 41))
    first = PREFIXES - 100 if SMALL else 0
    if not SMALL:
        assert int(count_all_seven().sum()) == HANDS
        assert int((rank_prefixes(0, PREFIXES) == 7462).sum()) == 4324  # royal flushes
    seconds = _timed(lambda: rank_prefixes(first, PREFIXES), 20)
    notes = ["Bound: about 100 integer instructions a hand; 2 bytes a hand are written."]
    return Figures(seconds, rate=HANDS / median(seconds), notes=notes)


@row("drawn 7-card hands", "rank_hands of drawn hands in device memory", Bar(100e9, "hands/s"))
def drawn_hands() -> Figures:
    import cupy

    from gpuodds.backends.cuda.arrays.ranks import rank_cards

    rng = np.random.default_rng(7)
    some = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (1 << (10 if SMALL else 20), 1)), axis=1)
    some = some[:, :7]
    cards = cupy.concatenate([cupy.asarray(np.ascontiguousarray(some))] * (2 if SMALL else 64))
    expected = gpuodds.rank_hands(np.ascontiguousarray(some))
    assert np.array_equal(cupy.asnumpy(rank_cards(cards, HOLDEM)[-len(some) :]), expected)
    seconds = _timed(lambda: rank_cards(cards, HOLDEM), 20)
    notes = ["Bound: 9 bytes a hand, read and written; table look-ups in L1 and L2."]
    return Figures(seconds, rate=len(cards) / median(seconds), notes=notes)


@row("plain heads-up", "AsAh v a random hand, all showdowns one by one", Bar(0.008, "s"))
def plain_heads_up() -> Figures:
    sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "oracles"))
    from reference.enumeration import enumerate_heads_up

    board = (0, 21, 30, 5) if SMALL else ()
    expected = gpuodds.equity("AsAh", opponents=1, board=board, backend="cpu").players[0]
    assert SMALL or (expected.win_outcomes, *expected.tie_outcomes) == ACES
    outcomes = enumerate_heads_up((51, 50), board)
    assert outcomes[:2] == (expected.win_outcomes, *expected.tie_outcomes)
    seconds = _timed(lambda: enumerate_heads_up((51, 50), board), 10)
    notes = ["Bound: shared memory look-ups, one or two a showdown."]
    return Figures(seconds, rate=SHOWDOWNS / median(seconds), notes=notes)


@row("clever heads-up", "AsAh v a random hand, by board class", Bar(0.0005, "s"))
def clever_heads_up() -> Figures:
    backend = _backend()
    spot = gpuodds.equity("AsAh", opponents=1).spot
    result = gpuodds.equity("AsAh", opponents=1, table=False, backend="cuda")
    assert (result.players[0].win_outcomes, *result.players[0].tie_outcomes) == ACES
    operation = ThreatMatchings([spot], 1)
    seconds = _timed(lambda: backend.count(operation), 20)
    return Figures(seconds, notes=["Bound: a launch, and the copies to the device and back."])


@row("all pairs", "1,326 combos v 1,326 before the flop, wins and ties", Bar(0.05, "s"))
def all_pairs() -> Figures:
    from gpuodds.games.shared.combos import combo_index

    backend = _backend()
    turn = (0, 21, 30, 5)
    ours, expected = _on_both(HeadsUpMatrix(HOLDEM, turn, ()))
    assert all(np.array_equal(a, b) for a, b in zip(ours, expected, strict=True))
    operation = HeadsUpMatrix(HOLDEM, turn if SMALL else (), ())
    wins, ties = backend.count(operation).counts
    hero, villain = combo_index(51, 47), combo_index(42, 41)  # AsKs, QhQd
    outcomes = wins[hero, villain], wins[villain, hero], ties[hero, villain]
    assert SMALL or outcomes == (787966, 917606, 6732)
    seconds = _timed(lambda: backend.count(operation), 5)
    notes = ["Bound: two or three integer instructions for each pair and canonical board."]
    return Figures(seconds, rate=134_459 * 1326**2 / median(seconds), notes=notes)


def _table(max_opponents: int, runs: int) -> Figures:
    from gpuodds.games.holdem.starting_hands import example_combo, starting_hands
    from gpuodds.table_building.shipped.preflop_random import count_all_hands
    from gpuodds.tables.shipped.preflop_random import preflop_counts

    backend = _backend()
    if SMALL:  # as many opponents, on a turn
        hands = np.array([[51, 47], [0, 21]], np.uint8)
        boards = np.array([[1, 22, 31, 6]] * 2, np.uint8)
        operation = UnbeatenDeals(HOLDEM, hands, boards, max_opponents)
        ours, expected = _on_both(operation)
        assert np.array_equal(ours, expected)
        return Figures(_timed(lambda: backend.count(operation), runs))

    def count() -> dict[str, dict[int, list[int]]]:
        names = starting_hands()
        return count_all_hands(HOLDEM, max_opponents, "cuda", lambda done: None, names)

    counts = count()
    for name in ("AA", "AKs", "72o"):
        assert counts[name][max_opponents] == preflop_counts(example_combo(name), max_opponents)
    seconds = _timed(count, runs)
    notes = [
        "Computed on the device; the sums become Python integers on the host, which is counted in."
    ]
    return Figures(seconds, notes=notes)


@row("table k=1..9", "169 hands v 1 to 9 random hands", Bar(0.4, "s"))
def table_to_nine() -> Figures:
    return _table(9, 5)


@row("table k=1..22", "169 hands v 1 to 22 random hands", Bar(2.0, "s"), slow=True)
def table_to_all() -> Figures:
    return _table(22, 3)


@row(
    "a million flops",
    f"{FLOPS:,} drawn hands on drawn flops v 1 to 9 random hands",
    Bar(1.5, "s"),
    slow=True,
)
def million_flops() -> Figures:
    import cupy

    rng = np.random.default_rng(11)
    cards = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (20 if SMALL else FLOPS, 1)), axis=1)
    cards = cards[:, :5]
    hands = cupy.asarray(np.ascontiguousarray(cards[:, :2]))
    flops = cupy.asarray(np.ascontiguousarray(cards[:, 2:]))
    few = gpuodds.equity_batch(cards[:5, :2], cards[:5, 2:], opponents=9, backend="cpu")
    batch = gpuodds.equity_batch(hands[:5], flops[:5], opponents=9)
    assert np.array_equal(cupy.asnumpy(batch.unbeaten), few.unbeaten)
    seconds = _timed(lambda: gpuodds.equity_batch(hands, flops, opponents=9).equity, 2)
    return Figures(seconds, notes=["Bound: classification of 300 million board classes."])


@row("a million pairs", f"{FLOPS:,} drawn pairs of hands on drawn flops, against each other", slow=True)
def million_pairs() -> Figures:
    import cupy

    rng = np.random.default_rng(12)
    cards = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (20 if SMALL else FLOPS, 1)), axis=1)
    parts = cards[:, :4].reshape(-1, 2, 2), cards[:, 4:7], cards[:, :0]
    hands, flops, nothing = (np.ascontiguousarray(part) for part in parts)
    ours, expected = _on_both(HandsVersusHands(HOLDEM, hands[:5], flops[:5], nothing[:5]))
    assert np.array_equal(ours, expected)
    backend, there = _backend(), [cupy.asarray(part) for part in (hands, flops, nothing)]
    operation = HandsVersusHands(HOLDEM, *there)
    seconds = _timed(lambda: backend.count(operation), 5)
    notes = ["Bound: classification of 95 million items, a few hundred instructions each."]
    return Figures(seconds, rate=len(hands) / median(seconds), notes=notes)


@row("monte carlo", "AsKs v three random hands, deals drawn", Bar(25e9, "hands/s"))
def monte_carlo() -> Figures:
    from gpuodds.games.shared.draws import plan_draws

    pairs = 1 << (11 if SMALL else 29)
    backend = _backend()
    draws = plan_draws(gpuodds.Range("AsKs").weights[None])
    few = 1000 if SMALL else 100_000
    ours, expected = _on_both(SamplePairs(HOLDEM, draws, 3, (), (), 1, 0, few))
    assert np.array_equal(ours, expected)
    operation = SamplePairs(HOLDEM, draws, 3, (), (), 1, 0, pairs)
    seconds = _timed(lambda: backend.count(operation), 3)
    notes = ["A hand is a deal here.", "Bound: about a thousand instructions a deal."]
    return Figures(seconds, rate=2 * pairs / median(seconds), notes=notes)


def _street(size: int, detail: bool) -> Figures:
    from gpuodds.games.shared.boards import canonical_boards

    boards, _ = canonical_boards(size)
    backend = _backend()
    few = 1 if SMALL else 3
    if size < 5:
        refuse_small()
    ours, expected = _on_both(AgainstRandom(HOLDEM, boards[:few], detail))
    operation = AgainstRandom(HOLDEM, boards[: 2 if SMALL else None], detail)
    assert all(np.array_equal(a, b) for a, b in zip(ours, expected, strict=True))
    seconds = _timed(lambda: backend.count(operation), 2)
    return Figures(
        seconds, notes=["Bound: 8,281 comparisons a full board, 123,201 if a flush is possible."]
    )


@row("all rivers", "1,326 combos v a random one on 134,459 boards", Bar(5.0, "s"), slow=True)
def all_rivers() -> Figures:
    return _street(5, False)


@row(
    "all turns",
    "1,326 combos v a random one on 16,432 boards, 48 rivers each",
    Bar(10.0, "s"),
    slow=True,
)
def all_turns() -> Figures:
    return _street(4, False)


@row(
    "all flops",
    "1,326 combos v a random one on 1,755 flops, 1,176 boards each",
    Bar(15.0, "s"),
    slow=True,
)
def all_flops() -> Figures:
    return _street(3, True)


def _ranges(hands: Sequence[str], board: str, runs: int) -> Figures:
    """Time the count of all showdowns of ranges, with every hand of every player."""
    from gpuodds.games.shared.symmetry import weighted_boards
    from gpuodds.spots.spot import Spot

    backend = _backend()
    if len(hands) > 3:
        refuse_small()
    spot = Spot.of(list(hands), board=board)
    boards, times = weighted_boards(spot.board, spot.dead, spot.suit_group)
    heroes = list(range(len(hands)))

    def operation(number: int) -> RangeShowdowns:
        some = boards[:number], times[:number]
        return RangeShowdowns(HOLDEM, spot.all_weights, *some, heroes, False)

    ours, expected = _on_both(operation(1 if SMALL else 4))
    assert np.array_equal(ours.by_winners, expected.by_winners)
    whole = operation(1 if SMALL else len(boards))
    seconds = _timed(lambda: backend.count(whole), runs)
    return Figures(seconds, notes=[f"{len(boards):,} weighted boards, wins by the set of winners."])


@row("random v random", "before the flop, every hand's wins and ties", Bar(0.01, "s"))
def random_against_random() -> Figures:
    return _ranges(("random", "random"), "", 10)


@row("wide preflop", "15% v 30% v random before the flop, every hand's", Bar(0.5, "s"), slow=True)
def wide_ranges_before_the_flop() -> Figures:
    return _ranges(("15%", "30%", "random"), "", 3)


@row("wide flop", f"15% v 30% v 60% v random on {FLOP}, every hand's", Bar(0.5, "s"), slow=True)
def wide_ranges_on_a_flop() -> Figures:
    return _ranges(("15%", "30%", "60%", "random"), FLOP, 3)


@row("three-way", "preflop-three-way: 169 hands v every two others, counted", Bar(20.0, "s"), slow=True)
def three_way() -> Figures:
    from gpuodds.games.holdem.starting_hands import starting_hands

    backend = _backend()
    refuse_small()
    ours, expected = _on_both(ThreeWay(HOLDEM, starting_hands().index("22")))
    assert all(np.array_equal(a, b) for a, b in zip(ours, expected, strict=True))

    def work() -> None:
        for hero in range(len(starting_hands())):
            backend.count(ThreeWay(HOLDEM, hero))

    return Figures(_timed(work, 1, warm=False))


@row("heads-up folded", "preflop-heads-up-folded: 14,365 pairs of hands, each third folded", slow=True)
def heads_up_folded() -> Figures:
    from gpuodds.games.holdem.starting_hands import starting_hands

    backend = _backend()
    refuse_small()
    ours, expected = _on_both(HeadsUpFolded(HOLDEM, starting_hands().index("22")))
    assert all(np.array_equal(a, b) for a, b in zip(ours, expected, strict=True))

    def work() -> None:
        for hand in range(len(starting_hands())):
            backend.count(HeadsUpFolded(HOLDEM, hand))

    return Figures(_timed(work, 1, warm=False))


@row("omaha preflop", "every hand of four cards v a random hand before the flop", slow=True)
def omaha_before_the_flop() -> Figures:
    from gpuodds.games.omaha.starting_hands import starting_hands
    from gpuodds.games.shared.boards import board_ranks

    backend = _backend()
    refuse_small()
    hands = starting_hands(4).cards
    ranks = range(len(board_ranks()))
    counts_by_hand = backend.count(OmahaPreflopRandom(OMAHA, hands[-2:], ranks)).counts
    for hand, counts in zip(hands[-2:].tolist(), counts_by_hand, strict=True):
        alone = OmahaOneRandomHand(OMAHA, hand, (), ()).on_cpu().sum(axis=0)
        assert np.array_equal(alone, counts)
    return Figures(_timed(lambda: backend.count(OmahaPreflopRandom(OMAHA, hands, ranks)), 3))


@row(
    "flop table",
    "flop-random: 1,286,792 hands on flops v 1 to 9 random hands",
    Bar(10.0, "s"),
    slow=True,
)
def flop_table() -> Figures:
    from gpuodds.table_building.kinds.flop_random import FlopRandom

    backend = _backend()
    kind = FlopRandom()
    shards = kind.layout.shards(9)
    hands, flops = kind.situations(range(3), CpuBackend())
    ours, expected = _on_both(UnbeatenDeals(HOLDEM, hands, flops, 9))
    assert np.array_equal(ours, expected)

    def work() -> None:
        for rows in [range(3)] if SMALL else shards:
            if not SMALL:
                kind.count(rows, backend, detail=True)
            backend.count(UnbeatenDeals(HOLDEM, *kind.situations(rows, backend), 9))

    notes = ["Counted as the table's shards are; columns and files are not written."]
    return Figures(_timed(work, 1, warm=False), notes=notes)
