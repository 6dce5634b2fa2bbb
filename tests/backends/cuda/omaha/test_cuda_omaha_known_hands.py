"""Known hands of Omaha against each other by a kernel: the integers of the CPU backend."""

from __future__ import annotations

from math import comb
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from omaha_games import omaha_game

import gpuodds
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.omaha import known_hands
from gpuodds.backends.cuda.omaha.ranks import packed_omaha_tables
from gpuodds.backends.operations.omaha.known_hands import OmahaHandRows, OmahaKnownHands
from gpuodds.cards import parse_cards
from gpuodds.games.omaha.game import OMAHA_HI_LO

ELEVEN = [f"{rank}{suit}" for rank in "23456789TJQ" for suit in "shdc"]
# Two to eleven hands; flushes, lows that are shared, dead cards, a full board.
SPOTS = [
    (["AsAhKsKh", "2c3c4d5d"], "7s8s", "AcAd"), (["Ac2c3h8d", "Ad2d3s8h", "KcKdQcQd"], "4c5c", ""),
    (["AsKsQsJs", "9h8h7h6h"], "2s3s4sAhAd", "2h"), (["As2sKhKd3c", "Ah2hQsQd3d"], "4s5h8d", "Ks"),
    (["Tc9c8d7d6h5h", "AsKs4s3h2d2c", "QcQdJcJdTsTh"], "AcKcQh", ""),
    (["".join(ELEVEN[at : at + 4]) for at in range(0, 44, 4)], "AsKs", "Ah"),
    (["".join(ELEVEN[at::8][:4]) for at in range(6)], "AsKsAd", ""),
]  # fmt: skip


def operation_of(hands: list[str], board: str, dead: str, low: bool) -> OmahaKnownHands:
    cards = np.array([parse_cards(hand) for hand in hands], np.uint8)
    out = set(parse_cards(board)) | set(cards.ravel().tolist())
    return OmahaKnownHands(
        omaha_game(cards.shape[1], low),
        np.sort(cards, axis=1),
        parse_cards(board),
        [card for card in parse_cards(dead) if card not in out],
    )


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize(("hands", "board", "dead"), SPOTS, ids=str)
def test_counts_are_those_of_the_cpu(
    cuda: Any, hands: list[str], board: str, dead: str, low: bool
) -> None:
    operation = operation_of(hands, board, dead, low)
    found = CudaBackend().count(operation)
    assert found.backend == "cuda" and found.counts == operation.on_cpu()
    left = 52 - operation.hands.size - len(operation.board) - len(operation.dead)
    assert sum(found.counts.values()) == comb(left, 5 - len(operation.board))


@pytest.mark.parametrize(("players", "hole_cards"), [(2, 4), (3, 5), (2, 6)])
@pytest.mark.parametrize("low", [False, True])
def test_rows_are_those_of_the_cpu(
    cuda: Any, players: int, hole_cards: int, low: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_hands, "ROWS", 3)  # several pieces
    decks = np.array([np.random.default_rng(n).permutation(52) for n in range(7)], np.uint8)
    size = players * hole_cards
    hands = decks[:, :size].reshape(7, players, hole_cards)
    boards, dead = decks[:, size : size + 4].copy(), decks[:, size + 4 : size + 5].copy()
    operation = OmahaHandRows(omaha_game(hole_cards, low), hands, boards, dead)
    found = CudaBackend().count(operation)
    assert found.backend == "cuda" and found.counts.dtype == np.int32
    assert np.array_equal(found.counts, operation.on_cpu())


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("place", [1, 5])
def test_count_omaha_hands(cuda: Any, run: Any, place: int, low: bool) -> None:
    """Cells have room in shared memory, or have not: six hands and lows."""
    operation = operation_of(*SPOTS[place] if place == 1 else (SPOTS[5][0][:6], *SPOTS[5][1:]), low)
    hands, board, dead = operation.hands, operation.board, operation.dead
    known = {*hands.ravel().tolist(), *board, *dead}
    deck = np.array([card for card in range(52) if card not in known], np.uint8)
    sums = cuda.zeros((1 << len(hands) if low else 1, 1 << len(hands)), np.uint64)
    given = (
        *(cuda.asarray(hands), np.int32(len(hands)), np.int32(hands.shape[1])),
        *(cuda.asarray(np.array(board, np.uint8)), np.int32(len(board))),
        *(cuda.asarray(deck), np.int32(len(deck))),
    )
    for begin, end in ((0, 700), (700, comb(len(deck), 5 - len(board)))):
        span = np.int64(begin), np.int64(end - begin)
        tables = packed_omaha_tables(), np.int32(low)
        run("omaha/known_hands", "count_omaha_hands", *given, *span, *tables, sums)
    found = cuda.asnumpy(sums)
    expected = operation.on_cpu()
    assert {(high, of_low): found[of_low, high] for high, of_low in expected} == expected
    assert found.sum() == sum(expected.values())


def test_launches_and_devices_change_nothing(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in has as many devices as a test wants")
    cuda.cuda.settings.reset(devices=2)
    cuda.cuda.settings.meeting = Barrier(2)
    monkeypatch.setattr(known_hands, "MAX_HANDS", 200)
    cards = np.sort([parse_cards(hand) for hand in ("Ac2c3h8d", "AdKd3sQs")], axis=1).astype(np.uint8)
    operation = OmahaKnownHands(OMAHA_HI_LO, cards, parse_cards("4c5c7h"), ())
    shares: list[float] = []
    assert CudaBackend().count(operation, shares.append).counts == operation.on_cpu()
    assert {number for number, *_ in cuda.cuda.settings.launches} == {0, 1} and max(shares) == 1.0


def test_equity_names_the_gpu(cuda: Any) -> None:
    spot: dict[str, Any] = {"board": "2s7d9h", "game": "omaha-hi-lo", "table": False}
    result = gpuodds.equity(["AsAhKsKh", "8c7c6d5d"], backend="cuda", **spot)
    assert result.backend == "cuda"
    assert result.players == gpuodds.equity(["AsAhKsKh", "8c7c6d5d"], backend="cpu", **spot).players
