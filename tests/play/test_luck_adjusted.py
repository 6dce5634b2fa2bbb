"""Matches and freeze-outs without the luck of the cards: unbiased, and narrower."""

from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from gpuodds.cards import parse_cards
from gpuodds.cli.main import run
from gpuodds.histories import PARTS, ledger, read
from gpuodds.play import play_match
from gpuodds.play.control import without_luck, without_luck_of_games
from gpuodds.play.game import Deal
from gpuodds.play.luck import LuckSum, dealt_pots
from gpuodds.play.tournaments.freeze_out import play_freeze_out
from gpuodds.play.tournaments.worth import prize_of, worth_of_chips
from gpuodds.play.turns import Played, Rules

pytest.importorskip("pokerkit")

RULES = Rules(3, 1, 2, 0, 100)
MOVES = [  # the first seat is all-in on the flop, the second bets on, the third folds before it
    Played(0, 2, "fold", 0, 2, 3),
    Played(0, 0, "call", 2, 1, 3),
    Played(0, 1, "call", 2, 0, 4),
    Played(1, 0, "raise", 40, 0, 4),
    Played(1, 1, "call", 40, 40, 44),
]


@pytest.mark.parametrize("street", [2, 3])
def test_the_mean_luck_of_a_card_over_all_cards_is_zero(street: int) -> None:
    """A future card that leaks into what is expected before it would show here."""
    hands = tuple(parse_cards(cards) for cards in ("AsKd", "QhQc", "7c2d"))
    flop = parse_cards("2s7dJh")
    used = {card for hand in hands for card in hand} | set(flop)
    left = [card for card in range(52) if card not in used]
    turns = left if street == 2 else [left[7]]
    boards = [(*flop, turn, river) for turn in turns for river in left if river != turn]
    luck = LuckSum(3)
    for number, board in enumerate(boards):
        luck.add(number, (2, 0, 1), RULES, (42, 100, 100), Deal(hands, board), MOVES)  # type: ignore[arg-type]
    found = luck.counted(len(boards))[:, :, street]
    assert np.abs(found).max() > 1 and np.abs(found.mean(axis=0)).max() < 1e-9
    assert np.abs(found.sum(axis=1)).max() < 1e-9  # one player's luck is the others'
    assert not found[:, 1].any()  # the player in the third seat, who folded


def test_pots_when_streets_are_dealt() -> None:
    streets = dealt_pots(RULES, (42, 100, 100), MOVES)
    assert [(street, [pot.size for pot in pots]) for street, pots in streets] == [
        (1, [4]),
        (2, [84]),
        (3, [84]),
    ]
    folded = [*MOVES[:2], Played(0, 1, "fold", 0, 0, 4)]
    assert dealt_pots(RULES, (42, 100, 100), folded) == []


def test_all_ins_of_a_match_need_a_fraction_of_the_hands() -> None:
    result = play_match(["all-in", "caller"], hands=250, seed=3, duplicate=False, luck_adjusted=True)
    assert result.share_of_hands(0) < 0.05
    low, high = result.adjusted_interval(0)
    assert low < 0 < high  # two players who never fold have the same chance
    assert abs(result.adjusted_rate(0) + result.adjusted_rate(1)) < 1e-6
    plain = play_match(["all-in", "caller"], hands=250, seed=3, duplicate=False)
    assert plain == result and "luck_adjusted" not in plain.to_dict()["players"][0]


@pytest.mark.slow
def test_workers_do_not_change_the_luck() -> None:
    alone, shared = (
        play_match(["tight", "random", "caller"], hands=12, seed=1, workers=workers, luck_adjusted=True)
        for workers in (1, 3)
    )
    assert alone.luck is not None and shared.luck is not None
    assert np.allclose(alone.luck, shared.luck, atol=1e-9) and alone == shared


def short_matches(number: int) -> tuple[float, float]:
    """Return the mean of what adjusted and raw results of short matches differ by, and its error."""
    off = []
    for seed in range(number):
        result = play_match(["random", "tight"], hands=2, seed=seed, luck_adjusted=True)
        off.append(float(result.adjusted(0).sum()) - result.chips(0))
    return float(np.mean(off)), float(np.std(off) / np.sqrt(number))


def test_short_matches_are_unbiased() -> None:
    mean, error = short_matches(80)
    assert abs(mean) < 4 * error


@pytest.mark.slow
@pytest.mark.weekly
def test_ten_thousand_short_matches_are_unbiased() -> None:
    mean, error = short_matches(10_000)
    assert abs(mean) < 3 * error


def test_coefficients_come_from_other_deals() -> None:
    draw = np.random.default_rng(2)
    luck, noise = draw.normal(size=(300, 4)), draw.normal(size=300)
    won = luck @ np.array([0.5, 1.0, 2.0, 0.0]) + noise
    for adjust in (without_luck, without_luck_of_games):
        first = adjust(won, luck)
        assert first.var() < 1.3
        changed = won.copy()
        changed[-1] += (
            1000  # the last deal's result: no other deal of its tenth, none before it, changes
        )
        again = adjust(changed, luck)
        same = np.arange(300) < 290 if adjust is without_luck else np.arange(300) % 10 == 9
        assert np.allclose(again[same][:-1], first[same][:-1])
        assert abs(again[-1] - first[-1] - 1000) < 1e-6


@pytest.mark.slow
def test_freeze_outs_by_share_of_chips_and_by_prizes() -> None:
    plain = play_freeze_out(
        ["all-in", "caller"], games=30, stack=1000, duplicate=False, seed=5, luck_adjusted=True
    )
    assert plain.share_of_games(0) < 0.4
    assert plain.prizes == plain.won
    prizes = play_freeze_out(
        ["all-in", "caller", "tight"],
        games=12,
        stack=800,
        seed=5,
        payouts=[50, 30, 20],
        luck_adjusted=True,
    )
    assert all(abs(sum(game) - 100) < 1e-9 for game in prizes.prizes)
    rows = prizes.to_dict()["players"]
    assert {"prize", "prize_interval", "luck_adjusted"} <= set(rows[0])


def test_worth_of_chips_is_the_slope_of_the_chip_model() -> None:
    payouts = [Fraction(50), Fraction(30), Fraction(20)]
    worth = worth_of_chips([500, 0, 300, 200], payouts)
    assert not worth[1].any() and not worth[:, 1].any()
    assert np.abs(worth.sum(axis=0)).max() < 1e-6  # what a chip is worth to all is nothing
    for order in permutations(range(3)):
        stacks = [(500, 300, 200)[place] for place in order]
        again = worth_of_chips(stacks, payouts)
        kept = worth[np.ix_((0, 2, 3), (0, 2, 3))][np.ix_(order, order)]
        assert np.allclose(again, kept, atol=1e-8)
    assert prize_of(2, payouts) == 30 and prize_of(3.5, payouts) == 10


def test_histories_of_a_match_are_read_back_to_the_same_chips(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hands.phhs"
    bots = ["tight", "random", "random"]
    assert run(["play", "match", *bots, "--hands", "10", "--seed", "4", "--histories", str(path)]) == 0
    capsys.readouterr()
    result = play_match(bots, hands=10, seed=4)
    totals = {one.player: one for one in ledger(path).totals}
    for place, name in enumerate(("tight", "random", "random 2")):
        assert totals[name].hands == 30 and totals[name].result == result.chips(place) * PARTS
    assert len(list(read(path))) == 30


def test_the_command_shows_both(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["play", "match", "all-in", "caller", "--hands", "20", "--no-duplicate", "--luck-adjusted"])
        == 0
    )
    assert "without luck" in capsys.readouterr().out
    arguments = [
        "--freeze-out",
        "all-in",
        "caller",
        "--games",
        "6",
        "--luck-adjusted",
        "--payouts",
        "70,30",
    ]
    assert run(["play", "tournament", *arguments, "--stack", "500"]) == 0
    assert "mean prize" in capsys.readouterr().out
    assert (
        run(["play", "tournament", "all-in", "caller", "tight", "--hands", "5", "--luck-adjusted"]) == 0
    )
    assert "without luck" in capsys.readouterr().out
