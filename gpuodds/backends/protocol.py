"""What a backend can do: one set of operations, the same integers wherever they are counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from gpuodds.games.holdem.draws import Draws
    from gpuodds.games.holdem.multiway import MatchingCounts
    from gpuodds.games.holdem.streets import StreetCounts
    from gpuodds.spots.spot import Spot

Progress = Callable[[float], None]
"""Is told the share of the work that is done, 0 to 1."""


class Backend(Protocol):
    """The operations that a backend has."""

    name: str

    def find_repeated_card(self, cards: Any, more: Any) -> int:
        """Return the first row of ``cards`` that, with that of ``more``, holds a card twice, or -1.

        Both are uint8 card numbers, as many rows of any width.
        """

    def rank_cards(self, cards: Any) -> Any:
        """Return the hand ranks (n,) uint16 of cards (n, 5..7) uint8, which are not checked."""

    def rank_combos(self, boards: Any) -> Any:
        """Return the hand ranks (n, 1326) uint16 of every holding on boards (n, 5) uint8.

        Holding (a, b), a < b, has the number b (b - 1) / 2 + a; its rank is 0 where it shares a card
        with the board.
        """

    def heads_up_matrix(
        self, board: Sequence[int], dead: Sequence[int], progress: Progress | None
    ) -> Any:
        """Return (win, tie): the boards on which one holding beats another, and ties it.

        Both are int64 (1326, 1326), the first holding by row, numbered as in ``rank_combos``.
        """

    def canonical_rows(self, hands: Any, boards: Any) -> Any:
        """Return the rows (n,) int64 of hands (n, 2) on boards (n, 0..5) uint8, which are not checked.

        See :mod:`gpuodds.games.holdem.canonical`.
        """

    def canonical_situations(self, rows: Any, size: int) -> tuple[Any, Any]:
        """Return the hands (n, 2) and boards (n, size) uint8 of rows (n,) int64."""

    def against_random(self, boards: Any, detail: bool) -> StreetCounts:
        """Count how every holding fares against one random opponent on boards (n, 3..5) uint8.

        See :class:`gpuodds.games.holdem.streets.StreetCounts`; ``detail`` asks for its last two.
        """

    def matching_counts(
        self, spots: Sequence[Spot], most: int, progress: Progress | None
    ) -> list[dict[int, MatchingCounts]]:
        """Sum, spot by spot, the matchings of threat graphs with up to ``most`` edges.

        The keys are sets of known players, as masks: those who share the best known hand. The spots
        have as many known hands and board cards as each other. See
        :mod:`gpuodds.games.holdem.multiway`.
        """

    def sample_deals(
        self,
        draws: Draws,
        opponents: int,
        board: Sequence[int],
        dead: Sequence[int],
        seed: int,
        begin: int,
        end: int,
    ) -> tuple[Any, int]:
        """Draw the samples ``begin`` to ``end`` of a seed: see :mod:`gpuodds.games.holdem.draws`.

        ``draws`` are planned for holdings that board and dead cards leave, and that can be dealt
        together. Returns int64 counts (players, players + opponents): samples in which a
        player with a range is among exactly m + 1 winners, at m; and how many tuples were drawn.
        """

    def unbeaten_deals(self, hands: Any, boards: Any, most: int, progress: Progress | None) -> Any:
        """Count the deals of k = 1 to ``most`` opponents in which nobody beats a hand, by ties.

        ``hands`` (n, 2) and ``boards`` (n, 0..5) are uint8 card numbers, which are not checked. Returns
        uint64 (n, most, most + 1, 2): entry [i, k - 1, t] is a 128-bit number, lower and upper half.
        """
