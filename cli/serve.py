"""``gpuodds serve``: the calculation server and the page."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path
from typing import Annotated, Any

import typer

from gpuodds.cli.app import Backend
from gpuodds.cli.output import read_number, show_notes
from gpuodds.errors import InputError, excerpt


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Where to listen; beyond this machine GPUODDS_TOKEN is needed."
        ),
    ] = "127.0.0.1",
    port: Annotated[str, typer.Option(metavar="N", help="Port; 0 takes any.")] = "8000",
    workers: Annotated[
        str | None,
        typer.Option(metavar="N", help="Processes that compute; one more takes cheap questions."),
    ] = None,
    queue: Annotated[str, typer.Option(metavar="N", help="Questions that may wait.")] = "64",
    cache: Annotated[
        str, typer.Option(metavar="WHERE", help="memory, disk, a file, or redis://HOST.")
    ] = "disk",
    cache_size: Annotated[str, typer.Option(metavar="MIB", help="The most that is kept.")] = "256",
    tables: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of built tables.")] = None,
    time_limit: Annotated[
        str, typer.Option(metavar="S", help="Seconds that counting a question may take.")
    ] = "10",
    backend: Backend = "auto",
) -> None:
    """Serve equity over HTTP and WebSocket, and a page to use it, at http://127.0.0.1:8000.

    Examples:
      gpuodds serve
      gpuodds serve --port 9000 --workers 2 --tables tables --cache memory
    """
    try:
        import uvicorn

        from gpuodds.backends.choice import check_name
        from gpuodds.server.app import create_app
        from gpuodds.server.connections import limited_connection
        from gpuodds.server.running import Server
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
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        http=limited_connection(settings, app.count_refusal),
        host=settings.host,
        port=settings.port,
        log_level="warning",
        timeout_graceful_shutdown=0,  # the server ends its work before its connections
        ws_max_size=settings.body_bytes,
        server_header=False,
    )
    listening = _listen(settings.host.strip("[]"), settings.port)
    address, number = listening.getsockname()[:2]
    print(f"http://{f'[{address}]' if ':' in address else address}:{number}", flush=True)
    Server(config, settings).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens: bound alone, it would share its port with one bound as well.

    Raises:
        InputError: The port is taken or not allowed, or the address is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    try:
        return socket.create_server((host, port), family=family, backlog=2048, dualstack_ipv6=both)
    except (OSError, UnicodeError) as error:
        code = getattr(error, "errno", None)
    if code == errno.EADDRINUSE:
        raise InputError(f"--port {port}: it is in use; take another, or --port 0 for any that is free")
    if code in (errno.EACCES, errno.EPERM):
        raise InputError(f"--port {port}: not allowed to this user; take another, such as --port 8000")
    if code == errno.EADDRNOTAVAIL:
        raise InputError(f"--host {excerpt(host)}: this machine has no such address")
    raise InputError(f"--host {excerpt(host)}: expected an address of this machine, such as 127.0.0.1")


def _positive(option: str, text: str) -> int:
    number = read_number(option, text)
    if number < 1:
        raise InputError(f"{option} {text}: expected 1 or more")
    return number
