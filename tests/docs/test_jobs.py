"""The jobs that people come with, done as the pages say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

from gpuodds.cli.main import run


def block_with(page: str, text: str) -> str:
    """Return the fenced block of a page that has a text."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.M | re.S)
    (found,) = (block for block in blocks if text in block)
    return str(found)


def test_a_bot_of_thirty_lines_in_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pokerkit")
    bot = block_with("docs/play.md", "class PotOdds")
    assert bot.count("\n") <= 30
    (tmp_path / "bot.py").write_text(bot)
    monkeypatch.chdir(tmp_path)
    assert run(["play", "match", "bot.py:PotOdds", "caller", "--hands", "20", "--json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    assert players[0]["name"] == "bot.py:PotOdds"
    assert players[0]["chips"] == -players[1]["chips"] > 0
    assert {"call", "raise"} <= set(players[0]["actions"])


@pytest.mark.parametrize("language", ["js", "py"])
def test_a_decision_from_a_server_with_a_token(language: str, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    from server_fixture import serving

    node = shutil.which("node")
    if language == "js" and node is None:
        pytest.skip("node is not installed")
    module = ROOT / "gpuodds" / "server" / "static" / "gpuodds.js"
    shutil.copy(module, tmp_path)
    program = tmp_path / ("decide.mjs" if language == "js" else "decide.py")
    start = "async function decide" if language == "js" else "def decide"
    program.write_text(block_with("docs/server.md", start))
    with serving(tmp_path, GPUODDS_TOKEN="a token") as address:
        words = [str(node) if language == "js" else sys.executable, program.name, address, "a token"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.stdout.split(), done.stderr) == (["call", "raise", "fold"], "")
