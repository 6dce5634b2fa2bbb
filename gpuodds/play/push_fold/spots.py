"""Turns of a hand as decisions of all-in or fold, where stacks are short."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from gpuodds.games.holdem.starting_hands import starting_hand
from gpuodds.play.turns import Move, Observation
from gpuodds.short_stacks.push_fold import push_fold
from gpuodds.short_stacks.spot import PushFoldSpot, read_spot
from gpuodds.short_stacks.tables import missing_tables

if TYPE_CHECKING:
    from gpuodds.short_stacks.result import PushFoldResult

MAX_BIG_BLINDS = 15
MAX_PLAYERS = 3
TARGET = 1e-9  # of all chips
SOLVED = 4096  # kept


class ShortSpot(NamedTuple):
    """A turn before the flop with a short stack."""

    stacks: tuple[int, ...]
    """Chips before the hand, in order of action."""
    blinds: tuple[int, int]
    ante: int
    place: str
    """The position with those who are all-in before: see :class:`gpuodds.PushFoldResult`."""
    hand: str
    """The starting hand."""
    is_pure: bool
    """Whether all moves before were folds and all-ins."""

    def solve(self) -> PushFoldResult:
        """Return the equilibrium for chips; the last ones are kept."""
        return _solve(self.stacks, self.blinds, self.ante)


def find_short_spot(seen: Observation) -> ShortSpot | None:
    """Return a turn as a decision of all-in or fold, or None.

    Turns count before the flop, where the player or all others have 15 big blinds at most, with two or
    three players at the table: three only if the tables of three hands are built. A limp and a smaller
    raise count as folds.

    Args:
        seen: What the player knows.
    """
    rules, seats = seen.rules, len(seen.stacks)
    if seen.street or seats > MAX_PLAYERS or (seats > 2 and _lacks_tables()):
        return None
    order = in_order(seats)
    whole = [stack + bet + rules.ante for stack, bet in zip(seen.stacks, seen.bets, strict=True)]
    most = max(whole[seat] for seat in order if seat != seen.seat and seen.playing[seat])
    if min(whole[seen.seat], most) > MAX_BIG_BLINDS * rules.big_blind:
        return None
    player = order.index(seen.seat)
    history = tuple(
        number
        for number, seat in enumerate(order[:player])
        if seen.playing[seat] and not seen.stacks[seat]
    )
    stacks = tuple(whole[seat] for seat in order)
    spot = _spot(stacks, (rules.small_blind, rules.big_blind), rules.ante)
    if any(move.seat == seen.seat for move in seen.moves) or not spot.has_decision(player, history):
        return None
    is_pure = all(move.kind == "fold" or not seen.stacks[move.seat] for move in seen.moves)
    return ShortSpot(
        stacks,
        (rules.small_blind, rules.big_blind),
        rules.ante,
        spot.describe(player, history),
        starting_hand(seen.hand),
        is_pure,
    )


def in_order(seats: int) -> Sequence[int]:
    """Return the seats in order of action before the flop, the blinds last.

    Seat 0 posts the small blind and seat 1 the big one; of two players seat 1 has the button and posts
    the small one.
    """
    return (1, 0) if seats == 2 else (*range(2, seats), 0, 1)


def is_all_in(seen: Observation, move: Move) -> bool:
    """Return whether a move puts all chips in, or calls all-ins."""
    if move.kind == "raise":
        return move.to >= seen.max_raise
    facing = any(
        seen.playing[seat] and not stack and seat != seen.seat for seat, stack in enumerate(seen.stacks)
    )
    return move.kind == "call" and (facing or seen.to_call >= seen.stacks[seen.seat])


@lru_cache(maxsize=SOLVED)
def _spot(stacks: tuple[int, ...], blinds: tuple[int, int], ante: int) -> PushFoldSpot:
    return read_spot(stacks, blinds=blinds, ante=ante)


@lru_cache(maxsize=SOLVED)
def _solve(stacks: tuple[int, ...], blinds: tuple[int, int], ante: int) -> PushFoldResult:
    return push_fold(stacks, blinds=blinds, ante=ante, target=TARGET)


@lru_cache(maxsize=1)
def _lacks_tables() -> bool:
    return bool(missing_tables())
