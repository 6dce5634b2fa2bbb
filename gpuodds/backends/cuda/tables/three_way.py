"""Three starting hands against each other before the flop, on GPUs.

CUDA C++ through CuPy: the numbers of :mod:`gpuodds.backends.cpu.tables.three_way` are bytes, those of
four hero combos in a word, and one instruction multiplies and adds all four. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.tables.three_way import (
    FOLDED_PRODUCTS,
    OF_RANK,
    PRODUCTS,
    Sums,
    close,
    close_folded,
    layout,
)
from gpuodds.backends.cpu.tables.three_way_sums import CLASSES
from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import (
    BOARDS_PER_PIECE,
    CLASS_MEMBERS,
    CLASS_ONE,
    CLASS_ROWS,
    CLASS_THREADS,
    CLASS_WIDTH,
    KIND_MEMBERS,
    KIND_THREADS,
    KIND_WIDTH,
    THREE_WAY,
)
from gpuodds.backends.cuda.shared.pieces import share_out
from gpuodds.cards import DECK_SIZE, RANKS, SUITS
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.boards import canonical_boards

Ints = npt.NDArray[np.int64]
Pairs = npt.NDArray[np.uint16]
UInt8s = npt.NDArray[np.uint8]

NO_PAIR = 0xFFFF
STRIPES = CLASS_WIDTH // CLASS_ROWS
LOWER_LOWER, TIED_LOWER = 0, 1


def cut_boards(times: Any) -> tuple[Ints, Ints]:
    """Cut boards into pieces of boards that count equally often.

    Args:
        times: Shape (n,), how often each board counts.

    Returns:
        The boards in the order of the pieces, shape (n,), and the pieces, shape (pieces, 3): where each
        begins and ends in that order, and how often each of its boards counts.
    """
    order = np.argsort(times, kind="stable")
    ordered = times[order]
    starts = [0, *(np.flatnonzero(np.diff(ordered)) + 1).tolist(), len(ordered)]
    pieces = [
        (first, min(first + BOARDS_PER_PIECE, end), int(ordered[begin]))
        for begin, end in pairwise(starts)
        for first in range(begin, end, BOARDS_PER_PIECE)
    ]
    return order, np.array(pieces, np.int64).reshape(-1, 3)


@lru_cache
def class_members() -> Pairs:
    """Return the combos of each class, packed, (CLASS_WIDTH, CLASS_MEMBERS) uint16."""
    classes = np.full((CLASS_WIDTH, CLASS_MEMBERS), NO_PAIR, np.uint16)
    packed = _packed()
    for number in range(CLASSES):
        combos = packed[layout().classes == number]
        classes[number, : len(combos)] = combos
    return classes


@lru_cache
def kind_members() -> Pairs:
    """Return the combos with each card by kind, packed, (13, 4, KIND_WIDTH, KIND_MEMBERS) uint16."""
    kinds = np.full((DECK_SIZE, KIND_WIDTH, KIND_MEMBERS), NO_PAIR, np.uint16)
    members = layout().members
    kinds[:, :OF_RANK] = np.where(members >= 0, _packed()[members], np.uint16(NO_PAIR))
    return kinds.reshape(len(RANKS), len(SUITS), KIND_WIDTH, KIND_MEMBERS)


def _packed() -> Pairs:
    """Return the cards of all combos, the lower in the low byte."""
    cards = np.sort(layout().cards, axis=1).astype(np.uint16)
    packed: Pairs = (cards[:, 0] | cards[:, 1] << 8).astype(np.uint16)
    return packed


class Products:
    """The products of a hero's combos on boards, summed on the current device."""

    def __init__(self, hero: int, boards: UInt8s, pieces: Ints, *, folded: bool = False) -> None:
        """Copy the arrays; ``boards`` are in the order of the pieces; ``folded``: one player folded."""
        import cupy

        heroes = _packed()[layout().classes == hero]
        begins, ends = pieces[:, 0].astype(np.int32), pieces[:, 1].astype(np.int32)
        arrays = boards, begins, ends, pieces[:, 2].copy(), heroes
        self.arrays = [cupy.asarray(array) for array in arrays]
        self.members = cupy.asarray(class_members()), cupy.asarray(kind_members())
        self.heroes = len(heroes)
        self.suffix = "_folded" if folded else ""
        products = FOLDED_PRODUCTS if folded else PRODUCTS
        self.classes = cupy.zeros((products, CLASS_WIDTH, CLASS_WIDTH), np.uint64)
        self.kinds = cupy.zeros((products, len(RANKS), KIND_WIDTH, KIND_WIDTH), np.uint64)

    def launch(self, begin: int, end: int) -> None:
        """Add the products of the pieces ``begin`` to ``end``."""
        import cupy

        boards, *pieces, heroes = self.arrays
        some = [array[begin:end] for array in pieces]
        products = []
        for name, members, total, stripes, threads in (
            ("multiply_classes", self.members[0], self.classes, STRIPES, CLASS_THREADS),
            ("multiply_kinds", self.members[1], self.kinds, len(RANKS), KIND_THREADS),
        ):
            out = cupy.zeros(total.shape, total.dtype)
            arguments = THREE_WAY.pack(boards, *some, heroes, members, end - begin, self.heroes)
            launched = device.kernel("tables/three_way", name + self.suffix)
            blocks = device.grid(launched, (end - begin) * stripes, threads)
            launched(blocks, (threads,), (arguments, packed_tables(HOLDEM), out))
            products.append(out)
        # Only now: a piece that runs out of memory half-way is tried again.
        self.classes += products[0]
        self.kinds += products[1]

    def sums(self) -> Sums:
        """Return the sums of products."""
        import cupy

        classes = cupy.asnumpy(self.classes).astype(np.int64)
        kinds = cupy.asnumpy(self.kinds).astype(np.int64)[:, :, :OF_RANK, :OF_RANK]
        alone = np.stack(
            [classes[product, :CLASSES, CLASS_ONE] for product in (LOWER_LOWER, TIED_LOWER)]
        )
        return Sums(
            classes[:, :CLASSES, :CLASSES].copy(),
            kinds.reshape(len(kinds), len(RANKS) * OF_RANK, OF_RANK).copy(),
            alone,
        )


def count_three_way(
    hero: int, devices: Sequence[int], boards: UInt8s | None = None, times: Any = None
) -> Ints:
    """Count how a class of hands fares against each two others, on some devices.

    Args:
        hero: A class of :func:`gpuodds.backends.cpu.tables.three_way.class_number`.
        devices: Device numbers.
        boards: Full boards, shape (n, 5), uint8. Default: all canonical boards.
        times: How often each counts, shape (n,).

    Returns:
        As :func:`gpuodds.backends.cpu.tables.three_way.count_three_way`.
    """
    return close(_count(hero, devices, boards, times, folded=False))


def count_folded(
    hero: int, opponents: Ints, devices: Sequence[int], boards: UInt8s | None = None, times: Any = None
) -> Ints:
    """Count how a class of hands fares against another when a third player has folded.

    Args:
        hero: A class of :func:`gpuodds.backends.cpu.tables.three_way.class_number`.
        opponents: The classes of opponents that are wanted, shape (n,).
        devices: Device numbers.
        boards: Full boards, shape (n, 5), uint8. Default: all canonical boards.
        times: How often each counts, shape (n,).

    Returns:
        As :func:`gpuodds.backends.cpu.tables.three_way.count_folded`.
    """
    return close_folded(_count(hero, devices, boards, times, folded=True), opponents)


def _count(
    hero: int, devices: Sequence[int], boards: UInt8s | None, times: Any, *, folded: bool
) -> Sums:
    if boards is None:
        boards, times = canonical_boards()
    order, pieces = cut_boards(times)
    ordered = np.ascontiguousarray(boards[order])
    counted: list[Products] = []

    def start() -> Callable[[int, int], None]:
        on_device = Products(hero, ordered, pieces, folded=folded)
        counted.append(on_device)
        return on_device.launch

    share_out(devices, len(pieces), start, lambda: len(pieces), None)
    sums_of_devices: list[Sums] = []
    for on_device in counted:
        with device.on(on_device.classes.device.id):
            sums_of_devices.append(on_device.sums())
    return Sums(*(sum(parts) for parts in zip(*sums_of_devices, strict=True)))
