"""Reports of flops and turns: their rows are single answers, their sums the answer a street earlier."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuodds
from gpuodds.cards import DECK_SIZE, format_cards, parse_cards
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.results.reports.board_report import BoardReport

FLOP = "2s7d9h"


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")


@pytest.fixture(scope="module")
def flops() -> BoardReport:
    return gpuodds.flop_report(["QQ+,AK", "22+,A2s+"], backend="cpu")


def test_flops_add_up_to_the_answer_before_the_flop(flops: BoardReport) -> None:
    before = gpuodds.equity(["QQ+,AK", "22+,A2s+"])
    assert len(flops.rows) == 1755 and sum(row.weight for row in flops.rows) == 22_100
    # A board of five holds ten flops.
    assert flops.outcomes == 10 * before.outcomes
    assert [p.win_outcomes for p in flops.players] == [10 * p.win_outcomes for p in before.players]
    mean = sum(
        Fraction(record["equity_exact_1"]) * record["outcomes"]
        for record in map(flops.record, flops.rows)
    )
    assert mean / flops.outcomes == before.players[0].equity_exact


def test_a_row_is_the_answer_on_each_of_its_flops(flops: BoardReport) -> None:
    for row in flops.rows[::350]:
        names = "".join(format_cards([card]) for card in row.cards)
        single = gpuodds.equity(["QQ+,AK", "22+,A2s+"], board=names)
        renamed = names.translate(str.maketrans("cdhs", "hscd"))
        other = gpuodds.equity(["QQ+,AK", "22+,A2s+"], board=renamed)
        assert single.outcomes == other.outcomes == row.outcomes / row.weight
        assert single.players[0].equity_exact == row.players[0].equity_exact
        assert other.players[0].equity_exact == row.players[0].equity_exact


def test_select_and_sort(flops: BoardReport) -> None:
    either = flops.select(["monotone", "paired"])
    assert sum(row.weight for row in either.rows) == 1144 + 3744
    both = flops.select("paired", "A-high")
    assert {row.textures[1] for row in both.rows} == {"paired"}
    assert all(row.cards[0] >> 2 == 12 for row in both.rows) and len(both.rows) == 12 * 4
    best = flops.sorted("equity_1").rows
    assert [r.players[0].equity for r in best] == sorted(r.players[0].equity for r in best)[::-1]
    assert (
        best[::-1][0].players[0].equity
        == flops.sorted("equity_1", reverse=True).rows[0].players[0].equity
    )
    assert flops.sorted("flop").rows[0].cards == flops.rows[0].cards
    assert [row.weight for row in flops.sorted("weight").limited(3).rows] == [24, 24, 24]
    weights = {name: weight for name, (weight, _) in flops.by_texture().items()}
    assert weights["rainbow"] + weights["two-tone"] + weights["monotone"] == 22_100
    wrong: list[Any] = ["wet", None, 5, ["paired", None]]
    for name in wrong:
        with pytest.raises(InputError, match="expected"):
            flops.select(name)
    for limit in (-1, 2.5):
        with pytest.raises(InputError, match=r"^rows "):
            flops.limited(limit)  # type: ignore[arg-type]
    columns: list[Any] = [None, 5]
    for column in columns:
        with pytest.raises(InputError, match="expected one of"):
            flops.sorted(column)
    for call in (lambda: flops.select("wet"), lambda: flops.sorted("equity_3")):
        with pytest.raises(InputError, match="expected one of"):
            call()


def test_a_report_as_a_table(flops: BoardReport) -> None:
    pytest.importorskip("pyarrow")
    table = flops.to_arrow()
    assert table.column_names == list(flops.columns) and len(table) == 1755
    assert str(table.schema.field("outcomes").type) == "int64"
    frame = pytest.importorskip("polars").DataFrame(flops)
    assert frame["weight"].sum() == 22_100
    assert "<td>monotone</td><td>1,144</td>" in flops._repr_html_()


@settings(deadline=None, max_examples=10)
@given(st.permutations(range(DECK_SIZE)), st.integers(0, 2), st.integers(0, 2))
def test_turns_add_up_to_the_answer_on_the_flop(deck: list[int], opponents: int, dead: int) -> None:
    spot: dict[str, Any] = {
        "hands": [deck[:2], deck[2:4]],
        "opponents": opponents,
        "board": deck[4:7],
        "dead": deck[7 : 7 + dead],
    }
    report, flop = gpuodds.turn_report(**spot), gpuodds.equity(**spot)
    assert sum(row.weight for row in report.rows) == 49 - dead
    assert report.outcomes == 2 * flop.outcomes  # two orders of turn and river
    for player, once in zip(report.players, flop.players, strict=True):
        assert player.win_outcomes == 2 * once.win_outcomes
        assert player.tie_outcomes == tuple(2 * count for count in once.tie_outcomes)


def test_cards_that_cannot_come(flops: BoardReport) -> None:
    report = gpuodds.turn_report(["AsKs", "QQ"], board="2c7d9h")
    none = [row for row in report.rows if not row.outcomes]
    assert {format_cards(row.cards) for row in none} == {"As", "Ks"}
    assert report.record(none[0])["equity_1"] is None
    assert report.sorted("equity_2").rows[-1].outcomes == 0
    assert report.sorted("equity_2", reverse=True).rows[-1].outcomes > 0
    with pytest.raises(ImpossibleDeal):
        gpuodds.turn_report(["AsKs", "AsKs,AsQs"], board="2c7d9h")


def test_a_report_without_rows_has_no_equities(flops: BoardReport) -> None:
    none = flops.limited(0)
    assert none.outcomes == 0 and none.by_texture() == {} and none.to_dicts() == []
    for player in none.players:
        assert all(math.isnan(x) for x in (player.equity, player.win, player.tie, player.lose))
        assert player.equity_exact is None and player.to_dict()["equity"] is None
    assert none.sorted("equity_2").select("paired").rows == ()
    assert "<td>all</td><td>0</td><td></td><td></td>" in none._repr_html_()
    report = gpuodds.turn_report(["AsKs", "QQ"], board="2c7d9h")
    (row,) = (row for row in report.rows if format_cards(row.cards) == "As")
    assert math.isnan(row.players[0].equity) and row.players[0].equity_exact is None


@pytest.mark.parametrize("hands", [["AA", "KK"], ["AA:0.5,KK", "QQ"]])
def test_a_report_without_rows_has_its_columns(hands: list[str]) -> None:
    pytest.importorskip("pyarrow")
    report = gpuodds.turn_report(hands, board=FLOP)
    assert report.limited(0).to_arrow().schema == report.to_arrow().schema


def test_suits_that_the_spot_names() -> None:
    # Spades and the rest differ: a flop of four suits has classes of 1, 2 and 6 renamings.
    report = gpuodds.turn_report(["AsKs", "22"], board="QsJs2h")
    assert sorted({row.weight for row in report.rows}) == [1, 2]
    weighted = gpuodds.turn_report(["AA:0.5,KK", "QQ"], board=FLOP)
    once = gpuodds.equity(["AA:0.5,KK", "QQ"], board=FLOP)
    assert weighted.players[0].equity == pytest.approx(once.equity, rel=1e-12)
    assert isinstance(weighted.outcomes, float)


def test_bad_boards() -> None:
    for board in ("", "2s7d", "2s7d9hTc"):
        with pytest.raises(InputError, match="expected three cards"):
            gpuodds.turn_report("AsKs", board=board)


def test_progress_and_a_picture(tmp_path) -> None:
    seen: list[float] = []
    report = gpuodds.turn_report(["AA", "KK"], board=FLOP, progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 1.0
    pytest.importorskip("matplotlib")
    from gpuodds.results.reports.plot_report import plot_report

    plot_report(report, tmp_path / "turns.png")
    assert (tmp_path / "turns.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="nothing to draw: the report has no turn"):
        plot_report(report.limited(0), tmp_path / "none.png")
    assert parse_cards(FLOP) == report.spot.board
