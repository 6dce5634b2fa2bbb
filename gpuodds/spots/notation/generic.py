"""Read generic hands: cards, ranks, suits, variables and lists of them, alone and in runs.

The syntax is ProPokerTools'. Omaha's hands are written in it, and in hold'em such as ``AxKx``.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any, NamedTuple

from gpuodds.cards import DECK_SIZE, RANKS, SUITS, parse_cards
from gpuodds.games.omaha.patterns import ANY_CARD, Place
from gpuodds.spots.notation.faults import fault

RANK = r"(?:10|[2-9TJQKAtjqka])"
CARD_RANK = r"1[0-3]?(?=[cdhsCDHS\u2660-\u2667])"  # 1 to 13, only with a suit
SUIT = r"(?:[cdhsCDHS]|[\u2660-\u2667]\ufe0f?)"
RANK_VARIABLE = "[RONPGronpg]"
SUIT_VARIABLE = "[wxyzWXYZ]"
RANK_MACROS = {
    "$R": "AKQJT",
    "$B": "AKQJ",
    "$N": "KQJT9",
    "$F": "KQJ",
    "$M": "T987",
    "$Z": "65432",
    "$W": "A5432",
}
"""Names of sets of ranks: broadway, big, no low, face, middle, small and wheel cards."""
RANK_MACRO = r"\$[RBNFMZW](?![A-Z])"
LIST = r"\[[^\[\]\n]*\]"
ELEMENT = (
    rf"(?:{LIST}|{RANK_MACRO}|{CARD_RANK}{SUIT}"
    rf"|(?:{RANK}|{RANK_VARIABLE}|\*)(?:{SUIT}|{SUIT_VARIABLE})?|{SUIT}|{SUIT_VARIABLE})"
)
_FREE = "(?:[RONPG]|\\*)"  # the variables in hold'em: a small r begins random
_SUIT_OR_VARIABLE = rf"(?:{SUIT}|[wxyz])"
_SET = r"\[(?=[^\]]*[^\d.\]])[^\[\]\n\/]*\]|" + RANK_MACRO  # [50] is a weight in hold'em
_SEVERAL = rf"(?:{_SET}|{_FREE}{_SUIT_OR_VARIABLE}?)"
GENERIC_HAND = (
    rf"(?!\*\*)(?:{_SEVERAL}(?:{_SEVERAL}|{RANK}{_SUIT_OR_VARIABLE}?)"
    rf"|{RANK}{_SUIT_OR_VARIABLE}?{_SEVERAL}"
    rf"|{RANK}[wxyz]{RANK}[wxyz])"
)
"""Two cards of hold'em, of which one is no card of a starting hand or of a combo.

AsKx, the ace of spades and a king of another suit, is left out: there x is mostly a slip.
"""
READINGS = {
    "$B": "$B is read as [A-J]; some programs mean [K-T]: write one of these",
    "$M": "$M is read as [T-7]; some programs mean [9-6]: write one of these",
}
"""Notes on sets of ranks that programs read in two ways, by name."""

Pattern = list[Place]

_ELEMENT = re.compile(
    rf"(?P<set>{LIST}|{RANK_MACRO})|(?:(?P<named>{RANK}|{CARD_RANK})|(?P<free>{RANK_VARIABLE}|\*))?"
    rf"(?:(?P<suit>{SUIT})|(?P<same>{SUIT_VARIABLE}))?"
)
_CHOICE = re.compile(rf"(?P<first>{RANK})-(?P<last>{RANK})|(?P<rank>{RANK})(?P<way>[+-])")
_ONE_CHOICE = re.compile(rf"(?:{RANK})+|(?:{RANK}|{CARD_RANK}){SUIT}|{SUIT}")


class _Element(NamedTuple):
    """A card of a hand as text."""

    at: int
    text: str
    allowed: int  # the cards, as a set
    rank: int | None  # a named rank
    suit: str  # a named suit or a suit variable
    rank_variable: str


def read_patterns(text: str, kind: str, tokens: list[Any], size: int) -> list[Pattern]:
    """Return the patterns that a hand, or a run of hands, stands for.

    Args:
        text: The whole text, for errors.
        kind: ``single``, ``upward``, ``downward`` or ``run``.
        tokens: The hand, or both ends of the run.
        size: The number of cards of a hand.

    Raises:
        InputError: There are too many cards, a card is there twice, the ends of a run differ in more
            than their ranks, or programs read the hand differently.
    """
    first = _elements(text, tokens[0], size)
    if kind == "single":
        return [_pattern(first)]
    ranks = _named_ranks(text, first, str(tokens[0]))
    if kind == "run":
        last = _elements(text, tokens[1], size)
        steps = _steps(text, tokens, first, last, ranks, _named_ranks(text, last, str(tokens[1])))
    else:
        steps = _open_steps(text, tokens[0], ranks, kind == "upward")
    return [_pattern([_moved(*pair) for pair in zip(first, step, strict=True)]) for step in steps]


def _elements(text: str, token: Any, size: int) -> list[_Element]:
    written, begin = str(token), token.start_pos
    _refuse_two_readings(text, written, begin)
    elements: list[_Element] = []
    at = 0
    while at < len(written) and len(elements) <= size:
        match = _ELEMENT.match(written, at)
        if match is None or match.end() == at:
            raise fault(text, begin + at, "expected a card", written[at:])
        elements.append(_element(text, match, begin))
        at = match.end()
        if match["set"] and re.match(f"{SUIT}|{SUIT_VARIABLE}", written[at:]):
            raise fault(
                text,
                begin + at,
                f"two readings: write {written[at]}{match['set']} for two cards; for one, a list "
                f"with a comma, as in A{written[at]},K{written[at]}",
            )
    if len(elements) > size:
        raise fault(text, elements[size].at, f"expected at most {size} cards", elements[size].text)
    cards = [element.allowed for element in elements if element.allowed.bit_count() == 1]
    for element in elements:
        if cards.count(element.allowed) > 1:
            raise fault(text, element.at, "expected different cards", element.text)
    return elements


def _refuse_two_readings(text: str, written: str, begin: int) -> None:
    if written.lower() == "any":
        raise fault(text, begin, "two readings: write random for every hand, or NyA")
    if re.fullmatch("XX(XX)*|XxXx", written):
        raise fault(text, begin, f"two readings: write random, or {written.lower()} for one suit")
    # AAds: A, Ad and a spade, or double-suited aces.
    if match := re.fullmatch(rf"({RANK}+)({RANK})(ds|ss)", written, re.IGNORECASE):
        ranks, last, suits = match.groups()
        raise fault(
            text,
            begin + match.start(3),
            f"two readings: write {ranks}{last}:${suits.lower()}, or {last}{suits}{ranks} for "
            f"{last}{suits[0]}, a spade and {ranks}",
        )


def _element(text: str, match: re.Match[str], begin: int) -> _Element:
    at, written = begin + match.start(), match[0]
    if match["set"]:
        if written in RANK_MACROS:
            return _Element(at, written, _of_ranks(RANK_MACROS[written]), None, "", "")
        return _Element(at, written, _list(text, match["set"], at), None, "", "")
    allowed, rank = ANY_CARD, None
    if match["named"]:
        (card,) = parse_cards(match["named"] + "c")
        rank = card >> 2
        allowed = _of_ranks(RANKS[rank])
    suit = ""
    if match["suit"]:
        (card,) = parse_cards("A" + match["suit"])
        suit = SUITS[card & 3]
        allowed &= _of_suit(suit)
    free = match["free"] or ""
    variable = "" if free == "*" else free.upper()
    return _Element(at, written, allowed, rank, suit or (match["same"] or "").lower(), variable)


def _list(text: str, written: str, begin: int) -> int:
    """Return the cards of a list such as ``[A-T]``, ``[AKQ]`` or ``[A,5-2,Ks,h]``."""
    allowed, at = 0, begin + 1
    for part in written[1:-1].split(","):
        choice, place = part.strip(), at + len(part) - len(part.lstrip())
        at += len(part) + 1
        if match := _CHOICE.fullmatch(choice):
            ends = [_rank(match[name]) for name in ("first", "last", "rank") if match[name]]
            if match["way"]:
                ends.append(12 if match["way"] == "+" else 0)
            allowed |= _of_ranks(RANKS[min(ends) : max(ends) + 1])
        elif not _ONE_CHOICE.fullmatch(choice):
            wanted = "expected a rank, a card or a suit, or ranks such as A-T, T+ or AKQ"
            raise fault(text, place, wanted, choice)
        elif re.fullmatch(f"(?:{RANK})+", choice):
            allowed |= _of_ranks(choice.upper().replace("10", "T"))
        else:
            (card,) = parse_cards("A" + choice if re.fullmatch(SUIT, choice) else choice)
            suited = re.fullmatch(SUIT, choice)
            allowed |= _of_suit(SUITS[card & 3]) if suited else 1 << card
    return allowed


def _pattern(elements: list[_Element]) -> Pattern:
    """Return the places of a hand: a variable is none of the ranks or suits that the hand names."""
    ranks = {RANKS[element.rank] for element in elements if element.rank is not None}
    suits = {element.suit for element in elements if element.suit in SUITS and element.suit}
    places = []
    for element in elements:
        allowed = element.allowed
        if element.rank_variable:
            allowed &= ~_of_ranks("".join(ranks))
        variable = "" if element.suit in SUITS else element.suit
        for suit in suits if variable else ():
            allowed &= ~_of_suit(suit)
        places.append(Place(allowed, element.rank_variable, variable))
    return places


def _named_ranks(text: str, elements: list[_Element], written: str) -> list[int]:
    for element in elements:
        if element.rank is None:
            raise fault(text, element.at, f"expected ranks in the run {written}", element.text)
    return [element.rank for element in elements if element.rank is not None]


def _steps(
    text: str,
    tokens: list[Any],
    first: list[_Element],
    last: list[_Element],
    begin: list[int],
    end: list[int],
) -> list[list[int]]:
    """Return the ranks of the hands of a run: some ranks stay, the others move by the same steps."""
    at = tokens[1].start_pos
    if len(first) != len(last):
        raise fault(text, at, f"expected {len(first)} cards, as in {tokens[0]}", str(tokens[1]))
    for high, low in zip(first, last, strict=True):
        if high.suit != low.suit:
            raise fault(text, low.at, f"expected the suits of {tokens[0]}", low.text)
    moves = {b - a for a, b in zip(begin, end, strict=True)} - {0}
    if len(moves) > 1:
        raise fault(text, at, f"expected ranks as far apart as those of {tokens[0]}", str(tokens[1]))
    move = moves.pop() if moves else 0
    way = 1 if move > 0 else -1
    return [
        [a + way * step * (a != b) for a, b in zip(begin, end, strict=True)]
        for step in range(abs(move) + 1)
    ]


def _open_steps(text: str, token: Any, ranks: list[int], up: bool) -> list[list[int]]:
    """Return the ranks of a hand and of all hands above or below it: all its ranks move together."""
    top = 12 - max(ranks) if up else min(ranks)
    way = 1 if up else -1
    if len(set(ranks)) == 2 or (len(set(ranks)) > 2 and not top):
        sign = "+" if up else "-"
        raise fault(
            text,
            token.start_pos,
            f"two readings: some programs move all ranks, others the lower ones; write both ends of "
            f"{token}{sign}, as in {_both_ends(ranks, top, way)}",
        )
    return [[rank + way * step for rank in ranks] for step in range(top + 1)]


def _both_ends(ranks: list[int], top: int, way: int) -> str:
    """Return the two readings of an open run as closed runs."""
    low = min(ranks)
    kicker = min(rank for rank in ranks if rank > low) - 1 if way > 0 else 0
    moved = [kicker if rank == low else rank for rank in ranks]
    ends = [moved, [rank + way * top for rank in ranks]]
    begin = "".join(RANKS[rank] for rank in ranks)
    runs = [f"{begin}-{''.join(RANKS[rank] for rank in end)}" for end in ends if end != ranks]
    return " or ".join(runs) or begin


def _moved(element: _Element, rank: int) -> _Element:
    allowed = _of_ranks(RANKS[rank])
    if element.suit and element.suit in SUITS:
        allowed &= _of_suit(element.suit)
    return element._replace(allowed=allowed, rank=rank)


def _rank(written: str) -> int:
    return 8 if written == "10" else RANKS.index(written.upper())


def _of_ranks(ranks: str) -> int:
    return sum(0b1111 << 4 * RANKS.index(rank) for rank, _ in groupby(sorted(ranks)))


def _of_suit(suit: str) -> int:
    return sum(1 << card for card in range(SUITS.index(suit), DECK_SIZE, 4))
