"""Files of hand histories, cut into the texts of single hands, a block at a time."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from gpuodds.histories.hand import Skipped
from gpuodds.histories.reading import pacific, stars, winamax

BLOCK = 1 << 20
MAX_PIECE = 1 << 20  # characters of a hand; a real one has a few thousand

_OTHER_SITES = (
    r"(?:[\w.' ]{2,40}? (?:Hand|Game) #|\*{5} Hand History [Ff]or Game|Game started at:|Stage #"
    r"|<session|<game )"
)
_KINDS = {
    "stars": stars.HEADER,
    "winamax": winamax.HEADER,
    "pacific": pacific.HEADER,
    "other": _OTHER_SITES,
}
_HEADERS = re.compile(
    r"^[ \t\ufeff]*(?:" + "|".join(f"(?P<{kind}>{header})" for kind, header in _KINDS.items()) + ")",
    re.MULTILINE,
)
_SECTION = re.compile(r"^\[(?P<phh>\d+)\][ \t]*$", re.MULTILINE)
_FIELD = re.compile(r"^[^#\[\s]", re.MULTILINE)
_TOML = re.compile(r"\s*(?:#[^\n]*\s+)*(?:\[\d+\]|[A-Za-z_]\w* *= *[^ ])")
_SURROGATES = re.compile("[\udc80-\udcff]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one hand, of a kind, and where it is from."""

    kind: str
    text: str
    file: str
    line: int
    end: int  # of the file that is read by then, in bytes


def cut(file: IO[bytes], name: str) -> Iterator[Piece | Skipped]:
    """Yield the hands of a file, as texts, and what is none.

    Args:
        file: An open file.
        name: Its name, for messages and for its ending: ``.phh`` and ``.phhs`` are TOML.
    """
    block = file.read(BLOCK)
    if not block:
        yield Skipped(name, 0, "the file is empty")
        return
    encoding = _find_encoding(block)
    if encoding is None:
        found = "a zip archive: extract it first" if block[:2] == b"PK" else "a binary file"
        yield Skipped(name, 0, found)
        return
    decoder = codecs.getincrementaldecoder(encoding)(
        errors="surrogateescape" if encoding == "utf-8" else "replace"
    )
    cutter: _Cutter | None = None
    while True:
        text = _clean(decoder.decode(block, final=not block))
        if cutter is None:
            text = text.removeprefix("\ufeff")
            toml = name.endswith((".phh", ".phhs")) or _TOML.match(text) is not None
            cutter = _Cutter(name, _SECTION if toml else _HEADERS, toml)
        yield from cutter.feed(text, file.tell() if file.seekable() else 0, last=not block)
        if not block:
            return
        block = file.read(BLOCK)


def _find_encoding(block: bytes) -> str | None:
    """Return how the file is encoded, None if it is no text."""
    if block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" not in block[:4096]:
        return "utf-8"
    even, odd = block[:4096:2].count(0), block[1:4096:2].count(0)
    total = len(block[:4096]) // 2
    if odd > 0.7 * total and even < 0.1 * total:
        return "utf-16-le"
    return "utf-16-be" if even > 0.7 * total and odd < 0.1 * total else None


def _clean(text: str) -> str:
    """Return the text with bytes that are no UTF-8 read as Windows-1252."""
    if _SURROGATES.search(text) is None:
        return text
    return _SURROGATES.sub(
        lambda found: found.group().encode("utf-8", "surrogateescape").decode("cp1252", "replace"), text
    )


class _Cutter:
    """What is left of the text that came, up to the next hand."""

    def __init__(self, name: str, header: re.Pattern[str], toml: bool) -> None:
        self.name, self.header, self.toml = name, header, toml
        self.rest = ""
        self.line = 1
        self.begun: str | None = "phh" if toml else None  # the kind of the hand in the rest
        self.too_long = False

    def feed(self, text: str, end: int, *, last: bool) -> Iterator[Piece | Skipped]:
        """Yield the hands that are complete."""
        text = self.rest + text
        held = "" if last or not text.endswith("\r") else "\r"
        text = text[: len(text) - len(held)].replace("\r\n", "\n").replace("\r", "\n")
        at = 0
        whole = len(text) if last else text.rfind("\n") + 1  # a header may be cut in two
        for found in self.header.finditer(text, 0, whole):
            if found.start() > at or self.begun is None or at > 0:
                yield from self._piece(text[at : found.start()], end)
            self.begun, at = found.lastgroup, found.start()
            self.too_long = False
        if last:
            yield from self._piece(text[at:], end)
            return
        self.rest = text[at:] + held
        if len(self.rest) > MAX_PIECE:
            if not self.too_long:
                self.too_long = True
                yield Skipped(
                    self.name,
                    self.line,
                    f"more than {MAX_PIECE:,} characters without the start of a hand",
                )
            keep = self.rest[-200:]
            self.line += self.rest.count("\n", 0, len(self.rest) - len(keep))
            self.rest = keep

    def _piece(self, text: str, end: int) -> Iterator[Piece | Skipped]:
        line, self.line = self.line, self.line + text.count("\n")
        if self.too_long:
            return
        if self.toml:
            if _FIELD.search(text) is None:
                return
            yield Piece("phh", text, self.name, line, end)
            return
        first = text.lstrip().partition("\n")[0].strip()
        if not first:
            return
        if self.begun is None:
            if not first.startswith(("#Game No", "***********")):
                yield Skipped(self.name, line, f"not a hand history: {_excerpt(first)}")
        elif self.begun == "other":
            yield Skipped(self.name, line, f"not a site that is read: {_excerpt(first)}")
        else:
            yield Piece(self.begun, text, self.name, line, end)


def _excerpt(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
