"""The page, in a browser: spots by mouse and by keyboard, links, ranges, views, errors, access."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from typing import Any

import pytest
from server_fixture import serving

import gpuodds

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

EXACT = "#status[data-exact='true']"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("page")) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    context.set_default_timeout(20_000)
    found, faults, hosts = context.new_page(), [], set()
    found.on("pageerror", lambda error: faults.append(str(error)))
    found.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    found.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    found.goto(address)
    yield found
    # What the server refuses shows as an error of the console; nothing else may.
    assert [fault for fault in faults if "status of 4" not in fault] == []
    assert hosts == {address.split("/")[2]}
    context.close()


def equity(page: Any, row: int = 0) -> float:
    page.wait_for_selector(EXACT)
    cell = page.locator("#result tbody tr").nth(row).locator("td").first
    return float(cell.inner_text().split("%")[0]) / 100


def near(found: float, hands: list[str], place: int = 0, **options: Any) -> bool:
    exact = gpuodds.equity(hands, **options, backend="cpu").players[place].equity
    return abs(found - exact) < 1e-6


def test_a_spot_by_mouse(page: Any) -> None:
    page.check("input[value='hand']")
    for card in ("As", "Ks"):
        page.click(f"#cards [data-card='{card}']")
    page.click("#seats li:nth-child(2) input")
    for card in ("Qh", "Qd"):
        page.click(f"#cards [data-card='{card}']")
    page.check("input[value='board']")
    for card in ("2s", "7d", "9h"):
        page.click(f"#cards [data-card='{card}']")
    page.wait_for_function("() => document.querySelector('#status').textContent.includes('990')")
    assert near(equity(page), ["AsKs", "QhQd"], board="2s7d9h")
    assert page.get_attribute("#cards [data-card='7d']", "aria-pressed") == "true"
    # Taken off again, and put back by undo.
    page.click("#cards [data-card='9h']")
    page.wait_for_function("() => document.querySelector('#board').value === '2s7d'")
    page.click("#undo")
    page.wait_for_function("() => document.querySelector('#board').value === '2s7d9h'")
    assert near(equity(page), ["AsKs", "QhQd"], board="2s7d9h")
    page.click("#redo")
    page.wait_for_function("() => document.querySelector('#board').value === '2s7d'")


def test_a_spot_by_keyboard(page: Any) -> None:
    keyboard = page.keyboard
    keyboard.press("/")
    keyboard.type("QQ+,AK")
    keyboard.press("Tab")
    page.evaluate("document.activeElement.blur()")
    keyboard.press("n")
    keyboard.type("JTs")
    keyboard.press("Enter")
    page.evaluate("document.activeElement.blur()")
    keyboard.press("b")
    keyboard.type("2s7d9h")
    keyboard.press("Enter")
    page.evaluate("document.activeElement.blur()")
    keyboard.press("d")
    keyboard.type("3c")
    keyboard.press("Enter")
    page.wait_for_function("() => location.search.includes('dead=3c')")
    assert near(equity(page), ["QQ+,AK", "JTs"], board="2s7d9h", dead="3c")
    page.evaluate("document.activeElement.blur()")
    keyboard.press("Control+z")
    page.wait_for_function("() => !location.search.includes('dead')")


def test_from_estimate_to_exact(page: Any, address: str) -> None:
    page.add_init_script(
        """window.said = [];
        document.addEventListener('DOMContentLoaded', () => {
          const status = document.querySelector('#status');
          const watch = new MutationObserver(() => said.push(status.textContent));
          watch.observe(status, {childList: true, characterData: true, subtree: true});
        });"""
    )
    page.goto(f"{address}/?hand=25%25&hand=40%25&hand=random&board=3c8d9h")
    page.wait_for_selector("#result:not([hidden])")
    found = equity(page)
    assert near(found, ["25%", "40%", "random"], board="3c8d9h")
    said = page.evaluate("said")
    assert any("estimate from" in line for line in said)
    assert "counted: all" in said[-1]


def test_random_opponents(page: Any) -> None:
    page.fill("#seats li:nth-child(1) input", "AsKs")
    page.keyboard.press("Enter")
    page.fill("#opponents", "3")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.search.includes('opponents=3')")
    assert near(equity(page), ["AsKs"], opponents=3)
    assert "each of 3 random" in page.inner_text("#result")
    assert "from a table" in page.inner_text("#status")


def test_ranges_are_painted_and_pasted(page: Any) -> None:
    page.click("#seats li:nth-child(1) input")

    def middle(name: str) -> tuple[float, float]:
        box = page.locator(f"#grid [data-name='{name}']").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.mouse.move(*middle("AA"))
    page.mouse.down()
    for name in ("AKs", "AQs"):
        page.mouse.move(*middle(name), steps=3)
    page.mouse.up()
    page.wait_for_function("() => location.search.includes('AQs')")
    assert page.input_value("#range-text") == "AA,AKs,AQs"
    page.wait_for_function(
        "() => document.querySelector('#range-size').textContent.startsWith('14 combos')"
    )
    # Half of a hand, by keys; only spades.
    page.fill("#weight", "50")
    page.click("#suit-picks [data-suit='s']")
    page.focus("#grid [data-name='AKs']")
    page.keyboard.press("ArrowDown")
    page.keyboard.press(" ")
    page.wait_for_function("() => document.querySelector('#range-text').value.includes('KsKh:0.5')")
    # Any dialect in, others out.
    page.fill("#range-text", "22+, [50]AK[/50]")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.querySelector('#range-size').textContent.startsWith('86 combos')"
    )
    page.click("#copy-pio")
    pasted = page.evaluate("navigator.clipboard.readText()")
    assert gpuodds.Range(pasted) == gpuodds.Range("22+,AK:0.5")
    page.locator("#percent").evaluate("e => { e.value = 15; e.dispatchEvent(new Event('change')) }")
    page.wait_for_function("() => document.querySelector('#range-text').value === '15%'")


def test_a_link_brings_the_spot_back(page: Any, browser: Any, address: str) -> None:
    page.goto(f"{address}/?hand=AsKs&hand=QQ%2B,AK&board=2s7d9h&opponents=1&dead=3c")
    first = equity(page)
    page.click("#copy-link")
    page.wait_for_function("() => document.querySelector('#status').textContent === 'link copied'")
    link = page.evaluate("navigator.clipboard.readText()")
    page.click("#copy-command")
    page.wait_for_function("() => document.querySelector('#status').textContent === 'command copied'")
    command = page.evaluate("navigator.clipboard.readText()")
    assert command == "gpuodds equity AsKs QQ+,AK --opponents 1 --board 2s7d9h --dead 3c"
    page.click("#copy-json")
    page.wait_for_function("() => document.querySelector('#status').textContent === 'JSON copied'")
    assert page.evaluate("async () => JSON.parse(await navigator.clipboard.readText()).exact")
    other = browser.new_page()
    other.goto(link)
    assert equity(other) == first
    assert other.input_value("#seats li:nth-child(2) input") == "QQ+,AK"
    other.close()


def test_errors_are_shown(page: Any) -> None:
    page.fill("#seats li:nth-child(1) input", "AsKx")
    page.keyboard.press("Enter")
    page.fill("#opponents", "1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#error:not([hidden])")
    assert "AsKx: column 4: expected a suit" in page.inner_text("#error")
    page.fill("#seats li:nth-child(1) input", "AsKs")
    page.keyboard.press("Enter")
    page.wait_for_selector(EXACT)
    assert page.is_hidden("#error")


def test_views(page: Any, address: str) -> None:
    page.goto(f"{address}/?hand=AsKs&hand=QQ%2B,AK&board=2s7d9h")
    page.wait_for_selector(EXACT)
    page.click("#seats li:nth-child(2) input")
    page.click("#show-heat")
    page.wait_for_selector("#view .heat span[title^='QQ']")
    page.click("#show-next")
    page.wait_for_function("() => document.querySelectorAll('#view .heat span').length === 52")
    page.click("#show-opponents")
    page.wait_for_function("() => document.querySelectorAll('#view tbody tr').length === 10")
    page.click("#seats li:nth-child(1) input")
    page.click("#show-kelly")
    page.fill("#pot", "100")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.querySelector('#view').textContent.includes('expected gain')"
    )


def test_ten_seats(page: Any) -> None:
    for _ in range(8):
        page.click("#add-seat")
    assert page.locator("#seats li").count() == 10 and page.is_disabled("#add-seat")
    page.click("[aria-label='Remove player J']")
    assert page.locator("#seats li").count() == 9


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_serious_stands_in_the_way(browser: Any, address: str, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    page.goto(f"{address}/?hand=AsKs&hand=QQ%2B,AK&board=2s7d9h")
    page.wait_for_selector(EXACT)
    page.click("#show-heat")
    page.wait_for_selector("#view .heat")
    found = axe.Axe().run(page).response["violations"]
    serious = [
        (fault["id"], node["target"])
        for fault in found
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]
    assert serious == []
    # Nothing is cut off at the side.
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.close()


def test_it_is_light_and_soon_there(browser: Any, address: str) -> None:
    page, sizes = browser.new_page(), []
    page.on("response", lambda response: sizes.append(len(response.body())))
    begin = time.monotonic()
    page.goto(address)
    page.wait_for_selector("#seats li")
    print(f"the page was there after {time.monotonic() - begin:.2f} s")
    assert sum(sizes) < 200_000
    page.close()
