"""Playing no-limit hold'em: the rules by pokerkit, bots, matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.basics.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.play.acpc.client import play_acpc
    from gpuodds.play.acpc.definition import read_definition
    from gpuodds.play.equities import ServerEquities
    from gpuodds.play.failure import BotError
    from gpuodds.play.game import Deal, Ended, HandResult, Player, play_hand
    from gpuodds.play.history import read_histories, write_histories
    from gpuodds.play.match import play_match, play_pairs
    from gpuodds.play.match_result import MatchResult
    from gpuodds.play.push_fold.yardstick import Yardstick
    from gpuodds.play.tournaments.freeze_out import FreezeOutResult, play_freeze_out
    from gpuodds.play.tournaments.levels import Level, read_levels
    from gpuodds.play.turns import Move, Observation, Played, Rules, Turn

__all__ = [
    "BotError",
    "Deal",
    "Ended",
    "FreezeOutResult",
    "HandResult",
    "Level",
    "MatchResult",
    "Move",
    "Observation",
    "Played",
    "Player",
    "Rules",
    "ServerEquities",
    "Turn",
    "Yardstick",
    "play_acpc",
    "play_freeze_out",
    "play_hand",
    "play_match",
    "play_pairs",
    "read_definition",
    "read_histories",
    "read_levels",
    "write_histories",
]

if not TYPE_CHECKING:  # which would take any name
    __getattr__ = from_homes(
        __name__,
        {
            "BotError": "failure",
            "Deal": "game",
            "Ended": "game",
            "FreezeOutResult": "tournaments.freeze_out",
            "HandResult": "game",
            "Level": "tournaments.levels",
            "MatchResult": "match_result",
            "Move": "turns",
            "Observation": "turns",
            "Played": "turns",
            "Player": "game",
            "Rules": "turns",
            "ServerEquities": "equities",
            "Turn": "turns",
            "Yardstick": "push_fold.yardstick",
            "play_acpc": "acpc.client",
            "play_freeze_out": "tournaments.freeze_out",
            "play_hand": "game",
            "play_match": "match",
            "play_pairs": "match",
            "read_definition": "acpc.definition",
            "read_histories": "history",
            "read_levels": "tournaments.levels",
            "write_histories": "history",
        },
    )
