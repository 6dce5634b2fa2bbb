"""``POST /v1/luck``: a file of hand histories goes in, luck comes out, nothing is kept."""

import json
import random
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import dealing
import httpx
import pytest

from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.histories import EXAMPLE_HAND, ledger

NAMES = ["Ann", "Bob", "Cem", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida"]
BINARY = {"Content-Type": "application/octet-stream"}


def rank(hole: Any, board: Any) -> int:
    return HOLDEM.rank_hand(parse_cards("".join(hole)), parse_cards("".join(board)))


def hands_text(number: int) -> str:
    draw = random.Random(12)
    hands = [dealing.deal(draw, rank=rank, wild=0.4) for _ in range(number)]
    return "".join(dealing.to_stars(hand, number=at + 1, names=NAMES) for at, hand in enumerate(hands))


def ask(address: str, content: bytes, **query: str) -> httpx.Response:
    return httpx.post(
        f"{address}/v1/luck?{urlencode(query)}", content=content, headers=BINARY, timeout=60
    )


def test_the_answer_is_the_ledgers(address: str, tmp_path: Path) -> None:
    text = hands_text(80) + "\nFull Tilt Poker Game #1: x\n"
    found = ask(address, text.encode(), name="a.txt", player="Bob").json()
    (tmp_path / "a.txt").write_text(text)
    (totals,) = ledger(tmp_path / "a.txt", player="Bob").totals
    assert found["totals"] == [json.loads(json.dumps(totals.to_dict()))]
    assert found["hands"] == 80 and len(found["series"]["ev"]) == totals.hands
    assert abs(sum(found["series"]["ev"]) - float(totals.in_big_blinds()[1])) < 0.01
    assert found["players"][0] == {"player": "Ann", "hands": 80}
    assert found["skipped"][0]["reason"].startswith("not a site that is read")
    luck = [one["luck"] for one in found["lucky"]]
    assert luck == sorted(luck, reverse=True) and all(one["spot"]["hands"] for one in found["lucky"])


def test_the_default_is_the_player_with_the_most_hands(address: str) -> None:
    assert ask(address, hands_text(20).encode()).json()["player"] in {"Ann", "Bob"}
    assert ask(address, EXAMPLE_HAND.encode(), name="x.phh").json()["player"] == "Ann"
    assert ask(address, b"nothing").json()["player"] is None


@pytest.mark.slow
def test_a_file_of_megabytes_goes_in(address: str) -> None:
    text = hands_text(40)
    content = (text * (3_000_000 // len(text))).encode()
    found = ask(address, content).json()
    assert found["hands"] == 40 and found["again"] > 1000


@pytest.mark.parametrize(
    ("headers", "size", "status", "kind"),
    [
        ({"Content-Type": "application/json"}, 10, 415, "content-type"),
        (BINARY, (32 << 20) + 1, 413, "too-large"),
        (BINARY | {"Sec-Fetch-Site": "cross-site"}, 10, 403, "site"),
        (BINARY | {"Origin": "http://example.com"}, 10, 403, "origin"),
    ],
)
def test_refusals(address: str, headers: dict[str, str], size: int, status: int, kind: str) -> None:
    answer = httpx.post(f"{address}/v1/luck", content=b"x" * size, headers=headers, timeout=20)
    assert answer.status_code == status and kind in answer.json()["type"]
