"""The luck of the cards in hands between bots: by the flop, the turn and the river, and by hole cards.

When a street is dealt, the pots are known, and so are all hands. What a card was worth to a player is
his share of each pot with it less the mean of that share over all cards that could have come, which is
his equity before it. The deck has none of the players' cards, folded ones included, as in the deal
itself. So the expected value of luck is zero whatever the players do, and a result less a multiple of
it is as unbiased as the result, with less variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpuodds.api import equities
from gpuodds.cards import format_cards
from gpuodds.histories.pots import split_pots
from gpuodds.play.game import Deal
from gpuodds.play.turns import CARDS_BY_STREET, Played, Rules

if TYPE_CHECKING:
    from gpuodds.histories.pots import Pot

Floats = npt.NDArray[np.float64]

KINDS = ("hole cards", "flop", "turn", "river")
"""The luck that is told apart."""

BATCH = 20_000  # spots that are counted together


class LuckSum:
    """The luck of each player in each deal, in chips.

    The luck of the hole cards is the equity of all hands before the flop, less an equal share, times
    the big blind: how much it matters is for the control variate to find.

    Args:
        players: Their number.

    Example:
        >>> from gpuodds.play import Deal, Played, Rules
        >>> luck, rules = LuckSum(2), Rules(stack=100, small_blind=1, big_blind=2)
        >>> deal = Deal(((51, 50), (47, 46)), (0, 21, 30, 45, 5))
        >>> moves = [Played(0, 1, "raise", 100, 1, 3), Played(0, 0, "call", 100, 98, 102)]
        >>> luck.add(0, (0, 1), rules, (100, 100), deal, moves)
        >>> luck.counted(1)[0].round(1).tolist()
        [[0.7, 18.0, -174.1, -9.1], [-0.7, -18.0, 174.1, 9.1]]
    """

    def __init__(self, players: int) -> None:
        self._players = players
        self._spots: list[dict[str, Any]] = []
        self._uses: list[tuple[int, tuple[int, ...], int, float, float]] = []
        self._worth: list[Floats | None] = []
        self._sums: dict[int, Floats] = {}

    def add(
        self,
        number: int,
        places: Sequence[int],
        rules: Rules,
        stacks: Sequence[int],
        deal: Deal,
        moves: Sequence[Played],
        worth: Floats | None = None,
    ) -> None:
        """Add a hand.

        Args:
            number: The deal's number, from 0; hands of one number are added up.
            places: The player at each seat.
            rules: Blinds and ante.
            stacks: The chips of each seat before the hand.
            deal: All cards.
            moves: What the players did.
            worth: What a chip of each player (column) is worth to each player (row), shape (players,
                players). Default: chips are worth themselves.
        """
        seats = len(places)
        hands = [format_cards(hand) for hand in deal.hands]
        self._use(number, tuple(places), 0, rules.big_blind, 1 / seats, {"hands": hands}, worth)
        for street, pots in dealt_pots(rules, stacks, moves):
            board = [format_cards(deal.board[:cards]) for cards in CARDS_BY_STREET]
            for pot in pots:
                if len(pot.players) < 2:
                    continue
                inside = [hands[seat] for seat in pot.players]
                dead = "".join(hands[seat] for seat in range(seats) if seat not in pot.players)
                who = tuple(places[seat] for seat in pot.players)
                for sign, cards in ((-1, board[street - 1]), (1, board[street])):
                    spot = {"hands": inside, "board": cards} | ({"dead": dead} if dead else {})
                    self._use(number, who, street, sign * pot.size, 0.0, spot, worth)
        if len(self._spots) >= BATCH:
            self._count()

    def counted(self, deals: int) -> Floats:
        """Return the sums of the first deals, shape (deals, players, 4): see :data:`KINDS`."""
        self._count()
        found = np.zeros((deals, self._players, len(KINDS)))
        for number, luck in self._sums.items():
            if number < deals:
                found[number] = luck
        return found

    def _use(
        self,
        number: int,
        who: tuple[int, ...],
        kind: int,
        times: float,
        less: float,
        spot: dict[str, Any],
        worth: Floats | None,
    ) -> None:
        self._spots.append(spot)
        self._uses.append((number, who, kind, times, less))
        self._worth.append(worth)

    def _count(self) -> None:
        if not self._spots:
            return
        answers = equities(self._spots, method="exact")
        for row, (number, who, kind, times, less) in enumerate(self._uses):
            luck = self._sums.setdefault(number, np.zeros((self._players, len(KINDS))))
            shares = [times * (float(player.equity) - less) for player in answers[row].players]
            worth = self._worth[row]
            if worth is None:
                for place, share in zip(who, shares, strict=True):
                    luck[place, kind] += share
            else:
                luck[:, kind] += worth[:, list(who)] @ shares
        self._spots, self._uses, self._worth = [], [], []


def dealt_pots(
    rules: Rules, stacks: Sequence[int], moves: Sequence[Played]
) -> list[tuple[int, list[Pot]]]:
    """Return the streets that were dealt, from 1 (the flop), with the pots when they were.

    Args:
        rules: Blinds and ante.
        stacks: The chips of each seat before the hand.
        moves: What the players did.

    Example:
        >>> moves = [Played(0, 1, "call", 100, 50, 150), Played(0, 0, "call", 100, 0, 200)]
        >>> [(street, pots[0].size) for street, pots in dealt_pots(Rules(), (20000, 20000), moves)]
        [(1, 200), (2, 200), (3, 200)]
    """
    seats = len(stacks)
    antes = [min(rules.ante, stack) for stack in stacks]
    small, big = (1, 0) if seats == 2 else (0, 1)
    bets = [0] * seats
    for seat, blind in ((small, rules.small_blind), (big, rules.big_blind)):
        bets[seat] = min(blind, stacks[seat] - antes[seat])
    live = [bet + ante for bet, ante in zip(bets, antes, strict=True)]
    folded = [False] * seats
    found: list[tuple[int, list[Pot]]] = []

    def deal_to(street: int) -> None:
        while len(found) < street and folded.count(False) > 1:
            found.append((len(found) + 1, split_pots(live, [0] * seats, folded)))
            bets[:] = [0] * seats

    for move in moves:
        deal_to(move.street)
        if move.kind == "fold":
            folded[move.seat] = True
        else:
            live[move.seat] += move.to - bets[move.seat]
            bets[move.seat] = move.to
    deal_to(len(CARDS_BY_STREET) - 1)
    return found
