"""Luck in a file of hand histories: what it costs, and what a worker computes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gpuodds.basics.stopping import stopped_by
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.server.messages import Context, JsonObject
from gpuodds.server.reading.costs import Cost, too_expensive
from gpuodds.server.settings import Settings

BYTES_PER_SECOND = 2_000_000
"""About how much of a file is read in a second."""

BYTES_PER_BYTE = 12
"""Memory for each byte of a file."""


@dataclass(frozen=True)
class LuckComputation:
    """The luck of a player in a file."""

    kind: ClassVar[str] = "luck"
    content: bytes
    name: str
    player: str | None

    @property
    def game(self) -> str:
        """The game whose code is needed first."""
        return HOLDEM.name

    def run(self, context: Context) -> JsonObject:
        """Return the object ``gpuodds.luck/1``."""
        from gpuodds.histories.luck.review import review

        def stopped() -> bool:
            context.may_stop()
            return False

        with stopped_by(context.may_stop):
            return review(self.content, self.name, self.player, stop=stopped)


def luck_cost(content: bytes, settings: Settings) -> Cost:
    """Return what an answer is expected to cost.

    Raises:
        Problem: It takes longer than the limit: status 422.
    """
    seconds, limit = 0.5 + len(content) / BYTES_PER_SECOND, settings.time_limit
    if seconds > limit:
        detail = (
            f"a file of {len(content):,} bytes takes about {seconds:.0f} s, the limit is {limit:g} s"
        )
        raise too_expensive(detail, seconds, limit)
    return Cost(seconds, 0.1, limit, 2 * limit + 10, BYTES_PER_BYTE * len(content))
