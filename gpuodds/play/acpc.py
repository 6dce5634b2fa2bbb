"""A client of the dealer protocol of the Annual Computer Poker Competition, heads-up no-limit.

Version 2.0.0 of the protocol: the client says "VERSION:2.0.0", the dealer sends a line for each change,

    MATCHSTATE:position:hand number:betting:cards

and where it is the client's turn it answers with that line, a colon and an action: "f", "c", or "r" and
the chips that it has put in over the whole hand. The player at position 0 has the big blind, as in
reversed blinds: 50/100, stacks of 20,000. Lines that begin with "#" or ";" are comments.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.play.game import (
    BOARD_CARDS,
    Ended,
    Move,
    Observation,
    Played,
    Player,
    Rules,
    allowed,
    begin,
    deal_street,
    make,
    observe,
)

VERSION = "VERSION:2.0.0"
SECONDS = 600.0  # to wait for the dealer
MOST_SECONDS = 7 * 24 * 3600
LONGEST = 10_000  # characters of a line
LINE = re.compile(r"MATCHSTATE:([01]):(\d{1,10}):([cfr0-9/]*):([2-9TJQKAcdhs|/]*)", re.ASCII)
ACTION = re.compile(r"f|c|r\d{1,9}", re.ASCII)


@dataclass(frozen=True)
class MatchState:
    """A line of the dealer: ``betting`` has the actions street by street, ``cards`` what is known."""

    position: int
    number: int
    betting: tuple[tuple[str, ...], ...]
    hands: tuple[tuple[int, int] | None, tuple[int, int] | None]
    board: tuple[int, ...]

    @classmethod
    def read(cls, line: str) -> MatchState:
        """Read a line.

        Raises:
            InputError: It is malformed.

        >>> state = MatchState.read("MATCHSTATE:0:30:cc/r250:9s8h|/8c8d5c")
        >>> state.number, state.betting, len(state.board)
        (30, (('c', 'c'), ('r250',)), 3)
        """
        found = LINE.fullmatch(line)
        if found is None:
            raise InputError(
                f"dealer: {excerpt(line)}: expected MATCHSTATE:position:number:betting:cards"
            )
        streets = found[3].split("/")
        betting = tuple(tuple(ACTION.findall(street)) for street in streets)
        hole, *board = found[4].split("/")
        if ["".join(street) for street in betting] != streets or hole.count("|") != 1:
            raise InputError(f"dealer: {excerpt(line)}: expected actions and two hands")
        hands = [_pair(text, line) for text in hole.split("|")]
        dealt = tuple(card for part in board for card in parse_cards(part))
        if len(betting) > 4 or len(dealt) != BOARD_CARDS[len(betting) - 1]:
            raise InputError(f"dealer: {excerpt(line)}: expected a board for {len(betting)} streets")
        return cls(int(found[1]), int(found[2]), betting, (hands[0], hands[1]), dealt)


def _pair(text: str, line: str) -> tuple[int, int] | None:
    cards = parse_cards(text) if text else ()
    if len(cards) not in (0, 2):
        raise InputError(f"dealer: {excerpt(line)}: expected hands of two cards")
    return (cards[0], cards[1]) if cards else None


def play_acpc(
    host: str,
    port: int,
    player: Player,
    *,
    rules: Rules | None = None,
    timeout: float = SECONDS,
    report: Callable[[int, int], None] | None = None,
) -> tuple[int, int]:
    """Play a match until the dealer ends it; return the hands played and the chips won.

    ``report`` is told both after each hand.

    Raises:
        InputError: The dealer cannot be reached, is silent for too long, goes in the middle of a
            hand, or sends what is no line of the protocol.
    """
    if not 0 < timeout <= MOST_SECONDS:
        raise InputError(
            f"timeout {timeout:g}: expected more than 0 and at most {MOST_SECONDS:,} seconds"
        )
    rules = rules or Rules()
    try:
        link = socket.create_connection((host, port), timeout)
    except OSError as error:
        raise InputError(f"dealer {host}:{port}: {error.strerror or error}") from None
    table = _Match(player, rules)
    with link:
        link.settimeout(timeout)
        _send(link, VERSION)
        for line in _lines(link):
            if line.startswith(("#", ";")) or not line:
                continue
            answer = table.take(line)
            if answer is not None:
                _send(link, answer)
            if report is not None and table.is_over:
                report(table.hands, table.chips)
    if table.is_open:
        raise InputError("dealer: the connection was lost in the middle of a hand")
    return table.hands, table.chips


class _Match:
    """A match as the client sees it."""

    def __init__(self, player: Player, rules: Rules) -> None:
        self._player, self._rules = player, rules
        self._last = ""
        self._finished = -1
        self.hands, self.chips = 0, 0
        self.is_open = False
        self.is_over = False

    def take(self, line: str) -> str | None:
        """Take a line of the dealer; return the answer if it is the client's turn."""
        state = MatchState.read(line)
        if line == self._last or state.number == self._finished:
            return None  # said twice
        self._last, self.is_over, self.is_open = line, False, True
        seat = state.position
        hand = state.hands[seat]
        if hand is None:
            raise InputError(f"dealer: {excerpt(line)}: expected cards at position {seat}")
        table, moves, before = self._replay(state, hand, line)
        if not table.status:
            self._end(state, hand, table, moves)
            return None
        if table.actor_index != seat:
            return None
        seen = observe(table, self._rules, hand, state.board, tuple(moves))
        move = allowed(self._player.act(seen), seen)
        return f"{line}:{_action(move, before[seat])}"

    def _replay(
        self, state: MatchState, hand: tuple[int, int], line: str
    ) -> tuple[Any, list[Played], list[int]]:
        """Play the betting again; returns the table, the moves, and the chips of earlier streets."""
        cards = ["????" if known is None else format_cards(known) for known in state.hands]
        _, table = begin(self._rules, cards)
        moves: list[Played] = []
        before = [0, 0]
        for street, actions in enumerate(state.betting):
            if street:
                before = [self._rules.stack - int(stack) for stack in table.stacks]
            deal_street(table, state.board)
            for action in actions:
                seat = table.actor_index
                if seat is None or not table.status or table.street_index != street:
                    raise InputError(f"dealer: {excerpt(line)}: nobody is left to act")
                seen = observe(table, self._rules, hand, state.board, tuple(moves))
                moves.append(make(table, seen, _move(action, before[seat], seen, line)))
        deal_street(table, state.board)
        return table, moves, before

    def _end(self, state: MatchState, hand: tuple[int, int], table: Any, moves: list[Played]) -> None:
        self._finished, self.is_open, self.is_over = state.number, False, True
        seat, won = state.position, tuple(int(chips) for chips in table.payoffs)
        shown = {} if any(move.kind == "fold" for move in moves) else dict(enumerate(state.hands))
        self.hands += 1
        self.chips += won[seat]
        known = {place: cards for place, cards in shown.items() if cards is not None}
        self._player.end(Ended(self._rules, seat, hand, state.board, tuple(moves), known, won))


def _move(action: str, before: int, seen: Observation, line: str) -> Move:
    """Read an action; raises are given as all chips of the hand."""
    if action == "f" and not seen.to_call:
        raise InputError(f"dealer: {excerpt(line)}: a fold where nothing is to call")
    if action == "f":
        return Move("fold")
    if action == "c":
        return Move("call")
    to = int(action[1:]) - before
    if not seen.least <= to <= seen.most:
        raise InputError(f"dealer: {excerpt(line)}: {action} is no raise that can be made")
    return Move("raise", to)


def _action(move: Move, before: int) -> str:
    if move.kind == "raise":
        return f"r{move.to + before}"
    return "f" if move.kind == "fold" else "c"


def _send(link: socket.socket, text: str) -> None:
    try:
        link.sendall(text.encode() + b"\r\n")
    except OSError as error:
        raise InputError(f"dealer: {error.strerror or error}") from None


def _lines(link: socket.socket) -> Iterator[str]:
    """Give the lines that the dealer sends, until it closes the connection."""
    waiting = b""
    while True:
        try:
            block = link.recv(65536)
        except TimeoutError:
            raise InputError(f"dealer: nothing came for {link.gettimeout():g} s") from None
        except ConnectionResetError:
            return
        except OSError as error:
            raise InputError(f"dealer: {error.strerror or error}") from None
        if not block:
            return
        waiting += block
        *lines, waiting = waiting.split(b"\n")
        if len(waiting) > LONGEST:
            raise InputError("dealer: expected lines, found none that ends")
        for line in lines:
            yield line.decode("ascii", "replace").strip()
