"""What Schemathesis is taught of this server: see ``tests/helpers/schema_run.py``."""

from __future__ import annotations

import os
import random
from typing import Any

import schemathesis

HANDS = ["AsKs", "QhQd", "7c7d", "AsAd", "9s8s", "AcAdKhQs", "7c8c9dTd", "AsAh2c3h4d", "AcAdKhKs2d3d"]
RANGES = ["QQ+,AK", "22+,A2s+", "random", "15%", "AK:0.5", "KKQQ", "AA:$ds", "JTs-54s", "99-66"]
BOARDS = ["", "2s7d9h", "2s7d9h4c", "2s7d9h4cJd", "6c7c8c", "TsJsQs9d"]
GAMES = ["holdem", "short-deck", "short-deck-trips", "omaha", "omaha-hi-lo", "omaha5", "omaha6"]
PRICED = {
    "/v1/equity",
    "/v1/equity/stream",
    "/v1/range",
    "/v1/hits",
    "/v1/kelly",
    "/v1/flops",
    "/v1/turns",
    "/v1/push-fold",
    "/v1/push-fold/stream",
    "/v1/boards/{board}/equities",
}
TEXTS = {
    **dict.fromkeys(("hands", "folded", "opponents"), (*HANDS, *RANGES)),
    "hand": (*HANDS, *RANGES[:1]),
    "text": (*RANGES, HANDS[0]),
    "board": BOARDS,
    "dead": ("", "", "2c", "2c3c"),
    "game": ("holdem", "holdem", *GAMES),
    "name": ("preflop-random", "preflop-heads-up", "no-such-table"),
}


@schemathesis.check
def later_says_when(ctx: object, response: Any, case: object) -> None:
    """A server that is too busy, or not ready, says when to ask again."""
    if response.status_code in (429, 503):
        after = ", ".join(response.headers.get("retry-after") or ["missing"])
        assert after.isdecimal() and int(after) > 0, f"{response.status_code}: Retry-After: {after}"


@schemathesis.check
def what_was_not_priced_takes_a_moment(ctx: object, response: Any, case: Any) -> None:
    """Only what computes, and was priced before, takes more than two seconds of an idle machine."""
    is_late = response.status_code == 504 or b"problems/not-enough-samples" in response.content
    is_computed = response.status_code == 200 or is_late
    if not (is_computed and case.path in PRICED):
        beside = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
        what = f"{case.method} {case.path}: {response.status_code} after {response.elapsed:.1f} s"
        assert response.elapsed < 2.0 * beside, what


def playable(given: dict[str, Any]) -> dict[str, Any]:
    """Return inputs in which most texts are cards, ranges and games: drawn ones are refused early."""
    draw = random.Random(repr(given))

    def text(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return [text(name, one) for one in value[:4]]
        if isinstance(value, str) and name in TEXTS and draw.random() < 0.9:
            return draw.choice(TEXTS[name])
        return value % 4 if name == "opponents" and isinstance(value, int) else value

    refused = {"seed"} if {"seed", "time_limit"} <= {*given} else set()  # together
    return {name: text(name, value) for name, value in given.items() if name not in refused}


if os.environ.get("GPUODDS_PLAYABLE"):

    @schemathesis.hook
    def map_body(context: object, body: Any) -> Any:
        """Make a request's object playable."""
        return playable(body) if isinstance(body, dict) else body

    @schemathesis.hook
    def map_query(context: object, query: Any) -> Any:
        """Make the parameters of an address playable."""
        return playable(query) if query else query

    @schemathesis.hook
    def map_path_parameters(context: object, path_parameters: Any) -> Any:
        """Make the parts of an address playable."""
        return playable(path_parameters) if path_parameters else path_parameters
