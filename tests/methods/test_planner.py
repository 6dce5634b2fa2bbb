"""The planner: the method it picks, the messages about it, and the spots it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.cards import parse_cards
from gpuodds.cli.main import run
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import combo_cards
from gpuodds.games.shared.hand_names import category
from gpuodds.methods.hands.evaluate import rank_hand
from gpuodds.methods.holdem.showdowns import Showdowns
from gpuodds.methods.options import DEFAULT_OPTIONS
from gpuodds.methods.planner import make_plan
from gpuodds.spots.spot import Spot

FLOP = "2s7d9h"


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")


def test_three_ranges_on_a_flop() -> None:
    result = gpuodds.equity(["QQ+,AK", "22+,A2s+", "random"], board=FLOP)
    assert (result.method, result.exact, result.backend) == ("exact", True, "cpu")
    assert sum(player.equity_exact or 0 for player in result.players) == 1
    assert result.winners is not None and sum(result.winners.values()) == result.outcomes
    opponents = gpuodds.equity(["QQ+,AK", "22+,A2s+"], board=FLOP, opponents=1)
    for one, other in zip(opponents.players, result.players, strict=False):
        assert (one.win_outcomes, one.tie_outcomes) == (other.win_outcomes, other.tie_outcomes)
    assert opponents.random_equity == pytest.approx(result.players[2].equity, rel=1e-12)


def test_a_range_of_one_hand_is_that_hand() -> None:
    hand = gpuodds.equity(["AsKs", "QhQd"], board="2s7d9hTc")
    as_range = gpuodds.equity(["AsKs", "QhQd:1"], board="2s7d9hTc")
    assert as_range.winners == hand.winners and as_range.outcomes == hand.outcomes


def test_many_random_opponents_are_counted_by_hand() -> None:
    result = gpuodds.equity(["AA", "2c2d"], opponents=8, folded=["77,88"])
    assert result.exact and result.method == "exact"
    result = gpuodds.equity(["AA"], opponents=8, table=False)
    one = gpuodds.equity("AsAh", opponents=8)
    assert result.method == "exact" and result.players[0].equity_exact == one.players[0].equity_exact
    assert result.outcomes == 6 * one.outcomes


def test_by_hand() -> None:
    result = gpuodds.equity(["QQ+,AK:0.5", "22+"], board=FLOP, by_hand=True)
    assert result.by_hand is not None
    hands = {hand.hand: hand for hand in result.by_hand[0]}
    assert len(hands) == 18 + 16 and hands["AsKh"].weight == 0.5
    alone = gpuodds.equity(["AsKh", "22+"], board=FLOP)
    assert hands["AsKh"].equity == pytest.approx(alone.equity, rel=1e-12)
    assert hands["AsKh"].win == pytest.approx(alone.players[0].win, rel=1e-12)
    equities = [hand.equity for hand in result.by_hand[0]]
    assert equities == sorted(equities, reverse=True)
    assert result.players[0].equity_exact is None and isinstance(result.outcomes, float)
    random = gpuodds.equity(["AKs"], opponents=2, board=FLOP, by_hand=True)
    one = gpuodds.equity("AsKs", opponents=2, board=FLOP)
    assert random.by_hand is not None
    suited = {hand.hand: hand.equity for hand in random.by_hand[0]}
    assert suited["AsKs"] == pytest.approx(one.equity, rel=1e-12)


def test_hands_blocked_by_the_other_players_are_omitted() -> None:
    result = gpuodds.equity(["AsAh,KsKh", "AsKd"], board=FLOP, by_hand=True)
    assert result.by_hand is not None
    assert [hand.hand for hand in result.by_hand[0]] == ["KsKh"]


def test_long_counts_are_sampled_with_a_note(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "gpuodds")
    wide = ["15%", "30%", "60%", "random"]
    result = gpuodds.equity(wide, standard_error=0.003, seed=1)
    assert (result.method, result.exact) == ("monte-carlo", False)
    assert max(player.standard_error or 1 for player in result.players) <= 0.003
    assert "sampling; counting exactly would take about" in caplog.text
    assert result.notes and result.to_dict()["notes"] == list(result.notes)
    again = gpuodds.equity(wide, standard_error=0.003, seed=1)
    assert again.players == result.players
    with pytest.raises(gpuodds.InputError, match="too many or too wide"):
        gpuodds.equity([*["50%"] * 7, "40%"], method="exact")
    with pytest.raises(gpuodds.InputError, match="counted, not sampled"):
        gpuodds.equity(wide, method="monte-carlo", by_hand=True)


def test_a_time_limit_governs_what_auto_counts() -> None:
    spot: dict[str, Any] = {"hands": ["20%", "40%", "random"], "board": FLOP}
    assert gpuodds.equity(**spot).exact
    hurried = gpuodds.equity(**spot, time_limit=0.001, samples=1000)
    assert not hurried.exact and hurried.outcomes > 0


def test_exact_logs_its_estimate_and_reports_progress(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpuodds.methods.planner.SECONDS_WORTH_A_NOTE", 0.0)
    caplog.set_level("INFO", "gpuodds")
    shares: list[float] = []
    result = gpuodds.equity(
        ["20%", "30%", "40%", "50%"], board="2s7d9hTc", method="exact", progress=shares.append
    )
    assert result.exact and shares == sorted(shares) and shares[-1] == 1
    assert "counting exactly takes about" in caplog.text


@pytest.mark.parametrize(
    ("hands", "options", "message"),
    [
        (["AA", "AA", "AA"], {"board": FLOP}, "cannot be dealt together"),
        (["AA", "KK"], {"board": "AsAhAd"}, "AA: every hand of the range has a card of the board"),
        (["AA:0", "KK"], {}, "the range has no hand of a weight above 0"),
        (["AA", "KK"], {"board": "2s2s"}, "2s"),
        (["AA", "KK"], {"board": "2s", "dead": "2s"}, "in the board and the dead cards"),
        (["AA"], {"opponents": 0}, "one hand and no opponents"),
        (["AA"], {"opponents": 23}, "a deck has cards for 23"),
        (["AA", "KK"], {"board": "2s3s4s5s6s7s"}, "at most 5 cards"),
        ([], {}, "no hand given"),
        (["AKx"], {}, "AKx: column 3"),
        ([(51, 47, 43)], {}, "a hand has two cards, found 3"),
    ],
)
def test_impossible_spots_are_refused(hands: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(gpuodds.InputError, match=message):
        gpuodds.equity(hands, **options)


def test_mixed_players_keep_their_order() -> None:
    players: Any = [gpuodds.Range("KK"), "AsKs", (42, 41)]
    result = gpuodds.equity(players, board="2s7d9hTc")
    assert [player.hand for player in result.players] == ["KK", "AsKs", "QhQd"]
    assert result.players[0].equity_exact > Fraction(1, 2)  # type: ignore[operator]


def test_equities_by_next_card(capsys: pytest.CaptureFixture[str]) -> None:
    hands = ["AsKs", "QhQd"]
    by_card = gpuodds.equities_by_next_card(hands, board="2s7s9d")
    assert len(by_card) == 45
    mean = sum(result.players[0].equity_exact or 0 for result in by_card.values()) / 45
    assert mean == gpuodds.equity(hands, board="2s7s9d").players[0].equity_exact
    some = gpuodds.equities_by_next_card(["AsAh", "KsKd,QQ"], board="2s7s9dTc")
    assert "As" not in some and len(some) == 46
    assert "Ks" not in gpuodds.equities_by_next_card(["AA", "KsKd"], board="2s7s9dTc")
    with pytest.raises(gpuodds.InputError, match="no card is to come"):
        gpuodds.equities_by_next_card(hands, board="2s7s9dTcJc")
    words = ["equity", *hands, "--board", "2s7s9d", "--by-next-card"]
    assert run([*words, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["by_next_card"]
    assert {row["card"]: row["equities"][0] for row in rows} == {
        card: result.equity for card, result in by_card.items()
    }
    assert run(words) == 0
    assert "AsKs: equity after the next card, %" in capsys.readouterr().out
    assert run([*words, "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 45 * 2


@pytest.mark.parametrize("players", [2, 3, pytest.param(4, marks=pytest.mark.weekly)])
def test_made_hands_equal_enumeration(players: int) -> None:
    texts = ["AsAh,KsQs,7c6c", "KK,9s8s", "QJs,22:0.5", "A5s,TT"][:players]
    board = "2s7d9hTc"
    result = gpuodds.equity(texts, board=board, made_hands=True)
    assert result.made_hands is not None
    ranges = [gpuodds.Range(text).weights for text in texts]
    cards = combo_cards().tolist()
    counts: list[dict[str, dict[str, float]]] = [{} for _ in texts]

    def deal(hands: list[int], used: set[int], weight: float, river: int) -> None:
        place = len(hands)
        if place < players:
            for h in np.flatnonzero(ranges[place]).tolist():
                if not used & set(cards[h]):
                    deal([*hands, h], used | set(cards[h]), weight * ranges[place][h], river)
            return
        ranks = [rank_hand([*cards[h], *parse_cards(board), river], HOLDEM) for h in hands]
        best = [rank == max(ranks) for rank in ranks]
        for player, rank in enumerate(ranks):
            kinds = ["all", *(["win" if sum(best) == 1 else "tie"] if best[player] else [])]
            for kind in kinds:
                column = counts[player].setdefault(kind, {})
                column[category(rank)] = column.get(category(rank), 0) + weight

    for river in set(range(52)) - set(parse_cards(board)):
        deal([], {river, *parse_cards(board)}, 1.0, river)
    for made, columns in zip(result.made_hands, counts, strict=True):
        assert set(made) == set(columns["all"])
        for kind, column in columns.items():
            for name, hand in made.items():
                share = column.get(name, 0) / sum(column.values())
                assert getattr(hand, kind) == pytest.approx(share, rel=1e-12)


def test_made_hands_of_known_hands_and_random_opponents(capsys: Any) -> None:
    result = gpuodds.equity("AsKs", opponents=1, board="2s7s9d", made_hands=True)
    plain = gpuodds.equity("AsKs", opponents=1, board="2s7s9d")
    assert result.players[0].equity_exact == plain.players[0].equity_exact
    assert result.made_hands is not None
    # Nine spades on two cards, or two of them.
    assert result.made_hands[0]["flush"].all == pytest.approx(1 - (38 * 37) / (47 * 46), rel=1e-12)
    assert run(["equity", "AsKs", "QQ+", "--board", "2s7s9d", "--made-hands", "--json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    assert set(players[1]["made_hands"]["pair"]) == {"all", "win", "tie"}
    assert run(["equity", "AsKs", "QQ+", "--board", "2s7s9d", "--made-hands"]) == 0
    assert "final hands" in capsys.readouterr().out
    with pytest.raises(gpuodds.InputError, match="counted, not sampled"):
        gpuodds.equity("AsKs", opponents=9, made_hands=True)


def test_results_that_need_counting_are_counted_within_the_limit(monkeypatch, caplog) -> None:
    # As if counting took 19 s: sampling cannot give the made hands, so they are counted.
    caplog.set_level("INFO", "gpuodds")
    monkeypatch.setattr(Showdowns, "seconds", lambda *_: 19.0)
    asked: dict[str, Any] = {"opponents": 1, "board": "2s7d9hTc", "made_hands": True}
    assert gpuodds.equity("AsKs", **asked).made_hands is not None
    assert "counting exactly takes about 19 s" in caplog.text and "sampling" not in caplog.text
    with pytest.raises(gpuodds.InputError, match=r"takes about 19 s, 5 s at most: use method exact"):
        gpuodds.equity("AsKs", **asked, time_limit=5)
    assert gpuodds.equity("AsKs", **asked, time_limit=5, method="exact").exact
    monkeypatch.setattr(Showdowns, "seconds", lambda *_: 1000.0)
    with pytest.raises(gpuodds.InputError, match="about 17 min, 2 min at most: use method exact"):
        gpuodds.equity("AsKs", **asked)
    with pytest.raises(gpuodds.InputError, match="'monte-carlo': made hands: counted, not sampled"):
        gpuodds.equity("AsKs", **asked, method="monte-carlo")


def test_a_notebook_shows_the_grid() -> None:
    result = gpuodds.equity(["AKs,QQ:0.5", "22+"], board=FLOP, by_hand=True)
    html = result._repr_html_()
    assert html.count("<table>") == 3 and "equity by starting hand" in html
    grid = result.equity_grid(0)
    assert set(grid) == {"AKs", "QQ"} and 0 < grid["AKs"] < grid["QQ"] < 1


def test_refusals_of_details_do_not_point_to_samples_which_have_none() -> None:
    five: dict[str, Any] = {"folded": ["60%", "70%"], "board": FLOP, "made_hands": True}
    hands = ["60%", "50%", "40%", "30%", "20%"]
    for method in ("auto", "exact"):
        with pytest.raises(gpuodds.InputError, match=r"narrower ranges$") as error:
            gpuodds.equity(hands, method=method, **five)
        assert "monte-carlo" not in str(error.value)


@pytest.mark.parametrize(
    ("hands", "options"),
    [
        (["AsKs", "QhQd"], {"board": FLOP}),
        (["AsKs", "QhQd"], {}),  # a table has it
        (["AsKs"], {"opponents": 3, "board": FLOP}),
        (["AsKs"], {"opponents": 9}),
        (["AsKsQhJh", "2c2d3h4s"], {"game": "omaha", "board": FLOP}),
    ],
)
def test_a_kept_plan_is_the_one_that_would_be_made(hands: list[str], options: dict[str, Any]) -> None:
    """With another object of the same options nothing is kept."""
    spot = Spot.of(hands, **options)
    for _ in range(2):
        kept = make_plan(spot, DEFAULT_OPTIONS)
        made = make_plan(spot, replace(DEFAULT_OPTIONS))
        assert kept.form.spot is spot and kept.counted.spot is spot
        assert (kept.method, kept.limit, kept.notes) == (made.method, made.limit, made.notes)
        assert (kept.seconds, kept.cpu_seconds) == (made.seconds, made.cpu_seconds)
