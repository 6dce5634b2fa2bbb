"""Filters of a range by what its combos have: ``top pair+``, ``turn: flush draw``, ``!ace high``."""

from __future__ import annotations

from collections.abc import Callable, Collection
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.basics.arguments import shown
from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.games.shared.hit_names import (
    CODES,
    DRAW_BITS,
    MADE,
    draw_names,
    draw_table,
    made_names,
)

Bools = npt.NDArray[np.bool_]


class HitFilter(NamedTuple):
    """What combos must have.

    Attributes:
        street: The street it asks about; none for the last.
        kept: Which codes it keeps, shape (CODES,), bool.
    """

    street: str
    kept: Bools


def read_hit_filter(text: object, game: Game, streets: Collection[str]) -> HitFilter:
    """Return the filter of a text.

    Names are separated by commas, one of them is enough. ``+`` after a made hand means this one or a
    better one, ``!`` before a name leaves out what has it, and ``flop:``, ``turn:`` or ``river:`` asks
    about that street.

    Args:
        text: The text, with names of docs/hits.md.
        game: The game.
        streets: The streets that the board has reached.

    Raises:
        InputError: A name is not known, a street is not reached, or there is no name.

    >>> from gpuodds.games.catalog import find_game
    >>> read_hit_filter("turn: set+, flush draw", find_game("holdem"), ["flop", "turn"]).street
    'turn'
    """
    if not isinstance(text, str):
        raise InputError(f"hits {shown(text)}: expected a text such as 'top pair+'")
    problem = _problem(text)
    street, names = "", text
    if ":" in text:
        street, names = (part.strip() for part in text.split(":", 1))
        street = street.lower()
        if street not in streets:
            raise problem(
                f"expected one of {', '.join(streets)} before the colon, found {shown(street)}"
            )
    kept, left_out, wants = np.zeros(CODES, bool), np.zeros(CODES, bool), False
    for part in names.split(","):
        name = " ".join(part.lower().split())
        if name.startswith("!"):
            left_out |= _codes_of(name[1:].strip(), game, problem)
        else:
            kept |= _codes_of(name, game, problem)
            wants = True
    return HitFilter(street, (kept if wants else ~kept) & ~left_out)


def _codes_of(name: str, game: Game, problem: Callable[[str], InputError]) -> Bools:
    made = np.arange(CODES) >> DRAW_BITS
    best, draws = made_names(game), draw_names(game)
    or_better = name.endswith("+")
    single = name.removesuffix("+").strip()
    if single in best:
        wanted = best[: best.index(single) + 1] if or_better else (single,)
        return np.isin(made, [MADE.index(one) for one in wanted])
    if single in draws:
        if or_better:
            raise problem(f"only made hands have an order: write {single} without +")
        has: Bools = draw_table(game)[draws.index(single)]
        return has
    if not single:
        raise problem("expected a name, such as top pair+")
    close = get_close_matches(single, [*best, *draws], n=1)
    meant = f"did you mean {close[0]}?" if close else f"{best[-2]} and {draws[0]} are some"
    raise problem(f"{shown(single)} is no made hand or draw of {game.name}: {meant}")


def _problem(text: str) -> Callable[[str], InputError]:
    return lambda reason: InputError(f"hits {shown(text)}: {reason}")
