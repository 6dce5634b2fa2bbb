"""Filters by street on the page, and its trainer."""

from __future__ import annotations

from typing import Any

import pytest
from page_driver import (
    EXACT,
    TEXT,
    cell,
    choose,
    equity,
    fill,
    link,
    open_box,
    show,
    show_views,
    text,
    wait_for,
)

import gpuodds

pytestmark = pytest.mark.slow

LEFT = "document.querySelector('#result .combos').textContent.startsWith(v)"
RANGE, OTHER = "22+,A2s+,KTs+", "66+,AT+"


def passing(board: str, *classes: set[str]) -> gpuodds.Range:
    """Return what of the range has one of the classes of each street, counted by the library."""
    kept: set[str] | None = None
    for hits, wanted in zip(gpuodds.range_hits(RANGE, board=board).streets, classes, strict=False):
        own = {one.hand for one in hits.by_hand if wanted & {one.made, *one.draws}}
        kept = own if kept is None else kept & own
    assert kept
    return gpuodds.Range(",".join(sorted(kept)))


def test_filters_by_street(page: Any, address: str) -> None:
    """What hits the flop, then the turn, plays on; the range itself stays as it is."""
    page.goto(link(address, [RANGE, OTHER], board="Ks9h4d"))
    page.wait_for_selector(EXACT)
    show(page, "hits")
    for name in ("top pair", "set", "backdoor flush draw"):
        page.click(f"[data-hit='{name}']")
    page.click("#filter-hits")
    flop = {"top pair", "set", "backdoor flush draw"}
    kept = passing("Ks9h4d", flop)
    wait_for(
        page,
        "document.querySelector('#result .combos').textContent.startsWith(v)",
        f"{kept.weight:g} of ",
    )
    exact = gpuodds.equity([kept, gpuodds.Range(OTHER)], board="Ks9h4d", backend="cpu")
    assert abs(equity(page) - exact.equity) < 1e-6
    assert page.input_value("#seats > li:nth-child(1) .head input") == RANGE
    assert "filter=1.flop." in page.url
    # On the turn a second one; the board takes both along, and a shorter board only the first.
    fill(page, "#board", "Ks9h4d2s")
    page.wait_for_selector(EXACT)
    show_views(page)
    show(page, "hits")
    page.click("[data-hit='flush draw']")
    page.click("#filter-hits")
    both = passing("Ks9h4d2s", flop, {"flush draw"})
    wait_for(
        page,
        "document.querySelector('#result .combos').textContent.startsWith(v)",
        f"{both.weight:g} of ",
    )
    exact = gpuodds.equity([both, gpuodds.Range(OTHER)], board="Ks9h4d2s", backend="cpu")
    assert abs(equity(page) - exact.equity) < 1e-6
    # A link has them, and the command asks for what they leave.
    page.reload()
    assert abs(equity(page) - exact.equity) < 1e-6
    open_box(page, "share")
    page.click("#copy-command")
    wait_for(page, "document.querySelector('#note').textContent === 'Command copied.'")
    asked = page.evaluate("navigator.clipboard.readText()").split()[2]
    assert gpuodds.Range(asked) == both
    fill(page, "#board", "Ks9h4d")
    first = gpuodds.equity([kept, gpuodds.Range(OTHER)], board="Ks9h4d", backend="cpu")
    assert abs(equity(page) - first.equity) < 1e-6
    # A filter goes with a click.
    fill(page, TEXT, RANGE)
    assert page.locator(f"{cell('QQ')}[data-out='true']").count() == (0 if "QsQh" in str(kept) else 1)
    for _ in range(2):
        page.click(".seat[data-chosen='true'] .filters button >> nth=0")
    plain = gpuodds.equity([RANGE, OTHER], board="Ks9h4d", backend="cpu")
    assert abs(equity(page) - plain.equity) < 1e-6
    assert "filter" not in page.url and text(page) == RANGE


def test_a_filter_that_leaves_nothing(page: Any, address: str) -> None:
    page.goto(link(address, ["22", "AK"], board="Ks9h4d", filter="1.flop.two pair"))
    wait_for(page, "document.querySelector('#status').textContent.startsWith('No hand of Player A')")
    page.goto(link(address, ["QQ", "AK"], board="Ks9h4d", filter="1.river.two pair"))
    exact = gpuodds.equity(["QQ", "AK"], board="Ks9h4d", backend="cpu")
    assert abs(equity(page) - exact.equity) < 1e-6  # of a street that is not reached


@pytest.mark.parametrize("level", ["hands", "flop", "range", "turn", "ranges"])
def test_the_trainer(page: Any, address: str, level: str) -> None:
    """A guess is held against the library's equity; near ones in a row are counted."""
    page.goto(link(address, ["AsKs", "QQ"]))
    page.wait_for_selector(EXACT)
    show(page, "train")
    page.select_option("#level", level)
    page.click("#skip")
    cards = {"\u2660": "s", "\u2665": "h", "\u2666": "d", "\u2663": "c"}
    question = " ".join(page.locator("#view .question").all_inner_texts())
    for symbol, letter in cards.items():
        question = question.replace(symbol, letter)
    question = question.replace("the best ", "").replace(" %", "%").replace("\n", "")
    spot, _, board = question.partition(" on ")
    hands = [part.replace(" ", "") for part in spot.split(" v ")]
    exact = gpuodds.equity(hands, board=board.replace(" ", ""), backend="cpu").equity
    page.fill("#guess", f"{100 * exact:.1f}")
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict[data-near='true']")
    assert page.inner_text(".verdict").startswith(f"{100 * exact:.2f} %; you said {100 * exact:.1f} %")
    assert page.inner_text("#streak").startswith("1 in a row within 5 points, best 1")
    page.click("#next-question")
    page.fill("#guess", "0" if exact > 0.5 else "100")
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")
    is_near = page.get_attribute(".verdict", "data-near") == "true"
    streak = 2 if is_near else 0
    assert page.inner_text("#streak").startswith(f"{streak} in a row")
    # The spot of the page is left alone, until it is asked for.
    assert page.input_value("#seats > li:nth-child(1) .head input") == "AsKs"
    page.click("#show-question")
    wait_for(page, "!location.search.includes('hand=AsKs')")
    choose(page, 1)
