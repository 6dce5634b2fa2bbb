"""Running and ending the server: jobs end before connections, so that each client gets an answer."""

from __future__ import annotations

import asyncio
import logging
import socket
from math import inf
from time import monotonic
from types import FrameType

import uvicorn

from gpuodds.server.dispatch.dispatcher import Dispatcher
from gpuodds.server.settings import Settings

LAST_SECONDS = 0.3  # for requests that still run after all jobs have ended
QUIET_SECONDS = 60.0  # after a warning, before the same one is logged again


class Server(uvicorn.Server):
    """A server that ends within about three seconds of a signal, and sooner after a second one."""

    def __init__(self, config: uvicorn.Config, settings: Settings) -> None:
        """Take uvicorn's settings, and the server's."""
        super().__init__(config)
        self._settings = settings
        # By warning: when it was logged, and how often it came since.
        self._warned: dict[str, tuple[float, int]] = {}

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until a signal comes; each fault is logged in one line, a warning once a minute."""
        logger = logging.getLogger("uvicorn.error")
        logger.addFilter(self._in_one_line)
        try:
            await super().serve(sockets)
        finally:
            logger.removeFilter(self._in_one_line)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle SIGINT or SIGTERM."""
        is_second = self.should_exit
        super().handle_exit(sig, frame)
        self.force_exit = False  # it would leave processes behind
        if is_second and (dispatcher := self._dispatcher) is not None:
            dispatcher.pool.hurry()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all jobs, so that each client has its answer or a problem, then the connections."""
        for server in self.servers:
            server.close()
        if (dispatcher := self._dispatcher) is not None:
            await dispatcher.stop(self._settings.grace)
        # Requests that still run wait for a slow client, or read a table or a range.
        for _ in range(round(LAST_SECONDS / 0.01)):
            if not self.server_state.tasks:
                break
            await asyncio.sleep(0.01)
        await super().shutdown(sockets)

    @property
    def _dispatcher(self) -> Dispatcher | None:
        lifespan = getattr(self, "lifespan", None)
        return lifespan.state.get("dispatcher") if lifespan is not None else None

    def _in_one_line(self, record: logging.LogRecord) -> bool:
        """Shorten a record with a traceback to one line; drop it while the server ends."""
        if record.exc_info and record.exc_info[0] is not None:
            record.msg = f"{record.getMessage().strip()}: {record.exc_info[0].__name__}"
            record.args, record.exc_info = (), None
        return not self.should_exit and (record.levelno != logging.WARNING or self._is_due(record))

    def _is_due(self, record: logging.LogRecord) -> bool:
        """Return whether to log a warning; if so, add how often it was not: anyone can cause many."""
        now, warning = monotonic(), str(record.msg)
        logged, more = self._warned.get(warning, (-inf, 0))
        if now - logged < QUIET_SECONDS:
            self._warned[warning] = logged, more + 1
            return False
        self._warned[warning] = now, 0
        if more:
            text = record.getMessage()
            record.msg, record.args = f"{text} ({more:,} more in {now - logged:.0f} s)", ()
        return True
