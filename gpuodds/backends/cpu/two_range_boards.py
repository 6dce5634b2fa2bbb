"""Two ranges on a flop or turn, over all runouts, without going through the runouts.

Two combos order alike on all runouts of the same two ranks, as long as neither makes a flush. So how
often one wins depends on the four ranks only: one comparison of squares (:mod:`runout_squares`) for a
pair of starting hands, whatever their suits. What flushes change is added suit by suit. There a combo's
*kind* is its ranks and which of its cards are of the suit; only runouts that make a flush of the suit
with one of two kinds change their order. Those are of three *forms*: 0, 1 or 2 of the cards to come are
of the suit. Each form has its squares, so the work goes by pairs of kinds, and each pair of combos
takes a look-up for its ranks, and one for each suit of the board.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.jit import compiled, inlined, popcount
from gpuodds.backends.cpu.runout_squares import (
    LANES,
    LOST,
    SQUARE,
    compare_one_to_come,
    compare_two_to_come,
    fill_square,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.hand_ranks import HandRankTables

Ints = npt.NDArray[np.int64]
Int16s = npt.NDArray[np.int16]
UInt8s = npt.NDArray[np.uint8]

NO_SUIT = 4  # in which no card is of the suit: kinds are starting hands without their suits
KINDS = 13 * 13 * 4  # kinds by number: 4 (13 high + low), and a bit for each card of the suit
MAX_RANKS, MAX_KINDS = 91, 338  # of starting hands without suits; of kinds in a suit
RECTANGLES = MAX_RANKS * SQUARE  # where the squares of form 1 begin
FLUSHES = 2 * RECTANGLES  # where the squares with flushes begin

# A number holds the wins and losses of pairs of combos, and how many pairs there are. A combo meets up
# to 1,081 others on 990 runouts: wins and losses are below 2^21, and the number below 2^53.
DEAL = 1 << 2 * LOST
MASK = (1 << LOST) - 1


class Deck(NamedTuple):
    """A board, as counting needs it.

    ``known`` is the set of board and dead cards, ``state`` the automaton's after the board. ``suited``
    (5,) are the masks of the board's ranks by suit. ``live`` (5, 2, 16) are the numbers of live cards
    by rank, for each suit those of other suits and those of the suit. ``to_come`` is 1 or 2.
    """

    known: int
    state: np.int64
    suited: Ints
    live: Int16s
    to_come: int


class Side(NamedTuple):
    """A player's combos on a board, and their kinds.

    ``combos`` (n,) are places in the range and ``cards`` (n,) the sets of two cards. For each of five
    suits ``kinds`` (5, 338) lists those that occur, ``sizes`` (5,) says how many, ``kind_of`` (5, n) is
    each combo's place in the list, ``places`` (5, 676) each kind's. ``squares`` are those of the
    starting hands without flushes, in two forms, then those of the kinds of one suit with them.
    ``live`` holds, for each kind of a suit, how many cards are live for the first and the second card
    to come; for the second player it holds how many the kind takes. ``can_flush`` says whether it can.
    """

    combos: Ints
    cards: Ints
    kinds: Ints
    sizes: Ints
    kind_of: Ints
    places: Ints
    squares: Int16s
    live: Int16s
    can_flush: Ints


@compiled
def _read_deck(board: UInt8s, dead: int, tables: HandRankTables) -> Deck:
    known, state = dead, np.int64(0)
    suited = np.zeros(5, np.int64)
    for card in board:
        known |= 1 << int(np.int64(card))
        state = np.int64(tables.step[state, card >> 2])
        suited[card & 3] |= 1 << np.int64(card >> 2)
    live = np.zeros((5, 2, LANES), np.int16)
    for card in range(DECK_SIZE):
        if not known >> card & 1:
            for suit in range(5):
                live[suit, 1 if card & 3 == suit else 0, card >> 2] += 1
    return Deck(known, state, suited, live, 5 - len(board))


@compiled
def _new_side(combos: int) -> Side:
    kinds = min(combos, MAX_KINDS)
    return Side(
        np.zeros(combos, np.int64),
        np.zeros(combos, np.int64),
        np.zeros((5, kinds), np.int64),
        np.zeros(5, np.int64),
        np.zeros((5, combos), np.int64),
        np.full((5, KINDS), -1, np.int64),
        np.zeros(FLUSHES + kinds * SQUARE, np.int16),
        np.zeros(kinds * 2 * LANES, np.int16),
        np.zeros(kinds, np.int64),
    )


@compiled
def _find_kinds(pairs: Ints, deck: Deck, side: Side) -> int:
    """Enter the combos that are live, and their kinds; return how many are."""
    for suit in range(5):
        for place in range(side.sizes[suit]):
            side.places[suit, side.kinds[suit, place]] = -1
        side.sizes[suit] = 0
    live = 0
    for h in range(len(pairs)):
        low, high = pairs[h, 0], pairs[h, 1]
        cards = 1 << low | 1 << high
        if cards & deck.known:
            continue
        side.combos[live], side.cards[live] = h, cards
        ranks = 4 * (13 * (high >> 2) + (low >> 2))
        for suit in range(5):
            if suit != NO_SUIT and deck.suited[suit] == 0:
                continue
            kind = ranks + (2 if high & 3 == suit else 0) + (1 if low & 3 == suit else 0)
            if kind == ranks + 2 and high >> 2 == low >> 2:
                kind = ranks + 1
            place = side.places[suit, kind]
            if place < 0:
                place = side.sizes[suit]
                side.places[suit, kind] = place
                side.kinds[suit, place] = kind
                side.sizes[suit] += 1
            side.kind_of[suit, live] = place
        live += 1
    return live


@inlined
def _step_kind(kind: int, deck: Deck, tables: HandRankTables) -> np.int64:
    """Return the automaton's state after the board and a kind's two ranks."""
    ranks = kind >> 2
    first = np.int64(tables.step[deck.state, ranks // 13])
    return np.int64(tables.step[first, ranks % 13])


@compiled
def _fill_plain(deck: Deck, tables: HandRankTables, with_form_1: bool, side: Side) -> None:
    """Fill the squares of starting hands, flushes left aside."""
    for place in range(side.sizes[NO_SUIT]):
        state = _step_kind(side.kinds[NO_SUIT, place], deck, tables)
        at = place * SQUARE
        fill_square(state, 0, 0, deck.to_come, tables, side.squares, at)
        if with_form_1:
            fill_square(state, 0, 1, deck.to_come, tables, side.squares, RECTANGLES + at)


@compiled
def _fill_form(
    suit: int, form: int, second: bool, deck: Deck, tables: HandRankTables, side: Side
) -> None:
    """Fill the squares with flushes, and the live cards, of the kinds of a suit in a form."""
    first_suited, second_suited = int(form > 0), int(form == deck.to_come)
    reach = popcount(deck.suited[suit]) + form
    taken = -1 if second else 1
    live = side.live
    for place in range(side.sizes[suit]):
        kind = side.kinds[suit, place]
        high, low = kind // 52, (kind >> 2) % 13
        high_suited, low_suited = kind >> 1 & 1, kind & 1
        at = 2 * LANES * place
        for t in range(LANES):
            live[at + t] = 0 if second else deck.live[suit, first_suited, t]
            live[at + LANES + t] = 0 if second else deck.live[suit, second_suited, t]
        if high_suited == first_suited:
            live[at + high] -= taken
        if low_suited == first_suited:
            live[at + low] -= taken
        if high_suited == second_suited:
            live[at + LANES + high] -= taken
        if low_suited == second_suited:
            live[at + LANES + low] -= taken
        side.can_flush[place] = reach + high_suited + low_suited >= 5
        if suit != NO_SUIT and side.can_flush[place]:
            ranks = deck.suited[suit] | high_suited << high | low_suited << low
            state = _step_kind(kind, deck, tables)
            out = FLUSHES + place * SQUARE
            fill_square(state, ranks, form, deck.to_come, tables, side.squares, out)


@inlined
def _compare(deck: Deck, a: Side, i: int, at_a: int, b: Side, k: int, at_b: int) -> int:
    """Count the runouts on which a square beats another, and is beaten, for the kinds i and k."""
    i, k = 2 * LANES * i, 2 * LANES * k
    found: int
    if deck.to_come == 2:
        found = compare_two_to_come(a.squares, at_a, b.squares, at_b, a.live, i, b.live, k)
    else:
        found = compare_one_to_come(a.squares, at_a, b.squares, at_b, a.live, i, b.live, k)
    return found


@compiled
def _count_plain(deck: Deck, tables: HandRankTables, a: Side, b: Side, values: Ints) -> None:
    """Fill ``values`` by pair of starting hands, flushes left aside."""
    _fill_form(NO_SUIT, 0, False, deck, tables, a)
    _fill_form(NO_SUIT, 0, True, deck, tables, b)
    for i in range(a.sizes[NO_SUIT]):
        for k in range(b.sizes[NO_SUIT]):
            values[i, k] = DEAL + _compare(deck, a, i, i * SQUARE, b, k, k * SQUARE)


@compiled
def _count_flushes(
    suit: int, form: int, deck: Deck, tables: HandRankTables, a: Side, b: Side, values: Ints
) -> None:
    """Add to ``values``, by pair of kinds of a suit, what its flushes change in a form."""
    _fill_form(suit, form, False, deck, tables, a)
    _fill_form(suit, form, True, deck, tables, b)
    base = RECTANGLES if form == 1 else 0
    for i in range(a.sizes[suit]):
        plain_i = base + SQUARE * a.places[NO_SUIT, a.kinds[suit, i] & ~3]
        flush_i = FLUSHES + SQUARE * i if a.can_flush[i] else plain_i
        for k in range(b.sizes[suit]):
            if a.can_flush[i] or b.can_flush[k]:
                plain_k = base + SQUARE * b.places[NO_SUIT, b.kinds[suit, k] & ~3]
                flush_k = FLUSHES + SQUARE * k if b.can_flush[k] else plain_k
                values[i, k] += _compare(deck, a, i, flush_i, b, k, flush_k)
                values[i, k] -= _compare(deck, a, i, plain_i, b, k, plain_k)


@compiled
def _add_pairs(
    suits: Ints, num_suits: int, live_a: int, live_b: int, a: Side, b: Side, values: Ints,
    row: Ints, sums_a: Ints, sums_b: Ints,
) -> None:  # fmt: skip
    """Sum the values of pairs of combos that share no card, by combo of either player."""
    sums_b[:live_b] = 0
    for i in range(live_a):
        row[:live_b] = 0
        for number in range(num_suits):
            suit = suits[number]
            of_kind, kind_of = values[suit, a.kind_of[suit, i]], b.kind_of[suit]
            for k in range(live_b):
                row[k] += of_kind[kind_of[k]]
        total, cards = 0, a.cards[i]
        for k in range(live_b):
            value = 0 if cards & b.cards[k] else row[k]
            total += value
            sums_b[k] += value
        sums_a[i] = total


@inlined
def _spread(value: int, runouts: int, player: int, out: Ints) -> None:
    """Add a sum of values to a player's wins, ties and losses."""
    wins, losses = value & MASK, value >> LOST & MASK
    out[2 * player] += wins
    out[1] += (value >> 2 * LOST) * runouts - wins - losses
    out[2 - 2 * player] += losses


@compiled
def count_boards(
    boards: UInt8s, begin: int, end: int, dead: int, pairs_a: Ints, pairs_b: Ints,
    tables: HandRankTables, totals: Ints, by_combo: Ints,
) -> None:  # fmt: skip
    """Count two ranges on the boards ``begin`` to ``end``, of three or four cards.

    ``dead`` is the set of dead cards, ``pairs_a`` and ``pairs_b`` (n, 2) are the cards of the two
    ranges' combos. Adds wins, ties and losses of the first player to ``totals`` (boards, 3), and those
    of each combo to ``by_combo`` (boards, 2, most combos, 3), which may have no boards.
    """
    a, b = _new_side(len(pairs_a)), _new_side(len(pairs_b))
    values = np.zeros((5, a.kinds.shape[1], b.kinds.shape[1]), np.int64)
    row, sums_b = np.zeros((2, len(pairs_b)), np.int64)
    sums_a = np.zeros(len(pairs_a), np.int64)
    suits = np.zeros(5, np.int64)
    for number in range(begin, end):
        deck = _read_deck(boards[number], dead, tables)
        live_a, live_b = _find_kinds(pairs_a, deck, a), _find_kinds(pairs_b, deck, b)
        suits[0], num_suits, most = NO_SUIT, 1, 0
        for suit in range(4):
            of_suit = popcount(deck.suited[suit])
            if of_suit + deck.to_come >= 3:
                suits[num_suits] = suit
                num_suits += 1
                most = max(most, of_suit)
        _fill_plain(deck, tables, most > 1, a)
        _fill_plain(deck, tables, most > 1, b)
        _count_plain(deck, tables, a, b, values[NO_SUIT])
        for at in range(1, num_suits):
            suit = suits[at]
            values[suit, : a.sizes[suit], : b.sizes[suit]] = 0
            for form in range(max(0, 3 - popcount(deck.suited[suit])), deck.to_come + 1):
                _count_flushes(suit, form, deck, tables, a, b, values[suit])
        _add_pairs(suits, num_suits, live_a, live_b, a, b, values, row, sums_a, sums_b)
        left = DECK_SIZE - 4 - popcount(deck.known)
        runouts = left * (left - 1) // 2 if deck.to_come == 2 else left
        for i in range(live_a):
            _spread(sums_a[i], runouts, 0, totals[number])
        if by_combo.shape[0]:
            for i in range(live_a):
                _spread(sums_a[i], runouts, 0, by_combo[number, 0, a.combos[i]])
            for k in range(live_b):
                _spread(sums_b[k], runouts, 1, by_combo[number, 1, b.combos[k]])
