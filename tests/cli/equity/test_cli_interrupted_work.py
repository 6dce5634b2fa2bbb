"""Ctrl-C and SIGTERM in long commands: they end soon, with one line, and keep what is whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import needs
import pytest

from gpuodds.cli.main import run
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.files.manifest import read_manifest, shard_file

# Ctrl-C of another process; tests/basics/test_system.py has what Windows does with one.
pytestmark = [pytest.mark.slow, needs.posix]

SOON = 15.0  # seconds, on a busy machine: what is interrupted would take minutes
BEGUN = 90.0


def interrupt(
    folder: Path,
    words: list[str],
    begun: Callable[[], bool],
    number: int = signal.SIGINT,
    **environment: str,
) -> str:
    """Signal all processes of a command when it has begun, as Ctrl-C does; return its stderr."""
    command = [sys.executable, "-m", "gpuodds", *words]
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "GPUODDS_BACKEND": "cpu", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        deadline = time.monotonic() + BEGUN
        while not begun() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        begin = time.monotonic()
        os.killpg(process.pid, number)
        try:
            out, err = process.communicate(timeout=BEGUN)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        assert time.monotonic() - begin < SOON
    assert (process.returncode, out) == (128 + number, "")
    return err


def test_compiling_ahead_ends_soon(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    err = interrupt(
        tmp_path, ["doctor", "--warm"], lambda: any(cache.rglob("*.nbc")), NUMBA_CACHE_DIR=str(cache)
    )
    assert err == "gpuodds: interrupted\n"
    names = [path.name for path in cache.rglob("*") if path.is_file()]
    assert names and all(name.endswith((".nbi", ".nbc")) for name in names)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_build_ends_soon_and_goes_on(
    tmp_path: Path, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "turns"

    def one_is_there() -> bool:
        return (folder / MANIFEST).exists() and bool(read_manifest(folder).shards)

    build = ["table", "build", "turn-random", "--out", str(folder)]
    err = interrupt(tmp_path, build, one_is_there, number)
    assert err.splitlines()[-1] == "gpuodds: interrupted" and "Traceback" not in err
    found = read_manifest(folder).shards
    assert found and not list(folder.glob("*.part"))
    times = {number: (folder / shard_file(number)).stat().st_mtime_ns for number in found}
    more = max(found) + 1
    assert run([*build, "--shards", f"0-{more}"]) == 0
    assert set(read_manifest(folder).shards) >= {*found, more}
    assert times == {number: (folder / shard_file(number)).stat().st_mtime_ns for number in found}
    capsys.readouterr()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_answer_that_takes_minutes_ends_soon(tmp_path: Path, number: int) -> None:
    begin = time.monotonic()
    words = ["equity", "15%", "30%", "60%", "80%", "--method", "exact"]
    err = interrupt(tmp_path, words, lambda: time.monotonic() - begin > 2, number)
    assert err.splitlines()[-1] == "gpuodds: interrupted" and "Traceback" not in err


def test_any_command_says_that_it_was_interrupted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import gpuodds

    def press(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(gpuodds, "equity", press)
    for _ in range(2):
        assert run(["equity", "AsKs"]) == 130
        assert capsys.readouterr() == ("", "gpuodds: interrupted\n")
