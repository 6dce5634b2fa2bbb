"""Blockers against removing the blocked combos one by one, and counting what is left again."""

from __future__ import annotations

import csv
import json
from typing import Any

import numpy as np
import pytest

from gpuodds import Range, equity, range_hits
from gpuodds.basics.choices import GameName
from gpuodds.cards import parse_cards
from gpuodds.cli.main import run
from gpuodds.errors import InputError
from gpuodds.games.catalog import find_game
from gpuodds.results.blockers import HandBlockers


def brute_force(
    hand: str, texts: tuple[str, str], board: str, game: GameName, dead: str = ""
) -> dict[str, Any]:
    """Return what a hand of the first range blocks, from the second range without those combos."""
    played = find_game(game)
    theirs, known = Range(texts[1], game=game), {*parse_cards(board), *parse_cards(dead)}
    weights, cards = theirs.weights.copy(), {*parse_cards(hand)}
    blocked: list[int] = []
    for number in np.flatnonzero(weights).tolist():
        combo = {*played.cards_of(np.array([number]))[0].tolist()}
        if combo & cards and not combo & known:
            blocked.append(number)
    left = weights.copy()
    left[blocked] = 0
    found: dict[str, Any] = {"blocked": float(sum(weights[blocked]))}
    if board and blocked:
        out = np.zeros_like(weights)
        out[blocked] = weights[blocked]
        hits = range_hits(Range.of(out, game=game), board=board, dead=dead, game=game).streets[-1]
        found["made"] = {name: hit.combos for name, hit in hits.made.items() if hit.combos}
    if (left > 0).any():
        spot: Any = {"board": board, "dead": dead, "game": game, "backend": "cpu"}
        try:
            players: list[str | Range] = [texts[0], Range.of(left, game=game)]
            answer = equity(players, **spot)
        except InputError:
            return found  # what is left cannot be dealt
        found["equity"] = answer.players[1].equity
    return found


def check(row: HandBlockers, wanted: dict[str, Any], whole: float) -> None:
    assert row.blocked == pytest.approx(wanted["blocked"], rel=1e-12)
    for name, combos in wanted.get("made", {}).items():
        assert row.made[name] == pytest.approx(combos, rel=1e-12)
    assert sum(row.made.values()) == pytest.approx(row.blocked if row.made else 0, rel=1e-12)
    if "equity" in wanted:
        assert row.equity == pytest.approx(wanted["equity"], abs=1e-12)
        assert row.change == pytest.approx(wanted["equity"] - whole, abs=1e-12)
    else:
        assert row.equity != row.equity and row.change != row.change


@pytest.mark.parametrize(
    ("game", "texts", "board"),
    [
        ("holdem", ("A5s,KQs,JJ,T9o", "QQ+,AK,A5s,T9s"), "AdTs8s4c2h"),
        ("holdem", ("A5s:0.5,KQs", "QQ+:0.25,AK,A5s:0.7"), "AdTs8s4c"),
        ("holdem", ("AKs,22", "22+,A2s+"), "2s7d9h"),
        ("holdem", ("AsKs,QQ", "AK,QQ:0.5"), ""),
        ("holdem", ("AsAh,KcKd", "AsKs,AhKh,QcQs"), "2s7d9hTc3c"),
        ("short-deck", ("AKs,99", "TT+,AQs"), "6s7d9h"),
        ("omaha", ("AAKK", "AAQJ,KKQJ,7788"), "As8d9h4c2c"),
        ("omaha-hi-lo", ("AA23", "AA45,2345"), "Kd8d7h4c2c"),
    ],
)
def test_blockers_are_what_is_removed(game: GameName, texts: tuple[str, str], board: str) -> None:
    answer = equity(list(texts), board=board, game=game, by_hand=True, backend="cpu")
    rows, whole = answer.blockers(), answer.players[1].equity
    assert {row.hand for row in rows} >= {hand.hand for hand in (answer.by_hand or ((),))[0]}
    for row in rows[:: max(1, len(rows) // 8)]:
        check(row, brute_force(row.hand, texts, board, game), whole)
        kind = int if answer.spot.has_integer_weights else float
        assert isinstance(row.blocked, kind) and 0 <= row.share <= 1


def test_both_players_and_dead_cards() -> None:
    texts = "A5s,KQs,JJ", "QQ+,AK,A5s,T9s"
    answer = equity(list(texts), board="AdTs8s", dead="KsAh", by_hand=True, backend="cpu")
    for place in (0, 1):
        own, other = texts[place], texts[1 - place]
        for row in answer.blockers(place)[::5]:
            wanted = brute_force(row.hand, (own, other), "AdTs8s", "holdem", "KsAh")
            check(row, wanted, answer.players[1 - place].equity)


def test_the_nut_blocker() -> None:
    # On a river with three spades the bare ace of spades blocks every nut flush of the opponent.
    answer = equity(
        ["AsQd,QhQd", "As9s,As7s,As6s,KsQs"], board="Js8s3s5d2h", by_hand=True, backend="cpu"
    )
    rows = {row.hand: row for row in answer.blockers()}
    assert rows["AsQd"].made == {"flush": 3} and rows["AsQd"].blocked == 3
    assert rows["AsQd"].share == 0.75 and rows["QhQd"].blocked == 0
    assert rows["QhQd"].change == 0.0


def test_everything_blocked() -> None:
    answer = equity(["AsAh,KcKd", "AsKs,AhKh"], board="2s7d9hTc3c", by_hand=True, backend="cpu")
    rows = {row.hand: row for row in answer.blockers()}
    assert rows["AsAh"].share == 1.0 and rows["AsAh"].to_dict()["equity"] is None
    assert json.dumps(rows["AsAh"].to_dict())


@pytest.mark.parametrize(
    ("hands", "options", "message"),
    [
        (["AA"], {}, r"blockers: expected two hands or ranges, found 2 \(1 random\)"),
        (["AA", "KK", "QQ"], {}, "blockers: expected two hands or ranges, found 3"),
        (["AA", "KK"], {"folded": ["QQ"]}, "blockers: expected no players who have folded"),
    ],
)
def test_bad_input(hands: list[str], options: Any, message: str) -> None:
    answer = equity(hands, board="2s7d9h", by_hand=True, backend="cpu", **options)
    with pytest.raises(InputError, match=message):
        answer.blockers()


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["equity", "A5s,KQs", "QQ+,AK,A5s", "--board", "AdTs8s4c2h", "--blockers"]
    assert run(command) == 0
    shown = capsys.readouterr().out
    assert "its equity: what is left of QQ+,AK,A5s" in shown
    assert run([*command, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    rows = answer["players"][0]["blockers"]
    assert [*rows[0]] == ["hand", "weight", "blocked", "share", "made", "equity", "change"]
    assert "by_hand" not in answer["players"][0] and len(rows) == 7
    assert run([*command, "--csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "hand,weight,blocked,share,equity,change,set,top_pair,pocket_pair_below_top"
    assert len(lines) == 8 and lines[1].startswith(rows[0]["hand"])
    assert run([*command, "--csv", "--by-hand"]) == 0
    grouped = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert grouped[0][-4:] == ["blocked", "share", "left_equity", "change"]
    kings = next(line for line in grouped if line[1] == "KQs")
    mean = [row for row in rows if row["hand"][0] == "K"]
    assert float(kings[-4]) == sum(row["blocked"] for row in mean) / 4
    assert float(kings[-1]) == pytest.approx(sum(row["change"] for row in mean) / 4)
    assert all(line[-4:] == [""] * 4 for line in grouped[1:] if line[0] != "A5s,KQs")
    assert run([*command, "--csv", "--by-combo"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > len(grouped)
    for more, words in ((["--folded", "22"], "folded"), (["--opponents", "1"], "(1 random)")):
        assert run([*command, *more]) == 2
        assert words in capsys.readouterr().err
