"""Tables on terminals of any width: no line is longer, and no hand and no equity is cut."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from typing import Any

import needs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from gpuodds.cli.main import run
from gpuodds.cli.output import new_table, print_table

ANSI = re.compile(r"\x1b\[[0-9;]*m")
LONG = "AsKs,AdKd,QsJs,QdJd,7s6s,7d6d,9s8s,9d8d,5s4s,5d4d,3s2s,3d2d"  # no blank to wrap at
WIDTHS = [40, 80, 120]
LARGEST = "53,760,974,130,271,490,289,179,036,439,375,000"

COMMANDS: dict[str, tuple[list[str], list[str]]] = {
    "equity": (
        ["equity", "AsKs", "QhQd", "-k", "3", "--board", "2s7d9h"],
        ["AsKs", "QhQd", "each of 3 random", "20.0200 %", "42.6093 %", "12.4569 %"],
    ),
    "equity, large counts": (["equity", "AsKs", "-k", "22"], ["AsKs", "9.7672 %"]),
    "equity, sampled": (
        ["equity", "QQ+", "22+", "AK", "--method", "monte-carlo", "--samples", "1000", "--seed", "1"],
        ["QQ+", "22+", "AK"],
    ),
    "equity, by hand": (
        ["equity", "QQ+,AK", "22+,A2s+", "--by-hand"],
        ["QQ+,AK", "22+,A2s+", "63.7485 %", "36.2515 %", "82.4", "53.4", "28.9", "34.0"],
    ),
    "equity, graph": (
        ["equity", "QQ+,AK", "22+,A2s+", "--board", "2s7d9h", "--equity-graph"],
        ["QQ+,AK", "22+,A2s+", "56.7371 %", "share", "92.50"],
    ),
    "equity, made hands": (
        ["equity", "AsKs", "QhQd", "--board", "2s7d9h", "--made-hands"],
        ["28.2828 %", "71.7172 %", "four of a kind", "three of a kind"],
    ),
    "equity, next card": (
        ["equity", "AsKs", "QhQd", "--board", "2s7d9h", "--by-next-card"],
        ["28.2828 %", "95.45", "100.00", "86.36"],
    ),
    "range": (["range", "QQ+,AK:0.5"], ["26 combos of 34 hands"]),
    "range, presets": (["range", "--presets"], ["UTG+1", "16.0", "QTs+", "20 big blinds, call"]),
    "hits": (
        ["hits", "random:0.75", "--board", "2s7dKhTh3h"],
        ["open-ended straight draw", "pocket pair below top", "11.47", "29.14"],
    ),
    "hits, by hand": (
        ["hits", "AhQh,9h8h", "--board", "2s7hKhTs", "--by-hand"],
        ["AhQh", "9h8h", "no made hand"],
    ),
    "rank": (["rank", "AsKsQsJsTs"], ["royal flush"]),
    "table list": (["table", "list"], ["preflop-three-way", "2,427,685", "123,156,254"]),
    "table show": (["table", "show", "preflop-random", "AKs"], ["AKs", "67.0446 %", "9.7672 %"]),
    "table show, a pair": (
        ["table", "show", "preflop-heads-up", "AKs", "QQ"],
        ["AKs", "QQ", "18,834,720", "46.0485 %"],
    ),
    "table show, what it is": (["table", "show", "preflop-random"], ["3,718 rows"]),
    "five odds": (["five", "odds", "4h9d4c7dQs"], ["four of a kind", "1,533,939", "642,100"]),
    "five draw": (
        ["five", "draw", "4h9d4c7dQs", "-v", "2"],
        ["9d7dQs", "4h9d4c7dQs", "69.0921 %", "29.2661 %"],
    ),
    "five match": (["five", "match", "random", "random", "--hands", "2"], ["random"]),
    "kelly": (
        ["kelly", "AsKs", "-k", "1", "--bankroll", "123456789", "--simulate", "5", "--seed", "1"],
        ["67.0446 %", "half of the best"],
    ),
    "play match": (
        ["play", "match", "tight", "caller", "pokerbot", "--hands", "2"],
        ["tight", "caller", "pokerbot"],
    ),
    "play tournament": (
        ["play", "tournament", "tight", "caller", "random", "pokerbot", "--hands", "2"],
        ["tight", "caller", "random", "pokerbot"],
    ),
    "doctor": (["doctor"], ["packages: distributed", "tables: preflop-heads-up"]),
}


def lines_of(text: str) -> list[str]:
    return ANSI.sub("", text).splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_is_too_long_and_nothing_is_cut(
    name: str, width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words, whole = COMMANDS[name]
    if words[0] == "play":
        pytest.importorskip("pokerkit")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", str(width))
    capsys.readouterr()
    assert run(words) == 0
    text = ANSI.sub("", capsys.readouterr().out)
    assert max(map(len, text.splitlines())) <= width
    assert "\u2026" not in text
    assert [part for part in whole if part not in text] == []


@pytest.mark.parametrize("width", [*WIDTHS, None])
def test_a_long_range_is_printed_in_full(
    width: int | None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if width:
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        monkeypatch.setenv("COLUMNS", str(width))
    assert run(["equity", LONG, "AA", "--board", "2s7d9h"]) == 0
    text = ANSI.sub("", capsys.readouterr().out)
    assert re.search(r"AA +\d\d\.\d{4} %", text)
    if width is None:
        assert len(LONG) > 50 and text.count(LONG) == 2
        return
    assert max(map(len, text.splitlines())) <= width
    # The column of the hands, its lines put together.
    shares = text.partition("outcomes")[0]
    cells = [line.split()[0] for line in shares.splitlines() if line.strip()]
    found = "".join(cell for cell in cells if "," in cell or cell in LONG)
    assert found.startswith(LONG)
    hands = [hand for cell in cells if "," in cell for hand in cell.strip(",").split(",")]
    assert {*hands} <= {*LONG.split(",")}  # no line ends within a hand


def test_a_pipe_gets_every_column(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["table", "show", "preflop-random", "AKs"]) == 0
    text = capsys.readouterr().out
    assert LARGEST in text and "tie_1" in text and "no room for" not in text


def test_omitted_columns_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    assert run(["table", "show", "preflop-random", "AKs"]) == 0
    assert "no room for: outcomes, win, tie_1\n" in capsys.readouterr().out


@pytest.mark.slow
@needs.posix
@pytest.mark.parametrize("terminal", ["xterm", "dumb"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_width_is_that_of_the_terminal(width: int, terminal: str) -> None:
    import fcntl
    import pty
    import struct
    import termios

    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 30, width, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    done = subprocess.Popen(
        [sys.executable, "-P", "-m", "gpuodds", "table", "show", "preflop-random", "AKs"],
        stdin=subprocess.DEVNULL,
        stdout=inner,
        env={**environment, "TERM": terminal},
    )
    os.close(inner)
    text = b""
    while True:
        try:
            more = os.read(outer, 1 << 16)
        except OSError:
            more = b""
        if not more:
            break
        text += more
    os.close(outer)
    assert done.wait(60) == 0
    lines = lines_of(text.decode())
    assert max(map(len, lines)) <= width
    assert "9.7672 %" in text.decode() and "\u2026" not in text.decode()
    assert ("outcomes" in lines[1]) == (width > 40)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["equity", "AsKs", "QhQd", "--board", "2s7d9h"],
        ["range", "QQ+,AK:0.5"],
        ["table", "list"],
        ["five", "draw", "4h9d4c7dQs", "--method", "monte-carlo", "-n", "100"],
        ["play", "table", "--hands", "1", "--seed", "1"],
        ["table", "export", "preflop-random", "--out", "caf\u00e9.csv"],
        ["table", "plot", "preflop-random", "--out", "caf\u00e9.png"],
        ["equity", "--help"],
    ],
)
def test_ascii_is_enough(words: list[str], tmp_path: Any) -> None:
    if words[0] == "play":
        pytest.importorskip("pokerkit")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gpuodds", *words],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii() and b"Traceback" not in done.stderr


WORDS = st.text("abc", min_size=1, max_size=12)


@given(
    headers=st.lists(WORDS, min_size=1, max_size=7, unique=True),
    rows=st.lists(st.lists(WORDS, min_size=7, max_size=7), min_size=1, max_size=4),
    width=st.integers(20, 120),
    kept=st.sets(st.integers(0, 6)),
    wrap=st.none() | st.integers(0, 6),
)
def test_a_table_fits(
    headers: list[str], rows: list[list[str]], width: int, kept: set[int], wrap: int | None
) -> None:
    wrap = wrap if wrap is not None and wrap < len(headers) else None
    text = io.StringIO()
    table = new_table(*headers)
    for row in rows:
        table.add_row(*row[: len(headers)])
    keep = [header for place, header in enumerate(headers) if place in kept]
    print_table(Console(file=text, width=width, height=25), table, keep=keep, wrap=wrap)
    lines = text.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    words = text.getvalue().split()
    for place in kept - {wrap}:
        for row in rows if place < len(headers) else []:
            assert row[place] in words
