"""README.md, docs/ and the docstrings show the real output."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
from contextlib import chdir
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import needs
import pytest
import typer
from pages import (
    PAGES,
    ROOT,
    Block,
    Command,
    is_shown,
    normalise,
    read_blocks,
    read_commands,
    run_shown,
)

import gpuodds
from gpuodds.cli.app import GroupWithDefault
from gpuodds.cli.main import make_app

BLOCKS = [block for page in PAGES for block in read_blocks(page)]
CHECKED_ELSEWHERE = {"sql": "run by tests/tables/test_table_examples.py", "text": "a drawing"}
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text("utf-8") for page in PAGES}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for the commands of all pages: a page can read a file that it wrote before."""
    return tmp_path_factory.mktemp("pages")


def modules_with_examples() -> list[str]:
    """Return the names of the modules whose text has a prompt."""
    specs = [find_spec(module.name) for module in pkgutil.walk_packages(gpuodds.__path__, "gpuodds.")]
    files = {spec.name: spec.origin for spec in (gpuodds.__spec__, *specs) if spec and spec.origin}
    return sorted(name for name, file in files.items() if ">>> " in Path(file).read_text("utf-8"))


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def pages_with_python() -> list[str]:
    return sorted({block.page for block in BLOCKS if is_doctest(block)})


def is_doctest(block: Block) -> bool:
    return block.language == "python" and block.text.startswith(">>> ") and not block.reason


@pytest.mark.slow
@pytest.mark.parametrize("page", pages_with_python())
def test_python_of_a_page(page: str) -> None:
    if page == "docs/play.md":
        pytest.importorskip("pokerkit")
    found = doctest.testfile(str(ROOT / page), module_relative=False)
    tried = found.attempted - getattr(found, "skipped", 0)  # from Python 3.13 on both are counted
    examples = [line for block in BLOCKS if block.page == page for line in block.text.splitlines()]
    shown = sum(line.startswith(">>> ") and "+SKIP" not in line for line in examples)
    assert (found.failed, tried) == (0, shown)


@pytest.mark.slow
@needs.posix
@pytest.mark.parametrize(
    "block", [block for block in BLOCKS if not is_doctest(block)], ids=lambda block: block.name
)
def test_commands_of_a_block(block: Block, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the commands of a block, in the order of the page, and compare their output."""
    reason = block.reason or CHECKED_ELSEWHERE.get(block.language)
    if block.language.startswith("{"):
        reason = "a directive of the site, which .ci/docs builds"
    if reason:
        pytest.skip(reason)
    assert block.language in ("console", "sh"), f"{block.name}: neither run nor marked as not run"
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")
    with chdir(folder):
        for command in read_commands(block):
            printed, shown = normalise(run_shown(command)), normalise(command.shown)
            assert is_shown(printed, shown), "\n".join([f"$ {command.text}", *printed])


def shown_commands() -> list[tuple[str, str]]:
    """Return every whole gpuodds command on the pages, in blocks and in the text, with its page."""
    found = [
        (block.page, command.text)
        for block in BLOCKS
        if block.language in ("console", "sh")
        for command in read_commands(block)
    ]
    prose = {page: re.sub(r"^```.*?^```", "", text, flags=re.M | re.S) for page, text in TEXTS.items()}
    found += [
        (page, command)
        for page, text in prose.items()
        for command in re.findall(r"`(gpuodds .+?)`", text)
    ]
    return [(page, command) for page, command in found if command.startswith("gpuodds ")]


def test_commands_can_be_typed() -> None:
    """Parse every command on the pages, also those that are not run: no option is outdated."""
    found, ours = shown_commands(), typer.main.get_command(make_app())
    assert len(found) > 50
    for page, command in found:
        for part in re.split(r" (?:\||&&) ", command):
            words = shlex.split(part.split(" > ")[0], comments=True)
            if words[0] == "gpuodds" and "..." not in words:
                try:
                    parse(ours, words[1:])
                except Exception as error:
                    raise AssertionError(f"{page}: {part}: {error}") from error


def test_every_command_is_shown() -> None:
    shown = {
        tuple(shlex.split(command.split(" | ")[0], comments=True)[1:])
        for _, command in shown_commands()
    }
    missing = [
        path
        for path in command_paths(typer.main.get_command(make_app()))
        if not any(words[: len(path)] == path for words in shown)
    ]
    assert missing == []


def command_paths(group: Any, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the words of every command, ("table", "list") and so on."""
    paths: list[tuple[str, ...]] = []
    for name, command in group.commands.items():
        path = (*above, name)
        if isinstance(group, GroupWithDefault) and name == next(iter(group.commands)):
            path = above  # it runs where none is named
        paths += command_paths(command, path) if hasattr(command, "commands") else [path]
    return paths


def parse(command: Any, words: list[str]) -> None:
    """Parse the arguments of a command; run nothing."""
    path = ["gpuodds"]
    while words and hasattr(command, "commands") and not words[0].startswith("-"):
        if isinstance(command, GroupWithDefault) and words[0] not in command.commands:
            words = [next(iter(command.commands)), *words]
        path.append(words[0])
        assert words[0] in command.commands, f"no command {' '.join(path)}"
        command, words = command.commands[words[0]], words[1:]
    if not hasattr(command, "commands") and "--help" not in words and words:
        command.make_context(" ".join(path), words)


def test_links_lead_somewhere() -> None:
    for page, text in TEXTS.items():
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", text):
            path = (ROOT / page).parent / target if target else ROOT / page
            assert path.exists(), f"{page}: {target} is not there"
            if anchor:
                headings = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.M)
                assert anchor in map(slug, headings), f"{page}: {target}#{anchor} is not there"


@pytest.mark.parametrize("page", TEXTS)
def test_files_named_on_a_page_exist(page: str) -> None:
    rooms = "gpuodds|cli|kernels|tests|bench|docs"
    for name in re.findall(rf"`((?:{rooms})/[\w./]*)`", TEXTS[page]):
        assert (ROOT / name).exists(), f"{page}: {name} is not there"


def slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_output_is_compared_line_by_line() -> None:
    shown = ["a", "...", "c", "d"]
    assert is_shown(["a", "c", "d"], shown) and is_shown(["a", "b", "c", "c", "d"], shown)
    assert not is_shown(["a", "b", "d"], shown) and not is_shown(["b", "c", "d"], shown)
    assert is_shown(["a"], ["a"]) and not is_shown(["a", "b"], ["a"])
    assert normalise("x \n\nexact (from the shipped table), 5.9 ms\n") == [
        "x",
        "exact (from the shipped table), SECONDS",
    ]
    block = Block("x.md", 1, "console", "$ gpuodds rank As\nace\n\n$ gpuodds doctor", "")
    assert read_commands(block) == [
        Command("gpuodds rank As", "ace\n\n"),
        Command("gpuodds doctor", ""),
    ]
