"""Three starting hands against each other before the flop, all of them at once.

Fix a hero's holding x and a full board. The holdings of class b that x beats are n_b, those of them
with card c are n_b(c); both without the holdings that share a card with x or the board. Ways to deal
one of class b and one of class c that x beats both are, by inclusion and exclusion over the card that
they may share,

    n_b n_c - sum over cards of n_b(card) n_c(card) + [b = c] n_b

where the last term gives back a holding and itself, which share two cards. For holdings that tie with x
it is the same, and for one of each kind the last term is 0. So each holding and board adds three
products of vectors to tables of 169 x 169 and, for each rank, of 25 x 25: the classes with that rank.

All is integers below 2^24 in float32, which the machine multiplies fastest, moved to int64 in time.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.combos import rank_combos
from gpuodds.backends.cpu.jit import compiled
from gpuodds.backends.cpu.threads import thread_count, thread_pool
from gpuodds.cards import RANKS as CARD_RANKS
from gpuodds.games.holdem.boards import canonical_boards
from gpuodds.games.holdem.combos import COMBOS, combo_cards
from gpuodds.games.holdem.starting_hands import starting_hands

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
UInt16s = npt.NDArray[np.uint16]

PAIRS, OTHERS = 13, 78
CLASSES = PAIRS + 2 * OTHERS
WIDTH = 176  # of a row of 169, for whole vectors
OF_RANK = 25  # classes with a rank: its pair, suited and offsuit with each other rank
NARROW = 32
RANKS = 13
SLOTS = (6, 4, 12)  # holdings of a pair, of suited and of offsuit cards
MOST_ROWS = 4096  # times 24 boards alike times 12 x 12 holdings is below 2^24
BLOCK = 8  # rows whose products are added together

LOWER, TIED = 0, 1


class Layout(NamedTuple):
    """Where holdings stand: by slot, then by class, so that classes are summed as whole vectors.

    ``order`` (1326,) are the holdings in that order, ``classes`` (1326,) their classes: pairs from the
    deuces, then suited and offsuit in the order of (higher rank, lower rank). ``cards`` (1326, 2) are
    their cards and ``kinds`` (1326, 2) which of the 25 classes with the card's rank each is.
    ``members`` (52, 25, 3) are the places of the holdings with a card by these classes, -1 for none.
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
    ranks = [(CARD_RANKS.index(name[0]), CARD_RANKS.index(name[1])) for name in starting_hands()]
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
    class_of = np.zeros((RANKS, OF_RANK), np.int64)
    places = np.full((52, OF_RANK, 3), -1, np.int64)
    found = np.zeros((52, OF_RANK), np.int64)
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
def _sum_classes(flags: npt.NDArray[np.uint8], out: Floats) -> None:
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


@compiled
def _count(
    hero: int,
    ranks: UInt16s,
    times: UInt16s,
    begin: int,
    end: int,
    cards: Ints,
    classes: Ints,
    kinds: Ints,
    members: Ints,
    totals: Ints,
    shared: Ints,
    alone: Ints,
) -> None:
    """Add what a holding makes of some boards, by the classes of two opponents.

    ``hero`` is a place in the layout, ``ranks`` (boards, 1326) hand ranks in its order, 0 for holdings
    that share a card with the board, and ``times`` how often a board counts. ``totals`` (3, 169, 169)
    receives products of numbers: lower and lower (its upper triangle), tied and lower, tied and tied;
    ``shared`` (3, 325, 25) those by the card that two holdings share, a row for each rank and class
    with it; ``alone`` (2, 169) the numbers of lower and tied holdings.
    """
    apart = np.zeros(COMBOS, np.uint8)
    for h in range(COMBOS):
        free = cards[h, 0] != cards[hero, 0] and cards[h, 0] != cards[hero, 1]
        apart[h] = free and cards[h, 1] != cards[hero, 0] and cards[h, 1] != cards[hero, 1]
    lower_flags = np.zeros(COMBOS, np.uint8)
    tied_flags = np.zeros(COMBOS, np.uint8)
    block = np.zeros((BLOCK, WIDTH), np.float32)
    block_weights = np.zeros(BLOCK, np.float32)
    tied = np.zeros(WIDTH, np.float32)
    lower_cards = np.zeros((52, NARROW), np.float32)
    tied_cards = np.zeros((52, NARROW), np.float32)
    products = np.zeros((3, CLASSES, WIDTH), np.float32)
    by_card = np.zeros((3, RANKS * OF_RANK, NARROW), np.float32)
    sums = np.zeros((2, WIDTH), np.float32)
    filled = 0
    rows = 0
    for board in range(begin, end):
        row = ranks[board]
        rank = row[hero]
        if rank == 0:
            continue
        weight = np.float32(times[board])
        for h in range(COMBOS):
            # A holding that is not dealt has rank 0, which becomes the highest.
            below = np.uint16(row[h] - np.uint16(1)) < np.uint16(rank - np.uint16(1))
            lower_flags[h] = np.uint8(below) & apart[h]
            tied_flags[h] = np.uint8(row[h] == rank) & apart[h]
        lower = block[filled]
        _sum_classes(lower_flags, lower)
        _sum_classes(tied_flags, tied)
        block_weights[filled] = weight
        for c in range(WIDTH):
            sums[0, c] += weight * lower[c]
            sums[1, c] += weight * tied[c]
        for card in range(52):
            target = lower_cards[card]
            found = members[card]
            first, second, third = found[0, 0], found[0, 1], found[0, 2]
            target[0] = lower_flags[first] + lower_flags[second] + lower_flags[third]
            for kind in range(1, 13):
                target[kind] = lower_flags[found[kind, 0]]
            for kind in range(13, OF_RANK):
                first, second, third = found[kind, 0], found[kind, 1], found[kind, 2]
                target[kind] = lower_flags[first] + lower_flags[second] + lower_flags[third]
            base = (card >> 2) * OF_RANK
            for kind in range(OF_RANK):
                if target[kind] != 0.0:
                    times_kind = weight * target[kind]
                    to = by_card[0, base + kind]
                    for other in range(NARROW):
                        to[other] += times_kind * target[other]
        ties = np.float32(0.0)
        for c in range(CLASSES):
            ties += tied[c]
        if ties != 0.0:
            tied_cards[:] = 0.0
            for h in range(COMBOS):
                if tied_flags[h]:
                    tied_cards[cards[h, 0], kinds[h, 0]] += 1.0
                    tied_cards[cards[h, 1], kinds[h, 1]] += 1.0
            for h in range(COMBOS):
                if tied_flags[h]:
                    with_lower, with_tied = products[1, classes[h]], products[2, classes[h]]
                    for c in range(WIDTH):
                        with_lower[c] += weight * lower[c]
                        with_tied[c] += weight * tied[c]
                    for side in range(2):
                        card = cards[h, side]
                        place = (card >> 2) * OF_RANK + kinds[h, side]
                        card_lower, card_tied = by_card[1, place], by_card[2, place]
                        of_lower, of_tied = lower_cards[card], tied_cards[card]
                        for other in range(NARROW):
                            card_lower[other] += weight * of_lower[other]
                            card_tied[other] += weight * of_tied[other]
        filled += 1
        rows += 1
        if filled == BLOCK:
            _add_block(block, block_weights, filled, products[0])
            filled = 0
            if rows >= MOST_ROWS - BLOCK:
                rows = 0
                for table in range(3):
                    _flush(products[table], totals[table])
                    _flush(by_card[table], shared[table])
                _flush(sums, alone)
    if filled:
        _add_block(block, block_weights, filled, products[0])
    for table in range(3):
        _flush(products[table], totals[table])
        _flush(by_card[table], shared[table])
    _flush(sums, alone)


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
    plan = layout()
    if ranks is None:
        ranks, times = _ranks()
    heroes = np.flatnonzero(plan.classes == hero).tolist()
    parts: list[tuple[Ints, Ints, Ints]] = []

    def work(begin: int, end: int) -> None:
        sums = _empty()
        for place in heroes:
            _count(
                place, ranks, times, begin, end,
                plan.cards, plan.classes, plan.kinds, plan.members, *sums,
            )  # fmt: skip
        parts.append(sums)

    with thread_pool(thread_count()) as run:
        run(work, len(ranks))
    totals, shared, alone = _empty()
    for part in parts:
        totals += part[0]
        shared += part[1]
        alone += part[2]
    return _close(totals, shared, alone)


def count_deals(hero: int) -> Ints:
    """Return the ways to deal a class of hands and two others, (169, 169), without a board."""
    # As on a board of no cards on which the hero beats everybody.
    plan = layout()
    heroes = np.flatnonzero(plan.classes == hero)
    total = np.zeros((CLASSES, CLASSES), np.int64)
    for place in heroes.tolist():
        ranks = np.ones((1, COMBOS), np.uint16)
        ranks[0, place] = 2
        parts = _empty()
        _count(
            place, ranks, np.ones(1, np.uint16), 0, 1,
            plan.cards, plan.classes, plan.kinds, plan.members, *parts,
        )  # fmt: skip
        total += _close(*parts)[0]
    return total


def _empty() -> tuple[Ints, Ints, Ints]:
    totals = np.zeros((3, CLASSES, CLASSES), np.int64)
    shared = np.zeros((3, RANKS * OF_RANK, OF_RANK), np.int64)
    return totals, shared, np.zeros((2, CLASSES), np.int64)


def _close(totals: Ints, shared: Ints, alone: Ints) -> Ints:
    # Pairs of holdings that share a card are taken out, and a holding with itself put back.
    upper = np.triu(totals[0])
    totals[0] = upper + upper.T - np.diag(np.diag(upper))
    for rank, names in enumerate(layout().class_of):
        square = np.ix_(names, names)
        for table in range(3):
            totals[table][square] -= shared[table, rank * OF_RANK : (rank + 1) * OF_RANK]
    for table, kind in ((0, LOWER), (2, TIED)):
        totals[table][np.diag_indices(CLASSES)] += alone[kind]
    return totals
