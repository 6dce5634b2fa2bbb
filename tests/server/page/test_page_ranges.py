"""The range editor of the page: strokes, weights, combos, text, slider, presets, saved ranges."""

from __future__ import annotations

import json
from typing import Any

import pytest
from page_driver import EXACT, Gate, fill, link, middle, seat, stroke, wait_for

import gpuodds

pytestmark = pytest.mark.slow


def text(page: Any) -> str:
    found: str = page.input_value("#range-text")
    return found


def wait_text(page: Any, wanted: str) -> None:
    wait_for(page, "document.querySelector('#range-text').value === v", wanted)


def fill_of(page: Any, name: str) -> str:
    """Return the fill height of a cell."""
    found: str = page.locator(f"#grid [data-name='{name}']").evaluate(
        "e => e.style.getPropertyValue('--part')"
    )
    return found


def test_a_stroke_sets_the_weight_and_a_second_one_erases(page: Any, address: str) -> None:
    page.goto(address)
    stroke(page, "AA", "AKs", "AQs")
    wait_text(page, "AA,AQs+")
    assert page.inner_text("#range-size") == "14 combos, 1.1 %"
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
    page.goto(address)
    page.click("#suit-picks [data-suit='s']")
    page.focus("#grid [data-name='AA']")
    for key in ("ArrowRight", "ArrowDown", "Space"):  # KK
        page.keyboard.press(key)
    wait_text(page, "KsKh,KsKd,KsKc")
    assert page.get_attribute("#grid [data-name='KK']", "data-mixed") == "true"
    assert page.get_attribute("#grid [data-name='KK']", "aria-label") == "KK, 50 %, combos differ"
    # By keyboard: the box of the cell, one tab stop, and back to the cell.
    page.keyboard.press("Enter")
    assert page.locator("#combo-rows button").count() == 6
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    wait_for(page, "!document.querySelector('#range-text').value.includes('KsKd')")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.name") == "KK"
    # By mouse: twelve offsuit combos, four suited ones.
    page.click("#grid [data-name='AKo']", button="right")
    assert page.locator("#combo-rows button").count() == 12
    page.keyboard.press("Escape")
    page.click("#weights [data-weight='25']")
    page.click("#grid [data-name='AKo']", button="right")
    page.click("#combos [data-combo='AsKh']")
    wait_text(page, "KsKh,KsKc,AsKh:0.25")
    page.keyboard.press("Escape")
    page.click("#grid [data-name='AKs']", button="right")
    assert page.locator("#combo-rows button").count() == 4
    page.keyboard.press("Escape")
    page.wait_for_selector("#combos", state="hidden")


def test_the_slider_previews_and_follows_the_seat(page: Any, address: str) -> None:
    page.goto(link(address, ["30%", "KK"], board="2s7d9h"))
    page.wait_for_selector("#grid [data-name='AA'][aria-selected='true']")
    assert page.inner_text("#percent-shown") == "30 %"
    slider = page.locator("#percent")
    for value in (25, 20, 15):
        slider.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input')) }", value)
    wait_text(page, "15%")
    combos = f"{gpuodds.Range('15%').weight:g} combos"
    wait_for(page, "document.querySelector('#range-size').textContent.startsWith(v)", combos)
    slider.evaluate("e => e.dispatchEvent(new Event('change'))")
    page.click("#undo")  # the whole drag is one step
    wait_text(page, "30%")
    assert page.is_disabled("#undo")
    page.click(seat(2))
    wait_for(page, "document.querySelector('#percent-shown').textContent === '0.5 %'")
    assert page.input_value("#percent") == "0.5"


def test_text_in_any_dialect_and_out_in_others(page: Any, address: str) -> None:
    page.goto(address)
    page.click(seat(1))
    fill(page, "#range-text", "22+, [50]AK[/50]")
    wait_for(page, "document.querySelector('#range-size').textContent.startsWith('86 combos')")
    page.click("#copy-pio")
    wait_for(page, "document.querySelector('#note').textContent === 'Range copied.'")
    pasted = page.evaluate("navigator.clipboard.readText()")
    assert gpuodds.Range(pasted) == gpuodds.Range("22+,AK:0.5")
    page.click("#invert")
    wait_for(page, "document.querySelector('#range-text').value.includes('AK:0.5')")
    assert gpuodds.Range(text(page)) == ~gpuodds.Range("22+,AK:0.5")
    fill(page, "#range-text", "AKx+")
    wait_for(page, "document.querySelector('#range-size').textContent.includes('column 3')")


def test_the_page_writes_ranges_as_the_library_does(page: Any, address: str) -> None:
    """The texts of strokes are those of ``Range.to_string``, in as few items."""
    page.goto(address)
    texts = [
        "random", "22+,A2s+", "QQ-88,A9s-A6s,KTo+,JTs", "AK:0.5,AA,AsKs", "0%", "A2+,K9s+,54s",
        "99+:0.25,AQ+,KJs-K8s:0.75,AhTh", "15%", "40%", "!AKs,22+", "-(AA,KK),random",
        "KhTh,KdTd,KcTc,Ks6s,AsKc,AcKs,7h6h",
    ]  # fmt: skip
    script = "async w => (await import('/ranges.js')).textOf(w)"
    for wanted in texts:
        made = gpuodds.Range(wanted)
        found = page.evaluate(script, made.to_dict()["weights"])
        assert (found or "0%") == made.to_string()


def test_combos_are_counted_beside_known_cards(page: Any, address: str) -> None:
    page.goto(link(address, ["AA,KK", "AsQs"], board="Kd7d2c", dead="Ah"))
    left = gpuodds.Range("AA,KK").without("AsQsKd7d2cAh").weight
    wait_for(page, "document.querySelector('#range-size').textContent.includes('known')")
    assert page.inner_text("#range-size") == f"12 combos, 0.9 %, {left:g} with the known cards"


def test_a_range_is_painted_for_its_own_seat(page: Any, address: str) -> None:
    page.goto(link(address, ["30%", "KK"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    page.wait_for_selector("#grid [data-name='AA'][aria-selected='true']")
    gate = Gate(page, "**/v1/range")
    page.click(seat(2))
    gate.wait()
    # What is not read yet is not shown as the range before, nor painted on it.
    assert page.locator("#grid [aria-selected='true']").count() == 0
    page.focus("#grid [data-name='JJ']")
    page.keyboard.press(" ")
    assert text(page) == "KK"
    gate.open()
    wait_text(page, "KK,JJ")  # a stroke waits for its range


def test_a_stroke_can_be_taken_back(page: Any, address: str) -> None:
    page.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    page.wait_for_selector("#grid [data-name='AA'][aria-selected='true']")
    page.evaluate("document.querySelector('#grid').scrollIntoView({block: 'center'})")
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
    page.goto(address)
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
    """A click in the grid takes what was typed; lists that arrive leave it; undo is the page's."""
    gate = Gate(page, "**/v1/games")
    page.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    page.wait_for_selector("#grid [data-name='AA'][aria-selected='true']")
    page.focus(seat(2))
    page.keyboard.type("+")
    gate.open()
    wait_for(page, "document.querySelectorAll('#game option').length > 1")
    assert page.input_value(seat(2)) == "22+"
    page.click("#grid [data-name='AKs']")
    wait_text(page, "22+,AKs")  # of player B, whose seat was in focus; painted once it was read
    fill(page, "#range-text", "JTs")
    page.keyboard.press("Control+z")
    wait_text(page, "22+,AKs")


def test_a_fast_stroke_leaves_no_holes(page: Any, address: str) -> None:
    page.goto(address)
    page.evaluate("document.querySelector('#grid').scrollIntoView({block: 'center'})")
    page.mouse.move(*middle(page, "A2s"))
    page.mouse.down()
    page.mouse.move(*middle(page, "AKs"))
    outside = page.locator("#range-text").bounding_box()
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
    page.click("#grid [data-name='22']")
    page.click("#undo")
    page.wait_for_selector("#grid [data-name='22'][aria-selected='false']")
    assert asked == []


def test_hands_in_other_words(page: Any, address: str) -> None:
    """Suit symbols and numeric ranks make a known hand; a repeated card does not."""
    page.goto(link(address, ["A\u2660K\u2660", "AA,KK"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    page.click(seat(2))
    wait_for(page, "document.querySelector('#range-size').textContent.includes('6 with the known')")
    page.click(seat(1))
    fill(page, seat(1), "AsAs")
    page.wait_for_selector(f"{seat(1)}[aria-invalid='true']")
    wait_for(page, "!document.querySelector('#grid [aria-selected=true]')")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.type("10s12h")
    wait_text(page, "TsQh")
    page.keyboard.type("1s9s")
    wait_text(page, "As9s")
