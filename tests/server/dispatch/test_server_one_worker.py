"""A server with one worker: waiting, refusals while it is busy, and its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import needs
import pytest
from server_fixture import (
    LONG,
    PATIENCE,
    TEN_SEATS,
    ask,
    idle_within,
    metric,
    posted,
    request,
    serving,
    wait_until,
)

import gpuodds
from gpuodds.client import ServerError

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def one_worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a single worker of one thread, and the one for cheap requests."""
    with serving(tmp_path_factory.mktemp("one"), "--workers", "1", GPUODDS_THREADS="1") as found:
        wait_until(lambda: metric(found, "gpuodds_workers_ready") == 2)
        yield found


def test_waiting_counts_towards_the_deadline(one_worker: str) -> None:
    def keep_busy() -> None:
        # Where the machine is busy, nothing may be drawn within the second.
        with gpuodds.Client(one_worker) as client, suppress(ServerError):
            list(client.stream(TEN_SEATS["hands"], samples=10**6, deadline=1))

    jobs = 'gpuodds_jobs_total{kind="equity"}'
    with ThreadPoolExecutor(1) as pool:
        before = metric(one_worker, jobs)
        busy = pool.submit(keep_busy)
        wait_until(lambda: metric(one_worker, jobs) == before + 1)
        status, answer = ask(one_worker, {**TEN_SEATS, "deadline": 6, "samples": 10**6})
        busy.result(PATIENCE)
    assert status == 200 and answer["method"] == "monte-carlo" and answer["seconds"] < 6


def test_a_busy_server_says_when_to_retry(one_worker: str) -> None:
    """Requests that cannot be answered in time are refused, with a time; cheap ones are answered."""
    refused = 'gpuodds_refused_total{reason="busy"}'
    before = metric(one_worker, refused)
    with posted(one_worker, {**LONG, "board": "2c8h9s"}):
        wait_until(lambda: metric(one_worker, "gpuodds_jobs_running") == 1)
        for path in ("/v1/equity", "/v1/equity/stream"):
            body = json.dumps({**LONG, "board": "Tc8h9s"}).encode()
            status, headers, text = request(one_worker, path, body)
            problem = json.loads(text)
            assert (status, headers["retry-after"]) == (429, str(problem["retry_after"]))
            assert 1 <= problem["retry_after"] < 130
            assert problem["detail"].endswith(f": ask again in {problem['retry_after']} s")
        assert metric(one_worker, refused) == before + 2
        assert ask(one_worker, {"hands": ["AsKs"], "board": "2s7d9h"})[0] == 200
        assert metric(one_worker, "gpuodds_jobs_running") == 1
    assert idle_within(one_worker)
    assert ask(one_worker, {"hands": ["15%", "30%", "random"], "board": "2s7d9h"})[0] == 200


@needs.ps
def test_a_killed_worker_costs_one_request(one_worker: str) -> None:
    wait_until(lambda: metric(one_worker, "gpuodds_workers_ready") == 2)
    restarts, before = metric(one_worker, "gpuodds_worker_restarts"), worker_seconds()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(ask, one_worker, {**LONG, "board": "4c8h9s"})
        busy: set[str] = set()
        while not busy:  # the one that computes
            assert not answer.done()
            time.sleep(0.1)
            busy = {
                pid for pid, seconds in worker_seconds().items() if seconds != before.get(pid, seconds)
            }
        os.kill(int(busy.pop()), signal.SIGKILL)
        status, problem = answer.result(PATIENCE)
    assert status == 500 and problem["detail"] == "the process that computed it has ended"
    assert ask(one_worker, {"hands": ["AsKs"], "board": "2s7d9h"})[0] == 200
    assert metric(one_worker, "gpuodds_worker_restarts") == restarts + 1


def worker_seconds() -> dict[str, str]:
    """Return the seconds that each worker of this test's servers has computed, by process."""
    listing = subprocess.run(
        ["ps", "-ww", "-eo", "pid,ppid,time,args"], capture_output=True, text=True, check=True
    ).stdout
    found = [line.split(maxsplit=3) for line in listing.splitlines()[1:]]
    servers = {pid for pid, parent, _, _ in found if parent == str(os.getpid())}
    return {
        pid: seconds for pid, parent, seconds, how in found if parent in servers and "spawn_main" in how
    }
