"""Count three players of Omaha, with ranges or random cards, on each full board."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from gpuodds.backends.choice import run_on
from gpuodds.backends.protocol import who_does
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.holdem.symmetry import weighted_boards
from gpuodds.methods.omaha.known_hands import known_hands_result
from gpuodds.results.result import EquityResult
from gpuodds.results.rounding import without_rounding

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Backend, Progress
    from gpuodds.methods.options import Options
    from gpuodds.spots.spot import Spot


def count_three_ranges(
    spot: Spot, options: Options, progress: Progress | None, seconds: float
) -> EquityResult:
    """Answer a spot of three players.

    Raises:
        ImpossibleDeal: The ranges cannot be dealt together.
    """
    held = spot.held_by_all
    hands, weights = [one.cards for one in held], [one.weights for one in held]
    boards, times = weighted_boards(spot.board, spot.removed, spot.suit_group)
    low = spot.game.has_low

    def count(on: Backend) -> dict[tuple[int, int], Any]:
        return on.omaha_three_players(hands, weights, boards, times, low, progress)

    counts, backend = run_on(options.backend, seconds, count)
    if not spot.has_integer_weights:
        cleaned = without_rounding(list(counts.values()), prod(spot.least_weights)).tolist()
        counts = {who: deals for who, deals in zip(counts, cleaned, strict=True) if deals}
    if not counts:
        raise ImpossibleDeal
    return known_hands_result(spot, counts, who_does(backend, "omaha_three_players"))
