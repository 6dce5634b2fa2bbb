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
        self._ev = ExactSum()
        self._luck = [ExactSum() for _ in STREETS]
        self._results: dict[int, int] = {}  # by big blind
        self._evs: dict[int, ExactSum] = {}
        self._squares = [0.0, 0.0]  # of results and of expected results, in big blinds

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
        unit = big_blind or PARTS
        self._squares[0] += (result / unit) ** 2
        if luck is None:
            self._squares[1] += (result / unit) ** 2
            self._whole(big_blind, result)
            if why:
                self.not_adjusted[why] += 1
            return
        self.all_ins += 1
        self._squares[1] += float(ev / unit) ** 2
        self._whole(big_blind, ev)
        for street, amount in zip(self._luck, luck, strict=True):
            street.add(amount)
        if why:
            self.not_adjusted[why] += 1

    def add_prize(self, result: float, ev: float) -> None:
        """Add what a hand changed in prize money: what came, and what was to be expected."""
        was, expected = self.prize or (0.0, 0.0)
        self.prize = (was + result, expected + ev)

    def _whole(self, big_blind: int, ev: Amount) -> None:
        self._ev.add(ev)
        by_blind = self._evs.get(big_blind)
        if by_blind is None:
            by_blind = self._evs[big_blind] = ExactSum()
        by_blind.add(ev)

    @property
    def ev(self) -> Fraction:
        """The expected result."""
        return self._ev.value

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
        ev = sum((some.value / blind for blind, some in self._evs.items() if blind), Fraction())
        return result, ev

    def deviation_per_100(self) -> tuple[float, float]:
        """Return the standard deviations of result and expected result per 100 hands, in big blinds."""
        if self.hands < 2:
            return 0.0, 0.0
        found = []
        for mean_of, squares in zip(self.in_big_blinds(), self._squares, strict=True):
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
