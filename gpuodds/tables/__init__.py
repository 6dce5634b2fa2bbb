"""Tables of the whole game: how they are stored, looked up, plotted and exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.basics.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.tables.export import export_to_file
    from gpuodds.tables.files.clustering import Clustering, Neighbour, Sums
    from gpuodds.tables.open import ShippedTable
    from gpuodds.tables.store import StoredTable

__all__ = [
    "Clustering",
    "Neighbour",
    "ShippedTable",
    "StoredTable",
    "Sums",
    "export_to_file",
]

if not TYPE_CHECKING:  # which would take any name
    __getattr__ = from_homes(
        __name__,
        {
            "Clustering": "files.clustering",
            "Neighbour": "files.clustering",
            "ShippedTable": "open",
            "StoredTable": "store",
            "Sums": "files.clustering",
            "export_to_file": "export",
        },
    )
