"""CUDA sources: run on the CPU they give the tables' integers; compiled they spill no register."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from ctypes import CDLL, CFUNCTYPE, c_int, c_longlong, c_uint, c_void_p
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from gpuodds.holdem.hand_ranks import FIVE_CARDS, SIX_CARDS, UInt16s, hand_rank_tables

Cards = npt.NDArray[np.uint8]
Launcher = Callable[..., None]

ARCHITECTURES = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"]
HERE = Path(__file__).parent
KERNELS = Path(str(files("gpuodds.kernels")))


def compile_for_host(name: str, folder: Path) -> CDLL:
    """Compile the kernel ``name`` of the file of that name behind the shim."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no g++ on this machine")
    source = folder / f"{name}.cpp"
    source.write_text(f'#include "host_shim.h"\n#include "{name}.cu"\nEXPORT_KERNEL({name})\n')
    library = folder / f"{name}.so"
    flags = ["-std=c++17", "-O2", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
    search = ["-I", str(HERE), "-I", str(KERNELS)]
    subprocess.run([compiler, *flags, *search, "-o", str(library), str(source)], check=True)
    return CDLL(str(library))


def draw_hands(hands: int, size: int) -> Cards:
    """Draw hands from the full deck, in random order, with a fixed seed."""
    rng = np.random.default_rng(size)
    deck = np.tile(np.arange(52, dtype=np.uint8), (hands, 1))
    return np.ascontiguousarray(rng.permuted(deck, axis=1)[:, :size])


def walk_tables(cards: Cards) -> UInt16s:
    """Rank hands by walking the tables, all hands at once."""
    tables = hand_rank_tables()
    size = cards.shape[1]
    ranks, suits = cards >> 2, cards & 3
    state = np.zeros(len(cards), np.uint16)
    for i in range(min(size, 6)):
        state = tables.step[state, ranks[:, i]]
    if size == 5:
        best = tables.rank_5[state - FIVE_CARDS]
    elif size == 6:
        best = tables.rank_6[state - SIX_CARDS]
    else:
        best = tables.rank_7[state - SIX_CARDS, ranks[:, 6]]
    bits = 1 << ranks.astype(np.int64)
    for suit in range(4):
        best = np.maximum(best, tables.flush[np.where(suits == suit, bits, 0).sum(axis=1)])
    return best


@pytest.fixture(scope="module")
def rank_hands(tmp_path_factory: pytest.TempPathFactory) -> Launcher:
    library = compile_for_host("rank_hands", tmp_path_factory.mktemp("host"))
    arguments = [c_uint, c_uint, c_void_p, c_longlong, c_int, *[c_void_p] * 6]
    address = c_void_p.in_dll(library, "host_rank_hands").value
    assert address is not None
    launch = CFUNCTYPE(None, *arguments)(address)

    def run(blocks: int, threads: int, cards: Cards, ranks: UInt16s) -> None:
        assert library  # the launcher lives as long as the library is loaded
        tables = [table.ctypes.data for table in hand_rank_tables()]
        hands, size = cards.shape
        launch(blocks, threads, cards.ctypes.data, hands, size, *tables, ranks.ctypes.data)

    return run


@pytest.mark.parametrize("size", [5, 6, 7])
def test_rank_hands_agrees_with_the_tables(rank_hands: Launcher, size: int) -> None:
    cards = draw_hands(200_000, size)
    ranks = np.zeros(len(cards), np.uint16)
    rank_hands(3, 32, cards, ranks)
    assert np.array_equal(ranks, walk_tables(cards))


@pytest.mark.parametrize("hands", [0, 1, 31, 97])
@pytest.mark.parametrize("grid", [(1, 1), (3, 32), (40, 128)])
def test_rank_hands_on_any_grid(rank_hands: Launcher, grid: tuple[int, int], hands: int) -> None:
    cards = draw_hands(hands, 7)
    ranks = np.zeros(hands + 1, np.uint16)
    rank_hands(*grid, cards, ranks)
    assert np.array_equal(ranks[:hands], walk_tables(cards))
    assert ranks[hands] == 0  # nothing is written past the last hand


def nvcc_architectures() -> str:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        return ""
    return subprocess.run([nvcc, "--list-gpu-code"], capture_output=True, text=True).stdout


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("source", sorted(KERNELS.glob("*.cu")), ids=lambda path: path.stem)
def test_no_register_is_spilled(source: Path, architecture: str, tmp_path: Path) -> None:
    if architecture not in nvcc_architectures().split():
        pytest.skip(f"no nvcc for {architecture} on this machine")
    flags = ["-cubin", "-std=c++17", f"-arch={architecture}", "-Werror", "all-warnings"]
    report = subprocess.run(
        ["nvcc", *flags, "-Xptxas", "-v", "-o", str(tmp_path / "kernel.cubin"), str(source)],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    assert report.count("spill stores") == report.count(" 0 bytes spill stores") > 0
