"""The front door: from a spot to the table or the exact engine, and to a result."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from gpuodds.errors import InputError
from gpuodds.holdem.multiway import unbeaten_deals
from gpuodds.result import EquityResult, name_winners, split_outcomes
from gpuodds.spot import Cards, Spot

if TYPE_CHECKING:
    from gpuodds.holdem.multiway import MatchingCounts

METHODS = ("auto", "exact", "monte-carlo")
BACKENDS = ("auto", "cpu", "cuda")


def equity(
    hands: str | Sequence[Cards],
    *,
    opponents: int | None = None,
    board: Cards = "",
    dead: Cards = "",
    method: str = "auto",
    table: bool = True,
    backend: str = "auto",
    samples: int | None = None,
    standard_error: float | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> EquityResult:
    """Answer a spot exactly: every known player's wins, ties by size, and equity.

    ``hands`` is one hand (``"AsKs"``) or several known hands; ``opponents`` more players hold random
    cards (0 to 22; one if there is one hand and nothing is said). ``board`` holds 0 to 5 cards,
    ``dead`` cards that are out of play. ``method`` is ``"auto"`` or ``"exact"``; ``table=False``
    computes even what the shipped table holds. ``backend`` is ``"auto"`` or ``"cpu"``. ``samples``,
    ``standard_error``, ``time_limit`` (seconds) and ``seed`` govern sampled answers and are checked,
    but leave exact ones as they are; this version gives no others. ``progress`` is told the share
    that is done while a long answer is computed.

    Raises :class:`~gpuodds.errors.InputError` with one line that says what is wrong.

    >>> result = equity("AsKs", opponents=3)
    >>> result.players[0].win_outcomes, result.outcomes
    (104924135261847, 258861409884000)
    >>> equity(["AsKs", "QhQd"]).winners
    {'A': 787966, 'B': 917606, 'AB': 6732}
    """
    begin = perf_counter()
    spot = Spot.of(
        [hands] if isinstance(hands, str) else hands, opponents=opponents, board=board, dead=dead
    )
    _check_method(method)
    limits = {"samples": samples, "standard_error": standard_error, "time_limit": time_limit}
    for name, limit in limits.items():
        if limit is not None and not limit > 0:
            raise InputError(f"{name} {limit}: expected more than 0")
    if seed is not None and seed < 0:
        raise InputError(f"seed {seed}: expected 0 or more")
    chosen = choose_backend(backend)
    if table:
        found = _look_up(spot, begin)
        if found is not None:
            return found
    counts = _count(spot, chosen, progress)
    return _answer(spot, counts, chosen, begin)


def equities_by_opponents(
    hands: str | Sequence[Cards],
    *,
    opponents: int,
    board: Cards = "",
    dead: Cards = "",
    backend: str = "auto",
    progress: Callable[[float], None] | None = None,
) -> list[EquityResult]:
    """Answer a spot for every number of random opponents up to ``opponents`` from one pass.

    The list starts with one opponent for a single hand, with none for several. Arguments are those of
    :func:`equity`; the table is not used.

    >>> [round(result.equity, 4) for result in equities_by_opponents("AsKs", opponents=3)]
    [0.6704, 0.5072, 0.4143]
    """
    begin = perf_counter()
    spot = Spot.of(
        [hands] if isinstance(hands, str) else hands, opponents=opponents, board=board, dead=dead
    )
    chosen = choose_backend(backend)
    counts = _count(spot, chosen, progress)
    fewest = 1 if len(spot.hands) == 1 else 0
    return [
        _answer(replace(spot, opponents=k), counts, chosen, begin) for k in range(fewest, opponents + 1)
    ]


def choose_backend(backend: str) -> str:
    """Return the backend that answers; ``auto`` asks ``GPUODDS_BACKEND`` first."""
    wanted = os.environ.get("GPUODDS_BACKEND", "auto") if backend == "auto" else backend
    if wanted not in BACKENDS:
        raise InputError(f"backend {wanted!r}: expected one of {', '.join(BACKENDS)}")
    if wanted == "cuda":
        raise InputError("backend 'cuda': this version answers on the CPU only; use auto or cpu")
    return "cpu"


def _check_method(method: str) -> None:
    if method not in METHODS:
        raise InputError(f"method {method!r}: expected one of {', '.join(METHODS)}")
    if method == "monte-carlo":
        raise InputError(
            "method 'monte-carlo': this version samples nothing, known hands against random ones "
            "are always answered exactly; use auto or exact"
        )


def _look_up(spot: Spot, begin: float) -> EquityResult | None:
    if len(spot.hands) != 1 or spot.board or spot.dead:
        return None
    from gpuodds.tables.preflop_random import preflop_counts

    counts = preflop_counts(spot.hands[0], spot.opponents)
    players = split_outcomes(spot, {1: counts})
    return EquityResult(spot, players, "table", "cpu", None, perf_counter() - begin)


def _count(
    spot: Spot, backend: str, progress: Callable[[float], None] | None
) -> dict[int, MatchingCounts]:
    from gpuodds.cpu.backend import matching_counts

    return matching_counts(spot, spot.opponents, progress)


def _answer(spot: Spot, counts: dict[int, MatchingCounts], backend: str, begin: float) -> EquityResult:
    unbeaten = {mask: unbeaten_deals(sums, spot.opponents) for mask, sums in counts.items()}
    winners = name_winners(unbeaten, len(spot.hands)) if spot.opponents == 0 else None
    players = split_outcomes(spot, unbeaten)
    return EquityResult(spot, players, "exact", backend, winners, perf_counter() - begin)
