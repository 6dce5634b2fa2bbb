"""The answer: a chart for each position and history, what each player gains, and the certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuodds.errors import InputError, excerpt
from gpuodds.short_stacks.spot import History, PushFoldSpot

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gpuodds.short_stacks.decision import Decision
    from gpuodds.spots.ranges.range import Range

SCHEMA = "gpuodds.push-fold/1"
COUNTED = "all deals counted, the cards of players who folded out of the deck"
SAMPLED = (
    "a starting hand is dealt when a player acts, from a deck without the cards of those all-in; who "
    "folds puts his cards back; pots of two and three hands are counted, what a fourth and further "
    "hand changes is averaged over a fixed sample"
)


@dataclass(frozen=True)
class Certificate:
    """How near an equilibrium the printed strategies are.

    Attributes:
        exact: Whether it was computed in rational numbers from exact counts.
        gain: What best responses gain against the printed strategies, added up over the players that
            are free to deviate, in the unit of the values: a fraction if exact, else a float.
        share_of_pool: The gain over all prizes and bounties, or over all chips.
    """

    exact: bool
    gain: Fraction | float
    share_of_pool: float

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON object; ``gain`` is text such as ``"1/3"``."""
        gain = Fraction(self.gain)
        return {
            "exact": self.exact,
            "gain": f"{gain.numerator}/{gain.denominator}",
            "gain_float": float(self.gain),
            "share_of_pool": self.share_of_pool,
        }


@dataclass(frozen=True, eq=False)
class PushFoldResult:
    """Strategies of all players before the flop, all-in or fold.

    Attributes:
        spot: What was asked.
        strategies: The probability of all-in by position, history ("" for first in, else the positions
            that are all-in before, such as ``"BTN,SB"``) and starting hand: decimals of six digits at
            most. What has no choice is all-in with every hand.
        values: How much each player gains on average: chips, or prize money against what his stack is
            worth before the hand.
        certificate: How near an equilibrium that is.
        iterations: How often the players have learnt.
        seconds: The time that the answer took.
        locked: Which decisions were given, as position with history.
        exact_values: The values as fractions; None if they are not exact.

    Example:
        >>> import gpuodds
        >>> result = gpuodds.push_fold([10, 10])
        >>> round(result.percent("SB"), 2), round(result.percent("BB:SB"), 2)
        (58.28, 37.38)
        >>> f"{result.values[0]:.6f}", result.certificate.share_of_pool < 1e-9
        ('-0.045371', True)
    """

    spot: PushFoldSpot
    strategies: Mapping[str, Mapping[str, Mapping[str, float]]]
    values: tuple[float, ...]
    certificate: Certificate
    iterations: int
    seconds: float
    locked: tuple[str, ...] = ()
    exact_values: tuple[Fraction, ...] | None = None

    @classmethod
    def restored(cls, spot: PushFoldSpot, answer: Mapping[str, Any]) -> PushFoldResult:
        """Return an answer from its JSON object, for gpuodds' own use.

        Args:
            spot: What was asked.
            answer: The object ``gpuodds.push-fold/1``.

        Returns:
            The answer.
        """
        found = answer["certificate"]
        gain = Fraction(found["gain"])
        certificate = Certificate(
            found["exact"], gain if found["exact"] else float(gain), found["share_of_pool"]
        )
        exact = answer.get("exact_values")
        return cls(
            spot,
            answer["strategies"],
            tuple(answer["values"]),
            certificate,
            answer["iterations"],
            0.0,
            tuple(answer["locked"]),
            None if exact is None else tuple(map(Fraction, exact)),
        )

    @property
    def positions(self) -> tuple[str, ...]:
        """The names of the positions in order of action."""
        return self.spot.positions

    @property
    def unit(self) -> str:
        """The unit of all values, ``"chips"`` or ``"prize"``."""
        return self.spot.unit

    @property
    def exact(self) -> bool:
        """Whether all deals were counted, as they are for two and three players."""
        return self.certificate.exact

    @property
    def model(self) -> str:
        """How the cards are dealt."""
        return COUNTED if self.exact else SAMPLED

    def chart(self, place: str) -> Mapping[str, float]:
        """Return the probability of all-in of each starting hand.

        Args:
            place: A position with the positions all-in before it, such as ``"BB:BTN,SB"``; ``"BTN"`` is
                first in.

        Raises:
            InputError: There is no such position, or it has no such history.
        """
        player, history = self.spot.read_place(place)
        position = self.positions[player]
        charts = self.strategies[position]
        name = ",".join(self.positions[other] for other in history)
        if name not in charts:
            known = ", ".join(self.places[:12])
            raise InputError(
                f"position {excerpt(place)}: it has no such history; expected one of {known}"
            )
        return charts[name]

    @property
    def places(self) -> tuple[str, ...]:
        """All positions with their histories."""
        return tuple(
            f"{position}:{history}" if history else position
            for position, charts in self.strategies.items()
            for history in charts
        )

    def range(self, place: str) -> Range:
        """Return the hands that go all-in as a range, weighted with their probabilities.

        Args:
            place: As in :meth:`chart`.
        """
        import numpy as np

        from gpuodds.games.holdem.combo_hands import combo_hands
        from gpuodds.games.holdem.starting_hands import starting_hands
        from gpuodds.spots.ranges.range import Range

        chart = self.chart(place)
        return Range.of(np.array([chart[hand] for hand in starting_hands()])[combo_hands()])

    def percent(self, place: str) -> float:
        """Return the share of all combos that goes all-in, in percent.

        Args:
            place: As in :meth:`chart`.
        """
        from gpuodds.games.holdem.starting_hands import combinations

        held = sum(combinations(hand) * weight for hand, weight in self.chart(place).items())
        return held / 13.26

    def grid(self, place: str) -> npt.NDArray[np.float64]:
        """Return the probabilities of all-in by rank, shape (13, 13): suited hands above the diagonal.

        Args:
            place: As in :meth:`chart`.
        """
        import numpy as np

        from gpuodds.games.holdem.starting_hands import to_grid

        return np.array(to_grid(dict(self.chart(place)), 0.0))

    def explain(self, place: str, hand: str) -> Decision:
        """Return what all-in and a fold are worth with a hand, and against what.

        Args:
            place: As in :meth:`chart`.
            hand: A starting hand, such as ``"A5s"``.

        Raises:
            InputError: There is no such decision or hand.
        """
        from gpuodds.short_stacks.decision import explain

        return explain(self, place, hand)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object ``gpuodds.push-fold/1``."""
        spot = self.spot
        answer: dict[str, Any] = {
            "schema": SCHEMA,
            "positions": list(self.positions),
            "stacks": [float(stack) for stack in spot.stacks],
            "blinds": [float(spot.small_blind), float(spot.big_blind)],
            "ante": float(spot.ante),
            "bb_ante": float(spot.bb_ante),
            "payouts": [float(prize) for prize in spot.payouts],
            "bounties": [float(head) for head in spot.bounties],
            "progressive": spot.progressive,
            "unit": self.unit,
            "exact": self.exact,
            "model": self.model,
            "values": list(self.values),
            "certificate": self.certificate.to_dict(),
            "iterations": self.iterations,
            "locked": list(self.locked),
            "strategies": {
                position: {history: dict(chart) for history, chart in charts.items()}
                for position, charts in self.strategies.items()
            },
        }
        if self.exact_values is not None:
            answer["exact_values"] = [
                f"{value.numerator}/{value.denominator}" for value in self.exact_values
            ]
        return answer

    def plot(self, out: str | Path) -> None:
        """Write the charts, first in and after one all-in, to a picture.

        Args:
            out: The file: .png, .svg or .pdf.

        Raises:
            InputError: matplotlib is not installed, the ending is unknown, or the file cannot be
                written.
        """
        from gpuodds.short_stacks.plot import plot_charts

        plot_charts(self, Path(out))

    def _repr_html_(self) -> str:
        from gpuodds.games.holdem.grid_html import grid_html

        tables = []
        for place in self.places:
            if "," in place:
                continue
            chart = self.chart(place)

            def cell(hand: str, chart: Mapping[str, float] = chart) -> tuple[str, str]:
                share = chart[hand]
                return hand, f"background: rgba(59, 126, 161, {share:.2f})" if share >= 0.005 else ""

            tables.append(grid_html(f"{place}: all-in {self.percent(place):.2f} %", cell))
        return "".join(tables)


def place_name(positions: tuple[str, ...], history: History) -> str:
    """Return the name of a history: positions, joined by commas."""
    return ",".join(positions[player] for player in history)
