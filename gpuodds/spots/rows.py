"""Rows of a batch: many spots as callers give them, in dicts, columns, data frames or arrays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuodds.arguments import as_whole, listed, shown
from gpuodds.errors import InputError, excerpt
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.spots.arrays import as_cards, is_on_device
from gpuodds.spots.hands import Hand, read_cards
from gpuodds.spots.players import list_players, read_opponents, read_players
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.spots.ranges import Range

OPTIONAL = ("board", "dead", "opponents", "game")
"""The columns that a row may have beside its hands."""
EXPECTED = f"hand_1, hand_2, ..., and optionally {', '.join(OPTIONAL)}"
ONE_OF_BOTH = "expected the players in hands, or in hand_1, hand_2, ..."
KEPT_TEXTS = 1 << 16  # texts of cards whose reading is kept: 10 MB
KEPT_PLAYERS = 1 << 12  # likewise of players: a range takes 10 KB
_HAND = re.compile(r"hand_([1-9][0-9]?)")


class Row(NamedTuple):
    """A row whose cells are read. Whether its cards fit together, :meth:`spot` checks."""

    players: tuple[Hand | Range, ...]
    opponents: int
    board: tuple[int, ...]
    dead: tuple[int, ...]
    game: Game = HOLDEM

    def spot(self) -> Spot:
        """Return the spot.

        Raises:
            InputError: The spot is impossible.
        """
        return Spot(*self)


class RowReader:
    """Reads rows. A text that occurs again is not read again.

    Args:
        game: The game of rows that name none.

    A row that cannot be read becomes an :class:`~gpuodds.errors.InputError`, a value in its place.

    Example:
        >>> rows = RowReader().read_columns({"hand_1": ["AsKs", "AsKx"], "board": ["", "2s7d9h"]})
        >>> rows[0].players, rows[0].opponents, str(rows[1])
        (((51, 47),), 1, "hand_1: AsKx: column 4: expected a suit (c, d, h or s), found 'x'")
    """

    def __init__(self, game: Game = HOLDEM) -> None:
        self._game = game
        self._players: dict[Game | None, _Cells] = {}
        cards = _Cells(read_cards, KEPT_TEXTS)
        opponents, games = _Cells(_read_opponents, KEPT_TEXTS), _Cells(_read_game, KEPT_TEXTS)
        self._others = dict(zip(OPTIONAL, (cards, cards, opponents, games), strict=True))

    def _player(self, game: Any) -> Callable[[Any], Any]:
        """Return the reader of a player's cell, by what the cell of the game was read as."""
        game = game if isinstance(game, Game) else self._game
        if game not in self._players:
            self._players[game] = _Cells(lambda cell: read_players([cell], game=game)[0], KEPT_PLAYERS)
        return self._players[game]

    def read_columns(self, columns: Mapping[str, Sequence[Any]]) -> list[Row | InputError]:
        """Return the rows of columns, all of one length; columns of other names are not read.

        Raises:
            InputError: There is no column of hands, or one is missing between others.
        """
        if "hands" in columns:
            names = [name for name in columns if name in ("hands", *OPTIONAL) or _HAND.fullmatch(name)]
            rows = zip(*(columns[name] for name in names), strict=True)
            return [self.read_dict(dict(zip(names, row, strict=True))) for row in rows]
        hands = hand_columns(columns)
        size = len(columns[hands[0]])
        others = [
            list(map(cell, columns[name])) if name in columns else [None] * size
            for name, cell in self._others.items()
        ]
        games = others[-1]
        if len({*map(id, games)}) == 1:
            player = self._player(games[0])
            read = [list(map(player, columns[name])) for name in hands]
        else:
            players = [self._player(game) for game in games]
            read = [
                [one(cell) for one, cell in zip(players, columns[name], strict=True)] for name in hands
            ]
        places = [*hands, *OPTIONAL]
        return [self._row(places, cells) for cells in zip(*read, *others, strict=True)]

    def read_dict(self, row: Any) -> Row | InputError:
        """Return the row of a dict: ``hands``, or ``hand_1``, ``hand_2``, ..., and the others."""
        try:
            if not isinstance(row, Mapping):
                raise InputError(f"{shown(row)}: expected a dict such as {{'hands': ['AsKs', 'QhQd']}}")
            numbered = []
            for key in row:
                if key in ("hands", *OPTIONAL):
                    continue
                if not _HAND.fullmatch(str(key)):
                    raise InputError(f"key {shown(key)}: expected hands, {', '.join(OPTIONAL)}")
                if not _is_missing(row[key]):
                    numbered.append(key)
            if numbered and not _is_missing(row.get("hands")):
                raise InputError(f"hands and {numbered[0]}: {ONE_OF_BOTH}")
            others = [cell(row.get(name)) for name, cell in self._others.items()]
            game = others[-1] if isinstance(others[-1], Game) else self._game
            if "hands" in row and not numbered:
                empty = _is_missing(row["hands"])
                given = [] if empty else list_players(_plain(row["hands"]), game=game)
                hands = [f"hand_{number}" for number in range(1, len(given) + 1)]
            else:
                hands = hand_columns(row)
                given = [row[name] for name in hands]
        except InputError as error:
            return error
        return self._row([*hands, *OPTIONAL], (*map(self._player(game), given), *others))

    def _row(self, names: Sequence[str], cells: tuple[Any, ...]) -> Row | InputError:
        if InputError in map(type, cells):
            # A wrong game makes the hands wrong, too.
            errors = [place for place, cell in enumerate(cells) if isinstance(cell, InputError)]
            at = errors[-1] if errors[-1] == len(cells) - 1 else errors[0]
            return InputError(f"{names[at]}: {cells[at]}")
        *players, board, dead, opponents, game = cells
        while players and players[-1] is None:
            players.pop()
        if not players:
            return InputError("no hand given: expected at least one, such as AsKs")
        if None in players:
            empty = players.index(None) + 1
            return InputError(f"hand_{empty}: empty, but hand_{len(players)} is not")
        number = read_opponents(opponents, len(players))
        return Row(tuple(players), number, board or (), dead or (), game or self._game)


class _Cells:
    """Reads cells: None for an empty one, an error as a value, and each text once."""

    def __init__(self, read: Callable[[Any], Any], most: int) -> None:
        self._read, self._most = read, most
        self._kept: dict[str, Any] = {}

    def __call__(self, cell: Any) -> Any:
        if type(cell) is not str:
            return None if cell is None else self._new(cell)
        found = self._kept.get(cell, self)
        if found is self:
            if len(self._kept) >= self._most:
                self._kept.clear()
            found = self._kept[cell] = self._new(cell)
        return found

    def _new(self, cell: Any) -> Any:
        if _is_missing(cell):
            return None
        try:
            return self._read(_plain(cell))
        except InputError as error:
            return InputError(str(error))  # of this very type, for _row


def hand_columns(names: Iterable[Any]) -> list[str]:
    """Return the names ``hand_1``, ``hand_2``, ... among the names of columns, in this order.

    Raises:
        InputError: There is none, or one is missing between others.

    >>> hand_columns(["id", "hand_2", "hand_1"])
    ['hand_1', 'hand_2']
    """
    found = {name for name in names if isinstance(name, str) and _HAND.fullmatch(name)}
    wanted = [f"hand_{number}" for number in range(1, len(found) + 1)] or ["hand_1"]
    for name in wanted:
        if name not in found:
            raise InputError(f"column {name} is missing: expected {EXPECTED}")
    return wanted


def read_spots(spots: Any, game: Game = HOLDEM) -> list[Row | InputError]:
    """Return the rows of a list of dicts, a dict of columns, a data frame or an Arrow table.

    Args:
        spots: The rows.
        game: The game of rows that name none.

    Raises:
        InputError: ``spots`` is none of these, or it lacks columns.
    """
    reader = RowReader(game)
    columns = _columns(spots)
    if columns is not None:
        sizes = {len(column) for column in columns.values()}
        if len(sizes) > 1:
            raise InputError(f"spots: expected columns of one length, found {sorted(sizes)}")
        return reader.read_columns(columns)
    expected = "a list of dicts, a data frame, an Arrow table, or an array of card numbers"
    return [reader.read_dict(row) for row in listed("spots", spots, expected)]


def read_boards(
    players: Any, boards: Any, opponents: Any, game: Game = HOLDEM
) -> list[Row | InputError]:
    """Return a row for each board, all with the same players.

    Args:
        players: As for :func:`gpuodds.equity`.
        boards: Card numbers, shape (n, 0) to (n, 5), or a list of boards as text.
        opponents: The number of random opponents, or None.
        game: The game.

    Raises:
        InputError: An argument cannot be read.
    """
    named = tuple(read_players(players, game=game))
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


def read_hand_arrays(
    hands: Any, boards: Any, opponents: Any, game: Game = HOLDEM
) -> tuple[Any, Any, int]:
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
        given = np.asarray(hands)
    except ValueError:
        raise InputError("hands: expected rows of one length, found rows that differ") from None
    size = game.hole_cards
    if given.ndim not in (2, 3) or given.shape[-1] != size:
        expected = f"shape (n, {size}) or (n, players, {size})"
        raise InputError(f"hands: expected an array of {expected}, found {given.shape}")
    players = given.shape[1] if given.ndim == 3 else 1
    if not 1 <= players <= game.max_players:
        raise InputError(f"hands: {players} players: expected 1 to {game.max_players}")
    width = size * players
    cards = as_cards(given.reshape(len(given), width), "hands", [width])
    on_board = (
        cards[:, :0] if boards is None else as_cards(boards, "boards", range(game.board_cards + 1))
    )
    if len(on_board) != len(cards):
        raise InputError(
            f"{len(cards)} hands and {len(on_board)} boards: expected a board for each row of hands"
        )
    return cards.reshape(len(cards), players, size), on_board, read_opponents(opponents, players)


def _columns(spots: Any) -> dict[str, list[Any]] | None:
    """Return the columns of a table as lists; None if ``spots`` is no table."""
    if isinstance(spots, Mapping):
        return {str(name): listed(f"column {name}", spots[name], "a list") for name in spots}
    if hasattr(spots, "columns") and hasattr(spots, "__getitem__"):  # pandas, polars, pyarrow
        names = getattr(spots, "column_names", None) or list(spots.columns)
        wanted = [name for name in names if name in ("hands", *OPTIONAL) or _HAND.fullmatch(str(name))]
        return {str(name): _to_list(spots[name]) for name in wanted}
    if hasattr(spots, "__arrow_c_stream__"):
        try:
            import pyarrow as pa
        except ImportError:
            raise InputError("spots: Arrow data needs pyarrow: install gpuodds[tables]") from None
        return _columns(pa.table(spots))
    return None


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


def _read_game(cell: Any) -> Game:
    try:
        return find_game(cell)
    except InputError as error:
        raise InputError(str(error).removeprefix("game ")) from None  # the column has that name
