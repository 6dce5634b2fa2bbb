"""The names that arguments take, as types: an editor finds a wrong one before the program runs."""

from __future__ import annotations

from typing import Literal, TypeAlias

MethodName: TypeAlias = Literal["auto", "exact", "monte-carlo"]
"""How an answer is found."""

BackendName: TypeAlias = Literal[
    "auto",
    "cpu",
    "cuda",
    "cuda:0",
    "cuda:1",
    "cuda:2",
    "cuda:3",
    "cuda:4",
    "cuda:5",
    "cuda:6",
    "cuda:7",
    "cuda:0,1",
    "cuda:0,1,2,3",
]
"""Where it is found: ``cuda:0`` is the first GPU. Any list of them is taken, ``cuda:0,2``."""

GameName: TypeAlias = Literal[
    "holdem",
    "short-deck",
    "shortdeck",
    "six-plus",
    "6+",
    "short-deck-trips",
    "shortdeck-trips",
    "omaha",
    "omaha4",
    "omahahi",
    "plo",
    "plo4",
    "omaha-hi-lo",
    "omaha8",
    "plo8",
    "omaha5",
    "omahahi5",
    "plo5",
    "omaha5-hi-lo",
    "omaha85",
    "omaha6",
    "omahahi6",
    "plo6",
]
"""A game, by one of its names: those of ``gpuodds games``."""
