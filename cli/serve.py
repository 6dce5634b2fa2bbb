"""``gpuodds serve``: the calculation server and the page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from gpuodds.cli.output import read_number, show_notes
from gpuodds.errors import InputError


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen at; beyond this machine GPUODDS_TOKEN is needed.")
    ] = "127.0.0.1",
    port: Annotated[str, typer.Option(metavar="N", help="Port; 0 takes any.")] = "8000",
    workers: Annotated[str | None, typer.Option(metavar="N", help="Processes that compute.")] = None,
    queue: Annotated[str, typer.Option(metavar="N", help="Questions that may wait.")] = "64",
    cache: Annotated[
        str, typer.Option(metavar="WHERE", help="memory, disk, a file, or redis://HOST.")
    ] = "disk",
    cache_size: Annotated[str, typer.Option(metavar="MIB", help="The most that is kept.")] = "256",
    tables: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of built tables.")] = None,
    time_limit: Annotated[
        str, typer.Option(metavar="S", help="Seconds that counting a question may take.")
    ] = "10",
    backend: Annotated[str, typer.Option(help="auto, cpu, cuda, or cuda:0,2.")] = "auto",
) -> None:
    """Serve equity over HTTP and WebSocket, and a page to use it, at http://127.0.0.1:8000."""
    try:
        import uvicorn

        from gpuodds.backends import check_name
        from gpuodds.server.app import create_app
        from gpuodds.server.settings import Settings
    except ImportError as error:
        raise InputError(
            f"serve: {error.name} is not installed: pip install 'gpuodds[server]'"
        ) from None
    show_notes()
    check_name(backend)
    options: dict[str, Any] = {}
    if workers is not None:
        options["workers"] = _positive("--workers", workers)
    settings = Settings(
        host=host,
        port=read_number("--port", port),
        token=os.environ.get("GPUODDS_TOKEN") or None,
        queue=_positive("--queue", queue),
        cache=cache,
        cache_bytes=_positive("--cache-size", cache_size) << 20,
        tables=tables,
        time_limit=float(_positive("--time-limit", time_limit)),
        backend=backend,
        **options,
    )
    if not 0 <= settings.port < 1 << 16:
        raise InputError(f"--port {port}: expected 0 to 65535")
    config = uvicorn.Config(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        log_level="warning",
        limit_concurrency=settings.connections,
        timeout_graceful_shutdown=int(settings.grace) + 1,
        ws_max_size=settings.body_bytes,
        server_header=False,
    )
    server = uvicorn.Server(config)
    sockets = [config.bind_socket()]
    address, number = sockets[0].getsockname()[:2]
    print(f"http://{f'[{address}]' if ':' in address else address}:{number}", flush=True)
    server.run(sockets=sockets)


def _positive(option: str, text: str) -> int:
    number = read_number(option, text)
    if number < 1:
        raise InputError(f"{option} {text}: expected 1 or more")
    return number
