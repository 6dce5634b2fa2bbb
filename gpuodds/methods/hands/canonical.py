"""Rows of situations in the tables of whole streets, and the situations of rows."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from gpuodds.backends.choice import own_backend, refuse_repeated_rows
from gpuodds.basics.arguments import as_flag, as_whole, one_of
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import InputError
from gpuodds.games.shared.rules import BOARD_CARDS, STREETS
from gpuodds.spots.arrays import as_hands_and_boards, as_rows
from gpuodds.tables.hands import read_hand

FLOP_CARDS = 3
RECALLED = {4: 55_190_538, 5: 2_428_287_420}  # turns and rivers with perfect recall


def canonical_rows(hands: Any, boards: Any, *, perfect_recall: bool = False) -> Any:
    """Return the rows of situations, each a hand and a board up to renaming the suits.

    Hands that differ by the names of the suits alone, with their boards, share a row.

    Args:
        hands: Card numbers 0 to 51, shape (n, 2), any integer dtype, in any order.
        boards: Card numbers, shape (n, 0) to (n, 5), any integer dtype, in any order.
        perfect_recall: Whether the flop, the turn and the river are told apart, as by a player who
            remembers. A row of ``boards`` is then the flop in any order, the turn, the river.

    Returns:
        Rows, shape (n,), dtype int64, from 0 to 168 before the flop, 0 to 1,286,791 on the flop, 0 to
        13,960,049 on the turn, 0 to 123,156,253 on the river; with perfect recall 0 to 55,190,537 on
        the turn, 0 to 2,428,287,419 on the river. For CuPy arrays a CuPy array, computed on their
        device and the current stream.

    Raises:
        InputError: A shape or dtype is wrong, a number is not a card, or a row repeats a card.

    Example:
        >>> canonical_rows([[51, 47], [50, 46]], [[0, 21, 30], [3, 20, 29]])  # suits renamed
        array([216046, 216046])
    """
    in_hands, on_boards = as_hands_and_boards(hands, boards)
    from gpuodds.backends.operations.canonical import CanonicalRows, RecallRows

    refuse_repeated_rows(in_hands, on_boards, "hands and boards")
    recalled = as_flag("perfect_recall", perfect_recall) and on_boards.shape[1] > FLOP_CARDS
    numbering = RecallRows if recalled else CanonicalRows
    return own_backend(in_hands).count(numbering(in_hands, on_boards)).counts


def canonical_cards(rows: Any, board_cards: int, *, perfect_recall: bool = False) -> tuple[Any, Any]:
    """Return the canonical hand and board of each row: the inverse of ``canonical_rows``.

    Args:
        rows: Rows, shape (n,), any integer dtype.
        board_cards: The number of board cards, 0 to 5.
        perfect_recall: Whether the rows are those with perfect recall.

    Returns:
        Hands, shape (n, 2), and boards, shape (n, ``board_cards``), both uint8 card numbers, ascending
        in each row; with perfect recall the flop ascending, then the turn, then the river. CuPy arrays
        if ``rows`` is one.

    Raises:
        InputError: The shape or dtype is wrong, or a number is out of the range of rows.

    Example:
        >>> hands, boards = canonical_cards([216046], 3)
        >>> hands.tolist(), boards.tolist()
        ([[47, 51]], [[2, 21, 28]])
        >>> hands, boards = canonical_cards([2428287419], 5, perfect_recall=True)
        >>> hands.tolist(), boards.tolist()
        ([[36, 49]], [[40, 44, 48, 50, 51]])
    """
    from gpuodds.games.shared.boards import canonical_index

    board_cards = as_whole("board_cards", board_cards)
    if not 0 <= board_cards <= BOARD_CARDS:
        raise InputError(f"board_cards {board_cards}: expected 0 to {BOARD_CARDS}")
    recalled = as_flag("perfect_recall", perfect_recall) and board_cards > FLOP_CARDS
    count = RECALLED[board_cards] if recalled else int(canonical_index(board_cards)[1][-1])
    numbers = as_rows(rows, count - 1)
    from gpuodds.backends.operations.canonical import CanonicalSituations, RecalledSituations

    if recalled:
        return own_backend(numbers).count(RecalledSituations(numbers, board_cards)).counts
    return own_backend(numbers).count(CanonicalSituations(numbers, board_cards)).counts


def count_distinct_boards(hand: Any = "", street: str = "river") -> int:
    """Return the number of boards of a street that are distinct for a hand, up to renaming the suits.

    Two boards are the same for a hand if a renaming of the suits that keeps the hand turns one into
    the other. By Burnside's lemma the number is the mean, over the renamings that keep the hand, of the
    number of boards that each one keeps. The function lists no boards and takes milliseconds.

    Args:
        hand: A starting hand (``"AKs"``, ``"AKo"``, ``"AA"``), two cards, or ``""`` for boards alone.
        street: ``"flop"``, ``"turn"`` (four cards, their order ignored) or ``"river"`` (five).

    Returns:
        The number of classes of boards, on the river 388,863 for a suited hand, 1,094,724 for an
        offsuit hand and 572,036 for a pair.

    Raises:
        InputError: The hand cannot be read, or names two starting hands, as ``AK`` does; or the street
            is not one of the three.

    Example:
        >>> [count_distinct_boards(hand) for hand in ("AKs", "AKo", "AA")]
        [388863, 1094724, 572036]
        >>> [count_distinct_boards("", street) for street in ("flop", "turn", "river")]
        [1755, 16432, 134459]
    """
    size = STREETS[one_of("street", street, STREETS)]
    hole_cards: set[int] = set()
    if not (isinstance(hand, str) and not hand):
        starting_hand = read_hand(hand)
        if len(starting_hand.classes) > 1:
            names = " or ".join(starting_hand.classes)
            raise InputError(f"hand {starting_hand.name}: expected one starting hand, such as {names}")
        hole_cards = {*starting_hand.combos[0]}
    renamings = [
        names
        for names in permutations(range(4))
        if {card - (card & 3) + names[card & 3] for card in hole_cards} == hole_cards
    ]
    return sum(_fixed_boards(names, hole_cards, size) for names in renamings) // len(renamings)


def _fixed_boards(names: tuple[int, ...], hole_cards: set[int], size: int) -> int:
    """Count the boards that a renaming of the suits keeps: the unions of whole cycles of cards."""
    ways = [1] + [0] * size  # by number of cards
    left = {card for card in range(DECK_SIZE) if card not in hole_cards}
    while left:
        card, cycle = min(left), 0
        while card in left:
            left.remove(card)
            card += names[card & 3] - (card & 3)
            cycle += 1
        for cards in range(size, cycle - 1, -1):
            ways[cards] += ways[cards - cycle]
    return ways[size]
