"""Reports on every flop and every turn card over HTTP: the library's rows, cached and cancelled."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from server_fixture import ask, idle_within, metric, posted, request, serving, serving_here, wait_until

import gpuodds
from gpuodds.methods.method import Machine
from gpuodds.results.reports.board_report import BoardReport
from gpuodds.server.reading.costs import report_cost
from gpuodds.server.reading.packed import unpacked
from gpuodds.server.reading.parsed import ReportRequest
from gpuodds.server.requests import FlopsRequest, TurnsRequest
from gpuodds.server.settings import Settings

pytestmark = pytest.mark.slow

FLOPS: dict[str, Any] = {"hands": ["QQ+,AK", "22+,A2s+"]}
TURNS: dict[str, Any] = {"hands": ["QQ+,AK", "22+,A2s+"], "board": "2s7d9h"}
REPORTS: list[tuple[str, dict[str, Any]]] = [
    ("flops", FLOPS),
    ("flops", {"hands": ["AsKs"], "dead": "Qs"}),
    ("flops", {"hands": ["99+", "AKs"], "game": "short-deck"}),
    ("turns", TURNS),
    ("turns", TURNS | {"hands": ["QQ+,AK:0.5", "22+,A2s+"]}),
    ("turns", {"hands": ["AsKs", "QhQd", "22+"], "board": "2s7d9s"}),
    ("turns", {"hands": ["AsAhKsKh", "7c8c9dTd"], "board": "2s7d9h", "game": "omaha8"}),
]
WIDE: dict[str, Any] = {"hands": ["AA**", "KK**"], "game": "omaha"}  # takes minutes


@pytest.fixture
def client(address: str) -> Iterator[gpuodds.Client]:
    with gpuodds.Client(address) as found:
        yield found


def report_of(path: str, body: dict[str, Any]) -> BoardReport:
    count: Any = gpuodds.flop_report if path == "flops" else gpuodds.turn_report
    report: BoardReport = count(**body, backend="cpu")
    return report


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "seconds"}


@pytest.mark.parametrize(("path", "body"), REPORTS)
def test_reports_are_those_of_the_library(
    client: gpuodds.Client, address: str, path: str, body: dict[str, Any]
) -> None:
    report = report_of(path, body)
    expected = without_time(report.to_dict())
    jobs = metric(address, 'gpuodds_jobs_total{kind="report"}')
    for _ in range(2):  # computed, then cached
        assert without_time(getattr(client, path)(**body)) == expected
    assert metric(address, 'gpuodds_jobs_total{kind="report"}') == jobs + 1
    assert expected["schema"] == "gpuodds.board_report/1" and expected["street"] == path[:-1]
    assert expected["players"] == [player.to_dict() for player in report.players]
    for row, full in zip(expected["rows"], report.to_dicts(), strict=True):
        assert row == {name: value for name, value in full.items() if "exact" not in name}


def test_other_words_share_a_report(client: gpuodds.Client, address: str) -> None:
    first = client.turns(**TURNS, dead="3c4c")
    jobs = metric(address, 'gpuodds_jobs_total{kind="report"}')
    other = {"hands": ["AK,QQ+", "A2s+, 22+"], "board": "9h2s7d", "dead": "4c3c"}
    found = client.turns(**other)
    assert metric(address, 'gpuodds_jobs_total{kind="report"}') == jobs
    assert found == first | {
        "hands": other["hands"],
        "board": "9h2s7d",
        "dead": "4c3c",
        "players": [
            {**player, "hand": hand}
            for player, hand in zip(first["players"], other["hands"], strict=True)
        ],
    }
    noted = client.turns(**TURNS | {"hands": ["QQ+,AK", "76s+"]})
    assert noted["notes"] == list(report_of("turns", TURNS | {"hands": ["76s+", "AA"]}).spot.notes)
    assert "notes" not in client.turns(**TURNS | {"hands": ["QQ+,AK", "76s"]})


def test_keys() -> None:
    def key(**body: Any) -> str:
        kind = TurnsRequest if "board" in body else FlopsRequest
        return ReportRequest(kind.model_validate(body)).key

    keys = [
        key(**FLOPS),
        key(hands=FLOPS["hands"][::-1]),
        key(**FLOPS, dead="As"),
        key(**FLOPS, dead="Ah"),
        key(**FLOPS, opponents=1),
        key(**FLOPS, board="2s7d9h"),
        key(**FLOPS, board="2h7d9s"),
        key(hands=["QQ+,AK:0.6", "22+,A2s+"]),
    ]
    assert len({*keys}) == len(keys)
    assert key(hands=["AsKs", "22"], dead="3c2c") == key(hands=["KsAs", "22"], dead="2c3c")


def test_the_same_report_is_computed_once(address: str, client: gpuodds.Client) -> None:
    body = FLOPS | {"dead": "2c3h"}
    jobs = metric(address, 'gpuodds_jobs_total{kind="report"}')
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: client.flops(**body), range(4)))
    assert metric(address, 'gpuodds_jobs_total{kind="report"}') == jobs + 1
    assert all(one == found[0] for one in found)


def test_for_coroutines(address: str) -> None:
    async def both() -> tuple[Any, Any]:
        async with gpuodds.AsyncClient(address) as client:
            return await client.flops(**FLOPS), await client.turns(**TURNS)

    flops, turns = asyncio.run(both())
    assert sum(row["weight"] for row in flops["rows"]) == 22_100
    assert sum(row["weight"] for row in turns["rows"]) == 49


@pytest.mark.parametrize(
    ("path", "body", "status", "detail"),
    [
        ("flops", {"hands": ["QQ+", "22x"]}, 400, "22x: column 3"),
        ("flops", {"hands": ["AsKs", "AsQs"]}, 400, "As: the same card"),
        ("flops", {"hands": ["AsKs"], "opponents": 0}, 400, "one hand and no opponents"),
        ("flops", {"hands": ["AsKs"], "game": "badugi"}, 400, "game badugi: expected one of"),
        ("flops", {"hands": []}, 422, "hands: "),
        ("flops", {"hands": ["A" * 30_000]}, 422, "hands.0: "),
        ("flops", FLOPS | {"board": "2s7d9h"}, 422, "board: "),
        ("turns", FLOPS, 422, "board: "),
        ("turns", FLOPS | {"board": "2s7d"}, 400, "board 2s7d: expected three cards"),
        ("turns", FLOPS | {"board": "2s2s7d"}, 400, "2s2s7d: column 3"),
        ("turns", {"hands": ["AA", "KsKh"], "board": "AcAdAh"}, 400, "AA: every hand of the range"),
        ("turns", {"hands": ["AA", "AA", "AA"], "board": "2s7d9h"}, 400, "cannot be dealt"),
        ("flops", {"hands": ["90%"] * 3}, 422, "counting would take about"),
        ("flops", {"hands": ["90%"] * 9}, 400, "no method counts this spot on each board"),
        ("flops", WIDE, 422, "counting would take about"),
        ("flops", WIDE | {"game": "omaha6", "hands": ["AA****", "KK****"]}, 422, "MiB, the limit"),
    ],
)
def test_refusals(address: str, path: str, body: dict[str, Any], status: int, detail: str) -> None:
    found, problem = ask(address, body, f"/v1/{path}")
    assert (found, problem["status"]) == (status, status) and detail in problem["detail"]
    assert "\n" not in problem["detail"]
    if "too-expensive" in problem["type"] and "MiB" not in detail:
        assert problem["estimate_seconds"] > problem["limit_seconds"] == 10


def test_a_body_has_to_be_json(address: str) -> None:
    body = json.dumps(FLOPS).encode()
    assert request(address, "/v1/flops", body, content_type="text/plain")[0] == 415


def test_costs_depend_on_threads_and_boards() -> None:
    def seconds(threads: int, **body: Any) -> float:
        kind = TurnsRequest if "board" in body else FlopsRequest
        asked = ReportRequest(kind.model_validate(body))
        machine, limits = Machine(threads, has_gpu=False), Settings(time_limit=1e9)
        return report_cost(asked.body, unpacked(asked.spot), limits, machine).seconds

    wide = WIDE | {"board": "2s7d9h"}
    for body in (FLOPS, TURNS, {"hands": ["15%", "AA", "KK"], "board": "2s7d9h"}, wide):
        assert 0 < seconds(4, **body) < seconds(1, **body)
    wide, narrow = {"hands": ["50%", "80%"]}, {"hands": ["QQ+,AK", "22+"]}
    weighted = {"hands": ["50%:0.5", "80%"]}
    assert seconds(1, **narrow) < seconds(1, **wide) < 10 < seconds(1, **weighted)
    assert seconds(1, **TURNS) < seconds(1, **FLOPS)


def test_leaving_stops_the_computation() -> None:
    with serving_here(Settings(time_limit=3600, cache="memory", backend="cpu", workers=1)) as address:
        wait_until(lambda: request(address, "/healthz", method="GET")[0] == 200, 300)
        link = posted(address, WIDE, "/v1/flops")
        wait_until(lambda: metric(address, "gpuodds_jobs_running") == 1)
        link.close()
        assert idle_within(address)


def test_a_report_outlives_the_server(tmp_path: Any) -> None:
    cache = "--cache", str(tmp_path / "answers.sqlite")
    found, computed = [], []
    for _ in range(2):
        with serving(tmp_path, *cache) as address, gpuodds.Client(address) as client:
            found.append(client.turns(**TURNS))
            computed.append(
                "gpuodds_jobs_total{" in request(address, "/metrics", method="GET")[2].decode()
            )
            assert metric(address, "gpuodds_cache_failures") == 0
    assert computed == [True, False] and found[0] == found[1]
