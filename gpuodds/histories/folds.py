"""How often players fold by the size of the bet, fitted to hand histories."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpuodds.backends.counts import Progress
from gpuodds.betting.folding import FoldFit
from gpuodds.errors import InputError, excerpt
from gpuodds.histories.faced import STREETS, decisions
from gpuodds.histories.hand import Skipped
from gpuodds.histories.reading.reader import find_files, pieces_of, read_piece
from gpuodds.machine.processes import Stop

SCHEMA = "gpuodds.fold-fit/1"
AFTER_THE_FLOP = "flop to river"
GROUPS = (AFTER_THE_FLOP, *(name for cards, name in STREETS.items() if cards), STREETS[0])
"""What decisions are grouped by, in the order in which fits are shown."""
PRICES = {"half_pot": 1 / 4, "pot": 1 / 3, "two_pots": 2 / 5}
"""The prices of common bets."""


@dataclass
class FoldFits:
    """Curves of folds by street.

    Attributes:
        player: Whose opponents decided; None for all players.
        hands: The hands that were read.
        skipped: What could not be read.
        fits: The curve by street, and of ``"flop to river"``, where there are enough decisions.
        reasons: Why the other groups are not fitted.
    """

    player: str | None = None
    hands: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    fits: dict[str, FoldFit] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object ``gpuodds.fold-fit/1``."""
        return {
            "schema": SCHEMA,
            "player": self.player,
            "hands": self.hands,
            "skipped": len(self.skipped),
            "streets": [
                _fit_dict(name, self.fits[name])
                if name in self.fits
                else {"street": name, "fold_curve": None, "reason": self.reasons[name]}
                for name in GROUPS
            ],
        }


def _fit_dict(name: str, fit: FoldFit) -> dict[str, Any]:
    return {
        "street": name,
        "decisions": fit.decisions,
        "folds": fit.folds,
        "fold_curve": [fit.curve.level, fit.curve.slope],
        "level_interval": list(fit.level_interval),
        "slope_interval": list(fit.slope_interval),
        **{
            bet: {"chance": fit.curve.chance(price), "interval": list(fit.interval(price))}
            for bet, price in PRICES.items()
        },
    }


def fit_folds(
    paths: str | Path | Iterable[str | Path],
    *,
    player: str | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> FoldFits:
    """Fit the chance that a player folds, by the price of the call, to hand histories.

    Args:
        paths: Files, folders, patterns; or one of them.
        player: Take the decisions of this player's opponents, in hands that dealt them in. Default:
            those of all players.
        progress: Called with the fraction of the files done, 0 to 1.
        stop: Once it returns True, the fit is of what was read.

    Raises:
        InputError: A file does not exist, or no hand could be read, or the player is in none.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from gpuodds.histories import EXAMPLE_HAND
        >>> with TemporaryDirectory() as folder:
        ...     _ = (Path(folder) / "hand.phh").write_text(EXAMPLE_HAND)
        ...     fit_folds(folder).reasons["before the flop"]
        '4 decisions: expected 100 or more'
    """
    found = FoldFits(player)
    prices: dict[str, list[float]] = {name: [] for name in GROUPS}
    folded: dict[str, list[bool]] = {name: [] for name in GROUPS}
    files = find_files(paths)
    for done, path in enumerate(files, 1):
        for piece in pieces_of(path):
            if stop is not None and stop():
                break
            hand = piece if isinstance(piece, Skipped) else read_piece(piece, moves=True)
            if isinstance(hand, Skipped):
                found.skipped.append(hand)
                continue
            if player is not None and player not in hand.names:
                continue
            found.hands += 1
            for faced in decisions(hand):
                if faced.player == player:
                    continue
                groups = [faced.street]
                if faced.street != STREETS[0]:
                    groups.append(AFTER_THE_FLOP)
                for name in groups:
                    prices[name].append(faced.price)
                    folded[name].append(faced.folded)
        if progress is not None:
            progress(done / len(files))
    if not found.hands and found.skipped:
        raise InputError(f"no hand could be read: {found.skipped[0]}")
    if not found.hands:
        raise InputError(f"player {excerpt(str(player))}: in no hand")
    for name in GROUPS:
        try:
            found.fits[name] = FoldFit.of(prices[name], folded[name])
        except InputError as error:
            found.reasons[name] = str(error)
    return found
