"""The shipped table ``preflop-heads-up``: every hand against every hand before the flop.

Renaming the suits changes no count, and swapping the hands swaps their wins: 47,008 pairs are left. The
file is zlib data: a header line, then three columns of little-endian uint32, the codes of the pairs
(differences to the one before), the boards that the first hand wins, those that the second wins, of
1,712,304. The code of a pair is 1326 x first + second, the numbers of the combos
(:func:`gpuodds.games.shared.combos.combo_index`), the smallest that renaming and swapping can make. The
checksum is a file of its own. A look-up imports the standard library alone.
"""

from __future__ import annotations

import sys
from array import array
from functools import lru_cache
from itertools import permutations
from math import comb
from typing import TYPE_CHECKING, Any

from gpuodds.cards import format_cards
from gpuodds.errors import InputError
from gpuodds.games.shared.rules import COMBOS
from gpuodds.tables.shipped.data_file import DATA_FOLDER, read_data
from gpuodds.tables.shipped.shipped import Shipped

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "preflop-heads-up"
PAIRS = 47_008
BOARDS = comb(48, 5)
DATA_FILE = DATA_FOLDER / "preflop_heads_up.bin.z"
HEADER = b"gpuodds preflop-heads-up 1 47008\n"
SIZE = len(HEADER) + 3 * 4 * PAIRS


@lru_cache(maxsize=1)
def read_table() -> tuple[array[int], array[int], array[int]]:
    """Return the codes of the pairs, ascending, and the boards that the first and the second win.

    Raises:
        ValueError: The file is not the one that was shipped.
    """
    import zlib

    text = zlib.decompressobj().decompress(read_data(DATA_FILE), SIZE + 1)
    if len(text) != SIZE or not text.startswith(HEADER):
        raise ValueError(f"{DATA_FILE}: not a {NAME} table of this version")
    columns = []
    for place in range(3):
        begin = len(HEADER) + 4 * PAIRS * place
        column = array("I", text[begin : begin + 4 * PAIRS])
        if sys.byteorder == "big":
            column.byteswap()
        columns.append(column)
    codes, first, second = columns
    for i in range(1, PAIRS):
        codes[i] += codes[i - 1]
    return codes, first, second


def combo_number(hand: tuple[int, int]) -> int:
    """Return the number of a combo, 0 to 1325, its cards in either order."""
    first, second = hand
    return second * (second - 1) // 2 + first if first < second else first * (first - 1) // 2 + second


def pair_index(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, bool]:
    """Return the row of a pair of hands, and whether the row has them swapped.

    Raises:
        InputError: The hands share a card.
    """
    from bisect import bisect_left

    if set(first) & set(second) or first[0] == first[1] or second[0] == second[1]:
        raise InputError(f"hands {first} and {second}: expected four different cards")
    best, swapped = COMBOS * COMBOS, False
    (a, b), (c, d) = first, second
    for to in _renamed():
        a_number, b_number = combo_number((to[a], to[b])), combo_number((to[c], to[d]))
        if a_number * COMBOS + b_number < best:
            best, swapped = a_number * COMBOS + b_number, False
        if b_number * COMBOS + a_number < best:
            best, swapped = b_number * COMBOS + a_number, True
    return bisect_left(read_table()[0], best), swapped


@lru_cache(maxsize=1)
def _renamed() -> list[list[int]]:
    # The card that each renaming of the suits makes of each card.
    return [[card & ~3 | names[card & 3] for card in range(52)] for names in permutations(range(4))]


def pair_of(row: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the two hands of a row, each its lower card first.

    >>> pair_of(0)
    ((0, 1), (2, 3))
    """
    return tuple(_cards(number) for number in divmod(read_table()[0][row], COMBOS))  # type: ignore[return-value]


@lru_cache(maxsize=COMBOS)
def _cards(number: int) -> tuple[int, int]:
    high = 1
    while (high + 1) * high // 2 <= number:
        high += 1
    return number - high * (high - 1) // 2, high


def pair_counts(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int, int]:
    """Return on how many of 1,712,304 boards the first hand wins, the second wins, and they tie.

    >>> pair_counts((51, 47), (42, 41))  # AsKs against QhQd
    (787966, 917606, 6732)
    """
    row, swapped = pair_index(first, second)
    _, firsts, seconds = read_table()
    won, lost = firsts[row], seconds[row]
    return (lost, won, BOARDS - won - lost) if swapped else (won, lost, BOARDS - won - lost)


def count_pairs(codes: Any) -> Any:
    """Return how many of the 812,175 pairs of disjoint hands each row stands for.

    Args:
        codes: The codes of the rows, (n,), int64.
    """
    import numpy as np

    from gpuodds.games.shared.combos import suit_relabellings

    first, second = codes // COMBOS, codes % COMBOS
    images = np.stack(
        [
            np.minimum(order[first] * COMBOS + order[second], order[second] * COMBOS + order[first])
            for order in suit_relabellings()
        ]
    )
    images.sort(axis=0)
    return 1 + (np.diff(images, axis=0) > 0).sum(axis=0)


@lru_cache(maxsize=1)
def matrices() -> tuple[Any, Any]:
    """Return wins and ties of every combo against every other.

    Combos are numbered by :func:`gpuodds.games.shared.combos.combo_index`.

    Returns:
        Two arrays, int32 (1326, 1326), read-only: entry [h, v] counts the boards on which combo h beats
        combo v, or ties with it; 0 where they share a card.
    """
    import numpy as np

    from gpuodds.games.shared.combos import suit_relabellings

    codes, first, second = (np.array(column, np.int64) for column in read_table())
    wins = np.zeros((COMBOS, COMBOS), np.int32)
    ties = np.zeros((COMBOS, COMBOS), np.int32)
    for order in suit_relabellings():
        first_combo, second_combo = order[codes // COMBOS], order[codes % COMBOS]
        wins[first_combo, second_combo] = first
        wins[second_combo, first_combo] = second
        ties[first_combo, second_combo] = ties[second_combo, first_combo] = BOARDS - first - second
    for matrix in (wins, ties):
        matrix.flags.writeable = False
    return wins, ties


class PreflopHeadsUp(Shipped):
    """The table as what ships has it."""

    name = NAME
    data_file = DATA_FILE

    def count_rows(self) -> int:
        """Return how many rows the file has."""
        return len(read_table()[0])

    def read_row(self, row: int) -> dict[str, Any]:
        """Return a row, 0 to 47007, by column."""
        _, firsts, seconds = read_table()
        win_a, win_b = firsts[row], seconds[row]
        names = (format_cards(sorted(hand, reverse=True)) for hand in pair_of(row))
        hands = dict(zip(("hand_a", "hand_b"), names, strict=True))
        return hands | {"win_a": win_a, "win_b": win_b, "tie": BOARDS - win_a - win_b}

    def read_column(self, column: str) -> Any:
        """Return a column of counts, (47008,), int64."""
        import numpy as np

        codes, first, second = (np.asarray(part, np.int64) for part in read_table())
        if column == "pairs":
            return count_pairs(codes)
        return {"win_a": first, "win_b": second, "tie": BOARDS - first - second}[column]

    def to_arrow(self) -> pa.Table:
        """Return all rows as one Arrow table."""
        return rows_of_pairs(*read_table())


def rows_of_pairs(codes: Any, first: Any, second: Any) -> pa.Table:
    """Return the rows of the table, from the codes of the pairs and the boards that each hand wins."""
    import numpy as np

    from gpuodds.tables.shipped.arrow import pairs_table

    codes, first, second = (np.asarray(column, np.int64) for column in (codes, first, second))
    return pairs_table(codes, first, second, BOARDS - first - second, count_pairs(codes))


@lru_cache(maxsize=1)
def starting_hand_matrices() -> tuple[Any, Any]:
    """Return wins and ties of every starting hand against every other, over all disjoint combos.

    Returns:
        Two arrays, int64 (169, 169), read-only, in the order of
        :func:`gpuodds.games.holdem.starting_hands.starting_hands`: entry [h, v] counts the combos and
        boards with which hand h beats hand v, or ties with it.
    """
    import numpy as np

    from gpuodds.games.holdem.combo_hands import combo_hands

    hands = combo_hands()
    members = np.zeros((COMBOS, hands.max() + 1))
    members[np.arange(COMBOS), hands] = 1
    # Sums of at most 144 numbers of boards stay far below 2^53: exact as floats, and much faster.
    win, tie = (
        (members.T @ (counts.astype(np.float64) @ members)).astype(np.int64) for counts in matrices()
    )
    for counts in (win, tie):
        counts.flags.writeable = False
    return win, tie
