"""Options of commands that count shards: how many at once, or on which Dask cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from gpuodds.errors import InputError

if TYPE_CHECKING:
    from gpuodds.table_building.cluster import Tls


def _file(text: str) -> Any:
    return typer.Option(metavar="FILE", help=text)


Workers: TypeAlias = Annotated[
    int, typer.Option(metavar="N", help="Shards, or parts, to count at once.")
]
Scheduler: TypeAlias = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="A Dask cluster, tcp://host:8786.")
]
TlsCa: TypeAlias = Annotated[
    Path | None, _file("Of a cluster at tls://...: the authority that signed, PEM.")
]
TlsCert: TypeAlias = Annotated[Path | None, _file("This machine's certificate, PEM.")]
TlsKey: TypeAlias = Annotated[Path | None, _file("The certificate's key, PEM.")]


def read_cluster(workers: int, scheduler: str | None, *files: Path | None) -> dict[str, Any]:
    """Return the options of a build.

    Args:
        workers: How many shards to count at once.
        scheduler: The address of a cluster, if any.
        files: The authority, the certificate and the key, if any.

    Raises:
        InputError: There are no workers, some of the files are missing, or the cluster is.
    """
    if workers < 1:
        raise InputError(f"--workers {workers}: expected at least 1")
    return {"workers": workers, "scheduler": scheduler, "tls": _tls(scheduler, *files)}


def _tls(scheduler: str | None, *files: Path | None) -> Tls | None:
    ca, cert, key = files
    if ca is None and cert is None and key is None:
        return None
    if scheduler is None or ca is None or cert is None or key is None:
        raise InputError("--tls-ca, --tls-cert, --tls-key: expected all three, and --scheduler")
    return ca, cert, key
