"""Work cut into pieces that fit a device's memory and are shared by several devices.

A piece is one launch of a kernel or several: a desktop's GPU ends a kernel after two seconds, so a
launch is to take tens of milliseconds, at most some hundred, on a GPU with a twentieth of an H100's
speed. That is predicted from counts of instructions; no GPU has run this code yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.shared.device import is_out_of_memory, on, release_memory, synchronize
from gpuodds.machine.system import result_of

Ints = npt.NDArray[np.int64]

PIECES = 4  # for each device, so that devices end together


def launches(begin: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut ``begin`` to ``end`` into launches of at most ``size``, one right after another."""
    for first in range(begin, end, max(1, size)):
        yield first, min(first + max(1, size), end)


def launches_by_work(work: Ints, most: int, least: int) -> Iterator[slice]:
    """Cut items into launches of at most ``most`` work, but at least ``least`` items.

    Args:
        work: Shape (n,), int64: the work of each item.
        most: The work of a launch.
        least: The items that are done at the same time: a launch of fewer takes no less time.
    """
    ends = np.cumsum(work)
    begin = 0
    while begin < len(work):
        done = int(ends[begin - 1]) if begin else 0
        end = max(int(np.searchsorted(ends, done + most, side="right")), begin + max(1, least))
        yield slice(begin, end)
        begin = end


@dataclass(frozen=True)
class Work:
    """What one device does: pieces, ``begin`` to ``end``, and an end after its last one."""

    do: Callable[[int, int], None]
    finish: Callable[[], None]

    def __call__(self, begin: int, end: int) -> None:
        """Do a piece."""
        self.do(begin, end)


def in_pieces(begin: int, end: int, size: int, work: Callable[[int, int], None]) -> Iterator[int]:
    """Do ``work(begin, end)`` on pieces of at most ``size``; yield the end of each piece.

    When the device runs out of memory the piece is halved and tried again, and later pieces are no
    larger; a piece of one that does not fit raises.
    """
    while begin < end:
        stop = min(begin + size, end)
        try:
            work(begin, stop)
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            release_memory()
            if stop - begin == 1:
                raise
            size = (stop - begin) // 2
            continue
        begin = stop
        yield begin


@contextmanager
def working_on(device: int) -> Iterator[None]:
    """Make a device the current one, and restore the former one afterwards.

    Raises:
        MemoryError: The device ran out of memory; it names the device.
    """
    try:
        with on(device):
            yield
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        raise MemoryError(f"GPU {device} has too little memory left: {error}") from error


def share_out(
    devices: Sequence[int],
    count: int,
    start: Callable[[], Callable[[int, int], None]],
    size: Callable[[], int],
    progress: Progress | None,
) -> None:
    """Do 0 to ``count`` in pieces on devices, each with a thread of its own.

    An exception, Ctrl-C too, stops all devices after their piece.

    Args:
        devices: Device numbers.
        count: The number of items.
        start: Called on each device; returns the function that does the piece ``begin`` to ``end``, or
            :class:`Work`.
        size: Called on a device; returns the most items of a piece there.
        progress: Called with the fraction done, 0 to 1.

    Raises:
        MemoryError: A piece of one item does not fit; it names the device.
    """
    parts = PIECES * len(devices) if len(devices) > 1 else 1
    step = max(1, -(-count // parts))
    pieces: SimpleQueue[tuple[int, int]] = SimpleQueue()
    for begin in range(0, count, step):
        pieces.put((begin, min(begin + step, count)))
    lock = Lock()
    done = 0
    stopped = False

    def serve(device: int) -> None:
        with working_on(device):
            work = start()
            take_pieces(work)
            if isinstance(work, Work) and not stopped:
                work.finish()
            if len(devices) > 1:  # the caller's stream does not wait for those of other threads
                synchronize()

    def take_pieces(work: Callable[[int, int], None]) -> None:
        nonlocal done
        while not pieces.empty():
            try:
                begin, end = pieces.get_nowait()
            except Empty:  # another device took the last one
                return
            for at in in_pieces(begin, end, size(), work):
                with lock:
                    done += at - begin
                    begin = at
                    if stopped:
                        return
                    if progress is not None:
                        progress(done / count)

    if len(devices) == 1:
        serve(devices[0])
        return
    with ThreadPoolExecutor(len(devices)) as pool:
        try:
            for answer in [pool.submit(serve, device) for device in devices]:
                result_of(answer)
        finally:
            stopped = True
