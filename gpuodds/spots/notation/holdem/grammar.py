"""The grammar of range text, its parser, and the errors for text that does not parse.

:mod:`gpuodds.spots.notation.holdem.text` defines the meaning of the items.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.spots.hands import refuse_several_hands
from gpuodds.spots.notation.faults import BLANK, DECIMAL, fault

GRAMMAR = r"""
start: list
list: SEPARATOR? item (SEPARATOR item?)*
?item: part | part weight -> weighted
    | "!" part -> excluded
    | (EXCLUDE | "!" "(") list ")" -> excluded
    | FACTOR "(" list ")" -> scaled
    | ("(" list ")" | "{" list "}") weight? -> bracketed
    | OPEN list CLOSE -> tagged
?part: hand -> single
    | hand "+" -> upward
    | CLASS _DASH -> downward | COMBO _DASH -> downward
    | CLASS _DASH CLASS -> run | COMBO _DASH COMBO -> run
    | WILD -> wild
    | (EVERY | ANY) -> every
    | GENERIC -> generic
    | PERCENT -> best
    | PERCENT _DASH PERCENT -> between
?hand: CLASS | COMBO
weight: (_COLON NUMBER | "(" NUMBER ")") -> share
    | (_AT (NUMBER | PERCENT) | "(" PERCENT ")") -> percent

SEPARATOR: /[BLANK,;]+/
_DASH.3: /[BLANK]+-(?![BLANK]*\()[BLANK]*|-[BLANK]*/
_COLON.3: /[BLANK]*:[BLANK]*/
_AT.3: /[BLANK]*@[BLANK]*/
EXCLUDE: /-\(/
OPEN.4: /\[DECIMAL\]/
CLOSE.4: /\[\/(DECIMAL)?\]/
PERCENT.4: /DECIMAL[BLANK]*%(?:\d{1,2}h)?(?!\()/
FACTOR.3: /(DECIMAL[BLANK]*%|\d+\.\d*|\.\d+|\d)(?=\()/
COMBO.2: /CARDCARD/i
CLASS.1: /RANK{2}[so]?/i
WILD.1: /RANKX[so]?/i
EVERY.6: /random|any|\*\*|XxXx|XX/i
GENERIC.5: /HANDS/
ANY: "*"
NUMBER: /(?<=[:@(BLANK])DECIMAL/
"""
RANK = r"(?:10|[2-9TJQKA])"
CARD_RANK = r"(?:1[0-3]|[1-9TJQKA])"
CARD = CARD_RANK + r"[cdhs\u2660-\u2667]\ufe0f?"
HAND = rf"(?:{CARD}{CARD}|{RANK}{RANK}[so]?)"
WEIGHT = re.compile(rf"{DECIMAL}(?:[eE][-+]?\d+)?", re.A)
TWO_READINGS = [  # an ambiguous pattern, and how to write each of its readings
    (re.compile(rf"({HAND})-[{BLANK}]+({HAND})", re.I | re.A), "{0}-{1} for a run, or {0}-,{1}"),
    (
        re.compile(rf"(?<![\d.-])({DECIMAL})[{BLANK}]*%[{BLANK}]+\(", re.A),
        "{0}%(...) for a weight, or {0}%,(...) for the best {0}% and more",
    ),
]
SCRIPT = re.compile(
    rf"[{BLANK}]*set_range(?:_(?:oop|ip)|[{BLANK}]+(?:oop|ip))(?=[{BLANK}])", re.I | re.A
)
BEGUN = [  # unfinished hands, the longest first, and what would finish them
    (re.compile(pattern, re.IGNORECASE | re.ASCII), wanted)
    for pattern, wanted in (
        (CARD + CARD_RANK, "a suit (c, d, h or s)"),
        (CARD, "a second card, such as Kh"),
        (RANK, "a second rank or a suit"),
    )
]

TOKENS = {
    "COMBO": "a hand",
    "CLASS": "a hand",
    "WILD": "a hand",
    "EVERY": "a hand",
    "ANY": "a hand",
    "GENERIC": "a hand",
    "PERCENT": "a percentage",
    "NUMBER": "a weight",
    "CLOSE": "[/...]",
    "RPAR": ")",
    "RBRACE": "}",
    "_COLON": ":",
    "_AT": "@",
    "PLUS": "+",
    "_DASH": "-",
}


@lru_cache(maxsize=1)
def range_parser() -> Any:
    """Return lark's parser of range text."""
    from lark import Lark

    from gpuodds.spots.notation.generic import GENERIC_HAND

    grammar = GRAMMAR.replace("CARDCARD", CARD + CARD).replace("RANK{2}", RANK + RANK)
    grammar = (
        grammar.replace("RANKX", RANK + "X")
        .replace("HANDS", GENERIC_HAND)
        .replace("DECIMAL", DECIMAL)
        .replace("BLANK", BLANK)
    )
    # ASCII: in Unicode mode a long s matches s, and digits of every script match.
    return Lark(grammar, parser="lalr", propagate_positions=True, g_regex_flags=re.ASCII)


def refuse_two_readings(text: str, game: Game) -> None:
    """Refuse text that two programs read differently.

    Raises:
        InputError: The text has such an item; the message names both readings.
    """
    refuse_several_hands(text, game)
    for pattern, readings in TWO_READINGS:
        if match := pattern.search(text):
            raise fault(text, match.start(), f"two readings: write {readings.format(*match.groups())}")


def refusal(text: str, error: Any) -> InputError:
    """Return the error that names the place where the parser stopped, and what it expected there."""
    from lark.exceptions import UnexpectedCharacters

    at = len(text) if getattr(error, "token", None) == "" else error.pos_in_stream
    names = error.interactive_parser.accepts()
    expected = _expected(names, text, at)
    if "COMBO" in names and isinstance(error, UnexpectedCharacters):
        for pattern, wanted in BEGUN:
            if begun := pattern.match(text, at):
                at, expected = begun.end(), f"expected {wanted}"
                break
    return fault(text, at, expected, text[at] if at < len(text) else None)


def _expected(names: set[str], text: str, at: int) -> str:
    if "NUMBER" in names and text[:at].endswith("-("):
        return "expected a weight, or a comma before -("
    before = re.search(rf"({RANK})({RANK})$", text[:at], re.IGNORECASE)
    if before and "PLUS" in names:
        if before[1].upper() == before[2].upper():
            return "expected +, - or the end of the hand"
        return "expected s, o, + or the end of the hand"
    if len({"CLASS", "COMBO"} & names) == 1:
        return f"expected the other end of the run, such as {'A6s' if 'CLASS' in names else '6d5d'}"
    parts = sorted({TOKENS[name] for name in names if name in TOKENS})
    if "a hand" in parts:
        if text[at : at + 1] in ("#", "@"):
            return "expected a hand: only the command reads named ranges (#UTG#) and files (@FILE)"
        if re.match(r"set_\w", text[at:], re.IGNORECASE):
            return "expected one line of a solver's script, such as set_range_oop AA,KK"
        return "expected a hand, such as AKs, or a range, such as QQ+"
    if "SEPARATOR" in names or "$END" in names:
        parts.append("the end of the item")
    return f"expected {' or '.join([', '.join(parts[:-1]), parts[-1]] if parts[1:] else parts)}"
