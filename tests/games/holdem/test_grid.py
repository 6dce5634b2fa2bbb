"""The 13 x 13 grid: every starting hand once, where players expect it, as means and as HTML."""

from __future__ import annotations

import re
from random import Random

import pytest

from gpuodds import Range
from gpuodds.games.holdem.grid_html import grid_html
from gpuodds.games.holdem.starting_hands import (
    grid_names,
    mean_by_starting_hand,
    starting_hand,
    starting_hands,
    to_grid,
)
from gpuodds.games.shared.combos import combo_cards


def test_the_grid_names_every_starting_hand_once() -> None:
    names = grid_names()
    assert [len(row) for row in names] == [13] * 13
    assert sorted(name for row in names for name in row) == sorted(starting_hands())
    assert names[0][:3] == ["AA", "AKs", "AQs"] and [row[0] for row in names[:3]] == [
        "AA",
        "AKo",
        "AQo",
    ]
    assert names[12][12] == "22" and names[11][12] == "32s" and names[12][11] == "32o"


def test_each_value_is_in_its_cell() -> None:
    values = {name: number for number, name in enumerate(starting_hands())}
    for names, cells in zip(grid_names(), to_grid(values, -1), strict=True):
        assert cells == [values[name] for name in names]
    assert to_grid({"72o": 1}, 0)[12][7] == 1 and sum(map(sum, to_grid({"72o": 1}, 0))) == 1


def test_means_are_weighted_by_combo() -> None:
    draw = Random(1)
    combos = [(cards, draw.random(), draw.choice([0, 0.5, 1])) for cards in combo_cards().tolist()]
    means = mean_by_starting_hand(combos)
    for name in starting_hands():
        own = [(value, weight) for cards, value, weight in combos if starting_hand(cards) == name]
        whole = sum(weight for _, weight in own)
        if not whole:
            assert name not in means
            continue
        assert means[name] == pytest.approx(sum(v * w for v, w in own) / whole)


def test_html_has_a_cell_for_each_hand() -> None:
    html = grid_html("a < b", lambda name: (f"<{name}>", "color:red" if name == "AKs" else ""))
    assert "<caption>a &lt; b</caption>" in html
    rows = [
        re.findall(r"<td[^>]*>&lt;(\w+)&gt;</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", html)
    ]
    assert rows == grid_names()
    assert html.count("<td style=") == 1 and '<td style="color:red">&lt;AKs&gt;</td>' in html


def test_a_range_shades_its_hands() -> None:
    html = Range("AA,KK:0.5")._repr_html_()
    assert "<caption>9 combos, 0.68 %</caption>" in html
    assert '<td style="background:rgb(95,95,255);color:black">AA</td>' in html
    assert '<td style="background:rgb(175,175,255);color:black">KK</td>' in html
    assert html.count("<td>") == 167
