"""The recipes of docs/architecture.md: a method and an operation are a class, and a line in a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import gpuodds
from gpuodds.backends.choice import run_operation
from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Operation
from gpuodds.games.game import HOLDEM_FAMILY, Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.methods.families import METHODS
from gpuodds.methods.method import Machine, Method, Run
from gpuodds.methods.options import Options
from gpuodds.results.hi_lo import high_result
from gpuodds.results.result import EquityResult
from gpuodds.spots.normal_form import NormalForm


@dataclass(frozen=True, eq=False)
class BestHands(Operation[int]):
    """Find who has the best hand on a full board, a mask."""

    name: ClassVar[str] = "best_hands"
    game: Game
    hands: Sequence[tuple[int, ...]]
    board: Sequence[int]

    def on_cpu(self, progress: Progress | None = None) -> int:
        """Rank all hands."""
        ranks = [self.game.rank_hand(hand, self.board) for hand in self.hands]
        return sum(1 << place for place, rank in enumerate(ranks) if rank == max(ranks))

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> int:
        """Rank all hands: so few take no kernel."""
        return self.on_cpu(progress)


class River(Method):
    """Known hands on the river."""

    name = "river"
    is_always = True

    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""
        spot = form.spot
        if not spot.is_known or spot.opponents or spot.to_come or options.is_counted_only:
            return "counts known hands on the river"
        return ""

    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Estimate how long it takes."""
        return 1e-5

    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """Rank the hands."""
        spot = form.spot
        operation = BestHands(spot.game, spot.known_hands, spot.board)
        winners, backend = run_operation(operation, options.backend, run.seconds)
        return high_result(spot, {(winners, 0): 1}, "exact", backend)


SPOTS: list[dict[str, Any]] = [
    {"hands": ["AsKs", "QhQd"], "board": "2s7d9hTc3c"},
    {"hands": ["AsKs", "AhKd", "QcJc"], "board": "2s7d9hTc3c"},
    {"hands": ["AsKs", "QhQd"], "board": "2s7d9hTc"},
    {"hands": ["AsKs", "QQ"], "board": "2s7d9hTc3c"},
]


def test_a_new_method_is_a_line_in_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [gpuodds.equity(**spot, table=False) for spot in SPOTS]
    listed = (f"{__name__}:River", *METHODS[HOLDEM_FAMILY])
    monkeypatch.setitem(METHODS, HOLDEM_FAMILY, listed)
    after = [gpuodds.equity(**spot, table=False, explain=True) for spot in SPOTS]
    for place, (one, two) in enumerate(zip(before, after, strict=True)):
        assert one.players == two.players and one.winners == two.winners
        first = two.explanation.methods[0] if two.explanation else None
        assert first is not None and first.method == "river" and first.chosen == (place < 2)
        assert first.chosen or first.reason == "counts known hands on the river"


@pytest.mark.parametrize("backend", ["cpu", "cuda"])
def test_a_new_operation_runs_on_every_backend(cuda: Any, backend: str) -> None:
    operation = BestHands(HOLDEM, [(51, 47), (42, 41)], (0, 21, 30, 32, 4))
    assert run_operation(operation, backend) == (2, backend)
