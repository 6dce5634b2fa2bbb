"""Every combo at once on the CPU: the ranks of all 1,326 on a board, and each against each.

Comparing is what takes the time, 1,326 x 1,326 pairs a board. Ranks and sums of a few boards fit 16
bits, so one machine instruction compares many pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.compile.jit import compiled, empty, zeros
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.shared.board_ranks import rank_without_flush, ranks_in_suit, read_board
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.boards import UInt8s
from gpuodds.games.shared.combos import (
    COMBOS,
    Ints,
    average_over_suits,
    combo_cards,
    split_wins,
    suit_relabellings,
)
from gpuodds.games.shared.hand_ranks import HandRankTables, UInt16s
from gpuodds.games.shared.symmetry import renamings_of_cards, weighted_boards

Int16s = npt.NDArray[np.int16]

CHUNK = 1024  # boards compared before the sums are widened: 1,024 x 24, the heaviest, fits 16 bits
NOT_DEALT = 0x7FFF  # above every hand rank


@compiled
def _rank_combos(
    boards: UInt8s, pairs: UInt8s, missing: int, tables: HandRankTables, out: UInt16s,
    begin: int, end: int,
) -> None:  # fmt: skip
    plain = zeros((13, 13), np.uint16)
    for number in range(begin, end):
        board = read_board(boards[number], tables)
        out_of_deck = board.dealt | missing
        rank_without_flush(board.state, tables.step, tables.rank_7, plain)
        for h in range(pairs.shape[0]):
            a, b = int(np.int64(pairs[h, 0])), int(np.int64(pairs[h, 1]))
            if (out_of_deck >> a | out_of_deck >> b) & 1:
                out[number, h] = 0
                continue
            best = plain[a >> 2, b >> 2]
            if board.flush_suit >= 0:
                ranks = ranks_in_suit(a, b, board.flush_suit, board.flush_ranks)
                best = max(best, tables.flush[ranks])
            out[number, h] = best


@compiled
def _compare(
    heroes: Int16s, villains: Int16s, weights: Int16s, wins: Ints, begin: int, end: int
) -> None:
    """Add to ``wins``, rows ``begin`` to ``end``, the weights of the boards on which combos win.

    ``heroes`` and ``villains`` are ranks, shape (boards, 1326), with 0 and ``NOT_DEALT`` for combos
    that share a card with the board.
    """
    # Apart from the sweeps by rank: every pair of combos is compared, in lanes of 16 bits.
    boards, combos = villains.shape
    sums = empty(combos, np.int16)
    for h in range(begin, end):
        sums[:] = 0
        for b in range(boards):
            rank = heroes[b, h]
            if rank == 0:
                continue
            weight = weights[b]
            for v in range(combos):
                sums[v] += weight if rank > villains[b, v] else np.int16(0)
        for v in range(combos):
            wins[h, v] += sums[v]


def rank_combos(boards: UInt8s, game: Holdem) -> UInt16s:
    """Return the hand rank of every combo on each of some full boards.

    ``boards`` has shape (n, 5), dtype uint8, card numbers 0 to 51, each row's cards different; nothing
    is checked. The result has shape (n, 1326): combos are numbered by
    :func:`gpuodds.games.shared.combos.combo_index`, and those that share a card with the board or
    have one that is not in the game's deck have 0.
    """
    missing = sum(1 << card for card in game.missing)
    ranks = np.empty((len(boards), COMBOS), np.uint16)
    rank = partial(_rank_combos, boards, combo_cards(), missing, game.hand_rank_tables, ranks)
    with thread_pool(thread_count()) as run:
        run(rank, len(boards))
    return ranks


def heads_up_matrix(
    game: Holdem,
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
    progress: Progress | None = None,
) -> tuple[Ints, Ints]:
    """Count on how many boards each combo beats and ties each other one.

    ``board`` are 0 to 5 card numbers, ``dead`` more that are out of play; the boards are all
    ways to fill up from the rest. Returns wins and ties, two arrays of shape (1326, 1326): entry [h, v]
    counts the full boards on which h beats v, or ties with it. It is 0 where h and v share a card with
    each other, the board or the dead cards. Combos are numbered by
    :func:`gpuodds.games.shared.combos.combo_index`. ``progress`` is called with the
    fraction done, 0 to 1.
    """
    dead = (*dead, *game.missing)
    group = renamings_of_cards(board, dead)
    boards, weights = weighted_boards(board, dead, group)
    wins = np.zeros((COMBOS, COMBOS), np.int64)
    threads = thread_count()
    for begin in range(0, len(boards), CHUNK):
        end = min(begin + CHUNK, len(boards))
        heroes = rank_combos(boards[begin:end], game).view(np.int16)
        villains = np.where(heroes == 0, np.int16(NOT_DEALT), heroes)
        weight = weights[begin:end].astype(np.int16)
        with thread_pool(threads) as run:
            run(partial(_compare, heroes, villains, weight, wins), COMBOS)
        if progress is not None:
            progress(end / len(boards))
    wins = average_over_suits(wins, suit_relabellings()[group])
    return split_wins(wins, board, dead)
