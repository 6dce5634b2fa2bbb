"""The benchmarks: a command each."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "cuda":  # what gpu/rows.py was called; a file of that name would hide NVIDIA's package
        from bench.gpu import rows

        return rows
    raise AttributeError(f"module 'bench' has no attribute {name!r}")
