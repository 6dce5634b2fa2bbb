"""Build the tables of three hands when they are first needed."""

from __future__ import annotations

import logging

from gpuodds.backends.counts import Progress
from gpuodds.basics.durations import format_duration
from gpuodds.errors import TableError
from gpuodds.tables.files.locate import find_table, folder_to_build

NAMES = ("preflop-three-way", "preflop-heads-up-folded")


def missing_tables() -> list[str]:
    """Return the names of the tables of three hands that are not built."""
    from gpuodds.tables.store import StoredTable

    missing = []
    for name in NAMES:
        folder = find_table(name)
        try:
            if folder is not None:
                StoredTable(folder)
                continue
        except TableError:  # half-built: the build goes on
            pass
        missing.append(name)
    return missing


def build_tables(progress: Progress | None = None) -> None:
    """Build what is missing of ``preflop-three-way`` and ``preflop-heads-up-folded``.

    Args:
        progress: Called with the fraction that is done, 0 to 1.

    Raises:
        TableError: A table cannot be built.
    """
    missing = missing_tables()
    if not missing:
        return
    from gpuodds.table_building.build import build
    from gpuodds.table_building.kinds.catalog import find_kind

    kinds = [find_kind(name) for name in missing]
    seconds = [kind.seconds(0) for kind in kinds]
    logging.getLogger("gpuodds").info(
        "building %s, once: about %s on two cores", " and ".join(missing), format_duration(sum(seconds))
    )
    done = 0.0
    for kind, share in zip(kinds, seconds, strict=True):

        def report(fraction: float, done: float = done, share: float = share) -> None:
            if progress is not None:
                progress((done + share * fraction) / sum(seconds))

        build(kind, folder_to_build(kind.name), 0, progress=report)
        done += share
