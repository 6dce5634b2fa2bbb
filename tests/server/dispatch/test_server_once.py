"""A request is read once and planned once, over all processes; its plan says what it costs, and why."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from server_fixture import NoProcesses, ask, request, serving_here, wait_until

from gpuodds.api import equity
from gpuodds.basics.choices import BackendName
from gpuodds.errors import InputError
from gpuodds.methods.method import Machine
from gpuodds.methods.planner import Plan
from gpuodds.server.cache.cache import open_cache
from gpuodds.server.cache.kept import Kept
from gpuodds.server.dispatch.computations import EquityComputation, read_bet, read_equity, read_report
from gpuodds.server.dispatch.dispatcher import Dispatcher
from gpuodds.server.dispatch.explain import with_explanation
from gpuodds.server.messages import Context, Ready
from gpuodds.server.reading.packed import Packed, unpacked
from gpuodds.server.reading.parsed import ParsedRequest, ReportRequest
from gpuodds.server.reading.plans import Planned, Refused, equity_options, plan_equity
from gpuodds.server.requests import EquityRequest, FlopsRequest, KellyRequest
from gpuodds.server.settings import Settings
from gpuodds.server.workers import worker_process
from gpuodds.server.workers.worker import Worker

SETTINGS = Settings(backend="cpu")
MACHINE = Machine(1, has_gpu=False)
QUICK: dict[str, Any] = {"hands": ["QQ+,AK", "22+,A2s+"], "board": "2s7d9h"}
LONG: dict[str, Any] = {"hands": ["AKs," * 200 + "AA", "QQ"], "board": "2s7d9h"}
OMAHA: dict[str, Any] = {"hands": ["AAKK", "QQ**"], "board": "2s7d9h", "game": "omaha"}
SAMPLED: dict[str, Any] = {"hands": [*["15%"] * 9, "16%"], "samples": 20_000}

really_serve = worker_process.serve


def count_calls(replace_by: Callable[[str, Any], None]) -> None:
    """Let each reading and each planning of this process add a line to a file."""
    from gpuodds.methods.planner import find_counting, make_plan
    from gpuodds.spots.spot import Spot

    calls = Path(os.environ["CALLS"])

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            with calls.open("a") as file:
                file.write(f"{name}\n")
            return function(*arguments, **options)

        return call

    replace_by("gpuodds.spots.spot.Spot.of", staticmethod(counted("read", Spot.of)))
    for module in (
        "server.reading.plans",
        "methods.answering",
        "methods.boards.board_reports",
        "server.reading.costs",
    ):
        replace_by(f"gpuodds.{module}.make_plan", counted("planned", make_plan))
    replace_by("gpuodds.methods.planner.find_counting", counted("asked", find_counting))


def serve_counting(connection: Connection, threads: int, backend: BackendName, niceness: int) -> None:
    """Run a worker whose calls are counted once it is warm."""
    really_warm_up = worker_process._warm_up

    def warm_up(backend: BackendName) -> None:
        really_warm_up(backend)
        pytest.MonkeyPatch().setattr(worker_process, "_warm_up", really_warm_up)
        count_calls(pytest.MonkeyPatch().setattr)

    worker_process._warm_up = warm_up
    really_serve(connection, threads, backend, niceness)


@contextmanager
def counting(folder: Path) -> Iterator[tuple[str, Callable[[], list[str]]]]:
    """Serve with all calls counted; give the address, and what tells the calls since the last time."""
    calls = folder / "calls"

    def since() -> list[str]:
        found = calls.read_text().split() if calls.exists() else []
        calls.unlink(missing_ok=True)
        return sorted(found)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CALLS", str(calls))
        patch.setattr(worker_process, "serve", serve_counting)
        with serving_here(Settings(workers=1, threads=1, cache="memory", backend="cpu")) as address:
            wait_until(lambda: request(address, "/healthz", method="GET")[0] == 200, 300)
            count_calls(patch.setattr)
            yield address, since


@pytest.fixture(scope="module")
def counts(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[str, Callable[[], list[str]]]]:
    with counting(tmp_path_factory.mktemp("once")) as found:
        yield found


ONCE = ["asked", "planned", "read"]


@pytest.mark.slow
@pytest.mark.parametrize("body", [QUICK, LONG, OMAHA, SAMPLED])
@pytest.mark.parametrize("explain", [False, True])
def test_a_request_is_read_and_planned_once(counts: Any, body: dict[str, Any], explain: bool) -> None:
    address, since = counts
    body = {**body, "dead": "3c4c" if explain else "3c5c", "explain": explain}
    since()
    status, first = ask(address, body)
    assert (status, since()) == (200, ONCE) and ("explanation" in first) == explain
    # Again it is what was read before, and its answer is in the cache, unless it is sampled.
    status, again = ask(address, body)
    assert (status, since()) == (200, []) and ("explanation" in again) == explain
    if explain and body["hands"] != SAMPLED["hands"]:
        assert again["explanation"][0]["method"] == "cache"


@pytest.mark.slow
def test_a_cached_answer_is_explained_by_the_plan_of_its_request(counts: Any) -> None:
    address, since = counts
    assert ask(address, {**QUICK, "dead": "5c"})[0] == 200
    since()
    renamed = {**QUICK, "board": "2h7s9d", "dead": "5c"}
    assert ask(address, renamed)[0] == 200 and since() == ["read"]
    status, answer = ask(address, {**renamed, "explain": True})
    assert (status, since()) == (200, ONCE) and answer["explanation"][0]["method"] == "cache"
    assert answer["explanation"][0]["chosen"]


@pytest.mark.slow
def test_streams_bets_and_reports_are_read_once(counts: Any) -> None:
    address, since = counts
    since()
    stream = json.dumps({**QUICK, "dead": "6c"}).encode()
    assert request(address, "/v1/equity/stream", stream)[0] == 200 and since() == ONCE
    for body in (QUICK, {**OMAHA, "hands": ["AAKK", "QQJJ"]}):
        assert ask(address, body, "/v1/turns")[0] == 200
        assert since().count("read") == 1


def computation(body: EquityRequest, request: ParsedRequest, plan: Any) -> EquityComputation:
    options = replace(equity_options(body, SETTINGS), explain=False)
    shown = body.by_hand, body.equity_graph, body.blockers
    return EquityComputation(body.game, plan, options, request.form, *shown, False, False)


def context(seconds: float = 60.0) -> Context:
    return Context("cpu", seconds, lambda estimate: None, lambda share: None, lambda: None)


@pytest.mark.parametrize("asked", [QUICK, OMAHA, {"hands": ["AsKs"]}])
def test_a_worker_computes_without_reading_or_planning(
    monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any]
) -> None:
    body = EquityRequest(**asked)
    read = read_equity(body, SETTINGS, MACHINE, False)
    assert isinstance(read.planned, Planned) and isinstance(read.planned.plan, Packed)
    assert not read.is_read_here
    with pytest.raises(LookupError):
        read.spot  # noqa: B018
    expected = equity(**asked, backend="cpu").to_dict()

    def refuse(*arguments: Any, **options: Any) -> Any:
        raise AssertionError("a worker reads and plans nothing")

    monkeypatch.setattr("gpuodds.spots.spot.Spot.of", staticmethod(refuse))
    for name in ("answering.make_plan", "planner.make_plan", "planner.find_counting"):
        monkeypatch.setattr(f"gpuodds.methods.{name}", refuse)
    job = computation(body, read, read.planned.plan)
    texts = {"hands", "board", "dead", "request", "body"}
    assert not texts & {field.name for field in fields(job)}
    found = job.run(context())
    assert isinstance(found, dict)
    found = read.form.from_canonical(found)
    assert {**found, "seconds": 0} == {**expected, "seconds": 0}


def test_a_worker_that_begins_late_samples() -> None:
    asked = {"hands": ["60%", "70%", "80%"], "board": "2s7d9h", "samples": 20_000}
    body = EquityRequest.model_validate(asked)
    request = ParsedRequest(body)
    planned = plan_equity(body, request.spot, SETTINGS, MACHINE, stream=False)
    assert isinstance(planned, Planned)
    plan = unpacked(planned.plan)
    assert not plan.is_sampled
    long = plan._replace(seconds=50.0)
    found = computation(body, request, long).run(context(20.0))
    assert isinstance(found, dict) and found["method"] == "monte-carlo"
    assert found["notes"] == ["sampling; counting exactly would take about 50 s"]
    by_hand = body.model_copy(update={"by_hand": True})
    job = computation(by_hand, request, long)
    with pytest.raises(InputError, match="counting takes about 50 s, 10 s at most: use method exact"):
        job.run(context(60.0))


def test_reports_and_bets_are_handed_over_as_bytes() -> None:
    report = read_report(FlopsRequest(hands=["AA**", "KK**"], game="omaha"), SETTINGS, MACHINE)
    assert isinstance(report.spot, Packed)
    assert report.spot.unpack() == ReportRequest(report.body).spot
    bet = KellyRequest(hand="QdQs", opponents=["AK", "22+"], bankroll=100)
    here, there = (read_bet(bet, SETTINGS, MACHINE, is_here=is_here) for is_here in (True, False))
    assert isinstance(there.spot, Packed) and there.spot.unpack() == here.spot
    assert there.cost == here.cost


def refused(**asked: Any) -> Refused:
    body = EquityRequest(**asked)
    found = plan_equity(body, ParsedRequest(body).spot, SETTINGS, MACHINE, stream=False)
    assert isinstance(found, Refused)
    return found


def test_what_cannot_be_planned_is_refused() -> None:
    wide = {"hands": ["60%", "70%", "80%"], "time_limit": 0.01}
    only = "the equity of each hand: counted, not sampled, and counting takes about"
    by_hand = refused(**wide, by_hand=True)
    assert by_hand.problem.status == 400 and str(by_hand.problem).startswith(only)
    assert by_hand.plan is None
    explained = refused(**wide, by_hand=True, explain=True).plan  # for an answer in the cache
    assert isinstance(explained, Plan) and not explained.is_sampled
    sampled = refused(**wide, by_hand=True, method="monte-carlo")
    assert sampled.problem.status == 400 and "use auto or exact" in str(sampled.problem)
    longer = refused(**wide, method="exact")
    assert longer.problem.status == 422 and longer.problem.members["estimate_seconds"] > 0.01
    never = refused(hands=["60%"] * 4 + ["50%"] * 5, method="exact", explain=True)
    assert "longer than can be estimated" in str(never.problem) and never.plan is None


def explained(
    asked: dict[str, Any], method: str, *, cached: bool = False
) -> tuple[list[str], list[str]]:
    """Return the methods that an explanation names as chosen, and what it assumes."""
    body = EquityRequest(**asked, explain=True)
    planned = plan_equity(body, ParsedRequest(body).spot, SETTINGS, MACHINE, stream=False)
    assert planned.plan is not None
    answer = {"method": method, "backend": "cpu"}
    found = with_explanation(answer, body, unpacked(planned.plan), cached=cached)
    assert found.items() >= answer.items()
    return [one["method"] for one in found["explanation"] if one["chosen"]], found["assumed"]


def test_an_explanation_is_that_of_what_answered() -> None:
    assert explained(QUICK, "exact")[0] == ["showdowns"]
    # An estimate is the answer at the deadline; the cache has what a request with more time counted.
    assert explained(QUICK, "monte-carlo")[0] == ["monte-carlo"]
    short = {"hands": ["60%", "70%", "80%"], "time_limit": 0.01}
    assert explained(short, "monte-carlo")[0] == ["monte-carlo"]
    assert explained(short, "exact")[0] == ["showdowns"]
    assert explained(short, "exact", cached=True)[0] == ["cache"]
    alike = {"hands": ["AA", "AA"], "board": "2s7d9h"}
    assert explained(alike, "symmetry")[0] == ["symmetry"]
    assert explained(alike, "exact")[0] == ["showdowns"]
    assert "no backend: nothing is counted" in explained(alike, "symmetry")[1]


def test_kept_values_are_bounded_by_their_bytes() -> None:
    kept = Kept[str, str](3, 100)
    for name in "abcd":
        kept.put(name, name, 30)
    assert kept.get("a") is None and kept.get("b") == "b" and kept.bytes == 90
    kept.put("huge", "huge", 101)
    assert kept.get("huge") is None and kept.bytes == 90
    kept.put("b", "again", 80)
    assert kept.get("b") == "again" and kept.get("c") is None and kept.bytes == 80


def test_plans_are_for_a_gpu_once_a_worker_has_one() -> None:
    async def work() -> None:
        pool = NoProcesses()
        assert pool.machine == Machine(1, has_gpu=False)
        dispatcher = Dispatcher(pool, open_cache("memory", 1000), SETTINGS)
        body = EquityRequest(**QUICK)
        first = await dispatcher.reader.read(body, stream=False)
        worker: Any = Worker.__new__(Worker)
        worker.started, worker.is_cheap_only, worker.is_ready = 0.0, False, False
        pool._size = 0
        pool.on_message(worker, Ready(has_gpu=False))
        assert await dispatcher.reader.read(body, stream=False) is first
        pool.on_message(worker, Ready(has_gpu=True))
        assert pool.machine == Machine(1, has_gpu=True)
        # It would count what it samples on the CPU.
        assert await dispatcher.reader.read(body, stream=False) is not first

    asyncio.run(work())
