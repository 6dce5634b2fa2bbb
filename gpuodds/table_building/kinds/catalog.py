"""The kinds of all tables, by name."""

from __future__ import annotations

from gpuodds.games.omaha.game import OMAHA, OMAHA5, OMAHA5_HI_LO, OMAHA_HI_LO
from gpuodds.table_building.kinds.buckets import bucket_kinds
from gpuodds.table_building.kinds.features import FlopFeatures, RiverFeatures, TurnFeatures
from gpuodds.table_building.kinds.flop_random import FlopRandom
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.table_building.kinds.omaha_random import OmahaRandom
from gpuodds.table_building.kinds.preflop_heads_up import PreflopHeadsUp
from gpuodds.table_building.kinds.preflop_heads_up_folded import PreflopHeadsUpFolded
from gpuodds.table_building.kinds.preflop_random import PreflopRandom
from gpuodds.table_building.kinds.preflop_three_way import PreflopThreeWay
from gpuodds.table_building.kinds.river_random import RiverRandom
from gpuodds.table_building.kinds.turn_random import TurnRandom
from gpuodds.tables.layouts.catalog import find_layout
from gpuodds.tables.shipped.preflop_random import RANDOM_TABLES


def kinds() -> dict[str, Kind]:
    """Return the kinds of all tables, by name."""
    random = [PreflopRandom(table.name, table.game) for table in RANDOM_TABLES.values()]
    shipped = [random[0], PreflopHeadsUp(), OmahaRandom(OMAHA), *random[1:]]
    streets = [FlopRandom(), TurnRandom(), RiverRandom()]
    features = [FlopFeatures(), TurnFeatures(), RiverFeatures()]
    omaha = [OmahaRandom(game) for game in (OMAHA_HI_LO, OMAHA5, OMAHA5_HI_LO)]
    before_flop = [PreflopThreeWay(), PreflopHeadsUpFolded()]
    made: list[Kind] = [*shipped, *before_flop, *streets, *features, *bucket_kinds(), *omaha]
    return {kind.name: kind for kind in made}


def find_kind(name: str) -> Kind:
    """Return the kind of a table.

    Raises:
        InputError: There is no such table.
    """
    return kinds()[find_layout(name).name]
