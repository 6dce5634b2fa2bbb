"""Filters of a range by its made hands and draws."""

from __future__ import annotations

import pytest

import gpuodds
from gpuodds.errors import InputError
from gpuodds.games.shared.hit_names import MADE
from gpuodds.results.reports.range_hits import RangeHits

BOARD = "2s7dKhTh"


def hits() -> RangeHits:
    return gpuodds.range_hits("30%,AA@50", board=BOARD, dead="Ac")


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        (["top pair"], lambda flop, turn: turn.made == "top pair"),
        (["top pair+"], lambda flop, turn: MADE.index(turn.made) <= MADE.index("top pair")),
        (["flush draw , GUTSHOT"], lambda flop, turn: {"flush draw", "gutshot"} & {*turn.draws}),
        (["!ace high"], lambda flop, turn: turn.made != "ace high"),
        (["!ace high,!no made hand"], lambda flop, turn: turn.made not in MADE[-2:]),
        (["weak pair+,!set+"], lambda flop, turn: MADE.index("trips") <= MADE.index(turn.made) < 13),
        (["flop: backdoor flush draw"], lambda flop, turn: "backdoor flush draw" in flop.draws),
        (
            ["flop:weak pair+", "Turn: flush draw + gutshot,two pair"],
            lambda flop, turn: (
                MADE.index(flop.made) <= 12
                and (turn.made == "two pair" or "flush draw + gutshot" in turn.draws)
            ),
        ),
        ([], lambda flop, turn: True),
    ],
)
def test_filters_keep_what_has_a_name(filters: list[str], wanted: object) -> None:
    found = hits()
    flop, turn = ({row.hand: row for row in street.by_hand} for street in found.streets)
    kept = {hand: row.weight for hand, row in turn.items() if wanted(flop[hand], row)}  # type: ignore[operator]
    filtered = found.filter(*filters)
    assert kept and {*filtered} == {*kept} and filtered.weight == sum(kept.values())
    assert gpuodds.Range(str(filtered)) == filtered


def test_a_filter_and_its_opposite_are_the_range() -> None:
    found = hits()
    for name in (*found.streets[1].made, *found.streets[1].draws):
        some, others = found.filter(name), found.filter(f"!{name}")
        assert (some & others).weight == 0 and (some | others) == found.filter()


def test_plus_follows_the_order_of_the_game() -> None:
    for game, count in (("holdem", 0), ("short-deck", 1)):
        found = gpuodds.range_hits("AsKs,KhKd", board="7s8s9sKc9d", game=game)  # type: ignore[arg-type]
        assert len(found.filter("flush")) == 1
        assert ("KhKd" in found.filter("flush+")) == (not count)


def test_omaha_has_its_own_draws() -> None:
    found = gpuodds.range_hits("JhTs7c6d,AhKhQsJc", board="9h8h2s", game="omaha")
    assert [*found.filter("wrap")] == ["JhTs7c6d"]
    with pytest.raises(InputError, match="no made hand or draw of omaha"):
        found.filter("overcards")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "topp pair",
            "hits topp pair: topp pair is no made hand or draw of holdem: did you mean top pair?",
        ),
        (
            "royal sampler",
            "hits royal sampler: royal sampler is no made hand or draw of holdem: ace high and",
        ),
        ("river: set", "hits river: set: expected one of flop, turn before the colon, found river"),
        ("flush draw+", "only made hands have an order: write flush draw without +"),
        ("", "expected a name, such as top pair+"),
        ("set,", "expected a name, such as top pair+"),
        ("!", "expected a name, such as top pair+"),
        (3, "hits 3: expected a text such as"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        hits().filter(text)
    assert message in str(refused.value) and "\n" not in str(refused.value)


def test_filters_need_a_board() -> None:
    with pytest.raises(InputError, match="expected a board of three to five cards"):
        gpuodds.range_hits("AA").filter("set")
