"""What a backend can do: one set of operations, the same integers wherever they are counted.

Arrays are NumPy's. Operations on rows of cards also take CuPy arrays on the CUDA backend, and give CuPy
arrays then. Combos have numbers as in :mod:`gpuodds.games.holdem.combos`. Card numbers are not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gpuodds.games.five_card import DrawSpot
    from gpuodds.games.holdem.draws import Draws
    from gpuodds.games.holdem.multiway import MatchingCounts
    from gpuodds.games.holdem.streets import StreetCounts
    from gpuodds.spots.spot import Spot

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    UInt8s = npt.NDArray[np.uint8]
    UInt16s = npt.NDArray[np.uint16]
    UInt64s = npt.NDArray[np.uint64]

Progress = Callable[[float], None]
"""Called with the fraction of the work that is done, 0 to 1."""


class ShowdownCounts(NamedTuple):
    """What showdowns of ranges come to; int64 if all weights are 0 or 1, else float64.

    ``by_winners`` (heroes, 1326, 2^(players - 1)) are deals of the others beside a combo of a hero, its
    own weight left out, by the set of the others, a mask in their order, who share the best hand with
    it. ``by_category`` (heroes, 9, 2^(players - 1) + 1) float64 are deals by the category of the hero's
    final hand and that mask, its own weight counted in, and all deals in the last column; None unless
    it was asked for.
    """

    by_winners: npt.NDArray[Any]
    by_category: Floats | None


class ThreeWayCounts(NamedTuple):
    """A starting hand against each two others; int64, the others by row and column.

    ``win``, ``tie_row`` and ``tie_all`` (169, 169) are boards times deals in which the hero beats both,
    ties the row's hand and beats the column's, ties both.
    """

    win: Ints
    tie_row: Ints
    tie_all: Ints


class Backend(Protocol):
    """The operations that a backend has."""

    name: str
    handed_to_cpu: frozenset[str]
    """The operations, by name, that this backend hands to the CPU; results then name the CPU."""

    def find_repeated_card(self, cards: UInt8s, more: UInt8s) -> int:
        """Return the first row of ``cards`` that, with that of ``more``, has a card twice, or -1.

        Both have as many rows, of any width.
        """

    def rank_cards(self, cards: UInt8s) -> UInt16s:
        """Return the hand ranks (n,) of cards (n, 5..7)."""

    def rank_combos(self, boards: UInt8s) -> UInt16s:
        """Return the hand ranks (n, 1326) of combos on boards (n, 5), 0 where they share a card."""

    def heads_up_matrix(
        self, board: Sequence[int], dead: Sequence[int], progress: Progress | None
    ) -> tuple[Ints, Ints]:
        """Return on how many full boards one combo beats another, and ties it: both (1326, 1326)."""

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
            boards: Full boards, shape (n, 5); or (1, 0), a board on which all hands tie.
            times: How often each board counts, shape (n,).
            heroes: The players whose deals are counted.
            made_hands: Whether they are counted by category, too.
            progress: Called with the fraction done.
        """

    def three_way_counts(self, hero: int) -> ThreeWayCounts:
        """Count how a starting hand fares against each two others before the flop.

        Args:
            hero: Its place in :func:`gpuodds.games.holdem.starting_hands.starting_hands`, 0 to 168.
        """

    def canonical_rows(self, hands: UInt8s, boards: UInt8s) -> Ints:
        """Return the rows (n,) of hands (n, 2) on boards (n, 0..5).

        See :mod:`gpuodds.games.holdem.canonical`.
        """

    def canonical_situations(self, rows: Ints, size: int) -> tuple[UInt8s, UInt8s]:
        """Return the hands (n, 2) and boards (n, size) of rows (n,)."""

    def against_random(self, boards: UInt8s, detail: bool) -> StreetCounts:
        """Count how every combo fares against one random opponent on boards (n, 3..5).

        See :class:`gpuodds.games.holdem.streets.StreetCounts`; ``detail`` asks for its last two.
        """

    def matching_counts(
        self, spots: Sequence[Spot], most: int, progress: Progress | None
    ) -> Sequence[Mapping[int, MatchingCounts]]:
        """Sum, spot by spot, the matchings of threat graphs with up to ``most`` edges.

        The keys are sets of known players, as masks: those who share the best known hand. The spots
        have as many known hands and board cards as each other.
        See :mod:`gpuodds.games.holdem.multiway`.
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
    ) -> tuple[Ints, int]:
        """Draw the samples ``begin`` to ``end`` of a seed: see :mod:`gpuodds.games.holdem.draws`.

        Args:
            draws: How the ranges are drawn: combos that board and dead cards leave, and that can be
                dealt together.
            opponents: The number of random opponents.
            board: Card numbers.
            dead: Card numbers.
            seed: What the draws depend on.
            begin: The first sample.
            end: The one after the last.

        Returns:
            Counts (players, players + opponents): samples in which a player with a range is among
            exactly m + 1 winners, at m. And the number of tuples of combos that were drawn.
        """

    def unbeaten_deals(
        self, hands: UInt8s, boards: UInt8s, most: int, progress: Progress | None
    ) -> UInt64s:
        """Count the deals of k = 1 to ``most`` opponents in which none beats a hand, by ties.

        Args:
            hands: Shape (n, 2).
            boards: Shape (n, 0..5).
            most: The largest number of opponents, 1 to 22.
            progress: Called with the fraction done.

        Returns:
            Shape (n, most, most + 1, 2): entry [i, k - 1, t] is a 128-bit number, lower and upper half.
        """

    def count_five_card_hands(self, decks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Count the five-card hands of each rank in each deck.

        Args:
            decks: Shape (n,), int64: bit c is set for the card c, 0 to 51.

        Returns:
            Shape (n, 7463), int64: entry r is the number of hands of rank r.
        """

    def count_five_card_high_cards(self, decks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Count the five-card hands of each category and high card in each deck.

        Args:
            decks: As for ``count_five_card_hands``.

        Returns:
            Shape (n, 9, 52), int64: by category, from high card to straight flush, and by high card,
            see :func:`gpuodds.five_card.count_high_cards`.
        """

    def count_draws(self, spot: DrawSpot, progress: Progress | None) -> npt.NDArray[np.int64]:
        """Count the wins and ties of each discard against a hand that stands pat, over all deals.

        Args:
            spot: The hand, the deck, the most cards to draw, and the order of hands.
            progress: Called with the fraction done, 0 to 1.

        Returns:
            Shape (discards, 2), int64: wins and ties of C(n, d) C(n - d, 5) deals where d of the deck's
            n cards are drawn. The discards are in the order of ``list_discards(spot.max_discards)``.
        """

    def sample_draws(
        self,
        spot: DrawSpot,
        opponent_draws: bool,
        runs: int,
        seed: int | None,
        progress: Progress | None,
    ) -> npt.NDArray[np.int64]:
        """Draw deals and count the wins and ties of each discard, each by the same deals.

        Args:
            spot: The hand, the deck, the most cards to draw, and the order of hands.
            opponent_draws: Whether the opponent discards as ``best_discards`` has it, or stands pat.
            runs: How many deals to draw, 1 or more.
            seed: Makes the deals repeatable.
            progress: Called with the fraction done, 0 to 1.

        Returns:
            Shape (discards, 2), int64: wins and ties of ``runs`` deals, as from ``count_draws``.
        """

    def best_discards(
        self, hands: npt.NDArray[np.uint8], max_discards: int, names: npt.NDArray[np.uint16]
    ) -> npt.NDArray[np.int64]:
        """Return what hands discard to have most equity against five random cards of a whole deck.

        Args:
            hands: Shape (n, 5), uint8, each ascending.
            max_discards: How many cards may be discarded at most, 0 to 5.
            names: Shape (4, 7463), uint16: the order of hands, as in ``DrawSpot``.

        Returns:
            Shape (n,), int64: bit i is set if the i-th card of the hand is discarded.
        """


def who_does(backend: Backend, operation: str) -> str:
    """Return the name of the backend that does an operation: itself, or the CPU for it.

    >>> from gpuodds.backends.cpu.backend import CpuBackend
    >>> who_does(CpuBackend(), "range_showdowns")
    'cpu'
    """
    return "cpu" if operation in backend.handed_to_cpu else backend.name
