"""The layouts of all tables, by name."""

from __future__ import annotations

from gpuodds.errors import InputError, excerpt
from gpuodds.games.omaha.game import OMAHA, OMAHA5, OMAHA5_HI_LO, OMAHA_HI_LO
from gpuodds.tables.layouts.layout import Layout
from gpuodds.tables.layouts.omaha_random import OmahaRandomLayout
from gpuodds.tables.layouts.preflop_heads_up import PreflopHeadsUpLayout
from gpuodds.tables.layouts.preflop_heads_up_folded import PreflopHeadsUpFoldedLayout
from gpuodds.tables.layouts.preflop_random import PreflopRandomLayout
from gpuodds.tables.layouts.preflop_three_way import PreflopThreeWayLayout
from gpuodds.tables.layouts.streets import (
    FlopBucketsLayout,
    FlopFeaturesLayout,
    FlopLayout,
    RiverBucketsLayout,
    RiverFeaturesLayout,
    RiverLayout,
    TurnBucketsLayout,
    TurnFeaturesLayout,
    TurnLayout,
)
from gpuodds.tables.shipped.preflop_random import RANDOM_TABLES


def layouts() -> dict[str, Layout]:
    """Return the layouts of all tables, by name."""
    random = [PreflopRandomLayout(table.name, table.game) for table in RANDOM_TABLES.values()]
    shipped = [random[0], PreflopHeadsUpLayout(), OmahaRandomLayout(OMAHA), *random[1:]]
    streets = [FlopLayout(), TurnLayout(), RiverLayout()]
    features = [FlopFeaturesLayout(), TurnFeaturesLayout(), RiverFeaturesLayout()]
    buckets = [FlopBucketsLayout(), TurnBucketsLayout(), RiverBucketsLayout()]
    omaha = [OmahaRandomLayout(game) for game in (OMAHA_HI_LO, OMAHA5, OMAHA5_HI_LO)]
    made: list[Layout] = [
        *shipped,
        PreflopThreeWayLayout(),
        PreflopHeadsUpFoldedLayout(),
        *streets,
        *features,
        *buckets,
        *omaha,
    ]
    return {layout.name: layout for layout in made}


def find_layout(name: str) -> Layout:
    """Return the layout of a table.

    Raises:
        InputError: There is no such table.
    """
    known = layouts()
    if name not in known:
        raise InputError(f"table {excerpt(name)}: expected one of {', '.join(known)}")
    return known[name]


def check_opponents(layout: Layout, opponents: int | None) -> int:
    """Return the largest number of opponents of a build, the default one for None.

    Raises:
        InputError: The table cannot have this many.
    """
    if opponents is None:
        return layout.default_opponents
    if layout.max_opponents == 0:
        raise InputError(f"table {layout.name}: it has no number of opponents, found {opponents}")
    if not 1 <= opponents <= layout.max_opponents:
        raise InputError(
            f"opponents {opponents}: expected 1 to {layout.max_opponents} for table {layout.name}"
        )
    return opponents
