"""What counted a shard: versions and a fingerprint, which all shards of a table share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from gpuodds._version import __version__

# What counts, encodes and numbers rows: folders and files of the package.
COUNTED_BY = (
    "backends",
    "games",
    "kernels",
    "spots/spot.py",
    "table_building/kinds",
    "table_building/shipped",
    "tables/columns.py",
    "tables/equities.py",
    "tables/files/shards.py",
    "tables/layouts",
    "tables/shipped",
)
SOURCES = (".py", ".cu", ".cuh")
DIGITS = 16


@dataclass(frozen=True)
class Origin:
    """The programs that counted a shard and put it into bytes."""

    engine: str
    """The version of gpuodds."""
    fingerprint: str
    """A checksum of the sources that count: :func:`fingerprint`."""
    pyarrow: str
    """The version of pyarrow, which writes its name into Parquet files."""

    def __str__(self) -> str:
        return f"gpuodds {self.engine} (fingerprint {self.fingerprint}, pyarrow {self.pyarrow})"


@lru_cache(maxsize=1)
def this_origin() -> Origin:
    """Return the origin of shards that this process counts."""
    import pyarrow as pa

    return Origin(__version__, fingerprint(), pa.__version__)


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of the sources that count rows.

    Names and contents count, so that two installations agree only where they count alike.
    """
    import hashlib
    from importlib.resources import files
    from pathlib import Path

    package = Path(__file__).parents[2]
    digest = hashlib.sha256()
    for part in COUNTED_BY:
        # The kernels stand elsewhere in a checkout.
        top = Path(str(files("gpuodds.kernels"))) if part == "kernels" else package / part
        paths = [top] if top.is_file() else [p for p in top.rglob("*") if p.suffix in SOURCES]
        for name, path in sorted((path.relative_to(top).as_posix(), path) for path in paths):
            # Line ends are the checkout's.
            source = path.read_bytes().replace(b"\r\n", b"\n")
            digest.update(f"{part}/{name} {len(source)}\n".encode() + source)
    return digest.hexdigest()[:DIGITS]
