"""What the tests of ``gpuodds equity --batch`` share."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gpuodds.cli.main import run

Batch = Callable[..., tuple[int, str, str]]


@pytest.fixture
def batch(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Batch:
    """Return a function that answers the rows of a text, as a file or as standard input, on the CPU."""
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")

    def answer(text: str | bytes, *options: str, name: str = "rows.csv") -> tuple[int, str, str]:
        data = text if isinstance(text, bytes) else text.encode()
        path = name
        if name == "-":
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        else:
            path = str(tmp_path / name)
            Path(path).write_bytes(data)
        code = run(["equity", "--batch", path, *options])
        return code, *capsys.readouterr()

    return answer
