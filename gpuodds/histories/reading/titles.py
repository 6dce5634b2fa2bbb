"""Games and times in the first line of a hand."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.omaha.game import OMAHA, OMAHA5, OMAHA5_HI_LO, OMAHA6, OMAHA_HI_LO
from gpuodds.games.short_deck.game import SHORT_DECK
from gpuodds.histories.reading.notation import Unreadable

_OTHERS = re.compile(
    r"badugi|badacey|badeucy|razz|stud|draw|2-7|a-5|courchevel|split|fusion|tempest|irish|chinese|pineapple"
    r"|dealer|stake|swap|showtime|unfold",
    re.IGNORECASE,
)
_OMAHA = re.compile(r"omaha|\bplo|\bnlo|\bflo", re.IGNORECASE)
_HI_LO = re.compile(r"hi\s?[-/]?\s?lo|h/l|hl\b|\bplo8|\bflo8|\bnlo8|8 or better", re.IGNORECASE)
_FIVE = re.compile(r"(?:5|five)[\s-]?card|plo-?5|5[\s-]?(?:card )?omaha|omaha ?5", re.IGNORECASE)
_SIX = re.compile(r"(?:6|six)[\s-]?card|plo-?6|6[\s-]?(?:card )?omaha|omaha ?6", re.IGNORECASE)
_SHORT = re.compile(r"6\+|short[\s-]?deck", re.IGNORECASE)
_HOLDEM = re.compile(r"hold[\s']?em|\bnlh?e?\b|\blhe\b", re.IGNORECASE)
_TIME = re.compile(r"(\d{4})[/-](\d\d?)[/-](\d\d?)\s+-?\s*(\d\d?):(\d\d):(\d\d)")


@lru_cache(maxsize=4096)
def find_title_game(title: str) -> Game:
    """Return the game that a hand's first line names.

    Raises:
        Unreadable: It is no game of gpuodds.

    Example:
        >>> find_title_game("5 Card Omaha Hi/Lo Pot Limit"), find_title_game("6+ Hold'em No Limit")
        (<game omaha5-hi-lo>, <game short-deck>)
    """
    other = _OTHERS.search(title)
    if other:
        raise Unreadable(f"{title.strip()!r} is not a game of gpuodds")
    if _OMAHA.search(title):
        hi_lo = bool(_HI_LO.search(title))
        if _SIX.search(title):
            game = None if hi_lo else OMAHA6
        elif _FIVE.search(title):
            game = OMAHA5_HI_LO if hi_lo else OMAHA5
        else:
            game = OMAHA_HI_LO if hi_lo else OMAHA
        if game is None:
            raise Unreadable(f"{title.strip()!r} is not a game of gpuodds")
        return game
    if _SHORT.search(title):
        return SHORT_DECK
    if _HOLDEM.search(title):
        return HOLDEM
    raise Unreadable(f"{title.strip()!r} is not a game of gpuodds")


def read_time(text: str) -> datetime | None:
    """Return the first date and time in a text, None without one.

    Example:
        >>> read_time("2010/05/06 22:46:48 WET [2010/05/06 17:46:48 ET]").isoformat()
        '2010-05-06T22:46:48'
    """
    found = _TIME.search(text)
    if found is None:
        return None
    year, month, day, hour, minute, second = map(int, found.groups())
    try:
        return datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
