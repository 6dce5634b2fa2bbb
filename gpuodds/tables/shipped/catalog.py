"""The tables that ship, by name."""

from __future__ import annotations

from functools import lru_cache

from gpuodds.tables.shipped.omaha_preflop_random import OmahaPreflopRandom
from gpuodds.tables.shipped.preflop_heads_up import PreflopHeadsUp
from gpuodds.tables.shipped.preflop_random import RANDOM_TABLES
from gpuodds.tables.shipped.shipped import Shipped


@lru_cache(maxsize=1)
def shipped_tables() -> dict[str, Shipped]:
    """Return all tables that ship, by name; their data is read with the first row."""
    first, *more = RANDOM_TABLES.values()
    made: list[Shipped] = [first, PreflopHeadsUp(), OmahaPreflopRandom(), *more]
    return {table.name: table for table in made}
