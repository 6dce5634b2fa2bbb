"""The clock on the wall may jump by a day, back or forwards: no limit or share of work follows it."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

import pytest
from server_fixture import ask, serving_here, wait_until_ready
from toy_tables import Toy, digest, make_known

import gpuodds
from gpuodds.server.settings import Settings
from gpuodds.table_building.build import build

pytestmark = pytest.mark.slow

DAY = 86_400.0


@pytest.fixture(params=[-DAY, DAY], ids=["back", "forwards"])
def jumping(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is a day earlier, or later, each time that it is read."""
    begin, steps = time.time(), itertools.count()
    monkeypatch.setattr(time, "time", lambda: begin + request.param * next(steps))
    monkeypatch.setattr(time, "time_ns", lambda: int(1e9 * time.time()))


@pytest.mark.usefixtures("jumping")
def test_sampling_ends_by_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []
    sampling = gpuodds.Sampling(["QQ+,AK", "22+,A2s+"], seed=1, backend="cpu")
    sampling.run(samples=1000)  # compiles
    found = sampling.run(time_limit=0.3, progress=seen.append)
    assert found.outcomes > 1000 and 0 < found.seconds < 60
    assert seen == sorted(seen) and seen[-1] == 1.0
    found = sampling.run(samples=20_000, deadline=600.0)
    assert found.outcomes > 20_000


@pytest.mark.usefixtures("jumping")
def test_a_table_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch.setattr, Toy())
    seen: list[float] = []
    assert build(Toy(), tmp_path / "t", 2, backend="cpu", progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 1.0
    assert build(Toy(), tmp_path / "u", 2, backend="cpu", workers=2)
    assert digest(tmp_path / "t") == digest(tmp_path / "u")


@pytest.mark.usefixtures("jumping")
def test_the_server_answers(tmp_path: Path) -> None:
    spot: dict[str, Any] = {"hands": ["AsKs", "QhQd"], "board": "2s7d9h", "deadline": 60}
    cache = str(tmp_path / "answers.sqlite")
    with serving_here(Settings(workers=1, threads=1, backend="cpu", cache=cache)) as address:
        wait_until_ready(address)
        first, again = ask(address, spot), ask(address, spot)
    assert first[0] == again[0] == 200
    assert first[1]["players"] == again[1]["players"]
    assert 0 <= first[1]["seconds"] < 60
