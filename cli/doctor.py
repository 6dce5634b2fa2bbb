"""``gpuodds doctor``: what this installation is, can do, and why not more."""

from __future__ import annotations

import platform
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuodds import __version__
from gpuodds.basics.durations import format_duration
from gpuodds.cli.app import GameName
from gpuodds.cli.options import AsJson
from gpuodds.cli.output import console, new_table, print_json, print_table, progress_bar
from gpuodds.errors import InputError, excerpt
from gpuodds.tables.files.locate import built_tables
from gpuodds.tables.shipped.catalog import shipped_tables

if TYPE_CHECKING:
    from gpuodds.backends.report import CudaReport
    from gpuodds.tables.shipped.shipped import Shipped

IN_MEMORY = "none: CUPY_CACHE_IN_MEMORY is set"
WARM_PROCESSES = 2  # more would wait for the longest entry

PACKAGES = (
    *("numpy", "numba", "llvmlite", "typer", "rich", "lark"),
    *("cupy", "numba-cuda", "pyarrow", "filelock", "matplotlib", "distributed"),
)


def doctor(
    warm: Annotated[
        bool, typer.Option("--warm", help="Compile all that ordinary questions need, and end.")
    ] = False,
    game: GameName = "holdem",
    as_json: AsJson = False,
) -> None:
    """Show versions, backends, threads, caches and tables of this installation.

    Examples:
      gpuodds doctor
      gpuodds doctor --json
      gpuodds doctor --warm
      gpuodds doctor --warm --game omaha
    """
    if warm:
        _compile_ahead(game)
        return
    if game != "holdem":
        raise InputError(f"--game {excerpt(game)}: expected together with --warm")
    report = inspect_installation()
    if as_json:
        print_json(report)
        return
    out = console()
    table = new_table("what", "found")
    table.columns[1].justify = "left"
    for topic, about in report.items():
        if isinstance(about, dict):
            for name, value in about.items():
                table.add_row(f"{topic}: {name}", str(value))
        elif topic != "schema":
            table.add_row(topic, str(about))
    print_table(out, table, wrap=1)


def _compile_ahead(name: str) -> None:
    """Compile what ordinary questions of a game need, in two processes, and say what was compiled."""
    from gpuodds.backends.choice import thread_count
    from gpuodds.backends.report import compiled_functions, refused_folders
    from gpuodds.first_use import compile_ordinary
    from gpuodds.games.catalog import find_game

    begin, game = monotonic(), find_game(name)
    folder = compiled_functions()
    if folder is None:
        refused = "".join(f", {why}" for why in refused_folders())
        raise InputError(
            f"--warm: no folder for compiled code is writable, and for you alone{refused}; set "
            "NUMBA_CACHE_DIR to one that is"
        )
    with progress_bar("compiling") as progress:
        compiled = compile_ordinary(game.family, min(WARM_PROCESSES, thread_count()), progress)
    took = format_duration(monotonic() - begin)
    done = f"{compiled} functions compiled" if compiled else "nothing to compile"
    print(f"ready for ordinary questions of {game.title}: {done}, {took}; kept in {folder}")


def inspect_installation() -> dict[str, Any]:
    """Gather what ``doctor`` shows."""
    from gpuodds.backends.report import refused_folders, report_cuda

    cuda, cpu = report_cuda(), _cpu_backend()
    refused = [*refused_folders(), *filter(None, [cuda.refused])]
    return {
        "schema": "gpuodds.doctor/1",
        "gpuodds": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "packages": {name: _version(name) for name in PACKAGES},
        "backends": {"cpu": cpu, "cuda": _cuda_backend(cuda)},
        "devices": {f"cuda:{number}": device for number, device in enumerate(cuda.devices)},
        "cpu threads": _threads(),
        "caches": {
            "compiled functions": _numba_cache(),
            "compiled kernels": _kernel_cache(cuda),
            "refused": "; ".join(refused) or "none",
        },
        "tables": {
            **{name: _shipped(table) for name, table in shipped_tables().items()},
            **{name: f"built, {folder}" for name, folder in built_tables().items()},
        },
    }


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, distributions, version

    if package == "cupy":
        # CuPy's wheels are named after the CUDA version they are for.
        names = {str(wheel.metadata["Name"]) for wheel in distributions()}
        wheels = sorted(name for name in names if name.startswith("cupy"))
        return f"{wheels[0]} {version(wheels[0])}" if wheels else "not installed"
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _cpu_backend() -> str:
    try:
        from gpuodds.api import equity

        equity("AsKs", opponents=1, board="2s7d9hTcJc", table=False, backend="cpu")
    except Exception as error:
        return f"not usable: {error}"
    return "ready"


def _cuda_backend(cuda: CudaReport) -> str:
    return f"not usable: {cuda.unusable}" if cuda.unusable else f"ready (driver for CUDA {cuda.driver})"


def _kernel_cache(cuda: CudaReport) -> str:
    if cuda.kernel_cache is None:
        return "none: point CUPY_CACHE_DIR at a safe folder" if cuda.refused else IN_MEMORY
    names = f": {', '.join(cuda.compiled)}" if cuda.compiled else ""
    return f"{cuda.kernel_cache} ({len(cuda.compiled)} compiled{names})"


def _threads() -> int | str:
    from gpuodds.backends.choice import thread_count

    try:
        return thread_count()
    except InputError as error:
        return f"not usable: {error}"


def _numba_cache() -> str:
    from gpuodds.backends.report import compiled_functions

    return str(compiled_functions() or "none: point NUMBA_CACHE_DIR at a writable folder")


def _shipped(table: Shipped) -> str:
    try:
        rows = table.count_rows()
    except (OSError, ValueError) as error:
        return f"not usable: {error}"
    return f"{rows} rows, checksum right, {table.data_file}"
