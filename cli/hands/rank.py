"""``gpuodds rank``: the best hand in five to seven cards, or in a hand of Omaha with a board."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gpuodds.cards import format_cards, parse_cards
from gpuodds.cli.app import GameName
from gpuodds.cli.options import AsJson
from gpuodds.cli.output import console, print_json
from gpuodds.errors import InputError


def rank(
    cards: Annotated[
        list[str],
        typer.Argument(
            help="Five to seven cards; in Omaha the hole cards, then the board.", metavar="CARDS"
        ),
    ],
    game: GameName = "holdem",
    as_json: AsJson = False,
) -> None:
    """Name the best hand in some cards, with its rank: 1 is the lowest. In hi-lo also the low.

    Examples:
      gpuodds rank KsKdKh2c2d
      gpuodds rank As Ks Qs Js 10s 2c 3d --json
      gpuodds rank Ac2cKhKd 3s4d8hTcJd --game omaha-hi-lo
    """
    from gpuodds.games.catalog import find_game
    from gpuodds.methods.hands.evaluate import low_rank, rank_hand

    played, text = find_game(game), " ".join(cards)
    hand = parse_cards(text)
    try:
        value = rank_hand(hand, played)
    except InputError as error:
        raise InputError(f"{text}: {error}") from None
    name, highest = played.hand_name(value), played.highest_rank
    answer: dict[str, Any] = {
        "schema": "gpuodds.rank/1",
        "game": played.name,
        "cards": format_cards(hand),
    }
    answer |= {"rank": value, "name": name}
    lines = [f"{name} (rank {value} of {highest})"]
    if played.has_low:
        from gpuodds.games.omaha.low_ranks import HIGHEST_LOW, low_name

        low = low_rank(hand, played)
        answer |= {"low_rank": low, "low_name": low_name(low)}
        lines.append(f"{low_name(low)} (rank {low} of {HIGHEST_LOW})" if low else low_name(low))
    if as_json:
        print_json(answer)
        return
    for line in lines:
        console().print(line)
