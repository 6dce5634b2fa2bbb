"""What the tests of the page share: where its parts are, and waiting for them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest

import gpuodds

EXACT = "#answer-part[data-stage='exact'] #result[data-old='false']"
VIEW = "#view[data-old='false']"
CHOSEN = ".seat[data-chosen='true']"
GRID = f"{CHOSEN} .grid"
TEXT = f"{CHOSEN} .head input"
"""The range in focus as text."""


def looks(phone: pytest.MarkDecorator) -> list[Any]:
    """Return width, height and theme of each window for the page; a dark phone has this mark."""
    return [
        pytest.param((1440, 900, "light"), id="desktop-light"),
        pytest.param((390, 844, "dark"), id="phone-dark", marks=phone),
        pytest.param((1440, 900, "dark"), id="desktop-dark", marks=pytest.mark.weekly),
        pytest.param((390, 844, "light"), id="phone-light", marks=pytest.mark.weekly),
    ]


on_phones = pytest.mark.parametrize("page", looks(pytest.mark.slow), indirect=True)
"""Runs a test on a phone with every change, and not only every week."""


def touch_context(browser: Any) -> Any:
    """Return a browser context of a phone, 390 x 844, with a touch screen."""
    size = {"width": 390, "height": 844}
    return browser.new_context(viewport=size, has_touch=True, is_mobile=True)


def seat(number: int) -> str:
    """Return the selector of a seat's input, the first being 1."""
    return f"#seats > li:nth-child({number}) .head input"


def cell(name: str) -> str:
    """Return the selector of a cell of the grid in focus."""
    return f"{GRID} [data-name='{name}']"


def is_phone(page: Any) -> bool:
    narrow: bool = page.viewport_size["width"] <= 640
    return narrow


def choose(page: Any, number: int) -> None:
    """Put a seat in focus, by its name over the page."""
    page.click(f"#result > li:nth-child({number}) .name")
    if is_phone(page):
        page.click("#parts [data-part='range']")
    page.wait_for_selector(f"#seats > li:nth-child({number})[data-chosen='true']")


def open_box(page: Any, name: str) -> None:
    """Open a box: "deck", "seat-menu" of the seat in focus, "share", "menu" or "visit"."""
    if page.locator(f"#{name}").is_visible():
        return
    if name == "seat-menu":
        page.click(f"{CHOSEN} .head .name")
    elif is_phone(page) and name in ("deck", "menu", "visit"):
        page.click("#parts [data-deck]" if name == "deck" else "#parts [data-menu]")
        if name == "visit":
            page.click("#menu-visit")
    else:
        page.click(f"#show-{name}")
    page.wait_for_selector(f"#{name}", state="visible")


def close_boxes(page: Any) -> None:
    page.evaluate("document.querySelectorAll('[popover]').forEach(one => one.hidePopover())")


def fill(page: Any, selector: str, text: str) -> None:
    """Type into a field that is in sight, or in a box that is opened for it."""
    if selector in ("#board", "#dead"):
        open_box(page, "deck")
    elif is_phone(page) and (selector == TEXT or selector.startswith("#seats")):
        page.click("#parts [data-part='range']")
    page.fill(selector, text)
    page.keyboard.press("Enter")
    if selector in ("#board", "#dead"):
        close_boxes(page)


def fill_seat(page: Any, number: int, text: str) -> None:
    """Give a seat a hand or a range, as text."""
    choose(page, number)
    fill(page, seat(number), text)


def link(address: str, hands: Sequence[str], **options: str) -> str:
    """Return the address of a spot; ``hands`` as they stand in a link."""
    parts = [f"hand={hand.replace('%', '%25').replace('+', '%2B')}" for hand in hands]
    parts += [f"{name}={value}" for name, value in options.items()]
    return f"{address}/?{'&'.join(parts)}"


def empty(address: str) -> str:
    """Return the address of a spot without hands: without one, the page would show its example."""
    return link(address, ["", ""])


def wait_for(page: Any, script: str, value: Any = None) -> None:
    """Wait until an expression of the page, a function of ``v``, is true."""
    page.wait_for_function(f"v => {script}", arg=value)


def wait_text(page: Any, wanted: str, number: int | None = None) -> None:
    """Wait until a seat, by default the one in focus, has this text."""
    wait_for(
        page,
        "document.querySelector(v[0])?.value === v[1]",
        [TEXT if number is None else seat(number), wanted],
    )


def text(page: Any) -> str:
    """Return the text of the range in focus."""
    found: str = page.input_value(TEXT)
    return found


def equity(page: Any, row: int = 0) -> float:
    """Return the exact equity of a row over the page, with its four decimals, 0 to 1."""
    page.wait_for_selector(EXACT)
    shown = page.locator("#result > li").nth(row).locator(".figure").get_attribute("title")
    return float(shown.split("%")[0]) / 100


def near(shown: float, hands: list[str], place: int = 0, **options: Any) -> bool:
    exact = gpuodds.equity(hands, **options, backend="cpu").players[place].equity
    return abs(shown - exact) < 1e-6


def names(page: Any) -> list[str]:
    """Return the names of the players over the page."""
    found: list[str] = page.locator("#result .name").all_inner_texts()
    return found


def show_views(page: Any) -> None:
    """Bring the views in sight."""
    if is_phone(page):
        page.click("#parts [data-part='views']")


def show(page: Any, view: str, text: str = "") -> str:
    """Choose a view; return its text once it is up to date and contains ``text``."""
    show_views(page)
    page.click(f"#tab-{view}")
    wait_for(page, "document.querySelector('#views-part').textContent.includes(v)", text)
    page.wait_for_selector(VIEW)
    shown: str = page.inner_text("#view-title") + "\n" + page.inner_text("#view")
    return shown


def rows(page: Any) -> list[list[str]]:
    """Return the rows of the table in the view."""
    found: list[list[str]] = page.evaluate(
        """[...document.querySelectorAll('#view tbody tr')].map(
          row => [...row.cells].map(one => one.innerText.trim()))"""
    )
    return found


def figure(share: float) -> str:
    """Return a share as the tables of the views write it."""
    return f"{100 * share:.2f}"


def middle(page: Any, name: str) -> tuple[float, float]:
    """Return the middle of a cell of the grid in focus."""
    box = page.locator(cell(name)).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def to_grid(page: Any) -> None:
    page.evaluate(f'document.querySelector("{GRID}").scrollIntoView({{block: "center"}})')


def stroke(page: Any, *names: str) -> None:
    """Drag from cell to cell of the grid in focus."""
    to_grid(page)
    page.mouse.move(*middle(page, names[0]))
    page.mouse.down()
    for name in names[1:]:
        page.mouse.move(*middle(page, name), steps=3)
    page.mouse.up()


class Gate:
    """Holds back requests of a page until it opens."""

    def __init__(self, page: Any, path: str) -> None:
        self._page = page
        self.held: list[Any] = []
        self._is_open = False
        page.route(path, self._take)

    def _take(self, route: Any) -> None:
        if self._is_open:
            route.continue_()
        else:
            self.held.append(route)

    def wait(self, count: int = 1) -> None:
        """Wait until this many requests are held back."""
        until = time.monotonic() + 20
        while len(self.held) < count and time.monotonic() < until:
            self._page.wait_for_timeout(20)
        assert len(self.held) == count

    def open(self) -> None:
        self._is_open = True
        for route in self.held:
            route.continue_()


def answering(events: str) -> Any:
    """Return a handler that answers a stream with these events."""
    return lambda route: route.fulfill(content_type="text/event-stream", body=events)
