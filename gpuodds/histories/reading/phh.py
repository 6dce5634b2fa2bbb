"""Hands in the PHH format: .phh with one, .phhs with many.

Juho Kim, "Recording and describing poker hands" (2024): a hand is a TOML document, several are
sections of one. Lines as pokerkit and the public datasets write them are read at once, any other
document by Python's TOML reader.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.omaha.game import OMAHA, OMAHA_HI_LO
from gpuodds.games.short_deck.game import SHORT_DECK
from gpuodds.histories.chips import PARTS, chips_text, read_number
from gpuodds.histories.hand import BLIND, DEAD, FOLD, PUT, Hand, Move
from gpuodds.histories.positions import name_positions
from gpuodds.histories.pots import award, split_pots
from gpuodds.histories.reading.notation import Unreadable
from gpuodds.histories.reading.phh_actions import read_action
from gpuodds.histories.reading.recorder import UNEVEN

_VARIANTS: dict[str, Game] = {
    "FT": HOLDEM,
    "NT": HOLDEM,
    "PT": HOLDEM,
    "NS": SHORT_DECK,
    "PO": OMAHA,
    "FO/8": OMAHA_HI_LO,
    "PO/8": OMAHA_HI_LO,
}
_PLAIN = re.compile(r"""'[^']*'|"[^"\\]*"|-?\d+(?:\.\d+)?""")
_CLOCK = re.compile(r"\d\d:\d\d:\d\d(?:\.\d+)?")
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?(?:, -?\d+(?:\.\d+)?)*")
SHORT_LINE = 60  # characters
_AMOUNTS = ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings")


def read_phh(text: str, file: str, line: int, moves: bool = False) -> Hand:
    """Return the hand in a TOML document.

    Without ``winnings`` or ``finishing_stacks`` the pots go to the best hands.

    Args:
        text: The document, a section of one, or a whole file of one hand.
        file: The file that it is from.
        line: The line in it where it begins.
        moves: Whether to keep the moves.

    Raises:
        Unreadable: It cannot be read, or it ends before the hand is decided.
    """
    fields = _read_fields(text)
    variant = fields.get("variant")
    game = _VARIANTS.get(variant) if isinstance(variant, str) else None
    if game is None:
        raise Unreadable(f"variant {variant!r} is not a game of gpuodds" if variant else "no variant")
    stacks = _amounts(fields, "starting_stacks")
    if stacks is None:
        raise Unreadable("no starting_stacks")
    players = len(stacks)
    if players < 2:
        raise Unreadable("fewer than two players")
    antes = _amounts(fields, "antes", players) or [0] * players
    blinds = _amounts(fields, "blinds_or_straddles", players) or [0] * players
    if players == 2:  # the second is on the button, and posts the small blind
        antes, blinds = antes[::-1], blinds[::-1]
    play = _Play(game, stacks, antes, blinds, bool(fields.get("ante_trimming_status", False)))
    if moves:
        play.keep_moves()
    actions = fields.get("actions")
    if not isinstance(actions, list):
        raise Unreadable("no list of actions")
    try:
        play.run(actions)
    except (AttributeError, TypeError):  # one of them is no text
        raise Unreadable("no list of actions") from None
    play.return_uncalled()
    collected = _collected(fields, stacks, play)
    names = fields.get("players")
    if not (isinstance(names, list) and len(names) == players):
        names = [f"p{place + 1}" for place in range(players)]
    small, big = (1, 0) if players == 2 else (0, 1)
    if not blinds[small] and not blinds[big]:
        small = big = -1
    return Hand(
        site=str(fields.get("venue", "")),
        number=str(fields.get("hand", "")),
        file=file,
        line=line,
        game=game,
        time=_time(fields),
        table=str(fields.get("table", "")),
        tournament="",
        currency=str(fields.get("currency_symbol", fields.get("currency", ""))),
        small_blind=blinds[small],
        big_blind=_big_blind(fields, blinds),
        names=_distinct([str(name) for name in names]),
        stacks=stacks,
        positions=name_positions(players, small, big),
        live=play.live,
        dead=play.dead,
        folded=play.folded,
        cards=play.cards,
        boards=[tuple(play.board)] if play.board else [],
        seen=play.seen,
        put_at=play.put_at,
        collected=collected,
        moves=play.moves,
    )


class _Play:
    """What the actions add up to."""

    def __init__(
        self, game: Game, stacks: list[int], antes: list[int], blinds: list[int], trims: bool
    ) -> None:
        players = len(stacks)
        self.game, self.stacks = game, stacks
        put = [min(ante, stack) for ante, stack in zip(antes, stacks, strict=True)]
        self.dead = [0] * players if trims else put
        self.street_bets = [
            min(abs(blind), stack - ante)
            for blind, stack, ante in zip(blinds, stacks, put, strict=True)
        ]
        self.live = (
            [bet + ante for bet, ante in zip(self.street_bets, put, strict=True)]
            if trims
            else list(self.street_bets)
        )
        self.folded = [False] * players
        self.mucked = [False] * players
        self.cards: list[tuple[int, ...] | None] = [None] * players
        self.board: list[int] = []
        self.seen = 0
        self.put_at = [0] * players
        self.returned = 0, 0
        self.moves: list[Move] | None = None

    def keep_moves(self) -> None:
        """Keep the moves, of which antes and blinds are the first."""
        paid, blinds = zip(self.live, self.dead, strict=True), self.street_bets
        antes = [bet + dead - blind for (bet, dead), blind in zip(paid, blinds, strict=True)]
        self.moves = [Move(place, 0, ante, DEAD) for place, ante in enumerate(antes)]
        self.moves += [Move(place, 0, blind, BLIND) for place, blind in enumerate(blinds)]

    def run(self, actions: Sequence[str]) -> None:
        """Play all actions."""
        stacks, live, dead, bets = self.stacks, self.live, self.dead, self.street_bets
        folded, board, cards = self.folded, self.board, self.cards
        players, dealt = len(stacks), 0
        for action in actions:
            verb, place, to, shown = read_action(action)
            if place >= players:
                raise Unreadable(f"{action!r} is of no player: there are {players}")
            if verb == "f":
                folded[place] = True
                if self.moves is not None:
                    self.moves.append(Move(place, dealt, 0, FOLD))
                self.seen = dealt
            elif verb in {"cc", "cbr"}:
                bet = bets[place]
                left = stacks[place] - live[place] - dead[place]
                more = min(max(bets) - bet, left) if verb == "cc" else to - bet
                if not 0 <= more <= left:
                    raise Unreadable(f"p{place + 1} bets {chips_text(to)} with {chips_text(left)} left")
                if self.moves is not None:
                    self.moves.append(Move(place, dealt, more, PUT))
                if more:
                    live[place] += more
                    bets[place] = bet + more
                    self.put_at[place] = dealt
                self.seen = dealt
            elif verb == "dh":
                if shown is not None:
                    cards[place] = (*(cards[place] or ()), *shown)
            elif verb == "db":
                board += shown or ()
                dealt = len(board)
                if dealt not in (3, 4, 5):
                    raise Unreadable(f"a board of {dealt} cards")
                bets[:] = [0] * players
            elif verb:  # cards are shown, or not
                if shown is not None:
                    cards[place] = shown
                self.mucked[place] = shown is None and not (verb == "sm -" and cards[place])

    def return_uncalled(self) -> None:
        top = max(self.live)
        second = sorted(self.live)[-2]
        if top > second:
            place = self.live.index(top)
            self.live[place] = second
            self.returned = place, top - second
        for place, cards in enumerate(self.cards):
            if cards is not None and len(cards) != self.game.hole_cards:
                raise Unreadable(f"p{place + 1} has {len(cards)} hole cards")
        known = [card for cards in self.cards if cards for card in cards] + self.board
        if len(set(known)) < len(known):
            raise Unreadable("a card is dealt twice")


def _collected(fields: dict[str, Any], stacks: list[int], play: _Play) -> list[int]:
    """Return what each took from the pots: as the document says, else by the cards."""
    put = [bet + ante for bet, ante in zip(play.live, play.dead, strict=True)]
    won = _amounts(fields, "winnings", len(stacks))
    if won is None:
        after = _amounts(fields, "finishing_stacks", len(stacks))
        if after is None:
            return _award(play)
        won = [end - start + paid for end, start, paid in zip(after, stacks, put, strict=True)]
    if sum(won) > sum(put) and play.returned[1]:  # the bet that no one called is counted as won
        won[play.returned[0]] -= play.returned[1]
    if sum(won) > sum(put) or min(won) < 0:
        in_all, taken = chips_text(sum(put)), chips_text(sum(won))
        raise Unreadable(f"{UNEVEN}: {in_all} were put in, {taken} were won")
    if not any(won):
        raise Unreadable("the hand ends before a pot is won")
    return won


def _award(play: _Play) -> list[int]:
    if play.folded.count(False) == 1:
        won = [0] * len(play.stacks)
        won[play.folded.index(False)] = sum(play.live) + sum(play.dead)
        return won
    pots = split_pots(play.live, play.dead, play.folded)
    whole = all(amount % PARTS == 0 for amount in (*play.live, *play.dead))
    if len(play.board) < play.game.board_cards:
        raise Unreadable("the hand ends before it is decided")
    awarded = award(pots, play.cards, play.mucked, tuple(play.board), play.game, PARTS if whole else 1)
    if awarded is None:
        raise Unreadable("a hand at the showdown is not known, and no winnings are given")
    return awarded


def _big_blind(fields: dict[str, Any], blinds: list[int]) -> int:
    for key in ("min_bet", "small_bet"):
        if key in fields:
            return read_number(fields[key])
    return max(blinds)


def _read_fields(text: str) -> dict[str, Any]:
    """Return the fields of a document: numbers as text, so that none is rounded."""
    fields: dict[str, Any] = {}
    for line in text.split("\n"):
        if not line or line[0] in "#[":
            continue
        key, read = _read_short_line(line) if len(line) <= SHORT_LINE else _read_line(line)
        if read is None or key in fields:
            return _read_toml(text)
        if key:
            fields[key] = read
    return fields


def _read_line(line: str) -> tuple[str, Any]:
    """Return a field and its value: None if it is not written plainly; no field if it is not needed."""
    key, equals, value = line.partition(" = ")
    if not (equals and key.isidentifier()):
        return "", None
    if key not in _READ:
        return "", None if value[:3] in _LONG or value[-1:] in "[," else False
    return key, _read_value(value)


_read_short_line = lru_cache(maxsize=65536)(_read_line)  # most are those of the hand before


def _read_value(value: str) -> Any:
    """Return a value that is written plainly, as pokerkit writes it; None for any other."""
    first, last = value[:1], value[-1:]
    if first == "[" and last == "]":
        inside = value[1:-1]
        if not inside:
            return []
        if inside[0] == "'":
            if inside[-1] == "'" and inside.count("'") == 2 * inside.count("', '") + 2:
                return inside[1:-1].split("', '")
            return None
        return inside.split(", ") if _NUMBERS.fullmatch(inside) else None
    if _PLAIN.fullmatch(value):
        return value[1:-1] if first in "'\"" else value
    return _WORDS.get(value, value if _CLOCK.fullmatch(value) else None)


_LONG = {"'''", '"""'}
_WORDS = {"true": True, "false": False}
_READ = {
    "variant", "actions", "players", "hand", "venue", "table", "time", "day", "month", "year",
    "ante_trimming_status", "min_bet", "small_bet", "currency", "currency_symbol", *_AMOUNTS,
}  # fmt: skip


def _read_toml(text: str) -> dict[str, Any]:
    try:
        read = tomllib.loads(text, parse_float=str)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Unreadable(f"not a TOML document: {error}") from None
    while len(read) == 1 and isinstance(next(iter(read.values())), dict):
        read = next(iter(read.values()))
    return {key: _as_numbers(value) for key, value in read.items()}


def _as_numbers(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_numbers(one) for one in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _amounts(fields: dict[str, Any], key: str, players: int | None = None) -> list[int] | None:
    values = fields.get(key)
    if values is None:
        return None
    if not isinstance(values, list):
        raise Unreadable(f"{key} is not a list")
    if players is not None and len(values) != players:
        raise Unreadable(f"{key} has {len(values)} amounts for {players} players")
    try:
        return [read_number(value) for value in values]
    except (ValueError, AttributeError, ZeroDivisionError):
        raise Unreadable(f"{key} has an amount that is no number") from None


def _distinct(names: list[str]) -> list[str]:
    """Return the names, numbered where two players have the same one."""
    if len(set(names)) == len(names):
        return names
    return [f"{name} (p{place})" for place, name in enumerate(names, 1)]


def _time(fields: dict[str, Any]) -> datetime | None:
    try:
        year, month, day = (int(fields[key]) for key in ("year", "month", "day"))
        hour, minute, second = str(fields.get("time", "00:00:00")).partition(".")[0].split(":")
        return datetime(year, month, day, int(hour), int(minute), int(second))
    except (KeyError, ValueError):
        return None
