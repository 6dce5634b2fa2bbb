"""A player's hands, added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

from gpuodds.histories.chips import PARTS, chips_text
from gpuodds.histories.luck.entry import STREETS, Amount
from gpuodds.histories.luck.sums import ExactSum


class Totals:
    """Sums over a player's hands in one currency. Amounts are in parts.

    Example:
        >>> totals = Totals("Ann", "$")
        >>> totals.add(500 * PARTS, 500 * PARTS, 2 * PARTS, None, "")
        >>> totals.hands, totals.result // PARTS, totals.in_big_blinds()
        (1, 500, (Fraction(250, 1), Fraction(250, 1)))
    """

    def __init__(self, player: str, currency: str, group: str = "") -> None:
        self.player, self.currency, self.group = player, currency, group
        self.hands = 0
        self.all_ins = 0
        """All-ins that are adjusted."""
        self.not_adjusted: Counter[str] = Counter()
        """All-ins that are not, by reason."""
        self.result = 0
        self.prize: tuple[float, float] | None = None
        """Prize money won and expected, where payouts are given."""
        self._luck = [ExactSum() for _ in STREETS]
        self._results: dict[int, int] = {}  # by big blind
        self._luck_by_blind: dict[int, ExactSum] = {}
        self._squares = 0.0  # of results, in big blinds
        self._ev_squares = 0.0  # what those of expected results are more

    def add(
        self,
        result: int,
        ev: Amount,
        big_blind: int,
        luck: Sequence[Amount] | None,
        why: str,
    ) -> None:
        """Add a hand.

        Args:
            result: What the player won.
            ev: What he could expect.
            big_blind: The big blind; 0 if there was none.
            luck: The luck of the streets; None if nothing is adjusted.
            why: Why an all-in is not adjusted.
        """
        self.hands += 1
        self.result += result
        self._results[big_blind] = self._results.get(big_blind, 0) + result
        square = (result / (big_blind or PARTS)) ** 2
        self._squares += square
        if why:
            self.not_adjusted[why] += 1
        if luck is None:
            return
        self.all_ins += 1
        self._ev_squares += float(ev / (big_blind or PARTS)) ** 2 - square
        for street, amount in zip(self._luck, luck, strict=True):
            street.add(amount)
        by_blind = self._luck_by_blind.get(big_blind)
        if by_blind is None:
            by_blind = self._luck_by_blind[big_blind] = ExactSum()
        by_blind.add(result - ev)

    def add_prize(self, result: float, ev: float) -> None:
        """Add what a hand changed in prize money: what came, and what was to be expected."""
        was, expected = self.prize or (0.0, 0.0)
        self.prize = (was + result, expected + ev)

    @property
    def ev(self) -> Fraction:
        """The expected result."""
        return self.result - sum(self.luck, Fraction())

    @property
    def luck(self) -> tuple[Fraction, Fraction, Fraction]:
        """The luck of the flop, the turn and the river: result less expected result, in all."""
        flop, turn, river = (street.value for street in self._luck)
        return flop, turn, river

    def in_big_blinds(self) -> tuple[Fraction, Fraction]:
        """Return the result and the expected result in big blinds, of hands that had one."""
        result = sum(
            (Fraction(won, blind) for blind, won in self._results.items() if blind), Fraction()
        )
        luck = sum(
            (some.value / blind for blind, some in self._luck_by_blind.items() if blind), Fraction()
        )
        return result, result - luck

    def deviation_per_100(self) -> tuple[float, float]:
        """Return the standard deviations of result and expected result per 100 hands, in big blinds."""
        if self.hands < 2:
            return 0.0, 0.0
        found = []
        both = self._squares, self._squares + self._ev_squares
        for mean_of, squares in zip(self.in_big_blinds(), both, strict=True):
            spread = max(squares - float(mean_of) ** 2 / self.hands, 0.0) / (self.hands - 1)
            found.append(sqrt(spread) * 10)
        return found[0], found[1]

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``gpuodds ev --json`` prints for the player."""
        blinds, ev_blinds = self.in_big_blinds()
        deviation, ev_deviation = self.deviation_per_100()
        found: dict[str, Any] = {"schema": "gpuodds.ev-player/1", "player": self.player}
        if self.group:
            found["group"] = self.group
        if self.prize is not None:
            found["prize"] = dict(zip(("result", "ev"), self.prize, strict=True))
        return found | {
            "currency": self.currency,
            "hands": self.hands,
            "all_ins": self.all_ins,
            "not_adjusted": dict(sorted(self.not_adjusted.items())),
            "result": chips_text(self.result),
            "ev": chips_text(self.ev),
            "luck": dict(zip(STREETS, map(chips_text, self.luck), strict=True)),
            "big_blinds": {
                "result": float(blinds),
                "ev": float(ev_blinds),
                "deviation_per_100": deviation,
                "ev_deviation_per_100": ev_deviation,
            },
        }
