"""The public function: all-in or fold before the flop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gpuodds.basics.amounts import Chips
from gpuodds.basics.arguments import as_number, shown
from gpuodds.errors import InputError, excerpt
from gpuodds.short_stacks.spot import PushFoldSpot, read_spot

if TYPE_CHECKING:
    from gpuodds.short_stacks.result import PushFoldResult
    from gpuodds.short_stacks.search.solver import Floats
    from gpuodds.short_stacks.solving import SearchState

TARGETS = {2: 1e-11, 3: 1e-9}
MANY_TARGET = 5e-6


def push_fold(
    stacks: Sequence[Chips],
    *,
    blinds: Sequence[Chips] = (0.5, 1),
    ante: Chips = 0,
    bb_ante: Chips = 0,
    payouts: Sequence[Chips] | None = None,
    bounties: Sequence[Chips] | None = None,
    progressive: bool = False,
    lock: Mapping[str, Any] | None = None,
    target: float | None = None,
    time_limit: float | None = None,
    progress: Callable[[SearchState], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> PushFoldResult:
    """Return an equilibrium of a hand that is played all-in or fold before the flop.

    Two players are answered at once. Three and more use the tables ``preflop-three-way`` and
    ``preflop-heads-up-folded``, which are built the first time: minutes.

    Args:
        stacks: Chips of 2 to 9 players before blinds and antes, in order of action: the last two post
            the small and the big blind; with two players the first posts the small one.
        blinds: The small and the big blind.
        ante: Chips that each player posts.
        bb_ante: Chips that the big blind posts for all.
        payouts: Prizes from the first place on: stacks are worth what :func:`gpuodds.icm` has. Default:
            chips count.
        bounties: Prize money on each player's head, with payouts. It goes to who wins the last pot that
            a player who busts contests.
        progressive: Half of a bounty is paid, half goes on the winner's own head.
        lock: Ranges that are given, by position with history: ``"BB:SB"``, or ``"BTN"`` for all
            histories. The others play best against them.
        target: The share of the pool that best responses may gain. Default: 1e-11 for two players, 1e-9
            for three, 5e-6 for more.
        time_limit: Seconds after which the best so far is the answer.
        progress: Called with each new certificate while the search runs.
        stop: Called often; True ends the search with the best so far.

    Returns:
        Charts for each position and history, what each player gains, and the certificate.

    Raises:
        InputError: A number, position or range cannot be read, or there are too many or too few.
        TableError: The tables of three hands cannot be built.

    Example:
        >>> result = push_fold([10, 10])
        >>> f"{result.values[0]:.9f}", round(result.percent("SB"), 2)
        ('-0.045370753', 58.28)
        >>> result.chart("SB")["A2o"], result.chart("BB:SB")["T9o"]
        (1.0, 0.0)
    """
    spot = read_spot(
        stacks,
        blinds=blinds,
        ante=ante,
        bb_ante=bb_ante,
        payouts=payouts,
        bounties=bounties,
        progressive=progressive,
    )
    wanted = TARGETS.get(spot.players, MANY_TARGET) if target is None else as_number("target", target)
    if wanted < 0:
        raise InputError(f"target {shown(target)}: expected 0 or more")
    seconds = None if time_limit is None else as_number("time_limit", time_limit)
    if seconds is not None and seconds <= 0:
        raise InputError(f"time_limit {shown(time_limit)}: expected above 0")
    locked = read_locks(spot, lock or {})
    if spot.players > 2:
        from gpuodds.short_stacks.tables import build_tables

        build_tables()
    from gpuodds.short_stacks.solving import solve

    return solve(
        spot,
        locked=locked,
        target=wanted,
        time_limit=seconds,
        on_state=progress,
        stopped=stop or (lambda: False),
    )


def read_decision(spot: PushFoldSpot, text: str) -> tuple[str, str]:
    """Return the place and the starting hand of text such as ``BB:SB=A5s``.

    Raises:
        InputError: There is no such position, history or hand.
    """
    from gpuodds.games.holdem.starting_hands import starting_hands

    place, equals, name = text.rpartition("=")
    known = {hand.lower(): hand for hand in starting_hands()}
    found = known.get(name.strip().lower())
    if not equals or found is None:
        raise InputError(f"hand {excerpt(text)}: expected a place and a starting hand, such as SB=A5s")
    spot.read_place(place)
    return place, found


def read_locks(spot: PushFoldSpot, lock: Mapping[str, Any]) -> dict[int, Floats]:
    """Return the probabilities of all-in of decisions that are given, by row.

    Raises:
        InputError: There is no such position or history, or a range has parts of starting hands.
    """
    if not lock:
        return {}
    from gpuodds.games.holdem.combo_hands import weights_by_hand
    from gpuodds.spots.ranges.range import Range

    rows = {place: row for row, place in enumerate(spot.histories)}
    found: dict[int, Floats] = {}
    for text, given in lock.items():
        player, history = spot.read_place(text)
        held = given if isinstance(given, Range) else Range(given)
        by_hand = weights_by_hand(held.weights)
        if by_hand is None:
            raise InputError(f"lock {excerpt(text)}: expected whole starting hands, found {held.name}")
        chosen = [
            row for place, row in rows.items() if place[0] == player and _is_meant(text, history, place)
        ]
        if not chosen:
            raise InputError(f"lock {excerpt(text)}: this player has no such choice")
        found |= dict.fromkeys(chosen, by_hand)
    return found


def _is_meant(text: str, history: tuple[int, ...], place: tuple[int, tuple[int, ...]]) -> bool:
    return ":" not in text or place[1] == history
