"""Values of hands at showdowns and folds: what a solver asks at the ends of its tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpuodds.backends.choice import run_for
from gpuodds.basics.choices import BackendName, GameName
from gpuodds.games.catalog import two_card_game
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM

if TYPE_CHECKING:
    from gpuodds.spots.hands import Cards


def showdown_values(
    board: Any,
    reach: Any,
    *,
    folded: int | None = None,
    out: Any = None,
    backend: BackendName = "auto",
    game: GameName | Game = HOLDEM,
) -> Any:
    """Return what each hand of two or three players wins at a showdown of weighted ranges.

    The value of a hand is the sum, over the others' hands that share no card with it, the board or
    each other, of the product of their weights times (its share of the pot x players - 1): with two
    players the weight of what it beats less that of what beats it. Multiply it by the chips that each
    player has in the pot, if all have the same. Divided by :func:`gpuodds.fold_values` it is the
    expected gain of the hand.

    Args:
        board: Five cards, as text or numbers. For a batch also a board for each item: an array of card
            numbers, shape (batch, 5), or a list of texts.
        reach: The weight of each player's hands, 0 or more, shape (players, 1326) or (batch, players,
            1326), float32 or float64: a NumPy or CuPy array, or a tensor that speaks DLPack, such as
            those of PyTorch and JAX. :func:`gpuodds.numbering.combo_cards` lists the hands. Those that
            meet the board count as 0.
        folded: With three players the place, 0 to 2, of one who has folded: the player's share is 0,
            and the others hold none of the folded cards.
        out: An array like ``reach`` that receives the values; it may be ``reach`` itself.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"``, or a device: ``"cuda:0"``.
        game: Hold'em or short deck, or its name.

    Returns:
        ``out``, or a new array, NumPy or, for arrays on a GPU, CuPy, of the shape and dtype of
        ``reach``; hands that meet the board have 0. Sums are made in float64: whole numbers as weights
        give exact values while they fit, below 2^53.

    Raises:
        InputError: The board or an array cannot be read, a weight is negative, infinite or NaN, or
            ``folded`` is not one of three players.

    Example:
        >>> import numpy as np
        >>> from gpuodds.games import combo_index
        >>> reach = np.zeros((2, 1326))
        >>> aces, kings, queens = combo_index(51, 50), combo_index(47, 46), combo_index(43, 42)
        >>> reach[0, kings], reach[1, [aces, queens]] = 1, [1, 3]
        >>> values = showdown_values("2c7d9h3d4s", reach)
        >>> values[0, kings], values[1, [aces, queens]]
        (np.float64(2.0), array([ 1., -1.]))
    """
    played = two_card_game(game)
    from gpuodds.backends.operations.values import ShowdownValues
    from gpuodds.methods.values import weights

    given = weights.read_reach(reach)
    orders, boards = weights.read_boards(board, len(given), played)
    weights.check_weights(given)
    gone = weights.read_folded(folded, given.shape[1])
    values, answer = weights.read_out(out, reach, given)
    given = weights.apart(given, values)
    run_for(given, ShowdownValues(orders, boards, gone, given, values), backend)
    return answer


def fold_values(
    reach: Any,
    board: Cards = "",
    *,
    out: Any = None,
    backend: BackendName = "auto",
    game: GameName | Game = HOLDEM,
) -> Any:
    """Return what the others' hands weigh beside each hand: where all but one player have folded.

    The value of a hand is the sum of :func:`gpuodds.showdown_values` with 1 in place of what the hand
    wins. Multiply it by the chips that the player wins or loses.

    Args:
        reach: As for :func:`gpuodds.showdown_values`.
        board: 0 to 5 cards. Hands that meet them count as 0, and have 0.
        out: An array like ``reach`` that receives the values; it may be ``reach`` itself.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"``, or a device: ``"cuda:0"``.
        game: Hold'em or short deck, or its name.

    Returns:
        As :func:`gpuodds.showdown_values`.

    Raises:
        InputError: As :func:`gpuodds.showdown_values`.

    Example:
        >>> import numpy as np
        >>> float(fold_values(np.ones((2, 1326)))[0, 0]), float(fold_values(np.ones((3, 1326)))[0, 0])
        (1225.0, 1381800.0)
    """
    played = two_card_game(game)
    from gpuodds.backends.operations.values import FoldValues
    from gpuodds.methods.values import weights

    given = weights.read_reach(reach)
    live = weights.read_live(board, played)
    weights.check_weights(given)
    values, answer = weights.read_out(out, reach, given)
    given = weights.apart(given, values)
    run_for(given, FoldValues(live, given, values), backend)
    return answer
