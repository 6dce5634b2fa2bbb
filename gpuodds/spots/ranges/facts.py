"""What questions ask of a range again and again, found once; and its weights, packed for pickles."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.basics.lazy import cached_property
from gpuodds.games.game import Game
from gpuodds.spots.notation.by_game import notation_of

Floats = npt.NDArray[np.float64]

NOT_KEPT = ("weights", "game", "_masks")  # attributes that a pickle leaves out or writes in brief

FAST = 1  # the level of zlib: ranges are many alike bits
MOST_BY_NUMBER = 65_536  # different weights, of which each combo has the number, in a byte or two


class RangeFacts:
    """What follows from the weights of a range, which do not change.

    Args:
        weights: Shape (combos,), float64, 0 to 1, read-only.
        game: The game.
    """

    weights: Floats
    """As given."""
    game: Game
    """As given."""

    def __init__(self, weights: Floats, game: Game) -> None:
        """Hold the weights."""
        self.weights, self.game = weights, game

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle which combos have a weight above 0, a bit each, and the weights in brief."""
        kept = {name: value for name, value in vars(self).items() if name not in NOT_KEPT}
        held = self.weights > 0
        bits = zlib.compress(np.packbits(held).tobytes(), FAST)
        if self.only_weight is not None:
            return _unpack, (self.game, kept, bits, np.array([self.only_weight]))
        weights = self.weights[held]
        values, numbers = np.unique(weights, return_inverse=True)
        if len(values) > min(MOST_BY_NUMBER, len(weights) // 2):
            return _unpack, (self.game, kept, bits, weights)
        each = zlib.compress(numbers.astype(_kind_of_numbers(values)).tobytes(), FAST)
        return _unpack, (self.game, kept, bits, values, each)

    @cached_property
    def is_integer(self) -> bool:
        """Whether all weights are 0 or 1."""
        return bool(((self.weights == 0.0) | (self.weights == 1.0)).all())

    @cached_property
    def total(self) -> float:
        """The sum of the weights."""
        return float(self.weights.sum())

    @cached_property
    def size(self) -> int:
        """The number of combos with a weight above 0."""
        return int(np.count_nonzero(self.weights))

    def size_without(self, out: int) -> int:
        """Return the number of combos with a weight above 0 and no card of ``out``, a bit for each."""
        return int(np.count_nonzero(self._masks & out == 0)) if out else self.size

    @cached_property
    def _masks(self) -> npt.NDArray[np.int64]:
        """The cards of each combo with a weight above 0, a bit for each."""
        masks: npt.NDArray[np.int64] = self.game.combo_masks()[np.flatnonzero(self.weights)]
        return masks

    @property
    def percent(self) -> float:
        """The sum of the weights in percent of the combos of the game's deck."""
        return 100 * self.total / self.game.dealt_combos

    @cached_property
    def only_weight(self) -> float | None:
        """The weight that all combos with a weight above 0 have; None if there are several."""
        held = self.weights[self.weights > 0]
        return float(held[0]) if len(held) and bool((held == held[0]).all()) else None

    @cached_property
    def suit_group(self) -> frozenset[int]:
        """The numbers of the renamings of the suits that leave the range as it is."""
        return notation_of(self.game).suit_group(self.weights)


def _kind_of_numbers(values: Floats) -> type[np.unsignedinteger[Any]]:
    """Return what the number of a value takes: a byte or two."""
    return np.uint8 if len(values) <= 1 << 8 else np.uint16


def _unpack(
    game: Game, kept: dict[str, Any], bits: bytes, weights: Floats, numbers: bytes = b""
) -> RangeFacts:
    """Return the facts of a pickled range.

    Args:
        game: The game.
        kept: The facts that had been asked for, by name.
        bits: Whether each combo has a weight above 0.
        weights: The weights of these combos, or the one of them all; with numbers, the different ones.
        numbers: Which of the different weights each of these combos has.
    """
    held = np.unpackbits(np.frombuffer(zlib.decompress(bits), np.uint8), count=game.combos).view(bool)
    row = np.zeros(game.combos)
    if numbers:
        weights = weights[np.frombuffer(zlib.decompress(numbers), _kind_of_numbers(weights))]
    row[held] = weights
    row.flags.writeable = False
    facts = RangeFacts(row, game)
    vars(facts).update(kept)
    return facts
