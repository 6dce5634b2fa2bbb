"""Python without asserts (``python -O``) gives the same answers: no assert does any work."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from server_fixture import ask, serving

import gpuodds

pytestmark = pytest.mark.slow

SPOTS: list[dict[str, Any]] = [
    {"hands": ["AsKs", "QhQd"], "board": "2s7d9h"},
    {"hands": ["AsKs"], "opponents": 3, "board": "2s7d9h"},
    {"hands": ["QQ+,AK", "22+,A2s+", "random"], "board": "2s7d9h4c"},
    {"hands": ["AsKsQsJs", "random"], "game": "omaha"},
    {"hands": ["AA:$ds", "KKQQ"], "board": "2s7d9h", "game": "omaha-hi-lo"},
    {"hands": ["AsAd", "99+"], "board": "6c7c8c", "game": "short-deck"},
    {"hands": ["AsKs", "22+"], "opponents": 1, "method": "monte-carlo", "samples": 20_000, "seed": 1},
]
SCRIPT = """
import json, sys, gpuodds
answers = [gpuodds.equity(**spot, backend="cpu").to_dict() for spot in json.loads(sys.argv[1])]
print(json.dumps([__debug__, answers, gpuodds.range_hits("QQ+,AK", board="2s7d9h").to_dict()]))
"""


def plain(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without what differs from one run to the next."""
    return {key: value for key, value in answer.items() if key not in ("seconds", "cached")}


def usual() -> list[dict[str, Any]]:
    """Return the answers of this process, which has its asserts."""
    return [plain(gpuodds.equity(**spot, backend="cpu").to_dict()) for spot in SPOTS]


def test_the_library_answers_the_same() -> None:
    command = [sys.executable, "-O", "-c", SCRIPT, json.dumps(SPOTS)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    has_asserts, answers, hits = json.loads(run.stdout)
    assert not has_asserts
    assert [plain(answer) for answer in answers] == json.loads(json.dumps(usual()))
    assert hits == json.loads(json.dumps(gpuodds.range_hits("QQ+,AK", board="2s7d9h").to_dict()))


def test_the_server_answers_the_same(tmp_path: Path) -> None:
    options = ("--workers", "1", "--backend", "cpu")
    with serving(tmp_path, *options, PYTHONOPTIMIZE="1") as address:
        answers = [ask(address, spot) for spot in SPOTS]
    assert [status for status, _ in answers] == [200] * len(SPOTS)
    for (_, found), wanted in zip(answers, usual(), strict=True):
        assert [player["equity"] for player in found["players"]] == [
            player["equity"] for player in wanted["players"]
        ]
