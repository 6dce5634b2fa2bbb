"""The examples of docs/examples that play by buckets, on small tables, as commands."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
BUCKETS = {"flop": ("ochs", "40"), "turn": ("ochs", "40"), "river": ("emd", "30")}


def run(*words: str) -> str:
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="plays in OpenSpiel")
@pytest.mark.slow
def test_buckets_in_openspiel_and_pokerkit(tmp_path: Path) -> None:
    tables = []
    for street, (distance, buckets) in BUCKETS.items():
        tables.append(str(tmp_path / street))
        words = ["--street", street, "--buckets", buckets, "--distance", distance, "--sample", "20000"]
        run(
            "-P", "-m", "gpuodds", "abstraction", "build", *words, "--workers", "2", "--out", tables[-1]
        )

    played = run(str(EXAMPLES / "pokerkit_values.py"), "--tables", *tables, "--deals", "300")
    won, error = map(float, re.findall(r"[+-]?\d+\.\d", played))
    assert won - error > 0

    trained = run(
        str(EXAMPLES / "openspiel_buckets.py"), "--tables", *tables, "--deals", "5000", "--hands", "500"
    )
    first, *others = trained.splitlines()
    assert re.fullmatch(r"5,000 deals: \d+,\d{3} situations", first)
    assert [line.partition(":")[0] for line in others] == [
        "against a bot that always calls",
        "against a bot that moves at random",
    ]
    won, error = map(float, re.findall(r"[+-]?\d+(?= |\))", others[1].partition(":")[2])[::2])
    assert won > -error
