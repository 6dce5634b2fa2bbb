"""Read arrays of weights and of boards that solvers give."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import refuse_repeated_rows
from gpuodds.backends.operations.values import OrderCombos
from gpuodds.backends.strength_orders import StrengthOrders
from gpuodds.basics.arguments import as_whole
from gpuodds.cards import format_cards
from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import as_holdem
from gpuodds.games.shared.combos import combo_masks
from gpuodds.games.shared.rules import BOARD_CARDS, COMBOS
from gpuodds.spots.arrays import as_cards, is_on_device, on_host, own_device, refuse_missing_cards
from gpuodds.spots.hands import check_cards, read_cards

Ints = npt.NDArray[np.int64]

PLAYERS = (2, 3)
SHAPES = f"(players, {COMBOS}) or (batch, players, {COMBOS}) with two or three players"
ON_CPU, ON_CUDA, ON_CUDA_HOST = 1, 2, 3  # DLPack's numbers of devices
KEPT_BOARDS = 2048  # of a call; orders of more are not kept for the next one: 10 kB a board


def read_reach(reach: Any, name: str = "reach") -> Any:
    """Return weights as an array of shape (batch, players, 1326), float32 or float64, contiguous.

    Args:
        reach: A NumPy or CuPy array, one of another library that speaks DLPack, or lists.
        name: Its name in errors.

    Raises:
        InputError: The shape or dtype is wrong.
    """
    array = _as_array(reach, name)
    if array.dtype not in (np.float32, np.float64):
        raise InputError(f"{name}: expected float32 or float64, found {array.dtype}")
    if array.ndim not in (2, 3) or array.shape[-1] != COMBOS or array.shape[-2] not in PLAYERS:
        raise InputError(f"{name}: expected the shape {SHAPES}, found {array.shape}")
    array = array.reshape(-1, *array.shape[-2:])
    if not array.flags.c_contiguous:
        array = array.copy("C")
    return array


def check_weights(reach: Any) -> None:
    """Refuse weights that are negative, infinite or not a number.

    Args:
        reach: A result of :func:`read_reach`.

    Raises:
        InputError: It holds such a weight; the message has its place.
    """
    with own_device(reach):
        right = not reach.size or bool(reach.min() >= 0 and reach.max() < np.inf)  # not so with NaN
    if not right:
        place = np.unravel_index(int((~((reach >= 0) & (reach < np.inf))).argmax()), reach.shape)
        item, player, hand = map(int, place)
        where = f"player {player}, combo {hand}" + (f" of item {item}" if len(reach) > 1 else "")
        raise InputError(f"reach: {where}: expected a weight from 0, found {float(reach[place])}")


def read_folded(folded: Any, players: int) -> int:
    """Return the place of the player who has folded, -1 for None.

    Args:
        folded: The place, from 0.
        players: How many players there are.

    Raises:
        InputError: It is not the place of one of three players.
    """
    if folded is None:
        return -1
    place = as_whole("folded", folded)
    if players != PLAYERS[-1] or not 0 <= place < players:
        raise InputError(f"folded {place}: expected the place of one of three players, 0 to 2")
    return place


def read_out(out: Any, given: Any, reach: Any) -> tuple[Any, Any]:
    """Return an array to write values to, of the shape (batch, players, 1326), and what to give back.

    Args:
        out: An array like ``given``; None for a new one.
        given: The weights as the caller gave them.
        reach: The same as read by :func:`read_reach`.

    Raises:
        InputError: ``out`` is no such array, or nothing can be written to it.
    """
    shape = tuple(given.shape) if hasattr(given, "shape") else np.shape(given)
    if out is None:
        made = _empty_like(reach)
        return made, made.reshape(shape)
    array = _as_array(out, "out")
    if array.shape != shape or array.dtype != reach.dtype or is_on_device(array) != is_on_device(reach):
        wanted = f"an array like reach, {reach.dtype} of shape {shape}"
        raise InputError(f"out: expected {wanted}, found {array.dtype} of shape {array.shape}")
    if not array.flags.c_contiguous or not getattr(array.flags, "writeable", True):
        raise InputError("out: expected a contiguous array that can be written to")
    return array.reshape(reach.shape), out


def apart(reach: Any, out: Any) -> Any:
    """Return weights of which no value overwrites one before it is read, a copy if need be.

    Args:
        reach: Weights.
        out: Where the values go; it may be ``reach`` itself.
    """
    if is_on_device(reach):
        import cupy

        same, may_share = reach.data.ptr == out.data.ptr, cupy.may_share_memory(reach, out)
    else:
        same = reach.__array_interface__["data"] == out.__array_interface__["data"]
        may_share = np.may_share_memory(reach, out)
    return reach.copy() if may_share and not same else reach


def _as_array(given: Any, name: str) -> Any:
    if isinstance(given, np.ndarray) or is_on_device(given):
        return given
    try:
        if not hasattr(given, "__dlpack__"):
            return np.asarray(given)
        if given.__dlpack_device__()[0] in (ON_CPU, ON_CUDA_HOST):
            return np.from_dlpack(given)
        if given.__dlpack_device__()[0] == ON_CUDA:
            import cupy

            return cupy.from_dlpack(given)
    except Exception as error:
        raise InputError(f"{name}: expected an array of numbers: {error}") from None
    raise InputError(f"{name}: expected an array in the memory of the CPU or of an NVIDIA GPU")


def _empty_like(array: Any) -> Any:
    if not is_on_device(array):
        return np.empty_like(array)
    import cupy

    with array.device:
        return cupy.empty_like(array)


def read_boards(board: Any, batch: int, game: Game) -> tuple[StrengthOrders, Ints]:
    """Return the strength of combos on distinct boards, and which of the boards each item has.

    Args:
        board: Five cards, or five for each item: an array of shape (batch, 5), or texts.
        batch: The number of items.
        game: The game.

    Raises:
        InputError: A card cannot be read or is repeated, or there are not five, or not as many boards.
    """
    if not _are_many(board):
        cards = read_cards(board)
        check_cards(game, cards, ())
        if len(cards) != BOARD_CARDS:
            raise InputError(f"board {format_cards(cards) or repr('')}: expected five cards")
        return _orders(np.array([cards], np.uint8), game), np.zeros(batch, np.int64)
    rows = on_host(board, "board")
    if not isinstance(rows, np.ndarray):
        rows = [read_cards(row) for row in rows]
    boards = as_cards(rows, "board", (BOARD_CARDS,))
    if len(boards) != batch:
        raise InputError(f"{len(boards)} boards and {batch} items of reach: expected a board for each")
    refuse_missing_cards(boards, "board", game)
    refuse_repeated_rows(boards, boards[:, :0], "board")
    masks = (np.int64(1) << boards.astype(np.int64)).sum(axis=1)
    _, first, which = np.unique(masks, return_index=True, return_inverse=True)
    return _orders(np.sort(boards[first], axis=1), game), which.astype(np.int64)


def read_live(board: Any, game: Game) -> npt.NDArray[np.bool_]:
    """Return which combos can be dealt beside 0 to 5 cards of a board, shape (1326,).

    Args:
        board: The cards.
        game: The game.

    Raises:
        InputError: A card cannot be read or is repeated, or there are more than five.
    """
    cards = read_cards(board)
    check_cards(game, cards, ())
    return _live(tuple(sorted(cards)), game)


@lru_cache(maxsize=256)
def _live(cards: tuple[int, ...], game: Game) -> npt.NDArray[np.bool_]:
    gone = sum(1 << card for card in (*cards, *game.missing))
    live: npt.NDArray[np.bool_] = combo_masks() & gone == 0
    return live


def _are_many(board: Any) -> bool:
    """Return whether an argument is a list of boards, not one board."""
    if isinstance(board, str):
        return False
    if hasattr(board, "ndim"):
        return bool(board.ndim == 2)
    first = next(iter(board), None) if hasattr(board, "__iter__") else None
    return isinstance(first, list | tuple | np.ndarray) or (isinstance(first, str) and len(first) > 3)


def _orders(boards: npt.NDArray[np.uint8], game: Game) -> StrengthOrders:
    if len(boards) > KEPT_BOARDS:
        return _order(boards, game)
    return _kept_orders(boards.tobytes(), game)


@lru_cache(maxsize=16)
def _kept_orders(boards: bytes, game: Game) -> StrengthOrders:
    return _order(np.frombuffer(boards, np.uint8).reshape(-1, BOARD_CARDS), game)


def _order(boards: npt.NDArray[np.uint8], game: Game) -> StrengthOrders:
    from gpuodds.backends.choice import choose_backend

    return choose_backend("cpu").count(OrderCombos(as_holdem(game), boards)).counts
