"""The calculation server, from outside: answers, streams, deadlines."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from json_client import JsonClient
from server_fixture import (
    LONG,
    PATIENCE,
    TEN_SEATS,
    ask,
    idle_within,
    metric,
    posted,
    request,
    serving,
    socket_address,
    wait_until,
)
from websockets.sync.client import connect

import gpuodds
from gpuodds.betting import kelly_bet
from gpuodds.client import ServerError
from gpuodds.errors import InputError
from gpuodds.games.shared.combos import combo_index
from gpuodds.spots.hands import read_cards
from gpuodds.tables.open import SHIPPED

REQUESTS = 'gpuodds_request_seconds_count{way="%s"}'


@pytest.fixture
def client(address: str) -> Iterator[JsonClient]:
    with JsonClient(address) as found:
        yield found


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name not in ("seconds", "notes")}


SPOTS: list[tuple[list[str], dict[str, Any]]] = [
    (["AsKs"], {"opponents": 3}),
    (["AsKs"], {"opponents": 3, "table": False}),
    (["AsKs", "QhQd"], {}),
    (["QhQd", "AsKs"], {"board": "2s7d9h", "opponents": 2}),
    (["QQ+,AK", "22+,A2s+"], {}),
    (["QQ+,AK", "22+,A2s+"], {"board": "2s7d9h"}),
    (["22+,A2s+", "AsKs", "QQ+,AK"], {"board": "2s7d9h", "dead": "3c"}),
    (["QQ,AKs", "JTs:0.5"], {"board": "2s7d9hTc", "by_hand": True}),
    (["AsKs", "QQ"], {"board": "2s7d9h", "made_hands": True}),
    (["AsKs", "QhQd"], {"board": "2s7d9h", "folded": ["22+,A2s+", "random"]}),
    (["QQ,AKs", "JTs"], {"board": "2s7d9hTc", "folded": ["AhAd,AcAd,KK"]}),
    (["random", "AsKs", "random"], {}),
    (["AA", "random", "random"], {"board": "2s7d9hTcJc"}),
    (["60%"] * 6, {"board": "2s7d9h"}),
]


@pytest.mark.parametrize(("hands", "options"), SPOTS)
def test_answers_are_those_of_the_library(
    client: JsonClient, hands: list[str], options: dict[str, Any]
) -> None:
    expected = without_time(gpuodds.equity(hands, **options, backend="cpu").to_dict())
    for _ in range(2):  # computed, then cached
        assert without_time(client.equity(hands, **options)) == expected


def test_requests_up_to_suits_and_order_share_an_answer(client: JsonClient, address: str) -> None:
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


def test_folded_players_up_to_suits_and_order_share_an_answer(client: JsonClient) -> None:
    one = client.equity(["AsKs", "QhQd"], board="2s7d9h", folded=["JJ,AcAd", "A2s+"])
    two = client.equity(["QcQd", "AsKs"], board="2s7d9c", folded=["A2s+", "AhAd,JJ"], explain=True)
    assert one["outcomes"] == two["outcomes"] and two["folded"] == ["A2s+", "AhAd,JJ"]
    assert [p["equity"] for p in one["players"]] == [p["equity"] for p in two["players"]][::-1]
    assert [row["method"] for row in two["explanation"] if row["chosen"]] == ["cache"]
    assert "explanation" not in one
    other = client.equity(["AsKs", "QhQd"], board="2s7d9h", folded=["JJ,AcAd", "A3s+"])
    assert other["outcomes"] != one["outcomes"]
    fresh = client.equity(["AsKs", "QhQd"], board="2s7d9h", folded=["TT"], explain=True)
    chosen = [row["method"] for row in fresh["explanation"] if row["chosen"]]
    assert chosen and chosen != ["cache"] and fresh["assumed"]
    with pytest.raises(gpuodds.InputError, match="the same card is in AsKs and folded AsAd"):
        client.equity(["AsKs", "QhQd"], folded=["AsAd"])


def test_by_hand_in_other_suits(client: JsonClient) -> None:
    for board in ("2s7d9h", "2h7c9s"):
        found = client.equity(["QQ,AsKs", "JTs"], board=board, by_hand=True)
        assert without_time(found) == without_time(
            gpuodds.equity(["QQ,AsKs", "JTs"], board=board, by_hand=True, backend="cpu").to_dict()
        )


@pytest.mark.parametrize(
    ("hands", "options"),
    [SPOTS[3], SPOTS[5], SPOTS[6], SPOTS[9], pytest.param(*SPOTS[4], marks=pytest.mark.slow)],
)
def test_a_stream_ends_with_the_plain_answer(
    address: str, hands: list[str], options: dict[str, Any]
) -> None:
    options = {**options, "dead": "4d"}
    with JsonClient(address) as client:
        events = list(client.stream(hands, **options))
        assert events[-1][0] == "answer"
        assert {name for name, _ in events[:-1]} <= {"estimate", "progress"}
        exact = without_time(gpuodds.equity(hands, **options, backend="cpu").to_dict())
        assert without_time(events[-1][1]) == exact
        for name, value in events[:-1]:
            if name == "estimate":
                for player, truth in zip(value["players"], exact["players"], strict=True):
                    assert player["hand"] == truth["hand"]
                    assert abs(player["equity"] - truth["equity"]) < 6 * player["standard_error"]
        # Cached: the answer at once.
        assert [name for name, _ in client.stream(hands, **options)] == ["answer"]


def test_sampled_answers_are_not_cached(client: JsonClient) -> None:
    asked = {"method": "monte-carlo", "samples": 10_000, "board": "2s7d9c"}
    one = client.equity(["AsKs", "QQ"], **asked, seed=1)
    two = client.equity(["AsKs", "QQ"], **asked, seed=2)
    assert not one["exact"] and one["players"][0]["equity"] != two["players"][0]["equity"]
    assert client.equity(["AsKs", "QQ"], board="2s7d9c")["exact"]


def test_expensive_requests_are_refused_or_sampled(address: str) -> None:
    long = {"hands": [*["60%"] * 5, "50%"], "board": "2s7d9h"}
    status, problem = ask(address, {**long, "method": "exact", "time_limit": 0.01})
    assert status == 422 and problem["type"].endswith("too-expensive")
    assert "let method be auto" in problem["detail"] and problem["limit_seconds"] == 0.01
    status, answer = ask(address, {**long, "time_limit": 0.01, "samples": 1000})
    assert status == 200 and answer["method"] == "monte-carlo"
    status, problem = ask(address, {"hands": ["AA", "KK"], "method": "monte-carlo", "samples": 10**9})
    assert status == 422 and problem["estimate_seconds"] > 10


def test_a_deadline_is_kept(address: str) -> None:
    begin = time.monotonic()
    status, problem = ask(address, {**LONG, "board": "5c8h9s", "deadline": 0.5})
    assert status == 504 and problem["detail"] == "no answer within 0.5 s"
    assert time.monotonic() - begin < 20 and idle_within(address)


def errors(found: dict[str, Any]) -> list[float]:
    return [player["standard_error"] for player in found["players"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    "spot",
    [
        {**TEN_SEATS, "samples": 10**7, "deadline": 2},
        pytest.param(
            {**TEN_SEATS, "method": "monte-carlo", "samples": 10**7, "deadline": 2},
            marks=pytest.mark.weekly,
        ),
    ],
)
def test_ten_seats_are_answered_by_the_deadline(client: JsonClient, spot: dict[str, Any]) -> None:
    begin = time.monotonic()
    names, values = zip(*client.stream(**spot), strict=True)
    assert time.monotonic() - begin < 8  # 10 s where no deadline is given
    assert names[-1] == "answer" and "estimate" in names[:-1]
    final = values[-1]
    assert (final["method"], final["exact"]) == ("monte-carlo", False)
    sampled = [found for name, found in zip(names, values, strict=True) if name != "progress"]
    assert int(final["outcomes"]) >= int(sampled[-2]["outcomes"])
    for before, after in pairwise(sampled):
        for one, two in zip(errors(before), errors(after), strict=True):
            assert 0 < two <= one


def test_a_stream_never_loses_its_estimates(client: JsonClient, address: str) -> None:
    """At the deadline the last estimate is the answer; with ``samples`` whatever its error."""
    spot = dict[str, Any](LONG, board="6c8h9s", samples=1000, deadline=1.5)
    events = list(client.stream(**spot))
    estimates = [found for name, found in events if name == "estimate"]
    assert events[-1] == ("answer", estimates[-1]) and not estimates[-1]["exact"]
    assert idle_within(address)


def test_a_seed_with_a_time_limit(client: JsonClient) -> None:
    spot: dict[str, Any] = {"hands": ["15%", "30%", "60%", "random"], "seed": 1, "time_limit": 1}
    with pytest.raises(InputError, match="give samples or standard_error with a seed"):
        client.equity(**spot)
    *_, (name, found) = client.stream(**spot)
    assert name == "answer" and not found["exact"]
    wanted = {**spot, "time_limit": None, "samples": 30_000}
    expected = gpuodds.equity(**wanted, backend="cpu").to_dict()
    *_, (_, found) = client.stream(**wanted)
    assert found["players"] == client.equity(**wanted)["players"] == expected["players"]


def test_ranges_bets_tables_and_boards(client: JsonClient) -> None:
    found = client.range("22+,AK:0.5")
    assert found["schema"] == "gpuodds.range/1" and found["combos"] == 13 * 6 + 16 * 0.5
    assert found["grid"][0][:3] == [1, 0.5, 0] and found["grid"][1][:2] == [0.5, 1]
    bet = client.kelly("QdQs", board="2s7d9h", opponents=2, bankroll=5000, pot=100)
    assert bet["bet_chips"] == 2514 and bet["schema"] == "gpuodds.kelly/1"
    bet = client.kelly("QdQs", board="2s7d9h", opponents=2, bankroll=5000, stack=900, pot=100)
    assert bet["bet_chips"] == 900 and bet["stack"] == 900.0
    assert [table["name"] for table in client.tables()["tables"]] == [*SHIPPED]
    (row,) = client.rows("preflop-heads-up", "AsKs", "QhQd")["rows"]
    assert (row["win_a"], row["win_b"], row["tie"]) == (787966, 917606, 6732)
    rows = client.rows("preflop-random", "AKs")["rows"]
    assert rows[2]["win"] == 104924135261847 and len(rows) == 22
    equities = client.equities("2s7d9h", 2)["equities"]
    assert len(equities) == 1176
    exact = gpuodds.equity("AsKs", board="2s7d9h", opponents=2, backend="cpu").equity
    assert equities["AsKs"] == pytest.approx(exact, abs=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opponents", "options"),
    [
        (["QQ+,AK"], {}),
        (["QQ+,AK", "8c7c", "random", "random"], {"to_call": 50}),
        (["QQ+,AK", "random"], {"fold": 0.3, "stacks": [200, None]}),
        (["60%", "70%", "80%"], {"fold": 0.3, "stacks": [200, None, None]}),
    ],
)
def test_bets_against_hands_and_ranges(
    client: JsonClient, opponents: list[str], options: dict[str, Any]
) -> None:
    asked = {"opponents": opponents, "board": "2s7d9h", "bankroll": 1000, "pot": 400, **options}
    expected = kelly_bet("JdJs", **asked, backend="cpu").to_dict()
    assert expected["against"] == opponents
    assert client.kelly("JdJs", **asked) == expected


def test_bets_are_bounded(client: JsonClient, address: str) -> None:
    spot = {"board": "2s7d9h", "bankroll": 1000}
    with pytest.raises(InputError, match=r"^QQx: column 3"):
        client.kelly("QQx", opponents=1, **spot)
    with pytest.raises(InputError, match=r"^ZZ: column 1"):
        client.kelly("JdJs", opponents=["AA", "ZZ"], **spot)
    with pytest.raises(InputError, match=r"^sampling would take about .* s, the limit is 10 s: give"):
        client.kelly("JdJs", opponents=["60%"] * 9, fold=0.3, **spot)
    # Ranges that rule out each other's cards are dealt again and again, until the client disconnects.
    endless = {"hand": "JdJs", "opponents": 6 * ["AA,KK,QQ"], "fold": 0.3, **spot}
    before = metric(address, "gpuodds_worker_restarts")
    with posted(address, endless, "/v1/kelly"):
        wait_until(lambda: metric(address, "gpuodds_jobs_running") == 1)
    assert idle_within(address)
    assert metric(address, "gpuodds_worker_restarts") == before


@pytest.mark.weekly
def test_a_bet_on_wide_ranges_is_sampled(client: JsonClient) -> None:
    # Counting takes longer than the limit, ten seconds.
    spot = {"board": "2s7d9h", "bankroll": 1000}
    wide = client.kelly("JdJs", opponents=["60%", "70%", "80%", "90%"], **spot)
    assert not wide["exact"] and 0 < wide["equity"] < 1


@pytest.mark.weekly
def test_built_tables_are_read(tmp_path: Path) -> None:
    from gpuodds.table_building.build import build
    from gpuodds.table_building.kinds import catalog

    tables = tmp_path / "tables"
    build(catalog.find_kind("preflop-random"), tables / "preflop-random", 1, backend="cpu")
    with (
        serving(tmp_path, "--workers", "1", "--tables", str(tables)) as address,
        JsonClient(address) as client,
    ):
        assert {"name": "preflop-random", "ships": False} in client.tables()["tables"]
        with pytest.raises(ServerError, match="there is no table flop-random here"):
            client.rows("flop-random", "AKs", board="2s7d9h")


def test_the_async_client_serves_every_route(address: str) -> None:
    async def work() -> None:
        async with gpuodds.AsyncClient(address) as client:
            many = [client.equity("AsKs", opponents=k, board="2s7d9d") for k in range(1, 10)]
            found = await asyncio.gather(*many)
            assert [answer.spot.opponents for answer in found] == list(range(1, 10))
            events = [name async for name, _ in client.stream(["AsKs", "TT"], board="2s7d9d")]
            assert events[-1] == "answer"
            with pytest.raises(InputError, match="AsKx: column 4"):
                await client.equity("AsKx")
            assert (await client.range("AA"))["combos"] == 6
            assert {"name": "preflop-random", "ships": True} in (await client.tables())["tables"]
            hits = await client.hits("AA", board="2s7d9d", by_hand=True)
            assert hits["combos"] == 6 and len(hits["streets"][0]["by_hand"]) == 6
            assert (await client.kelly("AsAh", opponents=1, bankroll=10))["action"] == "bet"
            assert (await client.rows("preflop-random", "AKs"))["rows"][2]["win"] == 104924135261847
            equities = await client.equities("2s7d9h")
            assert equities["opponents"] == 1 and len(equities["equities"]) == 1176

    asyncio.run(work())


def test_estimates_come_where_counting_takes_longer(client: JsonClient) -> None:
    """An estimate is sampled for 20 ms; what is counted sooner has none, and comes sooner."""
    names = [name for name, _ in client.stream(["QQ+,AK", "22+,A2s+"], board="4s7d9h")]
    assert names == ["answer"]
    names = [name for name, _ in client.stream(["25%", "40%", "random"], board="4s7d9h")]
    assert names[0] == "estimate" and names[-1] == "answer"


def test_many_at_once_on_a_socket(address: str) -> None:
    with connect(socket_address(address)) as link:
        for k in range(1, 9):
            spot = {"hands": ["AdKd"], "opponents": k, "board": "2s7d9d"}
            link.send(json.dumps({"id": str(k), "type": "equity", "question": spot}))
        answers: dict[str, Any] = {}
        while len(answers) < 8:
            message = json.loads(link.recv(timeout=PATIENCE))
            if message["type"] == "answer":
                answers[message["id"]] = message["value"]
        assert all(answers[str(k)]["opponents"] == k for k in range(1, 9))
        # A long request is cancelled, and the connection stays open.
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


@pytest.mark.parametrize("path", ["/v1/equity", "/v1/equity/stream"])
def test_disconnecting_stops_the_computation(address: str, path: str) -> None:
    asked, ended = (metric(address, name) for name in ("gpuodds_cache_misses", REQUESTS % path))
    links = [posted(address, {**LONG, "board": "4c8h9s"}, path) for _ in range(2)]
    # Both wait for one computation; it goes on as long as one of them waits.
    wait_until(lambda: metric(address, "gpuodds_cache_misses") == asked + 2)
    wait_until(lambda: metric(address, "gpuodds_jobs_running") == 1)
    links[0].close()
    wait_until(lambda: metric(address, REQUESTS % path) == ended + 1)
    assert metric(address, "gpuodds_jobs_running") == 1
    links[1].close()
    assert idle_within(address)


def test_identical_requests_are_computed_once(address: str) -> None:
    spot = {"hands": ["15%", "20%", "random"], "board": "3c8d9s", "dead": "2h"}
    jobs = 'gpuodds_jobs_total{kind="equity"}'
    before = metric(address, jobs)
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: ask(address, spot), range(6)))
    assert all(status == 200 for status, _ in found)
    assert len({answer["seconds"] for _, answer in found}) == 1
    assert metric(address, jobs) == before + 1


def test_equities_of_a_board_are_cached_and_computed_once(address: str, client: JsonClient) -> None:
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


def test_openapi_has_examples(address: str) -> None:
    _, _, body = request(address, "/v1/openapi.json", method="GET")
    schema = json.loads(body)
    assert schema["components"]["schemas"]["EquityRequest"]["examples"][0]["hands"] == ["AsKs"]
    assert {
        "/v1/equity",
        "/v1/equity/stream",
        "/v1/range",
        "/v1/hits",
        "/v1/kelly",
        "/v1/tables",
    } <= set(schema["paths"])


def test_the_value_of_a_call(client: JsonClient) -> None:
    """It is of the asked first player, also where a cached answer has the players in another order."""
    for hands in (["AKs", "QQ"], ["QQ", "AKs"]):
        expected = gpuodds.equity(hands, pot=1100, to_call=1000).call
        assert expected is not None
        assert client.equity(hands, pot=1100, to_call=1000)["call"] == expected.to_dict()
        assert "call" not in client.equity(hands)
    last = [*client.stream(["AKs", "QQ"], pot=1100, to_call=500)][-1][1]
    assert last["call"]["pot_odds_exact"] == "5/16"
    with pytest.raises(InputError, match=r"^pot 5.0: expected to_call, too"):
        client.equity("AKs", pot=5)
    with pytest.raises(InputError, match=r"to_call 0: expected the chips"):
        client.equity("AKs", pot=5, to_call=0)


def test_a_range_bets(client: JsonClient) -> None:
    asked: dict[str, Any] = {"opponents": ["22+"], "board": "2s7d9h", "bankroll": 1000, "pot": 400}
    assert client.kelly("QQ+,AK", **asked) == kelly_bet("QQ+,AK", **asked, backend="cpu").to_dict()
