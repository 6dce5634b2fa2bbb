"""Build the hand-rank tables that ship with the package.

Run ``python -m gpuodds.games.shared.build_hand_ranks`` after changing this module. The tests compare
the file that it writes, ``gpuodds/games/shared/data/hand_ranks.npz``, with a checksum.

Without a flush, the rank of a hand depends on its multiset of card ranks alone. The multisets of 0 to 6
ranks are the states of a small automaton: one table look-up per card leads from the empty hand to the
state of six cards, and the last look-up gives the hand rank. Flushes need one table over the 8,192 sets
of ranks of one suit.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import numpy as np

Multiset = tuple[int, ...]
Strength = tuple[int, ...]

DATA_FILE = Path(__file__).parent / "data" / "hand_ranks.npz"
WHEEL = (0, 1, 2, 3, 12)  # 5-4-3-2-A, the straight in which the ace is low


def strength(ranks: Multiset, flush: bool) -> Strength:
    """Return a tuple that orders five-card hands as the rules of poker do.

    Args:
        ranks: Five card ranks, 0 (deuce) to 12 (ace), ascending.
        flush: Whether the cards are of one suit.

    Returns:
        The category, 0 (high card) to 8 (straight flush), then the ranks that break ties within it.
    """
    counts = sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)
    shape = tuple(n for n, _ in counts)
    faces = tuple(rank for _, rank in counts)
    if shape == (1, 1, 1, 1, 1):
        top = 3 if ranks == WHEEL else ranks[4] if ranks[4] - ranks[0] == 4 else None
        if top is not None:
            return (8 if flush else 4, top)
        return (5 if flush else 0, *faces)
    category = {(2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}[shape]
    return (category, *faces)


def multisets(size: int) -> list[Multiset]:
    """Return the multisets of ``size`` card ranks with at most four of each rank."""
    every = combinations_with_replacement(range(13), size)
    return [m for m in every if max(Counter(m).values(), default=0) <= 4]


def best_of_subsets(size: int, smaller: dict[Multiset, int]) -> dict[Multiset, int]:
    """Return the hand rank of each multiset of ``size`` card ranks: the best after removing a card."""
    return {m: max(smaller[m[:i] + m[i + 1 :]] for i in range(size)) for m in multisets(size)}


def build() -> dict[str, np.ndarray]:
    """Return the tables by name: see :class:`gpuodds.games.shared.hand_ranks.HandRankTables`."""
    flushes = list(combinations(range(13), 5))
    plain = multisets(5)
    order = sorted({strength(m, False) for m in plain} | {strength(m, True) for m in flushes})
    number = {s: i + 1 for i, s in enumerate(order)}
    rank5 = {m: number[strength(m, False)] for m in plain}
    rank6 = best_of_subsets(6, rank5)
    rank7 = best_of_subsets(7, rank6)

    levels = [multisets(size) for size in range(7)]
    state = {m: i for i, m in enumerate(m for level in levels for m in level)}
    step = np.zeros((sum(len(level) for level in levels[:6]), 13), np.uint16)
    for m in (m for level in levels[:6] for m in level):
        for rank in range(13):
            step[state[m], rank] = state.get(tuple(sorted((*m, rank))), 0)

    rank_7 = np.zeros((len(levels[6]), 13), np.uint16)
    for i, m in enumerate(levels[6]):
        for rank in range(13):
            rank_7[i, rank] = rank7.get(tuple(sorted((*m, rank))), 0)

    flush = np.zeros(1 << 13, np.uint16)
    for m in flushes:
        flush[sum(1 << rank for rank in m)] = number[strength(m, True)]
    for mask in range(1 << 13):
        if mask.bit_count() > 5:
            flush[mask] = max(flush[mask & ~(1 << r)] for r in range(13) if mask >> r & 1)

    return {
        "step": step,
        "rank_5": np.array([rank5[m] for m in levels[5]], np.uint16),
        "rank_6": np.array([rank6[m] for m in levels[6]], np.uint16),
        "rank_7": rank_7,
        "flush": flush,
    }


if __name__ == "__main__":
    DATA_FILE.parent.mkdir(exist_ok=True)
    np.savez_compressed(DATA_FILE, **build())  # type: ignore[arg-type]
    print(f"{DATA_FILE.name}: {DATA_FILE.stat().st_size:,} bytes")
