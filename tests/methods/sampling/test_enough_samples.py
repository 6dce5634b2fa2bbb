"""A sampled answer is from enough deals, or it is refused; compiling is not on the clock."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from slow_backend import Slow

import gpuodds
from gpuodds.betting import kelly_bet
from gpuodds.cli.main import run
from gpuodds.methods.answering import answer
from gpuodds.methods.options import Options, SamplingOptions
from gpuodds.spots.spot import Spot

HANDS = ["15%", "30%", "60%"]
SAMPLED: dict[str, Any] = {"hands": HANDS, "method": "monte-carlo"}
OPPONENTS = ["22+", "A2+", "K2+"]
COLD = """
import gpuodds
sampling = gpuodds.Sampling(["15%", "30%", "60%"], backend="cpu")
print(sampling.run(time_limit=0.3).outcomes)
"""


def test_a_time_limit_begins_after_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Slow(monkeypatch, 1e-4, compiling=60.0)
    shares: list[float] = []
    found = gpuodds.Sampling(HANDS).run(time_limit=4, progress=shares.append)
    assert found.outcomes > 30_000 and 63 < clock.now < 64.1
    assert shares == sorted(shares) and shares[0] < 0.01
    # The default limit is one too, as for a spot that no method counts.
    Slow(monkeypatch, 1e-4, compiling=60.0)
    assert gpuodds.equity(**SAMPLED).outcomes > 90_000


def test_no_estimate_is_shown_from_the_deal_that_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    Slow(monkeypatch, 1e-5, compiling=60.0)
    shown: list[gpuodds.EquityResult] = []
    gpuodds.Sampling(HANDS).run(time_limit=4, on_estimate=shown.append)
    assert shown and min(found.outcomes for found in shown) >= 4096


def test_a_deadline_includes_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Slow(monkeypatch, 1e-4, compiling=3.0)
    found = gpuodds.Sampling(HANDS).run(time_limit=10, deadline=4)
    assert 3.5 < clock.now <= 4 and found.outcomes == pytest.approx((clock.now - 3) / 1e-4)
    clock = Slow(monkeypatch, 1e-4, compiling=60.0)
    assert gpuodds.Sampling(HANDS).run(time_limit=10, deadline=4).outcomes == 1
    with pytest.raises(gpuodds.InputError, match="expected more than 0"):
        gpuodds.Sampling(HANDS).run(deadline=0)


def test_an_answer_due_before_the_code_is_compiled_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    Slow(monkeypatch, 1e-4, compiling=60.0)
    options = Options("monte-carlo", sampling=SamplingOptions(time_limit=30, deadline=4))
    with pytest.raises(gpuodds.NotEnoughSamples) as error:
        answer(Spot.of(HANDS), options)
    assert str(error.value) == (
        "not enough samples: 1 deal in 4 s, a standard error of 0.5: raise time_limit or deadline, "
        "give samples or standard_error, or use narrower ranges"
    )


def test_an_answer_from_too_few_deals_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Slow(monkeypatch, 1e-3)
    with pytest.raises(gpuodds.NotEnoughSamples) as error:
        gpuodds.equity(**SAMPLED, time_limit=0.5)
    found = str(error.value)
    assert (
        found.startswith("not enough samples: ") and "deals in 0.5 s, a standard error of 0.0" in found
    )
    assert found.endswith("raise time_limit, give samples or standard_error, or use narrower ranges")
    assert error.value.drawn in found and isinstance(error.value, gpuodds.InputError)
    again = pickle.loads(pickle.dumps(error.value))
    assert (str(again), again.drawn) == (found, error.value.drawn)
    Slow(monkeypatch, 1e-3)
    words = ["equity", *HANDS, "--method", "monte-carlo", "--time-limit", "0.5", "--json"]
    assert run(words) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err == f"gpuodds: {found}\n"
    Slow(monkeypatch, 0.01)
    with pytest.raises(gpuodds.NotEnoughSamples, match="deals in 10 s"):  # the default
        gpuodds.equity(**SAMPLED)
    with pytest.raises(gpuodds.NotEnoughSamples):
        gpuodds.equities_by_next_card(**SAMPLED, board="2s7d9h", time_limit=0.5)


@pytest.mark.parametrize("asked", [{"samples": 100}, {"standard_error": 0.05}, {"samples": 10**6}])
def test_an_answer_is_given_if_its_samples_or_error_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any]
) -> None:
    Slow(monkeypatch, 1e-3)
    assert 0 < gpuodds.equity(**SAMPLED, **asked, time_limit=0.5).outcomes < 600


def test_a_sampling_goes_on_from_any_number_of_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    Slow(monkeypatch, 1e-3)
    sampling = gpuodds.Sampling(HANDS)
    assert sampling.run(time_limit=0.5).outcomes < 600 < sampling.run(time_limit=1).outcomes


def test_without_a_limit_there_are_enough_deals() -> None:
    """The error of deals that all end alike is soon below the default limit."""
    found = gpuodds.equity(["AsKs", "QhQd"], board="JsTsQs2c3d", method="monte-carlo", backend="cpu")
    assert found.outcomes >= 10_000 and found.players[0].equity == 1


def test_a_row_without_enough_samples_has_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    Slow(monkeypatch, 1e-3)
    rows = [{"hands": HANDS}, {"hands": ["AsKs", "QhQd"]}, {"hands": [*HANDS, "20%"]}]
    found = gpuodds.equities(rows, time_limit=0.001, errors="column")
    assert [*found.errors] == [0, 2] and found[1].exact
    for error in found.columns["error"][[0, 2]]:
        assert error.startswith("not enough samples: ")
    with pytest.raises(gpuodds.InputError, match="not enough samples"):
        gpuodds.equities(rows, time_limit=0.001)


def test_no_bet_is_advised_on_too_few_deals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stakes: dict[str, Any] = {"bankroll": 1000, "pot": 100}
    Slow(monkeypatch, 1e-6, compiling=60.0)
    assert kelly_bet("AhKh", opponents=OPPONENTS, time_limit=0.5, **stakes).action == "bet"
    Slow(monkeypatch, 1e-3)
    with pytest.raises(gpuodds.NotEnoughSamples) as error:
        kelly_bet("AhKh", opponents=OPPONENTS, time_limit=0.5, **stakes)
    assert "deals in 0.5 s" in str(error.value)
    assert str(error.value).endswith(": raise time_limit, or use narrower ranges or fewer opponents")
    Slow(monkeypatch, 1e-3)
    against = [word for hand in OPPONENTS for word in ("--against", hand)]
    amounts = ["--bankroll", "1000", "--pot", "100", "--time-limit", "0.5"]
    assert run(["kelly", "AhKh", *against, *amounts]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.splitlines()[-1] == f"gpuodds: {error.value}"


@pytest.mark.weekly
def test_a_process_that_compiles_draws_for_its_whole_time(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", COLD], env=environment, capture_output=True, text=True, check=True
    )
    assert any(tmp_path.rglob("*.nbc")) and int(ended.stdout) > 100
