"""Small tables, built, in place of the real ones of the same names."""

from __future__ import annotations

from pathlib import Path

import pytest
from toy_tables import FEW, TOYS, Toy, make_known

from gpuodds.table_building.build import build


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the toys be found by name."""
    make_known(monkeypatch.setattr, *TOYS.values())


@pytest.fixture
def whole(tmp_path: Path, toy: None) -> Path:
    """A folder with the toy, complete."""
    folder = tmp_path / "whole"
    assert build(Toy(), folder, 2, backend="cpu")
    return folder


@pytest.fixture(scope="session")
def few_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the first boards of each street, against at most three opponents."""
    folder = tmp_path_factory.mktemp("few")
    with pytest.MonkeyPatch.context() as patch:
        make_known(patch.setattr, *FEW)
        for kind in FEW:
            opponents = min(kind.layout.max_opponents, 3)
            assert build(kind, folder / kind.name, opponents, backend="cpu")
    return folder


@pytest.fixture
def few(few_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same folder, with its tables known by name."""
    make_known(monkeypatch.setattr, *FEW)
    return few_folder
