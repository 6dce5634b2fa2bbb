"""Range text, in and out: one grammar for every dialect, parsed with lark.

A text is a list of items, by commas, semicolons or white space. Each names combos, and gives them a
weight; a later item replaces an earlier one for the same combo.

========================  =============================================================================
``AA``, ``AKs``, ``AK``   a starting hand; without ``s`` or ``o`` both suited and offsuit
``AsKh``                  a combo, its cards in any form that :mod:`gpuodds.cards` reads
``22+``, ``ATs+``         pairs upward; kickers upward to one below the first rank
``66-``, ``A5s-``         pairs downward; kickers downward
``QQ-88``, ``A9s-A6s``    all between, in either order; also ``JTs-67s``, ranks equally far apart
``8s8h+``, ``9d8d-6d5d``  the same for combos, of these suits
``AX``, ``AXs``, ``AXo``  an ace and any lower card: ``A2+``, ``A2s+``, ``A2o+``; likewise ``KX``
``random``                every combo; also ``any``, ``**``, ``XX``, ``XxXx``, ``100%``
``15%``, ``16%-50%``      the best starting hands of a ranking, or those between, in either order
``!AKs``, ``-(AA,KK)``    weight 0 for these; ``!(AA,KK)`` as well. What is left out has no weights
``AK:0.5``, ``AK@50``     a weight, as a share and in percent; also ``AK(0.5)``, ``AK(50%)``
``0.5(AK,QQ)``            a weight times those inside; also ``50%(AK,QQ)``, ``(AK,QQ):0.5`` and
                          ``[50]AK,QQ[/50]``; brackets may be braces, ``{AK,QQ}``
========================  =============================================================================

Blanks may stand around ``-``, ``:`` and ``@``. A line of a solver's script is a range as well:
``set_range_oop AA,KK:0.5`` (TexasSolver), ``set_range OOP`` and 1,326 weights (PioSOLVER; the order of
its ``show_hand_order``, 2d2c 2h2c 2h2d 2s2c ..., is that of combos here).

What two programs read differently is refused, and the line names both readings:

========================  =============================================================================
``AsKs QhQd``             two players' hands, or a range of two combos (``AsKs,QhQd``)
``87-JTs``                ``87s-JTs``, or ``87-JT`` with offsuit hands
``76s-``, ``9s8s+``       from a connector kickers go, or both ranks: ``76s-72s`` or ``76s-32s``
``66- 22``                a run, or two items
``80% (AKs)``             a weight, or the best 80 % and AKs
``Ax``, ``xx``            small x is a suit to some: any hand with an ace, two cards of one suit
========================  =============================================================================

``76s+`` keeps its meaning here, 76s alone, as in eval7, pokerkit and OMPEval; postflop-solver and many
charts mean 76s-AKs. It is read with a note that names both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.cards import RANKS, format_cards, parse_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.combos import COMBOS, combo_cards, combo_index
from gpuodds.games.holdem.starting_hands import starting_hand, starting_hands
from gpuodds.spots.players import refuse_several_hands

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
    | ("(" list ")" | "{" list "}") weight? -> bracketed
    | OPEN list CLOSE -> tagged
?part: hand -> single
    | hand "+" -> upward
    | CLASS _DASH -> downward | HOLDING _DASH -> downward
    | CLASS _DASH CLASS -> run | HOLDING _DASH HOLDING -> run
    | WILD -> wild
    | EVERY -> every
    | PERCENT -> best
    | PERCENT _DASH PERCENT -> between
?hand: CLASS | HOLDING
weight: (_COLON NUMBER | "(" NUMBER ")") -> share | (_AT NUMBER | "(" PERCENT ")") -> percent

SEPARATOR: /[BLANK,;]+/
_DASH.3: /[BLANK]+-(?![BLANK]*\()[BLANK]*|-[BLANK]*/
_COLON.3: /[BLANK]*:[BLANK]*/
_AT.3: /[BLANK]*@[BLANK]*/
EXCLUDE: /-\(/
OPEN.4: /\[DECIMAL\]/
CLOSE.4: /\[\/(DECIMAL)?\]/
PERCENT.4: /DECIMAL%(?!\()/
FACTOR.3: /(DECIMAL%|\d+\.\d*|\.\d+|\d)(?=\()/
HOLDING.2: /CARDCARD/i
CLASS.1: /RANK{2}[so]?/i
WILD.1: /RANKX[so]?/i
EVERY.1: /random|any|\*\*|XxXx|XX/i
NUMBER: /(?<=[:@(BLANK])DECIMAL/
"""
BLANK = r"\s\xa0"
DECIMAL = r"(?:\d+(?:\.\d*)?|\.\d+)"  # one way to match any digits: tried in linear time
RANK = r"(?:10|[2-9TJQKA])"
CARD_RANK = r"(?:1[0-3]|[1-9TJQKA])"
CARD = CARD_RANK + r"[cdhs\u2660-\u2667]\ufe0f?"
HAND = rf"(?:{CARD}{CARD}|{RANK}{RANK}[so]?)"
WEIGHT = re.compile(rf"{DECIMAL}(?:[eE][-+]?\d+)?", re.A)
TWO_READINGS = [  # what stands where, and how to write either
    (re.compile(rf"({HAND})-[{BLANK}]+({HAND})", re.I | re.A), "{0}-{1} for a run, or {0}-,{1}"),
    (
        re.compile(rf"(?<![\d.-])({DECIMAL}%)[{BLANK}]+\(", re.A),
        "{0}(...) for a weight, or {0},(...) for the best {0} and more",
    ),
]
SCRIPT = re.compile(
    rf"[{BLANK}]*set_range(?:_(?:oop|ip)|[{BLANK}]+(?:oop|ip))(?=[{BLANK}])", re.I | re.A
)
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
    "WILD": "a hand",
    "EVERY": "a hand",
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
def _parser() -> Any:
    from lark import Lark

    grammar = GRAMMAR.replace("CARDCARD", CARD + CARD).replace("RANK{2}", RANK + RANK)
    grammar = grammar.replace("RANKX", RANK + "X").replace("DECIMAL", DECIMAL).replace("BLANK", BLANK)
    # ASCII: to Unicode a long s is an s, and digits are those of every script.
    return Lark(grammar, parser="lalr", propagate_positions=True, g_regex_flags=re.ASCII)


@lru_cache(maxsize=64)
def parse_range(text: str, ranking: tuple[str, ...]) -> tuple[Floats, tuple[str, ...]]:
    """Return the weights that a text gives to the 1,326 combos, and notes on how it was read.

    Args:
        text: The range.
        ranking: The 169 starting hands, best first, for percentages.

    Returns:
        Weights, float64 of shape (1326,), read-only; a line for each item that others read differently.

    Raises:
        InputError: The text is no range; the line names the place, and what was expected.
    """
    from lark.exceptions import UnexpectedInput

    if len(text) > LONGEST:
        raise InputError(f"{excerpt(text)}: {len(text)} characters: expected at most {LONGEST}")
    script = SCRIPT.match(text)
    if script and (weights := _listed_weights(text, script.end())) is not None:
        return weights, ()
    _refuse_two_readings(text)
    depth = 0
    for bracket in re.finditer(r"\[/|[{}(\[)]", text):
        depth += 1 if bracket[0] in ("(", "[", "{") else -1
        if depth > DEEPEST:
            wanted = f"expected at most {DEEPEST} brackets in brackets"
            raise _fault(text, bracket.start(), wanted)
    try:
        tree = _parser().parse(" " * script.end() + text[script.end() :] if script else text)
    except UnexpectedInput as error:
        raise _refusal(text, error) from None
    weights = _weights(text, tree.children, ranking)
    weights.flags.writeable = False
    return weights, _notes(text, tree)


def _refuse_two_readings(text: str) -> None:
    refuse_several_hands(text)
    for pattern, readings in TWO_READINGS:
        if found := pattern.search(text):
            raise _fault(text, found.start(), f"two readings: write {readings.format(*found.groups())}")


def _listed_weights(text: str, begin: int) -> Floats | None:
    """Return the 1,326 weights of a line of PioSOLVER's, or None if a range follows ``set_range``."""
    words = list(re.finditer(rf"[^{BLANK}]+", text[begin:]))
    if not words or not WEIGHT.fullmatch(words[0][0]):
        return None
    weights = []
    for word in words:
        if not WEIGHT.fullmatch(word[0]) or float(word[0]) > 1:
            raise _fault(text, begin + word.start(), "expected a weight of 0 to 1", word[0])
        weights.append(float(word[0]))
    if len(weights) != COMBOS:
        raise InputError(f"{excerpt(text)}: expected 1,326 weights, found {len(weights):,}")
    found = np.array(weights)
    found.flags.writeable = False
    return found


def _notes(text: str, tree: Any) -> tuple[str, ...]:
    notes = {}
    for node in tree.find_data("upward"):
        token = node.children[0]
        hand = _read_hand(text, token)
        if hand.high - hand.low == 1 and hand.high < 12:
            others = f"{token}-{_name(12, 11, str(hand.suits))}"
            notes[token.start_pos] = (
                f"{token}+ is read as {token} alone; some solvers and charts mean {others}: "
                f"write {token} or {others}"
            )
    return tuple(dict.fromkeys(notes[place] for place in sorted(notes)))


def _weights(text: str, trees: list[Any], ranking: Sequence[str]) -> Floats:
    weights = np.zeros(COMBOS)
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
    if "NUMBER" in names and text[:at].endswith("-("):
        return "expected a weight, or a comma before -("
    before = re.search(rf"({RANK})({RANK})$", text[:at], re.IGNORECASE)
    if before and "PLUS" in names:
        if before[1].upper() == before[2].upper():
            return "expected +, - or the end of the hand"
        return "expected s, o, + or the end of the hand"
    if len({"CLASS", "HOLDING"} & names) == 1:
        return f"expected the other end of the run, such as {'A6s' if 'CLASS' in names else '6d5d'}"
    words = sorted({TOKENS[name] for name in names if name in TOKENS})
    if "a hand" in words:
        if text[at : at + 1] in ("#", "@"):
            return "expected a hand: only the command reads named ranges (#UTG#) and files (@FILE)"
        if re.match(r"set_\w", text[at:], re.IGNORECASE):
            return "expected one line of a solver's script, such as set_range_oop AA,KK"
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
            scale = _share_of(text, inside[0])
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
    if tree.data == "percent":
        return _number(text, number, number.rstrip("%"), 100)
    return _number(text, number, str(number), 1)


def _share_of(text: str, token: Any) -> float:
    """Return a weight that may have a percent sign."""
    return _number(text, token, token.rstrip("%"), 100 if token.endswith("%") else 1)


def _number(text: str, token: Any, digits: str, whole: int) -> float:
    # Through decimals: 13.7 percent is the float that 0.137 is.
    value = Decimal(digits)
    if value > whole:
        raise _fault(text, token.start_pos, f"expected a weight of 0 to {whole}", digits)
    return float(value / whole)


def _holdings(text: str, kind: str, tokens: list[Any], ranking: Sequence[str]) -> list[int]:
    first = tokens[0]
    if kind == "every":
        if first.upper() == "XX" and first != "XX":
            raise _fault(
                text, first.start_pos, "two readings: XX is any hand, to some xx is two suited cards"
            )
        return list(range(COMBOS))
    if kind in ("best", "between"):
        shares = [_share(text, token) for token in tokens]
        least, most = (0.0, shares[0]) if kind == "best" else (min(shares), max(shares))
        chosen = [*_best(ranking, most)]
        left_out = set(_best(ranking, least))
        return [h for name in chosen if name not in left_out for h in _members()[name]]
    if kind == "wild":
        return _with_any_lower_card(text, first)
    hand = _read_hand(text, first)
    ranks = _run(text, tokens, hand) if kind == "run" else _ranks(text, kind, first, hand)
    return [h for high, low in ranks for h in _combos(high, low, hand.suits)]


def _combos(high: int, low: int, suits: str | tuple[int, int]) -> list[int]:
    if isinstance(suits, str):
        return _members()[_name(high, low, suits)]
    return [combo_index(4 * high + suits[0], 4 * low + suits[1])]


def _with_any_lower_card(text: str, token: Any) -> list[int]:
    """Return the combos of ``AX``, ``KXs``: of a rank and any lower one."""
    found = re.match(rf"({RANK})(X)([so]?)$", token, re.IGNORECASE)
    assert found is not None
    name, suits = found[1].upper(), found[3].lower()
    high = 8 if name == "10" else RANKS.index(name)
    if high == 0:
        raise _fault(text, token.start_pos, "expected a rank that has a lower one", str(token))
    if found[2] == "x" and not suits:
        more = "".join(f",{above}{name}" for above in RANKS[high:])
        raise _fault(
            text, token.start_pos, f"two readings: write {name}2+, or {name}2+{more}", str(token)
        )
    return [h for low in range(high) for h in _combos(high, low, suits)]


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
        if held >= percent * COMBOS / 100 - 1e-6:
            return
        yield name
        held += len(_members()[name])


@lru_cache(maxsize=1)
def _members() -> dict[str, list[int]]:
    """Return the holdings of each starting hand, and of AK both suited and offsuit."""
    members: dict[str, list[int]] = {name: [] for name in starting_hands()}
    for h, (low, high) in enumerate(combo_cards().tolist()):
        members[starting_hand((low, high))].append(h)
    for name in [name for name in members if name.endswith("s")]:
        members[name[:2]] = members[name] + members[name[:2] + "o"]
    return members


class _Hand(NamedTuple):
    """A starting hand, or a combo: its ranks, the higher first, and its suits."""

    high: int
    low: int
    suits: str | tuple[int, int]  # s, o, both (nothing), or the suits of a combo


def _read_hand(text: str, token: Any) -> _Hand:
    if token.type == "HOLDING":
        try:
            one, two = sorted(parse_cards(str(token)), reverse=True)
        except InputError:
            raise _fault(text, token.start_pos, "expected two different cards", str(token)) from None
        return _Hand(one >> 2, two >> 2, (one & 3, two & 3))
    ranks = re.match(rf"({RANK})({RANK})([so]?)$", token, re.IGNORECASE)
    assert ranks is not None
    first, second = (8 if rank == "10" else RANKS.index(rank.upper()) for rank in ranks.groups()[:2])
    suits = ranks[3].lower()
    if first == second and suits:
        wanted = "expected a pair without s or o"
        raise _fault(text, token.start_pos + len(token) - 1, wanted, ranks[3])
    return _Hand(max(first, second), min(first, second), suits)


def _name(high: int, low: int, suits: str) -> str:
    return RANKS[high] + RANKS[low] + suits


def _text_of(high: int, low: int, suits: str | tuple[int, int]) -> str:
    if isinstance(suits, str):
        return _name(high, low, suits)
    return format_cards([4 * high + suits[0], 4 * low + suits[1]])


def _ranks(text: str, kind: str, token: Any, hand: _Hand) -> list[tuple[int, int]]:
    """Return the ranks of a hand by itself, or with all above it or below it."""
    high, low, suits = hand
    if kind == "single":
        return [(high, low)]
    up = kind == "upward"
    if high == low:
        return [(rank, rank) for rank in (range(high, 13) if up else range(high + 1))]
    # A connector: kickers move, or both ranks. "76s+" has long been read here, "76s-" never was.
    if high - low == 1 and not (up and isinstance(suits, str)) and (high < 12 if up else low > 0):
        end = _text_of(12, 11, suits) if up else _text_of(1, 0, suits)
        kickers = str(token) if up else f"{token}-{_text_of(high, 0, suits)}"
        raise _fault(text, token.start_pos, f"two readings: write {kickers}, or {token}-{end}")
    return [(high, kicker) for kicker in (range(low, high) if up else range(low + 1))]


def _run(text: str, tokens: list[Any], first: _Hand) -> list[tuple[int, int]]:
    """Return the ranks from one hand to another."""
    last, at = _read_hand(text, tokens[1]), tokens[1].start_pos
    high, low, suits = first
    pair = high == low
    if pair != (last.high == last.low):
        raise _fault(text, at, "expected a pair" if pair else "expected no pair", str(tokens[1]))
    if suits != last.suits:
        raise _fault(text, at, _other_suits(first, last), str(tokens[1]))
    if pair:
        return [(r, r) for r in range(min(high, last.high), max(high, last.high) + 1)]
    if high == last.high:
        return [(high, kicker) for kicker in range(min(low, last.low), max(low, last.low) + 1)]
    gap = high - low
    if gap != last.high - last.low:
        wanted = f"expected a hand with {RANKS[high]} or with ranks as far apart as {tokens[0]}"
        raise _fault(text, at, wanted, str(tokens[1]))
    return [(top, top - gap) for top in range(min(high, last.high), max(high, last.high) + 1)]


def _other_suits(first: _Hand, last: _Hand) -> str:
    if isinstance(first.suits, str) and isinstance(last.suits, str) and "" in (first.suits, last.suits):
        ways = (
            f"{_text_of(*first[:2], kind)}-{_text_of(*last[:2], kind)}"
            for kind in (first.suits or last.suits, "")
        )
        return f"two readings: write {', or '.join(ways)}"
    kinds = {"s": "a suited hand", "o": "an offsuit hand"}
    if isinstance(first.suits, str):
        return f"expected {kinds[first.suits]}"
    return f"expected the suits of {_text_of(*first)}"


def write_weights(weights: Floats, dialect: str) -> str:
    """Write weights as text that :func:`parse_range` reads back to the very same.

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
    if len(covered) == COMBOS and runs:
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
    cards = combo_cards().tolist()
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
