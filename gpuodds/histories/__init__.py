"""Hand histories: read them, and take the luck of all-ins out of their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.basics.lazy import from_homes

if TYPE_CHECKING:
    from gpuodds.histories.chips import PARTS, chips_text
    from gpuodds.histories.example import EXAMPLE_HAND
    from gpuodds.histories.faced import Faced, decisions
    from gpuodds.histories.folds import FoldFits, fit_folds
    from gpuodds.histories.hand import Apart, Hand, Skipped
    from gpuodds.histories.luck.all_ins import Options
    from gpuodds.histories.luck.entries import ledger_entries
    from gpuodds.histories.luck.entry import Entry, PotEntry
    from gpuodds.histories.luck.ledger import Ledger, ledger, ledger_columns
    from gpuodds.histories.luck.row import Row
    from gpuodds.histories.luck.totals import Totals
    from gpuodds.histories.reading.reader import read, read_text

__all__ = [
    "EXAMPLE_HAND",
    "PARTS",
    "Apart",
    "Entry",
    "Faced",
    "FoldFits",
    "Hand",
    "Ledger",
    "Options",
    "PotEntry",
    "Row",
    "Skipped",
    "Totals",
    "chips_text",
    "decisions",
    "fit_folds",
    "ledger",
    "ledger_columns",
    "ledger_entries",
    "read",
    "read_text",
]

if not TYPE_CHECKING:  # which would take any name
    __getattr__ = from_homes(
        __name__,
        {
            "Apart": "hand",
            "EXAMPLE_HAND": "example",
            "Entry": "luck.entry",
            "Faced": "faced",
            "FoldFits": "folds",
            "Hand": "hand",
            "Ledger": "luck.ledger",
            "Options": "luck.all_ins",
            "PARTS": "chips",
            "PotEntry": "luck.entry",
            "Row": "luck.row",
            "Skipped": "hand",
            "Totals": "luck.totals",
            "chips_text": "chips",
            "decisions": "faced",
            "fit_folds": "folds",
            "ledger": "luck.ledger",
            "ledger_columns": "luck.ledger",
            "ledger_entries": "luck.entries",
            "read": "reading.reader",
            "read_text": "reading.reader",
        },
    )
