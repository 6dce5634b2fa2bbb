"""The front door: from a spot to the table or the exact engine, and to a result."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import comb
from time import perf_counter
from typing import TYPE_CHECKING, Any

from gpuodds.arguments import as_flag, as_whole, one_of
from gpuodds.backends.choice import check_name, choose_backend, choose_for
from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.games.holdem.multiway import deals, unbeaten_deals
from gpuodds.games.holdem.rules import BOARD_CARDS, MAX_PLAYERS
from gpuodds.methods.options import SEED_WITH_TIME_LIMIT, Limits, read_limits
from gpuodds.results.result import EquityBatch, EquityResult, name_winners, split_outcomes
from gpuodds.spots.arrays import as_cards, is_on_device, refuse_repeats
from gpuodds.spots.players import Player, list_players, read_players
from gpuodds.spots.spot import Cards, Spot, read_cards, read_opponents

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Progress
    from gpuodds.games.holdem.multiway import MatchingCounts
    from gpuodds.spots.ranges import Range

METHODS = ("auto", "exact", "monte-carlo")


def equity(
    hands: Player | Sequence[Player],
    *,
    opponents: int | None = None,
    board: Cards = "",
    dead: Cards = "",
    method: str = "auto",
    table: bool = True,
    backend: str = "auto",
    samples: int | None = None,
    standard_error: float | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    by_hand: bool = False,
    made_hands: bool = False,
    progress: Callable[[float], None] | None = None,
) -> EquityResult:
    """Answer a spot: every player's wins, ties by size, and equity; exactly, wherever that can be had.

    ``hands`` is one hand (``"AsKs"``) or range (``"QQ+,AK"``, or a :class:`gpuodds.Range`), or several
    of them, in a list or as one text of whole hands (``"AsKs QhQd"``); ``opponents`` more players hold
    random cards (0 to 22; one if there is one hand and nothing is said). ``board`` holds 0 to 5 cards,
    ``dead`` cards that are out of play. ``method`` is ``"exact"``, ``"monte-carlo"`` or ``"auto"``:
    hands are always counted, ranges where that takes some seconds at most, else sampled.
    ``table=False`` computes even what shipped tables hold. ``backend`` is ``"auto"`` (a GPU, if there
    is one), ``"cpu"``, ``"cuda"`` or ``"cuda:0,2"`` (those devices). ``samples``, ``standard_error``,
    ``time_limit`` (seconds) and ``seed`` govern sampled answers and leave exact ones as they are,
    except that ``time_limit`` also says how long ``"auto"`` may count. The first limit that is met ends
    the sampling; :class:`gpuodds.Sampling` goes on from there. A seed with a time limit is refused: the
    same seed is to give the same answer.
    ``by_hand`` adds the equity of each hand of each range, ``made_hands`` how often each player ends
    with a pair, two pair, and so on, and wins with it. ``progress`` is told the share that is done
    while a long answer is computed.

    Raises :class:`~gpuodds.errors.InputError` with one line that says what is wrong.

    >>> result = equity("AsKs", opponents=3)
    >>> result.players[0].win_outcomes, result.outcomes
    (104924135261847, 258861409884000)
    >>> equity(["AsKs", "QhQd"]).winners
    {'A': 787966, 'B': 917606, 'AB': 6732}
    """
    limits = read_limits(samples, standard_error, time_limit, seed)
    if seed is not None and time_limit is not None:
        raise InputError(SEED_WITH_TIME_LIMIT)
    return answer(
        hands,
        opponents=opponents,
        board=board,
        dead=dead,
        method=method,
        table=table,
        backend=backend,
        limits=limits,
        by_hand=by_hand,
        made_hands=made_hands,
        progress=progress,
    )


def answer(
    hands: Player | Sequence[Player],
    *,
    opponents: int | None,
    board: Cards,
    dead: Cards,
    method: str,
    table: bool,
    backend: str,
    limits: Limits,
    by_hand: bool,
    made_hands: bool,
    progress: Progress | None = None,
    on_estimate: Callable[[EquityResult], None] | None = None,
) -> EquityResult:
    """Answer a spot within limits: what stands behind :func:`equity`, and behind streams.

    ``on_estimate`` is called with sampled estimates before the answer is there, each better than the
    one before it; the answer is exact or not worse than the last one.
    """
    begin = perf_counter()
    players = read_players(hands)
    opponents = read_opponents(opponents, len(players))
    table, by_hand = as_flag("table", table), as_flag("by_hand", by_hand)
    made_hands = as_flag("made_hands", made_hands)
    one_of("method", method, METHODS)
    check_name(backend)
    known = all(isinstance(hand, tuple) for hand in players)
    if by_hand or made_hands or method == "monte-carlo" or not known:
        return _answer_ranges(
            players,
            opponents,
            board,
            dead,
            method=method,
            table=table,
            backend=backend,
            by_hand=by_hand,
            made_hands=made_hands,
            limits=limits,
            progress=progress,
            on_estimate=on_estimate,
        )
    spot = Spot.of(
        [hand for hand in players if isinstance(hand, tuple)],
        opponents=opponents,
        board=board,
        dead=dead,
    )
    if table:
        found = _look_up(spot, begin)
        if found is not None:
            return found
    if on_estimate is not None:
        from gpuodds.methods.range_equity import show_estimates
        from gpuodds.spots.range_question import read_ranges

        names, question = read_ranges(players, opponents, board, dead)
        show_estimates(names, question, 0.0, backend, limits, progress, on_estimate)
    counts, chosen = _count(spot, backend, progress)
    return _answer(spot, counts, chosen, begin)


def equities_by_opponents(
    hands: Cards | Sequence[Cards],
    *,
    opponents: int,
    board: Cards = "",
    dead: Cards = "",
    backend: str = "auto",
    progress: Callable[[float], None] | None = None,
) -> list[EquityResult]:
    """Answer a spot for every number of random opponents up to ``opponents`` from one pass.

    The list starts with one opponent for a single hand, with none for several. Arguments are those of
    :func:`equity`; the table is not used.

    >>> [round(result.equity, 4) for result in equities_by_opponents("AsKs", opponents=3)]
    [0.6704, 0.5072, 0.4143]
    """
    begin = perf_counter()
    opponents = as_whole("opponents", opponents)
    spot = Spot.of(list_players(hands), opponents=opponents, board=board, dead=dead)
    counts, chosen = _count(spot, backend, progress)
    fewest = 1 if len(spot.hands) == 1 else 0
    return [
        _answer(replace(spot, opponents=k), counts, chosen, begin) for k in range(fewest, opponents + 1)
    ]


def equities_by_next_card(
    hands: Player | Sequence[Player],
    *,
    opponents: int | None = None,
    board: Cards = "",
    dead: Cards = "",
    backend: str = "auto",
    progress: Callable[[float], None] | None = None,
    **options: Any,
) -> dict[str, EquityResult]:
    """Answer a spot once for each card that may come next, by that card.

    Arguments are those of :func:`equity`; ``board`` has at most four cards. Cards that nobody could be
    dealt beside are left out.

    >>> by_card = equities_by_next_card(["AsKs", "QhQd"], board="2s7s9d", backend="cpu")
    >>> round(by_card["3s"].equity, 3), round(by_card["Qc"].equity, 3), len(by_card)
    (1.0, 0.159, 45)
    """
    given, out = read_cards(board), read_cards(dead)
    if len(given) >= BOARD_CARDS:
        raise InputError(f"board {format_cards(given)}: no card is to come")
    players = read_players(hands)
    known = {*given, *out, *(c for hand in players if isinstance(hand, tuple) for c in hand)}
    cards = [card for card in range(DECK_SIZE - 1, -1, -1) if card not in known]
    found = {}
    for done, card in enumerate(cards, 1):
        with suppress(ImpossibleDeal):
            found[format_cards([card])] = equity(
                players,
                opponents=opponents,
                board=[*given, card],
                dead=out,
                backend=backend,
                **options,
            )
        if progress is not None:
            progress(done / len(cards))
    return found


def equity_batch(
    hands: Any,
    boards: Any = None,
    *,
    opponents: int = 1,
    backend: str = "auto",
    progress: Callable[[float], None] | None = None,
) -> EquityBatch:
    """Answer many spots at once: each hand on its board, against 1 to ``opponents`` random opponents.

    ``hands`` has shape (n, 2), ``boards`` (n, 0) to (n, 5): card numbers 0 to 51 of any integer dtype;
    ``boards`` is left out before the flop. CuPy arrays are taken and given without a copy to the host,
    on their own device and the current stream. ``opponents`` is 1 to 22. Meant for arrays of thousands
    and, on a GPU, millions of spots.

    Raises:
        InputError: A shape, a dtype, a card number or the number of opponents is another, or a row has
            a card twice.

    >>> batch = equity_batch([[51, 47], [0, 21]], [[1, 22, 30]] * 2, opponents=9)
    >>> batch.equity.shape, batch.outcomes[0], batch.counts(1, 2)
    ((2, 9), 1070190, [338065512, 7848213, 93588])
    """
    opponents = as_whole("opponents", opponents)
    if not 1 <= opponents < MAX_PLAYERS:
        raise InputError(f"opponents {opponents}: expected 1 to {MAX_PLAYERS - 1}")
    rows = as_cards(hands, "hands", (2,))
    if boards is None:
        boards = rows[:, :0]
    on_board = as_cards(boards, "boards", range(BOARD_CARDS + 1))
    if len(rows) != len(on_board):
        raise InputError(f"{len(rows)} hands and {len(on_board)} boards: expected as many")
    if is_on_device(rows) != is_on_device(on_board):
        raise InputError("hands and boards: expected both as NumPy arrays or both as CuPy arrays")
    chosen = choose_for(rows, backend)
    refuse_repeats(chosen, rows, on_board, "hands and boards")
    counts = chosen.unbeaten_deals(rows, on_board, opponents, progress)
    to_come = BOARD_CARDS - on_board.shape[1]
    ways = comb(DECK_SIZE - 2 - on_board.shape[1], to_come)
    outcomes = [ways * deals(DECK_SIZE - 2 - BOARD_CARDS, k) for k in range(1, opponents + 1)]
    return EquityBatch(counts, outcomes, chosen.name)


def heads_up_matrix(
    board: Cards = "",
    *,
    dead: Cards = "",
    backend: str = "auto",
    progress: Callable[[float], None] | None = None,
) -> tuple[Any, Any]:
    """Count how each of the 1,326 holdings fares against each other one, on every board.

    ``board`` holds 0 to 5 cards, ``dead`` cards that are out of play. Returns wins and ties, two NumPy
    arrays of shape (1326, 1326), dtype int64: entry [h, v] counts the full boards on which holding h
    beats holding v, or ties with it, 0 where they share a card with each other or the known cards. The
    holding of the cards a and b, a < b, has the number b (b - 1) / 2 + a
    (:func:`gpuodds.games.holdem.combos.combo_index`).

    Raises:
        InputError: As :func:`equity` does.

    >>> from gpuodds.games.holdem.combos import combo_index
    >>> wins, ties = heads_up_matrix("2s7d9hTc", backend="cpu")
    >>> aces, kings = combo_index(51, 50), combo_index(47, 46)
    >>> [int(count[aces, kings]) for count in (wins, wins.T, ties)]
    [42, 2, 0]
    """
    chosen = choose_backend(backend)
    wins, ties = chosen.heads_up_matrix(read_cards(board), read_cards(dead), progress)
    return wins, ties


def _answer_ranges(
    players: list[tuple[int, int] | Range],
    opponents: int,
    board: Cards,
    dead: Cards,
    *,
    method: str,
    table: bool,
    backend: str,
    by_hand: bool,
    made_hands: bool,
    limits: Limits,
    progress: Progress | None,
    on_estimate: Callable[[EquityResult], None] | None,
) -> EquityResult:
    from gpuodds.methods.range_equity import answer_ranges
    from gpuodds.spots.range_question import read_ranges

    names, question = read_ranges(players, opponents, board, dead)
    result = answer_ranges(
        names,
        question,
        method=method,
        table=table,
        backend=backend,
        by_hand=by_hand,
        made_hands=made_hands,
        limits=limits,
        progress=progress,
        on_estimate=on_estimate,
    )
    said = (note for hand in players if not isinstance(hand, tuple) for note in hand.notes)
    notes = tuple(dict.fromkeys(said))
    return replace(result, notes=(*notes, *result.notes)) if notes else result


def _look_up(spot: Spot, begin: float) -> EquityResult | None:
    if len(spot.hands) != 1 or spot.board or spot.dead:
        return None
    from gpuodds.tables.shipped.preflop_random import preflop_counts

    counts = preflop_counts(spot.hands[0], spot.opponents)
    players = split_outcomes(spot, {1: counts})
    return EquityResult(spot, players, "table", "cpu", None, perf_counter() - begin)


def _count(
    spot: Spot, backend: str, progress: Callable[[float], None] | None
) -> tuple[dict[int, MatchingCounts], str]:
    chosen = choose_backend(backend)
    try:
        (counts,) = chosen.matching_counts([spot], spot.opponents, progress)
    except MemoryError as error:
        if backend != "auto" or chosen.name == "cpu":
            raise
        logging.getLogger("gpuodds").info("computing on the CPU: %s", error)
        chosen = choose_backend("cpu")
        (counts,) = chosen.matching_counts([spot], spot.opponents, progress)
    return counts, chosen.name


def _answer(spot: Spot, counts: dict[int, MatchingCounts], backend: str, begin: float) -> EquityResult:
    unbeaten = {mask: unbeaten_deals(sums, spot.opponents) for mask, sums in counts.items()}
    winners = None
    if spot.opponents == 0:
        alone = {mask: counts[0] for mask, counts in unbeaten.items()}
        winners = name_winners(alone, len(spot.hands))
    players = split_outcomes(spot, unbeaten)
    return EquityResult(spot, players, "exact", backend, winners, perf_counter() - begin)
