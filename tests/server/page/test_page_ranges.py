"""The range editor of the page: strokes, weights, combos, text, slider, presets, saved ranges."""

from __future__ import annotations

import json
from typing import Any

import pytest
from page_driver import (
    EXACT,
    GRID,
    TEXT,
    Gate,
    cell,
    choose,
    close_boxes,
    empty,
    fill,
    fill_seat,
    is_phone,
    link,
    middle,
    open_box,
    seat,
    stroke,
    text,
    to_grid,
    wait_for,
    wait_text,
)

import gpuodds

pytestmark = pytest.mark.slow


def size(page: Any) -> str:
    """Return the combos of the range in focus, in full."""
    found: str = page.get_attribute("#result > li[data-chosen='true'] .combos", "title")
    return found


def wait_size(page: Any, part: str) -> None:
    there = "document.querySelector('#result > li[data-chosen=true] .combos').title.includes(v)"
    wait_for(page, there, part)


def fill_of(page: Any, name: str) -> str:
    """Return the fill height of a cell."""
    found: str = page.locator(cell(name)).evaluate("e => e.style.getPropertyValue('--part')")
    return found


def test_a_stroke_sets_the_weight_and_a_second_one_erases(page: Any, address: str) -> None:
    page.goto(empty(address))
    stroke(page, "AA", "AKs", "AQs")
    wait_text(page, "AA,AQs+")
    assert size(page) == "14 combos, 1.1 %"
    page.click("#weights [data-weight='50']")
    stroke(page, "AA", "KK")  # sets the weight of both, whatever it was
    wait_text(page, "AQs+,KK+:0.5")
    assert (fill_of(page, "AA"), fill_of(page, "AKs"), fill_of(page, "QQ")) == ("50%", "100%", "0%")
    stroke(page, "AA", "KK")
    wait_text(page, "AQs+")
    # A stroke is one step to undo, and is in the address when it ends.
    page.click("#undo")
    wait_text(page, "AQs+,KK+:0.5")
    page.click("#undo")
    wait_text(page, "AA,AQs+")
    page.click("#undo")
    wait_text(page, "")
    assert page.is_disabled("#undo")


def test_the_end_of_a_stroke_asks_at_once(page: Any, address: str) -> None:
    """What a stroke holds back, to ask less often, is not held back any longer when it ends."""
    page.clock.install()
    page.goto(link(address, ["", "22"], board="2s7d9h"))
    wait_for(page, "document.documentElement.dataset.ready")
    page.clock.pause_at("2100-01-01")  # no timer of the page runs out
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.post_data) if "stream" in one.url else None)
    stroke(page, "AA", "AKs")
    wait_text(page, "AA,AKs")
    page.wait_for_selector(EXACT)
    assert [json.loads(body)["hands"][0] for body in asked] == ["AA", "AA,AKs"]


def test_suits_and_single_combos(page: Any, address: str) -> None:
    page.goto(empty(address))
    page.click("#suit-picks [data-suit='s']")
    page.focus(cell("AA"))
    for key in ("ArrowRight", "ArrowDown", "Space"):  # KK
        page.keyboard.press(key)
    wait_text(page, "KsKh,KsKd,KsKc")
    assert page.get_attribute(cell("KK"), "data-mixed") == "true"
    assert page.get_attribute(cell("KK"), "aria-label") == "KK, 50 %, combos differ"
    # By keyboard: the box of the cell, one tab stop, and back to the cell.
    page.keyboard.press("Enter")
    assert page.locator("#combo-rows button").count() == 6
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    wait_for(page, "!document.querySelector(v).value.includes('KsKd')", TEXT)
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.name") == "KK"
    # By mouse: twelve offsuit combos, four suited ones.
    page.click(cell("AKo"), button="right")
    assert page.locator("#combo-rows button").count() == 12
    page.keyboard.press("Escape")
    page.click("#weights [data-weight='25']")
    page.click(cell("AKo"), button="right")
    page.click("#combos [data-combo='AsKh']")
    wait_text(page, "KsKh,KsKc,AsKh:0.25")
    page.keyboard.press("Escape")
    page.click(cell("AKs"), button="right")
    assert page.locator("#combo-rows button").count() == 4
    page.keyboard.press("Escape")
    page.wait_for_selector("#combos", state="hidden")


def test_the_slider_previews_and_follows_the_seat(page: Any, address: str) -> None:
    page.goto(link(address, ["30%", "KK"], board="2s7d9h"))
    page.wait_for_selector(cell("AA") + "[aria-selected='true']")
    assert page.inner_text("#percent-shown") == "30 %"
    assert page.inner_text("#percent-name") == "Top"
    slider = page.locator("#percent")
    for value in (25, 20, 15):
        slider.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input')) }", value)
    wait_text(page, "15%")
    wait_size(page, f"{gpuodds.Range('15%').weight:g} combos")
    slider.evaluate("e => e.dispatchEvent(new Event('change'))")
    page.click("#undo")  # the whole drag is one step
    wait_text(page, "30%")
    assert page.is_disabled("#undo")
    choose(page, 2)
    wait_for(page, "document.querySelector('#percent-shown').textContent === '0.5 %'")
    assert page.inner_text("#percent-name") == "Size"  # kings are not the best hands
    assert page.input_value("#percent") == "0.5"


def test_text_in_any_dialect_and_out_in_others(page: Any, address: str) -> None:
    page.goto(empty(address))
    choose(page, 1)
    fill(page, TEXT, "22+, [50]AK[/50]")
    wait_size(page, "86 combos")
    open_box(page, "seat-menu")
    page.click("#copy-pio")
    wait_for(page, "document.querySelector('#note').textContent === 'Range copied.'")
    pasted = page.evaluate("navigator.clipboard.readText()")
    assert gpuodds.Range(pasted) == gpuodds.Range("22+,AK:0.5")
    page.click("#invert")
    close_boxes(page)
    wait_for(page, "document.querySelector(v).value.includes('AK:0.5')", TEXT)
    assert gpuodds.Range(text(page)) == ~gpuodds.Range("22+,AK:0.5")
    fill(page, TEXT, "AKx+")
    wait_for(page, "document.querySelector('.seat .error').textContent.includes('column 3')")


def test_the_page_writes_ranges_as_the_library_does(page: Any, address: str) -> None:
    """The texts of strokes are those of ``Range.to_string``, in as few items."""
    page.goto(empty(address))
    texts = [
        "random", "22+,A2s+", "QQ-88,A9s-A6s,KTo+,JTs", "AK:0.5,AA,AsKs", "0%", "A2+,K9s+,54s",
        "99+:0.25,AQ+,KJs-K8s:0.75,AhTh", "15%", "40%", "!AKs,22+", "-(AA,KK),random",
        "KhTh,KdTd,KcTc,Ks6s,AsKc,AcKs,7h6h",
    ]  # fmt: skip
    script = "async w => (await import('/ranges.js')).textOf(w)"
    reading = "async t => (await import('/ranges.js')).weightsOf(t)"
    for wanted in texts:
        made = gpuodds.Range(wanted)
        weights = made.to_dict()["weights"]
        found = page.evaluate(script, weights)
        assert (found or "0%") == made.to_string()
        if found:
            assert page.evaluate(reading, found) == weights  # and reads them back
    # What it does not read as the library does, it leaves to the server.
    for other in ("JTs+", "AK,AKs", "AKs-AJo", "ATs-AKs", "22-55", "AsAs", "AKs:2", "KA", "15%", "AK+"):
        assert page.evaluate(reading, other) is None


def test_combos_are_counted_beside_known_cards(page: Any, address: str) -> None:
    page.goto(link(address, ["AA,KK", "AsQs"], board="Kd7d2c", dead="Ah"))
    left = gpuodds.Range("AA,KK").without("AsQsKd7d2cAh").weight
    wait_size(page, "known")
    assert size(page) == f"12 combos, 0.9 %, {left:g} with the known cards"
    assert page.inner_text("#result > li[data-chosen='true'] .combos") == f"{left:g} combos"


def test_a_range_is_painted_for_its_own_seat(page: Any, address: str) -> None:
    gate = Gate(page, "**/v1/range")
    page.goto(link(address, ["QQ+", "3%"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    choose(page, 2)
    gate.wait()
    # What is not read yet is not shown as the range before, nor painted on it.
    assert page.locator(f"{GRID} [aria-selected='true']").count() == 0
    page.focus(cell("22"))
    page.keyboard.press(" ")
    assert text(page) == "3%"
    gate.open()
    wait_text(
        page, (gpuodds.Range("3%") | gpuodds.Range("22")).to_string()
    )  # a stroke waits for its range


def test_a_stroke_can_be_taken_back(page: Any, address: str) -> None:
    page.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    page.wait_for_selector(cell("AA") + "[aria-selected='true']")
    to_grid(page)
    for key in ("Escape", "Control+z"):
        page.mouse.move(*middle(page, "T9s"))
        page.mouse.down()
        wait_text(page, "QQ+,T9s")
        page.keyboard.press(key)
        wait_text(page, "QQ+")
        page.mouse.move(*middle(page, "98s"))  # paints no more
        page.mouse.up()
        assert text(page) == "QQ+" and page.is_disabled("#undo")


def test_a_slider_that_comes_back_ends_its_drag(page: Any, address: str) -> None:
    page.goto(link(address, ["20%", "22"], board="2s7d9h"))
    slider = page.locator("#percent")
    for value in (25, 20):
        slider.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input')) }", value)
    slider.evaluate("e => e.dispatchEvent(new Event('pointerup'))")  # and no change
    wait_text(page, "20%")
    fill(page, "#board", "2s7d9hKc")
    wait_for(page, "location.search.includes('2s7d9hKc')")
    page.click("#undo")
    wait_for(page, "document.querySelector('#board').value === '2s7d9h'")
    assert text(page) == "20%"


def test_weights_to_paint_with(page: Any, address: str) -> None:
    page.goto(empty(address))
    for given, kept in (
        ("33.3", "33.3"),
        ("", "33.3"),
        ("1000", "100"),
        ("-5", "0"),
        ("12.345", "12.35"),
    ):
        fill(page, "#weight", given)
        assert page.input_value("#weight") == kept
    page.click("#weights [data-weight='75']")
    assert page.get_attribute("#weights [data-weight='75']", "aria-pressed") == "true"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("-")
    assert page.input_value("#weight") == "70" and page.inner_text("#note") == "Weight 70 %"
    stroke(page, "AA")
    wait_text(page, "AA:0.7")


def test_typed_text_is_not_lost(page: Any, address: str) -> None:
    """A click in the grid takes what was typed; undo is the page's."""
    page.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    page.wait_for_selector(cell("AA") + "[aria-selected='true']")
    choose(page, 2)
    page.focus(seat(2))
    page.keyboard.press("End")
    page.keyboard.type("+")
    assert page.input_value(seat(2)) == "22+"
    page.click(cell("AKs"))
    wait_text(page, "22+,AKs")
    fill(page, TEXT, "JTs")
    page.keyboard.press("Control+z")
    wait_text(page, "22+,AKs")


def test_a_stroke_on_the_other_grid(page: Any, address: str) -> None:
    """Both grids of two players can be painted: a stroke puts its player in focus."""
    page.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    if is_phone(page):
        assert page.locator(".seat:visible").count() == 1
        return
    page.click("#seats > li:nth-child(2) [data-name='JJ']")
    wait_text(page, "JJ,22", 2)
    assert text(page) == "JJ,22"
    page.click("#seats > li:nth-child(1) [data-name='JJ']")
    wait_text(page, "JJ+", 1)
    assert text(page) == "JJ+"


def test_quick_picks(page: Any, address: str) -> None:
    page.goto(empty(address))
    page.click("[data-pick='pairs']")
    wait_text(page, "22+")
    page.click("#weights [data-weight='50']")
    page.click("[data-pick='connectors']")
    wait_for(page, "document.querySelector(v).value.includes(':0.5')", TEXT)
    made = gpuodds.Range(text(page))
    assert made == gpuodds.Range(
        "22+,AKs:0.5,KQs:0.5,QJs:0.5,JTs:0.5,T9s:0.5,98s:0.5,87s:0.5,76s:0.5,65s:0.5,54s:0.5,43s:0.5,32s:0.5"
    )
    page.click("[data-pick='connectors']")  # a second time takes them away
    wait_text(page, "22+")
    page.click("#weights [data-weight='100']")
    page.click("[data-pick='broadway']")
    wait_for(page, "document.querySelector(v).value !== '22+'", TEXT)
    assert gpuodds.Range(text(page)) == gpuodds.Range("22+,AT+,KT+,QT+,JT")
    page.click("#undo")
    wait_text(page, "22+")


def test_many_single_combos_are_read_at_once(page: Any, address: str) -> None:
    """Text as the page writes it is read by the page: no request, whatever its length."""
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/v1/range" in one.url else None)
    page.goto(empty(address))
    weights = {
        combo: (at % 9 + 1) / 10
        for at, combo in enumerate(gpuodds.Range("random").to_dict()["weights"])
    }
    fill(page, TEXT, ",".join(f"{combo}:{weight:g}" for combo, weight in weights.items()))
    page.wait_for_selector(cell("72o") + "[aria-selected='true']")
    assert size(page).startswith(f"{sum(weights.values()):.2f}".rstrip("0").rstrip("."))
    assert asked == []


def test_a_fast_stroke_leaves_no_holes(page: Any, address: str) -> None:
    page.goto(empty(address))
    to_grid(page)
    page.mouse.move(*middle(page, "A2s"))
    page.mouse.down()
    page.mouse.move(*middle(page, "AKs"))
    outside = page.locator(TEXT).bounding_box()
    page.mouse.move(outside["x"] + 5, outside["y"] + 5)
    page.mouse.move(*middle(page, "T9s"))  # from outside, down across the grid
    page.mouse.up()
    painted = gpuodds.Range(text(page)).to_dict()["weights"]
    for name in ("AsKs", "As9s", "As2s", "Ts9s"):
        assert painted[name] == 1
    assert "Ks2s" not in painted and page.is_enabled("#undo")
    # Undo of a painted range asks the server for no weights.
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/v1/range" in one.url else None)
    page.click(cell("22"))
    page.click("#undo")
    page.wait_for_selector(cell("22") + "[aria-selected='false']")
    assert asked == []


def test_hands_in_other_words(page: Any, address: str) -> None:
    """Suit symbols and numeric ranks make a known hand; a repeated card does not."""
    page.goto(link(address, ["A\u2660K\u2660", "AA,KK"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    choose(page, 2)
    wait_size(page, "6 with the known")
    choose(page, 1)
    fill_seat(page, 1, "AsAs")
    page.wait_for_selector(f"{seat(1)}[aria-invalid='true']")
    wait_for(page, "!document.querySelector(v + ' [aria-selected=true]')", GRID)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.type("10s12h")
    wait_text(page, "TsQh")
    page.keyboard.type("1s9s")
    wait_text(page, "As9s")
