"""The page, in a browser: spots by mouse and by keyboard, links, ranges, views, errors, access."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

import gpuodds
from gpuodds.betting import kelly_bet

EXACT = "#status[data-exact='true']"


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
        """window.shown = [];
        document.addEventListener('DOMContentLoaded', () => {
          const status = document.querySelector('#status');
          const watch = new MutationObserver(() => shown.push(status.textContent));
          watch.observe(status, {childList: true, characterData: true, subtree: true});
        });"""
    )
    page.goto(f"{address}/?hand=25%25&hand=40%25&hand=random&board=3c8d9h")
    page.wait_for_selector("#result:not([hidden])")
    found = equity(page)
    assert near(found, ["25%", "40%", "random"], board="3c8d9h")
    shown = page.evaluate("shown")
    assert any("estimate from" in line for line in shown)
    assert "counted: all" in shown[-1]


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


class Gate:
    """Holds back requests of a page until it opens."""

    def __init__(self, page: Any, path: str) -> None:
        self.held: list[Any] = []
        self._is_open = False
        page.route(path, self._take)

    def _take(self, route: Any) -> None:
        if self._is_open:
            route.continue_()
        else:
            self.held.append(route)

    def open(self) -> None:
        self._is_open = True
        for route in self.held:
            route.continue_()


EMPTY_FIRST = "hand=&hand=AA&hand=QQ&board=2s7d9h"


def shown(page: Any, view: str, seat: int, text: str) -> str:
    """Choose a seat; return the text of its view once it contains ``text``."""
    page.click(f"#seats li:nth-child({seat}) input")
    if page.get_attribute(f"#show-{view}", "aria-pressed") == "false":
        page.click(f"#show-{view}")
    page.wait_for_function(
        "text => document.querySelector('#view').textContent.includes(text)", arg=text
    )
    found: str = page.inner_text("#view")
    return found


def test_results_are_shown_at_their_seats(page: Any, address: str) -> None:
    page.goto(f"{address}/?{EMPTY_FIRST}")
    exact = gpuodds.equity(["AA", "QQ"], board="2s7d9h", backend="cpu")
    for row, (name, player) in enumerate(zip(("B: AA", "C: QQ"), exact.players, strict=True)):
        assert abs(equity(page, row) - player.equity) < 1e-6
        assert page.locator("#result tbody tr").nth(row).locator("th").inner_text() == name
    page.click("#copy-text")
    page.wait_for_function("() => document.querySelector('#status').textContent === 'text copied'")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines[0].startswith(f"B AA: equity {100 * exact.equity:.4f} %")
    assert lines[1].startswith("C QQ: ")


@pytest.mark.parametrize(("seat", "name", "place"), [(2, "AA", 0), (3, "QQ", 1)])
def test_views_are_of_the_chosen_seat(
    page: Any, address: str, seat: int, name: str, place: int
) -> None:
    page.goto(f"{address}/?{EMPTY_FIRST}")
    page.wait_for_selector(EXACT)
    letter = "ABC"[seat - 1]
    shown(page, "heat", seat, f"Player {letter}, {name}: equity of each")
    page.wait_for_selector(f"#view .heat span[title^='{name}: ']")
    cells = page.locator("#view .heat span[title]")
    assert cells.count() == 1
    exact = gpuodds.equity(["AA", "QQ"], board="2s7d9h", backend="cpu").players[place].equity
    assert cells.first.get_attribute("title") == f"{name}: {100 * exact:.4f} %"
    assert f"Player {letter}, {name}: " in page.get_attribute("#view .heat", "aria-label")
    shown(page, "opponents", seat, f"Player {letter}, {name}: equity by the number")
    page.wait_for_selector("#view tbody tr")
    row = page.locator("#view tbody tr").nth(1)
    with_one = gpuodds.equity(["AA", "QQ"], opponents=1, board="2s7d9h", backend="cpu")
    assert f"{100 * with_one.players[place].equity:.4f} %" in row.inner_text()
    shown(page, "next", seat, f"Player {letter}, {name}: equity by the next")
    page.wait_for_function("() => document.querySelectorAll('#view .heat span').length === 52")
    queen = gpuodds.equity(["AA", "QQ"], board="2s7d9hQs", backend="cpu").players[place].equity
    assert f"Q♠\n{100 * queen:.0f}" in page.inner_text("#view")


def test_a_seat_without_a_hand_has_no_view(page: Any, address: str) -> None:
    page.goto(f"{address}/?{EMPTY_FIRST}")
    page.wait_for_selector(EXACT)
    for view in ("heat", "next", "opponents", "kelly"):
        found = shown(page, view, 1, "Give this player a hand")
        assert found.startswith("Player A: ")
        page.click(f"#show-{view}")


def test_another_seat_gets_a_view_of_its_own(page: Any, address: str) -> None:
    page.goto(f"{address}/?hand=AA&hand=QQ&board=2s7d9h")
    page.wait_for_selector(EXACT)
    shown(page, "heat", 1, "Player A, AA: ")
    page.wait_for_selector("#view .heat span[title^='AA']")
    gate = Gate(page, "**/v1/equity")
    page.click("#seats li:nth-child(2) input")
    # Until then nothing is shown, not the other seat's results.
    assert page.inner_text("#view").split("\n")[0].startswith("Player B, QQ: ")
    assert page.locator("#view .heat").count() == 0
    page.wait_for_timeout(100)
    assert len(gate.held) == 1
    gate.open()
    page.wait_for_selector("#view .heat span[title^='QQ']")
    assert page.locator("#view .heat span[title^='AA']").count() == 0


def test_late_answers_are_dropped(page: Any, address: str) -> None:
    page.goto(f"{address}/?hand=AA&hand=QQ&board=2s7d9h")
    page.wait_for_selector(EXACT)
    views, streams = Gate(page, "**/v1/equity"), Gate(page, "**/v1/equity/stream")
    page.click("#show-heat")
    page.wait_for_timeout(200)
    page.fill("#board", "2s7d9c")
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    # The old results are gone before the new ones arrive.
    assert page.is_hidden("#result") and page.inner_text("#view") == ""
    assert page.is_disabled("#copy-json") and page.is_disabled("#copy-text")
    page.fill("#board", "2s7d9hTc")
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert len(views.held) == 1 and len(streams.held) == 2
    views.open()
    streams.open()
    now = gpuodds.equity(["AA", "QQ"], board="2s7d9hTc", backend="cpu").equity
    page.wait_for_selector(f"#view .heat span[title='AA: {100 * now:.4f} %']")
    page.wait_for_timeout(300)
    assert abs(equity(page) - now) < 1e-6
    assert page.locator("#view .heat span[title]").count() == 1


def test_results_follow_an_undo_and_a_removed_seat(page: Any, address: str) -> None:
    page.goto(f"{address}/?hand=AA&hand=QQ&hand=JJ&board=2s7d9h")
    page.wait_for_selector(EXACT)
    shown(page, "heat", 3, "Player C, JJ: ")
    page.wait_for_selector("#view .heat span[title^='JJ']")
    page.click("[aria-label='Remove player A']")
    # The chosen player is the same one, at the seat before.
    page.wait_for_function(
        "() => document.querySelector('#view').textContent.startsWith('Player B, JJ: ')"
    )
    page.wait_for_selector("#view .heat span[title^='JJ']")
    assert page.inner_text("#range-whose") == "player B"
    assert near(equity(page, 1), ["QQ", "JJ"], place=1, board="2s7d9h")
    page.click("#undo")
    page.wait_for_function("() => document.querySelectorAll('#result tbody tr').length === 3")
    assert near(equity(page, 0), ["AA", "QQ", "JJ"], board="2s7d9h")
    assert page.locator("#result th[scope='row']").all_inner_texts() == ["A: AA", "B: QQ", "C: JJ"]
    page.wait_for_function(
        "() => document.querySelector('#view').textContent.startsWith('Player B, QQ: ')"
    )
    page.wait_for_selector("#view .heat span[title^='QQ']")


def test_a_bet_against_the_other_seats(page: Any, address: str) -> None:
    page.goto(f"{address}/?hand=QQ%2B,AK&hand=&hand=JdJs&hand=8c7c&board=2s7d9h&opponents=2")
    page.wait_for_selector(EXACT)
    asked: list[Any] = []
    page.on("request", lambda one: asked.append(one.post_data) if "kelly" in one.url else None)
    page.click("#seats li:nth-child(3) input")
    page.click("#show-kelly")
    page.fill("#pot", "100")
    page.keyboard.press("Enter")
    against = ["QQ+,AK", "8c7c", "random", "random"]
    exact = kelly_bet("JdJs", opponents=against, board="2s7d9h", bankroll=1000, pot=100, backend="cpu")
    gain = f"expected gain {exact.expected_value:.1f}, growth {exact.growth:.4f}"
    found = shown(page, "kelly", 3, gain)
    assert found.startswith("Player C, JdJs: how much to bet")
    assert "Against A: QQ+,AK; D: 8c7c; 2 random; all call." in found
    body = json.loads(asked[-1])
    assert body["opponents"] == against and "stack" not in body
    # Chips on the table are asked for where they are given; a bankroll there has to be.
    page.fill("#stack", "250")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert json.loads(asked[-1])["stack"] == 250
    page.fill("#bankroll", "")
    page.keyboard.press("Enter")
    shown(page, "kelly", 3, "Bankroll: expected a number of chips")
    # A range is not bet on.
    found = shown(page, "kelly", 1, "is a range")
    assert found.startswith("Player A, QQ+,AK: how much to bet\n")


def test_a_range_is_painted_for_its_own_seat(page: Any, address: str) -> None:
    page.goto(f"{address}/?hand=30%25&hand=KK&board=2s7d9h")
    page.wait_for_selector("#grid [data-name='AA'][aria-selected='true']")
    assert page.inner_text("#percent-shown") == "30 %"
    gate = Gate(page, "**/v1/range")
    page.click("#seats li:nth-child(2) input")
    page.wait_for_timeout(200)
    # What is not read yet is not shown as the range before, nor painted on it.
    assert page.locator("#grid [aria-selected='true']").count() == 0
    assert page.inner_text("#percent-shown") == "0 %"
    page.focus("#grid [data-name='JJ']")
    page.keyboard.press(" ")
    assert page.input_value("#range-text") == "KK"
    gate.open()
    page.wait_for_selector("#grid [data-name='KK'][aria-selected='true']")
    page.focus("#grid [data-name='JJ']")
    page.keyboard.press(" ")
    page.wait_for_function("() => document.querySelector('#range-text').value === 'KK,JJ'")


def test_refused_values_are_not_shown(page: Any, address: str) -> None:
    page.fill("#seats li:nth-child(1) input", "AsKs")
    page.keyboard.press("Enter")
    for _ in range(2):
        page.fill("#opponents", "99")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelector('#opponents').value === '22'")
    page.goto(f"{address}/?{'&'.join(['hand=AsKs'] + 11 * ['hand=random'])}")
    page.wait_for_selector("#error:not([hidden])")
    assert page.inner_text("#error") == "The link has 12 players: there are seats for 10."
    assert page.is_hidden("#result")
    page.goto(f"{address}/?hand=AsKs&opponents=23")
    page.wait_for_selector("#error:not([hidden])")
    assert page.inner_text("#error") == "The link has opponents=23: expected 0 to 22."
    page.fill("#opponents", "2")
    page.keyboard.press("Enter")
    assert near(equity(page), ["AsKs"], opponents=2)
    assert page.is_hidden("#error")


def answering(events: str) -> Any:
    return lambda route: route.fulfill(content_type="text/event-stream", body=events)


def test_a_spot_that_cannot_be_read_has_no_results(page: Any, address: str) -> None:
    page.goto(f"{address}/?hand=AsKs&hand=&board=2s7d9h")
    page.wait_for_selector("#range-size:has-text('combos')")
    # The command would take a random opponent.
    assert page.is_disabled("#copy-command")
    page.fill("#seats li:nth-child(2) input", "QQ")
    page.fill("#board", "2s7d9hXX")
    page.keyboard.press("Enter")
    page.wait_for_selector("#error:not([hidden])")
    assert page.is_enabled("#copy-command")
    for view in ("heat", "next", "opponents", "kelly"):
        shown(page, view, 1, page.inner_text("#error"))
        page.click(f"#show-{view}")


def test_a_server_that_fails(page: Any, address: str) -> None:
    page.goto(f"{address}/?hand=AA&hand=QQ&board=2s7d9h")
    page.wait_for_selector(EXACT)
    page.route("**/v1/equity", lambda route: route.abort("connectionrefused"))
    page.click("#show-heat")
    shown(page, "heat", 1, "The server does not answer.")
    page.route("**/v1/equity/stream", lambda route: route.abort("connectionrefused"))
    page.fill("#board", "2s7d9c")
    page.keyboard.press("Enter")
    page.wait_for_selector("#error:not([hidden])")
    assert page.inner_text("#error") == "The server does not answer."
    assert page.is_hidden("#result") and page.inner_text("#status") == "No answer."
    # A broken stream leaves its last estimate, marked as an estimate.
    page.unroute("**/v1/equity/stream")
    found = gpuodds.equity(["AA", "QQ"], board="2s7d9d", method="monte-carlo", samples=1000, seed=1)
    estimate = f"event: estimate\ndata: {json.dumps(found.to_dict())}\n\n"
    problem = {"status": 504, "detail": "no answer within 30 s"}
    for end, message in (
        ("", "The connection ended before the answer."),
        (f"event: error\ndata: {json.dumps(problem)}\n\n", "no answer within 30 s"),
    ):
        page.route("**/v1/equity/stream", answering(estimate + end))
        page.fill("#board", "2s7d9d" if end else "2s7d9s")
        page.keyboard.press("Enter")
        page.wait_for_function(
            "text => document.querySelector('#error').textContent === text", arg=message
        )
        assert page.inner_text("#status").endswith("1,000 deals, 95 % error shown, not finished")
        assert page.is_visible("#result") and page.is_hidden("#progress")


@pytest.mark.parametrize(
    "name, status, message", [("warming-up", 503, "is warming up;"), ("busy", 429, "is busy;")]
)
def test_a_server_that_cannot_answer_yet(
    page: Any, address: str, name: str, status: int, message: str
) -> None:
    """The page waits and retries by itself; a spot that has changed is not requested again."""
    problem = {
        "type": f"https://gpuodds.invalid/problems/{name}",
        "status": status,
        "detail": "ask again in 1 s",
        "retry_after": 1,
    }
    asked = []

    def warming(route: Any) -> None:
        asked.append(json.loads(route.request.post_data)["board"])
        body = json.dumps(problem)
        route.fulfill(status=status, content_type="application/problem+json", body=body)

    page.route("**/v1/equity/stream", warming)
    page.goto(f"{address}/?hand=AsKs&hand=QhQd&board=2s7d9h")
    page.wait_for_function(
        "(says) => document.querySelector('#status').textContent.includes(says)", arg=message
    )
    page.fill("#board", "2s7d9d")
    page.press("#board", "Enter")
    while asked.count("2s7d9d") < 2:
        page.wait_for_timeout(50)
    assert page.is_hidden("#error") and page.is_hidden("#result")
    page.unroute("**/v1/equity/stream")
    assert near(equity(page), ["AsKs", "QhQd"], board="2s7d9d")
    # On a slow machine the old spot is retried before the change, but never after it.
    assert "2s7d9h" not in asked[asked.index("2s7d9d") :]


def test_ten_seats(page: Any) -> None:
    for _ in range(8):
        page.click("#add-seat")
    assert page.locator("#seats li").count() == 10 and page.is_disabled("#add-seat")
    page.click("[aria-label='Remove player J']")
    assert page.locator("#seats li").count() == 9


@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1280)])
def test_no_serious_accessibility_fault(browser: Any, address: str, scheme: str, width: int) -> None:
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


def test_the_page_is_small_and_loads_soon(browser: Any, address: str) -> None:
    page, sizes = browser.new_page(), []
    page.on("response", lambda response: sizes.append(len(response.body())))
    begin = time.monotonic()
    page.goto(address)
    page.wait_for_selector("#seats li")
    print(f"the page was there after {time.monotonic() - begin:.2f} s")
    assert sum(sizes) < 200_000
    page.close()
