"""Make every picture of docs/pictures/ anew: ``python bench/pictures.py``.

It draws the plots of tables and the history of the benchmarks, and takes the pictures of the page with
Chromium; ``--plots`` leaves those of the page out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image, PngImagePlugin

# Behind the installed packages, as in run.py.
sys.path.append(str(Path(__file__).resolve().parent.parent))

import gpuodds
from bench import history
from gpuodds.plotting import new_picture
from gpuodds.tables.plot import draw

ROOT = history.ROOT
PICTURES = ROOT / "docs" / "pictures"
PAGE_TESTS = ("-m", "slow and not weekly", "tests/server/page/test_page_looks.py", "-k", "pictures")
PLOTS: dict[str, tuple[str, ...]] = {
    "heat-map": (),
    "opponents": ("AA", "AKs", "JTs", "22", "72o"),
}
"""The hands of a plot of ``preflop-random``, by the name of the picture."""
DPI, COLORS = 100, 160  # small enough for a README


def save_plots(folder: Path) -> None:
    """Draw ``PLOTS`` as PNG files in a folder."""
    for name, hands in PLOTS.items():
        out = folder / f"{name}.png"
        figure = new_picture(out)
        draw(figure, gpuodds.table("preflop-random"), hands, (), "")
        drawn = BytesIO()
        figure.savefig(drawn, dpi=DPI, format="png")
        picture = Image.open(drawn)
        by = PngImagePlugin.PngInfo()
        by.add_text("Software", picture.info["Software"])
        picture.convert("RGB").quantize(COLORS, kmeans=1).save(out, optimize=True, pnginfo=by)


def main() -> None:
    """Write the pictures; say where each is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--plots", action="store_true", help="without the pictures of the page")
    options = parser.parse_args()
    save_plots(PICTURES)
    history.draw(history.read_records(history.RECORDS), history.PICTURE)
    if not options.plots:
        environment = os.environ | {"GPUODDS_PICTURES": str(PICTURES)}
        command = [sys.executable, "-m", "pytest", "-q", *PAGE_TESTS]
        subprocess.run(command, cwd=ROOT, check=True, env=environment)
    for path in sorted(PICTURES.iterdir()):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
