"""``gpuodds play table``: a table at the terminal, with a person and bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuodds.cli.interrupt import end_match
from gpuodds.cli.output import read_number, read_seed, show_notes
from gpuodds.cli.play.options import Blinds, Depth, Server, Stack, connect, read_rules, with_depth
from gpuodds.cli.play.person import Left, Person
from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from gpuodds.play.equities import Equities
    from gpuodds.play.failure import Failure
    from gpuodds.play.game import Player
    from gpuodds.play.turns import Rules

ME = "me"

Seat = Annotated[
    str,
    typer.Option(metavar="LIST", help="The players in order, me and bots: me,pokerbot,bot.py:PotOdds."),
]
Hints = Annotated[bool, typer.Option("--hints", help="Show pot odds, exact equity and Kelly's advice.")]
Bankroll = Annotated[
    str | None,
    typer.Option(metavar="CHIPS", help="All chips that you own, for hints. Default: 20 stacks."),
]
Hands = Annotated[str | None, typer.Option(metavar="N", help="End after this many hands.")]
Seed = Annotated[str | None, typer.Option(metavar="N", help="Seed, to repeat the same cards.")]
History = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the hands as .phhs at the end.")
]


def table(
    seat: Seat = "me,pokerbot",
    hints: Hints = False,
    bankroll: Bankroll = None,
    hands: Hands = None,
    seed: Seed = None,
    blinds: Blinds = "50/100",
    stack: Stack = "10000",
    history: History = None,
    server: Server = None,
    depth: Depth = None,
) -> None:
    """Sit down with bots at the terminal.

    Examples:
      gpuodds play table --hints
      gpuodds play table --seat me,pokerbot,tight --stack 5000 --seed 1
    """
    from gpuodds.play.history import write_histories

    show_notes()
    names = with_depth([name.strip() for name in seat.split(",")], depth)
    max_hands = None if hands is None else read_number("--hands", hands)
    if max_hands is not None and max_hands < 1:
        raise InputError(f"--hands {max_hands}: expected 1 or more")
    session = play_table(
        names,
        read_rules(len(names), blinds, stack),
        seed=None if seed is None else read_seed("--seed", seed),
        hints=hints,
        hands=max_hands,
        bankroll=None if bankroll is None else read_number("--bankroll", bankroll),
        equities=connect(server),
    )
    if history is not None:
        write_histories(history, session.histories)
    print(f"{len(session.histories):,} hands, {session.won:+,} chips")
    end_match(session.interrupted, session.failure)


@dataclass
class Session:
    """The hands that a person played at a table.

    Attributes:
        histories: A history per hand.
        won: The chips that the person won.
        interrupted: Whether Ctrl-C ended the session.
        failure: How the server of the equities or a bot failed, if one did.
    """

    histories: list[Any] = field(default_factory=list)
    won: int = 0
    interrupted: bool = False
    failure: Failure | None = None


def play_table(
    names: Sequence[str],
    rules: Rules,
    *,
    seed: int | None,
    hints: bool,
    hands: int | None,
    bankroll: int | None = None,
    equities: Equities | None = None,
) -> Session:
    """Let a person play bots until they leave or lose all chips.

    Args:
        names: The players in order, ``me`` once.
        rules: Blinds, and the stacks at the start.
        seed: All cards follow from it.
        hints: Whether to show hints.
        hands: End after this many hands.
        bankroll: All chips that the person owns, for hints. Default: 20 stacks.
        equities: Where bots and hints get their equities. Default: the engine of this process.

    Raises:
        InputError: There is not one person, a bot is unknown, or the bankroll is below the stack.
    """
    from gpuodds.play.bots.kelly import BUY_INS
    from gpuodds.play.failure import FAILURES

    owned = BUY_INS * rules.stack if bankroll is None else bankroll
    if owned < rules.stack:
        raise InputError(f"--bankroll {owned}: expected at least the stack, {rules.stack}")
    if list(names).count(ME) != 1:
        raise InputError(f"--seat {excerpt(','.join(names))}: expected {ME} once, and bots")
    person = Person(names, hints, owned - rules.stack, equities)
    seats = _Table(names, rules, person, seed, equities)
    session = Session()
    try:
        while hands is None or len(session.histories) < hands:
            if not seats.stacks[seats.mine]:
                print("you have no chips left")
                break
            session.histories.append(seats.play_hand())
    except Left:
        print("this hand is not counted")
    except KeyboardInterrupt:
        print("\nthis hand is not counted")
        session.interrupted = True
    except FAILURES as error:
        print("this hand is not counted")
        session.failure = error
    session.won = seats.stacks[seats.mine] - rules.stack
    return session


class _Table:
    """A person and bots, with stacks that carry over; a bot without chips buys in again."""

    def __init__(
        self,
        names: Sequence[str],
        rules: Rules,
        person: Person,
        seed: int | None,
        equities: Equities | None,
    ) -> None:
        from gpuodds.play.bots.names import find_bot

        self._names, self._rules, self._person = names, rules, person
        self._draw, self._hands = Random(seed), 0
        self._players: list[Player] = [
            person if name == ME else find_bot(name, equities)(Random(f"{seed} {place}"))
            for place, name in enumerate(names)
        ]
        self.mine = names.index(ME)
        self.stacks = [rules.stack] * len(names)

    def play_hand(self) -> Any:
        """Play the next hand, the button one place on; return its history."""
        from gpuodds.play.game import Deal, play_hand

        self.stacks = [stack or self._rules.stack for stack in self.stacks]
        seats = len(self._names)
        order = [(seat - self._hands) % seats for seat in range(seats)]
        self._person.sit([self._names[place] for place in order], self._hands + 1)
        result = play_hand(
            [self._players[place] for place in order],
            self._rules,
            Deal.drawn(seats, self._draw),
            stacks=[self.stacks[place] for place in order],
        )
        for place, won in zip(order, result.won, strict=True):
            self.stacks[place] += won
        self._hands += 1
        return result.history
