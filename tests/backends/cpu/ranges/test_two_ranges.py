"""Two ranges on many boards: golden counts, and the sums of showdowns on every full board."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds import Range
from gpuodds.backends.cpu.ranges.all_runouts import many_boards as two_ranges
from gpuodds.backends.cpu.ranges.all_runouts.one_board import count_boards
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.operations.range_showdowns import RangeShowdowns
from gpuodds.backends.operations.ranks import RankCombos
from gpuodds.backends.operations.two_ranges import TwoRangeBoards
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.boards import full_boards
from gpuodds.games.shared.combos import SUIT_NAMES, combo_cards, suit_relabellings
from gpuodds.methods.holdem import showdowns

# Texts of ranges, a board, dead cards, and the deals that the first wins, ties and loses. The first is
# from OMPEval; the others are from the sweep over all runouts, one after the other.
GOLDEN = [
    (("QQ+,AK", "22+,A2s+"), "2s7d9h", "", (1844424, 62169, 1399017)),
    (("QQ+,AK", "22+,A2s+"), "2s7s9h", "", (1818535, 57093, 1429982)),
    (("QQ+,AK", "22+,A2s+"), "2s7s9s", "", (1805871, 86670, 1413069)),
    (("QQ+,AK", "22+,A2s+"), "AsAdKs", "", (1105353, 19214, 200053)),
    (("QQ+,AK", "22+,A2s+"), "8s8d8h", "", (2164041, 193104, 1049445)),
    (("QQ+,AK", "22+,A2s+"), "2s7s9sTh", "", (71291, 1578, 68371)),
    (("QQ+,AK", "100%"), "2s7d9h", "", (25036413, 200133, 11149914)),
]
BOARDS = ["2s7d9h", "2s7s9h", "2s7s9s", "AsAdKh", "AsAdKs", "8s8d8h", "5c6c7c", "2s7d9hTc", "2s7s9hTh"]
BOARDS += ["2s7s9sTh", "2s7s9sTs", "AsAdAhAc", "KsKdQsQd", "2s7d9hTcJc", "2s3s4s5sAd", "TsJsQsKsAs"]


def weights_of(*texts: str) -> Any:
    return np.stack([Range(text).weights for text in texts])


def boards_of(*texts: str) -> Any:
    return np.array([parse_cards(text) for text in texts], np.uint8)


def by_sweep(weights: Any, board: Any, dead: Any) -> Any:
    """Wins, ties and losses by combo, shape (2, 1326, 3), from every full board."""
    free = ~np.isin(combo_cards(), [*board, *dead]).any(axis=1)
    boards = full_boards(board, dead)
    ranks = RankCombos(HOLDEM, boards).on_cpu().astype(np.int64)
    found = np.zeros((2, 1326, 3), weights.dtype)
    cards = combo_cards()
    for player in range(2):
        theirs = np.flatnonzero(free & (weights[1 - player] != 0))
        for h in np.flatnonzero(free & (weights[player] != 0)):
            apart = theirs[~np.isin(cards[theirs], cards[h]).any(axis=1)]
            ours, other = ranks[:, [h]], ranks[:, apart]
            dealt = (ours > 0) & (other > 0)
            for place, sign in enumerate((1, 0, -1)):
                times = (dealt & (np.sign(ours - other) == sign)).sum(axis=0)
                found[player, h, place] = weights[1 - player][apart] @ times
    return found


@pytest.mark.parametrize(("texts", "board", "dead", "expected"), GOLDEN)
def test_golden_counts(texts: Any, board: str, dead: str, expected: Any) -> None:
    weights = weights_of(*texts)
    operation = TwoRangeBoards(HOLDEM, weights, boards_of(board), parse_cards(dead), by_combo=False)
    found = operation.on_cpu()
    assert found.totals.dtype == np.int64 and found.by_combo is None
    assert found.totals.tolist() == [list(expected)]


def few(rng: Any, size: int, cards: Any) -> Any:
    """A range of a few combos, of which many are made of the same cards."""
    weights = np.zeros(1326)
    held = np.flatnonzero(np.isin(combo_cards(), cards).all(axis=1))
    weights[rng.choice(held, min(size, len(held)), replace=False)] = 1
    return weights


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(3, 5),
    st.integers(0, 6),
    st.sampled_from([1, 2, 4]),
    st.booleans(),
)
def test_the_sum_over_all_full_boards(
    seed: int, size: int, dead_cards: int, suits: int, is_weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    deck = [card for card in range(52) if card & 3 < suits]
    board = rng.choice(deck, size, replace=False).tolist()
    rest = [card for card in rng.permutation(52).tolist() if card not in board]
    dead, near = rest[:dead_cards], sorted({*rest[dead_cards : dead_cards + 12], *board[:1]})
    weights = np.stack([few(rng, 12, near), few(rng, 9, near)])
    if is_weighted:
        weights *= rng.random((2, 1326))
    boards = np.array([board, board[::-1]], np.uint8)
    found = TwoRangeBoards(HOLDEM, weights, boards, dead, by_combo=True).on_cpu()
    expected = by_sweep(weights, board, dead)
    assert found.by_combo is not None and found.by_combo.shape == (2, 2, 1326, 3)
    for number in range(2):
        assert found.by_combo[number] == pytest.approx(expected, rel=1e-12)
        own = np.einsum("h,hk->k", weights[0], expected[0])
        assert found.totals[number] == pytest.approx(own, rel=1e-12)
    kind = "f" if is_weighted and weights.any() else "i"
    assert found.totals.dtype.kind == found.by_combo.dtype.kind == kind


@pytest.mark.parametrize("board", BOARDS)
def test_wide_ranges_on_boards_of_each_kind(board: str) -> None:
    weights = weights_of("22+,A2s+,K9o+,54s,72o", "100%")
    boards = boards_of(board)
    found = TwoRangeBoards(HOLDEM, weights, boards, [], by_combo=True).on_cpu()
    full = full_boards(parse_cards(board), [])
    ones = np.ones(len(full), np.int64)
    free = weights * ~np.isin(combo_cards(), parse_cards(board)).any(axis=1)
    by_board = RangeShowdowns(HOLDEM, free, full, ones, [0, 1], False).on_cpu().by_winners
    assert found.by_combo is not None and np.array_equal(found.by_combo[0, :, :, :2], by_board)
    assert np.array_equal(found.totals[0], free[0] @ found.by_combo[0, 0])
    assert np.array_equal(found.totals[0][::-1], free[1] @ found.by_combo[0, 1])
    apart = (combo_cards()[:, None, :, None] != combo_cards()[None, :, None, :]).all(axis=(2, 3))
    runouts = comb(48 - len(parse_cards(board)), 5 - len(parse_cards(board)))
    assert found.totals.sum() == free[0] @ apart @ free[1] * runouts


def test_a_range_without_combos_on_a_board_has_no_deals() -> None:
    weights = weights_of("AsKs", "QQ")
    boards = boards_of("As7d9h", "2s7d9h")
    found = TwoRangeBoards(HOLDEM, weights, boards, [], by_combo=False).on_cpu()
    assert found.totals[0].tolist() == [0, 0, 0] and found.totals[1].sum() == 6 * 990


def test_a_gpu_counts_the_same(cuda: Any) -> None:
    weights = weights_of("QQ+", "AsKs,72s")
    boards = boards_of("2s7s9hTc", "AsAdKs3h")
    dead = parse_cards("QsQh")
    operation = TwoRangeBoards(HOLDEM, weights, boards, dead, by_combo=True)
    ours, cpu = CudaBackend().count(operation).counts, operation.on_cpu()
    assert np.array_equal(ours.totals, cpu.totals) and ours.totals.any()
    assert ours.by_combo is not None and cpu.by_combo is not None
    assert np.array_equal(ours.by_combo, cpu.by_combo)


def test_threads_share_boards_and_parts_of_one_board(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = weights_of("QQ+,AK,76s", "22+,A2s+")
    boards = boards_of("2s7d9h", "2s7s9h", "AsAdKs")
    alone = TwoRangeBoards(HOLDEM, weights, boards, [3], by_combo=True).on_cpu()
    monkeypatch.setattr(two_ranges, "WORTH_THREADS", 0)
    monkeypatch.setenv("GPUODDS_THREADS", "3")
    shared = TwoRangeBoards(HOLDEM, weights, boards, [3], by_combo=True).on_cpu()
    assert alone.by_combo is not None and shared.by_combo is not None
    assert np.array_equal(shared.totals, alone.totals) and alone.totals.all()
    assert np.array_equal(shared.by_combo, alone.by_combo)
    told: list[float] = []
    for number in range(3):
        board = boards[number : number + 1]
        one = TwoRangeBoards(HOLDEM, weights, board, [3], by_combo=True).on_cpu(told.append)
        assert one.by_combo is not None and np.array_equal(one.by_combo[0], alone.by_combo[number])
    assert told[-1] == 1.0


def test_suits_renamed_and_players_swapped_change_nothing() -> None:
    weights = weights_of("AsKs,QdJd,87s,22", "A5s,KQo,9s8s,TT")
    boards = boards_of("2s7s9h", "6d7d8d", "QsQhQd")
    found = TwoRangeBoards(HOLDEM, weights, boards, [], by_combo=False).on_cpu()
    swapped = TwoRangeBoards(HOLDEM, weights[::-1], boards, [], by_combo=False).on_cpu()
    assert np.array_equal(swapped.totals[:, ::-1], found.totals)
    for number in (1, 9, 17):
        renamed = np.zeros_like(weights)
        renamed[:, suit_relabellings()[number]] = weights
        cards = (boards >> 2 << 2 | SUIT_NAMES[number][boards & 3]).astype(np.uint8)
        again = TwoRangeBoards(HOLDEM, renamed, cards, [], by_combo=False).on_cpu()
        assert np.array_equal(again.totals, found.totals)


def test_one_version_is_compiled_for_all_spots() -> None:
    """Weights made for dead cards or for parts of a range are of the type that a spot's are."""
    gpuodds.equity(["QQ+,AK", "22+,A2s+"], board="2s7d9h", backend="cpu")
    gpuodds.equity(["QQ+,AK", "22+,A2s+"], board="2s7d9h", dead="Ah", backend="cpu")
    weights, board = weights_of("60%", "random"), boards_of("2s7d9h")
    TwoRangeBoards(HOLDEM, weights, board, [], by_combo=False).on_cpu()
    TwoRangeBoards(HOLDEM, weights[::-1], board, [], by_combo=False).on_cpu()
    assert len(count_boards.signatures) == 1  # type: ignore[attr-defined]  # a dispatcher of numba


@pytest.mark.parametrize("opponents", [0, 1])
def test_an_answer_by_hand_is_that_of_showdowns_on_full_boards(
    opponents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = ["QQ+,AKs", "JJ,A5s,76s"][: 2 - opponents]
    ours = gpuodds.equity(hands, opponents=opponents, board="7s8s2d", dead="Ah", by_hand=True)
    monkeypatch.setattr(showdowns, "is_two_ranges", lambda *_: False)
    other = gpuodds.equity(hands, opponents=opponents, board="7s8s2d", dead="Ah", by_hand=True)
    assert ours.players == other.players and ours.winners == other.winners
    assert ours.by_hand == other.by_hand
