"""Read range text of every dialect with one grammar, parsed with lark.

A text is a list of items, separated by commas, semicolons or white space. Each item names combos and
gives them a weight; a later item replaces an earlier one for the same combo.

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
``AxKx``, ``AxKy``        ProPokerTools' generic hands: the same of the letters w, x, y and z is the
                          same suit; also ``As*``, ``[A-T][A-T]``, ``$B$B``, ``RR``
``!AKs``, ``-(AA,KK)``    weight 0 for these; also ``!(AA,KK)``. Excluded items have no weights
``AK:0.5``, ``AK@50``     a weight, as a share and in percent; also ``AK(0.5)``, ``AK(50%)``
``0.5(AK,QQ)``            a weight times those inside; also ``50%(AK,QQ)``, ``(AK,QQ):0.5`` and
                          ``[50]AK,QQ[/50]``; brackets may be braces, ``{AK,QQ}``
========================  =============================================================================

Blanks may stand around ``-``, ``:`` and ``@`` and before ``%``; dashes of print are hyphens. A line of
a solver's script is a range as well: ``set_range_oop AA,KK:0.5`` (TexasSolver), ``set_range OOP`` and
1,326 weights (PioSOLVER; the order of its ``show_hand_order``, 2d2c 2h2c 2h2d 2s2c ..., is that of
combos here).

Text that two programs read differently is refused; the error names both readings:

========================  =============================================================================
``AsKs QhQd``             two players' hands, or a range of two combos (``AsKs,QhQd``)
``AsKs QQ``               two players, or a range (``AsKs,QQ``)
``87-JTs``                ``87s-JTs``, or ``87-JT`` with offsuit hands
``76s-``, ``9s8s+``       the kicker of a connector moves, or both ranks: ``76s-72s`` or ``76s-32s``
``66- 22``                a run, or two items
``80% (AKs)``             a weight, or the best 80 % and AKs
``Ax``, ``xx``            some read x as a suit: any hand with an ace, two cards of one suit
========================  =============================================================================

``76s+`` means 76s alone, as in eval7, pokerkit and OMPEval; postflop-solver and many charts mean
76s-AKs. It is read with a note that names both readings, and so are percentages of 1 or less, where a
share can be meant: ``AA@0.5`` is a weight of half a percent.

In short deck the same text means hands of its 36 cards: ``random`` has 630 combos, ``66-`` is 66 alone,
``A6s+`` all suited aces, and cards and ranks below the six are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.basics.stopping import may_stop
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import InputError, excerpt
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import combos_by_starting_hand, name_hand
from gpuodds.games.shared.combos import COMBOS, combo_cards
from gpuodds.spots.notation.faults import BLANK, fault, is_small_percentage, percent_note
from gpuodds.spots.notation.holdem.grammar import (
    SCRIPT,
    WEIGHT,
    range_parser,
    refusal,
    refuse_two_readings,
)
from gpuodds.spots.notation.holdem.hands import Deck, combos_of_hands, read_hand, with_any_lower_card

Floats = npt.NDArray[np.float64]

LONGEST = 100_000  # characters; all combos one by one, with weights, take about 20,000
DEEPEST = 20  # levels of nested brackets
KEPT_ITEMS = 4096
_WITH_A_SPADE = re.compile(r"(10|[2-9TJQKA])\*s", re.IGNORECASE | re.ASCII)
_PLAYERS = re.compile(r"%\d+h", re.ASCII)
_BLANKS = " \t\r\n\f\v\xa0"
# Hands without weights: QQ+, ATs+, A9s-A6s, AKo, AsKh. Batches have such lists by the thousand.
PLAIN_ITEM = re.compile(r"[2-9TJQKA]{2}[so]?(?:\+|-[2-9TJQKA]{2}[so]?)?|(?:[2-9TJQKA][cdhs]){2}")


@lru_cache(maxsize=64)
def parse_range(text: str, ranking: tuple[str, ...], game: Game) -> tuple[Floats, tuple[str, ...]]:
    """Return the weights that a text gives to the 1,326 combos, and notes on how it was read.

    Args:
        text: The range.
        ranking: The game's starting hands, best first, for percentages.
        game: Hold'em or short deck.

    Returns:
        Weights, float64 of shape (1326,), not to be changed, and a note for each item that other
        programs read differently.

    Raises:
        InputError: The text is not a range; the message names the place, and what was expected.
    """
    from lark.exceptions import UnexpectedInput

    if len(text) > LONGEST:
        raise InputError(f"{excerpt(text)}: {len(text)} characters: expected at most {LONGEST}")
    deck = Deck(ranking, game.name, len(game.missing) // 4)
    if "," in text and game is HOLDEM and (plain := _plain_list(text)) is not None:
        return plain
    script = SCRIPT.match(text)
    if script and (weights := _listed_weights(text, script.end())) is not None:
        if weights[_undealt(deck.lowest)].any():
            raise fault(text, script.end(), f"expected weights of hands that {game.name} deals")
        return weights, ()
    refuse_two_readings(text, game)
    depth = 0
    for bracket in re.finditer(r"\[/|[{}(\[)]", text):
        depth += 1 if bracket[0] in ("(", "[", "{") else -1
        if depth > DEEPEST:
            wanted = f"expected at most {DEEPEST} levels of brackets"
            raise fault(text, bracket.start(), wanted)
    try:
        tree = range_parser().parse(" " * script.end() + text[script.end() :] if script else text)
    except UnexpectedInput as error:
        raise refusal(text, error) from None
    weights = _weights(text, tree.children, deck)
    weights[_undealt(deck.lowest)] = 0.0
    return weights, _notes(text, tree, deck)


def _undealt(lowest: int) -> Any:
    """Return the combos with a card below the lowest rank, as a selection."""
    return combo_cards()[:, 0] < 4 * lowest if lowest else slice(0)


def _plain_list(text: str) -> tuple[Floats, tuple[str, ...]] | None:
    """Return what a list of plain items means, each read once; None for any other text, or an error."""
    items = [item.strip() for item in text.split(",")]
    if not all(map(PLAIN_ITEM.fullmatch, items)):
        return None
    weights = np.zeros(COMBOS)
    notes: dict[str, None] = {}
    for item in items:
        may_stop()
        try:
            combos, item_notes = _plain_item(item)
        except InputError:
            return None  # the parser of the whole text names the place
        weights[combos] = 1.0
        notes |= dict.fromkeys(item_notes)
    return weights, tuple(notes)


@lru_cache(maxsize=KEPT_ITEMS)
def _plain_item(item: str) -> tuple[npt.NDArray[np.intp], tuple[str, ...]]:
    weights, notes = parse_range(item, (), HOLDEM)  # an order is for percentages
    return np.flatnonzero(weights), notes


def _listed_weights(text: str, begin: int) -> Floats | None:
    """Return the 1,326 weights of a PioSOLVER line, or None if a range follows ``set_range``."""
    tokens = list(re.finditer(rf"[^{BLANK}]+", text[begin:]))
    if not tokens or not WEIGHT.fullmatch(tokens[0][0]):
        return None
    weights = []
    for token in tokens:
        if not WEIGHT.fullmatch(token[0]) or float(token[0]) > 1:
            raise fault(text, begin + token.start(), "expected a weight of 0 to 1", token[0])
        weights.append(float(token[0]))
    if len(weights) != COMBOS:
        raise InputError(f"{excerpt(text)}: expected 1,326 weights, found {len(weights):,}")
    return np.array(weights)


def _notes(text: str, tree: Any, deck: Deck) -> tuple[str, ...]:
    notes = {}
    for node in tree.find_data("upward"):
        token = node.children[0]
        hand = read_hand(text, token, deck)
        if hand.high - hand.low == 1 and hand.high < 12:
            run = f"{token}-{name_hand(12, 11, str(hand.suits))}"
            notes[token.start_pos] = (
                f"{token}+ is read as {token} alone; some solvers and charts mean {run}: "
                f"write {token} or {run}"
            )
    of_percentages = _percent_notes(text, tree) if "@" in text or "[" in text else []
    of_hands = _generic_notes(text, tree)
    return (*dict.fromkeys(notes[place] for place in sorted(notes)), *of_hands, *of_percentages)


def _generic_notes(text: str, tree: Any) -> list[str]:
    """Return notes on what ProPokerTools writes and other programs, or readers, read differently."""
    notes: dict[str, None] = {}
    if "$" in text or "*" in text:
        from gpuodds.spots.notation.generic import READINGS

        for node in tree.find_data("generic"):
            token = node.children[0]
            notes |= {READINGS[name]: None for name in READINGS if name in token}
            if match := _WITH_A_SPADE.fullmatch(token):
                notes[
                    f"{token} is read as {match[1]} and any spade, as in ProPokerTools: suited is "
                    f"{match[1]}x*x"
                ] = None
    if _PLAYERS.search(text):
        for token in tree.scan_values(lambda value: _PLAYERS.search(str(value))):
            share = _PLAYERS.sub("%", token)
            notes[
                f"{token} is read as {share}: percentages go by exact equity against one random hand; "
                "ProPokerTools has orders by the number of players"
            ] = None
    return list(notes)


def _percent_notes(text: str, tree: Any) -> list[str]:
    """Return a note if weights in percent, without a percent sign, can be meant as shares."""
    items: list[tuple[int, tuple[str, str, str, str]]] = []
    for node in tree.iter_subtrees():
        if not node.children:
            continue
        first, last = node.children[0], node.children[-1]
        if node.data in ("weighted", "bracketed") and getattr(last, "data", "") == "percent":
            (number,) = last.children
            hands = excerpt(text[node.meta.start_pos : number.start_pos].rstrip(f"@{_BLANKS}"))
            written = f"{hands}@{number}", number, f"{hands}({number}%)", f"{hands}:{number}"
        elif node.data == "tagged":
            number = first[1:-1]
            hands = excerpt(text[first.end_pos : last.start_pos].strip())
            written = f"{first}{hands}{last}", number, f"{number}%({hands})", f"({hands}):{number}"
        else:
            continue
        if not number.endswith("%") and is_small_percentage(number):
            items.append((node.meta.start_pos, written))
    items.sort()
    return [percent_note(*items[0][1], more=len(items) - 1)] if items else []


def _weights(text: str, trees: list[Any], deck: Deck) -> Floats:
    weights = np.zeros(COMBOS)
    for numbers, weight in _items(text, trees, 1.0, deck):
        weights[numbers] = weight
    return weights


def _items(text: str, trees: list[Any], factor: float, deck: Deck) -> Iterator[tuple[list[int], float]]:
    """Yield the combos and the weight of each item, in order."""
    from lark import Token

    for tree in trees:
        if isinstance(tree, Token):
            continue
        kind = tree.data
        inside = tree.children
        if kind == "list":
            yield from _items(text, inside, factor, deck)
        elif kind == "excluded":
            left_out = _weights(text, inside, deck)
            if ((left_out > 0) & (left_out < 1)).any():
                raise fault(text, tree.meta.start_pos, "expected hands without weights to leave out")
            yield np.flatnonzero(left_out).tolist(), 0.0
        elif kind == "weighted":
            weight = factor * _weight(text, inside[1])
            for numbers, _ in _items(text, inside[:1], 1.0, deck):
                yield numbers, weight
        elif kind == "scaled":
            scale = _share_of(text, inside[0])
            yield from _items(text, inside[1:], factor * scale, deck)
        elif kind == "bracketed":
            last = inside[-1]
            weighted = not isinstance(last, Token) and last.data in ("share", "percent")
            scale = _weight(text, last) if weighted else 1.0
            yield from _items(text, inside[:-1] if weighted else inside, factor * scale, deck)
        elif kind == "tagged":
            scale = _number(text, inside[0], inside[0][1:-1], 100)
            if inside[-1] != "[/]" and Decimal(inside[-1][2:-1]) != Decimal(inside[0][1:-1]):
                wanted = f"expected [/{inside[0][1:-1]}]"
                raise fault(text, inside[-1].start_pos, wanted, str(inside[-1]))
            yield from _items(text, inside[1:-1], factor * scale, deck)
        else:
            yield _item_combos(text, kind, inside, deck), factor


def _weight(text: str, tree: Any) -> float:
    (number,) = tree.children
    if tree.data == "percent":
        return _number(text, number, number.partition("%")[0].rstrip(_BLANKS), 100)
    return _number(text, number, str(number), 1)


def _share_of(text: str, token: Any) -> float:
    """Return a weight that may have a percent sign."""
    digits, percent, _ = token.partition("%")
    return _number(text, token, digits.rstrip(_BLANKS), 100 if percent else 1)


def _number(text: str, token: Any, digits: str, whole: int) -> float:
    # Decimals, so that 13.7 percent is the same float as 0.137.
    value = Decimal(digits)
    if value > whole:
        raise fault(text, token.start_pos, f"expected a weight of 0 to {whole}", digits)
    return float(value / whole)


def _item_combos(text: str, kind: str, tokens: list[Any], deck: Deck) -> list[int]:
    first = tokens[0]
    if kind == "every":
        if first.upper() == "XX" and first != "XX":
            raise fault(
                text, first.start_pos, "two readings: XX is any hand, to some xx is two suited cards"
            )
        return list(range(COMBOS))
    if kind in ("best", "between"):
        shares = [_share(text, token) for token in tokens]
        least, most = (0.0, shares[0]) if kind == "best" else (min(shares), max(shares))
        chosen = [*_best(deck.ranking, most, deck.lowest)]
        left_out = set(_best(deck.ranking, least, deck.lowest))
        return [h for name in chosen if name not in left_out for h in combos_by_starting_hand()[name]]
    if kind == "generic":
        from gpuodds.games.omaha.patterns import matching_combos
        from gpuodds.spots.notation.generic import read_patterns

        (pattern,) = read_patterns(text, "single", tokens, 2)
        return np.flatnonzero(matching_combos(2, pattern)).tolist()
    if kind == "wild":
        return with_any_lower_card(text, first, deck)
    return combos_of_hands(text, kind, tokens, deck)


def _share(text: str, token: Any) -> float:
    value = float(token.partition("%")[0])
    if value > 100:
        raise fault(text, token.start_pos, "expected a percentage of 0% to 100%", str(token))
    return value


def _best(ranking: Sequence[str], percent: float, lowest: int) -> Iterator[str]:
    """Yield the fewest of the best starting hands that make up at least ``percent`` of all combos."""
    combos_so_far, combos = 0, comb(DECK_SIZE - 4 * lowest, 2)
    for name in ranking:
        # Allow a millionth of a combo, so that 100 x 6 / 1326 percent, rounded, is the aces alone.
        if combos_so_far >= percent * combos / 100 - 1e-6:
            return
        yield name
        combos_so_far += len(combos_by_starting_hand()[name])
