"""The shipped table ``omaha-preflop-random``: 16,432 starting hands against one random hand.

The file is zlib data: a header line, then the wins of all starting hands, then their ties, of
211,315,436,640 boards times hands of the opponent. A column is five planes of bytes, the lowest bytes
of all counts first. Starting hands are in the order of
:func:`gpuodds.games.omaha.starting_hands.starting_hands`. The checksum is a file of its own. A look-up
needs NumPy, and no more.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any

from gpuodds.tables.shipped.data_file import DATA_FOLDER, read_data
from gpuodds.tables.shipped.shipped import Shipped

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    Ints = npt.NDArray[np.int64]

NAME = "omaha-preflop-random"
HANDS = 16_432
OUTCOMES = comb(48, 5) * comb(43, 4)
DATA_FILE = DATA_FOLDER / "omaha_preflop_random.bin.z"
HEADER = b"gpuodds omaha-preflop-random 1 16432\n"
COLUMNS, PLANES = 2, 5
SIZE = len(HEADER) + COLUMNS * PLANES * HANDS


@lru_cache(maxsize=1)
def read_table() -> Ints:
    """Return the wins and the ties of all starting hands, shape (2, 16432), read-only.

    Raises:
        ValueError: The file is not the one that was shipped.
    """
    import zlib

    import numpy as np

    text = zlib.decompressobj().decompress(read_data(DATA_FILE), SIZE + 1)
    if len(text) != SIZE or not text.startswith(HEADER):
        raise ValueError(f"{DATA_FILE}: not a {NAME} table of this version")
    planes = np.frombuffer(text, np.uint8, offset=len(HEADER)).reshape(COLUMNS, PLANES, HANDS)
    counts = np.zeros((COLUMNS, HANDS), np.int64)
    for place in range(PLANES):
        counts |= planes[:, place].astype(np.int64) << 8 * place
    counts.flags.writeable = False
    return counts


def table_bytes(counts: Ints) -> bytes:
    """Return the table's content, before it is compressed, from wins and ties, shape (2, 16432)."""
    planes = [column >> 8 * place & 255 for column in counts for place in range(PLANES)]
    return HEADER + b"".join(plane.astype("u1").tobytes() for plane in planes)


class OmahaPreflopRandom(Shipped):
    """The table as what ships has it."""

    name = NAME
    data_file = DATA_FILE

    def count_rows(self) -> int:
        """Return how many rows the file has."""
        return int(read_table().shape[1])

    def read_row(self, row: int) -> dict[str, Any]:
        """Return a row, 0 to 16431, by column.

        >>> row = OmahaPreflopRandom().read_row(214)
        >>> row["hand"], row["combos"], row["win"], row["tie"]
        ('AwAxTwTx', 6, 150788051334, 716144420)
        """
        from gpuodds.games.omaha.starting_hands import class_name, starting_hands

        every = starting_hands(4)
        win, tie = read_table()[:, row].tolist()
        return {
            "hand": class_name(every.cards[row]),
            "combos": int(every.sizes[row]),
            "outcomes": OUTCOMES,
            "win": win,
            "tie": tie,
            "equity": (2 * win + tie) / (2 * OUTCOMES),
        }

    def read_column(self, column: str) -> Any:
        """Return a column of numbers, shape (16432,)."""
        import numpy as np

        from gpuodds.games.omaha.starting_hands import starting_hands

        win, tie = read_table()
        columns = {
            "combos": starting_hands(4).sizes,
            "outcomes": np.full(HANDS, OUTCOMES),
            "win": win,
            "tie": tie,
            "equity": (2 * win + tie) / (2 * OUTCOMES),
        }
        return columns[column]

    def to_arrow(self) -> pa.Table:
        """Return all rows as one Arrow table."""
        from gpuodds.games.omaha.starting_hands import class_names
        from gpuodds.tables.shipped.arrow import omaha_table

        columns = ("combos", "outcomes", "win", "tie", "equity")
        return omaha_table(class_names(4), {name: self.read_column(name) for name in columns})
