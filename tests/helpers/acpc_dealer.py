"""A small dealer of the competition's protocol, written from its description: heads-up no-limit.

It deals from a seed, plays one side itself by a script, and sends every line to the client. Its state
is the chips that each side has put in; the evaluator of tests/oracles/oracle.py decides who wins.
"""

from __future__ import annotations

import random
import socket
import threading
from collections.abc import Callable

import numpy as np
from oracle import score

RANKS, SUITS = "23456789TJQKA", "cdhs"


def text(card: int) -> str:
    return RANKS[card // 4] + SUITS[card % 4]


class Dealer:
    """Plays ``hands`` hands with the first client; ``acts`` makes the moves of the dealer's side.

    ``acts`` is called with the betting, the chips that the side has put in, and the larger number of
    chips that a side has put in. During the call ``least`` is the smallest raise, as chips of the hand;
    0 if no raise is possible.
    """

    def __init__(
        self,
        hands: int,
        acts: Callable[[str, int, int], str],
        seed: int = 1,
        blinds: tuple[int, int] = (50, 100),
        stack: int = 20_000,
    ) -> None:
        self.hands, self.acts, self.draw = hands, acts, random.Random(seed)
        self.blinds, self.stack, self.least = blinds, stack, 0
        self.chips = 0  # what the client has won
        self.totals: list[int] = []  # that, after each hand
        self.message: list[str] = []
        self.heard: list[str] = []
        self.fault: BaseException | None = None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            with self.listener:
                link, _ = self.listener.accept()
            with link:
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.file = link.makefile("rwb")
                assert self._hear() == "VERSION:2.0.0"
                self._say("# a comment")
                for number in range(self.hands):
                    self._play(number, number % 2)
                self.file.close()
        except BaseException as error:
            self.fault = error

    def _hear(self) -> str:
        line = self.file.readline().decode().strip()
        self.heard.append(line)
        return line

    def _say(self, line: str) -> None:
        self.message.append(line)
        self.file.write(line.encode() + b"\r\n")
        self.file.flush()

    def _play(self, number: int, client: int) -> None:
        cards = self.draw.sample(range(52), 9)
        hands, board = [cards[0:2], cards[2:4]], cards[4:]
        small, big = self.blinds
        put, betting, folded = [big, small], "", None
        for street, dealt in enumerate((0, 3, 4, 5)):
            if street:
                betting += "/"
            # Before the flop the small blind, position 1, is first; later the big blind.
            turn, acted, level, step = (1 if street == 0 else 0), 0, max(put), big
            self._show(number, client, betting, hands, board[:dealt])
            while folded is None and min(put) < self.stack and (acted < 2 or put[0] != put[1]):
                self.least = 0
                if level < self.stack:
                    self.least = min(level + step, self.stack)
                if turn == client:
                    line = self._hear()
                    assert line.startswith(self.message[-1] + ":"), (line, self.message[-1])
                    action = line[len(self.message[-1]) + 1 :]
                else:
                    action = self.acts(betting, put[turn], max(put))
                betting += action
                if action == "f":
                    assert put[turn] < max(put)
                    folded = turn
                elif action == "c":
                    put[turn] = max(put)
                else:
                    to = int(action[1:])
                    assert 0 < self.least <= to <= self.stack, (action, level, step)
                    step, level = max(step, to - level), to
                    put[turn] = to
                acted += 1
                turn = 1 - turn
                if folded is None and (acted < 2 or put[0] != put[1]):
                    self._show(number, client, betting, hands, board[:dealt])
            if folded is not None:
                break
            if min(put) == self.stack:  # a showdown: one line, with all cards
                betting, dealt = betting + (3 - street) * "/", 5
                break
        self._show(number, client, betting, hands, board[:dealt], at_end=folded is None)
        if folded is not None:
            winner = 1 - folded
            won = put[folded] if winner == client else -put[client]
        else:
            ranks = [score(np.array([*hand, *board])) for hand in hands]
            sign = (ranks[client] > ranks[1 - client]) - (ranks[client] < ranks[1 - client])
            won = sign * min(put)
        self.chips += won
        self.totals.append(self.chips)

    def _show(
        self,
        number: int,
        client: int,
        betting: str,
        hands: list[list[int]],
        board: list[int],
        at_end: bool = False,
    ) -> None:
        known = [
            "".join(map(text, hand)) if place == client or at_end else ""
            for place, hand in enumerate(hands)
        ]
        streets = ["".join(map(text, board[:3])), *map(text, board[3:])] if board else []
        self._say(f"MATCHSTATE:{client}:{number}:{betting}:{'/'.join(['|'.join(known), *streets])}")
