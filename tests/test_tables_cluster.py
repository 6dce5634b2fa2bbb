"""Builds on a Dask cluster: a real scheduler and real workers, one of which is killed."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import toy_tables
from toy_tables import SHARDS, Toy, digest

from gpuodds.errors import InputError
from gpuodds.tables.build import build

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def known_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuodds.tables.catalog.kinds", toy_tables.with_toy)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Any:
    from distributed import LocalCluster

    # The workers are processes of their own: they find the toy by its module.
    path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("TOY_SECONDS", "0.5")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as made:
        yield made


def test_a_cluster_builds_the_same_though_a_worker_dies(cluster: Any, tmp_path: Path) -> None:
    alone, spread = tmp_path / "alone", tmp_path / "spread"
    seen: list[float] = []
    killed: list[int] = []

    def kill_one() -> None:
        while len(seen) < 3:
            time.sleep(0.01)
        process = next(iter(cluster.workers.values())).pid
        killed.append(process)
        os.kill(process, signal.SIGKILL)

    killer = Thread(target=kill_one, daemon=True)
    killer.start()
    build(Toy(), spread, 2, backend="cpu", scheduler=cluster.scheduler_address, progress=seen.append)
    killer.join(5)
    assert killed and len(seen) == SHARDS + 1
    os.environ["TOY_SECONDS"] = "0"
    build(Toy(), alone, 2, backend="cpu")
    assert digest(alone) == digest(spread)


def test_no_scheduler_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuodds.tables.build.SCHEDULER_ANSWERS", 1)
    with pytest.raises(InputError, match=r"--scheduler tcp://127\.0\.0\.1:9: no answer"):
        build(Toy(), tmp_path / "t", 2, backend="cpu", scheduler="tcp://127.0.0.1:9")
    with pytest.raises(InputError, match="--scheduler nonsense://x: no answer"):
        build(Toy(), tmp_path / "t", 2, backend="cpu", scheduler="nonsense://x")
