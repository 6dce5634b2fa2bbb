"""A hand in the ledger: what each player won, what he could expect, and the luck of each street."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gpuodds.cards import format_cards
from gpuodds.histories.chips import chips_text
from gpuodds.histories.hand import Hand
from gpuodds.histories.pots import Pot, split_pots

Amount = int | Fraction
"""An amount in parts; see :data:`gpuodds.histories.PARTS`."""

Luck = tuple[Amount, Amount, Amount]
"""The luck of the flop, the turn and the river."""

STREETS = ("flop", "turn", "river")


@dataclass(frozen=True, slots=True)
class PotEntry:
    """A pot, in the ledger.

    Example:
        >>> PotEntry(300, (0, 1), None, (300, 0)).contested
        True
    """

    size: Amount
    """Its chips after rake, which is spread over the pots in proportion."""

    players: tuple[int, ...]
    """The places of those who contest it."""

    equity: tuple[Fraction, ...] | None
    """Their equities when the last decision was made; None where the pot is not adjusted."""

    won: tuple[Amount, ...] | None
    """What each of them won of it; None where the history leaves it open."""

    @property
    def contested(self) -> bool:
        """Whether more than one player contests it."""
        return len(self.players) > 1


@dataclass(frozen=True, slots=True)
class Entry:
    """A hand in the ledger. Amounts are in parts, by place.

    Example:
        >>> from gpuodds.histories import EXAMPLE_HAND, ledger_entries, read_text
        >>> entry = next(ledger_entries(read_text(EXAMPLE_HAND)))
        >>> [round(float(luck) / 100_000_000, 2) for luck in entry.luck[0]]
        [11.31, -109.71, -5.73]
    """

    hand: Hand
    """The hand."""

    result: tuple[int, ...]
    """What each player won, negative if lost."""

    ev: tuple[Amount, ...]
    """What each could expect when the last decision was made; the result where nothing is adjusted."""

    luck: tuple[Luck | None, ...] | None
    """The luck of the streets of each player in an adjusted pot; None without such a pot."""

    pots: tuple[PotEntry, ...]
    """The main pot and the side pots; empty where nothing is adjusted."""

    why: str
    """Why an all-in is not adjusted, ``""`` if it is, or if there was none."""

    def spot(self) -> dict[str, Any] | None:
        """Return the spot of an all-in: hands of its first adjusted pot, board and game; else None."""
        hand = self.hand
        pot = next((pot for pot in self.pots if pot.equity is not None and pot.contested), None)
        if pot is None or not hand.boards:
            return None
        others = [
            place for place, gone in enumerate(hand.folded) if not gone and place not in pot.players
        ]
        dead = format_cards(card for place in others for card in hand.cards[place] or ())
        hands = [format_cards(hand.cards[place] or ()) for place in pot.players]
        names = [hand.names[place] for place in pot.players]
        found: dict[str, Any] = {"hands": hands, "names": names, "game": hand.game.name}
        found["board"] = format_cards(hand.boards[0][: hand.seen])
        return found | ({"dead": dead} if dead else {})

    def to_dict(self, prizes: Sequence[tuple[float, float]] | None = None) -> dict[str, Any]:
        """Return the object that ``gpuodds ev --hands --json`` prints.

        Args:
            prizes: The prize money by place, what came and what was to be expected.
        """
        hand = self.hand
        pots = self.pots or plain_pots(hand)
        players: dict[str, dict[str, Any]] = {}
        for place, name in enumerate(hand.names):
            luck = (self.luck[place] if self.luck else None) or (0, 0, 0)
            players[name] = {
                "result": chips_text(self.result[place]),
                "ev": chips_text(self.ev[place]),
                "luck": dict(zip(STREETS, map(chips_text, luck), strict=True)),
                "pots": [_pot(pot, pot.players.index(place)) for pot in pots if place in pot.players],
            }
            if prizes is not None:
                players[name]["prize"] = dict(zip(("result", "ev"), prizes[place], strict=True))
        found: dict[str, Any] = {
            "schema": "gpuodds.ev/1",
            "hand": hand.number,
            "site": hand.site,
            "file": hand.file,
            "line": hand.line,
            "time": hand.time.isoformat() if hand.time else None,
            "game": hand.game.name,
            "currency": hand.currency,
            "big_blind": chips_text(hand.big_blind),
            "rake": chips_text(hand.rake),
            "players": players,
        }
        if spot := self.spot():
            found["spot"] = spot
        if self.why:
            found["not_adjusted"] = self.why
        if hand.apart:
            found["apart"] = [
                {"what": one.what, "player": one.player, "amount": chips_text(one.amount)}
                for one in hand.apart
            ]
        return found


def plain_pots(hand: Hand) -> list[PotEntry]:
    """Return the pots of a hand in which nothing is adjusted."""
    pots = split_pots(hand.live, hand.dead, hand.folded, hand.added)
    found = []
    for pot, size in zip(pots, after_rake(hand, pots), strict=True):
        won = tuple(hand.collected[place] for place in pot.players) if len(pots) == 1 else None
        alone = len(pot.players) == 1
        found.append(
            PotEntry(size, pot.players, (Fraction(1),) if alone else None, (size,) if alone else won)
        )
    return found


def after_rake(hand: Hand, pots: Sequence[Pot]) -> list[Amount]:
    """Return the sizes of the pots after rake, which is spread in proportion."""
    whole, taken = hand.pot, sum(hand.collected)
    if taken == whole:
        return [pot.size for pot in pots]
    return [Fraction(pot.size * taken, whole) for pot in pots]


def _pot(pot: PotEntry, at: int) -> dict[str, Any]:
    return {
        "size": chips_text(pot.size),
        "contested": pot.contested,
        "equity": None if pot.equity is None else str(pot.equity[at]),
        "won": None if pot.won is None else chips_text(pot.won[at]),
    }
