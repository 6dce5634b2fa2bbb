"""``gpuodds equity`` on ranges: JSON, by hand, CSV, and samples with their error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import gpuodds
from gpuodds.cli.main import run

FLOP = "2s7d9h"


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")


def test_equity_of_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["equity", "QQ+,AK", "22+,A2s+", "random", "--board", FLOP]
    assert run([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["hands"] == ["QQ+,AK", "22+,A2s+", "random"]
    assert sum(map(int, answer["winners"].values())) == int(answer["outcomes"])
    assert run([*words, "--by-hand", "--json"]) == 0
    by_hand = json.loads(capsys.readouterr().out)["players"][0]["by_hand"]
    assert set(by_hand[0]) == {"hand", "weight", "equity", "win", "tie"} and len(by_hand) == 34
    assert run(["equity", "AKs", "QQ", "--by-hand"]) == 0
    assert "AKs: equity by starting hand" in capsys.readouterr().out
    assert run(["equity", "AKs", "QQ", "--by-hand", "--csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "player,hand,weight,equity,win,tie" and len(lines) == 1 + 1 + 1
    assert [line.split(",")[:3] for line in lines[1:]] == [["AKs", "AKs", "4.0"], ["QQ", "QQ", "6.0"]]
    assert run(["equity", "AKs", "QQ", "--by-combo", "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 4 + 6
    assert run(["equity", "AKs", "QQ", "--by-combo"]) == 0
    assert "AKs: equity by combo" in capsys.readouterr().out
    sampled = ["equity", "AKs", "QQ", "--method", "monte-carlo", "--samples", "5000"]
    assert run(sampled) == 0
    assert "+/- is one standard error" in capsys.readouterr().out
    assert run([*sampled, "--csv"]) == 0
    assert "standard_error" in capsys.readouterr().out.splitlines()[0]


def test_equity_graphs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["equity", "QQ+,AK", "22+,A2s+", "--board", FLOP, "--equity-graph"]
    result = gpuodds.equity(words[1:3], board=FLOP, by_hand=True, backend="cpu")
    graphs = [result.equity_graph(place) for place in range(2)]
    assert run([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [player["equity_graph"] for player in answer["players"]] == [g.to_list() for g in graphs]
    assert "by_hand" not in answer["players"][0]
    assert run([*words, "--json", "--by-hand"]) == 0
    assert len(json.loads(capsys.readouterr().out)["players"][0]["by_hand"]) == 34
    assert run([*words, "--csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "player,share,equity"
    assert len(lines) == 1 + sum(len(graph.share) for graph in graphs)
    assert run(words) == 0
    shown = capsys.readouterr().out
    tenth = [f"{100 * graph.equity_at(0.1):.2f}" for graph in graphs]
    assert next(line.split() for line in shown.splitlines() if line.startswith(" 10 ")) == [
        "10",
        *tenth,
    ]
    assert "starting hand" not in shown
    pytest.importorskip("matplotlib")
    plot = tmp_path / "graph.svg"
    assert run([*words[:-1], "--plot", str(plot)]) == 0
    found = capsys.readouterr().out
    assert found.splitlines()[-1] == str(plot) and "best hands first" not in found
    assert run([*words[:-1], "--plot", str(plot), "--json"]) == 0
    assert "equity_graph" not in json.loads(capsys.readouterr().out)["players"][0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--plot", "graph.txt"], "graph.txt: expected a file that ends in .png"),
        (["--equity-graph", "--method", "monte-carlo"], "the equity of each hand: counted, not"),
    ],
)
def test_graphs_that_are_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["equity", "QQ+", "22+", "--board", FLOP, *words]) == 2
    found = capsys.readouterr()
    assert message in found.err and found.out == ""


def test_folded_players_and_an_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["equity", "AsKs", "QhQd", "--board", FLOP, "--folded", "22+,A2s+", "--folded", "random"]
    assert run([*words, "--json", "--explain"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["folded"] == ["22+,A2s+", "random"] and answer["exact"]
    assert sum(one["chosen"] for one in answer["explanation"]) == 1 and answer["assumed"]
    assert run([*words, "--explain"]) == 0
    shown = capsys.readouterr().out
    assert "folded 22+,A2s+" in shown and "known hands" in shown and "change no equity" in shown
    assert run([*words, "--csv"]) == 0
    table = capsys.readouterr()
    assert "dead,folded,method" in table.out.splitlines()[0] and table.err == ""
    assert run([*words, "--csv", "--explain"]) == 0
    found = capsys.readouterr()
    assert found.out == table.out and found.err.startswith("methods, with about how long each takes\n")
    assert "known hands" in found.err and "change no equity" in found.err
    assert run(["equity", "AsKs", "--folded", "22+,A2x"]) == 2
    assert "column 7" in capsys.readouterr().err


def test_the_options_of_an_answer_hold_after_each_next_card(capsys: pytest.CaptureFixture[str]) -> None:
    spot = ["equity", "QQ+,AK", "22+", "--board", FLOP, "--folded", "A2s+", "--by-next-card"]
    words = [*spot, "--method", "monte-carlo", "--samples", "500", "--seed", "7"]
    options: dict[str, Any] = {"method": "monte-carlo", "samples": 500, "seed": 7}
    after = gpuodds.equities_by_next_card(["QQ+,AK", "22+"], board=FLOP, folded=["A2s+"], **options)
    assert run([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["by_next_card"]
    assert [row["card"] for row in found] == list(after)
    for row, result in zip(found, after.values(), strict=True):
        assert row["equities"] == [player.equity for player in result.players]
        assert row["standard_errors"] == [player.standard_error for player in result.players]
    assert run([*words, "--csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "card,player,equity,standard_error" and len(lines) == 1 + 2 * len(after)
    assert run(words) == 0
    assert "sampled: one standard error is at most " in capsys.readouterr().out
    assert run([*spot, "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)["by_next_card"]
    assert set(counted[0]) == {"card", "equities"}
    assert run([*spot, "--method", "exact", "--seed", "1", "--time-limit", "1"]) == 2
