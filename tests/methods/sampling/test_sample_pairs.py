"""Pairs of deals on boards in turn: unbiased, with an honest error, the same on any backend."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from math import comb, prod
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cpu.shared.random_words import philox
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.operations.samples import SamplePairs
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.draws import (
    CARD_STREAM,
    ORDER_FACTORS,
    ORDER_STREAM,
    Draws,
    board_grid,
    plan_draws,
)
from gpuodds.results.estimate import PairEstimate
from gpuodds.spots.ranges.range import Range

LOW = (1 << 32) - 1
FLOP, TURN = "2s7d9h", "2s7d9hTc"


def draws_of(hands: list[str]) -> Draws:
    return plan_draws(np.array([Range(hand).weights for hand in hands]))


def draw(on: Any, hands: list[str], opponents: int, board: str, seed: int, begin: int, end: int) -> Any:
    given = draws_of(hands), opponents, parse_cards(board), ()
    return on.count(SamplePairs(HOLDEM, *given, seed, begin, end)).counts


def estimate(hands: list[str], opponents: int, board: str, seed: int, pairs: int) -> PairEstimate:
    cards = parse_cards(board)
    boards = comb(52 - len(cards) - 2 * len(hands), 5 - len(cards))
    found = draw(CpuBackend(), hands, opponents, board, seed, 0, pairs)
    return PairEstimate(found, pairs, boards)


def equities(found: PairEstimate) -> Any:
    return found.counts @ (1 / np.arange(1, found.counts.shape[1] + 1)) / found.samples


@pytest.mark.parametrize(
    ("hands", "opponents", "board", "pairs"),
    [
        (["AsKs"], 3, FLOP, 400),  # of 1,081 boards
        (["AsKs"], 3, FLOP, 1081),
        (["AsKs"], 3, FLOP, 1500),
        (["QhQd", "AsKs"], 2, FLOP, 990),
        (["AsKs"], 2, TURN, 10 * 46),
        (["AsKs"], 1, "", 1000),
    ],
)
def test_errors_are_honest(hands: list[str], opponents: int, board: str, pairs: int) -> None:
    """Scores of many seeds have mean 0 and mean square 1: each bound is four standard errors."""
    seeds = 300
    exact = gpuodds.equity(hands, opponents=opponents, board=board, table=False, backend="cpu")
    expected = np.array([player.equity for player in exact.players])
    runs = [estimate(hands, opponents, board, seed, pairs) for seed in range(seeds)]
    scores = np.array([(equities(run) - expected) / run.standard_error for run in runs])
    assert (abs(scores.mean(axis=0)) < 4 / seeds**0.5).all()
    assert (abs((scores**2).mean(axis=0) - 1) < 4 * (2.4 / seeds) ** 0.5).all()


def test_every_board_comes_once_a_round() -> None:
    """The nine of spades ties on one river of 46 alone, the ten, which makes a royal flush."""
    for rounds in (1, 7):
        found = draw(CpuBackend(), ["9s2d"], 1, "AsKsQsJs", rounds, 0, rounds * 46)
        assert found[0, 2, 2] == found[0, 2].sum() == found[0, :, 2].sum() == rounds
    # Before the round ends it may still be to come.
    early = [
        int(draw(CpuBackend(), ["9s2d"], 1, "AsKsQsJs", seed, 0, 23)[0, 2, 2]) for seed in range(40)
    ]
    assert {*early} == {0, 1}


def one_pair(hands: Any, opponents: int, board: Any, seed: int, pair: int) -> list[list[int]]:
    """Draw one pair, slowly, as documented; return how each deal ends for each hand."""
    held = [card for hand in hands for card in hand]
    deck = [card for card in reversed(range(52)) if card not in (*held, *board)]
    boards = comb(len(deck), 5 - len(board))
    columns, rows = board_grid(boards)
    keys = [int(word) for word in philox(0, ORDER_STREAM, 0, seed)]

    def mixed(number: int, key: int) -> int:
        number = number * ORDER_FACTORS[0] + key & LOW
        return (number ^ number >> 16) * ORDER_FACTORS[1] & LOW

    y, x = divmod(pair % boards, columns)
    number = boards
    while number >= boards:
        for one, two in ((0, 1), (2, 3)):
            x = (x + (mixed(y, keys[one]) * columns >> 32)) % columns
            y = (y + (mixed(x, keys[two]) * rows >> 32)) % rows
        number = y * columns + x
    places: list[int] = []
    for size in range(5 - len(board), 0, -1):
        places.append(max(place for place in range(52) if comb(place, size) <= number))
        number -= comb(places[-1], size)
    full = [*board, *(deck[place] for place in places)]
    for place in places:
        deck[place] = deck[-1]
        deck.pop()
    ends, used = [], count()
    for _ in range(2):
        dealt: list[int] = []
        while len(dealt) < 2 * opponents:
            bounds, number = [max(1, len(deck) - x) for x in range(3)], next(used)
            for stream in count(CARD_STREAM):
                word = int(philox(number >> 2, stream, pair, seed)[number & 3])
                if word * prod(bounds) & LOW >= 2**32 % prod(bounds):
                    break
            for bound in bounds[: 2 * opponents - len(dealt)]:
                word *= bound
                place, word = word >> 32, word & LOW
                dealt.append(deck[place])
                deck[place] = deck[-1]
                deck.pop()
        deck += reversed(dealt)
        cards = [*held, *dealt]
        every = [[*cards[at : at + 2], *full] for at in range(0, len(cards), 2)]
        ranks = gpuodds.rank_hands(np.array(every, np.uint8))
        best = ranks == ranks.max()
        ends.append([int(best.sum()) if best[p] else 0 for p in range(len(hands))])
    return ends


@pytest.mark.parametrize(
    ("hands", "opponents", "board", "begin"),
    [
        (["AsKs"], 3, "", 0),
        (["AsKs", "QhQd"], 2, FLOP, 900),
        (["AsKs"], 1, TURN, 5),
        # Where a word of the first deal, or of the second, is drawn again.
        (["7c2d"], 22, "2s7s", 12_000),
        (["7c2d"], 22, "2s7s", 17_600),
    ],
)
def test_pairs_follow_the_documented_algorithm(
    hands: list[str], opponents: int, board: str, begin: int
) -> None:
    expected = np.zeros((len(hands), len(hands) + opponents + 1, len(hands) + opponents + 1), np.int64)
    cards = [parse_cards(hand) for hand in hands]
    for pair in range(begin, begin + 150):
        first, second = one_pair(cards, opponents, parse_cards(board), 7, pair)
        for p, ends in enumerate(zip(first, second, strict=True)):
            expected[p][ends] += 1
    assert np.array_equal(draw(CpuBackend(), hands, opponents, board, 7, begin, begin + 150), expected)


def test_the_order_of_hands_does_not_matter() -> None:
    hands = ["AsKs", "QhQd", "7c2d"]
    found = draw(CpuBackend(), hands, 2, FLOP, 3, 0, 2000)
    assert np.array_equal(draw(CpuBackend(), hands[::-1], 2, FLOP, 3, 0, 2000), found[::-1])


def test_half_as_many_deals_give_the_same_error() -> None:
    found = gpuodds.equity(
        "AsKs", opponents=3, board=FLOP, method="monte-carlo", standard_error=0.002, backend="cpu"
    )
    player, exact = found.players[0], gpuodds.equity("AsKs", opponents=3, board=FLOP).equity
    assert player.standard_error is not None and player.standard_error <= 0.002
    plain = exact * (1 - exact) / 0.002**2
    assert found.outcomes < 0.65 * plain and abs(found.equity - exact) < 4 * 0.002


@pytest.mark.parametrize("threads", ["1", "3", "7"])
def test_threads_do_not_matter(monkeypatch: pytest.MonkeyPatch, threads: str) -> None:
    expected = draw(CpuBackend(), ["AsKs", "QhQd"], 2, "", 3, 0, 40_000)
    monkeypatch.setenv("GPUODDS_THREADS", threads)
    assert np.array_equal(draw(CpuBackend(), ["AsKs", "QhQd"], 2, "", 3, 0, 40_000), expected)


def test_pieces_add_up_and_seeds_differ() -> None:
    whole = draw(CpuBackend(), ["AsKs"], 3, FLOP, 3, 0, 3000)
    parts = [
        draw(CpuBackend(), ["AsKs"], 3, FLOP, 3, begin, begin + 750) for begin in range(0, 3000, 750)
    ]
    assert np.array_equal(sum(parts), whole)
    assert not np.array_equal(draw(CpuBackend(), ["AsKs"], 3, FLOP, 4, 0, 3000), whole)


@pytest.mark.parametrize(
    ("hands", "opponents", "board", "begin", "size"),
    [
        (["AsKs"], 3, "", 0, 700),
        (["AsKs", "QhQd", "AhKh"], 1, TURN, 5, 200),
        (["7c2d"], 22, "2s7s", (1 << 32) - 100, 200),
        (["7c2d"], 22, "2s7s", 12_049, 1),  # a word of the second deal is drawn again
        ([f"{rank}s{rank}h" for rank in "23456789TJQKA"], 8, "2c3c4d", 0, 200),
        (["AsKs"], 2, FLOP, (1 << 40) - 5, 20),
    ],
)
def test_gpus_draw_the_same(
    cuda: Any, hands: list[str], opponents: int, board: str, begin: int, size: int
) -> None:
    given = hands, opponents, board, 7, begin, begin + size
    found = draw(CudaBackend(), *given)
    assert np.array_equal(found, draw(CpuBackend(), *given))
    assert found.sum(axis=(1, 2)).tolist() == [size] * len(hands)


def test_steps_do_not_matter() -> None:
    def new() -> gpuodds.Sampling:
        return gpuodds.Sampling(["QhQd", "AsKs"], opponents=2, seed=2, board=FLOP, backend="cpu")

    whole, sampling = new().run(samples=5000), new()
    for step in (2, 64, 998, 1936, 2000):
        found = sampling.run(samples=step)
    assert found.outcomes == 5000 and found.players == whole.players
    assert new().run(samples=4999).players == whole.players  # a pair is whole


@pytest.mark.parametrize("pace", [1e-6, 0.003, 1.0])
def test_where_an_error_is_met_depends_on_the_seed_alone(
    monkeypatch: pytest.MonkeyPatch, pace: float
) -> None:
    expected = gpuodds.Sampling("AsKs", opponents=2, board=TURN, backend="cpu").run(standard_error=0.01)
    monkeypatch.setattr("gpuodds.methods.sampling.engine.PIECE_SECONDS", pace)
    sampling = gpuodds.Sampling("AsKs", opponents=2, board=TURN, backend="cpu")
    sampling.run(standard_error=0.05)
    assert sampling.run(standard_error=0.01).players == expected.players


def test_the_error_is_checked_when_a_round_ends() -> None:
    """Within the second round it is larger than after it."""
    exact = estimate(["AsKs"], 3, FLOP, 1, 2 * 1081)
    wanted = float(exact.standard_error[0]) * 1.0001
    found = gpuodds.Sampling("AsKs", opponents=3, board=FLOP, seed=1, backend="cpu").run(
        standard_error=wanted
    )
    assert found.outcomes <= 4 * 1081


def test_counts_are_whole() -> None:
    found = gpuodds.equity(
        ["AsKs", "AhKh"], opponents=2, method="monte-carlo", samples=10_000, seed=3, backend="cpu"
    )
    shares = [
        sum(Fraction(n, m) for m, n in enumerate((p.win_outcomes, *p.tie_outcomes), 1))
        for p in found.players
    ]
    assert found.outcomes == 10_000 and sum(shares) <= 10_000
    assert found.players[0].tie_outcomes[0] > 0 and not found.exact


def test_a_few_pairs_that_end_alike_are_not_certain() -> None:
    for number in (1, 2, 500):
        pairs = np.zeros((1, 3, 3), np.int64)
        pairs[0, 1, 1] = number
        assert PairEstimate(pairs, number, 46).standard_error.tolist() == [min(0.5, 1 / number)]
