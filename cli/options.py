"""Groups of options: a command takes a dataclass, and its fields become options of that command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, TypeAlias, get_type_hints

import typer

from gpuodds.errors import InputError


def expand_groups(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command for typer, which reads one option from each parameter.

    A parameter whose type is a dataclass becomes that class's fields, in its place; when the command
    runs, it gets the dataclass.

    Example:
        >>> @dataclass(frozen=True)
        ... class Cards:
        ...     board: str = ""
        ...     dead: str = ""
        >>> def show(hand: str, *, cards: Cards) -> None:
        ...     print(hand, cards)
        >>> list(signature(expand_groups(show)).parameters)
        ['hand', 'board', 'dead']
        >>> expand_groups(show)(hand="AsKs", board="2s7d9h", dead="")
        AsKs Cards(board='2s7d9h', dead='')
    """
    types = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: type_ for name, type_ in types.items() if is_dataclass(type_)}
    if not groups:
        return command
    parameters: list[Parameter] = []
    for name, parameter in signature(command).parameters.items():
        if name in groups:
            parameters += _parameters_of(groups[name])
        else:
            parameters.append(parameter.replace(annotation=types[name], kind=Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(**values: Any) -> Any:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        return command(**values)

    vars(run)["__signature__"] = Signature(parameters)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _parameters_of(group: Any) -> list[Parameter]:
    types = get_type_hints(group, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=types[field.name],
        )
        for field in fields(group)
    ]


Opponents: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--opponents",
        "-k",
        metavar="K",
        help="Players with random cards, 0 to 22 in hold'em. Default: 1 for a single hand, else 0.",
    ),
]
Board: TypeAlias = Annotated[str, typer.Option(metavar="CARDS", help="Board, 0 to 5 cards.")]
Dead: TypeAlias = Annotated[str, typer.Option(metavar="CARDS", help="Cards out of play.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@dataclass(frozen=True)
class OutputOptions:
    """How the answer is printed; commands say in a subclass what a line of CSV is."""

    as_json: AsJson = False
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a line of CSV a row.")] = False

    def check(self) -> None:
        """Refuse two forms of output at once.

        Raises:
            InputError: Both were asked for.
        """
        if self.as_json and self.as_csv:
            raise InputError("--json and --csv: expected one of them")
