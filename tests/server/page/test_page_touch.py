"""The page by touch: strokes, taps, long presses and swipes on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from page_driver import (
    EXACT,
    GRID,
    TEXT,
    VIEW,
    cell,
    fill,
    link,
    middle,
    open_box,
    show,
    show_views,
    text,
    touch_context,
    wait_for,
    wait_text,
)

pytestmark = pytest.mark.slow


class Fingers:
    """Fingers on the touch screen, by the browser's own input events."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def _send(self, kind: str, points: list[tuple[float, float]]) -> None:
        touches = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def down(self, *points: tuple[float, float]) -> None:
        self._send("touchStart", [*points])

    def move(self, *points: tuple[float, float]) -> None:
        self._send("touchMove", [*points])

    def up(self) -> None:
        self._send("touchEnd", [])

    def hold(self, point: tuple[float, float]) -> None:
        self.down(point)
        self._page.wait_for_timeout(700)
        self.up()


@pytest.fixture
def phone(browser: Any, address: str) -> Iterator[Any]:
    context = touch_context(browser)
    context.set_default_timeout(20_000)
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    assert faults == []
    context.close()


def to_grid(page: Any) -> None:
    page.evaluate(f'document.querySelector("{GRID}").scrollIntoView({{block: "end"}})')
    page.wait_for_timeout(100)


def test_a_stroke_of_a_finger(phone: Any, address: str) -> None:
    """A fast stroke on an empty seat paints each cell on its way, and the grid does not move."""
    phone.goto(link(address, ["", "QQ+"], board="2s7d9h"))
    wait_for(phone, "document.documentElement.dataset.ready")
    phone.locator("#drag-paint").tap()
    to_grid(phone)
    fingers, top = Fingers(phone), middle(phone, "K9s")
    fingers.down(top)
    fingers.move(middle(phone, "K2s"))
    wait_text(phone, "K9s-K2s")
    phone.wait_for_selector(EXACT, state="attached")
    assert middle(phone, "K9s") == top
    fingers.up()
    # A second finger zooms: the stroke is taken back.
    first, second = middle(phone, "A5s"), middle(phone, "J5s")
    fingers.down(first)
    wait_text(phone, "A5s,K9s-K2s")
    fingers.down(first, second)
    wait_text(phone, "K9s-K2s")
    fingers.move(middle(phone, "A9s"), middle(phone, "J9s"))
    fingers.up()
    phone.wait_for_timeout(100)
    assert text(phone) == "K9s-K2s"


def test_a_long_press_shows_combos(phone: Any, address: str) -> None:
    phone.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    phone.wait_for_selector(cell("AA") + "[aria-selected='true']")
    fingers = Fingers(phone)
    for is_painting in (False, True):
        if is_painting:
            phone.locator("#drag-paint").tap()
        to_grid(phone)
        fingers.hold(middle(phone, "AKo"))
        phone.wait_for_selector("#combos", state="visible")
        assert text(phone) == "QQ+"
        # What closes the box paints nothing.
        phone.locator(cell("22")).tap()
        phone.wait_for_selector("#combos", state="hidden")
        assert text(phone) == "QQ+"
    fingers.hold(middle(phone, "AKo"))
    phone.locator("#combos [data-combo='AsKh']").tap()
    wait_text(phone, "QQ+,AsKh")
    phone.locator("#close-combos").tap()
    phone.wait_for_selector("#combos", state="hidden")


def test_a_swipe_over_the_slider_scrolls(phone: Any, address: str) -> None:
    phone.goto(link(address, ["QQ+,AKs", "22"], board="2s7d9h"))
    phone.wait_for_selector(cell("AA") + "[aria-selected='true']")
    phone.evaluate("document.querySelector('#percent').scrollIntoView({block: 'center'})")
    phone.wait_for_timeout(100)
    box = phone.locator("#percent").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    fingers, before = Fingers(phone), phone.evaluate("scrollY")
    fingers.down((x, y))
    for step in range(1, 12):
        fingers.move((x, y + 12 * step))
    fingers.up()
    wait_for(phone, "scrollY !== v", before)
    wait_text(phone, "QQ+,AKs")
    assert phone.is_disabled("#undo")


def test_players_without_the_keyboard_of_the_screen(phone: Any, address: str) -> None:
    """A tap on a name, or a button that adds or removes, focuses no field."""
    phone.goto(link(address, ["QQ+", "22", "JTs"], board="2s7d9h"))
    phone.wait_for_selector(EXACT)
    is_field = "document.activeElement.matches('input')"

    def tap(target: str, letter: str) -> None:
        phone.locator(target).tap()
        wait_for(
            phone, "document.querySelector('.seat[data-chosen=true]').dataset.letter === v", letter
        )
        assert not phone.evaluate(is_field), target

    tap("#result > li:nth-child(3) .name", "C")
    tap("#result > li:nth-child(2)", "B")
    tap("#add-seat", "D")
    open_box(phone, "seat-menu")
    tap("#remove-seat", "C")
    wait_for(phone, "document.querySelector('#shares').textContent.startsWith('Player C: win ')")
    # Enter takes what was typed, and lets the keyboard go.
    phone.locator(TEXT).tap()
    fill(phone, TEXT, "KK")
    wait_for(phone, f"!{is_field}")


def test_errors_and_views_stay_in_sight(phone: Any, address: str) -> None:
    phone.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    phone.wait_for_selector(EXACT)
    fill(phone, TEXT, "AKx+")
    wait_for(phone, "document.querySelector('.seat .error').textContent.includes('column 3')")
    assert phone.get_attribute(TEXT, "aria-invalid") == "true"
    assert phone.locator(".error:visible").count() == 1  # it is shown once
    phone.goto(link(address, ["QQ+", "22"], board="zz"))
    phone.locator("#see-fault").tap()
    assert phone.evaluate("document.activeElement.id") == "board"
    # A view that is being made moves nothing.
    phone.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    phone.wait_for_selector(EXACT)
    show_views(phone)
    phone.wait_for_selector(VIEW)
    top = phone.locator("#tab-bet").bounding_box()["y"]
    for view in ("hits", "cards", "bet", "graph"):
        show(phone, view)
        assert abs(phone.locator("#tab-bet").bounding_box()["y"] - top) < 2, view


def test_the_bar_at_the_bottom(phone: Any, address: str) -> None:
    """Everything is within reach of a thumb: range, board, hits, and the rest."""
    phone.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    phone.wait_for_selector(EXACT)
    assert phone.locator("#seats").is_visible() and phone.locator("#views-part").is_hidden()
    bar = phone.locator("#parts").bounding_box()
    assert abs(bar["y"] + bar["height"] - 844) < 1
    phone.locator("#parts [data-part='views']").tap()
    assert phone.locator("#seats").is_hidden() and phone.locator("#views-part").is_visible()
    assert phone.locator("#result .figure").first.is_visible()  # the equity stays
    phone.locator("#parts [data-deck]").tap()
    phone.wait_for_selector("#deck", state="visible")
    deck = phone.locator("#deck").bounding_box()
    assert abs(deck["y"] + deck["height"] - bar["y"]) < 12 and deck["y"] > 844 / 4
    phone.locator("#cards [data-card='Tc']").tap()
    wait_for(phone, "document.querySelector('#board').value === '2s7d9hTc'")
    phone.locator("#parts [data-menu]").tap()
    phone.wait_for_selector("#menu", state="visible")
    phone.locator("#menu-share").tap()
    phone.wait_for_selector("#share", state="visible")
    share = phone.locator("#share").bounding_box()
    assert share["y"] > 844 / 2


@pytest.mark.parametrize("width", [390, 320])
def test_fingers_reach_everything(phone: Any, address: str, width: int) -> None:
    """Controls are at least 24 px wide and high; cells of the grid 20 px on a 320 px screen."""
    phone.set_viewport_size({"width": width, "height": 640})
    phone.goto(link(address, ["AKs", "QQ"], board="9h8h2cQs3h"))
    phone.wait_for_selector(EXACT)
    for view in ("", "graph", "hits"):
        if view:
            show(phone, view)
        small = phone.evaluate(
            """least => [...document.querySelectorAll(
                "button, input:not([type=radio], [type=range]), select, [role=gridcell]")]
              .filter(one => one.offsetParent).filter(one => {
                const { width, height } = one.getBoundingClientRect();
                return Math.min(width, height) < (one.matches("[role=gridcell]") ? least : 24);
              }).map(one => one.id || one.textContent)""",
            24 if width > 360 else 20,
        )
        assert small == []
        assert phone.evaluate("document.documentElement.scrollWidth") == width
    # With text at 200 % the page is no wider than the screen.
    phone.evaluate("document.documentElement.style.fontSize = '32px'")
    assert phone.evaluate("document.documentElement.scrollWidth") <= width
