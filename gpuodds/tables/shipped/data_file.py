"""A data file that ships, with its checksum in a file next to it, as ``sha256sum`` writes it."""

from __future__ import annotations

from pathlib import Path

DATA_FOLDER = Path(__file__).parent / "data"
SUFFIX = ".sha256"


def read_data(path: Path) -> bytes:
    """Return the bytes of a data file.

    Raises:
        ValueError: They differ from their checksum.
    """
    import hashlib

    data = path.read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    expected = path.with_name(path.name + SUFFIX).read_text("ascii").split()[0]
    if sha256 != expected:
        raise ValueError(f"{path}: damaged: its sha256 is {sha256}, expected {expected}; install again")
    return data


def write_data(data: bytes, path: Path) -> None:
    """Write a data file and its checksum."""
    import hashlib

    from gpuodds.machine.files import open_output  # a look-up needs no way to write

    with open_output(path) as file:
        file.write(data)
    with open_output(path.with_name(path.name + SUFFIX)) as file:
        file.write(f"{hashlib.sha256(data).hexdigest()}  {path.name}\n".encode("ascii"))
