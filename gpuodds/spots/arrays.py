"""Read and check arrays of cards from callers: NumPy arrays, CuPy arrays, or nested lists.

The functions import NumPy where they use it, and CuPy only for CuPy arrays, to keep ``import gpuodds``
light.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from gpuodds.cards import DECK_SIZE, RANKS, format_card, parse_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.game import Game
from gpuodds.games.shared.rules import BOARD_CARDS, HOLE_CARDS


def is_on_device(array: object) -> bool:
    """Return whether an array is a CuPy array, without importing CuPy."""
    # While another thread imports CuPy, the module may be without the class, and nobody has an array.
    kind = getattr(sys.modules.get("cupy"), "ndarray", None)
    return kind is not None and isinstance(array, kind)


def device_of(array: Any) -> int:
    """Return the number of the device of a CuPy array."""
    return int(array.device.id)


def on_numpy(function: Callable[..., Any], *arrays: Any) -> Any:
    """Return what a function of NumPy arrays returns; for CuPy arrays a CuPy array on their device."""
    if not is_on_device(arrays[0]):
        return function(*arrays)
    import cupy

    with own_device(arrays[0]):
        return cupy.asarray(function(*map(cupy.asnumpy, arrays)))


def own_device(array: Any) -> AbstractContextManager[Any]:
    """Return a context in which the device of a CuPy array is the current one.

    CuPy allocates on the current device and computes there, wherever the arrays are. For other arrays
    the context does nothing.
    """
    device: AbstractContextManager[Any] = array.device if is_on_device(array) else nullcontext()
    return device


def as_numbers(cards: Any, what: str, sizes: Collection[int]) -> Any:
    """Return rows of cards as an array of integers of shape (n, size), which may be any.

    A CuPy array stays on its device.

    Args:
        cards: Integers or cards as text, one hand or board per row.
        what: The name of the array in errors.
        sizes: The allowed numbers of cards per row.

    Raises:
        InputError: The shape or dtype is wrong, or a text is not a card.
    """
    import numpy as np

    if not is_on_device(cards):
        try:
            cards = np.asarray(cards)
        except ValueError:
            raise InputError(f"{what}: expected rows of one length, found rows that differ") from None
    if cards.ndim != 2 or cards.shape[1] not in sizes:
        shapes = [f"(n, {size})" for size in sizes]
        wanted = ", ".join(shapes[:-1]) + " or " + shapes[-1] if len(shapes) > 1 else shapes[0]
        raise InputError(f"{what}: expected an array of shape {wanted}, found {cards.shape}")
    if cards.dtype.kind == "U":
        cards = _numbers_of(cards, what)
    if cards.dtype.kind not in "iu" and cards.size:
        raise InputError(f"{what}: expected an array of integers, found {cards.dtype}")
    return cards


def as_cards(cards: Any, what: str, sizes: Collection[int]) -> Any:
    """Return rows of cards as a contiguous uint8 array of shape (n, size).

    An array that is already of this form is not copied; a CuPy array stays on its device.

    Args:
        cards: Integers 0 to 51 or cards as text, one hand or board per row.
        what: The name of the array in errors.
        sizes: The allowed numbers of cards per row.

    Raises:
        InputError: The shape or dtype is wrong, or a value is not a card.
    """
    import numpy as np

    cards = as_numbers(cards, what, sizes)
    with own_device(cards):
        if cards.size and not 0 <= int(cards.min()) <= int(cards.max()) < DECK_SIZE:
            wrong = (cards < 0) | (cards >= DECK_SIZE)
            row = int(wrong.any(axis=1).argmax())
            number = int(cards[row][wrong[row]][0])
            raise InputError(f"{what}: row {row}: expected card numbers from 0 to 51, found {number}")
        if is_on_device(cards):
            import cupy

            return cupy.ascontiguousarray(cards, np.uint8)
    return np.require(cards, np.uint8, ("C", "W"))


def _numbers_of(texts: Any, what: str) -> Any:
    """Return the card numbers of a NumPy array of cards as text."""
    import numpy as np

    numbers = np.empty(texts.shape, np.int64)
    for row, names in enumerate(texts.tolist()):
        for column, name in enumerate(names):
            try:
                (numbers[row, column],) = parse_cards(name)
            except ValueError:
                raise InputError(f"{what}: row {row}: expected a card, found {excerpt(name)}") from None
    return numbers


def on_host(array: Any, what: str) -> Any:
    """Return an array that is no CuPy array, as it is.

    Args:
        array: What the caller gave.
        what: Its name in errors.

    Raises:
        InputError: It is a CuPy array.
    """
    if is_on_device(array):
        raise InputError(f"{what}: expected a NumPy array or a list, found a CuPy array")
    return array


def as_rows(rows: Any, last: int) -> Any:
    """Return numbers of rows as an int64 array of shape (n,); a CuPy array stays on its device.

    Args:
        rows: Whole numbers.
        last: The number of the last row.

    Raises:
        InputError: The shape or dtype is wrong, or a number is out of range.
    """
    import numpy as np

    if not is_on_device(rows):
        try:
            rows = np.asarray(rows)
        except (ValueError, OverflowError):
            raise InputError("rows: expected an array of shape (n,), found rows of rows") from None
    if rows.ndim != 1 or (rows.dtype.kind not in "iu" and rows.size):
        raise InputError(
            f"rows: expected an array of integers of shape (n,), found {rows.dtype}, shape {rows.shape}"
        )
    with own_device(rows):
        if rows.size:
            for row in (int(rows.min()), int(rows.max())):
                if not 0 <= row <= last:
                    raise InputError(f"row {row}: expected 0 to {last}")
        return rows.astype(np.int64, copy=False)


def as_hand_tuples(hands: Any, count: int) -> Any:
    """Return several hands a row as a contiguous uint8 array of shape (n, count, 2).

    Args:
        hands: Integers 0 to 51 or cards as text.
        count: The number of hands in a row.

    Raises:
        InputError: The shape or dtype is wrong, or a value is not a card.
    """
    import numpy as np

    hands = on_host(hands, "hands")
    try:
        array = np.asarray(hands)
    except ValueError:
        raise InputError("hands: expected rows of one length, found rows that differ") from None
    if array.shape[1:] != (count, HOLE_CARDS):
        raise InputError(
            f"hands: expected an array of shape (n, {count}, {HOLE_CARDS}), found {array.shape}"
        )
    cards = as_cards(array.reshape(len(array), count * HOLE_CARDS), "hands", (count * HOLE_CARDS,))
    return cards.reshape(array.shape)


def as_hands_and_boards(hands: Any, boards: Any = None) -> tuple[Any, Any]:
    """Return hands (n, 2) and boards (n, 0..5), both checked by :func:`as_cards`.

    Args:
        hands: Card numbers, shape (n, 2).
        boards: Card numbers, shape (n, 0) to (n, 5); None for n boards without cards.

    Raises:
        InputError: A shape, a dtype or a card number is wrong, the numbers of rows differ, one is a
            NumPy array and the other a CuPy array, or they are on two devices.
    """
    rows = as_cards(hands, "hands", (HOLE_CARDS,))
    on_board = rows[:, :0] if boards is None else as_cards(boards, "boards", range(BOARD_CARDS + 1))
    if len(rows) != len(on_board):
        raise InputError(
            f"{len(rows)} hands and {len(on_board)} boards: expected a board for each hand"
        )
    if is_on_device(rows) != is_on_device(on_board):
        raise InputError("hands and boards: expected both as NumPy arrays or both as CuPy arrays")
    if is_on_device(rows) and rows.device != on_board.device:
        devices = f"found GPU {rows.device.id} and GPU {on_board.device.id}"
        raise InputError(f"hands and boards: expected both on one device, {devices}")
    return rows, on_board


def refuse_missing_cards(cards: Any, name: str, game: Game) -> None:
    """Refuse cards that the deck of a game lacks.

    Args:
        cards: The result of :func:`as_cards`.
        name: The name of the array in the error.
        game: The game; its missing cards are those of the lowest ranks.

    Raises:
        InputError: A row has such a card.
    """
    if not game.missing:
        return
    absent = cards < len(game.missing)
    if absent.any():
        row = int(absent.any(axis=1).argmax())
        card = format_card(int(cards[row][absent[row]][0]))
        lowest = RANKS[len(game.missing) // 4]
        raise InputError(f"{name}: row {row}: {card}: {game.name} has cards from {lowest} to A")
