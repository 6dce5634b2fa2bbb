"""Texts that take long to read hold up nobody: they are priced, read by workers, and cancelled."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import pytest
from server_fixture import (
    PATIENCE,
    ask,
    end,
    idle_within,
    launch,
    metric,
    posted,
    request,
    serving,
    wait_until,
    wait_until_ready,
)

from gpuodds.server.messages import Answer, FromJob, FromWorker, Loads, Ready, RunJob, ToWorker
from gpuodds.server.problems import InputErrorAt, Problem
from gpuodds.server.reading.costs import Texts, reading_cost
from gpuodds.server.requests import EquityRequest, RangeRequest
from gpuodds.server.settings import Settings
from gpuodds.server.workers import pool as pool_module
from gpuodds.server.workers.jobs import Failed, Job
from gpuodds.server.workers.pool import GRACE, Pool
from gpuodds.server.workers.worker import Worker

pytestmark = pytest.mark.slow

FOUR_SUITS = {"hands": ["h", "s", "d", "c"], "game": "omaha5"}
KEPT = {"hands": ["QQ+,AK", "22+,A2s+"], "board": "2s7d9h"}


def texts_of(number: int) -> str:
    """Return a range of five cards whose items are so many that reading takes some seconds."""
    ranks = "23456789TJQKA"
    triples = [a + b + c for a in ranks for b in ranks for c in ranks]
    return ",".join(f"{triple}w" for triple in triples[200 * number : 200 * number + 200])


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that no other file's tests ask."""
    with serving(tmp_path_factory.mktemp("readings"), "--workers", "1") as address:
        assert ask(address, KEPT)[0] == 200
        yield address


def quick_answers(address: str, until: threading.Event) -> list[float]:
    """Ask what needs no worker until something has happened; return the seconds of each question."""
    found = []
    while not until.is_set():
        begin = time.monotonic()
        assert request(address, "/healthz", method="GET")[0] in (200, 503)
        assert ask(address, KEPT)[0] == 200
        found.append(time.monotonic() - begin)
    return found


def test_sixty_bytes_do_not_stop_the_server(tmp_path: Path) -> None:
    """Reading four ranges of millions of combos takes a worker some seconds, and the loop none.

    Workers yield to other processes: beside busy ones, reading takes longer than the usual limit.
    """
    ended = threading.Event()
    with (
        serving(tmp_path, "--workers", "1", "--time-limit", "60") as address,
        ThreadPoolExecutor(1) as others,
    ):
        assert ask(address, KEPT)[0] == 200
        answers = others.submit(quick_answers, address, ended)
        begin = time.monotonic()
        try:
            # Counting is refused once the ranges have been read; the plain request would sample on.
            status, _ = ask(address, {**FOUR_SUITS, "method": "exact"})
        finally:  # else they would ask for ever
            ended.set()
        seconds = time.monotonic() - begin
    assert status == 422
    assert len(answers.result()) > 3 and max(answers.result()) < max(0.5 * seconds, 0.5)


def test_tables_and_presets_are_served_while_ranges_are_read(alone: str) -> None:
    links = [posted(alone, {"text": texts_of(n), "game": "omaha5"}, "/v1/range") for n in range(6)]
    wait_until(lambda: metric(alone, "gpuodds_jobs_running") > 0)
    for path in ("tables", "presets", "games", "tables/preflop-heads-up/rows?hand=AsKs&hand=QhQd"):
        assert request(alone, f"/v1/{path}", method="GET")[0] == 200
    assert metric(alone, "gpuodds_jobs_running") > 0
    for link in links:
        link.close()
    assert idle_within(alone) and metric(alone, "gpuodds_worker_restarts") == 0


def test_a_reading_stops_when_its_client_leaves(alone: str) -> None:
    link = posted(alone, {"text": texts_of(7), "game": "omaha5"}, "/v1/range")
    wait_until(lambda: metric(alone, "gpuodds_jobs_running") == 1)
    link.close()
    assert idle_within(alone) and metric(alone, "gpuodds_worker_restarts") == 0


def test_the_same_text_is_read_once_for_all_who_ask(alone: str) -> None:
    before = metric(alone, 'gpuodds_jobs_total{kind="reading"}')
    with ThreadPoolExecutor(4) as clients:
        body = {"text": texts_of(8)[:400].rpartition(",")[0], "game": "omaha5"}
        found = list(clients.map(lambda _: ask(alone, body, "/v1/range"), range(4)))
    assert all(answer == found[0] for answer in found) and found[0][0] == 200
    assert metric(alone, 'gpuodds_jobs_total{kind="reading"}') - before < 4


def test_a_server_that_reads_ends_within_three_seconds(tmp_path: Path) -> None:
    server, address = launch(tmp_path, "--workers", "1")
    wait_until_ready(address)
    links = [posted(address, {"text": texts_of(n), "game": "omaha5"}, "/v1/range") for n in range(6)]
    wait_until(lambda: metric(address, "gpuodds_jobs_running") > 0)
    begin = time.monotonic()
    end(server)
    server.communicate(timeout=PATIENCE)
    assert time.monotonic() - begin < 3 + 3  # the machine may do much else
    for link in links:
        link.close()


def test_a_long_answer_is_that_of_the_library(alone: str) -> None:
    """Answers that list many hands are turned and written by workers, from the cache as well."""
    import gpuodds

    asked: dict[str, Any] = {"hands": ["random", "22+", "60%"], "board": "2s7d9h", "by_hand": True}
    expected = gpuodds.equity(asked["hands"], board=asked["board"], by_hand=True).to_dict()
    del expected["seconds"], expected["backend"]
    renamed = {**asked, "hands": ["22+", "60%", "random"], "board": "2d7h9s"}
    for body in (asked, asked, {**asked, "explain": True}, renamed):
        status, answer = ask(alone, body)
        assert status == 200
        if body is not renamed:
            assert {key: answer[key] for key in expected} == expected
        else:
            hands = {player["hand"]: len(player["by_hand"]) for player in answer["players"]}
            assert hands == {player["hand"]: len(player["by_hand"]) for player in expected["players"]}


@pytest.mark.parametrize("game", ["holdem", "omaha5"])
def test_a_long_text_that_is_wrong_names_its_input(alone: str, game: str) -> None:
    long = "AKs," * 200 if game == "holdem" else "AKw," * 200
    status, problem = ask(alone, {"hands": [f"{long}AA", f"{long}zz!"], "game": game})
    assert status == 400 and problem["input"] == "hands.1" and "\n" not in problem["detail"]


def test_a_text_that_takes_too_long_to_read_is_refused(alone: str) -> None:
    ranks = "23456789TJQKA"
    items = [f"{a}{b}w{c}x{d}y" for a in ranks for b in ranks for c in ranks for d in "23456789"]
    text = ",".join(items)[:19_000].rpartition(",")[0]
    status, problem = ask(alone, {"text": text, "game": "omaha5"}, "/v1/range")
    assert status == 422 and problem["estimate_seconds"] > problem["limit_seconds"]
    assert "reading the ranges would take about" in problem["detail"]


def test_a_range_is_not_written_by_the_megabyte(alone: str) -> None:
    status, problem = ask(alone, {"text": "h", "game": "omaha5"}, "/v1/range")
    assert status == 422 and "at most 8 are sent" in problem["detail"]


def test_a_request_costs_its_reading() -> None:
    game, settings = "omaha5", Settings()
    one = reading_cost(Texts.of_range(RangeRequest(text="wxyz", game=game)), settings)
    same = reading_cost(Texts.of_equity(EquityRequest(hands=["wxyz"] * 2, game=game)), settings)
    two = reading_cost(Texts.of_equity(EquityRequest(hands=["wxyz", "AKw"], game=game)), settings)
    assert one.seconds < same.seconds < two.seconds and one.bytes < same.bytes == two.bytes
    quick = Texts.of_equity(EquityRequest(hands=["AsKs", "QQ+"]))
    assert quick.is_quick and quick.bytes == 0
    long = Texts.of_equity(EquityRequest(hands=["AKs," * 200 + "AA", "QQ"]))
    assert not long.is_quick and long.bytes == 0


def test_lists_beyond_the_memory_of_all_requests_are_refused() -> None:
    texts = Texts.of_equity(EquityRequest(hands=["AA", "KK"], game="omaha5"))
    with pytest.raises(Problem, match=r"would take about 508 MiB, the limit is 500 MiB: give known"):
        reading_cost(texts, Settings(memory_bytes=500 << 20))


def test_a_text_beyond_the_limit_names_its_input() -> None:
    with pytest.raises(InputErrorAt, match="hands: expected at most 20,000 characters each") as raised:
        Texts.of_equity(EquityRequest(hands=["AA", "A" * 20_001]))
    assert raised.value.input == "hands.1"


class Task:
    """A computation of a game that the test ends."""

    kind: ClassVar[str] = "task"

    def __init__(self, game: str = "holdem") -> None:
        self.game = game

    def run(self, context: Any) -> None:
        raise AssertionError("no process runs it")


class Silent:
    """A worker whose messages come from the test."""

    made: ClassVar[list[Silent]] = []

    def __init__(self, *arguments: Any, is_cheap_only: bool = False) -> None:
        self.receive, self.is_cheap_only = arguments[2], is_cheap_only
        self.is_ready = self.is_killed = self.loads = False
        self.loaded = float("-inf")
        self.job: Job | None = None
        Silent.made.append(self)
        self.receive(self, Ready())

    def send(self, message: ToWorker) -> None:
        if isinstance(message, RunJob):
            self.number = message.number

    def kill(self) -> None:
        self.is_killed = True


async def silent_pool(patch: pytest.MonkeyPatch, workers: int, **options: Any) -> Pool:
    patch.setattr(pool_module, "Worker", Silent)
    Silent.made.clear()
    pool = Pool(workers, 1, 64, "cpu", **options)
    pool.start()
    while pool.processes <= workers:
        await asyncio.sleep(0)
    return pool


def running(pool: Pool) -> list[Job]:
    return [worker.job for worker in pool._workers if worker.job is not None]


def test_jobs_share_one_budget_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        pool = await silent_pool(monkeypatch, 3, memory_bytes=1000)
        first, second, third = (pool.submit(Task(), seconds=1, bytes=size) for size in (600, 500, 300))
        plain = pool.submit(Task(), seconds=1)
        # The third would fit, and would keep the second waiting.
        assert running(pool) == [first, plain] and pool.waiting == 2 and pool.bytes == 600
        pool.on_message(*ended(pool, first))
        assert [*sorted(job.number for job in running(pool))] == [
            second.number,
            third.number,
            plain.number,
        ]

    asyncio.run(work())


def ended(pool: Pool, job: Job) -> tuple[Worker, FromWorker]:
    """Return the message that ends a job, and its worker."""
    (worker,) = (worker for worker in pool._workers if worker.job is job)
    return worker, FromJob(job.number, Answer(None))


def test_a_worker_that_compiles_is_not_killed_and_others_wait_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else three clients that leave at a game's first use would cost three workers."""

    async def work() -> None:
        pool = await silent_pool(monkeypatch, 3)
        job = pool.submit(Task("omaha"), seconds=1)
        (worker,) = (worker for worker in pool._workers if worker.job is job)
        pool.on_message(worker, Loads(begins=True))
        pool.cancel(job)
        other, another = pool.submit(Task("omaha5"), seconds=1), pool.submit(Task(), seconds=1)
        assert other not in running(pool) and another in running(pool)
        pool._kill_if_still_at(worker, job)
        assert not worker.is_killed
        pool.on_message(worker, Loads(begins=False))
        assert other in running(pool)
        pool._kill_if_still_at(worker, job)
        assert not worker.is_killed  # it has a moment to see that it was cancelled
        worker.loaded -= GRACE
        pool._kill_if_still_at(worker, job)
        assert worker.is_killed

    asyncio.run(work())


def test_a_job_that_never_fits_gets_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends at its deadline, as others that wait do."""

    async def work() -> None:
        pool = await silent_pool(monkeypatch, 2, memory_bytes=100)
        large = pool.submit(Task(), seconds=0.1, bytes=200)
        assert running(pool) == [large]  # alone it may run: the dispatcher has priced it
        waiting = pool.submit(Task(), seconds=0.1, bytes=50)
        assert pool.waiting == 1
        pool.cancel(waiting)
        event = await waiting.events.get()
        assert isinstance(event, Failed) and pool.waiting == 0

    asyncio.run(work())
