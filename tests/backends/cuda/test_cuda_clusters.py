"""Combos against clusters of hands by a kernel: the CPU's integers, and brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cpu.arrays.combos import rank_combos
from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.tables import clusters as cuda_clusters
from gpuodds.backends.operations.against_clusters import AgainstClusters
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import combo_cards, combo_masks

# No flush, four of a suit, one hand for all.
RIVERS = ["2s7d9hTcJc", "2s3s4s5sAd", "TsJsQsKsAs"]
CLUSTERS = (np.arange(1326) * 7 % 11 % 8).astype(np.uint8)


def boards(*texts: str) -> Any:
    return np.array([parse_cards(text) for text in texts], np.uint8)


def brute_force(board: Any) -> tuple[Any, Any]:
    """Return wins less losses of each combo on a full board, and deals, by the opponent's cluster."""
    ranks, masks = rank_combos(board[None], HOLDEM)[0].astype(int), combo_masks()
    meets = (masks[:, None] & masks != 0) | (ranks == 0) | (ranks == 0)[:, None]
    won = np.where(meets, 0, np.sign(ranks[:, None] - ranks))
    clusters = np.eye(8, dtype=int)[CLUSTERS]
    return won @ clusters, (~meets).astype(int) @ clusters


@pytest.mark.parametrize("text", RIVERS)
def test_the_cpu_counts_as_brute_force_does(text: str) -> None:
    counted = AgainstClusters(HOLDEM, boards(text), CLUSTERS).on_cpu()
    won, deals = brute_force(boards(text)[0])
    assert np.array_equal(counted.deals[0], deals)
    assert np.array_equal(counted.half_pots[0], won + deals)


def test_a_turn_is_all_its_rivers() -> None:
    turn = boards(RIVERS[0][:8])
    left = [card for card in range(52) if card not in turn[0]]
    rivers = np.concatenate([np.repeat(turn, 48, 0), np.array(left, np.uint8)[:, None]], axis=1)
    by_river = AgainstClusters(HOLDEM, rivers, CLUSTERS).on_cpu()
    counted = AgainstClusters(HOLDEM, turn, CLUSTERS).on_cpu()
    for whole, parts in zip(counted, by_river, strict=True):
        assert np.array_equal(whole[0], parts.sum(axis=0))


@pytest.mark.parametrize("text", ["2s7d9h", "2s3s4s5s"])
def test_all_clusters_are_one_random_hand(text: str) -> None:
    counted = AgainstClusters(HOLDEM, boards(text), CLUSTERS).on_cpu()
    random = AgainstRandom(HOLDEM, boards(text), False).on_cpu()
    assert np.array_equal(counted.half_pots.sum(axis=2), 2 * random.wins + random.ties)
    assert counted.deals.sum(axis=2).max() == {3: 1081, 4: 46}[len(text) // 2] * 990


@pytest.mark.parametrize(
    "texts", [RIVERS, pytest.param([RIVERS[1][:8]], marks=pytest.mark.slow)], ids=["rivers", "turn"]
)
def test_gpus_count_as_the_cpu_does(
    cuda: Any, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_clusters, "MAX_FULL_BOARDS", 2)
    operation = AgainstClusters(HOLDEM, boards(*texts), CLUSTERS)
    found = CudaBackend().count(operation)
    assert found.backend == "cuda"
    for ours, theirs in zip(found.counts, operation.on_cpu(), strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("launch_shape", [(1, 33, 0), (2, 64, 1)], ids=str, indirect=True)
def test_against_clusters(run: Any) -> None:
    import cupy

    river = boards(RIVERS[1])
    counts = cupy.zeros((1, 1326, 8), np.int32)
    order = np.argsort(CLUSTERS, kind="stable").astype(np.uint16)
    cards = combo_cards()[order].astype(np.uint16)
    hands = cards[:, 0] | cards[:, 1] << 8, order
    ends = np.cumsum(np.bincount(CLUSTERS, minlength=8)).astype(np.int32)
    pairs, combos, ends = (cupy.asarray(array) for array in (*hands, ends))
    sizes = np.int32(5), np.int64(1), cupy.zeros((1, 1), np.uint8), np.int32(1), np.int32(1)
    given = cupy.asarray(river), *sizes, pairs, combos, ends, packed_tables(HOLDEM), counts
    run("tables/against_clusters", "against_clusters", *given)
    assert np.array_equal(cupy.asnumpy(counts)[0], brute_force(river[0])[0])
