"""The pictures of the documentation: what ``bench/pictures.py`` draws, and that pages show it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from paths import ROOT

sys.path.append(str(ROOT))

pytest.importorskip("matplotlib")
from PIL import Image

from bench import pictures

pytestmark = pytest.mark.slow

PAGES = (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))


def test_the_plots_are_those_of_the_tables(tmp_path: Path) -> None:
    pictures.save_plots(tmp_path)
    for name in pictures.PLOTS:
        drawn, kept = (Image.open(folder / f"{name}.png") for folder in (tmp_path, pictures.PICTURES))
        assert kept.width <= 1280 and drawn.size == kept.size
        if drawn.info["Software"] == kept.info["Software"]:  # another matplotlib draws other letters
            one, other = (np.asarray(image.convert("RGB"), float) for image in (drawn, kept))
            assert np.abs(one - other).mean() < 0.5, "run python bench/pictures.py --plots"


def test_pictures_are_small_and_plots_are_shown() -> None:
    assert all(path.stat().st_size < 110_000 for path in pictures.PICTURES.iterdir())
    assert (pictures.PICTURES / "heat-map.png").stat().st_size < 100_000
    shown = {
        Path(name).name for page in PAGES for name in re.findall(r"pictures/[\w.-]+", page.read_text())
    }
    assert {*(f"{name}.png" for name in pictures.PLOTS), "history.svg"} <= shown
