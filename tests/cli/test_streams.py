"""Standard output and error that are full, closed, or whose reader has gone: quiet, or one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import needs
import pytest

pytestmark = [pytest.mark.slow, needs.posix]

ROWS = "hand_1,hand_2\n" + "AsKs,QhQd\n" * 5000
COMMANDS = {
    "help": ["--help"],
    "help of a command": ["equity", "--help"],
    "version": ["--version"],
    "table": ["games"],
    "json": ["equity", "AsKs", "QhQd", "--json"],
    "csv": ["equity", "AsKs", "QhQd", "--csv"],
    "grid": ["range", "15%"],
    "report": ["table", "export", "preflop-random"],
    "parquet": ["table", "export", "preflop-random", "--format", "parquet"],
    "batch": ["equity", "--batch", "rows.csv"],
    "batch in json": ["equity", "--batch", "rows.csv", "--format", "jsonl"],
    "batch in parquet": ["equity", "--batch", "rows.csv", "--format", "parquet"],
    "device": ["equity", "--batch", "rows.csv", "--out", "/dev/stdout", "--format", "csv"],
    "match": ["five", "match", "random", "random", "--hands", "3"],
    "serve": ["serve", "--port", "0", "--cache", "memory"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rows.csv").write_text(ROWS)
    return tmp_path


@pytest.fixture(params=COMMANDS)
def words(request: pytest.FixtureRequest) -> list[str]:
    words = COMMANDS[request.param]
    if "parquet" in words:
        pytest.importorskip("pyarrow")
    if words[0] == "serve":
        pytest.importorskip("uvicorn")
    return words


def start(folder: Path, words: list[str], shell: str) -> tuple[int, str, str]:
    """Run ``gpuodds`` with redirections of the shell; return its exit code, stdout and stderr."""
    done = subprocess.run(
        ["sh", "-c", f'"$@" {shell}', "sh", sys.executable, "-m", "gpuodds", *words],
        cwd=folder,
        env={**os.environ, "GPUODDS_BACKEND": "cpu"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_full_disk(folder: Path, words: list[str]) -> None:
    code, _, err = start(folder, words, "> /dev/full")
    (line,) = err.splitlines()
    what = "/dev/stdout" if "/dev/stdout" in words else "standard output"
    assert line.startswith(f"gpuodds: {what}: cannot be written: No space left on device")
    assert code == 2


def test_a_reader_that_has_gone(folder: Path, words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen(
        [sys.executable, "-m", "gpuodds", *words],
        cwd=folder,
        env={**os.environ, "GPUODDS_BACKEND": "cpu"},
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.close(writing)
        _, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (141, "")


def test_a_reader_that_goes_later(folder: Path) -> None:
    words = ["equity", "--batch", "rows.csv"]
    with subprocess.Popen(
        [sys.executable, "-m", "gpuodds", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    ) as process:
        assert process.stdout is not None and process.stdout.read(6) == b"hand_1"
        process.stdout.close()
        _, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (141, b"")


def test_standard_output_is_closed(folder: Path) -> None:
    code, out, err = start(folder, ["games"], ">&-")
    assert (code, out) == (2, "")
    assert err == "gpuodds: standard output: cannot be written: Bad file descriptor\n"
    code, out, err = start(folder, ["equity", "--batch", "rows.csv", "--out", "out.csv"], "<&- >&-")
    assert (code, out, err) == (0, "", "")
    assert len((folder / "out.csv").read_text().splitlines()) == 5001


@pytest.mark.parametrize("shell", ["2> /dev/full", "2>&-"])
def test_messages_that_cannot_be_written_change_nothing(folder: Path, shell: str) -> None:
    assert start(folder, ["equity", "AsKx"], shell) == (2, "", "")
    (folder / "rows.csv").write_text("hand_1,hand_2\nAsKs,QhQd\nAsKs,AsQd\n")
    code, out, _ = start(folder, ["equity", "--batch", "rows.csv"], shell)
    assert code == 3 and len(out.splitlines()) == 3


def test_rows_and_messages_share_a_reader(folder: Path) -> None:
    code, out, err = start(folder, ["equity", "--batch", "rows.csv"], "2>&1 | head -n 2")
    assert (code, len(out.splitlines()), err) == (0, 2, "")
