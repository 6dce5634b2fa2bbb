"""Samples of Omaha: the documented draws, exact counts as their mean, and the same in any pieces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from drawn_by_hand import deal_cards, draw_below, words_of
from omaha_games import omaha_game
from omaha_oracle import NO_LOW, score_hand

from gpuodds.backends.cpu.omaha.known_hands.against_random import count_against_random
from gpuodds.backends.cpu.omaha.known_hands.known_hands import count_known_hands
from gpuodds.backends.cpu.omaha.sampling.samples import sample_deals
from gpuodds.backends.cpu.omaha.shared.ranks import rank_omaha_hands
from gpuodds.backends.operations.samples import SampleOmaha
from gpuodds.cards import parse_cards
from gpuodds.games.omaha.combos import combo_cards
from gpuodds.games.omaha.draws import OmahaDraws, OmahaSamples, plan_draws

RNG = np.random.default_rng(11)
MANY = 60_000
LOW_CARDS = np.array([card for card in range(52) if card < 28 or card >= 48], np.uint8)


def known(*texts: str) -> OmahaDraws:
    """Return the draws of known hands."""
    hands = [np.array([parse_cards(text)], np.uint8) for text in texts]
    return plan_draws(hands, [np.ones(1)] * len(hands))


def ranges(size: int, count: int, gone: Sequence[int] = (), hands: int = 40) -> OmahaDraws:
    """Return draws of ranges that often share cards, all hands of low cards, with weights."""
    left = np.array([card for card in LOW_CARDS if card not in gone])
    held = [np.array([RNG.permutation(left)[:size] for _ in range(hands)]) for _ in range(count)]
    return plan_draws(held, [RNG.random(hands) + 0.01 for _ in range(count)])


def cells_of(highs: int, lows: int, players: int, named: int) -> tuple[np.ndarray, np.ndarray]:
    """Return where a deal is counted, from masks of winners: (named, ends, ends), (named, players)."""
    halves = np.zeros((named, players + 1, players + 2), np.int64)
    shared = np.zeros((named, players), np.int64)
    for player in range(named):
        high = highs.bit_count() if highs >> player & 1 else 0
        low = 1 + lows.bit_count() if lows >> player & 1 else int(lows > 0)
        halves[player, high, low] = 1
        if (highs | lows) >> player & 1:
            shared[player, (highs | lows).bit_count() - 1] = 1
    return halves, shared


def drawn_slowly(
    draws: OmahaDraws, opponents: int, board: Sequence[int], dead: Sequence[int], seed: int,
    sample: int, folded: int = 0,
) -> tuple[np.ndarray, np.ndarray, int]:  # fmt: skip
    """Draw one sample; return where it is counted and how many tuples of hands were drawn."""
    words = words_of(0, sample, seed)
    size, tried = draws.hole_cards, 0
    held: list[int] = []
    while len(held) < size * draws.players:
        tried += 1
        held = []
        for begin, end in pairwise(draws.starts.tolist()):
            entry = begin
            if end - begin > 1:
                entry += draw_below(words, end - begin)
                if draws.others[entry] != entry and next(words) >= draws.limits[entry]:
                    entry = int(draws.others[entry])
            hand = [int(draws.cards[entry]) >> 8 * place & 63 for place in range(size)]
            if {*hand} & {*held}:
                break
            held += hand
    dealt, _ = deal_cards([*board, *dead], held, size * opponents + 5 - len(board), sample, seed)
    full = np.array([*board, *dealt[size * opponents :]], np.int64)
    named = draws.players - folded
    competing = held[: size * named] + dealt[: size * opponents]
    hands = np.array(competing, np.int64).reshape(-1, size)
    scores = [score_hand(hand, full) for hand in hands]
    high, low = max(score[0] for score in scores), min(score[1] for score in scores)
    highs = sum(1 << p for p, score in enumerate(scores) if score[0] == high)
    lows = sum(1 << p for p, score in enumerate(scores) if score[1] == low < NO_LOW)
    return *cells_of(highs, lows, len(scores), named), tried


@pytest.mark.parametrize(
    ("draws", "opponents", "board", "dead", "folded"),
    [
        (known("As2sKd3h"), 3, "", "", 0),
        (known("As2sKd3h"), 10, "4d", "5s5h", 0),
        (known("As2s3s4s5s6s", "Ah2h3h4h5h6h"), 4, "7c8c", "", 0),
        (ranges(4, 3), 1, "", "", 0),
        (ranges(5, 2, parse_cards("3s4d8h"), 8), 5, "3s4d8h", "Kh", 1),
        (ranges(6, 2), 2, "KsKhKd9s9h", "", 0),
        (ranges(4, 4, parse_cards("3s4s8h")), 0, "3s4s8h", "", 2),
    ],
    ids=range(7),
)
def test_samples_are_those_documented(draws, opponents, board, dead, folded) -> None:
    given, out = parse_cards(board), parse_cards(dead)
    begin = (1 << 40) - 77
    slow = [drawn_slowly(draws, opponents, given, out, 5, begin + i, folded) for i in range(300)]
    halves, shared = (np.sum([np.asarray(part[at]) for part in slow], axis=0) for at in (0, 1))
    span = opponents, given, out, 5, begin, begin + 300
    counts, tried = sample_deals(draws, *span, True, folded)
    assert np.array_equal(counts.halves, halves) and np.array_equal(counts.shared, shared)
    assert np.array_equal(counts.high, halves[:, 1:].sum(axis=2))
    assert tried == sum(part[2] for part in slow)
    high_only, also = sample_deals(draws, *span, False, folded)
    assert np.array_equal(high_only.high, counts.high) and also == tried
    assert high_only.halves.size == high_only.shared.size == 0


def check(found: np.ndarray, share: np.ndarray, samples: int, errors: float = 4.0) -> None:
    """Check counts of samples against exact shares of all deals, cell by cell."""
    error = np.sqrt(share * (1 - share) / samples)
    assert (np.abs(found / samples - share) <= errors * error + 2 / samples).all()
    assert (found[share == 0] == 0).all()


@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (["AsAh2c3d", "KcKdQcJd"], "", ""),
        (["AcAd2c5h", "AhAs2s5c"], "3s4d8h", ""),
        (["Ac2cKhKd", "Ad2dQhQs", "Ah2h9c9d"], "3s4d8h", "3c3d"),
        (["AsAhKsKhQd", "7c8c9dTdJd", "2c2d3c4c5c", "As3s4s5s7s".replace("As", "Ad")], "2s9h", ""),
    ],
)
def test_known_hands_agree_with_exact_counts(hands, board, dead) -> None:
    rows = np.array([sorted(parse_cards(hand)) for hand in hands], np.uint8)
    given, out = parse_cards(board), parse_cards(dead)
    exact = count_known_hands(rows, given, out, True)
    players, total = len(hands), sum(exact.values())
    counts, tried = sample_deals(known(*hands), 0, given, out, 1, 0, MANY, True)
    assert tried == MANY
    for at, found in ((0, counts.halves), (1, counts.shared)):
        deals = [n * cells_of(*masks, players, players)[at] for masks, n in exact.items()]
        check(found, np.sum(deals, axis=0) / total, MANY)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hand", "board"), [("AsAh2c3d", "2s7d9h"), ("As2s3s4d", ""), ("AsKsQs2d3d", "4d5h8h9s")]
)
def test_one_hand_agrees_with_exact_counts(hand, board) -> None:
    cards, given = parse_cards(hand), parse_cards(board)
    exact = count_against_random(cards, given, (), True).sum(axis=0)
    total, share = int(exact.sum()), np.zeros((3, 4))
    for row, high in enumerate((1, 2, 0)):
        # No low, the hand has it alone, both have it, the other alone.
        for column, low in enumerate((0, 2, 3, 1)):
            share[high, low] = exact[row, column] / total
    counts, _ = sample_deals(known(hand), 1, given, (), 2, 0, MANY, True)
    check(counts.halves[0], share, MANY)
    assert counts.halves[0, :, 2].sum() > 0  # the hand has the low alone


def test_ranges_that_collide_agree_with_every_pair_of_hands() -> None:
    """On a full board, where most pairs of hands share a card and weights differ."""
    board = parse_cards("Ks9h4d3c8s")
    left = np.array([card for card in range(20) if card not in board], np.uint8)
    hands = [np.array([RNG.permutation(left)[:4] for _ in range(60)]) for _ in range(2)]
    weights = [RNG.random(60) + 0.01 for _ in range(2)]
    ranks = [rank_omaha_hands(held, np.tile(np.array(board, np.uint8), (60, 1))) for held in hands]
    apart = ~(hands[0][:, None, :, None] == hands[1][None, :, None, :]).any(axis=(2, 3))
    pairs = np.where(apart, np.outer(*weights), 0.0)
    assert 0 < apart.mean() < 0.6
    share = np.zeros((2, 2))
    one, two = ranks[0].astype(int)[:, None], ranks[1].astype(int)
    for row, wins in enumerate((one > two, one < two)):
        share[row] = pairs[wins].sum(), pairs[one == two].sum()
    share /= pairs.sum()
    counts, tried = sample_deals(plan_draws(hands, weights), 0, board, (), 4, 0, MANY, False)
    check(counts.high, share, MANY)
    accepted = pairs.sum() / np.outer(*weights).sum()
    assert MANY / tried == pytest.approx(accepted, rel=0.02)


def everything(counts: OmahaSamples) -> list[Any]:
    return [part.tolist() for part in counts]


def test_pieces_add_up() -> None:
    draws = ranges(4, 3)
    whole, tried = sample_deals(draws, 2, (), (), 3, 0, 5000, True)
    ends = [0, 1, 2, 257, 1000, 4999, 5000]
    parts = [sample_deals(draws, 2, (), (), 3, *span, True) for span in pairwise(ends)]
    total = parts[0][0]
    for part, _ in parts[1:]:
        total = total.plus(part)
    assert everything(total) == everything(whole)
    assert sum(part[1] for part in parts) == tried
    nothing, none = sample_deals(draws, 2, (), (), 3, 7, 7, True)
    assert none == 0 and not nothing.halves.any()


@pytest.mark.parametrize("low", [False, True])
def test_threads_do_not_matter(monkeypatch: pytest.MonkeyPatch, low: bool) -> None:
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("GPUODDS_THREADS", threads)
        counts, tried = sample_deals(known("AsAhKsKh"), 3, (), (), 9, 10, 40_000, low)
        found.append((everything(counts), tried))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(("size", "players"), [(4, 11), (5, 9), (6, 7)])
def test_a_full_table(size: int, players: int) -> None:
    deck = RNG.permutation(52).astype(np.uint8)
    hands = [deck[size * p : size * p + size][None] for p in range(players)]
    samples = 5000
    draws = plan_draws(hands, [np.ones(1)] * players)
    counts, _ = SampleOmaha(omaha_game(size, low=True), draws, 0, (), (), 1, 0, samples).on_cpu()
    assert (counts.halves.sum(axis=(1, 2)) == samples).all()
    winners = np.arange(1, players + 1)
    for half in (counts.high, counts.halves[:, :, 2:].sum(axis=1)):
        total = (half.sum(axis=0) / winners).sum()
        with_low = samples - counts.halves[0, :, 0].sum()
        assert total == pytest.approx(samples if half is counts.high else with_low)
    assert (counts.shared.sum(axis=0) / winners).sum() == pytest.approx(samples)
    assert (counts.shared.sum(axis=1) == samples - counts.halves[:, 0, :2].sum(axis=1)).all()


def test_who_folded_only_takes_cards() -> None:
    """Known cards that folded are dead cards, and random ones change nothing."""
    hands = ["As2sKd3h", "QsQhJsJh"]
    rows = np.array([sorted(parse_cards(hand)) for hand in hands], np.uint8)
    exact = count_known_hands(rows, (), parse_cards("4s5s6s7s"), True)
    total = sum(exact.values())
    deals = [count * cells_of(*masks, 2, 2)[0] for masks, count in exact.items()]
    found, _ = sample_deals(known(*hands, "4s5s6s7s"), 0, (), (), 1, 0, MANY, True, 1)
    check(found.halves, np.sum(deals, axis=0) / total, MANY)
    every = combo_cards(4)
    random = plan_draws(
        [np.array([parse_cards(hands[0])], np.uint8), every], [np.ones(1), np.ones(len(every))]
    )
    flop = parse_cards("5c9hTd")
    against = count_against_random(parse_cards(hands[0]), flop, (), False).sum(axis=0)
    counts, tried = sample_deals(random, 1, flop, (), 6, 0, MANY, False, 1)
    check(counts.high, np.array([against[:2, 0] / against.sum()]), MANY)
    assert tried > MANY
