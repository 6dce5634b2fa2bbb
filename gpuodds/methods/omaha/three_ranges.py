"""Count three players of Omaha, with ranges or random cards, on each full board."""

from __future__ import annotations

from math import comb, prod
from typing import TYPE_CHECKING

from gpuodds.backends.choice import run_operation
from gpuodds.backends.costs import CALL
from gpuodds.backends.operations.omaha.ranges import OmahaThreePlayers, three_players_seconds
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.shared.symmetry import weighted_boards
from gpuodds.methods.method import ALONE, Machine, Method, Run
from gpuodds.methods.omaha.combo_lists import why_too_many
from gpuodds.methods.omaha.known_hands import known_hands_result
from gpuodds.results.result import EquityResult
from gpuodds.results.rounding import without_rounding

if TYPE_CHECKING:
    from gpuodds.methods.options import Options
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.spot import Spot

PLAYERS = 3
MAX_DEALS = 1e17  # of three ranges on a board: with the factor of a board, 64 bits hold them
ONLY_EQUITIES = "gives neither equities by hand nor final hands"


class ThreeRanges(Method):
    """Three players, with ranges or random cards."""

    name = "three ranges"
    alike = "boards"

    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""
        spot = form.spot
        if spot.players != PLAYERS:
            return "counts three players"
        if spot.is_known and not spot.opponents:
            return "no player has a range or random cards"
        if spot.folded:
            return "counts no folded ranges"
        if options.is_counted_only:
            return ONLY_EQUITIES
        if prod(map(float, spot.sizes)) > MAX_DEALS:
            return "too many combos to list"
        return why_too_many(spot)

    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Estimate how long the CPU of a machine takes."""
        spot = form.spot
        boards = max(1.0, comb(DECK_SIZE - len(spot.known), spot.to_come) / len(spot.suit_group))
        board = three_players_seconds(spot.game, spot.sizes)
        return CALL + boards * board / min(machine.thread_count, boards)

    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """Compare the players' hands on each full board."""
        return count_three_ranges(form.spot, options, run)


def count_three_ranges(spot: Spot, options: Options, run: Run = ALONE) -> EquityResult:
    """Answer a spot of three players.

    Raises:
        ImpossibleDeal: The ranges cannot be dealt together.
    """
    held = spot.held_by_all
    hands, weights = [one.cards for one in held], [one.weights for one in held]
    boards, times = weighted_boards(spot.board, spot.removed, spot.suit_group)
    operation = OmahaThreePlayers(spot.game, hands, weights, boards, times)
    counts, backend = run_operation(operation, options.backend, run.seconds, run.progress)
    if not spot.has_integer_weights:
        cleaned = without_rounding(list(counts.values()), prod(spot.least_weights)).tolist()
        counts = {who: deals for who, deals in zip(counts, cleaned, strict=True) if deals}
    if not counts:
        raise ImpossibleDeal
    return known_hands_result(spot, counts, backend)
