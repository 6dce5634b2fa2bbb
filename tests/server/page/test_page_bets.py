"""The views that deal or bet: next cards, opponents, flops by texture, bets, all-in or fold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from page_driver import (
    EXACT,
    choose,
    figure,
    fill,
    is_phone,
    link,
    rows,
    show,
    wait_for,
)

import gpuodds
from gpuodds.betting import kelly_bet

pytestmark = pytest.mark.slow

EMPTY_FIRST = ["", "AA", "QQ+,AK"]
BOARD = "2s7d9h"


def test_the_next_card(page: Any, address: str) -> None:
    """One request for all turn cards; coloured by their change, and dealt by a click."""
    hands = ["AA", "QQ+,AK"]
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url.partition("/v1/")[2]))
    page.goto(link(address, hands, board=BOARD))
    page.wait_for_selector(EXACT)
    show(page, "hits")
    if not is_phone(page):
        page.wait_for_selector("#view .under .deal")  # below the hits as well
    show(page, "cards", "Player A")
    assert asked.count("turns") == 1 and asked.count("equity") == 1  # and one for the grids
    now = gpuodds.equity(hands, board=BOARD, backend="cpu").equity
    after = gpuodds.equities_by_next_card(hands, board=BOARD, backend="cpu")
    shown = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("#view button.deal")]
          .map(one => [one.id.slice(5), [one.title, one.dataset.heat]]))"""
    )
    assert set(shown) == set(after) and len(after) == 49
    for card, result in after.items():
        change = 100 * (result.equity - now)
        signed = f"{change:+.4f}".replace("-", "\u2212")
        assert shown[card][0] == f"{card}: {100 * result.equity:.4f} %, {signed}"
        assert shown[card][1] == ("low" if change < 0 else "high")
    # Another player needs no other request.
    choose(page, 2)
    show(page, "cards", "Player B")
    assert asked.count("turns") == 1 and asked.count("equity") == 1
    page.click("#deal-Qs")
    wait_for(page, "document.querySelector('#board').value === '2s7d9hQs'")
    river = gpuodds.equity(hands, board=f"{BOARD}QsTd", backend="cpu").players[1].equity
    show(page, "cards", "Player B")
    page.wait_for_selector(f"#deal-Td[title^='Td: {100 * river:.4f} %']")


def test_turn_cards_that_differ_in_suits_alone(page: Any, address: str) -> None:
    """The server counts them as one; each has its own button, with the same figure."""
    page.goto(link(address, ["AA,KQs", "JJ-TT,98s"], board="2s7s9s"))
    page.wait_for_selector(EXACT)
    show(page, "cards")
    after = gpuodds.equities_by_next_card(["AA,KQs", "JJ-TT,98s"], board="2s7s9s", backend="cpu")
    for card, result in after.items():
        assert page.locator(f"#deal-{card}[title^='{card}: {100 * result.equity:.4f} %']").count() == 1


def test_the_number_of_opponents(page: Any, address: str) -> None:
    page.goto(link(address, EMPTY_FIRST, board=BOARD))
    choose(page, 2)
    show(page, "opponents", "Player B")
    with_one = gpuodds.equity(["AA", "QQ+,AK"], opponents=1, board=BOARD, backend="cpu")
    assert rows(page)[1] == ["1", f"{100 * with_one.equity:.4f} %"] and len(rows(page)) == 10


def test_flops_by_texture(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "KK"]))
    show(page, "flops")
    page.wait_for_selector("#flop-mean")
    report = gpuodds.flop_report(["AA", "KK"], backend="cpu")
    mean = report.players[0].equity
    dealt = sum(row.weight for row in report.rows if row.outcomes)  # with three aces no one has AA
    assert page.inner_text("#flop-mean") == f"{dealt:,} of 22,100 flops, mean {100 * mean:.4f} %"
    # Each texture has a row, with all players.
    found = {row[0]: row[1:] for row in rows(page) if row[0] in ("all flops", "monotone", "rainbow")}
    for texture in ("monotone", "rainbow"):
        chosen = report.select(texture)
        assert found[texture][1:] == [figure(player.equity) for player in chosen.players]
    page.click("#texture-monotone")
    monotone = report.select("monotone")
    mean = monotone.players[0].equity
    assert f"mean {100 * mean:.4f} %" in page.inner_text("#flop-mean")
    page.click("#flop-order")
    worst = monotone.sorted("equity_1", reverse=True)
    shown = page.locator("#view .flop").first
    lowest = worst.rows[0].players[0].equity
    assert page.locator("#view .list tbody tr >> nth=0").inner_text().split()[-2] == figure(lowest)
    board = shown.get_attribute("aria-label").split()[1]
    shown.click()
    wait_for(page, "document.querySelector('#board').value === v", board)


def test_a_bet_against_the_other_seats(page: Any, address: str) -> None:
    page.goto(link(address, ["QQ+,AK", "", "JdJs", "8c7c"], board=BOARD, opponents="2"))
    page.wait_for_selector(EXACT)
    asked: list[Any] = []
    page.on("request", lambda one: asked.append(one.post_data) if "kelly" in one.url else None)
    choose(page, 3)
    show(page, "bet", "expected gain")
    fill(page, "#pot", "100")
    against = ["QQ+,AK", "8c7c", "random", "random"]
    exact = kelly_bet("JdJs", opponents=against, board=BOARD, bankroll=1000, pot=100, backend="cpu")
    gain = f"expected gain {exact.expected_value:.1f}, growth {exact.growth:.4f}"
    found = show(page, "bet", gain)
    assert found.startswith("how much Player C bets")
    assert "Against A: QQ+,AK; D: 8c7c; 2 random; all call." in found
    body = json.loads(asked[-1])
    assert body["opponents"] == against and "stack" not in body
    # Chips on the table are asked for where they are given; a bankroll there has to be.
    with page.expect_request(
        lambda one: "kelly" in one.url and json.loads(one.post_data).get("stack") == 250
    ):
        fill(page, "#stack", "250")
    fill(page, "#bankroll", "")
    show(page, "bet", "Bankroll: expected a number of chips")
    fill(page, "#bankroll", "1000")
    # Of a range, one hand is bet.
    choose(page, 1)
    show(page, "bet", "how much Player A bets")
    page.select_option("#bet-hand", "QsQc")
    against = ["JdJs", "8c7c", "random", "random"]
    exact = kelly_bet(
        "QsQc", opponents=against, board=BOARD, bankroll=1000, pot=100, stack=250, backend="cpu"
    )
    show(page, "bet", f"expected gain {exact.expected_value:.1f}")


def test_a_fold_and_what_a_call_needs(page: Any, address: str) -> None:
    page.goto(link(address, ["Jc4h", "QQ+"], board=BOARD))
    show(page, "bet", "expected gain")
    fill(page, "#pot", "500")
    fill(page, "#to-call", "300")
    share = f"{100 * 300 / 800:.2f} %"
    assert "fold" in show(page, "bet", f", a call needs {share}. Against B: QQ+")
    rows = [row.split("\t") for row in page.locator("#view tbody tr").all_inner_texts()]
    assert [(row[0], row[-1]) for row in rows] == [("fold", ""), ("call", share)]


def test_the_errors_of_a_sampled_bet(page: Any, address: str) -> None:
    # Answered here: the server would sample for seconds.
    drawn = kelly_bet(
        "7s2h", opponents=["60%", "70%"], bankroll=1000, pot=500, to_call=300, fold=0.3, samples=2000
    )
    answer = drawn.to_dict()
    error = answer["standard_error"]
    page.route("**/v1/kelly", lambda route: route.fulfill(json=answer))
    page.goto(link(address, ["7s2h", "60%", "70%"], board=f"{BOARD}TcKc"))
    shares = f"equity {100 * error['equity']:.3f} %, best bet {100 * error['fraction']:.3f} %"
    growth = f"growth {error['growth']:.4f}"
    found = show(page, "bet", f"Sampled. Standard errors: {shares} of the bankroll, {growth}. ")
    assert "Within two of them the advice is the same." in found
    answer |= {"other_actions": ["call", "raise"], "advice_changes": True}
    fill(page, "#pot", "600")
    show(page, "bet", "Within two of them the advice may be another: call, raise.")


def test_all_in_or_fold(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "KK"]))
    page.wait_for_selector(EXACT)
    result = gpuodds.push_fold([10, 10])
    show(page, "push-fold", f"SB {result.percent('SB'):.2f} %")
    assert rows(page)[:2] == [["SB", "10", "\u22120.0454"], ["BB", "10", "+0.0454"]]
    assert "Best responses gain less than 1e-9 of the pool, counted exactly." in page.inner_text(
        "#view"
    )
    cell = page.locator("#view .chart [data-name='72o']")
    assert cell.get_attribute("aria-label") == "72o: 0.0 %"
    assert page.locator("#view .chart [aria-selected='true']").count() == sum(
        chance > 0 for chance in result.chart("SB").values()
    )
    page.locator("#view .chart [data-name='A5s']").click()
    found = result.explain("SB", "A5s")
    page.wait_for_selector("#push-decision")
    said = page.inner_text("#push-decision")
    assert f"worth {found.all_in:.4f}; fold -0.5000 (+{found.difference:.4f} chips)" in said
    assert f"BB calls with {result.percent('BB:SB'):.2f} %" in said
    page.select_option("#push-place", "BB:SB")
    called = result.explain("BB:SB", "A5s")
    wait_for(page, "document.querySelector('#push-decision b')?.textContent === 'A5s at BB:SB'")
    assert f"worth {called.all_in:.4f}" in page.inner_text("#push-decision")


def test_prizes_of_all_in_or_fold_by_a_link(page: Any, address: str) -> None:
    page.goto(f"{address}/?stacks=8,+12&blinds=0.5/1&ante=0&payouts=65,35")
    assert page.is_visible("#push-stacks")  # on a phone too
    result = gpuodds.push_fold([8, 12], payouts=[65, 35])
    show(page, "push-fold", f"SB {result.percent('SB'):.2f} %")
    assert page.input_value("#push-stacks") == "8, 12" and "Gains in prizes" in page.inner_text("#view")
    fill(page, "#push-stacks", "8, 12, x")
    page.locator("#push-stacks").blur()
    show(page, "push-fold", "Stacks: expected numbers, found x")
    fill(page, "#push-stacks", "8, 0")
    page.locator("#push-stacks").blur()
    show(page, "push-fold", "expected above 0")


UNENDING = r"""() => {
  const ask = window.fetch;
  const event = 'event: estimate\ndata: {"iterations": 20, "share_of_pool": 0.00012}\n\n';
  window.searches = 0;
  window.fetch = (where, how) => {
    const isOfThree = String(where).endsWith("/v1/push-fold/stream") && how.body.includes("[9,9,9]");
    if (!isOfThree) return ask(where, how);
    window.searches += 1;
    how.signal.addEventListener("abort", () => (window.searches -= 1));
    const start = to => to.enqueue(new TextEncoder().encode(event));
    return Promise.resolve(new Response(new ReadableStream({ start }), { status: 200 }));
  };
}"""
"""A search of three players in the page that has one certificate, and no end."""


def test_certificates_of_a_search_are_shown(page: Any, address: str) -> None:
    """Of the server's events; new stacks end the search for the ones before."""
    page.goto(f"{address}/?stacks=10,10")
    show(page, "push-fold", "SB 58.28 %")
    page.evaluate(UNENDING)
    fill(page, "#push-stacks", "9, 9, 9")
    page.locator("#push-stacks").blur()
    show(page, "push-fold", "Best responses gain 1.2e-4 of the pool so far")
    assert page.evaluate("window.searches") == 1
    fill(page, "#push-stacks", "8, 12")
    page.locator("#push-stacks").blur()
    show(page, "push-fold", f"SB {gpuodds.push_fold([8, 12]).percent('SB'):.2f} %")
    assert page.evaluate("window.searches") == 0
