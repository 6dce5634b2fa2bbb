"""gpuodds: exact poker equity, any hand against any number of opponents.

>>> import gpuodds
>>> gpuodds.equity("AsKs", opponents=3).equity
0.41427964789629684
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds._version import __version__
from gpuodds.basics.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.api import (
        double_board,
        equities,
        equities_by_next_card,
        equities_by_opponents,
        equity,
        equity_batch,
        heads_up_matrix,
    )
    from gpuodds.client import AsyncClient, Client, ServerError
    from gpuodds.errors import ImpossibleDeal, InputError, NotEnoughSamples, TableError
    from gpuodds.methods.boards.board_reports import flop_report, turn_report
    from gpuodds.methods.boards.flops import FlopEquities, flop_equities
    from gpuodds.methods.boards.range_hits import range_hits
    from gpuodds.methods.hands.canonical import canonical_cards, canonical_rows, count_distinct_boards
    from gpuodds.methods.hands.evaluate import low_ranks, rank_combos, rank_hands
    from gpuodds.methods.hands.losses import Losses, count_disjoint, losses
    from gpuodds.methods.sampling.engine import Sampling
    from gpuodds.methods.values.values import fold_values, showdown_values
    from gpuodds.results.batches.equities import Equities
    from gpuodds.results.batches.equity_batch import EquityBatch
    from gpuodds.results.double_board import DoubleBoardPlayer, DoubleBoardResult
    from gpuodds.results.equity_graph import EquityGraph
    from gpuodds.results.player_equity import PlayerEquity
    from gpuodds.results.reports.board_report import BoardReport
    from gpuodds.results.reports.range_hits import RangeHits
    from gpuodds.results.result import EquityResult
    from gpuodds.short_stacks.icm import icm
    from gpuodds.short_stacks.push_fold import push_fold
    from gpuodds.short_stacks.result import PushFoldResult
    from gpuodds.spots.ranges.presets import RangePreset, range_presets
    from gpuodds.spots.ranges.range import Range
    from gpuodds.spots.ranges.rankings import register_ranking
    from gpuodds.tables.open import table

__all__ = [
    "AsyncClient",
    "BoardReport",
    "Client",
    "DoubleBoardPlayer",
    "DoubleBoardResult",
    "Equities",
    "EquityBatch",
    "EquityGraph",
    "EquityResult",
    "FlopEquities",
    "ImpossibleDeal",
    "InputError",
    "Losses",
    "NotEnoughSamples",
    "PlayerEquity",
    "PushFoldResult",
    "Range",
    "RangeHits",
    "RangePreset",
    "Sampling",
    "ServerError",
    "TableError",
    "__version__",
    "canonical_cards",
    "canonical_rows",
    "count_disjoint",
    "count_distinct_boards",
    "double_board",
    "equities",
    "equities_by_next_card",
    "equities_by_opponents",
    "equity",
    "equity_batch",
    "flop_equities",
    "flop_report",
    "fold_values",
    "heads_up_matrix",
    "icm",
    "losses",
    "low_ranks",
    "push_fold",
    "range_hits",
    "range_presets",
    "rank_combos",
    "rank_hands",
    "register_ranking",
    "showdown_values",
    "table",
    "turn_report",
]

# The modules of public names, imported on first use: importing gpuodds imports no numba and no NumPy.
_HOMES = {
    "AsyncClient": "client",
    "Client": "client",
    "DoubleBoardPlayer": "results.double_board",
    "DoubleBoardResult": "results.double_board",
    "double_board": "api",
    "equity": "api",
    "equities": "api",
    "equities_by_next_card": "api",
    "equities_by_opponents": "api",
    "equity_batch": "api",
    "flop_report": "methods.boards.board_reports",
    "heads_up_matrix": "api",
    "turn_report": "methods.boards.board_reports",
    "FlopEquities": "methods.boards.flops",
    "flop_equities": "methods.boards.flops",
    "fold_values": "methods.values.values",
    "showdown_values": "methods.values.values",
    "low_ranks": "methods.hands.evaluate",
    "rank_hands": "methods.hands.evaluate",
    "rank_combos": "methods.hands.evaluate",
    "canonical_cards": "methods.hands.canonical",
    "canonical_rows": "methods.hands.canonical",
    "count_distinct_boards": "methods.hands.canonical",
    "Losses": "methods.hands.losses",
    "count_disjoint": "methods.hands.losses",
    "losses": "methods.hands.losses",
    "table": "tables.open",
    "Range": "spots.ranges.range",
    "RangeHits": "results.reports.range_hits",
    "range_hits": "methods.boards.range_hits",
    "RangePreset": "spots.ranges.presets",
    "range_presets": "spots.ranges.presets",
    "register_ranking": "spots.ranges.rankings",
    "Sampling": "methods.sampling.engine",
    "BoardReport": "results.reports.board_report",
    "Equities": "results.batches.equities",
    "EquityBatch": "results.batches.equity_batch",
    "EquityGraph": "results.equity_graph",
    "EquityResult": "results.result",
    "PushFoldResult": "short_stacks.result",
    "icm": "short_stacks.icm",
    "push_fold": "short_stacks.push_fold",
    "PlayerEquity": "results.player_equity",
    "ImpossibleDeal": "errors",
    "InputError": "errors",
    "NotEnoughSamples": "errors",
    "ServerError": "client",
    "TableError": "errors",
}


if not TYPE_CHECKING:  # which would take any name
    __getattr__ = from_homes(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
