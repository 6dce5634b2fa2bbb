"""Shared by the tests of kernels: any grid, any block, any order of threads."""

from __future__ import annotations

from typing import Any

import pytest

# Blocks, threads, the seed that orders them.
LAUNCHES = [(1, 1, 0), (3, 7, 1), (20, 33, 2)]


@pytest.fixture(params=LAUNCHES, ids=str)
def launch_shape(cuda: Any, request: pytest.FixtureRequest) -> tuple[int, int]:
    """Return blocks and threads of a launch; on the stand-in, lanes run in an order of their own.

    A test can give other launches by ``indirect`` parameters.
    """
    blocks, threads, seed = request.param
    settings = getattr(cuda.cuda, "settings", None)
    if settings is not None:
        settings.seed = seed
    return blocks, threads


@pytest.fixture
def run(launch_shape: tuple[int, int]) -> Any:
    """Launch a kernel of a file on the arrays and numbers given."""
    from gpuodds.backends.cuda.shared import device

    blocks, threads = launch_shape

    def launch(file: str, name: str, *arguments: Any, **options: int) -> None:
        kernel: Any = device.kernel(file, name)
        kernel((blocks,), (threads,), arguments, **options)

    return launch
