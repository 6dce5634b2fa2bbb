"""The main pot and the side pots, and who wins them where hands are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpuodds.games.game import Game


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot: how much is in it, and who contests it.

    Example:
        >>> Pot(300, (0, 1, 2)).size
        300
    """

    size: int
    """Its chips, before rake, in parts."""

    players: tuple[int, ...]
    """The places of those who contest it, in order."""


def split_pots(
    live: Sequence[int], dead: Sequence[int], folded: Sequence[bool], added: int = 0
) -> list[Pot]:
    """Return the main pot and the side pots.

    Args:
        live: What each player bet, less what was not called.
        dead: What each put into the main pot besides.
        folded: Who does not contest the pots.
        added: What the house put into the main pot.

    Returns:
        The pots, the main one first; each next one has fewer players.

    Example:
        >>> pots = split_pots([50, 100, 100, 20], [1, 1, 1, 1], [False] * 3 + [True])
        >>> [(pot.size, pot.players) for pot in pots]
        [(174, (0, 1, 2)), (100, (1, 2))]
    """
    contest = [place for place, gone in enumerate(folded) if not gone]
    pots: list[Pot] = []
    below, rest = 0, sum(dead) + added
    for level in sorted({live[place] for place in contest}):
        size = rest + sum(min(bet, level) - min(bet, below) for bet in live)
        rest = 0
        players = tuple(place for place in contest if live[place] >= level)
        if size:
            pots.append(Pot(size, players))
        below = level
    over = sum(bet - min(bet, below) for bet in live)  # of a player who folded: to the last pot
    if over and pots:
        pots[-1] = Pot(pots[-1].size + over, pots[-1].players)
    return pots


def award(
    pots: Sequence[Pot],
    cards: Sequence[tuple[int, ...] | None],
    mucked: Sequence[bool],
    board: tuple[int, ...],
    game: Game,
    unit: int,
) -> list[int] | None:
    """Return what each player takes from pots that go to the best hands.

    Chips that cannot be split go to the first of the winners after the button, and to the high hand, as
    pokerkit gives them.

    Args:
        pots: The pots.
        cards: The players' hole cards.
        mucked: Who gives up his claim.
        board: Five cards.
        game: Its hand ranks, and whether half of a pot goes to the best low.
        unit: The smallest chip, in parts.

    Returns:
        Amounts in parts; None where a hand that counts is unknown.
    """
    won = [0] * len(cards)
    claims = [
        [place for place in pot.players if not mucked[place]] or list(pot.players) for pot in pots
    ]
    ranks: dict[int, tuple[int, int]] = {}
    for place in {place for some in claims if len(some) > 1 for place in some}:
        hole = cards[place]
        if hole is None or len(board) < game.board_cards:
            return None
        ranks[place] = game.rank_hand(hole, board), game.low_rank(hole, board) if game.has_low else 0
    winners = [_winners(some, ranks) for some in claims]
    alive = {place for high, low in winners for place in (*high, *low)}
    together: dict[tuple[int, ...], int] = {}  # pots among the same winners are split as one
    for pot, some in zip(pots, claims, strict=True):
        players = tuple(place for place in some if place in alive)
        together[players] = together.get(players, 0) + pot.size
    for players, size in together.items():
        high, low = _winners(players, ranks)
        low_half = size // unit // 2 * unit if low else 0
        _split(won, size - low_half, high, unit)
        _split(won, low_half, low, unit)
    return won


def _winners(players: Sequence[int], ranks: dict[int, tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return who has the best hand, and who the best low, of those who contest a pot."""
    if len(players) < 2:
        return list(players), []
    best, low = (max(ranks[place][half] for place in players) for half in (0, 1))
    lows = [place for place in players if low and ranks[place][1] == low]
    return [place for place in players if ranks[place][0] == best], lows


def _split(won: list[int], amount: int, winners: Sequence[int], unit: int) -> None:
    if not winners:
        return
    share = amount // unit // len(winners) * unit
    for place in winners:
        won[place] += share
    won[winners[0]] += amount - share * len(winners)
