"""The CPU backend: what a spot's boards hold against the best known hand, on every core."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.accumulator import Accumulator
from gpuodds.backends.cpu.batch import BATCH, unbeaten_deals
from gpuodds.backends.cpu.boards import BoardScan, board_classes, count_winners, rank_multisets
from gpuodds.backends.cpu.canonical import canonical_rows, canonical_situations
from gpuodds.backends.cpu.closed_form import count_pairs
from gpuodds.backends.cpu.combos import heads_up_matrix, rank_combos
from gpuodds.backends.cpu.draws import best_discards, count_draws, sample_draws
from gpuodds.backends.cpu.five_card import count_by_high_card, count_by_rank
from gpuodds.backends.cpu.folded_showdowns import count_folded_showdowns
from gpuodds.backends.cpu.graph_cases import WINNER_BITS
from gpuodds.backends.cpu.intern_table import new_intern_table
from gpuodds.backends.cpu.one_opponent import count_one_opponent
from gpuodds.backends.cpu.preflop_ranges import count_preflop
from gpuodds.backends.cpu.ranks import find_repeated_card, rank_cards
from gpuodds.backends.cpu.sampling import sample_deals, sample_pairs
from gpuodds.backends.cpu.showdowns import count_showdowns
from gpuodds.backends.cpu.streets import against_random
from gpuodds.backends.cpu.threads import Run, thread_count, thread_pool
from gpuodds.backends.cpu.three_way import count_three_way, starting_hand_classes
from gpuodds.backends.cpu.two_hands import count_two_hands
from gpuodds.backends.cpu.two_ranges import two_range_boards
from gpuodds.backends.protocol import Progress, ShowdownCounts, ThreeWayCounts, TwoRangeCounts
from gpuodds.games.five_card import DrawSpot
from gpuodds.games.holdem.draws import Draws
from gpuodds.games.holdem.hand_ranks import hand_rank_tables
from gpuodds.games.holdem.multiway import MatchingCounts
from gpuodds.games.holdem.rules import BOARD_CARDS
from gpuodds.games.holdem.streets import StreetCounts
from gpuodds.games.omaha.draws import OmahaDraws, OmahaSamples
from gpuodds.spots.spot import Spot

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]
UInt64s = npt.NDArray[np.uint64]

PIECES = 2  # of runouts for each thread: each piece finds the flushes that beat a hand anew
SMALL = 200  # runouts that are not worth starting threads for
CLOSED_FORM = 2  # edges whose matchings need no solved graph


def board_scan(spot: Spot) -> BoardScan:
    """Put a spot in the form that the loops over boards take."""
    return _scan(spot.known_hands, spot.board, spot.known)


def _scan(hands: Sequence[Sequence[int]], board: Sequence[int], known: Iterable[int]) -> BoardScan:
    by_suit = np.array([_suit_masks(hand) for hand in hands], np.int64)
    on_board = _suit_masks(board)
    undealt = [0x1FFF & ~mask for mask in _suit_masks(known)]
    kinds: dict[tuple[object, ...], list[int]] = {}
    for suit in range(4):
        if on_board[suit].bit_count() + BOARD_CARDS - len(board) >= 3:
            kind = (undealt[suit], on_board[suit], *by_suit[:, suit].tolist())
            kinds.setdefault(kind, []).append(suit)
    return BoardScan(
        np.array(undealt, np.int64),
        np.array(on_board, np.int64),
        by_suit,
        np.array(hands, np.int64) >> 2,
        rank_multisets(BOARD_CARDS - len(board)),
        np.array([suits[0] for suits in kinds.values()], np.int64),
        np.array([len(suits) for suits in kinds.values()], np.int64),
    )


def _suit_masks(cards: Iterable[int]) -> list[int]:
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card & 3] |= 1 << (card >> 2)
    return masks


class CpuBackend:
    """The operations of :class:`gpuodds.backends.Backend` on every core of the CPU."""

    def __init__(self) -> None:
        """Refuse a wrong ``GPUODDS_THREADS`` at once, even if the work at hand needs no threads."""
        thread_count()

    name = "cpu"
    handed_to_cpu: frozenset[str] = frozenset()

    def find_repeated_card(self, cards: UInt8s, more: UInt8s) -> int:
        """Find a row that repeats a card: see the protocol."""
        return find_repeated_card(np.concatenate([cards, more], axis=1) if more.shape[1] else cards)

    def rank_cards(self, cards: UInt8s) -> UInt16s:
        """Rank hands: see the protocol."""
        return rank_cards(cards, hand_rank_tables())

    def rank_combos(self, boards: UInt8s) -> UInt16s:
        """Rank every combo on boards: see the protocol."""
        return rank_combos(boards)

    def heads_up_matrix(
        self, board: Sequence[int], dead: Sequence[int], progress: Progress | None
    ) -> tuple[Ints, Ints]:
        """Compare all combos: see the protocol."""
        return heads_up_matrix(board, dead, progress)

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
        counts, made = count_showdowns(weights, boards, times, heroes, progress, made_hands)
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
        return two_range_boards(weights, boards, dead, by_combo, progress)

    def two_ranges_preflop(
        self, weights: Floats, made_hands: Sequence[int], progress: Progress | None
    ) -> ShowdownCounts:
        """Count two ranges before the flop: see the protocol."""
        return count_preflop(weights, made_hands, progress)

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
            weights, folded, boards, times, heroes, progress, made_hands
        )
        return ShowdownCounts(counts, made if made_hands else None)

    def three_way_counts(self, hero: int) -> ThreeWayCounts:
        """Count three players' showdowns: see the protocol."""
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
        return against_random(boards, detail)

    def matching_counts(
        self, spots: Sequence[Spot], most: int, progress: Progress | None
    ) -> list[dict[int, MatchingCounts]]:
        """Sum matchings: see the protocol."""
        if most == 0 and len(spots[0].known_hands) == 2:
            return [_compare_two(spot) for spot in spots]
        if len(spots) > 1 and most > CLOSED_FORM:
            return _count_together(spots, most, progress)
        return [_matching_counts(spot, most, progress) for spot in spots]

    def hands_versus_hands(self, hands: UInt8s, boards: UInt8s, dead: UInt8s) -> Ints:
        """Count pairs of hands: see the protocol."""
        return count_two_hands(hands, boards, dead)

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
        return sample_deals(draws, opponents, board, dead, seed, begin, end)

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
        return sample_pairs(draws, opponents, board, dead, seed, begin, end)

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
        return sample_deals(draws, opponents, board, dead, seed, begin, end, folded)

    def unbeaten_deals(
        self, hands: UInt8s, boards: UInt8s, most: int, progress: Progress | None
    ) -> UInt64s:
        """Count deals for many hands: see the protocol."""
        counts = np.zeros((len(hands), most, most + 1, 2), np.uint64)
        for begin in range(0, len(hands), BATCH):
            end = min(begin + BATCH, len(hands))
            share = _part(progress, begin / len(hands), (end - begin) / len(hands))
            unbeaten_deals(hands[begin:end], boards[begin:end], most, counts[begin:end], share)
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

    def omaha_showdowns(
        self,
        hands: Sequence[UInt8s],
        weights: Sequence[Floats],
        boards: UInt8s,
        times: Ints,
        low: bool,
        progress: Progress | None,
    ) -> list[npt.NDArray[Any]]:
        """Count ranges of Omaha: see the protocol."""
        from gpuodds.backends.cpu.omaha.showdowns import count_showdowns

        return count_showdowns(hands, weights, boards, times, low, progress)

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


def _matching_counts(spot: Spot, most: int, progress: Progress | None) -> dict[int, MatchingCounts]:
    scan = board_scan(spot)
    completions = len(scan.completions)
    if most == 0:
        return _count_winners(spot, scan)
    threads = 1 if completions < SMALL and most <= CLOSED_FORM else thread_count()
    if most == 1 and len(scan.hands) == 1:
        with thread_pool(threads, parts=PIECES * threads) as run:
            return _count_one_opponent(spot, scan, run)
    with thread_pool(threads) as run:
        if most <= CLOSED_FORM:
            return _count_pairs(spot, scan, run)
        accumulator = _gather(spot, scan, run)
    with thread_pool(threads, progress) as run:
        return accumulator.matching_counts(most, run)


def _part(progress: Progress | None, begin: float, share: float) -> Progress | None:
    return None if progress is None else lambda done: progress(begin + done * share)


def _count_together(
    spots: Sequence[Spot], most: int, progress: Progress | None
) -> list[dict[int, MatchingCounts]]:
    # All boards first, so that a graph is solved once, whichever spots it comes from.
    parts: list[Accumulator] = []

    def gather(begin: int, end: int) -> None:
        part = Accumulator()
        for label in range(begin, end):
            scan = board_scan(spots[label])
            part.add_boards(scan, 0, len(scan.completions), spots[label].undealt, label)
        parts.append(part)

    with thread_pool(thread_count(), _part(progress, 0, 0.5)) as run:
        run(gather, len(spots))
    accumulator = parts.pop()
    while parts:
        accumulator.add_all(parts.pop())
    with thread_pool(thread_count(), _part(progress, 0.5, 0.5)) as run:
        sums = accumulator.matching_counts(most, run)
    answers: list[dict[int, MatchingCounts]] = [{} for _ in spots]
    for group, counts in sums.items():
        answers[group >> WINNER_BITS][group & (1 << WINNER_BITS) - 1] = counts
    return answers


def _compare_two(spot: Spot) -> dict[int, MatchingCounts]:
    cards = (np.array([cards], np.uint8) for cards in (spot.known_hands, spot.board, spot.dead))
    found = count_two_hands(*cards)[0].tolist()
    return {mask: {(spot.undealt, 0, 0): boards} for mask, boards in enumerate(found, 1) if boards}


def _count_winners(spot: Spot, scan: BoardScan) -> dict[int, MatchingCounts]:
    # One thread does it in less time than it takes to wake others.
    found = count_winners(scan, 0, len(scan.completions), hand_rank_tables())
    return {mask: {(spot.undealt, 0, 0): boards} for mask, boards in found.items()}


def _count_one_opponent(spot: Spot, scan: BoardScan, run: Run) -> dict[int, MatchingCounts]:
    parts = []

    def count(begin: int, end: int) -> None:
        parts.append(count_one_opponent(scan, begin, end, hand_rank_tables()))

    run(count, len(scan.completions))
    boards, beats, ties = (sum(sums) for sums in zip(*parts, strict=True))
    deck = spot.undealt
    return {1: {(deck, 0, 0): boards, (deck, 1, 0): beats, (deck, 1, 1): ties}}


def _count_pairs(spot: Spot, scan: BoardScan, run: Run) -> dict[int, MatchingCounts]:
    tables = hand_rank_tables()
    deck = spot.undealt
    keys = [(deck, 0, 0), (deck, 1, 0), (deck, 1, 1), (deck, 2, 0), (deck, 2, 1), (deck, 2, 2)]
    parts = []

    def count(begin: int, end: int) -> None:
        classes = board_classes(scan, begin, end, tables)
        entries = min(classes.shape[1], 1 << len(spot.known_hands))
        winners = new_intern_table(entries, entries)
        sums = np.zeros((entries, len(keys)), np.int64)
        count_pairs(scan, classes, tables, winners, sums)
        parts.append((winners.words[: winners.used[0]].tolist(), sums.tolist()))

    run(count, len(scan.completions))
    totals: dict[int, dict[tuple[int, int, int], int]] = {}
    for masks, rows in parts:
        for mask, row in zip(masks, rows, strict=False):
            total = totals.setdefault(mask, dict.fromkeys(keys, 0))
            for key, value in zip(keys, row, strict=True):
                total[key] += value
    return dict(totals)


def _gather(spot: Spot, scan: BoardScan, run: Run) -> Accumulator:
    parts = []

    def gather(begin: int, end: int) -> None:
        part = Accumulator()
        part.add_boards(scan, begin, end, spot.undealt)
        parts.append(part)

    run(gather, len(scan.completions))
    accumulator = parts[0]
    for part in parts[1:]:
        accumulator.add_all(part)
    return accumulator
