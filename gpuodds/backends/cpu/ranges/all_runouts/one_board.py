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

from gpuodds.backends.cpu.compile.jit import compiled, empty, popcount, zeros
from gpuodds.backends.cpu.ranges.all_runouts.runout_squares import (
    LANES,
    LOST,
    SQUARE,
    compare_alike,
    compare_mixed,
    compare_one_card,
    fill_square,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Int16s = npt.NDArray[np.int16]
UInt8s = npt.NDArray[np.uint8]

NO_SUIT = 4  # in which no card is of the suit: kinds are starting hands without their suits
KINDS = 13 * 13 * 4  # kinds by number: 4 (13 high + low), and a bit for each card of the suit
MAX_RANKS, MAX_KINDS = 91, 338  # of starting hands without suits; of kinds in a suit
FLUSHES = MAX_RANKS * SQUARE  # where the squares with flushes begin

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
    each combo's place in the list, ``places`` (5, 676) each kind's plus 1, or 0. ``squares`` are those
    of the starting hands without flushes, then those of the kinds of one suit with them.
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
    suited = zeros(5, np.int64)
    for card in board:
        known |= 1 << int(np.int64(card))
        state = np.int64(tables.step[state, card >> 2])
        suited[card & 3] |= 1 << np.int64(card >> 2)
    live = zeros((5, 2, LANES), np.int16)
    for card in range(DECK_SIZE):
        if not known >> card & 1:
            for suit in range(5):
                live[suit, 1 if card & 3 == suit else 0, card >> 2] += 1
    return Deck(known, state, suited, live, 5 - len(board))


@compiled
def _new_side(combos: int) -> Side:
    kinds = min(combos, MAX_KINDS)
    return Side(
        zeros(combos, np.int64),
        zeros(combos, np.int64),
        zeros((5, kinds), np.int64),
        zeros(5, np.int64),
        zeros((5, combos), np.int64),
        zeros((5, KINDS), np.int64),
        empty(FLUSHES + kinds * SQUARE, np.int16),  # what is not filled counts 0 times
        zeros(kinds * 2 * LANES, np.int16),
        zeros(kinds, np.int64),
    )


@compiled
def _find_kinds(weights: Floats, deck: Deck, side: Side) -> int:
    """Enter the combos that are live and have a weight, and their kinds; return how many they are."""
    for suit in range(5):
        for place in range(side.sizes[suit]):
            side.places[suit, side.kinds[suit, place]] = 0
        side.sizes[suit] = 0
    live, combo = 0, -1
    for high in range(1, DECK_SIZE):
        for low in range(high):
            combo += 1
            cards = 1 << low | 1 << high
            if weights[combo] == 0.0 or cards & deck.known:
                continue
            side.combos[live], side.cards[live] = combo, cards
            ranks = 4 * (13 * (high >> 2) + (low >> 2))
            for suit in range(5):
                kind = ranks + (2 if high & 3 == suit else 0) + (1 if low & 3 == suit else 0)
                if kind == ranks + 2 and high >> 2 == low >> 2:
                    kind = ranks + 1
                place = side.places[suit, kind]
                if place == 0:
                    side.kinds[suit, side.sizes[suit]] = kind
                    side.sizes[suit] += 1
                    place = side.sizes[suit]
                    side.places[suit, kind] = place
                side.kind_of[suit, live] = place - 1
            live += 1
    return live


@compiled
def _fill_squares(
    suit: int, form: int, second: int, deck: Deck, tables: HandRankTables, side: Side
) -> None:
    """Fill the squares of the kinds of a suit in a form, and how many cards are live or taken.

    In no suit, form 0, the squares leave flushes aside.
    """
    first_suited, second_suited = int(form > 0), int(form == deck.to_come)
    reach = popcount(deck.suited[suit]) + form
    live, step, base = side.live, tables.step, FLUSHES
    if suit == NO_SUIT:
        base = 0
    for place in range(side.sizes[suit]):
        kind = side.kinds[suit, place]
        ranks = kind // 52, (kind >> 2) % 13
        bits = kind >> 1 & 1, kind & 1
        at = 2 * LANES * place
        for t in range(LANES):
            live[at + t] = 0 if second else deck.live[suit, first_suited, t]
            live[at + LANES + t] = 0 if second else deck.live[suit, second_suited, t]
        for card in range(2):
            taken = at + ranks[card]
            live[taken] += (2 * second - 1) * (bits[card] == first_suited)
            live[taken + LANES] += (2 * second - 1) * (bits[card] == second_suited)
        side.can_flush[place] = reach + bits[0] + bits[1] >= 5
        if suit == NO_SUIT or side.can_flush[place]:
            flush_ranks = deck.suited[suit] | bits[0] << ranks[0] | bits[1] << ranks[1]
            state = np.int64(step[np.int64(step[deck.state, ranks[0]]), ranks[1]])
            out = base + place * SQUARE
            fill_square(state, flush_ranks, form, deck.to_come, tables, side.squares, out)


@compiled
def _compare_kinds(suit: int, form: int, to_come: int, a: Side, b: Side, values: Ints) -> None:
    """Add to ``values``, by pair of kinds, the runouts that the first beats, and is beaten on.

    In no suit these are all runouts, flushes left aside. In a suit they are those that flushes change
    in a form: the runouts with flushes, less those without.
    """
    plain = suit == NO_SUIT
    for i in range(a.sizes[suit]):
        of_i = a.places[NO_SUIT, a.kinds[suit, i] & ~3] - 1
        for k in range(b.sizes[suit]):
            if not (plain or a.can_flush[i] or b.can_flush[k]):
                continue
            of_k = b.places[NO_SUIT, b.kinds[suit, k] & ~3] - 1
            for sign in range(1 if plain else -1, 2, 2):
                at_a, at_b = of_i * SQUARE, of_k * SQUARE
                if sign > 0 and not plain:
                    at_a = FLUSHES + i * SQUARE if a.can_flush[i] else at_a
                    at_b = FLUSHES + k * SQUARE if b.can_flush[k] else at_b
                x, y = 2 * LANES * i, 2 * LANES * k
                if to_come == 1:
                    difference = compare_one_card(
                        a.squares, at_a, b.squares, at_b, a.live, x, b.live, y
                    )
                elif form == 1:
                    difference = compare_mixed(a.squares, at_a, b.squares, at_b, a.live, x, b.live, y)
                else:
                    difference = compare_alike(a.squares, at_a, b.squares, at_b, a.live, x, b.live, y)
                values[i, k] += sign * difference


@compiled
def _add_pairs(
    suits: Ints, live_a: int, live_b: int, a: Side, b: Side, values: Ints, row: Ints, sums: Ints
) -> None:
    """Sum the values of pairs of combos that share no card, by combo of either player, in ``sums``."""
    for k in range(live_b):
        sums[1, k] = 0
    for i in range(live_a):
        for k in range(live_b):
            row[k] = DEAL
        for suit in suits:
            if suit < 0:
                continue
            kind = a.kind_of[suit, i]
            for k in range(live_b):
                row[k] += values[suit, kind, b.kind_of[suit, k]]
        total, cards = 0, a.cards[i]
        for k in range(live_b):
            value = 0 if cards & b.cards[k] else row[k]
            total += value
            sums[1, k] += value
        sums[0, i] = total


@compiled
def count_boards(
    boards: UInt8s, begin: int, end: int, dead: int, weights: Floats, tables: HandRankTables,
    totals: Ints, by_combo: Ints,
) -> None:  # fmt: skip
    """Count two ranges on the boards ``begin`` to ``end``, of three or four cards.

    ``dead`` is the set of dead cards, ``weights`` (2, 1326) the ranges; all that is not 0 counts as 1.
    Adds wins, ties and losses of the first player to ``totals`` (boards, 3), and those of each combo to
    ``by_combo`` (boards, 2, 1326, 3), which may have no boards.
    """
    most_a, most_b = 0, 0
    for combo in range(weights.shape[1]):
        most_a += int(weights[0, combo] != 0.0)
        most_b += int(weights[1, combo] != 0.0)
    a, b = _new_side(most_a), _new_side(most_b)
    values = empty((5, a.kinds.shape[1], b.kinds.shape[1]), np.int64)
    row, sums = zeros(most_b, np.int64), zeros((2, max(most_a, most_b)), np.int64)
    suits = zeros(5, np.int64)
    suits[NO_SUIT] = NO_SUIT
    for number in range(begin, end):
        deck = _read_deck(boards[number], dead, tables)
        live = _find_kinds(weights[0], deck, a), _find_kinds(weights[1], deck, b)
        for suit in range(5):
            of_suit = popcount(deck.suited[suit])
            if suit != NO_SUIT:
                suits[suit] = suit if of_suit + deck.to_come >= 3 else -1
            for i in range(a.sizes[suit]):
                for k in range(b.sizes[suit]):
                    values[suit, i, k] = 0
        # In no suit the squares of form 1 come first: those of form 0 are compared at once.
        for turn in range(-2, 12):
            suit = NO_SUIT if turn < 0 else turn // 3
            form = -1 - turn if turn < 0 else turn % 3
            of_suit = popcount(deck.suited[suit])
            if suits[suit] < 0 or form > deck.to_come or (turn >= 0 and of_suit + form < 3):
                continue
            _fill_squares(suit, form, 0, deck, tables, a)
            _fill_squares(suit, form, 1, deck, tables, b)
            if turn != -2:
                _compare_kinds(suit, form, deck.to_come, a, b, values[suit])
        _add_pairs(suits, live[0], live[1], a, b, values, row, sums)
        left = DECK_SIZE - 4 - popcount(deck.known)
        runouts = left * (left - 1) // 2 if deck.to_come == 2 else left
        for player in range(2):
            combos = b.combos if player else a.combos
            for place in range(live[player]):
                value = sums[player, place]
                wins, losses = value & MASK, value >> LOST & MASK
                ties = (value >> 2 * LOST) * runouts - wins - losses
                if player == 0:
                    totals[number, 0] += wins
                    totals[number, 1] += ties
                    totals[number, 2] += losses
                if by_combo.shape[0]:
                    counts = by_combo[number, player, combos[place]]
                    counts[1] += ties
                    counts[2 * player] += wins
                    counts[2 - 2 * player] += losses
