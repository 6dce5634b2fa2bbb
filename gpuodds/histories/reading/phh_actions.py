"""The actions of PHH: ``p1 cbr 60``, ``d dh p2 KsKh``."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.histories.chips import read_number
from gpuodds.histories.reading.notation import Unreadable

MAX_PLAYERS = 23


class Action(NamedTuple):
    """An action: what is done, by which place, to what amount, with which cards."""

    verb: str
    place: int = 0
    amount: int = 0
    cards: tuple[int, ...] | None = None


@lru_cache(maxsize=65536)
def read_action(action: str) -> Action:
    """Return an action; hands have the same ones again and again."""
    words = action.partition("#")[0].split()
    if not words:
        return Action("")
    if words[0] == "d" and words[1:2] == ["db"] and len(words) == 3:
        return Action("db", cards=_read_cards(words[2]))
    if words[0] == "d" and words[1:2] == ["dh"] and len(words) == 4:
        return Action("dh", _player(words[2]), cards=_read_cards(words[3]))
    verb = words[1] if len(words) > 1 else ""
    if verb in {"f", "cc"} and len(words) == 2:
        return Action(verb, _player(words[0]))
    if verb == "cbr" and len(words) == 3:
        return Action(verb, _player(words[0]), _amount(words[2], action))
    if verb == "sm" and len(words) == 2:
        return Action(verb, _player(words[0]))
    if verb == "sm" and len(words) == 3:
        is_known = words[2] == "-"  # as dealt
        return Action(
            "sm -" if is_known else "sm",
            _player(words[0]),
            cards=None if is_known else _read_cards(words[2]),
        )
    raise Unreadable(f"{action!r} is not an action")


def _player(text: str) -> int:
    if text[:1] != "p" or not text[1:].isdigit() or not 1 <= int(text[1:]) <= MAX_PLAYERS:
        raise Unreadable(f"{text!r} is not a player")
    return int(text[1:]) - 1


def _amount(text: str, action: str) -> int:
    try:
        return read_number(text)
    except (ValueError, ZeroDivisionError):
        raise Unreadable(f"{action!r} has no amount") from None


@lru_cache(maxsize=65536)
def _read_cards(text: str) -> tuple[int, ...] | None:
    if "?" in text:
        return None
    try:
        return parse_cards(text)
    except InputError:
        raise Unreadable(f"{text!r} are not cards") from None
