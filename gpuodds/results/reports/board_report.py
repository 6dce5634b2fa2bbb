"""A report: the equities of a spot on every flop, or on every turn card of a flop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gpuodds.basics.arguments import as_whole, listed, shown
from gpuodds.basics.lazy import cached_property
from gpuodds.cards import format_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.textures import FLOP_TEXTURES, TURN_TEXTURES
from gpuodds.results.hi_lo import no_outcomes
from gpuodds.results.player_equity import Count, PlayerEquity, json_count
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA = "gpuodds.board_report/1"

TEXTURES = {"flop": FLOP_TEXTURES, "turn": TURN_TEXTURES}
"""The textures of a report's rows, by street."""
FIGURES = ("equity", "win", "tie", "equity_exact")
"""The figures of each player in a row."""


@dataclass(frozen=True)
class BoardRow:
    """The boards that renamings of the suits turn into each other, if these keep the spot.

    Attributes:
        cards: The dealt cards of one of the boards, highest first: three of a flop, or the turn card.
        weight: The number of these boards.
        textures: What players call the board, such as ``"monotone"``; ``gpuodds flops --help`` lists
            them.
        players: The named players' counts, over all of these boards. All are 0 if no deal of the
            players' hands leaves these cards.
    """

    cards: tuple[int, ...]
    weight: int
    textures: tuple[str, ...]
    players: tuple[PlayerEquity, ...]

    @property
    def outcomes(self) -> Count:
        """Deals times runouts, over all boards of the row."""
        return self.players[0].outcomes


@dataclass(frozen=True)
class BoardReport:
    """Exact equities of a spot on every flop, or on every turn card of a flop.

    Attributes:
        spot: The players, the dead cards, and for a turn report the flop.
        street: ``"flop"`` or ``"turn"``.
        rows: A row for each class of boards, in the order asked for.
        backend: The name of the backend that counted.
        seconds: The time that the report took.

    Example:
        >>> import gpuodds
        >>> from gpuodds.cards import format_cards
        >>> report = gpuodds.turn_report(["AsKs", "QhQd"], board="2s7d9s", backend="cpu")
        >>> len(report.rows), report.outcomes, report.players[0].equity_exact
        (49, 1980, Fraction(268, 495))
        >>> best = report.select("overcard").sorted("equity_2").rows[0]
        >>> format_cards(best.cards), best.players[1].equity
        ('Qc', 0.8409090909090909)
    """

    spot: Spot
    street: str
    rows: tuple[BoardRow, ...]
    backend: str
    seconds: float

    @property
    def outcomes(self) -> Count:
        """Deals times runouts, over all rows."""
        return sum(row.outcomes for row in self.rows)

    @cached_property
    def players(self) -> tuple[PlayerEquity, ...]:
        """The named players' counts over all rows, whose equities are means weighted by outcomes.

        Over all flops the equities are those before the flop, exactly. Without rows they are NaN.
        """
        return _add_up(self.rows, self.spot)

    def select(self, *textures: str | Iterable[str]) -> BoardReport:
        """Return the report with the rows that have the textures.

        Args:
            textures: Each a texture, or several of which a row has at least one.

        Raises:
            InputError: There is no such texture.

        Example:
            >>> import gpuodds
            >>> report = gpuodds.turn_report(["AA", "KK"], board="2s7d9h", backend="cpu")
            >>> len(report.rows), len(report.select("overcard", ["blank", "flush", "overcard"]).rows)
            (49, 20)
        """
        rows = self.rows
        for choice in textures:
            names = (
                [choice]
                if isinstance(choice, str)
                else listed("texture", choice, "a texture, or several")
            )
            for name in names:
                check_texture(self.street, name)
            rows = tuple(row for row in rows if {*names} & {*row.textures})
        return replace(self, rows=rows)

    def sorted(self, column: str, *, reverse: bool = False) -> BoardReport:
        """Return the report with its rows sorted by a column.

        Args:
            column: One of :attr:`columns`. Numbers descend, cards go from aces down.
            reverse: Whether to sort the other way round.

        Raises:
            InputError: There is no such column.
        """
        check_column(self.street, len(self.spot.hands), column)

        def key(row: BoardRow) -> tuple[bool, Any]:
            value = row.cards if column == self.street else self.record(row)[by]
            return value is not None, value  # boards that cannot be dealt are last

        by = column.replace("equity_exact", "equity")
        rows = sorted(self.rows, key=lambda row: row.cards, reverse=True)  # for equal values
        rows.sort(key=key, reverse=(column != "textures") != reverse)
        return replace(self, rows=tuple(rows))

    def limited(self, rows: int | None) -> BoardReport:
        """Return the report with its first rows.

        Args:
            rows: Their number, 0 or more; None for all.

        Raises:
            InputError: The number is not a whole number of 0 or more.
        """
        most = len(self.rows) if rows is None else as_whole("rows", rows)
        if most < 0:
            raise InputError(f"rows {most}: expected 0 or more")
        return replace(self, rows=self.rows[:most])

    def by_texture(self) -> dict[str, tuple[int, tuple[PlayerEquity, ...]]]:
        """Return, for each texture of a row, the number of boards and the players' counts."""
        by_texture = {}
        for name in TEXTURES[self.street]:
            rows = [row for row in self.rows if name in row.textures]
            if rows:
                players = _add_up(rows, self.spot)
                by_texture[name] = sum(row.weight for row in rows), players
        return by_texture

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of :meth:`record`."""
        return columns_of(self.street, len(self.spot.hands))

    def record(self, row: BoardRow) -> dict[str, Any]:
        """Return a row as a dict by column: the figures are None if the board cannot be dealt.

        Args:
            row: One of :attr:`rows`.
        """
        record: dict[str, Any] = {
            self.street: format_cards(row.cards),
            "weight": row.weight,
            "textures": " ".join(row.textures),
            "outcomes": row.outcomes,
        }
        for place, player in enumerate(row.players, 1):
            shares = player.to_dict()
            for name in FIGURES:
                record[f"{name}_{place}"] = shares[name]
        return record

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows for JSON, a dict each: integer counts are decimal strings."""
        records = [self.record(row) for row in self.rows]
        return [record | {"outcomes": json_count(record["outcomes"])} for record in records]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as the JSON object ``gpuodds.board_report/1``.

        ``players`` are the counts over all rows; the rows are those of :meth:`to_dicts`, without exact
        equities.
        """
        spot, rows = self.spot, self.to_dicts()
        exact = [name for name in self.columns if name.startswith("equity_exact")]
        for row in rows:
            for name in exact:
                del row[name]
        return {
            "schema": SCHEMA,
            "game": spot.game.name,
            "street": self.street,
            "hands": [*spot.names],
            "opponents": spot.opponents,
            "board": format_cards(spot.board),
            "dead": format_cards(spot.dead),
            "backend": self.backend,
            "outcomes": json_count(self.outcomes),
            "players": [player.to_dict() for player in self.players],
            "rows": rows,
            "seconds": self.seconds,
            **({"notes": [*spot.notes]} if spot.notes else {}),
        }

    def to_arrow(self) -> pa.Table:
        """Return the rows as an Arrow table; it needs pyarrow.

        The column ``outcomes`` is int64, decimal128(38, 0) if a number exceeds that, or float64 if
        ranges have weights.
        """
        import pyarrow as pa

        records = [self.record(row) for row in self.rows]
        kinds = {"weight": pa.int64(), "outcomes": _arrow_type(self.spot, self.rows)}
        columns = {}
        for name in self.columns:
            text = name in (self.street, "textures") or name.startswith("equity_exact")
            kind = kinds.get(name, pa.string() if text else pa.float64())
            columns[name] = pa.array([record[name] for record in records], kind)
        return pa.table(columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the Arrow table as a stream: data frames read it, as ``polars.DataFrame(report)``."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("texture", f"{self.street}s", *self.spot.names))
        parts = {"all": (sum(row.weight for row in self.rows), self.players), **self.by_texture()}
        rows = ""
        for name, (weight, players) in parts.items():
            shares = [player.equity if player.outcomes else None for player in players]
            cells = "".join(f"<td>{'' if s is None else f'{100 * s:.2f} %'}</td>" for s in shares)
            rows += f"<tr><td>{name}</td><td>{weight:,}</td>{cells}</tr>"
        return f"<table><caption>mean equity</caption><tr>{head}</tr>{rows}</table>"


def check_texture(street: str, name: str) -> None:
    """Refuse an unknown texture.

    Raises:
        InputError: There is no such texture of a flop or a turn card.
    """
    if name not in TEXTURES[street]:
        raise InputError(f"texture {shown(name)}: expected one of {', '.join(TEXTURES[street])}")


def columns_of(street: str, players: int) -> tuple[str, ...]:
    """Return the names of the columns of a report with so many named players."""
    each = [f"{figure}_{place}" for place in range(1, players + 1) for figure in FIGURES]
    return (street, "weight", "textures", "outcomes", *each)


def check_column(street: str, players: int, name: str) -> None:
    """Refuse an unknown column.

    Raises:
        InputError: A report with so many named players has no such column.
    """
    columns = columns_of(street, players)
    if name not in columns:
        raise InputError(f"column {shown(name)}: expected one of {', '.join(columns)}")


def _arrow_type(spot: Spot, rows: Sequence[BoardRow]) -> pa.DataType:
    import pyarrow as pa

    if not spot.has_integer_weights:
        return pa.float64()
    return pa.int64() if all(row.outcomes < 1 << 63 for row in rows) else pa.decimal128(38, 0)


def _add_up(rows: Sequence[BoardRow], spot: Spot) -> tuple[PlayerEquity, ...]:
    """Return the counts of all rows, by player."""
    total = no_outcomes(spot)
    for row in rows:
        total = tuple(player.plus(more) for player, more in zip(total, row.players, strict=True))
    return total
