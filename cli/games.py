"""``gpuodds games``: the games and their rules."""

from __future__ import annotations

from typing import Annotated

import typer

from gpuodds.cli.output import console, print_json


def games(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the games that the option --game takes, with their rules.

    Examples:
      gpuodds games
      gpuodds games --json
    """
    from gpuodds.games.catalog import GAMES

    if as_json:
        keys = ("name", "title", "rules", "deck_size", "hole_cards", "max_players")
        rows = [
            {key: getattr(game, key) for key in keys} | {"other_names": list(game.aliases)}
            for game in GAMES
        ]
        print_json({"schema": "gpuodds.games/1", "games": rows})
        return
    out = console()
    for game in GAMES:
        also = f" (also {', '.join(game.aliases)})" if game.aliases else ""
        out.print(f"{game.name}{also}", highlight=False)
        out.print(f"  {game.rules} 2 to {game.max_players} players.", highlight=False)
