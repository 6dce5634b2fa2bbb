"""Monte Carlo: unbiased, and the same deals for a seed on any backend, in any steps."""

from __future__ import annotations

from itertools import count, islice, pairwise
from typing import Any

import numpy as np
import pytest
from drawn_by_hand import LOW, deal_cards, words_of
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_backend import Slow

import gpuodds
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cpu.shared.random_words import philox
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.operation import Counted
from gpuodds.backends.operations.samples import SampleDeals
from gpuodds.cards import parse_cards
from gpuodds.cli.main import run
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import COMBOS, combo_cards
from gpuodds.games.shared.draws import can_be_dealt, plan_draws
from gpuodds.results.estimate import Estimate
from gpuodds.spots.ranges.range import Range

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


def test_redrawing_one_player_alone_would_be_noticed() -> None:
    """The classic bug, worked out: it moves an equity by far more than the test above allows."""
    weights = [Range(text).weights for text in ("AA", "AA,KK", "AA,72o")]
    cards = combo_cards().tolist()
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
    # Ten standard errors of this number of samples.
    assert abs(share - sequential[True]) > 10 * (share * (1 - share) / SAMPLES) ** 0.5


def test_known_answers_of_the_generator() -> None:
    # From the test vectors that come with the paper's code: counter and key all zeros, all ones, pi.
    assert philox(0, 0, 0, 0) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    assert philox(LOW, LOW, -1, -1) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)
    assert philox(0x243F6A88, 0x85A308D3, 0x0370734413198A2E, 0x299F31D0A4093822) == (
        0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1,
    )  # fmt: skip


def one_sample(
    weights: Any, opponents: int, board: list[int], dead: list[int], seed: int, sample: int
) -> tuple[Any, int, int]:
    """Draw one sample, slowly; return its counts, the tuples tried and the words drawn again."""
    draws = plan_draws(weights)
    players = len(weights) + opponents
    words = words_of(0, sample, seed)
    tried, fails, spare = 0, True, list[int]()
    while fails:
        tried += 1
        attempt = [next(words) for _ in range(4 * -(-sum(draws.words.tolist()) // 4))]
        spare = attempt[sum(draws.words.tolist()) :] if tried == 1 else spare
        held: list[int] = [-1] * (2 * len(weights))
        fails = False
        for table, (begin, end) in enumerate(pairwise(draws.starts.tolist())):
            entry, number = begin, int(draws.words[table])
            own, attempt = attempt[:number], attempt[number:]
            if number:
                product = own[0] * (end - begin)
                entry += product >> 32
                fails |= product & LOW < 2**32 % (end - begin)
            if number == 2 and own[1] >= draws.limits[entry]:
                entry = int(draws.others[entry])
            four = int(draws.cards[entry]).to_bytes(4, "little")
            for place, player in enumerate(draws.holders[table].tolist()):
                if player >= 0:
                    held[2 * player : 2 * player + 2] = four[2 * place : 2 * place + 2]
        fails |= len({*held}) < len(held)
    wanted = 2 * opponents + 5 - len(board)
    enough = len(spare) >= -(-wanted // 3)
    given = [*board, *dead], held, wanted, sample, seed
    dealt, again = deal_cards(*given, spare if enough else ())
    cards = held + dealt[: 2 * opponents]
    full = board + dealt[2 * opponents :]
    rows = np.array([[*cards[2 * p : 2 * p + 2], *full] for p in range(players)], np.uint8)
    ranks = gpuodds.rank_hands(rows)
    counts = np.zeros((len(weights), players), np.int64)
    for p in np.flatnonzero(ranks[: len(weights)] == ranks.max()):
        counts[p, int((ranks == ranks.max()).sum()) - 1] = 1
    return counts, tried, again


@pytest.mark.parametrize(
    ("hands", "opponents", "board", "dead", "begin"),
    [
        (["AsKs"], 3, "", "", 0),
        (["AsKs", "QhQd"], 0, "2c", "3d3h", 5),
        (["QQ+,AK:0.37", "22+,A2s+:0.9"], 2, "2s7d9h", "", 0),
        (["AA,KK", "KK,QQ", "QQ,AA"], 1, "", "", (1 << 40) - 100),
        (["7c2d"], 22, "2s7s", "", 0),
        (["random", "random"], 4, "2s3s4s5s", "6s", 77),
    ],
)
def test_samples_follow_the_documented_algorithm(
    cuda: Any, hands: list[str], opponents: int, board: str, dead: str, begin: int
) -> None:
    given, out = list(parse_cards(board)), list(parse_cards(dead))
    weights = np.array([Range(text).weights for text in hands])
    weights[:, np.isin(combo_cards(), given + out).any(axis=1)] = 0
    # Where a word is drawn again, and some more: about one in 20,000 is.
    for start, size in [(begin, 300), (next_drawn_again(weights, opponents, given, out), 1)]:
        end = start + size
        slow = [one_sample(weights, opponents, given, out, 3, i) for i in range(start, end)]
        if size == 1:
            assert slow[0][2] > 0
        for backend in (CpuBackend(), CudaBackend()):
            operation = SampleDeals(HOLDEM, plan_draws(weights), opponents, given, out, 3, start, end)
            counts, tried = backend.count(operation).counts
            assert np.array_equal(counts, sum(counts for counts, _, _ in slow))
            assert tried == sum(tried for _, tried, _ in slow)


def next_drawn_again(weights: Any, opponents: int, board: list[int], dead: list[int]) -> int:
    draws = plan_draws(weights)
    live = 52 - len(board) - len(dead) - 2 * len(weights)
    wanted = 2 * opponents + 5 - len(board)
    # The words of the cards may be what an attempt at the combos leaves.
    stream, begin = (0, int(draws.words.sum())) if draws.leave_words(wanted) else (1, 0)
    for sample in count():
        words = islice(words_of(stream, sample, 3), begin, None)
        for number, word in zip(range(-(-wanted // 3)), words, strict=False):
            bounds = [max(1, live - 3 * number - x) for x in range(3)]
            ways = bounds[0] * bounds[1] * bounds[2]
            if word * ways & LOW < 2**32 % ways:
                return sample
    raise AssertionError


def draw(backend: Any, begin: int, end: int, seed: int = 3) -> tuple[Any, int]:
    weights = np.array([Range("QQ+,AK:0.37").weights, Range("22+,A2s+:0.9").weights])
    board = parse_cards("2s7d9h")
    weights[:, np.isin(combo_cards(), board).any(axis=1)] = 0
    operation = SampleDeals(HOLDEM, plan_draws(weights), 2, board, (), seed, begin, end)
    counts, tried = backend.count(operation).counts
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


def test_hands_are_drawn_by_weight() -> None:
    rng = np.random.default_rng(5)
    weights = np.where(rng.random(COMBOS) < 0.1, rng.random(COMBOS), 0.0)[None]
    draws = plan_draws(weights)
    held = len(draws.cards)
    assert draws.words.tolist() == [2]
    shares: dict[int, float] = {}
    for card, limit, other in zip(draws.cards, draws.limits, draws.others, strict=True):
        part = int(limit) / 2**32
        others = int(draws.cards[other])
        shares[int(card)] = shares.get(int(card), 0) + part / held
        shares[others] = shares.get(others, 0) + (1 - part) / held
    for h in np.flatnonzero(weights[0]).tolist():
        low, high = combo_cards()[h].tolist()
        expected = weights[0, h] / weights.sum()
        assert shares[(low | high << 8) * 0x10001] == pytest.approx(expected, abs=2**-30)


def test_pairs_of_hands_are_drawn_by_weight() -> None:
    weights = np.array([Range(text).weights for text in ("QQ+,AK:0.37", "22+:0.5,A2s+")])
    draws = plan_draws(weights)
    assert draws.holders.tolist() == [[0, 1]] and draws.words.tolist() == [2]
    shares: dict[int, float] = {}
    for card, limit, other in zip(draws.cards, draws.limits, draws.others, strict=True):
        part = int(limit) / 2**32
        for four, share in ((int(card), part), (int(draws.cards[other]), 1 - part)):
            shares[four] = shares.get(four, 0) + share / len(draws.cards)
    cards = combo_cards().tolist()
    expected = {
        a | b << 8 | c << 16 | d << 24: weights[0, one] * weights[1, two]
        for one, (a, b) in enumerate(cards)
        if weights[0, one]
        for two, (c, d) in enumerate(cards)
        if weights[1, two] and not {a, b} & {c, d}
    }
    every = sum(expected.values())
    assert shares.keys() == expected.keys()
    assert all(abs(shares[four] - weight / every) < 2**-30 for four, weight in expected.items())


def test_ranges_that_cannot_be_dealt() -> None:
    aces = Range("AA").weights
    assert can_be_dealt(np.array([aces, aces])) and not can_be_dealt(np.array([aces] * 3))
    with pytest.raises(gpuodds.InputError, match="cannot be dealt together"):
        gpuodds.equity(["AA", "AA", "AA"], method="monte-carlo")


RANGES: dict[str, Any] = {"hands": ["QQ+,AK:0.37", "22+,A2s+:0.9"], "opponents": 1, "board": "2s7d9h"}


def counts_of(found: gpuodds.EquityResult) -> list[Any]:
    return [(player.win_outcomes, *player.tie_outcomes) for player in found.players]


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(1, 3000), min_size=1, max_size=8), st.integers(0, 3))
def test_steps_do_not_matter(steps: list[int], seed: int) -> None:
    whole = gpuodds.Sampling(**RANGES, seed=seed, backend="cpu").run(samples=sum(steps))
    sampling = gpuodds.Sampling(**RANGES, seed=seed, backend="cpu")
    for step in steps:
        found = sampling.run(samples=step)
    assert found.outcomes == sampling.samples == sum(steps)
    assert found.players == whole.players == sampling.result().players
    plain = gpuodds.equity(**RANGES, method="monte-carlo", samples=sum(steps), seed=seed, backend="cpu")
    assert plain.players == whole.players


def test_steps_on_a_gpu_do_not_matter(cuda: Any) -> None:
    sampling = gpuodds.Sampling(**RANGES, seed=5, backend="cuda")
    for step in (1, 70, 400, 29):
        found = sampling.run(samples=step)
    assert found.backend == "cuda" and found.outcomes == 500
    assert found.players == gpuodds.Sampling(**RANGES, seed=5, backend="cpu").run(samples=500).players


@pytest.mark.parametrize("pace", [1e-6, 0.003, 1.0])
def test_where_an_error_is_met_depends_on_the_seed_alone(
    monkeypatch: pytest.MonkeyPatch, pace: float
) -> None:
    """Use pieces of one deal, of some and of many."""
    expected = gpuodds.Sampling(**RANGES, seed=2, backend="cpu").run(standard_error=0.01)
    monkeypatch.setattr("gpuodds.methods.sampling.engine.UNWATCHED_SECONDS", pace)
    sampling = gpuodds.Sampling(**RANGES, seed=2, backend="cpu")
    sampling.run(standard_error=0.05)
    found = sampling.run(standard_error=0.01)
    assert sampling.standard_error <= 0.01 and found.players == expected.players
    # No more than needed, and an eighth.
    variance = (found.outcomes - 1) * sampling.standard_error**2
    assert variance / found.outcomes * 1.1 <= 0.01**2 * 1.25


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("spot", [RANGES, {"hands": ["88+,AQ+", "22+,A2s+"], "board": "KhKs2c"}])
def test_checks_that_are_skipped_would_have_failed(
    monkeypatch: pytest.MonkeyPatch, spot: dict[str, Any], seed: int
) -> None:
    expected = gpuodds.Sampling(**spot, seed=seed, backend="cpu").run(standard_error=0.0007)
    monkeypatch.setattr("gpuodds.methods.sampling.engine.SURE_CHECK", 1 << 60)
    found = gpuodds.Sampling(**spot, seed=seed, backend="cpu").run(standard_error=0.0007)
    assert found.players == expected.players


def test_sampling_stops_at_its_limits() -> None:
    def new() -> gpuodds.Sampling:
        return gpuodds.Sampling("AKs", opponents=2, backend="cpu")

    assert new().run(samples=12_345, standard_error=1e-9).outcomes == 12_345
    assert new().run(samples=10**9, standard_error=0.01).outcomes < 10_000
    assert 0 < new().run(samples=10**9, time_limit=0.2).seconds < 5
    sampling = new()
    with pytest.raises(gpuodds.InputError, match="there are no samples yet"):
        sampling.result()
    assert sampling.samples == 0 and sampling.standard_error == float("inf")
    with pytest.raises(gpuodds.InputError, match="samples 0: expected more than 0"):
        sampling.run(samples=0)
    with pytest.raises(gpuodds.InputError, match="seed -1: expected 0 or more"):
        gpuodds.Sampling("AKs", seed=-1)


@pytest.mark.parametrize("seconds", [1e-6, 1e-4, 0.01, 0.3])
def test_the_rate_is_measured(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    clock = Slow(monkeypatch, seconds)
    sampling = gpuodds.Sampling("AKs", opponents=2)
    ticks: list[float] = []
    found = sampling.run(time_limit=4, progress=lambda share: ticks.append(clock.now))
    assert 3 <= clock.now <= 4 and found.outcomes == pytest.approx(clock.now / seconds)
    # Whoever wants to stop it is heard in time.
    assert max(b - a for a, b in pairwise(ticks)) <= max(0.051, 4.1 * seconds)
    assert clock.pieces < 150


def test_an_interrupted_run_resumes(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(share: float) -> None:
        if share > 0.1:
            raise KeyboardInterrupt

    Slow(monkeypatch, 1e-4)
    sampling = gpuodds.Sampling(**RANGES, seed=4)
    with pytest.raises(KeyboardInterrupt):
        sampling.run(samples=50_000, progress=stop)
    assert 5000 < sampling.samples < 10_000
    found = sampling.run(samples=50_000 - sampling.samples)
    whole = gpuodds.equity(**RANGES, method="monte-carlo", samples=50_000, seed=4)
    assert found.players == whole.players


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("hands", "board"),
    [
        (["QQ+,AK", "22+,A2s+", "15%"], "2s7d9h"),
        # The first wins nearly always, the second nearly never: few deals are all alike.
        (["AsAh", "7c2d", "KK"], "AcAd3s"),
        (["AsKs", "QhQd"], "JsTsQs"),
    ],
)
@pytest.mark.parametrize(
    "limits", [{"samples": 100_000}, {"standard_error": 0.0015}, {"time_limit": 1.0}]
)
def test_estimates_only_sharpen(
    monkeypatch: pytest.MonkeyPatch, hands: list[str], board: str, limits: dict[str, Any], seed: int
) -> None:
    Slow(monkeypatch, 1e-5)
    shown: list[gpuodds.EquityResult] = []
    sampling = gpuodds.Sampling(hands, board=board, seed=seed)
    shown.append(sampling.run(**limits, on_estimate=shown.append))
    assert len(shown) >= 3 or "standard_error" in limits
    for before, after in pairwise(shown):
        for one, two in zip(before.players, after.players, strict=True):
            assert one.standard_error is not None and two.standard_error is not None
            assert 0 < two.standard_error <= one.standard_error


def test_the_last_estimate_replaces_a_worse_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first 5000 deals end alike, then each player wins half: the error is larger afterwards."""
    clock = Slow(monkeypatch, 1e-4)

    def count(operation: SampleDeals, progress: object = None) -> Counted[Any]:
        begin, end = operation.begin, operation.end
        clock.now += (end - begin) * clock.seconds
        lost = max(0, end - 5000) // 2 - max(0, begin - 5000) // 2
        return Counted((np.array([[end - begin - lost, 0], [lost, 0]]), end - begin), "slow")

    monkeypatch.setattr(clock, "count", count)
    sampling = gpuodds.Sampling(["AsKs", "QhQd"])
    shown: list[gpuodds.EquityResult] = []
    found = sampling.run(time_limit=1.1, on_estimate=shown.append)
    assert shown == [found] and found.outcomes < 5000 < 10_000 < sampling.samples
    # By number they are all wanted.
    assert sampling.run(samples=10, on_estimate=shown.append).outcomes == sampling.samples


def test_a_few_deals_that_end_alike_are_not_certain() -> None:
    for samples in (1, 2, 16, 1000):
        found = Estimate(np.array([[samples], [0]]), samples, samples)
        assert found.standard_error.tolist() == [min(0.5, 2 / samples)] * 2


def test_a_seed_with_a_time_limit_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for method in ("auto", "monte-carlo"):
        with pytest.raises(gpuodds.InputError, match="give samples or standard_error with"):
            gpuodds.equity(["AKs", "QQ"], method=method, seed=1, time_limit=1)
    assert run(["equity", "AKs", "QQ", "--seed", "1", "--time-limit", "1"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("gpuodds: --seed with --time-limit: ")
    assert "use --samples or --standard-error" in captured.err


def test_the_standard_error_is_that_of_the_shares() -> None:
    shares = np.repeat([1.0, 0.5, 0.0], [30, 20, 50])
    found = Estimate(np.array([[30, 20]]), 100, 100)
    assert found.equity[0] == shares.mean()
    assert found.standard_error[0] == pytest.approx(shares.std(ddof=1) / 10)
