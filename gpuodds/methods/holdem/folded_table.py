"""Answer two starting hands and a folded one from ``preflop-heads-up-folded``, once it is built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpuodds.errors import TableError
from gpuodds.tables.files.locate import find_table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gpuodds.methods.options import Options
    from gpuodds.results.result import EquityResult
    from gpuodds.spots.spot import Spot
    from gpuodds.tables.store import StoredTable

NAME = "preflop-heads-up-folded"
COUNTS = ("win_a", "win_b", "tie")


def why_not_folded(spot: Spot, options: Options) -> str:
    """Return why the table of a folded player does not answer a spot; empty if it does."""
    if len(spot.hands) != 2 or spot.opponents or len(spot.folded) != 1:
        return "no table has these players: two named ones and one who folded"
    if spot.board or spot.removed or spot.game.name != "holdem":
        return "no table has boards or dead cards"
    if options.by_hand or options.made_hands:
        return "no table has equities by hand beside a folded player"
    if any(weights is None for weights in _by_starting_hand(spot)):
        return f"table {NAME} has whole starting hands, all combos alike"
    if find_table(NAME) is None:
        return f"not built: gpuodds table build {NAME}"
    try:
        _open()
    except TableError as error:
        return str(error)
    return ""


def look_up_folded(spot: Spot) -> EquityResult:
    """Answer two players with ranges of starting hands, and one who folded."""
    import numpy as np

    from gpuodds.results.range_counts import RangeCounts
    from gpuodds.tables.layouts.three_hands import pair_place

    table = _open()
    kind: Any = np.int64 if spot.has_integer_weights else np.float64
    weights = [row for row in _by_starting_hand(spot) if row is not None]
    held = [np.flatnonzero(row) for row in weights]
    factors = [row[hands].astype(kind) for row, hands in zip(weights, held, strict=True)]
    first, second = (places.ravel() for places in np.meshgrid(held[0], held[1], indexing="ij"))
    pairs = pair_place(np.minimum(first, second), np.maximum(first, second))
    of_pair = np.outer(factors[0], factors[1]).ravel()
    by_pair = {
        name: np.asarray(table.array(name)).reshape(-1, len(weights[2]))[pairs][:, held[2]] @ factors[2]
        for name in COUNTS
    }
    swapped = first > second
    win = np.where(swapped, by_pair["win_b"], by_pair["win_a"]) @ of_pair
    lost = np.where(swapped, by_pair["win_a"], by_pair["win_b"]) @ of_pair
    tie = by_pair["tie"] @ of_pair
    masks = {1: win.item(), 2: lost.item(), 3: tie.item()}
    shared = [[masks[1], masks[3]], [masks[2], masks[3]]]
    winners = {mask: count for mask, count in masks.items() if count}
    return RangeCounts(sum(masks.values()), shared, winners).result(spot, "table", "cpu")


def _open() -> StoredTable:
    from gpuodds.tables.store import StoredTable

    return StoredTable(find_table(NAME) or NAME)


def _by_starting_hand(spot: Spot) -> list[npt.NDArray[np.float64] | None]:
    """Return the weights of the players' starting hands, (169,) each; None for single combos."""
    from gpuodds.games.holdem.combo_hands import weights_by_hand

    return [weights_by_hand(row) for row in (*spot.weights, *spot.folded_weights)]
