"""The names of made hands and draws, and their code. docs/hits.md defines the names.

A *code* is the number of a made hand in :data:`MADE`, times 64, plus a bit for each draw that cards
alone decide. All other names follow from the code.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gpuodds.games.game import OMAHA_FAMILY, Game

MADE = (
    *("straight flush", "four of a kind", "full house", "flush", "straight", "set", "trips"),
    *("two pair", "overpair", "top pair", "pocket pair below top", "middle pair", "weak pair"),
    *("ace high", "no made hand"),
)
"""The made hands, the best first as in hold'em. A combo on a board has exactly one."""
STRAIGHT_FLUSH, QUADS, FULL_HOUSE, FLUSH, STRAIGHT, SET, TRIPS, TWO_PAIR, OVERPAIR = range(9)
TOP_PAIR, BELOW_TOP, MIDDLE_PAIR, WEAK_PAIR, ACE_HIGH, NOTHING = range(9, 15)

DRAWS = (
    *("flush draw", "nut flush draw", "open-ended straight draw", "gutshot", "backdoor flush draw"),
    *("overcards", "flush draw + open-ended", "flush draw + gutshot", "flush draw + pair"),
    *("open-ended + pair", "gutshot + pair"),
)
"""The draws of games with two hole cards. A combo on a flop or turn may have several."""
OMAHA_DRAWS = (
    *("flush draw", "nut flush draw", "wrap", "open-ended straight draw", "gutshot"),
    *("backdoor flush draw", "flush draw + wrap", "flush draw + open-ended", "flush draw + gutshot"),
    *("flush draw + pair", "wrap + pair", "open-ended + pair", "gutshot + pair"),
)
"""The draws of Omaha."""
FLUSH_DRAW, NUT_FLUSH_DRAW, OPEN_ENDED, GUTSHOT, BACKDOOR, OVERCARDS = 1, 2, 4, 8, 16, 32
WRAP = OVERCARDS
"""In Omaha the bit of overcards, which mean nothing there, stands for a wrap."""
DRAW_BITS = 6
CODES = len(MADE) << DRAW_BITS
"""The number of codes; also what stands for a combo that shares a card with the board."""


def made_names(game: Game) -> tuple[str, ...]:
    """Return the names of :data:`MADE`, the best first in the order of a game.

    >>> from gpuodds.games.catalog import find_game
    >>> made_names(find_game("short-deck"))[1:4]
    ('four of a kind', 'flush', 'full house')
    """
    heights = {name: height for height, name in enumerate(game.categories)}
    of_trips = heights["three of a kind"]
    best = [heights.get(name, of_trips) for name in MADE[: TRIPS + 1]]
    order = sorted(range(TRIPS + 1), key=best.__getitem__, reverse=True)
    return (*(MADE[made] for made in order), *MADE[TRIPS + 1 :])


def draw_names(game: Game) -> tuple[str, ...]:
    """Return the names of the draws of a game."""
    return OMAHA_DRAWS if game.family == OMAHA_FAMILY else DRAWS


@lru_cache
def draw_table(game: Game) -> npt.NDArray[np.bool_]:
    """Return which draws of :func:`draw_names` a code has, shape (draws, CODES), bool."""
    codes = np.arange(CODES)
    made, bits = codes >> DRAW_BITS, codes & (1 << DRAW_BITS) - 1
    pair = (made >= OVERPAIR) & (made <= WEAK_PAIR)
    flush, nuts, open_ended = (bits & bit > 0 for bit in (FLUSH_DRAW, NUT_FLUSH_DRAW, OPEN_ENDED))
    gutshot, backdoor, other = (bits & bit > 0 for bit in (GUTSHOT, BACKDOOR, WRAP))
    with_flush = [flush & open_ended, flush & gutshot, flush & pair]
    with_pair = [open_ended & pair, gutshot & pair]
    if game.family == OMAHA_FAMILY:
        single = [flush, nuts, other, open_ended, gutshot, backdoor]
        return np.array([*single, flush & other, *with_flush, other & pair, *with_pair])
    return np.array([flush, nuts, open_ended, gutshot, backdoor, other, *with_flush, *with_pair])
