"""Three starting hands on a GPU: products of numbers of combos, and counts equal to the CPU's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cpu.arrays.combos import rank_combos
from gpuodds.backends.cpu.tables import three_way as cpu
from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import CLASS_ONE, CLASS_WIDTH, KIND_WIDTH, THREE_WAY
from gpuodds.backends.cuda.tables import three_way
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM

# No flush, four of a suit, one hand for all, four alike, three of a suit.
BOARDS = ["2s7d9hTcJc", "2s3s4s5sAd", "TsJsQsKsAs", "2c2d2h2s3c", "2s7d9s3hKs"]
LAUNCHES = pytest.mark.parametrize(
    "launch_shape",
    [pytest.param((1, 5, 0), marks=pytest.mark.slow), (3, 33, 1)],
    ids=str,
    indirect=True,
)
TIMES = np.array([24, 4, 4, 1, 12], np.uint16)


def boards() -> Any:
    return np.array([parse_cards(text) for text in BOARDS], np.uint8)


def flags(hero: int, kind: str) -> Any:
    """Tell which combos each combo of a hero beats, ties or leaves in the deck on each board."""
    layout = cpu.layout()
    ranks = rank_combos(boards(), HOLDEM).astype(int)
    own = np.flatnonzero(layout.classes == hero)
    apart = (layout.cards[own][:, :, None, None] != layout.cards[None, None]).all(axis=(1, 3))
    rank = ranks[:, own, None]
    matching = {"tied": ranks[:, None] == rank, "lower": ranks[:, None] < rank, "undealt": True}[kind]
    return (matching & (ranks[:, None] > 0) & (rank > 0) & apart).astype(int)  # (boards, combos, 1326)


def factors(numbers: list[Any], folded: bool) -> Any:
    lower, tied, undealt = numbers
    if folded:
        return [(lower, undealt), (tied, undealt)]
    return [(lower, lower), (tied, lower), (tied, tied)]


KINDS = "lower", "tied", "undealt"


@pytest.fixture
def multiply(cuda: Any, launch_shape: tuple[int, int]) -> Any:
    """Launch a kernel on all boards; return what it wrote."""
    blocks, threads = launch_shape

    def launch(file: str, name: str, hero: int, out: Any) -> Any:
        order, pieces = three_way.cut_boards(TIMES)
        products = three_way.Products(hero, boards()[order], pieces)
        members = products.members["kinds" in name]
        arrays = [*products.arrays, members]
        given = THREE_WAY.pack(*arrays, len(pieces), products.heroes)
        device.kernel(file, name)((blocks,), (threads,), (given, packed_tables(HOLDEM), out))
        return cuda.asnumpy(out).astype(np.int64)

    return launch


HEROES = [12, cpu.class_number(11, 3, True), cpu.class_number(9, 8, False)]


def check_classes(found: Any, hero: int, folded: bool) -> None:
    members = np.zeros((1326, 169), int)
    members[np.arange(1326), cpu.layout().classes] = 1
    numbers = [flags(hero, kind) @ members for kind in KINDS]
    tied = numbers[1]
    for table, (one, other) in enumerate(factors(numbers, folded)):
        expected = np.einsum("b,bhi,bhj->ij", TIMES.astype(int), one, other)
        assert expected.any() and np.array_equal(found[table, :169, :169], expected)
    assert np.array_equal(found[1, :169, CLASS_ONE], np.einsum("b,bhi->i", TIMES.astype(int), tied))
    assert not found[:, :, CLASS_ONE + 1 :].any()


@LAUNCHES
@pytest.mark.parametrize("hero", HEROES)
def test_multiply_classes(cuda: Any, multiply: Any, hero: int) -> None:
    out = cuda.zeros((3, CLASS_WIDTH, CLASS_WIDTH), np.uint64)
    check_classes(multiply("tables/three_way", "multiply_classes", hero, out), hero, folded=False)


@LAUNCHES
@pytest.mark.parametrize("hero", HEROES)
def test_multiply_classes_folded(cuda: Any, multiply: Any, hero: int) -> None:
    out = cuda.zeros((2, CLASS_WIDTH, CLASS_WIDTH), np.uint64)
    check_classes(multiply("tables/three_way", "multiply_classes_folded", hero, out), hero, folded=True)


def check_kinds(found: Any, hero: int, folded: bool) -> None:
    layout = cpu.layout()
    of_combos = [flags(hero, kind) for kind in KINDS]
    expected = np.zeros(found.shape, int)
    for card in range(52):
        members = np.zeros((1326, KIND_WIDTH), int)
        for kind, places in enumerate(layout.members[card]):
            members[places[places >= 0], kind] = 1
        numbers = [flag @ members for flag in of_combos]
        for table, (a, b) in enumerate(factors(numbers, folded)):
            expected[table, card >> 2] += np.einsum("b,bhi,bhj->ij", TIMES.astype(int), a, b)
    assert expected.any(axis=(1, 2, 3)).all() and np.array_equal(found, expected)


@LAUNCHES
@pytest.mark.parametrize("hero", HEROES[1:])
def test_multiply_kinds(cuda: Any, multiply: Any, hero: int) -> None:
    out = cuda.zeros((3, 13, KIND_WIDTH, KIND_WIDTH), np.uint64)
    check_kinds(multiply("tables/three_way", "multiply_kinds", hero, out), hero, folded=False)


@LAUNCHES
@pytest.mark.parametrize("hero", HEROES[1:])
def test_multiply_kinds_folded(cuda: Any, multiply: Any, hero: int) -> None:
    out = cuda.zeros((2, 13, KIND_WIDTH, KIND_WIDTH), np.uint64)
    check_kinds(multiply("tables/three_way", "multiply_kinds_folded", hero, out), hero, folded=True)


@pytest.mark.parametrize("devices", [(0,), (0, 1)])
def test_counts_equal_the_cpu(cuda: Any, devices: tuple[int, ...]) -> None:
    if cuda.__version__ == "stand-in":
        cuda.cuda.settings.devices = 2
    elif cuda.cuda.runtime.getDeviceCount() < len(devices):
        pytest.skip("one GPU")
    ranks = rank_combos(boards(), HOLDEM)
    for hero in HEROES:
        ours = three_way.count_three_way(hero, devices, boards(), TIMES)
        assert np.array_equal(ours, cpu.count_three_way(hero, ranks, TIMES))
        opponents = np.arange(hero, 169)
        folded = three_way.count_folded(hero, opponents, devices, boards(), TIMES)
        assert np.array_equal(folded, cpu.count_folded(hero, opponents, ranks, TIMES))


def test_boards_are_cut_by_how_often_they_count() -> None:
    times = np.array([4] * 600 + [1] + [4, 24], np.uint16)
    order, pieces = three_way.cut_boards(times)
    assert sorted(order.tolist()) == list(range(603))
    assert pieces.tolist() == [[0, 1, 1], [1, 513, 4], [513, 602, 4], [602, 603, 24]]
    assert all((times[order[begin:end]] == count).all() for begin, end, count in pieces)


def test_a_piece_that_fails_half_way_is_counted_once(cuda: Any) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in can be configured")
    settings, hero = cuda.cuda.settings, HEROES[1]
    whole = three_way.count_three_way(hero, (0,), boards(), TIMES)
    settings.errors["multiply_kinds"] = [
        cuda.cuda.CUDADriverError("CUDA_ERROR_OUT_OF_MEMORY: out of memory")
    ]
    assert np.array_equal(three_way.count_three_way(hero, (0,), boards(), TIMES), whole)
    assert not settings.errors["multiply_kinds"]
