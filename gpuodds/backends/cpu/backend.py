"""The CPU backend: what a spot's boards hold against the best known hand, on every core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.batch import BATCH, unbeaten_deals
from gpuodds.backends.cpu.canonical import canonical_rows, canonical_situations
from gpuodds.backends.cpu.combos import heads_up_matrix, rank_combos
from gpuodds.backends.cpu.draws import best_discards, count_draws, sample_draws
from gpuodds.backends.cpu.five_card import count_by_high_card, count_by_rank
from gpuodds.backends.cpu.folded_showdowns import count_folded_showdowns
from gpuodds.backends.cpu.matching_counts import matching_counts
from gpuodds.backends.cpu.preflop_ranges import count_preflop
from gpuodds.backends.cpu.ranks import find_repeated_card, rank_cards
from gpuodds.backends.cpu.sampling import sample_deals, sample_pairs
from gpuodds.backends.cpu.showdowns import count_showdowns
from gpuodds.backends.cpu.streets import against_random
from gpuodds.backends.cpu.threads import thread_count
from gpuodds.backends.cpu.three_way import count_three_way, starting_hand_classes
from gpuodds.backends.cpu.two_hands import count_two_hands
from gpuodds.backends.cpu.two_ranges import two_range_boards
from gpuodds.backends.full_deck import check_full_deck
from gpuodds.backends.omaha_protocol import OmahaShowdowns
from gpuodds.backends.protocol import Progress, ShowdownCounts, ThreeWayCounts, TwoRangeCounts
from gpuodds.backends.two_ranges import count_all_boards
from gpuodds.games.five_card import DrawSpot
from gpuodds.games.game import Game
from gpuodds.games.holdem.draws import Draws
from gpuodds.games.holdem.game import HOLDEM, Holdem, as_holdem
from gpuodds.games.holdem.hand_ranks import HandRankTables
from gpuodds.games.holdem.multiway import MatchingCounts
from gpuodds.games.holdem.streets import StreetCounts
from gpuodds.games.omaha.draws import OmahaDraws, OmahaSamples
from gpuodds.spots.spot import Spot

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]
UInt64s = npt.NDArray[np.uint64]


class CpuBackend:
    """The operations of :class:`gpuodds.backends.Backend` on every core of the CPU."""

    def __init__(self, game: Game = HOLDEM) -> None:
        """Take the game that is played.

        Refuse a wrong ``GPUODDS_THREADS`` at once, even if the work at hand needs no threads.
        """
        thread_count()
        self.game = game

    @property
    def _holdem(self) -> Holdem:
        return as_holdem(self.game)

    @property
    def _tables(self) -> HandRankTables:
        return self._holdem.hand_rank_tables

    name = "cpu"
    handed_to_cpu: frozenset[str] = frozenset()

    def find_repeated_card(self, cards: UInt8s, more: UInt8s) -> int:
        """Find a row that repeats a card: see the protocol."""
        return find_repeated_card(np.concatenate([cards, more], axis=1) if more.shape[1] else cards)

    def rank_cards(self, cards: UInt8s) -> UInt16s:
        """Rank hands: see the protocol."""
        return rank_cards(cards, self._tables)

    def rank_combos(self, boards: UInt8s) -> UInt16s:
        """Rank every combo on boards: see the protocol."""
        return rank_combos(boards, self._holdem)

    def heads_up_matrix(
        self, board: Sequence[int], dead: Sequence[int], progress: Progress | None
    ) -> tuple[Ints, Ints]:
        """Compare all combos: see the protocol."""
        return heads_up_matrix(board, dead, progress, self._holdem)

    def range_showdowns(
        self,
        weights: Floats,
        boards: UInt8s,
        times: Ints,
        heroes: Sequence[int],
        made_hands: bool,
        progress: Progress | None,
    ) -> ShowdownCounts:
        """Count showdowns of ranges: see the protocol."""
        counts, made = count_showdowns(
            weights, boards, times, heroes, self._tables, progress, made_hands
        )
        return ShowdownCounts(counts, made if made_hands else None)

    def two_range_boards(
        self,
        weights: Floats,
        boards: UInt8s,
        dead: Sequence[int],
        by_combo: bool,
        progress: Progress | None,
    ) -> TwoRangeCounts:
        """Count two ranges on boards: see the protocol."""
        return two_range_boards(weights, boards, dead, by_combo, self._holdem, progress)

    def two_ranges_preflop(
        self, weights: Floats, made_hands: Sequence[int], progress: Progress | None
    ) -> ShowdownCounts:
        """Count two ranges before the flop: see the protocol."""
        if not self.game.missing:
            return count_preflop(weights, made_hands, progress)

        def count(boards: UInt8s, times: Ints, made: bool) -> ShowdownCounts:
            return self.range_showdowns(weights, boards, times, (0, 1), made, progress)

        return count_all_boards(count, weights, made_hands, self.game.missing)

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
        """Count showdowns while players have folded: see the protocol."""
        counts, made = count_folded_showdowns(
            weights, folded, boards, times, heroes, self._tables, progress, made_hands
        )
        return ShowdownCounts(counts, made if made_hands else None)

    def three_way_counts(self, hero: int) -> ThreeWayCounts:
        """Count three players' showdowns: see the protocol."""
        check_full_deck(self.game, "three-way counts")
        places = starting_hand_classes()
        counts = count_three_way(int(places[hero]))
        return ThreeWayCounts(*(table[np.ix_(places, places)] for table in counts))

    def canonical_rows(self, hands: UInt8s, boards: UInt8s) -> Ints:
        """Number situations: see the protocol."""
        return canonical_rows(hands, boards)

    def canonical_situations(self, rows: Ints, size: int) -> tuple[UInt8s, UInt8s]:
        """List situations by number: see the protocol."""
        return canonical_situations(rows, size)

    def against_random(self, boards: UInt8s, detail: bool) -> StreetCounts:
        """Count each combo's showdowns: see the protocol."""
        if detail:
            check_full_deck(self.game, "histograms of equity")
        return against_random(boards, detail, self._holdem)

    def matching_counts(
        self, spots: Sequence[Spot], most: int, progress: Progress | None
    ) -> list[dict[int, MatchingCounts]]:
        """Sum matchings: see the protocol."""
        return matching_counts(spots, most, progress)

    def hands_versus_hands(self, hands: UInt8s, boards: UInt8s, dead: UInt8s) -> Ints:
        """Count pairs of hands: see the protocol."""
        return count_two_hands(hands, boards, dead, self._holdem)

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
        """Draw samples: see the protocol."""
        return sample_deals(draws, opponents, board, dead, seed, begin, end, self._holdem)

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
        """Draw pairs of deals: see the protocol."""
        return sample_pairs(draws, opponents, board, dead, seed, begin, end, self._holdem)

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
        """Draw samples where players have folded: see the protocol."""
        return sample_deals(draws, opponents, board, dead, seed, begin, end, self._holdem, folded)

    def unbeaten_deals(
        self, hands: UInt8s, boards: UInt8s, most: int, progress: Progress | None
    ) -> UInt64s:
        """Count deals for many hands: see the protocol."""
        counts = np.zeros((len(hands), most, most + 1, 2), np.uint64)
        for begin in range(0, len(hands), BATCH):
            end = min(begin + BATCH, len(hands))
            share = _part(progress, begin / len(hands), (end - begin) / len(hands))
            rows = hands[begin:end], boards[begin:end]
            unbeaten_deals(*rows, most, counts[begin:end], self._holdem, share)
        if progress is not None:
            progress(1.0)
        return counts

    def count_five_card_hands(self, decks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Count the five-card hands of decks by rank: see the protocol."""
        return count_by_rank(decks)

    def count_five_card_high_cards(self, decks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Count the five-card hands of decks by category and high card: see the protocol."""
        return count_by_high_card(decks)

    def count_draws(self, spot: DrawSpot, progress: Progress | None) -> npt.NDArray[np.int64]:
        """Count the deals that each discard wins and ties: see the protocol."""
        return count_draws(spot, progress)

    def sample_draws(
        self,
        spot: DrawSpot,
        opponent_draws: bool,
        runs: int,
        seed: int | None,
        progress: Progress | None,
    ) -> npt.NDArray[np.int64]:
        """Draw deals for each discard: see the protocol."""
        return sample_draws(spot, opponent_draws, runs, seed, progress)

    def best_discards(
        self, hands: npt.NDArray[np.uint8], max_discards: int, names: npt.NDArray[np.uint16]
    ) -> npt.NDArray[np.int64]:
        """Return what hands discard: see the protocol."""
        return best_discards(hands, max_discards, names)

    def omaha_hand_ranks(self, hands: UInt8s, boards: UInt8s) -> UInt16s:
        """Rank hands of Omaha: see the protocol."""
        from gpuodds.backends.cpu.omaha.ranks import rank_hands

        return rank_hands(hands, boards)

    def omaha_low_ranks(self, hands: UInt8s, boards: UInt8s) -> UInt8s:
        """Rank low hands of Omaha: see the protocol."""
        from gpuodds.backends.cpu.omaha.ranks import low_ranks

        return low_ranks(hands, boards)

    def omaha_known_hands(
        self, hands: UInt8s, board: Sequence[int], dead: Sequence[int], low: bool
    ) -> dict[tuple[int, int], int]:
        """Count known hands of Omaha: see the protocol."""
        from gpuodds.backends.cpu.omaha.known_hands import count_known_hands

        return count_known_hands(hands, board, dead, low)

    def omaha_one_random_hand(
        self,
        hand: Sequence[int],
        board: Sequence[int],
        dead: Sequence[int],
        low: bool,
        progress: Progress | None,
    ) -> Ints:
        """Count a hand of Omaha against a random one: see the protocol."""
        from gpuodds.backends.cpu.omaha.against_random import count_against_random

        return count_against_random(hand, board, dead, low, progress)

    def omaha_one_random_hand_on_boards(
        self,
        hand: Sequence[int],
        board: Sequence[int],
        dead: Sequence[int],
        boards: UInt8s,
        low: bool,
        progress: Progress | None,
    ) -> Ints:
        """Count a hand of Omaha against a random one on boards: see the protocol."""
        from gpuodds.backends.cpu.omaha.random_on_boards import count_on_boards

        return count_on_boards(hand, board, dead, boards, low, progress)

    def omaha_preflop_random(
        self, hands: UInt8s, low: bool, ranks: range, progress: Progress | None
    ) -> Ints:
        """Count hands of Omaha against a random one: see the protocol."""
        from gpuodds.backends.cpu.omaha.preflop_random import count_boards, read_hands

        return read_hands(hands, count_boards(hands.shape[1], low, ranks, progress))

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
        """Count ranges of Omaha: see the protocol."""
        from gpuodds.backends.cpu.omaha.showdowns import count_showdowns

        return count_showdowns(hands, weights, boards, times, low, progress, made_hands)

    def omaha_board_totals(
        self,
        hands: Sequence[UInt8s],
        weights: Sequence[Floats],
        boards: UInt8s,
        low: bool,
        progress: Progress | None,
    ) -> list[npt.NDArray[Any]]:
        """Count ranges of Omaha on each board: see the protocol."""
        from gpuodds.backends.cpu.omaha.two_player_boards import count_boards

        return [*count_boards(hands, weights, boards, low, progress)]

    def omaha_three_players(
        self,
        hands: Sequence[UInt8s],
        weights: Sequence[Floats],
        boards: UInt8s,
        times: Ints,
        low: bool,
        progress: Progress | None,
    ) -> dict[tuple[int, int], Any]:
        """Count three ranges of Omaha: see the protocol."""
        from gpuodds.backends.cpu.omaha.three_players import count_three_players

        return count_three_players(hands, weights, boards, times, low, progress)

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
        """Draw samples of Omaha: see the protocol."""
        from gpuodds.backends.cpu.omaha import sampling

        return sampling.sample_deals(draws, opponents, board, dead, seed, begin, end, low, folded)


def _part(progress: Progress | None, begin: float, share: float) -> Progress | None:
    return None if progress is None else lambda done: progress(begin + done * share)
