"""Five-card hands, draws and discards by kernels: the integers of the CPU backend."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from threading import Barrier
from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cpu.five_card.discards import add_up_subsets
from gpuodds.backends.cuda.arrays.ranks import category_ends
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.five_card import draws as five_card_draws
from gpuodds.backends.cuda.five_card import hands as five_card_hands
from gpuodds.backends.cuda.five_card.names import packed_names, subset_sums
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.operations.five_card import (
    BestDiscards,
    CountDraws,
    FiveCardHands,
    FiveCardHighCards,
    SampleDraws,
)
from gpuodds.cards import parse_cards
from gpuodds.games.five_card import DrawSpot, list_discards, rank_names
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_ranks import hand_rank_tables
from gpuodds.methods.hands.evaluate import rank_hand

RANKINGS = ["standard", "draw-chooser"]
WHOLE = (1 << 52) - 1


def decks(count: int = 6) -> Any:
    """Return decks of all sizes, whole and nearly empty ones among them."""
    rng = np.random.default_rng(7)
    shares = np.linspace(0.15, 1.0, count)
    rows = [sum(1 << card for card in np.flatnonzero(rng.random(52) < share)) for share in shares]
    return np.array([*rows, WHOLE, 0b11111, (1 << 52) - (1 << 48)], np.int64)


def spot_of(hand: str, cards: int, most: int, ranking: str) -> DrawSpot:
    """Return a hand before the draw from a deck of some of the other cards."""
    own = parse_cards(hand)
    rest = np.array([card for card in range(52) if card not in own], np.uint8)
    deck = np.sort(np.random.default_rng(cards).permutation(rest)[:cards])
    return DrawSpot(np.array(own, np.uint8), deck, most, rank_names(ranking))


@pytest.mark.parametrize("kind", [FiveCardHands, FiveCardHighCards])
def test_hands_of_decks(cuda: Any, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(five_card_hands, "MAX_DECKS", 4)
    operation = kind(decks())
    found = CudaBackend().count(operation)
    assert found.backend == "cuda" and found.counts.dtype == np.int64
    assert np.array_equal(found.counts, operation.on_cpu())
    flat = found.counts.reshape(len(operation.decks), -1).sum(axis=1).tolist()
    assert flat == [comb(int(deck).bit_count(), 5) for deck in operation.decks]


def test_count_five_card_hands(cuda: Any, run: Any) -> None:
    sets = decks(1)
    out = cuda.empty((len(sets), 7463), np.int64)
    given = cuda.asarray(sets.astype(np.uint64)), np.int64(len(sets))
    run(
        "five_card/hands",
        "count_five_card_hands",
        *given,
        *device.kept_arrays(five_card_hands.shapes),
        out,
    )
    assert np.array_equal(cuda.asnumpy(out), FiveCardHands(sets).on_cpu())


def test_count_five_card_high_cards(cuda: Any, run: Any) -> None:
    sets = decks(1)
    out = cuda.zeros((len(sets), 9, 52), np.uint64)
    given = cuda.asarray(sets.astype(np.uint64)), np.int64(len(sets))
    tables = *device.kept_arrays(five_card_hands.shapes), category_ends()
    run("five_card/hands", "count_five_card_high_cards", *given, *tables, out)
    assert np.array_equal(cuda.asnumpy(out), FiveCardHighCards(sets).on_cpu())


@pytest.mark.slow
@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize(("cards", "most"), [(13, 5), (20, 4), (11, 0)])
def test_draws_are_counted(cuda: Any, cards: int, most: int, ranking: str) -> None:
    operation = CountDraws(spot_of("4h9d4c7dQs", cards, most, ranking))
    found = CudaBackend().count(operation)
    assert found.backend == "cuda" and np.array_equal(found.counts, operation.on_cpu())


@pytest.mark.weekly
def test_draws_from_all_other_cards_are_counted(cuda: Any) -> None:
    operation = CountDraws(spot_of("4h9d4c7dQs", 47, 3, "standard"))
    assert np.array_equal(CudaBackend().count(operation).counts, operation.on_cpu())


@pytest.mark.parametrize("size", [0, 1, 2])
@pytest.mark.parametrize("launch_shape", [(1, 32, 0), (3, 64, 1), (20, 96, 2)], indirect=True)
def test_count_names(cuda: Any, run: Any, size: int) -> None:
    def launch(*given: Any) -> None:
        run("five_card/draws", "count_names", *given)

    check_sets(cuda, launch, size, np.uint32)


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("launch_shape", [(1, 32, 0), (3, 7, 1), (20, 33, 2)], indirect=True)
def test_list_names(cuda: Any, run: Any, size: int) -> None:
    def launch(*given: Any) -> None:
        run("five_card/draws", "list_names", *given)

    check_sets(cuda, launch, size, np.uint16)


def check_sets(cuda: Any, launch: Any, size: int, dtype: Any) -> None:
    """Compare what a kernel writes for sets of a size with the hands that hold them, one by one."""
    spot = spot_of("AhKh2c2d3s", 10, 5, "draw-chooser")
    deck, names = cuda.asarray(spot.deck), cuda.asarray(spot.names)
    five = packed_names(spot.names, names)
    of_hand = {
        hand: name_of([int(spot.deck[place]) for place in hand], spot.names)
        for hand in combinations(range(10), 5)
    }
    columns = int(spot.names.max()) + 2
    listed = comb(10 - size, 5 - size)
    rows = cuda.empty((comb(10, size), columns if dtype == np.uint32 else listed), dtype)
    launch(deck, np.int32(10), np.int32(size), five, rows)
    sets = sorted(combinations(range(10), size), key=lambda places: places[::-1])
    for row, places in zip(cuda.asnumpy(rows), sets, strict=True):
        held = sorted(name for hand, name in of_hand.items() if {*places} <= {*hand})
        expected = np.searchsorted(held, np.arange(columns)) if dtype == np.uint32 else held
        assert np.array_equal(row, expected), places


def name_of(cards: Sequence[int], names: Any) -> int:
    """Return the name of five cards."""
    suits = {card % 4 for card in cards}
    return int(names[suits.pop() if len(suits) == 1 else 0, rank_hand(cards, HOLDEM)])


@pytest.mark.parametrize("launch_shape", [(1, 32, 0), (3, 64, 1), (20, 96, 2)], indirect=True)
def test_count_draws(cuda: Any, run: Any) -> None:
    spot = spot_of("AhKh2c2d3s", 11, 5, "standard")
    listing = five_card_draws._Listing(spot.deck, spot.names)
    expected = CountDraws(spot).on_cpu()
    for drawn in range(6):
        kept = [np.delete(spot.hand, places) for places in list_discards(5) if len(places) == drawn]
        sums = cuda.zeros((len(kept), 2), np.uint64)
        cards = cuda.asarray(np.array(kept, np.uint8).reshape(len(kept), -1)), np.int32(len(kept))
        given = listing.deck, listing.packed(), np.int32(drawn), *cards, listing.five, sums
        run("five_card/draws", "count_draws", *given)
        of_size = [len(places) == drawn for places in list_discards(5)]
        assert np.array_equal(cuda.asnumpy(sums), expected[of_size])


@pytest.fixture(scope="module")
def sums() -> Any:
    """Return the CPU's sums of what the hands with each set of cards are worth."""
    return add_up_subsets(hand_rank_tables(), rank_names("draw-chooser"))


@pytest.mark.slow
@pytest.mark.parametrize("ranking", RANKINGS)
def test_sums_are_those_of_the_cpu(cuda: Any, ranking: str) -> None:
    found = cuda.asnumpy(subset_sums(rank_names(ranking)))
    assert np.array_equal(found, add_up_subsets(hand_rank_tables(), rank_names(ranking)))


@pytest.mark.slow
@pytest.mark.parametrize("launch_shape", [(20, 128, 2)], indirect=True)
def test_sum_fours(cuda: Any, run: Any, sums: Any) -> None:
    names = rank_names("draw-chooser")
    on_device, found = cuda.asarray(names), cuda.asarray(sums.copy())
    found[23479:294204] = cuda.asarray(np.zeros(270725, np.int64))
    run("five_card/discards", "sum_fours", packed_names(names, on_device), found)
    assert np.array_equal(cuda.asnumpy(found), sums)


def test_sum_sets(cuda: Any, run: Any, sums: Any) -> None:
    found = cuda.asarray(np.concatenate([np.zeros(53, np.int64), sums[53:]]))
    for size in (1, 0):
        run("five_card/discards", "sum_sets", np.int32(size), found)
    assert np.array_equal(cuda.asnumpy(found), sums)


@pytest.mark.parametrize("most", [0, 3, 5])
def test_find_discards(cuda: Any, run: Any, sums: Any, most: int) -> None:
    names = rank_names("draw-chooser")
    drawn = np.random.default_rng(3).random((40, 52)).argsort(axis=1)[:, :5]
    hands = np.sort(drawn.astype(np.uint8), axis=1)
    on_device, found = cuda.asarray(names), cuda.empty(40, np.int64)
    given = cuda.asarray(hands), np.int64(40), np.int32(most), packed_names(names, on_device)
    run("five_card/discards", "find_discards", *given, cuda.asarray(sums), found)
    assert np.array_equal(cuda.asnumpy(found), BestDiscards(hands, most, names).on_cpu())


@pytest.mark.parametrize(("most", "opponent_draws"), [(5, False), (3, True), (0, True)])
def test_sample_draws(cuda: Any, run: Any, sums: Any, most: int, opponent_draws: bool) -> None:
    spot = spot_of("4h9d4c7dQs", 40, most, "draw-chooser")
    masks = np.array([sum(1 << i for i in places) for places in list_discards(most)], np.uint8)
    counts, names = cuda.zeros((len(masks), 2), np.uint64), cuda.asarray(spot.names)
    seed = 2**63 - 59
    cards = cuda.asarray(spot.hand), cuda.asarray(spot.deck), np.int32(40), cuda.asarray(masks)
    rows = np.int32(len(masks)), np.int32(most), np.int32(opponent_draws)
    tables = packed_names(spot.names, names), cuda.asarray(sums)
    for begin, end in ((0, 70), (70, 300)):
        span = np.int64(begin), np.int64(end), np.uint64(seed)
        run("five_card/discards", "sample_draws", *span, *cards, *rows, *tables, counts)
    expected = SampleDraws(spot, opponent_draws, 300, seed).on_cpu()
    assert np.array_equal(cuda.asnumpy(counts), expected)


def test_launches_and_devices_draw_the_same(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in has as many devices as a test wants")
    cuda.cuda.settings.reset(devices=2)
    cuda.cuda.settings.meeting = Barrier(2)
    monkeypatch.setattr(five_card_draws, "MAX_SAMPLES", {False: 100})
    operation = SampleDraws(spot_of("4h9d4c7dQs", 47, 2, "standard"), False, 5000, 3)
    shares: list[float] = []
    found = CudaBackend().count(operation, shares.append).counts
    assert np.array_equal(found, operation.on_cpu()) and max(shares) == 1.0
    assert {number for number, *_ in cuda.cuda.settings.launches} == {0, 1}
