"""Numba's cache is made of pickles: those that another user could have written are not loaded."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import Any

import needs
import numba
import pytest

import gpuodds.machine.trust
from gpuodds.backends.compiling import UNSAFE
from gpuodds.cli.main import run as run_command
from gpuodds.machine.trust import make_folder, why_untrusted

pytestmark = [pytest.mark.slow, needs.posix]

SOMEBODY = 54321  # a user that has no passwd entry
PROGRAM = """
import sys
from gpuodds.backends.cpu.compile.jit import compiled
sys.modules["gpuodds.add_one"] = sys.modules[__name__]
def add_one(number):
    return number + 1
add_one.__module__ = "gpuodds.add_one"
print(compiled(add_one)(1))
"""
ADVICE = "set NUMBA_CACHE_DIR to the absolute path of a folder that only you can write"
SETPRIV = shutil.which("setpriv")
root = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0 or SETPRIV is None,
    reason="runs as root, with setpriv, to be another user",
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a folder that every user may enter, unlike tmp_path, with the program in it."""
    made = Path(mkdtemp()).resolve()
    (made / "program").mkdir()
    (made / "program" / "add.py").write_text(PROGRAM)
    for path in (made, made / "program"):
        path.chmod(0o755)
    yield made
    shutil.rmtree(made)


def run(
    folder: Path, user: int | None = None, umask: int = 0o22, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the program in ``folder``, as ``user`` and with no variables but these."""
    words = [sys.executable, "-P", str(folder / "program" / "add.py")]
    if user is not None:
        # The interpreter may be in a folder of root's that nobody else may read.
        rights = ["--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"]
        user_words = ["--reuid", str(user), "--regid", str(user), "--clear-groups"]
        words = [str(SETPRIV), *user_words, *rights, *words]
    ended = subprocess.run(
        words, cwd=folder, env=variables, umask=umask, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stdout) == (0, "2\n"), ended.stderr
    return ended


class Planted:
    """What makes a file when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = str(mark)

    def __reduce__(self) -> Any:
        return os.mkdir, (self.mark,)


def plant(folder: Path, cache: Path) -> Path:
    """Replace what is in a cache by pickles that make a mark; return the mark."""
    mark = folder / "mark"
    indices = list(cache.rglob("*.nbi"))
    assert indices
    for index in indices:
        index.write_bytes(pickle.dumps(numba.__version__) + pickle.dumps(Planted(mark)))
    return mark


@pytest.fixture
def mine(folder: Path) -> Path:
    """Return a cache of this user's with the program in it, which planted files show to be read."""
    cache = folder / "cache"
    assert run(folder, NUMBA_CACHE_DIR=str(cache)).stderr == ""
    return cache


def test_a_safe_folder_is_used_and_planted_pickles_in_it_would_run(folder: Path, mine: Path) -> None:
    mark = plant(folder, mine)
    subprocess.run(
        [sys.executable, "-P", str(folder / "program" / "add.py")],
        env={"NUMBA_CACHE_DIR": str(mine)},
        capture_output=True,
    )
    assert mark.is_dir()  # so the tests below do see whether a file is loaded


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o757])
def test_a_folder_that_everyone_can_write(folder: Path, mine: Path, mode: int) -> None:
    mark = plant(folder, mine)
    (last,) = {path.parent for path in mine.rglob("*add_one*.nbi")}
    named = mine if mode != 0o1777 else last  # only the last folder must have no sticky bit
    named.chmod(mode)
    ended = run(folder, NUMBA_CACHE_DIR=str(mine))
    assert ended.stderr.splitlines() == [UNSAFE % f"{named} is writable for everyone"]
    assert not mark.exists()


def test_a_folder_of_mine_where_everyone_may_add(folder: Path, mine: Path) -> None:
    mine.chmod(0o1777)  # as /tmp is
    assert run(folder, NUMBA_CACHE_DIR=str(mine)).stderr == ""


def test_a_folder_above_that_everyone_can_write(folder: Path, mine: Path) -> None:
    mark = plant(folder, mine)
    folder.chmod(0o777)
    ended = run(folder, NUMBA_CACHE_DIR=str(mine))
    assert f"{folder} is writable for everyone; {ADVICE}" in ended.stderr and not mark.exists()


def test_a_file_that_everyone_can_write(folder: Path, mine: Path) -> None:
    mark = plant(folder, mine)
    for index in mine.rglob("*.nbi"):
        index.chmod(0o666)
    assert ".nbi is writable for everyone" in run(folder, NUMBA_CACHE_DIR=str(mine)).stderr
    assert not mark.exists()
    assert run(folder, NUMBA_CACHE_DIR=str(mine)).stderr == ""  # replaced, and used again


@pytest.mark.parametrize(
    "variable",
    [
        "NUMBA_CACHE_DIR",
        *(pytest.param(one, marks=pytest.mark.weekly) for one in ("XDG_CACHE_HOME", "HOME")),
    ],
)
def test_a_relative_folder(folder: Path, mine: Path, variable: str) -> None:
    below = {"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": "numba", "HOME": ".cache/numba"}[variable]
    (folder / "here" / below).parent.mkdir(parents=True, exist_ok=True)
    mine.rename(folder / "here" / below)
    mark = plant(folder, folder / "here")
    # Beside the program the cache cannot be, as if that folder were read-only.
    (folder / "program" / "__pycache__").touch()
    ended = run(folder, None, 0o22, **{variable: "here"})
    named = str(Path("here", below))
    assert ended.stderr == f"{UNSAFE % f'{named} is relative to the working directory'}\n"
    assert not mark.exists()


def test_umask_000_makes_no_folder_that_everyone_can_write(folder: Path) -> None:
    assert run(folder, umask=0, NUMBA_CACHE_DIR=str(folder / "a" / "b")).stderr == ""
    made = [folder / "a", folder / "a" / "b", *(folder / "a" / "b").iterdir()]
    assert {path.stat().st_mode & 0o777 for path in made} == {0o755}


@root
def test_without_a_home_nothing_is_loaded_from_the_working_directory(folder: Path, mine: Path) -> None:
    (folder / "~" / ".cache").mkdir(parents=True)
    mine.rename(folder / "~" / ".cache" / "numba")
    mark = plant(folder, folder / "~")
    for path in (folder, *folder.glob("~/**/*")):
        os.chown(path, SOMEBODY, SOMEBODY)
    ended = run(folder, SOMEBODY)
    assert ended.stderr == f"{UNSAFE % '~/.cache/numba is relative to the working directory'}\n"
    assert not mark.exists()
    # And nothing is made there, either.
    shutil.rmtree(folder / "~")
    run(folder, SOMEBODY)
    assert not (folder / "~").exists()


@root
@pytest.mark.parametrize("user", [None, SOMEBODY])
def test_a_folder_of_another_user(folder: Path, mine: Path, user: int | None) -> None:
    mark = plant(folder, mine)
    for path in (mine, *mine.rglob("*")):
        os.chown(path, SOMEBODY + 1, SOMEBODY + 1)
    ended = run(folder, user, NUMBA_CACHE_DIR=str(mine))
    assert f"{mine} belongs to the user {SOMEBODY + 1}; {ADVICE}" in ended.stderr
    assert not mark.exists()


@root
def test_root_beside_a_program_of_another_user(folder: Path, mine: Path) -> None:
    (beside := folder / "program" / "__pycache__").mkdir()
    for file in mine.glob("*/*"):
        file.rename(beside / file.name)
    mark = plant(folder, beside)
    for path in (beside.parent, beside, *beside.iterdir()):
        os.chown(path, SOMEBODY, SOMEBODY)
    ended = run(folder, HOME=str(folder / "home"))  # the next folder in turn
    assert f"{beside.parent} belongs to the user {SOMEBODY}" in ended.stderr and not mark.exists()
    assert list((folder / "home" / ".cache" / "numba").rglob("*.nbi"))
    assert run(folder, HOME=str(folder / "home")).stderr == ""  # compiled: there is nothing to say


@root
def test_what_root_has_compiled_is_used_by_another_user(folder: Path, mine: Path) -> None:
    # As in a container, or in a system's Python.
    before = {path: path.stat().st_mtime_ns for path in mine.rglob("*")}
    assert run(folder, SOMEBODY, NUMBA_CACHE_DIR=str(mine)).stderr == ""
    assert {path: path.stat().st_mtime_ns for path in mine.rglob("*")} == before


@root
def test_a_private_group_may_write(folder: Path) -> None:
    home = folder / "home"
    home.mkdir()
    os.chown(home, SOMEBODY, SOMEBODY)
    home.chmod(0o775)
    for _ in range(2):
        assert run(folder, SOMEBODY, umask=0o02, HOME=str(home)).stderr == ""
    assert {file.stat().st_mode & 0o777 for file in home.rglob("*.nb?")} == {0o664}
    os.chown(home, SOMEBODY, 12345)
    assert f"{home} is writable for the group 12345" in run(folder, SOMEBODY, HOME=str(home)).stderr


@pytest.mark.parametrize(
    ("group", "members", "is_safe"),
    [
        ("ann", [], True),
        ("ann", ["ann"], True),
        ("ann", ["ann", "bob"], False),
        ("staff", [], False),  # the group that many users begin with lists none of them
    ],
)
def test_a_group_that_is_private_by_its_name(
    group: str, members: list[str], is_safe: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import grp
    import pwd

    tmp_path.chmod(0o770)
    if tmp_path.stat().st_gid == 0:
        monkeypatch.setattr(gpuodds.machine.trust, "ROOTS", 99)
    monkeypatch.setattr(pwd, "getpwuid", lambda number: SimpleNamespace(pw_name="ann"))
    monkeypatch.setattr(grp, "getgrgid", lambda number: SimpleNamespace(gr_name=group, gr_mem=members))
    why = why_untrusted(str(tmp_path))
    assert why == (None if is_safe else f"{tmp_path} is writable for the group {group}")


def test_links_are_followed_step_by_step(tmp_path: Path) -> None:
    (tmp_path / "open" / "inner").mkdir(parents=True)
    (tmp_path / "shut").mkdir()
    (tmp_path / "open").chmod(0o777)
    needs.link(tmp_path / "to", tmp_path / "open" / "inner")
    needs.link(tmp_path / "shut" / "up", Path("..", "to", "..", "inner"))
    needs.link(tmp_path / "round", tmp_path / "round")
    needs.link(tmp_path / "gone", tmp_path / "shut" / "new")
    opened = f"{tmp_path / 'open'} is writable for everyone"
    assert why_untrusted(str(tmp_path / "to" / "new")) == opened
    assert why_untrusted(str(tmp_path / "shut" / "up")) == opened
    assert why_untrusted(str(tmp_path / "open" / ".." / "shut")) == opened
    assert why_untrusted(str(tmp_path / "round")) == f"{tmp_path / 'round'}: too many symbolic links"
    assert why_untrusted(str(tmp_path / "gone" / "new")) is None
    assert why_untrusted("relative") == "relative is relative to the working directory"


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert why_untrusted(str(tmp_path / "file" / "a")) == f"{tmp_path / 'file' / 'a'}: Not a directory"
    with pytest.raises(OSError, match="file"):
        make_folder(str(tmp_path / "file" / "a" / "b"))


def test_doctor_shows_what_is_refused(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels").chmod(0o777)
    monkeypatch.delenv("CUPY_CACHE_IN_MEMORY", raising=False)
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path / "kernels"))
    assert run_command(["doctor", "--json"]) == 0
    caches = json.loads(capsys.readouterr().out)["caches"]
    assert caches["compiled kernels"] == "none: point CUPY_CACHE_DIR at a safe folder"
    assert caches["refused"] == f"{tmp_path / 'kernels'} is writable for everyone"
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path))
    assert run_command(["doctor", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["caches"]["refused"] == "none"


def test_doctor_shows_a_folder_of_numbas_that_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "gpuodds", "doctor", "--json"],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    caches = json.loads(ended.stdout)["caches"]
    assert f"{tmp_path} is writable for everyone" in caches["refused"]
    assert str(tmp_path) not in caches["compiled functions"]
    assert ended.stderr.count(f"{UNSAFE % f'{tmp_path} is writable for everyone'}") == 1
