"""Hands of Winamax."""

from __future__ import annotations

import re

from gpuodds.histories.chips import read_chips
from gpuodds.histories.hand import Hand
from gpuodds.histories.reading.notation import Unreadable, currency_of, named_first, read_cards
from gpuodds.histories.reading.recorder import Recorder
from gpuodds.histories.reading.titles import find_title_game, read_time

HEADER = r"Winamax Poker - "
"""How a hand begins."""

_FIRST = re.compile(r"Winamax Poker - (.*) - HandId: #([\w-]+) - (.*?) \(([^()]*)\) - (.*)")
_TABLE = re.compile(r"Table:? '(.*)' .*?(?:Seat #?(\d+) is the button)")
_SEAT = re.compile(r"Seat (\d+): (.*) \(([^()]*\d[^()]*)\)")
_COLLECTED = re.compile(r"(\S+) from (?:main |side )?pot")
_FEES = re.compile(r"Rake (\S+)")


def read_winamax(text: str, file: str, line: int, moves: bool = False) -> Hand:
    """Return the hand in a text; see :func:`gpuodds.histories.reading.stars.read_stars`."""
    reader = _WinamaxReader("Winamax", file, line)
    reader.moves = [] if moves else None
    return reader.read(text)


class _WinamaxReader(Recorder):
    def read(self, text: str) -> Hand:
        lines = text.splitlines()
        self._read_first(lines[0])
        summary = False
        for line in lines[1:]:
            line = line.rstrip()
            if not line:
                continue
            if summary:
                self._read_summary(line)
            elif line.startswith("*** "):
                summary = self._read_street(line)
            elif line.startswith("Seat ") and (found := _SEAT.fullmatch(line)):
                self.seat(int(found.group(1)), found.group(2), read_chips(found.group(3)))
            elif line.startswith("Table") and not self.seats:
                if found := _TABLE.match(line):
                    self.table, self.button = found.group(1), int(found.group(2))
            elif line.startswith("Dealt to "):
                self.read_dealt(line)
            elif named := named_first(line, self.seats, " "):
                self._act(*named)
        return self.finish(gross=True)

    def _read_first(self, line: str) -> None:
        found = _FIRST.match(line)
        if found is None:
            raise Unreadable(f"{line[:60]!r} is not the first line of a hand")
        kind, self.number, title, stakes, time = found.groups()
        self.game = find_title_game(title)
        blinds = [read_chips(amount) for amount in stakes.split("/")]
        self.small_blind, self.big_blind = blinds[-2], blinds[-1]  # an ante comes before them
        self.time = read_time(time)
        if kind.startswith("Tournament"):
            self.tournament = kind[len("Tournament ") :].partition(" buyIn")[0].strip('"')
        else:
            self.currency = currency_of(stakes)

    def _read_street(self, line: str) -> bool:
        words = line.strip("* ").partition(" ***")[0]
        if words in {"FLOP", "TURN", "RIVER"}:
            self.street(read_cards(line[line.index("[") :]))
        return words == "SUMMARY"

    def _act(self, place: int, rest: str) -> None:
        words = rest.removesuffix(" and is all-in")
        verb, _, more = words.partition(" ")
        if verb == "folds" and not more:
            self.fold(place)
        elif verb == "checks" and not more:
            self.check(place)
        elif verb in {"calls", "bets"}:
            self.put(place, read_chips(more))
        elif verb == "raises" and " to " in more:
            self.raise_to(place, read_chips(more.partition(" to ")[2]))
        elif verb == "posts":
            self._post(place, more)
        elif verb == "shows" and "]" in more:
            self.show(place, read_cards(more[more.index("[") : more.index("]")]))
        elif verb == "collected" and (found := _COLLECTED.match(more)):
            self.collect(place, read_chips(found.group(1)))

    def _post(self, place: int, more: str) -> None:
        words = more.removesuffix(" out of position")
        amount = read_chips(words.rpartition(" ")[2])
        if words.startswith("ante"):
            self.ante(place, amount)
        elif words.startswith("small") and words != more:
            self.post_dead(place, amount)
        elif words.startswith("small"):
            self.post_small(place, amount)
        else:
            self.post_big(place, amount)

    def _read_summary(self, line: str) -> None:
        if line.startswith("Total pot"):
            found = _FEES.search(line)
            self.fees = read_chips(found.group(1)) if found else 0
        elif line.startswith("Seat ") and (opening := line.rfind("[")) >= 0:
            number = int(line[5 : line.index(":")])
            if number in self.seat_numbers:
                place = self.seat_numbers.index(number)
                self.show(place, read_cards(line[opening : line.index("]", opening)]))
