"""A heads-up bot that plays by rules before the flop, and by the opponent's likely hands after it.

Before the flop it plays the best shares of hands, ranked by equity and adjusted to the size of the
opponent's raise, and keeps moving averages of the opponent's actions. After the flop it weights every
combo of the opponent by the actions before the flop (p1) and since (p2), and plays by its equity
against them. With more players, the opponent is the one who raised last, or else the next in turn.

The description of the bot leaves three points open. Here a share of hands is scaled by the default
size over the actual one, between a quarter and one and a half; an action is in range if the opponent's
rate of it covers the hand's place in the ranking; the probability of a fold is proportional to the
expected loss over the call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import numpy.typing as npt

from gpuodds.games.shared.combos import COMBOS
from gpuodds.play.equities import ENGINE, Equities
from gpuodds.play.game import Ended
from gpuodds.play.strength import place_of, places, possible
from gpuodds.play.turns import CARDS_BY_STREET, Move, Observation, Played, Turn

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PokerbotSettings:
    """Constants of the bot. Shares are of all hands, the best first.

    Attributes:
        opens: The share it opens with.
        open_size: The size of an open, in big blinds.
        calls_reraise: The share it calls a reraise with.
        reraises: The share it reraises with.
        reraise_size: The size of a reraise, in big blinds.
        calls_raise: The further share it calls a raise with.
        calls_third: The share it calls a third raise with.
        in_range: The weight of a combo that the opponent's rate covers; others have 1.
        good_call: The weight of a call with a combo for which it pays.
        good_raise: The weight of a raise with a combo for which it pays.
        lowest_threshold: The equity from which a small raise pays.
        threshold_slope: By how much that equity rises with the size of the raise in pots.
        highest_threshold: The equity from which any raise pays.
        least_scale: The smallest factor of a share, against large raises.
        most_scale: The largest factor of a share, against small raises.
        raises_from: The equity from which it raises after the flop.
        raises_more_from: The equity from which it makes large raises.
        raise_size: The size of a raise after the flop, in pots.
        large_size: The size of a large raise, in pots.
        bluffs: The probability of a bluff on the flop.
        fold_slope: The probability of a fold per expected loss of the chips to call.
        memory: The weight of the latest action in the moving averages.
    """

    opens: float = 0.8
    open_size: float = 3.0
    calls_reraise: float = 0.3
    reraises: float = 0.2
    reraise_size: float = 10.0
    calls_raise: float = 0.4
    calls_third: float = 0.1
    in_range: float = 3.0
    good_call: float = 5.0
    good_raise: float = 10.0
    lowest_threshold: float = 0.5
    threshold_slope: float = 0.2
    highest_threshold: float = 0.9
    least_scale: float = 0.25
    most_scale: float = 1.5
    raises_from: float = 0.5
    raises_more_from: float = 0.8
    raise_size: float = 0.5
    large_size: float = 2.0
    bluffs: float = 0.1
    fold_slope: float = 2.0
    memory: float = 0.05

    def size(self, *, large: bool) -> float:
        """Return the size of a raise after the flop, in pots.

        Args:
            large: Whether it is a large one.
        """
        return self.large_size if large else self.raise_size


class Tracker:
    """Moving averages of the opponent's actions before the flop, by the raises before them."""

    def __init__(self, memory: float) -> None:
        """Begin with equal rates."""
        self._memory = memory
        self._rates: dict[tuple[str, int], float] = defaultdict(lambda: 0.5)

    def learn(self, raises_before: int, kind: str) -> None:
        """Take an action into account."""
        for action in ("fold", "call", "raise"):
            key = action, min(raises_before, 3)
            self._rates[key] += self._memory * ((action == kind) - self._rates[key])

    def share(self, raises_before: int, kind: str) -> tuple[float, float]:
        """Return the best and the worst place of the hands that the opponent acts so with."""
        level = min(raises_before, 3)
        raised, called = self._rates["raise", level], self._rates["call", level]
        return (0.0, raised) if kind == "raise" else (raised, min(raised + called, 1.0))


class Pokerbot:
    """Plays by shares of hands before the flop, and by the opponent's likely hands after it.

    Args:
        draw: The source of its draws.
        settings: The constants of the bot, a :class:`gpuodds.play.bots.PokerbotSettings`.
        equities: A :class:`gpuodds.play.ServerEquities`. Default: the engine of this process.
    """

    tracker: Tracker
    """What it has learned of the opponents' play before the flop."""

    def __init__(
        self, draw: Random, settings: PokerbotSettings | None = None, *, equities: Equities = ENGINE
    ) -> None:
        """Draw by ``draw``; take the source of equities."""
        self._draw, self._settings, self._equities = draw, settings or PokerbotSettings(), equities
        self.tracker = Tracker(self._settings.memory)

    def act(self, seen: Observation) -> Move:
        """Return the move at a turn.

        Args:
            seen: What the player knows.
        """
        return self._before(seen) if seen.street == 0 else self._after(seen)

    def _before(self, seen: Observation) -> Move:
        settings, blind = self._settings, seen.rules.big_blind
        raises = [move for move in seen.moves if move.street == 0 and move.kind == "raise"]
        place, level = place_of(seen.hand), max(seen.bets) / blind
        if not raises:
            if not seen.to_call:  # the big blind, limped to
                return Move("call")
            if place > settings.opens:
                return Move("fold")
            return seen.raise_to(settings.open_size * blind)
        if len(raises) == 1:
            scale = self._scale(settings.open_size, level)
            if place <= settings.reraises * scale:
                return seen.raise_to(settings.reraise_size * blind)
            share = (settings.reraises + settings.calls_raise) * scale
        elif len(raises) == 2:
            share = settings.calls_reraise * self._scale(settings.reraise_size, level)
        else:
            share = settings.calls_third
        return Move("call" if place <= share else "fold")

    def _scale(self, default_size: float, size: float) -> float:
        return min(max(default_size / size, self._settings.least_scale), self._settings.most_scale)

    def _after(self, seen: Observation) -> Move:
        weights = self.posterior(seen)
        share = 1 - float(weights @ self._equities.villain_equity(seen.hand, seen.board))
        answers = answers_of(self._settings, seen, np.array([share]), self.bluffs(seen))
        if answers.folds[0] and self._draw.random() < answers.folds[0]:
            return Move("fold")
        if answers.raises[0] and self._draw.random() < answers.raises[0]:
            return seen.raise_by_pot(self._settings.size(large=bool(answers.large[0])))
        if answers.bluffs and self._draw.random() < answers.bluffs:
            return seen.raise_by_pot(self._settings.large_size)
        return Move("call")

    def bluffs(self, seen: Observation) -> float:
        """Return the probability of a bluff in place of a call.

        Args:
            seen: What the player knows.
        """
        return self._settings.bluffs if seen.street == 1 else 0.0

    def posterior(self, seen: Observation) -> Floats:
        """Return the probability of each combo of the opponent, shape (1326,), float64; the sum is 1.

        Args:
            seen: What the player knows.
        """
        fits = possible((*seen.hand, *seen.board))
        weights = fits * self.range_after(seen)
        if not weights.any():  # it would have made other moves with all of them
            weights = fits.copy()
        weights /= weights.sum()
        return weights

    def range_after(self, seen: Observation) -> Floats:
        """Return the weights of the opponent's combos by the moves alone, shape (1326,).

        Args:
            seen: What the player knows.
        """
        return self.range_before(opponent_of(seen, seen.moves), seen.moves, seen.board)

    def range_before(
        self, seat: int, moves: Sequence[Played], board: Sequence[int], tracker: Tracker | None = None
    ) -> Floats:
        """Return the weights of a seat's combos by its moves alone, whatever cards others hold.

        Args:
            seat: The seat.
            moves: The moves so far.
            board: The cards on the board.
            tracker: What was learned of the seat's play before the flop. Default: the opponents'.

        Returns:
            Shape (1326,), float64.
        """
        tracker = tracker or self.tracker
        weights = np.ones(COMBOS)
        raises = 0
        for move in moves:
            if move.seat == seat and move.kind != "fold":
                if move.street == 0:
                    best, worst = tracker.share(raises, move.kind)
                    covered = (places() >= best) & (places() <= worst)
                    weights *= np.where(covered, self._settings.in_range, 1.0)
                else:
                    weights *= self._density(move, board)
            if move.street == 0:
                raises += move.kind == "raise"
        return weights

    def _density(self, move: Played, board: Sequence[int]) -> Floats:
        """Return the relative likelihood of a move after the flop by combo, shape (1326,)."""
        settings = self._settings
        shares = self._equities.against_random(tuple(board[: CARDS_BY_STREET[move.street]]))
        if move.kind == "call":
            if not move.to_call:
                return np.ones_like(shares)
            pays = shares * (move.pot + move.to_call) >= move.to_call
            return np.where(pays, settings.good_call, 1.0)
        size = max(move.to - move.to_call, 1) / max(move.pot, 1)
        threshold = settings.lowest_threshold + settings.threshold_slope * size
        threshold = min(threshold, settings.highest_threshold)
        return np.where(shares >= threshold, settings.good_raise, 1.0)

    def end(self, hand: Ended) -> None:
        """Learn how the opponents acted before the flop.

        Args:
            hand: What the player knows of it.
        """
        raises = 0
        for move in hand.moves:
            if move.street == 0:
                if move.seat != hand.seat:
                    self.tracker.learn(raises, move.kind)
                raises += move.kind == "raise"


@dataclass(frozen=True)
class Answers:
    """What the bot does at a turn with each of some hands: it draws in this order.

    Attributes:
        folds: The probability of a fold.
        raises: That of a raise, unless it folds.
        large: Whether that raise is a large one.
        bluffs: The probability of a large raise, unless it does either; of all hands.
    """

    folds: Floats
    raises: Floats
    large: Bools
    bluffs: float


def answers_of(settings: PokerbotSettings, turn: Turn, shares: Floats, bluffs: float) -> Answers:
    """Return what the bot does after the flop with hands of these equities.

    Args:
        settings: The constants of the bot.
        turn: The turn.
        shares: The equity of each hand against the opponent's.
        bluffs: The probability of a bluff.
    """
    gains = shares * (turn.winnable + turn.to_call) - turn.to_call
    folds = np.clip(settings.fold_slope * -gains / max(turn.to_call, 1), 0, 1)
    raises = np.where((shares > settings.raises_from) & (gains >= 0), shares, 0.0)
    return Answers(folds, raises, shares > settings.raises_more_from, bluffs)


def opponent_of(turn: Turn, moves: Sequence[Played]) -> int:
    """Return the seat of the opponent to play against: who raised last, or is next in turn.

    Args:
        turn: The turn of the player.
        moves: The moves before it.
    """
    for move in reversed(moves):
        if move.kind == "raise" and move.seat != turn.seat and turn.playing[move.seat]:
            return move.seat
    seats = len(turn.playing)
    seats_after = [(turn.seat + step) % seats for step in range(1, seats)]
    return next(seat for seat in seats_after if turn.playing[seat])
