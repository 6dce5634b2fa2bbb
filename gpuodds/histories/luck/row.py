"""A hand as totals and files need it: small enough to send between processes."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuodds.games.game import HOLDEM_FAMILY
from gpuodds.games.holdem.starting_hands import starting_hand
from gpuodds.histories.chips import chips_text
from gpuodds.histories.luck.entry import Amount, Entry, Luck

if TYPE_CHECKING:
    from gpuodds.histories.luck.prizes import Prize

GROUPS = ("day", "table", "stakes", "position", "hand", "game", "site")
"""What totals can be split by."""


class Row(NamedTuple):
    """A hand of the ledger; tuples are by place. Amounts are in parts."""

    key: str
    """What tells the hand from others; ``""`` if nothing does."""

    file: str
    line: int
    site: str
    number: str
    time: datetime | None
    table: str
    tournament: str
    game: str
    currency: str
    small_blind: int
    big_blind: int
    names: tuple[str, ...]
    positions: tuple[str, ...]
    hands: tuple[str, ...]
    """Starting hands (``"AKs"``) where they are known, else ``""``."""
    result: tuple[int, ...]
    ev: tuple[Amount, ...]
    luck: tuple[Luck | None, ...] | None
    contest: tuple[bool, ...]
    """Who did not fold."""
    why: str
    apart: tuple[tuple[str, str, int], ...] = ()
    """Money outside the pots: what, who, how much."""
    spot: dict[str, Any] | None = None
    """The spot of an all-in that is adjusted: hands, board and game, as for :func:`gpuodds.equity`."""
    prizes: tuple[Prize, ...] | None = None
    """Prize money, by place, where payouts are given."""
    text: str = ""
    """The line of JSON, if it is asked for."""


def to_row(entry: Entry, key: str, prizes: tuple[Prize, ...] | None = None, text: str = "") -> Row:
    """Return the row of an entry."""
    hand = entry.hand
    names = tuple(hand.names)
    two = hand.game.family == HOLDEM_FAMILY
    hands = tuple(_name(cards) if cards and two else "" for cards in hand.cards)
    return Row(
        key,
        hand.file,
        hand.line,
        hand.site,
        hand.number,
        hand.time,
        hand.table,
        hand.tournament,
        hand.game.name,
        hand.currency,
        hand.small_blind,
        hand.big_blind,
        names,
        tuple(hand.positions),
        hands,
        entry.result,
        entry.ev,
        entry.luck,
        tuple(not folded for folded in hand.folded),
        entry.why,
        tuple((one.what, one.player, one.amount) for one in hand.apart),
        entry.spot() if entry.luck else None,
        prizes,
        text,
    )


_name = lru_cache(maxsize=4096)(starting_hand)


def group_of(row: Row, by: str | None, place: int) -> str:
    """Return the name of the group that a player's hand is in; ``""`` without groups."""
    if by is None:
        return ""
    if by == "position":
        return row.positions[place]
    if by == "hand":
        return row.hands[place] or "not known"
    if by == "day":
        return row.time.date().isoformat() if row.time else "no date"
    if by == "stakes":
        return f"{row.currency}{chips_text(row.small_blind)}/{row.currency}{chips_text(row.big_blind)}"
    value: Any = {"table": row.table, "game": row.game, "site": row.site}[by]
    return value or "none"
