"""How the page looks: nothing below the fold, what sticks, sizes, contrast, and pictures for the docs.

``GPUODDS_PICTURES=1 pytest -m slow tests/server/page/test_page_looks.py`` writes the pictures of docs/.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from typing import Any

import pytest
from page_driver import EXACT, VIEW, link, show, stroke, touch_context
from paths import ROOT

pytestmark = pytest.mark.slow

DOCS = ROOT / "docs" / "pictures"
DESKTOP, PHONE = (1440, 900), (390, 844)
TEN = ["AsKs", "QQ", "15%", "22+", "random", "JTs", "A2s+", "KQ", "99-66", "5h5d"]
RANGES = ["22+,A2s+,KTs+,QTs+,JTs,ATo+,KJo+", "66+,A9s+,KJs+,AJo+,65s:0.5"]


def opened(browser: Any, size: tuple[int, int], theme: str, there: str) -> Any:
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme=theme, bypass_csp=True
    )
    page.goto(there)
    return page


def serious(page: Any, part: str | None = None) -> list[Any]:
    """Return the serious faults of accessibility that axe finds, in a part of the page or all of it."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page.wait_for_timeout(250)  # colours move for a moment
    found = axe.Axe().run(page, context=part).response["violations"]
    return [
        (fault["id"], node["target"])
        for fault in found
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


LOOKS = [
    (DESKTOP, "light"),
    (PHONE, "dark"),
    pytest.param(DESKTOP, "dark", marks=pytest.mark.weekly),
    pytest.param(PHONE, "light", marks=pytest.mark.weekly),
]


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_no_serious_accessibility_fault(
    browser: Any, address: str, size: tuple[int, int], theme: str
) -> None:
    page = opened(browser, size, theme, link(address, ["AsKs", RANGES[1]], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    page.wait_for_selector(VIEW)
    assert serious(page) == []
    for view in ("hits", "graph", "cards", "opponents", "flops", "bet"):
        show(page, view)
        assert serious(page, "#views-part") == [], view
    page.focus("#grid [tabindex='0']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#combos button")
    assert serious(page, "#combos") == []
    page.keyboard.press("Escape")
    page.click("#help")
    assert serious(page, "#help-box") == []
    page.keyboard.press("Escape")
    page.fill("#board", "XX")
    page.keyboard.press("Enter")
    page.wait_for_selector("#board[aria-invalid='true']")
    for part in ("#board-part", "#answer-part"):
        assert serious(page, part) == []
    page.close()


@pytest.mark.parametrize("game", ["omaha8", "short-deck"])
def test_no_serious_accessibility_fault_in_other_games(browser: Any, address: str, game: str) -> None:
    hands = ["AsAh2c3h", "KKQQ"] if game == "omaha8" else ["AKs", "QQ"]
    page = opened(browser, PHONE, "light", link(address, hands, game=game, board="6s9hTd"))
    page.wait_for_selector(EXACT)
    page.wait_for_selector(VIEW)
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.close()


def test_nothing_is_below_the_fold(browser: Any, address: str) -> None:
    """At 1440 x 900 with ten players: nothing is cut off, and only lists scroll."""
    page = opened(browser, DESKTOP, "light", link(address, TEN, board="2s7d9h"))
    page.wait_for_selector("#result tbody tr:nth-child(10)")
    assert page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    ) == [*DESKTOP]
    below = page.evaluate(
        """() => [...document.querySelectorAll(`#seats input, #opponents, #result tr,
          #grid [role=gridcell], #range-tools button, #tabs button, #import-ranges`)].filter(one => {
            if (!one.offsetParent) return false;
            const box = one.getBoundingClientRect();
            return box.bottom > innerHeight || box.right > innerWidth || box.width < 8;
          }).map(one => one.id || one.textContent)"""
    )
    assert below == []
    # Players, then grid and board, then the answer, from left to right.
    lefts = [page.locator(part).bounding_box()["x"] for part in ("#seats", "#grid", "#result")]
    assert lefts == sorted(lefts)
    bars = page.locator("#result .meter").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().width)"
    )
    assert min(bars) > 100  # ten players' bars can be read
    page.close()


def test_a_phone(browser: Any, address: str) -> None:
    """At 390 px the answer stays in sight over the grid, cards are large, fingers scroll the page."""
    context = touch_context(browser)
    page = context.new_page()
    page.goto(link(address, RANGES, board="2s7d9h"))
    page.wait_for_selector(EXACT)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    cards = page.locator("#cards button").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => Math.min(box.width, box.height))"
    )
    assert min(cards) >= 32
    page.locator("#grid [data-name='22']").scroll_into_view_if_needed()
    page.wait_for_timeout(100)
    answer, cell = (
        page.locator(one).bounding_box() for one in ("#answer-part", "#grid [data-name='22']")
    )
    assert answer["y"] >= 0 and answer["height"] < 200
    assert page.is_visible("#result .figure")
    assert cell["y"] + cell["height"] <= PHONE[1] and cell["y"] > answer["y"] + answer["height"]
    # A tap paints, a swipe scrolls; dragging paints only once it is asked for.
    assert (
        page.evaluate("getComputedStyle(document.querySelector('#grid')).touchAction") == "manipulation"
    )
    page.locator("#grid [data-name='72o']").tap()
    page.wait_for_selector("#grid [data-name='72o'][aria-selected='true']")
    page.locator("#drag-paint").tap()
    assert page.evaluate("getComputedStyle(document.querySelector('#grid')).touchAction") == "none"
    context.close()


def box(page: Any, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.locator(selector).bounding_box()
    return found


def test_a_small_laptop(browser: Any, address: str) -> None:
    """At 1280 x 720 no card is over another, nothing sticks out, errors and notes move nothing."""
    page = opened(browser, (1280, 720), "light", link(address, RANGES, board="2s7d9h"))
    page.wait_for_selector(EXACT)
    outside = page.evaluate(
        """() => [...document.querySelectorAll("section :is(button, input, td, [role=gridcell])")]
          .filter(one => one.offsetParent).filter(one => {
            const [box, panel] = [one, one.closest("section")].map(any => any.getBoundingClientRect());
            const isCard = one.matches("#cards *, [role=gridcell]");
            return box.left < panel.left || box.right > panel.right
              || (isCard && one.scrollWidth > one.clientWidth + 1);
          }).map(one => one.id || one.textContent)"""
    )
    assert outside == []
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    grid, header = box(page, "#grid"), box(page, "header")
    page.fill("#range-text", "22+,xyzzy," + "AKs:2," * 40)
    page.keyboard.press("Enter")
    page.wait_for_selector("#range-text[aria-invalid='true']")
    assert page.get_attribute("#range-size", "data-error") == "true"
    page.evaluate("document.querySelector('#note').textContent = 'It cannot be copied. '.repeat(5)")
    assert box(page, "#grid") == grid and box(page, "header") == header
    covered = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select")].filter(one => {
            const a = one.getBoundingClientRect();
            const b = document.querySelector("#note").getBoundingClientRect();
            const isBeside = a.right < b.left || a.left > b.right;
            return a.width && !isBeside && a.bottom > b.top && a.top < b.bottom;
          }).map(one => one.id)"""
    )
    assert covered == []
    # What is lower than the window is scrolled to, not cut off.
    page.set_viewport_size({"width": 1280, "height": 500})
    page.locator("#grid [data-name='22']").scroll_into_view_if_needed()
    cell = box(page, "#grid [data-name='22']")
    assert cell["y"] + cell["height"] <= 500 and page.evaluate("scrollY") > 0
    page.goto(link(address, ["AA:$ds", "KKQQ"], game="omaha", board="2s7d9h"))
    page.wait_for_selector("#classes td")
    slider = box(page, "#slider")
    assert box(page, "#classes")["y"] < slider["y"] + slider["height"] + 20
    page.close()


def test_ten_players_by_touch(browser: Any, address: str) -> None:
    """The answer covers no focused field; no field is so small that a browser zooms into it."""
    context = touch_context(browser)
    page = context.new_page()
    page.goto(link(address, TEN, board="2s7d9h"))
    page.wait_for_selector("#result tbody tr:nth-child(10)")
    fields = page.locator("input:not([type=radio], [type=range]), select").evaluate_all(
        "all => all.filter(one => one.offsetParent)"
        ".map(one => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(fields) >= 16
    widths = page.locator("#result .name").evaluate_all("all => all.map(one => one.clientWidth)")
    assert min(widths) > 15
    for size in ((390, 844), (320, 640), (820, 600)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.evaluate("document.activeElement.blur(), document.querySelector('#range-text').focus()")
        page.wait_for_timeout(50)
        answer = box(page, "#answer-part")
        assert answer["height"] <= 0.45 * size[1] + 1
        assert box(page, "#range-text")["y"] >= answer["y"] + answer["height"], size
        page.evaluate("document.querySelector('#note').textContent = 'Copied. '.repeat(15)")
        note = box(page, "#note")
        assert note["y"] > size[1] / 2 and note["y"] + note["height"] <= size[1]
        assert note["x"] >= 0 and note["x"] + note["width"] <= size[0]
    page.set_viewport_size({"width": 844, "height": 390})
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert box(page, "#answer-part")["y"] < 0  # on a screen as low as this it does not stick
    context.close()


def test_forced_colors_show_states_and_weights(browser: Any, address: str) -> None:
    context = browser.new_context(forced_colors="active")
    page = context.new_page()
    page.goto(link(address, ["AKs,QQ:0.5", "KK"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    page.wait_for_selector(VIEW)

    def style(selector: str, name: str) -> str:
        found: str = page.eval_on_selector(
            selector, "(one, name) => getComputedStyle(one).getPropertyValue(name)", name
        )
        return found

    for name, chosen, other in (
        ("background-color", "#tab-hands", "#tab-bet"),
        ("background-color", ".seat[data-chosen='true']", ".seat[data-chosen='false']"),
        ("background-color", "#result .bar", "#result .meter"),
        ("background-color", "#view .heat [data-heat]", "#view .heat .none"),
        ("border-top-color", "#grid [data-name='AKs']", "#grid [data-name='AQs']"),
    ):
        assert style(chosen, name) != style(other, name), chosen
    assert "gradient" in style("#grid [data-name='QQ']", "background-image")
    assert "50%" in style("#grid [data-name='QQ']", "background-size")
    context.close()


def test_combos_close(browser: Any, address: str) -> None:
    """The box of single combos is a table of suits within the window, and goes with its cell."""
    page = opened(browser, (390, 640), "light", link(address, RANGES, board="2s7d9h"))
    page.wait_for_selector(EXACT)
    page.wait_for_selector("#grid [aria-selected='true']")  # the range has been read
    cell = page.locator("#grid [data-name='72o']")

    def show_combos() -> None:
        cell.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#combos", state="visible")

    show_combos()
    place = box(page, "#combos")
    assert place["x"] >= 0 and place["x"] + place["width"] <= 390
    assert place["y"] >= 0 and place["y"] + place["height"] <= 640
    corners = page.locator("#combo-rows button").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => `${box.x} ${box.y}`)"
    )
    assert (
        len({x for x, _ in map(str.split, corners)})
        == len({y for _, y in map(str.split, corners)})
        == 4
    )
    assert page.locator("#combo-rows button[data-gone='true']").count() == 5  # with 7d or 2s
    closings: list[tuple[Callable[[], Any], str]] = [
        (lambda: page.keyboard.press("Escape"), "72o"),
        (lambda: page.keyboard.press("Tab"), ""),
        (lambda: page.keyboard.press("p"), ""),
        (lambda: page.mouse.wheel(0, 120), "72o"),
        (lambda: page.set_viewport_size({"width": 400, "height": 640}), "72o"),
        (lambda: page.select_option("#game", "short-deck"), ""),
    ]
    for close, focus in closings:
        show_combos()
        close()
        page.wait_for_selector("#combos", state="hidden")
        now = page.evaluate("document.activeElement.dataset.name || ''")
        assert now == focus
    page.close()


def test_the_page_is_small(browser: Any, address: str) -> None:
    page, sizes = browser.new_page(), []
    page.on("response", lambda response: sizes.append(len(response.body())))
    page.goto(address)
    page.wait_for_selector("html[data-ready='true']")
    page.wait_for_timeout(200)
    assert 50_000 < sum(sizes) < 300_000
    page.close()


def pictures(address: str) -> list[tuple[str, tuple[int, int], str, str, str]]:
    """Return a name, a size, a theme, a link and a view for each picture."""
    two = link(address, RANGES, board="2s7s9hTc")
    return [
        ("ranges-light", DESKTOP, "light", two, "hits"),
        ("ranges-dark", DESKTOP, "dark", two, "graph"),
        ("phone-light", PHONE, "light", two, "hands"),
    ]  # fmt: skip


@pytest.mark.parametrize("number", range(3))
def test_pictures(browser: Any, address: str, number: int) -> None:
    """The main states, as pictures; written into docs/ where GPUODDS_PICTURES is set."""
    from PIL import Image

    name, size, theme, there, view = pictures(address)[number]
    page = opened(browser, size, theme, there)
    page.wait_for_selector("#badge:is(:text('exact'), :text('final'))", timeout=60_000)
    if name == "ranges-light":
        stroke(page, "T9s", "98s", "87s")
    show(page, view)
    page.wait_for_timeout(500)
    picture = Image.open(io.BytesIO(page.screenshot()))
    assert picture.size == size
    colors = picture.convert("RGB").quantize(256, kmeans=2)
    assert len(colors.getcolors() or []) > 64  # not a blank page
    if os.environ.get("GPUODDS_PICTURES"):
        DOCS.mkdir(exist_ok=True)
        colors.save(DOCS / f"{name}.png", optimize=True)
    page.close()
