"""``gpuodds rank``: the best hand in five to seven cards."""

from __future__ import annotations

from typing import Annotated

import typer

from gpuodds.cards import format_cards, parse_cards
from gpuodds.cli.output import console, print_json
from gpuodds.errors import InputError


def rank(
    cards: Annotated[
        list[str],
        typer.Argument(help="Five to seven cards, together or apart.", metavar="CARDS"),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Name the best hand in five to seven cards, with its rank from 1 (lowest) to 7462.

    Examples:
      gpuodds rank KsKdKh2c2d
      gpuodds rank As Ks Qs Js 10s 2c 3d --json
    """
    from gpuodds.games.holdem.hand_names import hand_name
    from gpuodds.methods.evaluate import rank_hand

    hand = parse_cards(" ".join(cards))
    if not 5 <= len(hand) <= 7:
        raise InputError(f"{' '.join(cards)}: expected five to seven cards, found {len(hand)}")
    value = rank_hand(hand)
    if as_json:
        answer = {"schema": "gpuodds.rank/1", "cards": format_cards(hand)}
        print_json(answer | {"rank": value, "name": hand_name(value)})
    else:
        console().print(f"{hand_name(value)} (rank {value} of 7462)")
