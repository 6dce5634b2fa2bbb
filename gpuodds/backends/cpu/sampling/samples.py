"""Samples of deals on the CPU: see :mod:`gpuodds.games.shared.draws` for what is drawn.

Samples are drawn and compared in batches, step by step: each step is a loop over the samples of a
batch without a branch, which the machine does for several samples at a time. A row is a card or a rank
of all samples of a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, zeros
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.sampling.boards_in_turn import Subsets, lay_boards, number_boards, subsets
from gpuodds.backends.cpu.sampling.steps import (
    add_boards,
    compare,
    count_ends,
    deal,
    lay_decks,
    new_batch,
    put_back,
    rank,
)
from gpuodds.backends.cpu.shared.random_words import (
    BATCH,
    LOW,
    draw_below,
    draw_places,
    fill_words,
    next_word,
    words_for,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.holdem.rank_sums import RankSums, UInt16s, rank_sums
from gpuodds.games.shared.draws import CARD_STREAM, COMBO_STREAM, ORDER_STREAM, Draws, board_grid
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]

FEW_SAMPLES = 1 << 15  # so few take less time than threads take to start


@compiled
def _draw_combos(
    words: UInt64s,
    first: int,
    size: int,
    seed: int,
    known: int,
    starts: npt.NDArray[np.int32],
    cards: UInt16s,
    limits: UInt64s,
    aliases: UInt16s,
    dealt: UInt8s,
    taken: Ints,
    tried: Ints,
) -> None:
    """Draw the combos of the players with ranges, and the set of cards that are then ``taken``."""
    fill_words(words, 1, COMBO_STREAM, first, seed)
    ranges = starts.size - 1
    for i in range(size):
        sample = first + i
        state = (1, words[0, i], words[1, i], words[2, i], words[3, i], 4)
        drawn = False
        while not drawn:
            gone = known
            tried[0] += 1
            drawn = True
            for player in range(ranges):
                begin = np.int64(starts[player])
                count = starts[player + 1] - begin
                entry = begin
                pair = np.int64(cards[entry])
                if count > 1:
                    state, entry = draw_below(state, sample, seed, count)
                    entry += begin
                    pair = np.int64(cards[entry])
                    limit = limits[entry]
                    if limit <= LOW:
                        state, word = next_word(state, sample, seed)
                        if word >= limit:
                            pair = np.int64(aliases[entry])
                low, high = pair & 63, pair >> 8
                bits = 1 << low | 1 << high
                if gone & bits:
                    drawn = False
                    break
                gone |= int(bits)
                dealt[2 * player, i] = low
                dealt[2 * player + 1, i] = high
            taken[i] = gone


class BoardsInTurn(NamedTuple):
    """The order in which boards come; none where they are drawn.

    Attributes:
        boards: The number of boards, 0 if they are drawn.
        columns: The columns of the grid of boards.
        rows: Its rows.
        tables: What finds a board by its number.
    """

    boards: int
    columns: int
    rows: int
    tables: Subsets


@compiled
def draw_samples(
    begin: int, end: int, seed: int, opponents: int, folded: int, board: Ints, known: int,
    deck: UInt8s, draws: Draws, in_turn: BoardsInTurn, sums: RankSums, counts: Ints, tried: Ints,
) -> None:  # fmt: skip
    """Draw samples ``begin`` to ``end`` and add what comes of them to ``counts`` and ``tried``.

    ``board`` are the cards given, ``known`` these and the dead ones as a set, ``deck`` the others, the
    highest first. The last ``folded`` players of ``draws`` hold their cards, and are not compared.
    Where boards come in turn a sample is a pair of deals, and ``deck`` is without the players' cards.
    """
    starts, cards, limits, aliases = draws
    words, places, decks, dealt, taken, boards, ranks, best, winners, ends, suits = new_batch()
    ranges = starts.size - 1
    players, compared = ranges + opponents, ranges - folded
    row, to_come = 2 * players, BOARD_CARDS - board.size
    for number in range(board.size):
        dealt[row + to_come + number] = board[number]
    place = zeros(DECK_SIZE, np.uint8)
    for at in range(deck.size):
        place[deck[at]] = at
    deals, live, wanted = 1, deck.size - 2 * ranges, 2 * opponents + to_come
    if in_turn.boards:
        deals, live, wanted = 2, deck.size - to_come, 2 * opponents
    used = words_for(wanted)
    fill_words(words, 1, ORDER_STREAM, 0, seed)
    keys = words[0, 0], words[1, 0], words[2, 0], words[3, 0]
    for first in range(begin, end, BATCH):
        size = end - first if end - first < BATCH else BATCH
        if first == begin or cards.size > ranges:
            _draw_combos(
                words, first, size, seed, known, starts, cards, limits, aliases, dealt, taken, tried
            )
        else:
            # Every player has one combo, and it is there already.
            tried[0] += size
        if in_turn.boards:
            number_boards(first, size, in_turn.boards, in_turn.columns, in_turn.rows, keys, words)
            lay_boards(words[0], size, to_come, deck, in_turn.tables, decks, dealt, row)
        else:
            lay_decks(decks, deck, place, known, taken, size)
        fill_words(words, (deals * used + 3) // 4, CARD_STREAM, first, seed)
        for number in range(deals):
            draw_places(words, places, number * used, live, wanted, first, seed)
            deal(places, decks, live, wanted, dealt, 2 * ranges)
            if number == 0:
                add_boards(dealt, row, sums.keys, boards)
            for player in range(ranges if number else 0, players):
                if not compared <= player < ranges:
                    rank(dealt, player, row, boards, sums, ranks[player], suits)
            compare(ranks, players, compared, folded, best, winners, ends[number])
            if number + 1 < deals:
                put_back(dealt, 2 * ranges, wanted, decks, live)
        count_ends(ends, compared, size, counts)


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
    drawn = BoardsInTurn(0, 1, 1, subsets())
    counts, tried = _sample(draws, opponents, folded, board, dead, (), drawn, seed, begin, end, game)
    return counts[:, 1:, 0].copy(), tried


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
    held = [int(card) for pair in draws.cards for card in (pair & 63, pair >> 8)]
    out = {*board, *dead, *held, *game.missing}
    boards = comb(DECK_SIZE - len(out), BOARD_CARDS - len(board))
    in_turn = BoardsInTurn(boards, *board_grid(boards), subsets())
    return _sample(draws, opponents, 0, board, dead, held, in_turn, seed, begin, end, game)[0]


def _sample(
    draws: Draws,
    opponents: int,
    folded: int,
    board: Sequence[int],
    dead: Sequence[int],
    held: Sequence[int],
    in_turn: BoardsInTurn,
    seed: int,
    begin: int,
    end: int,
    game: Holdem,
) -> tuple[Ints, int]:
    dead = (*dead, *game.missing)
    live = draws.players - folded
    ends = live + opponents + 1
    shape = live, ends, ends if in_turn.boards else 1
    known = sum(1 << card for card in {*board, *dead})
    known_board = np.array(list(board), np.int64)
    gone = {*board, *dead, *held}
    deck = np.array([card for card in reversed(range(DECK_SIZE)) if card not in gone], np.uint8)
    parts: list[tuple[Ints, int]] = []

    def work(first: int, last: int) -> None:
        counts = np.zeros(shape, np.int64)
        tried = np.zeros(1, np.int64)
        draw_samples(
            begin + first,
            begin + last,
            seed,
            opponents,
            folded,
            known_board,
            known,
            deck,
            draws,
            in_turn,
            rank_sums(2 + BOARD_CARDS, game),
            counts,
            tried,
        )
        parts.append((counts, int(tried[0])))

    with thread_pool(thread_count() if end - begin > FEW_SAMPLES else 1) as run:
        run(work, end - begin)
    total = sum((counts for counts, _ in parts), np.zeros(shape, np.int64))
    return total, sum(tried for _, tried in parts)
