"""Freeze-outs: chips are kept, places and the button follow the rules, fair games come out fair."""

from __future__ import annotations

import json
import signal
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuodds.cli.main import run
from gpuodds.client import ServerError
from gpuodds.errors import InputError
from gpuodds.play.bots.all_in import AllIn
from gpuodds.play.bots.caller import Caller
from gpuodds.play.bots.random import RandomBot
from gpuodds.play.equities import Equities
from gpuodds.play.game import Ended
from gpuodds.play.match import BOTS
from gpuodds.play.tournaments.freeze_out import (
    Game,
    Level,
    doubling_levels,
    interval,
    play_freeze_out,
    play_game,
    read_levels,
)
from gpuodds.play.turns import Move, Observation

pytest.importorskip("pokerkit")

LEVELS = read_levels("50/100,100/200/25,400/800/50,2000/4000")


class Watcher:
    """Plays at random, and remembers every hand's seat, level and cards."""

    def __init__(self, draw: Random) -> None:
        self.inner, self.hands = RandomBot(draw), list[Ended]()

    def act(self, seen: Observation) -> Move:
        return self.inner.act(seen)

    def end(self, hand: Ended) -> None:
        self.hands.append(hand)


def expected_places(start: tuple[int, ...], game: Game) -> list[float]:
    """Place players from their chips alone: last hand with chips first, then chips before it."""
    history = [start, *game.stacks]
    keys = []
    for player in range(len(start)):
        lasted = next((n for n, chips in enumerate(history) if not chips[player]), len(history))
        keys.append((lasted, history[lasted - 1][player]))
    ranked = sorted(keys, reverse=True)
    return [ranked.index(key) + 1 + (ranked.count(key) - 1) / 2 for key in keys]


@settings(max_examples=25, deadline=None)
@given(
    stacks=st.lists(st.sampled_from([1, 70, 150, 700, 700, 3000]), min_size=2, max_size=6),
    level_hands=st.integers(1, 6),
    seed=st.integers(0, 10**6),
    ending=st.sampled_from([4, 200]),
)
def test_chips_are_kept_hand_by_hand(
    stacks: list[int], level_hands: int, seed: int, ending: int
) -> None:
    players = [Watcher(Random(f"{seed} {place}")) for place in range(len(stacks))]
    game = play_game(
        players, stacks, LEVELS, level_hands=level_hands, max_hands=ending, button=seed % 2, seed=seed
    )
    assert game is not None and 1 <= game.hands <= ending
    for before, after in pairwise([tuple(stacks), *game.stacks]):
        assert sum(after) == sum(stacks) and min(after) >= 0
        assert all(had or not has for had, has in zip(before, after, strict=True))
    left = sum(map(bool, game.stacks[-1]))
    assert (left == 1) == game.is_over and (left == 1 or game.hands == ending)
    assert list(game.places) == expected_places(tuple(stacks), game)
    assert sum(game.places) == len(stacks) * (len(stacks) + 1) / 2
    assert sum(game.wins()) == pytest.approx(1)
    # Who plays a hand had chips before it, and levels rise.
    for number, chips in enumerate([tuple(stacks), *game.stacks[:-1]]):
        level = LEVELS[min(number // level_hands, len(LEVELS) - 1)]
        for player, has in zip(players, chips, strict=True):
            if has:
                rules = player.hands.pop(0).rules
                assert rules.seats == sum(map(bool, chips))
                assert (rules.small_blind, rules.big_blind, rules.ante) == (
                    level.small_blind,
                    level.big_blind,
                    level.ante,
                )
    assert not any(player.hands for player in players)


def seats_of(players: list[Watcher], stacks: list[int], game: Game) -> list[dict[int, int]]:
    """Return for each hand the seat of each chair that played it."""
    hands, left = [], [list(player.hands) for player in players]
    for chips in [tuple(stacks), *game.stacks[:-1]]:
        hands.append({chair: left[chair].pop(0).seat for chair, has in enumerate(chips) if has})
    return hands


@pytest.mark.parametrize("seed", range(8))
def test_the_button_moves_on(seed: int) -> None:
    stacks = [900, 2000, 700, 3000, 1200]
    players = [Watcher(Random(f"{seed} {place}")) for place in range(5)]
    game = play_game(players, stacks, LEVELS, level_hands=5, button=3, seed=seed)
    assert game is not None
    hands = seats_of(players, stacks, game)
    buttons = [next(c for c, seat in hand.items() if seat == len(hand) - 1) for hand in hands]
    blinds = [next(c for c, seat in hand.items() if seat == int(len(hand) > 2)) for hand in hands]
    assert buttons[0] == 3
    for number, (one, other) in enumerate(pairwise(buttons)):
        after = hands[number + 1]
        turns = [(one + step) % 5 for step in range(1, 6)]
        moved = next(chair for chair in turns if chair in after)
        if len(after) == 2:
            # Heads-up no player pays the big blind twice in a row; the button stays for that alone.
            assert blinds[number + 1] != blinds[number]
            other_one = next(chair for chair in after if chair != moved)
            would_pay_twice = len(hands[number]) > 2 and blinds[number] == other_one
            assert other == (other_one if would_pay_twice else moved)
        else:
            assert other == moved
            # Seats go round the table from the small blind to the button.
            order = sorted(after, key=lambda chair: after[chair])
            assert order == sorted(after, key=lambda chair: (chair - other - 1) % 5)


def test_a_chair_has_the_same_cards_for_any_player() -> None:
    stacks = [900, 900, 900]
    dealt = []
    for bots in ("abc", "cab"):
        players = [Watcher(Random(name)) for name in bots]
        game = play_game(players, stacks, LEVELS, seed=7)
        assert game is not None
        for chair, player in enumerate(players):
            dealt.append((chair, [hand.hand for hand in player.hands]))
    for chair, hands in dealt[:3]:
        other = dict(dealt[3:])[chair]
        shared = min(len(hands), len(other))
        assert shared > 0 and hands[:shared] == other[:shared]
    # Of three equal players each wins one seating.
    result = play_freeze_out(["caller"] * 3, games=2, seed=3, max_hands=12)
    assert all(row == pytest.approx((1 / 3,) * 3) for row in result.won)


def test_players_who_go_out_together_are_placed_by_their_chips() -> None:
    together = 0
    for seed in range(12):
        stacks = [200, 900, 900, 5000]
        game = play_game([AllIn(Random(1))] * 4, stacks, LEVELS, seed=seed)
        assert game is not None
        if game.stacks[0] == (0, 0, 0, 7000):
            assert game.places == (4.0, 2.5, 2.5, 1.0)
            together += 1
    assert together == 3


def test_the_limit_of_hands() -> None:
    game = play_game([Caller(Random(1))] * 3, [5000, 5000, 400], LEVELS[:1], max_hands=2, seed=1)
    assert game is not None and not game.is_over and game.hands == 2
    assert list(game.places) == expected_places((5000, 5000, 400), game)
    even = Game((1.5, 1.5, 3.0), ((500, 500, 0),), False)
    assert even.wins() == (0.5, 0.5, 0.0)
    result = play_freeze_out(["caller", "caller"], games=2, levels=LEVELS[:1], max_hands=2)
    assert result.unfinished == 4 and result.mean_hands == 2


@pytest.mark.slow
@pytest.mark.parametrize("stacks", [(2000, 2000), (3000, 1000)])
def test_the_ruin_of_gamblers(stacks: tuple[int, int]) -> None:
    # Every hand is a fair bet, so the chips are a martingale: a : b wins a / (a + b) of the games.
    games = 200
    result = play_freeze_out(
        ["all-in", "all-in"], games=games, stack=stacks, duplicate=False, levels=LEVELS[:1], seed=11
    )
    share = stacks[0] / sum(stacks)
    assert abs(result.share(0) - share) < 3 * sqrt(share * (1 - share) / games)
    assert result.interval(0)[0] < share < result.interval(0)[1]
    assert result.share(0) + result.share(1) == 1 and not result.unfinished


def test_alike_bots_win_alike() -> None:
    result = play_freeze_out(["random"] * 3, games=12, stack=2000, seed=2)
    for place in range(3):
        low, high = result.interval(place)
        assert low < 1 / 3 < high
    assert sum(map(result.share, range(3))) == pytest.approx(1)
    assert sum(map(result.mean_place, range(3))) == pytest.approx(6)


@pytest.mark.slow
def test_the_seed_determines_the_result() -> None:
    options: dict[str, Any] = {"games": 2, "stack": 900, "levels": LEVELS}
    one = play_freeze_out(["random", "caller", "random"], seed=4, **options)
    assert one == play_freeze_out(["random", "caller", "random"], seed=4, workers=2, **options)
    other = play_freeze_out(["random", "caller", "random"], seed=5, **options)
    assert (one.hands, one.won) != (other.hands, other.won)
    # Stopped, it has the games before.
    asked = [0]

    def stop() -> bool:
        asked[0] += 1
        return asked[0] > 1 + one.hands[0] * 3

    part = play_freeze_out(["random", "caller", "random"], seed=4, stop=stop, **options)
    assert part.games == 1 and part.won == one.won[:1]
    json.dumps(one.to_dict())


def test_a_server_that_fails_keeps_the_games_before() -> None:
    class Failing(Equities):
        asked = 0

        def equity_of(self, *spot: Any) -> float:
            self.asked += 1
            if self.asked > 40:
                raise ServerError({"status": 503, "detail": "stopping"})
            return super().equity_of(*spot)

    options: dict[str, Any] = {"games": 30, "stack": 1500, "levels": LEVELS, "seed": 1}
    result = play_freeze_out(["tight", "random"], equities=Failing(), **options)
    assert str(result.failure) == "stopping" and 0 < result.games < 30
    whole = play_freeze_out(["tight", "random"], **{**options, "games": result.games})
    assert result.won == whole.won
    source = Failing()
    source.asked = 100
    with pytest.raises(ServerError, match="stopping"):
        play_freeze_out(["tight", "random"], equities=source, **options)


def wilson(won: int, games: int) -> tuple[float, float]:
    z, p = 1.959963984540054, won / games
    middle, reach = p + z * z / 2 / games, z * sqrt(p * (1 - p) / games + (z / 2 / games) ** 2)
    return (middle - reach) / (1 + z * z / games), (middle + reach) / (1 + z * z / games)


def test_the_interval() -> None:
    # Without seatings it is Wilson's, but for the game that is added.
    for won in (0, 1, 30, 200, 399, 400):
        single = interval([1.0] * won + [0.0] * (400 - won))
        assert single == pytest.approx(wilson(won, 400), abs=0.001)
    # Seatings that tell nothing new are worth one game, those that even out luck are worth more.
    alike, split = [1.0] * 20 + [0.0] * 20, [1.0] * 5 + [0.0] * 5 + [0.5] * 30
    widths = [high - low for low, high in map(interval, (alike, split, [0.5] * 40))]
    assert widths[0] == pytest.approx(wilson(20, 40)[1] - wilson(20, 40)[0], abs=0.01)
    assert widths[0] > widths[1] > widths[2] > 0.02
    assert interval([0.5])[0] < 0.1 and interval([0.5])[1] > 0.9


@pytest.mark.parametrize(("share", "even"), [(0.5, 0.7), (0.5, 0.0), (0.25, 0.3), (0.1, 0.1)])
def test_the_interval_covers_the_truth_at_its_rate(share: float, even: float) -> None:
    # Games from two seatings: with a chance of ``even`` each side wins one of them.
    chance = (share - even / 2) / (1 - even)
    draw, held, trials = Random(1), 0, 1500
    for _ in range(trials):
        won = [0.5 if draw.random() < even else float(draw.random() < chance) for _ in range(40)]
        low, high = interval(won)
        held += low <= share <= high
    assert 0.93 < held / trials < 0.985


def test_levels() -> None:
    assert read_levels(" 25/50 , 50/100/10") == (Level(25, 50), Level(50, 100, 10))
    assert [level.big_blind for level in doubling_levels(5, 10, 45)] == [10, 20, 40, 80]
    for text, message in (
        ("50", "levels: level 1, 50: expected blinds such as 50/100"),
        ("50/100,", "levels: level 2, "),
        ("50/100,100/50", "level 100/50: expected 0 < small blind <= big blind"),
        ("0/100", "level 0/100: expected"),
        ("50/100/x", "levels: level 1, 50/100/x"),
    ):
        with pytest.raises(InputError) as caught:
            read_levels(text)
        assert message in str(caught.value)


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        (["caller", "me"], {}, "bot me: expected one of"),
        (["caller"], {}, "seats 1: expected 2 to 10"),
        (["caller"] * 11, {}, "seats 11: expected 2 to 10"),
        (["caller"] * 2, {"games": 0}, "games 0: expected 1 to"),
        (["caller"] * 2, {"stack": 0}, "stack 0: expected 1 to"),
        (["caller"] * 2, {"stack": [5, 6, 7]}, "3 stacks: expected 2, one for each bot"),
        (["caller"] * 2, {"level_hands": 0}, "level hands 0: expected 1 to"),
        (["caller"] * 2, {"max_hands": 0}, "max hands 0: expected 1 to"),
        (["caller"] * 2, {"workers": 0}, "workers 0: expected 1 or more"),
        (["caller"] * 2, {"levels": []}, "levels: expected one at least"),
    ],
)
def test_bad_input(names: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        play_freeze_out(names, **options)
    assert message in str(caught.value)


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(["play", "tournament", "--freeze-out", *arguments]) == code
    captured = capsys.readouterr()
    return captured.err.splitlines()[-1] if code == 2 else captured.out


@pytest.mark.slow
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    short = ["--games", "2", "--stack", "1000", "--seed", "1"]
    text = output_of(capsys, "tight", "random", "caller", *short)
    assert "games won" in text and "95 % interval" in text and "mean place" in text
    assert "2 games from 3 seatings each, " in text and "hands a game, seed 1" in text
    levels = ["--levels", "50/100,200/400/25", "--level-hands", "3"]
    found = json.loads(
        output_of(capsys, "tight", "random", *short, *levels, "--no-duplicate", "--json")
    )
    assert found["schema"] == "gpuodds.freeze-out/1" and found["seatings"] == 1
    assert found["levels"] == ["50/100", "200/400/25"] and found["level_hands"] == 3
    assert sum(player["won"] for player in found["players"]) == pytest.approx(1)
    low, high = found["players"][0]["interval"]
    assert 0 <= low <= found["players"][0]["won"] <= high <= 1
    library = play_freeze_out(
        ["tight", "random"],
        games=2,
        stack=1000,
        seed=1,
        levels=read_levels(levels[1]),
        level_hands=3,
        duplicate=False,
    )
    assert found == json.loads(json.dumps(library.to_dict()))
    text = output_of(capsys, "caller", "caller", *short, "--max-hands", "1", "--workers", "2")
    assert "4 ended after 1 hands, placed by chips" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["caller", "caller", "--hands", "9"], "--hands: a freeze-out ends with one player left"),
        (["caller", "caller", "--levels", "1/2", "--blinds", "1/2"], "--blinds and --levels: expected"),
        (["caller", "caller", "--levels", "1-2"], "levels: level 1, 1-2: expected blinds"),
        (["caller", "caller", "--games", "x"], "--games x: expected a whole number"),
        (["caller"], "seats 1: expected 2 to 10"),
    ],
)
def test_bad_options(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert message in output_of(capsys, *arguments, code=2)


def test_options_of_freeze_outs_alone(capsys: pytest.CaptureFixture[str]) -> None:
    for option, value in (("--games", "3"), ("--levels", "1/2"), ("--max-hands", "5")):
        assert run(["play", "tournament", "caller", "caller", option, value]) == 2
        assert f"{option}: expected with --freeze-out" in capsys.readouterr().err


def test_ctrl_c(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting(AllIn):
        hands = 0

        def end(self, hand: Ended) -> None:
            Interrupting.hands += 1
            if Interrupting.hands == 12:
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setitem(BOTS, "caller", Interrupting)
    found = json.loads(output_of(capsys, "caller", "all-in", "--games", "500", "--json", code=130))
    assert 0 < found["games"] < 12
    assert run(["play", "tournament", "--freeze-out", "caller", "all-in", "--games", "1"]) == 0
