"""Equities of every combo on a flop against random opponents: from a built table, else counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from gpuodds.basics.arguments import as_flag, as_whole
from gpuodds.basics.choices import BackendName
from gpuodds.cards import format_cards, refuse_repeats
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.rules import MAX_PLAYERS
from gpuodds.methods.boards.board_equities import board_equities, combos_and_rows
from gpuodds.spots.hands import Cards, read_cards, read_hand
from gpuodds.tables.files.locate import MANIFEST, find_table
from gpuodds.tables.open import has_arrow, open_table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gpuodds.tables.store import StoredTable

FLOP = 3
TABLE = "flop-random"


@dataclass(frozen=True)
class FlopEquities:
    """Equities of all combos on a flop against 1 to k random opponents.

    Example:
        >>> found = flop_equities("2s7d9h", opponents=2, table=False, backend="cpu")
        >>> round(found.of("AsKs", opponents=2), 6)
        0.351858
    """

    board: tuple[int, ...]
    """The flop's card numbers, as given."""
    equity: npt.NDArray[np.float64]
    """At [h, j] combo h against j + 1 opponents, 0 if h shares a card with the flop; shape (1326, k).

    Combos are numbered by :func:`gpuodds.games.combo_index`. The array is read-only.
    """
    method: str
    """``"table"`` or ``"exact"`` (counted by this call)."""
    folder: Path | None
    """The table's folder; None if the equities were counted."""
    backend: str | None
    """The name of the backend that counted; None for a table."""

    def of(self, hand: Cards, opponents: int = 1) -> float:
        """Return the equity of a hand.

        Args:
            hand: Two cards, as text or numbers.
            opponents: The number of random opponents, 1 to k.

        Returns:
            The expected share of the pot, 0 to 1.

        Raises:
            InputError: The hand cannot be read or shares a card with the flop, or the number of
                opponents is not 1 to k.
        """
        from gpuodds.games.shared.combos import combo_index

        cards, max_opponents = read_hand(hand, HOLDEM), self.equity.shape[1]
        opponents = as_whole("opponents", opponents)
        if not 1 <= opponents <= max_opponents:
            raise InputError(f"opponents {opponents}: expected 1 to {max_opponents}")
        refuse_repeats((format_cards(cards), cards), ("the board", self.board))
        return float(self.equity[combo_index(*cards), opponents - 1])


def flop_equities(
    board: Cards, *, opponents: int = 1, table: bool = True, backend: BackendName = "auto"
) -> FlopEquities:
    """Return the equities of all combos on a flop against 1 to ``opponents`` random opponents.

    The function reads them from the table ``flop-random`` if a built one (``gpuodds table build
    flop-random``) has this flop and this number of opponents. Otherwise it counts them, which takes
    some hundredths of a second against one opponent and tenths of a second against nine.

    Args:
        board: Three cards, as text or numbers.
        opponents: The largest number of random opponents, k, 1 to 22.
        table: Whether to read a built table.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0"``; counts if no table answers.

    Returns:
        The equities, float64 of shape (1326, k), and where they come from.

    Raises:
        InputError: ``board`` is not three different cards, ``opponents`` is not 1 to 22, or the backend
            is not available.
        TableError: The table is damaged.

    Example:
        >>> found = flop_equities("2s7d9h", table=False, backend="cpu")
        >>> found.equity.shape, found.method, round(found.of("AsKs"), 6)
        ((1326, 1), 'exact', 0.548692)
    """
    from gpuodds.backends.choice import check_name

    cards, opponents = read_cards(board), as_whole("opponents", opponents)
    if len(cards) != FLOP or len({*cards}) != FLOP:
        raise InputError(f"flop {format_cards(cards) or repr('')}: expected three different cards")
    if not 1 <= opponents < MAX_PLAYERS:
        raise InputError(f"opponents {opponents}: expected 1 to {MAX_PLAYERS - 1}")
    check_name(backend)
    if as_flag("table", table) and (built := _open()) is not None and opponents <= built.opponents:
        equity = _read(built, cards, opponents)
        if equity is not None:
            return FlopEquities(cards, _frozen(equity), "table", built.folder, None)
    counted = board_equities(cards, opponents, backend=backend, game=HOLDEM)
    return FlopEquities(cards, _frozen(counted.equity), "exact", None, counted.backend)


def _frozen(equity: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    equity.flags.writeable = False
    return equity


def _open() -> StoredTable | None:
    """Return the built table; None if there is no table, or pyarrow is not installed to read it."""
    folder = find_table(TABLE)
    if folder is None or not has_arrow():
        return None
    status = (folder / MANIFEST).stat()
    return _open_as_it_is(folder, (status.st_ino, status.st_mtime_ns))


@lru_cache(2)
def _open_as_it_is(folder: Path, version: tuple[int, int]) -> StoredTable:
    # ``version`` is part of the cache's key: a table that is extended or rebuilt has a new manifest.
    return open_table(folder, TABLE)


def _read(table: StoredTable, cards: tuple[int, ...], opponents: int) -> npt.NDArray[np.float64] | None:
    """Return the equities from a table; None if the table lacks these rows."""
    import numpy as np

    from gpuodds.games.shared.combos import COMBOS

    combos, rows = combos_and_rows(cards)
    # All rows of a flop are in one shard.
    shard = next(number for number, span in enumerate(table.shards) if int(rows[0]) in span)
    if shard not in table.manifest.shards:
        return None
    part = table.read_shard(shard)
    equity = np.zeros((COMBOS, opponents))
    for k in range(1, opponents + 1):
        equity[combos, k - 1] = part[f"equity_{k}"].to_numpy()[rows - table.shards[shard].start]
    return equity
