"""Write ranges as text, in the dialects that other programs read."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from math import comb

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.games.holdem.starting_hands import combos_by_starting_hand, name_hand, starting_hands
from gpuodds.games.shared.combos import combo_cards

Floats = npt.NDArray[np.float64]

DIALECTS = ("plain", "pio", "gto+")
EMPTY = {"plain": "0%", "pio": "AA:0", "gto+": "[0.0]AA[/0.0]"}


def write_weights(weights: Floats, dialect: str, lowest: int) -> str:
    """Return text that reads back as the same weights.

    Args:
        weights: Weights 0 to 1, shape (1326,).
        dialect: ``plain`` (``QQ+,AK:0.5``), ``pio`` (the same, every starting hand listed) or ``gto+``
            (``[50.0]AK[/50.0]``).
        lowest: The rank of the deck's lowest card.
    """
    values = sorted(set(weights[weights > 0].tolist()), reverse=True)
    parts = []
    for value in values:
        items = _items_of(weights, value, dialect != "pio", lowest)
        if value == 1.0:
            parts.append(",".join(items))
        elif dialect == "gto+":
            percent = format((Decimal(repr(value)) * 100).normalize(), "f")
            percent += "" if "." in percent else ".0"
            parts.append(f"[{percent}]{','.join(items)}[/{percent}]")
        else:
            share = format(Decimal(repr(value)), "f")
            parts.append(",".join(f"{item}:{share}" for item in items))
    return ",".join(parts) or EMPTY[dialect]


def _items_of(weights: Floats, value: float, runs: bool, lowest: int) -> list[str]:
    members = combos_by_starting_hand()
    whole = {name for name in starting_hands() if (weights[members[name]] == value).all()}
    covered = {h for name in whole for h in members[name]}
    if len(covered) == comb(DECK_SIZE - 4 * lowest, 2) and runs:
        return ["random"]
    items = []
    if runs:
        pairs = [rank for rank in range(12, -1, -1) if name_hand(rank, rank, "") in whole]
        items += [_pair_run(top, bottom) for top, bottom in _stretches(pairs)]
        for suits in ("", "s", "o"):
            for high in range(12, 0, -1):
                kickers = []
                for low in range(high - 1, -1, -1):
                    suited, offsuit = (name_hand(high, low, kind) in whole for kind in "so")
                    fits = {"": suited and offsuit, "s": suited > offsuit, "o": offsuit > suited}
                    if fits[suits]:
                        kickers.append(low)
                items += [_kicker_run(high, *run, suits) for run in _stretches(kickers)]
    else:
        items += [name for name in starting_hands() if name in whole]
    cards = combo_cards().tolist()
    for h in np.flatnonzero(weights == value)[::-1].tolist():
        if h not in covered:
            items.append(format_cards(reversed(cards[h])))
    return items


def _stretches(ranks: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last rank of each run of consecutive descending ranks."""
    begin = 0
    for at in range(1, len(ranks) + 1):
        if at == len(ranks) or ranks[at] != ranks[at - 1] - 1:
            yield ranks[begin], ranks[at - 1]
            begin = at


def _pair_run(top: int, bottom: int) -> str:
    if top == bottom:
        return name_hand(top, top, "")
    if top == 12:
        return name_hand(bottom, bottom, "") + "+"
    return name_hand(top, top, "") + "-" + name_hand(bottom, bottom, "")


def _kicker_run(high: int, top: int, bottom: int, suits: str) -> str:
    if top == bottom:
        return name_hand(high, top, suits)
    if top == high - 1:
        return name_hand(high, bottom, suits) + "+"
    return name_hand(high, top, suits) + "-" + name_hand(high, bottom, suits)
