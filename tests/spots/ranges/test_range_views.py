"""What a range looks like: its grid, its table in a notebook, its JSON object."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pytest

from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import grid_name
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.ranges.views import SHOWN_ROWS


class Table(HTMLParser):
    """The rows of a table: the tag, the attributes and the text of each cell."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[tuple[str, dict[str, str | None], str]]] = []
        self.caption = self.outside = ""
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append((tag, dict(attrs), ""))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["caption"]:
            self.caption += data
        elif self.open[-1:] in (["td"], ["th"]):
            tag, attributes, text = self.rows[-1][-1]
            self.rows[-1][-1] = tag, attributes, text + data
        else:
            self.outside += data


def test_the_grid_has_the_mean_of_each_starting_hand():
    grid = Range("AA,KK:0.5,AKs,72o:0.25,AsQs").grid()
    expected = {"AA": 1.0, "KK": 0.5, "AKs": 1.0, "72o": 0.25, "AQs": 0.25}
    assert grid.shape == (13, 13) and grid.dtype == np.float64
    for row in range(13):
        for column in range(13):
            assert grid[row, column] == expected.get(grid_name(row, column), 0.0)


def test_omaha_has_no_grid():
    with pytest.raises(InputError) as fault:
        Range("AAAA", game="omaha").grid()
    assert str(fault.value) == (
        "omaha: a range has no 13 x 13 grid; by_class() lists its rank classes and suit patterns"
    )


def test_a_notebook_shows_the_grid_the_bluer_the_heavier():
    table = Table(Range("AA,KK:0.5,AsKs")._repr_html_())
    assert table.caption == "10 combos, 0.75 %" and table.outside == ""
    assert [[text for _, _, text in row] for row in table.rows] == [
        [grid_name(row, column) for column in range(13)] for row in range(13)
    ]
    styles = {text: attributes.get("style") for row in table.rows for _, attributes, text in row}
    blue = {"AA": 95, "KK": 175, "AKs": 215}  # 255 less 160 times the mean weight
    for name, style in styles.items():
        shade = blue.get(name)
        assert style == (f"background:rgb({shade},{shade},255);color:black" if shade else None)


def test_a_notebook_lists_the_classes_of_omaha():
    found = Range("AAAA,AAAK:$ss@50", game="omaha")
    table = Table(found._repr_html_())
    assert table.caption == "7 combos, 0.00 %" and table.outside == ""
    assert table.rows == [
        [("th", {}, name) for name in ("ranks", "suits", "combos", "weight")],
        [("td", {}, text) for text in ("AAAA", "rb", "1", "100%")],
        [("td", {}, text) for text in ("AAAK", "ss", "12", "50%")],
    ]


def test_a_long_list_of_classes_is_cut():
    found = Range("AA", game="omaha")
    classes = found.by_class()
    rows = Table(found._repr_html_()).rows
    assert len(rows) == SHOWN_ROWS + 2
    assert rows[-1] == [("td", {"colspan": "4"}, f"and {len(classes) - SHOWN_ROWS:,} more")]
    assert [cell[2] for cell in rows[-2]][:2] == [*classes[SHOWN_ROWS - 1][:2]]


@pytest.mark.parametrize("classes", [SHOWN_ROWS - 1, SHOWN_ROWS, SHOWN_ROWS + 1])
def test_a_list_of_as_many_classes_as_are_shown_is_whole(classes):
    weights, whole = np.zeros(270_725), Range("AA", game="omaha")
    names = [(row.ranks, row.suits) for row in whole.by_class()[:classes]]
    for ranks, suits in names:
        weights = np.maximum(weights, Range(f"{ranks}:${suits}", game="omaha").weights)
    rows = Table(Range.of(weights, game="omaha")._repr_html_()).rows
    assert len(rows) == 1 + classes if classes <= SHOWN_ROWS else 2 + SHOWN_ROWS
    assert (len(rows[-1]) == 1) == (classes > SHOWN_ROWS)


def test_the_object_of_a_range_of_two_cards():
    found = Range("AsAh,76s+@50")
    assert found.to_dict() == {
        "schema": "gpuodds.range/1",
        "text": {
            "plain": "AsAh,76s:0.5",
            "pio": "AsAh,76s:0.5",
            "gto+": "AsAh,[50.0]76s[/50.0]",
        },
        "combos": 3.0,
        "holdings": 5,
        "percent": 100 * 3 / 1326,
        "grid": found.grid().tolist(),
        "weights": {"AsAh": 1.0, "7s6s": 0.5, "7h6h": 0.5, "7d6d": 0.5, "7c6c": 0.5},
        "game": "holdem",
        "notes": [*found.notes],
    }
    assert (
        "notes" not in Range("AA").to_dict()
        and Range("AA", game="short-deck").to_dict()["holdings"] == 6
    )


def test_the_object_of_a_range_of_omaha():
    made = Range("AAAA,AAAK:$ss@50", game="omaha").to_dict()
    assert made.pop("weights") and made.pop("percent") == 100 * 7 / 270_725
    assert made == {
        "schema": "gpuodds.range/1",
        "text": {"plain": Range("AAAA,AAAK:$ss@50", game="omaha").to_string()},
        "combos": 7.0,
        "holdings": 13,
        "classes": [
            {"ranks": "AAAA", "suits": "rb", "combos": 1, "weight": 1.0},
            {"ranks": "AAAK", "suits": "ss", "combos": 12, "weight": 6.0},
        ],
        "game": "omaha",
    }
