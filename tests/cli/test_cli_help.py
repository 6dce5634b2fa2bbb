"""Every command's help: examples that parse, no Python types, and shell completion."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from gpuodds.cli.main import COMMANDS as SUBCOMMANDS
from gpuodds.cli.main import make_app, run

ROOT: Any = typer.main.get_command(make_app())


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = dict(commands(ROOT))


def examples(path: tuple[str, ...]) -> list[list[str]]:
    text = COMMANDS[path].help
    assert "Examples:\n" in text, f"gpuodds {' '.join(path)}: no examples"
    return [shlex.split(line) for line in text.partition("Examples:\n")[2].splitlines()]


def output_of(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    monkeypatch.setenv("COLUMNS", "100")
    assert run([*words, "--help"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_examples_are_commands(path: tuple[str, ...]) -> None:
    found = examples(path)
    assert found
    if path == (
        "push-fold",
        "hand",
    ):  # which runs where none is named; another example is of a tournament
        found = [
            [name, group, "hand", *rest] for name, group, *rest in found if rest[0] != "tournament"
        ]
    for name, *words in found:
        assert name == "gpuodds" and tuple(words[: len(path)]) == path
        COMMANDS[path].make_context(" ".join(path), words[len(path) :])  # parses, and runs nothing


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_shows_no_python_types(path: tuple[str, ...], capsys, monkeypatch) -> None:
    text = output_of(capsys, monkeypatch, *path)
    for kind in ("<bool>", "<str>", "<list", "<int>", "<float>", "<path>"):
        assert kind not in text


@pytest.mark.parametrize(
    "path", [(), ("table",), ("abstraction",), ("five",), ("five", "plot"), ("play",)], ids=" ".join
)
def test_help_of_groups_shows_no_python_types(path: tuple[str, ...], capsys, monkeypatch) -> None:
    assert "<" not in output_of(capsys, monkeypatch, *path)


def test_the_list_has_what_each_command_says_of_itself(capsys, monkeypatch) -> None:
    words = output_of(capsys, monkeypatch).split()
    for name, command in ROOT.commands.items():
        line = command.help.split("\n\n")[0].split()
        assert SUBCOMMANDS[name][2].split() == line
        at = [place for place, word in enumerate(words) if word == name]
        assert any(words[place + 1 : place + 1 + len(line)] == line for place in at)


def test_the_list_loads_no_command_and_draws_no_boxes() -> None:
    code = (
        "import sys; from gpuodds.cli.main import run; run(['--help'])\n"
        "loaded = ('rich', 'numpy', 'gpuodds.cli.equity')\n"
        "print([name for name in sys.modules if name.startswith(loaded)])"
    )
    shown = subprocess.check_output([sys.executable, "-P", "-c", code], text=True)
    assert shown.splitlines()[-1] == "[]"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("table show pre", ["preflop-random", "preflop-heads-up"]),
        ("table build river", ["river-random", "river-features", "river-buckets"]),
        ("abstraction build --distance o", ["ochs"]),
        ("play match pok", ["pokerbot"]),
        ("play match caller ad", ["adaptive"]),
        ("play acpc host 1234 --bot ti", ["tight"]),
        ("five match ba", ["bayes-regression", "bayes"]),
        ("five draw 4h9d4c7dQs --ranking d", ["draw-chooser"]),
        ("equity AsKs --method e", ["exact"]),
        ("equity AsKs --backend c", ["cpu", "cuda"]),
        ("kelly AsKs --model c", ["cassandra"]),
    ],
)
def test_the_shell_completes(words: str, expected: list[str]) -> None:
    typed = f"gpuodds {words}"
    environment = {
        **os.environ,
        "_GPUODDS_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split()) - 1),
    }
    script = "import sys; sys.argv[0] = 'gpuodds'; from gpuodds.cli.main import main; main()"
    ended = subprocess.run(
        [sys.executable, "-P", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.split() == expected, ended.stderr
