"""``gpuodds range`` as a user runs it: grid, dialects, JSON, and one line for bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gpuodds import Range, range_hits, range_presets
from gpuodds.cli.main import run


def _python(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python away from the checkout, so that the installed package runs."""
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, **environment},
    )


def test_a_person_sees_the_grid_and_each_dialect(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["range", "QQ+,AK:0.5,A5s@25,72o:0.75"]) == 0
    out, err = capsys.readouterr()
    lines = [line.rstrip() for line in out.splitlines()]
    assert err == "" and "\x1b" not in out
    assert lines[0] == "36 combos of 50 hands, 2.715 % of 1,326"
    assert [line.split()[0][:2] for line in lines[1:14]] == ["AA"] + [f"A{r}" for r in "KQJT98765432"]
    assert lines[1].startswith("AA \u2588  AKs\u2592  AQs ") and "A5s\u2591" in lines[1]
    assert "72o\u2593" in lines[13] and lines[13].endswith("22")
    assert lines[-3:] == [
        "plain  QQ+,72o:0.75,AK:0.5,A5s:0.25",
        "pio    AA,KK,QQ,72o:0.75,AKs:0.5,AKo:0.5,A5s:0.25",
        "gto+   QQ+,[75.0]72o[/75.0],[50.0]AK[/50.0],[25.0]A5s[/25.0]",
    ]


def test_a_long_text_stays_in_one_piece(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    assert run(["range", "50%"]) == 0
    pio = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("pio"))
    assert Range(pio.split()[1]) == Range("50%")


def test_words_are_one_range(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["range", "AA", "KK;QQ", "!KsKh", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["combos"] == 17


def test_json_has_every_field(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["range", "AsAh,KK:0.25", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == [
        *("schema", "text", "combos", "holdings", "percent", "grid", "weights", "game")
    ]
    assert (answer["schema"], answer["game"]) == ("gpuodds.range/1", "holdem")
    assert (answer["combos"], answer["holdings"]) == (2.5, 7)
    assert answer["percent"] == pytest.approx(250 / 1326)
    assert [len(row) for row in answer["grid"]] == [13] * 13 and answer["grid"][1][1] == 0.25
    assert answer["weights"]["AsAh"] == 1.0 and answer["weights"]["KsKh"] == 0.25
    assert len(answer["weights"]) == 7
    for text in answer["text"].values():
        assert Range(text) == Range("AsAh,KK:0.25")


@pytest.mark.parametrize("words", [["0%"], ["AA,!AA"]])
def test_a_range_may_be_without_hands(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["range", *words]) == 0
    out = capsys.readouterr().out
    assert out.startswith("0 combos of 0 hands, 0 % of 1,326") and "plain  0%" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["AKx+"], "AKx+: column 3: expected s, o, + or the end of the hand, found 'x'"),
        ([""], "'': column 1: expected a hand, such as AKs, or a range, such as QQ+, found the end"),
        (["AA\x1b[31m"], "AA\\x1b[31m: column 3: expected +, - or the end of the hand, found '\\x1b'"),
        (["15%", "--ranking", "guesses"], "ranking guesses: expected one of"),
        ([], "expected a RANGE, or --presets"),
        (["AA", "--presets"], "RANGE and --presets: expected one of them"),
        (["--toml"], "--toml: expected --presets beside it"),
        (["--presets", "--toml", "--json"], "--toml: expected --presets beside it, and no"),
        (["--presets-file", "none.toml"], "none.toml: cannot be read: No such file"),
        (["AA", "--nonsense"], "--nonsense"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["range", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("gpuodds: ")
    assert message in err and "\x1b" not in err


def test_a_terminal_without_unicode_sees_shades_too(tmp_path: Path) -> None:
    answer = _python(tmp_path, "-m", "gpuodds", "range", "AA,KK:0.5", PYTHONIOENCODING="ascii")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "AA #" in answer.stdout and "KK -" in answer.stdout and answer.stdout.isascii()


def test_help_shows_every_form_of_a_range(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["range", "--help"]) == 0
    assert "[50]AK[/50]" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--help"], ["range", "--help"], ["equity", "AsKs"]])
def test_commands_without_ranges_import_no_lark(words: list[str], tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from gpuodds.cli.main import run\n"
        f"run({words!r})\n"
        "heavy = {'lark', 'numpy', 'numba'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    answer = _python(tmp_path, "-c", script)
    assert answer.returncode == 0, answer.stderr


def test_the_command_shows_a_range(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["range", "QQ+,", "AK:0.5"]) == 0
    out = capsys.readouterr().out
    assert "26 combos of 34 hands, 1.961 %" in out and "QQ+,[50.0]AK[/50.0]" in out
    assert run(["range", "AKs", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema"] == "gpuodds.range/1" and set(answer["weights"].values()) == {1.0}
    assert set(answer["weights"]) == {"AsKs", "AhKh", "AdKd", "AcKc"}
    assert np.array(answer["grid"])[0, 1] == 1
    assert run(["range", "AKx"]) == 2
    assert capsys.readouterr().err == "gpuodds: AKx: column 3: expected s, o, + or the end of " + (
        "the hand, found 'x'\n"
    )


def test_presets_are_listed_by_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["range", "--presets"]) == 0
    out, err = capsys.readouterr()
    lines = [line.rstrip() for line in out.splitlines()]
    assert err == "" and lines[0] == "Opening raises, 6 players"
    assert " UTG    UTG/6      16.0   55+,A2s+,K9s+,QTs+,JTs,T9s,ATo+,KJo+" in lines
    assert run(["range", "--presets", "--game", "plo"]) == 0
    assert " AA**, double-suited" in capsys.readouterr().out
    assert run(["range", "--presets", "--game", "omaha6"]) == 0
    assert capsys.readouterr().out == "no presets of omaha6\n"


def test_presets_are_written_out_to_be_edited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["range", "--presets", "--toml"]) == 0
    own = tmp_path / "own.toml"
    own.write_text(capsys.readouterr().out.replace("55+,A2s+", "AA,A2s+"))
    assert range_presets(None, own)[1:3] == range_presets(None)[1:3]
    assert run(["range", "--presets-file", str(own), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["schema"], answer["game"]) == ("gpuodds.presets/1", "holdem")
    first = answer["sets"][0]
    assert first["note"].startswith("First to enter the pot, 100 big blinds")
    assert first["ranges"][0] == {
        "name": "UTG",
        "short": ["UTG/6", "LJ/6", "under the gun"],
        "text": "AA,A2s+,K9s+,QTs+,JTs,T9s,ATo+,KJo+",
        "percent": Range("AA,A2s+,K9s+,QTs+,JTs,T9s,ATo+,KJo+").percent,
    }
    own.write_text(own.read_text().replace("QTs+", "QTx", 1))
    assert run(["range", "--presets-file", str(own)]) == 2
    assert capsys.readouterr().err == (
        f"gpuodds: {own}: set Opening raises, 6 players: range UTG: "
        "AA,A2s+,K9s+,QTx,JTs,T9s,ATo+,KJo+: column 16: expected s, o, + or the end of the hand, "
        "found 'x'\n"
    )


def test_many_combos_are_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["range", "random", "--game", "omaha5"]) == 0
    assert capsys.readouterr().out.startswith("2,598,960 combos of 2,598,960 hands, 100 %")


def test_hits_keep_hands_of_a_range(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["range", "15%", "--board", "2s7dKhTh", "--hits", "flop: top pair+", "--hits", "!set+"]
    assert run([*words, "--json"]) == 0
    kept = range_hits("15%", board="2s7dKhTh").filter("flop: top pair+", "!set+")
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(kept.to_dict()))
    assert run(words) == 0
    assert f"plain  {kept}" in capsys.readouterr().out
    assert run(["range", "22+", "--board", "2s7d", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(
        json.dumps(Range("22+").without("2s7d").to_dict())
    )


def test_hits_keep_hands_of_omaha(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["QJT9", "--game", "omaha", "--board", "Ts8d2h", "--hits", "wrap"]
    assert run(["range", *words, "--json"]) == 0
    kept = range_hits("QJT9", game="omaha", board="Ts8d2h").filter("wrap")
    assert json.loads(capsys.readouterr().out)["combos"] == kept.weight > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["15%", "--hits", "set"], "--hits: expected --board with three to five cards"),
        (
            ["15%", "--hits", "set", "--board", "2s7d"],
            "board 2s7d: expected no cards, or three to five",
        ),
        (["15%", "--hits", "sett", "--board", "2s7d9h"], "holdem: did you mean set?"),
        (["--presets", "--hits", "set"], "--hits and --presets: expected one of them"),
        (["--presets", "--board", "2s"], "--board and --presets: expected one of them"),
    ],
)
def test_hits_that_cannot_be_read(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["range", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and message in err
