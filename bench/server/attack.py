"""Ask the server's worst requests as fast as it admits them, while an ordinary client asks its own.

Run ``python bench/server/attack.py`` with gpuodds[server] installed, on Linux. It starts a server of
its own and an attacker in a process of its own, prints a table and writes
``bench/results/attack.json``: what the ordinary client waited, the memory of the server and its
workers above that before the attack, workers that were replaced, and the seconds to the end after
SIGTERM.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.append(str(Path(__file__).resolve().parents[2]))

from bench.report import machine, write_json
from bench.server.run import Connection, drawn_flop, get, metric, percentile, serving

RESULTS = Path(__file__).resolve().parents[1] / "results" / "attack.json"
ATTACKERS = 16  # connections
RANKS, SUITS = "23456789TJQKA", "cdhs"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]


ABOUT = {
    "kept": "an answer in the cache",
    "cheap": "a hand on a drawn flop v 3",
    "middling": "three ranges on a drawn turn",
    "range": "a range's text and weights",
}


@dataclass(frozen=True)
class Attack:
    """A request that is meant to cost the server more than the client."""

    path: str
    body: dict[str, Any]
    drop: float | None = None
    """Seconds after which the client leaves; None to read the answer."""


def attacks(draw: random.Random) -> list[Attack]:
    """Return the worst requests that are known, each different from those before."""
    flop = "".join(draw.sample(CARDS, 3))
    dead = draw.choice([card for card in CARDS if card not in flop])
    suits = draw.sample(SUITS, 4)
    five = {"game": "omaha5", "dead": dead}
    items = {"".join(draw.choices(RANKS, k=3)) + draw.choice(["", "w", "ww"]) for _ in range(300)}
    pairs = [draw.sample(CARDS, 2) for _ in range(2000)]
    combos = [",".join("".join(pair) for pair in pairs[start:]) for start in range(3)]
    wide = [f"{draw.randint(50, 70)}%" for _ in range(6)]
    suited = [f"{a}s{b}s,{a}h{b}h,22+" for a, b in (draw.sample(RANKS, 2) for _ in range(10))]
    return [
        Attack("/v1/equity", {"hands": suits, **five}),
        Attack("/v1/range", {"text": ",".join(["wxyz"] * 600), "game": "omaha5"}),
        Attack("/v1/range", {"text": ",".join(items), "game": "omaha5"}),
        Attack("/v1/equity", {"hands": [f"{suits[0]}!{suits[1]}", "random", "AA"], **five}),
        Attack("/v1/equity/stream", {"hands": ["h", "random"], "board": flop, **five}, drop=0.2),
        Attack("/v1/equity/stream", {"hands": ["AK", "QQ"], "game": "short-deck"}, drop=0.05),
        Attack("/v1/equity/stream", {"hands": [*wide[:2], "AA"], "board": flop, "game": "omaha"}, 0.3),
        Attack("/v1/equity", {"hands": combos, "board": flop, "by_hand": True}),
        Attack("/v1/equity", {"hands": suited, "board": flop, "by_hand": True, "equity_graph": True}),
        Attack("/v1/equity", {"hands": wide, "board": flop, "method": "exact", "time_limit": 60}, 1.0),
        Attack("/v1/flops", {"hands": [f"{suits[0]}A", "KK"], "game": "omaha", "dead": dead}, drop=1.0),
        Attack("/v1/kelly", {"hand": "AsAh", "opponents": wide[:5], "bankroll": 100, "fold": 0.3}),
    ]  # fmt: skip


async def attack(address: str, seconds: float) -> None:
    """Attack with all connections for some seconds; print the statuses as JSON."""
    statuses: Counter[str] = Counter()
    end = time.monotonic() + seconds

    async def one(number: int) -> None:
        draw = random.Random(number)
        while time.monotonic() < end:
            for asked in draw.sample(known := attacks(draw), len(known)):
                connection = Connection(address)
                patience = min(asked.drop or 60.0, max(0.01, end - time.monotonic()))
                try:
                    async with asyncio.timeout(patience):
                        status, _, _ = await connection.post(asked.path, asked.body)
                    statuses[f"{asked.path} {status}"] += 1
                except ConnectionRefusedError:
                    return  # the server has ended
                except (TimeoutError, OSError, EOFError, IndexError, ValueError):
                    statuses[f"{asked.path} left"] += 1
                connection.close()

    await asyncio.gather(*map(one, range(ATTACKERS)))
    print(json.dumps(statuses))


def questions(draw: random.Random) -> Iterator[tuple[str, str, Any]]:
    """Give the questions of an ordinary client by kind: their names, paths and bodies."""
    while True:
        yield "kept", "/v1/equity", {"hands": ["QQ+,AK", "22+,A2s+"], "board": "2s7d9h"}
        yield "cheap", "/v1/equity", drawn_flop(draw)
        ranges = [f"{draw.randint(10, 30)}%" for _ in range(3)]
        board = "".join(draw.sample(CARDS, 4))
        yield "middling", "/v1/equity", {"hands": ranges, "board": board}
        yield "range", "/v1/range", {"text": f"22+,A{draw.randint(2, 9)}s+"}


async def ask(address: str, seconds: float) -> tuple[dict[str, list[float]], Counter[str]]:
    """Ask as an ordinary client for some seconds; return the seconds waited, and what was no answer."""
    connection, draw = Connection(address), random.Random(0)
    waited: dict[str, list[float]] = {}
    failures: Counter[str] = Counter()
    end = time.monotonic() + seconds
    for name, path, body in questions(draw):
        if time.monotonic() > end:
            return waited, failures
        begin = time.perf_counter()
        status, _, _ = await connection.post(path, body)
        waited.setdefault(name, []).append(time.perf_counter() - begin)
        if status != 200:
            failures[f"{name} {status}"] += 1
        await asyncio.sleep(0.01)
    raise AssertionError("questions do not end")


@dataclass
class Found:
    """What an attack did."""

    waited: dict[str, list[float]]
    """The seconds that an ordinary client waited, by kind of question."""
    failures: dict[str, int]
    """What it got that was no answer."""
    statuses: dict[str, int]
    """What the attacker got."""
    restarts: int
    """Worker processes that were replaced."""
    bytes: int
    """Memory of the server and its workers, at most, above that before the attack."""
    end_seconds: float
    """From SIGTERM to the end of the server."""

    def rows(self) -> list[dict[str, Any]]:
        """Return the figures beside their bars."""
        rows: list[dict[str, Any]] = []

        def row(name: str, measures: str, value: float, unit: str, bar: float) -> None:
            rows.append(
                {"name": name, "measures": measures, "value": value, "unit": unit, "bar": bar}
                | {"met": value <= bar}
            )

        for kind, waited in self.waited.items():
            about = f"{ABOUT[kind]}, asked {len(waited)} times"
            row(f"{kind}, p99", about, 1e3 * percentile(waited, 0.99), "ms", 500)
        row("no answer", "of all these", sum(self.failures.values()), "questions", 0)
        row("workers replaced", "meanwhile", self.restarts, "processes", 0)
        about = "of the server and its workers, most of it at once, above that before"
        row("memory", about, self.bytes / (1 << 20), "MiB", 1024)
        row("SIGTERM", "to the end of the server, still under attack", self.end_seconds, "s", 3)
        return rows


def measure(seconds: float, *arguments: str) -> Found:
    """Start a server and attack it for some seconds.

    Args:
        seconds: The length of the attack.
        arguments: Further arguments of ``gpuodds serve``.
    """
    with serving(*arguments) as (address, server):
        asyncio.run(ask(address, 3.0))
        before = memory_of(server)
        command = [sys.executable, __file__, "--attack", address, "--seconds", f"{seconds}"]
        attacker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        waited, failures, most = asyncio.run(_watched(address, seconds, server))
        replaced = int(metric(asyncio.run(get(address, "/metrics")), "gpuodds_worker_restarts"))
        begin = time.monotonic()
        os.kill(server, signal.SIGTERM)
        while _runs(server):
            time.sleep(0.01)
        end_seconds = time.monotonic() - begin
        statuses = json.loads(attacker.communicate()[0])
    return Found(waited, dict(failures), statuses, replaced, most - before, end_seconds)


async def _watched(
    address: str, seconds: float, server: int
) -> tuple[dict[str, list[float]], Counter[str], int]:
    """Ask as an ordinary client, and watch the memory meanwhile."""
    most = [0]

    async def watch() -> None:
        while True:
            most[0] = max(most[0], await asyncio.to_thread(memory_of, server))
            await asyncio.sleep(0.1)

    watching = asyncio.create_task(watch())
    # The attack is still on when the server is asked to end.
    waited, failures = await ask(address, 0.9 * seconds)
    watching.cancel()
    return waited, failures, most[0]


def _runs(process: int) -> bool:
    """Return whether a child of this process still runs."""
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


def memory_of(server: int) -> int:
    """Return the bytes that a process and its children have for themselves."""
    tasks = Path(f"/proc/{server}/task/{server}/children")
    return sum(map(_private_bytes, [server, *map(int, tasks.read_text().split())]))


def _private_bytes(process: int) -> int:
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:  # it has ended
        return 0
    return 1024 * sum(int(size) for size in re.findall(r"^Private_\w+: +(\d+)", text, re.MULTILINE))


def main() -> None:
    """Measure, print a table and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--attack", metavar="ADDRESS", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.attack:
        asyncio.run(attack(options.attack, options.seconds))
        return
    outcome = measure(options.seconds)
    table = Table("row", "value", "bar", "what was measured")
    for row in outcome.rows():
        bar = f"{row['bar']:g}{'' if row['met'] else ' missed'}"
        table.add_row(row["name"], f"{row['value']:.4g} {row['unit']}", bar, row["measures"])
    console = Console()
    console.print(table)
    console.print(f"the attacker asked {sum(outcome.statuses.values()):,} times: {outcome.statuses}")
    write_json({"machine": machine(1, ("fastapi", "uvicorn")), "rows": outcome.rows()}, options.out)


if __name__ == "__main__":
    main()
