"""The help of every command: metavars and flags, without Python types."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeAlias, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from gpuodds.cli.options import expand_groups
from gpuodds.cli.streams import end_output
from gpuodds.machine.files import reader_has_gone

TEXT = (str, str | None, list[str], list[str] | None)  # types of parameters


class Command(TyperCommand):
    """A command whose help shows no type after a flag, and only the metavar after an argument."""

    def __init__(self, *arguments: Any, help: str | None = None, **options: Any) -> None:
        """Take the options of typer's command; unindent examples, which typer indents unevenly."""
        examples = None if help is None else inspect.cleandoc(help).replace("\n  gpuodds", "\ngpuodds")
        super().__init__(*arguments, help=examples, **options)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters: for help without types, and text as it is written."""
        return _take_text(_without_types(super().get_params(ctx)), self.callback)


class Group(TyperGroup):
    """A group of commands, with the same help."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters: for help without types, and text as it is written."""
        return _take_text(_without_types(super().get_params(ctx)), self.callback)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; typer would end without a word after Ctrl-C or a write without a reader."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Abort from None
        except OSError as error:
            if reader_has_gone(error):  # that of a named pipe, or of Windows' console
                end_output(error)
            raise


class GroupWithDefault(Group):
    """A group whose first command runs where none is named: its arguments follow at once."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Put the first command before arguments that name none; without any, ask for its help."""
        first = self.list_commands(ctx)[0]
        if not args or args[0] not in self.list_commands(ctx):
            args = [first, *(args or ["--help"])]
        return super().parse_args(ctx, args)


class App(typer.Typer):
    """A group of commands that prints its help if no command is given."""

    def __init__(self, **options: Any) -> None:
        """Take the options of :class:`typer.Typer`."""
        kind: type[Group] = options.pop("cls", Group)
        super().__init__(cls=kind, no_args_is_help=True, **options)

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        """Register a command, as :meth:`typer.Typer.command` does; it may take groups of options."""
        register = super().command(name, cls=Command, **options)

        def register_expanded(command: Callable[..., Any]) -> Callable[..., Any]:
            register(expand_groups(command))
            return command

        return register_expanded


def _without_types(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        elif parameter.param_type_name == "argument":
            # Typer has no public way to leave out "<list[str]>", which says nothing to a player.
            parameter.display_type_rich = _no_type
    return parameters


def _no_type(ctx: Any) -> None:
    return None


def _take_text(parameters: list[Any], callback: Callable[..., Any] | None) -> list[Any]:
    """Let parameters without a value, and those of text, do without typer's coercion.

    Typer imports pydantic to turn text into text, which takes longer than a table look-up.
    """
    types = get_type_hints(callback) if callback is not None else {}
    for parameter in parameters:
        if not isinstance(parameter.process_value, _Process):
            is_text = types.get(parameter.name) in TEXT
            parameter.process_value = _Process(parameter, is_text, parameter.process_value)
    return parameters


class _Process:
    """The method ``process_value`` of a parameter, which calls typer's for values other than text."""

    def __init__(self, parameter: Any, is_text: bool, process: Callable[[Any, Any], Any]) -> None:
        self._parameter, self._is_text, self._process = parameter, is_text, process

    def __call__(self, ctx: Any, value: Any) -> Any:
        parameter = self._parameter
        is_list = parameter.multiple or parameter.nargs == -1
        texts = value if is_list and isinstance(value, (list, tuple)) else [value]
        if value is None and not parameter.required:
            value = () if is_list else None
        elif not (self._is_text and texts and all(isinstance(text, str) for text in texts)):
            return self._process(ctx, value)
        return value if parameter.callback is None else parameter.callback(ctx, parameter, value)


def choice(*choices: str, help: str) -> Any:
    """Return an option whose help lists its values, which the shell completes."""
    return typer.Option(
        metavar="|".join(choices),
        help=help,
        autocompletion=completion(lambda: choices),
        show_choices=False,
    )


def completion(choose: Callable[[], Sequence[str]]) -> Callable[[str], list[str]]:
    """Return a shell completion: the words that begin with the typed text.

    Args:
        choose: Returns the words. It is called when the shell asks, so it may import more than help.
    """

    def complete(incomplete: str) -> list[str]:
        return [word for word in choose() if word.startswith(incomplete)]

    return complete


Backend: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="auto (a GPU for long work), cpu, cuda, or cuda:0,2 for those devices.",
        autocompletion=completion(lambda: ("auto", "cpu", "cuda")),
    ),
]


def _game_names() -> list[str]:
    from gpuodds.games.catalog import GAMES

    return [game.name for game in GAMES]


def range_names() -> list[str]:
    """Return the names of hold'em's ranges that the shell completes, without blanks."""
    from gpuodds.games.holdem.game import HOLDEM
    from gpuodds.spots.ranges.names import range_names as names_of

    return ["".join(name.split()) for name in names_of(HOLDEM) if "," not in name]


GameName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--game",
        metavar="NAME",
        help="holdem, short-deck, omaha, omaha-hi-lo, ...; see gpuodds games.",
        autocompletion=completion(_game_names),
    ),
]
Explain: TypeAlias = Annotated[
    bool, typer.Option("--explain", help="Show which methods could answer, at what cost, and why.")
]
