"""Choose a backend, the CPU or NVIDIA GPUs, and import only the chosen one.

``auto`` goes by the estimated work: a GPU that takes longer to start than the CPU to answer is left
alone, and CuPy is not imported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from gpuodds.backends import startup
from gpuodds.backends.compiling import ON_THE_CPU, STAYS_ON_THE_CPU
from gpuodds.backends.startup import startup_seconds
from gpuodds.basics.arguments import shown
from gpuodds.basics.choices import BackendName
from gpuodds.basics.durations import format_duration
from gpuodds.errors import InputError, excerpt
from gpuodds.machine.forking import wait_at_forks
from gpuodds.machine.system import is_main_interpreter
from gpuodds.spots.arrays import is_on_device

if TYPE_CHECKING:
    from gpuodds.backends.counts import Progress
    from gpuodds.backends.operation import Backend, Counted, Counts, Operation

T = TypeVar("T")

SECONDS_WORTH_A_NOTE = 1.0  # of work that stays on the CPU
ONLY_MAIN = (
    "computing in a subinterpreter: expected the main interpreter of the process, as NumPy and numba "
    "need it (mod_wsgi: WSGIApplicationGroup %{GLOBAL})"
)
EXPECTED = "expected auto, cpu, cuda, or cuda with device numbers such as cuda:0,2"


def choose_backend(name: str, seconds: float | None = None) -> Backend:
    """Return the backend of a name.

    ``auto`` means ``GPUODDS_BACKEND`` if it is set, else a GPU if one is usable and the work is worth
    starting it, else the CPU. It gives no reason for the lack of a GPU: ``gpuodds doctor`` does.

    Args:
        name: ``"auto"``, ``"cpu"``, ``"cuda"``, or ``"cuda:0,2"`` (these devices).
        seconds: About how long the CPU takes for the work; None if it is worth a GPU in any case.

    Raises:
        InputError: The name is unknown, or names a GPU and none is usable; the message says why.
    """
    wanted = _wanted(name)
    if wanted == "auto" and seconds is not None and _is_worth_no_gpu(seconds):
        wanted = "cpu"
    return _backend(wanted)


def _backend(wanted: str) -> Backend:
    if wanted != "cpu":
        if not re.fullmatch(r"auto|cuda(:\d+(,\d+)*)?", wanted):
            raise InputError(f"backend '{excerpt(wanted)}': {EXPECTED}")
        from gpuodds.backends.cuda.shared.device import why_no_device

        reason = why_no_device()
        if reason is None:
            from gpuodds.backends.cuda.backend import CudaBackend

            return CudaBackend(wanted)
        if wanted != "auto":
            raise InputError(f"backend '{excerpt(wanted)}': {reason}")
    return _cpu_backend()


@cache  # the answer to a known hand takes a few microseconds
def _cpu_backend() -> Backend:
    if not is_main_interpreter():
        raise InputError(ONLY_MAIN)
    wait_at_forks()
    from gpuodds.backends.cpu.backend import CpuBackend

    return CpuBackend()


def goes_to_gpu(name: str, seconds: float, has_gpu: bool | None = None) -> bool:
    """Return whether :func:`choose_backend` takes a GPU for work of so many seconds on the CPU.

    Args:
        name: As for :func:`choose_backend`.
        seconds: About how long the CPU takes for the work.
        has_gpu: Whether ``auto`` finds a GPU; None to look for one.

    Raises:
        InputError: As :func:`choose_backend`.
    """
    wanted = _wanted(name)
    if wanted == "auto" and _is_sooner_done(seconds):
        return False
    if has_gpu is not None:
        return wanted != "cpu" and has_gpu
    return choose_backend(name).name != "cpu"


def explain_choice(name: str, seconds: float, used: str) -> str:
    """Return why :func:`choose_backend` took the backend that was used.

    Args:
        name: The name that was given.
        seconds: About how long the CPU takes.
        used: The name of the backend that was used.
    """
    wanted = _wanted(name)
    if wanted != "auto":
        source = "as given" if name != "auto" else "as GPUODDS_BACKEND has it"
        return source
    if used != "cpu":
        return "the CPU would take longer than a GPU with its start"
    if seconds < startup_seconds():
        start = format_duration(startup_seconds())
        return f"takes about {format_duration(seconds)}, a GPU {start} to start"
    return "no GPU is usable; gpuodds doctor says more"


def _wanted(name: str) -> str:
    """Return a name, or what ``GPUODDS_BACKEND`` has in place of ``auto``."""
    if not isinstance(name, str):
        raise InputError(f"backend {shown(name)}: {EXPECTED}")
    return os.environ.get("GPUODDS_BACKEND", "auto") if name == "auto" else name


def _is_worth_no_gpu(seconds: float) -> bool:
    """Return whether the CPU is done before a GPU begins; say so where that takes a while."""
    if not _is_sooner_done(seconds):
        return False
    if seconds >= SECONDS_WORTH_A_NOTE and _has_cupy():
        starting = format_duration(startup_seconds())
        _say_cpu(STAYS_ON_THE_CPU % (format_duration(seconds), starting))
    return True


def _is_sooner_done(seconds: float) -> bool:
    """Return whether work takes the CPU less than a GPU needs to start."""
    # What takes less than any start needs no look at the disk for compiled kernels.
    return seconds < startup.LAUNCHING_SECONDS or seconds < startup_seconds()


def _has_cupy() -> bool:
    from importlib.util import find_spec

    return find_spec("cupy") is not None


def _say_cpu(why: object) -> None:
    import logging  # most answers need none

    logging.getLogger("gpuodds").info(ON_THE_CPU, why)


def run_operation(
    operation: Operation[Counts],
    name: str,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Counted[Counts]:
    """Count on the backend of a name; with ``auto`` on the CPU if a GPU runs out of memory.

    Args:
        operation: The operation.
        name: As for :func:`choose_backend`.
        seconds: About how long the CPU takes; None for the operation's own estimate.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        The counts, and who counted them.

    Raises:
        InputError: As :func:`choose_backend`.
        MemoryError: The memory of the CPU ran out, or that of a GPU that was asked for.
    """
    wanted = _wanted(name)
    if wanted == "auto":
        seconds = operation.seconds(thread_count()) if seconds is None else seconds
        if _is_worth_no_gpu(seconds):
            wanted = "cpu"
    backend = _backend(wanted)
    if backend.name == "cpu":
        return backend.count(operation, progress)
    return run_or_fall_back(backend, name, lambda on: on.count(operation, progress))[0]


def run_on(name: str, seconds: float | None, work: Callable[[Backend], T]) -> tuple[T, Backend]:
    """Do work on the backend of a name; with ``auto`` on the CPU if a GPU has too little memory.

    Args:
        name: As for :func:`choose_backend`.
        seconds: As for :func:`choose_backend`.
        work: Called with the backend, and again with the CPU if memory ran out.

    Returns:
        What ``work`` returned, and the backend that did it.

    Raises:
        InputError: As :func:`choose_backend`.
        MemoryError: The memory of the CPU ran out, or that of a GPU that was asked for.
    """
    return run_or_fall_back(choose_backend(name, seconds), name, work)


def run_or_fall_back(backend: Backend, name: str, work: Callable[[Backend], T]) -> tuple[T, Backend]:
    """Do work on a backend that has been chosen by a name: the second half of :func:`run_on`."""
    try:
        return work(backend), backend
    except MemoryError as error:
        if _wanted(name) != "auto" or backend.name == "cpu":
            raise
        _say_cpu(error)
    backend = choose_backend("cpu")
    return work(backend), backend


def run_for(
    cards: Any,
    operation: Operation[Counts],
    name: str,
    progress: Progress | None = None,
) -> Counted[Counts]:
    """Count from an array as :func:`run_operation` does; for a CuPy array ``auto`` means a GPU.

    Raises:
        InputError: As :func:`run_operation`, or the name is ``"cpu"`` and the array a CuPy array.
        MemoryError: As :func:`run_operation`, or the memory of the GPU of a CuPy array ran out.
    """
    if not is_on_device(cards):
        return run_operation(operation, name, None, progress)
    if name == "cpu":
        raise InputError("backend 'cpu': CuPy arrays were given; expected auto or cuda")
    return run_operation(operation, "cuda" if name == "auto" else name, None, progress)


def check_name(name: str) -> BackendName:
    """Return the name of a backend that is available, without choosing one for ``auto``.

    Raises:
        InputError: As :func:`choose_backend`.
    """
    if _wanted(name) not in ("auto", "cpu"):
        choose_backend(name)
    return cast(BackendName, name)


def own_backend(array: Any) -> Backend:
    """Return the backend of an array's device: GPUs for a CuPy array, else the CPU."""
    return choose_backend("cuda" if is_on_device(array) else "cpu")


def refuse_repeated_rows(cards: Any, more: Any, what: str) -> None:
    """Refuse rows of cards that repeat a card, looking where they are.

    Args:
        cards: Rows of cards, a result of :func:`gpuodds.spots.arrays.as_cards`.
        more: Further cards of the same rows.
        what: The name of the arrays in the error.

    Raises:
        InputError: A row of ``cards``, together with that of ``more``, repeats a card.
    """
    from gpuodds.backends.operations.ranks import FindRepeatedCard

    row = own_backend(cards).count(FindRepeatedCard(cards, more)).counts
    if row >= 0:
        hand = [*cards[row].tolist(), *more[row].tolist()]
        raise InputError(f"{what}: row {row}: a hand cannot hold a card twice, found {hand}")


def thread_count() -> int:
    """Return the number of threads of the CPU backend: ``GPUODDS_THREADS``, else all usable cores.

    Raises:
        InputError: ``GPUODDS_THREADS`` is not a whole number from 1 to 1024.
    """
    from gpuodds.backends.cpu.compile.threads import thread_count

    return thread_count()


def run_rows(work: Callable[[int], None], count: int, progress: Progress | None = None) -> None:
    """Call ``work`` for each number below ``count``, in the threads of the CPU, one thread a call.

    Args:
        work: Does one row. The CPU backend starts no threads inside it.
        count: The number of rows.
        progress: Called with the fraction done, 0 to 1.
    """
    from gpuodds.backends.cpu.compile.threads import run_rows

    run_rows(work, count, progress)
