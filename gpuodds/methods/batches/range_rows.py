"""Rows of two players with ranges on a flop, turn or river: each pair of ranges on all its boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import comb

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import run_on, run_rows, thread_count
from gpuodds.backends.costs import CALL
from gpuodds.backends.counts import Progress, part_of
from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.two_ranges import BOARD, TwoRangeBoards, on_board_seconds
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import SUIT_NAMES
from gpuodds.games.shared.symmetry import renamings_of_cards
from gpuodds.methods.options import Options
from gpuodds.results.batches.equities import PAIR, CountedRows
from gpuodds.spots.batches.rows import Row
from gpuodds.spots.hands import Hand
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.spot import Spot

FLOP_CARDS = 3
FEW_BOARDS = 8  # of a pair of ranges: one thread does them, while others do other pairs


class _Pair:
    """Two players, the cards out of play, and their boards, each once.

    Boards that renamings of the suits turn into one another, and that leave both players and the dead
    cards as they are, have the same counts: of 22,100 flops, 1,755 where nothing names a suit.
    """

    def __init__(self, game: Game, players: tuple[Hand | Range, ...], dead: tuple[int, ...]) -> None:
        self.game, self.players, self.dead = game, players, dead
        self.boards: dict[tuple[int, ...], int] = {}  # places in the totals
        self._canonical: dict[tuple[int, ...], tuple[int, ...]] = {}
        hands = [player for player in players if isinstance(player, tuple)]
        ranges = [player.facts.suit_group for player in players if isinstance(player, Range)]
        kept = renamings_of_cards(dead, *hands)
        self._names = [
            SUIT_NAMES[number].tolist() for number in kept if all(number in each for each in ranges)
        ]

    def canonical(self, board: tuple[int, ...]) -> tuple[int, ...]:
        """Return the least board among those that have the counts of a board."""
        found = self._canonical.get(board)
        if found is None:
            found = min(
                tuple(sorted(card & ~3 | names[card & 3] for card in board)) for names in self._names
            )
            self._canonical[board] = found
        return found

    @property
    def seconds(self) -> float:
        """About how long a thread takes for its boards."""
        sizes = [1 if isinstance(player, tuple) else player.facts.size for player in self.players]
        cards = len(next(iter(self.boards)))
        runouts = comb(self.game.deck_size - cards - len(self.dead), self.game.board_cards - cards)
        return len(self.boards) * (BOARD + on_board_seconds(sizes, runouts, is_whole=True))


def is_range_row(row: Row, options: Options) -> bool:
    """Return whether :func:`count_range_rows` answers a row as :func:`gpuodds.equity` would.

    Folded players, weights between 0 and 1, and a time limit leave the method to the planner.
    """
    if options.method == "monte-carlo" or options.sampling.time_limit is not None or row.opponents:
        return False
    if row.game is not HOLDEM or row.folded:
        return False
    ranges = [player for player in row.players if isinstance(player, Range)]
    if len(row.players) != 2 or not ranges or not FLOP_CARDS <= len(row.board) <= row.game.board_cards:
        return False
    hands = [card for player in row.players if isinstance(player, tuple) for card in player]
    cards = [*hands, *row.board, *row.dead]
    return len({*cards}) == len(cards) and all(hand.facts.is_integer for hand in ranges)


def count_range_rows(
    rows: Mapping[int, Row], options: Options, progress: Progress | None
) -> CountedRows:
    """Count rows of :func:`is_range_row`; rows that are equal up to the names of the suits, once.

    Returns:
        The counts, without the rows whose ranges cannot be dealt together.
    """
    pairs: dict[tuple[object, ...], _Pair] = {}
    homes, number = [], 0
    for row in rows.values():
        # Rows with the same text have the same range; its identity is quicker than its weights.
        names = (player if isinstance(player, tuple) else id(player) for player in row.players)
        key = (row.game, *names, row.dead, len(row.board))
        pair = pairs.get(key)
        if pair is None:
            pair = pairs[key] = _Pair(row.game, row.players, row.dead)
        home = pair.boards.setdefault(pair.canonical(row.board), number)
        number += home == number
        homes.append(home)
    totals = np.zeros((number, 3), np.int64)
    seconds = CALL + sum(pair.seconds for pair in pairs.values()) / thread_count()
    name, _ = run_on(
        options.backend, seconds, lambda on: _count_pairs(on, list(pairs.values()), totals, progress)
    )
    counts = totals[homes][:, [0, 2, 1]]
    places, outcomes = np.array(list(rows), np.int64), counts.sum(axis=1)
    dealt = np.flatnonzero(outcomes)
    places = places[dealt]
    return CountedRows(
        places,
        partial(_spot, [rows[place] for place in places.tolist()]),
        2,
        PAIR,
        counts[dealt][:, :, None],
        outcomes[dealt],
        "exact",
        name,
    )


def _count_pairs(
    on: Backend, pairs: list[_Pair], totals: npt.NDArray[np.int64], progress: Progress | None
) -> str:
    """Fill ``totals``, (boards, 3): deals that the first player wins, that both tie, and losses.

    Returns:
        The name of the backend that counted.
    """
    short = [pair for pair in pairs if len(pair.boards) <= FEW_BOARDS and on.name == "cpu"]
    long = [pair for pair in pairs if len(pair.boards) > FEW_BOARDS or on.name != "cpu"]
    done = sum(len(pair.boards) for pair in short)

    def count(pair: _Pair, progress: Progress | None) -> None:
        weights = np.zeros((2, pair.game.combos))
        for row, player in zip(weights, pair.players, strict=True):
            if isinstance(player, tuple):
                row[pair.game.combo_number(player)] = 1.0
            else:
                row[:] = player.weights
        boards = np.array(list(pair.boards), np.uint8)
        operation = TwoRangeBoards(pair.game, weights, boards, pair.dead, False)
        counted = on.count(operation, progress).counts
        totals[list(pair.boards.values())] = counted.totals

    share = part_of(progress, 0.0, done / len(totals))
    run_rows(lambda number: count(short[number], None), len(short), share)
    for pair in long:
        count(pair, part_of(progress, done / len(totals), len(pair.boards) / len(totals)))
        done += len(pair.boards)
    return on.name


def _spot(rows: Sequence[Row], row: int) -> Spot:
    return rows[row].spot()
