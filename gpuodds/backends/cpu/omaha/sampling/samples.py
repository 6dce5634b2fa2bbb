"""Samples of Omaha deals on the CPU: see :mod:`gpuodds.games.omaha.draws` for what is drawn.

Samples are drawn and compared in batches, step by step, with the steps of hold'em's; a row is a card or
a rank of all samples of a batch. Flushes aside, a hand ranks as the best of its pairs, by a table.
Boards with three cards of a suit are listed, so that the loop over flushes sees no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, empty, lowest_bit, popcount, zeros
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.omaha.shared.flushes import best_flush
from gpuodds.backends.cpu.sampling.steps import Batch, compare, count_ends, deal, lay_decks, new_batch
from gpuodds.backends.cpu.shared.random_words import (
    BATCH,
    draw_below,
    draw_places,
    fill_words,
    next_word,
    words_for,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.omaha.draws import OmahaDraws, OmahaSamples
from gpuodds.games.omaha.low_ranks import LOW_BITS, best_lows
from gpuodds.games.omaha.plain_ranks import RANK_PAIRS, THREE_CARDS, plain_ranks
from gpuodds.games.shared.draws import CARD_STREAM, COMBO_STREAM
from gpuodds.games.shared.hand_ranks import UInt16s, hand_rank_tables
from gpuodds.games.shared.rules import BOARD_CARDS, MAX_PLAYERS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

FEW_SAMPLES = 1 << 15  # so few take less time than threads take to start
# The cards of each suit are counted in four bits each, from five up: three or more set the top bit.
NO_SUITED_CARDS, THREE_SUITED_CARDS = 0x5555, 0x8888


class _Ranking(NamedTuple):
    """Tables that rank hands.

    Attributes:
        step: The automaton over multisets of ranks.
        plain: Ranks without a flush, by the number of a board times 91 and two ranks.
        flush: Ranks of flushes.
        low_bits: The bit of each rank in a low set.
        lows: Low ranks at [low set of the board, low set of a hand].
    """

    step: UInt16s
    plain: UInt16s
    flush: UInt16s
    low_bits: UInt8s
    lows: UInt8s


class _Boards(NamedTuple):
    """The boards of a batch, and scratch for its hands.

    Attributes:
        plain: Where the ranks of each board begin.
        flushes: The samples whose boards have three cards of a suit, then any.
        suits: The suit of each of those.
        suited: The ranks of the board's cards in it, a set.
        lows: The low set of each board.
        hand_lows: The low set of each hand of a player.
        ranks: The ranks of the cards of a player.
        pairs: The number of two ranks.
        low_ranks: The low rank of each player.
        high, low: The best high rank and the best low.
        sharing: How many players have a share of the pot.
        shared: That number for each player, 0 for those without a share; twice, the second time 0.
    """

    plain: npt.NDArray[np.int32]
    flushes: npt.NDArray[np.int32]
    suits: UInt8s
    suited: UInt16s
    lows: UInt8s
    hand_lows: UInt8s
    ranks: UInt8s
    pairs: UInt8s
    low_ranks: UInt16s
    high: UInt16s
    low: UInt16s
    sharing: UInt8s
    shared: UInt8s


@compiled
def _new_boards(samples: int) -> _Boards:
    return _Boards(
        empty(samples, np.int32),
        empty(samples, np.int32),
        empty(samples, np.uint8),
        empty(samples, np.uint16),
        empty(samples, np.uint8),
        empty(samples, np.uint8),
        empty((6, samples), np.uint8),
        empty(samples, np.uint8),
        empty((MAX_PLAYERS, samples), np.uint16),
        empty(samples, np.uint16),
        empty(samples, np.uint16),
        empty(samples, np.uint8),
        zeros((2, MAX_PLAYERS, samples), np.uint8),
    )


@compiled
def _draw_hands(
    first: int, size: int, seed: int, known: int, draws: OmahaDraws, batch: Batch, tried: Ints
) -> None:
    """Draw the hands of the players with ranges, and the set of cards that are then taken."""
    words, dealt, taken = batch.words, batch.dealt, batch.taken
    starts, cards, limits, aliases = draws.starts, draws.cards, draws.limits, draws.others
    hole_cards, ranges = draws.hole_cards, draws.starts.size - 1
    fill_words(words, 1, COMBO_STREAM, first, seed)
    for i in range(size):
        sample = first + i
        state = (1, words[0, i], words[1, i], words[2, i], words[3, i], 4)
        drawn = False
        while not drawn:
            gone = known
            tried[0] += 1
            drawn = True
            for player in range(ranges):
                entry = np.int64(starts[player])
                count = starts[player + 1] - entry
                if count > 1:
                    state, place = draw_below(state, sample, seed, count)
                    entry += place
                    other = np.int64(aliases[entry])
                    if other != entry:
                        state, word = next_word(state, sample, seed)
                        if word >= np.uint64(limits[entry]):
                            entry = other
                hand = np.int64(cards[entry])
                bits = 0
                for number in range(hole_cards):
                    card = hand >> 8 * number & 63
                    bits |= int(1 << card)
                    dealt[hole_cards * player + number, i] = card
                if gone & bits:
                    drawn = False
                    break
                gone |= int(bits)
            taken[i] = gone


@compiled
def _read_boards(dealt: UInt8s, row: int, tables: _Ranking, boards: _Boards) -> int:
    """Look the boards up, in the five rows from ``row`` on; return how many have flushes."""
    step, low_bits = tables.step, tables.low_bits
    plain, lows, suits, suited, flushes = (
        boards.plain,
        boards.lows,
        boards.suits,
        boards.suited,
        boards.flushes,
    )
    count = 0
    for i in range(plain.size):
        state, of_suits, low = np.int64(0), NO_SUITED_CARDS, np.uint8(0)
        for number in range(BOARD_CARDS):
            card = np.int64(dealt[row + number, i])
            state = np.int64(step[state, card >> 2])
            of_suits += int(1 << 4 * (card & 3))
            low |= low_bits[card >> 2]
        plain[i] = (state - THREE_CARDS) * RANK_PAIRS
        lows[i] = low
        many = of_suits & THREE_SUITED_CARDS
        suit = lowest_bit(many | 1 << 16) >> 2
        suits[count], flushes[count] = suit, i
        count += many > 0
    for number in range(count):
        i, ranks = flushes[number], np.int64(0)
        for place in range(BOARD_CARDS):
            card = np.int64(dealt[row + place, i])
            ranks |= np.int64(card & 3 == suits[number]) << (card >> 2)
        suited[number] = ranks
    return count


@compiled
def _rank(
    dealt: UInt8s, row: int, hole_cards: int, flushing: int, tables: _Ranking, boards: _Boards,
    rank: UInt16s,
) -> None:  # fmt: skip
    """Rank the hands of a player, whose cards are in the rows from ``row`` on."""
    plain, begin, pairs, ranks = tables.plain, boards.plain, boards.pairs, boards.ranks
    for number in range(hole_cards):
        card, of_card = dealt[row + number], ranks[number]
        for i in range(card.size):
            of_card[i] = card[i] >> 2
    for i in range(rank.size):
        rank[i] = 0
    for a in range(1, hole_cards):
        for b in range(a):
            first, second = ranks[a], ranks[b]
            for i in range(rank.size):
                # Of both ways to number two ranks the higher number has the higher one first.
                x, y = np.uint8(first[i]), np.uint8(second[i])
                upper = np.uint8(np.uint8(x * np.uint8(x + 1)) >> np.uint8(1)) + y
                lower = np.uint8(np.uint8(y * np.uint8(y + 1)) >> np.uint8(1)) + x
                pairs[i] = upper if upper > lower else lower
            for i in range(rank.size):
                value = plain[np.int64(begin[i]) + np.int64(pairs[i])]
                rank[i] = value if value > rank[i] else rank[i]
    for number in range(flushing):
        i, suit = boards.flushes[number], boards.suits[number]
        hole = np.int64(0)
        for place in range(hole_cards):
            card = np.int64(dealt[row + place, i])
            hole |= np.int64(card & 3 == suit) << (card >> 2)
        if popcount(hole) >= 2:
            value = best_flush(int(hole), int(boards.suited[number]), tables.flush)
            rank[i] = max(int(rank[i]), value)


@compiled
def _rank_lows(
    dealt: UInt8s, row: int, hole_cards: int, tables: _Ranking, boards: _Boards, rank: UInt16s
) -> None:
    """Rank the lows of a player, whose cards are in the rows from ``row`` on."""
    low_bits, lows, board, hand = tables.low_bits, tables.lows, boards.lows, boards.hand_lows
    for i in range(hand.size):
        hand[i] = 0
    for number in range(hole_cards):
        card = dealt[row + number]
        for i in range(hand.size):
            hand[i] |= low_bits[card[i] >> 2]
    for i in range(rank.size):
        rank[i] = lows[board[i], hand[i]]


@compiled
def _share(players: int, live: int, folded: int, batch: Batch, boards: _Boards) -> None:
    """Count who shares the pot; make the ends of the low half tell whether there is a low.

    ``batch.ends`` has both halves of each named player as :func:`compare` gives them, ``boards.high``
    and ``boards.low`` the best ranks.
    """
    sharing, high, low = boards.sharing, boards.high, boards.low
    for i in range(sharing.size):
        sharing[i] = 0
    for player in range(players):
        highs, lows = batch.ranks[player], boards.low_ranks[player]
        for i in range(sharing.size):
            if not live <= player < live + folded:
                sharing[i] += highs[i] == high[i] or (low[i] > 0 and lows[i] == low[i])
    for player in range(live):
        of_high, of_low = batch.ends[0, player], batch.ends[1, player]
        share = boards.shared[0, player]
        for i in range(sharing.size):
            of_low[i] = of_low[i] + 1 if low[i] > 0 else 0
            share[i] = sharing[i] if of_high[i] > 0 or of_low[i] > 1 else 0


@compiled
def _draw_samples(
    begin: int, end: int, seed: int, opponents: int, folded: int, board: Ints, known: int,
    deck: UInt8s, draws: OmahaDraws, tables: _Ranking, low: bool, counts: Ints, shared: Ints,
    tried: Ints,
) -> None:  # fmt: skip
    """Draw samples ``begin`` to ``end`` and add what comes of them to the last three arrays.

    ``board`` are the cards given, ``known`` these and the dead ones as a set, ``deck`` the others, the
    highest first. Where each player has one hand, it has left the deck already.
    """
    most = max(1, min(BATCH, end - begin))
    batch, boards = new_batch(most), _new_boards(most)
    words, places, decks, dealt = batch.words, batch.places, batch.decks, batch.dealt
    ranges, hole_cards = draws.starts.size - 1, draws.hole_cards
    players, compared = ranges + opponents, ranges - folded
    row, to_come = hole_cards * players, BOARD_CARDS - board.size
    for number in range(board.size):
        dealt[row + to_come + number] = board[number]
    fixed = draws.cards.size == ranges
    place = zeros(DECK_SIZE, np.uint8)
    for at in range(deck.size):
        place[deck[at]] = at
    live, wanted = deck.size - hole_cards * ranges, hole_cards * opponents + to_come
    if fixed:
        live = deck.size
        for player in range(ranges):
            for number in range(hole_cards):
                card = draws.cards[player] >> np.uint64(8 * number) & np.uint64(63)
                dealt[hole_cards * player + number] = card
        for i in range(most):
            batch.taken[i] = known
    for first in range(begin, end, most):
        size = min(most, end - first)
        if fixed:
            tried[0] += size
        else:
            _draw_hands(first, size, seed, known, draws, batch, tried)
        lay_decks(decks, deck, place, known, batch.taken, size)
        fill_words(words, (words_for(wanted) + 3) // 4, CARD_STREAM, first, seed)
        draw_places(words, places, 0, live, wanted, first, seed)
        deal(places, decks, live, wanted, dealt, hole_cards * ranges)
        flushing = _read_boards(dealt, row, tables, boards)
        for player in range(players):
            if not compared <= player < ranges:
                at = hole_cards * player
                _rank(dealt, at, hole_cards, flushing, tables, boards, batch.ranks[player])
                if low:
                    _rank_lows(dealt, at, hole_cards, tables, boards, boards.low_ranks[player])
        compare(batch.ranks, players, compared, folded, boards.high, batch.winners, batch.ends[0])
        if low:
            compare(
                boards.low_ranks, players, compared, folded, boards.low, batch.winners, batch.ends[1]
            )
            _share(players, compared, folded, batch, boards)
            count_ends(boards.shared, compared, size, shared)
        count_ends(batch.ends, compared, size, counts)


def sample_deals(
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
    """Draw samples on every core: see the operation."""
    live = draws.players - folded
    players = live + opponents
    known_board = np.array(list(board), np.int64)
    known = sum(1 << card for card in {*board, *dead})
    tables, deck = hand_rank_tables(), _deck(draws, known)
    ranking = _Ranking(
        tables.step,
        plain_ranks().ravel(),
        tables.flush,
        np.array(LOW_BITS, np.uint8),
        best_lows(),
    )
    parts: list[tuple[Ints, Ints, int]] = []

    def work(first: int, last: int) -> None:
        ends = np.zeros((live, players + 1, players + 2 if low else 1), np.int64)
        shared = np.zeros((live, players + 1, 1), np.int64)
        tried = np.zeros(1, np.int64)
        _draw_samples(
            begin + first, begin + last, seed, opponents, folded, known_board, known,
            deck, draws, ranking, low, ends, shared, tried,
        )  # fmt: skip
        parts.append((ends, shared, int(tried[0])))

    with thread_pool(thread_count() if end - begin > FEW_SAMPLES else 1) as run:
        run(work, end - begin)
    counts, shared, tried = (sum(part) for part in zip(*parts, strict=True))
    high = counts.sum(axis=2)[:, 1:]
    if not low:
        counts, shared = counts[:, :0, :0], shared[:, :1]
    return OmahaSamples(high, counts, shared[:, 1:, 0]), tried


def _deck(draws: OmahaDraws, known: int) -> UInt8s:
    """Return the cards that are not known, the highest first, without those of fixed hands.

    Those leave in ascending order, each replaced by the last one of the deck.
    """
    deck = [card for card in reversed(range(DECK_SIZE)) if not known >> card & 1]
    if draws.is_fixed:
        size = draws.hole_cards
        fixed = sorted(int(hand) >> 8 * place & 63 for hand in draws.cards for place in range(size))
        for card in fixed:
            last = deck.pop()
            if last != card:
                deck[deck.index(card)] = last
    return np.array(deck, np.uint8)
