"""The part of ``cupy.cuda`` that gpuodds uses, for devices that are not there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import environ
from threading import local
from types import SimpleNamespace
from typing import Any


class OutOfMemoryError(MemoryError):
    """An allocation is larger than the tests allow."""


_thread = local()


@dataclass
class Settings:
    """What the stand-in simulates, and what it has recorded."""

    devices: int = int(environ.get("HOST_CUDA_DEVICES", "0"))  # set for a new process
    max_bytes: int = 1 << 32  # of one allocation
    free_bytes: int = 1 << 32
    seed: int = 0
    max_threads: int = 4
    refusals: int = 0
    largest: int = 0
    launches: list[tuple[int, str, int, int]] = field(default_factory=list)

    @property
    def current(self) -> int:
        """The current device; each thread has its own."""
        return getattr(_thread, "current", 0)

    @current.setter
    def current(self, device: int) -> None:
        _thread.current = device

    def reset(self, devices: int) -> None:
        """Restore the defaults."""
        self.__init__(devices)  # type: ignore[misc]


settings = Settings()


class CUDARuntimeError(RuntimeError):
    """An error of the runtime."""


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
memory = SimpleNamespace(OutOfMemoryError=OutOfMemoryError)


class Device:
    """A device; entering it makes it the current one of this thread."""

    def __init__(self, number: int | None = None) -> None:
        self.id = settings.current if number is None else number
        self.before: list[int] = []

    def __enter__(self) -> Device:
        self.before.append(settings.current)
        settings.current = self.id
        return self

    def __exit__(self, *_: object) -> None:
        settings.current = self.before.pop()

    def synchronize(self) -> None:
        pass

    @property
    def mem_info(self) -> tuple[int, int]:
        return settings.free_bytes, settings.free_bytes

    @property
    def attributes(self) -> dict[str, int]:
        return {"MultiProcessorCount": 2}

    @property
    def compute_capability(self) -> str:
        return "90"


class Stream:
    """A stream that runs at once."""

    null: Any = None
    ptr = 0

    def synchronize(self) -> None:
        pass

    @contextmanager
    def use(self) -> Iterator[None]:
        yield


def get_current_stream() -> Stream:
    return Stream()
