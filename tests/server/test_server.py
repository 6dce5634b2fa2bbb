"""The calculation server, from outside: answers, streams, limits, refusals."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from server_fixture import (
    PATIENCE,
    ask,
    connected,
    idle_within,
    metric,
    posted,
    raw,
    request,
    serving,
    wait_until,
)
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import gpuodds
from gpuodds.betting import kelly_bet
from gpuodds.client import ServerError
from gpuodds.errors import InputError
from gpuodds.games.holdem.combos import combo_index
from gpuodds.spots.spot import read_cards

REQUESTS = 'gpuodds_request_seconds_count{way="%s"}'
LONG = {"hands": ["15%", "30%", "60%", "random"], "method": "exact", "time_limit": 60}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("serve")) as found:
        yield found


@pytest.fixture
def client(address: str) -> Iterator[gpuodds.Client]:
    with gpuodds.Client(address) as found:
        yield found


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name not in ("seconds", "notes")}


QUESTIONS: list[tuple[list[str], dict[str, Any]]] = [
    (["AsKs"], {"opponents": 3}),
    (["AsKs"], {"opponents": 3, "table": False}),
    (["AsKs", "QhQd"], {}),
    (["QhQd", "AsKs"], {"board": "2s7d9h", "opponents": 2}),
    (["QQ+,AK", "22+,A2s+"], {}),
    (["QQ+,AK", "22+,A2s+"], {"board": "2s7d9h"}),
    (["22+,A2s+", "AsKs", "QQ+,AK"], {"board": "2s7d9h", "dead": "3c"}),
    (["QQ,AKs", "JTs:0.5"], {"board": "2s7d9hTc", "by_hand": True}),
    (["AsKs", "QQ"], {"board": "2s7d9h", "made_hands": True}),
]


@pytest.mark.parametrize(("hands", "options"), QUESTIONS)
def test_answers_are_those_of_the_library(
    client: gpuodds.Client, hands: list[str], options: dict[str, Any]
) -> None:
    expected = without_time(gpuodds.equity(hands, **options, backend="cpu").to_dict())
    for _ in range(2):  # computed, and kept
        assert without_time(client.equity(hands, **options)) == expected


def test_suits_and_order_make_no_new_question(client: gpuodds.Client, address: str) -> None:
    first = client.equity(["AhKh", "QsQd", "JJ"], board="2h7d9s")
    before = metric(address, "gpuodds_cache_hits")
    # Hearts for spades, spades for clubs, clubs for hearts; players and cards in another order.
    second = client.equity(["JJ", "QcQd", "AsKs"], board="9c2s7d")
    assert metric(address, "gpuodds_cache_hits") == before + 1
    assert [p["win_outcomes"] for p in second["players"]] == [
        p["win_outcomes"] for p in first["players"][::-1]
    ]
    assert second["hands"] == ["JJ", "QcQd", "AsKs"] and second["board"] == "9c2s7d"
    assert (
        second["winners"]
        == without_time(
            gpuodds.equity(["JJ", "QcQd", "AsKs"], board="9c2s7d", backend="cpu").to_dict()
        )["winners"]
    )


def test_by_hand_in_other_suits(client: gpuodds.Client) -> None:
    for board in ("2s7d9h", "2h7c9s"):
        found = client.equity(["QQ,AsKs", "JTs"], board=board, by_hand=True)
        assert without_time(found) == without_time(
            gpuodds.equity(["QQ,AsKs", "JTs"], board=board, by_hand=True, backend="cpu").to_dict()
        )


@pytest.mark.parametrize(("hands", "options"), QUESTIONS[3:7])
def test_a_stream_ends_with_the_plain_answer(
    address: str, hands: list[str], options: dict[str, Any]
) -> None:
    options = {**options, "dead": "4d"}
    with gpuodds.Client(address) as client:
        events = list(client.stream(hands, **options))
        assert events[0][0] == "estimate" and events[-1][0] == "answer"
        exact = without_time(gpuodds.equity(hands, **options, backend="cpu").to_dict())
        assert without_time(events[-1][1]) == exact
        for name, value in events[:-1]:
            if name == "estimate":
                for player, truth in zip(value["players"], exact["players"], strict=True):
                    assert player["hand"] == truth["hand"]
                    assert abs(player["equity"] - truth["equity"]) < 6 * player["standard_error"]
        # Kept: the answer at once.
        assert [name for name, _ in client.stream(hands, **options)] == ["answer"]


def test_sampled_answers_are_not_kept(client: gpuodds.Client) -> None:
    asked = {"method": "monte-carlo", "samples": 10_000, "board": "2s7d9c"}
    one = client.equity(["AsKs", "QQ"], **asked, seed=1)
    two = client.equity(["AsKs", "QQ"], **asked, seed=2)
    assert not one["exact"] and one["players"][0]["equity"] != two["players"][0]["equity"]
    assert client.equity(["AsKs", "QQ"], board="2s7d9c")["exact"]


def test_questions_have_a_price(address: str) -> None:
    long = {"hands": ["60%"] * 6, "board": "2s7d9h"}
    status, problem = ask(address, {**long, "method": "exact", "time_limit": 0.01})
    assert status == 422 and problem["type"].endswith("too-expensive")
    assert "let method be auto" in problem["detail"] and problem["limit_seconds"] == 0.01
    status, answer = ask(address, {**long, "time_limit": 0.01})
    assert status == 200 and answer["method"] == "monte-carlo"
    status, problem = ask(address, {"hands": ["AA", "KK"], "method": "monte-carlo", "samples": 10**9})
    assert status == 422 and problem["estimate_seconds"] > 10


def test_a_deadline_is_kept(address: str) -> None:
    begin = time.monotonic()
    status, problem = ask(address, {**LONG, "board": "5c8h9s", "deadline": 0.5})
    assert status == 504 and problem["detail"] == "no answer within 0.5 s"
    assert time.monotonic() - begin < 20 and idle_within(address)


TEN: dict[str, Any] = {"hands": ["15%"] * 10}


def errors(found: dict[str, Any]) -> list[float]:
    return [player["standard_error"] for player in found["players"]]


@pytest.mark.parametrize(
    "question",
    [{**TEN, "deadline": 2}, {**TEN, "method": "monte-carlo", "samples": 10**7, "deadline": 2}],
)
def test_ten_seats_are_answered_by_the_deadline(
    client: gpuodds.Client, question: dict[str, Any]
) -> None:
    begin = time.monotonic()
    names, values = zip(*client.stream(**question), strict=True)
    assert time.monotonic() - begin < 8  # 10 s where no deadline is given
    assert names[-1] == "answer" and "estimate" in names[:-1]
    final = values[-1]
    assert (final["method"], final["exact"]) == ("monte-carlo", False)
    sampled = [found for name, found in zip(names, values, strict=True) if name != "progress"]
    assert int(final["outcomes"]) >= int(sampled[-2]["outcomes"])
    for before, after in pairwise(sampled):
        for one, two in zip(errors(before), errors(after), strict=True):
            assert 0 < two <= one


def test_a_stream_never_loses_its_estimates(client: gpuodds.Client, address: str) -> None:
    """What is counted too late gives way to the last estimate."""
    events = list(client.stream(**dict[str, Any](LONG, board="6c8h9s", deadline=1.5)))
    estimates = [found for name, found in events if name == "estimate"]
    assert events[-1] == ("answer", estimates[-1]) and not estimates[-1]["exact"]
    assert idle_within(address)


def test_waiting_counts_towards_the_deadline(tmp_path: Path) -> None:
    def busy(address: str) -> None:
        with gpuodds.Client(address) as client:
            list(client.stream(TEN["hands"], deadline=1.5))

    with serving(tmp_path, "--workers", "1") as address, ThreadPoolExecutor(1) as pool:
        before = pool.submit(busy, address)
        wait_until(lambda: metric(address, 'gpuodds_jobs_total{kind="equity"}') == 1)
        status, answer = ask(address, {**TEN, "deadline": 7, "seed": 1})
        before.result(PATIENCE)
    assert status == 200 and answer["method"] == "monte-carlo" and answer["seconds"] < 7


def test_a_seed_with_a_time_limit(client: gpuodds.Client) -> None:
    question: dict[str, Any] = {"hands": ["15%", "30%", "60%", "random"], "seed": 1, "time_limit": 1}
    with pytest.raises(InputError, match="give samples or standard_error with a seed"):
        client.equity(**question)
    *_, (name, found) = client.stream(**question)
    assert name == "answer" and not found["exact"]
    wanted = {**question, "time_limit": None, "samples": 30_000}
    expected = gpuodds.equity(**wanted, backend="cpu").to_dict()
    *_, (_, found) = client.stream(**wanted)
    assert found["players"] == client.equity(**wanted)["players"] == expected["players"]


def test_the_rest_of_it(client: gpuodds.Client) -> None:
    found = client.range("22+,AK:0.5")
    assert found["schema"] == "gpuodds.range/1" and len(found["grid"]) == 13
    bet = client.kelly("QdQs", board="2s7d9h", opponents=2, bankroll=5000, pot=100)
    assert bet["bet_chips"] == 2514 and bet["schema"] == "gpuodds.kelly/1"
    bet = client.kelly("QdQs", board="2s7d9h", opponents=2, bankroll=5000, stack=900, pot=100)
    assert bet["bet_chips"] == 900 and bet["stack"] == 900.0
    assert {table["name"] for table in client.tables()["tables"]} == {
        "preflop-random",
        "preflop-heads-up",
    }
    (row,) = client.rows("preflop-heads-up", "AsKs", "QhQd")["rows"]
    assert (row["win_a"], row["win_b"], row["tie"]) == (787966, 917606, 6732)
    rows = client.rows("preflop-random", "AKs")["rows"]
    assert rows[2]["win"] == 104924135261847 and len(rows) == 22
    equities = client.equities("2s7d9h", 2)["equities"]
    assert len(equities) == 1176
    exact = gpuodds.equity("AsKs", board="2s7d9h", opponents=2, backend="cpu").equity
    assert equities["AsKs"] == pytest.approx(exact, abs=1e-14)


@pytest.mark.parametrize(
    ("opponents", "options"),
    [
        (["QQ+,AK"], {}),
        (["QQ+,AK", "8c7c", "random", "random"], {"to_call": 50}),
        (["QQ+,AK", "random"], {"fold": 0.3, "stacks": [200, None]}),
    ],
)
def test_bets_against_hands_and_ranges(
    client: gpuodds.Client, opponents: list[str], options: dict[str, Any]
) -> None:
    asked = {"opponents": opponents, "board": "2s7d9h", "bankroll": 1000, "pot": 400, **options}
    expected = kelly_bet("JdJs", **asked, backend="cpu").to_dict()
    assert expected["against"] == opponents
    assert client.kelly("JdJs", **asked) == expected


def test_bets_are_bounded(client: gpuodds.Client, address: str) -> None:
    spot = {"board": "2s7d9h", "bankroll": 1000}
    with pytest.raises(InputError, match=r"^hand QQ\+: a range; expected the two cards"):
        client.kelly("QQ+", opponents=1, **spot)
    with pytest.raises(InputError, match=r"^ZZ: column 1"):
        client.kelly("JdJs", opponents=["AA", "ZZ"], **spot)
    with pytest.raises(InputError, match=r"^sampling would take about .* s, the limit is 10 s: give"):
        client.kelly("JdJs", opponents=["60%"] * 9, fold=0.3, **spot)
    # Ranges that leave each other hardly any cards are dealt again and again: that stops with the link.
    endless = {"hand": "JdJs", "opponents": 4 * ["AA,KK"], "fold": 0.3, **spot}
    before = metric(address, "gpuodds_worker_restarts")
    with posted(address, endless, "/v1/kelly"):
        wait_until(lambda: metric(address, "gpuodds_jobs_running") == 1)
    assert idle_within(address)
    assert metric(address, "gpuodds_worker_restarts") == before


@pytest.mark.slow
def test_a_bet_on_wide_ranges_is_sampled(client: gpuodds.Client) -> None:
    # Counting takes longer than the limit, ten seconds.
    spot = {"board": "2s7d9h", "bankroll": 1000}
    wide = client.kelly("JdJs", opponents=["60%", "70%", "80%", "90%"], **spot)
    assert not wide["exact"] and 0 < wide["equity"] < 1


@pytest.mark.slow
def test_built_tables_are_read(tmp_path: Path) -> None:
    from gpuodds.tables.building.build import build
    from gpuodds.tables.kinds import catalog

    tables = tmp_path / "tables"
    build(catalog.find_kind("preflop-random"), tables / "preflop-random", 1, backend="cpu")
    with serving(tmp_path, "--tables", str(tables)) as address, gpuodds.Client(address) as client:
        assert {"name": "preflop-random", "ships": False} in client.tables()["tables"]
        with pytest.raises(ServerError, match="there is no table flop-random here"):
            client.rows("flop-random", "AKs", board="2s7d9h")


def test_coroutines(address: str) -> None:
    async def work() -> None:
        async with gpuodds.AsyncClient(address) as client:
            many = [client.equity("AsKs", opponents=k, board="2s7d9d") for k in range(1, 10)]
            found = await asyncio.gather(*many)
            assert [answer["opponents"] for answer in found] == list(range(1, 10))
            events = [name async for name, _ in client.stream(["AsKs", "TT"], board="2s7d9d")]
            assert events[-1] == "answer"
            with pytest.raises(InputError, match="AsKx: column 4"):
                await client.equity("AsKx")
            assert (await client.range("AA"))["combos"] == 6
            assert (await client.tables())["tables"]
            assert (await client.kelly("AsAh", opponents=1, bankroll=10))["action"] == "bet"
            assert (await client.rows("preflop-random", "AKs"))["rows"]
            assert (await client.equities("2s7d9h"))["opponents"] == 1

    asyncio.run(work())


def test_many_at_once_on_a_socket(address: str) -> None:
    with connect(address.replace("http", "ws") + "/v1/socket") as link:
        for k in range(1, 9):
            question = {"hands": ["AdKd"], "opponents": k, "board": "2s7d9d"}
            link.send(json.dumps({"id": str(k), "type": "equity", "question": question}))
        answers: dict[str, Any] = {}
        estimates = 0
        while len(answers) < 8:
            message = json.loads(link.recv(timeout=PATIENCE))
            if message["type"] == "answer":
                answers[message["id"]] = message["value"]
            estimates += message["type"] == "estimate"
        assert all(answers[str(k)]["opponents"] == k for k in range(1, 9)) and estimates >= 4
        # A long one is cancelled, and the link goes on.
        link.send(json.dumps({"id": "long", "question": {**LONG, "board": "3c8h9s"}}))
        assert json.loads(link.recv(timeout=PATIENCE))["type"] == "estimate"
        link.send(json.dumps({"id": "long", "type": "cancel"}))
        while (message := json.loads(link.recv(timeout=PATIENCE)))["type"] != "cancelled":
            pass
        link.send(json.dumps({"id": "bad", "question": {"hands": ["AsKx"]}}))
        message = json.loads(link.recv(timeout=PATIENCE))
        assert message["id"] == "bad" and message["type"] == "error"
        assert message["value"]["detail"].startswith("AsKx: column 4")
    assert idle_within(address)


@pytest.mark.parametrize("way", ["/v1/equity", "/v1/equity/stream"])
def test_whoever_leaves_stops_the_work(address: str, way: str) -> None:
    asked, ended = (metric(address, name) for name in ("gpuodds_cache_misses", REQUESTS % way))
    links = [posted(address, {**LONG, "board": "4c8h9s"}, way) for _ in range(2)]
    # Both wait for one computation; it goes on as long as one of them does.
    wait_until(lambda: metric(address, "gpuodds_cache_misses") == asked + 2)
    wait_until(lambda: metric(address, "gpuodds_jobs_running") == 1)
    links[0].close()
    wait_until(lambda: metric(address, REQUESTS % way) == ended + 1)
    assert metric(address, "gpuodds_jobs_running") == 1
    links[1].close()
    assert idle_within(address)


def test_same_questions_are_computed_once(address: str) -> None:
    question = {"hands": ["15%", "20%", "random"], "board": "3c8d9s", "dead": "2h"}
    before = metric(address, "gpuodds_cache_misses")
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: ask(address, question), range(6)))
    assert all(status == 200 for status, _ in found)
    assert len({answer["seconds"] for _, answer in found}) == 1
    assert metric(address, "gpuodds_cache_misses") > before


def test_a_full_queue_says_when_to_come_again(tmp_path: Path) -> None:
    """What cannot be answered in time is refused, with a time; what costs little is answered."""
    with serving(tmp_path, "--workers", "1") as address:
        with posted(address, {**LONG, "board": "2c8h9s"}):
            wait_until(lambda: metric(address, "gpuodds_jobs_running") == 1)
            for way in ("/v1/equity", "/v1/equity/stream"):
                body = json.dumps({**LONG, "board": "Tc8h9s"}).encode()
                status, headers, text = request(address, way, body)
                problem = json.loads(text)
                assert (status, headers["retry-after"]) == (429, str(problem["retry_after"]))
                assert 1 <= problem["retry_after"] < 130
                assert problem["detail"].endswith(f": ask again in {problem['retry_after']} s")
            assert metric(address, 'gpuodds_refused_total{reason="busy"}') == 2
            assert ask(address, {"hands": ["AsKs"], "board": "2s7d9h"})[0] == 200
            assert metric(address, "gpuodds_jobs_running") == 1
        assert idle_within(address)
        assert ask(address, {"hands": ["15%", "30%", "random"], "board": "2s7d9h"})[0] == 200


def test_a_killed_worker_costs_one_request(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "1") as address:
        wait_until(lambda: metric(address, "gpuodds_workers_ready") == 2)
        before = worker_seconds()
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(ask, address, {**LONG, "board": "4c8h9s"})
            busy: set[str] = set()
            while not busy:  # the one that computes
                time.sleep(0.1)
                busy = {pid for pid, seconds in worker_seconds().items() if seconds != before[pid]}
            os.kill(int(busy.pop()), signal.SIGKILL)
            status, problem = asked.result(PATIENCE)
        assert status == 500 and problem["detail"] == "the process that computed it has ended"
        assert ask(address, {"hands": ["AsKs"], "board": "2s7d9h"})[0] == 200
        assert metric(address, "gpuodds_worker_restarts") == 1


def worker_seconds() -> dict[str, str]:
    """Return the seconds that each worker of this test's servers has computed, by process."""
    listing = subprocess.run(
        ["ps", "-ww", "-eo", "pid,ppid,time,args"], capture_output=True, text=True, check=True
    ).stdout
    found = [line.split(maxsplit=3) for line in listing.splitlines()[1:]]
    servers = {pid for pid, parent, _, _ in found if parent == str(os.getpid())}
    return {
        pid: seconds for pid, parent, seconds, how in found if parent in servers and "spawn_main" in how
    }


BAD: list[tuple[str, bytes, int, str]] = [
    ("/v1/equity", b'{"hands": ["AsKx"]}', 400, "AsKx: column 4: expected a suit"),
    ("/v1/equity", b'{"hands": ["AsKs", "AsQd"]}', 400, "As"),
    ("/v1/equity", b'{"hands": []}', 422, "hands: "),
    ("/v1/equity", b'{"hands": ["AA"], "oponents": 3}', 422, "oponents: Extra inputs"),
    ("/v1/equity", b'{"hands": ["AA"], "opponents": 99}', 422, "opponents: "),
    ("/v1/equity", b'{"hands": ["AA"], "seed": 1e999}', 422, "seed: "),
    ("/v1/equity", b'{"hands": ["AA"], "samples": ' + b"9" * 5000 + b"}", 400, ""),
    ("/v1/equity", b"[" * 30000 + b"]" * 30000, 400, ""),
    ("/v1/equity", b"\xff\xfe", 422, ""),
    ("/v1/equity", b"", 422, ""),
    ("/v1/range", b'{"text": "22+,ZZ"}', 400, "ZZ"),
    ("/v1/range", b'{"text": "' + b"(" * 5000 + b'"}', 400, ""),
    ("/v1/kelly", b'{"hand": "AsAs", "opponents": 1, "bankroll": 5}', 400, "As"),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": 1, "bankroll": -5}', 422, "bankroll: "),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": 23, "bankroll": 5}', 422, "opponents.number: "),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": [], "bankroll": 5}', 422, "opponents.list: "),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": [1], "bankroll": 5}', 422, "opponents.list.0: "),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": "QQ", "bankroll": 5}', 422, "opponents.number: "),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": ["AsKs"], "bankroll": 5}', 400, "As"),
    (
        "/v1/kelly",
        b'{"hand": "AsAh", "opponents": 1, "bankroll": 5, "stack": 6}',
        400,
        "stack 6.0: more than the bankroll 5.0",
    ),
    (
        "/v1/kelly",
        b'{"hand": "AsAh", "opponents": 1, "bankroll": 5, "to_call": 3, "pot": 2}',
        400,
        "to_call 3.0: more than the pot 2.0",
    ),
    ("/v1/kelly", b'{"hand": "AsAh", "opponents": 1, "bankroll": 1e400}', 422, "bankroll: "),
    ("/v1/nothing", b"{}", 404, ""),
]


@pytest.mark.parametrize(("way", "body", "status", "says"), BAD)
def test_bad_requests(address: str, way: str, body: bytes, status: int, says: str) -> None:
    found, headers, text = request(address, way, body)
    assert (found, headers["content-type"]) == (status, "application/problem+json")
    problem = json.loads(text)
    assert says in problem["detail"] and problem["status"] == status
    assert "Traceback" not in text.decode() and "/" not in problem["detail"].split(":")[0]


@pytest.mark.parametrize(
    ("way", "body"),
    [
        ("/v1/equity", b'{"hands": ["AsKs"]}'),
        ("/v1/equity/stream", b'{"hands": ["AsKs"]}'),
        ("/v1/range", b'{"text": "AA"}'),
        ("/v1/kelly", b'{"hand": "AsAh", "opponents": 1, "bankroll": 5}'),
    ],
)
def test_bodies_say_that_they_are_json(address: str, way: str, body: bytes) -> None:
    for kind, found in (
        ("", "none"),
        ("text/plain", "text/plain"),
        ("application/x-www-form-urlencoded", "application/x-www-form-urlencoded"),
        ("application/jsonp; charset=utf-8", "application/jsonp"),
    ):
        status, headers, text = request(address, way, body, content_type=kind)
        assert (status, headers["content-type"]) == (415, "application/problem+json")
        says = f"Content-Type: expected application/json, found {found}"
        assert json.loads(text)["detail"] == says
    for kind in ("application/json", "Application/JSON; charset=utf-8", "application/vnd.poker+json"):
        assert request(address, way, body, content_type=kind)[0] == 200


def test_every_post_says_so(address: str) -> None:
    _, _, body = request(address, "/v1/openapi.json", method="GET")
    ways = [way for way, methods in json.loads(body)["paths"].items() if "post" in methods]
    assert ways and all(request(address, way, b"{}", content_type="")[0] == 415 for way in ways)


@pytest.mark.parametrize(
    ("way", "status"),
    [
        ("/v1/tables/../rows?hand=AA", 422),
        ("/v1/tables/..%2f..%2fetc/rows?hand=AA", 404),
        ("/v1/tables/Flop/rows?hand=AA", 422),
        ("/v1/tables/none/rows?hand=AA", 404),
        ("/v1/tables/preflop-random/rows", 422),
        ("/v1/tables/preflop-random/rows?hand=ZZ", 400),
        ("/v1/boards/2s7d/equities", 400),
        ("/v1/boards/2s2s7d/equities", 400),
        ("/../pyproject.toml", 404),
        ("/app.py", 404),
    ],
)
def test_bad_places(address: str, way: str, status: int) -> None:
    found, headers, text = request(address, way, method="GET")
    assert found == status, text
    assert headers["content-type"] == "application/problem+json"


def test_only_the_page_itself_may_ask(address: str) -> None:
    own = urlsplit(address).netloc
    question = {"hands": ["AsKs"], "board": "2s7d9h"}
    assert ask(address, question, origin=f"http://{own}")[0] == 200
    odd = ("http://[", "http://[::1", "http://\xff", "//", "http:// x")
    for origin in ("http://evil.example", "null", f"http://{own}.evil.example", *odd):
        status, problem = ask(address, question, origin=origin)
        assert status == 403 and problem["type"].endswith("origin")
    for host in ("evil.example", "localhost.evil.example:80", "[::2]", ""):
        assert ask(address, question, host=host or "x")[0] == 403
    assert ask(address, question, host="localhost:1")[0] == 200
    evil: Any = "http://evil.example"
    with (
        pytest.raises((InvalidStatus, ConnectionClosed)),
        connect(address.replace("http", "ws") + "/v1/socket", origin=evil) as link,
    ):
        link.recv(timeout=PATIENCE)


def test_the_header_says_what_a_page_may_do(address: str) -> None:
    for way, status in (("/", 200), ("/v1/tables", 200), ("/nothing", 404), ("/" + 40_000 * "a", 431)):
        found, headers, _ = request(address, way, method="GET")
        assert found == status and "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff" and "server" not in headers
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"


@pytest.mark.parametrize("site", ["cross-site", "same-site", "Same-Origin", "else"])
def test_other_sites_may_only_link_to_the_page(address: str, site: str) -> None:
    link = {"sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
    for way in ("/v1/boards/2s7d9h/equities", "/v1/tables/preflop-random/rows?hand=AA", "/metrics"):
        for more in ({}, link):
            status, headers, body = request(address, way, method="GET", sec_fetch_site=site, **more)
            assert (status, json.loads(body)["detail"]) == (403, "pages of other sites may not ask")
            assert headers["cross-origin-resource-policy"] == "same-origin"
    for way in ("/", "/style.css"):
        assert request(address, way, method="GET", sec_fetch_site=site, **link)[0] == 200
        for more in ({}, {**link, "sec_fetch_dest": "iframe"}, {"sec_fetch_mode": "no-cors"}):
            assert request(address, way, method="GET", sec_fetch_site=site, **more)[0] == 403
    assert ask(address, {"hands": ["AsKs"]}, sec_fetch_site=site)[0] == 403
    for own in ("same-origin", "none"):
        assert ask(address, {"hands": ["AsKs"]}, sec_fetch_site=own)[0] == 200
    evil = {"Sec-Fetch-Site": site}
    with (
        pytest.raises((InvalidStatus, ConnectionClosed)),
        connect(address.replace("http", "ws") + "/v1/socket", additional_headers=evil) as socket,
    ):
        socket.recv(timeout=PATIENCE)


def test_equities_of_a_board_are_priced_kept_and_computed_once(
    address: str, client: gpuodds.Client, tmp_path: Path
) -> None:
    with ThreadPoolExecutor(4) as pool:
        boards = ["3s8d9h", "9h8d3s", "3c8h9d", "3s8d9h"]
        found = list(pool.map(lambda board: client.equities(board, 3)["equities"], boards))
    computed = metric(address, 'gpuodds_jobs_total{kind="by-holding"}')
    for board, equities in zip(boards, found, strict=True):
        assert client.equities(board, 3)["equities"] == equities
        batch = gpuodds.equity_batch(
            [read_cards(hand) for hand in equities],
            [read_cards(board)] * len(equities),
            opponents=3,
            backend="cpu",
        )
        assert list(equities.values()) == batch.equity[:, 2].tolist()
        hands = [combo_index(*read_cards(hand)) for hand in equities]
        assert len(hands) == 1176 and hands == sorted(hands)
    assert metric(address, 'gpuodds_jobs_total{kind="by-holding"}') == computed
    client.equities("3s8d9h", 2)
    assert metric(address, 'gpuodds_jobs_total{kind="by-holding"}') == computed + 1
    with serving(tmp_path, "--time-limit", "1") as other:
        way = "/v1/boards/2s7d9h/equities?opponents=%d"
        assert request(other, way % 1, method="GET")[0] == 200
        status, _, body = request(other, way % 22, method="GET")
        problem = json.loads(body)
        assert (status, problem["limit_seconds"]) == (422, 1) and problem["estimate_seconds"] > 1


def test_bodies_have_a_size(address: str) -> None:
    status, _, body = request(address, "/v1/equity", b'{"hands": ["' + b"A" * 70000 + b'"]}')
    assert status == 413 and json.loads(body)["detail"] == "a body has 65,536 bytes at most"
    # In pieces, without saying how long it will be.
    head = f"POST /v1/equity HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n"
    head += "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
    assert raw(address, head.encode() + 5 * chunk).startswith(b"HTTP/1.1 413")


def test_slow_senders_are_let_go(address: str) -> None:
    host = f"Host: {urlsplit(address).netloc}\r\n"
    head = (
        f"POST /v1/equity HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 100\r\n"
    )
    whole = f"GET /healthz HTTP/1.1\r\n{host}\r\n"
    sent = {
        head + "\r\n{": b"HTTP/1.1 408",
        head: b"HTTP/1.1 408",
        "": b"",
        "\r\n": b"",
        whole + "\r\n": b"HTTP/1.1 200",
        whole + head: b"HTTP/1.1 200",
    }
    begin = time.monotonic()
    links = [connected(address, data.encode()) for data in sent]
    for link, expected in zip(links, sent.values(), strict=True):
        with link:
            found = b""
            while block := link.recv(65536):  # until the server closes it
                found += block
            assert found.startswith(expected) and bool(found) == bool(expected)
            if expected.endswith(b"408"):
                assert b"application/problem+json" in found and time.monotonic() - begin > 8


def test_a_flood_is_survived(address: str) -> None:
    def one(number: int) -> int:
        board = f"{'23456789'[number % 8]}c{'TJQK'[number % 4]}h{'23456789'[number // 8 % 8]}d"
        return ask(address, {"hands": ["AsKs"], "opponents": 1 + number % 9, "board": board})[0]

    with ThreadPoolExecutor(32) as pool:
        found = set(pool.map(one, range(200)))
    assert 200 in found and found <= {200, 429}
    assert idle_within(address)


@pytest.mark.parametrize("token", ["se cret", "schl\xfcssel \u4e2d"])
def test_a_token_opens_it(tmp_path: Path, token: str) -> None:
    with serving(tmp_path, "--host", "0.0.0.0", GPUODDS_TOKEN=token) as address:
        address = address.replace("0.0.0.0", "127.0.0.1")
        asked = {"hands": ["AsKs"]}
        assert ask(address, asked)[0] == 401
        shown = token.encode().decode("latin-1")
        for wrong in ("Bearer wrong", "Bearer \xff", "Bearer", f"Basic {shown}", shown):
            assert ask(address, asked, authorization=wrong)[0] == 401
        for scheme in ("Bearer", "bearer", "BEARER  "):
            assert ask(address, asked, authorization=f"{scheme} {shown}")[0] == 200
        with gpuodds.Client(address, token=token) as client:
            assert client.equity("AsKs")["exact"]
        way = address.replace("http", "ws") + "/v1/socket"
        for query in ("", "?token=%ff", "?token=se%20cre"):
            with pytest.raises((InvalidStatus, ConnectionClosed)), connect(way + query) as link:
                link.recv(timeout=PATIENCE)
        with connect(f"{way}?token={quote(token)}") as link:
            link.send(json.dumps({"id": "1", "question": {"hands": ["AsKs"]}}))
            assert json.loads(link.recv(timeout=PATIENCE))["type"] == "answer"
        assert request(address, "/healthz", method="GET")[0] == 200
        assert request(address, "/metrics", method="GET")[0] == 401


HEADS = {
    "one header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + 2_000_000 * b"x",
    "many headers": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + 200_000 * b"X: y\r\n",
    "a name": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + 2_000_000 * b"x",
    "the path": b"GET /" + 2_000_000 * b"x",
    "whole at once": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + 40_000 * b"x" + b"\r\n\r\n",
}


@pytest.mark.parametrize("data", HEADS.values(), ids=HEADS)
def test_heads_have_a_size(address: str, data: bytes) -> None:
    found, problem = sent_whole(address, data), b""
    head, _, problem = found.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 Request Header Fields Too Large")
    assert json.loads(problem)["detail"] == "a head has 32,768 bytes at most"
    assert ask(address, {"hands": ["AsKs"]}, x_long=30_000 * "x")[0] == 200


def sent_whole(address: str, data: bytes) -> bytes:
    """Send as much as the server takes; return its answer."""
    with connected(address) as link, ThreadPoolExecutor(1) as pool:

        def read() -> bytes:
            found = b""
            with suppress(ConnectionError):
                while block := link.recv(65536):
                    found += block
            return found

        answer = pool.submit(read)
        with suppress(ConnectionError):
            link.sendall(data)
        return answer.result(PATIENCE)


FRAMES = {
    "small chunks": 300_000 * b"1\r\n \r\n",
    "extensions": 1000 * (b"1;" + 3000 * b"x" + b"\r\n \r\n"),
    "trailers": b"0\r\n" + 200_000 * b"X: y\r\n",
    "a trailer": b"0\r\nX: " + 2_000_000 * b"x",
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_the_frame_of_a_body_has_a_size(address: str, frame: bytes) -> None:
    head = f"POST /v1/equity HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n"
    head += "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    found = sent_whole(address, head.encode() + frame)
    assert found.startswith((b"HTTP/1.1 413", b"HTTP/1.1 400")) and found.count(b"HTTP/1.1") == 1
    assert b"application/problem+json" in found


def test_what_is_no_http_is_a_problem(address: str) -> None:
    found = raw(address, b"nonsense\r\n\r\n")
    assert found.startswith(b"HTTP/1.1 400") and b"application/problem+json" in found


def test_idle_connections_make_room(address: str) -> None:
    before = metric(address, 'gpuodds_refused_total{reason="idle"}')
    with ExitStack() as links:
        for _ in range(700):
            links.enter_context(connected(address))
        for _ in range(20):
            assert ask(address, {"hands": ["AsKs"], "board": "2s7d9h"})[0] == 200
        assert metric(address, 'gpuodds_refused_total{reason="idle"}') >= before + 200


def test_busy_connections_do_not(tmp_path: Path) -> None:
    """Where every connection has a request that is being answered, more are refused with a problem."""
    with serving(tmp_path, "--workers", "1") as address, ExitStack() as links:
        for _ in range(500):
            links.enter_context(posted(address, {**LONG, "board": "2c8h9s"}))
        found = raw(address, b"")
        assert found.startswith(b"HTTP/1.1 503") and b"retry-after: 1" in found.lower()
        assert b"application/problem+json" in found and b"too many connections" in found


def test_one_port_serves_one(tmp_path: Path, address: str) -> None:
    command = [sys.executable, "-m", "gpuodds", "serve", "--cache", "memory", "--backend", "cpu"]
    port = urlsplit(address).port
    done = subprocess.run([*command, "--port", str(port)], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    says = f"--port {port}: in use; choose another, or --port 0 for any that is free\n"
    assert done.stderr == f"gpuodds: {says}"


def test_stopping_lets_work_end(tmp_path: Path) -> None:
    question = {"hands": ["15%", "30%", "random"], "board": "2s7d9h", "method": "exact"}
    with ThreadPoolExecutor(1) as pool:
        with serving(tmp_path) as address:
            asked = pool.submit(ask, address, question)
            wait_until(lambda: metric(address, "gpuodds_cache_misses") == 1)
        status, answer = asked.result(PATIENCE)
    assert (status, status == 200 and answer["exact"]) in ((200, True), (503, False))


@pytest.mark.parametrize("where", ["file", "redis"])
def test_answers_outlive_the_server(tmp_path: Path, where: str) -> None:
    cache = str(tmp_path / "answers.sqlite")
    stop = None
    if where == "redis":
        if shutil.which("redis-server") is None:
            pytest.skip("redis-server is not installed")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        stop = subprocess.Popen(
            ["redis-server", "--port", str(port), "--save", "", "--dir", str(tmp_path)],
            stdout=subprocess.DEVNULL,
        )
        cache = f"redis://127.0.0.1:{port}/0"
        wait_until(lambda: listens(port))
    try:
        question = {"hands": ["AsKs", "QQ"], "board": "2s7d9h"}
        times = []
        for turn in range(2):
            with serving(tmp_path, "--cache", cache) as address:
                status, answer = ask(address, question)
                times.append(answer["seconds"])
                assert status == 200
                assert metric(address, "gpuodds_cache_hits") == turn
                if stop is not None and turn == 1:
                    # Without its store the server goes on.
                    stop.terminate()
                    stop.wait()
                    assert ask(address, {**question, "board": "2s7d9d"})[0] == 200
                    assert metric(address, "gpuodds_cache_failures") >= 1
        assert times[0] == times[1]
    finally:
        if stop is not None:
            stop.terminate()


def listens(port: int) -> bool:
    with socket.socket() as link:
        return link.connect_ex(("127.0.0.1", port)) == 0


def test_openapi_has_examples(address: str) -> None:
    _, _, body = request(address, "/v1/openapi.json", method="GET")
    schema = json.loads(body)
    assert schema["components"]["schemas"]["EquityRequest"]["examples"][0]["hands"] == ["AsKs"]
    assert {"/v1/equity", "/v1/equity/stream", "/v1/range", "/v1/kelly", "/v1/tables"} <= set(
        schema["paths"]
    )
