"""The dealer protocol: lines, dialogues, a dealer of the tests' own, and dealers that fail."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from acpc_dealer import Dealer
from acpc_dialogue import Scripted, dialogue

from gpuodds.cards import format_cards
from gpuodds.cli.main import run
from gpuodds.errors import InputError
from gpuodds.play.acpc.client import MatchState, play_acpc
from gpuodds.play.acpc.definition import read_definition
from gpuodds.play.bots.caller import Caller
from gpuodds.play.bots.pokerbot import Pokerbot
from gpuodds.play.game import Ended
from gpuodds.play.turns import Move, Observation, Rules

pytest.importorskip("pokerkit")

DEFINITION = """\
# heads-up
GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 10000 10000
blind = 50 25
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def test_a_recorded_dialogue() -> None:
    # The example of the protocol's description: position 0, hand 30, bets as chips of the hand.
    port, heard = dialogue(
        "MATCHSTATE:0:30::9s8h|",
        "MATCHSTATE:0:30:c:9s8h|",
        "MATCHSTATE:0:30:cc/:9s8h|/8c8d5c",
        "MATCHSTATE:0:30:cc/r250:9s8h|/8c8d5c",
        "MATCHSTATE:0:30:cc/r250c/:9s8h|/8c8d5c/6s",
        "MATCHSTATE:0:30:cc/r250c/r500:9s8h|/8c8d5c/6s",
        "MATCHSTATE:0:30:cc/r250c/r500c/:9s8h|/8c8d5c/6s/2d",
        "MATCHSTATE:0:30:cc/r250c/r500c/r1250:9s8h|/8c8d5c/6s/2d",
        "MATCHSTATE:0:30:cc/r250c/r500c/r1250c:9s8h|9c6h/8c8d5c/6s/2d",
    )
    bot = Scripted(Move("call"), Move("raise", 150), Move("raise", 250), Move("raise", 750))
    assert play_acpc("127.0.0.1", port, bot) == (1, 1250)
    assert heard.all() == [
        "VERSION:2.0.0",
        "MATCHSTATE:0:30:c:9s8h|:c",
        "MATCHSTATE:0:30:cc/:9s8h|/8c8d5c:r250",
        "MATCHSTATE:0:30:cc/r250c/:9s8h|/8c8d5c/6s:r500",
        "MATCHSTATE:0:30:cc/r250c/r500c/:9s8h|/8c8d5c/6s/2d:r1250",
    ]
    first, second = bot.seen[:2]
    assert (first.to_call, first.pot, first.bets) == (0, 200, (100, 100))
    assert (second.pot, second.min_raise, second.max_raise) == (200, 100, 19_900)
    assert format_cards(second.board) == "8c8d5c"
    (ended,) = bot.ended
    assert ended.won == (1250, -1250) and format_cards(ended.shown[1]) == "9c6h"


@pytest.mark.slow
@pytest.mark.parametrize("bot", [Caller, Pokerbot])
def test_a_match_with_a_dealer(bot: type[Caller]) -> None:
    draw = random.Random(2)

    def acts(betting: str, put: int, level: int) -> str:
        # Calls, folds now and then, raises while there is something to raise with.
        choice = draw.random()
        if choice < 0.1 and put < level:
            return "f"
        if choice < 0.3 and betting.count("r") < 6 and level < 5000:
            return f"r{max(3 * level, 300)}"
        return "c"

    dealer = Dealer(30, acts)
    found = play_acpc("127.0.0.1", dealer.port, bot(random.Random(1)))
    dealer.thread.join(10)
    assert dealer.fault is None and found == (30, dealer.chips)


def test_all_in() -> None:
    dealer = Dealer(6, lambda betting, put, level: "c")

    class Shover(Caller):
        def act(self, seen: Observation) -> Move:
            return Move("raise", seen.max_raise) if seen.max_raise else Move("call")

    found = play_acpc("127.0.0.1", dealer.port, Shover(random.Random(1)))
    dealer.thread.join(10)
    assert dealer.fault is None and found == (6, dealer.chips) and dealer.chips % 20_000 == 0


class Anyhow:
    """Makes any move that the rules allow, mostly small raises: many fit into a street."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def act(self, seen: Observation) -> Move:
        chance = self.draw.random()
        if seen.max_raise and chance < 0.5:
            most = seen.max_raise if chance < 0.05 else min(seen.max_raise, 2 * seen.min_raise)
            return Move("raise", self.draw.randint(seen.min_raise, most))
        return Move("fold" if chance > 0.95 and seen.to_call else "call")

    def end(self, hand: Ended) -> None:
        pass


def anyhow(dealer: Dealer, draw: random.Random, put: int, level: int) -> str:
    """Do likewise for the dealer's side."""
    chance = draw.random()
    if dealer.least and chance < 0.5:
        most = dealer.stack if chance < 0.05 else min(dealer.stack, 2 * dealer.least)
        return f"r{draw.randint(dealer.least, most)}"
    return "f" if chance > 0.95 and put < level else "c"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("blinds", "stack"),
    [
        ((50, 100), 20_000),
        ((25, 50), 10_000),
        ((1, 2), 100),
        ((10, 20), 20_000),
        ((7, 15), 1_000),
        ((3, 10), 101),
        ((50, 100), 100),  # the big blind is all in
        ((50, 100), 101),
        ((50, 100), 150),  # every raise is all in, and less than the least
        ((99, 100), 100),
        ((1, 2), 2),
    ],
)
def test_chips_are_the_dealer_s_at_any_blinds(blinds: tuple[int, int], stack: int) -> None:
    draw = random.Random(stack)

    def acts(betting: str, put: int, level: int) -> str:
        return anyhow(dealer, draw, put, level)

    dealer = Dealer(40, acts, seed=stack, blinds=blinds, stack=stack)
    totals: list[int] = []
    play_acpc(
        "127.0.0.1",
        dealer.port,
        Anyhow(stack + 1),
        rules=Rules(2, *blinds, stack=stack),
        report=lambda hands, chips: totals.append(chips),
    )
    dealer.thread.join(10)
    assert dealer.fault is None and totals == dealer.totals and len(totals) == 40


def test_no_raise_where_the_dealer_has_no_room_for_it() -> None:
    # The dealer keeps 64 actions of a street, and accepts no raise that leaves no place for a call.
    raises = [f"r{chips}" for chips in range(4, 130, 2)]
    assert len(raises) == 63
    port, heard = dialogue(
        f"MATCHSTATE:0:1:{''.join(raises[:61])}:9s8h|", f"MATCHSTATE:0:1:{''.join(raises)}:9s8h|"
    )

    class Least(Anyhow):
        def act(self, seen: Observation) -> Move:
            return seen.raise_to(0)

    with pytest.raises(InputError, match="the connection was lost"):
        play_acpc("127.0.0.1", port, Least(1), rules=Rules(2, 1, 2, stack=20_000))
    assert [line.split(":")[-1] for line in heard.all()[1:]] == ["r126", "c"]


def test_a_definition_is_read() -> None:
    assert read_definition(DEFINITION) == Rules(2, 25, 50, stack=10_000)
    # As the dealer reads it: any case, no "=", more blanks, what follows the numbers, the later line.
    loose = DEFINITION.replace("stack = 10000 10000", "STACK 300 300 # each\r\nStack\t==  400  400 9")
    loose = loose.replace("nolimit", "limit\nNoLimit").replace(
        "END GAMEDEF", "name = x\nend gamedef\nlimit"
    )
    loose = loose.replace("firstPlayer = 2 1 1 1", "firstplayer 2").replace("GAMEDEF\n", "\n", 1)
    assert read_definition(loose) == Rules(2, 25, 50, stack=400)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("nolimit", "limit", "line 3: limit: expected a no-limit game"),
        ("nolimit\n", "", "no line nolimit: a limit game; expected a no-limit one"),
        ("Players = 2", "Players = 3", "line 4: numPlayers 3: expected 2, two players"),
        ("numPlayers = 2\n", "", "no line numPlayers: expected numPlayers = 2, two players"),
        ("Rounds = 4", "Rounds = 2", "line 5: numRounds 2: expected 4, four rounds of betting"),
        ("10000 10000", "10000 5000", "stack 10000 5000: expected the same stack for each of two"),
        ("10000 10000", "10000", "line 6: stack 10000: expected the same stack"),
        ("stack = 10000 10000\n", "", "no line stack: expected one, such as stack = 20000 20000"),
        (
            "10000 10000",
            "9999999999 9999999999",
            "line 6: stack = 9999999999 9999999999: expected at most",
        ),
        pytest.param("10000 10000", "9" * 5000, "expected at most 1,000,000,000", id="5,000 digits"),
        ("50 25", "25 50", "line 7: blind 25 50: expected the big blind, then the small one"),
        ("50 25", "50 0", "line 7: blind 50 0: expected the big blind, then"),
        ("50 25", "50 -25", "line 7: blind 50 -25: expected the big blind, then"),
        ("50 25", "50 50", "line 7: blind 50 50: expected the big blind, then"),
        ("50 25", "10001 25", "line 7: blind 10001 25: expected at most the stack, 10,000"),
        ("2 1 1 1", "1 1 1 1", "line 8: firstPlayer 1 1 1 1: expected 2 1 1 1"),
        ("Suits = 4", "Suits = 2", "line 9: numSuits 2: expected 4, a deck of 52 cards"),
        ("Ranks = 13", "Ranks = 6", "line 10: numRanks 6: expected 13, a deck of 52 cards"),
        ("HoleCards = 2", "HoleCards = 3", "numHoleCards 3: expected 2, two hole cards"),
        ("0 3 1 1", "0 3 1", "line 12: numBoardCards 0 3 1: expected 0 3 1 1, a flop"),
        ("END", "maxRaises = 4 4 4 4\nEND", "maxRaises 4 4 4 4: expected no limit of the raises"),
    ],
)
def test_other_games_are_refused_by_name(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_definition(DEFINITION.replace(old, new))
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Rules(3), "seats 3, ante 0: expected two seats and no ante"),
        (Rules(ante=5), "seats 2, ante 5: expected"),
        (Rules(stack=99), "stack 99: expected 100 to 1,000,000,000"),
        (Rules(2, 100, 100), "blinds 100/100: expected two that differ"),
    ],
)
def test_rules_that_no_dealer_plays_by(rules: Rules, message: str) -> None:
    with pytest.raises(InputError, match=message):
        play_acpc("127.0.0.1", 9, Caller(random.Random(1)), rules=rules)


def test_lines_are_read() -> None:
    state = MatchState.read("MATCHSTATE:1:7:r300c/cc/:|AsKs/2c3d4h/5s")
    assert state.position == 1 and state.hands[0] is None and len(state.board) == 4
    assert state.betting == (("r300", "c"), ("c", "c"), ())


def test_the_command_with_the_dealer_s_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "holdem.game"
    path.write_text(DEFINITION)
    for options in (["--definition", str(path)], ["--blinds", "25/50", "--stack", "10000"]):
        dealer = Dealer(5, lambda *seen: "c", blinds=(25, 50), stack=10_000)
        assert run(["play", "acpc", "127.0.0.1", str(dealer.port), "--bot", "caller", *options]) == 0
        dealer.thread.join(10)
        rate = 1000 * dealer.chips / 50 / 5
        expected = f"5 hands, {dealer.chips:+,} chips, {rate:+,.1f} mbb a hand"
        assert dealer.fault is None and dealer.chips and expected in capsys.readouterr().out
    # What is wrong with the game is found before the dealer is looked for.
    path.write_text(DEFINITION.replace("nolimit", "limit"))
    long = tmp_path / "long.game"
    long.write_bytes(bytes(1 << 17))
    for options, message in (
        (["--definition", str(path)], f"{path}: line 3: limit: expected a no-limit game"),
        (["--definition", str(path), "--stack", "5"], "--definition and --blinds or --stack: expected"),
        (["--definition", str(tmp_path / "none")], "none: cannot be read: No such file or directory"),
        (["--definition", str(long)], f"{long}: expected a game definition of at most 65,536 bytes"),
        (["--blinds", "100"], "--blinds 100: expected two numbers"),
        (["--blinds", "100/50"], "blinds 100/50: expected 0 < small <= big"),
        (["--stack", "50"], "stack 50: expected 100 to 1,000,000,000"),
    ):
        assert run(["play", "acpc", "127.0.0.1", "9", *options]) == 2
        (error,) = capsys.readouterr().err.splitlines()
        assert message in error


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    dealer = Dealer(4, lambda betting, put, level: "c")
    arguments = ["play", "acpc", "127.0.0.1", str(dealer.port), "--bot", "caller"]
    assert run(arguments) == 0
    dealer.thread.join(10)
    captured = capsys.readouterr()
    assert f"4 hands, {dealer.chips:+,} chips" in captured.out
    assert run(["play", "acpc", "127.0.0.1", "9"]) == 2
    assert "Connection refused" in capsys.readouterr().err
    assert run(["play", "acpc", "127.0.0.1", "9", "--bot", "me"]) == 2
    assert "bot me: expected one of" in capsys.readouterr().err
