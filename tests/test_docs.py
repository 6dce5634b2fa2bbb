"""What the README and the docstrings show is what happens."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path

import pytest

import gpuodds
from gpuodds.cli.main import run

README = Path(__file__).parents[1] / "README.md"
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(gpuodds.__path__, "gpuodds.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", ["gpuodds", *MODULES])
def test_examples_in_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_python_in_the_readme():
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert (failed, tried > 5) == (0, True)


@pytest.mark.parametrize(
    ("page", "least"),
    [("tables", 10), ("betting", 5), ("five-card", 8), ("play", 5), ("ranges", 3), ("counting", 20)],
)
def test_python_of_the_pages(page, least):
    if page == "play":
        pytest.importorskip("pokerkit")
    path = README.parent / "docs" / f"{page}.md"
    failed, tried = doctest.testfile(str(path), module_relative=False)
    assert (failed, tried > least) == (0, True)


def test_the_answer_in_the_readme(capsys):
    command, *shown = re.findall(
        r"```console\n\$ gpuodds (.*?)\n(.*?)```", README.read_text("utf-8"), re.S
    )[0]
    assert run(shlex.split(command)) == 0
    answer = [line.rstrip() for line in capsys.readouterr().out.splitlines() if line.strip()]
    expected = [line.rstrip() for line in shown[0].splitlines() if line.strip()]
    assert answer[:-1] == expected[:-1]  # the last line has the time it took


def test_commands_in_the_readme(capsys):
    section = README.read_text("utf-8").split("## As a command")[1].split("## As a library")[0]
    commands = re.findall(r"^gpuodds (equity|rank)( .*?) *#", section, re.M)
    assert len(commands) > 4
    for command, words in commands:
        assert run([command, *shlex.split(words)]) == 0
        assert capsys.readouterr().out
