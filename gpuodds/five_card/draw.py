"""Five-card draw: what to discard, exactly against a pat hand, sampled against one that draws.

With the player's five cards and all seen ones known, d cards are drawn from the n that remain, and the
opponent holds five of the rest: C(n, d) C(n - d, 5) outcomes. Against a pat hand they are counted: all
hands of the deck are listed once by rank and by the cards they hold, and what a draw beats among the
hands without its cards follows by inclusion and exclusion (:mod:`gpuodds.backends.cpu.five_card_draw`).
Where all five cards are drawn, the two hands are alike: each wins half of what is not a tie.

An opponent who draws keeps what gives most equity against five random cards of a whole deck, by its own
five cards alone: exact sums over all completions of each set of kept cards, by inclusion and exclusion
over the discarded ones. Against it deals are drawn, the same for each discard.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.arguments import as_seed, as_whole, one_of, shown
from gpuodds.backends.cpu.five_card_draw import (
    Listing,
    add_up_subsets,
    best_discards,
    count_draws,
    list_hands,
    sample_draws,
)
from gpuodds.backends.cpu.threads import thread_count, workers
from gpuodds.backends.protocol import Progress
from gpuodds.cards import format_cards
from gpuodds.errors import InputError
from gpuodds.five_card.decks import HAND, check_enough, deck_without, read_hand, read_seen
from gpuodds.five_card.rankings import RANKINGS, rank_names
from gpuodds.games.holdem.hand_ranks import hand_rank_tables
from gpuodds.results.result import as_number
from gpuodds.spots.spot import Cards

SCHEMA = "gpuodds.five_draw/1"
OPPONENTS = ("pat", "draws")
METHODS = ("exact", "monte-carlo")
BATCH = 1 << 16
USUAL_RUNS = {"pat": 1000, "draws": 1_000_000}
MOST_RUNS = 10**10


@dataclass(frozen=True)
class Draw:
    """A discard, and what it comes to: of ``outcomes``, how many win and how many tie."""

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
        """That of the equity; None if it is exact."""
        if self.exact:
            return None
        variance = self.win + self.tie / 4 - self.equity**2
        return sqrt(max(variance, 0.0) / self.outcomes)

    def to_dict(self) -> dict[str, Any]:
        """Return the draw's part of the JSON object."""
        found = {
            "discard": self.discard,
            "win_outcomes": as_number(self.win_outcomes),
            "tie_outcomes": as_number(self.tie_outcomes),
            "outcomes": as_number(self.outcomes),
            "equity": self.equity,
        }
        return found if self.exact else {**found, "standard_error": self.standard_error}


@dataclass(frozen=True)
class DrawResult:
    """Every discard there is, best first."""

    hand: str
    seen: str
    opponent: str
    ranking: str
    method: str
    draws: tuple[Draw, ...]

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
    """Find what to discard from a five-card hand: wins and ties for every discard, best first.

    ``seen`` are cards out of play beside the hand's. ``opponent`` is "pat", any five cards that stay as
    they are, or "draws", which discards what is best for its own hand. ``ranking`` "seed" is that of
    the old draw chooser. ``method`` is "exact", which only a pat hand allows, or "monte-carlo":
    ``runs`` deals by ``seed``. Without a method, a pat hand is counted unless ``runs`` says how many
    deals to sample. At most ``max_discards`` cards are drawn, by the opponent as well.

    Raises:
        InputError: The hand has not five cards, a card is given twice, too few are left to draw from,
            or an option makes no sense.

    >>> found = best_draw("4h9d4c7dQs", max_discards=3)
    >>> found.best.discard, found.best.win_outcomes, found.best.tie_outcomes, found.best.outcomes
    ('9d7dQs', 12166721175, 256500, 17609619720)
    """
    cards, out = read_hand(hand), read_seen(hand, seen)
    max_discards = as_whole("max discards", max_discards)
    seed = as_seed(seed)
    if not 0 <= max_discards <= HAND:
        raise InputError(f"max discards {max_discards}: expected 0 to 5")
    one_of("opponent", opponent, OPPONENTS)
    if method is None:
        method = "exact" if opponent == "pat" and runs is None else "monte-carlo"
    one_of("method", method, METHODS)
    one_of("ranking", ranking, RANKINGS)
    if method == "exact" and runs is not None:
        raise InputError(f"runs {shown(runs)}: expected method monte-carlo; exact counts every deal")
    if method == "exact" and opponent == "draws":
        raise InputError("method exact: expected an opponent who stands pat; one who draws is sampled")
    names = rank_names(ranking)
    deck = deck_without([*cards, *out])
    check_enough(deck, HAND + max_discards * (1 + (opponent == "draws")))
    left = np.array([card for card in range(52) if deck >> card & 1], np.uint8)
    if method == "exact":
        draws = _count(cards, left, max_discards, names, progress)
    else:
        number = USUAL_RUNS[opponent] if runs is None else as_whole("runs", runs)
        if not 0 < number <= MOST_RUNS:
            raise InputError(f"runs {number}: expected 1 to {MOST_RUNS:,}")
        draws = _sample(cards, left, max_discards, names, opponent, number, seed, progress)
    ordered = sorted(draws, key=lambda draw: (-draw.equity, len(draw.discard)))
    return DrawResult(format_cards(cards), format_cards(out), opponent, ranking, method, tuple(ordered))


def _count(
    cards: tuple[int, ...],
    left: npt.NDArray[np.uint8],
    most: int,
    names: npt.NDArray[np.uint16],
    progress: Progress | None,
) -> list[Draw]:
    tables, n = hand_rank_tables(), len(left)
    listing = _empty_listing(n, int(names.max()) + 1)
    ties = int(list_hands(left, tables, names, listing))
    found = []
    with workers(thread_count(), progress) as run:
        for drawn in range(most + 1):
            outcomes = comb(n, drawn) * comb(n - drawn, HAND)
            places = list(combinations(range(HAND), drawn))
            if drawn == HAND:
                counts = [[(outcomes - ties) // 2, ties]]
            else:
                kept = [[card for i, card in enumerate(cards) if i not in put] for put in places]
                counts = _count_kept(np.array(kept, np.uint8), left, drawn, names, listing, run)
            found += [
                Draw(format_cards([cards[i] for i in put]), wins, ties_, outcomes, True)
                for put, (wins, ties_) in zip(places, counts, strict=True)
            ]
    return found


def _count_kept(
    kept: npt.NDArray[np.uint8],
    left: npt.NDArray[np.uint8],
    drawn: int,
    names: npt.NDArray[np.uint16],
    listing: Listing,
    run: Any,
) -> list[list[int]]:
    parts: list[npt.NDArray[np.int64]] = []
    tables = hand_rank_tables()

    def count(begin: int, end: int) -> None:
        parts.append(count_draws(kept, left, drawn, begin, end, tables, names, listing))

    if drawn == 0:
        count(0, 1)
    else:
        # The last cards have most of the work.
        run(lambda b, e: count(len(left) - e, len(left) - b), len(left) - drawn + 1)
    total: list[list[int]] = np.sum(parts, axis=0).tolist()
    return total


def _empty_listing(n: int, names: int) -> Listing:
    return Listing(
        np.zeros(names, np.int64),
        np.zeros((n, names), np.int32),
        np.zeros((comb(n, 2), names), np.uint16),
        np.zeros((comb(n, 3), comb(n - 3, 2)), np.uint16),
        np.zeros((comb(n, 4), n - 4), np.uint16),
    )


def _sample(
    cards: tuple[int, ...],
    left: npt.NDArray[np.uint8],
    most: int,
    names: npt.NDArray[np.uint16],
    opponent: str,
    runs: int,
    seed: int | None,
    progress: Progress | None,
) -> list[Draw]:
    places = [put for drawn in range(most + 1) for put in combinations(range(HAND), drawn)]
    masks = np.array([sum(1 << i for i in put) for put in places], np.int64)
    batches = -(-runs // BATCH)
    seeds = np.random.SeedSequence(seed).generate_state(batches, np.uint32)
    sums = subset_sums(names.tobytes()) if opponent == "draws" else _NO_SUMS
    own, tables = np.array(cards, np.uint8), hand_rank_tables()
    parts: list[npt.NDArray[np.int64]] = []

    def sample(begin: int, end: int) -> None:
        for batch in range(begin, end):
            size = min(BATCH, runs - batch * BATCH)
            parts.append(sample_draws(own, left, masks, most, size, seeds[batch], tables, names, sums))

    with workers(thread_count(), progress) as run:
        run(sample, batches)
    counts = np.sum(parts, axis=0).tolist()
    return [
        Draw(format_cards([cards[i] for i in put]), wins, ties, runs, False)
        for put, (wins, ties) in zip(places, counts, strict=True)
    ]


_NO_SUMS = np.zeros(0, np.int64)


def best_discards_of(hand: Cards, most: int = HAND, *, ranking: str = "standard") -> list[int]:
    """Return what a hand discards to have most equity against five random cards of a whole deck.

    It goes by the hand's five cards alone, and takes microseconds.

    >>> from gpuodds.cards import format_cards
    >>> format_cards(best_discards_of("4h9d4c7dQs"))
    '7d9dQs'
    """
    cards = sorted(read_hand(hand))
    names = rank_names(ranking)
    sums = subset_sums(names.tobytes())
    row = np.array([cards], np.uint8)
    (places,) = best_discards(row, most, hand_rank_tables(), names, sums)
    return [card for i, card in enumerate(cards) if places >> i & 1]


@lru_cache(2)
def subset_sums(names: bytes) -> npt.NDArray[np.int64]:
    """Return for each set of up to four cards the sum of what the hands with them are worth.

    A hand is worth twice the hands of a whole deck that it beats, and once those it ties with. Sets are
    numbered by size, then as in :class:`gpuodds.backends.cpu.five_card_draw.Listing`; at the end stands
    what each rank is worth.
    """
    table = np.frombuffer(names, np.uint16).reshape(4, -1)
    return add_up_subsets(hand_rank_tables(), table)
