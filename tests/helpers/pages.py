"""Read the fenced blocks of README.md and docs/, and run the commands that they show.

A block is one of these:

* ``console``: lines ``$ command``, each with its output. A line ``...`` stands for lines left out.
* ``sh``: commands that print nothing.
* ``python`` with ``>>>``: a doctest.

Any other block, and one that takes minutes, a server or a GPU, has a comment above it with the reason
why it is not run: ``<!-- not run: reason -->``. The README's two marked commands are run by CI.

``python tests/helpers/pages.py --write [PAGE ...]`` writes what the commands print now into ``console``
blocks.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from paths import ROOT as ROOT

from gpuodds.cli.main import run

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
SHELL_TOOLS = ("cat", "echo", "head")
NOT_RUN = re.compile(r"<!-- not run: (.+) -->|<!-- (?:answer|test)-command -->")
INSTALLS = "makes a virtual environment, as CI does"
# What differs between two runs on one machine: seconds, and the note that precedes a compilation.
SECONDS = re.compile(
    r"""^((?:exact \(|sampled, ).+, )[\d.]+ (?:ns|µs|ms|s|min)$|("seconds": )[\d.e-]+""", re.M
)
COMPILING = re.compile(r"^gpuodds: compiling what this question needs.*\n", re.M)


class Block(NamedTuple):
    """A fenced block: its page, the line of its fence, its language, its text."""

    page: str
    line: int
    language: str
    text: str
    reason: str
    """Why it is not run, or nothing."""

    @property
    def name(self) -> str:
        """The page and line of the block."""
        return f"{self.page}:{self.line}"


class Command(NamedTuple):
    """A command and the output that a page shows for it."""

    text: str
    shown: str


def read_blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    blocks, above = [], ""
    lines = iter(enumerate(page.read_text("utf-8").splitlines(), 1))
    for number, line in lines:
        if line.startswith("```"):
            body = []
            for _, inside in lines:
                if inside.startswith("```"):
                    break
                body.append(inside)
            marked = NOT_RUN.fullmatch(above)
            reason = (marked[1] or INSTALLS) if marked else ""
            name = page.relative_to(ROOT).as_posix()
            blocks.append(Block(name, number, line[3:], "\n".join(body), reason))
        above = line
    return blocks


def read_commands(block: Block) -> list[Command]:
    """Return the commands of a ``console`` or ``sh`` block."""
    if block.language == "console":
        parts = re.split(r"^\$ ", block.text, flags=re.M)[1:]
        return [Command(*part.partition("\n")[::2]) for part in parts]
    lines = block.text.replace("\\\n", " ").splitlines()
    return [Command(line, "") for line in lines if line.strip()]


def run_command(command: str) -> str:
    """Run a command in the working directory; return its output on stdout and stderr."""
    ours, pipe, filters = command.partition(" | ")
    arguments = shlex.split(ours, comments=True)
    if arguments[0] in SHELL_TOOLS:
        shell = ["bash", "-c", command]
        return subprocess.run(shell, capture_output=True, text=True, check=True).stdout
    assert arguments[0] == "gpuodds", f"{command}: neither gpuodds nor one of {', '.join(SHELL_TOOLS)}"
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(out), redirect_stderr(out):
        run(arguments[1:])
    printed = out.buffer.getvalue().decode()
    if pipe:
        shell = ["bash", "-c", filters]
        printed = subprocess.run(
            shell, input=printed, capture_output=True, text=True, check=True
        ).stdout
    return printed


def run_session(command: Command) -> str:
    """Run an interactive command on the answers that the page shows."""
    Path("session.txt").write_text(command.shown, "utf-8")
    return run_command(f"{command.text} --replay session.txt")


def run_shown(command: Command) -> str:
    """Run a command of a ``console`` block."""
    return run_session(command) if command.text == "gpuodds advise" else run_command(command.text)


def normalise(text: str) -> list[str]:
    """Return the lines of an output without blank lines and the parts that vary between runs."""
    text = SECONDS.sub(r"\1\2SECONDS", COMPILING.sub("", text))
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def is_shown(printed: list[str], shown: list[str]) -> bool:
    """Return whether a page shows the printed lines; a line ``...`` stands for any number of lines."""
    if "..." not in shown:
        return printed == shown
    place = shown.index("...")
    head, tail = shown[:place], shown[place + 1 :]
    return printed[:place] == head and any(
        is_shown(printed[skipped:], tail) for skipped in range(place, len(printed) + 1)
    )


def write_pages(pages: list[Path]) -> None:
    """Write the current output of the ``console`` blocks into the pages."""
    with TemporaryDirectory() as folder, chdir(folder):
        for page in pages:
            lines = page.read_text("utf-8").splitlines()
            blocks = [block for block in read_blocks(page) if not block.reason]
            fresh = []
            for block in blocks:
                if block.language in ("console", "sh"):
                    shown = "\n\n".join(map(_renew, read_commands(block)))
                    fresh.append((block, shown if block.language == "console" else block.text))
            for block, text in reversed(fresh):
                lines[block.line : block.line + len(block.text.splitlines())] = text.splitlines()
            page.write_text("\n".join([*lines, ""]), "utf-8")


def _renew(command: Command) -> str:
    printed = run_shown(command)
    if is_shown(normalise(printed), normalise(command.shown)) or "\n...\n" in f"\n{command.shown}\n":
        return f"$ {command.text}\n{command.shown}".strip()
    lines = "\n".join(line.rstrip() for line in printed.splitlines()).strip("\n")
    return re.sub(r"\n{3,}", "\n\n", f"$ {command.text}\n{COMPILING.sub('', lines)}").strip()


if __name__ == "__main__" and sys.argv[1:2] == ["--write"]:
    write_pages([Path(name).resolve() for name in sys.argv[2:]] or PAGES)
