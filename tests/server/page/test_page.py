"""The page in a browser: spots by mouse and by keyboard, links, copies, seats."""

from __future__ import annotations

from typing import Any

import pytest
from page_driver import (
    EXACT,
    choose,
    close_boxes,
    empty,
    equity,
    fill,
    fill_seat,
    is_phone,
    link,
    names,
    near,
    on_phones,
    open_box,
    seat,
    show_views,
    text,
    wait_for,
    wait_text,
)

import gpuodds
from gpuodds.games.catalog import GAMES


@on_phones
def test_a_spot_by_mouse(page: Any, address: str) -> None:
    page.goto(empty(address))
    for number, cards in ((1, ("As", "Ks")), (2, ("Qh", "Qd"))):
        choose(page, number)
        open_box(page, "deck")
        page.check("input[value='hand']")
        for card in cards:
            page.click(f"#cards [data-card='{card}']")
        wait_text(page, "".join(cards))
        if number == 1:
            close_boxes(page)
    page.click("#cards [data-card='2c']")  # a third card is not taken
    assert page.inner_text("#note") == "A hand has 2 cards."
    close_boxes(page)
    page.click("#slots button:nth-child(1)")  # an empty slot picks for the board
    for card in ("2s", "7d", "9h"):
        page.click(f"#cards [data-card='{card}']")
    wait_for(page, "document.querySelector('#status').textContent.startsWith('990 outcomes')")
    assert near(equity(page), ["AsKs", "QhQd"], board="2s7d9h")
    assert page.get_attribute("#cards [data-card='7d']", "aria-label") == "7d, on the board"
    page.click("#cards [data-card='Qh']")
    assert page.inner_text("#note") == "Qh is in the hand of player B."
    close_boxes(page)
    # Taken off again, and put back by undo.
    page.click("#slots button:nth-child(3)")
    wait_for(page, "document.querySelector('#board').value === '2s7d'")
    page.click("#undo")
    wait_for(page, "document.querySelector('#board').value === '2s7d9h'")
    assert near(equity(page), ["AsKs", "QhQd"], board="2s7d9h")
    page.click("#redo")
    wait_for(page, "document.querySelector('#board').value === '2s7d'")
    page.click("#random-flop")
    wait_for(page, "/^(?:..){3}$/.test(document.querySelector('#board').value)")
    assert page.locator("#slots .slot:has(.rank)").count() == 3
    page.evaluate("document.querySelector('#clear-board').click()")
    wait_for(page, "document.querySelector('#board').value === ''")


@on_phones
def test_a_spot_by_keyboard(page: Any, address: str) -> None:
    """By keys alone: Enter and Escape leave a field, so that the next key is a key again."""
    page.goto(empty(address))
    keyboard = page.keyboard
    # A hand typed anywhere is that of the player in focus.
    keyboard.type("AsKs")
    wait_text(page, "AsKs", 1)
    if is_phone(page):
        choose(page, 2)
        keyboard.press("p")
    else:
        keyboard.press("p")
        keyboard.press("ArrowDown")
    keyboard.type("JTs")
    keyboard.press("Enter")
    keyboard.press("b")
    keyboard.type("2s7d9h")
    keyboard.press("Enter")
    keyboard.press("d")
    keyboard.type("3c")
    keyboard.press("Enter")
    wait_for(page, "location.search.includes('dead=3c')")
    assert near(equity(page), ["AsKs", "JTs"], board="2s7d9h", dead="3c")
    keyboard.press("Control+z")
    wait_for(page, "!location.search.includes('dead')")
    keyboard.press("b")
    keyboard.type("Kd9h4d")
    keyboard.press("Enter")
    keyboard.press("f")  # deals a flop, and is not typed
    wait_for(page, "!/[^2-9TJQKAshdc]/.test(document.querySelector('#board').value)")
    keyboard.press("Control+z")
    wait_for(page, "document.querySelector('#board').value === 'Kd9h4d'")
    keyboard.press("b")
    keyboard.type("AAAA")
    keyboard.press("Escape")  # leaves the field as it was
    wait_for(page, "document.querySelector('#board').value === 'Kd9h4d'")
    assert page.evaluate("document.activeElement.id") != "board"
    keyboard.press("Escape")
    keyboard.press("Control+z")
    wait_for(page, "document.querySelector('#board').value === '2s7d9h'")
    close_boxes(page)
    keyboard.press("n")
    wait_for(page, "document.activeElement.closest('.seat')?.dataset.letter === 'C'")
    keyboard.press("Escape")
    keyboard.type("AhAh")  # the second ace is refused, and another typed
    keyboard.type("Ad")
    wait_text(page, "AhAd", 3)
    keyboard.press("o")
    keyboard.type("1")
    keyboard.press("Enter")
    wait_for(page, "location.search.includes('opponents=1')")
    # Cards by arrows: one tab stop for all of them.
    keyboard.press("c")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Space"):
        keyboard.press(key)
    below = "5s" if is_phone(page) else "Qh"  # a suit takes two rows on a phone
    wait_for(page, "document.querySelector('#board').value === '2s7d9h' + v", below)
    close_boxes(page)
    keyboard.press("r")
    page.wait_for_selector("#seat-menu", state="visible")
    keyboard.press("Escape")
    page.wait_for_selector("#seat-menu", state="hidden")
    keyboard.press("?")
    assert page.is_visible("#help-box kbd")
    keyboard.press("Escape")
    assert page.is_hidden("#help-box")


@pytest.mark.slow
def test_one_tab_stop_a_widget(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "KK", "QQ"]))
    page.wait_for_selector(EXACT)
    stops = page.evaluate(
        """() => ['#seat-tools', '#slots', '#cards', '.seat .grid', '#tabs', '#suit-picks',
          '#modes', '#weights', '#quick-picks', '#spot-tools', '#range-tools'].map(id =>
          [...document.querySelector(id).querySelectorAll("input, button, select, [tabindex]")]
          .filter(one => one.tabIndex === 0).length)"""
    )
    assert stops == [1] * len(stops)


def test_random_opponents(page: Any, address: str) -> None:
    page.goto(empty(address))
    fill_seat(page, 1, "AsKs")
    fill(page, "#opponents", "3")
    wait_for(page, "location.search.includes('opponents=3')")
    assert near(equity(page), ["AsKs"], opponents=3)
    assert names(page) == ["Player A", "Player B", "each of 3 random"]
    assert "from a table" in page.inner_text("#status")
    assert page.inner_text("#badge") == "exact"


@pytest.mark.slow
def test_seats_of_which_the_equity_alone_is_known(page: Any, address: str) -> None:
    page.goto(link(address, ["AsKs", "random", "random"]))
    assert near(equity(page), ["AsKs"], opponents=2)
    assert near(equity(page, 1), ["AsKs", "random", "random"], 1)
    assert "from a table" in page.inner_text("#status")
    page.goto(link(address, ["60%"] * 5, board="2s7d9h"))
    wait_for(page, "document.querySelector('#status').textContent.includes('all players are alike')")
    assert [equity(page, row) for row in range(5)] == [0.2] * 5
    assert page.inner_text("#badge") == "exact" and "NaN" not in page.inner_text("body")
    assert "null" not in page.inner_text("body")


def copied(page: Any, what: str) -> str:
    open_box(page, "share")
    page.click(f"#copy-{what.lower()}")
    wait_for(page, "document.querySelector('#note').textContent === v", f"{what} copied.")
    found: str = page.evaluate("navigator.clipboard.readText()")
    return found


@on_phones
def test_copies_and_a_link(page: Any, browser: Any, address: str) -> None:
    page.goto(link(address, ["AsKs", "QQ+,AK"], board="2s7d9h", opponents="1", dead="3c"))
    first = equity(page)
    status = page.inner_text("#status")
    there = copied(page, "Link")
    command = copied(page, "Command")
    assert command == "gpuodds equity AsKs QQ+,AK --opponents 1 --board 2s7d9h --dead 3c"
    copied(page, "JSON")
    assert page.evaluate("async () => JSON.parse(await navigator.clipboard.readText()).exact")
    line = copied(page, "Text").splitlines()[0]
    assert line.startswith(f"A AsKs: equity {100 * first:.4f} %")
    assert page.inner_text("#status") == status  # messages have a place of their own
    other = browser.new_page()
    other.goto(there)
    assert equity(other) == first
    assert other.input_value(seat(2)) == "QQ+,AK"
    other.close()


def test_a_seat_keeps_its_player(page: Any, address: str) -> None:
    """Empty seats before it, a seat removed, undo: the figures and the focus stay with the player."""
    page.goto(link(address, ["", "AA", "QQ", "JJ"], board="2s7d9h"))
    exact = gpuodds.equity(["AA", "QQ", "JJ"], board="2s7d9h", backend="cpu")
    for row, player in enumerate(exact.players, 1):
        assert abs(equity(page, row) - player.equity) < 1e-6
    # Another seat is removed: by its own menu, so it is in focus first.
    choose(page, 2)
    open_box(page, "seat-menu")
    page.click("#remove-seat")
    wait_for(page, "document.querySelector('.seat[data-chosen=true]').dataset.letter === 'B'")
    assert text(page) == "QQ"
    choose(page, 3)
    assert near(equity(page, 2), ["QQ", "JJ"], place=1, board="2s7d9h")
    page.click("#undo")
    wait_for(page, "document.querySelectorAll('#result > li').length === 4")
    # JJ is player D again, and still in focus.
    wait_for(page, "document.querySelector('.seat[data-chosen=true]').dataset.letter === 'D'")
    assert text(page) == "JJ"
    assert near(equity(page, 1), ["AA", "QQ", "JJ"], board="2s7d9h")


@pytest.mark.slow
def test_ten_seats(page: Any, address: str) -> None:
    page.goto(empty(address))
    for _ in range(8):
        page.click("#add-seat")
    assert page.locator("#seats > li").count() == 10 and page.is_disabled("#add-seat")
    open_box(page, "seat-menu")
    page.click("#remove-seat")
    assert page.locator("#seats > li").count() == 9
    assert page.get_attribute(".seat[data-chosen='true']", "data-letter") == "I"


@on_phones
def test_refused_values_are_not_shown(page: Any, address: str) -> None:
    page.goto(empty(address))
    fill_seat(page, 1, "AsKs")
    for _ in range(2):
        fill(page, "#opponents", "99")
        wait_for(page, "document.querySelector('#opponents').value === '22'")
    page.goto(link(address, ["AsKs"] + 11 * ["random"]))
    page.wait_for_selector("#error:not([hidden])")
    assert page.inner_text("#error") == "The link has 12 players: there are seats for 10."
    assert page.inner_text("#result .figure >> nth=0") == "\u2013"
    page.goto(link(address, ["AsKs"], opponents="23"))
    page.wait_for_selector("#error:not([hidden])")
    assert page.inner_text("#error") == "The link has opponents=23: expected 0 to 22."
    fill(page, "#opponents", "2")
    assert near(equity(page), ["AsKs"], opponents=2)
    assert page.is_hidden("#error")


@pytest.mark.slow
def test_letters_follow_seats_that_go(page: Any, address: str) -> None:
    page.goto(link(address, ["", "QQ+", "AsKs"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    choose(page, 1)
    open_box(page, "seat-menu")
    page.click("#remove-seat")
    wait_for(page, "document.querySelectorAll('#seats > li').length === 2")
    assert names(page) == ["Player A", "Player B"]
    assert [page.input_value(seat(number)) for number in (1, 2)] == ["QQ+", "AsKs"]
    page.click("#add-seat")
    wait_for(page, "document.querySelector('.seat[data-chosen=true]').dataset.letter === 'C'")
    page.click("#undo")
    wait_for(page, "document.querySelector('.seat[data-chosen=true]').dataset.letter === 'B'")


@pytest.mark.slow
def test_the_focus_is_never_lost(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "KK"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    # A tab stop that can be reached, though Undo is disabled.
    assert page.locator("#spot-tools [tabindex='0']").get_attribute("id") == "clear"
    page.focus("#random-flop")
    page.keyboard.press("Enter")
    page.focus("#undo")
    page.keyboard.press("Enter")
    wait_for(
        page, "document.activeElement.closest('#spot-tools') && document.activeElement.id !== 'undo'"
    )
    page.evaluate("document.activeElement.blur()")
    show_views(page)
    page.keyboard.press("v")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-graph"


@pytest.mark.slow
@on_phones
def test_half_a_hand_is_changed_or_dropped(page: Any, address: str) -> None:
    page.goto(empty(address))
    for keys, wanted in (
        (["A", "s", "K", "Backspace", "Q", "s"], "AsQs"),
        (["A", "K", "d", "Q", "d"], "KdQd"),  # a rank takes the place of a rank
        (["A", "s", "Escape", "J", "c", "T", "c"], "JcTc"),
    ):
        for key in keys:
            page.keyboard.press(key)
        wait_text(page, wanted, 1)
    page.keyboard.press("?")
    page.uncheck("#keys-on")
    page.keyboard.press("Escape")
    page.keyboard.type("AhAd")
    page.wait_for_timeout(50)
    assert page.input_value(seat(1)) == "JcTc"


@pytest.mark.slow
def test_a_copy_that_the_browser_refuses(page: Any, address: str) -> None:
    page.add_init_script(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))"
    )
    page.goto(link(address, ["AA", "KK"]))
    page.wait_for_selector(EXACT)
    open_box(page, "share")
    page.click("#copy-command")
    page.wait_for_selector("#copy-box[open]")
    assert page.input_value("#copy-area") == "gpuodds equity AA KK"
    selected = (
        "(a => a.value.slice(a.selectionStart, a.selectionEnd))(document.querySelector('#copy-area'))"
    )
    assert page.evaluate(selected) == "gpuodds equity AA KK"
    page.keyboard.press("Escape")


def test_the_page_has_the_games(page: Any, address: str) -> None:
    """A link to any game opens without a request for the list of them."""
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/v1/games" in one.url else None)
    hands = ["AsAhKsKh", "QdJdTd9d"]
    page.goto(link(address, hands, game="plo"))
    assert near(equity(page), hands, game="omaha")
    assert page.input_value("#game") == "omaha" and "game=omaha" in page.url
    titles = page.locator("#game option").all_inner_texts()
    assert titles == [game.title for game in GAMES] and asked == []


@pytest.mark.slow
def test_a_faulty_link_is_left_by_undo(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "KK"]))
    page.wait_for_selector(EXACT)
    fill_seat(page, 1, "QQ")
    page.evaluate("location.hash = 'spot=hand%3DJJ%26hand%3DTT%26opponents%3D99'")
    page.wait_for_selector("#error:not([hidden])")
    assert [page.input_value(seat(number)) for number in (1, 2)] == ["JJ", "TT"]
    page.click("#undo")
    assert near(equity(page), ["AA", "KK"])
    assert page.is_hidden("#error") and "opponents" not in page.url
