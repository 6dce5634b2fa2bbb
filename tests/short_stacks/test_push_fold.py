"""The public function: its answer as an object, what it refuses, and the tables that it needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import gpuodds
from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import starting_hands
from gpuodds.short_stacks import tables
from gpuodds.short_stacks.spot import read_spot


@pytest.mark.parametrize(
    ("stacks", "options", "message"),
    [
        ([10], {}, "stacks: expected 2 to 9 stacks, found 1"),
        ([10] * 10, {}, "stacks: expected 2 to 9 stacks, found 10"),
        ([10, 0], {}, "stack 2 0: expected above 0"),
        ([10, -3], {}, "stack 2 -3: expected at least 0"),
        ([10, "ten"], {}, "stack 2 ten: expected a number of chips"),
        ([10, float("nan")], {}, "stack 2 nan: expected a number"),
        ([10, 10], {"blinds": (1,)}, "blinds: expected two, the small and the big one, found 1"),
        ([10, 10], {"blinds": (2, 1)}, "small blind 2: expected 1 at most, the big blind"),
        ([10, 10], {"blinds": (0, 0)}, "big blind 0: expected above 0"),
        ([10, 10], {"ante": -1}, "ante -1: expected at least 0"),
        ([10, 10], {"bb_ante": "x"}, "bb_ante x: expected a number of chips"),
        ([10, 10], {"payouts": [30, 50]}, "payout 2 50: expected at most 30, the prize of place 1"),
        ([10, 10], {"payouts": [5, 3, 2]}, "payouts: expected 2 at most, one a player, found 3"),
        ([10, 10], {"payouts": [0, 0]}, "payouts: expected a prize above 0"),
        ([10, 10], {"bounties": [1, 1]}, "bounties: expected with payouts"),
        ([10, 10], {"payouts": [1], "bounties": [1]}, "bounties: expected 2, one a player, found 1"),
        ([10, 10], {"progressive": True}, "progressive: expected with bounties"),
        ([10, 10], {"lock": {"BTN": "20%"}}, "position BTN: expected one of SB, BB; is"),
        ([10, 10], {"lock": {"SB:BB": "20%"}}, "position SB:BB: expected players who act before SB"),
        ([10, 10], {"lock": {"BB:SB": "AsKs"}}, "lock BB:SB: expected whole starting hands, found"),
        ([10, 10], {"lock": {"BB:SB": "nonsense"}}, "nonsense"),
        ([10, 10], {"target": -1}, "target -1: expected 0 or more"),
        ([10, 10], {"time_limit": 0}, "time_limit 0: expected above 0"),
    ],
)
def test_bad_input(stacks: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        gpuodds.push_fold(stacks, **options)
    assert "\n" not in str(raised.value)


def test_near_names_of_positions() -> None:
    spot = read_spot([10] * 9)
    with pytest.raises(InputError, match=r"expected one of UTG, UTG1, .* BB; is BTN meant\?"):
        spot.read_position("BT")
    assert spot.read_position(" utg+1 ") == 1
    assert spot.read_place("BB: co,BTN") == (8, (5, 6))
    with pytest.raises(InputError, match="each once"):
        spot.read_place("BB:CO,CO")


def test_the_object_of_an_answer() -> None:
    result = gpuodds.push_fold([10, 10])
    answer = json.loads(json.dumps(result.to_dict()))
    assert answer["schema"] == "gpuodds.push-fold/1"
    assert answer["positions"] == ["SB", "BB"] and answer["unit"] == "chips" and answer["exact"]
    assert set(answer["strategies"]) == {"SB", "BB"}
    assert list(answer["strategies"]["SB"]) == [""] and list(answer["strategies"]["BB"]) == ["SB"]
    chart = answer["strategies"]["BB"]["SB"]
    assert set(chart) == {*starting_hands()} and chart["AA"] == 1 and chart["32o"] == 0
    assert all(round(value, 6) == value for value in chart.values())
    certificate = answer["certificate"]
    top, bottom = map(int, certificate["gain"].split("/"))
    assert certificate["exact"] and certificate["gain_float"] == top / bottom
    assert certificate["share_of_pool"] == pytest.approx(certificate["gain_float"] / 20)
    assert answer["values"] == list(result.values)


def test_charts_ranges_and_grids() -> None:
    result = gpuodds.push_fold([10, 10])
    assert result.places == ("SB", "BB:SB")
    assert result.range("BB:SB").weight == pytest.approx(13.26 * result.percent("BB:SB"))
    grid = result.grid("SB")
    assert grid.shape == (13, 13) and grid[0, 0] == 1 and grid[12, 11] == 0
    assert "<caption>BB:SB: all-in 37.38 %" in result._repr_html_()
    with pytest.raises(
        InputError, match="position BB: it has no such history; expected one of SB, BB:"
    ):
        result.chart("BB")
    with pytest.raises(InputError, match="hand A5: expected a starting hand, such as A5s"):
        result.explain("SB", "A5")


def test_a_picture_of_the_charts(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    gpuodds.push_fold([10, 10]).plot(tmp_path / "charts.png")
    assert (tmp_path / "charts.png").read_bytes().startswith(b"\x89PNG")


def test_forced_players_have_no_choice() -> None:
    result = gpuodds.push_fold(["0.4", 8])
    assert result.percent("SB") == 100 and result.percent("BB:SB") == 100
    assert result.certificate.gain == 0
    with pytest.raises(InputError, match="position SB: there is no choice: all-in with every hand"):
        result.explain("SB", "AA")
    # The small blind goes on for nothing: the big blind's chips are all posted already.
    other = gpuodds.push_fold([8, "0.5"])
    assert other.percent("SB") == 100 and other.values[0] == pytest.approx(0)


def test_progress_and_an_early_end() -> None:
    seen: list[Any] = []
    result = gpuodds.push_fold([10, 10], progress=seen.append, stop=lambda: len(seen) >= 2)
    assert [state.iterations for state in seen[:2]] == [0, 20] and len(seen) == 2
    assert seen[1].gain < seen[0].gain
    assert result.certificate.gain > 1e-5  # not yet near
    assert float(result.certificate.gain) == pytest.approx(seen[1].gain, rel=1e-3)


def test_missing_tables_are_built_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GPUODDS_TABLES", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    built: list[str] = []

    def build(kind: Any, folder: Path, opponents: int, progress: Any) -> None:
        progress(0.5)
        built.append(kind.name)
        assert folder == tmp_path / kind.name

    monkeypatch.setattr("gpuodds.table_building.build.build", build)
    shares: list[float] = []
    assert tables.missing_tables() == list(tables.NAMES)
    tables.build_tables(shares.append)
    assert built == ["preflop-three-way", "preflop-heads-up-folded"]
    assert 0 < shares[0] < shares[1] < 1
