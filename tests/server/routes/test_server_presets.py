"""Ranges by name over HTTP: those that ship, and those of a file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Literal

import pytest
from server_fixture import launch, serving_here

import gpuodds
from gpuodds.basics.choices import GameName
from gpuodds.errors import InputError
from gpuodds.games.catalog import GAMES, find_game
from gpuodds.server.app import create_app
from gpuodds.server.settings import Settings
from gpuodds.spots.ranges.presets import describe_presets

OWN = '[[sets]]\ntitle = "Live"\ngame = "omaha"\n[sets.ranges]\n"Aces" = "AA"\n'


def test_the_clients_read_what_ships(address: str) -> None:
    with gpuodds.Client(address) as client:
        for game in GAMES:
            expected = describe_presets(gpuodds.range_presets(game), game)
            assert client.presets(game.name) == expected
        assert client.presets()["sets"][0]["ranges"][0]["name"] == "UTG"
        assert client.presets("plo") == client.presets("omaha")
        with pytest.raises(InputError, match="game chess: expected one of holdem"):
            client.presets("chess")

    async def read() -> dict[str, object]:
        async with gpuodds.AsyncClient(address) as client:
            return await client.presets("short-deck")

    assert asyncio.run(read())["game"] == "short-deck"


def test_presets_are_ranges_that_the_server_reads(address: str) -> None:
    with gpuodds.Client(address) as client:
        for one in client.presets("omaha-hi-lo")["sets"][1]["ranges"]:
            assert client.range(one["text"], game="omaha-hi-lo")["percent"] == one["percent"]


def test_a_file_takes_the_place_of_those_that_ship(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    with (
        serving_here(Settings(port=0, cache="memory", presets=path)) as address,
        gpuodds.Client(address) as client,
    ):
        path.unlink()  # read once, at the start
        assert client.presets("omaha")["sets"] == [
            {
                "title": "Live",
                "note": "",
                "ranges": [
                    {
                        "name": "Aces",
                        "short": [],
                        "text": "AA",
                        "percent": gpuodds.Range("AA", game="omaha").percent,
                    }
                ],
            }
        ]
        assert client.presets()["sets"] == []


def test_a_wrong_file_is_refused_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace('"AA"', '"AA:"'))
    with pytest.raises(InputError, match=r"own\.toml: set Live: range Aces: AA:"):
        create_app(Settings(cache="memory", presets=path))
    with pytest.raises(RuntimeError, match=r"^gpuodds: own\.toml: set Live: range Aces: [^\n]*\n$"):
        launch(tmp_path, "--presets", "own.toml")


def test_the_javascript_client_reads_them(page: Any, address: str) -> None:
    page.goto(address)
    code = """async (game) => {
        const { Client } = await import("/gpuodds.js");
        return new Client().presets(game && { game });
    }"""
    names: list[GameName | Literal[""]] = ["", "omaha", "short-deck"]
    for name in names:
        game: GameName = name or "holdem"
        assert page.evaluate(code, name) == describe_presets(
            gpuodds.range_presets(game), find_game(game)
        )
