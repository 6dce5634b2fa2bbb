"""An editor finds wrong uses of the public functions before the program runs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

USES = ROOT / "tests" / "repository" / "wrong_uses.py"


@pytest.mark.slow
def test_pyright_finds_every_wrong_use() -> None:
    pyright = shutil.which("pyright", path=str(Path(sys.executable).parent))
    if pyright is None:
        pytest.skip("pyright is not installed")
    words = [pyright, "--outputjson", "--pythonpath", sys.executable, str(USES)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300)
    found: dict[int, str] = {}
    for fault in json.loads(done.stdout)["generalDiagnostics"]:
        if fault["severity"] == "error":
            line = fault["range"]["start"]["line"] + 1
            found[line] = found.get(line, "") + fault["message"]
    wrong = {
        number: line.partition("# wrong: ")[2]
        for number, line in enumerate(USES.read_text().splitlines(), 1)
        if "# wrong: " in line
    }
    assert len(wrong) > 25
    assert {number: part in found.get(number, "") for number, part in wrong.items()} == dict.fromkeys(
        wrong, True
    )
    assert set(found) == set(wrong)
