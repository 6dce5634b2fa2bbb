"""The part of the protocol of backends that is about Omaha: see :mod:`gpuodds.backends.protocol`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gpuodds.games.omaha.draws import OmahaDraws, OmahaSamples

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    UInt8s = npt.NDArray[np.uint8]
    UInt16s = npt.NDArray[np.uint16]

Progress = Callable[[float], None]
"""Called with the fraction done, 0 to 1."""


class OmahaShowdowns(NamedTuple):
    """The deals of two ranges of Omaha hands against each other.

    Attributes:
        counts: For both players, shape (n, columns), int64 if all weights are 1, else float64: the
            weighted deals of the other player with each hand. Columns without lows: won, tied, all.
            With lows: high won and tied where there is no low, high won and tied where there is one,
            low won and tied, both halves won, neither, all.
        made: For both players, shape (9, 3): the weighted deals by the category of the high hand. Its
            columns: won, tied (in games with lows, the high half), all. Python integers if all weights
            are 1, else float64. None unless asked for.
    """

    counts: list[npt.NDArray[Any]]
    made: list[npt.NDArray[Any]] | None


class OmahaBackend(Protocol):
    """The operations of a backend for games of Omaha."""

    def omaha_hand_ranks(self, hands: UInt8s, boards: UInt8s) -> UInt16s:
        """Return the hand ranks (n,) of hands of Omaha (n, 4..6) on boards (n, 3..5)."""
        ...

    def omaha_low_ranks(self, hands: UInt8s, boards: UInt8s) -> UInt8s:
        """Return the low ranks (n,) of hands of Omaha (n, 4..6) on boards (n, 3..5), 0 for none."""
        ...

    def omaha_known_hands(
        self, hands: UInt8s, board: Sequence[int], dead: Sequence[int], low: bool
    ) -> dict[tuple[int, int], int]:
        """Count the full boards that known hands of Omaha win.

        Args:
            hands: Shape (players, 4 to 6), ascending in each row; 2 to 11 players.
            board: Card numbers.
            dead: Card numbers.
            low: Whether the best low hand takes half of the pot.

        Returns:
            The number of full boards by the players with the best high hand and those with the best
            low, two masks; the second is 0 without a low.
        """
        ...

    def omaha_one_random_hand(
        self,
        hand: Sequence[int],
        board: Sequence[int],
        dead: Sequence[int],
        low: bool,
        progress: Progress | None,
    ) -> Ints:
        """Count how a hand of Omaha fares against one random hand.

        Args:
            hand: Card numbers, 4 to 6.
            board: Card numbers.
            dead: Card numbers.
            low: Whether the best low hand takes half of the pot.
            progress: Called with the fraction done.

        Returns:
            Shape (9, 3, 4): full boards times the other's hands by the category of the hand's high, by
            who has the best high (hand, both, the other) and the best low (neither, hand, both, the
            other); without lows all in column 0.
        """
        ...

    def omaha_one_random_hand_on_boards(
        self,
        hand: Sequence[int],
        board: Sequence[int],
        dead: Sequence[int],
        boards: UInt8s,
        low: bool,
        progress: Progress | None,
    ) -> Ints:
        """Count how a hand of Omaha fares against one random hand on boards that have one in common.

        Args:
            hand: Card numbers, 4 to 6.
            board: Card numbers that lie on all boards.
            dead: Card numbers.
            boards: Boards of 3 to 5 cards, ``board`` first, without dead cards and cards of the hand;
                shape (n, cards).
            low: Whether the best low hand takes half of the pot.
            progress: Called with the fraction done.

        Returns:
            Shape (n, 3, 4): for each board the counts of :meth:`omaha_one_random_hand`.
        """
        ...

    def omaha_preflop_random(
        self, hands: UInt8s, low: bool, ranks: range, progress: Progress | None
    ) -> Ints:
        """Count how hands of Omaha fare against one random hand before the flop, all at once.

        Args:
            hands: Shape (n, 4 to 6).
            low: Whether the best low hand takes half of the pot.
            ranks: Which ranks the boards have, rows of
                :func:`gpuodds.games.holdem.boards.board_ranks`: the counts of parts of all add up.
            progress: Called with the fraction done.

        Returns:
            Shape (n, 3, 4): for each hand the counts of :meth:`omaha_one_random_hand`, all categories
            together.
        """
        ...

    def omaha_showdowns(
        self,
        hands: Sequence[UInt8s],
        weights: Sequence[Floats],
        boards: UInt8s,
        times: Ints,
        low: bool,
        made_hands: bool,
        progress: Progress | None,
    ) -> OmahaShowdowns:
        """Count the deals of two ranges of Omaha hands against each other.

        Args:
            hands: For both players the cards of their hands, shape (n, 4 to 6), ascending.
            weights: For both players the weights of their hands, shape (n,), above 0.
            boards: Full boards, shape (n, 5).
            times: The factor of each board, shape (n,).
            low: Whether the best low hand takes half of the pot.
            made_hands: Whether to count by the category of the high hand, too.
            progress: Called with the fraction done.
        """
        ...

    def omaha_board_totals(
        self,
        hands: Sequence[UInt8s],
        weights: Sequence[Floats],
        boards: UInt8s,
        low: bool,
        progress: Progress | None,
    ) -> list[npt.NDArray[Any]]:
        """Count the deals of two ranges of Omaha hands on each board, all hands together.

        Args:
            hands: As for :meth:`omaha_showdowns`.
            weights: As for :meth:`omaha_showdowns`.
            boards: Full boards, shape (n, 5).
            low: Whether the best low hand takes half of the pot.
            progress: Called with the fraction done.

        Returns:
            For both players, shape (n, columns), int64 if all weights are 1, else float64: the weighted
            deals of both players' hands on each board, in the columns of :meth:`omaha_showdowns`.
        """
        ...

    def omaha_three_players(
        self,
        hands: Sequence[UInt8s],
        weights: Sequence[Floats],
        boards: UInt8s,
        times: Ints,
        low: bool,
        progress: Progress | None,
    ) -> dict[tuple[int, int], Any]:
        """Count the deals of three ranges of Omaha hands by the best hands.

        Args:
            hands: For each player the cards of their hands, shape (n, 4 to 6), ascending.
            weights: For each player the weights of their hands, shape (n,), above 0.
            boards: Full boards, shape (n, 5).
            times: The factor of each board, shape (n,).
            low: Whether the best low hand takes half of the pot.
            progress: Called with the fraction done.

        Returns:
            The weighted deals by the players with the best high hand and those with the best low, two
            masks, integers if all weights are 1, else floats; the second mask is 0 without a low.
        """
        ...

    def sample_omaha(
        self,
        draws: OmahaDraws,
        opponents: int,
        board: Sequence[int],
        dead: Sequence[int],
        seed: int,
        begin: int,
        end: int,
        low: bool,
        folded: int = 0,
    ) -> tuple[OmahaSamples, int]:
        """Draw the samples ``begin`` to ``end`` of a seed: see :mod:`gpuodds.games.omaha.draws`.

        Args:
            draws: The alias tables of the ranges, without hands that have a board or dead card. The
                ranges can be dealt together.
            opponents: The number of random opponents.
            board: Card numbers.
            dead: Card numbers.
            seed: The seed, 0 or more.
            begin: The number of the first sample.
            end: The number of the last sample, plus 1.
            low: Whether the best low hand takes half of the pot.
            folded: How many of the players of ``draws``, the last ones, hold cards and win nothing.

        Returns:
            Counts without rows and columns for those who folded, and the number of tuples of hands
            drawn.
        """
        ...
