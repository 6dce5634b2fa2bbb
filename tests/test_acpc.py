"""The dealer protocol: lines, dialogues, a dealer of the tests' own, and dealers that fail."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Callable

import pytest
from acpc_dealer import Dealer

from gpuodds.cards import format_cards
from gpuodds.cli.main import run
from gpuodds.errors import InputError
from gpuodds.play.acpc import MatchState, play_acpc
from gpuodds.play.bots.caller import Caller
from gpuodds.play.bots.pokerbot import Pokerbot
from gpuodds.play.game import Ended, Move, Observation

pytest.importorskip("pokerkit")


class Scripted:
    """Makes the moves of a list, and remembers what it saw."""

    def __init__(self, *moves: Move) -> None:
        self.moves, self.seen, self.ended = list(moves), [], []

    def act(self, seen: Observation) -> Move:
        self.seen.append(seen)
        return self.moves.pop(0)

    def end(self, hand: Ended) -> None:
        self.ended.append(hand)


class Heard(list[str]):
    """The lines that a dealer heard; complete once its thread has ended."""

    thread: threading.Thread

    def all(self) -> list[str]:
        self.thread.join(10)
        return list(self)


def dialogue(*lines: str | Callable[[], None]) -> tuple[int, Heard]:
    """Be a dealer that says these lines, whatever it hears; return the port, and what was heard."""
    listener = socket.create_server(("127.0.0.1", 0))
    heard = Heard()

    def serve() -> None:
        with listener:
            link, _ = listener.accept()
        with link, link.makefile("rwb") as file:
            heard.append(file.readline().decode().strip())
            for line in lines:
                if callable(line):
                    line()
                    continue
                file.write(line.encode() + b"\r\n")
                file.flush()
            link.shutdown(socket.SHUT_WR)
            heard.extend(line.decode().strip() for line in file)

    heard.thread = threading.Thread(target=serve, daemon=True)
    heard.thread.start()
    return int(listener.getsockname()[1]), heard


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
    assert (second.pot, second.least, second.most) == (200, 100, 19_900)
    assert format_cards(second.board) == "8c8d5c"
    (ended,) = bot.ended
    assert ended.won == (1250, -1250) and format_cards(ended.shown[1]) == "9c6h"


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
            return Move("raise", seen.most) if seen.most else Move("call")

    found = play_acpc("127.0.0.1", dealer.port, Shover(random.Random(1)))
    dealer.thread.join(10)
    assert dealer.fault is None and found == (6, dealer.chips) and dealer.chips % 20_000 == 0


@pytest.mark.parametrize(
    "line",
    [
        "MATCHSTATE:0:30:cx:9s8h|",
        "MATCHSTATE:2:30::9s8h|",
        "MATCHSTATE:0:30:c",
        "MATCHSTATE:0:30::9s8h",
        "MATCHSTATE:0:30::9s|",
        "MATCHSTATE:0:30::|",
        "MATCHSTATE:0:30::9s9s|",
        "MATCHSTATE:0:30:cc/:9s8h|/8c8d",
        "MATCHSTATE:0:30:cc/:9s8h|",
        "MATCHSTATE:0:30:ccc:9s8h|",
        "MATCHSTATE:0:30:r120:9s8h|",
        "MATCHSTATE:0:30:cf:9s8h|",
        "MATCHSTATE:0:30:fff:9s8h|",
        "hello",
        "MATCHSTATE:0:99999999999::9s8h|",
    ],
)
def test_malformed_lines(line: str) -> None:
    port, _ = dialogue(line)
    with pytest.raises(InputError):
        play_acpc("127.0.0.1", port, Caller(random.Random(1)), timeout=5)


def test_lines_are_read() -> None:
    state = MatchState.read("MATCHSTATE:1:7:r300c/cc/:|AsKs/2c3d4h/5s")
    assert state.position == 1 and state.hands[0] is None and len(state.board) == 4
    assert state.betting == (("r300", "c"), ("c", "c"), ())


def test_a_slow_dealer_and_a_lost_one() -> None:
    port, _ = dialogue("MATCHSTATE:0:1::9s8h|", lambda: time.sleep(3))
    with pytest.raises(InputError, match=r"dealer: nothing came for 0\.5 s"):
        play_acpc("127.0.0.1", port, Caller(random.Random(1)), timeout=0.5)
    port, _ = dialogue("MATCHSTATE:0:1::9s8h|")
    with pytest.raises(InputError, match="dealer: the connection was lost in the middle of a hand"):
        play_acpc("127.0.0.1", port, Caller(random.Random(1)), timeout=5)
    with pytest.raises(InputError, match=r"dealer 127\.0\.0\.1:9: Connection refused"):
        play_acpc("127.0.0.1", 9, Caller(random.Random(1)))


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
