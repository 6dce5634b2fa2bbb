"""Find built tables by name: in the folder ``GPUODDS_TABLES``, then in the user's data folder.

The table ``flop-random`` is ``$GPUODDS_TABLES/flop-random``, or
``$XDG_DATA_HOME/gpuodds/tables/flop-random``.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

VARIABLE = "GPUODDS_TABLES"
MANIFEST = "manifest.json"
BUILT = (
    "preflop-three-way",
    "preflop-heads-up-folded",
    "flop-random",
    "turn-random",
    "river-random",
    "flop-features",
    "turn-features",
    "river-features",
    "flop-buckets",
    "turn-buckets",
    "river-buckets",
    "omaha-hi-lo-preflop-random",
    "omaha5-preflop-random",
    "omaha5-hi-lo-preflop-random",
)


def table_folders() -> list[Path]:
    """Return the folders that are searched for built tables, in this order.

    The last is ``$XDG_DATA_HOME/gpuodds/tables``, by default ``~/.local/share/gpuodds/tables``; a
    user without a home has none.
    """
    folders = []
    if named := os.environ.get(VARIABLE, ""):
        folders.append(Path(named))
    base = os.environ.get("XDG_DATA_HOME", "")
    if os.path.isabs(base):  # the XDG specification has relative paths ignored
        folders.append(Path(base) / "gpuodds" / "tables")
    else:
        with suppress(RuntimeError):
            home = Path.home()
            if home.is_absolute():  # else whoever chose the working directory would choose the tables
                folders.append(home / ".local" / "share" / "gpuodds" / "tables")
    return folders


def is_table(folder: Path) -> bool:
    """Return whether a folder holds a table, complete or half-built."""
    return os.path.isfile(folder / MANIFEST)


def find_table(name: str) -> Path | None:
    """Return the folder of a built table, or None.

    Args:
        name: One of :data:`BUILT`.
    """
    places = (folder / name for folder in table_folders())
    return next(filter(is_table, places), None)


def built_tables() -> dict[str, Path]:
    """Return the folders of all built tables, by name."""
    folders = {name: find_table(name) for name in BUILT}
    return {name: folder for name, folder in folders.items() if folder is not None}


def folder_to_build(name: str) -> Path:
    """Return the default folder of a build.

    A build goes on where the table was begun: in the working directory, or in the folder found by
    name. A new one goes to the first of :func:`table_folders`. Tables that ship are not found in
    folders by name: they are built in the working directory.

    Args:
        name: The table's name.
    """
    here = Path(name)
    if name not in BUILT or is_table(here):
        return here
    folder_of_table = find_table(name)
    return folder_of_table or next((folder / name for folder in table_folders()), here)
