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
from time import monotonic
from typing import Any

from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.play.acpc.definition import MAX_ACTIONS, MAX_CHIPS
from gpuodds.play.game import Ended, Player, allowed, begin, deal_street, make, observe
from gpuodds.play.turns import CARDS_BY_STREET, Move, Observation, Played, Rules

VERSION = "VERSION:2.0.0"
DEFAULT_TIMEOUT = 600.0  # seconds to wait for the dealer
MAX_TIMEOUT = 7 * 24 * 3600
DECIDED_SECONDS = 10.0  # to wait for the dealer's next line if no player is left to act
MAX_LINE = 10_000  # characters
SHOWN = 100  # characters of a line in an error
STREETS = ("before the flop", "flop", "turn", "river")
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
        match = LINE.fullmatch(line)
        if match is None:
            raise _refused(line, "expected MATCHSTATE:position:number:betting:cards")
        streets = match[3].split("/")
        hole, *board = match[4].split("/")
        texts = hole.split("|")
        if len(texts) > 2 or int(match[1]) > 1:
            raise _refused(line, "a game of three players or more; expected two")
        if re.search(r"r(?!\d)", match[3]):
            raise _refused(line, "a raise of no size: a limit game; expected no-limit")
        betting = tuple(tuple(ACTION.findall(street)) for street in streets)
        if ["".join(street) for street in betting] != streets or len(texts) != 2:
            raise _refused(line, "expected actions and two hands")
        if len(betting) > len(STREETS) or len(board) != len(betting) - 1:
            raise _refused(line, f"expected a board for {len(betting)} streets")
        hands = [_read_hand(text, f"position {seat}", line) for seat, text in enumerate(texts)]
        places: dict[str, tuple[int, ...]] = {
            f"position {seat}": hand or () for seat, hand in enumerate(hands)
        }
        for street, text in enumerate(board, 1):
            places[STREETS[street]] = _read_street(text, street, line)
        _refuse_repeated(places, line)
        dealt = tuple(card for name in STREETS[1:] for card in places.get(name, ()))
        return cls(int(match[1]), int(match[2]), betting, (hands[0], hands[1]), dealt)


def _refused(line: str, why: str) -> InputError:
    """Return the error for a line outside the protocol; ``why`` has the place and what was expected."""
    return InputError(f"dealer: {excerpt(line, SHOWN)}: {why}")


def _read_hand(text: str, place: str, line: str) -> tuple[int, int] | None:
    cards = _read_cards(text, place, line)
    if len(cards) not in (0, 2):
        raise _refused(line, f"{place}: a hand of {len(cards)}; expected two hole cards")
    return (cards[0], cards[1]) if cards else None


def _read_street(text: str, street: int, line: str) -> tuple[int, ...]:
    cards = _read_cards(text, STREETS[street], line)
    due = CARDS_BY_STREET[street] - CARDS_BY_STREET[street - 1]
    if len(cards) != due:
        raise _refused(line, f"{STREETS[street]}: expected a board with {due} more cards")
    return cards


def _read_cards(text: str, place: str, line: str) -> tuple[int, ...]:
    try:
        return parse_cards(text)
    except InputError as error:
        raise _refused(line, f"{place}: {error}") from None


def _refuse_repeated(places: dict[str, tuple[int, ...]], line: str) -> None:
    """Refuse a card that two hands, two streets, or a hand and the board have."""
    of: dict[int, str] = {}
    for place, cards in places.items():
        for card in cards:
            if card in of:
                named = f"{format_cards([card])}: named at {of[card]}, too"
                raise _refused(line, f"{place}: {named}; expected another card")
            of[card] = place


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
        timeout: Seconds to wait for the dealer's next line, whole and new, above 0: comments, repeated
            lines and parts of a line do not count.
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
    except UnicodeError:
        raise InputError(f"dealer {excerpt(host)}:{port}: expected a host") from None
    except OSError as error:
        raise InputError(f"dealer {excerpt(host, SHOWN)}:{port}: {error.strerror or error}") from None
    table = _Match(player, rules)
    with link:
        _send(link, VERSION)
        lines = _Lines(link, table, timeout)
        for line in lines:
            if line.startswith(("#", ";")) or not line or table.knows(line):
                continue
            answer = table.take(line)
            if answer is not None:
                link.settimeout(timeout)
                _send(link, answer)
            lines.wait_anew(min(timeout, DECIDED_SECONDS) if table.is_decided else timeout)
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
        self._state: MatchState | None = None  # of the hand that is being played
        self._answered = -1, "", ""  # hand number, the betting with the answer, the answer
        self._finished = -1
        self.hands, self.chips = 0, 0
        self.is_open = False
        self.is_over = False
        self.is_decided = False  # no player is left to act, but the board is not complete

    def knows(self, line: str) -> bool:
        """Return whether a line of the dealer is repeated, or of the hand that has ended."""
        return line == self._last or MatchState.read(line).number == self._finished

    def take(self, line: str) -> str | None:
        """Take a new line of the dealer; return the answer if it is the client's turn."""
        state = MatchState.read(line)
        self._check_hand_goes_on(state, line)
        self._state, self._last = state, line
        self.is_over, self.is_open, self.is_decided = False, True, False
        seat = state.position
        hand = state.hands[seat]
        if hand is None:
            raise _refused(line, f"expected cards at position {seat}")
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

    def _check_hand_goes_on(self, state: MatchState, line: str) -> None:
        """Refuse a line of another hand than the one that is being played, or of another deal of it."""
        before = self._state
        if before is None:
            return
        if state.number != before.number:
            raise _refused(line, f"number {state.number}: expected {before.number}, which is not over")
        if state.position != before.position:
            raise _refused(line, f"position {state.position}: expected {before.position}, as before")
        seat = state.position
        if state.hands[seat] != before.hands[seat]:
            raise _refused(line, f"position {seat}: expected the same hand as before")
        if state.board[: len(before.board)] != before.board:
            raise _refused(line, f"board: expected {format_cards(before.board)} and more, as before")
        betting = self._last.split(":")[3]
        if not line.split(":")[3].startswith(betting):
            raise _refused(line, f"betting: expected {excerpt(betting)} and more, as before")

    def silence(self, seconds: float) -> InputError:
        """Return the error for a silent dealer."""
        if self.is_decided:
            return self._refuse(self._last, "no player is left to act, but the dealer waits")
        return InputError(f"dealer: no new line came for {seconds:g} s")

    def _refuse(self, line: str, why: str) -> InputError:
        """Return the error for a line that the rules forbid."""
        rules = self._rules
        game = f"blinds of {rules.small_blind}/{rules.big_blind} and stacks of {rules.stack:,}"
        return InputError(
            f"dealer: {excerpt(line, SHOWN)}: {why}, with {game}; give the dealer's: --definition, or "
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
        self._state, self._finished, self.is_open, self.is_over = None, state.number, False, True
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


class _Lines:
    """The dealer's lines, until it closes the connection."""

    def __init__(self, link: socket.socket, table: _Match, seconds: float) -> None:
        self._link, self._table = link, table
        self.wait_anew(seconds)

    def wait_anew(self, seconds: float) -> None:
        """Wait this long from now, however much comes meanwhile."""
        self._seconds, self._end = seconds, monotonic() + seconds

    def __iter__(self) -> Iterator[str]:
        waiting = b""
        while True:
            block = self._receive()
            if not block:
                return
            *lines, waiting = (waiting + block).split(b"\n")
            if max(map(len, (*lines, waiting))) > MAX_LINE:
                raise InputError(f"dealer: expected lines of at most {MAX_LINE:,} characters")
            for line in lines:
                yield line.decode("ascii", "replace").strip()

    def _receive(self) -> bytes:
        """Return what has come, at least a byte; nothing once the connection is closed."""
        left = self._end - monotonic()
        try:
            if left <= 0:
                raise TimeoutError
            self._link.settimeout(left)
            return self._link.recv(65536)
        except TimeoutError:
            raise self._table.silence(self._seconds) from None
        except ConnectionResetError:
            return b""
        except OSError as error:
            raise InputError(f"dealer: {error.strerror or error}") from None
