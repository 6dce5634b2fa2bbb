"""Each barrier of each kernel is needed: without it there is a race, a fault or another number.

Every operation is counted again for each barrier that it executes, with the check for races.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds import Range
from gpuodds.backends.cuda.arrays import ranks
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.ranges import showdowns
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.operations.against_clusters import AgainstClusters
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.backends.operations.five_card import CountDraws, SampleDraws
from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
from gpuodds.backends.operations.known_hands import UnbeatenDeals
from gpuodds.backends.operations.omaha.ranges import OmahaBoardTotals, OmahaShowdowns, OmahaThreePlayers
from gpuodds.backends.operations.samples import SampleDeals, SamplePairs
from gpuodds.cards import parse_cards
from gpuodds.games.five_card import DrawSpot, rank_names
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.omaha.game import OMAHA5_HI_LO, OMAHA_HI_LO
from gpuodds.games.shared.draws import plan_draws

RACES = 2


def draw(rows: int, size: int) -> Any:
    decks = np.tile(np.arange(52, dtype=np.uint8), (rows, 1))
    return np.random.default_rng(3).permuted(decks, axis=1)[:, :size].copy()


def equity(hands: Any, **options: Any) -> Any:
    result = gpuodds.equity(hands, backend="cuda", table=False, **options)
    assert result.backend == "cuda"
    return [(p.win_outcomes, p.tie_outcomes, p.outcomes) for p in result.players]


def count(operation: Any) -> Any:
    return CudaBackend().count(operation).counts


def draws(*texts: str) -> Any:
    return plan_draws(np.stack([Range(text).weights for text in texts]))


def draw_spot(cards: int, most: int) -> DrawSpot:
    deck = np.sort(draw(1, 52)[0][:cards])
    return DrawSpot(draw(1, 52)[0][-5:], deck, most, rank_names("standard"))


def times(boards: int) -> Any:
    return np.ones(boards, np.int64)


def omaha(size: int, weighted: bool, players: int) -> tuple[Any, Any, Any, Any]:
    """Return a game, hands of players, weights, and boards, one of which blocks the first player."""
    first = [parse_cards(hand)[:size] for hand in ("AsAhKsKh6c", "2c3c4d5d7c")]
    others = draw(40, 52)[:, :size]
    like_the_first = [parse_cards("AcAdKcKd6d")[:size]]  # ties with it
    lists = [first, others[:20], [*others[10:].tolist(), *like_the_first]][:players]
    hands = [np.unique(np.sort(np.array(own, np.uint8), axis=1), axis=0) for own in lists]
    weights = [np.full(len(own), 0.3 if weighted else 1.0) for own in hands]
    boards = [parse_cards(text) for text in ("AsJd2c8h9d", "2h7h8sTdQd", "4c7s8hJcQd")]
    return OMAHA5_HI_LO if size == 5 else OMAHA_HI_LO, hands, weights, np.array(boards, np.uint8)


RIVER, TURN = "2s7d9hTcJd", "2s7d9hTc"
LOW_RIVER, LOW_TURN = "2s7s8sTcKd", "2s7s8sTc"
OMAHA = {"game": "omaha", "method": "monte-carlo", "samples": 2000, "seed": 4}
CASES: dict[str, Callable[[], Any]] = {
    "one combo a board": lambda: count(AgainstRandom(HOLDEM, draw(2, 4), True)),
    "two ranges": lambda: equity(["15%", "QQ+,AK"], board=RIVER, made_hands=True),
    "two weighted ranges": lambda: equity(["15%:0.5,AA", "QQ+,AK:0.3"], board=RIVER),
    "three weighted ranges": lambda: equity(["AA:0.5,KK", "QQ+,AK", "15%"], board=RIVER),
    "a folded range": lambda: equity(["QQ+", "AK"], folded=["A2s+"], board=RIVER),
    "a folded weighted range": lambda: equity(["QQ+:0.5", "AK"], folded=["A9s"], board=RIVER),
    "four ranges": lambda: equity(["AA,KK", "QQ+", "5%", "random"], board=RIVER),
    "four weighted ranges": lambda: equity(["AA:0.5,KK", "QQ+", "AKs", "A9s,KK"], board=RIVER),
    "a folded range of four": lambda: equity(["QQ+", "AK", "KK"], folded=["A9s,QQ"], board=RIVER),
    "a folded weighted range of four": lambda: equity(
        ["QQ+:0.5", "AK", "KK"], folded=["A9s,QQ"], board=RIVER
    ),
    "hand ranks": lambda: [ranks.rank_cards(draw(9000, size), HOLDEM).tolist() for size in (5, 6, 7)],
    "all hands": lambda: ranks.rank_all_seven(40, 41).tolist(),
    "combos": lambda: ranks.rank_combos(draw(40, 5), HOLDEM).tolist(),
    "every combo against every other": lambda: count(HeadsUpMatrix(HOLDEM, parse_cards(RIVER), ())),
    "deals": lambda: count(SampleDeals(HOLDEM, draws("AsKs", "15%"), 3, (), (), 5, 0, 3000)),
    "pairs of deals": lambda: count(SamplePairs(HOLDEM, draws("AsKs"), 3, (), (), 5, 0, 3000)),
    "unbeaten": lambda: count(UnbeatenDeals(HOLDEM, draw(5, 5)[:, :2], draw(5, 5)[:, 2:], 2)),
    "clusters": lambda: count(
        AgainstClusters(HOLDEM, draw(3, 5), (np.arange(1326) % 8).astype(np.uint8))
    ),
    "graphs": lambda: equity("7h2d", opponents=9, board="2s7d9h"),
    "draws": lambda: count(CountDraws(draw_spot(11, 4))),
    "sampled draws": lambda: count(SampleDraws(draw_spot(40, 2), False, 2000, 1)),
    "omaha deals": lambda: equity("AsKsAhKh", opponents=3, **OMAHA),
    "omaha hands": lambda: equity(["AsAhKsKh", "8c7c6d5d"], board=LOW_TURN, game="omaha-hi-lo"),
    "omaha ranges": lambda: equity(["AA,3345", "KK,3456"], board=LOW_RIVER, game="omaha-hi-lo"),
    "omaha ranges of five cards": lambda: equity(
        ["AAKK", "33345,KKQQ"], board=LOW_RIVER, game="omaha5-hi-lo"
    ),
    "omaha weighted ranges": lambda: count(OmahaShowdowns(*omaha(4, True, 2), times(3), True)),
    "omaha ranges by board": lambda: count(OmahaBoardTotals(*omaha(4, False, 2))),
    "omaha three ranges": lambda: count(OmahaThreePlayers(*omaha(4, False, 3), times(3))),
    "omaha three weighted ranges": lambda: count(OmahaThreePlayers(*omaha(4, True, 3), times(3))),
    "omaha three ranges of five cards": lambda: count(OmahaThreePlayers(*omaha(5, False, 3), times(3))),
    "omaha against random": lambda: equity("AsKsAhKh", opponents=1, board=LOW_TURN, game="omaha"),
    # What is left: barriers between one board and the next.
    "boards of two ranges": lambda: equity(["AA,KK", "QQ+,AK"], board=TURN, made_hands=True),
    "boards of two weighted ranges": lambda: equity(["AA:0.5,KK", "QQ+,AK:0.3"], board=TURN),
    "boards of three ranges": lambda: equity(
        ["AsAh,KK", "QcQd", "AdKd,55"], board=TURN, made_hands=True
    ),
    "boards of three weighted ranges": lambda: equity(
        ["AsAh:0.5,KK", "QcQd", "AdKd,55"], board=TURN, made_hands=True
    ),
    "boards of four ranges": lambda: equity(
        ["AsAh,KK", "QcQd", "AdKd,55", "7h7s,QhQs"], board=TURN, made_hands=True
    ),
    "boards of four weighted ranges": lambda: equity(
        ["AsAh:0.5,KK", "QcQd", "AdKd,55", "7h7s,QhQs"], board=TURN, made_hands=True
    ),
    "boards of omaha": lambda: equity(["AAKK,3345", "QQJJ"], board=LOW_TURN, game="omaha"),
    "boards of five cards": lambda: equity(["AAKKQ,33345", "QQJJ9"], board=LOW_TURN, game="omaha5"),
}


def as_lists(found: Any) -> Any:
    """Return counts as what ``==`` compares."""
    if hasattr(found, "tolist"):
        return found.tolist()
    if isinstance(found, dict):
        return {key: as_lists(value) for key, value in found.items()}
    if isinstance(found, (list, tuple)):
        return [as_lists(part) for part in found]
    return vars(found) and as_lists(vars(found)) if hasattr(found, "__dict__") else found


# Barriers that no case notices, by what comes before them, with the reason that they are there.
KEPT = {
    "sums.clear();": "the lowest level of an Omaha board seems to have no hand: nothing proves it",
}


def is_kept(kernel: Any, lines: list[str], at: int) -> bool:
    """Return whether a barrier is one of those that are kept for a reason."""
    line = kernel.program.instructions[at].line
    return lines[line - 2].strip() in KEPT


def barriers(kernel: Any) -> list[int]:
    """Return the barriers of a kernel that have been executed since its counts were cleared."""
    from ptx.instructions import Kind

    executed = kernel.counts().warps
    return [
        at
        for at, i in enumerate(kernel.program.instructions)
        if executed[at] and (i.kind == Kind.BLOCK_BARRIER or i.operation == "bar.warp")
    ]


@pytest.mark.weekly
def test_no_barrier_can_be_left_out(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("barriers are left out in the interpreter")
    from cupy.kernels import LOADED

    # One block does all, one thing after another: between two of them are barriers as well.
    monkeypatch.setattr(device, "resident_blocks", lambda kernel, block: 1)
    monkeypatch.setattr(showdowns, "MAX_PIECES", 1)
    cuda.cuda.settings.checks, cuda.cuda.settings.seed = RACES, 1
    noticed: dict[str, bool] = {}
    for case in CASES.values():
        for loaded in LOADED.values():
            for kernel in loaded.kernels.values():
                kernel.clear()
        whole = as_lists(case())
        executed = [
            (kernel, at)
            for (code, *_), loaded in LOADED.items()
            for kernel in loaded.kernels.values()
            for at in barriers(kernel)
            if not is_kept(kernel, code.splitlines(), at)
        ]
        for kernel, at in executed:
            name = f"{kernel.name}, line {kernel.program.instructions[at].line}, instruction {at}"
            if noticed.get(name):
                continue
            put_back = kernel.without(at)
            try:
                noticed[name] = as_lists(case()) != whole
            except AssertionError:
                noticed[name] = True
            finally:
                put_back()
    assert len(noticed) > 90
    assert "\n".join(name for name, was in noticed.items() if not was) == ""
