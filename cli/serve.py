"""``gpuodds serve``: the calculation server and the page."""

from __future__ import annotations

import errno
import os
import signal
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuodds.cli.app import Backend
from gpuodds.cli.interrupt import end_at_once_on_termination, exit_code, wait_on_interrupt
from gpuodds.cli.output import read_number, show_notes
from gpuodds.errors import InputError, excerpt
from gpuodds.machine.system import allow_open_files

if TYPE_CHECKING:
    from gpuodds.server.settings import Settings

OTHER_FILES = 300  # connections that are being refused, pipes of workers, the cache, files of the page


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Address to listen on; beyond this machine GPUODDS_TOKEN is needed."
        ),
    ] = "127.0.0.1",
    port: Annotated[str, typer.Option(metavar="N", help="Port; 0 for any that is free.")] = "8000",
    workers: Annotated[
        str | None,
        typer.Option(metavar="N", help="Worker processes; one more takes only cheap requests."),
    ] = None,
    queue: Annotated[str, typer.Option(metavar="N", help="Requests that may wait.")] = "64",
    cache: Annotated[
        str,
        typer.Option(
            metavar="WHERE", help="memory, disk, a file of gpuodds or a new one, or redis://HOST."
        ),
    ] = "disk",
    cache_size: Annotated[str, typer.Option(metavar="MIB", help="Size limit of the cache.")] = "256",
    memory: Annotated[
        str, typer.Option(metavar="MIB", help="Memory for the lists of combos of all requests.")
    ] = "1024",
    tables: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of built tables.")] = None,
    presets: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Ranges by name; see gpuodds range --presets --toml."),
    ] = None,
    time_limit: Annotated[
        str, typer.Option(metavar="S", help="Estimated seconds up to which a request is counted.")
    ] = "10",
    backend: Backend = "auto",
) -> None:
    """Serve equity over HTTP and WebSocket, with a page, at http://127.0.0.1:8000.

    Examples:
      gpuodds serve
      gpuodds serve --port 9000 --workers 2 --tables tables --cache memory
    """
    from gpuodds.backends.choice import check_name
    from gpuodds.server.settings import Settings

    show_notes()
    available = check_name(backend)
    options: dict[str, Any] = {}
    if workers is not None:
        options["workers"] = _positive("--workers", workers)
    settings = Settings(
        host=host,
        port=read_number("--port", port),
        token=os.environ.get("GPUODDS_TOKEN") or None,
        queue=_positive("--queue", queue),
        memory_bytes=_positive("--memory", memory) << 20,
        cache=cache,
        cache_bytes=_positive("--cache-size", cache_size) << 20,
        tables=tables,
        presets=presets,
        time_limit=float(_positive("--time-limit", time_limit)),
        backend=available,
        **options,
    )
    if not 0 <= settings.port < 1 << 16:
        raise InputError(f"--port {port}: expected 0 to 65535")
    _run(settings)


def _run(settings: Settings) -> None:
    """Serve until a signal comes; print the address."""
    try:
        import uvicorn

        from gpuodds.server.app import create_app
        from gpuodds.server.connections.connections import limited_connection
        from gpuodds.server.running import Server
    except ImportError as error:
        raise InputError(
            f"serve: {error.name} is not installed: pip install 'gpuodds[server]'"
        ) from None
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        http=limited_connection(settings, app.count_refusal),
        host=settings.host,
        port=settings.port,
        log_level="warning",
        timeout_graceful_shutdown=0,  # the server ends its jobs before its connections
        ws_max_size=settings.body_bytes,
        server_header=False,
    )
    allow_open_files(settings.connections + OTHER_FILES)
    listening = _listen(settings.host.strip("[]"), settings.port)
    address, number = listening.getsockname()[:2]
    print(f"http://{f'[{address}]' if ':' in address else address}:{number}", flush=True)
    end_at_once_on_termination()  # the server handles SIGTERM, then raises it again
    try:
        with wait_on_interrupt([signal.SIGINT]):
            Server(config, settings).run(sockets=[listening])
    except KeyboardInterrupt:  # the way to end a server: no more to say
        raise typer.Exit(exit_code()) from None


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; bound without listening, two servers could share the port.

    Raises:
        InputError: The port is in use or not allowed, or the address is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    dual = host == "::" and socket.has_dualstack_ipv6()
    try:
        return socket.create_server((host, port), family=family, backlog=2048, dualstack_ipv6=dual)
    except (OSError, UnicodeError) as error:
        code = getattr(error, "errno", None)
    if code == errno.EADDRINUSE:
        raise InputError(f"--port {port}: in use; choose another, or --port 0 for any that is free")
    if code in (errno.EACCES, errno.EPERM):
        raise InputError(f"--port {port}: not allowed for this user; use another, such as 8000")
    if code == errno.EADDRNOTAVAIL:
        raise InputError(f"--host {excerpt(host)}: this machine has no such address")
    raise InputError(f"--host {excerpt(host)}: expected an address of this machine, such as 127.0.0.1")


def _positive(option: str, text: str) -> int:
    number = read_number(option, text)
    if number < 1:
        raise InputError(f"{option} {text}: expected 1 or more")
    return number
