"""Hands that are drawn at random, with all-ins on every street, written as sites write them.

Independent of gpuodds: who wins is told by pokerkit's hands, pots are peeled from the bets.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
STREETS = ((0, "PREFLOP"), (3, "FLOP"), (4, "TURN"), (5, "RIVER"))


@dataclass
class Dealt:
    """A hand that was played: places are in order from the small blind; heads-up the button is last."""

    stacks: list[int]
    cards: list[list[str]]
    board: list[str]
    ante: int
    blinds: tuple[int, int]
    events: list[tuple[Any, ...]] = field(
        default_factory=list
    )  # ("f", p), ("cc", p, more), ("cbr", p, by, to), ("board", n)
    live: list[int] = field(default_factory=list)
    antes: list[int] = field(default_factory=list)
    folded: list[bool] = field(default_factory=list)
    returned: tuple[int, int] = (0, 0)
    seen: int = 0
    dealt: int = 0  # cards of the board
    by_pot: list[tuple[int, list[int], list[int]]] = field(default_factory=list)  # size, players, won

    @property
    def players(self) -> int:
        return len(self.stacks)

    @property
    def put(self) -> list[int]:
        return [bet + ante for bet, ante in zip(self.live, self.antes, strict=True)]

    @property
    def won(self) -> list[int]:
        return [sum(won[place] for _, _, won in self.by_pot) for place in range(self.players)]

    @property
    def results(self) -> list[int]:
        return [got - put for got, put in zip(self.won, self.put, strict=True)]


def deal(
    draw: random.Random,
    *,
    players: int | None = None,
    hole_cards: int = 2,
    deck: Sequence[str] = tuple(DECK),
    wild: float = 0.35,
    tight: float = 0.25,
    shove: float = 0.33,
    deep: bool = False,
    rank: object = None,
) -> Dealt:
    """Play a hand: stacks, antes, cards and moves are drawn; all amounts are whole chips."""
    count = players or draw.randint(2, 9)
    short = [draw.randint(4, 30) if not deep else 200 for _ in range(count)]
    stacks = [draw.choice([low, draw.randint(20, 400), 200]) for low in short]
    cards = draw.sample(list(deck), count * hole_cards + 5)
    hand = Dealt(
        stacks,
        [cards[place * hole_cards : (place + 1) * hole_cards] for place in range(count)],
        cards[count * hole_cards :],
        draw.choice([0, 0, 1, 3]),
        (1, 2),
    )
    hand.antes = [min(hand.ante, stack) for stack in stacks]
    hand.live, hand.folded = [0] * count, [False] * count
    small, big = (1, 0) if count == 2 else (0, 1)
    bets = [0] * count
    for place, blind in ((small, 1), (big, 2)):
        bets[place] = min(blind, stacks[place] - hand.antes[place])
    hand.live = list(bets)
    first = (big + 1) % count
    for dealt, _ in STREETS:
        if dealt:
            if hand.folded.count(False) < 2:
                break
            hand.dealt = dealt
            hand.events.append(("board", dealt))
            bets, first = [0] * count, 0
        _bet(hand, draw, bets, first, dealt, wild, tight, shove)
    _return_uncalled(hand)
    _award(hand, rank or pokerkit_rank)
    return hand


def _left(hand: Dealt, place: int) -> int:
    return hand.stacks[place] - hand.live[place] - hand.antes[place]


def _bet(
    hand: Dealt,
    draw: random.Random,
    bets: list[int],
    first: int,
    dealt: int,
    wild: float,
    tight: float,
    shove: float,
) -> None:
    count, step = hand.players, 2
    waiting = [(first + turn) % count for turn in range(count)]
    while waiting:
        place = waiting.pop(0)
        able = [p for p in range(count) if not hand.folded[p] and _left(hand, p)]
        top = max(bets)
        if hand.folded[place] or not _left(hand, place):
            continue
        if hand.folded.count(False) < 2 or (able == [place] and bets[place] >= top):
            continue
        hand.seen = dealt
        owed, left = top - bets[place], _left(hand, place)
        move = draw.random()
        if owed and move < tight:
            hand.folded[place] = True
            hand.events.append(("f", place))
            continue
        least = min(top + step, bets[place] + left)
        if move < tight + wild and left > owed and len(able) > 1:
            most = bets[place] + left
            some = draw.choice([least, draw.randint(least, min(most, 3 * least))])
            to = most if draw.random() < shove else some
            step = max(step, to - top)
            hand.events.append(("cbr", place, to - top, to))
            _put(hand, bets, place, to - bets[place])
            waiting = [p for turn in range(1, count) if not hand.folded[p := (place + turn) % count]]
        else:
            more = min(owed, left)
            hand.events.append(("cc", place, more))
            _put(hand, bets, place, more)


def _put(hand: Dealt, bets: list[int], place: int, more: int) -> None:
    bets[place] += more
    hand.live[place] += more


def _return_uncalled(hand: Dealt) -> None:
    top, second = sorted(hand.live)[-1], sorted(hand.live)[-2]
    if top > second:
        place = hand.live.index(top)
        hand.live[place] = second
        hand.returned = (place, top - second)


def pots_of(hand: Dealt) -> list[tuple[int, list[int]]]:
    """Return the pots, peeled off by the least bet of who contests the rest."""
    rest = list(hand.live)
    dead = sum(hand.antes)
    pots = []
    contest = [place for place in range(hand.players) if not hand.folded[place]]
    if any(hand.live[place] == 0 for place in contest) and dead:
        pots.append((dead, list(contest)))
        dead = 0
    contest = [place for place in contest if rest[place]]
    while contest:
        level = min(rest[place] for place in contest)
        size = dead + sum(min(bet, level) for bet in rest)
        rest = [bet - min(bet, level) for bet in rest]
        dead = 0
        pots.append((size, list(contest)))
        contest = [place for place in contest if rest[place]]
    if sum(rest):
        size, players = pots[-1]
        pots[-1] = (size + sum(rest), players)
    return pots


def _award(hand: Dealt, rank: object) -> None:
    for size, players in pots_of(hand):
        won = [0] * hand.players
        winners = players
        if len(players) > 1:
            ranks = {p: rank(hand.cards[p], hand.board) for p in players}  # type: ignore[operator]
            best = max(ranks.values())
            winners = [p for p in players if ranks[p] == best]
        for place in winners:
            won[place] = size // len(winners)
        won[winners[0]] += size % len(winners)
        hand.by_pot.append((size, players, won))


def pokerkit_rank(hole: Sequence[str], board: Sequence[str]) -> object:
    """Return a hand of pokerkit, which compares with others."""
    from pokerkit import StandardHighHand

    return StandardHighHand.from_game("".join(hole), "".join(board))


def to_phh(
    hand: Dealt,
    *,
    variant: str = "NT",
    names: Sequence[str] = (),
    number: int = 0,
    hidden: Sequence[int] = (),
) -> str:
    """Return the hand as a document of PHH, without what was won; hidden hands are not shown."""
    places = range(hand.players)
    actions = [
        f"d dh p{p + 1} {'??' * len(hand.cards[p]) if p in hidden else ''.join(hand.cards[p])}"
        for p in places
    ]
    down = 0
    for event in hand.events:
        if event[0] == "board":
            actions.append(f"d db {''.join(hand.board[down : event[1]])}")
            down = event[1]
        elif event[0] == "cbr":
            actions.append(f"p{event[1] + 1} cbr {event[3]}")
        else:
            actions.append(f"p{event[1] + 1} {event[0]}")
    blinds = [0] * hand.players
    blinds[0], blinds[1] = hand.blinds
    lines = [
        f"variant = '{variant}'",
        "ante_trimming_status = false",
        f"antes = {[hand.ante] * hand.players}",
        f"blinds_or_straddles = {blinds}",
        "min_bet = 2",
        f"starting_stacks = {hand.stacks}",
        f"actions = {actions}",
    ]
    if names:
        lines.append(f"players = {list(names)}")
    if number:
        lines.append(f"hand = {number}")
    return "\n".join(lines) + "\n"


def to_stars(
    hand: Dealt,
    *,
    number: int,
    names: Sequence[str],
    title: str = "Hold'em No Limit",
    hero: int | None = None,
    mucked: Sequence[int] = (),
) -> str:
    """Return the hand as PokerStars prints it, in play money."""
    count = hand.players
    small, big = (1, 0) if count == 2 else (0, 1)
    button = count - 1
    out = [
        f"PokerStars Hand #{number}:  {title} (1/2) - 2024/03/01 20:15:{number % 60:02} ET",
        f"Table 'Test' 9-max (Play Money) Seat #{button + 1} is the button",
    ]
    out += [f"Seat {p + 1}: {names[p]} ({hand.stacks[p]} in chips)" for p in range(count)]
    left = list(hand.stacks)

    def put(place: int, amount: int) -> str:
        left[place] -= amount
        return "" if left[place] else " and is all-in"

    for place in range(count):
        if hand.antes[place]:
            out.append(
                f"{names[place]}: posts the ante {hand.antes[place]}{put(place, hand.antes[place])}"
            )
    for place, blind, kind in ((small, 1, "small"), (big, 2, "big")):
        paid = min(blind, left[place])
        if paid:
            out.append(f"{names[place]}: posts {kind} blind {paid}{put(place, paid)}")
    out.append("*** HOLE CARDS ***")
    if hero is not None:
        out.append(f"Dealt to {names[hero]} [{' '.join(hand.cards[hero])}]")
    bets = [min(b, hand.stacks[p] - hand.antes[p]) for p, b in enumerate(_blinds(count))]
    for event in hand.events:
        if event[0] == "board":
            out.append(_street(hand.board, event[1]))
            bets = [0] * count
            continue
        place = event[1]
        if event[0] == "f":
            out.append(f"{names[place]}: folds")
        elif event[0] == "cc":
            more = event[2]
            bets[place] += more
            verb = f"calls {more}{put(place, more)}" if more else "checks"
            out.append(f"{names[place]}: {verb}")
        else:
            by, to = event[2], event[3]
            end = put(place, to - bets[place])
            verb = f"raises {by} to {to}" if max(bets) else f"bets {to}"
            bets[place] = to
            out.append(f"{names[place]}: {verb}{end}")
    if hand.returned[1]:
        out.append(f"Uncalled bet ({hand.returned[1]}) returned to {names[hand.returned[0]]}")
    contest = [place for place in range(count) if not hand.folded[place]]
    if len(contest) > 1:
        out.append("*** SHOW DOWN ***")
        out += [
            f"{names[p]}: mucks hand"
            if p in mucked
            else f"{names[p]}: shows [{' '.join(hand.cards[p])}] (a hand)"
            for p in contest
        ]
    for number_, (_, _, won) in reversed(list(enumerate(hand.by_pot))):
        kind = "pot" if len(hand.by_pot) == 1 else "main pot" if not number_ else f"side pot-{number_}"
        out += [f"{names[p]} collected {got} from {kind}" for p, got in enumerate(won) if got]
    sizes = [size for size, _, _ in hand.by_pot]
    parts = (
        ""
        if len(sizes) < 2
        else f" Main pot {sizes[0]}."
        + "".join(f" Side pot-{at} {size}." for at, size in enumerate(sizes[1:], 1))
    )
    out += ["*** SUMMARY ***", f"Total pot {sum(sizes)}{parts} | Rake 0"]
    if hand.dealt:
        out.append(f"Board [{' '.join(hand.board[: hand.dealt])}]")
    return "\n".join(out) + "\n\n\n"


def _blinds(count: int) -> list[int]:
    return [2, 1] if count == 2 else [1, 2, *[0] * (count - 2)]


def _street(board: Sequence[str], dealt: int) -> str:
    name = dict((n, s) for n, s in STREETS)[dealt]
    if dealt == 3:
        return f"*** {name} *** [{' '.join(board[:3])}]"
    return f"*** {name} *** [{' '.join(board[: dealt - 1])}] [{board[dealt - 1]}]"


def expected(hand: Dealt, rank: object) -> list[Fraction] | None:
    """Return what each player could expect at an all-in, by dealing all boards; None without one."""
    from itertools import combinations

    contest = [place for place in range(hand.players) if not hand.folded[place]]
    if len(contest) < 2 or hand.seen == 5:
        return None
    if sum(1 for place in contest if hand.stacks[place] > hand.put[place]) > 1:
        return None
    known = {card for place in contest for card in hand.cards[place]} | set(hand.board[: hand.seen])
    deck = [card for card in DECK if card not in known]
    totals = [Fraction(-put) for put in hand.put]
    boards = list(combinations(deck, 5 - hand.seen))
    for more in boards:
        board = [*hand.board[: hand.seen], *more]
        ranks = {p: rank(hand.cards[p], board) for p in contest}  # type: ignore[operator]
        for size, players in pots_of(hand):
            best = max(ranks[p] for p in players)
            winners = [p for p in players if ranks[p] == best]
            for place in winners:
                totals[place] += Fraction(size, len(winners) * len(boards))
    return totals
