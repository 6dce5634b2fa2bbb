"""What the page keeps: ranges in the browser and in files, the spot and the token in its address."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from page_driver import (
    CHOSEN,
    EXACT,
    TEXT,
    choose,
    close_boxes,
    empty,
    fill,
    fill_seat,
    link,
    on_phones,
    open_box,
    seat,
    text,
    wait_for,
    wait_text,
)

import gpuodds

pytestmark = pytest.mark.slow

KEY = "gpuodds.ranges"


def entries(page: Any) -> list[str]:
    """Return the names of the ranges shown."""
    found: list[str] = page.eval_on_selector_all(
        "#range-set-list button", "those => those.map(one => one.dataset.name)"
    )
    return found


def noted(page: Any, text: str) -> None:
    wait_for(page, "document.querySelector('#note').textContent.startsWith(v)", text)


def upload(page: Any, content: Any, name: str = "own.json") -> None:
    """Import a file with a JSON value, or with these bytes."""
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    page.set_input_files("#import-file", {"name": name, "mimeType": "", "buffer": data})


def kept(page: Any) -> Any:
    return json.loads(page.evaluate("k => localStorage.getItem(k) || '{}'", KEY))


def save(page: Any, name: str) -> None:
    open_box(page, "seat-menu")
    page.fill("#range-name", name)
    page.click("#save-range")


def write(page: Any, wanted: str) -> None:
    """Give the seat in focus a range, as text."""
    close_boxes(page)
    fill(page, TEXT, wanted)
    open_box(page, "seat-menu")


@on_phones
def test_presets_saved_ranges_and_copies(page: Any, address: str, tmp_path: Path) -> None:
    page.goto(empty(address))
    open_box(page, "seat-menu")
    page.wait_for_selector("#range-set-list button")
    first = page.locator("#range-set-list button").first
    wanted, name = first.get_attribute("data-text"), first.get_attribute("data-name")
    first.click()
    wait_text(page, wanted)
    # The player is called as the range is, over the page and in the field.
    assert page.input_value("#range-name") == name
    assert page.inner_text("#result .name >> nth=0") == name
    page.click("#copy-to [data-letter='B']")
    wait_text(page, wanted, 2)
    page.click("#copy-to [data-to='new']")
    wait_text(page, wanted, 3)
    # Saved, exported, deleted, imported.
    write(page, "77+,AJ+")
    save(page, "mine")
    page.wait_for_selector("#range-set-list [data-name='mine']")
    with page.expect_download() as download:
        page.click("#export-ranges")
    there = tmp_path / "ranges.json"
    download.value.save_as(there)
    assert json.loads(there.read_text())["ranges"] == {"holdem": {"mine": "77+,AJ+"}}
    save(page, "other")
    # The entry that is picked is deleted; the focus goes on.
    page.click("#range-set-list [data-name='mine']")
    assert page.input_value("#range-name") == "mine"
    page.click("#forget-range")
    noted(page, "mine deleted.")
    assert page.evaluate("document.activeElement.dataset.name") == "other"
    page.fill("#range-name", "other")
    page.click("#forget-range")
    assert entries(page) == []
    assert page.evaluate("document.activeElement.id") == "range-name"
    page.reload()
    open_box(page, "seat-menu")
    page.set_input_files("#import-file", there)
    noted(page, "1 range imported.")
    page.click("#range-set-list [data-name='mine']")
    wait_text(page, "77+,AJ+")


def test_a_name_is_of_its_seat_and_is_not_replaced_unasked(page: Any, address: str) -> None:
    page.goto(link(address, ["QQ+", "22"]))
    save(page, "mine")
    noted(page, "mine saved.")
    close_boxes(page)
    # The name of one seat is not that of another, nor saved with its range.
    choose(page, 2)
    open_box(page, "seat-menu")
    assert page.input_value("#range-name") == ""
    page.click("#save-range")
    noted(page, "Give the range a name.")
    # A name that is taken is replaced by a second click alone.
    save(page, "mine")
    noted(page, "mine is saved already, as QQ+")
    assert page.inner_text("#save-range") == "Replace it"
    assert kept(page) == {"holdem": {"mine": "QQ+"}}
    page.fill("#range-name", "other")
    assert page.inner_text("#save-range") == "Save"
    save(page, "mine")
    page.click("#save-range")
    noted(page, "mine saved.")
    assert kept(page) == {"holdem": {"mine": "22"}}


def test_a_name_typed_at_once_stays(page: Any, address: str) -> None:
    # The box opens and is typed in before the browser's own events have run.
    page.goto(link(address, ["QQ+", "22"]))
    typed = page.evaluate(
        """async opener => {
            document.querySelector(opener).click();
            document.querySelector("#range-name").value = "mine";
            await new Promise(done => setTimeout(done, 200));
            return document.querySelector("#range-name").value;
        }""",
        f"{CHOSEN} .head .name",
    )
    assert typed == "mine"


def test_a_saved_range_reaches_other_tabs(page: Any, address: str) -> None:
    page.goto(link(address, ["QQ+", "22"]))
    other = page.context.new_page()
    other.goto(link(address, ["AA", "KK"]))
    open_box(other, "seat-menu")
    other.select_option("#range-set", label="Saved ranges")
    save(page, "mine")
    other.wait_for_selector("#range-set-list [data-name='mine']")
    other.close()


def test_undo_and_focus_outlive_a_reload(page: Any, address: str) -> None:
    page.goto(link(address, ["QQ+", "22"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    choose(page, 2)
    fill(page, TEXT, "JJ")
    wait_for(page, "location.search.includes('hand=JJ')")
    page.wait_for_selector(EXACT)
    page.reload()
    page.wait_for_selector(EXACT)
    assert text(page) == "JJ" and page.is_enabled("#undo")
    page.click("#undo")
    wait_text(page, "22", 2)
    page.click("#redo")
    wait_text(page, "JJ", 2)


def test_the_first_visit_has_an_example_and_later_ones_the_last_spot(page: Any, address: str) -> None:
    presets = {preset.text for preset in gpuodds.range_presets()}
    page.goto(address)
    page.wait_for_selector(EXACT)
    assert page.locator("#result .name").all_inner_texts() == ["BTN open", "BB call"]
    assert {page.input_value(seat(number)) for number in (1, 2)} <= presets
    hands = [page.input_value(seat(number)) for number in (1, 2)]
    found = gpuodds.equity(hands, board=page.input_value("#board"), backend="cpu")
    assert page.title() == f"BTN open {100 * found.equity:.1f} % \u2013 gpuodds"
    assert page.evaluate("!document.querySelector('#example').hidden")
    page.click("#clear")
    wait_for(page, "document.querySelector('#example').hidden")
    fill_seat(page, 1, "QQ")
    fill_seat(page, 2, "AK")
    page.wait_for_selector(EXACT)
    page.wait_for_timeout(400)
    page.goto(address)
    wait_text(page, "QQ", 1)
    page.wait_for_selector(EXACT)
    assert "hand=QQ" in page.url and page.title().startswith("AK ")


def test_spots_of_this_visit(page: Any, address: str) -> None:
    page.goto(link(address, ["AsKs", "QQ"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    page.wait_for_timeout(1700)
    fill(page, "#board", "2s7d9hTc")
    page.wait_for_selector(EXACT)
    page.wait_for_timeout(1700)
    open_box(page, "visit")
    rows = page.locator("#visit .visited").all_inner_texts()
    assert [row.split("\n")[0] for row in rows] == ["AsKs v QQ on 2s7d9hTc", "AsKs v QQ on 2s7d9h"]
    now = gpuodds.equity(["AsKs", "QQ"], board="2s7d9h", backend="cpu").equity
    assert f"{100 * now:.2f} %" in rows[1]
    page.click("#visit .visited >> nth=1")
    wait_for(page, "document.querySelector('#board').value === '2s7d9h'")
    page.click("#undo")
    wait_for(page, "document.querySelector('#board').value === '2s7d9hTc'")


def test_files_that_the_page_did_not_write(page: Any, address: str) -> None:
    page.goto(empty(address))
    wait_for(page, "document.querySelectorAll('#game option').length > 1")
    open_box(page, "seat-menu")
    marked = '{"gpuodds-ranges": 1, "ranges": %s}'
    plain = "own.json: expected a file that the page exported, of up to 1 MB."
    for content in (b"[1", [], None, {"ranges": {"holdem": {"a": "AA"}}}, b" " * 2_000_000):
        upload(page, content)
        wait_for(page, "document.querySelector('#note').textContent === v", plain)
        page.evaluate("document.querySelector('#note').textContent = ''")
    upload(page, (marked % '"abc"').encode())
    wait_for(page, "document.querySelector('#note').textContent === v", plain)
    # Names of prototypes are not names of games, but may be names of ranges.
    games = '{"__proto__": {"omaha": "x"}, "constructor": {"a": "AA"}, "chess": "e4", "toString": [1],'
    own = ' "holdem": {"__proto__": "KK", "constructor": "QQ", "number": 5, " ": "AA", "empty": ""}}'
    upload(page, (marked % (games + own)).encode())
    noted(page, "2 ranges imported. 7 left out:")
    assert kept(page) == {"holdem": {"__proto__": "KK", "constructor": "QQ"}}
    assert entries(page) == ["__proto__", "constructor"]
    assert page.evaluate("({}).omaha ?? ({}.a) ?? Object.a ?? null") is None
    page.click("[data-name='__proto__']")
    page.click("#forget-range")
    noted(page, "__proto__ deleted.")
    assert kept(page) == {"holdem": {"constructor": "QQ"}}
    save(page, "constructor")
    upload(page, {"gpuodds-ranges": 1, "ranges": {"plo": {"own": "AAKK"}}})
    noted(page, "1 range imported.")
    assert kept(page)["omaha"] == {"own": "AAKK"}  # by another name of the game


def test_storage_that_is_broken_or_full(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", ""]))
    open_box(page, "seat-menu")
    page.wait_for_selector("#range-set-list button")
    page.select_option("#range-set", label="Saved ranges")
    redraw = "document.querySelector('#range-set').dispatchEvent(new Event('change'))"
    cases: list[tuple[str, list[str]]] = [
        ("null", []), ('"x"', []), ("[1", []), ('[{"a": "AA"}]', []), ('{"holdem": "AA"}', []),
        ('{"holdem": {"a": "AA", "b": 1}}', ["a"]),
    ]  # fmt: skip
    for value, names in cases:
        page.evaluate(f"v => {{ localStorage.setItem('{KEY}', v); {redraw} }}", value)
        assert entries(page) == names
    page.evaluate("void (Storage.prototype.setItem = () => { throw new DOMException('full') })")
    page.click("[data-name='a']")
    for act in (
        lambda: page.click("#forget-range"),
        lambda: save(page, "c"),
        lambda: upload(page, {"gpuodds-ranges": 1, "ranges": {"holdem": {"d": "KK"}}}),
    ):
        page.evaluate("document.querySelector('#note').textContent = ''")
        act()
        noted(page, "Nothing was changed:")
        assert entries(page) == ["a"]


def test_presets_come_back(page: Any, address: str) -> None:
    """They are asked again by the page itself, and chosen again after a game that has none."""
    fails = [True]

    def presets(route: Any) -> None:
        if "omaha" in route.request.url:
            body = json.dumps({"schema": "gpuodds.presets/1", "game": "omaha", "sets": []})
            route.fulfill(content_type="application/json", body=body)
        elif fails:
            fails.clear()
            route.abort("connectionrefused")
        else:
            route.continue_()

    page.route("**/v1/presets*", presets)
    page.goto(empty(address))
    wait_for(page, "document.querySelectorAll('#game option').length > 1")
    open_box(page, "seat-menu")
    wait_for(page, "document.querySelector('#range-set-note').textContent.startsWith('The server')")
    page.wait_for_selector("#range-set-list button")  # without a click
    first = page.input_value("#range-set")
    assert first != "Saved ranges"
    page.select_option("#game", "omaha")
    wait_for(page, "document.querySelector('#range-set').value === 'Saved ranges'")
    page.select_option("#game", "holdem")
    wait_for(page, "document.querySelector('#range-set').value === v", first)
    page.select_option("#range-set", label="Saved ranges")
    page.select_option("#game", "omaha")
    page.select_option("#game", "holdem")
    wait_for(page, "document.querySelector('#range-set').value === 'Saved ranges'")
    # A name that is a share has no figure besides.
    page.select_option("#game", "short-deck")
    page.select_option("#range-set", label="Best hands by equity")
    assert page.inner_text("[data-name='Top 10 %']") == "Top 10 %"


def test_a_link_to_no_game(page: Any, address: str) -> None:
    wrong = "document.querySelector('#error').textContent.startsWith(`The link has game=${v}:`)"
    page.goto(link(address, ["AA", "KK"], game="__proto__"))
    wait_for(page, wrong, "__proto__")
    assert page.input_value(seat(2)) == "KK" and page.input_value("#game") == "holdem"
    page.evaluate(
        "history.pushState(null, '', '?hand=QQ&game=constructor'); dispatchEvent(new Event('popstate'))"
    )
    wait_for(page, wrong, "constructor")
    assert page.input_value(seat(1)) == "QQ"


def test_a_long_spot_is_in_its_link(page: Any, browser: Any, address: str) -> None:
    """A server refuses long addresses, and does not see what follows "#"."""
    combos = list(gpuodds.Range("random").to_dict()["weights"])
    texts = [",".join(f"{combo}:0.{digits}" for combo in combos) for digits in (1234567, 7654321)]
    assert all(18_000 < len(long) < 20_000 for long in texts)
    page.goto(link(address, ["AA", "KK"], board="2s7d9h3c4c"))
    for number, wanted in enumerate(texts, 1):
        fill_seat(page, number, wanted)
    wait_for(page, "location.hash.startsWith('#spot=') && !location.search")
    wait_for(page, "location.hash.includes('0.7654321')")  # the address comes last
    page.reload()
    assert [page.input_value(seat(number)) for number in (1, 2)] == texts
    page.wait_for_selector(EXACT)
    open_box(page, "share")
    page.click("#copy-link")
    noted(page, "Link copied.")
    there = page.evaluate("navigator.clipboard.readText()")
    page.evaluate("location.hash = '#other'")  # a part of the page that is not there
    wait_for(page, "location.href === v", there)
    page.click("#clear")
    wait_for(page, "!location.hash && location.search")
    page.goto(there)
    wait_text(page, texts[0], 1)
    assert page.input_value("#board") == "2s7d9h3c4c"
    page.select_option("#game", "short-deck")
    wait_for(page, "location.search === '?game=short-deck' && location.hash.startsWith('#spot=')")


def test_what_follows_the_hash_of_the_address(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "KK"], board="2s7d9h3c"))
    page.wait_for_selector(EXACT)
    choose(page, 2)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/v1/" in one.url else None)
    page.evaluate("location.hash = '#nothing'")
    wait_for(page, "!location.hash")
    assert page.evaluate("document.querySelector('.seat[data-chosen=true]').dataset.letter") == "B"
    assert asked == []
    # A token is taken: the page asks again for all that it may have been refused.
    is_new = "Bearer s p"
    with page.expect_request(
        lambda one: "stream" in one.url and one.headers.get("authorization") == is_new
    ):
        page.evaluate("location.hash = '#token=s%20p'")
    page.wait_for_selector(EXACT)
    assert page.input_value(seat(2)) == "KK"
    assert page.evaluate("location.hash") == "#token=s%20p"
    fill(page, "#board", "2s7d9h3d")
    wait_for(page, "location.search.includes('3d') && location.hash.includes('token')")
