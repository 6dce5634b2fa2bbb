"""The tables of features: against ranking every deal, and clusters against all hands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toy_tables import make_known

import gpuodds
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.operations.against_clusters import AgainstClusters
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.cards import parse_cards
from gpuodds.errors import TableError
from gpuodds.games.holdem.clusters import CLUSTER_OF_HANDS, opponent_clusters
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import starting_hand, starting_hands
from gpuodds.games.shared.boards import canonical_boards
from gpuodds.games.shared.combos import combo_cards
from gpuodds.table_building.build import build
from gpuodds.table_building.kinds.features import (
    Features,
    FlopFeatures,
    RiverFeatures,
    TurnFeatures,
)
from gpuodds.table_building.verify import verify
from gpuodds.tables.layouts.streets import (
    FlopFeaturesLayout,
    RiverFeaturesLayout,
    TurnFeaturesLayout,
)
from gpuodds.tables.store import StoredTable

CPU = CpuBackend()


class FewFlopsLayout(FlopFeaturesLayout):
    boards_per_shard = 1

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:2]


class FewTurnsLayout(TurnFeaturesLayout):
    boards_per_shard = 5

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:2]


class FewRiversLayout(RiverFeaturesLayout):
    boards_per_shard = 20

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:2]


class FewFlops(FlopFeatures):
    layout = FewFlopsLayout()


class FewTurns(TurnFeatures):
    layout = FewTurnsLayout()


class FewRivers(RiverFeatures):
    layout = FewRiversLayout()


KINDS: tuple[Features, ...] = FewFlops(), FewTurns(), FewRivers()
NAMES = [kind.name for kind in KINDS]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("features")
    with pytest.MonkeyPatch.context() as patch:
        make_known(patch.setattr, *KINDS)
        for kind in KINDS:
            assert build(kind, folder / kind.name, kind.layout.max_opponents, backend="cpu")
    return folder


@pytest.fixture
def features(built: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_known(monkeypatch.setattr, *KINDS)
    return built


@pytest.mark.parametrize("name", NAMES)
def test_features_are_those_of_every_deal(features: Path, name: str) -> None:
    held = verify(features / name, rows=3, seed=5)
    assert any("counted again by another method" in line for line in held)


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_features_of_rows_agree(features: Path, kind: Features) -> None:
    table = StoredTable(features / kind.name)
    rows = np.arange(len(table))
    found = table.take_rows(rows)
    size = kind.layout.board_cards
    equity = found["strength"] / 1980 if size == 5 else found["equity"]
    assert np.average(equity, weights=found["deals"]) == pytest.approx(0.5, abs=1e-12)
    assert found["ochs"].dtype == np.float32 and found["ochs"].shape == (len(table), 8)
    if size == 5:
        return
    assert (equity**2 <= found["strength_squared"] + 1e-12).all()
    assert (found["histogram"].sum(axis=1) == {3: 1081, 4: 46}[size]).all()
    bins = found["histogram"] / found["histogram"].sum(axis=1, keepdims=True)
    assert (np.abs(bins @ (np.arange(50) + 0.5) / 50 - equity) < 0.011).all()
    if size == 3:
        assert (found["turn_histogram"].sum(axis=1) == 47).all()
        turns = found["turn_histogram"] @ (np.arange(50) + 0.5) / 50 / 47
        assert (np.abs(turns - equity) < 0.011).all()


def test_take_finds_what_look_ups_do(features: Path) -> None:
    table = StoredTable(features / "turn-features")
    boards = canonical_boards(4)[0][:10]
    rng = np.random.default_rng(1)
    hands, on = [], []
    for board in boards.tolist():
        left = [card for card in range(52) if card not in board]
        for hand in rng.permutation(left)[:20].reshape(-1, 2).tolist():
            hands.append(hand)
            on.append(board)
    taken = table.take(np.array(hands), np.array(on), columns=["equity", "ochs", "histogram"])
    for place in range(0, len(hands), 7):
        (row,) = table.lookup(hands[place], board=on[place])
        assert row["equity"] == taken["equity"][place]
        assert row["ochs"] == taken["ochs"][place].tolist()
        assert row["histogram"] == taken["histogram"][place].tolist()
    names = np.array([2, 0, 3, 1])
    hand, board = (np.array(cards) // 4 * 4 + names[np.array(cards) % 4] for cards in (hands, on))
    assert np.array_equal(table.take(hand, board, columns=["ochs"])["ochs"], taken["ochs"])


def test_a_street_is_the_sum_of_the_next() -> None:
    flop = np.array([parse_cards("2s7d9h")], np.uint8)
    turns = np.array([[*flop[0], c] for c in range(52) if c not in flop[0]], np.uint8)
    whole, parts = (
        AgainstClusters(HOLDEM, boards, opponent_clusters()).on_cpu() for boards in (flop, turns)
    )
    for on_flop, on_turns in zip(whole, parts, strict=True):
        assert np.array_equal(2 * on_flop[0], on_turns.sum(axis=0))


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_what_other_machines_count_is_checked(features: Path, kind: Features) -> None:
    table = StoredTable(features / kind.name)
    (rows, *_) = kind.layout.shards(1)
    numbers = np.arange(rows.start, rows.stop)
    values = {name: column.copy() for name, column in table.take_rows(numbers).items()}
    kind.check_counts(rows, 1, None, values)
    column = "strength" if kind.layout.board_cards == 5 else "equity"
    wrong = values | {column: values[column] * 0.9}
    with pytest.raises(TableError, match="the pots of a board do not add up"):
        kind.check_counts(rows, 1, None, wrong)
    for name in kind.histograms():
        wrong = values | {name: values[name].copy()}
        wrong[name][3, 0] += 1
        with pytest.raises(TableError, match=f"a {name} does not have all cards"):
            kind.check_counts(rows, 1, None, wrong)


def test_clusters_that_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    real = AgainstClusters.on_cpu

    def wrong(operation: AgainstClusters, progress: Any = None) -> Any:
        found = real(operation, progress)
        found.half_pots[..., 0] += found.half_pots[..., 0] > 0
        return found

    monkeypatch.setattr(AgainstClusters, "on_cpu", wrong)
    with pytest.raises(TableError, match="the pots against clusters do not add up"):
        FewTurns().compute(FewTurns().layout.shards(1)[0], 1, CPU)


def test_clusters_of_starting_hands() -> None:
    clusters = opponent_clusters()
    assert np.bincount(clusters).tolist() == [224, 188, 164, 188, 144, 190, 186, 42]
    of_hands = dict(zip(starting_hands(), "".join(CLUSTER_OF_HANDS), strict=True))
    assert [of_hands[hand] for hand in ("32o", "T2o", "65s", "K4o", "JTs", "22", "AKo", "AA")] == [
        *"01234567"
    ]
    for cards, cluster in zip(combo_cards().tolist(), clusters.tolist(), strict=True):
        assert int(of_hands[starting_hand(cards)]) == cluster


@pytest.mark.slow
def test_each_starting_hand_is_in_the_nearest_cluster() -> None:
    """By the earth mover's distance of histograms of strength on all full boards."""
    boards, sizes = canonical_boards(5)
    cards = combo_cards()
    names = {name: place for place, name in enumerate(starting_hands())}
    hand_of = np.array([names[starting_hand(pair)] for pair in cards.tolist()])
    counts = np.zeros((169, 50))
    for begin in range(0, len(boards), 2000):
        some, weight = boards[begin : begin + 2000], sizes[begin : begin + 2000].astype(float)
        counted = AgainstRandom(HOLDEM, some, False).on_cpu()
        strength = 2 * counted.wins + counted.ties
        live = ~(cards[None, :, :, None] == some[:, None, None, :]).any(axis=(2, 3))
        place = hand_of * 50 + np.minimum(strength * 50 // 1980, 49)
        weights = np.broadcast_to(weight[:, None], place.shape)
        counts += np.bincount(place[live], weights[live], 169 * 50).reshape(169, 50)
    assert counts.sum() == 1326 * 2_118_760
    shares = np.cumsum(counts / counts.sum(axis=1, keepdims=True), axis=1)
    clusters = np.array([*map(int, "".join(CLUSTER_OF_HANDS))])
    combos = np.bincount(hand_of)
    means = [np.average(shares[clusters == k], axis=0, weights=combos[clusters == k]) for k in range(8)]
    distances = np.abs(shares[:, None] - np.array(means)).sum(axis=2)
    assert np.array_equal(distances.argmin(axis=1), clusters)


@pytest.mark.weekly
def test_every_street_adds_up_to_the_hands_before_the_flop(tmp_path: Path) -> None:
    """All 2,809,475,760 deals of a hand and a full board, by starting hand, in whole numbers.

    A full board has ten flops and five turns: each row of these has it once for each.
    """
    names = {name: place for place, name in enumerate(starting_hands())}
    of_combo = np.array([names[starting_hand(pair)] for pair in combo_cards().tolist()])
    strengths: dict[str, Any] = {}
    histograms: dict[str, Any] = {}
    for kind in (FlopFeatures(), TurnFeatures(), RiverFeatures()):
        folder, size = tmp_path / kind.name, kind.layout.board_cards
        assert build(kind, folder, 1, backend="cpu", workers=2)
        table = StoredTable(folder)
        strengths[kind.name] = np.zeros(169, np.int64)
        histograms[kind.name] = np.zeros((169, 50), np.int64)
        for rows in table.shards:
            hands, _ = gpuodds.canonical_cards(np.arange(rows.start, rows.stop), size)
            low, high = np.sort(hands.astype(np.int64), axis=1).T
            of_row = of_combo[high * (high - 1) // 2 + low]
            deals = table.array("deals")[rows.start : rows.stop].astype(np.int64)
            if size == 5:
                strength = table.array("strength")[rows.start : rows.stop].astype(np.int64)
                counts = np.eye(50, dtype=np.int64)[np.minimum(strength * 50 // 1980, 49)]
            else:
                equity = table.array("equity")[rows.start : rows.stop]
                strength = np.rint(equity * kind.total()).astype(np.int64)
                counts = table.array("histogram")[rows.start : rows.stop].astype(np.int64)
            np.add.at(strengths[kind.name], of_row, deals * strength)
            np.add.at(histograms[kind.name], of_row, deals[:, None] * counts)
    river = "river-features"
    assert histograms[river].sum() == 2_598_960 * 1081
    for name, times in (("flop-features", 10), ("turn-features", 5)):
        assert np.array_equal(strengths[name], times * strengths[river])
        assert np.array_equal(histograms[name], times * histograms[river])
    for name, place in names.items():
        row = gpuodds.table("preflop-random").lookup(name)[0]
        combos = int((of_combo == place).sum())
        assert strengths[river][place] == combos * (2 * row["win"] + row["tie_1"])
