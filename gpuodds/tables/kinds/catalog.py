"""What tables there are, by name."""

from __future__ import annotations

from gpuodds.errors import InputError, excerpt
from gpuodds.tables.kinds.kind import Kind
from gpuodds.tables.kinds.preflop import PreflopHeadsUp, PreflopRandom
from gpuodds.tables.kinds.streets import FlopRandom, RiverRandom, TurnRandom
from gpuodds.tables.kinds.three_way import PreflopThreeWay


def kinds() -> dict[str, Kind]:
    """Return the tables by name."""
    preflop = [PreflopRandom(), PreflopHeadsUp(), PreflopThreeWay()]
    made = [*preflop, FlopRandom(), TurnRandom(), RiverRandom()]
    return {kind.name: kind for kind in made}


def find_kind(name: str) -> Kind:
    """Return a table by its name.

    Raises:
        InputError: There is none.
    """
    known = kinds()
    if name not in known:
        raise InputError(f"table {excerpt(name)}: expected one of {', '.join(known)}")
    return known[name]


def check_opponents(kind: Kind, opponents: int | None) -> int:
    """Return the most opponents of a build, the usual ones if nothing is said.

    Raises:
        InputError: The table cannot have so many.
    """
    if opponents is None:
        return kind.usual_opponents
    if kind.most_opponents == 0:
        raise InputError(f"table {kind.name}: it has no number of opponents, found {opponents}")
    if not 1 <= opponents <= kind.most_opponents:
        raise InputError(
            f"opponents {opponents}: expected 1 to {kind.most_opponents} for table {kind.name}"
        )
    return opponents
