"""The benchmarks: a command each."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "cuda":  # what gpu.py was called; a file of that name would hide NVIDIA's package cuda
        from bench import gpu

        return gpu
    raise AttributeError(f"module 'bench' has no attribute {name!r}")
