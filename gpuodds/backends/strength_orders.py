"""The combos of full boards in order of strength: an input of operations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class StrengthOrders:
    """The combos of n full boards, the weakest first, and groups of those that tie.

    Attributes:
        hands: Numbers of combos, shape (n, live), uint16; live is 1,081, in short deck 465.
        starts: Where groups begin, shape (n, live + 1), uint16; after the last group the place live.
        groups: How many groups boards have, shape (n,), int64.
        own_cards: The two cards of each place's combo, numbered from 0 within its group, shape (n,
            live, 2), uint8, the lower one first.
        widths: By group, the cards of the group rounded up to a multiple of four, shape (n, live),
            uint8; 0 if no three combos of the group can be dealt together.
    """

    hands: npt.NDArray[np.uint16]
    starts: npt.NDArray[np.uint16]
    groups: npt.NDArray[np.int64]
    own_cards: npt.NDArray[np.uint8]
    widths: npt.NDArray[np.uint8]
