"""Monte Carlo: unbiased, and the same for a seed wherever and however it is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.cards import parse_cards
from gpuodds.cpu.backend import CpuBackend
from gpuodds.cpu.sampling import philox
from gpuodds.cuda.backend import CudaBackend
from gpuodds.holdem.holdings import HOLDINGS, holding_cards
from gpuodds.holdem.sampling import Estimate, can_be_dealt, estimate, plan_draws
from gpuodds.ranges import Range

SAMPLES = 400_000
SPOTS: list[tuple[list[str], dict[str, Any]]] = [
    (["AsKs"], {"opponents": 3}),
    (["AsKs", "QhQd"], {}),
    # Cards are short: to draw again only for the one in the way would be wrong here.
    (["AA", "AA,KK", "AA,72o"], {}),
    (["AA:0.5,KK", "KK,QQ:0.25"], {}),
    (["QQ+,AK:0.37", "22+,A2s+:0.9", "random"], {"board": "2s7d9h"}),
    (["99+", "T9s,22", "A2s+"], {"board": "5c6c7c8c"}),
    (["AKs", "QQ"], {"board": "AsKsQsJs2d", "opponents": 1}),
    (["AsAh"], {"board": "2s7s", "dead": "3s4s5s", "opponents": 2}),
    (["7c2d"], {"board": "2s7s9sKsAs", "opponents": 22}),
]


@pytest.mark.parametrize(("hands", "options"), SPOTS)
def test_samples_agree_with_exact_answers(hands: list[str], options: dict[str, Any]) -> None:
    exact = gpuodds.equity(hands, backend="cpu", **options)
    assert exact.exact
    sampled = gpuodds.equity(
        hands, method="monte-carlo", samples=SAMPLES, seed=7, backend="cpu", **options
    )
    assert not sampled.exact and sampled.outcomes == SAMPLES and sampled.method == "monte-carlo"
    for known, found in zip(exact.players, sampled.players, strict=True):
        assert found.standard_error is not None
        # Never better than a ten-thousandth: rare ties hardly show in the error.
        assert abs(found.equity - known.equity) < 5 * max(found.standard_error, 2e-5)
        assert abs(found.win - known.win) < 5 * 0.5 / SAMPLES**0.5
        assert found.equity_exact is None


def test_redrawing_one_player_alone_would_show() -> None:
    """The classic bug, worked out: it moves an equity by far more than the test above allows."""
    weights = [Range(text).weights for text in ("AA", "AA,KK", "AA,72o")]
    cards = holding_cards().tolist()
    lists = [np.flatnonzero(row).tolist() for row in weights]
    joint: dict[bool, float] = {True: 0.0, False: 0.0}
    sequential: dict[bool, float] = {True: 0.0, False: 0.0}
    for a in lists[0]:
        free = [b for b in lists[1] if not set(cards[a]) & set(cards[b])]
        for b in free:
            left = [c for c in lists[2] if not set(cards[c]) & {*cards[a], *cards[b]}]
            aces = cards[b][0] >= 48
            joint[aces] += len(left)
            sequential[aces] += 1 / len(lists[0]) / len(free)
    share = joint[True] / sum(joint.values())
    # Ten times the standard error of so many samples.
    assert abs(share - sequential[True]) > 10 * (share * (1 - share) / SAMPLES) ** 0.5


def test_known_answers_of_the_generator() -> None:
    # From the test vectors that come with the paper's code: counter and key all zeros, all ones.
    assert philox(0, 0, 0) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)


def draw(backend: Any, begin: int, end: int, seed: int = 3) -> tuple[Any, int]:
    weights = np.array([Range("QQ+,AK:0.37").weights, Range("22+,A2s+:0.9").weights])
    board = parse_cards("2s7d9h")
    weights[:, np.isin(holding_cards(), board).any(axis=1)] = 0
    counts, tried = backend.sample_deals(weights, 2, board, (), seed, begin, end)
    return counts, tried


def test_pieces_add_up() -> None:
    whole, tried = draw(CpuBackend(), 0, 5000)
    parts = [draw(CpuBackend(), begin, begin + 1250) for begin in range(0, 5000, 1250)]
    assert np.array_equal(sum(part[0] for part in parts), whole)
    assert sum(part[1] for part in parts) == tried


@pytest.mark.parametrize("threads", ["1", "3", "7"])
def test_threads_do_not_matter(monkeypatch: pytest.MonkeyPatch, threads: str) -> None:
    expected, tried = draw(CpuBackend(), 0, 20_000)
    monkeypatch.setenv("GPUODDS_THREADS", threads)
    counts, others = draw(CpuBackend(), 0, 20_000)
    assert np.array_equal(counts, expected) and others == tried


def test_another_seed_draws_others() -> None:
    assert not np.array_equal(draw(CpuBackend(), 0, 5000)[0], draw(CpuBackend(), 0, 5000, 4)[0])
    large = (1 << 63) - 1
    assert draw(CpuBackend(), 0, 100, large)[1] >= 100


@pytest.mark.parametrize("span", [(0, 1), (0, 5000), ((1 << 32) - 3, (1 << 32) + 500)])
def test_gpus_draw_the_same(cuda: Any, span: tuple[int, int]) -> None:
    ours, tried = draw(CudaBackend(), *span)
    expected, others = draw(CpuBackend(), *span)
    assert np.array_equal(ours, expected) and tried == others


def test_several_gpus_draw_the_same(cuda: Any) -> None:
    if cuda.__version__ == "stand-in":
        cuda.cuda.settings.devices = 3
    ours, _ = draw(CudaBackend(), 0, 3000)
    assert np.array_equal(ours, draw(CpuBackend(), 0, 3000)[0])


def test_twenty_three_players() -> None:
    hands = [f"{rank}s{rank}h" for rank in "23456789TJQKA"]
    result = gpuodds.equity(
        hands, opponents=10, method="monte-carlo", samples=20_000, backend="cpu", board="2c3c4d"
    )
    total = sum(player.equity for player in result.players)
    assert total + 10 * (result.random_equity or 0) == pytest.approx(1)


def test_weights_are_met() -> None:
    rng = np.random.default_rng(5)
    weights = np.where(rng.random(HOLDINGS) < 0.1, rng.random(HOLDINGS), 0.0)[None]
    draws = plan_draws(weights)
    count = len(draws.cards)
    shares: dict[int, float] = {}
    for card, limit, other in zip(draws.cards, draws.limits, draws.others, strict=True):
        part = min(1.0, int(limit) / 2**32)
        shares[int(card)] = shares.get(int(card), 0) + part / count
        shares[int(other)] = shares.get(int(other), 0) + (1 - part) / count
    for h in np.flatnonzero(weights[0]).tolist():
        low, high = holding_cards()[h].tolist()
        expected = weights[0, h] / weights.sum()
        assert shares[low | high << 8] == pytest.approx(expected, abs=2**-30)


def test_ranges_that_cannot_be_dealt() -> None:
    aces = Range("AA").weights
    assert can_be_dealt(np.array([aces, aces])) and not can_be_dealt(np.array([aces] * 3))
    with pytest.raises(gpuodds.InputError, match="cannot be dealt together"):
        gpuodds.equity(["AA", "AA", "AA"], method="monte-carlo")


def test_sampling_stops_at_its_limits() -> None:
    weights = Range("AKs").weights[None]
    backend = CpuBackend()
    by_error = estimate(backend, weights, 2, (), (), standard_error=0.002)
    assert by_error.standard_error.max() <= 0.002 and by_error.samples < 1_000_000
    by_time = estimate(backend, weights, 2, (), (), time_limit=0.2)
    assert by_time.samples > 0
    exactly = estimate(backend, weights, 2, (), (), samples=12_345, standard_error=1e-9)
    assert exactly.samples == 12_345


def test_the_standard_error_is_that_of_the_shares() -> None:
    shares = np.repeat([1.0, 0.5, 0.0], [30, 20, 50])
    found = Estimate(np.array([[30, 20]]), 100, 100)
    assert found.equity[0] == shares.mean()
    assert found.standard_error[0] == pytest.approx(shares.std(ddof=1) / 10)
