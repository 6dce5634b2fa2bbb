"""``gpuodds advise``: typed, piped, saved and replayed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import needs
import pytest
from paths import ROOT

from gpuodds.cli.main import run

EXAMPLE = ROOT / "tests" / "transcripts" / "example-6.txt"


def typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, *arguments: str
) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    capsys.readouterr()
    assert run(["advise", "--backend", "cpu", *arguments]) == 0
    return capsys.readouterr().out


def test_example_6(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["advise", "--replay", str(EXAMPLE), "--backend", "cpu"]) == 0
    captured = capsys.readouterr()
    for line in ("You should bet: 1538", "You should bet: 1555", "You should bet: 2151", "Pot: 450"):
        assert f"{line}\n" in captured.out
    assert captured.err == ""
    arguments = ["--model", "exact", "--backend", "cpu"]
    assert run(["advise", "--replay", str(EXAMPLE), "--pot-mode", "cassandra", *arguments]) == 0
    captured = capsys.readouterr()
    for bet in (1650, 1633, 2064):
        assert f"You should bet: {bet}\n" in captured.out
    assert "line 14: You should bet 1538 then, 1650 now" in captured.err


def test_a_saved_session_resumes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept, again = tmp_path / "kept.txt", tmp_path / "again.txt"
    text = "995\n5/10\nAs\nzz\n?\nAs\nKs\nu\n"
    out = typed(monkeypatch, capsys, text, "--save", str(kept), "--minimum", "10")
    for line in (
        "zz: column 1",
        "u takes the last answer back",
        "As: has been",
        "taken back",
        "==Hole Cards==",
    ):
        assert line in out
    # Undone and invalid answers are not in it.
    assert kept.read_text().splitlines()[:5] == [
        "# gpuodds advise --minimum 10",
        "Bankroll: 995",
        "Pot: 5/10",
        "==Hole Cards==",
        "Input card: As",
    ]
    out = typed(
        monkeypatch,
        capsys,
        "Ks\n5\nx\n2s\nq\n",
        "--replay",
        str(kept),
        "--go-on",
        "--save",
        str(again),
    )
    assert "Input card: 2s" in again.read_text()
    assert again.read_text().startswith("# gpuodds advise --minimum 10\n")


def test_the_stack_is_kept_with_the_transcript(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "kept.txt"
    text = "10000\n?\n\n0/500\nAsAh\n"
    out = typed(monkeypatch, capsys, text, "--save", str(kept), "--stack", "500")
    assert "Stack [500]: " in out and "your chips at the table" in out and "You should bet: 500" in out
    assert kept.read_text().startswith("# gpuodds advise --stack 500\nBankroll: 10000\nStack: 500\n")
    again = typed(monkeypatch, capsys, "", "--replay", str(kept))
    assert "You should bet: 500" in again


def test_nothing_to_take_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nothing to take back" in typed(monkeypatch, capsys, "u\n")


@needs.posix
def test_on_a_terminal(tmp_path: Path) -> None:
    # Ctrl-D leaves cleanly, with code 0.
    import pty

    main, other = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "gpuodds", "advise", "--backend", "cpu"],
        cwd=tmp_path,
        stdin=other,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.write(main, b"5000\n")
    os.write(main, b"100\n")
    os.write(main, b"\x04")
    out, err = process.communicate(timeout=60)
    os.close(main)
    os.close(other)
    assert process.returncode == 0 and err == ""
    assert "==Hole Cards==" in out


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (None, [], "missing.txt: cannot be read: No such file or directory"),
        ("Bankroll: x\n", [], "line 1, Bankroll: x: expected a whole number"),
        ("# gpuodds advise --bad 1\n", [], "line 1: expected # gpuodds advise and some of"),
        ("", ["--model", "hers"], "model hers: expected one of exact, cassandra"),
        ("", ["--multiple", "x"], "--multiple x: expected 0 to 1"),
        ("", ["--multiple", "1e400"], "multiple inf: expected 0 to 1"),
        ("", ["--multiple", "9" * 5000 + "x"], "9...: expected 0 to 1"),
        ("", ["--minimum", "-1"], "minimum -1: expected at least 0"),
        ("", ["--stack", "1e400"], "--stack 1e400: expected a whole number"),
        ("", ["--stack", "0"], "stack 0: expected at least 1"),
        ("", ["--multiple", "7"], "multiple 7.0: expected 0 to 1"),
        ("", ["--save", "/nowhere/x.txt"], "/nowhere/x.txt: cannot be written: No such file"),
    ],
)
def test_bad_input(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    text: str | None,
    arguments: list[str],
    message: str,
) -> None:
    path = tmp_path / "missing.txt"
    if text is not None:
        path.write_text(text)
    assert run(["advise", "--replay", str(path), *arguments]) == 2
    assert message in capsys.readouterr().err.splitlines()[-1]
