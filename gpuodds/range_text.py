"""Range text, in and out: one grammar for every dialect, parsed with lark.

A text is a list of items, by commas, semicolons or white space. Each says which holdings, and with
what weight; a later item replaces an earlier one for the same holding.

========================  =============================================================================
``AA``, ``AKs``, ``AK``   a starting hand; without ``s`` or ``o`` both suited and offsuit
``AsKh``                  a holding, its cards in any form that :mod:`gpuodds.cards` reads
``22+``, ``ATs+``         pairs upward; kickers upward to one below the first rank
``QQ-88``, ``A9s-A6s``    all between, in either order; also ``JTs-67s``, ranks equally far apart
``random``                every holding; also ``any``, ``**``, ``XxXx``, ``100%``
``15%``, ``16%-50%``      the best starting hands of a ranking, or those between, in either order
``!AKs``, ``-(AA,KK)``    weight 0 for these; ``!(AA,KK)`` as well. What is left out has no weights
``AK:0.5``, ``AK@50``     a weight, as a share and in percent
``0.5(AK,QQ)``            a weight times those inside; also ``(AK,QQ):0.5`` and ``[50]AK,QQ[/50]``
========================  =============================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.cards import RANKS, format_cards, parse_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.holdem.holdings import HOLDINGS, holding_cards, holding_index
from gpuodds.holdem.starting_hands import starting_hand, starting_hands

Floats = npt.NDArray[np.float64]

LONGEST = 100_000  # characters; all holdings one by one, with weights, take some 20,000
DEEPEST = 20  # brackets in brackets

GRAMMAR = r"""
start: list
list: SEPARATOR? item (SEPARATOR item?)*
?item: part | part weight -> weighted
    | "!" part -> excluded
    | (EXCLUDE | "!" "(") list ")" -> excluded
    | FACTOR "(" list ")" -> scaled
    | "(" list ")" weight? -> bracketed
    | OPEN list CLOSE -> tagged
?part: HOLDING -> holding
    | CLASS -> starting
    | CLASS "+" -> upward
    | CLASS "-" CLASS -> run
    | EVERY -> every
    | PERCENT -> best
    | PERCENT "-" PERCENT -> between
weight: ":" NUMBER -> share | "@" NUMBER -> percent

SEPARATOR: /[\s\xa0,;]+/
EXCLUDE: /-\(/
OPEN.4: /\[DECIMAL\]/
CLOSE.4: /\[\/(DECIMAL)?\]/
PERCENT.4: /DECIMAL%/
FACTOR.3: /DECIMAL(?=\()/
HOLDING.2: /CARDCARD/i
CLASS.1: /RANK{2}[so]?/i
EVERY.1: /random|any|\*\*|XxXx/i
NUMBER: /(?<=[:@])DECIMAL/
"""
DECIMAL = r"(?:\d+(?:\.\d+)?|\.\d+)"  # one way to match any digits: tried in linear time
RANK = r"(?:10|[2-9TJQKA])"
CARD_RANK = r"(?:1[0-3]|[1-9TJQKA])"
CARD = CARD_RANK + r"[cdhs\u2660-\u2667]\ufe0f?"
BEGUN = [  # hands that break off, the longest first, and how they would go on
    (re.compile(pattern, re.IGNORECASE | re.ASCII), wanted)
    for pattern, wanted in (
        (CARD + CARD_RANK, "a suit (c, d, h or s)"),
        (CARD, "a second card, such as Kh"),
        (RANK, "a second rank or a suit"),
    )
]
EMPTY = {"plain": "0%", "pio": "AA:0", "gto+": "[0.0]AA[/0.0]"}

TOKENS = {
    "HOLDING": "a hand",
    "CLASS": "a hand",
    "EVERY": "a hand",
    "PERCENT": "a percentage",
    "NUMBER": "a weight",
    "CLOSE": "[/...]",
    "RPAR": ")",
    "LPAR": "(",
    "COLON": ":",
    "AT": "@",
    "PLUS": "+",
    "MINUS": "-",
}


@lru_cache(maxsize=1)
def _parser() -> Any:
    from lark import Lark

    grammar = GRAMMAR.replace("CARDCARD", CARD + CARD).replace("RANK{2}", RANK + RANK)
    grammar = grammar.replace("DECIMAL", DECIMAL)
    # ASCII: to Unicode a long s is an s, and digits are those of every script.
    return Lark(grammar, parser="lalr", propagate_positions=True, g_regex_flags=re.ASCII)


@lru_cache(maxsize=64)
def parse_weights(text: str, ranking: tuple[str, ...]) -> Floats:
    """Return the weights that a text gives to the 1,326 holdings, float64 of shape (1326,), read-only.

    ``ranking`` lists the 169 starting hands, best first, for percentages.

    Raises:
        InputError: The text is no range; the line says where, and what was expected.
    """
    from lark.exceptions import UnexpectedInput

    if len(text) > LONGEST:
        raise InputError(f"{excerpt(text)}: {len(text)} characters: expected at most {LONGEST}")
    depth = 0
    for bracket in re.finditer(r"\[/|[(\[)]", text):
        depth += 1 if bracket[0] in ("(", "[") else -1
        if depth > DEEPEST:
            wanted = f"expected at most {DEEPEST} brackets in brackets"
            raise _fault(text, bracket.start(), wanted)
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        raise _refusal(text, error) from None
    weights = _weights(text, tree.children, ranking)
    weights.flags.writeable = False
    return weights


def _weights(text: str, trees: list[Any], ranking: Sequence[str]) -> Floats:
    weights = np.zeros(HOLDINGS)
    for numbers, weight in _items(text, trees, 1.0, ranking):
        weights[numbers] = weight
    return weights


def _fault(text: str, at: int, expected: str, found: str | None = "") -> InputError:
    where = f"{excerpt(text)}: column {at + 1}: {expected}"
    if found == "":
        return InputError(where)
    shown = "the end" if found is None else f"'{excerpt(found, 12)}'"
    return InputError(f"{where}, found {shown}")


def _refusal(text: str, error: Any) -> InputError:
    """Say where the parser stopped, and what would have let it go on."""
    from lark.exceptions import UnexpectedCharacters

    at = len(text) if getattr(error, "token", None) == "" else error.pos_in_stream
    names = error.interactive_parser.accepts()
    expected = _expected(names, text, at)
    if "HOLDING" in names and isinstance(error, UnexpectedCharacters):
        for pattern, wanted in BEGUN:
            if begun := pattern.match(text, at):
                at, expected = begun.end(), f"expected {wanted}"
                break
    return _fault(text, at, expected, text[at] if at < len(text) else None)


def _expected(names: set[str], text: str, at: int) -> str:
    before = re.search(rf"({RANK})({RANK})$", text[:at], re.IGNORECASE)
    if before and "PLUS" in names:
        if before[1].upper() == before[2].upper():
            return "expected +, - or the end of the hand"
        return "expected s, o, + or the end of the hand"
    if names == {"CLASS"}:
        return "expected the other end of the run, such as A6s"
    words = sorted({TOKENS[name] for name in names if name in TOKENS})
    if "a hand" in words:
        return "expected a hand, such as AKs, or a range, such as QQ+"
    if "SEPARATOR" in names or "$END" in names:
        words.append("the end of the item")
    return f"expected {' or '.join([', '.join(words[:-1]), words[-1]] if words[1:] else words)}"


def _items(
    text: str, trees: list[Any], factor: float, ranking: Sequence[str]
) -> Iterator[tuple[list[int], float]]:
    """Give the holdings and the weight of each item, in order."""
    from lark import Token

    for tree in trees:
        if isinstance(tree, Token):
            continue
        kind = tree.data
        inside = tree.children
        if kind == "list":
            yield from _items(text, inside, factor, ranking)
        elif kind == "excluded":
            left_out = _weights(text, inside, ranking)
            if ((left_out > 0) & (left_out < 1)).any():
                raise _fault(text, tree.meta.start_pos, "expected hands without weights to leave out")
            yield np.flatnonzero(left_out).tolist(), 0.0
        elif kind == "weighted":
            weight = factor * _weight(text, inside[1])
            for numbers, _ in _items(text, inside[:1], 1.0, ranking):
                yield numbers, weight
        elif kind == "scaled":
            scale = _number(text, inside[0], str(inside[0]), 1)
            yield from _items(text, inside[1:], factor * scale, ranking)
        elif kind == "bracketed":
            last = inside[-1]
            weighted = not isinstance(last, Token) and last.data in ("share", "percent")
            scale = _weight(text, last) if weighted else 1.0
            yield from _items(text, inside[:-1] if weighted else inside, factor * scale, ranking)
        elif kind == "tagged":
            scale = _number(text, inside[0], inside[0][1:-1], 100)
            if inside[-1] != "[/]" and Decimal(inside[-1][2:-1]) != Decimal(inside[0][1:-1]):
                wanted = f"expected [/{inside[0][1:-1]}]"
                raise _fault(text, inside[-1].start_pos, wanted, str(inside[-1]))
            yield from _items(text, inside[1:-1], factor * scale, ranking)
        else:
            yield _holdings(text, kind, inside, ranking), factor


def _weight(text: str, tree: Any) -> float:
    (number,) = tree.children
    return _number(text, number, str(number), 100 if tree.data == "percent" else 1)


def _number(text: str, token: Any, digits: str, whole: int) -> float:
    # Through decimals: 13.7 percent is the float that 0.137 is.
    value = Decimal(digits)
    if value > whole:
        raise _fault(text, token.start_pos, f"expected a weight of 0 to {whole}", digits)
    return float(value / whole)


def _holdings(text: str, kind: str, tokens: list[Any], ranking: Sequence[str]) -> list[int]:
    first = tokens[0]
    if kind == "holding":
        try:
            one, two = parse_cards(str(first))
        except InputError:
            raise _fault(text, first.start_pos, "expected two different cards", str(first)) from None
        return [holding_index(one, two)]
    if kind == "every":
        return list(range(HOLDINGS))
    if kind in ("best", "between"):
        shares = [_share(text, token) for token in tokens]
        least, most = (0.0, shares[0]) if kind == "best" else (min(shares), max(shares))
        chosen = [*_best(ranking, most)]
        left_out = set(_best(ranking, least))
        return [h for name in chosen if name not in left_out for h in _members()[name]]
    names = _run(text, kind, tokens)
    return [h for name in names for h in _members()[name]]


def _share(text: str, token: Any) -> float:
    value = float(token[:-1])
    if value > 100:
        raise _fault(text, token.start_pos, "expected a percentage of 0% to 100%", str(token))
    return value


def _best(ranking: Sequence[str], percent: float) -> Iterator[str]:
    """Give the fewest of the best starting hands that make up at least so many percent."""
    held = 0
    for name in ranking:
        # A millionth of a holding, so that 100 x 6 / 1326 percent, rounded, is the aces alone.
        if held >= percent * HOLDINGS / 100 - 1e-6:
            return
        yield name
        held += len(_members()[name])


@lru_cache(maxsize=1)
def _members() -> dict[str, list[int]]:
    """Return the holdings of each starting hand, and of AK both suited and offsuit."""
    members: dict[str, list[int]] = {name: [] for name in starting_hands()}
    for h, (low, high) in enumerate(holding_cards().tolist()):
        members[starting_hand((low, high))].append(h)
    for name in [name for name in members if name.endswith("s")]:
        members[name[:2]] = members[name] + members[name[:2] + "o"]
    return members


def _read_class(text: str, token: Any) -> tuple[int, int, str]:
    ranks = re.match(rf"({RANK})({RANK})([so]?)$", token, re.IGNORECASE)
    assert ranks is not None
    one, two = (8 if rank == "10" else RANKS.index(rank.upper()) for rank in ranks.groups()[:2])
    suits = ranks[3].lower()
    if one == two and suits:
        wanted = "expected a pair without s or o"
        raise _fault(text, token.start_pos + len(token) - 1, wanted, ranks[3])
    return max(one, two), min(one, two), suits


def _name(high: int, low: int, suits: str) -> str:
    return RANKS[high] + RANKS[low] + suits


def _run(text: str, kind: str, tokens: list[Any]) -> list[str]:
    high, low, suits = _read_class(text, tokens[0])
    pair = high == low
    if kind == "starting":
        return [_name(high, low, suits)]
    if kind == "upward":
        if pair:
            return [_name(rank, rank, "") for rank in range(high, 13)]
        return [_name(high, kicker, suits) for kicker in range(low, high)]
    end_high, end_low, end_suits = _read_class(text, tokens[1])
    at = tokens[1].start_pos
    if pair != (end_high == end_low):
        raise _fault(text, at, "expected a pair" if pair else "expected no pair", str(tokens[1]))
    if suits != end_suits:
        kinds = {"s": "a suited hand", "o": "an offsuit hand", "": "a hand without s or o"}
        raise _fault(text, at, f"expected {kinds[suits]}", str(tokens[1]))
    if pair:
        return [_name(r, r, "") for r in range(min(high, end_high), max(high, end_high) + 1)]
    if high == end_high:
        kickers = range(min(low, end_low), max(low, end_low) + 1)
        return [_name(high, kicker, suits) for kicker in kickers]
    gap = high - low
    if gap != end_high - end_low:
        wanted = f"expected a hand with {RANKS[high]} or with ranks as far apart as {tokens[0]}"
        raise _fault(text, at, wanted, str(tokens[1]))
    tops = range(min(high, end_high), max(high, end_high) + 1)
    return [_name(top, top - gap, suits) for top in tops]


def write_weights(weights: Floats, dialect: str) -> str:
    """Write weights as text that :func:`parse_weights` reads back to the very same.

    ``dialect`` is ``plain`` (``QQ+,AK:0.5``), ``pio`` (the same, each starting hand by itself) or
    ``gto+`` (``[50.0]AK[/50.0]``).
    """
    values = sorted(set(weights[weights > 0].tolist()), reverse=True)
    parts = []
    for value in values:
        items = _items_of(weights, value, runs=dialect != "pio")
        if value == 1.0:
            parts.append(",".join(items))
        elif dialect == "gto+":
            percent = format((Decimal(repr(value)) * 100).normalize(), "f")
            percent += "" if "." in percent else ".0"
            parts.append(f"[{percent}]{','.join(items)}[/{percent}]")
        else:
            share = format(Decimal(repr(value)), "f")
            parts.append(",".join(f"{item}:{share}" for item in items))
    return ",".join(parts) or EMPTY[dialect]


def _items_of(weights: Floats, value: float, runs: bool) -> list[str]:
    members = _members()
    whole = {name for name in starting_hands() if (weights[members[name]] == value).all()}
    covered = {h for name in whole for h in members[name]}
    if len(covered) == HOLDINGS and runs:
        return ["random"]
    items = []
    if runs:
        pairs = [rank for rank in range(12, -1, -1) if _name(rank, rank, "") in whole]
        items += [_pair_run(top, bottom) for top, bottom in _stretches(pairs)]
        for suits in ("", "s", "o"):
            for high in range(12, 0, -1):
                kickers = []
                for low in range(high - 1, -1, -1):
                    suited, offsuit = (_name(high, low, kind) in whole for kind in "so")
                    fits = {"": suited and offsuit, "s": suited > offsuit, "o": offsuit > suited}
                    if fits[suits]:
                        kickers.append(low)
                items += [_kicker_run(high, *run, suits) for run in _stretches(kickers)]
    else:
        items += [name for name in starting_hands() if name in whole]
    cards = holding_cards().tolist()
    for h in np.flatnonzero(weights == value)[::-1].tolist():
        if h not in covered:
            items.append(format_cards(reversed(cards[h])))
    return items


def _stretches(ranks: list[int]) -> Iterator[tuple[int, int]]:
    """Give the first and the last of each stretch of descending neighbours."""
    begin = 0
    for at in range(1, len(ranks) + 1):
        if at == len(ranks) or ranks[at] != ranks[at - 1] - 1:
            yield ranks[begin], ranks[at - 1]
            begin = at


def _pair_run(top: int, bottom: int) -> str:
    if top == bottom:
        return _name(top, top, "")
    if top == 12:
        return _name(bottom, bottom, "") + "+"
    return _name(top, top, "") + "-" + _name(bottom, bottom, "")


def _kicker_run(high: int, top: int, bottom: int, suits: str) -> str:
    if top == bottom:
        return _name(high, top, suits)
    if top == high - 1:
        return _name(high, bottom, suits) + "+"
    return _name(high, top, suits) + "-" + _name(high, bottom, suits)
