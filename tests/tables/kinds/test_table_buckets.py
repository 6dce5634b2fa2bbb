"""Tables of buckets: distances against SciPy's, the nearest centre by brute force, resumed builds."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import wasserstein_distance
from toy_tables import digest, make_known

import gpuodds
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError, TableError
from gpuodds.games.shared.boards import canonical_boards
from gpuodds.games.shared.combos import combo_cards
from gpuodds.table_building import abstraction, clustering
from gpuodds.table_building.abstraction import bucket_kind, build_abstraction
from gpuodds.table_building.build import build
from gpuodds.table_building.clustering import Wanted, find_centres
from gpuodds.table_building.counting import Job, count_piece
from gpuodds.table_building.kinds import measures
from gpuodds.table_building.kinds.buckets import Buckets
from gpuodds.table_building.kinds.measures import Measure, Measured, make_measure
from gpuodds.table_building.kinds.recount import rank_every_deal
from gpuodds.table_building.received import check_received
from gpuodds.table_building.verify import verify
from gpuodds.tables.buckets import find_bucket, find_preflop_bucket
from gpuodds.tables.files.manifest import Piece
from gpuodds.tables.files.origin import Origin, this_origin
from gpuodds.tables.layouts.streets import FlopBucketsLayout, RiverBucketsLayout, TurnBucketsLayout
from gpuodds.tables.store import StoredTable

CPU = CpuBackend()
SEED = 7
STREETS = {3: "flop", 4: "turn", 5: "river"}


class FewFlopsLayout(FlopBucketsLayout):
    boards_per_shard = 1

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:2]


class FewTurnsLayout(TurnBucketsLayout):
    boards_per_shard = 5

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:3]


class FewRiversLayout(RiverBucketsLayout):
    boards_per_shard = 20

    def shards(self, opponents: int) -> list[range]:
        return super().shards(opponents)[:2]


KINDS = Buckets(FewFlopsLayout()), Buckets(FewTurnsLayout()), Buckets(FewRiversLayout())
CASES = {  # cards on the board, and the buckets
    "flop-emd": (3, Wanted("emd", 12, SEED, 1000)),
    "turn-emd": (4, Wanted("emd", 20, SEED, 2000)),
    "turn-l2": (4, Wanted("l2", 10, SEED, 1000)),
    "turn-ochs": (4, Wanted("ochs", 10, SEED, 1000)),
    "river-ochs": (5, Wanted("ochs", 15, SEED, 2000)),
    "river-emd": (5, Wanted("emd", 9, SEED, 2000)),
}


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch.setattr, *KINDS)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("buckets")
    with pytest.MonkeyPatch.context() as patch:
        make_known(patch.setattr, *KINDS)
        for name, (size, wanted) in CASES.items():
            assert build_abstraction(bucket_kind(size), wanted, folder / name, backend="cpu")
    return folder


@pytest.mark.parametrize("name", CASES)
def test_hands_are_in_the_nearest_bucket_by_every_deal(built: Path, name: str) -> None:
    held = verify(built / name, rows=2 if name.startswith("flop") else 5, seed=3)
    assert any("counted again by another method" in line for line in held)
    _, wanted = CASES[name]
    assert f"hands, pots and distances of {wanted.buckets} buckets" in held


@pytest.mark.parametrize("name", CASES)
def test_what_falls_to_each_bucket(built: Path, name: str) -> None:
    table = StoredTable(built / name)
    found = table.clustering
    assert found.sums is not None
    rows = table.take_rows(range(len(table)), ["bucket", "deals"])
    deals = np.bincount(rows["bucket"], rows["deals"], found.buckets)
    assert np.array_equal(deals, found.sums.deals)
    assert found.shares.sum() == pytest.approx(1)
    assert np.nansum(found.shares * np.nan_to_num(found.equities)) == pytest.approx(0.5)
    assert found.inertia > 0 and len(found.mean_distances()) == found.buckets


@pytest.mark.parametrize(("size", "text"), [(3, "2c7d9h"), (4, "2c7d9hTs")])
def test_emd_is_that_of_scipy(size: int, text: str) -> None:
    """Between all pairs of some hands, with histograms that are counted deal by deal."""
    measure, board = make_measure("emd", size), parse_cards(text)
    hands = [parse_cards(hand) for hand in ("AsKs", "9c9d", "3s4h", "JcTc")[: 7 - size]]
    numbers = [combo_cards().tolist().index(sorted(hand)) for hand in hands]
    points = measure.measure(np.array([board], np.uint8), CPU).points[0, numbers].astype(np.int64)
    histograms = [rank_every_deal(hand, board)[3] for hand in hands]
    middles = (np.arange(50) + 0.5) / 50
    for i in range(len(hands)):
        assert points[i].tolist() == measure.recount(hands[i], board)
        for j in range(i):
            expected = wasserstein_distance(middles, middles, histograms[i], histograms[j])
            assert np.abs(points[i] - points[j]).sum() / measure.scale == pytest.approx(expected)


def test_squares_stay_below_31_bits() -> None:
    for size in (3, 4, 5):
        for distance in ("l2", "ochs"):
            measure = make_measure(distance, size)
            apart = 2 if distance == "l2" and size < 5 else measure.dimensions
            assert apart * measure.scale**2 < 2**31 - 1
    for size in (3, 4, 5):
        measure = make_measure("emd", size)
        assert measure.scale < 2**31 - 1


@pytest.mark.parametrize("name", ["turn-emd", "river-ochs"])
@pytest.mark.parametrize("workers", [1, 3])
def test_the_same_bytes_for_a_seed(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, workers: int
) -> None:
    size, wanted = CASES[name]
    monkeypatch.setenv("GPUODDS_THREADS", "1" if workers == 1 else "2")
    build_abstraction(bucket_kind(size), wanted, tmp_path / "a", backend="cpu", workers=workers)
    assert digest(tmp_path / "a") == digest(built / name)


def test_another_seed_gives_other_buckets(built: Path) -> None:
    size, wanted = CASES["turn-emd"]
    found = StoredTable(built / "turn-emd").clustering
    other = find_centres(make_measure("emd", size), size, wanted._replace(seed=SEED + 1), CPU)
    assert not np.array_equal(found.centres, other.centres)


class Interrupted(Exception):
    pass


@pytest.mark.parametrize("call", [1, 2, 3, 4, 6, 8])
def test_a_build_goes_on_where_it_stopped(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int
) -> None:
    from gpuodds.machine import files

    size, wanted = CASES["turn-emd"]
    calls, folder, real = [0], tmp_path / "a", files.put_in_place

    def stop(*arguments: Any) -> None:
        calls[0] += 1
        if calls[0] == call:
            raise Interrupted
        real(*arguments)

    monkeypatch.setattr("gpuodds.tables.files.folder.put_in_place", stop)
    with pytest.raises(Interrupted):
        build_abstraction(bucket_kind(size), wanted, folder, backend="cpu")
    begun = (folder / "manifest.json").exists()
    assert begun == (call > 1)
    found = count_searches(monkeypatch)
    assert build_abstraction(bucket_kind(size), wanted, folder, backend="cpu")
    assert found[0] == (not begun)  # centres are found once
    assert digest(folder) == digest(built / "turn-emd")


def count_searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how often centres are looked for from now on, as the number of a list."""
    calls = [0]

    def count(*arguments: Any) -> Any:
        calls[0] += 1
        return find_centres(*arguments)

    monkeypatch.setattr(abstraction, "find_centres", count)
    return calls


def test_a_table_build_mends_buckets(built: Path, tmp_path: Path) -> None:
    """Without the parameters: the manifest has them."""
    size, wanted = CASES["turn-emd"]
    build_abstraction(bucket_kind(size), wanted, tmp_path / "a", backend="cpu")
    shard = tmp_path / "a" / "00001.parquet"
    shard.write_bytes(shard.read_bytes()[:-1])
    with pytest.raises(TableError, match="shard 1 is damaged"):
        verify(tmp_path / "a", rows=0)
    assert build(bucket_kind(size), tmp_path / "a", 1, backend="cpu")
    assert digest(tmp_path / "a") == digest(built / "turn-emd")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"buckets": 21}, "with buckets 20 and not buckets 21"),
        ({"seed": 8}, "with seed 7 and not seed 8"),
        ({"distance": "l2"}, "with distance emd and not distance l2"),
        ({"sample": 3000}, "with sample 2000 and not sample 3000"),
    ],
)
def test_other_buckets_are_not_overwritten(built: Path, change: dict[str, Any], why: str) -> None:
    size, wanted = CASES["turn-emd"]
    before = digest(built / "turn-emd")
    with pytest.raises(TableError, match=why):
        build_abstraction(
            bucket_kind(size), wanted._replace(**change), built / "turn-emd", backend="cpu"
        )
    with pytest.raises(TableError, match="it holds turn-buckets, not river-buckets"):
        build_abstraction(bucket_kind(5), wanted, built / "turn-emd", backend="cpu")
    assert digest(built / "turn-emd") == before


def test_buckets_are_begun_by_another_command(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="gpuodds abstraction build --street turn"):
        build(bucket_kind(4), tmp_path / "a", 1, backend="cpu")
    assert not (tmp_path / "a" / "manifest.json").exists()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"distance": "cosine"}, "distance cosine"),
        ({"buckets": 19}, "expected 19 centres"),
        ({"buckets": True}, "buckets True"),
        ({"dimensions": 48}, "centre 0"),
        ({"centres": ["?"] * 20}, "centre 0"),
        ({"centres": None}, "expected 20 centres"),
        ({"deals": [1] * 19}, "deals"),
        ({"distances": [-1] * 20}, "distances"),
        ({"half_pots": None}, "half_pots"),
        ({"over": "x"}, "over x"),
        ({"scale": 0}, "scale 0"),
        ({"seed": -1}, "seed -1"),
    ],
    ids=str,
)
def test_a_damaged_clustering(built: Path, tmp_path: Path, change: dict[str, Any], fault: str) -> None:
    content = json.loads((built / "turn-emd" / "manifest.json").read_bytes())
    content["clustering"] |= change
    (tmp_path / "manifest.json").write_text(json.dumps(content))
    with pytest.raises(TableError, match=re.escape(f"damaged: clustering: {fault}")):
        StoredTable(tmp_path)


def test_a_table_without_its_clustering(built: Path, tmp_path: Path) -> None:
    content = json.loads((built / "turn-emd" / "manifest.json").read_bytes())
    del content["clustering"]
    (tmp_path / "manifest.json").write_text(json.dumps(content))
    with pytest.raises(TableError, match="damaged: clustering"):
        StoredTable(tmp_path)


def test_sums_that_are_not_those_of_the_shards(built: Path, tmp_path: Path) -> None:
    table = StoredTable(built / "river-emd")
    found = table.clustering
    assert found.sums is not None
    kind = bucket_kind(5).of(table.manifest)
    shards = [table.read_shard(number) for number in range(2)]
    with pytest.raises(TableError, match="shard 1: what falls to each bucket is wrong"):
        kind.complete(table.manifest, [shards[0], shards[1].replace_schema_metadata(None)])
    wrong = shards[1].schema.metadata | {b"gpuodds.sums": b"[[1, 2]]"}
    with pytest.raises(TableError, match="shard 1: what falls to each bucket is wrong"):
        kind.complete(table.manifest, [shards[0], shards[1].replace_schema_metadata(wrong)])


@pytest.mark.parametrize(
    ("wanted", "size", "why"),
    [
        (Wanted("emd", 0), 3, "buckets 0: expected 1 to 20,408"),
        (Wanted("ochs", 65_537), 5, "buckets 65,537: expected 1 to 65,536"),
        (Wanted("emd", 3000, 0, 2000), 5, "buckets 3000: expected at most .* so many different hands"),
    ],
)
def test_buckets_that_cannot_be_had(tmp_path: Path, wanted: Wanted, size: int, why: str) -> None:
    with pytest.raises(InputError, match=why):
        build_abstraction(bucket_kind(size), wanted, tmp_path / "a", backend="cpu")
    assert not (tmp_path / "a").exists()


class Line(Measure):
    """Points on a line or in a plane, in place of hands."""

    scale = 1

    def __init__(self, coordinates: Callable[[Any], Any]) -> None:
        self.dimensions = coordinates(np.zeros(1, np.int64)).shape[-1]
        self._coordinates = coordinates

    def measure(self, boards: Any, backend: Any) -> Measured:
        numbers = np.arange(len(boards) * 1326).reshape(-1, 1326)
        return Measured(self._coordinates(numbers).astype(np.int32), numbers)

    def recount(self, hand: Any, board: Any) -> list[int]:
        raise NotImplementedError

    def seconds_per_board(self) -> float:
        return 0.0


@pytest.mark.parametrize("distance", ["emd", "l2"])
def test_clusters_far_apart_are_found(distance: str) -> None:
    def coordinates(numbers: Any) -> Any:
        return np.stack([numbers % 5 * 1000 + numbers % 3, numbers % 5 * 100], axis=-1)

    found = find_centres(Line(coordinates), 4, Wanted(distance, 5, 3, 500), CPU)
    centres = sorted(found.centres.tolist())
    assert [y for _, y in centres] == [0, 100, 200, 300, 400]
    assert [round(x / 1000) for x, _ in centres] == [0, 1, 2, 3, 4]


def test_centres_are_means_that_no_move_makes_better() -> None:
    measure = make_measure("ochs", 5)
    wanted = Wanted("ochs", 12, 1, 1000)
    found = find_centres(measure, 5, wanted, CPU)
    assert found.iterations < clustering.MAX_ITERATIONS
    words = clustering.random_words(1)
    sample = clustering.draw_sample(measure, 5, 1000, words, CPU, lambda done: None)
    off = sample.points[:, None].astype(np.int64) - found.centres
    nearest = (off**2).sum(axis=2).argmin(axis=1)
    for number, centre in enumerate(found.centres):
        own = nearest == number
        mean = np.average(sample.points[own], axis=0, weights=sample.weights[own])
        assert np.abs(mean - centre).max() <= 0.5 + 1e-9


def test_a_sample_has_hands_that_can_be_dealt() -> None:
    for size in (3, 5):
        numbers: list[Any] = []

        class Cards(Line):
            def measure(self, boards: Any, backend: Any, numbers: list[Any] = numbers) -> Measured:
                taken = (combo_cards()[None, :, :, None] == boards[:, None, None, :]).any(axis=(2, 3))
                points = np.where(taken, -1, np.arange(1326)).astype(np.int32)[..., None]
                return Measured(points, points[..., 0].astype(np.int64))

        measure = Cards(lambda numbers: numbers[..., None])
        sample = clustering.draw_sample(
            measure, size, 3000, clustering.random_words(0), CPU, lambda done: None
        )
        assert len(sample.points) >= 3000 and (sample.points >= 0).all()
        boards = -(-3000 // clustering.HANDS_PER_BOARD[size])
        each = len(sample.points) // boards
        by_board = sample.points.reshape(boards, each)
        assert all(len(set(row.tolist())) == each for row in by_board)
        assert set(sample.weights.tolist()) <= set(canonical_boards(size)[1].tolist())


def test_a_sample_of_everything() -> None:
    class Few(Line):
        pass

    sample = clustering.draw_sample(
        Few(lambda numbers: numbers[..., None]),
        3,
        1755 * 1326,
        clustering.random_words(0),
        CPU,
        lambda done: None,
    )
    assert len(sample.points) == 1755 * 1176 and sample.weights.sum() == 22100 * 1176


def test_workers_elsewhere_count_the_same(built: Path) -> None:
    table = StoredTable(built / "river-ochs")
    kind = bucket_kind(5).of(table.manifest)
    assert isinstance(kind, Buckets)
    kind.measure  # noqa: B018 - open, so that it must be left out
    sent = pickle.loads(pickle.dumps(kind))
    job = Job(sent, 1, "cpu")
    data = count_piece(job, Piece(1))
    assert data == (built / "river-ochs" / "00001.parquet").read_bytes()
    assert check_received(job, Piece(1), data) is data
    few = kind.of(table.manifest)
    assert isinstance(few, Buckets) and few.clustering is not None
    fewer = replace(few.clustering, centres=few.clustering.centres[:3], sums=None)
    with pytest.raises(TableError, match="column bucket: expected 0 to 2"):
        check_received(Job(Buckets(few.layout, fewer), 1, "cpu"), Piece(1), data)


def next_street(monkeypatch: pytest.MonkeyPatch, folder: Path, size: int, buckets: int) -> Any:
    """Put a table of the next street's buckets in place of a real one: row number modulo buckets."""
    layout = {4: TurnBucketsLayout, 5: RiverBucketsLayout}[size + 1]()
    order = np.random.default_rng(1).permutation(buckets)
    equities = (order + 0.5) / buckets
    numbers = (np.arange(layout.row_count(1)) % buckets).astype(np.uint16)
    (folder / "manifest.json").write_text("{}")
    table = SimpleNamespace(
        name=layout.name,
        layout=layout,
        manifest=SimpleNamespace(clustering=SimpleNamespace(equities=equities), origin=this_origin()),
        array=lambda column: numbers,
        rows=lambda rows: [{"bucket": int(numbers[row])} for row in rows],
    )
    monkeypatch.setattr(measures, "StoredTable", lambda folder: table)
    return equities, numbers


@pytest.mark.parametrize(("size", "text"), [(3, "2c7d9h"), (4, "2c7d9hTs")])
def test_over_the_next_streets_buckets_emd_is_that_of_scipy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, text: str
) -> None:
    equities, numbers = next_street(monkeypatch, tmp_path, size, 6)
    measure, board = make_measure("emd", size, tmp_path), parse_cards(text)
    hands = [parse_cards(hand) for hand in ("AsKs", "9c9d", "3s4h", "JcTc")]
    places = [combo_cards().tolist().index(sorted(hand)) for hand in hands]
    points = measure.measure(np.array([board], np.uint8), CPU).points[0, places].astype(np.int64)
    lines = []
    for hand, point in zip(hands, points, strict=True):
        assert measure.recount(hand, board) == point.tolist()
        later = [card for card in range(52) if card not in (*hand, *board)]
        rows = gpuodds.canonical_rows([hand] * len(later), [[*board, card] for card in later])
        lines.append(np.bincount(numbers[rows], minlength=6))
    for i in range(len(hands)):
        for j in range(i):
            expected = wasserstein_distance(equities, equities, lines[i], lines[j])
            found = np.abs(points[i] - points[j]).sum() / measure.scale
            assert found == pytest.approx(expected, abs=1e-5)


def test_over_buckets_of_which_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    next_street(monkeypatch, tmp_path, 3, 1)
    measure = make_measure("emd", 3, tmp_path)
    board = parse_cards("2c7d9h")
    assert not measure.measure(np.array([board], np.uint8), CPU).points.any()
    assert measure.recount(parse_cards("AsKs"), board) == [0]


def test_over_others_is_refused(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TableError, match="it holds river-buckets, expected turn-buckets"):
        make_measure("emd", 3, built / "river-emd")
    with pytest.raises(InputError, match="there is no next street"):
        make_measure("emd", 5, built / "river-emd")
    with pytest.raises(InputError, match="distance l2: expected emd"):
        make_measure("l2", 3, built / "turn-emd")
    other = Origin("0.0.1", "0" * 16, "1")
    monkeypatch.setattr(measures, "this_origin", lambda: other)
    with pytest.raises(TableError, match=r"built by gpuodds .*, this is gpuodds 0\.0\.1"):
        make_measure("emd", 3, built / "turn-emd")


def test_the_next_streets_buckets_must_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is begun, verified and gone on with over the same buckets."""
    over, folder = tmp_path / "over", tmp_path / "a"
    over.mkdir()
    next_street(monkeypatch, over, 4, 5)
    kind = bucket_kind(4, over)
    wanted = Wanted("emd", 6, 1, 500)
    assert build_abstraction(kind, wanted, folder, backend="cpu")
    assert verify(folder, rows=3, finer=over)
    with pytest.raises(TableError, match="expected the folder of the next street"):
        verify(folder, rows=3)
    with pytest.raises(TableError, match=r"with over [0-9a-f]{64} and not no over"):
        build_abstraction(bucket_kind(4), wanted, folder, backend="cpu")
    (over / "manifest.json").write_text("{ }")
    with pytest.raises(TableError, match="other buckets than those that turn-buckets was begun with"):
        verify(folder, rows=3, finer=over)


def test_a_bucket_and_its_neighbours(built: Path) -> None:
    table = gpuodds.table(built / "turn-emd")
    assert isinstance(table, StoredTable)
    found = table.clustering
    board = tuple(canonical_boards(4)[0][3].tolist())
    hand = next((a, b) for a, b in combo_cards().tolist() if not {a, b} & {*board})
    bucket = find_bucket(table, hand, board)
    taken = table.take(np.array([hand]), np.array([board]), ["bucket"])["bucket"]
    assert bucket.number == taken[0] and hand in bucket.combos and bucket.buckets == 20
    for combo in bucket.combos:
        assert table.lookup(combo, board=board)[0]["bucket"] == bucket.number
    assert bucket.share == found.shares[bucket.number]
    off = np.abs(found.centres.astype(np.int64) - found.centres[bucket.number]).sum(axis=1)
    off[bucket.number] = off.max() + 1
    assert [each.bucket for each in bucket.neighbours] == np.argsort(off, kind="stable")[:5].tolist()
    distances = [each.distance for each in bucket.neighbours]
    assert distances == sorted(distances) and distances[0] == off.min() / found.scale
    with pytest.raises(InputError, match="bucket 20: expected 0 to 19"):
        found.neighbours(20)


def test_before_the_flop_no_hand_is_lost() -> None:
    from gpuodds.games.holdem.starting_hands import starting_hands

    buckets = [find_preflop_bucket(name) for name in starting_hands()]
    assert sorted(bucket.number for bucket in buckets) == list(range(169))
    combos = [combo for bucket in buckets for combo in bucket.combos]
    assert len(combos) == len(set(combos)) == 1326
    rows = gpuodds.canonical_rows(np.array(combos), np.zeros((1326, 0), np.uint8))
    numbers = np.repeat([b.number for b in buckets], [len(b.combos) for b in buckets])
    assert np.array_equal(rows, numbers)


def test_a_half_built_table_has_no_sums(tmp_path: Path) -> None:
    size, wanted = CASES["turn-emd"]
    assert not build_abstraction(bucket_kind(size), wanted, tmp_path, backend="cpu", only=range(1))
    table = StoredTable(tmp_path, part=True)
    found = table.clustering
    assert found.buckets == 20
    with pytest.raises(TableError, match="the table is not complete"):
        found.shares  # noqa: B018
    with pytest.raises(TableError, match="1 of 3 shards are there"):
        find_bucket(table, (0, 1), (2, 3, 4, 5))


@pytest.mark.slow
def test_flops_over_every_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch.setattr, KINDS[0])
    turns, flops, wanted = tmp_path / "turns", tmp_path / "flops", Wanted("ochs", 30, 1, 20_000)
    assert build_abstraction(bucket_kind(4), wanted, turns, backend="cpu", workers=2)
    kind = bucket_kind(3, turns)
    assert build_abstraction(kind, Wanted("emd", 8, 1, 1000), flops, backend="cpu")
    assert verify(flops, rows=5, finer=turns)
    table = StoredTable(turns)
    rows = np.arange(0, len(table), 1009)
    hands, boards = gpuodds.canonical_cards(rows, 4)
    assert np.array_equal(table.take(hands, boards)["bucket"], table.array("bucket")[rows])
