"""The page in other games: hands of four cards, halves of the pot, lists of hands, links."""

from __future__ import annotations

from typing import Any

import pytest

import gpuodds
from gpuodds.betting import kelly_bet

EXACT = "#status[data-exact='true']"
OMAHA = "game=omaha&hand=AsAhKsKh&hand=7c8c9dTd&board=2s7d9h"
HI_LO = "game=omaha8&hand=AsAh2c3h&hand=7c8c9dTd&board=2s7d9h"


def cells(page: Any, row: int) -> list[str]:
    page.wait_for_selector(EXACT)
    found: list[str] = page.locator("#result tbody tr").nth(row).locator("td").all_inner_texts()
    return [text.strip() for text in found]


def heads(page: Any) -> list[str]:
    found: list[str] = page.locator("#result thead th").all_inner_texts()
    return found


def test_a_spot_of_omaha_by_mouse(page: Any) -> None:
    page.select_option("#game", "omaha")
    assert page.inner_text("#game-title") == "Omaha"
    page.check("input[value='hand']")
    for seat, hand in ((1, "AsAhKsKh"), (2, "7c8c9dTd")):
        page.click(f"#seats li:nth-child({seat}) input")
        for at in range(0, 8, 2):
            page.click(f"#cards [data-card='{hand[at : at + 2]}']")
        page.click("#cards [data-card='2c']")  # a fifth card is not taken
        assert page.input_value(f"#seats li:nth-child({seat}) input") == hand
    page.fill("#board", "2s7d9h")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#status').textContent.includes('820')")
    assert cells(page, 0)[0] == f"{100 * 257 / 820:.4f} %"
    assert "game=omaha" in page.evaluate("location.search")
    page.click("#copy-command")
    page.wait_for_function("() => document.querySelector('#status').textContent === 'command copied'")
    command = page.evaluate("navigator.clipboard.readText()")
    assert command == "gpuodds equity AsAhKsKh 7c8c9dTd --board 2s7d9h --game omaha"


def test_a_game_keeps_what_it_can(page: Any, address: str) -> None:
    page.goto(f"{address}/?{OMAHA}&opponents=1")
    page.wait_for_selector("#result:not([hidden])")
    page.select_option("#game", "omaha-hi-lo")
    page.wait_for_function("() => location.search.includes('game=omaha-hi-lo')")
    assert page.input_value("#seats li:nth-child(2) input") == "7c8c9dTd"
    page.select_option("#game", "holdem")
    page.wait_for_function("() => !location.search.includes('game')")
    assert page.input_value("#seats li:nth-child(1) input") == ""
    assert page.input_value("#board") == "2s7d9h" and page.is_visible("#grid")
    page.click("#undo")
    page.wait_for_function("() => location.search.includes('game=omaha-hi-lo')")
    assert page.input_value("#game") == "omaha-hi-lo" and page.is_hidden("#grid")


def test_both_halves_of_the_pot(page: Any, address: str) -> None:
    page.goto(f"{address}/?{HI_LO}")
    exact = gpuodds.equity(
        ["AsAh2c3h", "7c8c9dTd"], board="2s7d9h", game="omaha8", backend="cpu"
    ).to_dict()
    for row, player in enumerate(exact["players"]):
        high, low = (int(player[f"{half}_outcomes"][0]) / 820 for half in ("high", "low"))
        shares = player["scoop"], high, low, player["lose"]
        expected = [f"{100 * player['equity']:.4f} %", *(f"{100 * share:.2f} %" for share in shares)]
        assert cells(page, row) == expected
    assert heads(page) == ["Player", "Equity", "Scoop", "High", "Low", "Lose"]
    assert page.input_value("#game") == "omaha-hi-lo"
    page.select_option("#game", "omaha")
    page.wait_for_function(
        "() => location.search.includes('game=omaha&') || location.search.endsWith('omaha')"
    )
    assert cells(page, 0)[1].endswith("%") and heads(page)[2:] == ["Win", "Tie", "Lose"]


def test_a_range_of_omaha_is_a_list(page: Any, address: str) -> None:
    page.goto(f"{address}/?game=omaha&hand=AAKK:$ds&hand=")
    page.wait_for_selector("#classes tbody tr")
    found = gpuodds.Range("AAKK:$ds", game="omaha")
    rows = page.locator("#classes tbody tr").all_inner_texts()
    assert [row.split() for row in rows] == [
        [one.ranks, one.suits, str(one.combos), "100", "%"] for one in found.by_class()
    ]
    assert page.inner_text("#range-size").startswith(f"{found.combos:g} combos")
    assert page.is_hidden("#grid") and page.is_hidden("#copy-pio") and page.is_hidden("#suit-picks")


def test_views_of_omaha(page: Any, address: str) -> None:
    page.goto(f"{address}/?{OMAHA}")
    page.wait_for_selector(EXACT)
    page.click("#show-next")
    page.wait_for_function("() => document.querySelectorAll('#view .heat span').length === 52")
    ten = gpuodds.equity(["AsAhKsKh", "7c8c9dTd"], board="2s7d9hTc", game="omaha", backend="cpu")
    assert f"T♣\n{100 * ten.equity:.0f}" in page.inner_text("#view")
    page.click("#show-kelly")
    page.fill("#pot", "100")
    page.keyboard.press("Enter")
    bet = kelly_bet(
        "AsAhKsKh",
        opponents=["7c8c9dTd"],
        board="2s7d9h",
        bankroll=1000,
        pot=100,
        game="omaha",
        backend="cpu",
    )
    page.wait_for_function(
        "text => document.querySelector('#view').textContent.includes(text)",
        arg=f"expected gain {bet.expected_value:.1f}",
    )
    page.click("#seats li:nth-child(1) input")
    page.fill("#seats li:nth-child(1) input", "AA**")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#view').textContent.includes('is a range')")
    assert "four known cards" in page.inner_text("#view")


def test_equities_by_ranks_and_suits(page: Any, address: str) -> None:
    page.goto(f"{address}/?game=omaha&hand=AAKK&hand=QQJJ&board=2s7d9hTc")
    page.wait_for_selector(EXACT)
    page.click("#show-heat")
    page.wait_for_selector("#view .list tbody tr")
    exact = gpuodds.equity(
        ["AAKK", "QQJJ"], board="2s7d9hTc", game="omaha", by_hand=True, backend="cpu"
    )
    assert exact.by_hand is not None
    rows = page.locator("#view .list tbody tr").all_inner_texts()
    assert {row.split("\t")[0] for row in rows} == {"AAKK ds", "AAKK ss", "AAKK rb"}
    assert sum(int(row.split("\t")[1]) for row in rows) == len(exact.by_hand[0]) == 36


def test_short_deck_has_no_low_cards(page: Any, address: str) -> None:
    page.goto(f"{address}/?game=short-deck&hand=AsAh&hand=7c8c&board=6s9hTd")
    assert cells(page, 0)[0] == f"{100 * (28 + 9 / 2) / 406:.4f} %"
    assert page.is_disabled("#cards [data-card='2s']") and page.is_enabled("#cards [data-card='6s']")
    assert page.locator("#grid [role='gridcell']:visible").count() == 81
    page.click("#show-next")
    page.wait_for_function("() => document.querySelectorAll('#view .heat span').length === 36")


def test_a_link_to_an_unknown_game(page: Any, address: str) -> None:
    page.goto(f"{address}/?game=razz&hand=AsKs&hand=QhQd")
    page.wait_for_selector("#error:not([hidden])")
    assert page.inner_text("#error") == "The link has game=razz: expected one of the games listed."
    page.goto(f"{address}/?game=omaha6&hand=AsAhKsKhQdQc&opponents=9")
    page.wait_for_selector("#error:not([hidden])")
    assert page.inner_text("#error") == "The link has opponents=9: expected 0 to 6."


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.slow)])
def test_no_serious_accessibility_fault(browser: Any, address: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = browser.new_page(viewport={"width": width, "height": 900}, bypass_csp=True)
    page.goto(f"{address}/?game=omaha8&hand=AsAh2c3h&hand=KKQQ&board=2s7d9hTc")
    page.wait_for_selector("#classes", state="attached")
    page.click("#seats li:nth-child(2) input")
    page.wait_for_selector("#classes tbody tr")
    found = axe.Axe().run(page).response["violations"]
    assert [fault["id"] for fault in found if fault["impact"] in ("serious", "critical")] == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.close()
