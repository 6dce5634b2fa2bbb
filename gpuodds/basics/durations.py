"""Format durations."""

from __future__ import annotations

UNITS = ((86400 * 365.25, "years"), (86400, "days"), (3600, "h"), (60, "min"))


def format_duration(seconds: float) -> str:
    """Return a duration as text with two or three digits.

    Args:
        seconds: The duration in seconds, 0 or more.

    >>> [format_duration(s) for s in (0, 0.0123, 2.5, 119, 1020, 16_560, 4e9)]
    ['0 s', '12.3 ms', '2.5 s', '119 s', '17 min', '5 h', '127 years']
    """
    for size, unit in UNITS:
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    if 0 < seconds < 1:
        return f"{1000 * seconds:.3g} ms"
    return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
