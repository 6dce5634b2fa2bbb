"""The page's files as they are sent: its modules joined in one, compressed, named by what is in them.

The modules stay as they are written, without a build step. The server joins them once, when it starts:
each becomes a function that returns what the module exports, after those that it imports from.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

IMPORT = re.compile(r'^import \{ (.*?) \} from "\./([\w-]+)\.js";$', re.M)
EXPORT = re.compile(r"^export (?=(?:const|let|class|function\*?|async function\*?) ([\w$]+))", re.M)
BLOCK_COMMENT = re.compile(r"/\*\*.*?\*/ ?", re.S)
LINE_COMMENT = re.compile(r"^\s*//.*$|(?<=[;,{}()\[]) // [^\"'`\n]*$", re.M)
BLANK = re.compile(r"^\s+", re.M)
SHEETS = re.compile(r'(<link rel="stylesheet" href="[\w.]+">\n)+')
SHEET = re.compile(r'href="([\w.]+\.css)"')


class File(NamedTuple):
    """A file of the page, as it is sent.

    Attributes:
        content: Its bytes.
        compressed: The same by gzip; None where that is no shorter.
        tag: A name for this content, for ETag.
    """

    content: bytes
    compressed: bytes | None
    tag: str

    @classmethod
    def of(cls, content: bytes) -> File:
        """Return the file of some bytes."""
        compressed = gzip.compress(content, 9, mtime=0)
        shorter = compressed if len(compressed) < 0.9 * len(content) else None
        return cls(content, shorter, hashlib.sha256(content).hexdigest()[:16])


def join_modules(modules: Mapping[str, str], start: str) -> str:
    """Return a script that does what a module does, with all that it imports.

    Args:
        modules: The text of each module by its name, without the ending. They import and export by
            name, and not in a circle.
        start: The module to run.
    """
    order: dict[str, None] = {}  # as a browser runs modules; alike in each server

    def enter(name: str) -> None:
        if name not in order:
            for _, other in IMPORT.findall(modules[name]):
                enter(other)
            order[name] = None

    enter(start)
    constants = {name: f"m{number}" for number, name in enumerate(order)}
    return '"use strict";\n' + "".join(_as_function(name, modules[name], constants) for name in order)


def _as_function(name: str, text: str, constants: Mapping[str, str]) -> str:
    """Return a module as a constant, which holds what the module exports."""
    taken = [
        f"const {{ {names.replace(' as ', ': ')} }} = {constants[other]};\n"
        for names, other in IMPORT.findall(text)
    ]
    body = EXPORT.sub("", IMPORT.sub("", text)).replace("export {};\n", "")
    given = ", ".join(EXPORT.findall(text))
    joined = "".join(taken) + body
    return f"const {constants[name]} = (() => {{\n{joined}return {{ {given} }};\n}})();\n"


def without_comments(script: str) -> str:
    """Return a script without comments, indentation and blank lines.

    It has to be laid out as the page's modules are: comments begin a line or end it, and text in
    backquotes has no line breaks.
    """
    return BLANK.sub("", LINE_COMMENT.sub("", BLOCK_COMMENT.sub("", script)))


def page_files(folder: Path, facts: Mapping[str, Any]) -> dict[str, File]:
    """Return the files of the page by their names: those of a folder, scripts and sheets also joined.

    The joined ones are named by what is in them, so that a browser may keep them for good.

    Args:
        folder: The folder.
        facts: What the page need not ask for: it is in it as JSON.
    """
    texts = {
        path.name: path.read_text("utf-8")
        for path in folder.iterdir()
        if path.suffix in (".js", ".css")
    }
    modules = {name.removesuffix(".js"): text for name, text in texts.items() if name.endswith(".js")}
    found = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    page = found.pop("index.html").decode()
    script = without_comments(join_modules(modules, "app")).encode()
    sheets = "".join(texts[name] for name in SHEET.findall(page))
    sheet = re.sub(r"/\*.*?\*/\n?|^ +|(?<=[;{,])\s+|(?<=[\w)]:) | (?={)", "", sheets, flags=re.S | re.M)
    names = {}
    for kind, content in (("js", script), ("css", sheet.encode())):
        name = f"page-{hashlib.sha256(content).hexdigest()[:12]}.{kind}"
        names[kind], found[name] = name, content
    page = SHEETS.sub(f'<link rel="stylesheet" href="{names["css"]}">\n', page)
    page = page.replace('src="app.js"', f'src="{names["js"]}"')
    known = json.dumps(facts, separators=(",", ":")).replace("</", "<\\/")
    known = f'<script type="application/json" id="facts">{known}</script>\n</body>'
    found["index.html"] = page.replace("</body>", known).encode()
    return {name: File.of(content) for name, content in found.items()}
