"""Spots of one known hand: find the threat graph of a board class by what it follows from.

Where no flush matters, the graph follows from the rank graph. Where one is possible and the hand has
none, it follows from the rank graph, from how many cards of the suit are on the board, and from how
many ranks of each kind have no undealt card of the suit. Where the hand has a flush, it follows from
which ranks of the suit are on the board and in the hand, and from the kinds of all ranks. These numbers
are a key; the graph itself is made for the first class that has it. The rank graph follows from the
ranks on the board and of the hole cards, and stands in a table by them.

Keys stand in a hash table with open addressing, of 2^n slots of which at most half are taken.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled,
    compiled_without_refcounts,
    empty,
    inlined,
    inlined_without_refcounts,
    lowest_bit,
    popcount,
    zeros,
)
from gpuodds.backends.cpu.known_hands.threat_graphs.graph_cases import (
    GraphScratch,
    Tags,
    find_graph,
    new_graph_scratch,
)
from gpuodds.backends.cpu.known_hands.threat_graphs.graph_table import GraphTable
from gpuodds.backends.cpu.known_hands.threat_graphs.rank_graphs import KIND_BITS, RANKS, read_rank_graph
from gpuodds.backends.cpu.known_hands.threat_graphs.threats import (
    compare_ranks,
    threshold_without_flush,
)
from gpuodds.backends.cpu.shared.board_classes import (
    BOARDS,
    FLUSH_RANKS,
    NO_SUIT,
    RUNOUT,
    SUIT,
    THRESHOLD,
    BoardScan,
    list_classes,
    state_of_board,
)
from gpuodds.backends.cpu.shared.intern_table import (
    InternTable,
    grown_intern_table,
    intern,
    new_intern_table,
)
from gpuodds.backends.cpu.shared.runouts import CHOOSE, state_after
from gpuodds.games.shared.hand_ranks import (
    FIVE_CARDS,
    SIX_CARDS,
    HandRankTables,
)
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

RANK_PAIRS = RANKS * (RANKS + 1) // 2  # of hole cards
RANK_BOARDS = SIX_CARDS - FIVE_CARDS
TAG_BITS = 3  # of a key: how many cards of the suit are on the board if that matters, or HAS_FLUSH
HAS_FLUSH = 1

# What collect_spots counts.
KEYS = 0  # that are taken
PAIRS = 1  # rows of ``out`` that are written
WANTED = 2  # board classes of the spot that there is no room for


class Known(NamedTuple):
    """What is known of board classes: see :class:`KnownGraphs`.

    Attributes:
        rank_graphs: The rank graphs.
        of_ranks: By what the hand is compared with (0 plain, 1 flush), its hole-card ranks and the
            board's ranks: the rank graph's number + 1, or 0, and the kinds of its ranks, packed.
            Shape (2, 91, boards of ranks, 2).
        keys: A hash table: a key's three words, the first 0 in a free slot, and its case, (2^n, 4).
        graphs: The threat graphs.
        tags: The card rank of each type of each graph, where the graph's words are.
        cases: The distinct pairs of a graph and certain cards, one word each: graph << 6 | cards.
        boards: Scratch: the boards of each case in the spot at hand, zero between spots.
        counts: What KEYS, PAIRS and WANTED count, (3,).
    """

    rank_graphs: InternTable
    of_ranks: Ints
    keys: Ints
    graphs: InternTable
    tags: Tags
    cases: InternTable
    boards: Ints
    counts: Ints


class KnownGraphs:
    """What one thread after another knows of board classes, and of which graph each is.

    Attributes:
        graphs: The threat graphs.
        cases: The distinct pairs of a graph and certain cards, one word each: graph << 6 | cards.
        numbers: The number elsewhere of each graph, as far as they are entered there.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.graphs = GraphTable()
        self.cases = new_intern_table(1024, 1024)
        self.numbers = np.empty(0, np.int64)
        self._rank_graphs = new_intern_table(1024, 1024 * RANKS)
        # Of a rank graph, compared with the plain hand or with its flush: number + 1, kinds of ranks.
        self._of_ranks = np.zeros((2, RANK_PAIRS, RANK_BOARDS, 2), np.int64)
        self._keys = np.zeros((1 << 11, 4), np.int64)
        self._boards = np.zeros(self.cases.start.size, np.int64)
        self._counts = np.zeros(3, np.int64)

    @property
    def keys(self) -> int:
        """How many keys are known."""
        return int(self._counts[KEYS])

    def _reserve(self, classes: int) -> None:
        self.graphs.reserve(classes)
        self.cases = grown_intern_table(self.cases, classes, 1)
        self._rank_graphs = grown_intern_table(self._rank_graphs, classes, RANKS)
        if self._boards.size < self.cases.start.size:
            self._boards = np.zeros(self.cases.start.size, np.int64)
        if 2 * (self.keys + classes) > len(self._keys):
            keys = np.zeros((1 << (4 * (self.keys + classes)).bit_length(), 4), np.int64)
            copy_keys(self._keys, keys)
            self._keys = keys

    def collect(
        self, hands: UInt8s, boards: UInt8s, runout_ranks: Ints, tables: HandRankTables
    ) -> tuple[Ints, Ints]:
        """Count the boards of spots by case.

        Args:
            hands: Shape (n, 2).
            boards: Shape (n, cards).
            runout_ranks: Every multiset of ranks that may fill a board up.
            tables: Those of hand ranks.

        Returns:
            Pairs (case, boards), those of one spot after those of another, and where each one's end.
        """
        ends = np.zeros(len(hands), np.int64)
        pairs = np.empty((1 << 14, 2), np.int64)
        listed = np.empty((6, len(runout_ranks) * (1 + (4 << runout_ranks.shape[1]))), np.int64)
        self._counts[PAIRS] = 0
        done = 0
        while True:
            graphs = self.graphs
            known = Known(
                self._rank_graphs, self._of_ranks, self._keys, graphs.table, graphs.tags, self.cases,
                self._boards, self._counts,
            )  # fmt: skip
            done = collect_spots(hands, boards, done, runout_ranks, tables, listed, known, pairs, ends)
            if done == len(hands):
                return pairs[: self._counts[PAIRS]], ends
            wanted = int(self._counts[WANTED])
            self._reserve(wanted)
            if len(pairs) < self._counts[PAIRS] + wanted:
                pairs = np.concatenate([pairs, np.empty((len(pairs) + wanted, 2), np.int64)])


@inlined
def slot_of_key(keys: Ints, first: int, second: int, third: int) -> int:
    """Return the slot of a key, three words of which the first is not 0, or the free one for it."""
    code = (np.uint64(first) * np.uint64(0x9E3779B97F4A7C15)) ^ np.uint64(second)
    code = (code ^ code >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9) ^ np.uint64(third)
    code = (code ^ code >> np.uint64(32)) * np.uint64(0x94D049BB133111EB)
    mask = len(keys) - 1
    slot = np.int64(code >> np.uint64(32)) & mask
    while keys[slot, 0] != 0 and (
        keys[slot, 0] != first or keys[slot, 1] != second or keys[slot, 2] != third
    ):
        slot = (slot + 1) & mask
    return int(slot)


@compiled
def copy_keys(source: Ints, target: Ints) -> None:
    """Enter all keys of a table in an empty one, which has room."""
    for row in range(len(source)):
        if source[row, 0]:
            slot = slot_of_key(target, source[row, 0], source[row, 1], source[row, 2])
            for i in range(4):
                target[slot, i] = source[row, i]


@inlined
def _read_spot(
    hand: UInt8s, board: UInt8s, ranks: int,
    undealt: Ints, board_masks: Ints, hand_masks: Ints, suits: Ints, copies: Ints,
) -> int:  # fmt: skip
    """Fill the masks of a spot by suit; return how many kinds of suits may come to three cards.

    ``ranks`` are those of the deck. See :class:`BoardScan`: ``suits`` and ``copies`` receive one suit
    of each kind, and how many.
    """
    board_masks[:] = 0
    hand_masks[:] = 0
    for i in range(2):
        hand_masks[0, hand[i] & 3] |= 1 << (hand[i] >> 2)
    for i in range(board.size):
        board_masks[board[i] & 3] |= 1 << (board[i] >> 2)
    kinds = 0
    for suit in range(4):
        undealt[suit] = ranks & ~(board_masks[suit] | hand_masks[0, suit])
        if popcount(board_masks[suit]) + BOARD_CARDS - board.size < 3:
            continue
        kind = 0
        while kind < kinds:
            other = suits[kind]
            if board_masks[suit] == board_masks[other] and hand_masks[0, suit] == hand_masks[0, other]:
                break
            kind += 1
        if kind == kinds:
            suits[kind], copies[kind] = suit, 0
            kinds += 1
        copies[kind] += 1
    return kinds


@inlined
def _can_run(in_suit: int, wheel: int) -> bool:
    """Return whether two more cards of the suit could make a straight flush."""
    can = popcount(in_suit & wheel) >= 3
    for low in range(9):
        can |= popcount(in_suit >> low & 0x1F) >= 3
    return bool(can)


@inlined_without_refcounts
def _tag_of(
    suit: np.int64, in_suit: np.int64, threshold: int, tables: HandRankTables
) -> tuple[int, bool]:
    """Return the tag of a board class, and whether its graph has a key; a few classes have none."""
    if suit == NO_SUIT:
        return 0, True
    if threshold < tables.lowest_flush:
        return popcount(in_suit), True
    if threshold < tables.flushes_end:
        return HAS_FLUSH, True
    return 0, not _can_run(int(in_suit), tables.wheel)


@inlined_without_refcounts
def _rest_of_key(tag: int, in_suit: np.int64, own: np.int64, packed: np.int64) -> tuple[int, int]:
    """Return the second and third number of a key.

    Args:
        tag: Of the class: 0 without a flush suit.
        in_suit: The board's ranks in the suit, a mask.
        own: The known hand's ranks in it, a mask.
        packed: The kind of each rank in the graph of ranks, four bits each.
    """
    if tag == HAS_FLUSH:
        return int(in_suit << RANKS | own), int(packed)
    second = 0
    gone = in_suit | own if tag else np.int64(0)
    while gone:
        kind = packed >> KIND_BITS * lowest_bit(gone) & 15
        gone &= gone - 1
        second += int(1 << KIND_BITS * kind)
    return second, 0


@compiled_without_refcounts
def _sort_classes(
    num_classes: int, classes: Ints, scan: BoardScan, tables: HandRankTables, scratch: GraphScratch,
    known: Known, word: Ints, touched: Ints,
) -> int:  # fmt: skip
    """Add the boards of a spot's classes to those of their cases; return how many there are.

    ``touched`` receives these cases. ``word`` (13,) is scratch, as is ``scratch``.
    """
    rank_graphs, of_ranks, keys, graphs, tags, cases, boards_of, counts = known
    combo_ranks, plain_rows, shared, _ = scratch.of_class
    runout_ranks, hand_masks, step = scan.runout_ranks, scan.hands, tables.step
    high, low = scan.hole_ranks[0, 0], scan.hole_ranks[0, 1]
    pair = high * (high + 1) // 2 + low
    shared[:] = -1
    board_state = state_of_board(scan.board, step)
    last, board, entries = -1, np.int64(0), 0
    for c in range(num_classes):
        index = int(classes[RUNOUT, c])
        if index != last:
            last = index
            board = state_after(board_state, runout_ranks, index, step) - FIVE_CARDS
        suit, in_suit = classes[SUIT, c], classes[FLUSH_RANKS, c]
        threshold = int(classes[THRESHOLD, c])
        tag, has_key = _tag_of(suit, in_suit, threshold, tables)
        slot, entry = -1, np.int64(-1)
        if has_key:
            against = int(tag == HAS_FLUSH)
            if of_ranks[against, pair, board, 0] == 0:
                plain_threshold = threshold_without_flush(
                    threshold, tables.lowest_flush, tables.flushes_end
                )
                compare_ranks(
                    index, plain_threshold, scan.undealt, scan.board, runout_ranks, step, tables.rank_7,
                    combo_ranks, plain_rows, shared,
                )  # fmt: skip
                length, packed = read_rank_graph(
                    plain_rows, shared[2], shared[3], shared[4], scratch.of_form, word
                )
                of_ranks[against, pair, board, 0] = intern(rank_graphs, word, length) + 1
                of_ranks[against, pair, board, 1] = packed
            packed = of_ranks[against, pair, board, 1]
            first = of_ranks[against, pair, board, 0] << TAG_BITS | tag
            own = hand_masks[0, suit] if tag else np.int64(0)
            second, third = _rest_of_key(tag, in_suit, own, packed)
            slot = slot_of_key(keys, first, second, third)
            if keys[slot, 0]:
                entry = keys[slot, 3]
            else:
                keys[slot, 0], keys[slot, 1], keys[slot, 2] = first, second, third
                counts[KEYS] += 1
        if entry < 0:
            word[0] = find_graph(c, classes, scan, tables, scratch, graphs, tags)
            entry = np.int64(intern(cases, word, 1))
            if slot >= 0:
                keys[slot, 3] = entry
        if boards_of[entry] == 0:
            touched[entries] = entry
            entries += 1
        boards_of[entry] += classes[BOARDS, c]
    return entries


@compiled
def collect_spots(
    hands: UInt8s, boards: UInt8s, first: int, runout_ranks: Ints, tables: HandRankTables,
    classes: Ints, known: Known, out: Ints, ends: Ints,
) -> int:  # fmt: skip
    """Count the boards of spots from ``first`` on by case; return the first that there is no room for.

    Pairs (case, boards) are added to ``out``, their ends written to ``ends``; ``classes`` is scratch.
    """
    counts, scratch = known.counts, new_graph_scratch()
    undealt, board_masks, hand_masks = zeros(4, np.int64), zeros(4, np.int64), zeros((1, 4), np.int64)
    suits, copies, hole_ranks = zeros(4, np.int64), zeros(4, np.int64), zeros((1, 2), np.int64)
    word, touched = zeros(RANKS, np.int64), empty(classes.shape[1], np.int64)
    for spot in range(first, len(hands)):
        kinds = _read_spot(
            hands[spot], boards[spot], tables.ranks, undealt, board_masks, hand_masks, suits, copies
        )
        first_rank, second_rank = np.int64(hands[spot, 0] >> 2), np.int64(hands[spot, 1] >> 2)
        hole_ranks[0, 0], hole_ranks[0, 1] = max(first_rank, second_rank), min(first_rank, second_rank)
        scan = BoardScan(
            undealt, board_masks, hand_masks, hole_ranks, runout_ranks, suits[:kinds], copies[:kinds]
        )
        num_classes = list_classes(scan, 0, len(runout_ranks), tables, CHOOSE, classes)
        if (
            known.graphs.used[0] + num_classes >= known.graphs.start.size
            or known.cases.used[0] + num_classes >= known.cases.start.size
            or known.rank_graphs.used[0] + num_classes >= known.rank_graphs.start.size
            or 2 * (counts[KEYS] + num_classes) > len(known.keys)
            or counts[PAIRS] + num_classes > len(out)
        ):
            counts[WANTED] = num_classes
            return spot
        entries = _sort_classes(num_classes, classes, scan, tables, scratch, known, word, touched)
        begin = counts[PAIRS]
        for i in range(entries):
            case = touched[i]
            out[begin + i, 0], out[begin + i, 1] = case, known.boards[case]
            known.boards[case] = 0
        counts[PAIRS] = ends[spot] = begin + entries
    return len(hands)
