"""Properties that are kept need no lock: neither other threads nor forked processes wait for one."""

from __future__ import annotations

import multiprocessing
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from gpuodds.basics.lazy import cached_property

WAIT = 60  # seconds after which a test has failed


class Slow:
    """Has a property that takes until ``go`` is set."""

    def __init__(self) -> None:
        self.asked, self.go = threading.Barrier(2), threading.Event()

    @cached_property
    def found(self) -> object:
        """A new object."""
        self.asked.wait(WAIT)
        assert self.go.wait(WAIT)
        return object()


def ready() -> Slow:
    """Return one whose property takes no time."""
    one = Slow()
    one.asked = threading.Barrier(1)
    one.go.set()
    return one


def test_a_property_of_one_instance_does_not_wait_for_another() -> None:
    slow = Slow()
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(lambda: slow.found)
        slow.asked.wait(WAIT)
        try:
            assert threads.submit(lambda: ready().found).result(WAIT)
        finally:
            slow.go.set()
        assert first.result(WAIT) is slow.found


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_process_forked_meanwhile_has_its_own() -> None:
    slow = Slow()
    with ThreadPoolExecutor(1) as threads:
        threads.submit(lambda: slow.found)
        slow.asked.wait(WAIT)
        child = multiprocessing.get_context("fork").Process(target=lambda: ready().found)
        child.start()
        child.join(WAIT)
        slow.go.set()
        child.kill()
    assert child.exitcode == 0


def test_threads_that_ask_at_once_get_one_object() -> None:
    one = Slow()
    one.go.set()
    with ThreadPoolExecutor(2) as threads:
        first, second = (threads.submit(lambda: one.found) for _ in range(2))
    assert first.result() is second.result() is one.found
    assert set(vars(one)) == {"asked", "go", "found"}


def test_the_class_has_the_property_and_its_text() -> None:
    assert isinstance(Slow.found, cached_property)
    assert Slow.found.__doc__ == "A new object."
