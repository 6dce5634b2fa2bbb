"""Pictures as files: which there can be, an empty one, and how one is kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")


def check_picture(out: Path) -> None:
    """Refuse a file whose ending names no picture.

    Raises:
        InputError: It does not end in .png, .svg or .pdf.
    """
    if out.suffix.lower() not in SUFFIXES:
        raise InputError(f"{excerpt(str(out))}: expected a file that ends in {', '.join(SUFFIXES)}")


def new_picture(out: Path, width: float = 9, height: float = 6) -> Figure:
    """Return an empty picture for a file; the size is in inches.

    Raises:
        InputError: matplotlib is not installed, or the file's ending names no picture.
    """
    check_picture(out)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("plots: matplotlib is not installed: pip install 'gpuodds[plot]'") from None
    return Figure(figsize=(width, height), layout="constrained")


def save_picture(figure: Figure, out: Path) -> None:
    """Write a picture.

    Raises:
        InputError: The file cannot be written.
    """
    try:
        figure.savefig(out, dpi=150)
    except OSError as error:
        raise InputError(f"{out}: {error.strerror}") from None
