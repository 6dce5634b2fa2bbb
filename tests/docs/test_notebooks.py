"""The notebooks of docs/notebooks/ run as scripts, and Jupytext reads and writes them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.py"))


@pytest.mark.weekly
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_notebook_runs_as_a_script(notebook: Path, tmp_path: Path) -> None:
    """The site's build runs them as notebooks; here without Jupyter and from another folder."""
    quiet = os.environ | {"MPLBACKEND": "Agg", "GPUODDS_BACKEND": "cpu", "PYTHONWARNINGS": "error"}
    subprocess.run([sys.executable, str(notebook)], cwd=tmp_path, env=quiet, check=True, timeout=300)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_jupytext_keeps_a_notebook(notebook: Path) -> None:
    """As an .ipynb and back, all cells are as they were; Jupytext adds its version to the header."""
    jupytext = pytest.importorskip("jupytext", reason="pip install 'gpuodds[docs]'")
    text = notebook.read_text("utf-8")
    read = jupytext.reads(text, fmt="py:percent")
    back = jupytext.writes(
        jupytext.reads(jupytext.writes(read, fmt="ipynb"), fmt="ipynb"), fmt="py:percent"
    )
    assert back.split("# ---\n")[2] == text.split("# ---\n")[2]
    assert {cell.cell_type for cell in read.cells} == {"code", "markdown"}
    assert read.cells[0].source.startswith("# ")
    assert read.metadata["kernelspec"]["name"] == "python3"
