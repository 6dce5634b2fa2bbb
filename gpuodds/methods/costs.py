"""Estimate what an answer costs before computing it: the planner and the server share this model.

The constants are seconds of one core, fitted to the measurements of ``python bench/pricing.py``.
Estimates should be right within a factor of three.
"""

from __future__ import annotations

from bisect import bisect_left
from math import comb, prod
from typing import TYPE_CHECKING, Any

from gpuodds.backends.choice import thread_count
from gpuodds.backends.startup import startup_seconds
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.rules import BOARD_CARDS, COMBOS
from gpuodds.methods.lookup import TABLE, is_in_table
from gpuodds.methods.options import DEFAULT_ERROR, Options, SamplingOptions

if TYPE_CHECKING:
    import numpy.typing as npt

    from gpuodds.spots.spot import Spot

KNOWN_HANDS, SHOWDOWNS, LISTED_HANDS = "known hands", "showdowns", "listed hands"
"""The methods that count."""

MAX_SHOWDOWN_PLAYERS = 6
MAX_LISTED_HANDS = 20_000  # combinations of hands that are worth listing
SUIT_RENAMINGS = 24
FLOP_CARDS = 3

SECONDS_PER_LOOK_UP = 2e-3
SECONDS_PER_CALL = 5e-4
# Showdowns, for each full board: to list it; to find its class under suit renamings (base, each one).
LISTED_BOARD, GROUPED_BOARD = 1e-8, (6e-8, 2e-8)
COUNTED_BOARD = 3e-7
# With two players, for each board: to rank and sort a combo; to count a combo against a range.
SORTED_COMBO_OF_TWO, COUNTED_COMBO_OF_TWO = 1.5e-8, 3e-9
MADE_HANDS_FACTOR = 1.3
# With two players, weights 0 or 1 and a board: one call; for each pair of combos, with cards to come.
CALL_OF_TWO, PAIR_OF_COMBOS = 2e-4, 1e-8
SECONDS_WORTH_A_GROUP = 2e-3
RANGES_ON_BOARD = 1e-3  # one of many boards of two ranges
# Two ranges before the flop: base; a type of hands; a type of the first range; a pair of types. With
# made hands each range comes first once. Types by combos: at least, more per combo, at most.
PREFLOP_TYPES, PREFLOP_MADE_TYPES = (3e-3, 8e-5, 8e-4, 9e-6), (3e-3, 8e-5, 2e-3, 1.5e-5)
TYPES_OF_COMBOS = (3, 1 / 3, 338)
# With more players, for each board: to sort a combo; then by whether all weights are 0 or 1: to update
# it for a hero; to take a hero's combo out of the sums, if opponents beyond two are listed; to sum the
# two widest opponents.
SORTED_COMBO = 1.2e-8
HERO_COMBO, TAKEN_OUT, CLOSED_SUMS = (1.5e-8, 1e-8), (2e-7, 4e-7), (2.2e-7, 2.5e-8)
# With folded players: for each board and hero; to move a combo from sum to sum; to sum two players, and
# two who have both folded.
FOLDED_BOARD, MOVED_COMBO, FOLDED_SUMS, BOTH_FOLDED_SUMS = 5e-6, 4e-8, 2.5e-7, 6e-8
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
# Arrays, for each board: to rank a combo; to compare every combo with every other.
RANKED_COMBO, COMPARED_COMBOS = 2e-8, 2e-4
# Sampling: a deal; each player beyond two; each time that ranges share a card and all draw again.
DEAL, PLAYER_OF_DEAL, REDRAWN_DEAL = 4e-8, 4e-8, 8e-8
DRAWN_PLAYER = 2e-8  # a player who has folded
VARIANCE = 0.25  # of a share of the pot, at most
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
        return {SHOWDOWNS: CALL_OF_TWO + _two_ranges_seconds(spot)}
    threads = threads or thread_count()
    if is_known:
        return {KNOWN_HANDS: known_hands_seconds(len(spot.board), spot.opponents, threads)}
    found = {
        SHOWDOWNS: _showdown_seconds(spot, options, threads),
        LISTED_HANDS: _listed_hands_seconds(spot, options, threads),
    }
    return {name: seconds for name, seconds in found.items() if seconds is not None}


def is_two_ranges(spot: Spot, options: Options) -> bool:
    """Return whether a spot is best counted by pairs of combos: two players on a flop or later.

    Nobody has folded, and counts are integers. Two wide ranges may take less by a sweep over the
    runouts, where many of these are alike up to a renaming of the suits.

    Args:
        spot: The spot.
        options: The options of the answer.
    """
    has_board = spot.players == 2 and len(spot.board) >= FLOP_CARDS and not spot.folded
    if not has_board or options.made_hands or not spot.has_integer_weights:
        return False
    seconds = _two_ranges_seconds(spot)
    return seconds < SECONDS_WORTH_A_GROUP or seconds < _sweep_seconds(spot) / len(spot.suit_group)


def all_counting_seconds(spot: Spot, options: Options) -> dict[str, float]:
    """Estimate how long each counting method takes, those too that a cheaper kind keeps from use."""
    threads = thread_count()
    found = {
        SHOWDOWNS: _showdown_seconds(spot, options, threads),
        LISTED_HANDS: _listed_hands_seconds(spot, options, threads),
    }
    if spot.is_known and not options.is_counted_only:
        found[KNOWN_HANDS] = known_hands_seconds(len(spot.board), spot.opponents, threads)
    return {name: seconds for name, seconds in found.items() if seconds is not None}


def refusals(spot: Spot, options: Options) -> dict[str, str]:
    """Return why counting methods cannot answer a spot, for those that cannot."""
    found = {
        SHOWDOWNS: _why_no_showdowns(spot),
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
    samples = sampling.samples or VARIANCE / (sampling.standard_error or DEFAULT_ERROR) ** 2
    seconds = DEAL + PLAYER_OF_DEAL * max(0, spot.players - 2)
    seconds += DRAWN_PLAYER * len(spot.folded)
    if len(spot.hands) + len(spot.folded) > 1 and not spot.is_known:
        seconds += REDRAWN_DEAL * (_draws_per_deal(spot) - 1)
    return samples * seconds / (threads or thread_count())


def least_sampling_seconds(sampling: SamplingOptions, threads: int) -> float:
    """Return the least that samples or a standard error take on any spot; 0 without either."""
    if sampling.samples is None and sampling.standard_error is None:
        return 0.0
    samples = sampling.samples or VARIANCE / (sampling.standard_error or DEFAULT_ERROR) ** 2
    return samples * DEAL / threads


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


def _draws_per_deal(spot: Spot) -> float:
    """Return the expected number of draws until no two players with ranges, folded too, share a card.

    The estimate treats pairs of ranges as independent.
    """
    import numpy as np

    cards = spot.game.combo_cards()
    rows = np.vstack([spot.weights, spot.folded_weights])
    rows /= rows.sum(axis=1, keepdims=True)
    by_card = np.zeros((len(rows), spot.game.deck_size))
    for row, held in zip(rows, by_card, strict=True):
        for column in cards.T:
            np.add.at(held, column, row)
    apart = 1.0
    for one in range(len(rows)):
        for two in range(one):
            shared = by_card[one] @ by_card[two] - rows[one] @ rows[two]  # both cards count once
            apart *= max(1 - float(shared), 1e-6)
    return 1 / apart


def _why_no_showdowns(spot: Spot) -> str:
    """Return why showdowns cannot be counted; empty if they can."""
    import numpy as np

    if spot.players + len(spot.folded) > MAX_SHOWDOWN_PLAYERS:
        return f"more than {MAX_SHOWDOWN_PLAYERS} players"
    rows = np.vstack([spot.all_weights, spot.folded_weights])
    if not _fits(spot, sorted(int(size) for size in np.count_nonzero(rows, axis=1))):
        return "the ranges are too wide: counts could pass 63 bits"
    return ""


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


def _showdown_seconds(spot: Spot, options: Options, threads: int) -> float | None:
    import numpy as np

    if _why_no_showdowns(spot):
        return None
    if is_two_ranges(spot, options):
        return CALL_OF_TWO + _two_ranges_seconds(spot)
    weights = spot.all_weights
    sizes = sorted(spot.sizes)
    if spot.folded:
        return _folded_showdown_seconds(spot, options, sizes, threads)
    if is_two_ranges_preflop(spot):
        return SECONDS_PER_CALL + _preflop_seconds(spot, options.made_hands) / threads
    active = int(np.count_nonzero(weights.any(axis=0)))
    listing, boards = _board_seconds(spot)
    if spot.players == 2:
        work = SORTED_COMBO_OF_TWO * active + COUNTED_COMBO_OF_TWO * sum(sizes)
        work *= MADE_HANDS_FACTOR if options.made_hands else 1.0
    else:
        heroes = len(sizes) if options.is_counted_only else len(sizes) - 1
        whole = spot.has_integer_weights
        work = (SORTED_COMBO + HERO_COMBO[whole] * heroes) * active
        work += sum(_hero_seconds(sizes, hero, whole, options.made_hands) for hero in range(heroes))
    return SECONDS_PER_CALL + listing + boards * (COUNTED_BOARD + work) / threads


def _two_ranges_seconds(spot: Spot) -> float:
    """Estimate the smaller cost of a sweep over the runouts and of going through pairs of combos."""
    sweep = _sweep_seconds(spot)
    return min(sweep, PAIR_OF_COMBOS * prod(spot.sizes)) if spot.to_come else sweep


def _sweep_seconds(spot: Spot) -> float:
    combos = min(sum(spot.sizes), COMBOS)
    return _runouts(spot) * (COUNTED_BOARD + SORTED_COMBO_OF_TWO * combos)


def is_two_ranges_preflop(spot: Spot) -> bool:
    """Return whether a spot is counted by types of hands: two players, and all cards to come."""
    return spot.players == 2 and not (spot.board or spot.dead or spot.folded)


def _preflop_seconds(spot: Spot, made_hands: bool) -> float:
    least, each, most = TYPES_OF_COMBOS
    first, second = (min(least + each * int(size), most) for size in (spot.all_weights > 0).sum(axis=1))
    base, a_type, row, pair = PREFLOP_MADE_TYPES if made_hands else PREFLOP_TYPES
    once = base + a_type * (first + second) + pair * first * second
    if not made_hands:
        return (once + row * min(first, second)) / (2 if first == second else 1)
    if len(spot.hands) == 1 or first == second:
        return once + row * first
    return 2 * once + row * (first + second)


def _folded_showdown_seconds(spot: Spot, options: Options, sizes: list[int], threads: int) -> float:
    import numpy as np

    gone = np.count_nonzero(spot.folded_weights, axis=1).tolist()
    listing, boards = _board_seconds(spot)
    heroes = sizes if options.is_counted_only else sizes[:-1]
    active = int(np.count_nonzero(spot.all_weights.any(axis=0)))
    work = FOLDED_BOARD * len(heroes) + SORTED_COMBO * active
    for size in heroes:
        work += MOVED_COMBO * active
        against = sizes.copy()
        against.remove(size)
        # As the backend has it, the last two are summed. Of a player who can win the listing visits
        # the combos that do not beat the hero's.
        every = sorted([(n / 4, n / 2, n) for n in against] + [(n, n, n) for n in gone])
        visits = prod(half for _, half, _ in every[:-2])
        visits += prod(n for _, _, n in every[:-2]) * options.made_hands
        both_folded = every[-2][0] == every[-2][2]
        work += size * (BOTH_FOLDED_SUMS if both_folded else FOLDED_SUMS) * visits
    return SECONDS_PER_CALL + listing + boards * (COUNTED_BOARD + work) / threads


def _runouts(spot: Spot) -> int:
    return comb(spot.game.deck_size - len({*spot.board, *spot.dead}), spot.to_come)


def _board_seconds(spot: Spot) -> tuple[float, float]:
    """Return the seconds to list the boards, and the number of their classes."""
    every, group = _runouts(spot), len(spot.suit_group)
    if group == SUIT_RENAMINGS and not spot.board and not spot.dead:
        return 0.0, every / group  # canonical_boards keeps this list
    each, renamed = GROUPED_BOARD if group > 1 else (0.0, 0.0)
    return every * (LISTED_BOARD + each + renamed * group), every / group


def _hero_seconds(sizes: list[int], hero: int, whole: bool, made_hands: bool) -> float:
    # The listing visits only combos that do not beat the hero's: of n lists 1 / (n + 1) of the tuples
    # on average. Made hands visit all tuples once more.
    lists = (sizes[:hero] + sizes[hero + 1 :])[:-2]
    visits = (1 / (len(lists) + 1) + made_hands) * prod(lists)
    return sizes[hero] * (TAKEN_OUT[whole] * bool(lists) + CLOSED_SUMS[whole] * visits)


def _fits(spot: Spot, sizes: list[int]) -> bool:
    """Return whether a combo's counts over all boards fit 63 bits, and those of one board 53 bits."""
    tuples = prod(sizes[1:])
    return tuples < 1 << 53 and tuples * _runouts(spot) < 1 << 63


def _listed_hands_seconds(spot: Spot, options: Options, threads: int) -> float | None:
    import numpy as np

    if _why_no_listing(spot, options):
        return None
    hands = _listed_hands(spot)
    group = spot.suit_group
    if not spot.folded:
        any_hand: npt.NDArray[Any] = np.zeros((1, spot.game.combos))
        group = spot.game.suit_group(any_hand, spot.board, spot.dead)
    if spot.opponents:
        each = _one_of_many_seconds(len(spot.board), spot.opponents)
    else:
        each = KNOWN_HANDS_ALONE * KNOWN_HANDS_BY_BOARD[len(spot.board)]
    return max(1.0, 1.5 * hands / len(group)) * each / threads
