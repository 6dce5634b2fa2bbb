"""What would fail on Windows or macOS and pass here: names of files, texts, integers, processes."""

from __future__ import annotations

import ast
import errno
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

from gpuodds.machine.files import reader_has_gone
from gpuodds.server.routes import page

pytestmark = pytest.mark.slow

SOURCES = [path for room in ("gpuodds", "cli") for path in sorted((ROOT / room).rglob("*.py"))]
FOLDERS = ("gpuodds", "cli", "kernels", "tests", "bench", "docs", ".ci")
LONGEST = 120  # characters below the repository: Windows takes 260 for a whole path


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call with the name that is called, its last part alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            yield getattr(function, "attr", getattr(function, "id", "")), node


def trees() -> Iterator[tuple[str, ast.Module]]:
    assert len(SOURCES) > 200
    for path in SOURCES:
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8"))


def is_text_mode(call: ast.Call, place: int) -> bool:
    modes = [
        *call.args[place : place + 1],
        *(word.value for word in call.keywords if word.arg == "mode"),
    ]
    return not any(isinstance(mode, ast.Constant) and "b" in str(mode.value) for mode in modes)


def has_encoding(call: ast.Call, place: int) -> bool:
    return len(call.args) > place or any(word.arg == "encoding" for word in call.keywords)


def test_texts_have_an_encoding() -> None:
    """Without one Windows takes its code page: cp1252 in Western Europe and America."""
    found = []
    for name, tree in trees():
        for function, call in calls(tree):
            by_name = isinstance(call.func, ast.Name)
            if function == "read_text" and by_name:
                continue  # a function of ours, which reads hands
            if function in ("read_text", "write_text"):
                right = has_encoding(call, function == "write_text")
            elif function == "open" and ast.unparse(call.func) != "os.open":
                place = int(by_name)
                right = not is_text_mode(call, place) or has_encoding(call, place + 2)
            else:
                continue
            if not right:
                found.append(f"{name}:{call.lineno}")
    assert found == []


def test_processes_are_spawned() -> None:
    """Windows cannot fork, macOS should not: what spawns here is what spawns there."""
    spawned = 0
    for name, tree in trees():
        for function, call in calls(tree):
            assert function not in ("fork", "forkpty", "set_start_method"), name
            if function == "get_context":
                assert isinstance(call.args[0], ast.Constant) and call.args[0].value == "spawn", name
                spawned += 1
            if function in ("Process", "Pool"):
                assert ast.unparse(call.func) in ("context.Process", "Pool"), (
                    name
                )  # Pool is the server's
            if function == "ProcessPoolExecutor":
                assert len(call.args) > 1 and ast.unparse(call.args[1]) == "context", name
    assert spawned == 4


POSIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}


def test_no_module_of_posix_is_imported() -> None:
    for name, tree in trees():
        # Where it is asked for the system before.
        if name in ("gpuodds/machine/system.py", "gpuodds/machine/trust.py"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert not POSIX_ONLY & {alias.name for alias in node.names}, name
            if isinstance(node, ast.ImportFrom):
                assert node.module not in POSIX_ONLY, name


LONG = re.compile(
    r"\b(np\.u?long|c_u?long)\b|dtype\(?=?\s*[\"'][<>=]?[lL][\"']|np\.int_\b|[\"']u?long[\"']"
)


def test_no_integer_is_a_long_of_c() -> None:
    """A ``long`` has 32 bits on Windows: neither NumPy's nor C's, nor CUDA's, is ever used."""
    for path in SOURCES:
        assert not LONG.search(path.read_text("utf-8")), path
    kernels = sorted((ROOT / "kernels").rglob("*.cu*"))
    assert len(kernels) > 30
    for path in kernels:
        code = re.sub(r"//.*", "", path.read_text("utf-8"))
        assert not re.search(r"\blong\b", code.replace("long long", "")), path
        assert not re.search(r"\b\d+[uU]?[lL]\b", code), path


DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.I)


def files() -> list[Path]:
    found = [path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    return [path for path in found if "__pycache__" not in path.parts]


def test_names_of_files_are_allowed_everywhere() -> None:
    """No two are one where capitals do not count, and none is a device or a character of Windows."""
    names = files()
    assert len(names) > 700
    assert [
        name for name, times in Counter(str(name).casefold() for name in names).items() if times > 1
    ] == []
    for name in names:
        assert len(name.as_posix()) <= LONGEST and name.as_posix().isascii(), name
        assert not any(DEVICE.match(part) for part in name.parts), name
        assert not re.search(r'[<>:"\\|?*\x00-\x1f]', name.as_posix()), name
        assert not any(part.endswith((".", " ")) for part in name.parts), name


def test_the_page_is_served_whatever_the_registry_says() -> None:
    """On some Windows machines .js is registered as plain text, which a browser refuses to run."""
    types = {name: page.MEDIA_TYPES[Path(name).suffix] for name in page.files()}
    assert types["app.js"] == "text/javascript" and types["style.css"] == "text/css"
    assert types["index.html"] == "text/html" and types["plex-400.woff2"] == "font/woff2"
    assert [name for name, kind in types.items() if kind == "text/plain"] == ["plex-LICENSE.txt"]


COMMANDS = {
    "hands": ["equity", "A\u2660K\u2660", "QQ", "--board", "2s7d9h"],
    "samples": [
        "equity",
        "15%",
        "QQ",
        "30%",
        "--method",
        "monte-carlo",
        "--samples",
        "1000",
        "--seed",
        "1",
    ],
    "range": ["range", "AA,KK:0.5"],
    "presets": ["range", "--presets"],
    "hits": ["hits", "15%", "--board", "2s7d9h"],
    "games": ["games"],
    "doctor": ["doctor"],
    "refused": ["equity", "A\u2660\u2654", "QQ"],
}


@pytest.mark.parametrize(
    ("command", "encoding"),
    [("hands", "cp1252"), ("hands", "cp437"), *((command, "ascii") for command in COMMANDS)],
)
def test_a_console_without_unicode(command: str, encoding: str, tmp_path: Path) -> None:
    """As when the output goes to a file or a pipe on Windows."""
    environment: dict[str, Any] = {
        **os.environ,
        "PYTHONIOENCODING": f"{encoding}:strict",
        "PYTHONUTF8": "0",
    }
    done = subprocess.run(
        [sys.executable, "-m", "gpuodds", *COMMANDS[command]],
        cwd=tmp_path,
        env={**environment, "GPUODDS_BACKEND": "cpu"},
        capture_output=True,
    )
    out, err = done.stdout.decode(encoding), done.stderr.decode(encoding)
    assert "Traceback" not in err
    if command == "refused":
        assert (done.returncode, out) == (2, "") and err.startswith("gpuodds: A\\u2660\\u2654")
    else:
        assert done.returncode == 0 and out and not re.search(r"\\u[0-9a-f]{4}", out), err


@pytest.mark.parametrize(
    ("system", "error", "is_quiet"),
    [
        ("win32", OSError(errno.EINVAL, "Invalid argument"), True),
        ("win32", OSError(errno.EINVAL, "Invalid argument", "table.csv"), False),
        ("win32", OSError(errno.EIO, "Input/output error"), False),
        ("linux", OSError(errno.EINVAL, "Invalid argument"), False),
        ("linux", BrokenPipeError(errno.EPIPE, "Broken pipe"), True),
    ],
)
def test_an_error_of_a_pipe_without_a_reader(
    system: str, error: OSError, is_quiet: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """tests/cli/test_streams.py has what a command does then."""
    monkeypatch.setattr(sys, "platform", system)
    assert reader_has_gone(error) is is_quiet
