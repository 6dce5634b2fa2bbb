"""Create plots, and write them to files."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuodds.errors import InputError, excerpt
from gpuodds.machine.files import open_output

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
COLORS = ("#3b7ea1", "#c44e52", "#55a868", "#8172b3", "#ccb974", "#64b5cd")
"""A color per player, in order."""
NAME_LENGTH = 24  # longer names of ranges are cut


def short_name(name: str) -> str:
    """Return a player's name for a legend, cut if it is long."""
    return name if len(name) <= NAME_LENGTH else name[: NAME_LENGTH - 3] + "..."


def check_picture(out: Path) -> None:
    """Refuse a file name that does not end in an image format.

    Raises:
        InputError: The name does not end in .png, .svg or .pdf.
    """
    if out.suffix.lower() not in SUFFIXES:
        raise InputError(f"{excerpt(str(out))}: expected a file that ends in {', '.join(SUFFIXES)}")


def new_picture(out: Path, width: float = 9, height: float = 6) -> Figure:
    """Return an empty figure for a file.

    Args:
        out: The file.
        width: Inches.
        height: Inches.

    Raises:
        InputError: matplotlib is not installed, or the file name does not end in an image format.
    """
    check_picture(out)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("plots: matplotlib is not installed: pip install 'gpuodds[plot]'") from None
    return Figure(figsize=(width, height), layout="constrained")


def save_picture(figure: Figure, out: Path) -> None:
    """Write a figure to a file: the same bytes for the same figure, without a date or random names.

    Raises:
        InputError: The file cannot be written.
    """
    from matplotlib import rc_context

    drawn, suffix = BytesIO(), out.suffix[1:].lower()
    dates: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with rc_context({"svg.hashsalt": "gpuodds"}):
        figure.savefig(drawn, dpi=150, format=suffix, metadata=dates.get(suffix))
    with open_output(out) as file:
        file.write(drawn.getbuffer())
