"""Ranges against ranges: count the deals that each holding wins or splits, without listing deals.

Fix a full board and a holding h of one player, the *hero*, of rank r. Each other player j holds one
of his holdings of lower rank (L) or of equal rank (E), all disjoint from h and from each other. With
two others, j and k, the weighted number of such pairs is, by inclusion and exclusion over the cards
that they could share,

    A_j A_k - sum over cards c of A_j(c) A_k(c) + sum over holdings e of a_j(e) a_k(e)

where A is the sum of a player's weights over what he may hold, A(c) over those holdings with card c. So
it costs a loop over 52 cards instead of one over pairs of holdings. Going through the holdings in order
of rank keeps the sums of L up to date, and taking a holding (u, v) out of the deck changes them by

    A' = A - A(u) - A(v) + a(uv)        A'(c) = A(c) - a(uc) - a(vc)

With more than two others all but the two widest ranges are listed, each holding taken out in turn.

Sums are float64. With weights 0 and 1 all numbers of one board are integers below 2**53 for up to five
players, so nothing is rounded; over boards they are added as int64.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.jit import compiled, inlined, lowest_bit, popcount, vectorised
from gpuodds.backends.cpu.threads import thread_count, workers
from gpuodds.backends.protocol import Progress
from gpuodds.games.holdem.combos import combo_cards
from gpuodds.games.holdem.hand_names import CATEGORIES, CATEGORY_RANKS
from gpuodds.games.holdem.hand_ranks import SIX_CARDS, HandRankTables, hand_rank_tables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

CARDS = 52
RANK_WORDS = 117  # of 64 bits: a bit for each hand rank
EVERYTHING = 1e8  # above every hand rank
NOT_DEALT = 1e9  # above that
CATEGORY_ENDS = tuple(ranks.stop for ranks in CATEGORY_RANKS)
LOWER, EQUAL = 0, 1
PIECES = 64  # of work at most
SMALLEST = 100_000  # boards x holdings of a piece at the least


@compiled
def sort_holdings(
    board: UInt8s, pairs: Ints, tables: HandRankTables, plain: Ints, room: Ints, order: Ints
) -> int:
    """List the holdings that can be dealt on a board by ascending rank; without a board all tie.

    ``pairs`` (n, 2) are their cards. ``order`` (3, n) receives ranks and holdings in that order, and
    for each holding its rank, 0 if it cannot be dealt; returns how many can. ``plain`` (13, 13) is
    room, ``room`` (7605,) is, too, and zero before and after.
    """
    if board.size == 0:
        for h in range(pairs.shape[0]):
            order[0, h] = 1
            order[1, h] = h
            order[2, h] = 1
        return pairs.shape[0]
    dealt = 0
    state = np.int64(0)
    suited = 0
    for i in range(5):
        card = np.int64(board[i])
        dealt |= 1 << card
        suited |= 1 << (16 * (card & 3) + (card >> 2))
        state = np.int64(tables.step[state, card >> 2])
    flush_suit = -1
    flush_ranks = 0
    for suit in range(4):
        ranks = suited >> 16 * suit & 0x1FFF
        if popcount(ranks) >= 3:
            flush_suit = suit
            flush_ranks = ranks
    for first in range(13):
        six = np.int64(tables.step[state, first]) - SIX_CARDS
        for second in range(13):
            plain[first, second] = tables.rank_7[six, second] if six >= 0 else 0
    # A counting sort: how many have each rank, where those of each rank begin, each to its place.
    places, present = room[: 64 * RANK_WORDS], room[64 * RANK_WORDS :]
    found = pairs.shape[0]
    rank_of = order[2]
    flush = tables.flush
    for h in range(pairs.shape[0]):
        a, b = int(pairs[h, 0]), int(pairs[h, 1])
        if (dealt >> a | dealt >> b) & 1:
            rank_of[h] = 0
            found -= 1
            continue
        best = plain[a >> 2, b >> 2]
        if flush_suit >= 0:
            ranks = flush_ranks
            ranks |= np.int64(a & 3 == flush_suit) << (a >> 2)
            ranks |= np.int64(b & 3 == flush_suit) << (b >> 2)
            best = max(best, np.int64(flush[ranks]))
        rank_of[h] = best
        places[best] += 1
        present[best >> 6] |= 1 << (best & 63)
    at = 0
    for word in range(RANK_WORDS):
        left = present[word]
        while left:
            rank = word << 6 | lowest_bit(left)
            left &= left - 1
            count = places[rank]
            places[rank] = at
            at += count
    ranks, holdings = order[0], order[1]
    for h in range(rank_of.size):
        rank = rank_of[h]
        if rank:
            place = places[rank]
            ranks[place] = rank
            holdings[place] = h
            places[rank] = place + 1
    for place in range(found):
        places[ranks[place]] = 0
    for word in range(RANK_WORDS):
        present[word] = 0
    return found


@vectorised
def close_two(
    u: int,
    v: int,
    rank: float,
    gone: int,
    ties: bool,
    ranks: Floats,
    weights: Floats,
    sums: Floats,
    cards: Floats,
    out: Floats,
) -> None:
    """Take (u, v) out and count the pairs of disjoint holdings of two players.

    ``sums`` (3, 2) and ``cards`` (3, 2, 52) are A and A(c) of player j, of player k and of both at once
    (a_j a_k), for L and for E; ``weights`` (3, 52, 52) are a_j, a_k and a_j a_k. ``gone`` are the cards
    taken out before, as bits. ``out`` (4,) receives the numbers for j and k in (L, L), (E, L), (L, E)
    and (E, E); without ``ties`` E is empty for both.
    """
    jx, jy = weights[0, u], weights[0, v]
    kx, ky = weights[1, u], weights[1, v]
    rx, ry = ranks[u], ranks[v]
    lower_j, lower_k = cards[0, 0], cards[1, 0]
    meet = ranks[u, v]
    below = 1.0 if meet < rank else 0.0
    out_cards = gone | 1 << u | 1 << v
    shared = 0.0
    for c in range(CARDS):
        one = lower_j[c] - (jx[c] if rx[c] < rank else 0.0) - (jy[c] if ry[c] < rank else 0.0)
        two = lower_k[c] - (kx[c] if rx[c] < rank else 0.0) - (ky[c] if ry[c] < rank else 0.0)
        shared += one * two
    left = out_cards
    while left:
        c = lowest_bit(left)
        left &= left - 1
        one = lower_j[c] - (jx[c] if rx[c] < rank else 0.0) - (jy[c] if ry[c] < rank else 0.0)
        two = lower_k[c] - (kx[c] if rx[c] < rank else 0.0) - (ky[c] if ry[c] < rank else 0.0)
        shared -= one * two
    total_lj = sums[0, 0] - lower_j[u] - lower_j[v] + weights[0, u, v] * below
    total_lk = sums[1, 0] - lower_k[u] - lower_k[v] + weights[1, u, v] * below
    both = sums[2, 0] - cards[2, 0, u] - cards[2, 0, v] + weights[2, u, v] * below
    out[0] = total_lj * total_lk - shared + both
    out[1] = 0.0
    out[2] = 0.0
    out[3] = 0.0
    if not ties:
        return
    equal_j, equal_k = cards[0, 1], cards[1, 1]
    level = 1.0 if meet == rank else 0.0
    total_ej = sums[0, 1] - equal_j[u] - equal_j[v] + weights[0, u, v] * level
    total_ek = sums[1, 1] - equal_k[u] - equal_k[v] + weights[1, u, v] * level
    if total_ej == 0.0 and total_ek == 0.0:
        return
    both = sums[2, 1] - cards[2, 1, u] - cards[2, 1, v] + weights[2, u, v] * level
    lower_equal = 0.0
    equal_lower = 0.0
    equal_equal = 0.0
    for c in range(CARDS):
        lj = lower_j[c] - (jx[c] if rx[c] < rank else 0.0) - (jy[c] if ry[c] < rank else 0.0)
        lk = lower_k[c] - (kx[c] if rx[c] < rank else 0.0) - (ky[c] if ry[c] < rank else 0.0)
        ej = equal_j[c] - (jx[c] if rx[c] == rank else 0.0) - (jy[c] if ry[c] == rank else 0.0)
        ek = equal_k[c] - (kx[c] if rx[c] == rank else 0.0) - (ky[c] if ry[c] == rank else 0.0)
        lower_equal += lj * ek
        equal_lower += ej * lk
        equal_equal += ej * ek
    left = out_cards
    while left:
        c = lowest_bit(left)
        left &= left - 1
        lj = lower_j[c] - (jx[c] if rx[c] < rank else 0.0) - (jy[c] if ry[c] < rank else 0.0)
        lk = lower_k[c] - (kx[c] if rx[c] < rank else 0.0) - (ky[c] if ry[c] < rank else 0.0)
        ej = equal_j[c] - (jx[c] if rx[c] == rank else 0.0) - (jy[c] if ry[c] == rank else 0.0)
        ek = equal_k[c] - (kx[c] if rx[c] == rank else 0.0) - (ky[c] if ry[c] == rank else 0.0)
        lower_equal -= lj * ek
        equal_lower -= ej * lk
        equal_equal -= ej * ek
    out[1] = total_ej * total_lk - equal_lower
    out[2] = total_lj * total_ek - lower_equal
    out[3] = total_ej * total_ek - equal_equal + both


@vectorised
def take_out(
    u: int,
    v: int,
    rank: float,
    ranks: Floats,
    weights: Floats,
    gone: int,
    sums: Floats,
    cards: Floats,
    new_sums: Floats,
    new_cards: Floats,
) -> None:
    """Take (u, v) out of sums: those of j, k and both, whose ``weights`` are (3, 52, 52).

    ``gone`` are the cards taken out before, as bits; their entries of ``cards`` are 0 and stay so.
    """
    rx, ry = ranks[u], ranks[v]
    meet = ranks[u, v]
    for p in range(3):
        wx, wy = weights[p, u], weights[p, v]
        for kind in range(2):
            old, new = cards[p, kind], new_cards[p, kind]
            inside = weights[p, u, v] if (meet < rank if kind == 0 else meet == rank) else 0.0
            new_sums[p, kind] = sums[p, kind] - old[u] - old[v] + inside
            if kind == 0:
                for c in range(CARDS):
                    new[c] = (
                        old[c] - (wx[c] if rx[c] < rank else 0.0) - (wy[c] if ry[c] < rank else 0.0)
                    )
            else:
                for c in range(CARDS):
                    from_x = wx[c] if rx[c] == rank else 0.0
                    from_y = wy[c] if ry[c] == rank else 0.0
                    new[c] = old[c] - from_x - from_y
            left = gone | 1 << u | 1 << v
            while left:
                new[lowest_bit(left)] = 0.0
                left &= left - 1


@compiled
def add_class(
    order: Ints,
    begin: int,
    end: int,
    pairs: Ints,
    weights: Floats,
    sums: Floats,
    cards: Floats,
    to: int,
) -> None:
    """Add the holdings ``order[begin:end]`` to the sums of L (``to`` 0) or E (1) of every hero.

    ``weights`` (heroes, 3, 52, 52), ``sums`` (heroes, 3, 2), ``cards`` (heroes, 3, 2, 52). Holdings
    that are added to L leave E.
    """
    for at in range(begin, end):
        h = order[1, at]
        a, b = int(pairs[h, 0]), int(pairs[h, 1])
        for hero in range(weights.shape[0]):
            for p in range(3):
                weight = weights[hero, p, a, b]
                if weight != 0.0:
                    sums[hero, p, to] += weight
                    cards[hero, p, to, a] += weight
                    cards[hero, p, to, b] += weight
                    if to == LOWER:
                        sums[hero, p, EQUAL] = 0.0
                        cards[hero, p, EQUAL, a] = 0.0
                        cards[hero, p, EQUAL, b] = 0.0


@inlined
def hand_category(rank: int) -> int:
    """Return the category of a hand rank, 0 (high card) to 8 (straight flush)."""
    category = 0
    while rank >= CATEGORY_ENDS[category]:
        category += 1
    return category


@inlined
def add_term(sums: Floats, errors: Floats, hero: int, h: int, to: int, term: float) -> None:
    """Add a term to a sum, and what rounding loses of it to its error: Neumaier's summation."""
    before = sums[hero, h, to]
    total = before + term
    if abs(before) >= abs(term):
        errors[hero, h, to] += (before - total) + term
    else:
        errors[hero, h, to] += (term - total) + before
    sums[hero, h, to] = total


@compiled
def count_two(
    boards: UInt8s,
    times: Ints,
    begin: int,
    end: int,
    pairs: Ints,
    tables: HandRankTables,
    weights: Floats,
    exact: Ints,
    sums: Floats,
    errors: Floats,
    made: Floats,
) -> None:
    """Count, for each holding of two players, the other's holdings that it beats or ties.

    As :func:`count_boards`, for two players with ``weights`` (2, m); the results have the shape (2, m,
    2): wins and ties; ``made`` (2, 9, 3) has, beside these, all deals.
    """
    holdings = pairs.shape[0]
    plain = np.zeros((13, 13), np.int64)
    order = np.zeros((3, holdings), np.int64)
    room = np.zeros(RANK_WORDS * 65, np.int64)
    # Rows of their own: an array of several dimensions costs a multiplication at each step.
    low_cards, high_cards = pairs[:, 0].copy(), pairs[:, 1].copy()
    own_0, own_1 = weights[0], weights[1]
    lower_0, lower_1 = np.zeros(CARDS, np.float64), np.zeros(CARDS, np.float64)
    equal_0, equal_1 = np.zeros(CARDS, np.float64), np.zeros(CARDS, np.float64)
    ranks, sorted_holdings, rank_of = order[0], order[1], order[2]
    for number in range(begin, end):
        dealt = sort_holdings(boards[number], pairs, tables, plain, room, order)
        count = times[number]
        total_0, total_1 = 0.0, 0.0
        lower_0[:] = 0.0
        lower_1[:] = 0.0
        first = 0
        while first < dealt:
            last = first
            rank = ranks[first]
            level_0, level_1 = 0.0, 0.0
            while last < dealt and ranks[last] == rank:
                h = sorted_holdings[last]
                a, b = low_cards[h], high_cards[h]
                weight_0, weight_1 = own_0[h], own_1[h]
                level_0 += weight_0
                level_1 += weight_1
                equal_0[a] += weight_0
                equal_0[b] += weight_0
                equal_1[a] += weight_1
                equal_1[b] += weight_1
                last += 1
            for place in range(first, last):
                h = sorted_holdings[place]
                a, b = low_cards[h], high_cards[h]
                weight_0, weight_1 = own_0[h], own_1[h]
                if weight_0 != 0.0:
                    wins = total_1 - lower_1[a] - lower_1[b]
                    ties = level_1 - equal_1[a] - equal_1[b] + weight_1
                    if exact.size:
                        exact[0, h, 0] += count * np.int64(wins)
                        exact[0, h, 1] += count * np.int64(ties)
                    else:
                        add_term(sums, errors, 0, h, 0, count * wins)
                        add_term(sums, errors, 0, h, 1, count * ties)
                    if made.size:
                        category = hand_category(rank)
                        made[0, category, 0] += count * weight_0 * wins
                        made[0, category, 1] += count * weight_0 * ties
                if weight_1 != 0.0:
                    wins = total_0 - lower_0[a] - lower_0[b]
                    ties = level_0 - equal_0[a] - equal_0[b] + weight_0
                    if exact.size:
                        exact[1, h, 0] += count * np.int64(wins)
                        exact[1, h, 1] += count * np.int64(ties)
                    else:
                        add_term(sums, errors, 1, h, 0, count * wins)
                        add_term(sums, errors, 1, h, 1, count * ties)
                    if made.size:
                        category = hand_category(rank)
                        made[1, category, 0] += count * weight_1 * wins
                        made[1, category, 1] += count * weight_1 * ties
            total_0 += level_0
            total_1 += level_1
            for place in range(first, last):
                h = sorted_holdings[place]
                a, b = low_cards[h], high_cards[h]
                weight_0, weight_1 = own_0[h], own_1[h]
                lower_0[a] += weight_0
                lower_0[b] += weight_0
                lower_1[a] += weight_1
                lower_1[b] += weight_1
                equal_0[a] = 0.0
                equal_0[b] = 0.0
                equal_1[a] = 0.0
                equal_1[b] = 0.0
            first = last
        if made.size:
            for place in range(dealt):
                h = sorted_holdings[place]
                a, b = low_cards[h], high_cards[h]
                category = hand_category(rank_of[h])
                deals_0 = total_1 - lower_1[a] - lower_1[b] + own_1[h]
                deals_1 = total_0 - lower_0[a] - lower_0[b] + own_0[h]
                made[0, category, 2] += count * own_0[h] * deals_0
                made[1, category, 2] += count * own_1[h] * deals_1


@compiled
def count_boards(
    boards: UInt8s,
    times: Ints,
    begin: int,
    end: int,
    pairs: Ints,
    tables: HandRankTables,
    heroes: Ints,
    own: Floats,
    weights: Floats,
    bits: Ints,
    listed: Ints,
    listed_weights: Floats,
    exact: Ints,
    sums: Floats,
    errors: Floats,
    made: Floats,
) -> None:
    """Count, for each hero and holding, the deals that it wins or splits, by who splits.

    ``boards`` (n, 5) are full boards, ``times`` (n,) how often each counts; ``begin`` to ``end`` are
    visited. A board of no cards, (1, 0), is one on which all tie: that counts the deals. ``pairs`` (m,
    2) are the holdings in any range. Hero x is player ``heroes[x]``, whose weights are ``own[x]`` (m,);
    his two widest opponents have ``weights[x]`` (3, 52, 52): one's, the other's, their product. The
    other opponents are listed: ``listed_weights[x]`` (o, m). A set of opponents who split is a mask;
    ``bits[x]`` (2,) and ``listed[x]`` (o,) are the bits of the two and of the others.

    The numbers, weighted by opponents' weights, not by hero's own, are added to ``exact`` (heroes, m,
    masks), int64, if it has entries; else to ``sums`` of that shape, float64, with what rounding loses
    of it in ``errors``. Weighted by hero's own, too, they are added to ``made`` (heroes, 9, masks + 1),
    if it has entries, by the category of hero's hand; the last column has all deals, lost ones too.
    """
    holdings = pairs.shape[0]
    others = listed.shape[1]
    masks = sums.shape[2]
    ranks = np.zeros((CARDS, CARDS), np.float64)
    ranks[:] = NOT_DEALT
    plain = np.zeros((13, 13), np.int64)
    order = np.zeros((3, holdings), np.int64)
    room = np.zeros(RANK_WORDS * 65, np.int64)
    totals = np.zeros((heroes.size, 3, 2), np.float64)
    cards = np.zeros((heroes.size, 3, 2, CARDS), np.float64)
    level_sums = np.zeros((others + 1, 3, 2), np.float64)
    level_cards = np.zeros((others + 1, 3, 2, CARDS), np.float64)
    gone = np.zeros(others + 1, np.int64)
    factor = np.zeros(others + 1, np.float64)
    mask = np.zeros(others + 1, np.int64)
    at = np.zeros(others + 1, np.int64)
    lists = np.zeros((heroes.size, others, holdings), np.int64)
    ends = np.zeros((heroes.size, others), np.int64)
    two = np.zeros(4, np.float64)
    found = np.zeros(masks, np.float64)
    for number in range(begin, end):
        dealt = sort_holdings(boards[number], pairs, tables, plain, room, order)
        for h in range(holdings):
            a, b = pairs[h, 0], pairs[h, 1]
            rank = float(order[2, h]) if order[2, h] else NOT_DEALT
            ranks[a, b] = rank
            ranks[b, a] = rank
        totals[:] = 0.0
        cards[:] = 0.0
        for hero in range(heroes.size):
            for other in range(others):
                length = 0
                for place in range(dealt):
                    if listed_weights[hero, other, order[1, place]] != 0.0:
                        lists[hero, other, length] = place
                        length += 1
                ends[hero, other] = length
        first = 0
        while first < dealt or (first == dealt and made.size):
            # After the last class once more, with a rank above all: that counts all deals.
            everything = first == dealt
            rank = EVERYTHING if everything else float(order[0, first])
            last = first
            while last < dealt and order[0, last] == order[0, first]:
                last += 1
            add_class(order, first, last, pairs, weights, totals, cards, EQUAL)
            for place in range(0 if everything else first, last):
                h = order[1, place]
                u, v = int(pairs[h, 0]), int(pairs[h, 1])
                for hero in range(heroes.size):
                    if own[hero, h] == 0.0:
                        continue
                    found[:] = 0.0
                    ties = totals[hero, 0, EQUAL] != 0.0 or totals[hero, 1, EQUAL] != 0.0
                    if others == 0:
                        close_two(
                            u, v, rank, 0, ties, ranks, weights[hero], totals[hero], cards[hero], two
                        )
                        for pair in range(4):
                            to = (pair & 1) * bits[hero, 0] + (pair >> 1) * bits[hero, 1]
                            found[to] += two[pair]
                    else:
                        take_out(
                            u,
                            v,
                            rank,
                            ranks,
                            weights[hero],
                            0,
                            totals[hero],
                            cards[hero],
                            level_sums[0],
                            level_cards[0],
                        )
                        gone[0] = 1 << u | 1 << v
                        factor[0] = 1.0
                        mask[0] = 0
                        level = 0
                        at[0] = 0
                        while level >= 0:
                            if at[level] == ends[hero, level] or lists[hero, level, at[level]] >= last:
                                level -= 1
                                continue
                            spot = lists[hero, level, at[level]]
                            at[level] += 1
                            g = order[1, spot]
                            x, y = int(pairs[g, 0]), int(pairs[g, 1])
                            if (gone[level] >> x | gone[level] >> y) & 1:
                                continue
                            weight = factor[level] * listed_weights[hero, level, g]
                            split = mask[level] | (listed[hero, level] if spot >= first else 0)
                            if level == others - 1:
                                close_two(
                                    x,
                                    y,
                                    rank,
                                    gone[level],
                                    ties,
                                    ranks,
                                    weights[hero],
                                    level_sums[level],
                                    level_cards[level],
                                    two,
                                )
                                for pair in range(4):
                                    to = split | (pair & 1) * bits[hero, 0]
                                    found[to | (pair >> 1) * bits[hero, 1]] += weight * two[pair]
                                continue
                            take_out(
                                x,
                                y,
                                rank,
                                ranks,
                                weights[hero],
                                gone[level],
                                level_sums[level],
                                level_cards[level],
                                level_sums[level + 1],
                                level_cards[level + 1],
                            )
                            gone[level + 1] = gone[level] | 1 << x | 1 << y
                            factor[level + 1] = weight
                            mask[level + 1] = split
                            level += 1
                            at[level] = 0
                    if made.size:
                        category = hand_category(order[2, h])
                        share = times[number] * own[hero, h]
                        if everything:
                            made[hero, category, masks] += share * found[0]
                            continue
                        for to in range(masks):
                            made[hero, category, to] += share * found[to]
                    for to in range(masks):
                        if found[to] == 0.0:
                            continue
                        if exact.size:
                            exact[hero, h, to] += times[number] * np.int64(found[to])
                        else:
                            add_term(sums, errors, hero, h, to, times[number] * found[to])
            add_class(order, first, last, pairs, weights, totals, cards, LOWER)
            first = last + everything


def count_showdowns(
    weights: Floats,
    boards: UInt8s,
    times: Ints,
    heroes: Sequence[int],
    progress: Progress | None = None,
    by_category: bool = False,
) -> tuple[Any, Any]:
    """Count the deals that each holding of some players wins or splits, by who splits.

    ``weights`` (players, 1326) float64, ``boards`` (n, 5) and ``times`` (n,) how often each counts, or
    a board of no cards, (1, 0). Returns counts (heroes, 1326, masks), int64 if all weights are 0 or 1,
    else float64: deals of the others beside a holding, by the mask of the others who share the best
    hand with it. Second, if ``by_category``, float64 (heroes, 9, masks + 1): deals by the category of
    the hero's hand and that mask, and all deals in the last column.
    """
    players = len(weights)
    cards = combo_cards()
    active = np.flatnonzero(weights.any(axis=0))
    pairs = cards[active].astype(np.int64)
    ranges = np.ascontiguousarray(weights[:, active])
    integers = bool(np.isin(weights, (0.0, 1.0)).all())
    shape = (len(heroes), len(active), 1 << players - 1)
    two = players == 2 and list(heroes) == [0, 1]
    plan = None if two else _plan(ranges, pairs, heroes)
    parts: dict[int, tuple[Any, Any]] = {}

    made_shape = (len(heroes), len(CATEGORIES), shape[2] + 1)
    pieces = min(PIECES, 1 + len(boards) * len(active) // SMALLEST)

    def work(begin: int, end: int) -> None:
        for piece in range(begin, end):
            exact = np.zeros(shape if integers else (0, 0, shape[2]), np.int64)
            sums = np.zeros(shape if not integers else (0, 0, shape[2]), np.float64)
            errors = np.zeros_like(sums)
            span = len(boards) * piece // pieces, len(boards) * (piece + 1) // pieces
            given: Any = (boards, times, *span, pairs, hand_rank_tables(), *(plan or (ranges,)))
            count: Any = count_boards if plan else count_two
            made = np.zeros(made_shape if by_category else (0, 0, 0), np.float64)
            count(*given, exact, sums, errors, made)
            parts[piece] = exact if integers else sums + errors, made

    # The pieces do not depend on the number of threads: so neither does how sums are rounded.
    with workers(thread_count() if pieces > 1 else 1, progress, pieces) as run:
        run(work, pieces)
    counted, made = (sum(parts[piece][i] for piece in range(pieces)) for i in range(2))
    whole = np.zeros((len(heroes), cards.shape[0], shape[2]), np.int64 if integers else np.float64)
    whole[:, active] = counted
    return whole, made


def _plan(ranges: Floats, pairs: Ints, heroes: Sequence[int]) -> tuple[Any, ...]:
    # Each hero's opponents: the two widest, whose pairs are counted at once, and those to be listed.
    players = len(ranges)
    sizes = np.count_nonzero(ranges, axis=1)
    own = np.ascontiguousarray(ranges[list(heroes)])
    weights = np.zeros((len(heroes), 3, CARDS, CARDS), np.float64)
    bits = np.zeros((len(heroes), 2), np.int64)
    listed = np.zeros((len(heroes), max(0, players - 3)), np.int64)
    listed_weights = np.zeros((len(heroes), listed.shape[1], ranges.shape[1]), np.float64)
    for x, hero in enumerate(heroes):
        others = [player for player in range(players) if player != hero]
        by_size = sorted(others, key=lambda player: int(sizes[player]))
        for place, player in enumerate(by_size[-2:]):
            weights[x, place, pairs[:, 0], pairs[:, 1]] = ranges[player]
            weights[x, place, pairs[:, 1], pairs[:, 0]] = ranges[player]
            bits[x, place] = 1 << others.index(player)
        weights[x, 2] = weights[x, 0] * weights[x, 1]
        for place, player in enumerate(by_size[:-2]):
            listed[x, place] = 1 << others.index(player)
            listed_weights[x, place] = ranges[player]
    return np.array(heroes, np.int64), own, weights, bits, listed, listed_weights
