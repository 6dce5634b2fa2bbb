"""Hand histories in the PHH format: write, read and replay them.

Juho Kim, "Recording and describing poker hands" (2024): a hand is a TOML document, several are
sections of one, numbered from 1. pokerkit reads and writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

from gpuodds.errors import InputError
from gpuodds.machine.files import open_output


def write_histories(path: Path, hands: Sequence[Any]) -> None:
    """Write hands into a .phhs file.

    Args:
        path: The file.
        hands: Histories, as :attr:`gpuodds.play.HandResult.history`.

    Raises:
        InputError: The file cannot be written.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from gpuodds.play import play_match
        >>> hands = []
        >>> result = play_match(["caller", "all-in"], hands=3, keep=hands.append)
        >>> with TemporaryDirectory() as folder:
        ...     write_histories(Path(folder) / "hands.phhs", hands)
        ...     len(read_histories(Path(folder) / "hands.phhs"))
        6
    """
    from pokerkit import HandHistory

    with open_output(path) as file:
        HandHistory.dump_all(hands, cast(BinaryIO, file))


def read_histories(path: Path) -> list[Any]:
    """Return the hands of a file.

    Args:
        path: A file whose name ends in .phh, with one hand, or in .phhs.

    Returns:
        Histories of pokerkit, in the order of the file.

    Raises:
        InputError: The file cannot be read, or is not in that format.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from gpuodds.play import play_match
        >>> hands = []
        >>> result = play_match(["caller", "all-in"], hands=1, keep=hands.append)
        >>> with TemporaryDirectory() as folder:
        ...     write_histories(Path(folder) / "hands.phhs", hands)
        ...     read_histories(Path(folder) / "hands.phhs")[0].actions[2:4]
        ['p2 cbr 20000', 'p1 cc']
    """
    try:
        from pokerkit import HandHistory
    except ImportError:
        raise InputError("play: pokerkit is not installed: pip install 'gpuodds[play]'") from None
    try:
        with path.open("rb") as file:
            if path.suffix == ".phh":
                return [HandHistory.load(file)]
            return list(HandHistory.load_all(file))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except Exception as error:
        raise InputError(f"{path}: expected hand histories in the PHH format: {error}") from None


def payoffs(hand: Any) -> tuple[int, ...]:
    """Replay a hand from its history; return the chips won by seat, negative if lost."""
    state = None
    for state in hand:  # noqa: B007 - the last one
        pass
    if state is None:
        raise InputError("a hand history without a hand")
    return tuple(int(chips) for chips in state.payoffs)
