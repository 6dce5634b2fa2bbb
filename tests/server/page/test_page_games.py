"""The page in other games: hands of four cards, halves of the pot, lists of hands, links."""

from __future__ import annotations

from typing import Any

import pytest
from page_driver import (
    EXACT,
    GRID,
    TEXT,
    choose,
    close_boxes,
    empty,
    equity,
    fill,
    fill_seat,
    link,
    on_phones,
    open_box,
    seat,
    show,
    wait_for,
    wait_text,
)

import gpuodds
from gpuodds.betting import kelly_bet

pytestmark = pytest.mark.slow

OMAHA = ["AsAhKsKh", "7c8c9dTd"]
BOARD = "2s7d9h"


def shares(page: Any, number: int) -> str:
    """Return the shares of a player who is put in focus, as "win 31.34 · tie 0.00 · lose 68.66"."""
    choose(page, number)
    page.wait_for_selector(EXACT)
    found: str = page.inner_text("#shares")
    return found.split(": ")[-1]


@on_phones
def test_a_spot_of_omaha_by_mouse(page: Any, address: str) -> None:
    page.goto(empty(address))
    page.select_option("#game", "omaha")
    for number, hand in enumerate(OMAHA, 1):
        choose(page, number)
        open_box(page, "deck")
        page.check("input[value='hand']")
        for at in range(0, 8, 2):
            page.click(f"#cards [data-card='{hand[at : at + 2]}']")
        page.click("#cards [data-card='2c']")  # a fifth card is not taken
        assert page.input_value(seat(number)) == hand
        close_boxes(page)
    page.click("#undo")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.type(OMAHA[1])  # by keyboard, in one go
    fill(page, "#board", BOARD)
    wait_for(page, "document.querySelector('#status').textContent.includes('820')")
    assert abs(equity(page) - 257 / 820) < 1e-6
    assert "game=omaha" in page.evaluate("location.search")
    open_box(page, "share")
    page.click("#copy-command")
    wait_for(page, "document.querySelector('#note').textContent === 'Command copied.'")
    command = page.evaluate("navigator.clipboard.readText()")
    assert command == "gpuodds equity AsAhKsKh 7c8c9dTd --board 2s7d9h --game omaha"


def test_a_game_keeps_what_it_can(page: Any, address: str) -> None:
    page.goto(link(address, OMAHA, game="omaha", board=BOARD, opponents="1"))
    page.wait_for_selector("#result:not([hidden])")
    page.select_option("#game", "omaha-hi-lo")
    wait_for(page, "location.search.includes('game=omaha-hi-lo')")
    assert page.input_value(seat(2)) == "7c8c9dTd"
    page.select_option("#game", "holdem")
    wait_for(page, "!location.search.includes('game')")
    assert page.input_value(seat(1)) == ""
    assert page.input_value("#board") == BOARD and page.locator(GRID).is_visible()
    page.click("#undo")
    wait_for(page, "location.search.includes('game=omaha-hi-lo')")
    assert page.input_value("#game") == "omaha-hi-lo" and page.locator(GRID).is_hidden()


def test_both_halves_of_the_pot(page: Any, address: str) -> None:
    page.goto(link(address, ["AsAh2c3h", "7c8c9dTd"], game="omaha8", board=BOARD))
    exact = gpuodds.equity(
        ["AsAh2c3h", "7c8c9dTd"], board=BOARD, game="omaha8", backend="cpu"
    ).to_dict()
    for row, player in enumerate(exact["players"]):
        high, low = (int(player[f"{half}_outcomes"][0]) / 820 for half in ("high", "low"))
        parts = {"scoop": player["scoop"], "high": high, "low": low, "lose": player["lose"]}
        expected = " \u00b7 ".join(f"{name} {100 * share:.2f}" for name, share in parts.items())
        assert shares(page, row + 1) == expected
        assert abs(equity(page, row) - player["equity"]) < 1e-6
    assert page.input_value("#game") == "omaha-hi-lo" and page.is_hidden("#tab-bet")
    page.select_option("#game", "omaha")
    wait_for(page, "/game=omaha(&|$)/.test(location.search)")
    assert [part.split()[0] for part in shares(page, 1).split(" \u00b7 ")] == ["win", "tie", "lose"]


def test_a_range_of_omaha_is_a_list(page: Any, address: str) -> None:
    page.goto(link(address, ["AAKK:$ds", ""], game="omaha"))
    page.wait_for_selector(".classes tbody tr")
    found = gpuodds.Range("AAKK:$ds", game="omaha")
    rows = page.locator(".classes tbody tr").all_inner_texts()
    assert [row.split() for row in rows] == [
        [one.ranks, one.suits, str(one.combos), "100", "%"] for one in found.by_class()
    ]
    assert page.inner_text("#result .combos >> nth=0").startswith(f"{found.weight:g} combos")
    open_box(page, "seat-menu")
    for hidden in (GRID, "#copy-pio", "#suit-picks", "#modes"):
        assert page.locator(hidden).is_hidden()
    page.wait_for_selector("#range-set-list button")  # presets of the game


def test_views_of_omaha(page: Any, address: str) -> None:
    page.goto(link(address, OMAHA, game="omaha", board=BOARD))
    show(page, "cards")
    ten = gpuodds.equity(OMAHA, board=f"{BOARD}Tc", game="omaha", backend="cpu")
    assert page.locator(f"#view #deal-Tc[title^='Tc: {100 * ten.equity:.4f} %']").count() == 1
    show(page, "bet", "expected gain")
    fill(page, "#pot", "100")
    bet = kelly_bet(
        OMAHA[0],
        opponents=OMAHA[1:],
        board=BOARD,
        bankroll=1000,
        pot=100,
        game="omaha",
        backend="cpu",
    )
    show(page, "bet", f"expected gain {bet.expected_value:.1f}")
    fill_seat(page, 1, "AA**")
    assert "four known cards" in show(page, "bet", "is a range")


def test_hits_of_omaha(page: Any, address: str) -> None:
    page.goto(link(address, ["AAKK", "QQJJ"], game="omaha"))
    assert "Put three to five cards" in show(page, "hits")
    page.goto(link(address, ["AAKK", "QQJJ"], game="omaha", board=BOARD))
    show(page, "hits")
    (flop,) = gpuodds.range_hits("AAKK", board=BOARD, game="omaha").streets
    rows = [row.split("\t") for row in page.locator("#view tbody tr").all_inner_texts()]
    found = {row[0]: row[1] for row in rows if len(row) > 1 and row[1] != "\u2013"}
    held = {name: hit.combos for name, hit in (flop.made | flop.draws).items() if hit.combos}
    assert found == {name: str(count) for name, count in held.items()}
    assert page.locator("#view .pick, #keep-hits").count() == 0


def test_equities_by_ranks_and_suits(page: Any, address: str) -> None:
    page.goto(link(address, ["AAKK", "QQJJ"], game="omaha", board=f"{BOARD}Tc"))
    show(page, "graph")
    exact = gpuodds.equity(
        ["AAKK", "QQJJ"], board=f"{BOARD}Tc", game="omaha", by_hand=True, backend="cpu"
    )
    assert exact.by_hand is not None
    rows = [row.split("\t") for row in page.locator("#view .list tbody tr").all_inner_texts()]
    own = [row for row in rows if row[1] != "\u2013"]
    assert {row[0] for row in own} == {"AAKK ds", "AAKK ss", "AAKK rb"}
    assert sum(int(row[1]) for row in own) == len(exact.by_hand[0]) == 36
    assert page.locator("#view .curve").count() == 2


def test_short_deck_has_no_low_cards(page: Any, address: str) -> None:
    page.goto(link(address, ["AsAh", "7c8c"], game="short-deck", board="6s9hTd"))
    assert abs(equity(page) - (28 + 9 / 2) / 406) < 1e-6
    open_box(page, "deck")
    assert page.is_hidden("#cards [data-card='2s']") and page.is_visible("#cards [data-card='6s']")
    close_boxes(page)
    assert page.locator(f"{GRID} [role='gridcell']:visible").count() == 81
    fill(page, TEXT, "any")
    open_box(page, "seat-menu")
    page.click("#invert")  # of 81 starting hands none is left
    wait_text(page, "")
    close_boxes(page)
    fill(page, TEXT, "AsAh")
    show(page, "cards")
    assert page.locator("#view .deal").count() == 36


def test_a_link_to_an_unknown_game(page: Any, address: str) -> None:
    page.goto(link(address, ["AsKs", "QhQd"], game="razz"))
    page.wait_for_selector("#error:not([hidden])")
    assert page.inner_text("#error") == "The link has game=razz: expected one of the games listed."
    page.goto(link(address, ["AsAhKsKhQdQc"], game="omaha6", opponents="9"))
    page.wait_for_selector("#error:not([hidden])")
    assert page.inner_text("#error") == "The link has opponents=9: expected 0 to 6."
