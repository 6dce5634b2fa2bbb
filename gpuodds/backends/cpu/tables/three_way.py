"""Three starting hands against each other before the flop, all of them at once.

Fix a hero's combo x and a full board. The combos of class b that x beats are n_b, those of them
with card c are n_b(c); both without the combos that share a card with x or the board. Ways to deal
one of class b and one of class c that x beats both are, by inclusion and exclusion over the card that
they may share,

    n_b n_c - sum over cards of n_b(card) n_c(card) + [b = c] n_b

where the last term gives back a combo and itself, which share two cards. For combos that tie with x
it is the same, and for one of each kind the last term is 0. So each combo and board adds three
products of vectors to tables of 169 x 169 and, for each rank, of 25 x 25: the classes with that rank.

The sums of products are made by :mod:`gpuodds.backends.cpu.tables.three_way_sums`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.arrays.combos import rank_combos
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.tables.three_way_sums import (
    ABSENT,
    CLASSES,
    LANES,
    ONE,
    WIDTH,
    Places,
    Totals,
    add_boards,
    add_boards_folded,
    find_lanes,
    find_places,
)
from gpuodds.cards import DECK_SIZE, RANKS
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import starting_hands
from gpuodds.games.shared.boards import canonical_boards
from gpuodds.games.shared.combos import COMBOS, combo_cards

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

PAIRS, OTHERS = 13, 78
OF_RANK = 25  # classes with a rank: its pair, suited and offsuit with each other rank
RANK_COUNT = 13
PRODUCTS = 3
FOLDED_PRODUCTS = 2

LOWER, TIED = 0, 1


class Layout(NamedTuple):
    """Which combos stand for what.

    ``classes`` (1326,) are the classes of the combos: pairs from the deuces, then suited and offsuit in
    the order of (higher rank, lower rank); ``cards`` (1326, 2) are their cards. ``members`` (52, 25, 3)
    are the combos with a card by the 25 classes with its rank, -1 for no combo, and ``class_of``
    (13, 25) those classes.
    """

    classes: Ints
    cards: Ints
    members: Ints
    class_of: Ints


class Sums(NamedTuple):
    """Sums over a hero's combos and boards, all int64.

    ``totals`` (3, 169, 169): products of numbers, lower and lower (its upper triangle), tied and lower,
    tied and tied; ``shared`` (3, 325, 25): those by the card that two combos share, a row for each rank
    and class with it; ``alone`` (2, 169): the numbers of lower and tied combos.
    """

    totals: Ints
    shared: Ints
    alone: Ints


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
    cards = combo_cards().astype(np.int64)
    classes = np.zeros(COMBOS, np.int64)
    class_of = np.zeros((RANK_COUNT, OF_RANK), np.int64)
    members = np.full((DECK_SIZE, OF_RANK, 3), -1, np.int64)
    listed = np.zeros((DECK_SIZE, OF_RANK), np.int64)
    for combo, (low, high) in enumerate(cards.tolist()):
        classes[combo] = _class_of_cards(low, high)
        for card, rank, other in ((low, low >> 2, high >> 2), (high, high >> 2, low >> 2)):
            other_rank = other - (other > rank)  # 0 to 11
            kind = 0 if rank == other else 1 + other_rank + (0 if low & 3 == high & 3 else 12)
            class_of[rank, kind] = classes[combo]
            members[card, kind, listed[card, kind]] = combo
            listed[card, kind] += 1
    return Layout(classes, cards, members, class_of)


def _class_of_cards(low: int, high: int) -> int:
    return class_number(high >> 2, low >> 2, low & 3 == high & 3)


@lru_cache(maxsize=1)
def _ranks() -> tuple[UInt16s, UInt16s]:
    # All canonical boards' ranks, 357 MB; those that count alike follow one another.
    boards, times = canonical_boards()
    order = np.argsort(times, kind="stable")
    ranks = np.empty((len(boards), COMBOS), np.uint16)
    for begin in range(0, len(boards), 4096):
        ranks[begin : begin + 4096] = rank_combos(boards[order[begin : begin + 4096]], HOLDEM)
    return ranks, times[order]


def count_three_way(hero: int, ranks: Any = None, times: Any = None) -> Ints:
    """Count how a class of hands fares against each two others.

    ``hero`` is a :func:`class_number`. Returns int64 (3, 169, 169), by the classes b and c of two other
    players: deals and boards in which the hero beats both, ties with b and beats c, ties with both.
    ``ranks`` (boards, 1326) and ``times`` are those of all boards unless given.
    """

    def add(question: _Question, begin: int, end: int, totals: Totals) -> None:
        heroes, blocked, ranks, times, places = question
        add_boards(heroes, blocked, ranks, times, begin, end, places, totals)

    return close(_arrange(_sum_up(hero, ranks, times, PRODUCTS, add)))


def count_folded(hero: int, opponents: Ints, ranks: Any = None, times: Any = None) -> Ints:
    """Count how a class of hands fares against another when a third player has folded.

    Args:
        hero: A :func:`class_number`.
        opponents: The classes of opponents that are wanted, (n,).
        ranks: Hand ranks (boards, 1326). Default: those of all boards.
        times: How often each board counts, (boards,).

    Returns:
        int64 (2, 169, 169), by the opponent's class, 0 for those that are not wanted, and the folded
        player's: deals and boards in which the hero beats the opponent, and in which they tie.
    """
    wanted = np.isin(find_lanes(class_number), opponents).astype(np.uint16)

    def add(question: _Question, begin: int, end: int, totals: Totals) -> None:
        heroes, blocked, ranks, times, places = question
        add_boards_folded(heroes, blocked, ranks, times, begin, end, places, wanted, totals)

    totals = _sum_up(hero, ranks, times, FOLDED_PRODUCTS, add)
    return close_folded(_arrange_folded(totals), opponents)


class _Question(NamedTuple):
    # What is summed over: see add_boards.
    heroes: Ints
    blocked: npt.NDArray[np.int16]
    ranks: UInt16s
    times: UInt16s
    places: Places


def _sum_up(
    hero: int, ranks: Any, times: Any, products: int, add: Callable[[_Question, int, int, Totals], None]
) -> Totals:
    """Return the sums of ``add`` over all boards, made by all threads."""
    if ranks is None:
        ranks, times = _ranks()
    heroes = np.flatnonzero(layout().classes == hero)
    cards = layout().cards
    taken = (cards[heroes][:, :, None, None] == cards).any(axis=(1, 3))  # (heroes, 1326)
    places = find_places(_class_of_cards)
    blocked = np.where(taken[:, places.combos] | (places.real == 0), ABSENT, 0).astype(np.int16, "C")
    question = _Question(heroes, blocked, ranks, times, places)
    parts: list[Totals] = []

    def work(begin: int, end: int) -> None:
        totals = _empty(products)
        add(question, begin, end, totals)
        parts.append(totals)

    with thread_pool(thread_count()) as run:
        run(work, len(ranks))
    total = _empty(products)
    for part in parts:
        for to, values in zip(total, part, strict=True):
            to += values
    return total


def _empty(products: int) -> Totals:
    return Totals(
        np.zeros(products * CLASSES * WIDTH, np.int64),
        np.zeros(products * RANK_COUNT * (2 * LANES) ** 2, np.int64),
    )


def _arrange(totals: Totals) -> Sums:
    """Bring sums into the order of the layout."""
    classes = totals.classes.reshape(PRODUCTS, CLASSES, WIDTH)
    kinds = totals.kinds.reshape(PRODUCTS, RANK_COUNT, 2 * LANES, 2 * LANES)
    upper = np.triu(classes[2, :, :CLASSES])
    classes[2, :, :CLASSES] = upper + np.triu(upper, 1).T
    for product in (0, 2):
        kinds[product, :, LANES:, :LANES] = kinds[product, :, :LANES, LANES:].swapaxes(1, 2)
    return _in_order(classes, kinds)


def _arrange_folded(totals: Totals) -> Sums:
    classes = totals.classes.reshape(FOLDED_PRODUCTS, CLASSES, WIDTH)
    return _in_order(classes, totals.kinds.reshape(FOLDED_PRODUCTS, RANK_COUNT, 2 * LANES, 2 * LANES))


def _in_order(classes: Ints, kinds: Ints) -> Sums:
    shared = np.empty((len(kinds), RANK_COUNT, OF_RANK, OF_RANK), np.int64)
    for rank in range(RANK_COUNT):
        other_ranks = [other for other in range(RANK_COUNT) if other != rank]
        lanes = [LANES + rank, *other_ranks, *(LANES + other for other in other_ranks)]
        shared[:, rank] = kinds[:, rank][:, lanes][:, :, lanes]
    return Sums(
        np.ascontiguousarray(classes[:, :, :CLASSES]),
        shared.reshape(len(kinds), -1, OF_RANK),
        np.ascontiguousarray(classes[:2, :, ONE]),
    )


def close(sums: Sums) -> Ints:
    """Return the counts (3, 169, 169): without pairs of combos that share a card."""
    # What two combos share both cards with, a combo and itself, was taken out twice.
    totals, shared, alone = sums
    upper = np.triu(totals[0])
    totals[0] = upper + upper.T - np.diag(np.diag(upper))
    _take_out(totals, shared)
    for table, kind in ((0, LOWER), (2, TIED)):
        totals[table][np.diag_indices(CLASSES)] += alone[kind]
    return totals


def close_folded(sums: Sums, opponents: Ints) -> Ints:
    """Return the counts (2, 169, 169): without pairs of combos that share a card."""
    totals, shared, alone = sums
    _take_out(totals, shared)
    for table in range(FOLDED_PRODUCTS):
        totals[table][np.diag_indices(CLASSES)] += alone[table]
    counts = np.zeros_like(totals)
    counts[:, opponents] = totals[:, opponents]
    return counts


def _take_out(totals: Ints, shared: Ints) -> None:
    for rank, names in enumerate(layout().class_of):
        square = np.ix_(names, names)
        for table in range(len(totals)):
            totals[table][square] -= shared[table, rank * OF_RANK : (rank + 1) * OF_RANK]
