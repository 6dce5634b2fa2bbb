"""``gpuodds icm``: what stacks are worth in prize money."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

import typer

from gpuodds.cli.options import AsJson
from gpuodds.cli.output import console, new_table, print_json, print_table
from gpuodds.cli.short_stacks.options import Payouts, read_list
from gpuodds.errors import InputError


def icm(
    stacks: Annotated[
        list[str], typer.Argument(metavar="STACK...", help="Chips of each player, 1 to 20.")
    ],
    *,
    payouts: Payouts = "",
    as_json: AsJson = False,
) -> None:
    """Find what stacks are worth in prize money (ICM).

    The independent chip model: exact up to 10 players, in floats up to 20.

    Examples:
      gpuodds icm 5000 3000 2000 --payouts 50,30,20
      gpuodds icm 4500 3200 2300 1000 --payouts 65,35 --json
    """
    from gpuodds.short_stacks.icm import icm as find_values

    if not payouts:
        raise InputError("--payouts: expected the prizes from the first place on, such as 50,30,20")
    prizes = read_list("--payouts", payouts)
    values: Sequence[Fraction | float] = find_values(stacks, prizes)
    if as_json:
        exact = {"exact_values": [str(value) for value in values]} if _are_exact(values) else {}
        answer = {"schema": "gpuodds.icm/1", "values": [float(value) for value in values]}
        print_json(answer | exact)
        return
    chips = [Fraction(stack) for stack in stacks]
    table = new_table("player", "chips", "share of chips", "worth", "share of prizes")
    for number, (stack, value) in enumerate(zip(chips, values, strict=True), 1):
        table.add_row(
            str(number),
            stacks[number - 1],
            f"{100 * float(stack / sum(chips)):.2f} %",
            f"{float(value):,.4f}",
            f"{100 * float(value) / float(sum(map(Fraction, prizes))):.2f} %",
        )
    print_table(console(), table)
    print("exact, by the independent chip model" if _are_exact(values) else "floats, by the same model")


def _are_exact(values: Sequence[Fraction | float]) -> bool:
    return all(isinstance(value, Fraction) for value in values)
