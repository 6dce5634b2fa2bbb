"""What it costs to read Omaha's range text, estimated from the text alone."""

from __future__ import annotations

import re

from gpuodds.spots.notation.generic import LIST, RANK, RANK_MACRO
from gpuodds.spots.notation.omaha.text import KEPT_SETS

_COMBOS_SECONDS = {4: 0.6e-3, 5: 1.8e-3, 6: 12e-3}
"""About what a pattern without variables takes, by number of cards; other steps are shares of it."""
_BY_SUIT_VARIABLES = (1.0, 2.0, 4.0, 4.0, 3.0)
_BY_RANK_VARIABLES = (1.0, 2.0, 2.5)
_NAMED, _PERCENT, _EVERY = 3.0, 4.0, 0.5
_WEIGHTS = 0.7  # to give some hands a weight, after hands of another weight
_OPERATOR = 0.15
_TEXT = 3.0  # to write the weights of all combos
_NARROW = 0.2e-3  # seconds for a whole hand, or all its cards but one
_TOKEN = 50e-6  # seconds of the parser

_WEIGHT = re.compile(r"@[\s\xa0]*([\d.]*%?)")
_BLANKS = " \t\r\f\v\xa0"
_ITEM = re.compile(rf"(?:[^,;\n()\[]+|{LIST}|\[)+")
_OPERAND = re.compile(rf"(?:[^\s\xa0,;:!()@\[]+|{LIST}|\[)+")
_SET = re.compile(rf"{LIST}|{RANK_MACRO}")
_CARDS = re.compile(r"(?:10|[2-9TJQKA])[cdhs]", re.IGNORECASE)
_RANKS = re.compile(RANK)
_ORDER = "23456789TJQKA"


def omaha_reading_seconds(text: str, size: int) -> float:
    """Return about how many seconds it takes to read a range of Omaha.

    Args:
        text: The range, which need not be valid.
        size: The number of cards of a hand.
    """
    text = "-".join(part.strip(_BLANKS) for part in text.split("-"))
    unit = _COMBOS_SECONDS[size]
    seconds = unit * _TEXT
    kept: dict[str, float] = {}  # what the reader keeps, the longest ago first
    known: dict[str, float] = {}
    last_weight = ""
    items = (item.strip(_BLANKS) for item in _ITEM.findall(text))
    for item in filter(None, dict.fromkeys(items)):
        weight_match = _WEIGHT.search(item)
        weight = weight_match[1] if weight_match else ""
        operands = _OPERAND.findall(_WEIGHT.sub("", item))
        seconds += unit * (_OPERATOR * len(operands) + _WEIGHTS * (weight != last_weight))
        seconds += _TOKEN * (2 + 2 * len(operands))
        last_weight = weight
        for operand in operands:
            if operand in kept:
                cost = kept.pop(operand)
            else:
                if operand not in known:
                    known[operand] = _operand_seconds(operand, size)
                cost = known[operand]
                seconds += cost
            kept[operand] = cost
            if len(kept) > KEPT_SETS:
                del kept[next(iter(kept))]
    return seconds


def _operand_seconds(operand: str, size: int) -> float:
    unit = _COMBOS_SECONDS[size]
    if "%" in operand:
        return unit * _PERCENT * (1 + ("-" in operand))
    if operand[0] == "$" and not operand[1:2].isupper():
        return unit * _NAMED
    if operand.lower() == "random":
        return unit * _EVERY
    hand, dash, end = _SET.sub("*", operand).partition("-")
    cards = len(_CARDS.findall(hand))
    steps = _steps(hand, dash, end)
    if cards >= size - 1:
        return _NARROW * steps
    letters = {*hand.lower()}
    suits = _BY_SUIT_VARIABLES[len(letters & {*"wxyz"})]
    ranks = _BY_RANK_VARIABLES[min(2, len(letters & {*"ronpg"}))]
    return unit * suits * ranks * steps


def _steps(hand: str, dash: str, end: str) -> int:
    """Return the number of hands of a run."""
    upward = hand.endswith("+")
    if not dash and not upward:
        return 1
    begin = _numbers(hand)
    if not begin:
        return 1
    if end:
        pairs = zip(begin, _numbers(end), strict=False)
        return 1 + max((abs(first - last) for first, last in pairs), default=0)
    return len(_ORDER) - max(begin) if upward else 1 + min(begin)


def _numbers(hand: str) -> list[int]:
    return [_ORDER.index(rank[0].upper().replace("1", "T")) for rank in _RANKS.findall(hand)]
