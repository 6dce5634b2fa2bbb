"""The route of ranges by name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response

from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.server.answers import PresetsAnswer
from gpuodds.server.messages import JsonObject
from gpuodds.server.routes.descriptions import described

router = APIRouter()

PresetSource = Callable[[Game], JsonObject]


@router.get("/v1/presets", responses=described(PresetsAnswer))
async def presets(request: Request, game: Annotated[str, Query(max_length=40)] = "holdem") -> Response:
    """Ranges by name: the object ``gpuodds.presets/1``."""
    source: PresetSource = request.app.state.presets
    return JSONResponse(await asyncio.to_thread(source, find_game(game)))


def preset_source(path: Path | None) -> PresetSource:
    """Return what gives the presets of a game: of a file, read now, or those that ship, when asked.

    Raises:
        InputError: The file cannot be read, or a set or a range in it is wrong.
    """
    from gpuodds.spots.ranges.presets import describe_presets, range_presets

    if path is None:
        return cache(lambda game: describe_presets(range_presets(game), game))
    every = range_presets(None, path)
    return lambda game: describe_presets([preset for preset in every if preset.game == game.name], game)
