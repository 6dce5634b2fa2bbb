"""A heads-up bot that weights the opponent's combos by what it would have done with them itself.

It extends :mod:`.pokerbot`, to which a call is five times as likely, and a raise ten times, with a
combo for which it pays against any cards. At depth 1 the weight of a combo after a move is the
probability that pokerbot, in the opponent's seat, makes that move with it; at depth 2 it is that of a
bot of depth 1, which weights *our* combos so; and so on. The simulated player sees only the moves, the
board and the combo.

It bluffs on the flop, too, but not always as often: less where the flop helps those who call, more
where its own combos are ahead of the opponent's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.textures import flop_textures
from gpuodds.games.shared.combos import combo_cards
from gpuodds.play.bots.pokerbot import (
    Answers,
    Pokerbot,
    PokerbotSettings,
    Tracker,
    answers_of,
    opponent_of,
)
from gpuodds.play.equities import ENGINE, Equities
from gpuodds.play.game import Ended
from gpuodds.play.strength import possible
from gpuodds.play.turns import CARDS_BY_STREET, Observation, Played, Turn

Floats = npt.NDArray[np.float64]
Key = tuple[int, int, int]

MAX_DEPTH = 3
TEXTURES = {
    **{"monotone": 0.5, "two-tone": 0.8, "rainbow": 1.2},
    **{"unpaired": 1.0, "paired": 1.2, "trips": 1.2},
    **{"connected": 0.75, "disconnected": 1.25},
}
"""The factor of the bluffs on a flop by each of its textures."""


@dataclass(frozen=True)
class SimulatingSettings(PokerbotSettings):
    """Constants of the bot, in addition to those of pokerbot.

    Attributes:
        depth: How many levels of opponents are simulated, 0 to 3; 0 plays as pokerbot does.
        stray: The share of the opponent's moves that are taken for independent of the hand.
        advantage: How much more often it bluffs per equity above one half of its combos against the
            opponent's, as a factor.
        most_bluffs: The largest probability of a bluff.
    """

    depth: int = 2
    stray: float = 0.1
    advantage: float = 5.0
    most_bluffs: float = 0.5

    def __post_init__(self) -> None:
        """Check the depth."""
        if not 0 <= self.depth <= MAX_DEPTH:
            raise InputError(f"depth {self.depth}: expected 0 to {MAX_DEPTH}")


class Simulating(Pokerbot):
    """Weights the opponent's combos by simulating its own strategy in the opponent's seat.

    Args:
        draw: The source of its draws.
        settings: The constants of the bot, a :class:`gpuodds.play.bots.SimulatingSettings`.
        equities: A :class:`gpuodds.play.ServerEquities`. Default: the engine of this process.
    """

    _settings: SimulatingSettings

    def __init__(
        self, draw: Random, settings: SimulatingSettings | None = None, *, equities: Equities = ENGINE
    ) -> None:
        """Draw by ``draw``; take the source of equities."""
        super().__init__(draw, settings or SimulatingSettings(), equities=equities)
        # What opponents have seen of this bot's play before the flop.
        self._own_tracker = Tracker(self._settings.memory)
        self._kept: dict[Key, Floats] = {}
        self._kept_for: tuple[tuple[int, ...], tuple[Played, ...]] = (), ()

    def bluffs(self, seen: Observation) -> float:
        """Return the probability of a bluff in place of a call.

        Args:
            seen: What the player knows.
        """
        self._keep_for(seen)
        return self._bluffs(seen, seen.seat, seen.moves, seen.board, self._settings.depth)

    def range_after(self, seen: Observation) -> Floats:
        """Return the weights of the opponent's combos by the moves alone, shape (1326,).

        Args:
            seen: What the player knows.
        """
        self._keep_for(seen)
        rival = opponent_of(seen, seen.moves)
        return self._simulated(seen.seat, rival, seen.moves, seen.board, self._settings.depth)

    def _keep_for(self, seen: Observation) -> None:
        """Forget what was computed, unless it was for earlier turns of this hand."""
        board, moves = self._kept_for
        if seen.board[: len(board)] != board or seen.moves[: len(moves)] != moves:
            self._kept.clear()
        self._kept_for = seen.board, seen.moves

    def _simulated(
        self, own: int, seat: int, moves: Sequence[Played], board: Sequence[int], depth: int
    ) -> Floats:
        """Return the weights of a seat's combos by its moves, as a bot of a depth takes them.

        Args:
            own: The seat of this bot.
            seat: The seat.
            moves: The moves so far.
            board: The cards on the board; only those dealt before each move are used.
            depth: The depth of the bot that weights them.
        """
        key = seat, len(moves), depth
        if key not in self._kept:
            tracker = self._own_tracker if seat == own else self.tracker
            before = [move for move in moves if move.street == 0 or depth == 0]
            weights = self.range_before(seat, before, board, tracker)
            for at, move in enumerate(moves if depth else ()):
                if move.street and move.seat == seat and move.kind != "fold":
                    chances = self._chances(own, at, moves, board, depth - 1)
                    weights = weights * (self._settings.stray + (1 - self._settings.stray) * chances)
            self._kept[key] = weights
        return self._kept[key]

    def _chances(
        self, own: int, at: int, moves: Sequence[Played], board: Sequence[int], depth: int
    ) -> Floats:
        """Return the probability of a move by combo, of a bot of a depth in that seat."""
        move, before = moves[at], moves[:at]
        turn, dealt = move.turn, board[: CARDS_BY_STREET[move.street]]
        if turn is None:
            return np.ones(len(combo_cards()))
        rival = opponent_of(turn, before)
        theirs = self._simulated(own, rival, before, dealt, depth)
        if not (theirs * possible(tuple(dealt))).any():  # none of its combos would have come here
            theirs = np.ones(len(theirs))
        shares = self._equities.against_range(tuple(dealt), theirs)
        bluffs = self._bluffs(turn, own, before, dealt, depth)
        return chances_of(move, turn, answers_of(self._settings, turn, shares, bluffs), self._settings)

    def _bluffs(
        self, turn: Turn, own: int, moves: Sequence[Played], board: Sequence[int], depth: int
    ) -> float:
        """Return the probability of a bluff of a bot of a depth at a turn."""
        settings = self._settings
        if turn.street != 1:
            return 0.0
        if not depth:
            return settings.bluffs
        ours = self._simulated(own, turn.seat, moves, board, depth)
        theirs = self._simulated(own, opponent_of(turn, moves), moves, board, depth)
        ahead = range_equity(ours, theirs, self._equities.against_range(tuple(board), theirs), board)
        chance = settings.bluffs * (1 + settings.advantage * (ahead - 0.5))
        for texture in flop_textures(board, HOLDEM):
            chance *= TEXTURES.get(texture, 1.0)
        return min(max(chance, 0.0), settings.most_bluffs)

    def end(self, hand: Ended) -> None:
        """Learn how the opponents acted before the flop, and what they saw of this bot.

        Args:
            hand: What the player knows of it.
        """
        super().end(hand)
        raises = 0
        for move in hand.moves:
            if move.street == 0:
                if move.seat == hand.seat:
                    self._own_tracker.learn(raises, move.kind)
                raises += move.kind == "raise"
        self._kept.clear()
        self._kept_for = (), ()


def chances_of(move: Played, turn: Turn, answers: Answers, settings: PokerbotSettings) -> Floats:
    """Return the probability of a move, with each of some hands.

    A raise stands for the size of the bot's raises that is nearest to it, as a factor.

    Args:
        move: The move.
        turn: The table before it.
        answers: What the bot does with the hands.
        settings: The constants of the bot.
    """
    if move.kind == "fold":
        return answers.folds
    goes_on = 1 - answers.folds
    of_raise = answers.raises + (1 - answers.raises) * answers.bluffs
    if not turn.max_raise:
        return goes_on
    if move.kind == "call":
        return goes_on * (1 - of_raise)
    small, large = (turn.raise_by_pot(settings.size(large=large)).to for large in (False, True))
    if small == large:
        return goes_on * of_raise
    level = turn.bets[turn.seat] + turn.to_call
    is_large = (move.to - level) ** 2 > (small - level) * (large - level)
    if is_large:
        large_raises = np.where(answers.large, answers.raises, 0.0)
        return goes_on * (large_raises + (1 - answers.raises) * answers.bluffs)
    return goes_on * np.where(answers.large, 0.0, answers.raises)


def range_equity(ours: Floats, theirs: Floats, shares: Floats, board: Sequence[int]) -> float:
    """Return the equity of a range against another, one half if no two of their combos can meet.

    Args:
        ours: The weights of the first, shape (1326,).
        theirs: Those of the second.
        shares: The equity of each combo against the second.
        board: The cards on the board.
    """
    low, high = combo_cards().T
    theirs = theirs * possible(tuple(board))
    by_card = np.bincount(low, theirs, DECK_SIZE) + np.bincount(high, theirs, DECK_SIZE)
    meets = theirs.sum() - by_card[low] - by_card[high] + theirs
    deals = ours * possible(tuple(board)) * meets
    whole = float(deals.sum())
    return float(deals @ shares) / whole if whole > 0 else 0.5
