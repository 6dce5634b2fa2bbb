"""The answers to many spots: columns of figures, and a result for each row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from gpuodds.basics.lazy import cached_property
from gpuodds.errors import InputError, excerpt
from gpuodds.results.call_value import CallValue
from gpuodds.results.player_equity import PlayerEquity
from gpuodds.results.result import EquityResult, name_winners
from gpuodds.spots.price import Price
from gpuodds.spots.spot import Spot

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]

PAIR = (1, 2, 3)
"""The sets of winners among two players, as masks: the first, the second, both."""

EXACT_FLOAT = 1 << 53  # whole numbers up to here are floats without rounding
FIGURES = ("equity", "win", "tie")
"""The figures of each player, by which columns are named: ``equity_1``."""


class Answers(Protocol):
    """The answers to some rows of a batch."""

    @property
    def places(self) -> Ints:
        """The rows' places in the batch, shape (n,)."""
        ...

    @property
    def players(self) -> int:
        """The number of named players, or the most of any row."""
        ...

    def figures(self) -> Array:
        """Return each player's equity, win and tie, shape (n, players, 3), float64."""
        ...

    def kinds(self) -> tuple[Sequence[Any], Sequence[str], Sequence[bool], Sequence[str]]:
        """Return the outcomes, the method, whether it is exact, and the backend, each of length n."""
        ...

    def result(self, row: int) -> EquityResult:
        """Return the whole answer to one of the rows."""
        ...


@dataclass(frozen=True)
class CountedRows:
    """Exact counts of rows that are alike in the number of players: :class:`Answers`.

    Attributes:
        places: Shape (n,), the rows' places in the batch.
        spot: Returns the spot of one of the rows.
        players: The number of named players.
        masks: Sets of named players, as masks.
        counts: Shape (n, masks, ties + 1), int64, or object for larger integers: outcomes in which the
            named players of a mask hold the best hand together with exactly t random opponents.
        outcomes: Shape (n,), of the same type: all outcomes.
        method: ``"table"`` or ``"exact"``.
        backend: The name of the backend that counted.
    """

    places: Ints
    spot: Callable[[int], Spot]
    players: int
    masks: tuple[int, ...]
    counts: Array
    outcomes: Array
    method: str
    backend: str

    @cached_property
    def shared(self) -> Array:
        """Outcomes in which each player is best with exactly t others, (n, players, players + k)."""
        rows, _, ties = self.counts.shape
        shared = np.zeros((rows, self.players, self.players + ties - 1), self.counts.dtype)
        for place, mask in enumerate(self.masks):
            first = mask.bit_count() - 1
            for player in range(self.players):
                if mask >> player & 1:
                    shared[:, player, first : first + ties] += self.counts[:, place]
        return shared

    def figures(self) -> Array:
        """Return each player's equity, win and tie, each exact share rounded once."""
        shared, whole = self.shared, self.outcomes
        parts = lcm(*range(1, shared.shape[2] + 1))
        if shared.dtype != object and int(whole.max(initial=0)) * parts >= EXACT_FLOAT:
            shared, whole = shared.astype(object), whole.astype(object)
        pot = sum(shared[..., others] * (parts // (others + 1)) for others in range(shared.shape[2]))
        figures = np.empty((*shared.shape[:2], len(FIGURES)))
        whole = whole[:, None]
        figures[..., 0] = pot / (whole * parts)
        figures[..., 1] = shared[..., 0] / whole
        figures[..., 2] = shared[..., 1:].sum(axis=2) / whole
        return figures

    def kinds(self) -> tuple[Sequence[Any], Sequence[str], Sequence[bool], Sequence[str]]:
        """Return outcomes, method, exactness and backend of each row."""
        rows = len(self.places)
        return self.outcomes.tolist(), [self.method] * rows, [True] * rows, [self.backend] * rows

    def result(self, row: int) -> EquityResult:
        """Return the whole answer to one of the rows."""
        spot, outcomes = self.spot(row), int(self.outcomes[row])
        players = tuple(
            PlayerEquity(name, outcomes, int(counts[0]), tuple(int(count) for count in counts[1:]))
            for name, counts in zip(spot.names, self.shared[row], strict=True)
        )
        winners = None
        if not spot.opponents:
            alone = {mask: int(self.counts[row, place, 0]) for place, mask in enumerate(self.masks)}
            winners = name_winners(
                {mask: count for mask, count in alone.items() if count}, self.players
            )
        return EquityResult(spot, players, self.method, self.backend, winners, 0.0)


@dataclass(frozen=True)
class AnsweredRows:
    """Whole answers to rows, which repeated rows share: :class:`Answers`."""

    places: Ints
    results: Sequence[EquityResult]

    @property
    def players(self) -> int:
        """The most named players of a row."""
        return max((len(result.players) for result in self.results), default=0)

    def figures(self) -> Array:
        """Return each player's equity, win and tie; nan for players that a row lacks."""
        figures = np.full((len(self.results), self.players, len(FIGURES)), np.nan)
        known: dict[int, Array] = {}
        for row, result in enumerate(self.results):
            if id(result) not in known:
                shares = [(player.equity, player.win, player.tie) for player in result.players]
                known[id(result)] = np.array(shares)
            figures[row, : len(result.players)] = known[id(result)]
        return figures

    def kinds(self) -> tuple[Sequence[Any], Sequence[str], Sequence[bool], Sequence[str]]:
        """Return outcomes, method, exactness and backend of each row."""
        return (
            [result.outcomes for result in self.results],
            [result.method for result in self.results],
            [result.exact for result in self.results],
            [result.backend for result in self.results],
        )

    def result(self, row: int) -> EquityResult:
        """Return the whole answer to one of the rows."""
        return self.results[row]


class Equities:
    """The answers to many spots, in order.

    ``answers[row]`` is the :class:`gpuodds.EquityResult` of a row, with its exact counts.
    ``pandas.DataFrame(answers.columns)`` and ``polars.DataFrame(answers)`` are data frames of them.

    Example:
        >>> import gpuodds
        >>> rows = [{"hands": ["AsKs", "QhQd"]}, {"hands": ["AsKs"], "board": "As"}]
        >>> answers = gpuodds.equities(rows, errors="column")
        >>> len(answers), answers.columns["method"].tolist(), answers.columns["error"].tolist()[1]
        (2, ['table', None], 'As: the same card is in AsKs and the board')
        >>> answers[0].players[0].win_outcomes, answers.columns["equity_1"].tolist()
        (787966, [0.46214457245909607, nan])
    """

    errors: dict[int, InputError]
    """What is wrong with the rows that were not answered, by row number from 0."""

    def __init__(
        self,
        rows: int,
        parts: Sequence[Answers],
        errors: Mapping[int, InputError],
        kept: Mapping[str, Sequence[Any]] | None = None,
        prices: Mapping[int, Price] | None = None,
        inputs: Callable[[], Mapping[str, Sequence[Any]]] = dict,
    ) -> None:
        """Take the answers.

        Args:
            rows: The number of rows.
            parts: Answers to rows; together with the errors they cover all rows once.
            errors: What is wrong with the other rows, by place.
            kept: Columns of the rows that go with the answers.
            prices: What calls cost, by place.
            inputs: Returns columns of what was asked.
        """
        self._inputs = inputs
        self._prices = dict(prices or {})
        self._rows, self._parts = rows, parts
        self._given_kept = kept or {}
        self.errors = dict(errors)
        self._home = np.zeros((rows, 2), np.int64)
        for number, part in enumerate(parts):
            self._home[part.places, 0] = number
            self._home[part.places, 1] = np.arange(len(part.places))

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, row: int) -> EquityResult:
        """Return the answer to a row.

        Raises:
            InputError: The row could not be answered.
            IndexError: There is no such row.
        """
        row = range(self._rows)[row]
        if row in self.errors:
            raise self.errors[row]
        part, place = self._home[row]
        result = self._parts[int(part)].result(int(place))
        if row in self._prices:
            return replace(result, call=CallValue.of(self._prices[row], result.players[0]))
        return result

    def __iter__(self) -> Iterator[EquityResult]:
        return (self[row] for row in range(self._rows))

    @property
    def players(self) -> int:
        """The most named players of a row."""
        return max((part.players for part in self._parts), default=1)

    @cached_property
    def _kept(self) -> dict[str, Array]:
        """The columns of what was asked, and those that the rows kept."""
        given = {**self._inputs(), **self._given_kept}
        return {name: _as_array(cells) for name, cells in given.items()}

    @cached_property
    def columns(self) -> dict[str, Array]:
        """The figures as NumPy arrays by name, after what was asked and the columns that the rows kept.

        What was asked is ``hand_1``, ``hand_2``, ..., and ``board``, ``dead``, ``opponents`` and others
        where rows have them: columns as they were given, or texts of dicts and arrays.

        ``equity_1``, ``win_1``, ``tie_1``, ... of each named player, float64 from 0 to 1, nan where a
        row has no such player; where rows have the price of a call ``pot_odds`` and ``expected_value``,
        of the equity as it is rounded; ``outcomes``, Python integers, or floats if ranges have weights;
        ``method``, ``exact``, ``backend``; and ``error``, None for a row that was answered.
        """
        figures = np.full((self._rows, self.players, len(FIGURES)), np.nan)
        kinds = np.full((4, self._rows), None, object)
        for part in self._parts:
            figures[part.places, : part.players] = part.figures()
            for column, values in zip(kinds, part.kinds(), strict=True):
                column[part.places] = values
        columns = self._kept | {
            f"{name}_{player + 1}": np.ascontiguousarray(figures[:, player, place])
            for player in range(self.players)
            for place, name in enumerate(FIGURES)
        }
        if self._prices:
            columns |= self._call_columns(columns["equity_1"])
        columns |= dict(zip(("outcomes", "method", "exact", "backend"), kinds, strict=True))
        columns["error"] = np.full(self._rows, None, object)
        for row, error in self.errors.items():
            columns["error"][row] = str(error)
        return columns

    def _call_columns(self, equity: Array) -> dict[str, Array]:
        """Return the pot odds and the expected value of each row that has a price, else nan."""
        pot_odds, pot, to_call = np.full((3, self._rows), np.nan)
        for row, price in self._prices.items():
            if row not in self.errors:
                pot_odds[row], pot[row], to_call[row] = float(price.pot_odds), *map(float, price)
        return {"pot_odds": pot_odds, "expected_value": equity * (pot + to_call) - to_call}

    def to_dict(self) -> dict[str, list[Any]]:
        """Return :attr:`columns` as lists; None where there is no value."""
        return {
            name: [
                None if isinstance(cell, float) and cell != cell else cell for cell in column.tolist()
            ]
            for name, column in self.columns.items()
        }

    def to_arrow(self) -> Any:
        """Return :attr:`columns` as a ``pyarrow.Table``, null where there is no value.

        Outcomes are int64, decimals if one needs more bits, or float64 if ranges have weights.

        Raises:
            InputError: A column that the rows kept has values of several types.
        """
        import pyarrow as pa

        kinds = {
            "method": pa.string(),
            "backend": pa.string(),
            "error": pa.string(),
            "exact": pa.bool_(),
        }
        columns = {}
        for name, column in self.columns.items():
            if name in self._kept:
                columns[name] = _arrow_cells(name, column.tolist())
            elif name == "outcomes":
                columns[name] = _arrow_counts(column.tolist())
            elif name in kinds:
                columns[name] = pa.array(column.tolist(), kinds[name])
            else:
                columns[name] = pa.array(column, mask=np.isnan(column))
        return pa.table(columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)


def _as_array(cells: Sequence[Any]) -> Array:
    """Return cells as an array: of their own type if they are all numbers of one, else of objects."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "biufO":
        return cells.copy()
    if len({*map(type, cells)}) == 1 and isinstance(cells[0], (int, float, np.number, np.bool_)):
        array = np.array(cells)
        # Large integers of Python become objects, or floats, which could not hold them.
        if array.dtype.kind in ("f" if isinstance(cells[0], (float, np.floating)) else "biu"):
            return array
    array = np.full(len(cells), None, object)
    for place, cell in enumerate(cells):
        array[place] = cell
    return array


def _arrow_cells(name: str, cells: list[Any]) -> Any:
    import pyarrow as pa

    try:
        return pa.array(cells)
    except (pa.ArrowException, OverflowError) as error:
        raise InputError(f"column {excerpt(name)}: {excerpt(str(error), 200)}") from None


def _arrow_counts(counts: list[Any]) -> Any:
    import pyarrow as pa

    if any(isinstance(count, float) for count in counts):
        return pa.array([None if count is None else float(count) for count in counts], pa.float64())
    if max((count for count in counts if count is not None), default=0) < 1 << 63:
        return pa.array(counts, pa.int64())
    from decimal import Decimal

    return pa.array(
        [None if count is None else Decimal(count) for count in counts], pa.decimal128(38, 0)
    )
