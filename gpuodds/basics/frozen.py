"""Instances of frozen dataclasses in less time than their ``__init__`` takes."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def frozen(kind: type[T], **fields: Any) -> T:
    """Return an instance of a frozen dataclass, all fields set at once: ``__init__`` sets one by one.

    Neither names of fields nor types are checked, and ``__post_init__`` is not called.

    Args:
        kind: The dataclass.
        fields: Its fields; those left out have the defaults of the class.

    >>> from gpuodds.results.player_equity import MadeHand
    >>> frozen(MadeHand, all=0.5, win=0.25, tie=0.0)
    MadeHand(all=0.5, win=0.25, tie=0.0)
    """
    made = object.__new__(kind)
    vars(made).update(fields)
    return made
