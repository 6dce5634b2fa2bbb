"""Three starting hands against each other before the flop, all of them at once.

Fix a hero's combo x and a full board. The combos of class b that x beats are n_b, those of them
with card c are n_b(c); both without the combos that share a card with x or the board. Ways to deal
one of class b and one of class c that x beats both are, by inclusion and exclusion over the card that
they may share,

    n_b n_c - sum over cards of n_b(card) n_c(card) + [b = c] n_b

where the last term gives back a combo and itself, which share two cards. For combos that tie with x
it is the same, and for one of each kind the last term is 0. So each combo and board adds three
products of vectors to tables of 169 x 169 and, for each rank, of 25 x 25: the classes with that rank.

All numbers are integers below 2^24 in float32, which the machine multiplies fastest; before they
could reach that they are moved to int64.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.combos import rank_combos
from gpuodds.backends.cpu.jit import compiled
from gpuodds.backends.cpu.threads import thread_count, thread_pool
from gpuodds.cards import DECK_SIZE, RANKS
from gpuodds.games.holdem.boards import canonical_boards
from gpuodds.games.holdem.combos import COMBOS, combo_cards
from gpuodds.games.holdem.starting_hands import starting_hands

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

PAIRS, OTHERS = 13, 78
CLASSES = PAIRS + 2 * OTHERS
WIDTH = 176  # of a row of 169, for whole vectors
OF_RANK = 25  # classes with a rank: its pair, suited and offsuit with each other rank
NARROW = 32
RANK_COUNT = 13
SLOTS = (6, 4, 12)  # combos of a pair, of suited and of offsuit cards
MAX_ROWS = 4096  # times 24 boards alike times 12 x 12 combos is below 2^24
BLOCK = 8  # rows whose products are added together

LOWER, TIED = 0, 1


class Layout(NamedTuple):
    """Where combos stand: by slot, then by class, so that classes are summed as whole vectors.

    ``order`` (1326,) are the combos in that order, ``classes`` (1326,) their classes: pairs from the
    deuces, then suited and offsuit in the order of (higher rank, lower rank). ``cards`` (1326, 2) are
    their cards and ``kinds`` (1326, 2) which of the 25 classes with the card's rank each is.
    ``members`` (52, 25, 3) are the places of the combos with a card by these classes, -1 for no combo.
    ``class_of`` (13, 25) are the classes with a rank.
    """

    order: Ints
    classes: Ints
    cards: Ints
    kinds: Ints
    members: Ints
    class_of: Ints


def class_number(high: int, low: int, suited: bool) -> int:
    """Return the class of two ranks, the higher first."""
    if high == low:
        return high
    return PAIRS + (0 if suited else OTHERS) + high * (high - 1) // 2 + low


@lru_cache
def starting_hand_classes() -> Ints:
    """Return the class of each starting hand, shape (169,), in the order of ``starting_hands()``."""
    ranks = [(RANKS.index(name[0]), RANKS.index(name[1])) for name in starting_hands()]
    suited = [name.endswith("s") for name in starting_hands()]
    numbers = [class_number(*pair, flag) for pair, flag in zip(ranks, suited, strict=True)]
    return np.array(numbers, np.int64)


@lru_cache
def layout() -> Layout:
    """Make the layout."""
    slots: list[list[list[int]]] = [[[] for _ in range(CLASSES)]]
    members: list[list[int]] = slots[0]
    for number, (low, high) in enumerate(combo_cards().tolist()):
        members[class_number(high >> 2, low >> 2, low & 3 == high & 3)].append(number)
    order: list[int] = []
    for begin, count, size in zip(
        (0, PAIRS, PAIRS + OTHERS), (PAIRS, OTHERS, OTHERS), SLOTS, strict=True
    ):
        order += [members[begin + i][slot] for slot in range(size) for i in range(count)]
    cards = combo_cards()[order].astype(np.int64)
    classes = np.zeros(COMBOS, np.int64)
    kinds = np.zeros((COMBOS, 2), np.int64)
    class_of = np.zeros((RANK_COUNT, OF_RANK), np.int64)
    places = np.full((DECK_SIZE, OF_RANK, 3), -1, np.int64)
    found = np.zeros((DECK_SIZE, OF_RANK), np.int64)
    for place, pair in enumerate(cards.tolist()):
        low, high = pair
        suited = low & 3 == high & 3
        classes[place] = class_number(high >> 2, low >> 2, suited)
        for side in range(2):
            rank, other = pair[side] >> 2, pair[1 - side] >> 2
            others = other - (other > rank)  # 0 to 11
            kind = 0 if rank == other else 1 + others + (0 if suited else 12)
            kinds[place, side] = kind
            class_of[rank, kind] = classes[place]
            places[pair[side], kind, found[pair[side], kind]] = place
            found[pair[side], kind] += 1
    return Layout(np.array(order, np.int64), classes, cards, kinds, places, class_of)


@compiled
def _sum_classes(flags: UInt8s, out: Floats) -> None:
    # Holdings of each class, from flags in the layout's order.
    at = 0
    for i in range(PAIRS):
        out[i] = 0
    for _ in range(6):
        for i in range(PAIRS):
            out[i] += flags[at + i]
        at += PAIRS
    for first, slots in ((PAIRS, 4), (PAIRS + OTHERS, 12)):
        for i in range(OTHERS):
            out[first + i] = 0
        for _ in range(slots):
            for i in range(OTHERS):
                out[first + i] += flags[at + i]
            at += OTHERS


@compiled
def _add_block(rows: Floats, weights: Floats, count: int, table: Floats) -> None:
    # table[b, c] += sum over rows of weight n_b n_c, for c from b's vector on: the rest is symmetric.
    for row in range(count, BLOCK):
        weights[row] = 0.0
    for b in range(CLASSES):
        target = table[b]
        one, two = weights[0] * rows[0, b], weights[1] * rows[1, b]
        three, four = weights[2] * rows[2, b], weights[3] * rows[3, b]
        five, six = weights[4] * rows[4, b], weights[5] * rows[5, b]
        seven, eight = weights[6] * rows[6, b], weights[7] * rows[7, b]
        if one + two + three + four + five + six + seven + eight == 0.0:
            continue
        for c in range(b & ~15, WIDTH):
            target[c] += (
                one * rows[0, c]
                + two * rows[1, c]
                + three * rows[2, c]
                + four * rows[3, c]
                + five * rows[4, c]
                + six * rows[5, c]
                + seven * rows[6, c]
                + eight * rows[7, c]
            )


@compiled
def _flush(table: Floats, total: Ints) -> None:
    for i in range(table.shape[0]):
        for j in range(total.shape[1]):
            total[i, j] += np.int64(table[i, j])
        for j in range(table.shape[1]):
            table[i, j] = 0.0


class Sums(NamedTuple):
    """Sums over a hero's combos and boards, all int64.

    ``totals`` (3, 169, 169): products of numbers, lower and lower (its upper triangle), tied and lower,
    tied and tied; ``shared`` (3, 325, 25): those by the card that two combos share, a row for each rank
    and class with it; ``alone`` (2, 169): the numbers of lower and tied combos.
    """

    totals: Ints
    shared: Ints
    alone: Ints


class _Narrow(NamedTuple):
    # The same in float32, rows widened to whole vectors, until they are added to the sums.
    products: Floats
    by_card: Floats
    alone: Floats


@compiled
def _new_narrow() -> _Narrow:
    return _Narrow(
        np.zeros((3, CLASSES, WIDTH), np.float32),
        np.zeros((3, RANK_COUNT * OF_RANK, NARROW), np.float32),
        np.zeros((2, WIDTH), np.float32),
    )


@compiled
def _flush_all(narrow: _Narrow, sums: Sums) -> None:
    for table in range(3):
        _flush(narrow.products[table], sums.totals[table])
        _flush(narrow.by_card[table], sums.shared[table])
    _flush(narrow.alone, sums.alone)


@compiled
def _find_apart(hero: int, cards: Ints, apart: UInt8s) -> None:
    """Flag the combos that share no card with the hero's."""
    first, second = cards[hero, 0], cards[hero, 1]
    for h in range(COMBOS):
        free = cards[h, 0] != first and cards[h, 0] != second
        apart[h] = free and cards[h, 1] != first and cards[h, 1] != second


@compiled
def _flag_combos(row: UInt16s, rank: int, apart: UInt8s, lower: UInt8s, tied: UInt8s) -> None:
    """Flag the combos on a board that the hero's ``rank`` beats, and those that tie with it."""
    limit, equal = np.uint16(rank - 1), np.uint16(rank)
    for h in range(COMBOS):
        # A combo that is not dealt has rank 0, which becomes the highest.
        below = np.uint16(row[h] - np.uint16(1)) < limit
        lower[h] = np.uint8(below) & apart[h]
        tied[h] = np.uint8(row[h] == equal) & apart[h]


@compiled
def _add_lower_cards(
    weight: np.float32, flags: UInt8s, members: Ints, lower_cards: Floats, by_card: Floats
) -> None:
    """Count lower combos by card and class, and add the products of those with a common card."""
    for card in range(DECK_SIZE):
        target = lower_cards[card]
        found = members[card]
        first, second, third = found[0, 0], found[0, 1], found[0, 2]
        target[0] = flags[first] + flags[second] + flags[third]
        for kind in range(1, 13):
            target[kind] = flags[found[kind, 0]]
        for kind in range(13, OF_RANK):
            first, second, third = found[kind, 0], found[kind, 1], found[kind, 2]
            target[kind] = flags[first] + flags[second] + flags[third]
        base = (card >> 2) * OF_RANK
        for kind in range(OF_RANK):
            if target[kind] != 0.0:
                times_kind = weight * target[kind]
                to = by_card[base + kind]
                for other in range(NARROW):
                    to[other] += times_kind * target[other]


@compiled
def _add_ties(
    weight: np.float32, flags: UInt8s, place: Layout, lower: Floats, tied: Floats,
    lower_cards: Floats, tied_cards: Floats, narrow: _Narrow,
) -> None:  # fmt: skip
    """Add the products of tied combos with lower and with tied ones."""
    cards, kinds, classes = place.cards, place.kinds, place.classes
    products, by_card = narrow.products, narrow.by_card
    tied_cards[:] = 0.0
    for h in range(COMBOS):
        if flags[h]:
            tied_cards[cards[h, 0], kinds[h, 0]] += 1.0
            tied_cards[cards[h, 1], kinds[h, 1]] += 1.0
    for h in range(COMBOS):
        if flags[h]:
            with_lower, with_tied = products[1, classes[h]], products[2, classes[h]]
            for c in range(WIDTH):
                with_lower[c] += weight * lower[c]
                with_tied[c] += weight * tied[c]
            for side in range(2):
                card = cards[h, side]
                row = (card >> 2) * OF_RANK + kinds[h, side]
                card_lower, card_tied = by_card[1, row], by_card[2, row]
                of_lower, of_tied = lower_cards[card], tied_cards[card]
                for other in range(NARROW):
                    card_lower[other] += weight * of_lower[other]
                    card_tied[other] += weight * of_tied[other]


@compiled
def _count(
    hero: int, ranks: UInt16s, times: UInt16s, begin: int, end: int, place: Layout, sums: Sums
) -> None:
    """Add what a combo makes of the boards ``begin`` to ``end``, by the classes of two opponents.

    ``hero`` is a place in the layout, ``ranks`` (boards, 1326) hand ranks in its order, 0 for combos
    that share a card with the board, and ``times`` how often a board counts.
    """
    apart, lower_flags = np.zeros(COMBOS, np.uint8), np.zeros(COMBOS, np.uint8)
    tied_flags = np.zeros(COMBOS, np.uint8)
    _find_apart(hero, place.cards, apart)
    block, block_weights = np.zeros((BLOCK, WIDTH), np.float32), np.zeros(BLOCK, np.float32)
    tied = np.zeros(WIDTH, np.float32)
    lower_cards = np.zeros((DECK_SIZE, NARROW), np.float32)
    tied_cards = np.zeros((DECK_SIZE, NARROW), np.float32)
    narrow = _new_narrow()
    members = place.members
    products, by_card, alone = narrow
    filled = 0
    rows = 0
    for board in range(begin, end):
        rank = int(np.int64(ranks[board, hero]))
        if rank == 0:
            continue
        weight = np.float32(times[board])
        _flag_combos(ranks[board], rank, apart, lower_flags, tied_flags)
        lower = block[filled]
        _sum_classes(lower_flags, lower)
        _sum_classes(tied_flags, tied)
        block_weights[filled] = weight
        for c in range(WIDTH):
            alone[0, c] += weight * lower[c]
            alone[1, c] += weight * tied[c]
        _add_lower_cards(weight, lower_flags, members, lower_cards, by_card[0])
        if tied.any():
            _add_ties(weight, tied_flags, place, lower, tied, lower_cards, tied_cards, narrow)
        filled += 1
        rows += 1
        if filled == BLOCK:
            _add_block(block, block_weights, filled, products[0])
            filled = 0
            if rows >= MAX_ROWS - BLOCK:
                rows = 0
                _flush_all(narrow, sums)
    if filled:
        _add_block(block, block_weights, filled, products[0])
    _flush_all(narrow, sums)


@lru_cache(maxsize=1)
def _ranks() -> tuple[UInt16s, UInt16s]:
    # All canonical boards' ranks, 357 MB, in the layout's order.
    boards, times = canonical_boards()
    order = layout().order
    ranks = np.empty((len(boards), COMBOS), np.uint16)
    for begin in range(0, len(boards), 4096):
        ranks[begin : begin + 4096] = rank_combos(boards[begin : begin + 4096])[:, order]
    return ranks, times


def count_three_way(hero: int, ranks: Any = None, times: Any = None) -> Ints:
    """Count how a class of hands fares against each two others.

    ``hero`` is a :func:`class_number`. Returns int64 (3, 169, 169), by the classes b and c of two other
    players: deals and boards in which the hero beats both, ties with b and beats c, ties with both.
    ``ranks`` (boards, 1326), in the layout's order, and ``times`` are those of all boards unless given.
    """
    place = layout()
    if ranks is None:
        ranks, times = _ranks()
    heroes = np.flatnonzero(place.classes == hero).tolist()
    parts: list[Sums] = []

    def work(begin: int, end: int) -> None:
        sums = _empty()
        for combo in heroes:
            _count(combo, ranks, times, begin, end, place, sums)
        parts.append(sums)

    with thread_pool(thread_count()) as run:
        run(work, len(ranks))
    total = _empty()
    for part in parts:
        for to, values in zip(total, part, strict=True):
            to += values
    return close(total)


def _empty() -> Sums:
    return Sums(
        np.zeros((3, CLASSES, CLASSES), np.int64),
        np.zeros((3, RANK_COUNT * OF_RANK, OF_RANK), np.int64),
        np.zeros((2, CLASSES), np.int64),
    )


def close(sums: Sums) -> Ints:
    """Return the counts (3, 169, 169): without pairs of combos that share a card."""
    # What two combos share both cards with, a combo and itself, was taken out twice.
    totals, shared, alone = sums
    upper = np.triu(totals[0])
    totals[0] = upper + upper.T - np.diag(np.diag(upper))
    for rank, names in enumerate(layout().class_of):
        square = np.ix_(names, names)
        for table in range(3):
            totals[table][square] -= shared[table, rank * OF_RANK : (rank + 1) * OF_RANK]
    for table, kind in ((0, LOWER), (2, TIED)):
        totals[table][np.diag_indices(CLASSES)] += alone[kind]
    return totals
