"""gpuodds: exact Texas hold'em equity, any hand against any number of opponents.

>>> import gpuodds
>>> gpuodds.equity("AsKs", opponents=3).equity
0.41427964789629684
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds._version import __version__
from gpuodds.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.client import AsyncClient, Client
    from gpuodds.engine import (
        equities_by_next_card,
        equities_by_opponents,
        equity,
        equity_batch,
        heads_up_matrix,
    )
    from gpuodds.errors import InputError
    from gpuodds.flops import FlopEquities, flop_equities
    from gpuodds.ranges import Range, register_ranking
    from gpuodds.ranking import rank_hands, rank_holdings
    from gpuodds.result import EquityBatch, EquityResult, PlayerEquity
    from gpuodds.sampling import Sampling
    from gpuodds.situations import canonical_cards, canonical_rows, count_distinct_boards
    from gpuodds.tables.shipped import table
    from gpuodds.threats import Losses, count_disjoint, losses

__all__ = [
    "AsyncClient",
    "Client",
    "EquityBatch",
    "EquityResult",
    "FlopEquities",
    "InputError",
    "Losses",
    "PlayerEquity",
    "Range",
    "Sampling",
    "__version__",
    "canonical_cards",
    "canonical_rows",
    "count_disjoint",
    "count_distinct_boards",
    "equities_by_next_card",
    "equities_by_opponents",
    "equity",
    "equity_batch",
    "flop_equities",
    "heads_up_matrix",
    "losses",
    "rank_hands",
    "rank_holdings",
    "register_ranking",
    "table",
]

# Public names come from these modules on first use: importing gpuodds imports no numba and no NumPy.
_HOMES = {
    "AsyncClient": "client",
    "Client": "client",
    "equity": "engine",
    "equities_by_next_card": "engine",
    "equities_by_opponents": "engine",
    "equity_batch": "engine",
    "heads_up_matrix": "engine",
    "FlopEquities": "flops",
    "flop_equities": "flops",
    "rank_hands": "ranking",
    "rank_holdings": "ranking",
    "canonical_cards": "situations",
    "canonical_rows": "situations",
    "count_distinct_boards": "situations",
    "Losses": "threats",
    "count_disjoint": "threats",
    "losses": "threats",
    "table": "tables.shipped",
    "Range": "ranges",
    "register_ranking": "ranges",
    "Sampling": "sampling",
    "EquityBatch": "result",
    "EquityResult": "result",
    "PlayerEquity": "result",
    "InputError": "errors",
}


__getattr__ = from_homes(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
