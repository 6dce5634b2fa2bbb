"""Estimate what an answer costs before computing it: the planner and the server share this model.

The constants are seconds of one core, fitted to the measurements of ``python bench/pricing.py``.
Estimates should be right within a factor of three.
"""

from __future__ import annotations

from bisect import bisect_left
from math import comb, prod
from typing import TYPE_CHECKING

from gpuodds.backends.choice import thread_count
from gpuodds.backends.startup import startup_seconds
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.rules import BOARD_CARDS, COMBOS
from gpuodds.methods.families import family_of
from gpuodds.methods.lookup import TABLE, is_in_table
from gpuodds.methods.options import DEFAULT_ERROR, Options, SamplingOptions
from gpuodds.methods.showdown_costs import (
    CALL_OF_TWO,
    SECONDS_PER_CALL,
    SUIT_RENAMINGS,
    is_two_ranges,
    showdown_seconds,
    two_ranges_seconds,
    why_no_showdowns,
)

if TYPE_CHECKING:
    from gpuodds.spots.spot import Spot

KNOWN_HANDS, SHOWDOWNS, LISTED_HANDS = "known hands", "showdowns", "listed hands"
ONE_RANDOM_HAND, THREE_RANGES = "one random hand", "three ranges"
METHODS = (KNOWN_HANDS, ONE_RANDOM_HAND, SHOWDOWNS, THREE_RANGES, LISTED_HANDS)
"""The methods that count."""

MAX_LISTED_HANDS = 20_000  # combinations of hands that are worth listing

SECONDS_PER_LOOK_UP = 2e-3
# One spot of known hands: base; increment per random opponent; factor of both by board cards. Without
# random opponents one thread counts, this long.
KNOWN_HANDS_BASE, KNOWN_HANDS_OPPONENT = 0.02, 0.01
KNOWN_HANDS_ALONE = 5e-4
KNOWN_HANDS_BY_BOARD = (1.0, 0.45, 0.2, 0.02, 5e-3, 2e-3)
# One of many spots of known hands, which share threat graphs: rows by board cards, columns for at most
# 2, at most 9, and more random opponents.
ONE_OF_MANY_SPOTS = (
    (0.03, 0.05, 0.2),
    (0.005, 0.04, 0.1),
    (8e-4, 8e-3, 0.03),
    (2e-4, 1.5e-3, 5e-3),
    (8e-5, 7e-4, 3e-3),
    (5e-5, 1.5e-4, 5e-4),
)
RANGES_ON_BOARD = 1e-3  # one of many boards of two ranges
# In reports on two players: a board, and a combo on it; to sweep over a combo of a full board; to add a
# pair of combos, and to compare two kinds of them, on all runouts of a flop or turn together.
REPORTED_BOARD, REPORTED_COMBO = 3e-5, 8e-8
SWEPT_COMBO, ADDED_PAIR, COMPARED_KINDS, KINDS = 2e-8, 4e-9, 1e-8, 338
# Arrays, for each board: to rank a combo; to compare every combo with every other.
RANKED_COMBO, COMPARED_COMBOS = 2e-8, 2e-4
# Sampling: a deal; each player who is compared; where one has a range, each player named or folded,
# and each time that two share a card and all draw again.
DEAL, PLAYER_OF_DEAL, DRAWN_PLAYER, REDRAWN_DEAL = 1e-8, 5e-9, 1e-8, 5e-8
VARIANCE = 0.25  # of a share of the pot, at most
# Of that in pairs of deals on boards in turn: by the cards of opponents, and by the board.
ON_A_BOARD, BETWEEN_BOARDS = VARIANCE / 2, VARIANCE / 2
GPU_CORES = 100  # cores of a CPU that count as fast as a GPU: a prediction, low on purpose


def counting_seconds(spot: Spot, options: Options, threads: int | None = None) -> dict[str, float]:
    """Estimate how long each counting method takes.

    Args:
        spot: The spot.
        options: The options of the answer.
        threads: Threads that count; default: those of this process.

    Returns:
        Seconds by method, :data:`TABLE` to :data:`LISTED_HANDS`, without methods that cannot answer.
    """
    if is_in_table(spot, options):
        return {TABLE: SECONDS_PER_LOOK_UP}
    is_known = spot.is_known and not options.is_counted_only
    if not is_known and is_two_ranges(spot, options):
        return {SHOWDOWNS: CALL_OF_TWO + two_ranges_seconds(spot)}
    threads = threads or thread_count()
    if is_known:
        return {KNOWN_HANDS: known_hands_seconds(len(spot.board), spot.opponents, threads)}
    found = {
        SHOWDOWNS: showdown_seconds(spot, options, threads),
        LISTED_HANDS: _listed_hands_seconds(spot, options, threads),
    }
    return {name: seconds for name, seconds in found.items() if seconds is not None}


def all_counting_seconds(spot: Spot, options: Options) -> dict[str, float]:
    """Estimate how long each counting method takes, those too that a cheaper kind keeps from use."""
    threads = thread_count()
    found = {
        SHOWDOWNS: showdown_seconds(spot, options, threads),
        LISTED_HANDS: _listed_hands_seconds(spot, options, threads),
    }
    if spot.is_known and not options.is_counted_only:
        found[KNOWN_HANDS] = known_hands_seconds(len(spot.board), spot.opponents, threads)
    return {name: seconds for name, seconds in found.items() if seconds is not None}


def refusals(spot: Spot, options: Options) -> dict[str, str]:
    """Return why counting methods cannot answer a spot, for those that cannot."""
    found = {
        SHOWDOWNS: why_no_showdowns(spot),
        LISTED_HANDS: _why_no_listing(spot, options),
    }
    if not spot.is_known:
        found[KNOWN_HANDS] = "a player has a range"
    elif options.is_counted_only:
        found[KNOWN_HANDS] = "gives neither equities by hand nor final hands"
    return {name: reason for name, reason in found.items() if reason}


def gpu_seconds(seconds: float, threads: int | None = None) -> float:
    """Predict how long a GPU takes for work that takes the CPU so long, its start included.

    Args:
        seconds: The estimated seconds on the CPU.
        threads: Threads that the estimate assumes; default: those of this process.
    """
    return startup_seconds() + seconds * (threads or thread_count()) / GPU_CORES


def sampling_seconds(spot: Spot, sampling: SamplingOptions, threads: int | None = None) -> float:
    """Estimate how long sampling takes until the samples or the standard error are reached.

    Args:
        spot: The spot.
        sampling: The limits of the sampling; the estimate ignores its time limit.
        threads: Threads that sample; default: those of this process.

    Returns:
        Seconds.
    """
    seconds = family_of(spot.game).deal_seconds(spot)
    return _deals(spot, sampling) * seconds / (threads or thread_count())


def deal_seconds(spot: Spot) -> float:
    """Estimate how long a sampled deal of hold'em takes one thread."""
    seconds = DEAL + PLAYER_OF_DEAL * spot.players
    if has_ranges(spot):
        seconds += DRAWN_PLAYER * (len(spot.hands) + len(spot.folded))
        seconds += REDRAWN_DEAL * (_draws_per_deal(spot) - 1)
    return seconds


def has_ranges(spot: Spot) -> bool:
    """Return whether a named or folded player has a range."""
    return len(spot.known_hands) + len(spot.folded_hands) < len(spot.hands) + len(spot.folded)


def least_sampling_seconds(sampling: SamplingOptions, threads: int) -> float:
    """Return the least that samples or a standard error take on any spot; 0 without either."""
    if sampling.samples is None and sampling.standard_error is None:
        return 0.0
    samples = sampling.samples or ON_A_BOARD / (sampling.standard_error or DEFAULT_ERROR) ** 2
    return samples * (DEAL + 2 * PLAYER_OF_DEAL) / threads


def known_hands_seconds(board_cards: int, opponents: int, threads: int) -> float:
    """Return the estimated seconds to count one spot of known hands."""
    if opponents == 0:
        return SECONDS_PER_CALL + KNOWN_HANDS_ALONE * KNOWN_HANDS_BY_BOARD[board_cards]
    one_core = KNOWN_HANDS_BASE + KNOWN_HANDS_OPPONENT * opponents
    return SECONDS_PER_CALL + one_core * KNOWN_HANDS_BY_BOARD[board_cards] / threads


def board_seconds(board_cards: int, opponents: int, threads: int) -> float:
    """Return the estimated seconds to count the equities of all combos on a board of 3 to 5 cards."""
    if opponents == 1:
        return 0.03 if board_cards == 3 else 2e-3  # one thread counts a board
    if board_cards == 3:
        return (0.25 + (0.15 if opponents < 10 else 0.22) * opponents) / threads
    return (0.06 + 2e-3 * opponents) / threads


def batch_seconds(rows: int, board_cards: int, opponents: int, threads: int) -> float:
    """Return the estimated seconds to count many spots of one hand, which share threat graphs."""
    return SECONDS_PER_CALL + rows * _one_of_many_seconds(board_cards, opponents) / threads


def two_range_boards_seconds(boards: int, threads: int) -> float:
    """Return the estimated seconds to count two ranges on many boards of three cards or more."""
    return SECONDS_PER_CALL + RANGES_ON_BOARD * boards / threads


def board_report_seconds(spot: Spot, boards: int, threads: int) -> float:
    """Return the estimated seconds to count two players on boards of the next street.

    Args:
        spot: A spot before the flop or on it; a hand is a range of one combo.
        boards: The number of boards.
        threads: The threads of the computation.
    """
    one, two = spot.sizes
    runouts = comb(DECK_SIZE - 3, 2) if not spot.board else DECK_SIZE - 6
    each = runouts * min(one + two, COMBOS) * SWEPT_COMBO
    if spot.has_integer_weights:
        pairs = one * two * ADDED_PAIR + min(one, KINDS) * min(two, KINDS) * COMPARED_KINDS
        each = min(each, pairs)
    each += REPORTED_BOARD + (one + two) * REPORTED_COMBO
    return SECONDS_PER_CALL + boards * each / threads


def rank_combos_seconds(boards: int, threads: int) -> float:
    """Return the estimated seconds to rank every combo on full boards."""
    return SECONDS_PER_CALL + boards * COMBOS * RANKED_COMBO / threads


def heads_up_matrix_seconds(board_cards: int, dead_cards: int, threads: int) -> float:
    """Return the estimated seconds to compare every combo with every other on all runouts."""
    boards = comb(DECK_SIZE - board_cards - dead_cards, BOARD_CARDS - board_cards)
    alike = SUIT_RENAMINGS if board_cards + dead_cards == 0 else 1
    return SECONDS_PER_CALL + boards / alike * COMPARED_COMBOS / threads


def _one_of_many_seconds(board_cards: int, opponents: int) -> float:
    return ONE_OF_MANY_SPOTS[board_cards][bisect_left((2, 9), opponents)]


def _deals(spot: Spot, sampling: SamplingOptions) -> float:
    """Return the number of deals until the samples or the standard error are reached.

    Where boards come in turn, the variance between boards adds less to the error the more boards have
    come, and nothing once all have.
    """
    if sampling.samples:
        return sampling.samples
    wanted = (sampling.standard_error or DEFAULT_ERROR) ** 2
    if not spot.is_dealt_in_pairs:
        return VARIANCE / wanted
    half = ON_A_BOARD / 2  # what a pair has of it
    return 2 * max((half + BETWEEN_BOARDS) / (wanted + BETWEEN_BOARDS / spot.boards), half / wanted)


def _draws_per_deal(spot: Spot) -> float:
    """Return the expected number of draws until no two players with ranges, folded too, share a card.

    The estimate treats pairs of ranges as independent.
    """
    import numpy as np

    cards = spot.game.combo_cards()
    rows = np.vstack([spot.weights, spot.folded_weights])
    rows /= rows.sum(axis=1, keepdims=True)
    by_card = np.zeros((len(rows), DECK_SIZE))
    for row, held in zip(rows, by_card, strict=True):
        for column in cards.T:
            np.add.at(held, column, row)
    apart = 1.0
    for one in range(len(rows)):
        for two in range(one):
            shared = by_card[one] @ by_card[two] - rows[one] @ rows[two]  # both cards count once
            apart *= max(1 - float(shared), 1e-6)
    return 1 / apart


def _why_no_listing(spot: Spot, options: Options) -> str:
    """Return why hands cannot be listed; empty if they can."""
    if options.made_hands:
        return "does not tell final hands apart"
    if not (spot.opponents or spot.folded):
        return "no random opponents: showdowns are cheaper"
    hands = _listed_hands(spot)
    if hands > MAX_LISTED_HANDS:
        return f"{hands:,.0f} combinations of hands; at most {MAX_LISTED_HANDS:,} are listed"
    return ""


def _listed_hands(spot: Spot) -> float:
    import numpy as np

    rows = np.vstack([spot.weights, spot.folded_weights])
    return prod(float(size) for size in np.count_nonzero(rows, axis=1))


def _listed_hands_seconds(spot: Spot, options: Options, threads: int) -> float | None:
    from gpuodds.games.holdem.symmetry import renamings_of_cards

    if _why_no_listing(spot, options):
        return None
    hands = _listed_hands(spot)
    group = spot.suit_group
    if not spot.folded:
        group = renamings_of_cards(spot.board, spot.dead)
    if spot.opponents:
        each = _one_of_many_seconds(len(spot.board), spot.opponents)
    else:
        each = KNOWN_HANDS_ALONE * KNOWN_HANDS_BY_BOARD[len(spot.board)]
    return max(1.0, 1.5 * hands / len(group)) * each / threads
