"""What the tests of the page share: where its parts are, and waiting for them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import gpuodds

EXACT = "#answer-part[data-stage='exact'] #result[data-old='false']"
VIEW = "#view[data-old='false']"


def touch_context(browser: Any) -> Any:
    """Return a browser context of a phone, 390 x 844, with a touch screen."""
    size = {"width": 390, "height": 844}
    return browser.new_context(viewport=size, has_touch=True, is_mobile=True)


def seat(number: int) -> str:
    """Return the selector of a seat's input, the first being 1."""
    return f"#seats li:nth-child({number}) input"


def fill(page: Any, selector: str, text: str) -> None:
    page.fill(selector, text)
    page.keyboard.press("Enter")


def link(address: str, hands: Sequence[str], **options: str) -> str:
    """Return the address of a spot; ``hands`` as they stand in a link."""
    parts = [f"hand={hand.replace('%', '%25').replace('+', '%2B')}" for hand in hands]
    parts += [f"{name}={value}" for name, value in options.items()]
    return f"{address}/?{'&'.join(parts)}"


def wait_for(page: Any, script: str, value: Any = None) -> None:
    """Wait until an expression of the page, a function of ``v``, is true."""
    page.wait_for_function(f"v => {script}", arg=value)


def equity(page: Any, row: int = 0) -> float:
    """Return an exact equity in the table of the answer, 0 to 1."""
    page.wait_for_selector(EXACT)
    text = page.locator("#result tbody tr").nth(row).locator(".figure").inner_text()
    return float(text.split("%")[0]) / 100


def near(shown: float, hands: list[str], place: int = 0, **options: Any) -> bool:
    exact = gpuodds.equity(hands, **options, backend="cpu").players[place].equity
    return abs(shown - exact) < 1e-6


def names(page: Any) -> list[str]:
    """Return the rows of the answer, as "A QQ+"."""
    rows = page.locator("#result th[scope='row']").all_inner_texts()
    return [" ".join(row.split()) for row in rows]


def show(page: Any, view: str, text: str = "") -> str:
    """Choose a view; return its text once it is up to date and contains ``text``."""
    page.click(f"#tab-{view}")
    wait_for(page, "document.querySelector('#views-part').textContent.includes(v)", text)
    page.wait_for_selector(VIEW)
    shown: str = page.inner_text("#view-title") + "\n" + page.inner_text("#view")
    return shown


def middle(page: Any, name: str) -> tuple[float, float]:
    """Return the middle of a cell of the grid."""
    box = page.locator(f"#grid [data-name='{name}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def stroke(page: Any, *names: str) -> None:
    """Drag from cell to cell of the grid."""
    page.evaluate("document.querySelector('#grid').scrollIntoView({block: 'center'})")
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
