"""Add the tied combos of a level to the lower ones, and take them away again.

A player's combos of a level are added together, as rows of cards: if V_i are the weights of his tied
combos, with sums v_i by card,

    M_ij += V_i W_j    M_ji += W_j V_i    r_ij += W_j v_i    r_ji += V_i d_j

Few cards have tied combos, and only their rows are added. Of M only the rows from which a level's
combos are counted are kept up to date: they are found anew for each level.

The sums are those of :mod:`gpuodds.backends.cpu.ranges.three_opponents.sums`.
"""

from __future__ import annotations

from gpuodds.backends.cpu.compile.jit import (
    compiled_without_refcounts,
    inlined_without_refcounts,
    lowest_bit,
)
from gpuodds.backends.cpu.compile.lanes import (
    add_number,
    lane_count,
    load_lanes,
    number_at,
    put_number,
    spread,
    store_lanes,
)
from gpuodds.backends.cpu.ranges.combo_lists import Lists
from gpuodds.backends.cpu.ranges.three_opponents.matchups import TRIPLE_COLUMNS, Matchups
from gpuodds.backends.cpu.ranges.three_opponents.sums import (
    WHOLE_DECK,
    Numbers,
    OpponentSums,
    Total,
    clear_rows,
    is_weighted,
    row_length,
)
from gpuodds.cards import DECK_SIZE


@compiled_without_refcounts
def open_level(with_pairs: bool, lists: Lists, matchups: Matchups, sums: OpponentSums) -> None:
    """Fill the sums of the tied combos, which are zero; with those of pairs of players or without."""
    rows, partners, cards = sums.rows, sums.partners, sums.cards
    width, players = row_length(rows), lists.begins.size
    pairs = players * (players - 1) >> 1
    for player in range(players):
        tied = player + players
        for at in range(lists.begins[player], lists.ends[player]):
            combo = number_at(lists.combos, player * lists.combos.shape[1] + at)
            x, y = combo & 63, combo >> 6 & 63
            xy, yx = x * width + y, y * width + x
            weight = number_at(matchups.weights, player * DECK_SIZE * width + xy)
            put_number(rows, tied * DECK_SIZE * width + xy, weight)
            put_number(rows, tied * DECK_SIZE * width + yx, weight)
            add_number(partners, tied * DECK_SIZE + x, 1 << y)
            add_number(partners, tied * DECK_SIZE + y, 1 << x)
            add_number(cards, tied * width + x, weight)
            add_number(cards, tied * width + y, weight)
            add_number(sums.totals, tied, weight)
            sums.held[tied] |= 1 << x | 1 << y
            if not with_pairs:
                continue
            for other in range(player):
                product = weight * rows[other + players, x, y]
                if product != 0:
                    _add_to_pair(matchups.pair_of[player, other] + pairs, x, y, product, sums)
            for other in range(matchups.active, players):
                product = weight * rows[other, x, y]
                if product != 0:
                    _add_to_pair(matchups.pair_of[player, other] + 2 * pairs, x, y, product, sums)


@inlined_without_refcounts
def _add_to_pair(pair: int, x: int, y: int, product: float, sums: OpponentSums) -> None:
    """Add a combo that two players have."""
    width = row_length(sums.both)
    add_number(sums.both, pair * width + x, product)
    add_number(sums.both, pair * width + y, product)
    add_number(sums.both_totals, pair, product)


@compiled_without_refcounts
def close_level(with_pairs: bool, lists: Lists, sums: OpponentSums) -> None:
    """Make the sums of the tied combos zero, as :func:`open_level` found them."""
    rows, width, players = sums.rows, row_length(sums.rows), lists.begins.size
    pairs = players * (players - 1) >> 1
    for tied in range(players, 2 * players):
        left = number_at(sums.held, tied)
        while left:
            card = tied * DECK_SIZE + lowest_bit(left)
            left &= left - 1
            put_number(sums.partners, card, 0)
            clear_rows(rows, card * width, (card + 1) * width)
        put_number(sums.held, tied, 0)
        put_number(sums.totals, tied, 0)
        clear_rows(sums.cards, tied * width, (tied + 1) * width)
    if with_pairs:
        clear_rows(sums.both, pairs * width, 3 * pairs * width)
        sums.both_totals[0, pairs:] = 0


@compiled_without_refcounts
def find_steps(begun: int, matchups: Matchups, sums: OpponentSums) -> None:
    """Find the steps of lower combos that begin at some cards, a bit each; of others none are known."""
    width = row_length(sums.rows)
    for arc in range(matchups.arcs.shape[0]):
        left = begun
        while left:
            to = (arc * DECK_SIZE + lowest_bit(left)) * width
            left &= left - 1
            clear_rows(sums.steps, to, to + width)
        j, k = number_at(matchups.arcs, 2 * arc), number_at(matchups.arcs, 2 * arc + 1)
        _add_steps(1, begun, j, k, WHOLE_DECK, arc, sums)


@compiled_without_refcounts
def add_level(
    players: int, sign: int, begun: int, lists: Lists, matchups: Matchups, sums: OpponentSums
) -> None:
    """Add the tied combos of a set of players to their lower ones; with a sign of -1 take them away.

    ``begun`` are the cards from which steps are known: all cards of tied combos, at least. The level is
    open.
    """
    rows, cards, reached, width = sums.rows, sums.cards, sums.reached, row_length(sums.rows)
    for i in range(lists.begins.size):
        if not players >> i & 1 or lists.begins[i] == lists.ends[i]:
            continue
        tied = i + lists.begins.size
        held = number_at(sums.held, tied)
        for arc in range(matchups.arcs.shape[0]):
            j, k = number_at(matchups.arcs, 2 * arc), number_at(matchups.arcs, 2 * arc + 1)
            to, size = arc * width, DECK_SIZE * width
            if i == j:
                _add_rows(sign, held, cards, tied * width, rows, k * size, reached, to)
                _add_steps(sign, held, tied, k, WHOLE_DECK, arc, sums)
            elif i == k:
                _add_rows(sign, held, cards, j * width, rows, tied * size, reached, to)
                _add_steps(sign, begun, j, tied, held, arc, sums)
        for triple in range(matchups.triples.shape[0]):
            for turn in range(3):
                # The arc from the next of the three to the one after it.
                if number_at(matchups.triples, triple * TRIPLE_COLUMNS + turn) == i:
                    after = turn + 1 if turn < 2 else 0
                    arc = number_at(matchups.triples, triple * TRIPLE_COLUMNS + 3 + after)
                    _add_to_three(sign, i, arc, triple, lists, matchups, sums)
        _add_to_pairs(sign, i, lists, matchups, sums)
        _add_to_rows(sign, i, lists, sums)


@inlined_without_refcounts
def _add_steps(sign: int, begun: int, j: int, k: int, met: int, arc: int, sums: OpponentSums) -> None:
    """Add the steps from some cards by a combo of j, then one of k, that meet at a card of ``met``.

    ``j`` or ``k`` is more than the players if the combos are the tied ones.
    """
    rows, width, left = sums.rows, row_length(sums.rows), begun
    while left:
        card = lowest_bit(left)
        left &= left - 1
        by = (j * DECK_SIZE + card) * width if is_weighted(rows) else -1
        partners = number_at(sums.partners, j * DECK_SIZE + card) & met
        if partners:
            to = (arc * DECK_SIZE + card) * width
            _add_rows(sign, partners, rows, by, rows, k * DECK_SIZE * width, sums.steps, to)


@inlined_without_refcounts
def _add_rows(
    sign: int, cards: int, factors: Numbers, by: int, rows: Numbers, of_rows: int,
    into: Numbers, to: int,
) -> None:  # fmt: skip
    """Add the rows of some cards, a bit each, to a row, each times the card's number in a row ``by``.

    If ``by`` is negative each card counts once.
    """
    width, lanes = row_length(rows), lane_count(rows)
    blocks = width // (4 * lanes) * (4 * lanes)
    for x in range(0, blocks, 4 * lanes):
        at_0, at_1, at_2, at_3 = spread(0, rows), spread(0, rows), spread(0, rows), spread(0, rows)
        left = cards
        while left:
            card = lowest_bit(left)
            at = of_rows + card * width + x
            left &= left - 1
            if by < 0:
                at_0 = at_0 + load_lanes(rows, at)
                at_1 = at_1 + load_lanes(rows, at + lanes)
                at_2 = at_2 + load_lanes(rows, at + 2 * lanes)
                at_3 = at_3 + load_lanes(rows, at + 3 * lanes)
            else:
                factor = spread(number_at(factors, by + card), rows)
                at_0 = at_0 + factor * load_lanes(rows, at)
                at_1 = at_1 + factor * load_lanes(rows, at + lanes)
                at_2 = at_2 + factor * load_lanes(rows, at + 2 * lanes)
                at_3 = at_3 + factor * load_lanes(rows, at + 3 * lanes)
        factor = spread(sign, rows)
        store_lanes(into, to + x, load_lanes(into, to + x) + factor * at_0)
        at = to + x + lanes
        store_lanes(into, at, load_lanes(into, at) + factor * at_1)
        at += lanes
        store_lanes(into, at, load_lanes(into, at) + factor * at_2)
        at += lanes
        store_lanes(into, at, load_lanes(into, at) + factor * at_3)
    for x in range(blocks, width, lanes):
        found, left = spread(0, rows), cards
        while left:
            card = lowest_bit(left)
            left &= left - 1
            factor = spread(number_at(factors, by + card), rows)
            found = found + factor * load_lanes(rows, of_rows + card * width + x)
        store_lanes(into, to + x, load_lanes(into, to + x) + spread(sign, rows) * found)


@inlined_without_refcounts
def _tied_combo(
    sign: int, i: int, number: int, lists: Lists, matchups: Matchups
) -> tuple[int, int, Total]:
    """Return the cards of a player's tied combo and its weight, with a sign."""
    combo = number_at(lists.combos, i * lists.combos.shape[1] + number)
    x, y = combo & 63, combo >> 6 & 63
    place = (i * DECK_SIZE + x) * row_length(matchups.weights) + y
    return x, y, sign * number_at(matchups.weights, place)


@inlined_without_refcounts
def _add_to_three(
    sign: int, i: int, arc: int, triple: int, lists: Lists, matchups: Matchups, sums: OpponentSums
) -> None:
    """Add tied combos to those that three have, and to their triangles: the others' are an arc's."""
    rows, steps = sums.rows, sums.steps
    width = row_length(rows)
    j, k = number_at(matchups.arcs, 2 * arc), number_at(matchups.arcs, 2 * arc + 1)
    of_j, of_k, of_arc = j * DECK_SIZE * width, k * DECK_SIZE * width, arc * DECK_SIZE * width
    total, closed = 0 * number_at(sums.all_totals, triple), 0 * number_at(sums.all_totals, triple)
    for number in range(lists.begins[i], lists.ends[i]):
        x, y, weight = _tied_combo(sign, i, number, lists, matchups)
        xy, yx = x * width + y, y * width + x
        product = weight * number_at(rows, of_j + xy) * number_at(rows, of_k + xy)
        add_number(sums.all_three, triple * width + x, product)
        add_number(sums.all_three, triple * width + y, product)
        total += product
        closed += weight * (number_at(steps, of_arc + xy) + number_at(steps, of_arc + yx))
    add_number(sums.all_totals, triple, total)
    add_number(sums.triangles, triple, closed)


@inlined_without_refcounts
def _add_to_pairs(sign: int, i: int, lists: Lists, matchups: Matchups, sums: OpponentSums) -> None:
    """Add tied combos to those that two have."""
    rows, width, players = sums.rows, row_length(sums.rows), matchups.pair_of.shape[0]
    for number in range(lists.begins[i], lists.ends[i]):
        x, y, weight = _tied_combo(sign, i, number, lists, matchups)
        for j in range(players):
            product = weight * number_at(rows, (j * DECK_SIZE + x) * width + y)
            if product != 0 and j != i:
                _add_to_pair(number_at(matchups.pair_of, i * players + j), x, y, product, sums)


@inlined_without_refcounts
def _add_to_rows(sign: int, i: int, lists: Lists, sums: OpponentSums) -> None:
    """Add tied combos to a player's weights, their sums, and the partners of their cards."""
    rows, width, tied = sums.rows, row_length(sums.rows), i + lists.begins.size
    factor, left = spread(sign, rows), number_at(sums.held, tied)
    while left:
        card = lowest_bit(left)
        left &= left - 1
        of_i, of_tied = i * DECK_SIZE + card, tied * DECK_SIZE + card
        add_number(sums.partners, of_i, sign * number_at(sums.partners, of_tied))
        for x in range(0, width, lane_count(rows)):
            more = factor * load_lanes(rows, of_tied * width + x)
            store_lanes(rows, of_i * width + x, load_lanes(rows, of_i * width + x) + more)
    for x in range(0, width, lane_count(rows)):
        more = factor * load_lanes(sums.cards, tied * width + x)
        store_lanes(sums.cards, i * width + x, load_lanes(sums.cards, i * width + x) + more)
    add_number(sums.totals, i, sign * number_at(sums.totals, tied))
