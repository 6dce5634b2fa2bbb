"""Bytes that are no text, numbers of thousands of digits, and files that are none: one clear line."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import needs
import pytest

import gpuodds
from gpuodds.cli.main import run

BIG = "9" * 5000
HALF = "\udcff"  # what Python makes of the byte 0xff on the command line


def line_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that refuses its input; return its one line."""
    capsys.readouterr()
    assert run(words) == 2
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert captured.out == "" and line.isprintable() and len(line) < 600
    return line.removeprefix("gpuodds: ")


def typed(
    words: list[str],
    data: bytes,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """Run a command on some bytes at standard input; return what it prints."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
    assert run(words) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.mark.parametrize("answer", ["r0000000109", f"r{BIG}", "r٣", "r0", "r 1000000005"])
def test_five_play_asks_again(
    answer: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = f"{answer}\nq\n".encode()
    out = typed(["five", "play", "--seed", "1"], data, capsys, monkeypatch)
    shown = answer if len(answer) <= 40 else f"{answer[:40]}..."
    assert f"  {shown}: expected c check, r5 or r10 raise (at most 95)\n" in out
    assert out.count("q leave: ") == 2


@pytest.mark.parametrize(
    ("words", "rest", "refusal"),
    [
        (["five", "play", "--seed", "1"], b"q\n", "expected c check, r5 or r10 raise (at most 95)"),
        (["play", "table", "--seed", "1"], b"q\n", "expected f fold, c call 200, r AMOUNT raise to"),
        (["advise", "--backend", "cpu"], b"995\nq\n", "expected a whole number"),
    ],
)
def test_bytes_that_are_no_text_are_refused_like_other_answers(
    words: list[str],
    rest: bytes,
    refusal: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if words[0] == "play":
        pytest.importorskip("pokerkit")
    data = b"\xff\x1b[2m\n" + BIG.encode() + b"\n" + rest
    out = typed(words, data, capsys, monkeypatch)
    assert f"  \\xff\\x1b[2m: {refusal}" in out and f"  {BIG[:40]}...: {refusal}" in out
    assert out.isascii() or words[0] == "play"  # the suits
    assert "\x1b" not in out


@needs.posix
def test_bytes_of_a_pipe_in_any_locale() -> None:
    for more in ({}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        command = [sys.executable, "-P", "-m", "gpuodds", "five", "play", "--seed", "1"]
        ended = subprocess.run(
            command, input=b"\xff\nq\n", capture_output=True, env={**os.environ, **more}
        )
        assert (ended.returncode, ended.stderr) == (0, b"")
        assert b"  \\xff: expected c check" in ended.stdout


TRANSCRIPTS = [
    (
        b"# gpuodds advise --multiple '0.5\nBankroll: 5\n",
        "line 1: --multiple '0.5: expected its quotes",
    ),
    (
        b"# gpuodds advise --stack\nBankroll: 5\n",
        "line 1: expected # gpuodds advise and some of --model",
    ),
    (b"Bankroll: 5\nPot: \xff\n", "line 2: expected text in UTF-8, found \\xff"),
    (f"Bankroll: {BIG}\n".encode(), f"line 1, Bankroll: {BIG[:40]}...: expected a whole number"),
    (b"\xff\xfeB\0a\0", "line 1: expected text in UTF-8, found \\xff"),
    (b"#" * 10_000_001, "expected a transcript of at most 10,000,000 bytes"),
]


@pytest.mark.parametrize(("data", "message"), TRANSCRIPTS, ids=range(len(TRANSCRIPTS)))
def test_transcripts_that_cannot_be_read(
    data: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "session.txt"
    path.write_bytes(data)
    assert line_of(["advise", "--replay", str(path)], capsys).startswith(f"{path}: {message}")


def test_a_transcript_of_windows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a byte order mark and CRLF, as an editor there leaves it."""
    path = tmp_path / "session.txt"
    path.write_bytes(b"\xef\xbb\xbf# gpuodds advise --minimum 10\r\nBankroll: 995\r\n")
    assert run(["advise", "--replay", str(path), "--save", str(tmp_path / "again.txt")]) == 0
    capsys.readouterr()
    first = (tmp_path / "again.txt").read_text().splitlines()[:2]
    assert first == ["# gpuodds advise --minimum 10", "Bankroll: 995"]


@pytest.mark.parametrize(
    "words",
    [
        ["advise", "--replay"],
        ["equity", "--batch"],
        ["range", "--presets", "--presets-file"],
        ["serve", "--presets"],
        ["play", "acpc", "localhost", "9", "--definition"],
    ],
)
def test_files_that_are_no_text(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"#\n\xff")
    line = line_of([*words, str(path)], capsys)
    assert line.startswith(f"{path}: line 2: expected text in UTF-8") or words[-1] == "--batch"
    for other in (tmp_path, tmp_path / "none", Path(f"{HALF}\x1b[2J"), tmp_path / ("x" * 300)):
        line = line_of([*words, str(other)], capsys)
        assert ": cannot be read: " in line


@pytest.mark.parametrize(
    "words",
    [
        ["equity", HALF],
        ["equity", "AA", f"KK{HALF}"],
        ["equity", "AA", "--board", HALF],
        ["equity", "AA", "--dead", HALF],
        ["equity", "AA", "--folded", HALF],
        ["equity", "AA", "--game", HALF],
        ["equity", "AA", "--seed", HALF],
        ["equity", f"@{HALF}"],
        ["range", HALF],
        ["hits", HALF],
        ["rank", HALF],
        ["kelly", HALF, "--bankroll", "5"],
        ["kelly", "AsAh", "--bankroll", HALF],
        ["five", "odds", HALF],
        ["table", "show", HALF],
        ["table", "show", "x" * 5000],
        ["table", "verify", "x" * 5000],
        ["play", "acpc", HALF, "9"],
        ["play", "acpc", "x" * 5000, "9"],
        ["play", "match", "caller", "caller", "--blinds", BIG],
        ["games", f"{HALF}\x1b[2J"],
        [HALF],
    ],
)
def test_words_that_are_no_text(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    line_of(words, capsys)


def test_names_of_ranges_that_are_too_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GPUODDS_RANGES", str(tmp_path))
    line = line_of(["equity", f"#{'x' * 5000}#"], capsys)
    assert line.startswith("#xxxxx") and "expected a name" in line


@pytest.mark.parametrize(
    "ask",
    [
        lambda: gpuodds.equity("\ud800"),
        lambda: gpuodds.equity(["AA", "KK\udfff"]),
        lambda: gpuodds.equity("AA", board="\ud800"),
        lambda: gpuodds.equity("AA", dead="\ud800"),
        lambda: gpuodds.equity("AA", folded=["\ud800"]),
        lambda: gpuodds.equity("AA", game="\ud800"),  # type: ignore[arg-type]
        lambda: gpuodds.Range("\ud800"),
        lambda: gpuodds.range_hits("\ud800"),
        lambda: gpuodds.flop_report("\ud800"),
    ],
)
def test_half_characters_from_python(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(gpuodds.InputError) as error:
        ask()
    assert str(error.value).isprintable()


def test_values_that_no_file_can_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"hands": ["AA"], "x": "\\ud800"}\n{"hands": ["AA"], "x": "fine"}\n')
    words = ["equity", "--batch", str(rows), "--keep", "all", "--backend", "cpu", "--out"]
    assert run([*words, str(tmp_path / "out.csv")]) == 3
    _, wrong, right = (tmp_path / "out.csv").read_text().splitlines()
    assert r"the values to keep have \ud800, half of a character" in wrong and "fine" in right
    # As JSON it goes through.
    assert run([*words, str(tmp_path / "out.jsonl")]) == 0
    assert r'"x": "\ud800"' in (tmp_path / "out.jsonl").read_text()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_behind_standard_output() -> None:
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [sys.executable, "-P", "-m", "gpuodds", "equity", "AA"], stdout=full, stderr=subprocess.PIPE
        )
    message = b"gpuodds: standard output: cannot be written: No space left on device\n"
    assert (ended.returncode, ended.stderr) == (2, message)
