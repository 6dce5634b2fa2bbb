"""Every figure of the page is the library's, in spots that are drawn; and with nothing compiled yet."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from page_driver import EXACT, VIEW, link, show
from server_fixture import end, launch

import gpuodds

DECK = [rank + suit for rank in "AKQJT98765432" for suit in "shdc"]
PARTS = ["22+", "A2s+", "KTs+", "JTs", "98s:0.5", "AQo+", "KQo:0.25", "77-55", "A5s-A2s:0.75", "QJo"]


def drawn_range(draw: random.Random) -> str:
    """Return a range: some items with their weights, or a share of all hands."""
    if draw.random() < 0.3:
        return f"{draw.randint(3, 40)}%"
    return ",".join(draw.sample(PARTS, draw.randint(1, 4)))


def drawn_spot(draw: random.Random) -> dict[str, Any]:
    """Return hands, board, dead cards and opponents of a spot that is counted at once."""
    deck = draw.sample(DECK, 12)
    players = draw.choice([1, 2, 2, 2, 3])
    hands = ["".join(deck[:2])] if players == 1 or draw.random() < 0.4 else []
    hands += [drawn_range(draw) for _ in range(players - len(hands))]
    draw.shuffle(hands)
    street = draw.choice([3, 4, 5]) if players > 1 else draw.choice([0, 3, 4, 5])
    opponents = draw.randint(1, 3) if players == 1 else 0
    dead = "".join(deck[8 : 8 + draw.choice([0, 0, 2])])
    return {
        "hands": hands,
        "board": "".join(deck[2 : 2 + street]),
        "dead": dead,
        "opponents": opponents,
    }


def shown(page: Any) -> list[str]:
    found: list[str] = page.locator("#result .figure").evaluate_all("all => all.map(one => one.title)")
    return found


@pytest.mark.slow
def test_halves_are_rounded_as_the_command_rounds_them(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.goto(address)
    draw = random.Random(5)
    halves = [50.78125, 0.5, 1.5, 2.5, 0.125, 0.375, 1.005, 8.345, 1e-9, 0.03125, 99.995]
    values = halves + [draw.randrange(2**12) / 2**6 for _ in range(300)]
    script = (
        "async ([v, d]) => { const m = await import('/format.js'); return v.map(x => m.fixed(x, d)) }"
    )
    for digits in range(5):
        found = page.evaluate(script, [values, digits])
        assert found == [f"{value:.{digits}f}" for value in values]
    page.close()


@pytest.mark.parametrize(
    "seed",
    [pytest.param(n, marks=pytest.mark.slow if n < 3 else pytest.mark.weekly) for n in range(8)],
)
def test_drawn_spots(browser: Any, address: str, seed: int) -> None:
    """Equities, shares, combos, grids, hits and the next card of a drawn spot."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    draw = random.Random(seed)
    for _ in range(3):
        spot = drawn_spot(draw)
        exact = gpuodds.equity(**spot, by_hand=True, backend="cpu")
        assert exact.exact
        given = {name: str(spot[name]) for name in ("board", "dead", "opponents") if spot[name]}
        page.goto(link(address, spot["hands"], **given))
        page.wait_for_selector(EXACT)
        equities = [f"{100 * player.equity:.4f} %" for player in exact.players]
        assert [figure for figure in shown(page) if figure][: len(equities)] == equities
        first = exact.players[0]
        if first.win is not None:
            shares = {"win": first.win, "tie": first.tie, "lose": first.lose}
            words = " \u00b7 ".join(f"{name} {100 * share:.2f}" for name, share in shares.items())
            assert page.inner_text("#shares").endswith(words)
        for number, _ in enumerate(spot["hands"]):
            means = exact.equity_grid(number)
            there = f"#seats > li:nth-child({number + 1}) [data-heat]"
            page.wait_for_selector(there, state="attached")
            titles = page.evaluate(
                """n => Object.fromEntries(
                  [...document.querySelectorAll(`#seats > li:nth-child(${n}) [data-heat]`)]
                  .map(one => [one.dataset.name, one.title]))""",
                number + 1,
            )
            assert set(titles) == set(means)
            for name, mean in means.items():
                assert titles[name].startswith(f"{name}: equity {100 * mean:.4f} %"), (spot, name)
        if spot["board"] and len(spot["board"]) < 10:
            show(page, "cards")
            after = gpuodds.equities_by_next_card(**spot, backend="cpu")
            found = page.evaluate(
                """() => Object.fromEntries([...document.querySelectorAll("#view button.deal")]
                  .map(one => [one.id.slice(5), one.title.split(",")[0].split(": ")[1]]))"""
            )
            assert found == {card: f"{100 * one.equity:.4f} %" for card, one in after.items()}
    page.close()


@pytest.mark.weekly
def test_no_final_answer_from_a_deal_or_two_with_nothing_compiled(browser: Any, tmp_path: Path) -> None:
    """While the server compiles, the page waits: it once had "final, from 1 deals, 100 % +- 98 %"."""
    server, there = launch(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "compiled"))
    try:
        page = browser.new_page()
        page.set_default_timeout(400_000)
        page.goto(link(there, ["AA", "20%"], game="omaha"))
        page.wait_for_selector("#answer-part:is([data-stage='exact'], [data-stage='final'])")
        page.wait_for_selector(VIEW)
        figure = float(page.locator("#result .figure").first.inner_text().split()[0])
        error = page.locator("#result .error-bar").first.inner_text()
        assert abs(figure - 66.3) < 1.5, (figure, error)
        assert not error or float(error.split()[1]) < 2
        page.close()
    finally:
        end(server)
