"""How the server runs and ends: its work first, then its connections, so that clients hear of it."""

from __future__ import annotations

import asyncio
import logging
import socket
from types import FrameType

import uvicorn

from gpuodds.server.dispatcher import Desk
from gpuodds.server.settings import Settings

LAST_SECONDS = 0.3


class Server(uvicorn.Server):
    """Ends within about three seconds of a signal, and sooner after a second one."""

    def __init__(self, config: uvicorn.Config, settings: Settings) -> None:
        """Take uvicorn's settings, and the server's."""
        super().__init__(config)
        self._settings = settings

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until a signal comes; faults are logged in one line each."""
        logger = logging.getLogger("uvicorn.error")
        logger.addFilter(self._in_one_line)
        try:
            await super().serve(sockets)
        finally:
            logger.removeFilter(self._in_one_line)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take a signal to end."""
        again = self.should_exit
        super().handle_exit(sig, frame)
        self.force_exit = False  # which would leave processes behind
        if again and (desk := self._desk) is not None:
            desk.pool.hurry()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the work, so that each client has its answer or a problem; then the connections."""
        for server in self.servers:
            server.close()
        if (desk := self._desk) is not None:
            await desk.stop(self._settings.grace)
        # What still runs waits for a slow client, or is a table or a range that is being read.
        for _ in range(round(LAST_SECONDS / 0.01)):
            if not self.server_state.tasks:
                break
            await asyncio.sleep(0.01)
        await super().shutdown(sockets)

    @property
    def _desk(self) -> Desk | None:
        lifespan = getattr(self, "lifespan", None)
        return lifespan.state.get("desk") if lifespan is not None else None

    def _in_one_line(self, record: logging.LogRecord) -> bool:
        """Log a fault in one line, and nothing that ends with the server."""
        if record.exc_info and record.exc_info[0] is not None:
            record.msg = f"{record.getMessage().strip()}: {record.exc_info[0].__name__}"
            record.args, record.exc_info = (), None
        return not self.should_exit
