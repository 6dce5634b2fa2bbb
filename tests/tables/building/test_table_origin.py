"""The origin of shards: versions and a fingerprint of the sources that count."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from toy_tables import Toy

import gpuodds
from gpuodds.errors import TableError
from gpuodds.table_building.build import build
from gpuodds.tables.files import origin
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.files.manifest import read_manifest

pytestmark = pytest.mark.usefixtures("toy")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"engine": "0.0.1"}, r"begun by gpuodds 0\.0\.1 \("),
        ({"fingerprint": "0123"}, r"\(fingerprint 0123, pyarrow"),
        ({"pyarrow": "1.0"}, r"pyarrow 1\.0\), this is gpuodds"),
    ],
)
def test_other_programs_do_not_go_on(tmp_path: Path, changed: dict[str, str], message: str) -> None:
    folder = tmp_path / "old"
    build(Toy(), folder, 2, backend="cpu", only=range(2))
    manifest = read_manifest(folder)
    manifest.origin = replace(manifest.origin, **changed)
    (folder / MANIFEST).write_bytes(manifest.to_bytes())
    with pytest.raises(TableError, match=message):
        build(Toy(), folder, 2, backend="cpu")


def test_the_fingerprint_is_of_the_sources(tmp_path: Path) -> None:
    package = Path(gpuodds.__file__).parent
    copy = tmp_path / "gpuodds"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    if not (copy / "kernels").exists():
        shutil.copytree(package.parent / "kernels", copy / "kernels")

    def fingerprint() -> str:
        code = "from gpuodds.tables.files.origin import fingerprint; print(fingerprint())"
        run = [sys.executable, "-c", code]
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout

    ours = fingerprint()
    assert ours.strip() == origin.fingerprint()
    for name, same in [
        ("backends/cpu/tables/streets.py", False),
        ("kernels/known_hands/sums.cu", False),
        ("client/wire.py", True),
    ]:
        source = (copy / name).read_bytes()
        (copy / name).write_bytes(source + b"\n")
        assert (fingerprint() == ours) == same
        (copy / name).write_bytes(source)
