"""Spots of every game, drawn by a seed, as the library is given them and as lists of weighted hands."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.games import find_game

SHARES = (0.1, 0.25, 0.5, 0.75)
RANKS = "23456789TJQKA"

Hand = tuple[int, ...]
Weights = dict[Hand, float]


@dataclass(frozen=True)
class Player:
    """What a player may hold.

    Attributes:
        text: As the library is given it; None for an opponent without a name.
        hands: The hands and their weights; None for every hand.
        share: The weight of every hand.
        is_known: Whether the text is a hand.
    """

    text: str | None
    hands: Weights | None = None
    share: float = 1.0
    is_known: bool = False

    def size(self, cards: int, hole_cards: int) -> int:
        """Return the number of hands, from a deck of some cards."""
        return math.comb(cards, hole_cards) if self.hands is None else len(self.hands)


@dataclass(frozen=True)
class Drawn:
    """A drawn spot; players without a name are the last of those who can win."""

    game: str
    live: list[Player]
    folded: list[Player]
    board: Hand
    dead: Hand

    @property
    def named(self) -> list[Player]:
        """Return the players who can win and have a name."""
        return [player for player in self.live if player.text is not None]

    @property
    def opponents(self) -> int:
        """Return the number of players without a name."""
        return len(self.live) - len(self.named)

    @property
    def deck(self) -> list[int]:
        """Return the cards of which nobody knows where they are."""
        known = [player.hands for player in (*self.live, *self.folded) if player.is_known]
        in_hands = {card for hands in known for hand in hands or () for card in hand}
        return [card for card in deck_of(self.game) if card not in {*in_hands, *self.board, *self.dead}]

    @property
    def is_exact(self) -> bool:
        """Return whether all weights are 1."""
        players = (*self.live, *self.folded)
        return all({player.share, *(player.hands or {}).values()} == {1.0} for player in players)

    @property
    def cost(self) -> float:
        """Return about how many seconds the brute force takes."""
        game, left = find_game(self.game), len(self.deck) - 5 + len(self.board)
        sizes = [player.size(left, game.hole_cards) for player in (*self.live, *self.folded)]
        deals = math.prod(sizes) / math.factorial(self.opponents)
        one_score = 1e-5 if game.hole_cards == 2 else 3e-6 * math.comb(game.hole_cards, 2)
        scored = {id(player.hands): size for player, size in zip(self.live, sizes, strict=False)}
        boards = math.comb(len(self.deck), 5 - len(self.board))
        return boards * (sum(scored.values()) * one_score + sum(sizes) * 2e-6 + deals * 2e-8)

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the arguments of ``gpuodds.equity``, but the folded players."""
        return {
            "hands": [player.text for player in self.named],
            "opponents": self.opponents,
            "board": format_cards(self.board),
            "dead": format_cards(self.dead),
            "game": self.game,
        }

    @property
    def call(self) -> str:
        """Return the call that asks for the spot."""
        asked = self.arguments | {"folded": [player.text for player in self.folded]}
        return f"gpuodds.equity({', '.join(f'{name}={value!r}' for name, value in asked.items())})"


def deck_of(game: str) -> list[int]:
    return [card for card in range(DECK_SIZE) if card not in find_game(game).missing]


def draw_spots(seed: str, game: str, spots: int, seconds: float) -> Iterator[Drawn]:
    """Draw spots; the brute force takes about some seconds for each, at most."""
    chance = random.Random(f"{seed} {game}")
    while spots:
        spot = draw_spot(chance, game)
        if spot is not None and spot.cost <= seconds:
            spots -= 1
            yield spot


def draw_spot(chance: random.Random, game: str) -> Drawn | None:
    """Draw a spot, None if the deck is too small for it."""
    hole_cards, deck = find_game(game).hole_cards, deck_of(game)
    chance.shuffle(deck)
    board = tuple(deck.pop() for _ in range(chance.choices((0, 3, 4, 5), (1, 5, 7, 7))[0]))
    live, folded = chance.choice((2, 2, 2, 3, 3, 4)), chance.choices((0, 1, 2), (6, 2, 1))[0]
    needed = hole_cards * (live + folded) + 5 - len(board)
    # Few cards are out of play, or as many as leave few to be dealt.
    out = chance.choice((0, 0, 1, 2, 3, len(deck) - needed - chance.randint(0, 6)))
    if not 0 <= out <= len(deck) - needed:
        return None
    dead = tuple(deck.pop() for _ in range(out))
    unnamed = chance.choices(range(live), [6, *[2] * (live - 1)])[0]
    kinds = chance.choices(
        ("hand", "combos", "ranks", "random"), (4, 3, 3, 2), k=live - unnamed + folded
    )
    players = [draw_player(chance, kind, game, deck) for kind in kinds]
    named, out_of_it = players[: live - unnamed], players[live - unnamed :]
    return Drawn(game, [*named, *[Player(None)] * unnamed], out_of_it, board, dead)


def draw_player(chance: random.Random, kind: str, game: str, deck: list[int]) -> Player:
    """Draw what a player holds; the cards of a known hand leave the deck."""
    hole_cards, every_card = find_game(game).hole_cards, deck_of(game)
    if kind == "hand":
        hand = tuple(deck.pop() for _ in range(hole_cards))
        return Player(format_cards(hand), {hand: 1.0}, is_known=True)
    weighted = chance.random() < 0.3
    if kind == "random":
        share = chance.choice((1.0, 1.0, *SHARES)) if weighted else 1.0
        return Player("random" + weight_text(share, hole_cards), share=share)
    hands: Weights = {}
    items = []
    for _ in range(chance.randint(2, 12) if kind == "combos" else chance.randint(1, 4)):
        share = chance.choice((0.0, 1.0, *SHARES)) if weighted else 1.0
        if kind == "combos":
            # Mostly of cards that can be dealt, but of board and dead cards, too.
            cards = deck if len(deck) > hole_cards and chance.random() < 0.9 else every_card
            hand = tuple(chance.sample(cards, hole_cards))
            text, members = format_cards(hand), [tuple(sorted(hand))]
        else:
            text, members = draw_ranks(chance, every_card, hole_cards)
        hands |= dict.fromkeys(members, share)
        items.append(text + weight_text(share, hole_cards))
    hands = {hand: share for hand, share in hands.items() if share}
    return Player(",".join(items), hands) if hands else draw_player(chance, kind, game, deck)


def draw_ranks(
    chance: random.Random, every_card: Sequence[int], hole_cards: int
) -> tuple[str, list[Hand]]:
    """Draw the ranks of a hand, of two cards also whether they are suited; list such hands."""
    ranks = sorted((card >> 2 for card in chance.sample(every_card, hole_cards)), reverse=True)
    suited = chance.choice(("", "s", "o")) if hole_cards == 2 and ranks[0] > ranks[1] else ""
    of_ranks = [
        combinations(range(4 * rank, 4 * rank + 4), number) for rank, number in Counter(ranks).items()
    ]
    hands = [tuple(card for cards in parts for card in cards) for parts in product(*of_ranks)]
    if suited:
        hands = [hand for hand in hands if (hand[0] & 3 == hand[1] & 3) == (suited == "s")]
    return "".join(RANKS[rank] for rank in ranks) + suited, [tuple(sorted(hand)) for hand in hands]


def weight_text(share: float, hole_cards: int) -> str:
    if share == 1.0:
        return ""
    return f":{share}" if hole_cards == 2 else f"@{100 * share:g}"
