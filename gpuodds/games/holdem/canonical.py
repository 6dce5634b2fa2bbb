"""Number situations, which are a hand and a board up to renaming the suits.

A situation is a hand of two cards and a board, both without order. Two situations are equivalent if
renaming the suits turns one into the other. Each equivalence class has a *row*, a number from 0:

    board cards     boards     rows
    0                    1             169
    3 (flop)         1,755       1,286,792
    4 (turn)        16,432      13,960,050
    5 (river)      134,459     123,156,254

Rows go board by board. A board has a mask of ranks for each suit (bit 0 the deuce, bit 12 the ace). The
masks of the canonical board of a class descend from clubs to spades; boards are in ascending order of
these four masks. Suits with equal masks are interchangeable and form a group; the hand's cards are in
the first suits of their groups. The hands on a board come in three sections: both cards of one suit,
cards of two suits of one group, cards of suits of two groups.

The functions take and return plain integers, so that the same source runs in Python, compiled for the
CPU (:mod:`gpuodds.backends.cpu.arrays.canonical`) and for the GPU
(:mod:`gpuodds.backends.cuda.arrays.canonical`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

RANK_MASK = 0x1FFF  # a suit's mask of ranks


def count_bits(bits: int) -> int:
    """Return the number of one bits of a small number."""
    number = 0
    while bits:
        bits &= bits - 1
        number += 1
    return number


def descend(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """Return four numbers in descending order."""
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    return a, b, c, d


def sort_suits(hand: int, board: int) -> tuple[int, int, int, int]:
    """Return the ranks in each suit of the canonical situation: board << 13 | hand, descending.

    Args:
        hand: The hand as a mask of 16 bits per suit, clubs lowest.
        board: The board as such a mask.
    """
    return descend(
        (board & RANK_MASK) << 13 | hand & RANK_MASK,
        (board >> 16 & RANK_MASK) << 13 | hand >> 16 & RANK_MASK,
        (board >> 32 & RANK_MASK) << 13 | hand >> 32 & RANK_MASK,
        (board >> 48 & RANK_MASK) << 13 | hand >> 48 & RANK_MASK,
    )


def board_key(suits: tuple[int, int, int, int]) -> int:
    """Return the four masks of a canonical board as one number, which orders boards."""
    a, b, c, d = suits
    return (a >> 13) << 39 | (b >> 13) << 26 | (c >> 13) << 13 | d >> 13


def find_last(numbers: Ints, wanted: int) -> int:
    """Return the index of the last of some ascending numbers that is at most ``wanted``."""
    low, high = 0, len(numbers)
    while high - low > 1:
        middle = (low + high) >> 1
        if numbers[middle] <= wanted:
            low = middle
        else:
            high = middle
    return low


def hand_sections(suits: tuple[int, int, int, int]) -> tuple[int, int, int]:
    """Return a board's number of hands in one suit, in two suits of a group, and in two groups.

    A suit with n ranks off the board has C(n, 2) hands. Two suits of a group have n (n + 1) / 2
    distinct hands, suits of two groups n times n'.
    """
    same = alike = other = 0
    before = 0
    for i in range(4):
        free = 13 - count_bits(suits[i] >> 13)
        if i > 0 and suits[i] >> 13 == suits[i - 1] >> 13:
            if i == 1 or suits[i - 1] >> 13 != suits[i - 2] >> 13:
                alike += free * (free + 1) // 2
        else:
            same += free * (free - 1) // 2
            other += before * free
            before += free
    return same, alike, other


def hand_number(suits: tuple[int, int, int, int]) -> int:
    """Return the number of a canonical hand on its board."""
    same, alike, _ = hand_sections(suits)
    number = 0
    first = -1  # the group of the first card, once found
    first_rank = 0  # its rank among the ranks off the board
    before_first = 0  # free ranks of the groups before that of the first card
    passed = 0  # free ranks of the groups so far
    cross = 0  # hands of two groups whose second group precedes this one
    alikes = 0  # hands of two suits of one of the groups before
    singles = 0  # hands of one suit in the groups before
    free = 0
    group = 0
    for i in range(4):
        mask = suits[i] >> 13
        hand = suits[i] & RANK_MASK
        if i == 0 or mask != suits[i - 1] >> 13:
            if i > 0:
                cross += passed * free
                singles += free * (free - 1) // 2
                if i - group > 1:
                    alikes += free * (free + 1) // 2
                passed += free
            group = i
            free = 13 - count_bits(mask)
        if hand:
            low = hand & -hand
            rank = count_bits(~mask & low - 1)
            if hand != low:  # both cards
                high = count_bits(~mask & (hand ^ low) - 1)
                return singles + high * (high - 1) // 2 + rank
            if first < 0:
                first = group
                first_rank = rank
                before_first = passed
            elif first == group:
                return same + alikes + first_rank * (first_rank + 1) // 2 + rank
            else:
                # Hands of two groups are ordered by the second group, then by the first card.
                return same + alike + cross + (before_first + first_rank) * free + rank
    return number


def lift(rank: int, mask: int) -> int:
    """Return the ``rank``-th rank that is not in a mask, as a bit."""
    left = ~mask & RANK_MASK
    place = 0  # of the rank: it is among the next 16 bits, the next 8, ...
    for width in (8, 4, 2, 1):
        passed = count_bits(left >> place & (1 << width) - 1)
        if rank >= passed:
            rank -= passed
            place += width
    return 1 << place


def triangle(number: int) -> tuple[int, int]:
    """Return the largest n, up to 12, with n (n + 1) / 2 at most ``number``, and the remainder."""
    n = 0
    for larger in range(1, 13):  # without a branch: a wrong guess costs more than all steps
        n += 1 if larger * (larger + 1) // 2 <= number else 0
    return n, number - n * (n + 1) // 2


def hand_of(number: int, key: int) -> int:
    """Return the hand of a number on the canonical board of a key, as a mask of 16 bits per suit."""
    masks = key >> 39, key >> 26 & RANK_MASK, key >> 13 & RANK_MASK, key & RANK_MASK
    same, alike, _ = hand_sections((masks[0] << 13, masks[1] << 13, masks[2] << 13, masks[3] << 13))
    section = 0
    if number >= same + alike:
        section = 2
        number -= same + alike
    elif number >= same:
        section = 1
        number -= same
    passed = 0  # free ranks of the groups before
    for i in range(4):
        mask = masks[i]
        if i > 0 and mask == masks[i - 1]:
            continue
        free = 13 - count_bits(mask)
        if section == 0:
            if number < free * (free - 1) // 2:
                high, low = triangle(number)
                return (lift(high + 1, mask) | lift(low, mask)) << 16 * i
            number -= free * (free - 1) // 2
        elif section == 1:
            if i < 3 and masks[i + 1] == mask:
                if number < free * (free + 1) // 2:
                    high, low = triangle(number)
                    return lift(high, mask) << 16 * i | lift(low, mask) << 16 * (i + 1)
                number -= free * (free + 1) // 2
        else:
            if number < passed * free:
                place, rank = number // free, number % free
                for j in range(4):
                    if j > 0 and masks[j] == masks[j - 1]:
                        continue
                    cards_outside = 13 - count_bits(masks[j])
                    if place < cards_outside:
                        return lift(place, masks[j]) << 16 * j | lift(rank, mask) << 16 * i
                    place -= cards_outside
            number -= passed * free
        passed += free
    return 0


def canonical_row(hand: int, board: int, keys: Ints, offsets: Ints) -> int:
    """Return the row of a situation.

    Args:
        hand: The hand as a mask of 16 bits per suit, clubs lowest.
        board: The board as such a mask.
        keys: The keys of :func:`gpuodds.games.shared.boards.canonical_index`.
        offsets: Its offsets.
    """
    suits = sort_suits(hand, board)
    row: int = offsets[find_last(keys, board_key(suits))] + hand_number(suits)
    return row
