"""The CPU backend in a wrong environment: an invalid number of threads, no writable folder."""

import os
import subprocess
import sys

import needs
import pytest

import gpuodds
from gpuodds.backends.cpu.compile.threads import thread_count

COMPILE = """
import logging
from gpuodds.backends.cpu.compile.jit import compiled
logging.basicConfig(level=logging.INFO)
def add_one(number):
    return number + 1
add_one.__module__ = "gpuodds.add_one"
print(compiled(add_one)(1))
"""


@pytest.mark.parametrize("text", ["abc", "0", "-1", "1e3", "1.5", "99999", "²"])
def test_an_invalid_number_of_threads_is_refused(monkeypatch, text):
    monkeypatch.setenv("GPUODDS_THREADS", text)
    with pytest.raises(gpuodds.InputError, match=r"^GPUODDS_THREADS .*: expected a whole number, 1 to"):
        gpuodds.equity("AsKs", board="2s7d9hTcJc", backend="cpu")  # needs no threads


@pytest.mark.parametrize(("text", "threads"), [("1", 1), (" 3 ", 3), ("1024", 1024)])
def test_threads(monkeypatch, text, threads):
    monkeypatch.setenv("GPUODDS_THREADS", text)
    assert thread_count() == threads


def test_no_threads_given(monkeypatch):
    monkeypatch.setenv("GPUODDS_THREADS", "")
    assert thread_count() >= 1


@pytest.mark.slow
def test_no_folder_for_compiled_code_logs_a_note():
    # The locator that this names needs NUMBA_CACHE_DIR: as if no folder were writable.
    environment = {**os.environ, "NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator"}
    environment.pop("NUMBA_CACHE_DIR", None)
    ended = subprocess.run(
        [sys.executable, "-P", "-c", COMPILE], env=environment, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stdout) == (0, "2\n"), ended.stderr
    assert "set NUMBA_CACHE_DIR to one that is" in ended.stderr


@pytest.mark.slow
@needs.posix
def test_compiled_code_that_cannot_be_written(tmp_path):
    # A limit to the size of files stands for a full disk.
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
    (tmp_path / "add.py").write_text(limit + COMPILE)
    ended = subprocess.run(
        [sys.executable, "-P", str(tmp_path / "add.py")],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stdout) == (0, "2\n"), ended.stderr
    assert "cannot cache the compiled code ([Errno 27] File too large)" in ended.stderr


RANK = """
from gpuodds.backends.report import functions_compiled
from gpuodds.methods.hands.evaluate import rank_hands
rank_hands([[0, 5, 10, 15, 20, 25, 30]])
print(functions_compiled())
"""
# Root writes anywhere; numba, which tries a folder with a temporary file, is refused that.
READ_ONLY = """
import tempfile
def refuse(**where):
    raise OSError(30, "Read-only file system")
tempfile.TemporaryFile = refuse
"""


@pytest.mark.slow
def test_compiled_code_in_a_read_only_folder_is_used(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    numbers = []
    for program in (RANK, READ_ONLY + RANK):
        ended = subprocess.run(
            [sys.executable, "-P", "-c", program], env=environment, capture_output=True, text=True
        )
        assert ended.returncode == 0, ended.stderr
        numbers.append(int(ended.stdout))
    assert numbers[0] > 0
    assert numbers[1] == 0
