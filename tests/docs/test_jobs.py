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


@pytest.mark.slow
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


@pytest.mark.weekly
def test_a_table_is_asked_a_million_times_and_in_duckdb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    assert run(["table", "build", "flop-random", "--opponents", "1", "--out", "flops"]) == 0
    capsys.readouterr()
    exec(block_with("docs/questions/look-ups.md", "table.take"), {})
    count, mean = capsys.readouterr().out.split()
    assert int(count) == 1_000_000
    assert float(mean) == pytest.approx(0.5, abs=0.001)
    exec(block_with("docs/questions/look-ups.md", "import duckdb"), {})
    assert "board" in capsys.readouterr().out


# The jobs that people come with, and a part of the page that does each; other tests run the pages.
JOBS = {
    "the odds of ace-king suited against three": ("README.md", "equity 1s 13s --opponents 3"),
    "against a tight raiser and a loose caller": ("README.md", "15% QQ+,AK random --board"),
    "jacks all-in against three, two folded": ("docs/questions/folded.md", "--folded"),
    "whom a shove of ten big blinds may call": ("docs/questions/shove.md", "--above pot-odds"),
    "double-suited aces against 15 % on all flops": ("docs/questions/omaha-flops.md", "$ds"),
    "a notebook of 100,000 flops": ("docs/questions/rows.md", "100_000"),
    "a table asked a million times, then in DuckDB": ("docs/questions/look-ups.md", "1_000_000"),
    "a server from Python and JavaScript": ("docs/server.md", "client.stream"),
    "a bot of thirty lines in a match": ("docs/play.md", "class PotOdds"),
    "Kelly's bet with side pots": ("docs/betting.md", "side_pots="),
}


@pytest.mark.parametrize("job", JOBS)
def test_every_job_has_its_page(job: str) -> None:
    page, part = JOBS[job]
    assert part in (ROOT / page).read_text("utf-8")
