"""The protocol of backends: operations that return the same integers on every backend.

Arrays are NumPy's; operations on rows of cards on the CUDA backend also take and return CuPy arrays.
:mod:`gpuodds.games.holdem.combos` numbers combos. Operations do not check cards: callers do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from gpuodds.backends.omaha_protocol import OmahaBackend
from gpuodds.backends.omaha_protocol import Progress as Progress

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gpuodds.games.five_card import DrawSpot
    from gpuodds.games.game import Game
    from gpuodds.games.holdem.draws import Draws
    from gpuodds.games.holdem.multiway import MatchingCounts
    from gpuodds.games.holdem.streets import StreetCounts
    from gpuodds.spots.spot import Spot

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    UInt8s = npt.NDArray[np.uint8]
    UInt16s = npt.NDArray[np.uint16]
    UInt64s = npt.NDArray[np.uint64]


class ShowdownCounts(NamedTuple):
    """Counts of showdowns of ranges.

    Attributes:
        by_winners: Shape (heroes, 1326, 2^(players - 1)), int64 if all weights are 0 or 1, else
            float64: the weighted deals of the other players in which a combo of a hero has the best
            hand, by the set of the others who split with it, a mask in their order. The combo's own
            weight is left out.
        by_category: Shape (heroes, 9, 2^(players - 1) + 1), float64: deals by the category of the
            hero's final hand and by that mask, and all deals in the last column. The hero's own weight
            is included. None unless requested.
    """

    by_winners: npt.NDArray[Any]
    by_category: Floats | None


class TwoRangeCounts(NamedTuple):
    """Counts of two ranges on boards, over all runouts: int64 if all weights are 0 or 1, else float64.

    Attributes:
        totals: Shape (boards, 3): deals and runouts that the first player wins, that both tie, that the
            second player wins.
        by_combo: Shape (boards, 2, 1326, 3): for each combo of each player the deals of the other
            player and runouts that the combo wins, ties, loses, without the combo's own weight. A combo
            that is not in the range or has a board or dead card has 0. None unless requested.
    """

    totals: npt.NDArray[Any]
    by_combo: npt.NDArray[Any] | None


class ThreeWayCounts(NamedTuple):
    """Counts of a hero's starting hand against every two others, by row and column.

    Attributes:
        win: Shape (169, 169), int64: boards times deals in which the hero beats both.
        tie_row: Shape (169, 169), int64: those in which it ties the row's hand and beats the column's.
        tie_all: Shape (169, 169), int64: those in which it ties both.
    """

    win: Ints
    tie_row: Ints
    tie_all: Ints


class Backend(OmahaBackend, Protocol):
    """The operations of a backend of a game; what its deck lacks need not be given as dead cards."""

    game: Game
    name: str
    """The name that results give, such as ``cpu``."""
    handed_to_cpu: frozenset[str]
    """The names of the operations that the CPU does for this backend; results then name the CPU."""

    def find_repeated_card(self, cards: UInt8s, more: UInt8s) -> int:
        """Return the first row of ``cards`` that, joined with that of ``more``, repeats a card, or -1.

        Args:
            cards: Shape (n, any width).
            more: Shape (n, any width).
        """
        ...

    def rank_cards(self, cards: UInt8s) -> UInt16s:
        """Return the hand ranks (n,) of cards (n, 5..7)."""
        ...

    def rank_combos(self, boards: UInt8s) -> UInt16s:
        """Return the hand ranks (n, 1326) of combos on boards (n, 5), 0 if they share a card."""
        ...

    def heads_up_matrix(
        self, board: Sequence[int], dead: Sequence[int], progress: Progress | None
    ) -> tuple[Ints, Ints]:
        """Return the numbers of full boards on which each combo beats, and ties, each other one.

        Args:
            board: Card numbers.
            dead: Card numbers.
            progress: Called with the fraction done.

        Returns:
            Wins and ties, both of shape (1326, 1326).
        """
        ...

    def range_showdowns(
        self,
        weights: Floats,
        boards: UInt8s,
        times: Ints,
        heroes: Sequence[int],
        made_hands: bool,
        progress: Progress | None,
    ) -> ShowdownCounts:
        """Count the deals that each combo of some players wins or splits against the others' ranges.

        Args:
            weights: The players' ranges, shape (players, 1326).
            boards: Full boards, shape (n, 5); or shape (1, 0), a board on which all hands tie.
            times: The factor of each board, shape (n,).
            heroes: The players whose deals to count.
            made_hands: Whether to count by category, too.
            progress: Called with the fraction done.
        """
        ...

    def two_range_boards(
        self,
        weights: Floats,
        boards: UInt8s,
        dead: Sequence[int],
        by_combo: bool,
        progress: Progress | None,
    ) -> TwoRangeCounts:
        """Count one range against another on each of many boards, over all runouts.

        Args:
            weights: The two ranges, shape (2, 1326). On each board, combos that have one of its cards
                or a dead card do not count; a board may leave a range without combos.
            boards: Shape (n, 3), (n, 4) or (n, 5), no card twice in a row, none of them dead.
            dead: Card numbers.
            by_combo: Whether to count by combo, too: 64 KB for each board.
            progress: Called with the fraction done.
        """
        ...

    def two_ranges_preflop(
        self, weights: Floats, made_hands: Sequence[int], progress: Progress | None
    ) -> ShowdownCounts:
        """Count the deals that each combo of two players wins or splits before the flop.

        The counts are those of all boards; there is no average over renamings of the suits to take.

        Args:
            weights: The two ranges, shape (2, 1326).
            made_hands: The players whose deals to count by category, too.
            progress: Called with the fraction done.
        """
        ...

    def folded_showdowns(
        self,
        weights: Floats,
        folded: Floats,
        boards: UInt8s,
        times: Ints,
        heroes: Sequence[int],
        made_hands: bool,
        progress: Progress | None,
    ) -> ShowdownCounts:
        """Count as :meth:`range_showdowns` does, while further players hold cards and win nothing.

        Args:
            weights: As for :meth:`range_showdowns`.
            folded: The ranges of the players who folded, shape (folded players, 1326), at least one.
            boards: As for :meth:`range_showdowns`.
            times: As for :meth:`range_showdowns`.
            heroes: As for :meth:`range_showdowns`.
            made_hands: As for :meth:`range_showdowns`.
            progress: Called with the fraction done.

        Returns:
            Counts of deals to all other players and those who folded.
        """
        ...

    def three_way_counts(self, hero: int) -> ThreeWayCounts:
        """Count the wins and ties of a starting hand against every two others before the flop.

        Args:
            hero: The hand's place in :func:`gpuodds.games.holdem.starting_hands.starting_hands`, 0 to
                168.
        """
        ...

    def canonical_rows(self, hands: UInt8s, boards: UInt8s) -> Ints:
        """Return the rows (n,) of hands (n, 2) on boards (n, 0..5).

        See :mod:`gpuodds.games.holdem.canonical`.
        """
        ...

    def canonical_situations(self, rows: Ints, size: int) -> tuple[UInt8s, UInt8s]:
        """Return the hands (n, 2) and boards (n, size) of rows (n,)."""
        ...

    def against_random(self, boards: UInt8s, detail: bool) -> StreetCounts:
        """Count the wins and ties of every combo against one random opponent, over all runouts.

        Args:
            boards: Shape (n, 3..5).
            detail: Whether to fill ``squares`` and ``histogram``, too.
        """
        ...

    def matching_counts(
        self, spots: Sequence[Spot], most: int, progress: Progress | None
    ) -> Sequence[Mapping[int, MatchingCounts]]:
        """Count, for each spot, the matchings of its threat graphs, summed over boards.

        See :mod:`gpuodds.games.holdem.multiway`.

        Args:
            spots: Spots of known hands, all with the same numbers of hands and board cards.
            most: The largest number of edges of a matching.
            progress: Called with the fraction done.

        Returns:
            For each spot the counts by the set of known players who share the best known hand, a mask.
        """
        ...

    def hands_versus_hands(self, hands: UInt8s, boards: UInt8s, dead: UInt8s) -> Ints:
        """Count, for many pairs of known hands, the full boards that each wins and those they split.

        Args:
            hands: Shape (n, 2, 2): row, hand, card.
            boards: Shape (n, 0..5).
            dead: Cards out of play, shape (n, any width).

        Returns:
            Shape (n, 3), int64: boards that the first hand wins, that the second wins, and ties.
        """
        ...

    def sample_deals(
        self,
        draws: Draws,
        opponents: int,
        board: Sequence[int],
        dead: Sequence[int],
        seed: int,
        begin: int,
        end: int,
    ) -> tuple[Ints, int]:
        """Draw the samples ``begin`` to ``end`` of a seed: see :mod:`gpuodds.games.holdem.draws`.

        Args:
            draws: The alias tables of the ranges, without combos that have a board or dead card. The
                ranges can be dealt together.
            opponents: The number of random opponents.
            board: Card numbers.
            dead: Card numbers.
            seed: The seed, 0 or more.
            begin: The number of the first sample.
            end: The number of the last sample, plus 1.

        Returns:
            Counts, shape (players, players + opponents): samples in which named player p is among
            exactly m + 1 winners, at [p, m]. And the number of tuples of combos drawn.
        """
        ...

    def sample_pairs(
        self,
        draws: Draws,
        opponents: int,
        board: Sequence[int],
        dead: Sequence[int],
        seed: int,
        begin: int,
        end: int,
    ) -> Ints:
        """Draw the pairs ``begin`` to ``end``: see :mod:`gpuodds.games.holdem.draws`.

        Arguments as for :meth:`sample_deals`, but ranges of one combo, fewer than 5 board cards, and
        numbers of pairs. Returns counts, shape (players, ends, ends), for players + opponents + 1 ends:
        the pairs by how each of the two deals ends for named player p, at [p, first, second]: 0, or
        among how many winners they are.
        """
        ...

    def sample_folded_deals(
        self,
        draws: Draws,
        folded: int,
        opponents: int,
        board: Sequence[int],
        dead: Sequence[int],
        seed: int,
        begin: int,
        end: int,
    ) -> tuple[Ints, int]:
        """Draw samples as :meth:`sample_deals` does, where some of the players have folded.

        Arguments as there, and ``folded``: how many of the players of ``draws``, the last ones, hold
        cards and win nothing. Counts are without rows and columns for them.
        """
        ...

    def unbeaten_deals(
        self, hands: UInt8s, boards: UInt8s, most: int, progress: Progress | None
    ) -> UInt64s:
        """Count the deals of k = 1 to ``most`` opponents in which none beats a hand, by number of ties.

        Args:
            hands: Shape (n, 2).
            boards: Shape (n, 0..5).
            most: The largest number of opponents, 1 to 22.
            progress: Called with the fraction done.

        Returns:
            Shape (n, most, most + 1, 2): entry [i, k - 1, t] is a 128-bit count, lower and upper half.
        """
        ...

    def count_five_card_hands(self, decks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Count the five-card hands of each rank in each deck.

        Args:
            decks: Shape (n,), int64: bit c is set for the card c, 0 to 51.

        Returns:
            Shape (n, 7463), int64: entry r is the number of hands of rank r.
        """
        ...

    def count_five_card_high_cards(self, decks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Count the five-card hands of each category and high card in each deck.

        Args:
            decks: Shape (n,), int64: bit c is set for the card c, 0 to 51.

        Returns:
            Shape (n, 9, 52), int64: by category, from high card to straight flush, and by high card.
            See :func:`gpuodds.five_card.count_high_cards`.
        """
        ...

    def count_draws(self, spot: DrawSpot, progress: Progress | None) -> npt.NDArray[np.int64]:
        """Count the wins and ties of each discard against a hand that stands pat, over all deals.

        Args:
            spot: The hand, the deck, the most cards to draw, and the order of hands.
            progress: Called with the fraction done, 0 to 1.

        Returns:
            Shape (discards, 2), int64: wins and ties among the C(n, d) C(n - d, 5) deals of a discard
            of d cards, with a deck of n. Discards are in the order of
            ``list_discards(spot.max_discards)``.
        """
        ...

    def sample_draws(
        self,
        spot: DrawSpot,
        opponent_draws: bool,
        runs: int,
        seed: int | None,
        progress: Progress | None,
    ) -> npt.NDArray[np.int64]:
        """Sample deals and count the wins and ties of each discard over the same deals.

        Args:
            spot: The hand, the deck, the most cards to draw, and the order of hands.
            opponent_draws: Whether the opponent discards as ``best_discards`` has it, or stands pat.
            runs: How many deals to draw, 1 or more.
            seed: Makes the deals repeatable.
            progress: Called with the fraction done, 0 to 1.

        Returns:
            Shape (discards, 2), int64: wins and ties of ``runs`` deals, as from ``count_draws``.
        """
        ...

    def best_discards(
        self, hands: npt.NDArray[np.uint8], max_discards: int, names: npt.NDArray[np.uint16]
    ) -> npt.NDArray[np.int64]:
        """Return the discards of highest equity against five random cards of a full deck.

        Args:
            hands: Shape (n, 5), uint8, each ascending.
            max_discards: The largest number of cards to discard, 0 to 5.
            names: Shape (4, 7463), uint16: the ranking of hands, as in ``DrawSpot``.

        Returns:
            Shape (n,), int64: bit i is set if the i-th card of the hand is discarded.
        """
        ...


def who_does(backend: Backend, operation: str) -> str:
    """Return the name of the backend that does an operation: this one, or the CPU if handed over.

    >>> from gpuodds.backends.cpu.backend import CpuBackend
    >>> who_does(CpuBackend(), "range_showdowns")
    'cpu'
    """
    return "cpu" if operation in backend.handed_to_cpu else backend.name
