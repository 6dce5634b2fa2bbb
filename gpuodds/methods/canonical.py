"""Situations by number: the row of a hand on a board in the tables of whole streets, and back."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from gpuodds.arguments import as_whole, one_of
from gpuodds.backends.choice import choose_backend, refuse_repeated_rows
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import InputError
from gpuodds.games.holdem.rules import BOARD_CARDS
from gpuodds.spots.arrays import as_hands_and_boards, is_on_device
from gpuodds.tables.hands import read_hand

STREETS = {"flop": 3, "turn": 4, "river": 5}


def canonical_rows(hands: Any, boards: Any) -> Any:
    """Return the rows of situations: a hand and a board, up to renaming the suits.

    ``hands`` has shape (n, 2), ``boards`` (n, 0) to (n, 5): card numbers 0 to 51 of any integer dtype,
    in any order. The result has shape (n,), dtype int64: 0 to 168 before the flop, to 1,286,791 on the
    flop, to 13,960,049 on the turn, to 123,156,253 on the river. :mod:`gpuodds.games.holdem.canonical`
    says how rows are numbered. CuPy arrays are taken and given, on their own device and the current
    stream.

    Raises:
        InputError: A shape or dtype is another, a number is no card, or a row has a card twice.

    >>> canonical_rows([[51, 47], [50, 46]], [[0, 21, 30], [3, 20, 29]])  # one situation, two names
    array([216046, 216046])
    """
    given, on_board = as_hands_and_boards(hands, boards)
    chosen = choose_backend("cuda" if is_on_device(given) else "cpu")
    refuse_repeated_rows(chosen, given, on_board, "hands and boards")
    return chosen.canonical_rows(given, on_board)


def canonical_cards(rows: Any, board_cards: int) -> tuple[Any, Any]:
    """Return the situation that each row stands for; the inverse of :func:`canonical_rows`.

    ``rows`` has shape (n,), any integer dtype; ``board_cards`` is 0 to 5. Returns hands (n, 2) and
    boards (n, ``board_cards``), uint8, the cards of each ascending; CuPy arrays if ``rows`` is one.

    Raises:
        InputError: The shape or dtype is another, or a number is no row.

    >>> hands, boards = canonical_cards([216046], 3)
    >>> hands.tolist(), boards.tolist()
    ([[47, 51]], [[2, 21, 28]])
    """
    import numpy as np

    from gpuodds.games.holdem.boards import canonical_index

    board_cards = as_whole("board_cards", board_cards)
    if not 0 <= board_cards <= BOARD_CARDS:
        raise InputError(f"board_cards {board_cards}: expected 0 to {BOARD_CARDS}")
    if not is_on_device(rows):
        try:
            rows = np.asarray(rows)
        except ValueError:
            raise InputError("rows: expected an array of shape (n,), found rows of rows") from None
    if rows.ndim != 1 or (rows.dtype.kind not in "iu" and rows.size):
        raise InputError(
            f"rows: expected an array of integers of shape (n,), found {rows.dtype}, shape {rows.shape}"
        )
    last = int(canonical_index(board_cards)[1][-1]) - 1
    if rows.size:
        for row in (int(rows.min()), int(rows.max())):
            if not 0 <= row <= last:
                raise InputError(f"row {row}: expected 0 to {last}")
    chosen = choose_backend("cuda" if is_on_device(rows) else "cpu")
    hands, boards = chosen.canonical_situations(rows.astype(np.int64), board_cards)
    return hands, boards


def count_distinct_boards(hand: Any = "", street: str = "river") -> int:
    """Return how many boards of a street differ, for a hand, in more than the names of the suits.

    Two boards are the same for a hand if some renaming of the suits turns one into the other and
    leaves the hand as it is. The number is Burnside's: the mean, over the renamings that leave the
    hand, of how many boards each leaves. Nothing is listed; it takes some milliseconds.

    Args:
        hand: A starting hand (``"AKs"``, ``"AKo"``, ``"AA"``), two cards, or ``""`` for boards alone.
        street: ``"flop"``, ``"turn"`` (four cards, their order ignored) or ``"river"`` (five).

    Returns:
        The number of classes of boards: on the river 388,863 for a suited hand, 1,094,724 for an
        offsuit hand and 572,036 for a pair.

    Raises:
        InputError: The text is no hand, or names two starting hands, as ``AK`` does; or the street is
            not one of the three.

    Example:
        >>> [count_distinct_boards(hand) for hand in ("AKs", "AKo", "AA")]
        [388863, 1094724, 572036]
        >>> [count_distinct_boards("", street) for street in ("flop", "turn", "river")]
        [1755, 16432, 134459]
    """
    size = STREETS[one_of("street", street, STREETS)]
    held: set[int] = set()
    if not (isinstance(hand, str) and not hand):
        found = read_hand(hand)
        if len(found.classes) > 1:
            names = " or ".join(found.classes)
            raise InputError(f"hand {found.name}: expected one starting hand, such as {names}")
        held = {*found.combos[0]}
    renamings = [
        names
        for names in permutations(range(4))
        if {card - (card & 3) + names[card & 3] for card in held} == held
    ]
    return sum(_fixed_boards(names, held, size) for names in renamings) // len(renamings)


def _fixed_boards(names: tuple[int, ...], held: set[int], size: int) -> int:
    """Count the boards that a renaming of the suits leaves: those made of whole cycles of cards."""
    ways = [1] + [0] * size  # by number of cards
    left = {card for card in range(DECK_SIZE) if card not in held}
    while left:
        card, cycle = min(left), 0
        while card in left:
            left.remove(card)
            card += names[card & 3] - (card & 3)
            cycle += 1
        for cards in range(size, cycle - 1, -1):
            ways[cards] += ways[cards - cycle]
    return ways[size]
