"""Five-card draw: what to discard, exactly against a pat hand, sampled against one that draws.

The player's five cards and all seen ones are known. d cards are drawn from the n that remain, and the
opponent holds five of the rest: C(n, d) C(n - d, 5) deals. Against a pat hand they are counted: all
hands of the deck are listed once by rank and by the cards they hold, and how many of those without its
cards a draw beats follows by inclusion and exclusion. Where all five cards are drawn, both hands are
random: each wins half of what is not a tie.

An opponent who draws keeps what gives most equity against five random cards of a whole deck, by its own
five cards alone: exact sums over all completions of each set of kept cards, by inclusion and exclusion
over the discarded ones. Against it deals are drawn, the same for each discard.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, sqrt
from secrets import randbits
from typing import Any

import numpy as np

from gpuodds.backends.counts import Progress
from gpuodds.backends.operations.five_card import BestDiscards, CountDraws, SampleDraws
from gpuodds.basics.arguments import as_seed, as_whole, one_of, shown
from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import InputError
from gpuodds.five_card.decks import (
    check_enough,
    deck_without,
    read_hand,
    read_seen,
    run,
)
from gpuodds.games.five_card import HAND_CARDS, DrawSpot, list_discards, rank_names, read_ranking
from gpuodds.results.player_equity import json_count
from gpuodds.spots.hands import Cards

SCHEMA = "gpuodds.five_draw/1"
OPPONENTS = ("pat", "draws")
METHODS = ("exact", "monte-carlo")
DEFAULT_RUNS = {"pat": 1000, "draws": 1_000_000}
MAX_RUNS = 10**10
SEED_BITS = 63


@dataclass(frozen=True)
class Draw:
    """A discard and its chances.

    Attributes:
        discard: The cards to discard, as text; empty for standing pat.
        win_outcomes: How many deals win.
        tie_outcomes: How many deals tie.
        outcomes: How many deals there are, or were drawn.
        exact: Whether every deal was counted.
    """

    discard: str
    win_outcomes: int
    tie_outcomes: int
    outcomes: int
    exact: bool

    @property
    def equity(self) -> float:
        """The mean share of the pot."""
        return (self.win_outcomes + self.tie_outcomes / 2) / self.outcomes

    @property
    def win(self) -> float:
        """The chance to win."""
        return self.win_outcomes / self.outcomes

    @property
    def tie(self) -> float:
        """The chance to split."""
        return self.tie_outcomes / self.outcomes

    @property
    def standard_error(self) -> float | None:
        """The standard error of the equity; None if it is exact."""
        if self.exact:
            return None
        variance = self.win + self.tie / 4 - self.equity**2
        return sqrt(max(variance, 0.0) / self.outcomes)

    def to_dict(self) -> dict[str, Any]:
        """Return the draw's part of the JSON object."""
        fields = {
            "discard": self.discard,
            "win_outcomes": json_count(self.win_outcomes),
            "tie_outcomes": json_count(self.tie_outcomes),
            "outcomes": json_count(self.outcomes),
            "equity": self.equity,
        }
        return fields if self.exact else {**fields, "standard_error": self.standard_error}


@dataclass(frozen=True)
class DrawResult:
    """Every discard of a hand.

    Attributes:
        hand: The hand, as text.
        seen: The other cards out of play, as text.
        opponent: "pat" or "draws".
        ranking: The order of hands, as it was asked for.
        method: "exact" or "monte-carlo".
        draws: The discards, the one with most equity first.
        backend: Where the deals were counted.
    """

    hand: str
    seen: str
    opponent: str
    ranking: str
    method: str
    draws: tuple[Draw, ...]
    backend: str = "cpu"

    @property
    def best(self) -> Draw:
        """The discard with most equity."""
        return self.draws[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``gpuodds five draw --json`` prints."""
        return {
            "schema": SCHEMA,
            "hand": self.hand,
            "seen": self.seen,
            "opponent": self.opponent,
            "ranking": self.ranking,
            "exact": self.method == "exact",
            "method": self.method,
            "draws": [draw.to_dict() for draw in self.draws],
        }


def best_draw(
    hand: Cards,
    *,
    seen: Cards = "",
    max_discards: int = 5,
    opponent: str = "pat",
    ranking: str = "standard",
    method: str | None = None,
    runs: int | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> DrawResult:
    """Return the chances of every discard from a five-card hand, the best first.

    Args:
        hand: Five cards.
        seen: Further cards out of play.
        max_discards: The most cards that each player may draw, 0 to 5.
        opponent: ``"pat"`` holds any five cards; ``"draws"`` discards what is best for its hand.
        ranking: ``"standard"``, or ``"draw-chooser"`` as :func:`gpuodds.numbering.hand_value`.
        method: ``"exact"``, the default against ``"pat"`` without ``runs``, or ``"monte-carlo"``.
        runs: Deals to draw. Default: 1,000 against ``"pat"``, 1,000,000 against ``"draws"``.
        seed: Makes the deals repeatable; 0 or more.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        Every discard with its wins, ties and equity.

    Raises:
        InputError: The hand has not five cards, a card is given twice, too few are left to draw from,
            or an option makes no sense.

    Example:
        >>> found = best_draw("4h9d4c7dQs", max_discards=3)
        >>> found.best.discard, found.best.win_outcomes, found.best.tie_outcomes, found.best.outcomes
        ('9d7dQs', 12166721175, 256500, 17609619720)
    """
    cards, out = read_hand(hand), read_seen(hand, seen)
    max_discards = as_whole("max discards", max_discards)
    seed = as_seed(seed)
    if not 0 <= max_discards <= HAND_CARDS:
        raise InputError(f"max discards {max_discards}: expected 0 to 5")
    one_of("opponent", opponent, OPPONENTS)
    names = rank_names(read_ranking(ranking))
    method, runs = _read_method(opponent, method, runs)
    deck = deck_without([*cards, *out])
    check_enough(deck, HAND_CARDS + max_discards * (1 + (opponent == "draws")))
    left = np.array([card for card in range(DECK_SIZE) if deck >> card & 1], np.uint8)
    spot = DrawSpot(np.array(cards, np.uint8), left, max_discards, names)
    if runs is None:
        counts, backend = run(CountDraws(spot), progress)
    else:
        seed = randbits(SEED_BITS) if seed is None else seed
        counts, backend = run(SampleDraws(spot, opponent == "draws", runs, seed), progress)
    draws = [
        Draw(
            discard=format_cards([cards[place] for place in places]),
            win_outcomes=wins,
            tie_outcomes=ties,
            outcomes=_count_deals(len(left), len(places)) if runs is None else runs,
            exact=runs is None,
        )
        for places, (wins, ties) in zip(list_discards(max_discards), counts.tolist(), strict=True)
    ]
    return DrawResult(
        hand=format_cards(cards),
        seen=format_cards(out),
        opponent=opponent,
        ranking=ranking,
        method=method,
        draws=tuple(sorted(draws, key=lambda draw: (-draw.equity, len(draw.discard)))),
        backend=backend,
    )


def _read_method(opponent: str, method: str | None, runs: int | None) -> tuple[str, int | None]:
    """Return the method, and how many deals to draw; None where all are counted."""
    if method is None:
        method = "exact" if opponent == "pat" and runs is None else "monte-carlo"
    one_of("method", method, METHODS)
    if method == "exact":
        if runs is not None:
            raise InputError(
                f"runs {shown(runs)}: expected method monte-carlo; exact counts every deal"
            )
        if opponent == "draws":
            raise InputError(
                "method exact: expected an opponent who stands pat; one who draws is sampled"
            )
        return method, None
    number = DEFAULT_RUNS[opponent] if runs is None else as_whole("runs", runs)
    if not 0 < number <= MAX_RUNS:
        raise InputError(f"runs {number}: expected 1 to {MAX_RUNS:,}")
    return method, number


def _count_deals(unseen: int, drawn: int) -> int:
    return comb(unseen, drawn) * comb(unseen - drawn, HAND_CARDS)


def best_discards_of(hand: Cards, most: int = HAND_CARDS, *, ranking: str = "standard") -> list[int]:
    """Return what a hand discards to have most equity against five random cards of a whole deck.

    It goes by the hand's five cards alone, and takes microseconds.

    Args:
        hand: Five cards.
        most: How many cards may be discarded at most, 0 to 5.
        ranking: As for :func:`best_draw`.

    >>> from gpuodds.cards import format_cards
    >>> format_cards(best_discards_of("4h9d4c7dQs"))
    '7d9dQs'
    """
    cards = sorted(read_hand(hand))
    hands = np.array([cards], np.uint8)
    (places,) = run(BestDiscards(hands, most, rank_names(ranking))).counts.tolist()
    return [card for i, card in enumerate(cards) if places >> i & 1]
