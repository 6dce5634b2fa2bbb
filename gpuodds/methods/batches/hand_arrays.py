"""Arrays of known hands: two against each other, or one against random opponents, on many boards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import run_operation
from gpuodds.backends.counts import Progress
from gpuodds.backends.operations.known_hands import HandsVersusHands, UnbeatenDeals
from gpuodds.backends.operations.omaha.known_hands import OmahaHandRows
from gpuodds.basics.lazy import cached_property
from gpuodds.games.game import HOLDEM_FAMILY, OMAHA_FAMILY, Game
from gpuodds.methods.method import TABLE
from gpuodds.methods.options import Options
from gpuodds.results.batches.equities import Answers, CountedRows
from gpuodds.results.batches.hi_lo_rows import HiLoRows
from gpuodds.spots.batches.rows import Row
from gpuodds.spots.spot import Spot

MOST_TOGETHER = 6  # hands of a row: of n hands 2^n - 1 sets can win
MOST_WITH_LOWS = 3  # the same, where as many sets win the low

UInt8s = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class HandRows:
    """Rows of known hands that are alike in their numbers of cards.

    Attributes:
        places: Shape (n,), the rows' places in the batch.
        hands: Shape (n, players, hole cards).
        boards: Shape (n, 0..5).
        dead: Shape (n, any width).
        opponents: The number of random opponents of each row.
        game: The game.
    """

    places: Ints
    hands: UInt8s
    boards: UInt8s
    dead: UInt8s
    opponents: int
    game: Game

    @cached_property
    def cards(self) -> UInt8s:
        """All cards of each row, shape (n, width)."""
        rows, players, each = self.hands.shape
        hands = self.hands.reshape(rows, players * each)
        return np.concatenate([hands, self.boards, self.dead], axis=1)

    def are_possible(self) -> npt.NDArray[np.bool_]:
        """Return whether each row has cards of the game's deck, each once, and leaves enough."""
        rows, width = self.cards.shape
        to_come = self.game.board_cards - self.boards.shape[1]
        if self.game.deck_size - width < to_come + self.game.hole_cards * self.opponents:
            return np.zeros(rows, bool)
        in_order = np.sort(self.cards, axis=1)
        possible: npt.NDArray[np.bool_] = (np.diff(in_order, axis=1) != 0).all(axis=1)
        if self.game.missing:
            possible &= ~np.isin(self.cards, self.game.missing).any(axis=1)
        return possible

    def take(self, rows: Any) -> HandRows:
        """Return some of the rows: an index, a mask or a slice."""
        hands, boards, dead = self.hands[rows], self.boards[rows], self.dead[rows]
        return HandRows(self.places[rows], hands, boards, dead, self.opponents, self.game)

    def row(self, row: int) -> Row:
        """Return one of the rows."""
        hands: Any = tuple(map(tuple, self.hands[row].tolist()))
        board, dead = tuple(self.boards[row].tolist()), tuple(self.dead[row].tolist())
        return Row(hands, self.opponents, board, dead, self.game)

    def spot(self, row: int) -> Spot:
        """Return the spot of a row.

        Raises:
            InputError: The spot is impossible.
        """
        return self.row(row).spot()


Count = Callable[[HandRows, Options, "Progress | None"], Answers]


def find_count(rows: HandRows, options: Options) -> Count | None:
    """Return the function that answers rows all together; None if each is answered alone."""
    if options.method == "monte-carlo" or options.is_counted_only:
        return None
    players, board = rows.hands.shape[1], rows.boards.shape[1]
    if rows.game.family == OMAHA_FAMILY:
        most = MOST_WITH_LOWS if rows.game.has_low else MOST_TOGETHER
        return count_omaha_hands if 2 <= players <= most and not rows.opponents else None
    if rows.game.family != HOLDEM_FAMILY:
        return None
    in_table = options.table and not (board or rows.dead.shape[1] or rows.game.missing)
    if 2 <= players <= MOST_TOGETHER and rows.opponents == 0:
        return look_up_pairs if in_table and players == 2 else count_hands
    fits = players == 1 and 1 <= rows.opponents < rows.game.max_players and not rows.dead.shape[1]
    if fits and not in_table:
        return count_against_random
    return None


def look_up_pairs(rows: HandRows, options: Options, progress: Progress | None) -> CountedRows:
    """Look up two hands against each other before the flop."""
    from gpuodds.tables.shipped.preflop_heads_up import matrices

    wins, ties = matrices()
    low, high = np.sort(rows.hands, axis=2).astype(np.int64).T
    first, second = high * (high - 1) // 2 + low  # the numbers of the combos
    counts = np.stack([wins[first, second], wins[second, first], ties[first, second]], axis=1).astype(
        np.int64
    )
    return _known(rows, counts, TABLE, "cpu")


def count_hands(rows: HandRows, options: Options, progress: Progress | None) -> CountedRows:
    """Count hands against each other on each board, equal rows once."""
    first, again = _distinct(rows)
    once = rows.take(first)
    operation = HandsVersusHands(rows.game, once.hands, once.boards, once.dead)
    counts, backend = run_operation(operation, options.backend, progress=progress)
    return _known(rows, counts[again], "exact", backend)


def count_omaha_hands(rows: HandRows, options: Options, progress: Progress | None) -> Answers:
    """Count hands of Omaha against each other on each board, equal rows once."""
    first, again = _distinct(rows)
    once = rows.take(first)
    operation = OmahaHandRows(rows.game, once.hands, once.boards, once.dead)
    counts, backend = run_operation(operation, options.backend, progress=progress)
    if not rows.game.has_low:
        return _known(rows, counts[again, 0, 1:], "exact", backend)
    return HiLoRows(rows.places, rows.spot, counts[again], "exact", backend)


def count_against_random(rows: HandRows, options: Options, progress: Progress | None) -> CountedRows:
    """Count one hand against random opponents on each board, equal rows once."""
    first, again = _distinct(rows)
    once, most = rows.take(first), rows.opponents
    operation = UnbeatenDeals(rows.game, once.hands[:, 0], once.boards, most)
    halves, backend = run_operation(operation, options.backend, progress=progress)
    low, high = (halves[:, most - 1, :, half] for half in range(2))
    kind: Any = object if high.any() or (low >> np.uint64(63)).any() else np.int64
    counts = low.astype(kind)
    if kind is object:
        counts += high.astype(object) << 64
    game = rows.game
    unseen = game.deck_size - game.hole_cards - rows.boards.shape[1]
    to_come = game.board_cards - rows.boards.shape[1]
    whole = comb(unseen, to_come) * game.deals(unseen - to_come, most)
    outcomes = np.full(len(rows.places), whole, np.int64 if whole < 1 << 63 else object)
    return CountedRows(
        rows.places, rows.spot, 1, (1,), counts[again][:, None], outcomes, "exact", backend
    )


def _known(rows: HandRows, counts: npt.NDArray[Any], method: str, backend: str) -> CountedRows:
    outcomes, players = counts.sum(axis=1), rows.hands.shape[1]
    masks = tuple(range(1, 1 << players))
    return CountedRows(
        rows.places, rows.spot, players, masks, counts[:, :, None], outcomes, method, backend
    )


def _distinct(rows: HandRows) -> tuple[Ints, Ints]:
    """Return the first of equal rows, and each row's place among these."""
    parts = [*rows.hands.swapaxes(0, 1), rows.boards, rows.dead]
    cards = np.concatenate([np.sort(part, axis=1) for part in parts], axis=1)  # in any order the same
    keys = np.ascontiguousarray(cards).view(np.dtype((np.void, cards.shape[1])))[:, 0]
    _, first, again = np.unique(keys, return_index=True, return_inverse=True)
    return first, again
