"""What users ordinarily ask, small: asking it compiles what those questions need.

The CPU backend compiles a function when it is first called on a machine. Asked ahead, as by
``gpuodds doctor --warm`` or a worker of the server, these questions leave nothing to compile for known
hands, ranges, samples, batches and hand ranks. Games of a family run the same code. A worker of the
server asks those of hold'em; Omaha compiles when it is first asked.
"""

from __future__ import annotations

import atexit
import gc
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from gpuodds.backends.counts import Progress
from gpuodds.basics.choices import BackendName
from gpuodds.games.game import HOLDEM_FAMILY, OMAHA_FAMILY
from gpuodds.machine.system import first_done, ignore_interrupts, pool_size

FLOP, TURN = "2s7d9h", "2s7d9hTc"


@dataclass(frozen=True)
class FirstQuestions:
    """Small questions that run the same compiled code.

    Attributes:
        about: What they stand for, for a message.
        seconds: About what they take to compile on one core, for shares and the time that is left.
        ask: Asks them of a backend.
    """

    about: str
    seconds: float
    ask: Callable[[BackendName], None]


def _ranges(backend: BackendName) -> None:
    from gpuodds.api import equity

    equity(["15%", "QQ", "random"], board=TURN, backend=backend)
    equity(["15%", "QQ", "random"], board=FLOP, backend=backend, by_hand=True)


def _several_ranges(backend: BackendName) -> None:
    from gpuodds.api import equity

    equity(["AA", "KK", "QQ", "AK"], board=TURN, backend=backend)


def _opponents(backend: BackendName) -> None:
    from gpuodds.api import equities_by_opponents, equity

    equity("AsKs", opponents=3, board=TURN, backend=backend)
    equity("AsKs", opponents=3, board=FLOP, backend=backend)
    equity(["AsKs", "QhQd"], opponents=2, board=TURN, backend=backend)
    equities_by_opponents("AsKs", opponents=2, board=TURN, backend=backend)
    equity("QQ", opponents=3, board=TURN, backend=backend)


def _samples(backend: BackendName) -> None:
    from gpuodds.api import equity

    for hands in (["AsKs", "QQ"], ["15%", "30%", "random"]):
        equity(hands, board=FLOP, method="monte-carlo", samples=100, seed=1, backend=backend)
    equity("AsKs", opponents=3, method="monte-carlo", samples=100, seed=1, backend=backend)


def _one_opponent(backend: BackendName) -> None:
    from gpuodds.api import equity

    for board in (FLOP, TURN, f"{TURN}Jc"):
        equity("AsKs", board=board, backend=backend)
        equity(["AsKs", "QhQd"], board=board, backend=backend)
    equity(["AsKs", "QhQd", "JhTh"], board=TURN, backend=backend)
    equity("AsKs", table=False, backend=backend)
    equity(["AsKs", "QhQd"], table=False, backend=backend)
    equity(["AsKs", "QhQd"], opponents=1, board=TURN, backend=backend)


def _two_ranges(backend: BackendName) -> None:
    from gpuodds.api import equity

    for board in (FLOP, TURN, f"{TURN}Jc"):
        equity(["AKs", "QQ"], board=board, backend=backend, by_hand=True)
    equity(["AKs", "QQ"], board=TURN, backend=backend, made_hands=True)


def _two_boards(backend: BackendName) -> None:
    from gpuodds.api import double_board

    for hands in (["AsKs", "QhQd"], ["AKs", "QQ"]):
        double_board(hands, board=TURN, board2="KcTd3c4d", backend=backend)


def _two_ranges_preflop(backend: BackendName) -> None:
    from gpuodds.api import equity

    equity(["AKs", "QQ"], table=False, backend=backend, by_hand=True)


def _arrays(backend: BackendName) -> None:
    from gpuodds.api import equity_batch, heads_up_matrix
    from gpuodds.games.catalog import find_game
    from gpuodds.methods.boards.board_equities import board_equities
    from gpuodds.methods.hands.evaluate import rank_hands

    rank_hands([[0, 5, 10, 15, 20, 25, 30]])
    board_equities((0, 21, 30, 35, 51), backend=backend, game=find_game("holdem"))
    heads_up_matrix(TURN, backend=backend)
    for opponents in (1, 2):
        equity_batch([[50, 46]], [[0, 21, 31]], opponents=opponents, backend=backend)
    equity_batch([[50, 46]], opponents=2, backend=backend)


def _omaha_hands(backend: BackendName) -> None:
    from gpuodds.api import equity

    hands = ["AsAhKsKh", "7c8c9dTd"]
    equity(hands, board=FLOP, game="omaha", backend=backend, made_hands=True)
    equity(hands[0], board=FLOP, game="omaha", backend=backend)


def _omaha_ranges(backend: BackendName) -> None:
    from gpuodds.api import equity

    equity(["AA**", "KK**"], board=TURN, game="omaha", backend=backend, made_hands=True)
    equity(["AAKK", "QQJJ", "TT99"], board=f"{TURN}Jc", game="omaha", backend=backend)


def _omaha_weights(backend: BackendName) -> None:
    from gpuodds.api import equity

    equity(["AA**@50,QQJJ", "KK**"], board=TURN, game="omaha", backend=backend, made_hands=True)


def _omaha_three_ranges(backend: BackendName) -> None:
    from gpuodds.api import equity

    equity(["AAKK", "QQJJ", "*"], board=f"{TURN}Jc", game="omaha", backend=backend)


def _omaha_samples(backend: BackendName) -> None:
    from gpuodds.api import equity

    for hand in ("AsAhKsKh", "AA**"):
        equity(
            hand, opponents=3, board=FLOP, method="monte-carlo", samples=100, seed=1, game="omaha",
            backend=backend,
        )  # fmt: skip


HOLDEM = (
    FirstQuestions("known hands against several opponents", 7.5, _opponents),
    FirstQuestions("four and more ranges", 6.0, _several_ranges),
    FirstQuestions("three ranges", 4.6, _ranges),
    FirstQuestions("batches and hand ranks", 4.9, _arrays),
    FirstQuestions("two ranges on a board", 3.3, _two_ranges),
    FirstQuestions("two ranges before the flop", 1.8, _two_ranges_preflop),
    FirstQuestions("known hands against one opponent", 3.0, _one_opponent),
    FirstQuestions("samples", 3.3, _samples),
    FirstQuestions("two boards", 1.5, _two_boards),
)
OMAHA = (
    FirstQuestions("two ranges", 4.1, _omaha_ranges),
    FirstQuestions("known hands, and one against a random one", 4.8, _omaha_hands),
    FirstQuestions("three ranges", 2.4, _omaha_three_ranges),
    FirstQuestions("samples", 3.2, _omaha_samples),
    FirstQuestions("ranges with weights", 2.4, _omaha_weights),
)
ORDINARY = {HOLDEM_FAMILY: HOLDEM, OMAHA_FAMILY: OMAHA}
"""By family of games; ordered so that two processes end together and compile few functions twice."""


def compile_ordinary(family: str, processes: int, progress: Progress | None = None) -> int:
    """Compile what :data:`ORDINARY` needs; return how many functions were not compiled before.

    Args:
        family: The family of games.
        processes: How many compile at once. A function that two need at that moment is compiled twice.
        progress: Called with the fraction done, 0 to 1, of the seconds expected, as entries end.
    """
    context = get_context("spawn")
    questions = ORDINARY[family]
    whole, done, functions = sum(entry.seconds for entry in questions), 0.0, 0
    with ProcessPoolExecutor(pool_size(processes), context, _prepare) as pool:
        entries = {pool.submit(_ask, family, number): entry for number, entry in enumerate(questions)}
        left = set(entries)
        try:
            while left:
                ended, left = first_done(left)
                functions += sum(future.result() for future in ended)
                done += sum(entries[future].seconds for future in ended)
                if progress is not None:
                    progress(done / whole)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return functions


def _prepare() -> None:
    ignore_interrupts()
    gc.disable()  # a twentieth of the time: compiling keeps most of what it makes, and the process ends
    # Skip the interpreter's clean-up: it takes a second, and the first process waits for it.
    atexit.register(os._exit, 0)


def _ask(family: str, number: int) -> int:
    from gpuodds.backends.report import compiled_functions, functions_compiled

    compiled_functions()  # with numba loaded, nothing is answered without it
    before = functions_compiled()
    ORDINARY[family][number].ask("cpu")
    return functions_compiled() - before
