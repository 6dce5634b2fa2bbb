"""Hands of PokerStars and GGPoker, which print them alike."""

from __future__ import annotations

import re

from gpuodds.histories.chips import read_chips
from gpuodds.histories.hand import Hand
from gpuodds.histories.reading.notation import Unreadable, named_first, read_cards
from gpuodds.histories.reading.recorder import Recorder
from gpuodds.histories.reading.titles import find_title_game, read_time

HEADER = r"(?:PokerStars[^\n#]{0,40} (?:Hand|Game)|Poker Hand) #"
"""How a hand begins."""

_FIRST = re.compile(r"(PokerStars|Poker)[^#]*#([\w-]+):\s*(.*)")
_TOURNAMENT = re.compile(r"Tournament #([\w-]+),\s*(.*)")
_STAKES = re.compile(r"\(([^()/]*\d)(?:/([^()/\s]*\d)[^\s()-]*)?([^()]*)\)")
_TABLE = re.compile(r"Table '(.*?)'(?:.*? Seat #(\d+) is the button)?")
_SEAT = re.compile(r"Seat (\d+): (.*) \(\D{0,3}([\d.,]+)\D{0,4} in chips(?:,[^()]*)?\).*")
_CAP = re.compile(r"(\S*\d) Cap")
_UNCALLED = re.compile(r"Uncalled bet \((.*?)\) returned to (.*)")
_COLLECTED = re.compile(r"(\S+) from (?:the )?(?:main |side )?pot")
_CASHED = re.compile(r"\S+ for (\S+)")
_NOT_AWARDED = re.compile(r"won \((\S+?)\)")
_BOARD_NUMBERS = {"FIRST": 0, "SECOND": 1, "THIRD": 2}
_POT = re.compile(r"Total pot (\S+)")
_FEES = re.compile(r"(?:Rake|Jackpot|Bingo|Fortune|Tax)\s+(\S*\d)")
_BOUNTY = re.compile(r"(\S*\d) (?:bounty )?for eliminating (.*)")


def read_stars(text: str, file: str, line: int, moves: bool = False) -> Hand:
    """Return the hand in a text.

    Args:
        text: The lines of one hand.
        file: The file that they are from.
        line: The line in it where they begin.
        moves: Whether to keep the moves.

    Raises:
        Unreadable: It cannot be read.
    """
    reader = _StarsReader(file, line)
    reader.moves = [] if moves else None
    return reader.read(text)


class _StarsReader(Recorder):
    def __init__(self, file: str, line: int) -> None:
        super().__init__("PokerStars", file, line)
        self.cancelled = False

    def read(self, text: str) -> Hand:
        lines = text.splitlines()
        self._read_first(lines[0])
        names = self.seats
        summary = False
        for line in lines[1:]:
            if line.endswith(" "):
                line = line.rstrip()
            if not line:
                continue
            head, mark, rest = line.partition(": ")
            if mark and head in names and not summary and self._act(names[head], rest):
                continue
            if line.startswith("*** "):
                summary = self._read_street(line)
            elif summary:
                self._read_summary(line)
            elif line.startswith("Seat ") and not self.on_board and self._read_seat(line):
                pass
            elif line.startswith("Dealt to "):
                self.read_dealt(line)
            elif line.startswith("Table "):
                self._read_table(line)
            else:
                self._read_other(line)
        if self.cancelled:
            raise Unreadable("the hand was cancelled")
        return self.finish()

    def _read_first(self, line: str) -> None:
        found = _FIRST.match(line)
        if found is None:
            raise Unreadable(f"{line[:60]!r} is not the first line of a hand")
        site, self.number, title = found.groups()
        self.site = "PokerStars" if site == "PokerStars" else "GGPoker"
        tournament = _TOURNAMENT.match(title)
        if tournament:
            self.tournament, title = tournament.groups()
        stakes = _STAKES.search(title)
        if stakes is None:
            raise Unreadable(f"no stakes in {title[:60]!r}")
        self.game = find_title_game(title[: stakes.start()])
        small, big, more = stakes.groups()
        self.small_blind = read_chips(small)
        self.big_blind = read_chips(big or small)
        if not self.tournament:
            self.currency = small.strip("0123456789., ")
        cap = _CAP.search(more)
        self.cap = read_chips(cap.group(1)) if cap else 0
        self.time = read_time(title[stakes.end() :])

    def _read_table(self, line: str) -> None:
        found = _TABLE.match(line)
        if found:
            self.table = found.group(1)
            self.button = int(found.group(2) or -1)

    def _read_seat(self, line: str) -> bool:
        found = _SEAT.match(line)
        if found is None:
            return False
        number, name, stack = found.groups()
        chips = read_chips(stack)
        self.seat(int(number), name, min(chips, self.cap) if self.cap else chips)
        return True

    def _act(self, place: int, rest: str) -> bool:
        """Read what follows a player's name; whether it was understood."""
        verb, _, more = rest.partition(" ")
        if verb == "folds":
            self.fold(place)
            if "[" in more:
                self.show(place, read_cards(more[more.index("[") :]))
        elif verb == "checks":
            self.check(place)
        elif verb in {"calls", "bets"}:
            self.put(place, read_chips(more.partition(" ")[0]))
        elif verb == "raises":
            _, to, amount = more.partition(" to ")
            if not to:
                return False
            self.raise_to(place, read_chips(amount.partition(" ")[0]))
        elif verb in {"posts", "straddle", "post"}:
            self._post(place, rest)
        elif verb == "shows":
            opening, closing = more.find("["), more.find("]")
            if opening < 0 or closing < 0:
                return False
            self.show(place, read_cards(more[opening:closing]))
        elif verb == "mucks":
            pass
        elif rest.startswith("pay premium") or rest.startswith("Pays Cashout"):
            what = "insurance" if verb == "pay" else "cash-out"
            self.aside(what, place, -read_chips(rest[rest.index("(") :]))
        elif rest.startswith("Receives Cashout") or rest.startswith("receive compensation"):
            what = "cash-out" if verb == "Receives" else "insurance"
            self.aside(what, place, read_chips(rest[rest.index("(") :]))
        else:
            return verb in {"doesn't", "sits", "is", "Chooses", "get"}
        return True

    def _post(self, place: int, rest: str) -> None:
        words = rest.removesuffix(" and is all-in")
        amount = read_chips(words.rpartition(" ")[2])
        if " ante" in words:
            self.ante(place, amount)
        elif "small & big" in words:
            self.post_both(place, amount)
        elif "small blind" in words:
            self.post_small(place, amount)
        elif "big blind" in words:
            self.post_big(place, amount)
        elif "dead" in words or "missed" in words:
            self.post_dead(place, amount)
        elif "straddle" in words:
            self.post(place, amount - self.street_bets[place])  # each one says how much it is in all
        else:
            self.post(place, amount)

    def _read_street(self, line: str) -> bool:
        """Read a line in asterisks; whether the summary follows."""
        words = line.strip("* ").partition(" ***")[0]
        if words == "SUMMARY":
            return True
        first, _, street = words.rpartition(" ")
        if street in {"FLOP", "TURN", "RIVER"}:
            self.street(read_cards(line[line.index("[") :]), _BOARD_NUMBERS.get(first, 0))
        return False

    def _read_other(self, line: str) -> None:
        if line.startswith("Uncalled bet ("):
            found = _UNCALLED.match(line)
            if found and found.group(2) in self.seats:
                self.give_back(self.seats[found.group(2)], read_chips(found.group(1)))
            return
        if line.startswith(("Cash Drop to Pot", "STP added")):
            self.added += read_chips(line.rpartition(" ")[2])
            return
        if line.startswith("Hand cancelled"):
            self.cancelled = True
            return
        if " collected " in line:
            named = named_first(line, self.seats, " collected ")
            if named:
                found = _COLLECTED.match(named[1])
                if found:
                    self.collect(named[0], read_chips(found.group(1)))
        elif " cashed out " in line:
            named = named_first(line, self.seats, " cashed out ")
            if named and (cashed := _CASHED.search(named[1])):
                self.aside("cash-out", named[0], read_chips(cashed.group(1)))
        elif " for eliminating " in line:
            named = named_first(line, self.seats, " wins ")
            if named and (bounty := _BOUNTY.search(named[1])):
                self.aside("bounty", named[0], read_chips(bounty.group(1)))
        elif ": " in line:
            named = named_first(line, self.seats, ": ")
            if named:
                self._act(*named)

    def _read_summary(self, line: str) -> None:
        if line.startswith("Total pot "):
            self.total = read_chips(_POT.match(line).group(1))  # type: ignore[union-attr]
            fees = _FEES.findall(line)
            self.fees = sum(map(read_chips, fees)) if fees else None
        elif line.startswith("Seat "):
            opening = line.rfind("[")
            if opening < 0:
                return
            number = int(line[5 : line.index(":")])
            if number not in self.seat_numbers:
                return
            place = self.seat_numbers.index(number)
            closing = line.index("]", opening)
            if self.cards[place] is None:
                self.show(place, read_cards(line[opening:closing]))
            if "not awarded" in line:
                self.not_awarded[place] = sum(map(read_chips, _NOT_AWARDED.findall(line)))
        elif line.startswith("Hand cancelled"):
            self.cancelled = True
