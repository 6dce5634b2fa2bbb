"""The bots: one file each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.basics.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.play.bots.adaptive import Adaptive, AdaptiveSettings
    from gpuodds.play.bots.all_in import AllIn
    from gpuodds.play.bots.caller import Caller
    from gpuodds.play.bots.kelly import Kelly, KellySettings
    from gpuodds.play.bots.names import BOTS, find_bot
    from gpuodds.play.bots.pokerbot import Pokerbot, PokerbotSettings
    from gpuodds.play.bots.push_fold import PushFold
    from gpuodds.play.bots.random import RandomBot
    from gpuodds.play.bots.simulating import Simulating, SimulatingSettings
    from gpuodds.play.bots.tight import Tight, TightSettings

__all__ = [
    "BOTS",
    "Adaptive",
    "AdaptiveSettings",
    "AllIn",
    "Caller",
    "Kelly",
    "KellySettings",
    "Pokerbot",
    "PokerbotSettings",
    "PushFold",
    "RandomBot",
    "Simulating",
    "SimulatingSettings",
    "Tight",
    "TightSettings",
    "find_bot",
]

if not TYPE_CHECKING:  # which would take any name
    __getattr__ = from_homes(
        __name__,
        {
            "Adaptive": "adaptive",
            "AdaptiveSettings": "adaptive",
            "AllIn": "all_in",
            "BOTS": "names",
            "Caller": "caller",
            "Kelly": "kelly",
            "KellySettings": "kelly",
            "Pokerbot": "pokerbot",
            "PokerbotSettings": "pokerbot",
            "PushFold": "push_fold",
            "RandomBot": "random",
            "Simulating": "simulating",
            "SimulatingSettings": "simulating",
            "Tight": "tight",
            "TightSettings": "tight",
            "find_bot": "names",
        },
    )
