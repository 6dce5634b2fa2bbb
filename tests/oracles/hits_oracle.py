"""Made hands and draws of one combo on one board, card by card, as docs/hits.md defines them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

ACE = 12
CATEGORIES = {
    "holdem": "straight flush|four of a kind|full house|flush|straight|three of a kind",
    "short-deck": "straight flush|four of a kind|flush|full house|straight|three of a kind",
    "short-deck-trips": "straight flush|four of a kind|flush|full house|three of a kind|straight",
}
PAIRS = ("overpair", "top pair", "pocket pair below top", "middle pair", "weak pair")


def straights(game: str) -> list[set[int]]:
    """Return the ranks of each straight, the lowest first."""
    lowest = 0 if game == "holdem" else 4
    return [{ACE, *range(lowest, lowest + 4)}] + [{*range(r, r + 5)} for r in range(lowest, 9)]


def best_straight(ranks: set[int], game: str) -> int:
    """Return the place of the best straight, 0 for none."""
    return max((place for place, run in enumerate(straights(game), 1) if run <= ranks), default=0)


def category(cards: Sequence[int], game: str, flushes: bool = True) -> str:
    """Return the category of the best five of some cards; all below three of a kind are ``low``."""
    names = {"low"}
    for five in combinations(cards, 5):
        counts = sorted(Counter(card // 4 for card in five).values())
        straight = best_straight({card // 4 for card in five}, game)
        flush = flushes and len({card % 4 for card in five}) == 1
        names |= {
            name
            for name, holds in {
                "straight flush": straight and flush,
                "four of a kind": counts[-1] == 4,
                "full house": counts == [2, 3],
                "flush": flush,
                "straight": straight,
                "three of a kind": counts[-1] == 3,
            }.items()
            if holds
        }
    return next((name for name in CATEGORIES[game].split("|") if name in names), "low")


def made_hand(hand: Sequence[int], board: Sequence[int], game: str) -> str:
    """Return the made hand of a combo."""
    best = category([*hand, *board], game)
    if best not in ("three of a kind", "low"):
        return best
    on_board = Counter(card // 4 for card in board)
    ranks = sorted(on_board, reverse=True)
    second = ranks[1] if len(ranks) > 1 else -1
    low, high = sorted(card // 4 for card in hand)
    if low == high:
        if on_board[low] == 1:
            return "set"
        if low > ranks[0]:
            return "overpair"
        return "pocket pair below top" if low > second else "weak pair"
    paired = [rank for rank in (low, high) if on_board[rank]]
    if any(on_board[rank] == 2 for rank in paired):
        return "trips"
    if len(paired) == 2:
        return "two pair"
    if not paired:
        return "ace high" if high == ACE else "no made hand"
    places = {ranks[0]: "top pair", second: "middle pair"}
    return places.get(paired[0], "weak pair")


def draws(hand: Sequence[int], board: Sequence[int], dead: Sequence[int], game: str) -> set[str]:
    """Return the draws of a combo."""
    made = made_hand(hand, board, game)
    order = CATEGORIES[game].split("|")
    above_sets = order[: order.index("three of a kind")]
    if len(board) == 5 or made in above_sets:
        return set()
    names = set()
    for suit in range(4):
        in_hand = [card for card in hand if card % 4 == suit]
        on_board = [card for card in board if card % 4 == suit]
        if len(in_hand) + len(on_board) == 4 and in_hand:
            names.add("flush draw")
            suited = [card for card in range(suit, 52, 4) if card not in {*board, *dead}]
            if suited[-1] in hand:
                names.add("nut flush draw")
        if len(board) == 3 and len(in_hand) == 2 and len(on_board) == 1:
            names.add("backdoor flush draw")
    if made == "straight":
        return names
    outs = 0
    for rank in {*range(13)} - {card // 4 for card in (*hand, *board)}:
        alone = best_straight({rank, *(card // 4 for card in board)}, game)
        if best_straight({rank, *(card // 4 for card in (*hand, *board))}, game) > alone:
            outs += category([*hand, *board, 4 * rank], game, flushes=False) == "straight"
    if outs:
        names.add("gutshot" if outs == 1 else "open-ended straight draw")
    low, high = sorted(card // 4 for card in hand)
    if low != high and low > max(card // 4 for card in board):
        names.add("overcards")
    for name, first in (("open-ended", "open-ended straight draw"), ("gutshot", "gutshot")):
        if {first, "flush draw"} <= names:
            names.add(f"flush draw + {name}")
        if first in names and made in PAIRS:
            names.add(f"{name} + pair")
    if "flush draw" in names and made in PAIRS:
        names.add("flush draw + pair")
    return names


def omaha_made_hand(hand: Sequence[int], board: Sequence[int]) -> str:
    """Return the made hand of a hand of Omaha: the best of two hole cards with three board cards."""
    order = CATEGORIES["holdem"].split("|")[:5]
    pairs = [*combinations(hand, 2)]
    fives = [category([*pair, *three], "holdem") for pair in pairs for three in combinations(board, 3)]
    for name in order:
        if name in fives:
            return name
    below = ["set", "trips", "two pair", *PAIRS, "ace high", "no made hand"]
    return min((_of_hole_cards(pair, board) for pair in pairs), key=below.index)


def _of_hole_cards(pair: Sequence[int], board: Sequence[int]) -> str:
    on_board = Counter(card // 4 for card in board)
    ranks = sorted(on_board, reverse=True)
    low, high = sorted(card // 4 for card in pair)
    if low == high:
        if on_board[low] == 1:
            return "set"
        above = sum(rank > low for rank in ranks)
        return ("overpair", "pocket pair below top", "weak pair")[min(above, 2)]
    hits = [rank for rank in (low, high) if on_board[rank]]
    if any(on_board[rank] == 2 for rank in hits):
        return "trips"
    if not hits:
        return "ace high" if high == ACE else "no made hand"
    place = min(ranks.index(rank) for rank in hits)
    return "two pair" if len(hits) == 2 else ("top pair", "middle pair", "weak pair")[min(place, 2)]


def omaha_draws(hand: Sequence[int], board: Sequence[int], dead: Sequence[int]) -> set[str]:
    """Return the draws of a hand of Omaha."""
    made = omaha_made_hand(hand, board)
    if len(board) == 5 or made in CATEGORIES["holdem"].split("|")[:4]:
        return set()
    names = set()
    for suit in range(4):
        in_hand = [card for card in hand if card % 4 == suit]
        on_board = [card for card in board if card % 4 == suit]
        if len(in_hand) > 1 and len(on_board) == 2:
            names.add("flush draw")
            if max({*range(suit, 52, 4)} - {*board, *dead}) in hand:
                names.add("nut flush draw")
        if len(in_hand) > 1 and len(on_board) == 1 and len(board) == 3:
            names.add("backdoor flush draw")
    if made == "straight":
        return names
    ranks: dict[int, int] = {}
    for rank in range(13):
        left = {*range(4 * rank, 4 * rank + 4)} - {*hand, *board}
        fives = (
            {one // 4 for one in (*pair, *two)} | {rank}
            for pair in combinations(hand, 2)
            for two in combinations(board, 2)
        )
        if left and any(best_straight(five, "holdem") for five in fives if len(five) == 5):
            ranks[rank] = len(left - {*dead})
    if ranks:
        wrap = len(ranks) > 1 and sum(ranks.values()) >= 9
        single = "wrap" if wrap else "gutshot" if len(ranks) == 1 else "open-ended straight draw"
        names.add(single)
        short = single.removesuffix(" straight draw")
        if "flush draw" in names:
            names.add(f"flush draw + {short}")
        if made in PAIRS:
            names.add(f"{short} + pair")
    if "flush draw" in names and made in PAIRS:
        names.add("flush draw + pair")
    return names
