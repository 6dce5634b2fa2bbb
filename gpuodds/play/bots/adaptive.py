"""A heads-up bot that learns how the opponent plays, and makes the move that gains most against that.

It extends :mod:`.pokerbot`. It learns how often the opponent takes each action, by street and by the
size faced, and from shown cards how strong the hands behind it were. So every action and its size
weights the opponent's combos, before the flop as well as after it. It evaluates a bet by simulating the
answer: by the learned rates the weakest combos fold, the strongest raise, the others call. The depth is
two, the bet and the answer. So it bluffs if the opponent folds often enough; the board and the equity
against the combos that do not fold decide which hands bluff. It mixes moves with nearly equal gains.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import exp
from random import Random

import numpy as np
import numpy.typing as npt

from gpuodds.games.shared.combos import combo_index
from gpuodds.play.bots.pokerbot import opponent_of
from gpuodds.play.equities import ENGINE, Equities
from gpuodds.play.game import Ended
from gpuodds.play.strength import places, possible
from gpuodds.play.turns import CARDS_BY_STREET, Move, Observation, Played

Floats = npt.NDArray[np.float64]
Node = tuple[int, int]

FOLD, CALL, RAISE = range(3)
KINDS = {"fold": FOLD, "call": CALL, "raise": RAISE}
EDGES = (0.01, 0.4, 0.8, 1.5, 3.0)  # between the buckets of sizes to call, in pots


@dataclass(frozen=True)
class AdaptiveSettings:
    """Constants of the bot.

    Attributes:
        sizes: The raises that it considers, in pots.
        prior: The weight of the assumed rates, in actions.
        forgets: The factor of earlier observations at each new hand.
        stray: The share of actions that are independent of the hand, before any showdown.
        heat: The temperature of the mix of moves with nearly equal gains, in pots.
        realised: The share of its equity that a hand realises with streets to come.
    """

    sizes: tuple[float, ...] = (0.5, 1.0, 2.0)
    prior: float = 8.0
    forgets: float = 0.998
    stray: float = 0.25
    heat: float = 0.015
    realised: float = 0.92


class Habits:
    """How often the opponent folds, calls and raises, by street and by the size faced."""

    def __init__(self, settings: AdaptiveSettings) -> None:
        """Begin with the assumed rates."""
        self._settings = settings
        self._counts: dict[Node, Floats] = defaultdict(lambda: np.zeros(3))
        # Shown hands, and those of them whose strength did not fit the action.
        self._off, self._shown = settings.stray * settings.prior, settings.prior

    @property
    def stray(self) -> float:
        """The share of actions that are independent of the hand."""
        return float(min(max(self._off / self._shown, 0.05), 0.9))

    def rates(self, node: Node) -> Floats:
        """Return the rates of folding, calling and raising at a node; the sum is 1."""
        _, size = node
        fold = (0.0, 0.2, 0.35, 0.45, 0.5, 0.55)[size]
        raised = 0.3 if size == 0 else 0.15
        assumed = np.array([fold, 1 - fold - raised, raised]) * self._settings.prior
        counts = self._counts[node] + assumed
        rates: Floats = counts / counts.sum()
        return rates

    def learn(self, node: Node, kind: int) -> None:
        """Take an action into account."""
        self._counts[node][kind] += 1

    def learn_shown(self, place: float, node: Node, kind: int) -> None:
        """Take into account that an action was made with a hand of this place, 0 the best."""
        best, worst = band(self.rates(node), kind)
        self._shown += 1
        self._off += not best - 0.05 <= place <= worst + 0.05

    def forget(self) -> None:
        """Reduce the weight of earlier observations."""
        for counts in self._counts.values():
            counts *= self._settings.forgets


class Adaptive:
    """Learns how the opponent plays, and makes the move that gains most against that.

    Args:
        draw: The source of its choice among nearly equal moves.
        settings: The constants of the bot, a :class:`gpuodds.play.bots.AdaptiveSettings`.
        equities: A :class:`gpuodds.play.ServerEquities`. Default: the engine of this process.
    """

    habits: Habits
    """What it has learned of the opponents' play."""

    def __init__(
        self, draw: Random, settings: AdaptiveSettings | None = None, *, equities: Equities = ENGINE
    ) -> None:
        """Draw among nearly equal moves by ``draw``; take the source of equities."""
        self._draw, self._settings, self._equities = draw, settings or AdaptiveSettings(), equities
        self.habits = Habits(self._settings)

    def act(self, seen: Observation) -> Move:
        """Return the move that gains most, or nearly so.

        Args:
            seen: What the player knows.
        """
        gains = self.gains(seen)
        best = max(gains.values())
        heat = self._settings.heat * (seen.winnable + seen.to_call)
        weights = [exp((gain - best) / heat) for gain in gains.values()]
        return self._draw.choices(list(gains), weights)[0]

    def gains(self, seen: Observation) -> dict[Move, float]:
        """Return the mean gain of each move, in chips, against the opponent's likely combos.

        Args:
            seen: What the player knows.
        """
        hands = self.posterior(seen)
        ours = 1 - self._equities.villain_equity(seen.hand, seen.board)
        share = self._realised(seen) * float(hands @ ours)
        gains = {Move("call"): share * (seen.winnable + seen.to_call) - seen.to_call}
        if seen.to_call:
            gains[Move("fold")] = 0.0
        for size in self._settings.sizes if seen.max_raise else ():
            move = seen.raise_by_pot(size)
            gains[move] = self._gain_of(seen, move, hands, ours)
        return gains

    def _gain_of(self, seen: Observation, move: Move, hands: Floats, ours: Floats) -> float:
        """Return the mean gain of a raise: the opponent folds, calls, or raises and we fold or call."""
        rival = opponent_of(seen, seen.moves)
        own, theirs = seen.bets[seen.seat], seen.bets[rival]
        to_call = min(move.to - theirs, seen.stacks[rival])
        paid = min(move.to, theirs + to_call) - own  # the part that cannot be called comes back
        after = seen.pot + paid
        rates = self.habits.rates((seen.street, bucket(to_call / after)))
        fold, call, raised = self._answers(seen, hands, rates)
        pot = after + to_call
        called = float((hands * call) @ ours)
        gain = float(hands @ fold) * seen.pot
        gain += self._realised(seen) * called * pot - float(hands @ call) * paid
        # Take a reraise as one of the pot, and call it if that gains more than a fold.
        again = float((hands * raised) @ ours)
        more = min(pot, seen.stacks[seen.seat] - paid) if seen.stacks[seen.seat] > paid else 0
        stays = again * (pot + 2 * more) - float(hands @ raised) * (paid + more)
        gain += max(stays, -float(hands @ raised) * paid)
        return gain

    def _realised(self, seen: Observation) -> float:
        return 1.0 if seen.street == 3 else self._settings.realised

    def _answers(
        self, seen: Observation, hands: Floats, rates: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """Return the probabilities that each combo folds, calls and raises, given the overall rates."""
        order = np.argsort(-self._strengths(seen.board), kind="stable")
        mass = np.cumsum(hands[order])
        middle = np.empty_like(mass)
        middle[order] = mass - hands[order] / 2
        stray = self.habits.stray
        likelihoods = []
        for kind in (FOLD, CALL, RAISE):
            best, worst = band(rates, kind)
            inside = (middle >= best) & (middle <= worst)
            likelihoods.append(stray * rates[kind] + (1 - stray) * inside)
        whole = np.sum(likelihoods, axis=0)
        return likelihoods[0] / whole, likelihoods[1] / whole, likelihoods[2] / whole

    def _strengths(self, board: tuple[int, ...]) -> Floats:
        """Return the strength of each combo on a board, higher being stronger."""
        return self._equities.against_random(board) if board else 1 - places()

    def posterior(self, seen: Observation) -> Floats:
        """Return the probability of each combo of the opponent, shape (1326,), float64; the sum is 1.

        Args:
            seen: What the player knows.
        """
        rival = opponent_of(seen, seen.moves)
        hands = possible((*seen.hand, *seen.board)).copy()
        for move in seen.moves:
            if move.seat == rival and move.kind != "fold":
                board = seen.board[: CARDS_BY_STREET[move.street]]
                node, kind = node_of(move), KINDS[move.kind]
                place, rates = standing(board, self._equities), self.habits.rates(node)
                best, worst = band(rates, kind)
                inside = (place >= best) & (place <= worst)
                stray = self.habits.stray
                hands *= stray * float(rates[kind]) + (1 - stray) * inside
        hands /= hands.sum()
        return hands

    def end(self, hand: Ended) -> None:
        """Learn from the opponents' actions, and from the cards they showed.

        Args:
            hand: What the player knows of it.
        """
        self.habits.forget()
        for move in hand.moves:
            if move.seat == hand.seat:
                continue
            node, kind = node_of(move), KINDS[move.kind]
            if move.seat in hand.shown:
                board = hand.board[: CARDS_BY_STREET[move.street]]
                place = float(standing(board, self._equities)[combo_index(*hand.shown[move.seat])])
                self.habits.learn_shown(place, node, kind)
            self.habits.learn(node, kind)


def band(rates: Floats, kind: int) -> tuple[float, float]:
    """Return the best and the worst place of the hands behind an action; the best hands raise."""
    fold, call, raised = rates
    if kind == RAISE:
        return 0.0, float(raised)
    if kind == CALL:
        return float(raised), float(raised + call)
    return float(1 - fold), 1.0


def bucket(size: float) -> int:
    """Return the bucket of a size to call, in pots."""
    return sum(size > edge for edge in EDGES)


def node_of(move: Played) -> Node:
    """Return the street of a move, and the bucket of the size that it faced."""
    return move.street, bucket(move.to_call / max(move.pot, 1))


def standing(board: tuple[int, ...], equities: Equities = ENGINE) -> Floats:
    """Return the place of each combo on a board among all of them: 0 is the best, 1 the worst."""
    if not board:
        return places()
    value = np.where(possible(board) > 0, equities.against_random(board), -1.0)
    order = np.argsort(-value, kind="stable")
    place_of = np.ones(len(value))
    count = int(np.sum(value >= 0))
    place_of[order[:count]] = (np.arange(count) + 0.5) / count
    return place_of
