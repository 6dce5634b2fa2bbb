"""Tables of buckets: the nearest centre by brute force, resumed builds, what is refused."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toy_tables import FEW_BUCKETS, build_buckets, digest, make_known, next_street

import gpuodds
from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.errors import InputError, TableError
from gpuodds.games.shared.boards import canonical_boards
from gpuodds.games.shared.combos import combo_cards
from gpuodds.table_building import abstraction
from gpuodds.table_building.abstraction import bucket_kind
from gpuodds.table_building.build import build
from gpuodds.table_building.clustering import Wanted, find_centres
from gpuodds.table_building.counting import Job, count_piece
from gpuodds.table_building.kinds import measures
from gpuodds.table_building.kinds.buckets import Buckets
from gpuodds.table_building.kinds.measures import make_measure
from gpuodds.table_building.received import check_received
from gpuodds.table_building.verify import verify
from gpuodds.tables.buckets import find_bucket, find_preflop_bucket
from gpuodds.tables.files.manifest import Piece
from gpuodds.tables.files.origin import Origin
from gpuodds.tables.store import StoredTable

CPU = CpuBackend()
SEED = 7
STREETS = {3: "flop", 4: "turn", 5: "river"}


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
    make_known(monkeypatch.setattr, *FEW_BUCKETS)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("buckets")
    with pytest.MonkeyPatch.context() as patch:
        make_known(patch.setattr, *FEW_BUCKETS)
        for name, (size, wanted) in CASES.items():
            assert build_buckets(bucket_kind(size), wanted, folder / name)
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
    assert found.mean_distance > 0 and len(found.mean_distances) == found.buckets


@pytest.mark.parametrize("name", ["turn-emd", "river-ochs"])
@pytest.mark.parametrize("workers", [1, 3])
def test_the_same_bytes_for_a_seed(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, workers: int
) -> None:
    size, wanted = CASES[name]
    monkeypatch.setenv("GPUODDS_THREADS", "1" if workers == 1 else "2")
    build_buckets(bucket_kind(size), wanted, tmp_path / "a", workers=workers)
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
        build_buckets(bucket_kind(size), wanted, folder)
    begun = (folder / "manifest.json").exists()
    assert begun == (call > 1)
    found = count_searches(monkeypatch)
    assert build_buckets(bucket_kind(size), wanted, folder)
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
    build_buckets(bucket_kind(size), wanted, tmp_path / "a")
    shard = tmp_path / "a" / "00001.parquet"
    shard.write_bytes(shard.read_bytes()[:-1])
    with pytest.raises(TableError, match="shard 1 is damaged"):
        verify(tmp_path / "a", rows=0)
    assert build(bucket_kind(size), tmp_path / "a", 1)
    assert digest(tmp_path / "a") == digest(built / "turn-emd")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"buckets": 21}, "with buckets 20, expected buckets 21"),
        ({"seed": 8}, "with seed 7, expected seed 8"),
        ({"distance": "l2"}, "with distance emd, expected distance l2"),
        ({"sample": 3000}, "with sample 2000, expected sample 3000"),
    ],
)
def test_other_buckets_are_not_overwritten(built: Path, change: dict[str, Any], why: str) -> None:
    size, wanted = CASES["turn-emd"]
    before = digest(built / "turn-emd")
    with pytest.raises(TableError, match=why):
        build_buckets(bucket_kind(size), wanted._replace(**change), built / "turn-emd", backend="cpu")
    with pytest.raises(TableError, match="it holds turn-buckets, not river-buckets"):
        build_buckets(bucket_kind(5), wanted, built / "turn-emd")
    assert digest(built / "turn-emd") == before


def test_buckets_are_begun_by_another_command(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="gpuodds abstraction build --street turn"):
        build(bucket_kind(4), tmp_path / "a", 1)
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
        build_buckets(bucket_kind(size), wanted, tmp_path / "a")
    assert not (tmp_path / "a").exists()


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
    assert build_buckets(kind, wanted, folder)
    assert verify(folder, rows=3, finer=over)
    with pytest.raises(TableError, match="expected the folder of the next street"):
        verify(folder, rows=3)
    with pytest.raises(TableError, match=r"with over [0-9a-f]{64}, expected no over"):
        build_buckets(bucket_kind(4), wanted, folder)
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
    assert not build_buckets(bucket_kind(size), wanted, tmp_path, only=range(1))
    table = StoredTable(tmp_path, part=True)
    found = table.clustering
    assert found.buckets == 20
    with pytest.raises(TableError, match="the table is not complete"):
        found.shares  # noqa: B018
    with pytest.raises(TableError, match="1 of 3 shards are there"):
        find_bucket(table, (0, 1), (2, 3, 4, 5))


@pytest.mark.slow
def test_flops_over_every_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch.setattr, FEW_BUCKETS[0])
    turns, flops, wanted = tmp_path / "turns", tmp_path / "flops", Wanted("ochs", 30, 1, 20_000)
    assert build_buckets(bucket_kind(4), wanted, turns, workers=2)
    kind = bucket_kind(3, turns)
    assert build_buckets(kind, Wanted("emd", 8, 1, 1000), flops)
    assert verify(flops, rows=5, finer=turns)
    table = StoredTable(turns)
    rows = np.arange(0, len(table), 1009)
    hands, boards = gpuodds.canonical_cards(rows, 4)
    assert np.array_equal(table.take(hands, boards)["bucket"], table.array("bucket")[rows])
