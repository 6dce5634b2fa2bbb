"""Hands of 888poker and its sister sites: of Pacific, once of Cassava."""

from __future__ import annotations

import re
from datetime import datetime

from gpuodds.histories.chips import read_chips
from gpuodds.histories.hand import Hand
from gpuodds.histories.reading.notation import Unreadable, currency_of, named_first, read_cards
from gpuodds.histories.reading.recorder import Recorder
from gpuodds.histories.reading.titles import find_title_game, read_time

HEADER = r"\*{5} (?:[\w.-]+ ){1,3}Hand History for Game \d"
"""How a hand begins."""

_FIRST = re.compile(r"\*{5} .*?Hand History for Game (\d+)")
_STAKES = re.compile(r"(.*\d.*)/(.*\d.*?) Blinds (.*?) - \*\*\*(.*)")
_TIME = re.compile(r"(\d\d?)[ /.-](\d\d?)[ /.-](\d{4})\s+(\d\d?:\d\d:\d\d)")
_SEAT = re.compile(r"Seat (\d+): (.*) \( ?([^()]*\d[^()]*?) ?\)")
_TOURNAMENT = re.compile(r"Tournament #(\d+)(.*)")
_BUTTON = re.compile(r"Seat (\d+) is the button")
_AMOUNT = re.compile(r"(.*?)\[ ?(.*?) ?\]")


def _read_time(text: str) -> datetime | None:
    found = _TIME.search(text)
    if found is None:
        return None
    day, month, year, clock = found.groups()
    return read_time(f"{year}/{month}/{day} {clock}")


def read_pacific(text: str, file: str, line: int, moves: bool = False) -> Hand:
    """Return the hand in a text; see :func:`gpuodds.histories.reading.stars.read_stars`."""
    reader = _PacificReader("888poker", file, line)
    reader.moves = [] if moves else None
    return reader.read(text)


class _PacificReader(Recorder):
    def read(self, text: str) -> Hand:
        lines = [line.strip() for line in text.splitlines()]
        found = _FIRST.match(lines[0])
        if found is None:
            raise Unreadable(f"{lines[0][:60]!r} is not the first line of a hand")
        self.number = found.group(1)
        top = 1
        while top < len(lines) and not self.seats:
            self._read_top(lines[top])
            top += 1
        if not self.big_blind:
            raise Unreadable("no line with the blinds")
        for line in lines[top:]:
            if line.startswith("** Dealing "):
                if "[" in line:
                    dealt = read_cards(line[line.index("[") :])
                    self.street((*self.boards.get(0, ()), *dealt))
            elif line.startswith("Seat ") and (seated := _SEAT.fullmatch(line)):
                self.seat(int(seated.group(1)), seated.group(2), read_chips(seated.group(3)))
            elif line.startswith("Dealt to "):
                self.read_dealt(line)
            elif named := named_first(line, self.seats, " "):
                self._act(*named)
        return self.finish()

    def _read_top(self, line: str) -> None:
        """Read a line before the seats, or the first of them."""
        if found := _STAKES.match(line):
            small, big, title, time = found.groups()
            self.game = find_title_game(title)
            self.small_blind, self.big_blind = read_chips(small), read_chips(big)
            self.currency = currency_of(big)
            self.time = _read_time(time)
        elif found := _TOURNAMENT.match(line):
            self.tournament, self.currency = found.group(1), ""
        elif line.startswith("Table "):
            self.table = line[len("Table ") :].rpartition(" (")[0]
        elif found := _BUTTON.match(line):
            self.button = int(found.group(1))
        elif found := _SEAT.fullmatch(line):
            self.seat(int(found.group(1)), found.group(2), read_chips(found.group(3)))

    def _act(self, place: int, rest: str) -> None:
        if rest == "folds":
            self.fold(place)
            return
        if rest == "checks":
            self.check(place)
            return
        found = _AMOUNT.match(rest)
        if found is None:
            return
        what, shown = found.group(1).strip(), found.group(2)
        if what in {"shows", "mucks"}:
            self.show(place, read_cards(shown))
        elif what in {"calls", "bets", "raises"}:
            self.put(place, read_chips(shown))
        elif what == "posts ante":
            self.ante(place, read_chips(shown))
        elif what == "posts small blind":
            self.post_small(place, read_chips(shown))
        elif what == "posts big blind":
            self.post_big(place, read_chips(shown))
        elif what == "posts dead blind":
            dead, plus, live = shown.partition("+")
            if plus:
                self.post_dead(place, read_chips(dead))
            self.post(place, read_chips(live or dead))
        elif what == "collected":
            self.collect(place, read_chips(shown))
