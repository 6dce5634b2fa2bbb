"""All-in or fold before the flop: equilibria of short stacks, and whole tournaments of two players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.basics.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.short_stacks.decision import Decision, Ending, Opponent
    from gpuodds.short_stacks.result import Certificate
    from gpuodds.short_stacks.solving import SearchState
    from gpuodds.short_stacks.spot import Posted, PushFoldSpot
    from gpuodds.short_stacks.tournaments.heads_up import (
        TournamentResult,
        TournamentState,
        heads_up_tournament,
    )

__all__ = [
    "Certificate",
    "Decision",
    "Ending",
    "Opponent",
    "Posted",
    "PushFoldSpot",
    "SearchState",
    "TournamentResult",
    "TournamentState",
    "heads_up_tournament",
]

if not TYPE_CHECKING:  # which would take any name
    __getattr__ = from_homes(
        __name__,
        {
            "Certificate": "result",
            "Decision": "decision",
            "Ending": "decision",
            "Opponent": "decision",
            "Posted": "spot",
            "PushFoldSpot": "spot",
            "SearchState": "solving",
            "TournamentResult": "tournaments.heads_up",
            "TournamentState": "tournaments.heads_up",
            "heads_up_tournament": "tournaments.heads_up",
        },
    )
