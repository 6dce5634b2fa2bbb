"""The wheel's contents, also when built from the sdist, and the modules that an import loads."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from paths import ROOT

# A repository's folder, where it is found in the installed package, and what is shipped of it.
SHIPPED = [
    (
        "gpuodds",
        "gpuodds",
        ("*.py", "py.typed", "games/*/data/*", "spots/ranges/data/*", "tables/shipped/data/*"),
    ),
    ("cli", "gpuodds/cli", ("*.py",)),
    ("gpuodds/server/static", "gpuodds/server/static", ("*.html", "*.js", "*.css", "*.svg", "plex-*")),
    ("kernels", "gpuodds/kernels", ("*.py", "*/*.cu", "*/*.cuh", "*/*/*.cu", "*/*/*.cuh")),
]
# What the sdist holds of the repository.
FOLDERS = (".ci", ".github", "bench", "cli", "docs", "gpuodds", "kernels", "tests")
FILES = (
    *("pyproject.toml", "MANIFEST.in", "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"),
    *("CITATION.cff", "SECURITY.md", "Dockerfile", ".dockerignore", "noxfile.py"),
)
MAX_BYTES = 3_800_000  # tables are most of it; the page, with its type, is 0.1 MB
# What a machine may lack, or takes long to import.
HEAVY = {"numba", "llvmlite", "cupy", "pyarrow", "scipy", "fastapi", "matplotlib"}


def build(kind: str, source: Path, out: Path) -> Path:
    """Build a wheel or an sdist with the build backend itself: no network, no pip."""
    out.mkdir(exist_ok=True)
    call = f"import setuptools.build_meta as b, sys; b.build_{kind}(sys.argv[1])"
    run = subprocess.run(
        [sys.executable, "-c", call, str(out)], cwd=source, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # A copy, because a build writes into the source folder.
    tree = tmp_path_factory.mktemp("copy") / "tree"
    tree.mkdir()
    names = shutil.ignore_patterns("*.egg-info", "__pycache__")
    for name in (*FOLDERS, *FILES):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=names, symlinks=True)
        else:
            shutil.copy2(ROOT / name, tree)
    return build("sdist", tree, tree.parent / "sdist")


@pytest.fixture(scope="module")
def wheel(sdist: Path) -> Path:
    """Build the wheel from the sdist, so that a file missing from either is missing here."""
    with tarfile.open(sdist) as archive:
        # Later Pythons want an explicit filter that refuses paths out of the folder; 3.11.3 has none.
        safely: Any = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(sdist.parent.parent, **safely)
    (tree,) = sdist.parent.parent.glob("gpuodds-*")
    return build("wheel", tree, tree.parent / "wheel")


def shipped_files() -> Iterator[str]:
    for folder, place, patterns in SHIPPED:
        for pattern in patterns:
            for path in (ROOT / folder).rglob(pattern):
                yield f"{place}/{path.relative_to(ROOT / folder).as_posix()}"


@pytest.mark.slow
def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    package = {name for name in names if name.startswith("gpuodds/")}
    assert package == set(shipped_files())
    for needed in (
        "gpuodds/py.typed",
        "gpuodds/cli/main.py",
        "gpuodds/games/shared/data/hand_ranks.npz",
        "gpuodds/kernels/shared/hand_rank.cuh",
    ):
        assert needed in package
    (metadata,) = {name.split("/")[0] for name in names - package}
    assert metadata.startswith("gpuodds-") and metadata.endswith(".dist-info")
    assert f"{metadata}/licenses/LICENSE" in names


def test_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < MAX_BYTES


def test_sdist_holds_the_repository(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file())
    found = {path.relative_to(ROOT).as_posix() for path in paths if "__pycache__" not in path.parts}
    # A link for mypy, which is run in a checkout.
    assert {name for name in found - names if not name.startswith(".ci/typing/")} == set()
    assert set(FILES) <= names


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import gpuodds", {*HEAVY, "numpy", "typer", "rich"}),
        ("from gpuodds.cli.main import main; main()", HEAVY),
    ],
    ids=["import", "help"],
)
def test_import_stays_light(statement: str, absent: set[str], tmp_path: Path) -> None:
    # The modules are listed at exit, after --help has ended the process.
    listing = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"
    run = subprocess.run(
        [sys.executable, "-c", f"{listing}; {statement}", "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert not absent & set(run.stderr.split())
