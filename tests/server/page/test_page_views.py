"""The views of the page: each names its player, follows the seat, shows the library's figures."""

from __future__ import annotations

import json
from typing import Any

import pytest
from page_driver import (
    EXACT,
    TEXT,
    VIEW,
    Gate,
    cell,
    choose,
    close_boxes,
    equity,
    fill,
    is_phone,
    link,
    open_box,
    show,
    show_views,
    text,
    wait_for,
)

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


def figure(share: float) -> str:
    return f"{100 * share:.2f}"


def test_every_view_follows_the_seat(page: Any, address: str) -> None:
    """Views of one player name it, and follow the focus; the others have all players in columns."""
    page.goto(link(address, EMPTY_FIRST, board=BOARD))
    page.wait_for_selector(EXACT)
    choose(page, 1)
    hint = "Give this player a hand or a range, or choose another."
    assert show(page, "opponents", "Player A").endswith(hint)
    for number, name in enumerate(("cards", "opponents", "flops", "bet")):
        for place, whose in ((2, "Player B"), (3, "Player C"))[:: (-1) ** number]:
            choose(page, place)
            assert whose in show(page, name, whose)
    for name in ("hits", "graph"):
        show(page, name)
        heads = [head.strip() for head in page.locator("#view thead th").all_inner_texts()]
        assert [head for head in heads if head in "BC"] == ["B", "C"]


def test_equities_in_the_grids(page: Any, address: str) -> None:
    """Each cell has the mean equity of its hand; the switch shows weights or hits in its place."""
    ranges = ["22+,A2s+,KTs+:0.5", "QQ+,AK"]
    page.goto(link(address, ranges, board=BOARD))
    page.wait_for_selector(EXACT)
    exact = gpuodds.equity(ranges, board=BOARD, by_hand=True, backend="cpu")
    for number in (1, 2):
        page.wait_for_selector(f"#seats > li:nth-child({number}) [data-heat]", state="attached")
        shown = page.evaluate(
            """n => Object.fromEntries([...document.querySelectorAll(
              `#seats > li:nth-child(${n}) [data-heat]`)].map(one => [one.dataset.name,
              [one.title, one.lastElementChild.textContent]]))""",
            number,
        )
        means = exact.equity_grid(number - 1)
        assert set(shown) == set(means)
        for name, mean in means.items():
            title, short = shown[name]
            assert title.startswith(f"{name}: equity {100 * mean:.4f} %")
            assert short == f"{100 * mean:.1f}"
    # Dead combos are hatched in the cells that have some.
    dead = "one => [one.dataset.gone, one.style.getPropertyValue('--dead')]"
    choose(page, 1)
    assert page.eval_on_selector(cell("77"), dead) == ["some", "50%"]
    assert page.eval_on_selector(cell("AA"), dead) == ["none", "0%"]
    page.click("#modes [data-mode='range']")
    assert page.locator(".seat [data-heat]").count() == 0
    assert page.inner_text(cell("KTs")).split() == ["KTs", "50"]
    page.click("#modes [data-mode='hits']")
    page.wait_for_selector(cell("77") + "[data-bands='true']")
    assert "two pair or better 3" in page.get_attribute(cell("77"), "title")
    page.reload()
    page.wait_for_selector(cell("77") + "[data-bands='true']")  # and it is kept


def test_hands_in_a_table(page: Any, address: str) -> None:
    page.goto(link(address, ["", "AA:0.5,QQ", "QQ+,AK"], board=BOARD))
    choose(page, 3)
    show(page, "graph")
    exact = gpuodds.equity(["AA:0.5,QQ", "QQ+,AK"], board=BOARD, by_hand=True, backend="cpu")
    assert exact.by_hand is not None
    # The combos of a row are the sum of their weights.
    means = exact.equity_grid(1)
    found = {row[0]: row[1:] for row in rows(page)}
    for name, mean in means.items():
        assert found[name][3] == figure(mean)
    assert found["AA"][0] == "3" and found["QQ"][0] == "6" and found["KK"][0] == "\u2013"
    page.click("#view [data-column='equity C']")
    falling = [figure(mean) for mean in sorted(means.values(), reverse=True)]
    assert [row[4] for row in rows(page)] == falling
    page.click("#view [data-column='equity C']")
    assert [row[4] for row in rows(page)] == falling[::-1]
    assert page.get_attribute("#view th[aria-sort]", "aria-sort") == "ascending"
    page.click("#view [data-column='name']")
    assert [row[0] for row in rows(page)] == sorted({*means, "AA", "QQ"})
    page.click("#copy-csv")
    wait_for(page, "document.querySelector('#note').textContent.startsWith('CSV')")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines[0] == "hand,weight,equity,win,tie"
    assert [line.split(",")[0] for line in lines[1:]] == [hand.hand for hand in exact.by_hand[1]]


def test_pointing_shows_hands_everywhere(page: Any, address: str) -> None:
    """A class of hits, a place of the graph and a row of a table mark their cells in every grid."""
    page.goto(link(address, ["99,AA", "77,AA"], board=BOARD))
    page.wait_for_selector(EXACT)
    marked = """() => [...document.querySelectorAll("[role=gridcell][data-hover=true]")]
      .map(one => one.closest(".seat").dataset.letter + one.dataset.name)"""
    show(page, "hits")
    page.hover("#view [data-class='set']")
    assert page.evaluate(marked) == ["A99", "B77"]
    page.mouse.move(2, 2)
    assert page.evaluate(marked) == []
    show(page, "graph")
    box = page.locator("#view .plot").bounding_box()
    page.mouse.move(box["x"] + 45, box["y"] + 40)  # at the best hand of each range
    assert page.evaluate(marked) == ["A99", "B77"]
    page.hover("#view [data-hand='AA']")
    assert page.evaluate(marked) == ["AAA", "BAA"]
    if not is_phone(page):
        page.hover("#seats > li:nth-child(1) [data-name='AA']")
        place = "[...document.querySelectorAll('#view .dot')].map(one => +one.getAttribute('cx') > 0)"
        assert page.evaluate(place) == [True, True]


def test_hits_filter_the_range(page: Any, address: str) -> None:
    page.goto(link(address, ["22+,A2s+,KTs+", "AhKh"], board="2s7s9hTc"))
    page.wait_for_selector(EXACT)
    show(page, "hits")
    hits = gpuodds.range_hits("22+,A2s+,KTs+", board="2s7s9hTc", dead="AhKh")
    exact = gpuodds.equity(["22+,A2s+,KTs+", "AhKh"], board="2s7s9hTc", by_hand=True, backend="cpu")
    assert exact.by_hand is not None
    turn = hits.streets[1]
    found = {row[0]: row[1:] for row in rows(page) if len(row) > 1}
    of_hand = {one.hand: one.equity for one in exact.by_hand[0]}
    for name, one in (turn.made | turn.draws).items():
        if not one.combos:
            continue
        assert found[name][0] == f"{one.combos:g}"
        own = [of_hand[hand.hand] for hand in turn.by_hand if name in (hand.made, *hand.draws)]
        assert found[name][1] == figure(sum(own) / len(own))
    title = page.get_attribute("[data-class='top pair'] td >> nth=0", "title")
    assert title == f"{turn.made['top pair'].combos:g} combos, {figure(turn.made['top pair'].share)} %"
    page.click("[data-hit='set']")
    page.click("[data-hit='flush draw']")
    sets = page.inner_text("#hit-count")
    assert page.get_attribute("#seats > li:nth-child(1) [data-name='77']", "data-hit") == "false"
    page.click("#keep-hits")
    wait_for(page, "!document.querySelector(v).value.includes('22+')", TEXT)
    kept = gpuodds.Range(text(page))
    assert sets.startswith(f"A: {kept.weight:g} of ")
    of_kept = gpuodds.range_hits(kept, board="2s7s9hTc", dead="AhKh").streets[1]
    assert of_kept.made["set"] == turn.made["set"]._replace(share=of_kept.made["set"].share)
    assert of_kept.draws["flush draw"].combos == turn.draws["flush draw"].combos
    page.click("#undo")
    wait_for(page, "document.querySelector(v).value.includes('22+')", TEXT)
    page.wait_for_selector(VIEW, state="attached")
    page.wait_for_selector("#drop-hits:not([disabled])")
    page.click("#drop-hits")
    wait_for(page, "!document.querySelector(v).value.includes('22+')", TEXT)
    rest = gpuodds.Range(text(page))
    assert (rest & kept).weight == 0 and (rest | kept) == gpuodds.Range("22+,A2s+,KTs+")


def test_hits_over_all_flops(page: Any, address: str) -> None:
    page.goto(link(address, ["AKs", ""]))
    assert "Share of all flops" in show(page, "hits", "Share of all flops")
    flop = gpuodds.range_hits("AKs").streets[0]
    top = flop.made["top pair"]
    assert [f"{100 * top.share:.1f} %"] in [row[1:] for row in rows(page) if row[0] == "top pair"]


def test_equity_graphs(page: Any, address: str) -> None:
    page.goto(link(address, ["15%", "30%"], board=BOARD))
    show(page, "graph")
    assert page.locator("#view .curve").count() == 2
    assert page.get_attribute("#view .curve.chosen", "data-letter") == "A"
    exact = gpuodds.equity(["15%", "30%"], board=BOARD, by_hand=True, backend="cpu")
    box = page.locator("#view .plot").bounding_box()
    page.mouse.move(box["x"] + box["width"] * (30 + 384 / 2) / 420, box["y"] + 60)
    line = page.inner_text("#view .figures")
    assert line.startswith("At 50 %: A ")
    assert exact.by_hand is not None
    for place, part in enumerate(line.removeprefix("At 50 %: ").split(", ")):
        equities = {figure(hand.equity) for hand in exact.by_hand[place]}
        assert part.split()[2] in equities


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


def test_another_seat_gets_a_view_of_its_own(page: Any, address: str) -> None:
    page.goto(link(address, ["AhAs", "QdQc"], board=BOARD))
    show(page, "bet", "how much Player A bets")
    gate = Gate(page, "**/v1/kelly")
    choose(page, 2)
    # Until then nothing is shown, not the other seat's results.
    wait_for(page, "document.querySelector('#view-title').textContent === 'how much Player B bets'")
    assert page.locator("#view td").count() == 0
    gate.wait()
    page.wait_for_timeout(100)
    assert len(gate.held) == 1
    gate.open()
    page.wait_for_selector(VIEW, state="attached")
    wait_for(page, "document.querySelector('#view').textContent.includes('Against A: AhAs')")


def test_a_player_alone(page: Any, address: str) -> None:
    """Some views need no opponent; the command would take a random one."""
    page.goto(link(address, ["AsKs", ""], board=BOARD))
    wait_for(
        page,
        "document.querySelector('#status').textContent === 'Add another player, or a random opponent.'",
    )
    assert page.is_disabled("#copy-command")
    assert "Add another player" in show(page, "graph", "Add another")
    assert "top pair" not in show(page, "hits")
    assert page.locator("[data-hit='ace high']").count() == 1
    show(page, "opponents")
    assert len(rows(page)) == 9


def test_a_filter_is_of_the_spot_that_is_shown(page: Any, address: str) -> None:
    page.goto(link(address, ["22+,A2s+", "AhKh"], board="2s7s9hTc"))
    show(page, "hits")
    page.click("[data-hit='set']")
    gate = Gate(page, "**/v1/hits")
    fill(page, TEXT, "22+,A2s+,JTo")
    show_views(page)
    page.wait_for_selector("#view[data-old='true']", state="attached")
    assert page.is_disabled("#drop-hits")  # these are hits of another range
    gate.open()
    page.wait_for_selector(VIEW, state="attached")
    page.click("#drop-hits")
    wait_for(page, "!document.querySelector(v).value.includes('22+')", TEXT)
    rest = gpuodds.Range(text(page))
    assert rest == gpuodds.Range("22+,A2s+,JTo") - gpuodds.Range("77,99,TT,22").without("2s7s9hTc")


def test_a_view_waits_for_the_answer_of_its_board(page: Any, address: str) -> None:
    page.goto(link(address, ["AA", "QQ"], board=BOARD))
    show(page, "cards")
    gate = Gate(page, "**/v1/equity/stream")
    fill(page, "#board", f"{BOARD}Kc")
    choose(page, 2)
    gate.wait()
    assert page.get_attribute("#view", "data-old") == "true"
    gate.open()
    river = gpuodds.equity(["AA", "QQ"], board=f"{BOARD}KcQs", backend="cpu").players[1].equity
    show(page, "cards", "Player B")
    page.wait_for_selector(f"#deal-Qs[title^='Qs: {100 * river:.4f} %']")


def test_cards_are_marked_with_their_players(page: Any, address: str) -> None:
    page.goto(link(address, ["KK", "QQ", "AhAd"]))
    page.wait_for_selector("#cards [data-card='Ah'][data-mark='C']", state="attached")
    choose(page, 2)
    open_box(page, "seat-menu")
    page.click("#remove-seat")
    page.wait_for_selector("#cards [data-card='Ah'][data-mark='B']", state="attached")


def test_unreadable_cards_are_no_part_of_a_figure(page: Any, address: str) -> None:
    page.goto(link(address, ["AsKs", "QQ+"], board="2s7d9h", dead="QhX"))
    page.wait_for_selector("#dead[aria-invalid='true']", state="attached")
    choose(page, 2)
    assert "No answer." in show(page, "hits", "No answer.")
    there = "document.querySelectorAll('#result .combos')[1].title.endsWith('12 with the known cards')"
    wait_for(page, there)


def test_folded_players(page: Any, address: str) -> None:
    """The cards of a player who has folded are out of play; a link and the command say so."""
    page.goto(link(address, ["AsKs", "QQ", "AQ+,KQ"], board=BOARD))
    choose(page, 3)
    open_box(page, "seat-menu")
    page.click("#fold-seat")
    close_boxes(page)
    wait_for(page, "location.search.includes('folded=3')")
    exact = gpuodds.equity(["AsKs", "QQ"], folded=["AQ+,KQ"], board=BOARD, backend="cpu")
    assert abs(equity(page) - exact.equity) < 1e-6
    assert page.locator("#result .combos").all_inner_texts()[2] == "folded"
    open_box(page, "share")
    page.click("#copy-command")
    wait_for(page, "document.querySelector('#note').textContent === 'Command copied.'")
    command = page.evaluate("navigator.clipboard.readText()")
    assert command == "gpuodds equity AsKs QQ --board 2s7d9h --folded AQ+,KQ"
    page.reload()
    assert abs(equity(page) - exact.equity) < 1e-6
    show(page, "cards")  # the next card as well, one by one
    ten = gpuodds.equity(["AsKs", "QQ"], folded=["AQ+,KQ"], board=f"{BOARD}Tc", backend="cpu")
    choose(page, 1)
    show(page, "cards", "Player A")
    page.wait_for_selector(f"#deal-Tc[title^='Tc: {100 * ten.equity:.4f} %']")


def test_the_flops_stay_when_one_is_chosen(page: Any, address: str) -> None:
    gate = Gate(page, "**/v1/equity/stream")
    page.goto(link(address, ["AsKs", "QhQd"]))
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/v1/flops" in one.url else None)
    with page.expect_request("**/v1/flops"):
        show_views(page)
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
