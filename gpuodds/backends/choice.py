"""The choice of a backend: the CPU or NVIDIA GPUs. Nothing of either is imported before it is made."""

from __future__ import annotations

import os
import re
from typing import Any

from gpuodds.arguments import shown
from gpuodds.backends.protocol import Backend
from gpuodds.errors import InputError
from gpuodds.spots.arrays import is_on_device

EXPECTED = "expected auto, cpu, cuda, or cuda with device numbers such as cuda:0,2"


def choose_backend(name: str) -> Backend:
    """Return the backend of a name; ``auto`` asks ``GPUODDS_BACKEND`` first, then takes a GPU if any.

    Why ``auto`` takes no GPU is for ``gpuodds doctor`` to say: those who asked for none hear nothing.

    Raises:
        InputError: The name is none, or a GPU is asked for by name and there is none; it says why.
    """
    if not isinstance(name, str):
        raise InputError(f"backend {shown(name)}: {EXPECTED}")
    wanted = os.environ.get("GPUODDS_BACKEND", "auto") if name == "auto" else name
    if not re.fullmatch(r"auto|cpu|cuda(:\d+(,\d+)*)?", wanted):
        raise InputError(f"backend {wanted!r}: {EXPECTED}")
    if wanted != "cpu":
        from gpuodds.backends.cuda.device import why_no_device

        reason = why_no_device()
        if reason is None:
            from gpuodds.backends.cuda.backend import CudaBackend

            return CudaBackend(wanted)
        if wanted != "auto":
            raise InputError(f"backend {wanted!r}: {reason}")
    from gpuodds.backends.cpu.backend import CpuBackend

    return CpuBackend()


def choose_for(cards: Any, name: str) -> Backend:
    """Return the backend of a name for an array of cards: for CuPy arrays a GPU, without being told.

    Raises:
        InputError: As :func:`choose_backend`, or the CPU is asked for with a CuPy array.
    """
    if not is_on_device(cards):
        return choose_backend(name)
    if name == "cpu":
        raise InputError("backend 'cpu': CuPy arrays were given; expected auto or cuda")
    return choose_backend("cuda" if name == "auto" else name)


def check_name(name: str) -> None:
    """Refuse a backend that is not there, without choosing one for ``auto``."""
    if (
        not isinstance(name, str)
        or name != "auto"
        or os.environ.get("GPUODDS_BACKEND", "auto") not in ("auto", "cpu")
    ):
        choose_backend(name)


def refuse_repeated_rows(backend: Backend, cards: Any, more: Any, what: str) -> None:
    """Raise :class:`InputError` if a row of ``cards``, together with that of ``more``, repeats a card.

    Both are results of :func:`as_cards` with as many rows.
    """
    row = backend.find_repeated_card(cards, more)
    if row >= 0:
        hand = [*cards[row].tolist(), *more[row].tolist()]
        raise InputError(f"{what}: row {row}: a hand cannot hold a card twice, found {hand}")


def thread_count() -> int:
    """Return how many threads the CPU backend uses: ``GPUODDS_THREADS``, or every core it may run on.

    Raises:
        InputError: ``GPUODDS_THREADS`` is no whole number from 1 to 1024.
    """
    from gpuodds.backends.cpu.threads import thread_count

    return thread_count()
