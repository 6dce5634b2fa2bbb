"""The views of the page: each names its player, follows the seat, shows the library's figures."""

from __future__ import annotations

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
    figure,
    fill,
    is_phone,
    link,
    on_phones,
    open_box,
    rows,
    show,
    show_views,
    text,
    wait_for,
)

import gpuodds

pytestmark = pytest.mark.slow

EMPTY_FIRST = ["", "AA", "QQ+,AK"]
BOARD = "2s7d9h"


@on_phones
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


@on_phones
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


def test_blockers_of_each_hand(page: Any, address: str) -> None:
    """Two players' hands have what they block on average, and how the equity of the rest changes."""
    page.goto(link(address, ["A5s,KQs", "QQ+,AK"], board="AdTs8s4c2h"))
    page.wait_for_selector(EXACT)
    show(page, "graph")
    page.click("#blockers")
    page.wait_for_selector("#view [data-column='change A']")
    assert page.get_attribute("#blockers", "aria-pressed") == "true"
    result = gpuodds.equity(["A5s,KQs", "QQ+,AK"], board="AdTs8s4c2h", by_hand=True, backend="cpu")
    rows = {row.hand: row for row in result.blockers()}
    kings = [rows[hand] for hand in ("KsQs", "KhQh", "KdQd", "KcQc")]
    assert {row.blocked for row in kings} == {9}
    shown = page.text_content("#view [data-hand='KQs']")
    change = 100 * kings[0].change
    assert change > 0
    assert "9" in shown and f"+{change:.2f}" in shown
    page.click("#view [data-column='blocked A']")
    assert page.locator("#view tbody tr").first.get_attribute("data-hand") == "KQs"
    page.click("#blockers")
    wait_for(page, "!document.querySelector('[data-column=\"change A\"]')")
    page.goto(link(address, ["A5s,KQs", "QQ+,AK", "JJ"], board="AdTs8s4c2h"))
    page.wait_for_selector(EXACT)
    show(page, "graph")
    page.wait_for_selector("#copy-csv")
    assert not page.query_selector("#blockers")


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


@on_phones
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
