"""What the page keeps: ranges in the browser and in files, the spot and the token in its address."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from page_driver import EXACT, fill, link, seat, wait_for

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
    page.fill("#range-name", name)
    page.click("#save-range")


def test_presets_saved_ranges_and_copies(page: Any, address: str, tmp_path: Path) -> None:
    page.goto(address)
    page.wait_for_selector("#range-set-list button")
    first = page.locator("#range-set-list button").first
    wanted, name = first.get_attribute("data-text"), first.get_attribute("data-name")
    first.click()
    wait_for(page, "document.querySelector('#range-text').value === v", wanted)
    assert page.input_value("#range-name") == name
    page.click("#copy-to [data-letter='B']")
    wait_for(page, "document.querySelectorAll('#seats input')[1].value === v", wanted)
    page.click("#copy-to [data-to='new']")
    wait_for(page, "document.querySelectorAll('#seats input')[2].value === v", wanted)
    # Saved, exported, deleted, imported.
    fill(page, "#range-text", "77+,AJ+")
    save(page, "mine")
    page.wait_for_selector("#range-set-list [data-name='mine']")
    with page.expect_download() as download:
        page.click("#export-ranges")
    there = tmp_path / "ranges.json"
    download.value.save_as(there)
    assert json.loads(there.read_text())["ranges"] == {"holdem": {"mine": "77+,AJ+"}}
    save(page, "other")
    # The entry that was picked is deleted, whatever the name is since; the focus goes on.
    page.click("#range-set-list [data-name='mine']")
    page.fill("#range-name", "min")
    page.click("#forget-range")
    noted(page, "mine deleted.")
    assert page.evaluate("document.activeElement.dataset.name") == "other"
    page.fill("#range-name", "other")
    page.click("#forget-range")
    assert entries(page) == []
    assert page.evaluate("document.activeElement.id") == "range-name"
    page.reload()
    page.set_input_files("#import-file", there)
    noted(page, "1 range imported.")
    page.click("#range-set-list [data-name='mine']")
    wait_for(page, "document.querySelector('#range-text').value === '77+,AJ+'")


def test_files_that_the_page_did_not_write(page: Any, address: str) -> None:
    page.goto(address)
    wait_for(page, "document.querySelectorAll('#game option').length > 1")
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
    page.goto(address)
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
    assert all(18_000 < len(text) < 20_000 for text in texts)
    page.goto(link(address, ["AA", "KK"], board="2s7d9h3c4c"))
    for number, text in enumerate(texts, 1):
        fill(page, seat(number), text)
    wait_for(page, "location.hash.startsWith('#spot=') && !location.search")
    page.reload()
    assert [page.input_value(seat(number)) for number in (1, 2)] == texts
    page.wait_for_selector(EXACT)
    page.click("#copy-link")
    noted(page, "Link copied.")
    there = page.evaluate("navigator.clipboard.readText()")
    page.evaluate("location.hash = '#other'")  # a part of the page that is not there
    wait_for(page, "location.href === v", there)
    page.click("#clear")
    wait_for(page, "!location.hash && location.search")
    page.goto(there)
    wait_for(page, "document.querySelector('#seats input').value === v", texts[0])
    assert page.input_value("#board") == "2s7d9h3c4c"
    page.select_option("#game", "short-deck")
    wait_for(page, "location.search === '?game=short-deck' && location.hash.startsWith('#spot=')")


def test_what_follows_the_hash_of_the_address(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "KK"], board="2s7d9h3c"))
    page.wait_for_selector(EXACT)
    page.click(seat(2))
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.evaluate("location.hash = '#nothing'")
    wait_for(page, "!location.hash")
    assert page.evaluate("document.querySelector('.seat[data-chosen=true]').dataset.letter") == "B"
    assert page.evaluate("document.activeElement.id.startsWith('seat-')")
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
