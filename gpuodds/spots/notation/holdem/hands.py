"""Read the hands of range text: starting hands and combos, alone and in runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from gpuodds.basics.present import present
from gpuodds.cards import RANKS, format_cards, parse_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import combos_by_starting_hand, name_hand
from gpuodds.games.shared.combos import combo_index
from gpuodds.spots.notation.faults import fault
from gpuodds.spots.notation.holdem.grammar import RANK


class Deck(NamedTuple):
    """What the meaning of items depends on."""

    ranking: Sequence[str]  # the starting hands, best first
    game: str
    lowest: int  # the rank of the lowest card


class Hand(NamedTuple):
    """A starting hand, or a combo: its ranks, the higher first, and its suits."""

    high: int
    low: int
    suits: str | tuple[int, int]  # s, o, both (nothing), or the suits of a combo


def read_hand(text: str, token: Any, deck: Deck) -> Hand:
    """Return the hand of a token.

    Raises:
        InputError: Its cards are the same, or not in the deck, or a pair is suited.
    """
    if token.type == "COMBO":
        try:
            high, low = sorted(parse_cards(str(token)), reverse=True)
        except InputError:
            raise fault(text, token.start_pos, "expected two different cards", str(token)) from None
        _refuse_undealt(text, token, low >> 2, deck)
        return Hand(high >> 2, low >> 2, (high & 3, low & 3))
    ranks = present(re.match(rf"({RANK})({RANK})([so]?)$", token, re.IGNORECASE))
    first, second = (8 if rank == "10" else RANKS.index(rank.upper()) for rank in ranks.groups()[:2])
    suits = ranks[3].lower()
    if first == second and suits:
        wanted = "expected a pair without s or o"
        raise fault(text, token.start_pos + len(token) - 1, wanted, ranks[3])
    _refuse_undealt(text, token, min(first, second), deck)
    return Hand(max(first, second), min(first, second), suits)


def _refuse_undealt(text: str, token: Any, rank: int, deck: Deck) -> None:
    if rank < deck.lowest:
        wanted = f"expected a card of {deck.game}, {RANKS[deck.lowest]} to A"
        raise fault(text, token.start_pos, wanted, str(token))


def _text_of(high: int, low: int, suits: str | tuple[int, int]) -> str:
    if isinstance(suits, str):
        return name_hand(high, low, suits)
    return format_cards([4 * high + suits[0], 4 * low + suits[1]])


def _ranks(text: str, kind: str, token: Any, hand: Hand, lowest: int) -> list[tuple[int, int]]:
    """Return the ranks of a hand alone, or of all hands upward or downward from it."""
    high, low, suits = hand
    if kind == "single":
        return [(high, low)]
    up = kind == "upward"
    if high == low:
        return [(rank, rank) for rank in (range(high, 13) if up else range(lowest, high + 1))]
    # A connector: the kicker moves, or both ranks. Only "76s+" is read, with a note, for compatibility.
    if high - low == 1 and not (up and isinstance(suits, str)) and (high < 12 if up else low > lowest):
        end = _text_of(12, 11, suits) if up else _text_of(lowest + 1, lowest, suits)
        kickers = str(token) if up else f"{token}-{_text_of(high, lowest, suits)}"
        raise fault(text, token.start_pos, f"two readings: write {kickers}, or {token}-{end}")
    return [(high, kicker) for kicker in (range(low, high) if up else range(lowest, low + 1))]


def _run(text: str, tokens: Sequence[Any], first: Hand, deck: Deck) -> list[tuple[int, int]]:
    """Return the ranks from one hand to another."""
    last, at = read_hand(text, tokens[1], deck), tokens[1].start_pos
    high, low, suits = first
    pair = high == low
    if pair != (last.high == last.low):
        raise fault(text, at, "expected a pair" if pair else "expected no pair", str(tokens[1]))
    if suits != last.suits:
        raise fault(text, at, _other_suits(first, last), str(tokens[1]))
    if pair:
        return [(r, r) for r in range(min(high, last.high), max(high, last.high) + 1)]
    if high == last.high:
        return [(high, kicker) for kicker in range(min(low, last.low), max(low, last.low) + 1)]
    gap = high - low
    if gap != last.high - last.low:
        wanted = f"expected a hand with {RANKS[high]} or with ranks as far apart as {tokens[0]}"
        raise fault(text, at, wanted, str(tokens[1]))
    return [(top, top - gap) for top in range(min(high, last.high), max(high, last.high) + 1)]


def _other_suits(first: Hand, last: Hand) -> str:
    if isinstance(first.suits, str) and isinstance(last.suits, str) and "" in (first.suits, last.suits):
        readings = (
            f"{_text_of(*first[:2], kind)}-{_text_of(*last[:2], kind)}"
            for kind in (first.suits or last.suits, "")
        )
        return f"two readings: write {', or '.join(readings)}"
    kinds = {"s": "a suited hand", "o": "an offsuit hand"}
    if isinstance(first.suits, str):
        return f"expected {kinds[first.suits]}"
    return f"expected the suits of {_text_of(*first)}"


def combos_of_hands(text: str, kind: str, tokens: Sequence[Any], deck: Deck) -> list[int]:
    """Return the combos of a hand, or of all hands of a run.

    Args:
        text: The whole text, for errors.
        kind: ``single``, ``upward``, ``downward`` or ``run``.
        tokens: The hand, or both ends of the run.
        deck: The deck.
    """
    hand = read_hand(text, tokens[0], deck)
    if kind == "run":
        ranks = _run(text, tokens, hand, deck)
    else:
        ranks = _ranks(text, kind, tokens[0], hand, deck.lowest)
    return [h for high, low in ranks for h in _combos(high, low, hand.suits)]


def _combos(high: int, low: int, suits: str | tuple[int, int]) -> list[int]:
    if isinstance(suits, str):
        return combos_by_starting_hand()[name_hand(high, low, suits)]
    return [combo_index(4 * high + suits[0], 4 * low + suits[1])]


def with_any_lower_card(text: str, token: Any, deck: Deck) -> list[int]:
    """Return the combos of ``AX`` or ``KXs``: a rank and any lower one."""
    match = present(re.match(rf"({RANK})(X)([so]?)$", token, re.IGNORECASE))
    name, suits = match[1].upper(), match[3].lower()
    high = 8 if name == "10" else RANKS.index(name)
    _refuse_undealt(text, token, high, deck)
    lowest = deck.lowest
    if high == lowest:
        raise fault(text, token.start_pos, "expected a rank that has a lower one", str(token))
    if match[2] == "x" and not suits:
        more = "".join(f",{above}{name}" for above in RANKS[high:])
        raise fault(
            text,
            token.start_pos,
            f"two readings: write {name}{RANKS[lowest]}+, or {name}{RANKS[lowest]}+{more}",
            str(token),
        )
    return [h for low in range(lowest, high) for h in _combos(high, low, suits)]
