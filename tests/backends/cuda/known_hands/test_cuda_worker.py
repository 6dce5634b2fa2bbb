"""How one device counts spots: pieces that wait, graphs solved once, pairs summed in one launch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.known_hands import sums, worker
from gpuodds.backends.cuda.known_hands.spots import load_spots
from gpuodds.backends.operations.known_hands import ThreatMatchings, UnbeatenDeals
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.spots.spot import Spot

FLOPS = [("AsKs", "2s7s9h"), ("7c2d", "2s7s9s"), ("8h8d", "8s8c3d")]
RIVERS = [
    ("AsKs", "2s7s9hTsJc"),
    ("2d3d", "AcKcQcJcTc"),
    ("5h4h", "2h3h9hJhKd"),
    ("QhQd", "7c8d2s3cKh"),
]
STREETS = {"flop": FLOPS, "turn": [(hand, board + "4c") for hand, board in FLOPS], "river": RIVERS}


def sums_of_the_cpu(spots: list[Spot], most: int) -> np.ndarray:
    """Return boards x matchings of each spot, (spots, edges, ties)."""
    found = np.zeros((len(spots), most + 1, most + 1), np.int64)
    for row, spot in zip(found, spots, strict=True):
        (counts,) = ThreatMatchings([spot], most).on_cpu()
        assert list(counts) == [1]
        for (deck, edges, ties), ways in counts[1].items():
            if edges <= most:
                assert deck == spot.undealt
                row[edges, ties] = ways
    return found


@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize(("street", "lane_bits"), [("flop", 2), ("flop", 0), ("turn", 1), ("river", 0)])
def test_sum_pairs(cuda: Any, run: Any, street: str, lane_bits: int, most: int) -> None:
    spots = [Spot.of([hand], opponents=most, board=board) for hand, board in STREETS[street]]
    on_device, expected = load_spots(spots), sums_of_the_cpu(spots, most)
    out = cuda.zeros((len(spots), most + 1, most + 1, 2), np.uint64)
    given = on_device.packed, packed_tables(HOLDEM)
    ends = np.array([lane_bits, most + 1], np.int32)
    cut = on_device.items // 2  # the second half begins amid a spot, or at one
    for begin, end in ((0, cut), (cut, on_device.items)):
        first, last = on_device.range_of(begin, end)
        span = np.int64(begin), np.int64(end - begin)
        run("known_hands/sum_pairs", "sum_pairs", *given, *span, *ends, out[first:last])
    assert np.array_equal(cuda.asnumpy(out)[..., 0], expected)
    assert not cuda.asnumpy(out)[..., 1].any()


class TestOnTheStandIn:
    """What is launched, and conditions that a real GPU cannot be put into."""

    @pytest.fixture(autouse=True)
    def stand_in(self, cuda: Any) -> Any:
        if cuda.__version__ != "stand-in":
            pytest.skip("only the stand-in lists launches")
        self.settings = cuda.cuda.settings

    def launched(self) -> list[str]:
        return [name for _, name, _, _ in self.settings.launches]

    def test_one_hand_against_one_or_two_is_one_launch(self) -> None:
        backend, spot = CudaBackend(), Spot.of(["AsKs"], opponents=2, board="2s7s9h")
        self.settings.launches.clear()
        backend.count(ThreatMatchings([spot], 2))
        assert self.launched() == ["sum_pairs"]

    def draw(self) -> tuple[UnbeatenDeals, Any]:
        deck = np.tile(np.arange(52, dtype=np.uint8), (60, 1))
        cards = np.random.default_rng(3).permuted(deck, axis=1)
        operation = UnbeatenDeals(HOLDEM, cards[:, :2].copy(), cards[:, 2:6].copy(), 9)
        return operation, operation.on_cpu()

    @pytest.mark.slow
    def test_graphs_of_all_pieces_are_solved_at_once(self, monkeypatch) -> None:
        operation, expected = self.draw()
        monkeypatch.setattr(worker, "MAX_CLASSES", 300)
        self.settings.launches.clear()
        assert np.array_equal(CudaBackend().count(operation).counts, expected)
        assert self.launched().count("find_graphs") > 3 and self.launched().count("find_orders") == 1

    @pytest.mark.slow
    def test_few_classes_wait_where_memory_is_short(self, monkeypatch) -> None:
        operation, expected = self.draw()
        monkeypatch.setattr(worker, "MAX_CLASSES", 300)
        monkeypatch.setattr(worker, "WAITING_SHARE", self.settings.free_bytes // (600 * 28))
        self.settings.launches.clear()
        assert np.array_equal(CudaBackend().count(operation).counts, expected)
        assert 1 < self.launched().count("find_orders") < self.launched().count("find_graphs")

    @pytest.mark.parametrize(("hands", "most"), [(["AsAh"], 3), (["AsAh"], 2), (["AsAh", "KsKh"], 2)])
    def test_items_without_a_board_count_for_nothing(self, monkeypatch, hands, most) -> None:
        spot = Spot.of(hands, opponents=most, board="7c8d2s", dead="AcAdKcKd")
        monkeypatch.setattr("gpuodds.backends.cuda.known_hands.matching_counts.max_items", lambda *_: 1)
        operation = ThreatMatchings([spot], most)
        (expected,) = operation.on_cpu()
        (found,) = CudaBackend().count(operation).counts
        assert found.keys() == expected.keys()
        for winners, counts in found.items():
            ways = {key: number for key, number in expected[winners].items() if key[1] <= most}
            assert counts == {key: number for key, number in ways.items() if number}

    @pytest.mark.slow
    def test_sums_without_memory_are_taken_in_halves(self, monkeypatch) -> None:
        operation, expected = self.draw()
        add_groups, sizes = sums.add_groups, []

        def refuse(keys: Any, *given: Any) -> Any:
            spots = len(np.unique(np.asarray(keys.get()) >> 29))
            sizes.append(spots)
            if spots > 10:
                raise MemoryError("as arranged")
            return add_groups(keys, *given)

        monkeypatch.setattr(worker, "add_groups", refuse)
        assert np.array_equal(CudaBackend().count(operation).counts, expected)
        assert sizes[:4] == [60, 30, 15, 7] and sum(size for size in sizes if size <= 10) == 60

    @pytest.mark.slow
    def test_what_waits_makes_room_for_a_piece(self, monkeypatch) -> None:
        operation, expected = self.draw()
        monkeypatch.setattr(worker, "MAX_CLASSES", 300)
        classify, refused = worker.Worker._classify, []

        def refuse(self: Any, *given: Any) -> Any:
            if len(self.waiting) == 2:
                refused.append(given)
                raise MemoryError("as arranged")
            return classify(self, *given)

        monkeypatch.setattr(worker.Worker, "_classify", refuse)
        assert np.array_equal(CudaBackend().count(operation).counts, expected)
        assert refused
