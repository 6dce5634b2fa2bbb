"""Choose a backend, the CPU or NVIDIA GPUs, and import only the chosen one."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from gpuodds.arguments import shown
from gpuodds.errors import InputError
from gpuodds.spots.arrays import is_on_device

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Backend

EXPECTED = "expected auto, cpu, cuda, or cuda with device numbers such as cuda:0,2"


def choose_backend(name: str) -> Backend:
    """Return the backend of a name.

    ``auto`` means ``GPUODDS_BACKEND`` if it is set, else a GPU if one is usable, else the CPU. It gives
    no reason for taking the CPU: ``gpuodds doctor`` does.

    Args:
        name: ``"auto"``, ``"cpu"``, ``"cuda"``, or ``"cuda:0,2"`` (these devices).

    Raises:
        InputError: The name is unknown, or names a GPU and none is usable; the message says why.
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
    """Return the backend of a name for an array of cards; for a CuPy array ``auto`` means a GPU.

    Raises:
        InputError: As :func:`choose_backend`, or the name is ``"cpu"`` and the array a CuPy array.
    """
    if not is_on_device(cards):
        return choose_backend(name)
    if name == "cpu":
        raise InputError("backend 'cpu': CuPy arrays were given; expected auto or cuda")
    return choose_backend("cuda" if name == "auto" else name)


def check_name(name: str) -> None:
    """Refuse the name of a backend that is not available, without choosing one for ``auto``.

    Raises:
        InputError: As :func:`choose_backend`.
    """
    if (
        not isinstance(name, str)
        or name != "auto"
        or os.environ.get("GPUODDS_BACKEND", "auto") not in ("auto", "cpu")
    ):
        choose_backend(name)


def refuse_repeated_rows(backend: Backend, cards: Any, more: Any, what: str) -> None:
    """Refuse rows of cards that repeat a card.

    Args:
        backend: The backend that looks for a repeated card.
        cards: Rows of cards, a result of :func:`gpuodds.spots.arrays.as_cards`.
        more: Further cards of the same rows.
        what: The name of the arrays in the error.

    Raises:
        InputError: A row of ``cards``, together with that of ``more``, repeats a card.
    """
    row = backend.find_repeated_card(cards, more)
    if row >= 0:
        hand = [*cards[row].tolist(), *more[row].tolist()]
        raise InputError(f"{what}: row {row}: a hand cannot hold a card twice, found {hand}")


def thread_count() -> int:
    """Return the number of threads of the CPU backend: ``GPUODDS_THREADS``, else all usable cores.

    Raises:
        InputError: ``GPUODDS_THREADS`` is not a whole number from 1 to 1024.
    """
    from gpuodds.backends.cpu.threads import thread_count

    return thread_count()
