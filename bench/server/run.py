"""Measure the calculation server over the loopback, against its targets.

Run ``python bench/server/run.py`` with gpuodds[server] installed. It starts a server of its own, asks
it by plain HTTP/1.1 over kept connections, prints a table and writes ``bench/results/server.json``:
rows of name, measures, value, unit and bar.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table

sys.path.append(str(Path(__file__).resolve().parents[2]))

from bench.report import machine, write_json
from bench.rows import command
from bench.server.cpu import RANGES, cpu_seconds, in_process

RESULTS = Path(__file__).resolve().parents[1] / "results" / "server.json"


class Connection:
    """A kept-alive connection with one request at a time."""

    def __init__(self, address: str) -> None:
        """Take the server's address."""
        self._host, self._port = urlsplit(address).hostname, urlsplit(address).port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: Any) -> tuple[int, bytes, float]:
        """Ask; return the status, the body, and the seconds to the first event or byte of it."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        data = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        begin = time.perf_counter()
        writer.write(head.encode() + data)
        status = int((await reader.readline()).split()[1])
        length, chunked = 0, False
        while (line := await reader.readline()).strip():
            name, _, value = line.decode().partition(":")
            length = int(value) if name.lower() == "content-length" else length
            chunked |= name.lower() == "transfer-encoding"
        if not chunked:
            content = await reader.readexactly(length)
            return status, content, time.perf_counter() - begin
        content, first = b"", 0.0
        while size := int((await reader.readline()).strip(), 16):
            content += (await reader.readexactly(size + 2))[:-2]
            first = first or time.perf_counter() - begin
        await reader.readline()
        return status, content, first

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def drawn_flop(draw: random.Random) -> dict[str, Any]:
    """Return a request for a drawn hand on a drawn flop against three."""
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    cards = draw.sample(deck, 5)
    return {"hands": ["".join(cards[:2])], "board": "".join(cards[2:]), "opponents": 3}


async def load(
    address: str, clients: int, seconds: float, ask: Callable[[int], dict[str, Any]]
) -> tuple[float, list[float]]:
    """Ask from many clients for some seconds; return requests a second and all latencies."""
    latencies: list[float] = []
    end = time.perf_counter() + seconds

    async def client(number: int) -> None:
        connection = Connection(address)
        while time.perf_counter() < end:
            begin = time.perf_counter()
            status, body, _ = await connection.post("/v1/equity", ask(number))
            if status != 200:
                raise RuntimeError(f"status {status}: {body[:200]!r}")
            latencies.append(time.perf_counter() - begin)
        connection.close()

    begin = time.perf_counter()
    await asyncio.gather(*(client(number) for number in range(clients)))
    return len(latencies) / (time.perf_counter() - begin), latencies


def percentile(values: list[float], share: float) -> float:
    """Return the value that a share of all are at most."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


async def first_estimates(address: str, draw: random.Random) -> list[float]:
    """Return the seconds to the first streamed event of long counts."""
    connection, seconds = Connection(address), []
    for _ in range(20):
        asked = drawn_flop(draw)
        asked = {"hands": ["15%", "30%", "random"], "board": asked["board"]}
        _, _, first = await connection.post("/v1/equity/stream", asked)
        seconds.append(first)
    connection.close()
    return seconds


async def cancel_many(address: str, number: int) -> None:
    """Begin to stream long counts, then disconnect."""

    async def one(seed: int) -> None:
        connection = Connection(address)
        draw = random.Random(seed)
        asked = {"hands": ["15%", "30%", "60%", "random"], "board": drawn_flop(draw)["board"]}
        body = {**asked, "method": "exact", "time_limit": 60}
        task = asyncio.create_task(connection.post("/v1/equity/stream", body))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        connection.close()

    for begin in range(0, number, 10):
        await asyncio.gather(*(one(begin + place) for place in range(10)))


def memory_of(process: int) -> int:
    """Return the bytes of memory that a process holds."""
    status = Path(f"/proc/{process}/status").read_text("ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def metric(text: str, name: str) -> float:
    """Return a figure of /metrics."""
    (line,) = (line for line in text.splitlines() if line.startswith(name + " "))
    return float(line.split()[1])


async def get(address: str, path: str) -> str:
    """Return the body of a GET of a path."""
    reader, writer = await asyncio.open_connection(urlsplit(address).hostname, urlsplit(address).port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    text = (await reader.read()).decode()
    writer.close()
    return text


async def idle(address: str) -> float:
    """Wait until nothing runs; return the seconds."""
    begin = time.perf_counter()
    while True:
        text = await get(address, "/metrics")
        if metric(text, "gpuodds_jobs_running") + metric(text, "gpuodds_jobs_waiting") == 0:
            return time.perf_counter() - begin
        await asyncio.sleep(0.05)


async def measure(address: str, process: int) -> list[dict[str, Any]]:
    """Return the rows."""
    rows: list[dict[str, Any]] = []

    def row(
        name: str, measures: str, value: float, unit: str, bar: float, at_most: bool = True
    ) -> None:
        met = value <= bar if at_most else value >= bar
        rows.append(
            {"name": name, "measures": measures, "value": value, "unit": unit, "bar": bar, "met": met}
        )

    draw = random.Random(1)
    kept = [drawn_flop(draw) for _ in range(50)]
    for asked in kept:
        connection = Connection(address)
        await connection.post("/v1/equity", asked)
        connection.close()
    rate, latencies = await load(address, 8, 5, lambda number: random.choice(kept))
    row("cached, rate", "50 answers that are kept, 8 clients", rate, "requests/s", 1000, at_most=False)
    row("cached, p99", "of the same", 1e3 * percentile(latencies, 0.99), "ms", 20)
    begin = cpu_seconds(process)
    rate, latencies = await load(address, 8, 5, lambda number: RANGES)
    taken = 1e3 * (cpu_seconds(process) - begin) / len(latencies)
    row("cached ranges, HTTP", "CPU of the server's process, an answer, 8 clients", taken, "ms", 0.15)
    taken = 1e3 * await in_process()
    row("cached ranges, application", "CPU of the same without sockets and HTTP", taken, "ms", 0.15)
    rate, latencies = await load(address, 20, 5, lambda number: drawn_flop(draw))
    row("computed, p99", "drawn flops v 3, 20 clients", 1e3 * percentile(latencies, 0.99), "ms", 150)
    rows.append(
        {"name": "computed, rate", "measures": "of the same", "value": rate, "unit": "requests/s"}
    )
    firsts = await first_estimates(address, draw)
    row("first estimate", "15% v 30% v random on drawn flops, worst of 20", 1e3 * max(firsts), "ms", 50)
    await cancel_many(address, 20)
    await idle(address)
    before = memory_of(process)
    await cancel_many(address, 100)
    row("100 cancelled, idle after", "until nothing runs", await idle(address), "s", 2)
    grown = 100 * (memory_of(process) / before - 1)
    row("100 cancelled, memory", "growth of the server's process", grown, "%", 1)
    begin = time.perf_counter()
    for path in ("/", "/app.js", "/cards.js", "/gpuodds.js", "/style.css"):
        await get(address, path)
    row("page", "its files, one after another", 1e3 * (time.perf_counter() - begin), "ms", 1000)
    return rows


def main() -> None:
    """Start a server and measure it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    with serving() as (address, process):
        rows = asyncio.run(measure(address, process))
    table = Table("row", "value", "bar", "what was measured")
    for row in rows:
        bar = "" if "bar" not in row else f"{row['bar']:g}{'' if row['met'] else ' missed'}"
        table.add_row(row["name"], f"{row['value']:.4g} {row['unit']}", bar, row["measures"])
    Console().print(table)
    write_json({"machine": machine(1, ("fastapi", "uvicorn")), "rows": rows}, options.out)


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[str, int]]:
    """Start a server on any port; give its address and its process once it is ready, and end it."""
    with TemporaryDirectory() as folder:
        cache = str(Path(folder) / "answers.sqlite")
        server = subprocess.Popen(
            command("serve", "--port", "0", "--cache", cache, *arguments),
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "GPUODDS_BACKEND": "cpu"},
        )
        try:
            address = (server.stdout.readline() if server.stdout else "").strip()
            asyncio.run(ready(address))
            yield address, server.pid
        finally:
            server.terminate()
            server.wait(20)


async def ready(address: str) -> None:
    """Wait until the server's processes are ready."""
    for _ in range(600):
        try:
            if '"ok"' in await get(address, "/healthz"):
                return
        except OSError:
            pass
        await asyncio.sleep(0.1)
    raise RuntimeError("the server does not start")


if __name__ == "__main__":
    main()
