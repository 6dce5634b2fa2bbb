"""What every command's help looks like: what to type, and no types of Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup


class Command(TyperCommand):
    """A command whose help has nothing beside a flag, and only the metavar beside an argument."""

    def __init__(self, *arguments: Any, help: str | None = None, **options: Any) -> None:
        """Take the options of typer's own command; its help keeps some indents and drops others."""
        examples = None if help is None else inspect.cleandoc(help).replace("\n  gpuodds", "\ngpuodds")
        super().__init__(*arguments, help=examples, **options)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters as help is to show them."""
        return _without_types(super().get_params(ctx))


class Group(TyperGroup):
    """A group of commands; likewise."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters as help is to show them."""
        return _without_types(super().get_params(ctx))


class App(typer.Typer):
    """A group of commands that prints its help where no command is given."""

    def __init__(self, **options: Any) -> None:
        """Take the options of :class:`typer.Typer`."""
        super().__init__(cls=Group, no_args_is_help=True, **options)

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        """Register a command, as :meth:`typer.Typer.command` does."""
        return super().command(name, cls=Command, **options)


def _without_types(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        elif parameter.param_type_name == "argument":
            parameter.display_type_rich = _no_type  # "<list[str]>" says nothing to a player
    return parameters


def _no_type(ctx: Any) -> None:
    return None


def choice(*choices: str, help: str) -> Any:
    """Return an option whose help names its values, and whose values the shell completes."""
    return typer.Option(
        metavar="|".join(choices), help=help, autocompletion=words(lambda: choices), show_choices=False
    )


def words(choose: Callable[[], Sequence[str]]) -> Callable[[str], list[str]]:
    """Return a completion of an argument: those words that begin with what was typed.

    Args:
        choose: Returns the words; called when the shell asks, so that it may import what help must not.
    """

    def complete(incomplete: str) -> list[str]:
        return [word for word in choose() if word.startswith(incomplete)]

    return complete


Backend: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="auto (a GPU if there is one), cpu, cuda, or cuda:0,2 for those devices.",
        autocompletion=words(lambda: ("auto", "cpu", "cuda")),
    ),
]
