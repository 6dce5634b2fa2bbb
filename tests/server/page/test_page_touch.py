"""The page by touch: strokes, taps, long presses and swipes on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from page_driver import EXACT, VIEW, fill, link, middle, seat, show, touch_context, wait_for

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


def text(page: Any) -> str:
    found: str = page.input_value("#range-text")
    return found


def wait_text(page: Any, wanted: str) -> None:
    wait_for(page, "document.querySelector('#range-text').value === v", wanted)


def to_grid(page: Any) -> None:
    page.evaluate("document.querySelector('#grid').scrollIntoView({block: 'end'})")
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
    phone.wait_for_selector("#grid [data-name='AA'][aria-selected='true']")
    fingers = Fingers(phone)
    for is_painting in (False, True):
        if is_painting:
            phone.locator("#drag-paint").tap()
        to_grid(phone)
        fingers.hold(middle(phone, "AKo"))
        phone.wait_for_selector("#combos", state="visible")
        assert text(phone) == "QQ+"
        # What closes the box paints nothing.
        phone.locator("#grid [data-name='22']").tap()
        phone.wait_for_selector("#combos", state="hidden")
        assert text(phone) == "QQ+"
    fingers.hold(middle(phone, "AKo"))
    phone.locator("#combos [data-combo='AsKh']").tap()
    wait_text(phone, "QQ+,AsKh")
    phone.locator("#close-combos").tap()
    phone.wait_for_selector("#combos", state="hidden")


def test_a_swipe_over_the_slider_scrolls(phone: Any, address: str) -> None:
    phone.goto(link(address, ["QQ+,AKs", "22"], board="2s7d9h"))
    phone.wait_for_selector("#grid [data-name='AA'][aria-selected='true']")
    to_grid(phone)
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
    """A tap on a letter, a row of the answer, or a button that adds or removes focuses no field."""
    phone.goto(link(address, ["QQ+", "22", "JTs"], board="2s7d9h"))
    phone.wait_for_selector(EXACT)
    is_field = "document.activeElement.matches('input')"
    for target, letter in (
        (".seat:nth-child(3) .chip", "C"),
        ("#result tbody tr:nth-child(2)", "B"),
        ("#add-seat", "D"),
        ("#remove-seat", "C"),
    ):
        phone.locator(target).tap()
        wait_for(phone, "document.querySelector('#range-whose').textContent === v", letter)
        assert not phone.evaluate(is_field), target
    assert phone.inner_text("#shares").startswith("C: win ")
    # Enter takes what was typed, and lets the keyboard go.
    phone.locator(seat(1)).tap()
    fill(phone, seat(1), "KK")
    wait_for(phone, f"!{is_field}")


def test_errors_and_views_stay_in_sight(phone: Any, address: str) -> None:
    phone.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    phone.wait_for_selector(EXACT)
    fill(phone, "#range-text", "AKx+")
    wait_for(phone, "document.querySelector('#range-size').textContent.includes('column 3')")
    assert phone.get_attribute("#range-text", "aria-invalid") == "true"
    assert phone.locator(".error:visible").count() == 0  # it is shown once
    phone.goto(link(address, ["QQ+", "22"], board="zz"))
    phone.locator("#see-fault").tap()
    assert phone.evaluate("document.activeElement.id") == "board"
    # A view that is being made moves nothing.
    phone.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    phone.wait_for_selector(VIEW)
    phone.evaluate("document.querySelector('#tabs').scrollIntoView()")
    top = phone.locator("#tab-bet").bounding_box()["y"]
    for view in ("hits", "cards", "bet", "graph"):
        show(phone, view)
        assert abs(phone.locator("#tab-bet").bounding_box()["y"] - top) < 2, view


def test_a_low_screen_has_answer_and_grid_side_by_side(phone: Any, address: str) -> None:
    phone.set_viewport_size({"width": 844, "height": 390})
    phone.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    phone.wait_for_selector(EXACT)
    to_grid(phone)
    answer = phone.locator("#answer-part").bounding_box()
    grid = phone.locator("#grid").bounding_box()
    assert 0 <= answer["y"] < 390 and answer["x"] + answer["width"] <= grid["x"]
    assert phone.evaluate("document.documentElement.scrollWidth") == 844


@pytest.mark.parametrize("width", [390, 320])
def test_fingers_reach_everything(phone: Any, address: str, width: int) -> None:
    """Controls are at least 24 px wide and high; cells of the grid 20 px on a 320 px screen."""
    phone.set_viewport_size({"width": width, "height": 640})
    phone.goto(link(address, ["AKs", "QQ"], board="9h8h2cQs3h"))
    phone.wait_for_selector(EXACT)
    for view in ("hands", "hits"):
        show(phone, view)
        small = phone.evaluate(
            """least => [...document.querySelectorAll(
                "button, input:not([type=radio]), select, [role=gridcell]")]
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
