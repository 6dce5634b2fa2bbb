"""The views of the page: each names its player, follows the seat, shows the library's figures."""

from __future__ import annotations

import json
from typing import Any

import pytest
from page_driver import EXACT, VIEW, Gate, fill, link, seat, show, wait_for

import gpuodds
from gpuodds.betting import kelly_bet

pytestmark = pytest.mark.slow

EMPTY_FIRST = ["", "AA", "QQ+,AK"]
BOARD = "2s7d9h"


def rows(page: Any) -> list[list[str]]:
    """Return the rows of the table in the view."""
    found: list[list[str]] = page.evaluate(
        """[...document.querySelectorAll('#view tbody tr')].map(
          row => [...row.cells].map(one => one.innerText.trim()))"""
    )
    return found


def test_every_view_follows_the_seat(page: Any, address: str) -> None:
    page.goto(link(address, EMPTY_FIRST, board=BOARD))
    page.wait_for_selector(EXACT)
    page.click(seat(1))
    hint = "Give this player a hand or a range, or choose another."
    assert show(page, "hands", "Player A: ").endswith(hint)
    # From view to view the focus stays; within each it goes to the other player.
    for number, name in enumerate(("hands", "hits", "graph", "cards", "opponents", "flops", "bet")):
        for place, whose in ((2, "Player B, AA: "), (3, "Player C, QQ+,AK: "))[:: (-1) ** number]:
            page.click(seat(place))
            assert show(page, name, whose)


def test_hands_in_a_grid_and_a_table(page: Any, address: str) -> None:
    page.goto(link(address, EMPTY_FIRST, board=BOARD))
    page.click(seat(3))
    show(page, "hands", "Player C")
    exact = gpuodds.equity(["AA", "QQ+,AK"], board=BOARD, by_hand=True, backend="cpu")
    means = exact.equity_grid(1)
    for name, equity in means.items():
        assert page.locator(f"#view .heat span[title='{name}: {100 * equity:.4f} %']").count() == 1
    assert page.locator("#view .heat span[title]").count() == len(means)
    falling = [f"{100 * equity:.4f} %" for equity in sorted(means.values(), reverse=True)]
    assert [row[2] for row in rows(page)] == falling
    page.click("#view [data-column='equity']")
    assert [row[2] for row in rows(page)] == falling[::-1]
    assert page.get_attribute("#view th[aria-sort]", "aria-sort") == "ascending"
    page.click("#view [data-column='name']")
    assert [row[0] for row in rows(page)] == sorted(means)
    page.click("#copy-csv")
    wait_for(page, "document.querySelector('#note').textContent.startsWith('CSV')")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines[0] == "hand,weight,equity,win,tie"
    assert exact.by_hand is not None
    assert [line.split(",")[0] for line in lines[1:]] == [hand.hand for hand in exact.by_hand[1]]


def test_hits_filter_the_range(page: Any, address: str) -> None:
    page.goto(link(address, ["22+,A2s+,KTs+", "AhKh"], board="2s7s9hTc"))
    text = show(page, "hits")
    hits = gpuodds.range_hits("22+,A2s+,KTs+", board="2s7s9hTc", dead="AhKh")
    turn = hits.streets[1]
    assert "Flop" in text and "Turn" in text
    found = {row[0]: row[1:] for row in rows(page) if len(row) > 1}
    for name, one in (turn.made | turn.draws).items():
        if one.combos:
            assert found[name][0] == f"{one.combos:g}"
            assert found[name][2] == f"{100 * one.share:.1f} %"
    made = list(turn.made)
    better = sum(turn.made[name].share for name in made[: made.index("top pair") + 1])
    assert found["top pair"][3] == f"{100 * better:.1f} %"
    assert page.locator("#view [tabindex='0']").count() == 2  # one tab stop, and the list
    page.click("[data-hit='set']")
    page.click("[data-hit='flush draw']")
    sets = page.inner_text("#hit-count")
    assert page.get_attribute("#grid [data-name='77']", "data-hit") == "true"
    page.click("#keep-hits")
    wait_for(page, "!document.querySelector('#range-text').value.includes('22+')")
    kept = gpuodds.Range(page.input_value("#range-text"))
    assert sets.startswith(f"{kept.weight:g} of ")
    of_kept = gpuodds.range_hits(kept, board="2s7s9hTc", dead="AhKh").streets[1]
    assert of_kept.made["set"] == turn.made["set"]._replace(share=of_kept.made["set"].share)
    assert of_kept.draws["flush draw"].combos == turn.draws["flush draw"].combos
    page.click("#undo")
    wait_for(page, "document.querySelector('#range-text').value.includes('22+')")
    page.wait_for_selector(VIEW)
    page.click("#drop-hits")
    wait_for(page, "!document.querySelector('#range-text').value.includes('22+')")
    rest = gpuodds.Range(page.input_value("#range-text"))
    assert (rest & kept).weight == 0 and (rest | kept) == gpuodds.Range("22+,A2s+,KTs+")


def test_hits_over_all_flops(page: Any, address: str) -> None:
    page.goto(link(address, ["AKs", ""]))
    assert "Over all flops" in show(page, "hits", "Player A, AKs")
    flop = gpuodds.range_hits("AKs").streets[0]
    top = flop.made["top pair"]
    assert [f"{100 * top.share:.1f} %"] in [row[-2:-1] for row in rows(page) if row[0] == "top pair"]


def test_equity_graphs(page: Any, address: str) -> None:
    page.goto(link(address, ["15%", "30%"], board=BOARD))
    show(page, "graph")
    assert page.locator("#view .curve").count() == 2
    assert page.get_attribute("#view .curve.chosen", "data-letter") == "A"
    exact = gpuodds.equity(["15%", "30%"], board=BOARD, by_hand=True, backend="cpu")
    found = rows(page)
    assert [row[0] for row in found] == [f"{10 * tenth} %" for tenth in range(1, 11)]
    for player in (0, 1):
        graph = exact.equity_graph(player)
        last = graph.equity[-1]
        assert found[-1][player + 1] == f"{100 * last:.1f} %"


def test_next_cards_and_opponents(page: Any, address: str) -> None:
    page.goto(link(address, EMPTY_FIRST, board=BOARD))
    page.click(seat(2))
    show(page, "cards", "Player B")
    queen = gpuodds.equity(["AA", "QQ+,AK"], board=f"{BOARD}Qs", backend="cpu").equity
    cell = page.locator(f"#view td[title='Qs: {100 * queen:.4f} %']").inner_text()
    now = gpuodds.equity(["AA", "QQ+,AK"], board=BOARD, backend="cpu").equity
    assert cell == f"{100 * queen:.1f}{100 * (queen - now):+.1f}".replace("-", "\u2212")
    assert page.locator("#view td").count() == 52
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
    page.select_option("#texture", "monotone")
    monotone = report.select("monotone")
    mean = monotone.players[0].equity
    assert f"mean {100 * mean:.4f} %" in page.inner_text("#flop-mean")
    page.click("#flop-order")
    worst = monotone.sorted("equity_1", reverse=True)
    shown = page.locator("#view .flop").first
    lowest = worst.rows[0].players[0].equity
    assert rows(page)[0][-1] == f"{100 * lowest:.2f} %"
    board = shown.get_attribute("aria-label").split()[1]
    shown.click()
    wait_for(page, "document.querySelector('#board').value === v", board)


def test_a_bet_against_the_other_seats(page: Any, address: str) -> None:
    page.goto(link(address, ["QQ+,AK", "", "JdJs", "8c7c"], board=BOARD, opponents="2"))
    page.wait_for_selector(EXACT)
    asked: list[Any] = []
    page.on("request", lambda one: asked.append(one.post_data) if "kelly" in one.url else None)
    page.click(seat(3))
    show(page, "bet", "expected gain")
    fill(page, "#pot", "100")
    against = ["QQ+,AK", "8c7c", "random", "random"]
    exact = kelly_bet("JdJs", opponents=against, board=BOARD, bankroll=1000, pot=100, backend="cpu")
    gain = f"expected gain {exact.expected_value:.1f}, growth {exact.growth:.4f}"
    found = show(page, "bet", gain)
    assert found.startswith("Player C, JdJs: how much to bet")
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
    # A range is not bet on.
    page.click(seat(1))
    found = show(page, "bet", "is a range")
    assert found.startswith("Player A, QQ+,AK: how much to bet")


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


def test_another_seat_gets_a_view_of_its_own(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "QQ"], board=BOARD))
    show(page, "hands", "Player A, AA: ")
    gate = Gate(page, "**/v1/equity")
    page.click(seat(2))
    # Until then nothing is shown, not the other seat's results.
    assert page.inner_text("#view-title").startswith("Player B, QQ: ")
    assert page.locator("#view td").count() == 0
    gate.wait()
    page.wait_for_timeout(100)
    assert len(gate.held) == 1
    gate.open()
    page.wait_for_selector("#view .heat span[title^='QQ']")
    assert page.locator("#view .heat span[title^='AA']").count() == 0


def test_a_player_alone(page: Any, address: str) -> None:
    """Some views need no opponent; the command would take a random one."""
    page.goto(link(address, ["AsKs", ""], board=BOARD))
    wait_for(
        page,
        "document.querySelector('#status').textContent === 'Add another player, or a random opponent.'",
    )
    assert page.is_disabled("#copy-command")
    assert "Add another player" in show(page, "hands", "Add another")
    assert "top pair" not in show(page, "hits")
    assert page.locator("[data-hit='ace high']").count() == 1
    show(page, "opponents")
    assert len(rows(page)) == 9


def test_a_filter_is_of_the_spot_that_is_shown(page: Any, address: str) -> None:
    page.goto(link(address, ["22+,A2s+", "AhKh"], board="2s7s9hTc"))
    show(page, "hits")
    page.click("[data-hit='set']")
    gate = Gate(page, "**/v1/hits")
    fill(page, "#range-text", "22+,A2s+,JTo")
    page.wait_for_selector("#view[data-old='true']")
    assert page.is_disabled("#drop-hits")  # these are hits of another range
    gate.open()
    page.wait_for_selector(VIEW)
    page.click("#drop-hits")
    wait_for(page, "!document.querySelector('#range-text').value.includes('22+')")
    rest = gpuodds.Range(page.input_value("#range-text"))
    assert rest == gpuodds.Range("22+,A2s+,JTo") - gpuodds.Range("77,99,TT,22").without("2s7s9hTc")


def test_a_view_waits_for_the_answer_of_its_board(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "QQ"], board=BOARD))
    show(page, "cards")
    gate = Gate(page, "**/v1/equity/stream")
    fill(page, "#board", f"{BOARD}Kc")
    page.click(seat(2))
    wait_for(page, "document.querySelector('#view-title').textContent.startsWith('Player B')")
    assert page.get_attribute("#view", "data-old") == "true" and page.locator("#view td").count() == 0
    gate.open()
    page.wait_for_selector(VIEW)
    river = gpuodds.equity(["AA", "QQ"], board=f"{BOARD}KcQs", backend="cpu").players[1].equity
    assert page.locator(f"#view td[title='Qs: {100 * river:.4f} %']").count() == 1


def test_cards_are_marked_with_their_players(page: Any, address: str) -> None:
    page.goto(link(address, ["KK", "QQ", "AhAd"]))
    page.wait_for_selector("#cards [data-card='Ah'][data-mark='C']")
    page.click(seat(2))
    page.click("#remove-seat")
    page.wait_for_selector("#cards [data-card='Ah'][data-mark='B']")


def test_unreadable_cards_are_no_part_of_a_figure(page: Any, address: str) -> None:
    page.goto(link(address, ["AsKs", "QQ+"], board="2s7d9h", dead="QhX"))
    page.wait_for_selector("#dead[aria-invalid='true']")
    page.click(seat(2))
    assert "No answer." in show(page, "hits", "No answer.")
    wait_for(
        page, "document.querySelector('#range-size').textContent.endsWith('12 with the known cards')"
    )


def test_the_flops_stay_when_one_is_chosen(page: Any, address: str) -> None:
    gate = Gate(page, "**/v1/equity/stream")
    page.goto(link(address, ["AsKs", "QhQd"]))
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/v1/flops" in one.url else None)
    with page.expect_request("**/v1/flops"):
        page.click("#tab-flops")
    gate.open()  # the answer comes after the view was chosen
    page.wait_for_selector(EXACT)
    page.wait_for_selector(f"{VIEW} .flop")
    page.locator("#view .flop").nth(3).focus()
    assert page.locator("#view .flop[tabindex='0']").count() == 1  # one tab stop
    page.keyboard.press("Enter")
    page.wait_for_selector(EXACT)
    wait_for(page, "document.querySelector('#board').value")
    page.wait_for_timeout(100)
    assert len(asked) == 1 and page.get_attribute("#view", "data-old") == "false"
    assert page.evaluate("document.activeElement.matches('.flop')")
