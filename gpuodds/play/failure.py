"""How a match can end early: the server of the equities fails, or a bot that a user wrote."""

from __future__ import annotations

from typing import TypeAlias

from gpuodds.client import ServerError
from gpuodds.errors import InputError


class BotError(InputError):
    """A bot that a user wrote failed; the message names its file, the line and what went wrong."""


Failure: TypeAlias = ServerError | BotError
FAILURES = (ServerError, BotError)
