"""The bot that simulates itself: depth 0 is pokerbot; densities are frequencies of its own moves."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from random import Random
from typing import Any

import numpy as np
import pytest

from gpuodds.cards import parse_cards
from gpuodds.cli.main import run
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import combo_index
from gpuodds.methods.hands.evaluate import rank_hand
from gpuodds.play.bots import Pokerbot, Simulating, SimulatingSettings, find_bot
from gpuodds.play.game import Deal, play_hand
from gpuodds.play.match import play_match
from gpuodds.play.strength import against_range, possible
from gpuodds.play.turns import Move, Observation, Rules

pytest.importorskip("pokerkit")

BOARD = "Ks8s3d7cQh"
HANDS = ["AsKd", "KcKh", "AhAd", "8d8h", "QsJs", "Js9s", "5h4h", "AcQd", "7d6d", "Td9d", "2h2d", "Ad5d"]


class Script:
    """Makes the given moves and keeps what it sees; calls afterwards."""

    def __init__(self, *moves: Move) -> None:
        self._moves, self.seen = list(moves), list[Observation]()

    def act(self, seen: Observation) -> Move:
        self.seen.append(seen)
        return self._moves.pop(0) if self._moves else Move("call")

    def end(self, hand: Any) -> None:
        pass


class Draws(Random):
    """Draws that are given."""

    values: list[float]

    def random(self) -> float:
        return self.values.pop(0)


def hand_of(text: str) -> tuple[int, int]:
    low, high = sorted(parse_cards(text))
    return low, high


def river_bet(bet: int = 300) -> tuple[Observation, Observation]:
    """Return what the opponent saw before it bet the river, and what we see after it."""
    call, raised = Move("call"), Move("raise", 300)
    # Seat 0 is first to act after the flop; on the turn it bets and is called.
    opponent = Script(call, call, Move("raise", 200), Move("raise", bet))
    own = Script(raised, call, call, call)
    deal = Deal((hand_of("2c4d"), hand_of("6h5c")), tuple(parse_cards(BOARD)))
    play_hand([opponent, own], Rules(), deal)
    return opponent.seen[-1], own.seen[-1]


def frequency(bot: Pokerbot, draw: Draws, seen: Observation, large: bool, steps: int = 20) -> float:
    """Return how often a bot raises to about the size, over a grid of its draws."""
    grid = [(step + 0.5) / steps for step in range(steps)]
    hits = 0
    for first, second in product(grid, grid):
        draw.values = [first, second, 0.999]
        move = bot.act(seen)
        hits += move.kind == "raise" and (move.to > 1.5 * seen.pot) == large
    return hits / steps**2


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("depth", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_densities_are_frequencies_of_the_level_below(depth: int, large: bool) -> None:
    before, after = river_bet(2000 if large else 400)
    settings = SimulatingSettings(depth=depth, stray=0.0)
    weights = Simulating(Random(1), settings).range_after(after)
    until = len(before.moves)
    without = Simulating(Random(1), settings).range_after(replace(after, moves=after.moves[:until]))
    draw = Draws(1)
    below = Simulating(draw, replace(settings, depth=depth - 1))
    for text in HANDS:
        index = combo_index(*hand_of(text))
        chance = weights[index] / without[index] if without[index] else 0.0
        often = frequency(below, draw, replace(before, hand=hand_of(text)), large)
        assert chance == pytest.approx(often, abs=0.03) or not without[index], text


def test_depth_one_by_brute_force_on_a_river() -> None:
    # The opponent, with each of twelve hands, plays against hands that are weighted as pokerbot does.
    before, after = river_bet()
    weights = Simulating(Random(1), SimulatingSettings(depth=1, stray=0.25)).range_after(after)
    earlier = replace(after, moves=after.moves[: len(before.moves)])
    without = Simulating(Random(1), SimulatingSettings(depth=1, stray=0.25)).range_after(earlier)
    ours = Pokerbot(Random(1)).range_before(1, before.moves, before.board)
    board = parse_cards(BOARD)
    rank = {
        pair: rank_hand([*pair, *board], game=HOLDEM)
        for pair in combinations([card for card in range(52) if card not in board], 2)
    }
    for text in HANDS:
        hand = hand_of(text)
        won = dealt = 0.0
        for other, value in rank.items():
            if not {*other} & {*hand}:
                weight = ours[combo_index(*other)]
                dealt += weight
                won += weight * ((rank[hand] > value) + (rank[hand] == value) / 2)
        share = won / dealt
        # Nothing to call: no fold. A bet of 300 into 1,000 stands for one of half the pot.
        chance = share if 0.5 < share <= 0.8 else 0.0
        index = combo_index(*hand)
        assert weights[index] / without[index] == pytest.approx(0.25 + 0.75 * chance, abs=2e-3), text


@pytest.mark.slow
def test_depth_0_is_pokerbot_move_by_move() -> None:
    for other in ("adaptive", "random"):
        one = play_match(["simulating-0", other], hands=25, seed=5)
        two = play_match(["pokerbot", other], hands=25, seed=5)
        assert one.won == two.won and one.actions == two.actions
    deeper = play_match(["simulating", "adaptive"], hands=25, seed=5)
    assert deeper.actions != play_match(["pokerbot", "adaptive"], hands=25, seed=5).actions


def test_what_is_kept_changes_no_move() -> None:
    before, after = river_bet()
    kept = Simulating(Random(1))
    for seen in (replace(after, moves=after.moves[:5]), after, before, after):
        fresh = Simulating(Random(1)).range_after(seen)
        assert np.array_equal(kept.range_after(seen), fresh)


def test_moves_that_it_would_never_make() -> None:
    # Without stray moves no combo is left of an opponent who check-raises all in on every street.
    raised, bold = Move("raise", 300), Move("raise", 20_000)
    own = Script(raised, Move("raise", 400))
    opponent = Script(Move("call"), Move("call"), bold)
    deal = Deal((hand_of("2c4d"), hand_of("6h5c")), tuple(parse_cards(BOARD)))
    play_hand([opponent, own], Rules(), deal)
    for depth in (1, 2, 3):
        bot = Simulating(Random(1), SimulatingSettings(depth=depth, stray=0.0))
        assert bot.posterior(own.seen[-1]).sum() == pytest.approx(1)
        bot.act(own.seen[-1])


def flop(board: str, opener: int) -> Observation:
    """Return what seat 0 sees on a flop after a raise of a seat was called."""
    raised = [Move("raise", 300)]
    players = [Script(*(raised if opener == seat else [])) for seat in range(2)]
    deal = Deal((hand_of("2c4d"), hand_of("6h5c")), (*parse_cards(board), *parse_cards("TcTd")))
    play_hand(players, Rules(), deal)
    return next(seen for seen in players[0].seen if seen.street == 1)


def test_bluffs_follow_the_flop() -> None:
    bot = Simulating(Random(1), SimulatingSettings(depth=1))
    for _ in range(200):  # opponents who raise few hands, and call with few of the others
        for kind in ("raise", "call", *["fold"] * 8):
            bot.tracker.learn(0, kind)
    dry, wet = (bot.bluffs(flop(board, 0)) for board in ("As7d2h", "9s8s7s"))
    assert 0 <= wet < dry <= 0.5
    against_raiser = bot.bluffs(flop("As7d2h", 1))
    assert against_raiser < dry  # a raiser's range is ahead
    assert bot.bluffs(river_bet()[1]) == 0
    assert Simulating(Random(1), SimulatingSettings(depth=0)).bluffs(flop("9s8s7s", 0)) == 0.1


def test_equities_against_a_range() -> None:
    board = tuple(parse_cards("2s7d9hKc"))
    weights = np.random.default_rng(1).random(1326)
    import gpuodds

    shares = against_range(board, weights)
    fits = possible(board) > 0
    assert (shares[~fits] == 0).all() and (shares[fits] > 0).all()
    rounded = np.round(weights * fits / (weights * fits).max(), 3)
    for text in ("AsKd", "3c4d"):
        whole = gpuodds.equity([text, gpuodds.Range.of(rounded)], board=list(board), backend="cpu")
        assert shares[combo_index(*hand_of(text))] == pytest.approx(whole.players[0].equity, abs=1e-12)


@pytest.mark.parametrize("name", ["simulating-4", "simulating-x", "simulating-02"])
def test_a_depth_out_of_bounds(name: str) -> None:
    with pytest.raises(InputError, match="expected a depth of 0 to 3: simulating-2"):
        find_bot(name)
    with pytest.raises(InputError, match="depth 4: expected 0 to 3"):
        SimulatingSettings(depth=4)


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_depth_on_the_command_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    play = ["play", command, "simulating", "caller", "--hands", "2", "--json"]
    assert run([*play, "--depth", "1"]) == 0
    shown = capsys.readouterr().out
    assert "simulating-1" in shown
    assert run([*play]) == 0
    assert '"simulating"' in capsys.readouterr().out
    for depth, words in (("4", "--depth 4: expected 0 to 3"), ("x", "--depth x")):
        assert run([*play, "--depth", depth]) == 2
        assert words in capsys.readouterr().err
    assert run(["play", command, "tight", "caller", "--hands", "2", "--depth", "1"]) == 2
    assert "--depth: expected with the bot simulating" in capsys.readouterr().err
