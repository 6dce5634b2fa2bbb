"""Number situations in which the flop, the turn and the river are told apart: perfect recall.

In :mod:`gpuodds.games.holdem.canonical` a board has no order. A player who remembers knows which
cards came on the flop. Two ways to a board are equivalent if renaming the suits turns one into the
other, round by round. Their numbers are

    flop         1,286,792    the rows of :mod:`gpuodds.games.holdem.canonical`
    turn        55,190,538
    river    2,428,287,420

Numbers go flop by flop, in the order of their rows. Suits in which hand and flop have the same ranks
are interchangeable: they form a class. Classes descend by the ranks in a suit, as in the canonical
situation, and the turn's cards go class by class, from the deuce up. The suit of the turn leaves its
class, and comes before the rest of it; the river's cards go class by class likewise.

The functions take and return plain integers, and are compiled for the CPU and for GPUs, as those of
:mod:`gpuodds.games.holdem.canonical`. ``suits`` are those of a flop: in each suit the ranks of the flop
<< 13 | those of the hand, descending.
"""

from __future__ import annotations

from gpuodds.games.holdem.canonical import RANK_MASK, count_bits, lift


def used_ranks(suit: int) -> int:
    """Return the ranks of a suit that hand and flop have."""
    return suit >> 13 | suit & RANK_MASK


def free_ranks(suit: int) -> int:
    """Return how many ranks of a suit are left."""
    return 13 - count_bits(used_ranks(suit))


def place_in_suit(suit: int, rank: int) -> int:
    """Return the place of a rank, given as a bit, among those that are left in its suit."""
    return count_bits(~used_ranks(suit) & rank - 1)


def is_new(suits: tuple[int, int, int, int], i: int) -> bool:
    """Return whether a class begins with a suit."""
    return i == 0 or suits[i] != suits[i - 1]


def has_more(suits: tuple[int, int, int, int], i: int) -> bool:
    """Return whether the class that begins with a suit has another one."""
    return i < 3 and suits[i + 1 if i < 3 else 3] == suits[i]


def count_turns(suits: tuple[int, int, int, int]) -> int:
    """Return how many turns a flop has that differ."""
    turns = 0
    for i in range(4):
        if is_new(suits, i):
            turns += free_ranks(suits[i])
    return turns


def count_rivers_after(suits: tuple[int, int, int, int], i: int, turns: int) -> int:
    """Return how many rivers differ after a turn in the class that begins with a suit."""
    return turns - 1 + (free_ranks(suits[i]) if has_more(suits, i) else 0)


def count_rivers(suits: tuple[int, int, int, int]) -> int:
    """Return how many turns with rivers a flop has that differ."""
    turns, rivers = count_turns(suits), 0
    for i in range(4):
        if is_new(suits, i):
            rivers += free_ranks(suits[i]) * count_rivers_after(suits, i, turns)
    return rivers


def turn_place(suits: tuple[int, int, int, int], own: int, rank: int) -> int:
    """Return the place of a turn among those of its flop.

    Args:
        suits: See above.
        own: The turn's suit, as in ``suits``.
        rank: The turn's rank as a bit.
    """
    place = place_in_suit(own, rank)
    for i in range(4):
        if is_new(suits, i) and suits[i] > own:
            place += free_ranks(suits[i])
    return place


def river_place(
    suits: tuple[int, int, int, int], own: int, rank: int, other: int, last: int, same: bool
) -> int:
    """Return the place of a turn with a river among those of its flop.

    Args:
        suits: See above.
        own: The turn's suit, as in ``suits``.
        rank: The turn's rank as a bit.
        other: The river's suit, as in ``suits``.
        last: The river's rank as a bit.
        same: Whether both have the same suit; two suits may have the same ranks.
    """
    turns, place = count_turns(suits), 0
    for i in range(4):
        if not is_new(suits, i):
            continue
        free = free_ranks(suits[i])
        if suits[i] > own:
            place += free * count_rivers_after(suits, i, turns)
        elif suits[i] == own:
            place += place_in_suit(own, rank) * count_rivers_after(suits, i, turns)
        if suits[i] > other:  # before the river
            place += free - 1 if suits[i] == own else free
            if suits[i] == own and has_more(suits, i):
                place += free
    place += place_in_suit(other, last)
    if same and last > rank:
        place -= 1
    elif other == own and not same:  # the rest of the class, after the turn's suit
        place += free_ranks(own) - 1
    return place


def turn_of(suits: tuple[int, int, int, int], place: int) -> int:
    """Return the turn of a place: 16 x suit + rank, the suit's number in ``suits``."""
    for i in range(4):
        if is_new(suits, i):
            free = free_ranks(suits[i])
            if place < free:
                return 16 * i + count_bits(lift(place, used_ranks(suits[i])) - 1)
            place -= free
    return 0


def river_of(suits: tuple[int, int, int, int], place: int) -> int:
    """Return the turn and the river of a place: the turn << 8 | the river, as in :func:`turn_of`."""
    turns, turn, found = count_turns(suits), 0, -1
    for i in range(4):
        if found < 0 and is_new(suits, i):
            rivers = count_rivers_after(suits, i, turns)
            block = free_ranks(suits[i]) * rivers
            if place < block:
                found = i
                before = place // rivers
                place -= before * rivers
                turn = 16 * i + count_bits(lift(before, used_ranks(suits[i])) - 1)
            else:
                place -= block
    for i in range(4):
        if not is_new(suits, i):
            continue
        used, free = used_ranks(suits[i]), free_ranks(suits[i])
        if i == found:
            if place < free - 1:
                card = lift(place, used | 1 << (turn & 15))
                return turn << 8 | 16 * i + count_bits(card - 1)
            place -= free - 1
            if not has_more(suits, i):
                continue
        if place < free:
            suit = i + 1 if i == found else i
            return turn << 8 | 16 * suit + count_bits(lift(place, used) - 1)
        place -= free
    return 0
