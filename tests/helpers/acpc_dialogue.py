"""A dealer and a bot that follow scripts."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

from gpuodds.play.game import Ended
from gpuodds.play.turns import Move, Observation


class Scripted:
    """Makes the moves of a list and records its observations."""

    def __init__(self, *moves: Move) -> None:
        self.moves, self.seen, self.ended = list(moves), [], []

    def act(self, seen: Observation) -> Move:
        self.seen.append(seen)
        return self.moves.pop(0)

    def end(self, hand: Ended) -> None:
        self.ended.append(hand)


class Heard(list[str]):
    """The lines that a dealer heard; complete once its thread has ended."""

    thread: threading.Thread

    def all(self) -> list[str]:
        self.thread.join(10)
        return list(self)


def dialogue(*lines: str | Callable[[], None]) -> tuple[int, Heard]:
    """Serve as a dealer that sends these lines in any case; return the port and the lines received."""
    listener = socket.create_server(("127.0.0.1", 0))
    heard = Heard()

    def serve() -> None:
        with listener:
            link, _ = listener.accept()
        with link, link.makefile("rwb") as file:
            heard.append(file.readline().decode().strip())
            for line in lines:
                if callable(line):
                    line()
                    continue
                file.write(line.encode() + b"\r\n")
                file.flush()
            link.shutdown(socket.SHUT_WR)
            heard.extend(line.decode().strip() for line in file)

    heard.thread = threading.Thread(target=serve, daemon=True)
    heard.thread.start()
    return int(listener.getsockname()[1]), heard
