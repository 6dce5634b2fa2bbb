"""A push-or-fold hand as a game: a row for each player and history, a value for each row and hand."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np

from gpuodds.basics.lazy import cached_property
from gpuodds.short_stacks.search.solver import Floats, Strategy
from gpuodds.short_stacks.spot import History, PushFoldSpot


class Rows:
    """Which decisions a spot has, and what each player does where a hand ends as it does.

    A hand ends with the set of players who are all-in. Each player has one turn in it: he went all-in,
    or folded, after those of the set who act before him.
    """

    def __init__(self, spot: PushFoldSpot) -> None:
        """List the decisions of a spot."""
        self.spot = spot
        self.histories = spot.histories
        self.row_of = {place: row for row, place in enumerate(self.histories)}
        players = [player for player, _ in self.histories]
        self.turns = [
            slice(players.index(player), players.index(player) + players.count(player))
            for player in sorted(set(players))
        ]
        self.turn_players = sorted(set(players))

    @cached_property
    def ends(self) -> tuple[History, ...]:
        """The sets of players who may be all-in at the end."""
        everyone = range(self.spot.players)
        sets = chain.from_iterable(
            combinations(everyone, size) for size in range(self.spot.players + 1)
        )
        return tuple(end for end in sets if self._can_end(end))

    def _can_end(self, end: History) -> bool:
        # Who has no choice is in the set; the empty set is that of the last player alone.
        for player in range(self.spot.players):
            history = tuple(other for other in end if other < player)
            if (player, history) not in self.row_of:
                is_last_alone = not history and player == self.spot.players - 1
                if player not in end and not is_last_alone:
                    return False
                if is_last_alone and player in end:
                    return False
        return True

    def turn_in(self, end: History, player: int) -> tuple[int | None, bool]:
        """Return the row of a player's turn, None without a choice, and whether he goes all-in."""
        history = tuple(other for other in end if other < player)
        return self.row_of.get((player, history)), player in end

    def in_the_pot(self, end: History) -> History:
        """Return who contests the pot: the last player, where all others folded."""
        return end or (self.spot.players - 1,)


def reached(strategy: Strategy, row: int | None, all_in: bool) -> Floats:
    """Return the probability of an action by hand; 1 where there is no choice."""
    if row is None:
        return np.ones(strategy.shape[1])
    chosen: Floats = strategy[row]
    return chosen if all_in else 1 - chosen
