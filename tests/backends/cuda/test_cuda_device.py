"""Finding GPUs: the message when there is none, devices by name, and batches that fit into memory."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cuda.arrays.ranks import rank_cards
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.device import NO_DEVICE
from gpuodds.backends.cuda.shared.pieces import in_pieces
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.methods.hands.evaluate import rank_hands


def test_kernels_run(cuda: Any) -> None:
    assert device.why_no_device() is None
    cards = np.random.default_rng(7).permuted(np.tile(np.arange(52, dtype=np.uint8), (500, 1)), axis=1)
    cards = np.ascontiguousarray(cards[:, :7])
    assert np.array_equal(cuda.asnumpy(rank_cards(cuda.asarray(cards), HOLDEM)), rank_hands(cards))


def test_threads_share_the_arrays_that_are_kept(cuda: Any) -> None:
    """A kernel that got the address of arrays that another thread's replace would read freed memory."""

    def build() -> tuple[Any, ...]:
        sleep(0.05)
        return (np.arange(3),)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: device.kept_arrays(build), range(4)))
    assert all(arrays is device.kept_arrays(build) for arrays in found)


@pytest.mark.parametrize("size", [1, 3, 10, 100])
def test_pieces_cover_the_range(cuda: Any, size: int) -> None:
    done: list[int] = []
    ends = list(in_pieces(5, 42, size, lambda begin, end: done.extend(range(begin, end))))
    assert done == list(range(5, 42)) and ends[-1] == 42


def test_a_piece_that_does_not_fit_is_halved(cuda: Any) -> None:
    sizes: list[int] = []
    done: list[int] = []

    def work(begin: int, end: int) -> None:
        sizes.append(end - begin)
        if end - begin > 6:
            raise cuda.cuda.memory.OutOfMemoryError(0, 0)
        done.extend(range(begin, end))

    list(in_pieces(0, 50, 40, work))
    assert done == list(range(50)) and sizes[:4] == [40, 20, 10, 5]


def test_a_piece_of_one_that_does_not_fit_raises(cuda: Any) -> None:
    def work(begin: int, end: int) -> None:
        raise cuda.cuda.memory.OutOfMemoryError(0, 0)

    with pytest.raises(MemoryError):
        list(in_pieces(0, 3, 3, work))


def test_a_machine_without_a_gpu_gives_a_reason_and_a_remedy() -> None:
    """Without the stand-in: no GPU here, or no CuPy, is a reason with a remedy."""
    code = "from gpuodds.backends.cuda.shared.device import why_no_device; print(why_no_device())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    remedies = ("None", "CuPy is not installed: pip", "no NVIDIA driver is installed: get one")
    assert done.stdout.startswith((*remedies, "the NVIDIA driver is too old: ", NO_DEVICE))


@pytest.mark.parametrize(("work", "blocks"), [(1, 1), (0, 1), (97, 2), (10_000, 6)])
def test_a_grid_has_no_more_blocks_than_run_at_once(cuda, monkeypatch, work, blocks) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in lists launches")
    cuda.cuda.settings.processors = 2
    monkeypatch.setattr(
        cuda.cuda.driver,
        "occupancyMaxActiveBlocksPerMultiprocessor",
        lambda function, threads, shared: 3,  # on each multiprocessor
    )
    found, slots = cuda.zeros(1, np.int32), cuda.zeros(1, np.int32)
    device.launch(
        "known_hands/threat_graphs/intern_table", "read_slots", work, 96, (found, np.int64(1), slots)
    )
    assert cuda.cuda.settings.launches[-1][1:] == ("read_slots", blocks, 96)
