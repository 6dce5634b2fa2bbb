"""What the page says of its figures: estimate, exact, old; wrong input; a server busy or gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from page_driver import (
    EXACT,
    TEXT,
    VIEW,
    Gate,
    answering,
    cell,
    choose,
    equity,
    fill,
    fill_seat,
    is_phone,
    link,
    near,
    open_box,
    seat,
    show,
    text,
    wait_for,
)
from server_fixture import serving_here

import gpuodds
from gpuodds.server.settings import Settings

pytestmark = pytest.mark.slow

WATCH = """
window.shown = [];
document.addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
  const [part, bar] = [document.querySelector('#answer-part'), document.querySelector('#progress')];
  const old = document.querySelector('#result').dataset.old;
  const badge = document.querySelector('#badge').textContent;
  const line = [part.dataset.stage, old, badge, bar.hidden ? null : bar.value];
  if (JSON.stringify(line) !== JSON.stringify(shown.at(-1))) shown.push(line);
}).observe(document.querySelector('#answer-part'),
  {subtree: true, childList: true, attributes: true, characterData: true}));
"""


BOARDS = iter(["3c8d9h", "3c8dTh", "3c8dJh", "3c8dQh"])
"""One for each look: the server caches answers, and sends no estimate before a cached one."""


def test_from_estimate_to_exact_once(page: Any, address: str) -> None:
    board = next(BOARDS)
    page.add_init_script(WATCH)
    page.goto(link(address, ["25%", "40%", "random"], board=board))
    found = equity(page)
    assert near(found, ["25%", "40%", "random"], board=board)
    shown = page.evaluate("shown")
    stages = [line[0] for at, line in enumerate(shown) if not at or shown[at - 1][0] != line[0]]
    assert stages[-2:] == ["estimate", "exact"] and stages.count("exact") == 1
    assert {line[2] for line in shown if line[0] == "estimate"} == {"estimate"}
    counted = [line[3] for line in shown if line[3] is not None]
    assert counted == sorted(counted)  # the bar goes from 0 to 1 once
    assert page.inner_text("#badge") == "exact" and page.is_hidden("#progress")


def test_a_final_estimate(page: Any, address: str) -> None:
    sampled = gpuodds.equity(["AA", "QQ"], board="2s7d9d", method="monte-carlo", samples=1000, seed=1)
    events = f"event: answer\ndata: {json.dumps(sampled.to_dict())}\n\n"
    page.route("**/v1/equity/stream", answering(events))
    page.goto(link(address, ["AA", "QQ"], board="2s7d9d"))
    wait_for(page, "document.querySelector('#badge').textContent === 'final'")
    assert page.inner_text("#status") == "1,000 deals sampled, 95 % error shown"
    errors = page.locator("#result .error-bar").all_inner_texts()
    assert [error.split()[0] for error in errors] == ["\u00b1", "\u00b1"]


def test_old_figures_are_grey_until_new_ones_come(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "QQ+"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    show(page, "hits")
    views, streams = Gate(page, "**/v1/equity"), Gate(page, "**/v1/equity/stream")
    fill(page, "#board", "2s7d9c")
    page.wait_for_selector("#result[data-old='true']")
    streams.wait(1)  # each in turn: one given up at once never leaves the browser
    assert page.is_disabled("#copy-json") and page.is_disabled("#copy-text")
    assert page.get_attribute("#view", "data-old") == "true"
    wait_for(page, "document.querySelector('#badge').textContent === ''")
    # Other players: nothing stays.
    if not is_phone(page):
        fill_seat(page, 1, "")
        wait_for(page, "document.querySelector('#result .figure').textContent === '\u2013'")
        fill_seat(page, 1, "AA")
        streams.wait(2)
    fill(page, "#board", "2s7d9hTc")
    streams.wait(2 if is_phone(page) else 3)
    page.wait_for_timeout(200)
    assert views.held == []
    streams.open()
    exact = gpuodds.equity(["AA", "QQ+"], board="2s7d9hTc", backend="cpu")
    page.wait_for_selector(EXACT)
    views.open()
    page.wait_for_selector(VIEW)
    assert abs(equity(page) - exact.equity) < 1e-6


@pytest.mark.parametrize(
    ("selector", "text", "message"),
    [
        (seat(2), "QQx", "QQx: column 3: expected"),
        ("#board", "2s7d9hXX", "column 7: expected a rank"),
        pytest.param("#dead", "3", "column 2: expected a suit", marks=pytest.mark.slow),
    ],
)
def test_an_error_is_shown_at_its_input(
    page: Any, address: str, selector: str, text: str, message: str
) -> None:
    page.goto(link(address, ["AsKs", "QQ"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    if selector == seat(2):
        choose(page, 2)
    fill(page, selector, text)
    page.wait_for_selector(f"{selector}[aria-invalid='true']", state="attached")
    if selector != seat(2):
        # The box is closed by now; a button over the page leads there.
        assert page.locator(".error:visible").count() == 0
        page.click("#see-fault")
        assert page.evaluate("'#' + document.activeElement.id") == selector
    shown = [line for line in page.locator(".error:visible").all_inner_texts() if line]
    assert len(shown) == 1 and message in shown[0]
    assert page.inner_text("#status") == "No answer."
    assert page.locator("[aria-invalid='true']").count() == 1
    # Also from a link, where nothing was edited.
    page.reload()
    page.wait_for_selector(f"{selector}[aria-invalid='true']", state="attached")
    page.click("#clear")
    page.wait_for_selector("[aria-invalid='true']", state="detached")
    assert page.inner_text("#status") == "Add a hand or a range."


def test_a_card_twice_is_shown_where_it_was_typed(page: Any, address: str) -> None:
    page.goto(link(address, ["AsKs", "QhQd"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    fill(page, "#board", "2s7dQh")
    page.wait_for_selector("#board[aria-invalid='true']", state="attached")
    open_box(page, "deck")
    assert "Qh" in page.inner_text("#board-error") and page.is_hidden("#error")


def test_typing_is_not_disturbed(page: Any, address: str) -> None:
    """Answers and ranges that arrive while a field is being filled leave its text alone."""
    gate, ranges = Gate(page, "**/v1/equity/stream"), Gate(page, "**/v1/range")
    page.goto(link(address, ["30%", "3%"], board="2s7d9h"))
    wait_for(page, "document.documentElement.dataset.ready")
    choose(page, 2)
    page.focus(TEXT)
    page.keyboard.press("End")
    page.keyboard.type(",22")
    page.wait_for_timeout(100)
    gate.open()
    ranges.open()
    page.wait_for_selector(EXACT)
    page.wait_for_selector(cell("KK") + "[aria-selected='true']")
    assert text(page) == "3%,22"
    page.keyboard.press("Enter")
    page.wait_for_selector(cell("22") + "[aria-selected='true']")


def test_badges_do_not_blink(page: Any, address: str) -> None:
    """A badge stays while the next answer is awaited, for 150 ms."""
    page.clock.install()
    page.goto(link(address, ["30%", "KK"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    page.clock.pause_at("2100-01-01")  # no timer of the page runs out
    gate = Gate(page, "**/v1/equity/stream")
    fill(page, "#board", "2s7d9c")
    page.wait_for_selector("#result[data-old='true']")
    assert page.inner_text("#badge") == "exact"
    page.clock.run_for(200)
    assert page.inner_text("#badge") == "" and page.inner_text("#status") == "computing \u2026"
    gate.open()
    page.wait_for_selector(EXACT)
    assert page.inner_text("#badge") == "exact"


def test_a_server_that_is_gone_comes_back(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "QQ"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    page.route("**/v1/equity/stream", lambda route: route.abort("connectionrefused"))
    fill(page, "#board", "2s7d9c")
    wait_for(page, "document.querySelector('#status').textContent.includes('retries by itself')")
    assert page.inner_text("#status").startswith("The server does not answer.")
    assert page.get_attribute("#result", "data-old") == "true"
    assert page.inner_text("#result .figure >> nth=0") != "\u2013"
    assert page.inner_text("#badge") == ""
    page.unroute("**/v1/equity/stream")
    assert near(equity(page), ["AA", "QQ"], board="2s7d9c")  # without another click


def test_a_broken_stream_leaves_its_last_estimate(page: Any, address: str) -> None:
    found = gpuodds.equity(["AA", "QQ"], board="2s7d9d", method="monte-carlo", samples=1000, seed=1)
    estimate = f"event: estimate\ndata: {json.dumps(found.to_dict())}\n\n"
    kind = "https://gpuodds.invalid/problems/deadline"
    problem = {"type": kind, "status": 504, "detail": "no answer within 30 s"}
    end = f"event: error\ndata: {json.dumps(problem)}\n\n"
    page.route("**/v1/equity/stream", answering(estimate + end))
    page.goto(link(address, ["AA", "QQ"], board="2s7d9d"))
    wait_for(page, "document.querySelector('#error').textContent === 'no answer within 30 s'")
    assert page.inner_text("#status") == "1,000 deals sampled, 95 % error shown, not finished"
    assert page.inner_text("#badge") == "" and page.is_hidden("#progress")


@pytest.mark.parametrize(
    "name, status, message",
    [
        ("warming-up", 503, "is warming up;"),
        pytest.param("busy", 429, "is busy;", marks=pytest.mark.slow),
    ],
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
    page.goto(link(address, ["AsKs", "QhQd"], board="2s7d9h"))
    wait_for(page, "document.querySelector('#status').textContent.includes(v)", message)
    fill(page, "#board", "2s7d9d")
    while asked.count("2s7d9d") < 2:
        page.wait_for_timeout(50)
    assert page.is_hidden("#error") and page.inner_text("#result .figure >> nth=0") == "\u2013"
    page.unroute("**/v1/equity/stream")
    assert near(equity(page), ["AsKs", "QhQd"], board="2s7d9d")
    # On a slow machine the old spot is retried before the change, but never after it.
    assert "2s7d9h" not in asked[asked.index("2s7d9d") :]


def test_a_view_that_fails(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "QQ+"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    page.route("**/v1/flops", lambda route: route.abort("connectionrefused"))
    show(page, "flops", "The server is gone; the page retries by itself.")
    page.unroute("**/v1/flops")
    page.wait_for_selector("#view .flop")


def test_views_of_a_server_that_is_gone(page: Any, address: str) -> None:
    """Their figures stay, greyed out, and are updated once it answers again."""
    page.goto(link(address, ["AhKh", "QQ+"], board="2s7d9h"))
    page.wait_for_selector(EXACT)
    show(page, "opponents", "9")
    page.route("**/v1/equity**", lambda route: route.abort("connectionrefused"))
    page.route("**/v1/kelly", lambda route: route.fulfill(status=503, body="busy"))
    fill(page, "#board", "2s7d9hTc")
    wait_for(page, "document.querySelector('#status').textContent.includes('retries by itself')")
    assert page.locator("#view td").count() == 10
    assert page.get_attribute("#view", "data-old") == "true"
    page.unroute("**/v1/equity**")
    page.wait_for_selector(VIEW)
    page.click("#tab-bet")
    wait_for(page, "document.querySelector('#view').textContent.includes('the page retries by itself')")
    page.unroute("**/v1/kelly")
    wait_for(page, "document.querySelector('#view').textContent.includes('expected gain')")
    assert page.get_attribute("#view", "data-old") == "false"


@pytest.fixture(scope="module")
def hurried() -> Iterator[str]:
    """The address of a server that samples for a moment."""
    with serving_here(Settings(time_limit=0.001, cache="memory", backend="cpu", workers=1)) as found:
        yield found


def test_the_page_shows_no_answer_from_too_few_deals(browser: Any, hurried: str) -> None:
    page = browser.new_page()
    page.goto(link(hurried, [*["15%"] * 9, "16%"]))
    wait_for(page, "document.querySelector('#error').textContent.startsWith('Not enough samples')")
    assert page.inner_text("#error").endswith("for an answer: use narrower ranges or fewer players.")
    assert page.get_attribute("#answer-part", "data-stage") in ("failed", "rough")
    assert page.inner_text("#badge") != "final" and show(page, "graph").endswith("No answer.")
    page.context.close()


def test_the_page_says_that_the_last_estimate_is_no_answer(page: Any, address: str) -> None:
    spot: dict[str, Any] = {"hands": ["AA", "QQ"], "board": "2s7d9d"}
    found = gpuodds.equity(**spot, method="monte-carlo", samples=1, seed=1, backend="cpu").to_dict()
    kind = "https://gpuodds.invalid/problems/not-enough-samples"
    problem = {"type": kind, "status": 422, "detail": "not enough samples: 1 deal in 10 s: raise it"}
    events = {"estimate": found, "error": problem}.items()
    body = "".join(f"event: {name}\ndata: {json.dumps(value)}\n\n" for name, value in events)
    page.route("**/v1/equity/stream", answering(body))
    page.goto(link(address, spot["hands"], board=spot["board"]))
    page.wait_for_selector("#answer-part[data-stage='rough']")
    assert page.inner_text("#badge") == "not enough samples"
    assert page.inner_text("#status") == "1 deal sampled, 95 % error shown"
    assert "use narrower ranges or fewer players" in page.inner_text("#error")
    assert show(page, "graph").endswith("No answer.") and page.is_hidden("#progress")
