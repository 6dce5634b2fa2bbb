"""The parts of answers: what the results of the public functions hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.basics.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.results.blockers import HandBlockers
    from gpuodds.results.call_value import CallValue
    from gpuodds.results.explanation import Considered, Explanation
    from gpuodds.results.hi_lo import HiLoEquity
    from gpuodds.results.player_equity import HandEquity, MadeHand
    from gpuodds.results.reports.board_report import BoardRow
    from gpuodds.results.reports.range_hits import HandHits, Hit, StreetHits

__all__ = [
    "BoardRow",
    "CallValue",
    "Considered",
    "Explanation",
    "HandBlockers",
    "HandEquity",
    "HandHits",
    "HiLoEquity",
    "Hit",
    "MadeHand",
    "StreetHits",
]

if not TYPE_CHECKING:  # which would take any name
    __getattr__ = from_homes(
        __name__,
        {
            "BoardRow": "reports.board_report",
            "CallValue": "call_value",
            "Considered": "explanation",
            "Explanation": "explanation",
            "HandBlockers": "blockers",
            "HandEquity": "player_equity",
            "HandHits": "reports.range_hits",
            "HiLoEquity": "hi_lo",
            "Hit": "reports.range_hits",
            "MadeHand": "player_equity",
            "StreetHits": "reports.range_hits",
        },
    )
