"""Reports of flops and turns of Omaha: their rows are single answers, their sums the answer before."""

from __future__ import annotations

from typing import Any

import pytest

import gpuodds
from gpuodds.basics.choices import GameName
from gpuodds.cards import format_card, format_cards
from gpuodds.cli.main import run
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.methods.families import methods_of
from gpuodds.methods.method import HERE
from gpuodds.methods.omaha import board_reports
from gpuodds.methods.omaha.showdowns import Showdowns
from gpuodds.results.hi_lo import HiLoEquity
from gpuodds.results.player_equity import PlayerEquity
from gpuodds.results.reports.board_report import BoardReport
from gpuodds.spots.spot import Spot

SHORT = "".join(format_card(card) for card in range(12, 36) if card not in (12, 17, 30, 35))
"""Dead cards, of ranks in the middle, so that few boards are left."""

SPOTS: list[dict[str, Any]] = [
    {"hands": ["AAKK", "KKQQ"]},
    {"hands": ["AAKK@0.3,AsAhKs2s", "KKQQ,4322@0.7"], "dead": SHORT},
    {"hands": ["AsAh2c3d", "KKQQ,A234"], "dead": SHORT},
    {"hands": ["AsAhKsKh", "QcQdJcJd"], "dead": SHORT},
    {"hands": ["AsAh2c3d"], "opponents": 1, "dead": "2s7d"},
]
TURNS: list[dict[str, Any]] = [
    {"hands": ["AAKK,5432", "KKQQ,4422"], "board": "2s7d8h"},
    {"hands": ["AA@0.3,KK", "QQ@0.5,JJ"], "board": "2s7d8s"},
    {"hands": ["AsAh2c3d", "KKQQ,A234"], "board": "2s7d8h", "dead": "4s"},
    {"hands": ["AsAh2c3d"], "opponents": 1, "board": "2s7d8h", "dead": "Kd"},
    {"hands": ["AA**"], "opponents": 1, "board": "KsKdKh", "dead": SHORT},
]


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUODDS_BACKEND", "cpu")


def numbers_of(player: PlayerEquity) -> list[Any]:
    found: list[Any] = [player.outcomes, player.win_outcomes, *player.tie_outcomes]
    if isinstance(player, HiLoEquity):
        found += [*player.high_outcomes, *player.low_outcomes, player.pot]
    return found


def check_rows(report: BoardReport, spot: dict[str, Any], step: int) -> None:
    """Compare rows with single answers, and their sums with the answer a street earlier."""
    ways = 2 if "board" in spot else 10  # orders of turn and river; flops of a full board
    before = gpuodds.equity(**spot, method="exact")
    for player, whole in zip(report.players, before.players, strict=True):
        times = [ways * count for count in numbers_of(whole)]
        assert numbers_of(player) == pytest.approx(times, rel=1e-9)
        if isinstance(whole.outcomes, int):
            assert numbers_of(player) == times
    for row in report.rows[::step]:
        if not row.outcomes:
            continue
        names = spot.get("board", "") + format_cards(row.cards)
        single = gpuodds.equity(**{**spot, "board": names}, method="exact")
        for player, one in zip(row.players, single.players, strict=True):
            times = [row.weight * count for count in numbers_of(one)]
            assert numbers_of(player) == pytest.approx(times, rel=1e-9)
            if isinstance(one.outcomes, int):
                assert numbers_of(player) == times


@pytest.mark.slow
@pytest.mark.parametrize("game", ["omaha", "omaha-hi-lo"])
@pytest.mark.parametrize(
    "spot",
    [
        pytest.param(spot, marks=[pytest.mark.weekly] if at in (1, 2, 4) else [])
        for at, spot in enumerate(SPOTS)
    ],
)
def test_flops(spot: dict[str, Any], game: GameName, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_reports, "BOARDS_AT_ONCE", 50_000)  # several times
    shares: list[float] = []
    report = gpuodds.flop_report(**spot, game=game, progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == pytest.approx(1.0)
    assert report.backend == "cpu"
    check_rows(report, {**spot, "game": game}, len(report.rows) // 15)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["omaha", "omaha-hi-lo"])
@pytest.mark.parametrize(
    "spot",
    [
        pytest.param(spot, marks=[pytest.mark.weekly] if at == 1 else [])
        for at, spot in enumerate(TURNS)
    ],
)
def test_turns(spot: dict[str, Any], game: GameName) -> None:
    report = gpuodds.turn_report(**spot, game=game)
    check_rows(report, {**spot, "game": game}, 5)


def test_more_hole_cards() -> None:
    spot: dict[str, Any] = {"hands": ["AsAhKsKhQd,AAKK2", "QcQdJcJd9d"], "board": "2s7d8h"}
    check_rows(gpuodds.turn_report(**spot, game="omaha5"), {**spot, "game": "omaha5"}, 10)


def test_one_pass_and_boards_one_by_one_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    spot: dict[str, Any] = {"hands": ["AsAhKsKh,AAQQ", "KKQQ"], "board": "2s7d9h", "game": "omaha"}
    once = gpuodds.turn_report(**spot)
    monkeypatch.setattr(Showdowns, "report_seconds", lambda *_: None)
    assert [row.players for row in gpuodds.turn_report(**spot).rows] == [
        row.players for row in once.rows
    ]


def test_known_hands_are_answered_board_by_board() -> None:
    def in_one_pass(*hands: str) -> list[str]:
        spot = Spot.of(hands, game="omaha")
        methods = [*methods_of(spot.game)]
        return [one.name for one in methods if one.report_seconds(spot, 22_100, HERE) is not None]

    assert not in_one_pass("AsAhKsKh", "QcQdJcJd") and not in_one_pass("AA", "KK", "QQ")
    assert in_one_pass("AsAhKsKh", "QQ") == ["showdowns"]
    assert in_one_pass("AsAhKsKh") == ["one random hand"]


def test_cards_that_cannot_come() -> None:
    for game in ("omaha", "omaha-hi-lo"):
        report = gpuodds.turn_report(["AsKsQs2h", "QQJJ"], board="2c7d9h", game=game)
        none = {format_cards(row.cards) for row in report.rows if not row.outcomes}
        assert none == {"As", "Ks", "Qs", "2h"}
        report = gpuodds.turn_report(["AsKsQs2h"], opponents=1, board="2c7d9h", game=game)
        none = {format_cards(row.cards) for row in report.rows if not row.outcomes}
        assert none == {"As", "Ks", "Qs", "2h"}
    with pytest.raises(ImpossibleDeal):
        gpuodds.turn_report(["AsKsQs2h", "AsKsQs2d,AsKsQsJs"], board="2c7d9h", game="omaha")


def test_a_report_that_cannot_be_counted(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"no method counts this spot on each board: .* with equity$"):
        gpuodds.flop_report(["AA", "KK", "QQ", "JJ"], game="omaha")
    assert run(["flops", "AA", "KK", "QQ", "JJ", "--game", "omaha"]) == 2
    assert "use auto" not in capsys.readouterr().err


def test_three_players() -> None:
    spot: dict[str, Any] = {"hands": ["AsAhKsKh", "QcQdJcJd", "7h8h9hTc"], "board": "2s7d9s"}
    check_rows(gpuodds.turn_report(**spot, game="omaha"), {**spot, "game": "omaha"}, 10)
