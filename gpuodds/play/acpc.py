"""A client of the dealer protocol of the Annual Computer Poker Competition, heads-up no-limit.

Version 2.0.0 of the protocol: the client says "VERSION:2.0.0", the dealer sends a line for each change,

    MATCHSTATE:position:hand number:betting:cards

and where it is the client's turn it answers with that line, a colon and an action: "f", "c", or "r" and
the chips that it has put in over the whole hand. The player at position 0 has the big blind (reversed
blinds). Lines that begin with "#" or ";" are comments. No line gives the blinds or the stacks: the
client must know the game that the dealer was started with, see :mod:`.acpc_definition`.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.play.acpc_definition import MAX_ACTIONS, MAX_CHIPS
from gpuodds.play.game import (
    CARDS_BY_STREET,
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
DEFAULT_TIMEOUT = 600.0  # seconds to wait for the dealer
MAX_TIMEOUT = 7 * 24 * 3600
DECIDED_SECONDS = 10.0  # to wait for the dealer's next line if no player is left to act
MAX_LINE = 10_000  # characters
LINE = re.compile(r"MATCHSTATE:(\d):(\d{1,10}):([cfr0-9/]*):([2-9TJQKAcdhs|/]*)", re.ASCII)
ACTION = re.compile(r"f|c|r\d{1,10}", re.ASCII)


@dataclass(frozen=True)
class MatchState:
    """A line of the dealer.

    Attributes:
        position: The client's seat.
        number: The hand's number.
        betting: The actions, street by street.
        hands: The cards of each seat, None if unknown.
        board: The cards on the board.
    """

    position: int
    number: int
    betting: tuple[tuple[str, ...], ...]
    hands: tuple[tuple[int, int] | None, tuple[int, int] | None]
    board: tuple[int, ...]

    @classmethod
    def read(cls, line: str) -> MatchState:
        """Read a line.

        Raises:
            InputError: It is malformed, or not of heads-up no-limit hold'em.

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
        hole, *board = found[4].split("/")
        texts = hole.split("|")
        if len(texts) > 2 or int(found[1]) > 1:
            raise InputError(f"dealer: {excerpt(line)}: a game of three players or more; expected two")
        if re.search(r"r(?!\d)", found[3]):
            raise InputError(
                f"dealer: {excerpt(line)}: a raise of no size: a limit game; expected no-limit"
            )
        betting = tuple(tuple(ACTION.findall(street)) for street in streets)
        if ["".join(street) for street in betting] != streets or len(texts) != 2:
            raise InputError(f"dealer: {excerpt(line)}: expected actions and two hands")
        hands = [_pair(text, line) for text in texts]
        dealt = tuple(card for part in board for card in parse_cards(part))
        if len(betting) > 4 or len(dealt) != CARDS_BY_STREET[len(betting) - 1]:
            raise InputError(f"dealer: {excerpt(line)}: expected a board for {len(betting)} streets")
        return cls(int(found[1]), int(found[2]), betting, (hands[0], hands[1]), dealt)


def _pair(text: str, line: str) -> tuple[int, int] | None:
    cards = parse_cards(text) if text else ()
    if len(cards) not in (0, 2):
        raise InputError(f"dealer: {excerpt(line)}: a hand of {len(cards)}; expected two hole cards")
    return (cards[0], cards[1]) if cards else None


def play_acpc(
    host: str,
    port: int,
    player: Player,
    *,
    rules: Rules | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    report: Callable[[int, int], None] | None = None,
) -> tuple[int, int]:
    """Play a match for a dealer of the ACPC protocol until the dealer ends it.

    Args:
        host: The dealer's host.
        port: The dealer's port for this player.
        player: Decides at each turn.
        rules: Those of the dealer; see :func:`gpuodds.play.read_definition`. Default: ``Rules()``.
        timeout: Seconds to wait for a line of the dealer, above 0.
        report: Called after each hand with the hands played and the chips won so far.

    Returns:
        The hands played and the chips won, negative if lost.

    Raises:
        InputError: The dealer cannot be reached, is silent for too long, disconnects in the middle of
            a hand, sends a line outside the protocol, or plays by other rules; or no dealer plays by
            ``rules``.

    Example:
        >>> from random import Random
        >>> from gpuodds.play.bots import Caller
        >>> play_acpc("localhost", 18791, Caller(Random(1)))  # doctest: +SKIP
        (3000, -12450)
    """
    if not 0 < timeout <= MAX_TIMEOUT:
        raise InputError(
            f"timeout {timeout:g}: expected more than 0 and at most {MAX_TIMEOUT:,} seconds"
        )
    rules = rules or Rules()
    _check(rules)
    try:
        link = socket.create_connection((host, port), timeout)
    except OSError as error:
        raise InputError(f"dealer {host}:{port}: {error.strerror or error}") from None
    table = _Match(player, rules)
    with link:
        link.settimeout(timeout)
        _send(link, VERSION)
        for line in _lines(link, table):
            if line.startswith(("#", ";")) or not line:
                continue
            answer = table.take(line)
            link.settimeout(min(timeout, DECIDED_SECONDS) if table.is_decided else timeout)
            if answer is not None:
                _send(link, answer)
            if report is not None and table.is_over:
                report(table.hands, table.chips)
    if table.is_open:
        raise InputError("dealer: the connection was lost in the middle of a hand")
    return table.hands, table.chips


def _check(rules: Rules) -> None:
    """Refuse rules of no dealer, and equal blinds: with them pokerkit's order of turns differs."""
    if rules.seats != 2 or rules.ante:
        raise InputError(f"seats {rules.seats}, ante {rules.ante}: expected two seats and no ante")
    if rules.small_blind == rules.big_blind:
        raise InputError(f"blinds {rules.small_blind}/{rules.big_blind}: expected two that differ")
    if not rules.big_blind <= rules.stack <= MAX_CHIPS:
        raise InputError(f"stack {rules.stack}: expected {rules.big_blind} to {MAX_CHIPS:,}")


class _Match:
    """A match as the client sees it."""

    def __init__(self, player: Player, rules: Rules) -> None:
        self._player, self._rules = player, rules
        self._last = ""
        self._answered = -1, "", ""  # hand number, the betting with the answer, the answer
        self._finished = -1
        self.hands, self.chips = 0, 0
        self.is_open = False
        self.is_over = False
        self.is_decided = False  # no player is left to act, but the board is not complete

    def take(self, line: str) -> str | None:
        """Take a line of the dealer; return the answer if it is the client's turn."""
        state = MatchState.read(line)
        if line == self._last or state.number == self._finished:
            return None  # a repeated line
        self._last, self.is_over, self.is_open, self.is_decided = line, False, True, False
        seat = state.position
        hand = state.hands[seat]
        if hand is None:
            raise InputError(f"dealer: {excerpt(line)}: expected cards at position {seat}")
        betting = line.split(":")[3]
        number, expected, answer = self._answered
        if state.number == number and not betting.startswith(expected):
            raise self._refuse(line, f"the dealer does not take the answer {answer}")
        table, moves, before = self._replay(state, hand, line)
        is_shown = None not in state.hands
        if not table.status:
            self._end(state, hand, table, moves)
            return None
        if table.actor_index is None:
            if len(state.board) == 5:  # pokerkit waits for the hands
                raise self._refuse(line, "no player is left to act, but the hands are not shown")
            self.is_decided = True
            return None
        if is_shown:
            raise self._refuse(line, "the hands are shown where the betting goes on")
        if table.actor_index != seat:
            return None
        seen = observe(table, self._rules, hand, state.board, tuple(moves))
        if len(state.betting[-1]) > MAX_ACTIONS - 2:  # the dealer needs room for a call of a raise
            seen = replace(seen, min_raise=0, max_raise=0)
        answer = _action(allowed(self._player.act(seen), seen), before[seat])
        self._answered = state.number, betting + answer, answer
        return f"{line}:{answer}"

    def silence(self, seconds: float) -> InputError:
        """Return the error for a silent dealer."""
        if self.is_decided:
            return self._refuse(self._last, "no player is left to act, but the dealer waits")
        return InputError(f"dealer: nothing came for {seconds:g} s")

    def _refuse(self, line: str, why: str) -> InputError:
        """Return the error for a line that the rules forbid."""
        rules = self._rules
        game = f"blinds of {rules.small_blind}/{rules.big_blind} and stacks of {rules.stack:,}"
        return InputError(
            f"dealer: {excerpt(line, 100)}: {why}, with {game}; give the dealer's: --definition, or "
            "--blinds and --stack"
        )

    def _replay(
        self, state: MatchState, hand: tuple[int, int], line: str
    ) -> tuple[Any, list[Played], list[int]]:
        """Replay the betting; return the table, the moves, and each seat's chips of earlier streets."""
        cards = ["????" if known is None else format_cards(known) for known in state.hands]
        _, table = begin(self._rules, cards)
        moves: list[Played] = []
        before = [0, 0]
        for street, actions in enumerate(state.betting):
            if street:
                if table.actor_index is not None:
                    raise self._refuse(line, "a round begins before the one before it is over")
                before = [self._rules.stack - int(stack) for stack in table.stacks]
            deal_street(table, state.board)
            for action in actions:
                seat = table.actor_index
                if seat is None or not table.status or table.street_index != street:
                    raise self._refuse(line, "no player is left to act")
                seen = observe(table, self._rules, hand, state.board, tuple(moves))
                moves.append(make(table, seen, self._read(action, before[seat], seen, line)))
        return table, moves, before

    def _read(self, action: str, before: int, seen: Observation, line: str) -> Move:
        """Read an action; a raise counts all chips of the hand."""
        if action == "f" and not seen.to_call:
            raise self._refuse(line, "a fold where nothing is to call")
        if action == "f":
            return Move("fold")
        if action == "c":
            return Move("call")
        to = int(action[1:]) - before
        if not seen.min_raise <= to <= seen.max_raise:
            raise self._refuse(line, f"{action} is no raise that can be made")
        return Move("raise", to)

    def _end(self, state: MatchState, hand: tuple[int, int], table: Any, moves: list[Played]) -> None:
        self._finished, self.is_open, self.is_over = state.number, False, True
        seat, won = state.position, tuple(int(chips) for chips in table.payoffs)
        shown = {} if any(move.kind == "fold" for move in moves) else dict(enumerate(state.hands))
        self.hands += 1
        self.chips += won[seat]
        known = {place: cards for place, cards in shown.items() if cards is not None}
        self._player.end(Ended(self._rules, seat, hand, state.board, tuple(moves), known, won))


def _action(move: Move, before: int) -> str:
    if move.kind == "raise":
        return f"r{move.to + before}"
    return "f" if move.kind == "fold" else "c"


def _send(link: socket.socket, text: str) -> None:
    try:
        link.sendall(text.encode() + b"\r\n")
    except OSError as error:
        raise InputError(f"dealer: {error.strerror or error}") from None


def _lines(link: socket.socket, table: _Match) -> Iterator[str]:
    """Yield the dealer's lines, until it closes the connection."""
    waiting = b""
    while True:
        try:
            block = link.recv(65536)
        except TimeoutError:
            raise table.silence(link.gettimeout() or 0) from None
        except ConnectionResetError:
            return
        except OSError as error:
            raise InputError(f"dealer: {error.strerror or error}") from None
        if not block:
            return
        waiting += block
        *lines, waiting = waiting.split(b"\n")
        if len(waiting) > MAX_LINE:
            raise InputError(f"dealer: expected lines of at most {MAX_LINE:,} characters")
        for line in lines:
            yield line.decode("ascii", "replace").strip()
