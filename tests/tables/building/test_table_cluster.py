"""Builds on a Dask cluster: a real scheduler and real workers, and every failure of theirs."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import needs
import pytest
from paths import ROOT
from toy_tables import (
    FEW_BUCKETS,
    PARTS,
    SHARDS,
    Toy,
    ToyInParts,
    build_buckets,
    digest,
    make_known,
)

from gpuodds.errors import InputError, TableError
from gpuodds.table_building.build import build
from gpuodds.table_building.clustering import Wanted
from gpuodds.tables.files.manifest import read_manifest

HELPERS = ROOT / "tests" / "helpers"


pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("toy")]


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Any:
    from distributed import LocalCluster

    # The workers are processes of their own: they find the toy by its module.
    path = os.pathsep.join([str(HELPERS), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("TOY_SECONDS", "0.2")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as made:
        yield made


@needs.posix
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


def test_a_cluster_puts_hands_into_buckets(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_known(monkeypatch.setattr, *FEW_BUCKETS)
    kind, wanted = FEW_BUCKETS[1], Wanted("emd", 9, 1, 1000)
    build_buckets(kind, wanted, tmp_path / "alone")
    build_buckets(kind, wanted, tmp_path / "spread", scheduler=cluster.scheduler_address)
    assert digest(tmp_path / "alone") == digest(tmp_path / "spread")


def test_a_cluster_shares_the_parts_of_shards(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, alone, spread = ToyInParts(), tmp_path / "alone", tmp_path / "spread"
    seen: list[float] = []

    def stop(share: float) -> None:
        seen.append(share)
        if len(seen) == 4:
            raise KeyboardInterrupt

    address = cluster.scheduler_address
    with pytest.raises(KeyboardInterrupt):
        build(kind, spread, 2, backend="cpu", scheduler=address, progress=stop)
    kept = len(read_manifest(spread).parts)
    assert 3 <= kept < 2 * PARTS
    assert build(kind, spread, 2, backend="cpu", scheduler=address)
    monkeypatch.setenv("TOY_SECONDS", "0")
    assert build(kind, alone, 2, backend="cpu")
    assert digest(alone) == digest(spread)


def test_no_scheduler_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuodds.table_building.cluster.SCHEDULER_TIMEOUT", 1)
    with pytest.raises(InputError, match=r"--scheduler tcp://127\.0\.0\.1:9: no answer"):
        build(Toy(), tmp_path / "t", 2, backend="cpu", scheduler="tcp://127.0.0.1:9")
    with pytest.raises(InputError, match="--scheduler nonsense://x: no answer"):
        build(Toy(), tmp_path / "t", 2, backend="cpu", scheduler="nonsense://x")


def test_a_failed_client_leaves_no_thread(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Client

    def loops() -> int:
        return sum(thread.name == "IO loop" for thread in threading.enumerate())

    def unclosed() -> int:
        return sum(isinstance(o, Client) and o.status != "closed" for o in gc.get_objects())

    # What the garbage collector finds later, it finds in any thread, the next client's own among them:
    # that client's start then failed after ten seconds.
    gc.collect()
    gc.disable()
    try:
        before = loops(), unclosed()
        monkeypatch.setattr("gpuodds.table_building.cluster.SCHEDULER_TIMEOUT", 1)
        for address in (
            "nonsense://x",
            "tcp://127.0.0.1:9",
            "tcp://127.0.0.1:seven",
            "tls://127.0.0.1:9",
        ):
            with pytest.raises(InputError, match=f"--scheduler {address}: no answer"):
                build(Toy(), tmp_path / "t", 2, backend="cpu", scheduler=address)
            assert (loops(), unclosed()) == before
        monkeypatch.setattr("gpuodds.table_building.cluster.WORKERS_TIMEOUT", 0.1)
        with pytest.raises(TableError, match="it has 0 workers"):
            build(Toy(), tmp_path / "t", 2, backend="cpu", scheduler=scheduler)
        assert (loops(), unclosed()) == before
    finally:
        gc.enable()


@contextmanager
def running(tmp_path: Path, what: str, *options: str, **environment: str) -> Iterator[Any]:
    """Run a scheduler or a worker as a user does; the environment gives its import path."""
    log = (tmp_path / "dask.log").open("ab")
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", what, *options, "--no-dashboard"],
        cwd=tmp_path,
        env={**os.environ, **environment},
        stdout=log,
        stderr=log,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        log.close()


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ("--host", "127.0.0.1", "--port", str(port))
    # Dask gives a shard up after four workers, which may die before the build has counted two.
    patient = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "100"}
    with running(tmp_path, "scheduler", *options, **patient) as process:
        address = f"tcp://127.0.0.1:{port}"
        SCHEDULERS[address] = process
        wait_for(address)
        yield address


SCHEDULERS: dict[str, Any] = {}


def wait_for(address: str, workers: int = 0) -> None:
    from distributed import Client

    with Client(address, timeout=60, set_as_default=False) as client:
        if workers:
            client.wait_for_workers(workers, timeout=60)


@contextmanager
def worker(tmp_path: Path, address: str, *paths: Path | str, **environment: str) -> Iterator[None]:
    path = os.pathsep.join([*map(str, paths), str(HELPERS), os.environ.get("PYTHONPATH", "")])
    options = (address, "--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path / "dask"))
    with running(tmp_path, "worker", *options, PYTHONPATH=path, **environment):
        wait_for(address, 1)
        yield


def test_workers_are_absent(scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuodds.table_building.cluster.WORKERS_TIMEOUT", 1)
    with pytest.raises(TableError, match=f"{scheduler}: it has 0 workers, for 1 s: .*dask worker"):
        build(Toy(), tmp_path / "t", 2, backend="cpu", scheduler=scheduler)


def test_workers_lack_gpuodds_or_have_another(scheduler: str, tmp_path: Path) -> None:
    refuse = (
        "import sys\n"
        "class Refuse:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == '{}':\n"
        "            raise ModuleNotFoundError(f'No module named {{name!r}}', name=name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
    )
    older = "import gpuodds\ngpuodds.__version__ = '0.0.7'\n"
    patched = "from gpuodds.tables.files import origin\norigin.fingerprint = lambda: 'feedbeef'\n"
    for name, code in [
        ("without", refuse.format("gpuodds")),
        # A release before clusters were asked for their origin.
        ("older", refuse.format("gpuodds.table_building.cluster") + older),
        ("patched", patched),
    ]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "sitecustomize.py").write_text(code)
    folder = tmp_path / "t"
    for name, message in [
        ("without", "it cannot import gpuodds: No module named 'gpuodds'"),
        ("older", r"it has gpuodds 0\.0\.7, which cannot count for this one"),
        ("patched", r"it has gpuodds \S+ \(fingerprint feedbeef, .*, this is gpuodds .*\(fingerprint "),
    ]:
        with worker(tmp_path, scheduler, tmp_path / name):
            with pytest.raises(TableError, match=message):
                build(Toy(), folder, 2, backend="cpu", scheduler=scheduler)
            assert not list(folder.glob("*.parquet"))
    with worker(tmp_path, scheduler):
        assert build(Toy(), folder, 2, backend="cpu", scheduler=scheduler)


def test_workers_die_on_every_task(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpuodds.table_building.cluster.MAX_WORKERS_LOST", 2)
    path = os.pathsep.join([str(HELPERS), os.environ.get("PYTHONPATH", "")])
    options = (scheduler, "--nthreads", "1", "--local-directory", str(tmp_path / "dask"))
    # Each lives for longer than from one look at the workers to the next, on a busy machine as well.
    with running(tmp_path, "worker", *options, PYTHONPATH=path, TOY_SECONDS="2.5", TOY_DIES="1"):
        wait_for(scheduler, 1)
        with pytest.raises(TableError, match=r"2 workers were lost and nothing came back, \d left"):
            build(Toy(), tmp_path / "t", 2, backend="cpu", scheduler=scheduler)


def test_a_scheduler_that_is_lost(scheduler: str, tmp_path: Path) -> None:
    folder = tmp_path / "t"
    seen: list[float] = []

    def kill_scheduler(share: float) -> None:
        seen.append(share)
        if len(seen) == 3:
            SCHEDULERS[scheduler].kill()

    with worker(tmp_path, scheduler, TOY_SECONDS="0.2"):
        with pytest.raises(
            TableError, match="the scheduler was lost; what was finished is kept"
        ) as error:
            build(Toy(), folder, 2, backend="cpu", scheduler=scheduler, progress=kill_scheduler)
        assert str(error.value).count("\n") == 0
    kept = len(read_manifest(folder).shards)
    assert 2 <= kept < SHARDS
    assert build(Toy(), folder, 2, backend="cpu", progress=seen.append)
    build(Toy(), tmp_path / "alone", 2, backend="cpu")
    assert digest(folder) == digest(tmp_path / "alone")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates with openssl")
def test_a_cluster_with_certificates(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    subprocess.run(
        [*make, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True
    )
    from distributed import LocalCluster
    from distributed.security import Security

    names = ("tls_ca_file", "tls_scheduler_cert", "tls_scheduler_key", "tls_worker_cert",
             "tls_worker_key", "tls_client_cert", "tls_client_key")  # fmt: skip
    files = {name: str(key if name.endswith("key") else certificate) for name in names}
    security = Security(require_encryption=True, **files)
    cluster = LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None,
        protocol="tls://", security=security,
    )  # fmt: skip
    with cluster:
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        tls = (certificate, certificate, key)
        assert build(Toy(), tmp_path / "t", 2, backend="cpu", scheduler=address, tls=tls)
        with pytest.raises(InputError, match=f"--scheduler {address}: no answer"):
            build(Toy(), tmp_path / "u", 2, backend="cpu", scheduler=address)
        missing = (tmp_path / "none.pem", certificate, key)
        with pytest.raises(InputError, match=f"--scheduler {address}: no answer"):
            build(Toy(), tmp_path / "v", 2, backend="cpu", scheduler=address, tls=missing)
