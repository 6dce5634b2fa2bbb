"""Plots of tables: the figures that they show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

import gpuodds
from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import starting_hands
from gpuodds.tables.plot import draw, plot
from gpuodds.tables.store import StoredTable


def drawn(name: Any, *hands: str, opponents: tuple[int, ...] = (), board: str = "") -> Any:
    """Return the axes of a plot."""
    figure = Figure()
    table = StoredTable(name) if isinstance(name, Path) else gpuodds.table(name)
    draw(figure, table, hands, opponents, board)
    return figure.axes[0]


def cells(axes: Any) -> dict[str, float]:
    """Return the figures of a heat map by starting hand."""
    texts = [text.get_text().split("\n") for text in axes.texts]
    return {name: float(figure) for name, figure in texts}


def test_a_heat_map_has_every_starting_hand() -> None:
    axes = drawn("preflop-random", opponents=(3,))
    found = cells(axes)
    assert [*found] == [cell.get_text().split("\n")[0] for cell in axes.texts]
    assert sorted(found) == sorted(starting_hands())
    table = gpuodds.table("preflop-random")
    for name, figure in found.items():
        assert figure == pytest.approx(100 * table.lookup(name)[2]["equity"], abs=0.05 + 1e-9)
    # Aces first, suited above the diagonal.
    places = {text.get_text().split("\n")[0]: text.get_position() for text in axes.texts}
    assert places["AA"] == (0, 0) and places["AKs"] == (1, 0) and places["AKo"] == (0, 1)
    assert places["22"] == (12, 12)
    assert "3 random hands" in axes.get_title()


def test_a_difference_of_two_numbers_of_opponents() -> None:
    one, nine = cells(drawn("preflop-random")), cells(drawn("preflop-random", opponents=(9,)))
    for name, figure in cells(drawn("preflop-random", opponents=(1, 9))).items():
        assert figure == pytest.approx(one[name] - nine[name], abs=0.101)


def test_a_hand_against_every_starting_hand() -> None:
    found = cells(drawn("preflop-heads-up", "AsKs"))
    row = gpuodds.table("preflop-heads-up").lookup("AsKs", "QQ")[0]
    boards = row["win_a"] + row["win_b"] + row["tie"]
    assert found["QQ"] == round(100 * (row["win_a"] + row["tie"] / 2) / boards, 1)
    assert len(found) == 169


def test_curves_by_the_number_of_opponents() -> None:
    axes = drawn("preflop-random", "AA", "72o")
    aces, seven_deuce, even = axes.get_lines()
    assert [line.get_label() for line in axes.get_lines()] == ["AA", "72o", "an even share"]
    rows = gpuodds.table("preflop-random").lookup("72o")
    assert seven_deuce.get_ydata() == pytest.approx([100 * row["equity"] for row in rows])
    assert list(aces.get_xdata()) == list(range(1, 23))
    assert even.get_ydata()[0] == 50


def test_all_hands_on_a_flop(few: Path) -> None:
    table = StoredTable(few / "flop-random")
    hand, board = (table.rows([700])[0][name] for name in ("hand", "board"))
    axes = drawn(few / "flop-random", hand, board=board)
    assert sum(bar.get_height() for bar in axes.patches) == 1176
    (label,) = axes.texts
    equity = 100 * table.rows([700])[0]["equity_1"]
    assert label.get_text() == f" {hand} {equity:.1f} %" and label.get_position()[0] == equity


@pytest.mark.parametrize(
    ("name", "hands", "opponents", "message"),
    [
        ("preflop-random", (), (23,), "opponents 23: expected 1 to 22"),
        ("preflop-random", (), (1, 2, 3), "3 numbers of opponents: expected one or two"),
        ("preflop-heads-up", (), (), "expected one hand to draw, found 0"),
    ],
)
def test_invalid_plots_are_refused(
    name: str, hands: tuple[str, ...], opponents: tuple[int, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        drawn(name, *hands, opponents=opponents)


def test_a_street_that_has_no_plot(few: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="table turn-random: it has no plot"):
        plot(StoredTable(few / "turn-random"), tmp_path / "turn.png")
    with pytest.raises(InputError, match="board 2s7d: expected three cards"):
        plot(StoredTable(few / "flop-random"), tmp_path / "flop.png", board="2s7d")
    assert not any(tmp_path.iterdir())


def test_equities_of_all_hands_of_omaha() -> None:
    axes = drawn("omaha-preflop-random", "AAKK ds", "7d2c8h3s")
    assert sum(bar.get_height() for bar in axes.patches) == 270_725
    assert [text.get_text() for text in axes.texts] == [" AwAxKwKx 70.7 %", " 8w7x3y2z 35.8 %"]
    assert axes.get_title() == "Equities of the 270,725 hands of omaha"


def test_a_heat_map_of_short_deck_has_its_hands() -> None:
    axes = drawn("short-deck-preflop-random", opponents=(2,))
    texts = [text.get_text().split("\n") for text in axes.texts]
    found = {text[0]: float(text[1]) for text in texts if len(text) == 2}
    assert sorted(found) == sorted(starting_hands(4))
    row = gpuodds.table("short-deck-preflop-random").lookup("AKs")[1]
    assert found["AKs"] == pytest.approx(100 * row["equity"], abs=0.05 + 1e-9)
