"""The page of luck: files go in, a graph and the all-ins with most luck come out."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import dealing
import pytest
from page_driver import is_phone, on_phones, wait_for

from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.histories import ledger

pytestmark = pytest.mark.slow

NAMES = ["Ann", "Bob", "<b>Cem", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida"]


def rank(hole: Any, board: Any) -> int:
    return HOLDEM.rank_hand(parse_cards("".join(hole)), parse_cards("".join(board)))


@on_phones
def test_files_are_added_up(page: Any, address: str, tmp_path: Path) -> None:
    draw = random.Random(3)
    hands = [dealing.deal(draw, rank=rank, wild=0.4) for _ in range(90)]
    texts = [dealing.to_stars(hand, number=at + 1, names=NAMES) for at, hand in enumerate(hands)]
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    files[0].write_text("".join(texts[:50]))
    files[1].write_text("".join(texts[50:]) + "\nFull Tilt Poker Game #1: x\n")
    page.goto(f"{address}/luck.html")
    page.set_input_files("#files", files)
    page.wait_for_selector("#answer:not([hidden])")
    assert page.inner_text("#status").startswith("90 hands.")
    page.select_option("#player", "<b>Cem")
    wait_for(page, "document.querySelector('#totals tbody tr')?.cells[1].textContent !== '90'")
    (totals,) = ledger(files, player="<b>Cem").totals
    cells = [one.replace("\u2212", "-") for one in page.inner_text("#totals tbody tr").split("\t")]
    assert cells[1] == str(totals.hands) and cells[7] == str(totals.all_ins)
    assert float(cells[2]) == pytest.approx(totals.result / 10**8, abs=0.01)
    assert float(cells[3]) == pytest.approx(float(totals.ev) / 10**8, abs=0.01)
    assert page.locator("#graph polyline").count() == 5
    assert str(page.locator("#skipped li").text_content()).startswith("b.txt, line ")
    # Each all-in is a link to its spot.
    page.locator("#lucky a").first.click()
    page.wait_for_selector("#badge:has-text('exact')")
    assert "name=%3Cb%3ECem" in page.url


def test_a_file_that_is_refused(page: Any, address: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("dear diary")
    page.goto(f"{address}/luck.html")
    page.set_input_files("#files", [tmp_path / "a.txt"])
    wait_for(page, "document.querySelector('#status').textContent.startsWith('0 hands')")
    assert page.locator("#answer").is_hidden()


def test_it_is_one_of_the_menu(page: Any, address: str) -> None:
    page.goto(address)
    page.click("[data-menu]" if is_phone(page) else "#show-menu")
    page.click("#menu a")
    page.wait_for_selector("#drop")
