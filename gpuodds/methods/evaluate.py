"""The hand ranks of given cards: one hand, an array of them, or every combo on given boards."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any, overload

from gpuodds.backends.choice import choose_backend, choose_for, refuse_repeated_rows
from gpuodds.cards import format_cards, parse_cards, refuse_repeats
from gpuodds.errors import InputError
from gpuodds.spots.arrays import as_cards, is_on_device
from gpuodds.spots.players import read_cards

# NumPy and numba are imported where they are used, to keep ``import gpuodds`` light.
if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def rank_hand(cards: Sequence[int]) -> int:
    """Return the hand rank of five to seven cards, 1 (lowest) to 7462 (royal flush).

    ``cards`` are card numbers, 0 to 51, in any order. Higher ranks win, equal ranks split.

    Raises:
        InputError: There are not five to seven cards, or one is not a card or given twice.

    >>> from gpuodds.cards import parse_cards
    >>> rank_hand(parse_cards("AsKsQsJsTs 2c 2d"))
    7462
    """
    from gpuodds.games.holdem.hand_ranks import rank_cards

    if not 5 <= len(cards) <= 7:
        raise InputError(f"a hand to rank has five to seven cards, found {len(cards)}")
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

    ``cards`` has shape (n, 5), (n, 6) or (n, 7): card numbers 0 to 51 of any integer dtype, one
    hand a row, in any order. The result has shape (n,), dtype uint16. One hand of shape (5,), (6,)
    or (7,), or text (``"AsKsQsJsTs"``), gives a single uint16. Higher ranks win, equal ranks split.

    Raises:
        InputError: The shape or dtype is another, a number is no card, or a row has a card twice.

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

    ``boards`` has shape (n, 5): card numbers 0 to 51 of any integer dtype. The result has shape (n,
    1326), dtype uint16. The combo of the cards a and b, a < b, has the number b (b - 1) / 2 + a
    (:func:`gpuodds.games.holdem.combos.combo_index`); its rank is 0 where it shares a card with the
    board. A CuPy array is ranked on its own device, on the current stream, and gives a CuPy array.

    Raises:
        InputError: The shape or dtype is another, a number is no card, or a row has a card twice.

    >>> ranks = rank_combos([[51, 47, 43, 39, 35]], backend="cpu")  # a royal flush
    >>> ranks.shape, ranks[0, [0, -1]].tolist()  # 2c2d, and AhAs, whose ace lies on the board
    ((1, 1326), [7462, 0])
    """
    rows = as_cards(boards, "boards", (5,))
    chosen = choose_for(rows, backend)
    refuse_repeated_rows(chosen, rows, rows[:, :0], "boards")
    return chosen.rank_combos(rows)
