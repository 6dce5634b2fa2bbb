"""How many combinations of hands are worth listing one by one."""

from __future__ import annotations

MAX_LISTED_HANDS = 20_000


def why_too_many(hands: float) -> str:
    """Return why so many combinations of hands are not listed; empty if they are.

    >>> why_too_many(1000), why_too_many(30_000)
    ('', '30,000 combinations of hands; at most 20,000 are listed')
    """
    if hands > MAX_LISTED_HANDS:
        return f"{hands:,.0f} combinations of hands; at most {MAX_LISTED_HANDS:,} are listed"
    return ""
