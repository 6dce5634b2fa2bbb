"""Two ranges before the flop: counts of the table, made hands of the sweep, totals, symmetry."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds.backends.cpu.ranges.preflop.hand_types import rank_boards, suited_boards
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.operations.range_showdowns import RangeShowdowns
from gpuodds.backends.operations.two_ranges import TwoRangesPreflop
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.boards import full_boards
from gpuodds.games.shared.combos import COMBOS, suit_relabellings
from gpuodds.games.shared.hand_names import CATEGORIES, CATEGORY_RANKS
from gpuodds.games.shared.symmetry import average, suit_group, weighted_boards
from gpuodds.tables.shipped.preflop_heads_up import matrices

BOARDS = comb(48, 5)
# Of the C(52, 7) hands of seven cards, from high card to straight flush: known from the literature.
SEVEN_CARD_HANDS = (
    23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584,
)  # fmt: skip


def ranges(*texts: str) -> Any:
    return np.stack([gpuodds.Range(text).weights for text in texts])


def drawn(sizes: tuple[int, int], seed: int, values: tuple[float, ...] = (1.0,)) -> Any:
    rng = np.random.default_rng(seed)
    weights = np.zeros((2, COMBOS))
    for row, size in zip(weights, sizes, strict=True):
        row[rng.permutation(COMBOS)[:size]] = rng.choice(values, size)
    return weights


def count(weights: Any, made: tuple[int, ...] = ()) -> Any:
    return TwoRangesPreflop(HOLDEM, weights, made).on_cpu()


def looked_up(weights: Any) -> Any:
    """Wins and ties of each combo of both ranges, by the table of all pairs."""
    found = [np.stack([matrix @ weights[1 - p] for matrix in matrices()], axis=1) for p in range(2)]
    return np.where(weights[:, :, None] > 0, np.stack(found), 0)


def swept(weights: Any) -> Any:
    """What the sweep over boards finds, one board of each class."""
    group = suit_group(weights, (), ())
    boards, times = weighted_boards((), (), group)
    found = RangeShowdowns(HOLDEM, weights, boards, times, (0, 1), True).on_cpu()
    return average(found.by_winners, group), found.by_category


def test_groups_hold_every_board_once() -> None:
    by_rank, by_suit = rank_boards(), suited_boards()
    assert by_rank.ways[by_rank.spread, 0, 0].sum() == comb(52, 5)
    counted = 4 * by_suit.ways[by_suit.kind, 0, 0].sum()
    three = [comb(13, size) * comb(39, 5 - size) for size in (3, 4, 5)]
    assert counted == 4 * sum(three)


@pytest.mark.parametrize("sizes", [(1, 1), (1, 40), (5, 12), (60, 3), (200, 300)], ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_drawn_ranges_have_the_counts_of_the_table(sizes: tuple[int, int], seed: int) -> None:
    weights = drawn(sizes, 10 * seed + sizes[0])
    found = count(weights).by_winners
    assert found.dtype == np.int64 and found.any()
    assert np.array_equal(found, looked_up(weights))


@pytest.mark.parametrize(
    "texts",
    [
        ("QQ+,AK", "22+,A2s+"),
        ("22+,A2s+", "QQ+,AK"),
        ("AsKs", "random"),
        ("15%", "AsKs,2c2d,7h2h"),
        ("A5s", "A5s"),
        ("32o", "32o"),
        ("random", "random"),
    ],
    ids=" v ".join,
)
def test_written_ranges_have_the_counts_of_the_table(texts: tuple[str, str]) -> None:
    weights = ranges(*texts)
    assert np.array_equal(count(weights).by_winners, looked_up(weights))


def test_weights_are_exact_to_twelve_digits() -> None:
    for weights in (drawn((30, 50), 3, (1.0, 0.5, 0.3, 1e-6)), ranges("AA,KK:0.3", "QQ:0.7,AKs:0.1")):
        found = count(weights).by_winners
        assert found.dtype == np.float64
        assert np.allclose(found, looked_up(weights), rtol=1e-12, atol=0)


@settings(max_examples=3)
@given(st.integers(0, 10**6), st.integers(1, 23))
def test_suits_and_seats_may_be_exchanged(seed: int, renaming: int) -> None:
    order = suit_relabellings()[renaming]
    weights = drawn((3, 8), seed)
    renamed = np.zeros_like(weights)
    renamed[:, order] = weights
    found, made = count(weights, made=(0, 1))
    again, made_again = count(renamed, made=(0, 1))
    assert np.array_equal(again[:, order], found) and np.array_equal(made_again, made)
    turned, made_turned = count(weights[::-1].copy(), made=(0, 1))
    assert np.array_equal(turned[::-1], found) and np.array_equal(made_turned[::-1], made)


@pytest.mark.parametrize(
    "texts", [("QQ,AKs", "A2s,77"), ("A5s", "A5s"), ("32o,KK", "22,KTs")], ids=" v ".join
)
def test_made_hands_are_those_of_the_sweep(texts: tuple[str, str]) -> None:
    weights = ranges(*texts)
    found, expected = count(weights, made=(0, 1)), swept(weights)
    assert np.array_equal(found.by_winners, expected[0])
    assert np.array_equal(found.by_category, expected[1])
    for player in range(2):
        alone = count(weights, made=(player,))
        assert np.array_equal(alone.by_winners, expected[0])
        assert np.array_equal(alone.by_category, expected[1][[player]])


def test_weighted_made_hands_are_those_of_the_sweep() -> None:
    weights = ranges("QQ:0.3,AKs", "A2s:0.0137,77:0.5")
    assert np.allclose(count(weights, made=(0, 1)).by_category, swept(weights)[1], rtol=1e-12, atol=0)


def test_made_hands_of_one_hand_are_those_of_its_boards() -> None:
    result = gpuodds.equity("AsKs", made_hands=True)
    plain = gpuodds.equity("AsKs")
    assert result.method == "exact" and plain.method == "table"
    assert result.players[0].equity_exact == plain.players[0].equity_exact
    boards = full_boards((), (47, 51))
    hands = np.concatenate([boards, np.full((len(boards), 2), (47, 51), np.uint8)], axis=1)
    places = np.searchsorted(
        [ranks.start for ranks in CATEGORY_RANKS], gpuodds.rank_hands(hands), "right"
    )
    shares = np.bincount(places - 1) / len(boards)
    assert result.made_hands is not None
    assert set(result.made_hands[0]) == set(CATEGORIES)
    for name, share in zip(CATEGORIES, shares.tolist(), strict=True):
        assert result.made_hands[0][name].all == share


@pytest.mark.parametrize("texts", [("15%", "AKs,22"), ("AsKs", "random")], ids=" v ".join)
def test_categories_add_up_to_all_deals(texts: tuple[str, str]) -> None:
    weights = ranges(*texts)
    found = count(weights, made=(0, 1))
    no_board = np.zeros((1, 0), np.uint8), np.ones(1, np.int64)
    deals = RangeShowdowns(HOLDEM, weights, *no_board, (0, 1), False).on_cpu().by_winners
    for player in range(2):
        wins, ties, every = found.by_category[player].sum(axis=0)
        assert [wins, ties] == (weights[player] @ found.by_winners[player]).tolist()
        assert every == weights[player] @ deals[player, :, -1] * BOARDS
        assert (found.by_category[player, :, :2].sum(axis=1) <= found.by_category[player, :, 2]).all()


@pytest.mark.weekly
def test_random_hands_make_the_known_numbers_of_hands() -> None:
    found = count(ranges("random", "random"), made=(0, 1)).by_category
    known = np.array(SEVEN_CARD_HANDS) * comb(7, 2) * comb(45, 2)
    assert np.array_equal(found[:, :, 2], np.stack([known, known]))
    assert np.array_equal(found[0], found[1])


def test_progress_ends_at_one() -> None:
    asked: Any = (("AA", "KK", ()), ("AA", "22+", (0, 1)), ("AA", "22+", (1,)), ("AA", "AA", (0, 1)))
    for *texts, made in asked:
        shares: list[float] = []
        TwoRangesPreflop(HOLDEM, ranges(*texts), made).on_cpu(shares.append)
        assert shares == sorted(shares) and shares[0] > 0 and shares[-1] == 1.0


def test_a_gpu_goes_through_the_boards(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in counts some boards of each class, so that they do not take minutes."""

    def some(*given: Any) -> Any:
        boards, times = weighted_boards(*given)
        return boards[::9000], times[::9000]

    monkeypatch.setattr("gpuodds.backends.two_ranges.weighted_boards", some)
    weights = ranges("QQ+,AK", "22+,A2s+")
    found: Any = CudaBackend().count(TwoRangesPreflop(HOLDEM, weights, (0, 1))).counts
    group = suit_group(weights, (), ())
    boards, times = some((), (), group)
    swept: Any = RangeShowdowns(HOLDEM, weights, boards, times, (0, 1), True).on_cpu()
    assert np.array_equal(found.by_winners, average(swept.by_winners, group))
    assert np.array_equal(found.by_category, swept.by_category)
