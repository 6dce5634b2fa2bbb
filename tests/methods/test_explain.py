"""Explanations: the chosen method is the one that answered, and refusals say why."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import gpuodds
from gpuodds.errors import InputError
from gpuodds.results.explanation import Considered

KNOWN_HANDS, LISTED_HANDS, SHOWDOWNS = "known hands", "listed hands", "showdowns"
WIDE = ["15%", "30%", "60%"]
SMALL: dict[str, Any] = {"samples": 100, "seed": 1}


def explained(hands: Any, **options: Any) -> tuple[gpuodds.EquityResult, dict[str, Considered]]:
    found = gpuodds.equity(hands, explain=True, backend="cpu", **options)
    assert found.explanation is not None
    return found, {one.method: one for one in found.explanation.methods}


@pytest.mark.parametrize(
    ("hands", "options", "chosen", "answered"),
    [
        ("AsKs", {}, "table", "table"),
        ("AsKs", {"table": False}, KNOWN_HANDS, "exact"),
        ("QdQs", {"opponents": 2, "board": "2s7d9h"}, KNOWN_HANDS, "exact"),
        (["QQ+", "AK"], {}, "table", "table"),
        (["QQ+", "AK"], {"board": "2s7d9h"}, SHOWDOWNS, "exact"),
        ("AsKs", {"opponents": 2, "board": "2s7d9h", "folded": ["QQ"]}, LISTED_HANDS, "exact"),
        (["QQ+", "AK"], {"method": "monte-carlo", **SMALL}, "monte-carlo", "monte-carlo"),
        ([*["60%"] * 6, "50%"], SMALL, "monte-carlo", "monte-carlo"),
        (["60%"] * 7, SMALL, "symmetry", "symmetry"),
        (["AsKs", "QhQd"], {"by_hand": True, "table": False, "board": "2s7d9h"}, KNOWN_HANDS, "exact"),
        (["AsKs", "QQ"], {"by_hand": True, "table": False, "board": "2s7d9h"}, SHOWDOWNS, "exact"),
    ],
)
def test_the_chosen_method_answered(hands: Any, options: Any, chosen: str, answered: str) -> None:
    found, methods = explained(hands, **options)
    assert [one.method for one in methods.values() if one.chosen] == [chosen]
    assert found.method == answered and methods[chosen].seconds is not None
    for one in methods.values():
        assert one.reason and (one.seconds is None or one.seconds >= 0)
        if one.reason == "not the cheapest":
            assert one.seconds is not None and one.seconds >= (methods[chosen].seconds or 0)
    assert len(methods) == 5 + (chosen == "symmetry")


def test_how_samples_are_dealt() -> None:
    for hands, part in (
        ("AsKs", "two deals on each"),
        ("AKs", "its own hands and board"),
    ):
        found, _ = explained(hands, opponents=2, method="monte-carlo", **SMALL)
        assert found.explanation is not None and part in "\n".join(found.explanation.assumed)


def test_refusals_say_why() -> None:
    _, methods = explained(["60%"] * 7, **SMALL)
    assert methods[SHOWDOWNS].reason == "more than 6 players"
    assert methods[KNOWN_HANDS].reason == "a player has a range"
    _, methods = explained([*WIDE, "random", "random", "random"], **SMALL)
    assert "63 bits" in methods[SHOWDOWNS].reason
    _, methods = explained(["15%", "30%"], opponents=1, board="2s7d9hTc", method="monte-carlo", **SMALL)
    assert "at most 20,000" in methods[LISTED_HANDS].reason
    _, methods = explained("AsKs", opponents=1, table=False)
    assert methods["table"].reason == "tables may not answer"
    _, methods = explained(["QQ", "JJ"], made_hands=True, board="2s7d9h")
    assert methods["monte-carlo"].seconds is None and "boards" in methods["table"].reason


def test_what_was_assumed() -> None:
    found, _ = explained("AsKs", opponents=2, board="2c7d9h", folded=["QQ", "random", "3c3d"])
    assert found.explanation is not None
    assumed = "\n".join(found.explanation.assumed)
    for part in (
        "backend cpu",
        "as given",
        "2 random opponents hold any two cards",
        "folded QQ: a range of 6 combos",
        "any two cards: they change no equity",
        "their cards are dead cards",
        "method auto: count what takes at most 10 s",
    ):
        assert part in assumed


def test_an_explanation_is_in_the_object_only_where_it_is_asked_for() -> None:
    found, _ = explained("AsKs")
    answer = found.to_dict()
    assert [set(one) for one in answer["explanation"]] == [
        {"method", "seconds", "chosen", "reason"}
    ] * 5
    assert all(isinstance(line, str) for line in answer["assumed"])
    plain = gpuodds.equity("AsKs").to_dict()
    assert "explanation" not in plain and "assumed" not in plain
    assert {name: answer[name] for name in plain if name != "seconds"} == {
        name: value for name, value in plain.items() if name != "seconds"
    }
    with pytest.raises(InputError, match="explain"):
        gpuodds.equity("AsKs", explain="yes")  # type: ignore[arg-type]


def test_the_start_of_a_process_is_no_part_of_the_estimates() -> None:
    code = (
        "import gpuodds\n"
        "for hands in (['AsKs', 'QhQd'], ['AsKs', 'QhQc']):\n"
        "    answer = gpuodds.equity(hands, table=False, explain=True, backend='cpu')\n"
        "    print(answer.explanation.assumed)\n"
    )
    first, second = subprocess.check_output([sys.executable, "-c", code], text=True).splitlines()
    assert "start-up: " in first and "beyond these estimates" in first
    assert "start-up" not in second


def test_what_was_made_of_a_question() -> None:
    found, _ = explained(["AsKs", "random", "100%"])
    assert found.explanation is not None
    assumed = "\n".join(found.explanation.assumed)
    assert "2 seats hold any two cards, as random opponents do" in assumed
    assert "an equal part each of what the others leave" in assumed
    found, methods = explained("AKs", opponents=3)
    assert methods["table"].chosen and "no shipped table" not in methods["table"].reason
    assert found.explanation is not None
    assert "4 hands that are alike are counted as one" in "\n".join(found.explanation.assumed)
