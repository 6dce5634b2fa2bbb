"""Dealers that fail: malformed lines, impossible states, silence."""

from __future__ import annotations

import random
import socket
import threading
import time
from contextlib import suppress

import pytest
from acpc_dialogue import Scripted, dialogue

from gpuodds.errors import InputError
from gpuodds.play.acpc import client as acpc
from gpuodds.play.acpc.client import play_acpc
from gpuodds.play.bots.caller import Caller
from gpuodds.play.turns import Move

pytest.importorskip("pokerkit")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["MATCHSTATE:0:1::9s8h||"], "a game of three players or more; expected two"),
        (["MATCHSTATE:2:1::||9s8h"], "a game of three players or more; expected two"),
        (["MATCHSTATE:0:1:r:9s8h|"], "a raise of no size: a limit game; expected no-limit"),
        (["MATCHSTATE:0:1:cr/:9s8h|/2c3c4c"], "a limit game; expected no-limit"),
        (["MATCHSTATE:0:1::9s8h7c6c|"], "a hand of 4; expected two hole cards"),
        (["MATCHSTATE:0:1:r100:9s8h|"], "r100 is no raise that can be made, with blinds of 50/100 and"),
        (["MATCHSTATE:0:1:r25000:9s8h|"], "r25000 is no raise that can be made"),
        (["MATCHSTATE:1:1:r300r400:|9s8h"], "r400 is no raise that can be made"),
        # Stacks of 10,000 where 20,000 were announced, and vice versa.
        (["MATCHSTATE:0:1:r10000c///:9s8h|AcAd/2c3c4c/5c/6c"], "a round begins before the one before"),
        (["MATCHSTATE:0:1:r20000c/cc/:9s8h|/2c3c4c/5c"], "no player is left to act"),
        (["MATCHSTATE:0:1:r20000c///:9s8h|/2c3c4c/5c/6c"], "but the hands are not shown"),
        (["MATCHSTATE:0:1:cc/:9s8h|AcAd/2c3c4c"], "the hands are shown where the betting goes on"),
        # The answer "r20000" was made smaller.
        (["MATCHSTATE:1:1::|9s8h", "MATCHSTATE:1:1:r9000:|9s8h"], "does not take the answer r20000"),
    ],
)
def test_lines_of_another_game(lines: list[str], message: str) -> None:
    port, _ = dialogue(*lines)
    bot = Scripted(Move("raise", 20_000))
    with pytest.raises(InputError) as error:
        play_acpc("127.0.0.1", port, bot, timeout=5)
    assert message in str(error.value) and "\n" not in str(error.value)
    if "expected" not in message:
        assert "give the dealer's: --definition, or --blinds and --stack" in str(error.value)


def test_a_dealer_that_waits_where_no_player_can_act(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acpc, "DECIDED_SECONDS", 0.2)
    port, _ = dialogue("MATCHSTATE:0:1:r20000c/:9s8h|/2c3c4c", lambda: time.sleep(3))
    with pytest.raises(
        InputError, match="no player is left to act, but the dealer waits, with blinds of"
    ):
        play_acpc("127.0.0.1", port, Caller(random.Random(1)))
    # A dealer that shows the board street by street only has to go on.
    port, _ = dialogue(
        "MATCHSTATE:0:1:r20000c/:9s8h|/2c3c4c",
        "MATCHSTATE:0:1:r20000c//:9s8h|/2c3c4c/Jd",
        "MATCHSTATE:0:1:r20000c///:9s8h|AcAd/2c3c4c/Jd/Kd",
    )
    assert play_acpc("127.0.0.1", port, Caller(random.Random(1))) == (1, -20_000)


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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "MATCHSTATE:0:1::9s8h|9s7c",
            "position 1: 9s: named at position 0, too; expected another card",
        ),
        ("MATCHSTATE:0:1::9s9s|", "position 0: 9s9s: column 3: expected a card not named before"),
        (
            "MATCHSTATE:0:1:cc/:9s8h|/9s3c4c",
            "flop: 9s: named at position 0, too; expected another card",
        ),
        ("MATCHSTATE:0:1:cc/:9s8h|/2c2c4c", "flop: 2c2c4c: column 3: expected a card not named before"),
        (
            "MATCHSTATE:0:1:cc/cc/:9s8h|/2c3c4c/3c",
            "turn: 3c: named at flop, too; expected another card",
        ),
        ("MATCHSTATE:0:1:cc/cc/cc/:9s8h|/2c3c4c/5c/9s", "river: 9s: named at position 0, too"),
        ("MATCHSTATE:0:1:cc/:9s8h|/2c3c4c5c", "flop: expected a board with 3 more cards"),
        ("MATCHSTATE:0:1:cc/cc/:9s8h|/2c3c/4c5c", "flop: expected a board with 3 more cards"),
        ("MATCHSTATE:0:1:cc/:9s8h|/2c/3c4c", "expected a board for 2 streets"),
        ("MATCHSTATE:0:1:cc/cc/cc/cc/:9s8h|/2c3c4c/5c/6c/7c", "expected a board for 5 streets"),
        ("MATCHSTATE:0:1::9s8|", "position 0: 9s8: column 4: expected a suit"),
        ("MATCHSTATE:0:1::9s8h7c|", "position 0: a hand of 3; expected two hole cards"),
        ("MATCHSTATE:-1:1::9s8h|", "expected MATCHSTATE:position:number:betting:cards"),
        ("MATCHSTATE:0:-1::9s8h|", "expected MATCHSTATE:position:number:betting:cards"),
        ("MATCHSTATE:0:1::9s8h", "expected actions and two hands"),
        ("MATCHSTATE:0:1::9s8h||", "a game of three players or more; expected two"),
        ("MATCHSTATE:0:1:r18446744073709551717:9s8h|", "expected actions and two hands"),
        ("MATCHSTATE:0:18446744073709551616::9s8h|", "expected MATCHSTATE:position:number"),
        ("MATCHSTATE:0:1::9s8h|" + 10_000 * "/", "expected lines of at most 10,000 characters"),
        ("# " + 20_000 * "x", "expected lines of at most 10,000 characters"),
    ],
)
def test_impossible_states_are_refused_with_the_message_and_the_place(line: str, message: str) -> None:
    port, _ = dialogue(line)
    with pytest.raises(InputError) as error:
        play_acpc("127.0.0.1", port, Caller(random.Random(1)), timeout=30)
    shown = f"dealer: {line}: {message}" if len(line) <= 100 else message
    assert shown in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("MATCHSTATE:0:1:ccr300:9s7h|", "position 0: expected the same hand as before"),
        ("MATCHSTATE:1:1:cc/:|9s8h/2c3c4c", "position 1: expected 0, as before"),
        ("MATCHSTATE:0:2::9s8h|", "number 2: expected 1, which is not over"),
        ("MATCHSTATE:0:1:cc/cc/:9s8h|/2c3c5c/6c", "board: expected 2c3c4c and more, as before"),
        ("MATCHSTATE:0:1:cr300c/:9s8h|/2c3c4c", "betting: expected cc/ and more, as before"),
    ],
)
def test_a_hand_goes_on_as_it_began(second: str, message: str) -> None:
    port, _ = dialogue("MATCHSTATE:0:1:cc/:9s8h|/2c3c4c", second)
    with pytest.raises(InputError) as error:
        play_acpc("127.0.0.1", port, Caller(random.Random(1)), timeout=30)
    assert str(error.value) == f"dealer: {second}: {message}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "drip",
    ["M", "# still here\r\n", "\r\n", "MATCHSTATE:0:1::9s8h|\r\n"],
    ids=["bytes", "comments", "empty lines", "a line again"],
)
def test_the_timeout_is_for_a_whole_new_line(drip: str) -> None:
    left = threading.Event()

    def serve() -> None:
        with listener:
            link, _ = listener.accept()
        with link, suppress(OSError):
            link.sendall(b"MATCHSTATE:0:1::9s8h|\r\n")
            while not left.wait(0.05):
                link.sendall(drip.encode())

    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    player = threading.Thread(target=lambda: errors.append(_error(listener.getsockname()[1])))
    errors: list[str] = []
    player.start()
    player.join(60)
    left.set()
    assert errors == ["dealer: no new line came for 0.5 s"]


def _error(port: int) -> str:
    with pytest.raises(InputError) as error:
        play_acpc("127.0.0.1", port, Caller(random.Random(1)), timeout=0.5)
    return str(error.value)


def test_a_slow_dealer_and_a_lost_one() -> None:
    port, _ = dialogue("MATCHSTATE:0:1::9s8h|", lambda: time.sleep(3))
    with pytest.raises(InputError, match=r"dealer: no new line came for 0\.5 s"):
        play_acpc("127.0.0.1", port, Caller(random.Random(1)), timeout=0.5)
    port, _ = dialogue("MATCHSTATE:0:1::9s8h|")
    with pytest.raises(InputError, match="dealer: the connection was lost in the middle of a hand"):
        play_acpc("127.0.0.1", port, Caller(random.Random(1)), timeout=5)
    with pytest.raises(InputError, match=r"dealer 127\.0\.0\.1:9: Connection refused"):
        play_acpc("127.0.0.1", 9, Caller(random.Random(1)))
