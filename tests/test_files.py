"""Files are written whole or not at all, and only regular files are replaced."""

import os
import subprocess
import sys
import threading

import pytest

from gpuodds.errors import InputError
from gpuodds.files import open_output

posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and modes of POSIX")


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
    script = f"from gpuodds.files import open_output\nwith open_output({name!r}) as f: f.write(b'42')"
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
