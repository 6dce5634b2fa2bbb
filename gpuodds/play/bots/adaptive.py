"""A heads-up bot that learns how the opponent plays, and does what gains most against that.

It goes on from :mod:`.pokerbot`. Of each action it learns how often the opponent takes it, by street
and by the size that is faced, and from cards that are shown how strong the hands behind it were. So
every action weighs the opponent's hands, its size included; before the flop as well as after it. A bet
is judged by simulating the answer: which hands fold to it, which call, which raise, by the learned
rates, the strongest hands going on; to a depth of two, the bet and the answer. Bluffs come from that by
themselves where the opponent folds enough, and the board and the equity against the hands that go on
decide which. Between moves that gain nearly as much it mixes.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import exp
from random import Random

import numpy as np
import numpy.typing as npt

from gpuodds.games.holdem.combos import combo_index
from gpuodds.play.bots.pokerbot import opponent_of
from gpuodds.play.equities import ENGINE, Equities
from gpuodds.play.game import CARDS_BY_STREET, Ended, Move, Observation, Played
from gpuodds.play.strength import places, possible

Floats = npt.NDArray[np.float64]
Node = tuple[int, int]

FOLD, CALL, RAISE = range(3)
KINDS = {"fold": FOLD, "call": CALL, "raise": RAISE}
EDGES = (0.01, 0.4, 0.8, 1.5, 3.0)  # sizes of what is to call, in pots, that are told apart


@dataclass(frozen=True)
class Settings:
    """The constants of the bot.

    ``sizes`` are the raises that are judged, in pots. ``prior`` is how many actions what is assumed at
    first counts for, ``forgets`` what a hand leaves of what was learned. ``stray`` is the share of
    actions that have nothing to do with the hand, before showdowns tell. ``heat``, in pots, mixes
    moves that gain nearly as much; ``realised`` is the share of its equity that a hand makes with
    streets to come.
    """

    sizes: tuple[float, ...] = (0.5, 1.0, 2.0)
    prior: float = 8.0
    forgets: float = 0.998
    stray: float = 0.25
    heat: float = 0.015
    realised: float = 0.92


class Habits:
    """How often the opponent folds, calls and raises, by street and by the size that is faced."""

    def __init__(self, settings: Settings) -> None:
        """Begin with what is assumed of anybody."""
        self._settings = settings
        self._counts: dict[Node, Floats] = defaultdict(lambda: np.zeros(3))
        # How far actions tell of hands: strengths that were shown, against what they should have been.
        self._off, self._shown = settings.stray * settings.prior, settings.prior

    @property
    def stray(self) -> float:
        """The share of actions that have nothing to do with the hand."""
        return float(min(max(self._off / self._shown, 0.05), 0.9))

    def rates(self, node: Node) -> Floats:
        """Return the rates of folding, calling and raising at a node; the sum is 1."""
        _, size = node
        fold = (0.0, 0.2, 0.35, 0.45, 0.5, 0.55)[size]
        raised = 0.3 if size == 0 else 0.15
        assumed = np.array([fold, 1 - fold - raised, raised]) * self._settings.prior
        counts = self._counts[node] + assumed
        found: Floats = counts / counts.sum()
        return found

    def learn(self, node: Node, kind: int) -> None:
        """Take an action into account."""
        self._counts[node][kind] += 1

    def learn_shown(self, place: float, node: Node, kind: int) -> None:
        """Take into account that a hand of this place, 0 the best, was behind an action."""
        best, worst = band(self.rates(node), kind)
        self._shown += 1
        self._off += not best - 0.05 <= place <= worst + 0.05

    def forget(self) -> None:
        """Let what was learned fade."""
        for counts in self._counts.values():
            counts *= self._settings.forgets


class Adaptive:
    """The bot; see the module."""

    def __init__(
        self, draw: Random, settings: Settings | None = None, *, equities: Equities = ENGINE
    ) -> None:
        """Draw by ``draw`` which of nearly equal moves is made; take where equities come from."""
        self._draw, self._settings, self._equities = draw, settings or Settings(), equities
        self.habits = Habits(self._settings)

    def act(self, seen: Observation) -> Move:
        """Do what gains most, or nearly so."""
        gains = self.gains(seen)
        best = max(gains.values())
        heat = self._settings.heat * (seen.winnable + seen.to_call)
        weights = [exp((gain - best) / heat) for gain in gains.values()]
        return self._draw.choices(list(gains), weights)[0]

    def gains(self, seen: Observation) -> dict[Move, float]:
        """Return what each move gains on average, in chips, against the opponent's likely hands."""
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
        """Return what a raise gains: the opponent folds, calls, or raises and we give up or call."""
        rival = opponent_of(seen)
        own, theirs = seen.bets[seen.seat], seen.bets[rival]
        to_call = min(move.to - theirs, seen.stacks[rival])
        paid = min(move.to, theirs + to_call) - own  # what cannot be called comes back
        after = seen.pot + paid
        rates = self.habits.rates((seen.street, bucket(to_call / after)))
        fold, call, raised = self._answers(seen, hands, rates)
        pot = after + to_call
        called = float((hands * call) @ ours)
        gain = float(hands @ fold) * seen.pot
        gain += self._realised(seen) * called * pot - float(hands @ call) * paid
        # A raise is answered as if it were the pot: by a call, if that gains, or else a fold.
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
        """Return how likely each hand folds, calls and raises, with such rates over all of them."""
        order = np.argsort(-self._strengths(seen.board), kind="stable")
        mass = np.cumsum(hands[order])
        middle = np.empty_like(mass)
        middle[order] = mass - hands[order] / 2
        stray = self.habits.stray
        found = []
        for kind in (FOLD, CALL, RAISE):
            best, worst = band(rates, kind)
            inside = (middle >= best) & (middle <= worst)
            found.append(stray * rates[kind] + (1 - stray) * inside)
        whole = np.sum(found, axis=0)
        return found[0] / whole, found[1] / whole, found[2] / whole

    def _strengths(self, board: tuple[int, ...]) -> Floats:
        """Return how strong each holding is on a board, higher being stronger."""
        return self._equities.against_random(board) if board else 1 - places()

    def posterior(self, seen: Observation) -> Floats:
        """Return how likely each holding is the opponent's, shape (1326,); the sum is 1."""
        rival = opponent_of(seen)
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
        """Learn from what the opponents did, and from the cards they showed."""
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
    """Return the best and the worst place of the hands behind an action: raises have the best."""
    fold, call, raised = rates
    if kind == RAISE:
        return 0.0, float(raised)
    if kind == CALL:
        return float(raised), float(raised + call)
    return float(1 - fold), 1.0


def bucket(size: float) -> int:
    """Return which size, in pots, something to call has."""
    return sum(size > edge for edge in EDGES)


def node_of(move: Played) -> Node:
    """Return the street and the size that a move faced."""
    return move.street, bucket(move.to_call / max(move.pot, 1))


def standing(board: tuple[int, ...], equities: Equities = ENGINE) -> Floats:
    """Return the place of each holding on a board among all of them: 0 is the best, 1 the worst."""
    if not board:
        return places()
    value = np.where(possible(board) > 0, equities.against_random(board), -1.0)
    order = np.argsort(-value, kind="stable")
    found = np.ones(len(value))
    count = int(np.sum(value >= 0))
    found[order[:count]] = (np.arange(count) + 0.5) / count
    return found
