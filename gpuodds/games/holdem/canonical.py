"""Situations of a hand and a board, up to renaming the suits, and their numbers, both ways.

A situation is a hand of two cards and a board, the order of whose cards does not matter. Two
situations are alike if renaming the suits turns one into the other; each class has a *row*, 0 to
``rows(size) - 1``. Per number of board cards there are

    board cards     boards     rows
    0                    1             169
    3 (flop)         1,755       1,286,792
    4 (turn)        16,432      13,960,050
    5 (river)      134,459     123,156,254

Rows go board by board. The canonical board of a class has its cards' ranks by suit, read as masks (bit
0 the deuce, bit 12 the ace), descend from clubs to spades; boards are in ascending order of these four
masks. Suits with equal masks are alike; of them, the hand's cards are in the first. The hands on a
board are in three sections: both cards of one suit, cards of two suits that are alike, cards of two
that are not.

The functions take and give plain integers, so that the same source is read by Python, compiled for the
CPU (:mod:`gpuodds.backends.cpu.canonical`) and for the GPU (:mod:`gpuodds.backends.cuda.canonical`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

RANKS = 0x1FFF  # a suit's mask of ranks


def count_bits(bits: int) -> int:
    """Count the one bits of a small number."""
    found = 0
    while bits:
        bits &= bits - 1
        found += 1
    return found


def descend(one: int, two: int, three: int, four: int) -> tuple[int, int, int, int]:
    """Sort four numbers, the largest first."""
    one, two = max(one, two), min(one, two)
    three, four = max(three, four), min(three, four)
    one, three = max(one, three), min(one, three)
    two, four = max(two, four), min(two, four)
    two, three = max(two, three), min(two, three)
    return one, two, three, four


def sort_suits(hand: int, board: int) -> tuple[int, int, int, int]:
    """Return the ranks of the suits, board << 13 | hand, of the canonical situation.

    ``hand`` and ``board`` are masks of 16 bits a suit, clubs in the lowest.
    """
    return descend(
        (board & RANKS) << 13 | hand & RANKS,
        (board >> 16 & RANKS) << 13 | hand >> 16 & RANKS,
        (board >> 32 & RANKS) << 13 | hand >> 32 & RANKS,
        (board >> 48 & RANKS) << 13 | hand >> 48 & RANKS,
    )


def board_key(suits: tuple[int, int, int, int]) -> int:
    """Return the four masks of a canonical board in one number, by which boards are ordered."""
    one, two, three, four = suits
    return (one >> 13) << 39 | (two >> 13) << 26 | (three >> 13) << 13 | four >> 13


def find_last(numbers: Ints, wanted: int) -> int:
    """Return the place of the last of ascending numbers that is at most ``wanted``."""
    low, high = 0, len(numbers)
    while high - low > 1:
        middle = (low + high) >> 1
        if numbers[middle] <= wanted:
            low = middle
        else:
            high = middle
    return low


def hand_sections(suits: tuple[int, int, int, int]) -> tuple[int, int, int]:
    """Return how many hands of one suit, of suits alike, of suits not alike a board has.

    A suit of which n ranks are not on the board has C(n, 2) hands, suits alike n (n + 1) / 2 that
    differ, suits not alike n times n'.
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
    first = -1  # the suit and the squeezed rank of the higher of two cards, once one is found
    first_rank = 0
    before_first = 0  # free ranks of the groups before that of the first card
    passed = 0  # free ranks of the groups so far
    cross = 0  # hands of two groups, the second of them before this one
    alikes = 0  # hands of suits alike in the groups before
    singles = 0  # hands of one suit in the groups before
    free = 0
    group = 0
    for i in range(4):
        mask = suits[i] >> 13
        hand = suits[i] & RANKS
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
                # Hands of two groups: by the second group, then the first card among all before it.
                return same + alike + cross + (before_first + first_rank) * free + rank
    return number


def lift(rank: int, mask: int) -> int:
    """Return the ``rank``-th of the ranks that are not in a mask, as a bit."""
    left = ~mask & RANKS
    for _ in range(rank):
        left &= left - 1
    return left & -left


def triangle(number: int) -> tuple[int, int]:
    """Return the largest n with n (n + 1) / 2 at most ``number``, and what is left."""
    n = 0
    while (n + 1) * (n + 2) // 2 <= number:
        n += 1
    return n, number - n * (n + 1) // 2


def hand_of(number: int, key: int) -> int:
    """Return the hand of a number on the canonical board with a key: masks of 16 bits a suit."""
    masks = key >> 39, key >> 26 & RANKS, key >> 13 & RANKS, key & RANKS
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
                    others = 13 - count_bits(masks[j])
                    if place < others:
                        return lift(place, masks[j]) << 16 * j | lift(rank, mask) << 16 * i
                    place -= others
            number -= passed * free
        passed += free
    return 0


def canonical_row(hand: int, board: int, keys: Ints, offsets: Ints) -> int:
    """Return the row of a situation, given as masks of 16 bits a suit.

    ``keys`` and ``offsets`` are those of :func:`canonical_index`.
    """
    suits = sort_suits(hand, board)
    row: int = offsets[find_last(keys, board_key(suits))] + hand_number(suits)
    return row
