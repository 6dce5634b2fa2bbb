"""The CUDA backend: the operations of :mod:`gpuodds.backends.cpu.backend` on one GPU or several.

Work is cut into pieces that fit a device's free memory; on out-of-memory the piece is halved. Several
devices take pieces in turn, each with a thread and an intern table of its own: a graph is solved once
on each device that meets it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from math import comb
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.compiling import NO_GPU_VERSION, ON_THE_CPU
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cpu.three_way import starting_hand_classes
from gpuodds.backends.cuda.cards import find_repeated_card
from gpuodds.backends.cuda.device import choose_devices, free_bytes
from gpuodds.backends.cuda.heads_up import heads_up_matrix
from gpuodds.backends.cuda.omaha import OMAHA_ON_CPU, OmahaOperations
from gpuodds.backends.cuda.pieces import Work, share_out, working_on
from gpuodds.backends.cuda.ranks import rank_cards, rank_combos
from gpuodds.backends.cuda.sampling import sample_deals, sample_pairs
from gpuodds.backends.cuda.showdowns import range_showdowns
from gpuodds.backends.cuda.spots import count_completions, load_spots, pack_spots, read_key
from gpuodds.backends.cuda.streets import against_random
from gpuodds.backends.cuda.sums import close_groups, read_sums
from gpuodds.backends.cuda.three_way import count_three_way
from gpuodds.backends.cuda.worker import Worker, max_items
from gpuodds.backends.full_deck import check_full_deck
from gpuodds.backends.protocol import Progress, ShowdownCounts, ThreeWayCounts, TwoRangeCounts
from gpuodds.backends.two_ranges import count_all_boards, count_by_showdowns
from gpuodds.games.five_card import DrawSpot
from gpuodds.games.game import Game
from gpuodds.games.holdem.draws import Draws
from gpuodds.games.holdem.game import HOLDEM, Holdem, as_holdem
from gpuodds.games.holdem.multiway import MatchingCounts
from gpuodds.games.holdem.rules import BOARD_CARDS, COMBOS
from gpuodds.games.holdem.streets import StreetCounts
from gpuodds.spots.arrays import is_on_device
from gpuodds.spots.spot import Spot

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]
UInt64s = npt.NDArray[np.uint64]

MAX_TERMS = 1 << 34  # that close_sums adds for one group a spot


class CudaBackend(OmahaOperations):
    """The operations of :class:`gpuodds.backends.protocol.Backend` on GPUs.

    Arrays may be NumPy's or CuPy's. CuPy arrays give CuPy arrays, computed on their device and the
    current stream.
    """

    name = "cuda"
    handed_to_cpu: frozenset[str] = OMAHA_ON_CPU | frozenset(
        {
            "hands_versus_hands",
            "count_five_card_hands",
            "count_five_card_high_cards",
            "count_draws",
            "sample_draws",
            "best_discards",
            "folded_showdowns",
            "sample_folded_deals",
        }
    )

    def __init__(self, name: str = "cuda", game: Game = HOLDEM) -> None:
        """Take all devices (``"cuda"``) or some (``"cuda:0,2"``), and the game that is played."""
        self.devices = choose_devices(name)
        self.game = game
        if game.missing:
            self.handed_to_cpu |= {"against_random"}  # its kernel deals from the full deck
        self._is_asked_for = name != "auto"

    @property
    def _holdem(self) -> Holdem:
        return as_holdem(self.game)

    def _cpu(self, operation: str) -> CpuBackend:
        """Return the CPU backend for an operation, and say so where GPUs were asked for."""
        if self._is_asked_for:
            logging.getLogger("gpuodds").info(ON_THE_CPU, NO_GPU_VERSION % operation)
        return CpuBackend(self.game)

    def find_repeated_card(self, cards: UInt8s, more: UInt8s) -> int:
        """Find a row that repeats a card: see the protocol. NumPy arrays are looked at on the CPU."""
        if is_on_device(cards):
            with working_on(_device_of(cards)):
                return find_repeated_card(cards, more)
        return CpuBackend().find_repeated_card(cards, more)

    def rank_cards(self, cards: UInt8s) -> UInt16s:
        """Rank hands: see the protocol."""
        ranks: UInt16s = self._from_rows(partial(rank_cards, game=self._holdem), cards, (), 16)
        return ranks

    def rank_combos(self, boards: UInt8s) -> UInt16s:
        """Rank every combo on boards: see the protocol."""
        ranks: UInt16s = self._from_rows(
            partial(rank_combos, game=self._holdem), boards, (COMBOS,), 4 * COMBOS
        )
        return ranks

    def _from_rows(
        self, function: Callable[[Any], Any], rows: Any, shape: tuple[int, ...], row_bytes: int
    ) -> Any:
        import cupy

        if is_on_device(rows):
            with working_on(_device_of(rows)):
                return function(rows)
        ranks = np.empty((len(rows), *shape), np.uint16)

        def work(begin: int, end: int) -> None:
            ranks[begin:end] = cupy.asnumpy(function(cupy.asarray(rows[begin:end])))

        def max_rows() -> int:
            return max(1, free_bytes() // 2 // row_bytes)

        share_out(self.devices, len(rows), lambda: work, max_rows, None)
        return ranks

    def heads_up_matrix(
        self, board: Sequence[int], dead: Sequence[int], progress: Progress | None
    ) -> tuple[Ints, Ints]:
        """Compare all combos: see the protocol."""
        return heads_up_matrix(board, dead, progress, self.devices, self._holdem)

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
        return range_showdowns(
            weights, boards, times, heroes, made_hands, progress, self.devices, self._holdem
        )

    def two_range_boards(
        self,
        weights: Floats,
        boards: UInt8s,
        dead: Sequence[int],
        by_combo: bool,
        progress: Progress | None,
    ) -> TwoRangeCounts:
        """Count two ranges on boards, one after the other: see the protocol."""

        def showdowns(held: Floats, full: UInt8s, times: Ints) -> npt.NDArray[Any]:
            return self.range_showdowns(held, full, times, (0, 1), False, None).by_winners

        out = (*dead, *self.game.missing)
        return count_by_showdowns(showdowns, weights, boards, out, by_combo, progress)

    def two_ranges_preflop(
        self, weights: Floats, made_hands: Sequence[int], progress: Progress | None
    ) -> ShowdownCounts:
        """Count two ranges before the flop, board by board: see the protocol."""

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
        """Count showdowns while players have folded, on the CPU: see the protocol."""
        return self._cpu("folded_showdowns").folded_showdowns(
            weights, folded, boards, times, heroes, made_hands, progress
        )

    def three_way_counts(self, hero: int) -> ThreeWayCounts:
        """Count three players' showdowns: see the protocol."""
        check_full_deck(self.game, "three-way counts")
        places = starting_hand_classes()
        counts = count_three_way(int(places[hero]), self.devices)
        return ThreeWayCounts(*(table[np.ix_(places, places)] for table in counts))

    def canonical_rows(self, hands: UInt8s, boards: UInt8s) -> Ints:
        """Number situations: see the protocol; CuPy arrays are answered where they are."""
        import cupy

        from gpuodds.backends.cuda.canonical import canonical_rows

        here = is_on_device(hands)
        with working_on(_device_of(hands) if here else self.devices[0]):
            rows: Ints = canonical_rows(cupy.asarray(hands), cupy.asarray(boards))
            return rows if here else cupy.asnumpy(rows)

    def canonical_situations(self, rows: Ints, size: int) -> tuple[UInt8s, UInt8s]:
        """List situations by number: see the protocol; CuPy arrays are answered where they are."""
        import cupy

        from gpuodds.backends.cuda.canonical import canonical_situations

        here = is_on_device(rows)
        with working_on(_device_of(rows) if here else self.devices[0]):
            hands, boards = canonical_situations(cupy.asarray(rows), size)
            return (hands, boards) if here else (cupy.asnumpy(hands), cupy.asnumpy(boards))

    def against_random(self, boards: UInt8s, detail: bool) -> StreetCounts:
        """Count each combo's showdowns: see the protocol."""
        if "against_random" in self.handed_to_cpu:
            return self._cpu("against_random").against_random(boards, detail)
        return against_random(boards, detail, self.devices)

    def matching_counts(
        self, spots: Sequence[Spot], most: int, progress: Progress | None
    ) -> list[dict[int, MatchingCounts]]:
        """Sum matchings: see the protocol."""
        answers: list[dict[int, dict[tuple[int, int, int], int]]] = [{} for _ in spots]
        lock = Lock()

        def receive(first: int, last: int, groups: Ints, sums: Any) -> None:
            rows = read_sums(sums)
            with lock:
                for key, counts in zip(groups.tolist(), rows, strict=True):
                    _enter(answers, key, counts)

        def start() -> Work:
            on_device, worker = load_spots(spots), Worker(most)
            return Work(
                lambda begin, end: worker.add_items(on_device, begin, end, receive), worker.finish
            )

        def size() -> int:
            return max_items(most, len(spots[0].board), len(spots[0].known_hands))

        items = len(spots) * count_completions(BOARD_CARDS - len(spots[0].board))
        share_out(self.devices, items, start, size, progress)
        return [dict(answer) for answer in answers]

    def hands_versus_hands(self, hands: Any, boards: Any, dead: Any) -> Ints:
        """Count pairs of hands, on the CPU; CuPy arrays give a CuPy array."""
        import cupy

        count = self._cpu("hands_versus_hands").hands_versus_hands
        if not is_on_device(hands):
            return count(hands, boards, dead)
        with working_on(_device_of(hands)):
            found: Ints = cupy.asarray(count(*(cupy.asnumpy(rows) for rows in (hands, boards, dead))))
            return found

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
        return sample_deals(draws, opponents, board, dead, seed, begin, end, self.devices, self._holdem)

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
        return sample_pairs(draws, opponents, board, dead, seed, begin, end, self.devices, self._holdem)

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
        """Draw samples where players have folded, on the CPU: see the protocol."""
        return self._cpu("sample_folded_deals").sample_folded_deals(
            draws, folded, opponents, board, dead, seed, begin, end
        )

    def unbeaten_deals(self, hands: Any, boards: Any, most: int, progress: Progress | None) -> UInt64s:
        """Count deals for many hands: see the protocol."""
        import cupy

        count, size = boards.shape
        shape = (count, most, most + 1, 2)
        here = is_on_device(hands)
        devices = (_device_of(hands),) if here else self.devices
        out: UInt64s
        with working_on(devices[0]):
            out = cupy.empty(shape, np.uint64) if here else np.empty(shape, np.uint64)
        per_spot = count_completions(BOARD_CARDS - size)

        def start() -> Work:
            worker = Worker(most)

            def work(begin: int, end: int) -> None:
                def receive(first: int, last: int, groups: Ints, sums: Any) -> None:
                    found = close_groups(first, last, groups, sums, most)
                    out[begin + first : begin + last] = found if here else cupy.asnumpy(found)

                spots = pack_spots(
                    cupy.ascontiguousarray(cupy.asarray(hands[begin:end])),
                    cupy.ascontiguousarray(cupy.asarray(boards[begin:end])),
                    self._holdem,
                )
                worker.add_items(spots, 0, spots.items, receive)

            return Work(work, worker.finish)

        def max_spots() -> int:
            terms = comb(most + 2, 2) * most * (most + 1)  # edges and ties; entries of a spot
            fitting = max_items(most, size, 1) // per_spot
            return max(1, min(fitting, MAX_TERMS // terms))

        share_out(devices, count, start, max_spots, progress)
        return out

    def count_five_card_hands(self, decks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Count the five-card hands of decks by rank, on the CPU."""
        return self._cpu("count_five_card_hands").count_five_card_hands(decks)

    def count_five_card_high_cards(self, decks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Count the five-card hands of decks by category and high card, on the CPU."""
        return self._cpu("count_five_card_high_cards").count_five_card_high_cards(decks)

    def count_draws(self, spot: DrawSpot, progress: Progress | None) -> npt.NDArray[np.int64]:
        """Count the deals that each discard wins and ties, on the CPU."""
        return self._cpu("count_draws").count_draws(spot, progress)

    def sample_draws(
        self,
        spot: DrawSpot,
        opponent_draws: bool,
        runs: int,
        seed: int | None,
        progress: Progress | None,
    ) -> npt.NDArray[np.int64]:
        """Draw deals for each discard, on the CPU."""
        return self._cpu("sample_draws").sample_draws(spot, opponent_draws, runs, seed, progress)

    def best_discards(
        self, hands: npt.NDArray[np.uint8], max_discards: int, names: npt.NDArray[np.uint16]
    ) -> npt.NDArray[np.int64]:
        """Return what hands discard, on the CPU."""
        return self._cpu("best_discards").best_discards(hands, max_discards, names)


def _device_of(array: Any) -> int:
    return int(array.device.id)


def _enter(
    answers: list[dict[int, dict[tuple[int, int, int], int]]], key: int, rows: list[list[int]]
) -> None:
    spot, winners, deck = read_key(key)
    counts = answers[spot].setdefault(winners, {})
    for edges, row in enumerate(rows):
        for ties, ways in enumerate(row):
            if ways:
                at = (deck, edges, ties)
                counts[at] = counts.get(at, 0) + ways
