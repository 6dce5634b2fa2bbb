"""How the page looks: nothing below the fold, what sticks, sizes, contrast, and pictures for the docs.

``GPUODDS_PICTURES=FOLDER pytest -m slow tests/server/page/test_page_looks.py -k pictures`` writes them
in every size and theme, to look at; ``python bench/pictures.py`` those of docs/.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from page_driver import (
    EXACT,
    GRID,
    TEXT,
    VIEW,
    cell,
    link,
    open_box,
    show,
    stroke,
    touch_context,
)

pytestmark = pytest.mark.slow

DESKTOP, LAPTOP, TABLET, PHONE = (1440, 900), (1280, 720), (820, 1180), (390, 844)
TEN = ["AsKs", "QQ", "15%", "22+", "random", "JTs", "A2s+", "KQ", "99-66", "5h5d"]
RANGES = ["22+,A2s+,KTs+,QTs+,JTs,ATo+,KJo+", "66+,A9s+,KJs+,AJo+,65s:0.5"]


def opened(
    browser: Any, size: tuple[int, int], theme: str, there: str, has_typeface: bool = True
) -> Any:
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme=theme, bypass_csp=True
    )
    if not has_typeface:
        page.route("**/*.woff2", lambda route: route.abort())
    page.goto(there)
    return page


def faults(page: Any, part: str | None = None) -> list[Any]:
    """Return the faults of accessibility that axe finds, in a part of the page or all of it."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page.wait_for_timeout(250)  # colours move for a moment
    found = axe.Axe().run(page, context=part).response["violations"]
    return [(fault["id"], node["target"]) for fault in found for node in fault["nodes"]]


LOOKS = [
    (DESKTOP, "light"),
    pytest.param(DESKTOP, "dark", marks=pytest.mark.weekly),
    *(
        pytest.param(size, theme, marks=pytest.mark.weekly)
        for size in (PHONE, LAPTOP, TABLET)
        for theme in ("light", "dark")
    ),
]


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_no_accessibility_fault(browser: Any, address: str, size: tuple[int, int], theme: str) -> None:
    page = opened(browser, size, theme, link(address, ["AsKs", RANGES[1]], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    page.wait_for_selector("[data-heat]")  # the grids are coloured
    assert faults(page) == []
    for mode in ("range", "hits", "equity"):
        page.click(f"#modes [data-mode='{mode}']")
        page.wait_for_timeout(100)
        assert faults(page, "#centre") == [], mode
    page.focus(f"{GRID} [tabindex='0']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#combos button")
    assert faults(page, "#combos") == []
    page.keyboard.press("Escape")
    for name in ("deck", "seat-menu", "share", "menu", "visit"):
        open_box(page, name)
        assert faults(page, f"#{name}") == [], name
        page.keyboard.press("Escape")
    for view in ("hits", "graph", "cards", "opponents", "flops", "bet", "push-fold", "train"):
        show(page, view)
        assert faults(page, "#views-part") == [], view
    open_box(page, "menu")
    page.click("#help")
    assert faults(page, "#help-box") == []
    page.keyboard.press("Escape")
    open_box(page, "deck")
    page.fill("#board", "XX")
    page.keyboard.press("Enter")
    page.wait_for_selector("#board[aria-invalid='true']")
    for part in ("#deck", "#answer-part"):
        assert faults(page, part) == []
    page.close()


@pytest.mark.parametrize("game", ["omaha8", "short-deck"])
def test_no_accessibility_fault_in_other_games(browser: Any, address: str, game: str) -> None:
    hands = ["AsAh2c3h", "KKQQ"] if game == "omaha8" else ["AKs", "QQ"]
    page = opened(browser, PHONE, "light", link(address, hands, game=game, board="6s9hTd"))
    page.wait_for_selector(EXACT)
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.close()


@pytest.mark.parametrize("size", [pytest.param(DESKTOP, marks=pytest.mark.weekly), LAPTOP])
@pytest.mark.parametrize("has_typeface", [True, False])
def test_nothing_is_below_the_fold(
    browser: Any, address: str, size: tuple[int, int], has_typeface: bool
) -> None:
    """Two ranges, or ten players: nothing is cut off, and only lists scroll.

    Nor in the system's typeface, which a slow connection leaves at a first visit.
    """
    for hands in (RANGES, TEN):
        page = opened(browser, size, "light", link(address, hands, board="2s7d9h"), has_typeface)
        page.wait_for_selector(f"#result > li:nth-child({len(hands)})")
        page.wait_for_selector(VIEW)
        for view in ("push-fold", "hits"):
            show(page, view)
            assert page.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            ) == [*size], view
        below = page.evaluate(
            """() => [...document.querySelectorAll(`#seats input, #opponents, #result .figure,
              [role=gridcell], #brush button, #tabs button`)].filter(one => {
                if (!one.offsetParent) return false;
                const box = one.getBoundingClientRect();
                return box.bottom > innerHeight || box.right > innerWidth || box.width < 3;
              }).map(one => one.id || one.textContent)"""
        )
        assert below == []
        # Board and equity over grids and views.
        tops = [box(page, part)["y"] for part in ("#slots", "#seats", "#brush")]
        lefts = [box(page, part)["x"] for part in ("#seats", "#views-part")]
        assert tops == sorted(tops) and lefts == sorted(lefts)
        page.close()


def test_a_grid_is_read_where_it_is_painted(browser: Any, address: str) -> None:
    """One grid a player, with cells of at least 28 px on a small laptop and 36 px on a tablet."""
    for size, least in ((DESKTOP, 33), (LAPTOP, 28), (TABLET, 36)):
        page = opened(browser, size, "light", link(address, RANGES, board="2s7d9h"))
        page.wait_for_selector(EXACT)
        assert page.locator("[role='grid']:visible").count() == 2
        assert box(page, cell("AA"))["width"] >= least, size
        page.close()


def test_a_phone(browser: Any, address: str) -> None:
    """At 390 px board and equity stay in sight over the grid, cards are large, fingers scroll."""
    context = touch_context(browser)
    page = context.new_page()
    page.goto(link(address, RANGES, board="2s7d9h"))
    page.wait_for_selector(EXACT)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    open_box(page, "deck")
    cards = page.locator("#cards button").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => Math.min(box.width, box.height))"
    )
    assert min(cards) >= 32
    page.keyboard.press("Escape")
    page.locator("#range-part, #brush").first.scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 150)")
    page.wait_for_timeout(100)
    answer, last = box(page, "#answer-part"), box(page, cell("22"))
    assert answer["y"] >= 0 and answer["height"] < 230
    assert page.is_visible("#result .figure")
    assert last["y"] > answer["y"] + answer["height"]
    # A tap paints, a swipe scrolls; dragging paints only once it is asked for.
    action = f'getComputedStyle(document.querySelector("{GRID}")).touchAction'
    assert page.evaluate(action) == "manipulation"
    page.locator(cell("72o")).tap()
    page.wait_for_selector(cell("72o") + "[aria-selected='true']")
    page.locator("#drag-paint").tap()
    assert page.evaluate(action) == "none"
    context.close()


def box(page: Any, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.locator(selector).bounding_box()
    return found


def test_a_small_laptop(browser: Any, address: str) -> None:
    """At 1280 x 720 no card is over another, nothing sticks out, errors and notes move nothing."""
    page = opened(browser, LAPTOP, "light", link(address, RANGES, board="2s7d9h"))
    page.wait_for_selector(EXACT)
    open_box(page, "deck")
    outside = page.evaluate(
        """() => [...document.querySelectorAll("button, input, td, [role=gridcell]")]
          .filter(one => one.offsetParent && one.closest("section, .seat, #deck")).filter(one => {
            const around = one.closest("section, .seat, #deck");
            const [box, panel] = [one, around].map(any => any.getBoundingClientRect());
            const isCard = one.matches("#cards *, [role=gridcell]");
            return box.left < panel.left || box.right > panel.right
              || (isCard && one.scrollWidth > one.clientWidth + 1);
          }).map(one => one.id || one.textContent)"""
    )
    assert outside == []
    # A mark takes the place of the suit that is known, and covers none.
    page.fill("#dead", "3c")
    page.keyboard.press("Enter")
    page.wait_for_selector("#cards [data-card='3c'][data-mark='\u2715']")
    assert page.locator("#cards [data-card='3c'] .suit").is_hidden()
    page.keyboard.press("Escape")
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    grid, header, band = box(page, GRID), box(page, "header"), box(page, "#answer-part")
    page.fill(TEXT, "22+,xyzzy," + "AKs:2," * 40)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{TEXT}[aria-invalid='true']")
    assert page.locator(".seat .error:visible").count() == 1
    page.evaluate("document.querySelector('#note').textContent = 'It cannot be copied. '.repeat(5)")
    assert box(page, GRID) == grid and box(page, "header") == header
    assert box(page, "#answer-part") == band
    # What is lower than the window is scrolled to, not cut off.
    page.set_viewport_size({"width": 1280, "height": 400})
    page.locator(cell("22")).scroll_into_view_if_needed()
    last = box(page, cell("22"))
    assert last["y"] + last["height"] <= 400 and page.evaluate("scrollY") > 0
    page.goto(link(address, ["AA:$ds", "KKQQ"], game="omaha", board="2s7d9h"))
    page.wait_for_selector(".classes td")
    page.close()


def test_ten_players_by_touch(browser: Any, address: str) -> None:
    """The answer covers no focused field; no field is so small that a browser zooms into it."""
    context = touch_context(browser)
    page = context.new_page()
    page.goto(link(address, TEN, board="2s7d9h"))
    page.wait_for_selector("#result > li:nth-child(10)")
    fields = page.locator("input:not([type=radio], [type=range]), select").evaluate_all(
        "all => all.filter(one => one.offsetParent)"
        ".map(one => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(fields) >= 16
    widths = page.locator("#result .name").evaluate_all("all => all.map(one => one.clientWidth)")
    assert min(widths) > 40
    for size in ((390, 844), (320, 640), (820, 600)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.evaluate(f'document.activeElement.blur(), document.querySelector("{TEXT}").focus()')
        page.wait_for_timeout(50)
        answer = box(page, "#answer-part")
        assert answer["height"] <= 0.5 * size[1]
        assert box(page, TEXT)["y"] >= answer["y"] + answer["height"], size
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
    page.wait_for_selector("[data-heat]")

    def style(selector: str, name: str) -> str:
        found: str = page.eval_on_selector(
            selector, "(one, name) => getComputedStyle(one).getPropertyValue(name)", name
        )
        return found

    heat = style(cell("AKs"), "background-image")
    assert "gradient" in heat
    page.click("#modes [data-mode='range']")
    for name, chosen, other in (
        ("background-color", "#tab-hits", "#tab-bet"),
        ("border-top-color", ".seat[data-chosen='true']", ".seat[data-chosen='false']"),
        ("background-color", "#modes [data-mode='range']", "#modes [data-mode='hits']"),
        ("background-color", "#split [data-letter='A']", "#split [data-letter='B']"),
        ("border-top-color", cell("AKs"), cell("AQs")),
    ):
        assert style(chosen, name) != style(other, name), chosen
    assert "gradient" in style(cell("QQ"), "background-image")
    assert "50%" in style(cell("QQ"), "background-size")
    context.close()


def test_combos_close(browser: Any, address: str) -> None:
    """The box of single combos is a table of suits within the window, and goes with its cell."""
    page = opened(browser, (390, 640), "light", link(address, RANGES, board="2s7d9h"))
    page.wait_for_selector(EXACT)
    page.wait_for_selector(f"{GRID} [aria-selected='true']")  # the range has been read
    opener = page.locator(cell("72o"))

    def show_combos() -> None:
        opener.focus()
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


def sent(response: Any) -> int:
    """Return the bytes of a file as it was sent, compressed."""
    return int(response.request.sizes()["responseBodySize"])


def test_the_page_is_small_and_kept(browser: Any, address: str) -> None:
    """At most six files, 70 kB in all; a reload asks for the page, unchanged, and for the answer."""
    page = browser.new_page()
    files: list[Any] = []
    page.on("response", lambda one: files.append(one) if "/v1/" not in one.url else None)
    page.goto(link(address, ["15%", "QQ+"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    page.wait_for_load_state("networkidle")
    assert len(files) <= 6
    assert 30_000 < sum(sent(one) for one in files) <= 70_000
    # The view and the grids have come as well, and are known after a reload.
    page.wait_for_selector(VIEW)
    page.wait_for_selector("[data-heat]")
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.reload()
    page.wait_for_selector(EXACT)
    page.wait_for_selector("[data-heat]")
    page.wait_for_load_state("networkidle")
    cached = page.evaluate(
        """() => performance.getEntriesByType("resource")
          .filter(one => one.transferSize === 0).map(one => one.name)"""
    )
    new = [url.removeprefix(address) for url in asked if url not in cached]
    assert len(new) == 2 and new[1] == "/v1/equity/stream", new
    page.close()


def test_nothing_shifts(browser: Any, address: str) -> None:
    """From the first paint to the exact answer, through strokes and views, nothing jumps."""
    for size in (DESKTOP, PHONE):
        page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        page.add_init_script(
            """window.shift = 0;
            new PerformanceObserver((list) => {
              for (const one of list.getEntries()) window.shift += one.value;
            }).observe({type: "layout-shift", buffered: true});"""
        )
        page.goto(link(address, RANGES, board="2s7d9h"))
        page.wait_for_selector(EXACT)
        page.wait_for_timeout(500)
        stroke(page, "T9s", "98s", "87s")
        page.wait_for_selector(EXACT)
        page.wait_for_timeout(300)
        assert page.evaluate("shift") < 0.01, size
        page.close()


TWO = ["22+,A2s+,KTs+,QTs+,JTs,ATo+,KJo+", "66+,A9s+,KJs+,AJo+,65s:0.5"]
PICTURES = {
    "ranges-light": (DESKTOP, "light", TWO, "hits"),
    "ranges-dark": (DESKTOP, "dark", TWO, "graph"),
    "phone-light": (PHONE, "light", TWO, ""),
    "all-in-light": (DESKTOP, "light", TWO, "push-fold"),
}
"""The pictures of docs/: size, theme, hands and view."""
SIZES = [DESKTOP, LAPTOP, TABLET, PHONE]
EVERY = PICTURES | {
    f"{name}-{width}-{theme}": ((width, height), theme, hands, view)
    for name, hands, view in (("two", TWO, "hits"), ("three", [*TWO, "KQ"], "graph"))
    for width, height in SIZES
    for theme in ("light", "dark")
}


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[] if one in PICTURES else pytest.mark.weekly) for one in EVERY]
)
def test_pictures(browser: Any, address: str, name: str) -> None:
    """The main states, as pictures to look at; written where GPUODDS_PICTURES names a folder."""
    from PIL import Image

    size, theme, hands, view = EVERY[name]
    page = opened(browser, size, theme, link(address, hands, board="2s7s9hTc"))
    page.wait_for_selector("#badge:is(:text('exact'), :text('final'))", timeout=60_000)
    if name == "ranges-light":
        stroke(page, "T9s", "98s", "87s")
    if view:
        show(page, view)
    if view == "push-fold":
        page.locator("#view .chart [data-name='K7o']").click()
        page.wait_for_selector("#push-decision")
    page.wait_for_timeout(700)
    picture = Image.open(io.BytesIO(page.screenshot()))
    assert picture.size == size
    colors = picture.convert("RGB").quantize(256, kmeans=2)
    assert len(colors.getcolors() or []) > 64  # not a blank page
    folder = os.environ.get("GPUODDS_PICTURES")
    if folder:
        Path(folder).mkdir(exist_ok=True)
        colors.save(Path(folder) / f"{name}.png", optimize=True)
    page.close()
