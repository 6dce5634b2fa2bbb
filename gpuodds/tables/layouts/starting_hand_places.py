"""Starting hands by name, in look-ups of many situations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.starting_hands import starting_hands
from gpuodds.tables.hands import Hand

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

HANDS = 169
PAIRS = HANDS * (HANDS + 1) // 2  # of starting hands, in either order


def places_of_names(hands: Any, count: int) -> npt.NDArray[np.int64]:
    """Return the numbers of starting hands by name.

    Args:
        hands: Names such as AKs, (n, count).
        count: How many hands a situation has.

    Returns:
        Places in :func:`~gpuodds.games.holdem.starting_hands.starting_hands`, (n, count).

    Raises:
        InputError: The array has another shape or dtype, or a name is none of a starting hand.
    """
    import numpy as np

    given = np.asarray(hands)
    if given.ndim != 2 or given.shape[1] != count or given.dtype.kind not in "UT":
        raise InputError(
            f"hands: expected an array of shape (n, {count}), of names of starting hands such as AKs, "
            f"found {given.dtype}, shape {given.shape}"
        )
    names = np.array(starting_hands())
    order = np.argsort(names)
    places = order[np.minimum(np.searchsorted(names[order], given), HANDS - 1)]
    wrong = names[places] != given
    if wrong.any():
        row = int(wrong.any(axis=1).argmax())
        name = excerpt(str(given[row][wrong[row]][0]))
        raise InputError(f"hands: row {row}: expected a starting hand, such as AKs, found {name}")
    return places


def pair_place(first: Any, second: Any) -> Any:
    """Return the number of a pair of starting hands, the first not after the second: 0 to 14,364."""
    return first * HANDS - first * (first - 1) // 2 + second - first


def expect_starting_hands(table: str, hands: list[Hand]) -> None:
    """Refuse single combos where a table has starting hands alone.

    Raises:
        InputError: A hand is no starting hand.
    """
    for hand in hands:
        if not hand.classes:
            raise InputError(
                f"hand {hand.name}: expected a starting hand, such as {hand.starting_hands()[0]}: "
                f"table {table} has no single combos"
            )
