"""What Python and the kernels share: constants, sizes of blocks, structs passed by value.

Every number has its one place in Python. :func:`header` writes them as ``constants.cuh``, which the
sources in kernels/ include, so neither side repeats the other's numbers.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

THREADS = 256  # of a block, unless the kernel has its own number
GRAPH_THREADS = 128
SAMPLE_THREADS = 128  # each has a deck in shared memory
CLASS_WORDS = 4  # 32-bit words of a board class
MAX_POOLS = 11  # of a sweep; no graph seen has more than six
MAX_STATES = 1 << 16  # of a sweep, open cards of the type included
TILE = 64  # combos, each side, that a block compares
TILE_BOARDS = 2048  # boards that it compares them on before its sums go to memory

POINTER = np.dtype(np.uintp)


class Struct:
    """A struct that kernels take by value: fields by name, in order, each with its type.

    A type is ``"*u8"`` for a pointer to an array of that dtype in device memory, ``"i4"`` for a number.
    """

    def __init__(self, name: str, **fields: str) -> None:
        self.name = name
        self.fields = fields
        types = [(field, POINTER if code[0] == "*" else code) for field, code in fields.items()]
        self.dtype = np.dtype(types, align=True)

    def pack(self, *values: Any) -> Any:
        """Return the fields as the argument of a kernel, a structured NumPy array of size 1.

        The caller keeps the arrays alive until the kernel is launched.

        Raises:
            TypeError: An array is not contiguous or has another dtype than the struct declares.
        """
        record = np.zeros(1, self.dtype)
        for (name, code), value in zip(self.fields.items(), values, strict=True):
            if code[0] != "*":
                record[name] = value
                continue
            if value.dtype != np.dtype(code[1:]) or not value.flags.c_contiguous:
                raise TypeError(f"{self.name}.{name}: expected {code}, found {value.dtype}")
            record[name] = value.data.ptr if value.size else 0
        return record

    def check(self) -> str:
        """Return a macro that is true of a C++ struct of the same layout."""
        assert self.dtype.fields is not None
        offsets = [(field, self.dtype.fields[field][1]) for field in self.fields]
        name = "".join(f"_{c}" if c.isupper() else c.upper() for c in self.name)
        terms = [f"sizeof(Type) == {self.dtype.itemsize}"]
        terms += [f"__builtin_offsetof(Type, {field}) == {offset}" for field, offset in offsets]
        return f"#define PACKED{name}(Type) ({' && '.join(terms)})"


HAND_RANK_TABLES = Struct(
    "HandRankTables", step="*u2", rank_5="*u2", rank_6="*u2", rank_7="*u2", flush="*u2"
)
SPOTS = Struct(
    "Spots",
    undealt="*u8",
    board="*u8",
    hands="*u8",
    deck="*i4",
    completions="*u1",
    players="i4",
    num_completions="i4",
    to_come="i4",
)
DRAWS = Struct("Draws", starts="*i4", cards="*u2", limits="*u8", others="*u2")
STRUCTS = (HAND_RANK_TABLES, SPOTS, DRAWS)


@cache
def constants() -> dict[str, int]:
    """Return the shared constants by their names in C++."""
    from gpuodds import cards
    from gpuodds.backends.cpu.graphs import SIZE_SHIFT
    from gpuodds.backends.cpu.matchings import LIMB_BITS
    from gpuodds.backends.cpu.threats import TYPES
    from gpuodds.games.holdem import draws, hand_ranks, rules, streets

    return {
        "RANKS": len(cards.RANKS),
        "SUITS": len(cards.SUITS),
        "DECK_SIZE": cards.DECK_SIZE,
        "HOLE_CARDS": rules.HOLE_CARDS,
        "BOARD_CARDS": rules.BOARD_CARDS,
        "COMBOS": rules.COMBOS,
        "MAX_PLAYERS": rules.MAX_PLAYERS,
        "FIVE_CARDS": hand_ranks.FIVE_CARDS,
        "SIX_CARDS": hand_ranks.SIX_CARDS,
        "LOWEST_FLUSH": hand_ranks.LOWEST_FLUSH,
        "HIGHEST_RANK": hand_ranks.HIGHEST_RANK,
        "HALF_POTS": streets.HALF_POTS,
        "BINS": streets.BINS,
        "COMBO_STREAM": draws.COMBO_STREAM,
        "CARD_STREAM": draws.CARD_STREAM,
        "CARDS_PER_WORD": draws.CARDS_A_WORD,
        "TYPES": TYPES,
        "SIZE_SHIFT": SIZE_SHIFT,
        "LIMB_BITS": LIMB_BITS,
        "GRAPH_THREADS": GRAPH_THREADS,
        "SAMPLE_THREADS": SAMPLE_THREADS,
        "CLASS_WORDS": CLASS_WORDS,
        "MAX_POOLS": MAX_POOLS,
        "MAX_STATES": MAX_STATES,
        "TILE": TILE,
        "TILE_BOARDS": TILE_BOARDS,
    }


@cache
def header() -> str:
    """Return ``constants.cuh``: the constants, and what the layout of each struct must be."""
    # Enumerators take no memory on the device, used or not.
    lines = [f"    {name} = {value}," for name, value in constants().items()]
    checks = [struct.check() for struct in STRUCTS]
    parts = ["namespace gpuodds {", "enum : int {", *lines, "};", "}  // namespace gpuodds", *checks]
    return "\n".join([*parts, ""])
