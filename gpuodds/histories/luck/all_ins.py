"""All-ins: from which card on luck alone decides a hand, and which spots tell how much of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

from gpuodds.cards import format_cards
from gpuodds.games.game import HOLDEM_FAMILY
from gpuodds.histories.chips import PARTS
from gpuodds.histories.hand import Hand
from gpuodds.histories.luck.entry import Amount, Entry, Luck, PotEntry, after_rake
from gpuodds.histories.pots import Pot, split_pots

UNKNOWN = "a hand is not known"
OTHERS_BET = "others could still bet"
OTHER_WINNERS = "the cards do not explain who was paid"
NO_BOARD = "the board is not complete"


@dataclass(frozen=True, slots=True)
class Options:
    """How hands that are not shown count.

    Example:
        >>> Options(unknown="22+,A2+").dead_folds
        False
    """

    unknown: str | None = None
    """The range of hands that were mucked at the showdown; None: such pots are not adjusted."""

    dead_folds: bool = False
    """Whether known cards of players who folded are out of the deck."""


@dataclass(slots=True)
class AllIn:
    """An all-in that is to be adjusted: its pots, and the stages of its boards."""

    hand: Hand
    pots: list[Pot]
    adjusted: list[bool]  # by pot
    stages: list[int]  # cards on the board at the last decision, and at each later street
    why: str

    def spots(self, options: Options) -> Iterator[dict[str, Any]]:
        """Yield the spots whose equities are needed: by pot, board and stage; the first stage once."""
        hand = self.hand
        contest = [place for place, gone in enumerate(hand.folded) if not gone]
        dead = [
            card
            for place, gone in enumerate(hand.folded)
            if gone and options.dead_folds
            for card in hand.cards[place] or ()
        ]
        for pot, adjusted in zip(self.pots, self.adjusted, strict=True):
            if not adjusted or len(pot.players) < 2:
                continue
            others = [place for place in contest if place not in pot.players]
            known = [card for place in others for card in hand.cards[place] or ()]
            spot: dict[str, Any] = {
                "hands": [_shown(hand, place, options) for place in pot.players],
                "game": hand.game.name,
            }
            if known or dead:
                spot["dead"] = format_cards((*known, *dead))
            if options.unknown is not None:
                folded = [options.unknown for place in others if hand.cards[place] is None]
                if folded:
                    spot["folded"] = folded
            for number, board in enumerate(hand.boards):
                for stage in self.counted_stages(pot):
                    if number == 0 or stage > self.stages[0]:
                        yield spot | {"board": format_cards(board[:stage])}

    def counted_stages(self, pot: Pot) -> list[int]:
        """Return the cards on the board at which equities of a pot are asked for.

        The last is the whole board, except where known hands are ranked here, which is quicker.
        """
        quick = self.hand.game.family == HOLDEM_FAMILY
        if quick and all(self.hand.cards[place] is not None for place in pot.players):
            return self.stages
        return [*self.stages, self.hand.game.board_cards]


def find_all_in(hand: Hand, options: Options) -> AllIn | str:
    """Return the all-in of a hand that is to be adjusted, or why not: ``""`` without an all-in."""
    if hand.folded.count(False) < 2:
        return ""
    contest = [place for place, gone in enumerate(hand.folded) if not gone]
    left = [hand.stacks[place] - hand.live[place] - hand.dead[place] for place in contest]
    if min(left) > 0:
        return ""
    if hand.seen >= hand.game.board_cards:  # luck alone decides nothing
        early = any(
            not chips and hand.put_at[place] < hand.seen
            for place, chips in zip(contest, left, strict=True)
        )
        return OTHERS_BET if early else ""
    if sum(1 for chips in left if chips > 0) > 1:
        return OTHERS_BET
    if not hand.boards or any(len(board) < hand.game.board_cards for board in hand.boards):
        return NO_BOARD
    pots = split_pots(hand.live, hand.dead, hand.folded, hand.added)
    adjusted = [
        options.unknown is not None or all(hand.cards[place] is not None for place in pot.players)
        for pot in pots
    ]
    if not any(done and len(pot.players) > 1 for done, pot in zip(adjusted, pots, strict=True)):
        return UNKNOWN
    stages = [hand.seen, *(cards for cards in (3, 4) if cards > hand.seen)]
    return AllIn(hand, pots, adjusted, stages, "" if all(adjusted) else UNKNOWN)


def _shown(hand: Hand, place: int, options: Options) -> str:
    cards = hand.cards[place]
    return str(options.unknown) if cards is None else format_cards(cards)


def settle_plain(hand: Hand, why: str) -> Entry:
    """Return the entry of a hand without an adjustment: what was expected is what came."""
    results = tuple(hand.results())
    pots: tuple[PotEntry, ...] = ()
    return Entry(hand, results, results, None, pots, why)


def settle(all_in: AllIn, shares: Sequence[Sequence[Fraction]]) -> Entry:
    """Return the entry of an all-in.

    Args:
        all_in: The all-in.
        shares: For each of its spots, in order, the players' shares of the pot.
    """
    hand = all_in.hand
    players, boards = len(hand.names), len(hand.boards)
    results = hand.results()
    sizes = after_rake(hand, all_in.pots)
    given = iter(shares)
    streets: list[list[Amount]] = [[0, 0, 0] for _ in range(players)]
    modelled: list[Amount] = [0] * players
    entries: list[PotEntry] = []
    for pot, adjusted, size in zip(all_in.pots, all_in.adjusted, sizes, strict=True):
        if len(pot.players) < 2:
            for place in pot.players:
                modelled[place] += size
            entries.append(PotEntry(size, pot.players, (Fraction(1),), (size,)))
            continue
        if not adjusted:
            entries.append(PotEntry(size, pot.players, None, None))
            continue
        stages = all_in.counted_stages(pot)
        first = next(given)
        part = size if boards == 1 else Fraction(size) / boards  # of the pot, that a board decides
        won: list[Amount] = [0] * len(pot.players)
        for board in hand.boards:
            some = [first, *islice(given, len(stages) - 1)]
            if stages[-1] < len(board):
                some.append(_shares(hand, pot, board))
            worth = [[share * part for share in shares] for shares in some]
            for street, (before, after) in enumerate(pairwise(worth), 4 - len(some)):
                for place, was, came in zip(pot.players, before, after, strict=True):
                    streets[place][street] += came - was
            won = [sofar + took for sofar, took in zip(won, worth[-1], strict=True)]
        for place, took in zip(pot.players, won, strict=True):
            modelled[place] += took
        entries.append(PotEntry(size, pot.players, tuple(first), tuple(won)))
    odd: list[Amount] = [0] * players
    if all(all_in.adjusted):
        odd = [took - model for took, model in zip(hand.collected, modelled, strict=True)]
        most = _tolerance(hand, len(all_in.pots))
        if any(not -most <= chips <= most for chips in odd):
            return settle_plain(hand, OTHER_WINNERS)
        entries[0] = _with_odd(entries[0], odd)
    inside = {place for pot in entries if pot.equity and pot.contested for place in pot.players}
    luck: list[Luck | None] = [None] * players
    ev: list[Amount] = list(results)
    for place in inside:
        flop, turn, river = streets[place]
        luck[place] = flop, turn, river + odd[place]
        ev[place] = results[place] - (flop + turn + river + odd[place])
    return Entry(hand, tuple(results), tuple(ev), tuple(luck), tuple(entries), all_in.why)


def _shares(hand: Hand, pot: Pot, board: tuple[int, ...]) -> list[Fraction]:
    """Return the share of a pot that each of its players has on a whole board."""
    ranks = [hand.game.rank_hand(hand.cards[place] or (), board) for place in pot.players]
    best = max(ranks)
    share = Fraction(1, ranks.count(best))
    return [share if rank == best else Fraction(0) for rank in ranks]


def _with_odd(pot: PotEntry, odd: Sequence[Amount]) -> PotEntry:
    """Return the main pot with the chips that could not be split, as they were paid."""
    won = tuple(took + odd[place] for took, place in zip(pot.won or (), pot.players, strict=True))
    return PotEntry(pot.size, pot.players, pot.equity, won)


def _tolerance(hand: Hand, pots: int) -> int:
    """Return how far payments may be from equal shares: by rake by pot, and odd chips or cents."""
    whole = all(amount % PARTS == 0 for amount in hand.collected)
    unit = PARTS if whole else PARTS // 100
    return hand.rake + unit * (len(hand.names) + 4 * pots * len(hand.boards))
