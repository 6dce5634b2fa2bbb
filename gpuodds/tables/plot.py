"""Plot tables by matplotlib: 13 x 13 heat maps, equity by opponents, equities on a flop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuodds.cards import format_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.starting_hands import grid_names, starting_hands, to_grid
from gpuodds.games.shared.combos import combo_cards
from gpuodds.plotting import new_picture, save_picture
from gpuodds.tables.equities import equity_of
from gpuodds.tables.hands import read_hand
from gpuodds.tables.layouts.omaha_random import OmahaRandomLayout
from gpuodds.tables.layouts.preflop_random import PreflopRandomLayout
from gpuodds.tables.open import ShippedTable
from gpuodds.tables.store import StoredTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Table = ShippedTable | StoredTable

GRID_SIZE = 8.5, 9.2  # inches; the text of its cells can be read on a phone
DARK = 0.62  # of a colour scale: text on darker cells is white


def plot(
    table: Table,
    out: Path,
    *,
    hands: Sequence[str] = (),
    opponents: Sequence[int] = (),
    board: str = "",
) -> None:
    """Plot a table into a file.

    ``preflop-random``, of short deck too, gives the equities of all starting hands, or those of some
    hands by the number of opponents; ``preflop-heads-up`` the equities of one hand against all starting
    hands; ``flop-random`` the distribution of the equities of all hands on a flop; tables of Omaha that
    of all hands before it.

    Args:
        table: One of these tables.
        out: The file, PNG, SVG or PDF by its ending.
        hands: The hands to plot; in a distribution, to mark.
        opponents: For ``preflop-random`` without hands: one number, or two for the difference.
        board: The flop, for ``flop-random``.

    Raises:
        InputError: matplotlib is not installed, the ending is unknown, or the table has no such plot.
    """
    figure = new_picture(out, 9, 8)
    draw(figure, table, hands, opponents, board)
    save_picture(figure, out)


def draw(
    figure: Figure, table: Table, hands: Sequence[str], opponents: Sequence[int], board: str
) -> None:
    """Draw a table into an empty figure: see :func:`plot`."""
    if isinstance(table.layout, PreflopRandomLayout):
        if hands:
            _curves(figure, table, hands)
        else:
            _against_random(figure, table, table.layout.hands, opponents or (1,))
    elif table.name == "preflop-heads-up":
        _against_hand(figure, table, hands)
    elif table.name == "flop-random":
        _flop(figure, table, hands, board)
    elif isinstance(table.layout, OmahaRandomLayout):
        _omaha(figure, table, hands)
    elif isinstance(table, StoredTable) and table.layout.has_buckets:
        _buckets(figure, table)
    else:
        raise InputError(f"table {table.name}: it has no plot")


def _equities(table: Table, hands: Sequence[str], opponents: int) -> dict[str, float]:
    if not 1 <= opponents <= table.opponents:
        raise InputError(f"opponents {opponents}: expected 1 to {table.opponents}")
    return {name: table.lookup(name)[opponents - 1]["equity"] for name in hands}


def _against_random(
    figure: Figure, table: Table, hands: Sequence[str], opponents: Sequence[int]
) -> None:
    first = _equities(table, hands, opponents[0])
    if len(opponents) == 1:
        title = f"Equity against {_random(opponents[0])}"
        _heat_map(figure, first, title, "equity, %")
    elif len(opponents) == 2:
        second = _equities(table, hands, opponents[1])
        title = f"Equity against {_random(opponents[0])} less that against {_random(opponents[1])}"
        _heat_map(figure, {name: first[name] - second[name] for name in first}, title, "difference, %")
    else:
        raise InputError(f"{len(opponents)} numbers of opponents: expected one or two")


def _random(opponents: int) -> str:
    return "one random hand" if opponents == 1 else f"{opponents} random hands"


def _against_hand(figure: Figure, table: Table, hands: Sequence[str]) -> None:
    if len(hands) != 1:
        raise InputError(f"table {table.name}: expected one hand to draw, found {len(hands)}")
    means = {}
    for name in starting_hands():
        row = table.lookup(hands[0], name)[0]
        outcomes = row["win_a"] + row["win_b"] + row["tie"]
        means[name] = equity_of([row["win_a"], row["tie"]], outcomes)
    shown = read_hand(hands[0]).name
    _heat_map(figure, means, f"Equity of {shown} against each starting hand", "equity, %")


def _heat_map(figure: Figure, values: dict[str, float], title: str, label: str) -> None:
    names = grid_names()
    grid = np.multiply(100, to_grid(values, np.nan))
    figure.set_size_inches(*GRID_SIZE)
    axes = figure.subplots()
    axes.imshow(grid, cmap="YlGnBu")
    low, high = float(np.nanmin(grid)), float(np.nanmax(grid))
    for row in range(13):
        for column in range(13):
            value = grid[row, column]
            dark = not np.isnan(value) and value - low > DARK * (high - low)
            text = names[row][column] + ("" if np.isnan(value) else f"\n{value:.1f}")
            color = "white" if dark else "black"
            axes.text(column, row, text, ha="center", va="center", fontsize=15, color=color)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_title(f"{title}\n{label}; suited above the diagonal, offsuit below", fontsize=15)


def _curves(figure: Figure, table: Table, hands: Sequence[str]) -> None:
    axes = figure.subplots()
    for hand in hands:
        rows = table.lookup(hand)
        counts = [row["opponents"] for row in rows]
        equities = [100 * row["equity"] for row in rows]
        axes.plot(counts, equities, marker="o", ms=4, label=rows[0]["hand"])
    counts = list(range(1, table.opponents + 1))
    even = [100 / (k + 1) for k in counts]
    axes.plot(counts, even, color="0.6", ls="--", label="an even share")
    axes.set_xlabel("random opponents")
    axes.set_ylabel("equity, %")
    axes.set_xticks(counts)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend()
    axes.set_title("Equity by the number of random opponents", fontsize=13)


def _flop(figure: Figure, table: Table, hands: Sequence[str], board: str) -> None:
    from gpuodds.spots.hands import read_cards

    on_board = read_cards(board)
    if len(on_board) != 3:
        raise InputError(f"board {excerpt(board)}: expected three cards")
    equities: list[float] = []
    for low, high in combo_cards().tolist():
        if not {low, high} & {*on_board}:
            equities.append(table.lookup((low, high), board=board)[0]["equity_1"])
    marks = {hand: table.lookup(hand, board=board)[0]["equity_1"] for hand in hands}
    title = f"Equities of the 1,176 hands on {format_cards(on_board)}"
    _distribution(figure, equities, None, marks, title)


def _omaha(figure: Figure, table: Table, hands: Sequence[str]) -> None:
    columns = table.take_rows(range(len(table)), ["equity", "combos"])
    marks = {row["hand"]: row["equity"] for hand in hands for row in table.lookup(hand)}
    title = f"Equities of the {columns['combos'].sum():,} hands of {table.name.partition('-pre')[0]}"
    _distribution(figure, columns["equity"], columns["combos"], marks, title)


def _buckets(figure: Figure, table: StoredTable) -> None:
    table.check_complete()
    found = table.clustering
    upper, lower = figure.subplots(2, 1, sharex=True)
    numbers = np.arange(found.buckets)
    upper.bar(numbers, 100 * found.shares, width=1.0, color="#3b7ea1")
    upper.set_ylabel("share of the deals, %")
    upper.set_title(f"{found.buckets:,} buckets of {table.name}, {found.distance}", fontsize=13)
    lower.plot(numbers, 100 * found.equities, color="#3b7ea1", label="equity, %")
    lower.plot(numbers, 100 * np.array(found.mean_distances), color="#c44e52", label="mean distance, %")
    lower.set_xlabel("bucket, by equity against a random hand")
    lower.set_ylim(0, 100)
    lower.grid(alpha=0.3)
    lower.legend()


def _distribution(
    figure: Figure, equities: Any, weights: Any, marks: Mapping[str, float], title: str
) -> None:
    axes = figure.subplots()
    percent = 100 * np.array(equities)
    axes.hist(percent, bins=range(0, 101, 2), weights=weights, color="#3b7ea1", edgecolor="white")
    top = axes.get_ylim()[1]
    for place, (hand, equity) in enumerate(marks.items()):
        at, height = 100 * equity, top * (0.97 - 0.05 * (place % 4))
        axes.axvline(at, color="#c44e52")
        axes.text(at, height, f" {hand} {at:.1f} %", color="#c44e52")
    axes.set_xlabel("equity against one random hand, %")
    axes.set_ylabel("hands")
    axes.set_xlim(0, 100)
    axes.set_title(title, fontsize=13)
