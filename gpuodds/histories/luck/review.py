"""One player's hands in a file, as the page shows them: totals, a graph, the all-ins with most luck."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from typing import Any

from gpuodds.histories.chips import PARTS
from gpuodds.histories.luck.graph import Series
from gpuodds.histories.luck.ledger import Counting, Ledger, add_up
from gpuodds.histories.luck.row import Row
from gpuodds.histories.reading.pieces import cut
from gpuodds.machine.processes import Stop

SCHEMA = "gpuodds.luck/1"
MOST = 20  # all-ins with good luck, and with bad
MOST_SKIPPED = 50
MOST_PLAYERS = 200


def review(
    content: bytes, name: str, player: str | None = None, *, stop: Stop | None = None
) -> dict[str, Any]:
    """Return the object ``gpuodds.luck/1`` of a file.

    Args:
        content: The bytes of a file of hand histories.
        name: Its name.
        player: Whose hands; by default of the player with the most.
        stop: Ends it once it returns True; what was counted is returned.

    Example:
        >>> from gpuodds.histories import EXAMPLE_HAND
        >>> found = review(EXAMPLE_HAND.encode(), "hand.phh")
        >>> found["player"], found["series"]["result"], round(found["lucky"][0]["luck"], 2)
        ('Ann', [-30.0], -52.06)
    """
    rows: list[Row] = []
    ledger = add_up(cut(BytesIO(content), name), Counting(), each=rows.append, stop=stop)
    hands = Counter(name for row in rows for name in row.names)
    if player is None and hands:
        most = max(hands.values())
        player = next(one for one in rows[0].names + tuple(hands) if hands[one] == most)
    series = Series(player or "")
    for row in rows:
        series.add(row)
    return {
        "schema": SCHEMA,
        "player": player,
        "hands": ledger.hands,
        "again": ledger.again,
        "players": [{"player": one, "hands": count} for one, count in hands.most_common(MOST_PLAYERS)],
        "totals": [one.to_dict() for one in ledger.totals if one.player == player],
        "series": series.to_dict(),
        "lucky": _lucky(rows, player),
        "not_adjusted": dict(ledger.not_adjusted),
        **_skipped(ledger),
    }


def _skipped(ledger: Ledger) -> dict[str, Any]:
    shown = [
        {"file": one.file, "line": one.line, "reason": one.reason}
        for one in ledger.skipped[:MOST_SKIPPED]
    ]
    return {"skipped": shown, "more_skipped": sum(ledger.reasons.values()) - len(shown)}


def _lucky(rows: list[Row], player: str | None) -> list[dict[str, Any]]:
    """Return the all-ins with most luck, good or bad, in big blinds; the luckiest first."""
    found: list[tuple[float, dict[str, Any]]] = []
    for row in rows:
        place = row.names.index(player) if player in row.names else -1
        luck = row.luck[place] if row.luck and place >= 0 else None
        if luck is None or not row.big_blind:
            continue
        swing = float(sum(luck) / row.big_blind)
        found.append(
            (
                swing,
                {
                    "hand": row.number,
                    "file": row.file,
                    "line": row.line,
                    "time": row.time.isoformat() if row.time else None,
                    "currency": row.currency,
                    "result": row.result[place] / PARTS,
                    "ev": float(row.ev[place] / PARTS),
                    "luck": swing,
                    "streets": [float(street / row.big_blind) for street in luck],
                    "spot": row.spot,
                },
            )
        )
    found.sort(key=lambda one: -one[0])
    kept = found if len(found) <= 2 * MOST else found[:MOST] + found[-MOST:]
    return [one for _, one in kept]
