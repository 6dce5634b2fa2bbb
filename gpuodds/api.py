"""The public functions that answer spots: each reads its arguments and calls a method."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gpuodds.backends.choice import run_operation
from gpuodds.backends.counts import Progress
from gpuodds.basics.amounts import Chips
from gpuodds.basics.arguments import as_whole, one_of
from gpuodds.basics.choices import BackendName, GameName, MethodName
from gpuodds.cards import format_cards
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.games.catalog import find_game, two_card_game
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.methods.answering import answer
from gpuodds.methods.options import SEED_WITH_TIME_LIMIT, Options, SamplingOptions
from gpuodds.results.batches.equity_batch import EquityBatch
from gpuodds.results.call_value import CallValue
from gpuodds.results.result import EquityResult
from gpuodds.spots.hands import Cards, check_cards, read_cards
from gpuodds.spots.players import Players, next_cards, read_folded, read_known_hands, read_players
from gpuodds.spots.price import Price
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.results.batches.equities import Equities
    from gpuodds.results.double_board import DoubleBoardResult


def equity(
    hands: Players,
    *,
    opponents: int | None = None,
    board: Cards = "",
    dead: Cards = "",
    folded: Players = (),
    method: MethodName = "auto",
    table: bool = True,
    backend: BackendName = "auto",
    samples: int | None = None,
    standard_error: float | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    by_hand: bool = False,
    made_hands: bool = False,
    explain: bool = False,
    pot: Chips | None = None,
    to_call: Chips | None = None,
    game: GameName | Game = HOLDEM,
    progress: Progress | None = None,
) -> EquityResult:
    """Return each player's win, tie and equity for a spot, exactly when feasible.

    Args:
        hands: A hand (``"AsKs"``), a range (``"QQ+,AK"``) or a list; 1 to 23.
        opponents: Random hands, 0 to 22. Default: 1 for a single hand, else 0.
        board: 0 to 5 cards.
        dead: Cards out of play.
        folded: A hand or range for each player who has folded.
        method: ``"exact"``, ``"monte-carlo"``, ``"auto"`` (by estimated time).
        table: Whether tables that ship with the package may answer.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"``, or a device: ``"cuda:0"``.
        samples: Deals to sample; the first limit that is met ends the sampling.
        standard_error: The largest standard error of a sampled equity.
        time_limit: Seconds to count ranges, then to sample; without a seed.
        seed: Of the samples, 0 or more.
        by_hand: Add the equity of each hand of each range.
        made_hands: Add how often a player ends with a pair, two pair, ...
        explain: Add which methods could have answered, and at what cost.
        pot: Chips before a call, with the bet: adds what it is worth.
        to_call: Chips that the first player's call takes.
        game: ``"holdem"`` or another name that ``gpuodds games`` lists.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        Counts by number of winners, exact equities, method and backend.

    Raises:
        InputError: Bad input, or too few deals; the message is one line.

    Example:
        >>> equity("AsKs", opponents=3).players[0].equity_exact
        Fraction(2042685976013, 4930693521600)
    """
    if seed is not None and time_limit is not None:
        raise InputError(SEED_WITH_TIME_LIMIT)
    sampling = SamplingOptions.read(samples, standard_error, time_limit, seed)
    options = Options.read(method, table, backend, by_hand, made_hands, sampling, explain)
    price = Price.read(pot, to_call)
    spot = Spot.of(hands, opponents=opponents, board=board, dead=dead, folded=folded, game=game)
    result = answer(spot, options, progress=progress)
    return result if price is None else replace(result, call=CallValue.of(price, result.players[0]))


def double_board(
    hands: Players,
    *,
    board: Cards = "",
    board2: Cards = "",
    dead: Cards = "",
    method: MethodName = "auto",
    backend: BackendName = "auto",
    samples: int | None = None,
    standard_error: float | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    game: GameName | Game = HOLDEM,
    progress: Progress | None = None,
) -> DoubleBoardResult:
    """Return what players win on two boards, each for half of the pot, as in bomb pots.

    Args:
        hands: Two to six hands, or two players of whom one or both have a range.
        board: 0 to 5 cards of the first board.
        board2: 0 to 5 cards of the second board.
        dead: Cards out of play.
        method: ``"exact"``, ``"monte-carlo"``, ``"auto"`` (by estimated time).
        backend: ``"auto"``, ``"cpu"``, ``"cuda"``, or a device: ``"cuda:0"``.
        samples: Deals to sample; the first limit that is met ends the sampling.
        standard_error: The largest standard error of a sampled scoop.
        time_limit: Seconds to count ranges, then to sample; without a seed.
        seed: Of the samples, 0 or more.
        game: A game without low hands, or its name.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        The equities, exact even where the rest is sampled, and how often players win both boards.

    Raises:
        InputError: Bad input; the message is one line.

    Example:
        >>> double_board(["AsKs", "QhQd"], board="2s7d9h", board2="KcTd3c").players[0].equity_exact
        Fraction(496, 861)
    """
    if seed is not None and time_limit is not None:
        raise InputError(SEED_WITH_TIME_LIMIT)
    sampling = SamplingOptions.read(samples, standard_error, time_limit, seed)
    options = Options.read(method, True, backend, False, False, sampling)
    from gpuodds.methods.double_boards.answer import answer_double_board
    from gpuodds.spots.double_board import DoubleBoardSpot

    spot = DoubleBoardSpot.of(hands, board=board, board2=board2, dead=dead, game=game)
    return answer_double_board(spot, options, progress)


def equities_by_opponents(
    hands: Cards | Sequence[Cards],
    *,
    opponents: int,
    board: Cards = "",
    dead: Cards = "",
    backend: BackendName = "auto",
    game: GameName | Game = HOLDEM,
    progress: Progress | None = None,
) -> list[EquityResult]:
    """Return the answers for every number of random opponents up to ``opponents``, from one pass.

    Args:
        hands: One known hand or several, as for :func:`gpuodds.equity`.
        opponents: The largest number of random opponents, 0 to 22.
        board: 0 to 5 cards.
        dead: Cards out of play.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0"``.
        game: Hold'em or short deck, or its name.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        One result per number of opponents, from one for a single hand and from none for several. The
        function counts them all and reads no table.

    Raises:
        InputError: As :func:`gpuodds.equity`, a player has a range, or the game is another.

    Example:
        >>> [round(result.equity, 4) for result in equities_by_opponents("AsKs", opponents=3)]
        [0.6704, 0.5072, 0.4143]
    """
    from gpuodds.methods.holdem.known_hands import answer_by_opponents

    played = two_card_game(game)
    known, opponents = read_known_hands(hands, played), as_whole("opponents", opponents)
    spot = Spot(known, opponents, read_cards(board), read_cards(dead), game=played)
    return answer_by_opponents(spot, backend, progress)


def equities_by_next_card(
    hands: Players,
    *,
    opponents: int | None = None,
    board: Cards = "",
    dead: Cards = "",
    folded: Players = (),
    backend: BackendName = "auto",
    game: GameName | Game = HOLDEM,
    progress: Progress | None = None,
    **options: Any,
) -> dict[str, EquityResult]:
    """Return the answer for each possible next card, by that card.

    Args:
        hands: A hand, a range, or a list of them, as for :func:`gpuodds.equity`; 1 to 23 players.
        opponents: Random hands, 0 to 22. Default: 1 for a single hand, else 0.
        board: 0 to 4 cards.
        dead: Cards out of play.
        folded: A hand or range for each player who has folded.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0"``.
        game: The game, or its name.
        progress: Called with the fraction done, 0 to 1.
        options: Further arguments of :func:`gpuodds.equity`.

    Returns:
        One result per card (``"As"``), aces first. Cards that leave a range no hand are omitted.

    Raises:
        InputError: As :func:`gpuodds.equity`, or the board is full.

    Example:
        >>> by_card = equities_by_next_card(["AsKs", "QhQd"], board="2s7s9d", backend="cpu")
        >>> round(by_card["3s"].equity, 3), round(by_card["Qc"].equity, 3), len(by_card)
        (1.0, 0.159, 45)
    """
    known_board, dead_cards, played = read_cards(board), read_cards(dead), find_game(game)
    players, gone = read_players(hands, played), read_folded(folded, played)
    cards = next_cards(played, known_board, dead_cards, (*players, *gone))
    results = {}
    for done, card in enumerate(cards, 1):
        with suppress(ImpossibleDeal):
            results[format_cards([card])] = equity(
                players,
                opponents=opponents,
                board=[*known_board, card],
                dead=dead_cards,
                folded=gone,
                backend=backend,
                game=played,
                **options,
            )
        if progress is not None:
            progress(done / len(cards))
    return results


def equities(
    spots: Any,
    boards: Any = None,
    *,
    opponents: int | None = None,
    method: MethodName = "auto",
    table: bool = True,
    backend: BackendName = "auto",
    samples: int | None = None,
    standard_error: float | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    errors: str = "raise",
    keep: str | Sequence[str] = (),
    game: GameName | Game = HOLDEM,
    progress: Progress | None = None,
) -> Equities:
    """Return the answers to many spots, in order: the integers of :func:`gpuodds.equity`.

    Repeated spots are answered once, and all threads share the work. Two known hands, one known hand
    against random opponents, and two ranges on many boards are counted in arrays.

    ``spots`` has one of three forms:

    * a list of dicts with the keys ``hands``, as for :func:`gpuodds.equity`, or ``hand_1``, ``hand_2``,
      ..., and optionally ``board``, ``dead``, ``opponents``, ``game`` and ``folded``, or ``folded_1``,
      ``folded_2``, ...;
    * a data frame (pandas, polars, Arrow) or a dict of columns of these names, in capital or small
      letters; others are errors, unless ``keep`` names them;
    * with ``boards``, the hands of each row as card numbers, shape (n, 2) or (n, players, 2), in Omaha
      with more hole cards; or the players who are on every board (``["QQ+,AK", "22+"]``).

    Args:
        spots: The spots; see above.
        boards: Card numbers, shape (n, 0) to (n, 5), any integer dtype, or texts; None for rows.
        opponents: With ``boards``, the number of random opponents, 0 to 22.
        method: ``"exact"``, ``"monte-carlo"`` or ``"auto"``, for each spot.
        table: Whether tables that ship with the package may answer.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0"``.
        samples: Deals to sample for each spot.
        standard_error: The largest standard error of a sampled equity.
        time_limit: Seconds of sampling for each spot; not with a seed.
        seed: Row n, from 0, is sampled with this seed plus n.
        errors: ``"raise"`` the first error, or give each row's error in the ``"column"`` error.
        keep: Names of columns that go with the answers, or ``"all"`` for all that are not known.
        game: The game, or its name; a row with a ``game`` has that one.
        progress: Called with the fraction of the rows done, 0 to 1.

    Returns:
        Columns of figures, and the :class:`gpuodds.EquityResult` of each row.

    Raises:
        InputError: An argument cannot be read, or a column is neither known nor kept; or a row, named
            by its place from 0, and ``errors`` is ``"raise"``.

    Example:
        >>> answers = equities([{"hands": ["AsKs", "QhQd"], "board": "2s7d9h"}, {"hands": "AsKs"}])
        >>> answers.columns["equity_1"].round(4).tolist(), answers[0].winners
        ([0.2828, 0.6704], {'A': 280, 'B': 710})
        >>> equities([[[51, 47], [42, 41]]] * 2, [[1, 22, 30], [0, 5, 10]]).columns["win_2"].round(4)
        array([0.7778, 0.6131])
    """
    if seed is not None and time_limit is not None:
        raise InputError(SEED_WITH_TIME_LIMIT)
    sampling = SamplingOptions.read(samples, standard_error, time_limit, seed)
    options = Options.read(method, table, backend, False, False, sampling)
    one_of("errors", errors, ("raise", "column"))
    from gpuodds.methods.batches.many_spots import answer_spots
    from gpuodds.spots.batches.row_names import Keep

    played, kept = find_game(game), Keep.read(keep)
    answers = answer_spots(spots, boards, opponents, options, played, kept, progress)
    if errors == "raise" and answers.errors:
        row = min(answers.errors)
        raise InputError(f"row {row}: {answers.errors[row]}")
    return answers


def equity_batch(
    hands: Any,
    boards: Any = None,
    *,
    opponents: int = 1,
    backend: BackendName = "auto",
    game: GameName | Game = HOLDEM,
    progress: Progress | None = None,
) -> EquityBatch:
    """Return the answers to many spots: each hand on its board, against 1 to ``opponents`` opponents.

    For arrays of thousands and, on a GPU, millions of spots. For hands against each other, for ranges
    and for texts there is :func:`gpuodds.equities`.

    Args:
        hands: Card numbers, shape (n, 2), any integer dtype.
        boards: Card numbers, shape (n, 0) to (n, 5), any integer dtype; omitted before the flop.
        opponents: The largest number of random opponents, 1 to 22, in short deck to 14.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0"``.
        game: Hold'em or short deck, or its name.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        Exact counts and equities. For CuPy arrays the result holds CuPy arrays, computed on their
        device and the current stream without a copy to the host.

    Raises:
        InputError: A shape, a dtype, a card number or the number of opponents is wrong, or a row
            repeats a card.

    Example:
        >>> batch = equity_batch([[51, 47], [0, 21]], [[1, 22, 30]] * 2, opponents=9)
        >>> batch.equity.shape, batch.outcomes[0], batch.counts(1, 2)
        ((2, 9), 1070190, [338065512, 7848213, 93588])
    """
    from gpuodds.methods.batches.batch import answer_batch

    played = two_card_game(game)
    return answer_batch(hands, boards, as_whole("opponents", opponents), backend, played, progress)


def heads_up_matrix(
    board: Cards = "",
    *,
    dead: Cards = "",
    backend: BackendName = "auto",
    game: GameName | Game = HOLDEM,
    progress: Progress | None = None,
) -> tuple[Any, Any]:
    """Return wins and ties of each of the 1,326 combos against each other one, over every full board.

    Args:
        board: 0 to 5 cards.
        dead: Cards out of play.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0"``.
        game: Hold'em or short deck, or its name.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        Wins and ties, two NumPy arrays of shape (1326, 1326), dtype int64. Entry [h, v] counts the full
        boards on which combo h beats combo v, or ties it; 0 if they share a card with each other, the
        board or the dead cards. :func:`gpuodds.games.combo_index` numbers the combos.

    Raises:
        InputError: As :func:`gpuodds.equity`.

    Example:
        >>> from gpuodds.games import combo_index
        >>> wins, ties = heads_up_matrix("2s7d9hTc", backend="cpu")
        >>> aces, kings = combo_index(51, 50), combo_index(47, 46)
        >>> [int(count[aces, kings]) for count in (wins, wins.T, ties)]
        [42, 2, 0]
    """
    on_board, out, played = read_cards(board), read_cards(dead), two_card_game(game)
    check_cards(played, on_board, out)
    from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix

    return run_operation(HeadsUpMatrix(played, on_board, out), backend, progress=progress).counts
