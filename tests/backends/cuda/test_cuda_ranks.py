"""Hand ranks by kernels: the integers of the CPU backend, on any grid and in any order of threads."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cpu.arrays import combos as cpu_combos
from gpuodds.backends.cpu.arrays import ranks as cpu_ranks
from gpuodds.backends.cuda.arrays import ranks
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import HAND_LISTS
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.rank_sums import rank_sums
from gpuodds.games.shared.combos import COMBOS
from gpuodds.games.shared.hand_ranks import HIGHEST_RANK

LAUNCHES = [(1, 1), (1, 3), (2, 64), (7, 4), (40, 33)]
BOARDS = ["2c2d2h2s3c", "AcKcQcJcTc", "Ac2d3h4s9c", "2h5h9h3cKd", "2h5h9hJhKd", "2h5h9hJhKh"]


def host(cuda: Any) -> Any:
    """Return the stand-in's settings; a real device ignores them."""
    return getattr(cuda.cuda, "settings", type("Settings", (), {})())


def draw(rows: int, size: int) -> np.ndarray:
    deck = np.tile(np.arange(52, dtype=np.uint8), (rows, 1))
    return np.ascontiguousarray(np.random.default_rng(size).permuted(deck, axis=1)[:, :size])


@pytest.mark.parametrize("size", [5, 6, 7])
def test_rank_cards(cuda: Any, size: int) -> None:
    cards = draw(5_000, size)
    found = ranks.rank_cards(cuda.asarray(cards), HOLDEM)
    assert found.shape == (5_000,) and found.dtype == np.uint16
    assert np.array_equal(cuda.asnumpy(found), cpu_ranks.rank_cards(cards, HOLDEM))


def test_rank_cards_of_no_hands(cuda: Any) -> None:
    assert ranks.rank_cards(cuda.asarray(draw(0, 7)), HOLDEM).shape == (0,)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_rank_cards_of_slices(cuda: Any, size: int) -> None:
    """Rows that begin and end at any byte of a word, in tiles that are full, part full and the last."""
    cards = cuda.asarray(draw(300, size))
    expected = cpu_ranks.rank_cards(cuda.asnumpy(cards), HOLDEM)
    for begin, end in [(1, 300), (2, 299), (3, 298), (4, 5), (5, 5), (6, 7), (7, 9), (9, 287)]:
        assert np.array_equal(
            cuda.asnumpy(ranks.rank_cards(cards[begin:end], HOLDEM)), expected[begin:end]
        )


@pytest.mark.parametrize("size", [5, 6, 7])
def test_rank_cards_without_room_for_the_table(cuda: Any, size: int) -> None:
    """A device with less shared memory reads the same table from device memory."""
    if not hasattr(cuda.cuda, "settings"):
        pytest.skip("only the stand-in has less shared memory when asked")
    cards = draw(1_000, size)
    expected = cpu_ranks.rank_cards(cards, HOLDEM)
    wanted = rank_sums(size, HOLDEM).table.nbytes
    room_taken = device.kernel("arrays/rank_hands", "rank_hands").shared_size_bytes  # type: ignore[attr-defined]
    whole = wanted + room_taken
    for room, used in ((whole, wanted), (whole - 1, 0)):
        ranks._table_bytes.cache_clear()
        cuda.cuda.settings.max_shared = room
        assert ranks.table_bytes(0, "arrays/rank_hands", "rank_hands", size, HOLDEM) == used
        assert np.array_equal(cuda.asnumpy(ranks.rank_cards(cuda.asarray(cards), HOLDEM)), expected)
    ranks._table_bytes.cache_clear()


@pytest.mark.parametrize(
    ("first", "second"), [(45, 46), (44, 45), (40, 41), (0, 46), (0, 40), (30, 37), (2, 30)]
)
def test_rank_all_seven(cuda: Any, first: int, second: int) -> None:
    found = ranks.rank_all_seven(first, second)
    assert found.shape == (comb(51 - second, 5),) and found.dtype == np.uint16
    assert np.array_equal(cuda.asnumpy(found), cpu_ranks.rank_all_seven(first, second))


def test_prefixes_of_all_first_two_cards() -> None:
    at = 0
    lists = ranks._seven_card_lists()
    assert lists[1][-1] == ranks.SEVEN_CARD_HANDS == 133_784_560
    for first in range(46):
        for second in range(first + 1, 47):
            third = lists[0][at : at + 47 - second]
            assert ((third & 0xFF) == first).all() and ((third >> 8 & 0xFF) == second).all()
            assert np.array_equal(third >> 16, np.arange(second + 1, 48))
            at += 47 - second
    assert at == ranks.PREFIXES


def test_rank_prefixes_over_a_boundary(cuda: Any) -> None:
    end = ranks.PREFIXES
    expected = [cpu_ranks.rank_all_seven(*pair) for pair in [(43, 46), (44, 45), (44, 46), (45, 46)]]
    begin = end - 1 - 1 - 2 - 1
    found = cuda.asnumpy(ranks.rank_prefixes(begin, end))
    assert np.array_equal(found, np.concatenate(expected))
    assert ranks.rank_prefixes(end, end).shape == (0,)


def launch(file: str, name: str, size: int, blocks: int, threads: int, before: Any, out: Any) -> None:
    """Launch a kernel on any grid, with its table in shared memory if the device has room."""
    shared = ranks.table_bytes(0, file, name, size, HOLDEM)
    arguments = (*before, ranks.packed_sums(size, HOLDEM), np.int32(shared > 0), out)
    kernel: Any = device.kernel(file, name)
    kernel((blocks,), (threads,), arguments, shared_mem=shared)


def packed_lists() -> Any:
    lists = device.kept_arrays(ranks._seven_card_lists)
    return HAND_LISTS.pack(*lists, np.int32(len(lists[2])))


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("blocks", "threads"), LAUNCHES)
def test_rank_hands_on_any_grid(cuda: Any, blocks: int, threads: int, seed: int) -> None:
    host(cuda).seed = seed
    for size in (5, 6, 7):
        cards = draw(100, size)
        out = cuda.full(101, 7777, np.uint16)
        given = cuda.asarray(cards), np.int64(100), np.int32(size)
        launch("arrays/rank_hands", "rank_hands", size, blocks, threads, given, out)
        found = cuda.asnumpy(out)
        assert np.array_equal(found[:100], cpu_ranks.rank_cards(cards, HOLDEM))
        assert found[100] == 7777


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(("blocks", "threads"), LAUNCHES)
def test_rank_all_hands_on_any_grid(cuda: Any, blocks: int, threads: int, seed: int) -> None:
    host(cuda).seed = seed
    offsets = ranks._seven_card_lists()[1]
    begin, end = ranks.PREFIXES - 60, ranks.PREFIXES
    size = int(offsets[end] - offsets[begin])
    out = cuda.full(size + 1, 7777, np.uint16)
    given = packed_lists(), np.int32(begin), np.int32(end)
    launch("arrays/rank_all_hands", "rank_all_hands", 7, blocks, threads, given, out)
    expected = cuda.asnumpy(ranks.rank_prefixes(begin, end))
    assert np.array_equal(cuda.asnumpy(out)[:-1], expected)
    assert cuda.asnumpy(out)[-1] == 7777  # nothing is written past the last hand


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(("blocks", "threads"), LAUNCHES)
def test_count_all_hands_on_any_grid(cuda: Any, blocks: int, threads: int, seed: int) -> None:
    host(cuda).seed = seed
    begin, end = ranks.PREFIXES - 60, ranks.PREFIXES
    counts = cuda.zeros(HIGHEST_RANK + 1, np.uint64)
    given = packed_lists(), np.int32(begin), np.int32(end)
    launch("arrays/rank_all_hands", "count_all_hands", 7, blocks, threads, given, counts)
    expected = cuda.asnumpy(ranks.rank_prefixes(begin, end))
    assert np.array_equal(cuda.asnumpy(counts), np.bincount(expected, minlength=7463))


@pytest.mark.slow
def test_every_hand_of_seven_cards(cuda: Any) -> None:
    end = 0
    for first in range(46):
        begin, end = end, end + sum(47 - second for second in range(first + 1, 47))
        found = cuda.asnumpy(ranks.rank_prefixes(begin, end))
        expected = [cpu_ranks.rank_all_seven(first, second) for second in range(first + 1, 47)]
        assert np.array_equal(found, np.concatenate(expected))
    assert end == ranks.PREFIXES


@pytest.mark.slow
def test_count_all_seven(cuda: Any) -> None:
    counts = ranks.count_all_seven()
    assert counts.shape == (7463,) and counts.dtype == np.int64
    assert counts.sum() == 133_784_560 and counts[7462] == 4_324 and counts[0] == 0
    assert np.array_equal(counts, cpu_ranks.count_all_seven())


@pytest.mark.parametrize("board", BOARDS)
def test_rank_combos(cuda: Any, board: str) -> None:
    boards = np.array([parse_cards(board)], np.uint8)
    found = ranks.rank_combos(cuda.asarray(boards), HOLDEM)
    assert found.shape == (1, COMBOS) and found.dtype == np.uint16
    assert np.array_equal(cuda.asnumpy(found), cpu_combos.rank_combos(boards, HOLDEM))


def test_rank_combos_of_many_boards(cuda: Any) -> None:
    boards = draw(500, 5)
    found = ranks.rank_combos(cuda.asarray(boards), HOLDEM)
    assert np.array_equal(cuda.asnumpy(found), cpu_combos.rank_combos(boards, HOLDEM))
    assert ranks.rank_combos(cuda.asarray(boards[:0]), HOLDEM).shape == (0, COMBOS)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(("blocks", "threads"), LAUNCHES)
def test_rank_combos_on_any_grid(cuda: Any, blocks: int, threads: int, seed: int) -> None:
    host(cuda).seed = seed
    boards = draw(20, 5)
    out = cuda.full((21, COMBOS), 7777, np.uint16)
    arguments = (
        cuda.asarray(boards),
        np.int64(20),
        ranks.packed_pairs(),
        ranks.packed_tables(HOLDEM),
        out,
    )
    device.kernel("arrays/rank_combos", "rank_combos")((blocks,), (threads,), arguments)
    found = cuda.asnumpy(out)
    assert np.array_equal(found[:20], cpu_combos.rank_combos(boards, HOLDEM))
    assert (found[20] == 7777).all()


def test_constants_are_copied_once(cuda: Any) -> None:
    first, second = ranks.rank_tables(HOLDEM), ranks.rank_tables(HOLDEM)
    assert all(a is b for a, b in zip(first, second, strict=True))
