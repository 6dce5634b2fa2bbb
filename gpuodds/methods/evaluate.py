"""Hand ranks of one hand, of an array of hands, or of every combo on each of many boards."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any, overload

from gpuodds.backends.choice import choose_backend, refuse_repeated_rows, run_for, thread_count
from gpuodds.cards import format_cards, parse_cards, refuse_repeats
from gpuodds.errors import InputError
from gpuodds.spots.arrays import as_cards, is_on_device
from gpuodds.spots.hands import read_cards

# NumPy and numba are imported where they are used, to keep ``import gpuodds`` light.
if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gpuodds.backends.protocol import Backend


def rank_hand(cards: Sequence[int]) -> int:
    """Return the hand rank of five to seven cards, 1 (lowest) to 7462 (royal flush).

    Higher ranks win, equal ranks split.

    Args:
        cards: Card numbers, 0 to 51, in any order.

    Raises:
        InputError: There are fewer than five or more than seven cards, a number is not a card, or a
            card is repeated.

    Example:
        >>> from gpuodds.cards import parse_cards
        >>> rank_hand(parse_cards("AsKsQsJsTs 2c 2d"))
        7462
    """
    from gpuodds.games.holdem.hand_ranks import rank_cards

    if not 5 <= len(cards) <= 7:
        raise InputError(f"expected a hand of five to seven cards, found {len(cards)}")
    hand = [index(card) for card in cards]  # NumPy's small integers would overflow in a shift
    refuse_repeats((format_cards(hand), hand))
    return rank_cards(hand)


@overload
def rank_hands(cards: str | Sequence[int]) -> np.uint16: ...
@overload
def rank_hands(cards: Sequence[Sequence[int]]) -> npt.NDArray[np.uint16]: ...
@overload
def rank_hands(cards: npt.NDArray[Any]) -> Any: ...


def rank_hands(cards: Any) -> Any:
    """Return the hand ranks of many hands, 1 (lowest) to 7462 (royal flush).

    Higher ranks win, equal ranks split.

    Args:
        cards: Card numbers 0 to 51, shape (n, 5), (n, 6) or (n, 7), any integer dtype: a hand per row,
            in any order. Or a single hand, of shape (5,), (6,) or (7,) or as text (``"AsKsQsJsTs"``).

    Returns:
        Hand ranks, shape (n,), dtype uint16; for a single hand one uint16. For a CuPy array a CuPy
        array, computed on its device and the current stream.

    Raises:
        InputError: The shape or dtype is wrong, a number is not a card, or a row repeats a card.

    Example:
        >>> rank_hands([[51, 47, 43, 39, 35], [0, 5, 8, 12, 20]])
        array([7462,    1], dtype=uint16)
    """
    import numpy as np

    if isinstance(cards, str):
        return np.uint16(rank_hand(parse_cards(cards)))
    if not is_on_device(cards):
        try:
            cards = np.asarray(cards)
        except ValueError:
            raise InputError("cards: expected rows of one length, found rows that differ") from None
        if cards.ndim == 1 and cards.dtype.kind in "iuU" and 5 <= len(cards) <= 7:
            hand = cards.tolist()
            return np.uint16(rank_hand(read_cards(hand) if cards.dtype.kind == "U" else hand))
    rows = as_cards(cards, "cards", (5, 6, 7))
    chosen = choose_backend("cuda" if is_on_device(rows) else "cpu")
    refuse_repeated_rows(chosen, rows, rows[:, :0], "cards")
    return chosen.rank_cards(rows)


def rank_combos(boards: Any, *, backend: str = "auto") -> Any:
    """Return the hand rank of each of the 1,326 combos on each of many full boards.

    The combo of the cards a and b, a < b, has the number b (b - 1) / 2 + a
    (:func:`gpuodds.games.holdem.combos.combo_index`).

    Args:
        boards: Card numbers 0 to 51, shape (n, 5), any integer dtype.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0,2"``.

    Returns:
        Hand ranks 1 to 7462, shape (n, 1326), dtype uint16; 0 where the combo shares a card with the
        board. For a CuPy array a CuPy array, computed on its device and the current stream.

    Raises:
        InputError: The shape or dtype is wrong, a number is not a card, a row repeats a card, or the
            backend is not available.

    Example:
        >>> ranks = rank_combos([[51, 47, 43, 39, 35]], backend="cpu")  # a royal flush
        >>> ranks.shape, ranks[0, [0, -1]].tolist()  # 2c2d, and AhAs, whose ace is on the board
        ((1, 1326), [7462, 0])
    """
    rows = as_cards(boards, "boards", (5,))
    from gpuodds.methods.costs import rank_combos_seconds

    def rank(on: Backend) -> Any:
        refuse_repeated_rows(on, rows, rows[:, :0], "boards")
        return on.rank_combos(rows)

    return run_for(rows, backend, rank_combos_seconds(len(rows), thread_count()), rank)[0]
