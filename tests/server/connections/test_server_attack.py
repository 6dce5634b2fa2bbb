"""An attacker asks the worst requests that are known; an ordinary client is answered all the same."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from paths import ROOT
from server_fixture import ask, idle_within, metric, posted, request, serving, wait_until

sys.path.append(str(ROOT))

from bench.server.attack import measure
from bench.server.run import percentile

pytestmark = [
    pytest.mark.weekly,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc"),
]

BUDGET = 1 << 30  # of the lists of all requests, the default of --memory
MOST_SECONDS, END_SECONDS = 0.5, 3.0  # on a machine that does nothing else


def test_an_ordinary_client_is_answered_under_attack() -> None:
    beside = 1 + os.getloadavg()[0] / (os.cpu_count() or 1)
    found = measure(30.0)
    assert not found.failures and found.restarts == 0
    assert found.bytes <= BUDGET
    assert found.end_seconds <= END_SECONDS * beside
    for kind, waited in found.waited.items():
        assert percentile(waited, 0.99) <= MOST_SECONDS * beside, kind
    assert sum(found.statuses.values()) > 100


def test_clients_that_leave_at_a_games_first_use_cost_no_worker(tmp_path: Path) -> None:
    """On a machine that has compiled nothing: what compiles is not killed, and compiles once."""
    asked = {"hands": ["AA**", "KK**"], "board": "2s7d9hTc", "game": "omaha"}
    folder = tmp_path / "compiled"
    folder.mkdir()
    with serving(tmp_path, NUMBA_CACHE_DIR=str(folder)) as address:
        for _ in range(3):
            link = posted(address, asked, "/v1/equity/stream")
            wait_until(lambda: metric(address, "gpuodds_jobs_running") > 0)
            time.sleep(0.3)
            link.close()
        end = time.monotonic() + 20
        while time.monotonic() < end:
            assert request(address, "/healthz", method="GET")[0] == 200
            assert ask(address, {"hands": ["AsKs"], "opponents": 1})[0] == 200
            time.sleep(0.1)
        assert idle_within(address)
        assert metric(address, "gpuodds_worker_restarts") == 0
        assert ask(address, asked)[1]["exact"]
