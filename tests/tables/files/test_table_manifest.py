"""Manifests: every entry is checked against the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gpuodds.errors import TableError
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.store import StoredTable

ARRAY = {"file": "strength.u16", "column": "strength", "dtype": "<u2", "rows": 800}


def test_every_byte_of_the_manifest_counts(whole: Path) -> None:
    data = (whole / MANIFEST).read_bytes()
    for place in range(len(data)):
        copy = bytearray(data)
        copy[place] ^= 1 << place % 8
        (whole / MANIFEST).write_bytes(bytes(copy))
        with pytest.raises(TableError):
            StoredTable(whole)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "gpuodds.table/3"}, r"expected schema gpuodds.table/2, found gpuodds.table/3"),
        (
            {"schema": "gpuodds.table/1"},
            "of schema gpuodds.table/1, before gpuodds.table/2: build it again: "
            "gpuodds table build toy --opponents 2 --out NEW_FOLDER",
        ),
        ({"table": "riddle"}, "table riddle: expected one of preflop-random"),
        ({"opponents": 4}, "damaged: opponents 4"),
        ({"opponents": True}, "damaged: opponents True"),
        ({"state": "fine"}, "state is missing"),
        ({"fingerprint": None}, "engine, fingerprint or pyarrow is missing"),
        ({"arrays": None}, "no list of arrays"),
        ({"arrays": [7]}, "damaged: array 7"),
        ({"arrays": [{"column": "strength", "dtype": ["<u2"]}]}, "damaged: array"),
        (
            {"arrays": [{"column": "strength", "dtype": "<u2", "file": "../x"}]},
            "another file or number",
        ),
        ({"arrays": [ARRAY | {"dtype": "<u4", "file": "strength.u32"}]}, "damaged: array"),
        ({"arrays": [ARRAY | {"column": "row", "file": "row.u16"}]}, "damaged: array"),
        ({"arrays": [ARRAY | {"sha256": ["0" * 64]}, ARRAY]}, "damaged: array"),
        ({"arrays": [ARRAY | {"sha256": []}]}, "damaged: array strength: expected 1 checksums"),
        ({"arrays": []}, "it is not as it was written"),
        ({"shards": None}, "no list of shards"),
        ({"shards": []}, "complete, but 8 shards short"),
        ({"shards": [7]}, "damaged: shard 7"),
        ({"shards": [{"first": 5}]}, "damaged: shard"),
        ({"shards": [{"first": 0, "file": "../../x", "rows": 100}]}, "another file or number of rows"),
        ({"rows": 900}, "it is not as it was written"),
        ({"extra": 1}, "it is not as it was written"),
    ],
)
def test_wrong_entries_are_refused(whole: Path, change: dict[str, Any], message: str) -> None:
    content = json.loads((whole / MANIFEST).read_text()) | change
    (whole / MANIFEST).write_text(json.dumps(content, indent=1) + "\n")
    with pytest.raises(TableError, match=message):
        StoredTable(whole)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 100_000, "\xff", '{"schema": 5}'])
def test_files_that_are_no_manifest_are_refused(whole: Path, text: str) -> None:
    (whole / MANIFEST).write_text(text, "latin-1")
    with pytest.raises(TableError):
        StoredTable(whole)
