"""Samples of deals on the CPU: see :mod:`gpuodds.games.shared.draws` for what is drawn.

Samples are drawn and compared in batches, step by step: each step is a loop over the samples of a
batch without a branch, which the machine does for several samples at a time. A row is a card or a rank
of all samples of a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from math import comb
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, empty
from gpuodds.backends.cpu.compile.threads import PIECES_PER_THREAD, thread_count, thread_pool
from gpuodds.backends.cpu.sampling.boards_in_turn import Subsets, lay_boards, number_boards, subsets
from gpuodds.backends.cpu.sampling.combos import Tables, draw_combos, hand_out, new_combos, place_draws
from gpuodds.backends.cpu.sampling.steps import (
    add_boards,
    compare,
    count_ends,
    deal,
    deal_from_gaps,
    fill_gaps,
    new_batch,
    put_back,
    rank,
    rank_flushes,
    sort_cards,
)
from gpuodds.backends.cpu.shared.random_words import BATCH, draw_places, fill_words, words_for
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.holdem.rank_sums import RankSums, rank_sums
from gpuodds.games.shared.draws import CARD_STREAM, ORDER_STREAM, Draws, board_grid
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
T = TypeVar("T")

FEW_SAMPLES = 1 << 16  # so few take less time than threads take to start
SAMPLES_OF_PART = 1 << 15  # at least, of a thread: each begins with scratch of its own


class BoardsInTurn(NamedTuple):
    """The order in which boards come.

    Attributes:
        boards: The number of boards.
        columns: The columns of the grid of boards.
        rows: Its rows.
        tables: What finds a board by its number.
    """

    boards: int
    columns: int
    rows: int
    tables: Subsets


@compiled
def _place_board(board: Ints, dealt: UInt8s, row: int) -> None:
    """Write the places of the board cards given into the last of five rows from ``row`` on."""
    begin = row + BOARD_CARDS - board.size
    for number in range(board.size):
        dealt[begin + number] = board[number]


@compiled
def draw_deals(
    begin: int, end: int, seed: int, opponents: int, folded: int, board: Ints, cards: int,
    deck: UInt8s, draws: Tables, blocks: int, spare: bool, sums: RankSums, counts: Ints,
) -> int:  # fmt: skip
    """Draw the samples ``begin`` to ``end``, add what comes of them to ``counts``; return the attempts.

    A card is its place in ``deck``: that of the ``cards`` first ones is not known; ``board`` is among
    the others, ``sums.keys`` has the key of each. The last ``folded`` players of ``draws`` hold their
    cards, and are not compared. An attempt at their combos takes ``blocks`` of random words, and if it
    leaves some to ``spare`` they are those of the cards.
    """
    most = max(1, min(BATCH, end - begin))
    batch, combos = new_batch(most), new_combos(most)
    words, places, dealt = batch.words, batch.places, batch.dealt
    gaps, fills = empty((DECK_SIZE, most), np.uint8), empty((DECK_SIZE, most), np.uint8)
    ranges = draws.holders.max() + 1
    players, compared = ranges + opponents, ranges - folded
    row, to_come = 2 * players, BOARD_CARDS - board.size
    _place_board(board, dealt, row)
    live, wanted = cards - 2 * ranges, 2 * opponents + to_come
    tried = 0
    for first in range(begin, end, most):
        size = min(most, end - first)
        if first == begin or blocks:
            tried += draw_combos(first, size, seed, draws, blocks, words, combos)
            hand_out(combos, draws, dealt)
            sort_cards(dealt, 2 * ranges, gaps)
            fill_gaps(gaps, fills, 2 * ranges, cards)
        else:
            tried += size  # every player has one hand, and it is there already
        if spare:
            draw_places(words[draws.words.sum() :], places, 0, live, wanted, first, seed)
        else:
            fill_words(words, (words_for(wanted) + 3) // 4, CARD_STREAM, first, seed)
            draw_places(words, places, 0, live, wanted, first, seed)
        deal_from_gaps(places, gaps, fills, 2 * ranges, live, wanted, dealt, 2 * ranges)
        add_boards(dealt, row, sums.keys, batch.boards)
        for player in range(players):
            if not compared <= player < ranges:
                rank(dealt, player, batch, sums)
        rank_flushes(dealt, row, deck, batch, sums)
        compare(batch.ranks, players, compared, folded, batch.best, batch.winners, batch.ends[0])
        count_ends(batch.ends, compared, size, counts)
    return tried


@compiled
def draw_pairs(
    begin: int, end: int, seed: int, opponents: int, board: Ints, cards: int, deck: UInt8s,
    hands: Ints, in_turn: BoardsInTurn, sums: RankSums, counts: Ints,
) -> None:  # fmt: skip
    """Draw the pairs of deals ``begin`` to ``end`` and add what comes of them to ``counts``.

    As :func:`draw_deals`; ``hands`` has the places of the players' cards.
    """
    most = max(1, min(BATCH, end - begin))
    batch = new_batch(most)
    words, places, decks, dealt = batch.words, batch.places, batch.decks, batch.dealt
    named = len(hands)
    players, to_come = named + opponents, BOARD_CARDS - board.size
    row, live, wanted = 2 * players, cards - to_come, 2 * opponents
    for player in range(named):
        dealt[2 * player], dealt[2 * player + 1] = hands[player, 0], hands[player, 1]
    _place_board(board, dealt, row)
    used = words_for(wanted)
    fill_words(words, 1, ORDER_STREAM, 0, seed)
    keys = words[0, 0], words[1, 0], words[2, 0], words[3, 0]
    for first in range(begin, end, most):
        size = min(most, end - first)
        number_boards(first, size, in_turn.boards, in_turn.columns, in_turn.rows, keys, words)
        lay_boards(words[0], size, to_come, cards, in_turn.tables, decks, dealt, row)
        add_boards(dealt, row, sums.keys, batch.boards)
        for player in range(named):
            rank(dealt, player, batch, sums)
        fill_words(words, (2 * used + 3) // 4, CARD_STREAM, first, seed)
        for number in range(2):
            draw_places(words, places, number * used, live, wanted, first, seed)
            deal(places, decks, live, wanted, dealt, 2 * named)
            for player in range(named, players):
                rank(dealt, player, batch, sums)
            rank_flushes(dealt, row, deck, batch, sums)
            compare(batch.ranks, players, named, 0, batch.best, batch.winners, batch.ends[number])
            if number == 0:
                put_back(dealt, 2 * named, wanted, decks, live)
        count_ends(batch.ends, named, size, counts)


class _Deck(NamedTuple):
    """The cards in the order in which kernels number them.

    Attributes:
        cards: Those that are not known, the highest first, then the others.
        unknown: How many are not known.
        places: Where each card is.
    """

    cards: UInt8s
    unknown: int
    places: UInt8s

    @staticmethod
    def without(known: Iterable[int]) -> _Deck:
        """Return the deck without some cards."""
        cards = [card for card in reversed(range(DECK_SIZE)) if card not in known]
        every = np.array([*cards, *sorted(known)], np.uint8)
        return _Deck(every, len(cards), np.argsort(every).astype(np.uint8))

    def sums(self, game: Holdem) -> RankSums:
        """Return the tables for hands of seven cards, with the keys in this order."""
        sums = rank_sums(2 + BOARD_CARDS, game)
        return sums._replace(keys=sums.keys[self.cards])


def sample_deals(
    draws: Draws,
    opponents: int,
    board: Sequence[int],
    dead: Sequence[int],
    seed: int,
    begin: int,
    end: int,
    game: Holdem,
    folded: int = 0,
) -> tuple[Ints, int]:
    """Draw samples on every core; the last ``folded`` players do not compete: see the operation."""
    deck = _Deck.without({*board, *dead, *game.missing})
    known_board = deck.places[list(board)].astype(np.int64)
    placed = place_draws(draws, deck.places.tobytes())
    attempts = draws.blocks, draws.leave_words(2 * opponents + BOARD_CARDS - len(board))
    sums = deck.sums(game)
    live = draws.players - folded
    shape = live, live + opponents + 1, 1

    def work(first: int, last: int) -> tuple[Ints, int]:
        counts = np.zeros(shape, np.int64)
        span = begin + first, begin + last, seed, opponents, folded
        tried = draw_deals(
            *span, known_board, deck.unknown, deck.cards, placed, *attempts, sums, counts
        )
        return counts[:, 1:, 0].copy(), tried

    parts = _on_threads(work, end - begin)
    none: Ints = np.zeros((live, live + opponents), np.int64)
    return sum((counts for counts, _ in parts), none), sum(tried for _, tried in parts)


def sample_pairs(
    draws: Draws,
    opponents: int,
    board: Sequence[int],
    dead: Sequence[int],
    seed: int,
    begin: int,
    end: int,
    game: Holdem,
) -> Ints:
    """Draw pairs of deals on every core: see the operation."""
    hands = draws.hands
    deck = _Deck.without({*board, *dead, *game.missing, *chain.from_iterable(hands)})
    boards = comb(deck.unknown, BOARD_CARDS - len(board))
    in_turn = BoardsInTurn(boards, *board_grid(boards), subsets())
    known_board = deck.places[list(board)].astype(np.int64)
    of_game = deck.places[np.array(hands)].astype(np.int64), in_turn, deck.sums(game)
    ends = len(hands) + opponents + 1
    shape = len(hands), ends, ends

    def work(first: int, last: int) -> Ints:
        counts = np.zeros(shape, np.int64)
        span = begin + first, begin + last, seed, opponents
        draw_pairs(*span, known_board, deck.unknown, deck.cards, *of_game, counts)
        return counts

    return sum(_on_threads(work, end - begin), np.zeros(shape, np.int64))


def _on_threads(work: Callable[[int, int], T], samples: int) -> list[T]:
    """Return what ``work`` returns of the parts of some samples, each a thread's."""
    parts: list[T] = []
    threads = thread_count() if samples > FEW_SAMPLES else 1
    most = threads * PIECES_PER_THREAD
    with thread_pool(threads, parts=max(threads, min(most, samples // SAMPLES_OF_PART))) as run:
        run(lambda first, last: parts.append(work(first, last)), samples)
    return parts
