"""Other games over HTTP: known hands, halves of the pot, ranges, bets, keys, refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from json_client import JsonClient
from server_fixture import ask, metric, request, socket_address
from websockets.sync.client import connect

import gpuodds
from gpuodds.basics.choices import GameName
from gpuodds.betting import kelly_bet
from gpuodds.errors import InputError
from gpuodds.games.catalog import describe_games
from gpuodds.server.problems import Problem
from gpuodds.server.reading import memory
from gpuodds.server.reading.parsed import ParsedRequest
from gpuodds.server.requests import EquityRequest

OMAHA: dict[str, Any] = {"hands": ["AsAhKsKh", "7c8c9dTd"], "board": "2s7d9h", "game": "omaha"}
HI_LO: dict[str, Any] = {"hands": ["AsAh2c3h", "7c8c9dTd"], "board": "2s7d9h", "game": "omaha8"}
THREE: dict[str, Any] = {
    "hands": ["Ac2cKhKd", "Ad2dQhQs", "Ah2h9c9d"],
    "board": "3s4d8h",
    "game": "omaha-hi-lo",
}
GRAPHS: dict[str, Any] = {
    "hands": ["AsKs:0.5,QQ,AhJh", "22+"],
    "board": "2s7d9hTc",
    "game": "holdem",
    "equity_graph": True,
}
GRAPHS_OF_OMAHA = GRAPHS | {"hands": ["AsKsQ*", "JJ**"], "game": "omaha"}
SPOTS: list[dict[str, Any]] = [
    OMAHA,
    HI_LO,
    THREE,
    {"hands": ["AsAhKsKhQd", "7c8c9dTdJd"], "board": "2s7d9h", "game": "omaha5"},
    {"hands": ["AsAhKsKhQd2h", "7c8c9dTdJd3c"], "board": "2s7d9h", "game": "omaha6"},
    {"hands": ["AsAhKsKh"], "opponents": 1, "board": "2s7d9hTc", "game": "omaha"},
    {"hands": ["AsAh2c3h"], "opponents": 1, "board": "2s7d9hTc", "game": "omaha-hi-lo"},
    {"hands": ["AAKK", "AsKs:QQ"], "board": "2s7d9hTc", "game": "omaha"},
    {"hands": ["A2KK", "AsKsQQ"], "board": "2s7d9hTc", "game": "omaha8", "by_hand": True},
    {"hands": ["A2KK", "7654@50"], "board": "2s7d9hTc", "game": "omaha8", "made_hands": True},
    {
        "hands": ["AsAhKsKhQd2h"],
        "opponents": 1,
        "board": "2s7d9hTc",
        "game": "omaha6",
        "made_hands": True,
    },
    {"hands": ["AsAh", "7c8c"], "board": "6s9hTd", "game": "short-deck"},
    {"hands": ["99+", "AsKs"], "board": "6s9hTd", "game": "short-deck", "by_hand": True},
    {"hands": ["AsAh"], "opponents": 2, "board": "6s9hTd", "game": "short-deck-trips"},
]


@pytest.fixture
def client(address: str) -> Iterator[JsonClient]:
    with JsonClient(address) as found:
        yield found


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name not in ("seconds", "notes")}


@pytest.mark.parametrize("spot", SPOTS)
def test_answers_are_those_of_the_library(client: JsonClient, spot: dict[str, Any]) -> None:
    expected = without_time(gpuodds.equity(**spot, backend="cpu").to_dict())
    for _ in range(3):  # computed, then cached, then known by its bytes unless it has long lists
        assert without_time(client.equity(**spot)) == expected
    assert without_time(list(client.stream(**spot))[-1][1]) == expected


def test_goldens(client: JsonClient) -> None:
    assert client.equity(**OMAHA)["winners"] == {"A": "257", "B": "563"}
    found = client.equity(**HI_LO)
    assert found["game"] == "omaha-hi-lo" and found["low_winners"] == {"": "319", "A": "495", "B": "6"}
    assert [round(player["equity"], 10) for player in found["players"]] == [0.4579268293, 0.5420731707]


@pytest.mark.parametrize("spot", [OMAHA, HI_LO, THREE])
def test_suits_and_order_share_an_answer(
    client: JsonClient, address: str, spot: dict[str, Any]
) -> None:
    spot = spot | {"dead": "5s"}
    client.equity(**spot)
    for names in list(permutations("cdhs"))[1::7]:
        letters = dict(zip("cdhs", names, strict=True))
        other = {
            **spot,
            "hands": [_renamed(hand, letters) for hand in spot["hands"][::-1]],
            "board": _renamed(spot["board"], letters),
            "dead": _renamed(spot["dead"], letters),
        }
        hits = metric(address, "gpuodds_cache_hits")
        found = client.equity(**other)
        assert metric(address, "gpuodds_cache_hits") == hits + 1
        expected = gpuodds.equity(**other, backend="cpu").to_dict()
        assert without_time(found) == without_time(expected)


def _renamed(cards: str, letters: dict[str, str]) -> str:
    return "".join(letters.get(letter, letter) for letter in cards)


def test_names_of_a_game_share_an_answer(client: JsonClient, address: str) -> None:
    spot = HI_LO | {"dead": "6c"}
    client.equity(**spot)
    for name in ("omaha-hi-lo", "plo8", "Omaha8"):
        hits = metric(address, "gpuodds_cache_hits")
        assert client.equity(**spot | {"game": name})["game"] == "omaha-hi-lo"
        assert metric(address, "gpuodds_cache_hits") == hits + 1


def test_games_have_answers_of_their_own(client: JsonClient) -> None:
    spot = {"hands": ["AsAh", "7c8c"], "board": "6s9hTd", "dead": "Ks"}
    found = [
        client.equity(**spot, game=game)["winners"]
        for game in ("holdem", "short-deck", "short-deck-trips")
    ]
    assert found[0] != found[1]
    spot = {**OMAHA, "dead": "Kc"}
    assert client.equity(**spot)["winners"] == client.equity(**spot | {"game": "omaha8"})["winners"]


def test_a_socket_takes_a_game(address: str) -> None:
    with connect(socket_address(address)) as link:
        link.send(json.dumps({"id": "1", "question": HI_LO, "stream": False}))
        while (found := json.loads(link.recv()))["type"] == "progress":
            pass
    assert found["type"] == "answer" and found["value"]["low_winners"]["A"] == "495"


def test_games_are_listed(client: JsonClient) -> None:
    found = client.games()
    assert found == describe_games()
    assert [game["hole_cards"] for game in found["games"]] == [2, 2, 2, 4, 4, 5, 5, 6]


@pytest.mark.parametrize(
    ("text", "game", "combos"), [("AAKK", "omaha", 36), ("A2**", "plo8", 32_020), ("22", "holdem", 6)]
)
def test_ranges(client: JsonClient, text: str, game: GameName, combos: int) -> None:
    found = client.range(text, game=game)
    assert found["game"] == gpuodds.Range(text, game=game).game.name
    assert found == json.loads(json.dumps(gpuodds.Range(text, game=game).to_dict()))
    assert ("grid" in found) == (game == "holdem") != ("classes" in found)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("22+,AK:0.5", {"board": "2s7dKhTh", "dead": "3c", "by_hand": True}),
        ("AsKs", {"board": "2s7dKh"}),
        ("22+", {}),
        ("66+", {"board": "6s9hTd", "game": "short-deck"}),
        ("AAKK:$ds", {"board": "6s9hTd", "game": "omaha", "by_hand": True}),
    ],
)
def test_hits(client: JsonClient, text: str, options: dict[str, Any]) -> None:
    by_hand = options.get("by_hand", False)
    asked = {name: value for name, value in options.items() if name != "by_hand"}
    expected = gpuodds.range_hits(text, **asked).to_dict(by_hand)
    assert client.hits(text, **options) == json.loads(json.dumps(expected))


def test_hits_filter_a_range(client: JsonClient) -> None:
    filters = ["flop: weak pair+", "!set+"]
    found = client.hits("22+,AK:0.5", board="2s7dKhTh", filters=filters)
    kept = gpuodds.range_hits("22+,AK:0.5", board="2s7dKhTh").filter(*filters)
    assert found.pop("kept") == {"range": str(kept), "combos": kept.weight}
    assert found == client.hits("22+,AK:0.5", board="2s7dKhTh")


@pytest.mark.slow
def test_a_list_of_too_many_hands_is_refused(client: JsonClient) -> None:
    with pytest.raises(gpuodds.InputError, match="the list of hands of the range has"):
        client.hits("random", game="omaha", board="2s7dKh", by_hand=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "bet",
    [
        {"hand": "AsAhKsKh", "opponents": 1, "board": "2s7d9h", "game": "omaha"},
        {"hand": "AsAhKsKh", "opponents": ["QcQdJcJh"], "board": "2s7d9h", "game": "omaha"},
        {"hand": "AsAhKsKh", "opponents": 3, "board": "2s7d9hTc", "game": "omaha", "fold": 0.3},
        {"hand": "AsAh", "opponents": 2, "board": "6s9hTd", "game": "short-deck", "fold": 0.3},
    ],
)
def test_bets(client: JsonClient, bet: dict[str, Any]) -> None:
    found = client.kelly(**bet, bankroll=1000, pot=100)
    expected = kelly_bet(**bet, bankroll=1000, pot=100, backend="cpu").to_dict()
    assert found == json.loads(json.dumps(expected)) and found["game"] == bet["game"]


@pytest.mark.parametrize(
    ("path", "body", "status", "detail"),
    [
        ("equity", OMAHA | {"game": "badugi"}, 400, "game badugi: expected one of holdem, short-deck"),
        ("equity", OMAHA | {"hands": ["AsAhKs"]}, 400, "AsAhKs"),
        ("equity", OMAHA | {"hands": ["AsKs", "QhQd"]}, 400, ""),
        ("equity", OMAHA | {"game": 5}, 422, "game: "),
        ("equity", OMAHA | {"opponents": 10}, 400, "12 players"),
        ("equity", OMAHA | {"hands": ["AA**", "QsQh"]}, 400, ""),
        ("equity", {"hands": ["2s2h", "AsAh"], "game": "short-deck"}, 400, "2s: short-deck has cards"),
        ("equity", {"hands": ["AA****", "KK****"], "game": "omaha6"}, 422, "ranges of omaha6 for 2 "),
        ("equity", {"hands": ["A****"] * 9, "game": "omaha5"}, 422, "MiB, the limit is 1,024 MiB"),
        (
            "equity",
            OMAHA | {"hands": ["****", "AA**"], "by_hand": True},
            422,
            "at most 50,000 are listed one by one",
        ),
        (
            "equity",
            GRAPHS | {"hands": ["A****"] * 2, "game": "omaha5"},
            422,
            "at most 600,000 are sorted for graphs",
        ),
        ("range", {"text": "AA****", "game": "omaha6"}, 422, "ranges of omaha6 for 1 players"),
        ("range", {"text": "AA**", "game": "x"}, 400, "game x: expected one of"),
        (
            "kelly",
            {"hand": "AsAh2c3h", "opponents": 1, "bankroll": 100, "game": "omaha8"},
            400,
            "game omaha-hi-lo: bets are found where the best high hand takes the whole pot",
        ),
        (
            "kelly",
            {"hand": "AA!", "opponents": 1, "bankroll": 9, "game": "omaha"},
            400,
            "AA!: column 4",
        ),
        (
            "kelly",
            {"hand": "AsAhKsKhQc", "opponents": ["AA***"] * 8, "bankroll": 100, "game": "omaha5"},
            422,
            "MiB",
        ),
        (
            "kelly",
            {
                "hand": "AsAhKsKhQc",
                "opponents": ["AA***"] * 8,
                "bankroll": 100,
                "game": "omaha5",
                "fold": 0.3,
            },
            422,
            "MiB",
        ),
    ],
)
def test_refusals(address: str, path: str, body: dict[str, Any], status: int, detail: str) -> None:
    found, problem = ask(address, body, f"/v1/{path}")
    assert found == status and problem["status"] == status and detail in problem["detail"]
    assert "\n" not in problem["detail"]


def test_boards_are_of_holdem(address: str) -> None:
    status, _, body = request(address, "/v1/boards/2s7d9h/equities?game=omaha", method="GET")
    assert status == 400 and "game omaha: the equities of a board" in json.loads(body)["detail"]
    assert request(address, "/v1/boards/2s7d9h/equities?game=holdem", method="GET")[0] == 200


def parsed(*hands: str, board: str = "", game: GameName = "omaha", **options: Any) -> ParsedRequest:
    return ParsedRequest(EquityRequest(hands=[*hands], board=board, game=game, **options))


@pytest.mark.slow
@pytest.mark.parametrize("board", ["", "2s7d9h", "2s7s9h"])
@pytest.mark.parametrize("game", ["omaha", "omaha8"])
def test_ranges_up_to_suits_and_order_have_one_key(board: str, game: GameName) -> None:
    first = parsed("AsKs**", "QQ**", board=board, game=game)
    keys = set()
    for names in permutations("cdhs"):
        letters = dict(zip("cdhs", names, strict=True))
        hands = "QQ**", _renamed("AsKs**", letters)
        keys.add(parsed(*hands, board=_renamed(board, letters), game=game).key)
    assert keys == {first.key}
    assert parsed("AsKh**", "QQ**", board=board, game=game).key != first.key
    assert parsed("AsKs**", "QQ**", board=board, game="omaha5" if game == "omaha" else "omaha").key


def test_answers_by_hand_are_bounded() -> None:
    wide = parsed("****", "AA**", board="2s7d9h")
    with pytest.raises(Problem, match=r"^the ranges hold 2\d\d,\d{3} hands; at most 50,000 are listed"):
        memory.check_hands(wide.spot, is_listed=True)
    memory.check_hands(parsed("A2**", "AA**", board="2s7d9h").spot, is_listed=True)


def test_graphs_take_more_hands_than_a_list_has() -> None:
    memory.check_hands(parsed("****", "****").spot, is_listed=False)
    wide = parsed("A****", "QQ***", game="omaha5").spot
    with pytest.raises(Problem, match=r"^the ranges hold [\d,]+ hands; at most 600,000 are sorted"):
        memory.check_hands(wide, is_listed=False)


@pytest.mark.parametrize("spot", [GRAPHS, GRAPHS | {"by_hand": True}, GRAPHS_OF_OMAHA])
def test_equity_graphs(client: JsonClient, address: str, spot: dict[str, Any]) -> None:
    by_hand = spot.get("by_hand", False)
    for names in ("cdhs", "dchs", "hsdc"):
        letters = dict(zip("cdhs", names, strict=True))
        for turn in (1, -1):
            hands = [_renamed(hand, letters) for hand in spot["hands"][::turn]]
            asked = spot | {"hands": hands, "board": _renamed(spot["board"], letters)}
            hits = metric(address, "gpuodds_cache_hits")
            found = client.equity(**asked)
            assert metric(address, "gpuodds_cache_hits") == hits + ((names, turn) != ("cdhs", 1))
            spotted = {name: asked[name] for name in ("hands", "board", "game")}
            result = gpuodds.equity(**spotted, by_hand=True, backend="cpu")
            for place, player in enumerate(found["players"]):
                assert player["equity_graph"] == result.equity_graph(place).to_list()
                assert ("by_hand" in player) == by_hand
    plain = client.equity(**{name: asked[name] for name in ("hands", "board", "game")})
    assert "equity_graph" not in plain["players"][0]
    assert list(client.stream(**asked))[-1][1] == found


@pytest.mark.parametrize("game", ["holdem", "omaha"])
def test_blockers(client: JsonClient, game: str) -> None:
    spot = GRAPHS if game == "holdem" else GRAPHS_OF_OMAHA
    asked = {name: spot[name] for name in ("hands", "board", "game")}
    for names in ("cdhs", "dchs", "hsdc"):
        letters = dict(zip("cdhs", names, strict=True))
        for turn in (1, -1):
            hands = [_renamed(hand, letters) for hand in spot["hands"][::turn]]
            asked |= {"hands": hands, "board": _renamed(spot["board"], letters)}
            found = client.equity(**asked, blockers=True)
            result = gpuodds.equity(**asked, by_hand=True, backend="cpu")
            for place, player in enumerate(found["players"]):
                assert player["blockers"] == [row.to_dict() for row in result.blockers(place)]
                assert "by_hand" not in player
    assert "blockers" not in client.equity(**asked)["players"][0]
    for more in ({"folded": ["QQ"]}, {"opponents": 1}):
        with pytest.raises(InputError, match="blockers: expected"):
            client.equity(**asked, **more, blockers=True)
