"""The bots by name: the recipe for a new bot is a file in this folder and a line here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, TypeAlias

from gpuodds.errors import InputError, excerpt
from gpuodds.play.bots.adaptive import Adaptive
from gpuodds.play.bots.all_in import AllIn
from gpuodds.play.bots.caller import Caller
from gpuodds.play.bots.kelly import Kelly
from gpuodds.play.bots.own import own_bot
from gpuodds.play.bots.pokerbot import Pokerbot
from gpuodds.play.bots.push_fold import PushFold
from gpuodds.play.bots.random import RandomBot
from gpuodds.play.bots.simulating import MAX_DEPTH, Simulating, SimulatingSettings
from gpuodds.play.bots.tight import Tight
from gpuodds.play.equities import Equities
from gpuodds.play.game import Player

BOTS: dict[str, Callable[..., Player]] = {
    "pokerbot": Pokerbot,
    "adaptive": Adaptive,
    "simulating": Simulating,
    "kelly": Kelly,
    "caller": Caller,
    "random": RandomBot,
    "tight": Tight,
    "push-fold": PushFold,
    "all-in": AllIn,
}
"""The classes of the bots by name."""
Bot: TypeAlias = str | Callable[..., Any]
"""A bot: its name, ``FILE.py:CLASS``, ``MODULE:CLASS``, or a class."""
TAKE_EQUITIES = ("pokerbot", "adaptive", "simulating", "kelly", "tight", "push-fold")


def find_bot(bot: Bot, equities: Equities | None = None) -> Callable[[Random], Player]:
    """Return a function that makes a bot from the source of its draws.

    Args:
        bot: A key of :data:`gpuodds.play.bots.BOTS`; ``simulating-0`` to ``simulating-3``, with a
            depth; a class of your own as ``FILE.py:CLASS`` or ``MODULE:CLASS``; or the class. See
            :class:`gpuodds.play.Player`.
        equities: A :class:`gpuodds.play.ServerEquities`. Default: the engine of this process.

    Returns:
        A function whose argument is a ``random.Random``.

    Raises:
        InputError: No bot has this name, or there is no such class.
        BotError: The file of the class fails.

    Example:
        >>> bot = find_bot("tight")(Random(1))
    """
    if not isinstance(bot, str) or ":" in bot or bot.endswith(".py"):
        return own_bot(bot, equities)
    name, settings = _read_depth(bot)
    if name not in BOTS:
        raise InputError(f"bot {excerpt(bot)}: expected one of {', '.join(BOTS)}, or FILE.py:CLASS")
    if equities is not None and name in TAKE_EQUITIES:
        settings["equities"] = equities
    return partial(BOTS[name], **settings) if settings else BOTS[name]


def _read_depth(bot: str) -> tuple[str, dict[str, Any]]:
    """Return the name of a bot, and its settings if a depth follows the name."""
    name, _, depth = bot.partition("-")
    if name != "simulating" or not depth:
        return bot, {}
    if depth not in map(str, range(MAX_DEPTH + 1)):
        raise InputError(f"bot {excerpt(bot)}: expected a depth of 0 to {MAX_DEPTH}: simulating-2")
    return name, {"settings": SimulatingSettings(depth=int(depth))}
