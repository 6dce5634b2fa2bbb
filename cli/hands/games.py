"""``gpuodds games``: the games and their rules."""

from __future__ import annotations

from gpuodds.cli.options import AsJson
from gpuodds.cli.output import console, print_json


def games(as_json: AsJson = False) -> None:
    """List the games that the option --game takes, with their rules.

    Examples:
      gpuodds games
      gpuodds games --json
    """
    from gpuodds.games.catalog import GAMES, describe_games

    if as_json:
        print_json(describe_games())
        return
    out = console()
    for game in GAMES:
        also = f" (also {', '.join(game.aliases)})" if game.aliases else ""
        out.print(f"{game.name}{also}", highlight=False)
        out.print(f"  {game.rules} 2 to {game.max_players} players.", highlight=False)
