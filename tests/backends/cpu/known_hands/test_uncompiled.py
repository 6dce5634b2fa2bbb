"""Small spots that the first answers of a process count without numba, as compiled code does."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from gpuodds.backends.cpu.known_hands import uncompiled
from gpuodds.backends.cpu.known_hands.matching_counts import matching_counts
from gpuodds.spots.spot import Spot


@pytest.mark.parametrize("game", ["holdem", "short-deck", "short-deck-trips"])
@pytest.mark.parametrize("players", [1, 2, 3, 6])
@pytest.mark.parametrize("on_board", [3, 4, 5])
def test_counts_are_those_of_compiled_code(game: str, players: int, on_board: int) -> None:
    draw = random.Random(players + on_board)
    for number in range(5):
        deck = [card for card in range(0 if game == "holdem" else 16, 52)]
        draw.shuffle(deck)
        if number % 2:  # many clubs
            deck.sort(key=lambda card: card % 4 > 0 and draw.random() < 0.8)
            deck[:16] = draw.sample(deck[:16], 16)
        hands = [tuple(deck[2 * player : 2 * player + 2]) for player in range(players)]
        board, dead = deck[2 * players : 2 * players + on_board], deck[-number:] if number else []
        opponents = int(players == 1)
        spot = Spot.of(hands, opponents=opponents, board=board, dead=dead, game=game)  # type: ignore[arg-type]
        (expected,) = matching_counts([spot], opponents, None)
        found = uncompiled.matching_counts(spot, opponents)
        assert {mask: dict(sums) for mask, sums in found.items()} == expected


CODE = """
import sys, time
import gpuodds
from gpuodds.backends.cpu.known_hands import uncompiled
first = gpuodds.equity(["AsKs", "QhQd"], board="2s7d9h")
assert first.method == "exact" and first.backend == "cpu"
assert "numba" not in sys.modules, "the first answer loads nothing"
assert gpuodds.equity("AsKs", board="2s7d9h").outcomes == 1070190
assert "numba" not in sys.modules
begin = time.perf_counter()
while "numba" not in sys.modules:
    again = gpuodds.equity(["AsKs", "QhQd"], board="2s7d9h")
    assert again.players == first.players
    assert time.perf_counter() - begin < 60
assert gpuodds.equity(["AsKs", "QhQd"], board="2s7d9h").players == first.players
print("loaded")
"""


@pytest.mark.slow
def test_numba_is_loaded_once_it_pays() -> None:
    assert subprocess.check_output([sys.executable, "-c", CODE], text=True) == "loaded\n"


@pytest.mark.parametrize(
    ("hands", "opponents", "board"),
    [(["AsKs"], 2, "2s7d9h"), (["AsKs", "QhQd"], 1, "2s7d9h"), (["AsKs", "QhQd"], 0, "")],
)
def test_larger_spots_are_left_to_compiled_code(
    hands: list[str], opponents: int, board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "numba")
    assert not uncompiled.is_quicker(Spot.of(hands, opponents=opponents, board=board), opponents)
