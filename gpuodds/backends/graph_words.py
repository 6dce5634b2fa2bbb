"""The layout of threat graphs and of their matchings in memory, which the CPU and the kernels share."""

from __future__ import annotations

TYPES = 26
"""Types of cards: the ranks of the flush suit, and of the other suits."""
SIZE_SHIFT = 2 * TYPES
"""A word has the losses and ties of a type, a bit a type; from this bit on, the number of its cards."""
LIMB_BITS = 48
"""Bits of a limb of a number of matchings."""
