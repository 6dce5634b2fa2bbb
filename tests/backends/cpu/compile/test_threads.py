"""Threads of the CPU backend: each of many rows has one of them."""

from __future__ import annotations

import signal
import threading
from time import sleep

import pytest

from gpuodds.backends.cpu.compile.threads import run_rows, thread_pool


@pytest.mark.parametrize("threads", ["1", "4"])
def test_each_row_is_done_once_in_one_thread(monkeypatch: pytest.MonkeyPatch, threads: str) -> None:
    monkeypatch.setenv("GPUODDS_THREADS", threads)
    done: list[int] = []
    inside: list[bool] = []

    def work(row: int) -> None:
        me = threading.get_ident()
        with thread_pool(8) as run:
            run(lambda begin, end: inside.append(threading.get_ident() == me), 100)
        done.append(row)

    shares: list[float] = []
    run_rows(work, 1000, shares.append)
    assert sorted(done) == list(range(1000)) and all(inside)
    assert shares == sorted(shares) and shares[-1] == 1
    outside: list[int] = []
    with thread_pool(8) as run:
        run(lambda begin, end: outside.append(threading.get_ident()), 100)
    assert len(outside) > 1  # threads are back


@pytest.mark.parametrize("threads", ["1", "4"])
def test_an_interrupt_ends_rows_at_once(monkeypatch: pytest.MonkeyPatch, threads: str) -> None:
    monkeypatch.setenv("GPUODDS_THREADS", threads)
    done: list[int] = []

    def work(row: int) -> None:
        if row == 3:
            signal.raise_signal(signal.SIGINT)
        done.append(row)
        sleep(0.001)

    with pytest.raises(KeyboardInterrupt):
        run_rows(work, 20_000)
    assert len(done) < 5000


def test_rows_within_rows_have_one_thread() -> None:
    threads: set[tuple[int, int]] = set()

    def outer(row: int) -> None:
        def inner(_: int) -> None:
            threads.add((row, threading.get_ident()))

        run_rows(inner, 8)
        run_rows(inner, 8)

    run_rows(outer, 20)
    assert len(threads) == 20


@pytest.mark.parametrize("raised", [ValueError, IndexError, KeyboardInterrupt])
@pytest.mark.parametrize("in_caller", [True, False])
def test_an_error_drops_what_has_not_begun(raised: type[BaseException], in_caller: bool) -> None:
    """Whichever thread meets it, the error is the caller's, after all that has begun has ended."""
    me, begun, ended = threading.get_ident(), [0], [0]

    def work(begin: int, end: int) -> None:
        begun[0] += 1
        sleep(0.002)
        if (threading.get_ident() == me) == in_caller and begun[0] > 8:
            raise raised
        ended[0] += 1

    with pytest.raises(raised), thread_pool(4, parts=1000) as run:
        run(work, 1000)
    assert begun[0] - 4 <= ended[0] < begun[0] < 100
