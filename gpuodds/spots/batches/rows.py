"""Rows of a batch: many spots as callers give them, in dicts, columns, data frames or arrays."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuodds.basics.amounts import read_amount
from gpuodds.basics.arguments import as_whole, listed, shown
from gpuodds.errors import InputError, excerpt
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.spots.arrays import as_cards, is_on_device
from gpuodds.spots.batches.row_names import (
    NOTHING,
    OPTIONAL,
    Keep,
    RowNames,
    folded_names,
    hand_names,
    plain_name,
    read_names,
)
from gpuodds.spots.hands import Hand, read_cards
from gpuodds.spots.players import list_players, read_opponents, read_players
from gpuodds.spots.price import Price
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.spots.ranges.range import Range

KEPT_TEXTS = 1 << 16  # texts of cards whose reading is kept: 10 MB
KEPT_PLAYERS = 1 << 12  # likewise of players: a range takes 10 KB
KEPT_NAMES = 1 << 12  # likewise of the keys of a row
MAX_TEXT = 400_000  # characters of a cell, as of a file of a range
MAX_LIST = 100  # players of a list that are read; no game has as many


class Row(NamedTuple):
    """A row whose cells are read. Whether its cards fit together, :meth:`spot` checks."""

    players: tuple[Hand | Range, ...]
    opponents: int
    board: tuple[int, ...]
    dead: tuple[int, ...]
    game: Game
    folded: tuple[Hand | Range, ...] = ()
    price: Price | None = None

    def spot(self) -> Spot:
        """Return the spot.

        Raises:
            InputError: The spot is impossible.
        """
        cards = self.board, self.dead
        return Spot(self.players, self.opponents, *cards, self.folded, game=self.game)


class RowReader:
    """Reads rows. A text that occurs again is not read again.

    Args:
        game: The game of rows that name none.
        keep: The keys of dicts that go with the answers.

    A row that cannot be read becomes an :class:`~gpuodds.errors.InputError`, a value in its place.

    Example:
        >>> rows = RowReader(find_game("holdem")).read_columns({"hand_1": ["AsKs", "AsKx"]})
        >>> rows[0].players, rows[0].opponents, str(rows[1])
        (((51, 47),), 1, "hand_1: AsKx: column 4: expected a suit (c, d, h or s), found 'x'")
    """

    def __init__(self, game: Game, keep: Keep = NOTHING) -> None:
        self._game, self._keep = game, keep
        self._players: dict[tuple[str, Game], _Cells] = {}
        self._names: dict[tuple[Any, ...], RowNames] = {}
        cards = _Cells(read_cards, KEPT_TEXTS)
        opponents, games = _Cells(_read_opponents, KEPT_TEXTS), _Cells(find_game, KEPT_TEXTS)
        chips = (_Cells(partial(read_amount, name), KEPT_TEXTS) for name in ("pot", "to_call"))
        self._others = dict(zip(OPTIONAL, (cards, cards, opponents, *chips, games), strict=True))

    def _reader(self, name: str, game: Any) -> Callable[[Any], Any]:
        """Return the reader of a player's cell, by its column and what the game's cell was read as.

        It returns a hand or a range for ``hand_1``, a tuple of them for ``folded`` and ``folded_1``.
        """
        kind = name.rstrip("0123456789")
        key = kind, game if isinstance(game, Game) else self._game
        if key not in self._players:
            self._players[key] = _Cells(lambda cell: _read_players(*key, cell), KEPT_PLAYERS)
        return self._players[key]

    def read_columns(self, columns: Mapping[str, Sequence[Any]]) -> list[Row | InputError]:
        """Return the rows of columns, all of one length.

        Args:
            columns: The cells by known names in small letters, as :func:`read_names` finds them.

        Raises:
            InputError: There is no column of hands, or one is missing between others.
        """
        if "hands" in columns:
            rows = zip(*columns.values(), strict=True)
            return [self.read_dict(dict(zip(columns, row, strict=True))) for row in rows]
        hands, folded = hand_names(columns), folded_names(columns)
        size = len(columns[hands[0]])
        others = [
            list(map(cell, columns[name])) if name in columns else [None] * size
            for name, cell in self._others.items()
        ]
        games = others[-1]
        read = []
        for name in (*hands, *folded):
            if len({*map(id, games)}) == 1:
                read.append(list(map(self._reader(name, games[0]), columns[name])))
            else:
                cells = zip(games, columns[name], strict=True)
                read.append([self._reader(name, game)(cell) for game, cell in cells])
        return [self._row(hands, folded, cells) for cells in zip(*read, *others, strict=True)]

    def read_dict(self, row: Any) -> Row | InputError:
        """Return the row of a dict: ``hands``, or ``hand_1``, ``hand_2``, ..., and the others."""
        try:
            if not isinstance(row, Mapping):
                raise InputError(f"{shown(row)}: expected a dict such as {{'hands': ['AsKs', 'QhQd']}}")
            names = self._keys(row)
            if names.error is not None:
                raise names.error
            cells = {name: row[key] for name, key in names.used.items()}
            others = [cell(cells.get(name)) for name, cell in self._others.items()]
            game = others[-1] if isinstance(others[-1], Game) else self._game
            numbered = [name for name in names.hands if not _is_missing(cells[name])]
            if "hands" in cells and not numbered:
                empty = _is_missing(cells["hands"])
                _check_size(cells["hands"])
                players = [] if empty else list_players(_plain(cells["hands"]), game)
                hands = [f"hand_{number}" for number in range(1, len(players) + 1)]
            else:
                if not _is_missing(cells.get("hands")):
                    expected = "expected the players in hands, or in hand_1, hand_2, ..."
                    raise InputError(f"hands and {numbered[0]}: {expected}")
                hands = hand_names(cells)
                players = [cells[name] for name in hands]
        except InputError as error:
            return InputError(str(error))  # of this very type; equal keys share their error
        read = map(self._reader("hand_1", game), players)
        gone = [self._reader(name, game)(cells[name]) for name in names.folded]
        return self._row(hands, names.folded, (*read, *gone, *others))

    def kept(self, row: Any) -> dict[str, Any]:
        """Return what goes with the answer to the row of a dict, by key."""
        if not isinstance(row, Mapping):
            return {}
        return {str(key).strip(): row[key] for key in self._keys(row).kept}

    def _keys(self, row: Mapping[Any, Any]) -> RowNames:
        keys = tuple(row)
        if keys not in self._names:
            if len(self._names) >= KEPT_NAMES:
                self._names.clear()
            self._names[keys] = read_names(keys, self._keep, what="key")
        return self._names[keys]

    def _row(self, hands: list[str], folded: list[str], cells: tuple[Any, ...]) -> Row | InputError:
        """Return the row of cells that are read: of hands, of folded players, and the others."""
        names = [*hands, *folded, *OPTIONAL]
        if InputError in map(type, cells):
            # A wrong game makes the hands wrong, too.
            errors = [place for place, cell in enumerate(cells) if isinstance(cell, InputError)]
            at = errors[-1] if errors[-1] == len(cells) - 1 else errors[0]
            return InputError(f"{names[at]}: {str(cells[at]).removeprefix(f'{names[at]} ')}")
        *named, board, dead, opponents, pot, to_call, game = cells
        players, gone = named[: len(hands)], named[len(hands) :]
        while players and players[-1] is None:
            players.pop()
        if not players:
            return InputError("no hand given: expected at least one, such as AsKs")
        if None in players:
            empty = players.index(None) + 1
            return InputError(f"hand_{empty}: empty, but hand_{len(players)} is not")
        number = read_opponents(opponents, len(players))
        row = Row(tuple(players), number, board or (), dead or (), game or self._game)
        if pot is not None or to_call is not None:
            try:
                row = row._replace(price=Price.read(pot, to_call))
            except InputError as error:
                return error
        if not any(gone):
            return row
        filled = [name for name, cell in zip(folded, gone, strict=True) if cell]
        if filled[0] == "folded" and len(filled) > 1:
            return InputError(f"folded and {filled[1]}: expected one of folded and folded_1, ...")
        return row._replace(folded=tuple(player for cell in gone if cell for player in cell))


class _Cells:
    """Reads cells: None for an empty one, an error as a value, and each text once."""

    def __init__(self, read: Callable[[Any], Any], most: int) -> None:
        self._read, self._most = read, most
        self._kept: dict[str, Any] = {}

    def __call__(self, cell: Any) -> Any:
        if type(cell) is not str:
            return None if cell is None else self._new(cell)
        value = self._kept.get(cell, self)
        if value is self:
            if len(self._kept) >= self._most:
                self._kept.clear()
            value = self._kept[cell] = self._new(cell)
        return value

    def _new(self, cell: Any) -> Any:
        if _is_missing(cell):
            return None
        try:
            _check_size(cell)
            return self._read(_plain(cell))
        except InputError as error:
            return InputError(str(error))  # of this very type, for _row


def _check_size(cell: Any) -> None:
    """Refuse a text or a list that would take minutes to read.

    Raises:
        InputError: It is too long.
    """
    if isinstance(cell, str) and len(cell) > MAX_TEXT:
        raise InputError(f"{excerpt(cell)}: expected at most {MAX_TEXT:,} characters")
    if isinstance(cell, list) and len(cell) > MAX_LIST:
        raise InputError(f"a list of {len(cell):,}: expected at most {MAX_LIST} players")


def read_spots(
    spots: Any, game: Game, keep: Keep = NOTHING
) -> tuple[list[Row | InputError], dict[str, list[Any]], dict[str, list[Any]] | None]:
    """Return the rows of a list of dicts, a dict of columns, a data frame or an Arrow table.

    Args:
        spots: The rows.
        game: The game of rows that name none.
        keep: The columns that go with the answers.

    Returns:
        The rows, the columns that go with the answers, and those that are read: None for dicts.

    Raises:
        InputError: ``spots`` is none of these, it lacks columns, or has some that are not known.
    """
    reader = RowReader(game, keep)
    table = _table(spots)
    if table is not None:
        labels, cells = table
        names = read_names(labels, keep)
        if names.error is not None:
            raise names.error
        columns = {name: cells(label) for name, label in names.used.items()}
        kept = {str(label).strip(): cells(label) for label in names.kept}
        sizes = {len(column) for column in (*columns.values(), *kept.values())}
        if len(sizes) > 1:
            raise InputError(f"spots: expected columns of one length, found {sorted(sizes)}")
        of_label = {label: columns[name] for name, label in names.used.items()}
        of_label |= {label: kept[str(label).strip()] for label in names.kept}
        given = {str(label).strip(): of_label[label] for label in labels if label in of_label}
        return reader.read_columns(columns), kept, given
    expected = "a list of dicts, a data frame, an Arrow table, or an array of card numbers"
    rows = listed("spots", spots, expected)
    kept = _as_columns(list(map(reader.kept, rows)) if keep.names else [])
    return [reader.read_dict(row) for row in rows], kept, None


def _as_columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return dicts as columns, None where a dict has no such key."""
    columns: dict[str, list[Any]] = {}
    titles: dict[str, str] = {}
    for place, row in enumerate(rows):
        for key, cell in row.items():
            title = titles.setdefault(plain_name(key), key)
            columns.setdefault(title, [None] * len(rows))[place] = cell
    return columns


def read_boards(players: Any, boards: Any, opponents: Any, game: Game) -> list[Row | InputError]:
    """Return a row for each board, all with the same players.

    Args:
        players: As for :func:`gpuodds.equity`.
        boards: Card numbers, shape (n, 0) to (n, 5), or a list of boards as text.
        opponents: The number of random opponents, or None.
        game: The game.

    Raises:
        InputError: An argument cannot be read.
    """
    named = tuple(read_players(players, game))
    random = read_opponents(opponents, len(named))
    rows = listed("boards", _plain(boards), "a list of boards")
    if not all(isinstance(board, str) for board in rows):
        rows = as_cards(boards, "boards", range(game.board_cards + 1)).tolist()
    cell = _Cells(read_cards, KEPT_TEXTS)
    read = map(cell, rows)
    return [
        board if isinstance(board, InputError) else Row(named, random, tuple(board or ()), (), game)
        for board in read
    ]


def read_hand_arrays(hands: Any, boards: Any, opponents: Any, game: Game) -> tuple[Any, Any, int]:
    """Return hands (n, players, hole cards), boards (n, 0..5) and the number of random opponents.

    Args:
        hands: Card numbers, shape (n, hole cards) or (n, players, hole cards).
        boards: Card numbers, shape (n, 0) to (n, 5), or None.
        opponents: The number of random opponents, or None.
        game: The game.

    Raises:
        InputError: A shape or a number is wrong, or they are CuPy arrays.
    """
    import numpy as np

    if is_on_device(hands) or is_on_device(boards):
        raise InputError(
            "hands: expected NumPy arrays, found CuPy arrays, which gpuodds.equity_batch takes"
        )
    try:
        array = np.asarray(hands)
    except ValueError:
        raise InputError("hands: expected rows of one length, found rows that differ") from None
    size = game.hole_cards
    if array.ndim not in (2, 3) or array.shape[-1] != size:
        expected = f"shape (n, {size}) or (n, players, {size})"
        raise InputError(f"hands: expected an array of {expected}, found {array.shape}")
    players = array.shape[1] if array.ndim == 3 else 1
    if not 1 <= players <= game.max_players:
        raise InputError(f"hands: {players} players: expected 1 to {game.max_players}")
    width = size * players
    cards = as_cards(array.reshape(len(array), width), "hands", [width])
    on_board = (
        cards[:, :0] if boards is None else as_cards(boards, "boards", range(game.board_cards + 1))
    )
    if len(on_board) != len(cards):
        raise InputError(
            f"{len(cards)} hands and {len(on_board)} boards: expected a board for each row of hands"
        )
    return cards.reshape(len(cards), players, size), on_board, read_opponents(opponents, players)


def _table(spots: Any) -> tuple[list[Any], Callable[[Any], list[Any]]] | None:
    """Return the labels of a table's columns and how one becomes a list; None if it is no table."""
    if isinstance(spots, Mapping):
        return list(spots), lambda name: listed(f"column {shown(name)}", spots[name], "a list")
    if hasattr(spots, "columns") and hasattr(spots, "__getitem__"):  # pandas, polars, pyarrow
        names = getattr(spots, "column_names", None) or list(spots.columns)
        return names, lambda name: _to_list(spots[name])
    if hasattr(spots, "__arrow_c_stream__"):
        try:
            import pyarrow as pa
        except ImportError:
            raise InputError("spots: Arrow data needs pyarrow: install gpuodds[tables]") from None
        return _table(pa.table(spots))
    return None


def _read_players(kind: str, game: Game, cell: Any) -> Any:
    """Read a cell of ``folded``, ``folded_1`` (whose kind is ``folded_``) or ``hand_1``."""
    if kind == "folded":
        values = [value for value in list_players(cell, game, kind) if not _is_missing(value)]
        return tuple(read_players(values, game, kind)) if values else ()
    players = tuple(read_players([cell], game))
    return players if kind == "folded_" else players[0]


def _to_list(column: Any) -> list[Any]:
    for name in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, name):
            return list(getattr(column, name)())
    return list(column)


def _plain(cell: Any) -> Any:
    """Return an array as a list; other cells as they are."""
    return cell.tolist() if getattr(cell, "ndim", 0) else cell


def _is_missing(cell: Any) -> bool:
    """Return whether a cell is empty: None, blank text, or what data frames have for no value."""
    if cell is None or isinstance(cell, str):
        return not cell or cell.isspace()
    return (isinstance(cell, float) and cell != cell) or type(cell).__name__ in ("NAType", "NaTType")


def _read_opponents(cell: Any) -> int:
    if isinstance(cell, str):
        text = re.fullmatch(r"\s*(-?[0-9]{1,9})(?:\.0*)?\s*", cell, re.ASCII)  # 2.0: from a data frame
        if text is None:
            raise InputError(f"{excerpt(cell)}: expected a whole number")
        return int(text[1])
    return as_whole("opponents", cell)
