"""The page's files: small modules, imported one way, joined in one file; how they are sent."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import gpuodds.server
from gpuodds.server.bundle import join_modules, page_files, without_comments

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


MODULES = {
    "app": 'import { one as own, run } from "./below-it.js";\n\n// a word\n'
    "out.push(own, run`a ${`b ${1}`}`);\n",
    "below-it": 'import { two } from "./least.js";\n/** A one. */\nexport const one = two / 2;\n'
    "export function run(parts) {\n  return parts.length; // how many\n}\n",
    "least": "export const two = 2;\nexport class Three {}\n",
    "other": "out.push(5);\n",
}


def test_modules_are_joined(tmp_path: Path) -> None:
    """A module runs after those that it imports from; names, and what is not imported, stay apart."""
    script = join_modules(MODULES, "app")
    assert script.index("two = 2") < script.index("one = two") < script.index("out.push(own")
    assert "out.push(5)" not in script and "export" not in script and "import " not in script
    bare = without_comments(script)
    assert "a word" not in bare and "how many" not in bare and "A one" not in bare
    assert "`a ${`b ${1}`}`" in bare  # what is within quotes is left alone


def test_the_page_names_its_joined_files() -> None:
    files = page_files(STATIC, {"version": "</script>"})
    assert b'{"version":"<\\/script>"}</script>' in files["index.html"].content
    page = files["index.html"].content.decode()
    names = re.findall(r'(?:href|src)="([\w.-]+)"', page)
    joined = [Path(name).suffix for name in names if name.startswith("page-")]
    assert set(names) <= set(files) and joined == [".css", ".js"]
    for name in names:
        content, compressed, _ = files[name]
        assert compressed is None or gzip.decompress(compressed) == content
    assert not re.search(rb"^(import|export) |/\*", files[names[-1]].content, re.M)


def test_each_server_joins_them_alike() -> None:
    """A browser may ask one server for the file that the page of another has named."""
    code = (
        "from pathlib import Path; from gpuodds.server.bundle import page_files;"
        "import gpuodds.server as server;"
        "print(sorted(page_files(Path(server.__file__).parent / 'static', {})))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


def test_files_are_compressed_and_kept(address: str) -> None:
    page = httpx.get(address)
    assert page.headers["content-encoding"] == "gzip" and page.headers["cache-control"] == "no-cache"
    tag = page.headers["etag"]
    again = httpx.get(address, headers={"If-None-Match": f'W/"x", {tag}'})
    assert again.status_code == 304 and again.content == b"" and again.headers["etag"] == tag
    plain = httpx.get(address, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.text == page.text
    (script,) = re.findall(r'src="(page-\w+\.js)"', page.text)
    joined = httpx.get(f"{address}/{script}")
    assert joined.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert joined.headers["content-type"].startswith("text/javascript")
    # The modules are there as well, for programs.
    assert "export class Client" in httpx.get(f"{address}/gpuodds.js").text


@pytest.mark.parametrize("name", ["page-000000000000.js", "..%2fapp.py", "nothing.js"])
def test_there_are_no_other_files(address: str, name: str) -> None:
    assert httpx.get(f"{address}/{name}").status_code == 404
