"""The part of ``cupy.cuda`` that gpuodds uses, for devices that are not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import environ
from threading import Barrier, current_thread, local, main_thread
from types import SimpleNamespace
from typing import Any


class OutOfMemoryError(MemoryError):
    """An allocation is larger than the tests allow."""


class CUDARuntimeError(RuntimeError):
    """An error of the runtime, such as cudaErrorMemoryAllocation; no MemoryError, as in CuPy."""


class CUDADriverError(RuntimeError):
    """An error of the driver, such as CUDA_ERROR_OUT_OF_MEMORY; no MemoryError, as in CuPy."""


def driver_out_of_memory() -> CUDADriverError:
    """Return what the driver raises if a module does not load, or local memory does not grow."""
    return CUDADriverError("CUDA_ERROR_OUT_OF_MEMORY: out of memory")


def runtime_out_of_memory() -> CUDARuntimeError:
    """Return what the runtime raises if it has no memory."""
    return CUDARuntimeError("cudaErrorMemoryAllocation: out of memory")


_thread = local()


@dataclass
class Settings:
    """What the stand-in simulates, and what it has recorded.

    ``errors`` are raised by the next calls: by the name of a kernel, when it is launched; by
    ``"load"``, when a kernel is taken from its module; each list is used up from its front.
    """

    devices: int = int(environ.get("HOST_CUDA_DEVICES", "0"))  # set for a new process
    max_bytes: int = 1 << 32  # of one allocation
    free_bytes: int = 1 << 32  # of each device, whatever is allocated
    total_bytes: dict[int, int] = field(default_factory=dict)  # of devices that fill up
    seed: int = 0  # of the order of warps and lanes; 0: in turn
    schedule: int = int(environ.get("HOST_CUDA_SCHEDULE", "0"))  # the same, where a test has no seed
    architecture: str = environ.get("HOST_CUDA_ARCHITECTURE", "sm_90")
    checks: int = int(environ.get("HOST_CUDA_CHECKS", "0"))  # a sum of ptx.machine.Check
    processors: int = int(environ.get("HOST_CUDA_PROCESSORS", "2"))
    max_shared: int = 227 << 10  # bytes of a block, dynamic ones included
    refusals: int = 0
    largest: int = 0
    launches: list[tuple[int, str, int, int]] = field(default_factory=list)
    allocations: Counter[int] = field(default_factory=Counter)
    used: Counter[int] = field(default_factory=Counter)
    busy: set[int] = field(default_factory=set)  # devices that may still compute
    copies: int = 0  # of arrays, to the host
    errors: dict[str, list[Exception]] = field(default_factory=dict)
    meeting: Barrier | None = None  # where devices, a thread each, meet before their first launches
    met: set[int] = field(default_factory=set)

    @property
    def current(self) -> int:
        """The current device; each thread has its own."""
        return getattr(_thread, "current", 0)

    @current.setter
    def current(self, device: int) -> None:
        _thread.current = device

    def free(self, device: int) -> int:
        """Return the free memory of a device in bytes."""
        if device in self.total_bytes:
            return max(0, self.total_bytes[device] - self.used[device])
        return max(self.free_bytes, self.max_bytes)

    def raise_error(self, name: str) -> None:
        """Raise the next error that a test has arranged."""
        if self.errors.get(name):
            raise self.errors[name].pop(0)

    def launch(self, name: str, blocks: int, threads: int) -> None:
        """Record a launch, or raise the error that a test has arranged for it."""
        self.raise_error(name)
        if self.meeting and current_thread() is not main_thread() and self.current not in self.met:
            self.met.add(self.current)
            self.meeting.wait(timeout=60)
        self.launches.append((self.current, name, blocks, threads))

    def reset(self, devices: int) -> None:
        """Restore the defaults."""
        self.__init__(devices)  # type: ignore[misc]


settings = Settings()


def _device_count() -> int:
    if settings.devices == 0:
        raise CUDARuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected")
    return settings.devices


runtime = SimpleNamespace(
    CUDARuntimeError=CUDARuntimeError,
    getDeviceCount=_device_count,
    driverGetVersion=lambda: 13000,
    runtimeGetVersion=lambda: 13000,
    getDeviceProperties=lambda i: {"name": b"stand-in", "major": 9, "minor": 0},
)
driver = SimpleNamespace(
    CUDADriverError=CUDADriverError,
    # Each multiprocessor holds 2,048 threads.
    occupancyMaxActiveBlocksPerMultiprocessor=lambda function, threads, shared: 2048 // threads,
)
memory = SimpleNamespace(OutOfMemoryError=OutOfMemoryError)


class Device:
    """A device; entering it makes it the current one of this thread."""

    def __init__(self, number: int | None = None) -> None:
        self.id = settings.current if number is None else number
        assert 0 <= self.id < max(1, settings.devices), f"device {self.id}: cudaErrorInvalidDevice"
        self.before: list[int] = []

    def __enter__(self) -> Device:
        self.before.append(settings.current)
        settings.current = self.id
        return self

    def __exit__(self, *_: object) -> None:
        settings.current = self.before.pop()

    def __int__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def use(self) -> None:
        settings.current = self.id

    def synchronize(self) -> None:
        settings.busy.discard(self.id)

    @property
    def mem_info(self) -> tuple[int, int]:
        if self.id in settings.total_bytes:
            return settings.free(self.id), settings.total_bytes[self.id]
        return settings.free_bytes, settings.free_bytes

    @property
    def attributes(self) -> dict[str, int]:
        return {
            "MultiProcessorCount": settings.processors,
            "MaxSharedMemoryPerBlockOptin": settings.max_shared,
        }

    @property
    def compute_capability(self) -> str:
        return settings.architecture.removeprefix("sm_")


class Stream:
    """A stream of a device that runs at once; entering it makes it that device's current one."""

    null: Any = None

    def __init__(self, null: bool = False, non_blocking: bool = False) -> None:
        self.device_id = settings.current
        self.ptr = 0 if null else id(self)

    def synchronize(self) -> None:
        pass

    def __enter__(self) -> Stream:
        if self.device_id != settings.current:
            raise RuntimeError(
                f"The device that the stream is created on ({self.device_id}) does not match with the "
                f"current device ({settings.current})"
            )
        _streams().setdefault(self.device_id, []).append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _streams()[self.device_id].pop()

    @contextmanager
    def use(self) -> Iterator[None]:
        with self:
            yield


def _streams() -> dict[int, list[Stream]]:
    """Return the streams that this thread has entered, by device."""
    if not hasattr(_thread, "streams"):
        _thread.streams = {}
    found: dict[int, list[Stream]] = _thread.streams
    return found


def get_current_stream() -> Stream:
    """Return the current stream of the current device."""
    entered = _streams().get(settings.current)
    return entered[-1] if entered else Stream(null=True)
