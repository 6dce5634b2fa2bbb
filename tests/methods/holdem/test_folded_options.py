"""Folded players with next cards, seeds and threads: against lists of deals, and reproducible."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from oracle import score

import gpuodds
from gpuodds.cards import DECK_SIZE, format_cards, parse_cards
from gpuodds.games.shared.combos import combo_cards

FLOP, TURN = "2s7d9h", "2s7d9hTc"
RANGES = ["JJ,8d8h,QsJs", "TT,AsKs"]
FOLDED = ["Jc8c,AhJh,6s6h", "AdTd,KhQh,JsTs"]
DRAWN: dict[str, Any] = {"method": "monte-carlo", "samples": 20_001, "seed": 5}
ANSWER = """
import json, sys
import gpuodds
print(json.dumps({
    name: [
        [player.outcomes, player.win_outcomes, *player.tie_outcomes]
        for player in gpuodds.equity(**spot, backend="cpu").players
    ]
    for name, spot in json.loads(sys.argv[1]).items()
}))
"""


def held(text: str) -> list[tuple[int, int]]:
    chosen = np.flatnonzero(gpuodds.Range(text).weights)
    return [(int(a), int(b)) for a, b in combo_cards()[chosen]]


def list_deals(board: list[int]) -> tuple[int, list[list[int]]]:
    """Return the outcomes on a full board, and each player's wins and ties."""
    outcomes, shared = 0, [[0, 0], [0, 0]]
    for deal in product(*map(held, [*RANGES, *FOLDED])):
        cards = [card for hand in deal for card in hand]
        if len({*cards, *board}) < len(cards) + len(board):
            continue
        outcomes += 1
        found = [score(np.array([*hand, *board])) for hand in deal[:2]]
        for player in range(2):
            shared[player][0] += found[player] > found[1 - player]
            shared[player][1] += found[player] == found[1 - player]
    return outcomes, shared


def test_after_each_river_card_it_is_the_list_of_deals() -> None:
    after = gpuodds.equities_by_next_card(RANGES, board=TURN, folded=FOLDED, backend="cpu")
    board = list(parse_cards(TURN))
    for card in range(DECK_SIZE):
        name = format_cards([card])
        outcomes, shared = (0, []) if card in board else list_deals([*board, card])
        assert (name in after) == bool(outcomes)
        if outcomes:
            assert after[name].outcomes == outcomes
            counts = [[p.win_outcomes, *p.tie_outcomes] for p in after[name].players]
            assert counts == shared


@pytest.mark.parametrize("board", [FLOP, TURN])
def test_next_cards_weighted_by_their_deals_are_the_street_before(board: str) -> None:
    spot: dict[str, Any] = {"board": board, "folded": FOLDED, "backend": "cpu"}
    before = gpuodds.equity(RANGES, **spot)
    after = gpuodds.equities_by_next_card(RANGES, **spot)
    # Each runout of the flop is counted once as each of its two cards.
    times = 2 if board == FLOP else 1
    assert sum(one.outcomes for one in after.values()) == times * before.outcomes
    for place, player in enumerate(before.players):
        parts = [one.players[place] for one in after.values()]
        assert sum(part.win_outcomes for part in parts) == times * player.win_outcomes
        mean = sum(Fraction(part.equity_exact or 0) * part.outcomes for part in parts)
        assert mean / (times * before.outcomes) == player.equity_exact


def test_a_folded_hand_is_no_next_card() -> None:
    after = gpuodds.equities_by_next_card(["AsKs", "QQ"], board=FLOP, folded=["QhJh"], backend="cpu")
    assert not {"Qh", "Jh", "As", "2s"} & {*after} and len(after) == 52 - 3 - 2 - 2
    dead = gpuodds.equities_by_next_card(["AsKs", "QQ"], board=FLOP, dead="QhJh", backend="cpu")
    assert [one.players for one in after.values()] == [one.players for one in dead.values()]


@pytest.mark.slow
def test_threads_and_runs_change_nothing() -> None:
    spots: dict[str, dict[str, Any]] = {
        "counted": {"hands": RANGES, "board": FLOP, "folded": FOLDED},
        "river": {"hands": ["22+", "A2s+"], "board": TURN, "folded": ["A2+"]},
        "known hands": {"hands": ["AsKs", "QhQd"], "board": FLOP, "folded": ["A2s+", "66+"]},
        "listed": {"hands": ["AsKs"], "opponents": 2, "board": TURN, "folded": ["JJ+"]},
        "sampled": {"hands": ["22+", "A2s+"], "folded": ["A2+"] * 3, **DRAWN},
        "sampled opponents": {"hands": ["AsKs"], "opponents": 3, "folded": ["A2+"], **DRAWN},
    }

    def ask(threads: int) -> Any:
        run = subprocess.run(
            [sys.executable, "-c", ANSWER, json.dumps(spots)],
            env={**os.environ, "GPUODDS_THREADS": str(threads)},
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(run.stdout)

    one = ask(1)
    assert one == ask(3)
    for name, spot in spots.items():
        here = gpuodds.equity(**spot, backend="cpu")
        assert one[name] == [[p.outcomes, p.win_outcomes, *p.tie_outcomes] for p in here.players]


def test_another_seed_draws_other_deals() -> None:
    def draw(seed: int) -> Any:
        return gpuodds.equity(
            ["22+", "A2s+"],
            folded=["A2+"],
            method="monte-carlo",
            samples=5000,
            seed=seed,
            backend="cpu",
        ).players

    assert draw(1) == draw(1) != draw(2)


def test_samples_go_on_as_one_run() -> None:
    whole = gpuodds.Sampling(["22+", "A2s+"], board=FLOP, folded=["A2+", "KQ"], seed=4, backend="cpu")
    parts = gpuodds.Sampling(["22+", "A2s+"], board=FLOP, folded=["A2+", "KQ"], seed=4, backend="cpu")
    parts.run(samples=3000)
    assert parts.run(samples=7000).players == whole.run(samples=10_000).players
