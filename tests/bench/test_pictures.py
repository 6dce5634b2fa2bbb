"""The pictures of the documentation: what ``bench/pictures.py`` draws, and that pages show it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from paths import ROOT

sys.path.append(str(ROOT))

pytest.importorskip("matplotlib")
from PIL import Image

from bench import pictures

pytestmark = pytest.mark.slow

PAGES = (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))


def test_the_plots_of_tables_are_drawn(tmp_path: Path) -> None:
    pictures.save_plots(tmp_path)
    for name in pictures.PLOTS:
        drawn, kept = (Image.open(folder / f"{name}.png") for folder in (tmp_path, pictures.PICTURES))
        assert kept.width <= 1280 and drawn.size == kept.size
        assert len(drawn.getcolors() or []) > 64  # not a blank one


def test_pictures_are_small_and_shown() -> None:
    kept = [*pictures.PICTURES.iterdir()]
    assert all(path.stat().st_size < 110_000 for path in kept)
    shown = {
        Path(name).name for page in PAGES for name in re.findall(r"pictures/[\w.-]+", page.read_text())
    }
    assert {path.name for path in kept} == shown
    assert {*(f"{name}.png" for name in pictures.PLOTS), "history.svg"} <= shown
