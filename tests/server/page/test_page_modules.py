"""The page's modules: small, and imported one way."""

from __future__ import annotations

import re
from pathlib import Path

import gpuodds.server

STATIC = Path(gpuodds.server.__file__).parent / "static"
IMPORTS = re.compile(r'^import .*?from "\./([\w-]+\.js)";', re.M)


def test_imports_point_one_way() -> None:
    imports = {path.name: IMPORTS.findall(path.read_text("utf-8")) for path in STATIC.glob("*.js")}
    assert len(imports) > 20 and all(name in imports for names in imports.values() for name in names)
    while leaves := [name for name, below in imports.items() if not below]:
        for leaf in leaves:
            del imports[leaf]
        imports = {name: [one for one in below if one in imports] for name, below in imports.items()}
    assert imports == {}  # what is left imports in a circle


def test_modules_are_small() -> None:
    for path in STATIC.iterdir():
        if path.suffix in (".js", ".css", ".html"):
            assert len(path.read_text("utf-8").splitlines()) <= 400, path.name
