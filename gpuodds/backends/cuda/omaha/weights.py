"""Weights of Omaha hands as whole numbers of a unit, a power of two of its own for each player.

All weights of a range together are below 2^60 units, so sums of them fit 64 bits, are the same in any
order, and differ from float64 sums by less than these are rounded. Weights with few binary digits, 1
or 0.75, are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cuda.shared.layout import WEIGHT_BITS, WEIGHT_SHIFT

Floats = npt.NDArray[np.float64]
UInt64s = npt.NDArray[np.uint64]

PART_BITS = 32  # of the lower part of a sum in two parts


def are_all_one(weights: Sequence[Floats]) -> bool:
    """Return whether no hand has a weight but 1."""
    return all(bool((own == 1.0).all()) for own in weights)


def in_units(weights: Sequence[Floats]) -> tuple[list[UInt64s], list[int]]:
    """Return the weights of each player in units, and the powers of two of which a unit is one part.

    >>> units, bits = in_units([np.array([1.0, 0.75])])
    >>> bits, units[0].tolist() == [1 << bits[0], 3 << bits[0] - 2]
    ([58], True)
    """
    # One bit is left for rounding.
    bits = [WEIGHT_BITS - 1 - frexp(float(own.sum()))[1] for own in weights]
    units = [
        np.rint(np.ldexp(own, power)).astype(np.uint64)
        for own, power in zip(weights, bits, strict=True)
    ]
    return units, bits


def product_bits(bits: Sequence[int]) -> int:
    """Return the power of two for products of weights of several players, as kernels round them."""
    return sum(bits) - WEIGHT_SHIFT * (len(bits) - 1)


def from_parts(parts: npt.NDArray[Any], bits: int) -> npt.NDArray[np.float64]:
    """Return float64 from sums in two parts, (..., 2) int64: of their low and of their high 32 bits.

    Differences of sums whose terms were rounded may come out just below 0.
    """
    low, high = parts[..., 0].astype(np.float64), parts[..., 1].astype(np.float64)
    numbers: npt.NDArray[np.float64] = np.ldexp(low + np.ldexp(high, PART_BITS), -bits)
    return np.maximum(numbers, 0.0)


def from_units(numbers: npt.NDArray[Any], bits: int) -> npt.NDArray[np.float64]:
    """Return float64 from numbers of units: see :func:`from_parts`."""
    return np.maximum(np.ldexp(numbers.astype(np.float64), -bits), 0.0)


def whole_numbers(parts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return Python integers from sums in two parts, (..., 2) int64."""
    numbers: npt.NDArray[Any] = (parts[..., 1].astype(object) << PART_BITS) + parts[..., 0]
    return numbers
