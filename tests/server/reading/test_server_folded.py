"""Requests with folded players and explanations, at random: the answers are those of the library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from json_client import JsonClient
from server_fixture import ask

import gpuodds
from gpuodds.betting import kelly_bet
from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import InputError
from gpuodds.server.settings import Settings

NARROW = ["TT,99", "A2s+", "AhAd,AcAd,KK:0.5", "random", "QJs,7d6d"]


@st.composite
def spots(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a body: hands and ranges on a flop or later, folded players, and options."""
    deck = draw(st.permutations(range(DECK_SIZE)))
    cards = [format_cards(deck[at : at + 2]) for at in range(0, 16, 2)]
    players = draw(st.integers(1, 3))
    hands = [draw(st.sampled_from([hand, hand, *NARROW[:3]])) for hand in cards[:players]]
    body: dict[str, Any] = {
        "hands": hands,
        "board": format_cards(deck[16 : 16 + draw(st.integers(3, 5))]),
    }
    folded = [draw(st.sampled_from([hand, *NARROW])) for hand in cards[4 : 4 + draw(st.integers(0, 2))]]
    body |= {"folded": folded} if folded else {}
    body |= {"explain": True} if draw(st.booleans()) else {}
    body |= {"opponents": 1} if players == 1 else {}
    how: list[dict[str, Any]] = [
        {},
        {"method": "exact"},
        {"by_hand": True},
        {"made_hands": True},
        {"method": "monte-carlo", "samples": 300, "seed": draw(st.integers(0, 9))},
    ]
    return body | draw(st.sampled_from(how))


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    left_out = ("seconds", "notes", "explanation", "assumed")
    return {name: value for name, value in answer.items() if name not in left_out}


def brief(considered: dict[str, Any]) -> tuple[str, bool, str]:
    """Return a method and its reason, without the limit in seconds, which the server has its own of."""
    return considered["method"], considered["chosen"], considered["reason"].partition(", within")[0]


@pytest.fixture(autouse=True, scope="module")
def same_threads() -> Iterator[None]:
    """Let this process count with as many threads as a worker: estimates depend on them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUODDS_THREADS", str(Settings().threads))
        yield


@pytest.mark.slow
@settings(max_examples=60)
@given(body=spots())
def test_folded_and_explained_answers_are_those_of_the_library(
    address: str, body: dict[str, Any]
) -> None:
    status, answer = ask(address, body)
    options = {name: value for name, value in body.items() if name != "hands"}
    try:
        expected = gpuodds.equity(body["hands"], **options, backend="cpu")
    except InputError as error:
        assert status == 400 and answer["detail"] == str(error)
        return
    assert status == 200 and without_time(answer) == without_time(expected.to_dict())
    assert ("explanation" in answer) == ("assumed" in answer) == ("explain" in body)
    if expected.explanation is None:
        return
    wanted = [brief(vars(one)) for one in expected.explanation.methods]
    found = [brief(one) for one in answer["explanation"]]
    if found[0][0] == "cache":
        assert found.pop(0)[1]
        wanted = [
            (method, False, "the cache has the answer" if chosen else reason)
            for method, chosen, reason in wanted
        ]
    assert found == wanted
    with JsonClient(address) as client:
        assert without_time(client.equity(body["hands"], **options)) == without_time(answer)


def test_an_explained_bet_is_that_of_the_library(address: str) -> None:
    body = {"hand": "QdQs", "opponents": 2, "bankroll": 5000, "pot": 100, "board": "2s7d9h"}
    status, plain = ask(address, body, "/v1/kelly")
    assert status == 200 and "explanation" not in plain
    status, answer = ask(address, body | {"explain": True}, "/v1/kelly")
    expected = kelly_bet(**body, explain=True, backend="cpu").to_dict()  # type: ignore[arg-type]
    assert status == 200 and without_time(answer) == plain == without_time(expected)
    for found, wanted in zip(answer["explanation"], expected["explanation"], strict=True):
        assert (found["method"], found["chosen"]) == (wanted["method"], wanted["chosen"])
