"""A batch that ends early keeps its whole rows, and goes on after them: the file of one run."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from needs import posix

from gpuodds.cli.main import run

RANKS = "23456789TJQKA"
ROWS = [
    f'{n},As{a}s,{b}h{c}d,"a ""note"", {n}\nmore"'
    for n, (a, b, c) in enumerate((a, b, c) for a in "KQJT" for b in RANKS for c in RANKS if b != c)
]
TEXT = "id,hand_1,hand_2,note\n" + "\n".join(ROWS) + "\n"
JSON = "".join(
    json.dumps({"hands": [f"As{a}s", f"{b}h{c}d"], "id": n}) + "\n"
    for n, (a, b, c) in enumerate((a, b, c) for a in "KQ" for b in RANKS for c in RANKS)
)
WORDS = ["--keep", "all", "--backend", "cpu"]
FORMS = ["csv", "jsonl"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text(TEXT)
    Path("rows.jsonl").write_text(JSON)
    return tmp_path


def timeless(data: bytes) -> bytes:
    return re.sub(rb'"seconds": [^,]*', b"", data)


def whole(form: str, source: str = "rows.csv", *words: str) -> bytes:
    """Return what an undisturbed run writes."""
    out = Path(f"whole.{form}")
    assert run(["equity", "--batch", source, "--out", str(out), *WORDS, *words]) in (0, 3)
    data = out.read_bytes()
    out.unlink()
    return data


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("source", ["rows.csv", "rows.jsonl"])
def test_a_file_that_was_cut_anywhere_goes_on(
    folder: Path, form: str, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sampled = ["--method", "monte-carlo", "--samples", "10000", "--seed", "3"]
    if source == "rows.csv":
        Path(source).write_text("\n".join(TEXT.split("\n")[:61]) + "\n")
    else:
        Path(source).write_text("".join(JSON.splitlines(keepends=True)[:60]))
    data = whole(form, source, *sampled)
    out = Path(f"out.{form}")
    for size in [0, 1, 20, len(data) // 3, len(data) // 2, len(data) - 1, len(data)]:
        out.write_bytes(data[:size])
        code = run(["equity", "--batch", source, "--out", str(out), "--resume", *WORDS, *sampled])
        assert code in (0, 3), capsys.readouterr().err
        assert timeless(out.read_bytes()) == timeless(data), size
    out.unlink()
    assert run(["equity", "--batch", source, "--out", str(out), "--resume", *WORDS, *sampled]) == code
    assert timeless(out.read_bytes()) == timeless(data)
    assert not list(folder.glob(".*"))


@pytest.mark.parametrize(
    ("form", "change", "message"),
    [
        ("csv", lambda data: data.replace(b"id,", b"key,", 1), "line 1: other columns"),
        ("csv", lambda data: b"my notes", "line 1: other columns"),
        ("csv", lambda data: data.replace(b"\n3,As", b"\n4,As", 1), "line 9: another row"),
        ("csv", lambda data: data + b"9999,AsKs\n", "more rows than the input has"),
        ("csv", lambda data: data.rpartition(b"\n4,")[0] + b"\nnotes", "line 10: another row"),
        ("csv", lambda data: data + data.split(b"\n", 1)[1], "more rows than the input has"),
        ("csv", lambda data: data[:900] + b"\0" * 99 + b"\n", ""),
        ("jsonl", lambda data: b"my notes", "line 1: another row"),
        ("jsonl", lambda data: b"my notes\n", "line 1: not JSON"),
        ("jsonl", lambda data: data.replace(b'"id": "3"', b'"id": "4"', 1), "line 4: another row"),
        ("jsonl", lambda data: data.replace(b'"AsKs"', b'"AsKd"', 1), "line 1: another row"),
        ("jsonl", lambda data: data + data, "more rows than the input has"),
        ("jsonl", lambda data: data + b"[]\n", "more rows than the input has"),
    ],
)
def test_another_file_is_refused_and_left(
    folder: Path, form: str, change, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("rows.csv").write_text(TEXT.partition("\n9,")[0] + "\n")
    out = Path(f"out.{form}")
    out.write_bytes(change(whole(form)))
    before = out.read_bytes()
    capsys.readouterr()
    assert run(["equity", "--batch", "rows.csv", "--out", str(out), "--resume", *WORDS]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"gpuodds: --resume: {out}: line ") and message in line
    assert line.endswith(": expected the answers to this input")
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "--resume: -: no file: expected CSV or JSON lines"),
        (["--out", "a.parquet"], "--resume: a.parquet: Parquet ends with an index of all rows"),
        (["--out", "folder.csv"], "folder.csv: cannot be written: Is a directory"),
    ],
)
def test_what_cannot_go_on(
    folder: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "folder.csv").mkdir()
    assert run(["equity", "--batch", "rows.csv", "--resume", *WORDS, *words]) == 2
    assert capsys.readouterr().err.startswith(f"gpuodds: {message}")


def command(out: str, *words: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "gpuodds",
        "equity",
        "--batch",
        "rows.csv",
        "--out",
        out,
        *WORDS,
        *words,
    ]


@pytest.mark.slow
@posix
@pytest.mark.parametrize("is_there", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_a_full_disk_keeps_whole_rows(folder: Path, form: str, is_there: bool) -> None:
    """A limit of the size of files ends a write as a full disk does: after a part of it."""
    out = Path(f"out.{form}")
    if is_there:
        out.write_text("before")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)); "
    script = limit + "from gpuodds.cli.main import main; main()"
    words = [sys.executable, "-c", script, *command(str(out))[3:]]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    said = rf"(\d+) rows are written to {out}; add --resume to go on"
    found = re.fullmatch(f"gpuodds: {out}: cannot be written: File too large; {said}", line)
    assert found is not None, line
    data = out.read_bytes()
    assert 0 < int(found[1]) == data.count(b'more"' if form == "csv" else b'"kept"') < len(ROWS)
    assert not list(folder.glob(".*"))
    assert run(["equity", "--batch", "rows.csv", "--out", str(out), *WORDS, "--resume"]) == 0
    assert timeless(out.read_bytes()) == timeless(whole(form))


@pytest.mark.slow
@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_keeps_whole_rows(folder: Path, number: int) -> None:
    """A file that was not there before grows under its name: even SIGKILL leaves its rows."""
    slow = ["id,hand_1,hand_2,hand_3,hand_4", *(f"{n},AsKs,QhQd,," for n in range(9))]
    slow += ["9,15%,30%,60%,80%"]  # takes minutes
    Path("rows.csv").write_text("\n".join(slow) + "\n")
    words = command("out.csv", "--no-table", "--method", "exact")
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 120
        out = Path("out.csv")
        while time.monotonic() < deadline and process.poll() is None:
            if out.exists() and out.read_bytes().count(b"\n") > 1:
                break
            time.sleep(0.02)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    rows = out.read_text().splitlines()[1:]
    assert 0 < len(rows) < len(slow) - 1
    if number == signal.SIGTERM:
        said = f"{len(rows)} rows are written to out.csv; add --resume to go on"
        *notes, last = err.splitlines()
        assert (process.returncode, last) == (143, f"gpuodds: interrupted; {said}")
        assert all(note.startswith("gpuodds: compiling") for note in notes)
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


@posix
def test_a_signal_in_a_callback_is_not_lost(folder: Path) -> None:
    """Python ignores what a callback of a weak reference raises; the end of an import calls one."""
    script = """
import signal, time, weakref
from gpuodds.cli.interrupt import end_soon_on_interrupt, exit_code, wait_on_interrupt

class Lock: pass

end_soon_on_interrupt()
try:
    with wait_on_interrupt():
        lock = Lock()
        reference = weakref.ref(lock, lambda gone: signal.raise_signal(signal.SIGTERM))
        del lock
        time.sleep(60)
except KeyboardInterrupt:
    raise SystemExit(exit_code())
"""
    words = [sys.executable, "-c", script]
    begin = time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True, timeout=90)
    assert (done.returncode, done.stderr) == (128 + signal.SIGTERM, "")
    assert time.monotonic() - begin < 30


def test_an_interrupt_in_exec_leaves_the_exit_code(folder: Path) -> None:
    """``python -m`` ends by SIGINT after one; imports of dataclasses exec texts."""
    Path("interrupted.py").write_text("""
import gpuodds.cli.main

def run():
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        return 143

gpuodds.cli.main.run = run
gpuodds.cli.main.main()
""")
    assert subprocess.run([sys.executable, "-m", "interrupted"], timeout=90).returncode == 143
