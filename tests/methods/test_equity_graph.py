"""Equity graphs: the hands of a range sorted by equity, from the equities by hand."""

from __future__ import annotations

import random
from itertools import groupby, permutations
from pathlib import Path

import pytest

import gpuodds
from gpuodds.basics.choices import GameName
from gpuodds.errors import InputError
from gpuodds.results.equity_graph import MAX_STEPS, EquityGraph
from gpuodds.results.plot_equity import plot_graphs

SPOTS = [
    (["QQ+,AK", "22+,A2s+"], "2s7d9h", "holdem"),
    (["QQ+,AK:0.5,JJ:0.25", "AsKs", "22+"], "2s7d9h", "holdem"),
    (["99+", "AsKs"], "6s9hTd", "short-deck"),
    (["A2KK", "7654@50"], "2s7d9hTc", "omaha8"),
]


@pytest.mark.parametrize(("hands", "board", "game"), SPOTS)
def test_a_graph_sorts_the_hands(hands: list[str], board: str, game: GameName) -> None:
    result = gpuodds.equity(hands, board=board, game=game, by_hand=True, backend="cpu")
    assert result.by_hand is not None
    for place, listed in enumerate(result.by_hand):
        graph = result.equity_graph(place)
        steps = [
            (equity, sum(hand.weight for hand in same))
            for equity, same in groupby(listed, lambda hand: hand.equity)
        ]
        assert list(graph.equity) == [equity for equity, _ in steps]
        whole, share = sum(weight for _, weight in steps), 0.0
        for (_, weight), found in zip(steps, graph.share, strict=True):
            share += weight / whole
            assert found == pytest.approx(share, abs=1e-12)
        assert graph.share[-1] == 1.0
        assert graph.to_list() == [list(step) for step in zip(graph.share, graph.equity, strict=True)]


def test_a_known_hand_is_one_step() -> None:
    result = gpuodds.equity(["AsKs", "QhQd"], by_hand=True, backend="cpu")
    assert result.equity_graph(1) == EquityGraph((1.0,), (result.players[1].equity,))


def test_names_of_suits_change_nothing() -> None:
    graphs = set()
    for one, two in permutations("cdhs", 2):
        hands = [f"A{one}K{one}:0.3,A{two}K{two}:0.7,QQ:0.1,JJ", "22+"]
        graphs.add(gpuodds.equity(hands, by_hand=True, backend="cpu").equity_graph(0))
    assert len(graphs) == 1


def test_many_steps_are_merged() -> None:
    draw = random.Random(1)
    pairs = [(draw.random(), draw.choice([1.0, 0.5, 1e-9])) for _ in range(40_000)]
    graph = EquityGraph.of(pairs)
    assert 400 < len(graph.share) <= MAX_STEPS and graph.share[-1] == 1.0
    assert list(graph.equity) == sorted(graph.equity, reverse=True)
    assert list(graph.share) == sorted(graph.share) and len({*graph.share}) == len(graph.share)
    whole = sum(weight for _, weight in pairs)
    mean = sum(equity * weight for equity, weight in pairs) / whole
    shares = [0.0, *graph.share]
    steps = zip(graph.equity, shares, shares[1:], strict=False)
    assert sum(equity * (end - begin) for equity, begin, end in steps) == pytest.approx(mean)
    for tenth in range(1, 10):
        assert graph.equity_at(tenth / 10) == pytest.approx(1 - tenth / 10, abs=0.03)


def test_a_large_step_stays_whole() -> None:
    many = [(place / 4000, 0.001) for place in range(2000)]
    graph = EquityGraph.of([*many, (0.75, 8.0), (0.9, 1e-17)])
    place = graph.equity.index(0.75)
    assert graph.share[place] - (graph.share[place - 1] if place else 0.0) == pytest.approx(0.8)
    assert len(graph.share) <= MAX_STEPS


def test_the_equity_at_a_share() -> None:
    graph = EquityGraph.of([(0.9, 1.0), (0.5, 2.0), (0.1, 1.0)])
    assert graph == EquityGraph((0.25, 0.75, 1.0), (0.9, 0.5, 0.1))
    shares = 0.1, 0.25, 0.26, 0.75, 0.8, 1.0
    assert [graph.equity_at(share) for share in shares] == [0.9, 0.9, 0.5, 0.5, 0.1, 0.1]
    for share in (0, -1, 1.01, float("nan")):
        with pytest.raises(InputError, match=r"share .*: expected above 0, at most 1"):
            graph.equity_at(share)


def test_plots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    graphs = [EquityGraph((0.25, 1.0), (0.9, 0.5)), EquityGraph((1.0,), (0.4,))]
    plot_graphs(["A" * 100, "AsKs"], graphs, tmp_path / "graphs.png")
    assert (tmp_path / "graphs.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match=r"expected a file that ends in \.png"):
        plot_graphs(["A", "B"], graphs, tmp_path / "graphs.txt")
