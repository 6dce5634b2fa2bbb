"""Two ranges against a random player, by all runouts of the same ranks on which no flush is possible.

On such runouts all combos of a pair of ranks have the same hand rank, whatever their suits. Of one
player's combo a and the other's b only the ranks matter for how many combos the random player has left
below a hand rank: with G(c) of these for each live card c,

    (all of them) - sum over the four cards of a and b of G(c) + (those of two of the four cards).

How many of the runouts leave both a and b in the deck is counted in the same way: each runout has a
weight, which stands at its cards and at its pair of cards. So the work goes by pairs of combos for each
set of ranks, instead of all combos for each runout.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined_without_refcounts, zeros
from gpuodds.backends.cpu.shared.board_ranks import rank_without_flush
from gpuodds.games.shared.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

RANKS = 13
FLUSH_CARDS = 3  # on the board
NEVER = -(1 << 40)  # less than any number of runouts
# About the nanoseconds for a pair of combos on a set of ranks, and for all of a board's combos.
PAIR_OF_COMBOS, COMBOS_OF_BOARD = 3, 25_000


class Side(NamedTuple):
    """A player's combos in the order of their ranks.

    ``places`` (n,) are their columns in the ranges, ``cards`` (n, 2) their cards. Those of pair t of
    ranks begin at ``begins[t]`` and end at ``begins[t + 1]``.
    """

    places: Ints
    cards: Ints
    begins: Ints


class AlikeBoards(NamedTuple):
    """Full boards that share all but the last one or two cards, in groups of the same ranks.

    ``boards`` (n, 5) count ``times`` (n,); group g goes from ``begins[g]`` to ``begins[g + 1]``. All
    share ``known`` cards; the deck without these has ``by_rank`` (13,) cards of each rank.
    """

    boards: UInt8s
    times: Ints
    begins: Ints
    known: int
    by_rank: Ints


class Alike(NamedTuple):
    """What :func:`count_alike` counts: which boards (n,) these are, and the two ranges.

    ``bits`` are, for each hero, those of the other one and of the random player in a set of opponents.
    """

    which: Bools
    boards: AlikeBoards
    sides: tuple[Side, Side]
    bits: tuple[tuple[int, int], tuple[int, int]]


def find_alike(
    ranges: Floats, pairs: Ints, boards: UInt8s, times: Ints, heroes: Sequence[int]
) -> Alike | None:
    """Find the boards that are worth counting in groups of the same ranks; None if there are none.

    Args:
        ranges: (3, m) weights of 0 and 1.
        pairs: (m, 2) the cards of the combos in any range.
        boards: (n, 5) full boards, or (1, 0): no board.
        times: (n,) how often each counts.
        heroes: Whose combos are counted: it must be the two beside a random player.
    """
    known = int(np.argmin([*(boards == boards[:1]).all(axis=0), False]))
    if len(heroes) != 2 or known < FLUSH_CARDS or known == boards.shape[1]:
        return None
    live = ~np.isin(pairs, boards[0, :known]).any(axis=1)
    deck = np.unique(pairs[live])
    random = 3 - sum(heroes)
    combos = np.count_nonzero(ranges[random] * live)
    which = ((boards[:, :, None] & 3 == np.arange(4)).sum(axis=1) < FLUSH_CARDS).all(axis=1)
    # The random player has every combo of the cards in the ranges, and no other card comes.
    is_random = (
        combos == len(deck) * (len(deck) - 1) // 2
        and np.isin(boards[which], (*deck, *boards[0, :known])).all()
    )
    if not is_random or not which.any():
        return None
    keys = np.sort(boards[which] >> 2, axis=1) @ RANKS ** np.arange(5)
    order = np.argsort(keys, kind="stable")
    begins = np.flatnonzero(np.diff(keys[order], prepend=-1, append=-1))
    own, other = (_sort_by_ranks(ranges[hero] * live, pairs) for hero in heroes)
    each = COMBOS_OF_BOARD + PAIR_OF_COMBOS * len(own.places) * len(other.places)
    if (len(begins) - 1) * each > len(keys) * COMBOS_OF_BOARD:
        return None
    by_rank = np.bincount(deck >> 2, minlength=RANKS)
    alike_boards = AlikeBoards(boards[which][order], times[which][order], begins, known, by_rank)
    first, second = ((1, 2) if other < random else (2, 1) for other in reversed(heroes))
    return Alike(which, alike_boards, (own, other), (first, second))


def count_two_and_random(
    alike: Alike, piece: int, pieces: int, tables: HandRankTables, exact: Ints
) -> None:
    """Add one of several pieces of the work to the counts of two heroes, ``exact`` (2, m, 4)."""
    begin, end = ((len(alike.boards.begins) - 1) * (piece + more) // pieces for more in range(2))
    for hero in range(2):
        own, other = alike.sides[hero], alike.sides[1 - hero]
        count_alike(alike.boards, begin, end, own, other, *alike.bits[hero], tables, exact[hero])


def _sort_by_ranks(weights: Floats, pairs: Ints) -> Side:
    places = np.flatnonzero(weights)
    ranks = np.sort(pairs[places] >> 2, axis=1) @ (1, RANKS)
    order = np.argsort(ranks, kind="stable")
    begins = np.flatnonzero(np.diff(ranks[order], prepend=-1, append=-1))
    return Side(places[order], np.ascontiguousarray(pairs[places[order]]), begins)


@inlined_without_refcounts
def _count_left(
    kind: int, own: tuple[int, int], by_rank: Ints, plain: Ints, other: Side, left: Ints
) -> None:
    """Fill ``left[kind]``: the random player's combos below (0) or at (1) the rank of a pair of ranks.

    They are those without the cards of two combos, ``own`` and one of each pair of ranks of the other
    player; those that beat ``own`` are left out.
    """
    x, y = own
    rank, total, ranks = plain[x, y], 0, by_rank.size
    pairs, with_card = left[2], left[3]
    for c in range(ranks):
        pairs[c], with_card[c] = 0, 0
        for d in range(ranks):
            hit = int(plain[c, d] == rank if kind else plain[c, d] < rank)
            pairs[c] |= hit << d
            with_card[c] += hit * (by_rank[d] - int(c == d))
        total += by_rank[c] * with_card[c]
    total = (total >> 1) - with_card[x] - with_card[y] + (pairs[x] >> y & 1)
    for t in range(other.begins.size - 1):
        p, q = other.cards[other.begins[t], 0] >> 2, other.cards[other.begins[t], 1] >> 2
        taken = (pairs[p] >> q & 1) + (pairs[p] >> x & 1) + (pairs[p] >> y & 1)
        taken += (pairs[q] >> x & 1) + (pairs[q] >> y & 1)
        left[kind, t] = total - with_card[p] - with_card[q] + taken


@compiled
def count_alike(
    alike: AlikeBoards, begin: int, end: int, own: Side, other: Side, bit: int, random_bit: int,
    tables: HandRankTables, counts: Ints,
) -> None:  # fmt: skip
    """Count, for each combo of one player, the deals that it wins or splits.

    Args:
        alike: The boards.
        begin: The first group to be counted.
        end: The group after the last.
        own: The player's combos.
        other: The other player's.
        bit: The other player's bit in a set of opponents.
        random_bit: The random player's.
        tables: Hand ranks.
        counts: (m, 4), added to: deals by combo, in the order of the columns, and by the set of
            opponents who split.
    """
    boards, times, known = alike.boards, alike.times, alike.known
    # With constants the compiler would unroll the loops, which takes long.
    ranks, kinds = alike.by_rank.size, counts.shape[1] >> 1
    at_card, at_pair = zeros(64, np.int64), zeros((64, 64), np.int64)
    plain, by_rank = zeros((RANKS, RANKS), np.int64), zeros(ranks, np.int64)
    with_own, of_other = zeros(64, np.int64), zeros(other.places.size, np.int64)
    left = zeros((4, max(RANKS, other.begins.size)), np.int64)
    for group in range(begin, end):
        state, weight = np.int64(0), 0
        at_card[:] = 0
        for x in range(ranks):
            by_rank[x] = alike.by_rank[x]
        for i in range(5):
            rank = np.int64(boards[alike.begins[group], i]) >> 2
            state = np.int64(tables.step[state, rank])
            by_rank[rank] -= int(i >= known)
        for n in range(alike.begins[group], alike.begins[group + 1]):
            weight += times[n]
            for i in range(known, 5):
                at_card[boards[n, i]] += times[n]
            at_pair[boards[n, 3], boards[n, 4]] += times[n]
            at_pair[boards[n, 4], boards[n, 3]] += times[n]
        rank_without_flush(state, tables.step, tables.rank_7, plain)
        for k in range(other.places.size):
            of_other[k] = at_pair[other.cards[k, 0], other.cards[k, 1]]
        for pair in range(own.begins.size - 1):
            first = own.begins[pair]
            x, y = own.cards[first, 0] >> 2, own.cards[first, 1] >> 2
            for kind in range(kinds):
                _count_left(kind, (x, y), by_rank, plain, other, left)
            for i in range(first, own.begins[pair + 1]):
                u, v = own.cards[i, 0], own.cards[i, 1]
                for c in range(64):
                    with_own[c] = at_pair[u, c] + at_pair[v, c] - at_card[c]
                with_own[u], with_own[v] = NEVER, NEVER
                runouts = weight - at_card[u] - at_card[v] + at_pair[u, v]
                for t in range(other.begins.size - 1):
                    p, q = other.cards[other.begins[t], 0] >> 2, other.cards[other.begins[t], 1] >> 2
                    if plain[p, q] > plain[x, y]:
                        continue
                    deals = 0
                    for k in range(other.begins[t], other.begins[t + 1]):
                        shared_cards = with_own[other.cards[k, 0]] + with_own[other.cards[k, 1]]
                        deals += max(0, runouts + of_other[k] + shared_cards)
                    ties = bit if plain[p, q] == plain[x, y] else 0
                    counts[own.places[i], ties] += deals * left[0, t]
                    counts[own.places[i], ties | random_bit] += deals * left[1, t]
        for n in range(alike.begins[group], alike.begins[group + 1]):
            at_pair[boards[n, 3], boards[n, 4]] = 0
            at_pair[boards[n, 4], boards[n, 3]] = 0
