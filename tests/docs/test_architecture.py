"""The way of a spot in docs/architecture.md is the way that a question takes."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType

import pytest
from paths import ROOT

import gpuodds

PACKAGE = Path(gpuodds.__file__).parent
PAGE = ROOT / "docs" / "architecture.md"


def stops() -> list[str]:
    """Return the files that the page names, one a step, relative to the package."""
    section = PAGE.read_text("utf-8").split("\n## The way of a spot\n")[1].split("\n##")[0]
    return re.findall(r"^\d+\. `gpuodds/([\w/]+\.py)`", section, re.MULTILINE)


def entered(question: str) -> list[str]:
    """Return the package's files in the order in which a question enters them first."""
    found: dict[str, None] = {}

    def watch(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(PACKAGE):
                found.setdefault(path.relative_to(PACKAGE).as_posix())

    exec(question)  # imports and compiles
    code = compile(question, "question", "exec")
    sys.setprofile(watch)
    try:
        exec(code)
    finally:
        sys.setprofile(None)
    return [*found]


def test_a_flop_spot_takes_twelve_stops_at_most_and_none_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # That a backend is available is checked with the other options, before the spot is read.
    monkeypatch.setattr("gpuodds.methods.options.check_name", lambda name: name)
    listed = stops()
    assert 8 <= len(listed) <= 12 and len({*listed}) == len(listed)
    way = entered('import gpuodds; gpuodds.equity("AsKs", opponents=3, board="2s7d9h", backend="cpu")')
    assert [stop for stop in way if stop in listed] == listed
