"""Files are written whole or not at all, and only regular files are replaced."""

import errno
import os
import stat
import subprocess
import sys
import threading
from contextlib import nullcontext

import pytest
from needs import posix

from gpuodds.errors import InputError
from gpuodds.machine import files
from gpuodds.machine.files import open_output


def write(path, data):
    with open_output(path) as file:
        file.write(data)


def test_a_file_is_written_and_written_again(tmp_path):
    path = tmp_path / "out.csv"
    write(path, b"one")
    write(path, b"two")
    assert path.read_bytes() == b"two"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.csv"]


def test_a_failure_leaves_the_old_file(tmp_path):
    path = tmp_path / "out.csv"
    path.write_bytes(b"before")
    with pytest.raises(KeyboardInterrupt), open_output(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.csv"]


@posix
def test_a_link_stays_and_its_target_is_written(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "data.csv", tmp_path / "link.csv"
    link.symlink_to(target)
    write(link, b"first")  # the target is not there yet
    write(link, b"second")
    assert link.is_symlink()
    assert target.read_bytes() == b"second"
    assert not target.is_symlink()


@posix
def test_a_pipe_is_streamed_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write(pipe, b"through")
    reader.join(10)
    assert read == [b"through"]
    assert not pipe.is_file()


@posix
def test_a_device_is_never_replaced(tmp_path):
    write("/dev/null", b"gone")
    assert not os.path.isfile("/dev/null")
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    write(link, b"gone")
    assert link.is_symlink()


@posix
@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output(name):
    script = (
        "from gpuodds.machine.files import open_output\n"
        f"with open_output({name!r}) as f: f.write(b'42')"
    )
    ended = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, check=True)
    assert ended.stdout == b"42"


@posix
def test_the_mode_of_a_file_is_kept(tmp_path):
    path = tmp_path / "out.csv"
    path.write_bytes(b"")
    path.chmod(0o640)
    write(path, b"new")
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", [".", "missing/out.csv"])
def test_a_file_that_cannot_be_written_is_named(tmp_path, name):
    with pytest.raises(InputError, match="cannot be written"):
        write(tmp_path / name, b"")


# What Windows does, simulated.


class InUse:
    """Fails as Windows does where another program has the file open, some times or for ever."""

    def __init__(self, act, times, winerror):
        self.act, self.left, self.winerror, self.calls = act, times, winerror, 0

    def __call__(self, *arguments, **options):
        self.calls += 1
        if self.left:
            self.left -= 1
            error = PermissionError(13, "Access is denied")
            if self.winerror:
                error.winerror = self.winerror  # type: ignore[attr-defined]
            raise error
        return self.act(*arguments, **options)


FOR_EVER = 1_000_000


@pytest.mark.parametrize("winerror", [5, 32, 33])
def test_a_file_that_is_in_use_for_a_moment(tmp_path, monkeypatch, winerror):
    path = tmp_path / "out.csv"
    write(path, b"before")
    replace = InUse(os.replace, 2, winerror)
    monkeypatch.setattr(os, "replace", replace)
    write(path, b"after")
    assert path.read_bytes() == b"after" and replace.calls == 3
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.csv"]


def test_a_file_that_stays_in_use(tmp_path, monkeypatch):
    path = tmp_path / "out.csv"
    write(path, b"before")
    replace = InUse(os.replace, FOR_EVER, 5)
    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.1)
    with pytest.raises(InputError, match=r"cannot be written: .*does another program have it open\?"):
        write(path, b"after")
    assert 1 < replace.calls < 20
    assert path.read_bytes() == b"before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.csv"]


def test_a_file_that_may_not_be_written_is_refused_at_once(tmp_path, monkeypatch):
    replace = InUse(os.replace, FOR_EVER, None)
    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(InputError, match=r"cannot be written: Access is denied$"):
        write(tmp_path / "out.csv", b"after")
    assert replace.calls == 1 and list(tmp_path.iterdir()) == []


def opened_folders(monkeypatch):
    found, real = [], os.open

    def spy(path, *arguments):
        if os.path.isdir(path):
            found.append(path)
        return real(path, *arguments)

    monkeypatch.setattr(os, "open", spy)
    return found


def test_no_folder_is_synced_where_none_can_be_opened(tmp_path, monkeypatch):
    opened = opened_folders(monkeypatch)
    write(tmp_path / "one", b"1")
    assert opened == ([tmp_path] if hasattr(os, "O_DIRECTORY") else [])
    monkeypatch.delattr(os, "O_DIRECTORY", raising=False)
    opened.clear()
    write(tmp_path / "two", b"2")
    assert opened == [] and (tmp_path / "two").read_bytes() == b"2"


@posix
@pytest.mark.parametrize(("code", "passes"), [(errno.EINVAL, True), (errno.EIO, False)])
def test_a_folder_that_cannot_be_synced(tmp_path, monkeypatch, code, passes):
    """Some shared folders cannot; a disk that fails is another thing."""
    real = os.fsync

    def fsync(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(code, os.strerror(code))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    with nullcontext() if passes else pytest.raises(InputError, match="cannot be written"):
        write(tmp_path / "out.csv", b"data")
    assert (tmp_path / "out.csv").read_bytes() == b"data"


def test_no_mode_is_copied_on_windows(tmp_path, monkeypatch):
    """Its one bit, read-only, would keep the temporary file from being removed."""
    path = tmp_path / "out.csv"
    write(path, b"before")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "chmod", InUse(None, FOR_EVER, None))
    write(path, b"after")
    assert path.read_bytes() == b"after"


def test_the_null_device_of_windows(tmp_path, monkeypatch):
    """``NUL`` is a character device in every folder, whatever its path looks like."""
    monkeypatch.chdir(tmp_path)
    real = os.stat
    null = real(os.devnull)
    monkeypatch.setattr(os, "stat", lambda path, **how: null if path == "NUL" else real(path, **how))
    assert files.is_stream("NUL") and not files.is_stream("NULL")
