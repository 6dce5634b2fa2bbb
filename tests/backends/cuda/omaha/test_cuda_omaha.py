"""Kernels of Omaha against the CPU backend, on any grid, in any order of threads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from omaha_games import omaha_game

from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.omaha import samples as omaha_sampling
from gpuodds.backends.cuda.omaha.ranks import packed_omaha_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import OMAHA_DRAWS, OMAHA_GAME
from gpuodds.backends.operations.samples import SampleOmaha
from gpuodds.cards import parse_cards
from gpuodds.games.omaha.combos import combo_cards
from gpuodds.games.omaha.draws import OmahaDraws, plan_draws
from gpuodds.games.omaha.game import OMAHA, OMAHA_HI_LO

RNG = np.random.default_rng(8)
SEED = 2**63 - 59
BYTES = 33 * 4 * 25  # of shared memory: decks of as many threads as any launch has


def known(*texts: str) -> OmahaDraws:
    """Return the draws of known hands."""
    hands = [np.array([parse_cards(text)], np.uint8) for text in texts]
    return plan_draws(hands, [np.ones(1)] * len(hands))


def ranges(size: int, count: int, board: str = "") -> OmahaDraws:
    """Return draws of ranges that often share cards, with weights; many lows and flushes."""
    gone = parse_cards(board)
    low = [c for c in range(52) if (c < 28 or c >= 48) and c & 3 != 1 and c not in gone]
    held = [np.array([RNG.permutation(low)[:size] for _ in range(30)], np.uint8) for _ in range(count)]
    return plan_draws(held, [RNG.choice([1.0, 0.25], 30) for _ in range(count)])


SPOTS: list[tuple[OmahaDraws, int, str, str, int]] = [
    (known("As2sKd3h"), 3, "", "", 0),
    (known("AsKsQsJsTs9s", "2s3h4h5h6h7c"), 0, "8s7s6s5s4s", "", 0),
    (known("Ah2h3h4hKd", "Ac2c3c4cKs"), 7, "5h6h8h", "5c", 0),
    (ranges(4, 3), 2, "", "", 1),
    (ranges(5, 2, "3s4s8h"), 1, "3s4s8h", "Kh", 0),
    (ranges(6, 2), 4, "KsKhKd9s", "", 1),
]


def same(ours: Any, theirs: Any) -> bool:
    """Return whether two results of ``SampleOmaha`` are equal."""
    parts = zip(ours[0], theirs[0], strict=True)
    return ours[1] == theirs[1] and all(np.array_equal(one, two) for one, two in parts)


def check_kernel(cuda: Any, size: int, low: int, launch: Callable[..., None]) -> None:
    """Launch the kernel on the spots of hands of a size, and compare its counts with the CPU's."""
    for draws, opponents, board, dead, folded in SPOTS:
        if draws.hole_cards != size:
            continue
        given, out = parse_cards(board), parse_cards(dead)
        named = draws.players - folded
        players = named + opponents
        shape = named, players + 1, players + 2 if low else 1
        counts = [cuda.zeros(of, np.uint64) for of in (shape, (named, players), 2)]
        cards = cuda.asarray(np.array([*given, 0], np.uint8))
        known = sum(1 << card for card in (*given, *out))
        seats = draws.players, folded, opponents, len(given), low
        tables = [cuda.asarray(table) for table in draws[:4]]
        packed = OMAHA_GAME.pack(cards, known, SEED, *seats), OMAHA_DRAWS.pack(*tables)
        launch(np.int64(17), np.int64(417), *packed, packed_omaha_tables(), *counts)
        cells, shared, tried = (cuda.asnumpy(part).astype(np.int64) for part in counts)
        spot = draws, opponents, given, out
        game = omaha_game(size, bool(low))
        expected, tuples = SampleOmaha(game, *spot, SEED, 17, 417, folded).on_cpu()
        assert int(tried[0]) == tuples
        assert np.array_equal(cells[:, 1:].sum(axis=2), expected.high)
        if low:
            share = expected.halves.copy()
            assert (int(tried[1]) == share[:, :, 0].sum(axis=1)).all()
            share[:, 0, :2] = 0  # a player without a share is not counted
            assert np.array_equal(cells, share) and np.array_equal(shared, expected.shared)


@pytest.mark.parametrize("low", [0, 1])
def test_sample_omaha_4(cuda: Any, run: Any, low: int) -> None:
    launch = partial(run, "omaha/samples", "sample_omaha_4", shared_mem=BYTES)
    check_kernel(cuda, 4, low, launch)


@pytest.mark.parametrize("low", [0, 1])
def test_sample_omaha_5(cuda: Any, run: Any, low: int) -> None:
    launch = partial(run, "omaha/samples", "sample_omaha_5", shared_mem=BYTES)
    check_kernel(cuda, 5, low, launch)


@pytest.mark.parametrize("low", [0, 1])
def test_sample_omaha_6(cuda: Any, run: Any, low: int) -> None:
    launch = partial(run, "omaha/samples", "sample_omaha_6", shared_mem=BYTES)
    check_kernel(cuda, 6, low, launch)


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize(
    ("draws", "opponents", "board", "dead", "folded"), SPOTS, ids=range(len(SPOTS))
)
def test_gpus_draw_the_same(
    cuda: Any, draws: OmahaDraws, opponents: int, board: str, dead: str, folded: int, low: bool
) -> None:
    span = (1 << 32) - 100, (1 << 32) + 900
    arguments = opponents, parse_cards(board), parse_cards(dead), 3, *span, folded
    operation = SampleOmaha(omaha_game(draws.hole_cards, low), draws, *arguments)
    assert same(CudaBackend().count(operation).counts, operation.on_cpu())


def test_several_gpus_and_launches_draw_the_same(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if cuda.__version__ == "stand-in":
        cuda.cuda.settings.devices = 3
    monkeypatch.setattr(omaha_sampling, "MAX_OMAHA_HANDS", 500)
    operation = SampleOmaha(OMAHA_HI_LO, ranges(4, 2), 2, (), (), 4, 100, 1100)
    assert same(CudaBackend().count(operation).counts, operation.on_cpu())
    if cuda.__version__ == "stand-in":
        names = [launch[1] for launch in cuda.cuda.settings.launches]
        assert (
            names.count("sample_omaha_4") == 12
        )  # 3 devices, 4 pieces each of 84 samples of 4 players


def test_launches_of_omaha_are_of_bounded_work(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[int, int]] = []

    def kernel(*names: str) -> Any:
        return lambda blocks, threads, arguments, shared_mem: drawn.append(
            (int(arguments[0]), int(arguments[1]))
        )

    monkeypatch.setattr(device, "kernel", kernel)
    monkeypatch.setattr(device, "grid", lambda *given: (1,))
    CudaBackend().count(SampleOmaha(OMAHA, known("As2sKd3h"), 3, (), (), 1, 0, 3 << 28))
    assert drawn[0][0] == 0 and drawn[-1][1] == 3 << 28
    assert all(one[1] == other[0] for one, other in pairwise(drawn))
    # At 0.9 G deals/s among 4 players, a twentieth of what is predicted for an H100, 20 ms.
    assert max(end - begin for begin, end in drawn) * 4 <= 1 << 26


def test_wide_ranges_are_drawn(cuda: Any) -> None:
    every = combo_cards(4)
    draws = plan_draws([every, every], [RNG.random(len(every)) + 0.1, np.ones(len(every))])
    operation = SampleOmaha(OMAHA_HI_LO, draws, 1, (), (), 6, 0, 2000)
    assert same(CudaBackend().count(operation).counts, operation.on_cpu())
