"""What a hand's lines add up to: bets by street, who folded, the pots and what was taken from them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.histories.chips import chips_text
from gpuodds.histories.hand import BLIND, DEAD, FOLD, PUT, Apart, Hand, Move
from gpuodds.histories.positions import name_positions
from gpuodds.histories.reading.notation import Unreadable, read_cards

UNEVEN = "the chips do not add up"


class Recorder:
    """A hand that is being read: a call for each line, then :meth:`finish`."""

    def __init__(self, site: str, file: str, line: int) -> None:
        self.site, self.file, self.line = site, file, line
        self.number = self.table = self.tournament = self.currency = ""
        self.game: Game = HOLDEM
        self.time: datetime | None = None
        self.small_blind = self.big_blind = self.added = 0
        self.button = -1  # a seat
        self.seats: dict[str, int] = {}  # by name: the place in these lists, in the order of the seats
        self.seat_numbers: list[int] = []
        self.stacks: list[int] = []
        self.live: list[int] = []
        self.street_bets: list[int] = []  # of live, on this street
        self.antes: list[int] = []
        self.dead: list[int] = []
        self.acted: list[bool] = []
        self.folded: list[bool] = []
        self.cards: list[tuple[int, ...] | None] = []
        self.put_at: list[int] = []  # cards on the board when they last put in chips
        self.small_poster = self.big_poster = -1
        self.boards: dict[int, tuple[int, ...]] = {}
        self.on_board = self.seen = 0
        self.collected: list[int] = []
        self.not_awarded: dict[int, int] = {}  # by place: what the cards won, where it was cashed out
        self.apart: list[Apart] = []
        self.returned = False
        self.moves: list[Move] | None = None  # places are those of these lists
        self.total: int | None = None
        self.fees: int | None = None

    def seat(self, number: int, name: str, stack: int) -> None:
        """Add a player."""
        if name in self.seats:
            raise Unreadable(f"two players are called {name!r}")
        self.seats[name] = len(self.seats)
        self.seat_numbers.append(number)
        self.stacks.append(stack)
        for amounts in (self.live, self.street_bets, self.antes, self.dead, self.collected):
            amounts.append(0)
        self.acted.append(False)
        self.folded.append(False)
        self.put_at.append(0)
        self.cards.append(None)

    def post(self, place: int, amount: int) -> None:
        """Put in a blind or a straddle."""
        self._note(place, amount, BLIND)
        self._bet(place, amount)

    def _note(self, place: int, amount: int, what: int) -> None:
        """Keep a move if moves are asked for."""
        if self.moves is not None:
            self.moves.append(Move(place, self.on_board, amount, what))

    def _bet(self, place: int, amount: int) -> None:
        """Put in what counts as a bet."""
        self.acted[place] = True
        self.live[place] += amount
        self.street_bets[place] += amount
        self.put_at[place] = self.on_board

    def post_small(self, place: int, amount: int) -> None:
        """Put in the small blind; a second player's is dead, since he missed it."""
        if self.small_poster < 0:
            self.small_poster = place
            self.post(place, amount)
        else:
            self.post_dead(place, amount)

    def post_dead(self, place: int, amount: int) -> None:
        """Put in a blind that was missed: it is in the main pot, and does not count as a bet."""
        self.acted[place] = True
        self.dead[place] += amount
        self._note(place, amount, DEAD)

    def post_big(self, place: int, amount: int) -> None:
        """Put in the big blind, or as much as it to be dealt in."""
        if self.big_poster < 0:
            self.big_poster = place
        self.post(place, amount)

    def post_both(self, place: int, amount: int) -> None:
        """Put in a missed small blind, which is dead, with a big blind, which is live."""
        live = min(amount, self.big_blind)
        self.dead[place] += amount - live
        self._note(place, amount - live, DEAD)
        self.post(place, live)

    def ante(self, place: int, amount: int) -> None:
        """Put in an ante."""
        self.acted[place] = True
        self.antes[place] += amount
        self._note(place, amount, DEAD)

    def fold(self, place: int) -> None:
        """Give up the hand."""
        self._note(place, 0, FOLD)
        self.acted[place] = self.folded[place] = True
        self.seen = self.on_board

    def check(self, place: int) -> None:
        """Put in nothing."""
        self._note(place, 0, PUT)
        self.acted[place] = True
        self.seen = self.on_board

    def put(self, place: int, amount: int) -> None:
        """Call or bet: put in an amount more."""
        self._note(place, amount, PUT)
        self._bet(place, amount)
        self.seen = self.on_board

    def raise_to(self, place: int, amount: int) -> None:
        """Raise to an amount on this street."""
        self.put(place, amount - self.street_bets[place])

    def street(self, cards: tuple[int, ...], board: int = 0) -> None:
        """Deal cards to a board, which has these cards now."""
        if len(cards) not in (3, 4, 5):
            raise Unreadable(f"a board of {len(cards)} cards")
        if not self.boards or (board == 0 and len(cards) > self.on_board):
            self.street_bets = [0] * len(self.street_bets)
        self.boards[board] = cards
        self.on_board = max(self.on_board, len(cards))

    def give_back(self, place: int, amount: int) -> None:
        """Return a bet that no one called."""
        self.live[place] -= amount
        self.returned = True

    def collect(self, place: int, amount: int) -> None:
        """Take an amount from a pot."""
        self.collected[place] += amount

    def show(self, place: int, cards: tuple[int, ...]) -> None:
        """Note a player's hole cards; fewer than the game has tell nothing that is counted."""
        if len(cards) == self.game.hole_cards:
            self.cards[place] = cards

    def read_dealt(self, line: str) -> None:
        """Read the line of a player's hole cards: ``Dealt to NAME [CARDS]``."""
        name, bracket, cards = line.removeprefix("Dealt to ").rpartition(" [")
        if bracket and name in self.seats:
            self.acted[self.seats[name]] = True
            self.show(self.seats[name], read_cards(cards))

    def aside(self, what: str, place: int, amount: int) -> None:
        """Note what changes hands outside the pots."""
        self.apart.append(Apart(what, next(n for n, at in self.seats.items() if at == place), amount))

    def finish(self, *, gross: bool = False) -> Hand:
        """Return the hand.

        Args:
            gross: Whether the site counts a bet that no one called as won.

        Raises:
            Unreadable: The hand ends early, or its chips do not add up.
        """
        for place, amount in self.not_awarded.items():
            if not self.collected[place]:
                self.collected[place] = amount
        if not self.seats:
            raise Unreadable("no player has a seat")
        if not any(self.collected):
            raise Unreadable("the hand ends before a pot is won")
        self._settle(gross)
        places = self._order()
        if self.acted.count(True) < 2:
            raise Unreadable("fewer than two players are dealt in")
        contest = [place for place in places if not self.folded[place]]
        if not contest:
            raise Unreadable("all players fold")
        self._check_cards(places)

        def ordered(values: Sequence[object]) -> list:  # type: ignore[type-arg]
            return [values[place] for place in places]

        names = list(self.seats)
        live, dead = self._antes()
        return Hand(
            site=self.site,
            number=self.number,
            file=self.file,
            line=self.line,
            game=self.game,
            time=self.time,
            table=self.table,
            tournament=self.tournament,
            currency=self.currency,
            small_blind=self.small_blind,
            big_blind=self.big_blind,
            names=ordered(names),
            stacks=ordered(self.stacks),
            positions=name_positions(
                len(places),
                _index(places, self.small_poster),
                _index(places, self.big_poster),
            ),
            live=ordered(live),
            dead=ordered(dead),
            folded=ordered(self.folded),
            cards=ordered(self.cards),
            boards=[self.boards[board] for board in sorted(self.boards)],
            seen=self.seen,
            put_at=ordered(self.put_at),
            collected=ordered(self.collected),
            added=self.added,
            apart=self.apart,
            moves=self._ordered_moves(places),
        )

    def _ordered_moves(self, places: Sequence[int]) -> list[Move] | None:
        """Return the moves, with the places of the hand."""
        if self.moves is None:
            return None
        place_of = {place: at for at, place in enumerate(places)}
        return [
            move._replace(place=place_of[move.place]) for move in self.moves if move.place in place_of
        ]

    def _order(self) -> list[int]:
        """Return the places of those who were dealt in, from the first after the button."""
        dealt = [place for place, here in enumerate(self.acted) if here]
        after = [place for place in dealt if self.seat_numbers[place] > self.button]
        return after + [place for place in dealt if self.seat_numbers[place] <= self.button]

    def _antes(self) -> tuple[list[int], list[int]]:
        """Return live and dead chips, antes among them.

        If all post one, an all-in player contests as much of each as he has put in himself. An ante
        that one posts for the table is dead.
        """
        if sum(1 for ante in self.antes if ante) > 1:
            live = [bet + ante for bet, ante in zip(self.live, self.antes, strict=True)]
            return live, self.dead
        return self.live, [a + b for a, b in zip(self.dead, self.antes, strict=True)]

    def _settle(self, gross: bool) -> None:
        """Return the bet that no one called, and see that the chips add up."""
        top = max(range(len(self.live)), key=self.live.__getitem__)
        others = [bet for place, bet in enumerate(self.live) if place != top]
        excess = self.live[top] - max(others, default=0)
        taken = sum(self.collected)
        put = sum(self.live) + sum(self.dead) + sum(self.antes) + self.added
        if excess > 0 and not self.returned:
            if self.fees is not None and gross:
                if put == taken + self.fees:
                    self.collected[top] -= excess
            elif taken > put - excess:  # it is counted as won
                self.collected[top] -= excess
            self.live[top] -= excess
            put -= excess
            taken = sum(self.collected)
        if self.total is not None and self.total != put:
            pot = chips_text(self.total)
            raise Unreadable(f"{UNEVEN}: {chips_text(put)} were put in, the pot is {pot}")
        if self.fees is not None and put != taken + self.fees:
            won, rake = chips_text(taken), chips_text(self.fees)
            raise Unreadable(
                f"{UNEVEN}: {chips_text(put)} were put in, {won} were won and {rake} were taken as rake"
            )
        if taken > put or min(self.collected) < 0:
            raise Unreadable(f"{UNEVEN}: {chips_text(put)} were put in, {chips_text(taken)} were won")
        for name, place in self.seats.items():
            bet = self.live[place] + self.dead[place] + self.antes[place]
            if bet > self.stacks[place]:
                stack = chips_text(self.stacks[place])
                raise Unreadable(f"{UNEVEN}: {name} has {stack} and puts in {chips_text(bet)}")

    def _check_cards(self, places: Sequence[int]) -> None:
        """See that no card is twice in the hand."""
        held = [card for place in places for card in self.cards[place] or ()]
        dealt = list(self.boards.get(0, ()))
        for board, cards in self.boards.items():
            if board:
                dealt += [card for card in cards if card not in dealt]
        if len(set(held + dealt)) < len(held) + len(dealt):
            raise Unreadable("a card is dealt twice")
        lengths = {len(cards) for cards in self.boards.values()}
        if len(lengths) > 1:
            raise Unreadable("the boards have different numbers of cards")


def _index(places: Sequence[int], place: int) -> int:
    return places.index(place) if place in places else -1
