"""Other libraries for the same work: an adapter each, and their measured or extrapolated times.

All of them are optional; the report names those that are missing. Each gets its own card objects,
made before the clock starts, and is called through its fastest interface.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import combinations, islice, starmap
from math import comb, sqrt
from operator import eq, gt
from statistics import mean, median, pvariance
from time import perf_counter
from typing import Any

from bench.report import Comparison, in_rate, in_time
from bench.rows import SMALL
from gpuodds import rank_hands
from gpuodds.cards import format_card, parse_cards

Hand = tuple[Any, ...]
"""Cards as a library's own objects."""

LIBRARIES = ("eval7", "phevaluator", "treys", "pokerkit", "pkrbot", "poker-equity")
SLICE = 20 if SMALL else 2000  # boards that a long enumeration is extrapolated from
LONG = 0.0 if SMALL else 10.0  # seconds that an enumeration may take to be carried through
SHORT = LONG / 5  # seconds after which spots one by one are extrapolated
FINE = 0.0001  # a standard error of one hundredth of a percent
EVAL7_SAMPLES, POKERKIT_SAMPLES = (1000, 10) if SMALL else (1_000_000, 1000)


@dataclass(frozen=True)
class Library:
    """How to rank seven-card hands with a library.

    Attributes:
        card: Makes the library's card from a card's name.
        rank_all: Ranks many hands of its cards.
        higher_wins: Whether a better hand has a higher rank.
        rated: The number of hands that gives a rate in about a second.
    """

    card: Callable[[str], Any]
    rank_all: Callable[[Iterable[Hand]], list[Any]]
    higher_wins: bool
    rated: int

    @property
    def sample(self) -> int:
        """The number of hands to rank for its rate."""
        return 100 if SMALL else self.rated

    def hand(self, cards: Iterable[int]) -> Hand:
        """Return card numbers, 0 to 51, as the library's cards."""
        return tuple(self.card(format_card(card)) for card in cards)

    def points(self, first: Hand, second: Hand, boards: Sequence[Hand]) -> float:
        """Return the pots that the first of two hands wins on the boards, a tie as half of one."""
        ranks = self.rank_all(first + board for board in boards)
        others = self.rank_all(second + board for board in boards)
        points: float = sum(map(gt, ranks, others)) + sum(map(eq, ranks, others)) / 2
        return points if self.higher_wins else len(boards) - points


def _eval7() -> Library:
    module: Any = import_module("eval7")
    return Library(module.Card, lambda hands: list(map(module.evaluate, hands)), True, 500_000)


def _phevaluator() -> Library:
    rank: Any = import_module("phevaluator").evaluate_cards
    card: Any = import_module("phevaluator.card").Card
    return Library(card.to_id, lambda hands: list(starmap(rank, hands)), False, 500_000)


def _treys() -> Library:
    module: Any = import_module("treys")
    rank = module.Evaluator().evaluate
    return Library(module.Card.new, lambda hands: [rank(hand, ()) for hand in hands], False, 30_000)


def _pokerkit() -> Library:
    module: Any = import_module("pokerkit")
    rank = module.StandardHighHand.from_game
    return Library(
        lambda name: next(module.Card.parse(name)), lambda hands: list(map(rank, hands)), True, 2000
    )


def _pkrbot() -> Library:
    module: Any = import_module("pkrbot")
    return Library(module.Card, lambda hands: list(map(module.evaluate, hands)), True, 1_000_000)


def _poker_equity() -> Library:
    rank: Any = import_module("poker_equity").score_batch
    return Library(str, lambda hands: list(rank("high", list(map("".join, hands)))), False, 500_000)


ADAPTERS = {
    "eval7": _eval7,
    "pkrbot": _pkrbot,
    "poker-equity": _poker_equity,
    "phevaluator": _phevaluator,
    "treys": _treys,
    "pokerkit": _pokerkit,
}


@cache
def library(name: str) -> Library | None:
    """Return the adapter of a library, or None where it is not installed."""
    try:
        return ADAPTERS[name]()
    except ImportError:
        return None


def missing(name: str) -> Comparison:
    """Say that a library is not installed."""
    return Comparison(name, "missing", note="not installed")


def draw_hands(count: int, seed: int = 7) -> Any:
    """Draw seven-card hands: card numbers of shape (count, 7), uint8, the same for a seed."""
    import numpy as np

    drawn = np.random.default_rng(seed).integers(0, 52, (2 * count + 100, 7), np.uint8)
    ascending = np.sort(drawn, axis=1)
    return drawn[(ascending[:, 1:] > ascending[:, :-1]).all(axis=1)][:count]


def draw_cards(count: int, size: int, seed: int) -> Any:
    """Draw different cards: card numbers of shape (count, size), uint8, the same for a seed."""
    import numpy as np

    keys = np.random.default_rng(seed).random((count, 52), np.float32)
    return np.argsort(keys, axis=1)[:, :size].astype(np.uint8)


def exact_call(hands: Sequence[str], board: str, equities: Sequence[float]) -> list[Comparison]:
    """Ask poker-equity for known hands on a board, in one exact call.

    Raises:
        AssertionError: It found other equities.
    """
    try:
        ask: Any = import_module("poker_equity").exact_from_text
    except ImportError:
        return [missing("poker-equity")]
    taken = []
    for _ in range(3 if SMALL else 200):
        begin = perf_counter()
        found = ask("holdem", list(hands), board)
        taken.append(perf_counter() - begin)
    shares = [player["equity"] for player in found["players"]]
    assert max(abs(a - b) for a, b in zip(shares, equities, strict=True)) < 1e-9
    return [Comparison("poker-equity exact_from_text", "measured", median(taken))]


@cache
def ranking_rate(name: str) -> float | None:
    """Return how many drawn seven-card hands a library ranks a second; None where it is missing.

    Raises:
        AssertionError: It orders two of the hands as gpuodds does not.
    """
    adapter = library(name)
    if adapter is None:
        return None
    drawn = draw_hands(adapter.sample)
    cards = adapter.hand(range(52))
    hands = [tuple(cards[card] for card in hand) for hand in drawn.tolist()]
    begin = perf_counter()
    ranks = adapter.rank_all(hands)
    rate = len(hands) / (perf_counter() - begin)
    pairs = dict(zip(rank_hands(drawn).tolist(), ranks, strict=True))
    ordered = [pairs[rank] for rank in sorted(pairs, reverse=not adapter.higher_wins)]
    assert all(starmap(gt, zip(ordered[1:], ordered[:-1], strict=True))), name
    return rate


def ranking_rates() -> list[Comparison]:
    """Compare the rates at which the libraries rank the same drawn hands."""
    rows = []
    for name in LIBRARIES:
        adapter, rate = library(name), ranking_rate(name)
        if adapter is None or rate is None:
            rows.append(missing(name))
        else:
            rows.append(Comparison(name, "measured", rate=rate, note=f"{adapter.sample:,} hands"))
    return rows


def enumerate_outcomes(outcomes: int, opponents: int) -> list[Comparison]:
    """Say how long each library would take to rank every opponent's hand in every outcome.

    A lower bound: dealing cards, comparing ranks and ranking the known hand are not counted.
    """
    rows = []
    for name in LIBRARIES:
        rate = ranking_rate(name)
        if rate is None:
            rows.append(missing(name))
            continue
        note = f"at {in_rate(rate)}"
        rows.append(Comparison(name, "extrapolated", outcomes * opponents / rate, note=note))
    return rows


def by_outcome(outcomes: int, work: str = "the random hands") -> list[str]:
    """Return the notes of a row whose alternatives all take too long to run to the end."""
    return [
        "None of the libraries answers this exactly in one call.",
        f"Extrapolated: ranking {work} of all {outcomes:,} outcomes, and nothing else.",
    ]


def known_hands(hero: str, villain: str, equity: float) -> list[Comparison]:
    """Enumerate the boards of one known hand against another with each library.

    Raises:
        AssertionError: An enumeration that was carried through found another equity.
    """
    rows = []
    for name in LIBRARIES:
        adapter = library(name)
        if adapter is None:
            rows.append(missing(name))
            continue
        hands = parse_cards(hero), parse_cards(villain)
        deck = [card for card in range(52) if card not in hands[0] + hands[1]]
        random.Random(7).shuffle(deck)
        first, second = map(adapter.hand, hands)
        boards = combinations(adapter.hand(deck), 5)
        all_boards, done, points, begin = comb(len(deck), 5), 0, 0.0, perf_counter()
        while chunk := list(islice(boards, SLICE)):
            points += adapter.points(first, second, chunk)
            done += len(chunk)
            seconds = (perf_counter() - begin) * all_boards / done
            if done == SLICE and seconds > LONG:
                break
        how = "measured" if done == all_boards else "extrapolated"
        if done == all_boards:
            assert abs(points / done - equity) < 1e-12, name
        rows.append(Comparison(name, how, seconds, note=f"ranking both hands on {done:,} boards"))
    return rows


def hands_on_flops(hands: Any, flops: Any, equities: Any) -> list[Comparison]:
    """Enumerate the runouts of two hands on each flop with each library, as many as take some seconds.

    Args:
        hands: Card numbers, shape (n, 2, 2).
        flops: Card numbers, shape (n, 3).
        equities: The first hands' equities, (n,).

    Raises:
        AssertionError: An enumeration found another equity.
    """
    rows = []
    for name in LIBRARIES:
        adapter = library(name)
        if adapter is None:
            rows.append(missing(name))
            continue
        cards, done, begin = adapter.hand(range(52)), 0, perf_counter()
        for (first, second), flop in zip(hands.tolist(), flops.tolist(), strict=True):
            gone = {*first, *second, *flop}
            dealt = tuple(cards[card] for card in flop)
            deck = [cards[card] for card in range(52) if card not in gone]
            boards = [dealt + rest for rest in combinations(deck, 2)]
            mine, theirs = (tuple(cards[card] for card in hand) for hand in (first, second))
            share = adapter.points(mine, theirs, boards) / len(boards)
            assert abs(share - equities[done]) < 1e-12, name
            done += 1
            seconds = perf_counter() - begin
            if seconds > SHORT:
                break
        how = "measured" if done == len(hands) else "extrapolated"
        note = f"ranking both hands on all runouts of {done:,} flops"
        rows.append(Comparison(name, how, seconds * len(hands) / done, note=note))
    return rows


def draw_deals(hero: str, opponents: int) -> list[Comparison]:
    """Deal and rank random hands with each library; extrapolate to a standard error of ``FINE``."""
    rows = []
    for name in LIBRARIES:
        adapter = library(name)
        if adapter is None:
            rows.append(missing(name))
            continue
        known, draw, deals = parse_cards(hero), random.Random(7), max(adapter.sample // 20, 50)
        mine = adapter.hand(known)
        deck = adapter.hand(card for card in range(52) if card not in known)
        points, begin = [], perf_counter()
        for _ in range(deals):
            dealt = tuple(draw.sample(deck, 5 + 2 * opponents))
            hands = [mine, *(dealt[i : i + 2] for i in range(5, len(dealt), 2))]
            ranks = adapter.rank_all(hand + dealt[:5] for hand in hands)
            best = max(ranks) if adapter.higher_wins else min(ranks)
            points.append((ranks[0] == best) / ranks.count(best))
        seconds = (perf_counter() - begin) * pvariance(points) / deals / FINE**2
        note = f"{deals:,} deals: {mean(points):.3f}; to a standard error of {FINE}"
        rows.append(Comparison(name, "extrapolated", seconds, note=note))
    return rows


def eval7_range(hero: str, villains: str, dealt: str = "") -> list[Comparison]:
    """Ask eval7's own functions for a hand against a range, or against any hand (``"random"``).

    Its exact function deals no cards: it compares the hands on the cards that it is given, so every
    complete board is a call. Its sampling function does complete the board.
    """
    if library("eval7") is None:
        return []
    module: Any = import_module("eval7")
    ranks = "23456789TJQKA"
    every_hand = ",".join(f"{a}{a},{a}2+" if a != "2" else "22" for a in reversed(ranks))
    hands = module.HandRange(every_hand if villains == "random" else villains)
    cards = parse_cards(hero)
    hand = tuple(module.Card(format_card(card)) for card in cards)
    board = [module.Card(format_card(card)) for card in parse_cards(dealt)]
    begin = perf_counter()
    share = module.py_hand_vs_range_monte_carlo(hand, hands, board, EVAL7_SAMPLES)
    sampled = perf_counter() - begin
    rows = [_sampled("eval7 py_hand_vs_range_monte_carlo", sampled, share, EVAL7_SAMPLES)]
    if villains == "random" and not dealt:
        deck = [module.Card(format_card(card)) for card in range(52) if card not in cards]
        boards = [random.Random(7).sample(deck, 5) for _ in range(SLICE)]
        begin = perf_counter()
        for complete in boards:
            module.py_hand_vs_range_exact(hand, hands, complete)
        seconds = (perf_counter() - begin) * comb(50, 5) / SLICE
        note = f"a call for each of {comb(50, 5):,} boards, {SLICE:,} made"
        rows.append(Comparison("eval7 py_hand_vs_range_exact", "extrapolated", seconds, note=note))
    return rows


def pokerkit_sampling(
    hero: str, opponents: int, board: str = "", villain: str = ""
) -> list[Comparison]:
    """Sample a spot with pokerkit: opponents with random cards, or one known hand."""
    if library("pokerkit") is None:
        return []
    module: Any = import_module("pokerkit")
    hole_cards = [[list(module.Card.parse(hero))]]
    hole_cards += [[list(module.Card.parse(villain))]] if villain else [[[]]] * opponents
    random.seed(7)
    begin = perf_counter()
    share = module.calculate_equities(
        hole_cards,
        module.Card.parse(board),
        2,
        5,
        module.Deck.STANDARD,
        (module.StandardHighHand,),
        sample_count=POKERKIT_SAMPLES,
    )[0]
    seconds = perf_counter() - begin
    return [_sampled("pokerkit calculate_equities", seconds, share, POKERKIT_SAMPLES)]


def pokerkit_icm(
    stacks: Sequence[int], prizes: Sequence[float], worth: Sequence[float]
) -> list[Comparison]:
    """Value stacks in prize money with pokerkit, which goes through all orders of finish."""
    if library("pokerkit") is None:
        return [missing("pokerkit")]
    module: Any = import_module("pokerkit")
    begin = perf_counter()
    found = module.calculate_icm(prizes, stacks)
    seconds = perf_counter() - begin
    assert all(abs(one - other) < 1e-9 for one, other in zip(found, worth, strict=True))
    return [Comparison("pokerkit", "measured", seconds, note="calculate_icm, in floats")]


def _sampled(name: str, seconds: float, share: float, samples: int) -> Comparison:
    error = sqrt(share * (1 - share) / samples)
    fine = in_time(seconds * (error / FINE) ** 2)
    note = f"{samples:,} samples: {share:.4f}, standard error {error:.4f}; {fine} for {FINE}"
    return Comparison(name, "sampled", seconds, note=note)
