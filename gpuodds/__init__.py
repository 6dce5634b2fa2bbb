"""gpuodds: exact poker equity, any hand against any number of opponents.

>>> import gpuodds
>>> gpuodds.equity("AsKs", opponents=3).equity
0.41427964789629684
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds._version import __version__
from gpuodds.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.api import (
        equities,
        equities_by_next_card,
        equities_by_opponents,
        equity,
        equity_batch,
        heads_up_matrix,
    )
    from gpuodds.client import AsyncClient, Client, ServerError
    from gpuodds.errors import ImpossibleDeal, InputError, NotEnoughSamples, TableError
    from gpuodds.methods.board_reports import flop_report, turn_report
    from gpuodds.methods.canonical import canonical_cards, canonical_rows, count_distinct_boards
    from gpuodds.methods.evaluate import low_ranks, rank_combos, rank_hands
    from gpuodds.methods.flops import FlopEquities, flop_equities
    from gpuodds.methods.losses import Losses, count_disjoint, losses
    from gpuodds.methods.range_hits import range_hits
    from gpuodds.methods.sampling import Sampling
    from gpuodds.results.board_report import BoardReport
    from gpuodds.results.equities import Equities
    from gpuodds.results.equity_batch import EquityBatch
    from gpuodds.results.equity_graph import EquityGraph
    from gpuodds.results.range_hits import RangeHits
    from gpuodds.results.result import EquityResult, PlayerEquity
    from gpuodds.spots.range_presets import RangePreset, range_presets
    from gpuodds.spots.ranges import Range
    from gpuodds.spots.rankings import register_ranking
    from gpuodds.tables.open import table

__all__ = [
    "AsyncClient",
    "BoardReport",
    "Client",
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
    "equities",
    "equities_by_next_card",
    "equities_by_opponents",
    "equity",
    "equity_batch",
    "flop_equities",
    "flop_report",
    "heads_up_matrix",
    "losses",
    "low_ranks",
    "range_hits",
    "range_presets",
    "rank_combos",
    "rank_hands",
    "register_ranking",
    "table",
    "turn_report",
]

# The modules of public names, imported on first use: importing gpuodds imports no numba and no NumPy.
_HOMES = {
    "AsyncClient": "client",
    "Client": "client",
    "equity": "api",
    "equities": "api",
    "equities_by_next_card": "api",
    "equities_by_opponents": "api",
    "equity_batch": "api",
    "flop_report": "methods.board_reports",
    "heads_up_matrix": "api",
    "turn_report": "methods.board_reports",
    "FlopEquities": "methods.flops",
    "flop_equities": "methods.flops",
    "low_ranks": "methods.evaluate",
    "rank_hands": "methods.evaluate",
    "rank_combos": "methods.evaluate",
    "canonical_cards": "methods.canonical",
    "canonical_rows": "methods.canonical",
    "count_distinct_boards": "methods.canonical",
    "Losses": "methods.losses",
    "count_disjoint": "methods.losses",
    "losses": "methods.losses",
    "table": "tables.open",
    "Range": "spots.ranges",
    "RangeHits": "results.range_hits",
    "range_hits": "methods.range_hits",
    "RangePreset": "spots.range_presets",
    "range_presets": "spots.range_presets",
    "register_ranking": "spots.rankings",
    "Sampling": "methods.sampling",
    "BoardReport": "results.board_report",
    "Equities": "results.equities",
    "EquityBatch": "results.equity_batch",
    "EquityGraph": "results.equity_graph",
    "EquityResult": "results.result",
    "PlayerEquity": "results.result",
    "ImpossibleDeal": "errors",
    "InputError": "errors",
    "NotEnoughSamples": "errors",
    "ServerError": "client",
    "TableError": "errors",
}


if not TYPE_CHECKING:  # which would take any name
    __getattr__ = from_homes(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
