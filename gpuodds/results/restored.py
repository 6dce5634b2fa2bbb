"""Take the answer to a spot's normal form back to the seats that were asked for.

The normal form (:mod:`gpuodds.spots.normal_form`) counts seats with any cards as random opponents. With
R such players, the counts by winners give every seat its own figures: of the deals N(S, t), the order
of the R ignored, in which the known players S are best together with exactly t of the R, each choice
of the t has as many. Of the R! orders of R seats, t! (R - t)! let the winners sit in t given seats.

Without counts by winners, the seats share equally what the others leave: only their equity is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING, Any

from gpuodds.basics.present import present
from gpuodds.results.equity_share import EquityShare
from gpuodds.results.hi_lo import hi_lo_result, high_result
from gpuodds.results.player_equity import Count, HandEquity, PlayerEquity
from gpuodds.results.result import EquityResult, WinnerCounts, name_winners

if TYPE_CHECKING:
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.spot import Spot

MAX_NAMED_WINNERS = 10  # seats whose sets of winners are listed: 2^10 sets

SYMMETRY = "symmetry"
"""The method of answers that need no count, because all players are alike."""


def restore(counted: EquityResult, form: NormalForm, *, by_hand: bool = False) -> EquityResult:
    """Return the answer to the spot that was asked.

    Args:
        counted: The answer to its normal form. Samples are of a form that keeps all players named.
        form: The normal form.
        by_hand: Whether the answer has the equity of each hand of each range.
    """
    asked = form.asked
    if counted.method == SYMMETRY:
        return counted
    if form.spot is asked and form.factor == 1 and not (by_hand and counted.by_hand is None):
        return counted
    if not counted.exact:
        return replace(counted, spot=asked, players=_renamed(counted.players, asked.names))
    restored = _restore_players(counted, form)
    made = counted.made_hands
    if made is not None and form.random:
        made = tuple({} if place is None else made[place] for place in form.places)
    return replace(
        restored,
        by_hand=_restore_hands(counted, form, restored) if by_hand else None,
        made_hands=made,
        explanation=counted.explanation,
        seconds=counted.seconds,
        by_winners=None,
    )


def equal_shares(spot: Spot) -> EquityResult:
    """Return the answer to a spot whose players are all in the same position, with 0 seconds."""
    share, has_low = Fraction(1, spot.players), spot.game.has_low
    players = tuple(EquityShare.of(name, share, None, has_low=has_low) for name in spot.names)
    return EquityResult(spot, players, SYMMETRY, "cpu", None, 0.0)


def _renamed(players: Sequence[PlayerEquity], names: Sequence[str]) -> tuple[PlayerEquity, ...]:
    pairs = zip(players, names, strict=True)
    return tuple(
        player if player.hand == name else replace(player, hand=name) for player, name in pairs
    )


def _restore_players(counted: EquityResult, form: NormalForm) -> EquityResult:
    """Return the answer with the counts of every seat asked, and the sets of winners."""
    spot, asked, factor = form.spot, form.asked, form.factor
    if len(form.places) == len(spot.hands):  # no seat became a random opponent
        players = counted.players
        winners, low_winners = counted.winners, counted.low_winners
        if factor != 1:
            players = tuple(player.times(factor) for player in players)
            winners, low_winners = _times(winners, factor), _times(low_winners, factor)
        players = _renamed(players, asked.names)
        return replace(counted, spot=asked, players=players, winners=winners, low_winners=low_winners)
    if spot.opponents == 1 and counted.by_winners is not None:
        return _by_seat(counted, form, counted.by_winners)
    return _by_share(counted, form) if None in form.places else _by_place(counted, form)


def _times(winners: Mapping[str, Count] | None, factor: Any) -> dict[str, Count] | None:
    return None if winners is None else {who: count * factor for who, count in winners.items()}


def _by_seat(counted: EquityResult, form: NormalForm, counts: WinnerCounts) -> EquityResult:
    """Return the answer where each random opponent is one seat, so that winners are seats."""
    spot, asked = form.spot, form.asked
    seats = [form.places.index(place) for place in range(len(spot.hands))]
    last = [seat for seat in form.random if seat not in seats]
    seats.append(last[0] if last else len(asked.hands))  # an opponent without a name comes last

    def moved(winners: int) -> int:
        return sum(1 << seat for place, seat in enumerate(seats) if winners >> place & 1)

    named = {
        (moved(high), moved(low)): count * form.factor for (high, low), count in counts.items() if count
    }
    named = dict(sorted(named.items()))
    result = hi_lo_result if asked.game.has_low else high_result
    return result(asked, named, counted.method, counted.backend)


def _by_place(counted: EquityResult, form: NormalForm) -> EquityResult:
    """Return the answer where one seat with any cards was counted for all of them."""
    spot, asked = form.spot, form.asked
    # The seat that was counted is told apart from the K others, the seats asked from the other k.
    times = form.factor * (factorial(spot.opponents) // factorial(asked.opponents))
    players = tuple(
        replace(counted.players[place].times(times), hand=name)
        for name, place in zip(asked.names, form.places, strict=True)
        if place is not None
    )
    winners = None
    if counted.by_winners is not None and not asked.opponents and not asked.game.has_low:
        winners = _list_winners(form, counted.by_winners)
    return replace(counted, spot=asked, players=players, winners=winners, low_winners=None)


def _list_winners(form: NormalForm, counts: WinnerCounts) -> dict[str, Count] | None:
    """Return outcomes by the set of winners, all of whom are named."""
    spot, asked = form.spot, form.asked
    first, every = present(form.places[form.random[0]]), len(form.random)
    if len(asked.hands) > MAX_NAMED_WINNERS:
        return None
    seats = {place: form.places.index(place) for place in range(len(spot.hands)) if place != first}
    by_mask: dict[int, Count] = {}
    for (winners, _), count in counts.items():
        known = sum(1 << seat for place, seat in seats.items() if winners >> place & 1)
        is_best, others = winners >> first & 1, winners >> len(spot.hands)
        if not count or (others and not is_best):
            continue  # these deals come again, with another of the R seats as the one counted
        # N(S, t) is count / t with the seat that was counted among the t, and count / R without it.
        random = others + 1 if is_best else 0
        ways = factorial(random) * factorial(every - random)
        deals = _divided(count * ways * form.factor, random or every)
        for some in combinations(form.random, random):
            by_mask[known + sum(1 << seat for seat in some)] = deals
    return name_winners(by_mask, len(asked.hands))


def _divided(count: Count, by: int) -> Count:
    return count // by if isinstance(count, int) else count / by


def _by_share(counted: EquityResult, form: NormalForm) -> EquityResult:
    """Return the answer in which seats with any cards have an equal part of what the others leave."""
    spot, asked = form.spot, form.asked
    every = spot.opponents
    times = form.factor * (factorial(every) // factorial(asked.opponents))
    others = [counted.players[place].times(times) for place in form.places if place is not None]
    exact = [player.equity_exact for player in others]
    share: Any
    if None in exact:
        share = (1.0 - sum(player.equity for player in others)) / every
    else:
        share = (1 - sum((equity for equity in exact if equity is not None), Fraction(0))) / every
    outcomes, has_low = others[0].outcomes, asked.game.has_low
    players = tuple(
        EquityShare.of(name, share, outcomes, has_low=has_low)
        if place is None
        else replace(counted.players[place].times(times), hand=name)
        for name, place in zip(asked.names, form.places, strict=True)
    )
    return replace(counted, spot=asked, players=players, winners=None, low_winners=None)


def _restore_hands(
    counted: EquityResult, form: NormalForm, restored: EquityResult
) -> tuple[tuple[HandEquity, ...], ...]:
    """Return the equity of each hand of each seat asked."""
    asked, spot = form.asked, form.spot
    hands = []
    for seat, shared in enumerate(form.places):
        place = present(shared)  # the equity of each hand needs a player of its own
        asked_hand, hand = asked.hands[seat], spot.hands[place]
        if isinstance(hand, tuple):
            used = spot.known - {*hand}
            hands.append(_hands_of_one(asked, seat, restored.players[seat], used))
            continue
        listed = present(counted.by_hand)[place]
        if asked_hand is not hand and not isinstance(asked_hand, tuple):
            listed = _reweighted(listed, asked, seat)
        hands.append(listed)
    return tuple(hands)


def _hands_of_one(
    spot: Spot, seat: int, player: PlayerEquity, used: frozenset[int]
) -> tuple[HandEquity, ...]:
    """Return hands that are all alike, those without used cards, from the figures of the player."""
    held = spot.held[seat]
    name, figures = _names(spot), (player.equity, player.win, player.tie)
    rows = zip(held.cards.tolist(), held.weights.tolist(), strict=True)
    return tuple(
        HandEquity(name(cards), weight, *figures) for cards, weight in rows if used.isdisjoint(cards)
    )


def _reweighted(hands: tuple[HandEquity, ...], spot: Spot, seat: int) -> tuple[HandEquity, ...]:
    """Return hands with the weights that they have in the range asked."""
    held, name = spot.held[seat], _names(spot)
    weights = {
        name(cards): weight
        for cards, weight in zip(held.cards.tolist(), held.weights.tolist(), strict=True)
    }
    return tuple(replace(hand, weight=weights[hand.hand]) for hand in hands)


def _names(spot: Spot) -> Callable[[Sequence[int]], str]:
    from gpuodds.cards import format_cards

    return lambda cards: format_cards(sorted(cards, reverse=True))
