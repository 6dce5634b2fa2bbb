"""The names of positions at the table."""

from __future__ import annotations

from functools import lru_cache

_LATE = ("LJ", "HJ", "CO", "BTN")


def name_positions(players: int, small: int, big: int) -> list[str]:
    """Return the positions of players, who are in order from the first after the button.

    Args:
        players: Their number.
        small: The place of the small blind; negative if it is not posted.
        big: The place of the big blind; negative likewise.

    Example:
        >>> name_positions(6, 0, 1), name_positions(2, 1, 0)
        (['SB', 'BB', 'LJ', 'HJ', 'CO', 'BTN'], ['BB', 'SB'])
        >>> name_positions(9, 0, 1)[2:]
        ['UTG', 'UTG1', 'UTG2', 'LJ', 'HJ', 'CO', 'BTN']
    """
    return list(_name_positions(players, small, big))


@lru_cache(maxsize=1024)
def _name_positions(players: int, small: int, big: int) -> tuple[str, ...]:
    names = [""] * players
    for place, name in ((small, "SB"), (big, "BB")):
        if place >= 0:
            names[place] = name
    in_order = (
        [(big + step) % players for step in range(1, players + 1)] if big >= 0 else range(players)
    )
    others = [place for place in in_order if not names[place]]
    early = [f"UTG{place or ''}" for place in range(max(len(others) - len(_LATE), 0))]
    late = _LATE[-len(others) :] if len(others) < len(_LATE) else _LATE
    for place, name in zip(others, (*early, *late), strict=False):
        names[place] = name
    return tuple(names)
