"""Every file that a command writes: through links, into pipes and devices, never in their place."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from needs import posix

import gpuodds
from gpuodds.cli.main import run
from gpuodds.errors import InputError
from gpuodds.tables.export import export_to_file, format_of

TRANSCRIPT = str(Path(__file__).parents[1] / "transcripts" / "example-1.txt")
MATCH = ["match", "tight", "caller", "--hands", "3"]
WRITERS = {
    "table export": ("pairs.csv", ["table", "export", "preflop-random", "--out"]),
    "equity": ("graph.png", ["equity", "AKs", "QQ", "--plot"]),
    "table plot": ("map.png", ["table", "plot", "preflop-random", "--out"]),
    "kelly": ("bet.svg", ["kelly", "AsKs", "-k", "1", "--bankroll", "100", "--plot"]),
    "five match": ("match.pdf", ["five", "match", "random", "random", "--hands", "3", "--plot"]),
    "five plot": ("fold.png", ["five", "plot", "fold", "--out"]),
    "play match, plot": ("match.png", ["play", *MATCH, "--plot"]),
    "play match, csv": ("match.csv", ["play", *MATCH, "--csv"]),
    "play match, history": ("match.phhs", ["play", *MATCH, "--history"]),
    "advise": ("session.txt", ["advise", "--replay", TRANSCRIPT, "--backend", "cpu", "--save"]),
}
BEGINS = {
    "pairs.csv": b"hand,opponents,outcomes,win,",
    "match.csv": b"deal,tight (0),caller (1)",
    "match.phhs": b"[1]\nvariant = ",
    "session.txt": b"# gpuodds advise",
}
MAGIC = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
ENDS = {".png": b"IEND\xaeB`\x82", ".svg": b"</svg>", ".pdf": b"%%EOF"}


@pytest.fixture(params=WRITERS)
def writer(request: pytest.FixtureRequest) -> tuple[str, list[str]]:
    name, words = WRITERS[request.param]
    if words[0] == "play":
        pytest.importorskip("pokerkit")
    return name, words


def is_right(name: str, data: bytes) -> bool:
    suffix = Path(name).suffix
    begin = BEGINS.get(name) or MAGIC[suffix]
    return data.startswith(begin) and data.rstrip(b"\n").endswith(ENDS.get(suffix, b""))


@pytest.mark.slow
@posix
def test_a_link_is_written_through(tmp_path: Path, writer: tuple[str, list[str]]) -> None:
    name, words = writer
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / f"target{Path(name).suffix}", tmp_path / name
    target.write_bytes(b"before")
    target.chmod(0o600)
    link.symlink_to(target)
    assert run([*words, str(link)]) == 0
    assert link.is_symlink() and is_right(name, target.read_bytes())
    assert target.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in (tmp_path / "there").iterdir()] == [target.name]


@pytest.mark.slow
@posix
def test_a_pipe_is_streamed_to(tmp_path: Path, writer: tuple[str, list[str]]) -> None:
    name, words = writer
    pipe = tmp_path / name
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert run([*words, str(pipe)]) == 0
    reader.join(20)
    assert is_right(name, read[0]) and pipe.is_fifo()
    if name == "session.txt":
        assert read[0].count(b"# gpuodds advise") == 1


@pytest.mark.slow
def test_a_folder_is_refused_as_a_file(
    tmp_path: Path, writer: tuple[str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    name, words = writer
    folder = tmp_path / name
    folder.mkdir()
    assert run([*words, str(folder)]) == 2
    err = capsys.readouterr().err.splitlines()[-1]
    assert "cannot be written: Is a directory" in err
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.slow
@posix
@pytest.mark.parametrize("out", [["--out", "-"], ["--out", "/dev/stdout"], []])
def test_tables_go_to_standard_output(out: list[str], tmp_path: Path) -> None:
    script = "from gpuodds.cli.main import main; main()"
    words = ["table", "export", "preflop-random", *out]
    done = subprocess.run(
        [sys.executable, "-c", script, *words], cwd=tmp_path, capture_output=True, check=True
    )
    assert done.stdout.startswith(b"hand,opponents,outcomes,win,") and done.stdout.count(b"\n") == 3719
    assert not list(tmp_path.iterdir())


@posix
@pytest.mark.parametrize(("form", "magic"), [("csv", b"hand,"), ("json", b"{"), ("parquet", b"PAR1")])
def test_every_format_goes_into_a_pipe(form: str, magic: bytes, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    export_to_file(gpuodds.table("preflop-random"), form, pipe)
    reader.join(20)
    assert read[0].startswith(magic)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "form", "magic"),
    [
        ("a.csv", None, b"hand,opponents"),
        ("a.JSON", None, b'{"hand": "AA"'),
        ("a.jsonl", None, b'{"hand": "AA"'),
        ("a.parquet", None, b"PAR1"),
        ("plain", None, b"hand,opponents"),
        ("a.txt", "csv", b"hand,opponents"),
        ("a.docx", "parquet", b"PAR1"),
        ("a.jsonl", "json", b'{"hand": "AA"'),
    ],
)
def test_the_ending_is_the_format(tmp_path: Path, name: str, form: str | None, magic: bytes) -> None:
    words = ["table", "export", "preflop-random", "--out", str(tmp_path / name)]
    assert run(words if form is None else [*words, "--format", form]) == 0
    assert (tmp_path / name).read_bytes().startswith(magic)


@pytest.mark.parametrize(
    ("name", "form", "message"),
    [
        ("a.docx", None, "a.docx: expected a name that ends in .csv, .json, .jsonl, .parquet, or"),
        ("a.csv.gz", None, "a.csv.gz: expected a name that ends in .csv"),
        ("a.parquet", "csv", "a.parquet: its ending means parquet, but the format asked for is csv"),
        ("a.csv", "json", "a.csv: its ending means csv"),
        ("a.csv", "xls", "format xls: expected one of csv, json, parquet"),
    ],
)
def test_formats_that_contradict_the_name_are_refused(
    tmp_path: Path, name: str, form: str | None, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(b"before")
    words = ["table", "export", "preflop-random", "--out", str(tmp_path / name)]
    assert run(words if form is None else [*words, "--format", form]) == 2
    assert message in capsys.readouterr().err
    assert (tmp_path / name).read_bytes() == b"before"
    with pytest.raises(InputError):
        format_of(name, form)
