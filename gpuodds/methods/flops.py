"""Equities of every hand on a flop against random opponents: from a built table, or computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuodds.arguments import as_flag, as_whole
from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.rules import BOARD_CARDS, MAX_PLAYERS
from gpuodds.spots.players import Cards, read_cards, read_hand
from gpuodds.tables.locate import MANIFEST, find_table
from gpuodds.tables.open import has_arrow, open_table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gpuodds.tables.store import StoredTable

FLOP = 3
TABLE = "flop-random"


@dataclass(frozen=True)
class FlopEquities:
    """Equities of all combos on a flop against 1 to k random opponents."""

    board: tuple[int, ...]
    """The flop's card numbers, as given."""
    equity: npt.NDArray[np.float64]
    """Shape (1326, k): combo h against j + 1 opponents at [h, j], 0 if h shares a card with the flop.

    Combos are numbered by :func:`gpuodds.games.holdem.combos.combo_index`. The array is read-only.
    """
    method: str
    """``"table"`` or ``"exact"`` (counted now)."""
    folder: Path | None
    """The folder of the table."""
    backend: str | None
    """The backend that counted, None for a table."""

    def of(self, hand: Cards, opponents: int = 1) -> float:
        """Return the equity of a hand.

        Args:
            hand: Two cards, as text or numbers.
            opponents: 1 to k.

        Raises:
            InputError: The text is no hand, the hand shares a card with the flop, or opponents is not 1
                to k.
        """
        from gpuodds.games.holdem.combos import combo_index

        cards, most = read_hand(hand), self.equity.shape[1]
        opponents = as_whole("opponents", opponents)
        if not 1 <= opponents <= most:
            raise InputError(f"opponents {opponents}: expected 1 to {most}")
        if len({*cards, *self.board}) != 2 + FLOP:
            raise InputError(f"{format_cards((*cards, *self.board))}: a card is given twice")
        return float(self.equity[combo_index(*cards), opponents - 1])


def flop_equities(
    board: Cards, *, opponents: int = 1, table: bool = True, backend: str = "auto"
) -> FlopEquities:
    """Return the equities of all hands on a flop against 1 to ``opponents`` random opponents.

    They come from the table ``flop-random`` where it was built (``gpuodds table build flop-random``)
    and has this flop and this number of opponents. Otherwise they are counted: in some hundredths of a
    second against one opponent, in tenths of a second against nine.

    Args:
        board: Three cards.
        opponents: The most random opponents, 1 to 22.
        table: False counts even what a built table has.
        backend: ``auto``, ``cpu`` or ``cuda``, for what is counted.

    Returns:
        The equities, and where they come from.

    Raises:
        InputError: The cards are no flop, or opponents is not 1 to 22; a :class:`TableError` if the
            table is damaged.

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
    equity, name = _count(cards, opponents, backend)
    return FlopEquities(cards, _frozen(equity), "exact", None, name)


def _frozen(equity: Any) -> Any:
    equity.flags.writeable = False
    return equity


def _open() -> StoredTable | None:
    folder = find_table(TABLE)
    if folder is None or not has_arrow():
        return None
    found = (folder / MANIFEST).stat()
    return _open_as_it_is(folder, (found.st_ino, found.st_mtime_ns))


@lru_cache(2)
def _open_as_it_is(folder: Path, version: tuple[int, int]) -> StoredTable:
    # A table that goes on being built, or is built anew, has another version of its manifest.
    return open_table(folder, TABLE)


def _rows(cards: tuple[int, ...]) -> tuple[Any, Any]:
    """Return the combos that a flop leaves, and the row of each on it."""
    import numpy as np

    from gpuodds.games.holdem.combos import combo_cards
    from gpuodds.methods.canonical import canonical_rows

    free = np.flatnonzero(~np.isin(combo_cards(), cards).any(axis=1))
    hands = combo_cards()[free]
    return free, canonical_rows(hands, np.tile(np.array(cards, np.uint8), (len(hands), 1)))


def _read(table: StoredTable, cards: tuple[int, ...], opponents: int) -> Any:
    """Return the equities from a table, None if it lacks the rows."""
    import numpy as np

    from gpuodds.games.holdem.combos import COMBOS

    free, rows = _rows(cards)
    # The rows of a flop are in one shard.
    shard = next(number for number, span in enumerate(table.shards) if int(rows[0]) in span)
    if shard not in table.manifest.shards:
        return None
    part = table.read_shard(shard)
    equity = np.zeros((COMBOS, opponents))
    for k in range(1, opponents + 1):
        equity[free, k - 1] = part[f"equity_{k}"].to_numpy()[rows - table.shards[shard].start]
    return equity


def _count(cards: tuple[int, ...], opponents: int, backend: str) -> tuple[Any, str]:
    """Return the equities, counted, and the name of the backend that did it."""
    import numpy as np

    from gpuodds.backends.choice import choose_backend
    from gpuodds.games.holdem.combos import COMBOS
    from gpuodds.games.holdem.streets import OPPONENTS
    from gpuodds.methods.batch import answer_batch
    from gpuodds.methods.canonical import canonical_cards

    if opponents == 1:
        chosen = choose_backend(backend)
        counts = chosen.against_random(np.array([cards], np.uint8), False)
        shares = 2 * counts.wins[0].astype(np.int64) + counts.ties[0]
        runouts = comb(DECK_SIZE - 2 - FLOP, BOARD_CARDS - FLOP)
        return (shares / (2 * runouts * OPPONENTS)).reshape(COMBOS, 1), chosen.name
    # Hands that renaming the suits makes alike are counted once.
    free, rows = _rows(cards)
    numbers, places = np.unique(rows, return_inverse=True)
    batch = answer_batch(*canonical_cards(numbers, FLOP), opponents, backend)
    equity = np.zeros((COMBOS, opponents))
    equity[free] = batch.equity[places]
    return equity, batch.backend
