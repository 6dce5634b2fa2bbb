"""Find the hands that match a pattern of cards, such as two aces of different suits.

A pattern is a list of places. A hand matches it if each place can have a card of its own in the hand:
one of the cards it allows, with places of one rank variable equal in rank and those of two rank
variables different, and likewise for suits. Cards of the hand that no place has are any cards.

An automaton reads a hand from its lowest card to its highest. A state is which places have a card, the
suits of the variables that have one, and the rank variable that has cards of the rank just read; each
card is left out or gets a place. In colexicographic order the combos with the highest card c are the
smaller combos of the cards below c, in their order. So for each state, which combos of n cards lead to
it is put together from what is known of n - 1 cards, in slices, and the last step, the only one over
all combos, costs little more than to write the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, perm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.basics.lazy import cached_property
from gpuodds.cards import DECK_SIZE, SUITS
from gpuodds.games.omaha.combos import combo_cards, combo_numbers

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

ANY_CARD = (1 << DECK_SIZE) - 1
SUIT_CARDS = [sum(1 << card for card in range(suit, DECK_SIZE, 4)) for suit in range(len(SUITS))]
FEW = 500  # named cards are taken out of a pattern if they leave 1 of this many combos, or fewer
MAX_STATES = 150  # at a time; of patterns that need more, the suit variables are tried suit by suit
_NONE = -1


class Place(NamedTuple):
    """A place of a pattern."""

    allowed: int
    """The cards it allows, as a set: bit c is the card c."""
    rank: str = ""
    """Its rank variable, or nothing."""
    suit: str = ""
    """Its suit variable, or nothing."""


Places = tuple[Place, ...]


def is_narrow(size: int, pattern: Sequence[Place]) -> bool:
    """Return whether a pattern names so many cards of a hand that few combos match."""
    named = sum(
        place.allowed.bit_count() == 1
        or (place.suit != "" and all((place.allowed & suit).bit_count() <= 1 for suit in SUIT_CARDS))
        for place in pattern
    )
    ways = perm(len(SUITS), len({place.suit for place in pattern} - {""}))
    return FEW * ways * comb(DECK_SIZE, size - named) <= comb(DECK_SIZE, size)


def matching_numbers(size: int, pattern: Sequence[Place]) -> Ints:
    """Return the numbers of the combos that match a pattern, ascending: for narrow ones."""
    numbers = [np.zeros(0, np.int64)]
    for places in _suits_chosen(tuple(pattern)):
        named = [place.allowed.bit_length() - 1 for place in places if place.allowed.bit_count() == 1]
        if len(set(named)) < len(named) or not all(place.allowed for place in places):
            continue
        named_cards = sum(1 << card for card in named)
        # The named cards are taken: the others need cards of their own.
        open_places = [
            place._replace(allowed=place.allowed & ~named_cards)
            for place in places
            if place.allowed.bit_count() > 1
        ]
        left = size - len(named)
        more_cards = (
            combo_cards(left)[matching_combos(left, open_places)]
            if left
            else np.zeros((1, 0), np.uint8)
        )
        more_cards = more_cards[~np.isin(more_cards, named).any(axis=1)]
        cards = np.broadcast_to(np.array(named, np.uint8), (len(more_cards), len(named)))
        numbers.append(combo_numbers(np.column_stack([cards, more_cards])))
    return np.unique(np.concatenate(numbers))


def matching_combos(size: int, pattern: Sequence[Place]) -> Bools:
    """Return which combos match a pattern, shape (combos,)."""
    return _matching_places(
        size, tuple(sorted(place for place in pattern if place != (ANY_CARD, "", "")))
    )


def _matching_places(size: int, places: Places) -> Bools:
    if not all(place.allowed for place in places):
        return np.zeros(comb(DECK_SIZE, size), bool)
    automaton = _Automaton(places)
    levels = automaton.levels(size)
    if max(map(len, levels)) <= MAX_STATES or not any(place.suit for place in places):
        return automaton.combos(size, levels)
    matching = np.zeros(comb(DECK_SIZE, size), bool)
    for chosen in _first_suit_chosen(places):
        matching |= _matching_places(size, chosen)
    return matching


def _suits_chosen(places: Places) -> Iterator[Places]:
    """Yield the pattern with suits in place of its suit variables, in each way that differs."""
    if not any(place.suit for place in places):
        yield places
        return
    for chosen in _first_suit_chosen(places):
        yield from _suits_chosen(chosen)


def _first_suit_chosen(places: Places) -> list[Places]:
    variable = next(place.suit for place in places if place.suit)
    chosen = (_with_suit(places, variable, suit) for suit in range(len(SUITS)))
    return list(dict.fromkeys(map(_named_in_order, chosen)))


def _with_suit(places: Places, variable: str, suit: int) -> Places:
    return tuple(
        place
        if not place.suit
        else Place(place.allowed & SUIT_CARDS[suit], place.rank)
        if place.suit == variable
        else place._replace(allowed=place.allowed & ~SUIT_CARDS[suit])
        for place in places
    )


def _named_in_order(places: Places) -> Places:
    """Return a pattern sorted, its rank variables named in order: so that the same are equal."""
    by_rank: dict[str, list[Place]] = {}
    for place in sorted(places):
        by_rank.setdefault(place.rank, []).append(place._replace(rank=""))
    free = by_rank.pop("", [])
    groups = sorted(by_rank.values())
    named = [place._replace(rank=str(n)) for n, group in enumerate(groups) for place in group]
    return (*free, *named)


class _State(NamedTuple):
    """What the automaton knows of the cards that it has read."""

    filled: tuple[int, ...]
    """By kind of place, how many have a card."""
    suits: tuple[int, ...]
    """By suit variable, its suit, while some of its places have a card and others need one."""
    taken: tuple[bool, ...]
    """By suit, whether a variable has it that leaves it to no other; False if none is left to begin."""
    rank: int
    """The rank variable that has cards of the rank just read."""


_Kind = tuple[tuple[int, ...], int]
"""A kind of card: the kinds of places that allow it, and its suit."""


class _Automaton:
    """Reads hands card by card, the lowest first."""

    def __init__(self, places: Places) -> None:
        """Number the kinds of places and the variables."""
        kinds = sorted(set(places))
        self._counts = tuple(places.count(kind) for kind in kinds)
        ranks = sorted({kind.rank for kind in kinds if kind.rank})
        suits = sorted({kind.suit for kind in kinds if kind.suit})
        self._rank_of = [ranks.index(kind.rank) if kind.rank else _NONE for kind in kinds]
        self._suit_of = [suits.index(kind.suit) if kind.suit else _NONE for kind in kinds]
        self._of_rank = [_members(self._rank_of, number) for number in range(len(ranks))]
        self._of_suit = [_members(self._suit_of, number) for number in range(len(suits))]
        # Of variables that can change places one gets its first card before the other.
        self._rank_after = _order(places, ranks, "rank")
        self._suit_after = _order(places, suits, "suit")
        self._goal = _State(self._counts, (_NONE,) * len(suits), (False,) * len(SUITS), _NONE)
        self._start = _State((0,) * len(kinds), (_NONE,) * len(suits), (False,) * len(SUITS), _NONE)
        self._kinds: list[_Kind] = [
            (
                tuple(number for number, kind in enumerate(kinds) if kind.allowed >> card & 1),
                card & 3 if suits else 0,
            )
            for card in range(DECK_SIZE)
        ]
        self._known: dict[tuple[_State, _Kind], list[_State]] = {}

    @cached_property
    def _by_kind(self) -> dict[_Kind, int]:
        """The highest card of each kind."""
        return {kind: card for card, kind in enumerate(self._kinds)}

    def levels(self, size: int) -> list[set[_State]]:
        """Return, for 0 to ``size`` cards read, the states that a matching hand can be in."""
        wanted = sum(self._counts)
        levels = [{self._start}]
        for level in range(1, size + 1):
            least = wanted - (size - level)
            levels.append(
                {
                    after
                    for state in levels[-1]
                    for before in {state, self._closed(state)} - {None}
                    for kind in self._by_kind
                    for after in self._after(before, kind)  # type: ignore[arg-type]
                    if sum(after.filled) >= least
                }
            )
        levels[-1] &= {self._goal}
        for level in range(size - 1, -1, -1):
            levels[level] = {
                state
                for state in levels[level]
                if any(
                    after in levels[level + 1]
                    for before in {state, self._closed(state)} - {None}
                    for kind in self._by_kind
                    for after in self._after(before, kind)  # type: ignore[arg-type]
                )
            }
        return levels

    def combos(self, size: int, levels: list[set[_State]]) -> Bools:
        """Return which combos lead to the end, shape (combos,)."""
        known = {self._start: np.ones(1, bool)}
        for level in range(1, size + 1):
            known = self._next(level, known, levels[level])
        return known.get(self._goal, np.zeros(comb(DECK_SIZE, size), bool))

    def _next(
        self, level: int, known: dict[_State, Bools], targets: set[_State]
    ) -> dict[_State, Bools]:
        """Return which combos of ``level`` cards lead to each state, from those of one card less."""
        new_rank = known
        if self._of_rank:
            new_rank = {}
            for state, combos in known.items():
                closed = self._closed(state)
                if closed is not None:
                    new_rank[closed] = new_rank[closed] | combos if closed in new_rank else combos
        lowest, begins = _slices(level)
        nothing = np.zeros(comb(DECK_SIZE - 1, level - 1), bool)
        pieces: dict[_State, list[Bools]] = {target: [] for target in targets}
        by_kind = {
            kind: (
                self._led(new_rank, kind, targets, begins[highest]),
                self._led(known, kind, targets, begins[highest]) if self._of_rank else {},
            )
            for kind, highest in self._by_kind.items()
            if highest >= level - 1
        }
        for card in range(level - 1, DECK_SIZE):
            first, same = by_kind[self._kinds[card]]
            end = begins[card]
            # Up to here the cards are all of lower ranks.
            lower = lowest[card] if self._of_rank else end
            for target, parts in pieces.items():
                if lower:
                    parts.append(first.get(target, nothing)[:lower])
                if lower < end:
                    parts.append(same.get(target, nothing)[lower:end])
        return {target: np.concatenate(parts) for target, parts in pieces.items()}

    def _led(
        self, known: dict[_State, Bools], kind: _Kind, targets: set[_State], length: int
    ) -> dict[_State, Bools]:
        """Return which of the first combos lead to each state with one more card of a kind."""
        by_state: dict[_State, Bools] = {}
        own: set[_State] = set()
        for state, combos in known.items():
            for target in self._after(state, kind):
                if target not in targets:
                    continue
                if target not in by_state:
                    by_state[target] = combos[:length]
                elif target in own:
                    by_state[target] |= combos[:length]
                else:
                    by_state[target] = by_state[target] | combos[:length]
                    own.add(target)
        return by_state

    def _closed(self, state: _State) -> _State | None:
        """Return the state when a higher rank begins; None if a rank variable lacks cards then."""
        for members in self._of_rank:
            filled = sum(state.filled[kind] for kind in members)
            if 0 < filled < sum(self._counts[kind] for kind in members):
                return None
        return state._replace(rank=_NONE)

    def _after(self, state: _State, kind: _Kind) -> list[_State]:
        """Return the states that a card of a kind leads to, of the same rank if a variable has it."""
        states = self._known.get((state, kind))
        if states is None:
            places, suit = kind
            after = (self._filled(state, place, suit) for place in places)
            states = [state, *dict.fromkeys(each for each in after if each is not None)]
            self._known[state, kind] = states
        return states

    def _filled(self, state: _State, place: int, suit: int) -> _State | None:
        """Return the state when a place of a kind gets a card of a suit; None if it cannot."""
        if state.filled[place] == self._counts[place]:
            return None
        filled = (*state.filled[:place], state.filled[place] + 1, *state.filled[place + 1 :])
        rank = self._rank_of[place]
        if rank not in (_NONE, state.rank):
            before = self._rank_after[rank]
            if state.rank != _NONE or (before != _NONE and not self._full(state, before)):
                return None
        variable = self._suit_of[place]
        suits, taken = state.suits, state.taken
        if variable != _NONE:
            if suits[variable] == _NONE:
                before = self._suit_after[variable]
                begun = before == _NONE or any(state.filled[kind] for kind in self._of_suit[before])
                if taken[suit] or not begun:
                    return None
                taken = (*taken[:suit], True, *taken[suit + 1 :])
            elif suits[variable] != suit:
                return None
            members = self._of_suit[variable]
            done = all(filled[kind] == self._counts[kind] for kind in members)
            suits = (*suits[:variable], _NONE if done else suit, *suits[variable + 1 :])
            if all(any(filled[kind] for kind in members) for members in self._of_suit):
                taken = (False,) * len(SUITS)
        if filled == self._counts:
            return self._goal
        return _State(filled, suits, taken, state.rank if rank == _NONE else rank)

    def _full(self, state: _State, rank: int) -> bool:
        return all(state.filled[kind] == self._counts[kind] for kind in self._of_rank[rank])


def _members(variables: list[int], number: int) -> list[int]:
    return [kind for kind, variable in enumerate(variables) if variable == number]


def _order(places: Places, names: list[str], field: str) -> list[int]:
    """Return for each variable the one before it that can change places with it."""
    before = [_NONE] * len(names)
    for first, second in combinations(range(len(names)), 2):
        swap = {names[first]: names[second], names[second]: names[first]}
        swapped = [
            place._replace(**{field: swap.get(getattr(place, field), getattr(place, field))})
            for place in places
        ]
        if sorted(swapped) == sorted(places):
            before[second] = first
    return before


@lru_cache
def _slices(level: int) -> tuple[list[int], list[int]]:
    """Return, by card, how many combos of one card less have lower ranks, and lower cards, alone."""
    begins = [comb(card, level - 1) for card in range(DECK_SIZE)]
    return [begins[card & ~3] for card in range(DECK_SIZE)], begins
