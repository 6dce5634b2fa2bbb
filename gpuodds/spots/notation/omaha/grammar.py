"""The grammar of Omaha's range text, its parser, and the errors for text that does not parse.

:mod:`gpuodds.spots.notation.omaha.text` defines the meaning of the items,
:mod:`gpuodds.spots.notation.generic` reads their hands.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from gpuodds.errors import InputError
from gpuodds.games.omaha.starting_hands import SUIT_PATTERNS
from gpuodds.spots.notation.faults import DECIMAL, fault
from gpuodds.spots.notation.generic import ELEMENT, RANK_MACROS

GRAMMAR = r"""
start: list
list: SEPARATOR? item (SEPARATOR item)* SEPARATOR?
item: expression ("@" (NUMBER | PERCENT))?
?expression: operand | expression ":" operand -> both | expression "!" operand -> without
?operand: HAND -> single
    | HAND "+" -> upward
    | HAND "-" -> downward
    | HAND "-" HAND -> run
    | NAME -> named
    | EVERY -> every
    | PERCENT -> best
    | PERCENT "-" PERCENT -> between
    | "(" list ")" -> group

SEPARATOR.5: /\s*[,;\n][\s\xa0,;]*/
EVERY.4: /random/i
PERCENT.4: /DECIMAL[ \t\xa0]*%(?:\d{1,2}h)?/
NAME.4: /NAMES/
HAND.2: /ELEMENT+/
NUMBER: /DECIMAL/
%ignore /[ \t\r\f\v\xa0]+/
"""
PAIR_NAMES = {
    "np": "no pair",
    "op": "one pair, and no three of a rank",
    "tp": "two pairs, and no three of a rank",
    "nt": "no three of a rank",
}
NAMES = sorted({*PAIR_NAMES, *(name for names in SUIT_PATTERNS.values() for name in names)})


@lru_cache(maxsize=1)
def range_parser() -> Any:
    """Return lark's parser of Omaha's range text."""
    from lark import Lark

    names = rf"\$(?:{'|'.join(sorted(NAMES, key=len, reverse=True))})(?![a-z0-9])"
    grammar = GRAMMAR.replace("NAMES/", names + "/").replace("ELEMENT", ELEMENT)
    grammar = grammar.replace("DECIMAL", DECIMAL)
    return Lark(grammar, parser="lalr", propagate_positions=True, g_regex_flags=re.ASCII)


def refusal(text: str, error: Any) -> InputError:
    """Return the error that names the place where the parser stopped, and what it expected there."""
    at = len(text) if getattr(error, "token", None) == "" else error.pos_in_stream
    names = error.interactive_parser.accepts()
    sign = text[at] if at < len(text) else None
    return fault(text, at, f"expected {_expected(names, text, at)}", sign)


def _expected(names: set[str], text: str, at: int) -> str:
    if "NUMBER" in names:
        return "a weight in percent, such as 50"
    if "HAND" in names:
        if text[at : at + 1] == "!":
            return "a hand before !, such as *!AA"
        if text[at : at + 1] == "$":
            named = ", ".join("$" + name for name in NAMES if not name[0].isdigit())
            return f"one of {named}, or {', '.join(RANK_MACROS)} as a card"
        if text[:at].rstrip().endswith(":") and text[at : at + 1] in {*"0.1"}:
            return "a hand after :, which means and; a weight is written @50"
        if text[at : at + 1] == "[":
            return "a list that ends with ], such as [A-T]"
        if text[at : at + 1] in ("#", "@"):
            return "a hand: only the command reads named ranges (#UTG#) and files (@FILE)"
        if text[:at].rstrip().endswith("-"):
            return "a hand, such as the 99 of KK-99"
        return "a hand, such as AAKK, AxAyxy or AsKh*, or a range, such as 15%"
    signs = {"MINUS": "-", "PLUS": "+", "COLON": ":", "BANG": "!", "AT": "@", "RPAR": ")"}
    listed = [word for name, word in signs.items() if name in names]
    listed += ["a comma"] if "SEPARATOR" in names else ["the end"] if "$END" in names else []
    if "PERCENT" in names:
        listed = ["a percentage"]
    return " or ".join([", ".join(listed[:-1]), listed[-1]] if listed[1:] else listed)
