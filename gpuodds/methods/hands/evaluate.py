"""Hand ranks of one hand, of an array of hands, or of every combo on each of many boards."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from operator import index
from typing import TYPE_CHECKING, Any, overload

from gpuodds.backends.choice import own_backend, refuse_repeated_rows, run_for
from gpuodds.basics.choices import BackendName, GameName
from gpuodds.cards import format_cards, parse_cards, refuse_repeats
from gpuodds.errors import InputError
from gpuodds.games.catalog import find_game, two_card_game
from gpuodds.games.game import OMAHA_FAMILY, Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.spots.arrays import as_cards, as_numbers, is_on_device, refuse_missing_cards
from gpuodds.spots.hands import check_cards, number_word, read_cards

# NumPy and numba are imported where they are used, to keep ``import gpuodds`` light.
if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def rank_hand(cards: Sequence[int], game: GameName | Game) -> int:
    """Return the hand rank of five to seven cards, 1 (lowest) to 7462 (royal flush).

    Higher ranks win, equal ranks split.

    Args:
        cards: Card numbers, 0 to 51, in any order; in Omaha the hole cards, then the board.
        game: The game, or its name.

    Raises:
        InputError: There are fewer than five or more than seven cards (in Omaha: not three to five
            after the hole cards), a number is not a card of the game, or a card is repeated.

    Example:
        >>> from gpuodds.cards import parse_cards
        >>> rank_hand(parse_cards("AsKsQsJsTs 2c 2d"), "holdem")
        7462
    """
    played, hand = find_game(game), _read_hand(cards, find_game(game))
    return played.rank_hand(hand[: played.hole_cards], hand[played.hole_cards :])


def low_rank(cards: Sequence[int], game: GameName | Game) -> int:
    """Return the rank of the low hand of hole cards and a board, 1 (8-7-6-5-4) to 56 (5-4-3-2-A).

    Args:
        cards: Card numbers, the hole cards, then three to five cards of the board.
        game: The game, or its name, such as ``"omaha-hi-lo"``.

    Returns:
        The rank; 0 if there is no low, eight or better, or the game has none.

    Raises:
        InputError: As :func:`rank_hand`.

    Example:
        >>> from gpuodds.cards import parse_cards
        >>> low_rank(parse_cards("Ac2cKhKd 3s4d8hTcJd"), "omaha-hi-lo")
        35
    """
    played = find_game(game)
    hand = _read_hand(cards, played)
    return played.low_rank(hand[: played.hole_cards], hand[played.hole_cards :])


def _read_hand(cards: Sequence[int], game: Game) -> list[int]:
    sizes = _sizes(game)
    if len(cards) not in sizes:
        raise InputError(f"expected {_expected(game)}, found {len(cards)}")
    hand = [index(card) for card in cards]  # NumPy's small integers would overflow in a shift
    refuse_repeats((format_cards(hand), hand))
    check_cards(game, (), (), [tuple(hand)])
    return hand


def _sizes(game: Game) -> range:
    """Return the numbers of cards that a hand to rank may have."""
    if game.family == OMAHA_FAMILY:
        return range(game.hole_cards + 3, game.hole_cards + game.board_cards + 1)
    return range(5, game.hole_cards + game.board_cards + 1)


def _expected(game: Game) -> str:
    if game.family == OMAHA_FAMILY:
        sizes, hole_cards = _sizes(game), number_word(game.hole_cards)
        in_all = f"{sizes[0]} to {sizes[-1]} cards in all"
        return f"{hole_cards} hole cards, then three to five of the board, {in_all}"
    return "a hand of five to seven cards"


@overload
def rank_hands(cards: str | Sequence[int], *, game: GameName | Game = ...) -> np.uint16: ...
@overload
def rank_hands(
    cards: Sequence[Sequence[int]], *, game: GameName | Game = ...
) -> npt.NDArray[np.uint16]: ...
@overload
def rank_hands(cards: npt.NDArray[Any], *, game: GameName | Game = ...) -> Any: ...


def rank_hands(cards: Any, *, game: GameName | Game = HOLDEM) -> Any:
    """Return the hand ranks of many hands, 1 (lowest) to 7462 (royal flush).

    Higher ranks win, equal ranks split.

    Args:
        cards: Card numbers 0 to 51, shape (n, 5), (n, 6) or (n, 7), any integer dtype: a hand per row,
            in any order. Or a single hand, of shape (5,), (6,) or (7,) or as text (``"AsKsQsJsTs"``).
            In Omaha each row has the hole cards, then three to five cards of the board.
        game: The game, or its name. Ranks of short deck are 1 to 1404.

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

    played = find_game(game)
    sizes = _sizes(played)
    if isinstance(cards, str):
        return np.uint16(rank_hand(parse_cards(cards), played))
    if not is_on_device(cards):
        try:
            cards = np.asarray(cards)
        except ValueError:
            raise InputError("cards: expected rows of one length, found rows that differ") from None
        if cards.ndim == 1 and cards.dtype.kind in "iuU" and len(cards) in sizes:
            hand = cards.tolist()
            hand = read_cards(hand) if cards.dtype.kind == "U" else hand
            return np.uint16(rank_hand(hand, played))
    from gpuodds.backends.operations.ranks import RankCards

    rows = as_numbers(cards, "cards", sizes)
    if played.family != OMAHA_FAMILY and not is_on_device(rows):
        with suppress(ValueError):  # of a row that is no hand, which is looked for below
            return own_backend(rows).count(RankCards(played, rows)).counts
    rows = as_cards(rows, "cards", sizes)
    refuse_missing_cards(rows, "cards", played)
    refuse_repeated_rows(rows, rows[:, :0], "cards")
    if played.family == OMAHA_FAMILY:
        from gpuodds.backends.operations.omaha.ranks import OmahaHandRanks

        size = played.hole_cards
        return own_backend(rows).count(OmahaHandRanks(rows[:, :size], rows[:, size:])).counts
    return own_backend(rows).count(RankCards(played, rows)).counts


def low_ranks(cards: Any, *, game: GameName | Game) -> Any:
    """Return the ranks of many low hands, 1 (8-7-6-5-4) to 56 (5-4-3-2-A), 0 for none.

    Args:
        cards: Card numbers 0 to 51, shape (n, hole cards + 3 to 5), any integer dtype: in each row the
            hole cards, then three to five cards of the board.
        game: A hi-lo game, or its name.

    Returns:
        Low ranks, shape (n,), dtype uint8.

    Raises:
        InputError: As :func:`gpuodds.rank_hands`, or the game has no low hands.

    Example:
        >>> low_ranks([[48, 0, 47, 45, 7, 9, 26, 32, 36]], game="omaha-hi-lo")
        array([35], dtype=uint8)
    """
    played = find_game(game)
    if not played.has_low:
        raise InputError(f"game {played.name}: expected a game with low hands, such as omaha-hi-lo")
    rows = as_cards(cards, "cards", _sizes(played))
    refuse_repeated_rows(rows, rows[:, :0], "cards")
    from gpuodds.backends.operations.omaha.ranks import OmahaLowRanks

    size = played.hole_cards
    return own_backend(rows).count(OmahaLowRanks(rows[:, :size], rows[:, size:])).counts


def rank_combos(boards: Any, *, backend: BackendName = "auto", game: GameName | Game = HOLDEM) -> Any:
    """Return the hand rank of each of the 1,326 combos on each of many full boards.

    :func:`gpuodds.games.combo_index` numbers the combos.

    Args:
        boards: Card numbers 0 to 51, shape (n, 5), any integer dtype.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0,2"``.
        game: Hold'em or short deck, or its name.

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
    played = two_card_game(game)
    rows = as_cards(boards, "boards", (5,))
    refuse_missing_cards(rows, "boards", played)
    refuse_repeated_rows(rows, rows[:, :0], "boards")
    from gpuodds.backends.operations.ranks import RankCombos

    return run_for(rows, RankCombos(played, rows), backend).counts
