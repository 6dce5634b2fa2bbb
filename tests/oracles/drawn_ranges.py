"""Draw range texts of a game: items, lists, operators and weights, whole and with mistakes.

Some come with their meaning, which brute force finds from their parts and not from the text."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

RANKS = "AKQJT98765432"
SUITS = "shdc"
SUIT_PATTERNS = {
    4: {"ds": (2, 2), "ss": (2, 1, 1), "ts": (3, 1), "rb": (1, 1, 1, 1), "ms": (4,)},
    5: {"ds": (2, 2, 1), "dts": (3, 2), "ss": (2, 1, 1, 1), "ts": (3, 1, 1), "qs": (4, 1), "ms": (5,)},
    6: {"222": (2, 2, 2), "ds": (2, 2, 1, 1), "33": (3, 3), "321": (3, 2, 1), "ts": (3, 1, 1, 1)}
    | {"42": (4, 2), "qs": (4, 1, 1), "51": (5, 1), "ms": (6,)},
}
MISTAKES = "AKT92asdhcwxyzRON*[](){}-+:!,;@%$#np 150./\n\t♠éſ²Ⅷ"


def draw_omaha_text(draw: random.Random, size: int) -> str:
    """Return a text of Omaha with hands of some cards."""
    return _perhaps_spoilt(draw, _Omaha(draw, size).text())


def draw_holdem_text(draw: random.Random, ranks: str = RANKS) -> str:
    """Return a text of hold'em, or of a game with fewer ranks."""
    return _perhaps_spoilt(draw, _Holdem(draw, ranks).text())


def _perhaps_spoilt(draw: random.Random, text: str) -> str:
    if draw.random() < 0.75:
        return text
    for _ in range(draw.randrange(1, 4)):
        begin = draw.randrange(len(text) + 1)
        end = begin + draw.choice((0, 0, 1, 1, 2, len(text)))
        chosen = draw.choice((draw.choice(MISTAKES), text[begin:end] * draw.choice((2, 2, 40)), ""))
        text = text[:begin] + chosen + text[end:]
    return text


class _Text:
    def __init__(self, draw: random.Random, ranks: str) -> None:
        self.draw, self.ranks = draw, ranks

    def rank(self) -> str:
        return self.draw.choice(self.ranks)

    def card(self) -> str:
        return self.rank() + self.draw.choice(SUITS)

    def percent(self) -> str:
        return self.draw.choice(("0%", "1%", "7.5%", "15%", ".5%", "33%", "50.%", "100%", "99.99%"))

    def separator(self) -> str:
        return self.draw.choice((",", ",", ",", ", ", " ,", ";", "\n", " ;\n", ",,"))

    def chosen(self, **weights: int) -> str:
        """Return what one of the methods named makes."""
        (name,) = self.draw.choices(list(weights), list(weights.values()))
        made: str = getattr(self, name)()
        return made


class _Omaha(_Text):
    def __init__(self, draw: random.Random, size: int) -> None:
        super().__init__(draw, RANKS)
        self.size = size

    def text(self) -> str:
        if self.draw.random() < 0.1:  # one item many times
            return self.separator().join(
                [self.item()] * self.draw.randrange(2, int(__import__("os").environ.get("REPS", "300")))
            )
        return self.items(self.draw.choice((1, 1, 1, 2, 2, 3, 4, 8)), 0)

    def items(self, number: int, depth: int) -> str:
        made = [self.item(depth) for _ in range(number)]
        return self.separator().join([*made, self.draw.choice(made)] if number > 2 else made)

    def item(self, depth: int = 0) -> str:
        weight = self.draw.choice(("", "", "", "@50", "@33.3%", "@0.5", "@0", "@100", " @ 25"))
        return self.expression(depth) + (weight if not depth else "")

    def expression(self, depth: int) -> str:
        operators = self.draw.choice((0, 0, 0, 1, 1, 2, 3))
        made = self.operand(depth)
        for _ in range(operators):
            made += self.draw.choice((":", "!", " : ", " !")) + self.operand(depth)
        return made

    def operand(self, depth: int) -> str:
        if depth < 3 and self.draw.random() < 0.15:
            return f"({self.items(self.draw.randrange(1, 4), depth + 1)})"
        return self.chosen(
            hand=12, whole=2, run=2, open_run=2, name=3, best=2, between=1, every=1, long_name=1
        )

    def hand(self) -> str:
        if self.draw.random() < 0.3:
            return "".join(self.rank() for _ in range(self.draw.randrange(1, self.size + 1)))
        return "".join(self.element() for _ in range(self.draw.randrange(1, self.size + 1)))

    def whole(self) -> str:
        suits = self.draw.choice((SUITS, "wxyz"))
        return "".join(self.rank() + self.draw.choice(suits) for _ in range(self.size))

    def element(self) -> str:
        return self.chosen(
            rank=5,
            card=2,
            suit=2,
            variable=2,
            suited_rank=3,
            rank_variable=2,
            star=1,
            listed=2,
            macro=1,
        )

    def suit(self) -> str:
        return self.draw.choice(SUITS)

    def variable(self) -> str:
        return self.draw.choice("wxyz")

    def suited_rank(self) -> str:
        return self.rank() + self.variable()

    def rank_variable(self) -> str:
        return self.draw.choice("RRROON") + self.draw.choice(("", "", "", self.variable(), self.suit()))

    def star(self) -> str:
        return self.draw.choice(("*", "*", "*s", "*x"))

    def listed(self) -> str:
        return (
            f"[{self.draw.choice(',').join(self.choice() for _ in range(self.draw.randrange(1, 4)))}]"
        )

    def choice(self) -> str:
        rank, other = self.rank(), self.rank()
        return self.draw.choice(
            (rank, rank + other, f"{rank}-{other}", f"{rank}+", f"{rank}-", self.card(), "h")
        )

    def macro(self) -> str:
        return "$" + self.draw.choice("RBNFMZW")

    def run(self) -> str:
        places = self.draw.randrange(1, self.size + 1)
        begin = [self.draw.randrange(13) for _ in range(places)]
        move = self.draw.randrange(-4, 5)
        moves = [self.draw.random() < 0.7 for _ in range(places)]
        end = [min(12, max(0, rank + move * moved)) for rank, moved in zip(begin, moves, strict=True)]
        suits = [self.draw.choice(("", "", "", "x", "y", "s")) for _ in range(places)]
        hands = ["".join(map(str.__add__, (RANKS[r] for r in hand), suits)) for hand in (begin, end)]
        return "-".join(hands)

    def open_run(self) -> str:
        places = self.draw.randrange(1, self.size + 1)
        hand = self.rank() * places if self.draw.random() < 0.5 else RANKS[6 : 6 + places]
        return hand + self.draw.choice("+-")

    def name(self) -> str:
        return "$" + self.draw.choice((*SUIT_PATTERNS[self.size], "np", "op", "tp", "nt"))

    def long_name(self) -> str:
        return self.draw.choice(("wxyz", "wxy", "xx", "xxyy", "RROO", "RRON", "RONP"))

    def best(self) -> str:
        return self.percent()

    def between(self) -> str:
        return f"{self.percent()}-{self.percent()}"

    def every(self) -> str:
        return self.draw.choice(("random", "*", "RANDOM"))


class _Holdem(_Text):
    def text(self) -> str:
        if self.draw.random() < 0.1:
            return self.separator().join([self.item(0)] * self.draw.randrange(2, 400))
        script = self.draw.choice(("",) * 12 + ("set_range_oop ", "set_range IP "))
        return script + self.items(self.draw.choice((1, 1, 2, 3, 5, 12)), 0)

    def separator(self) -> str:
        return self.draw.choice((",", ",", ", ", " ", ";", "\n", "  "))

    def items(self, number: int, depth: int) -> str:
        return self.separator().join(self.item(depth) for _ in range(number))

    def item(self, depth: int) -> str:
        if depth < 3 and self.draw.random() < 0.15:
            inside = self.items(self.draw.randrange(1, 4), depth + 1)
            return self.draw.choice(
                (
                    f"({inside})",
                    f"{{{inside}}}",
                    f"-({inside})",
                    f"!({inside})",
                    f"0.5({inside})",
                    f"50%({inside})",
                    f"[50]{inside}[/50]",
                    f"[25.0]{inside}[/]",
                    f"({inside}):0.5",
                )
            )
        part = self.part()
        if self.draw.random() < 0.1:
            return "!" + part
        weights = ("", "", "", "", ":0.5", "@50", "(0.5)", "(50%)", " : 0.25", "@0.5", ":0", "@1")
        return part + self.draw.choice(weights)

    def part(self) -> str:
        return self.chosen(
            hand=6, combo=4, run=2, open_run=3, wild=1, every=1, percent=2, between=1, other_combo=1
        )

    def hand(self) -> str:
        return self.rank() + self.rank() + self.draw.choice(("", "s", "o"))

    def combo(self) -> str:
        return self.card() + self.card()

    def other_combo(self) -> str:
        return self.draw.choice(("A♠K♥", "10s9s", "1s13h", "askh", "T♣T♦"))

    def run(self) -> str:
        made = self.draw.choice((self.hand, self.combo))
        return made() + self.draw.choice(("-", " - ")) + made()

    def open_run(self) -> str:
        return self.draw.choice((self.hand, self.combo))() + self.draw.choice("++-")

    def wild(self) -> str:
        return self.rank() + "X" + self.draw.choice(("", "s", "o"))

    def every(self) -> str:
        return self.draw.choice(("random", "any", "**", "XX", "XxXx"))

    def between(self) -> str:
        return f"{self.percent()}-{self.percent()}"


Hand = tuple[int, ...]
Fits = Callable[[Hand], bool]


@dataclass(frozen=True)
class Element:
    """A card of a hand as text, and what it may be.

    Attributes:
        text: As it is written.
        cards: The cards that it allows.
        rank: Its rank variable, or nothing.
        suit: Its suit variable, or nothing.
        named_rank: The rank that it names, or None.
        named_suit: The suit that it names, or None.
    """

    text: str
    cards: frozenset[int]
    rank: str = ""
    suit: str = ""
    named_rank: int | None = None
    named_suit: int | None = None


def draw_omaha_meaning(draw: random.Random, size: int) -> tuple[str, Callable[[Hand], float]]:
    """Return a text of Omaha, and a function from a hand to the weight that the text gives it."""
    items = [(_draw_expression(draw, size, 0), draw.choice((100, 100, 50, 0))) for _ in range(3)]
    items = items[: draw.randrange(1, 4)]

    def weight(hand: Hand) -> float:
        return next((percent / 100 for (_, fits), percent in reversed(items) if fits(hand)), 0.0)

    text = ",".join(text + ("" if percent == 100 else f"@{percent}") for (text, _), percent in items)
    return text, weight


def _draw_expression(draw: random.Random, size: int, depth: int) -> tuple[str, Fits]:
    text, fits = _draw_operand(draw, size, depth)
    for _ in range(draw.choice((0, 0, 1, 2))):
        operator, (more, other) = draw.choice(":!"), _draw_operand(draw, size, depth)
        text += operator + more
        fits = _joined(operator, fits, other)
    return text, fits


def _joined(operator: str, left: Fits, right: Fits) -> Fits:
    return lambda hand: left(hand) and right(hand) == (operator == ":")


def _draw_operand(draw: random.Random, size: int, depth: int) -> tuple[str, Fits]:
    kind = draw.random()
    if kind < 0.15 and depth < 2:
        inside = [_draw_expression(draw, size, depth + 1) for _ in range(draw.randrange(1, 3))]
        texts, members = zip(*inside, strict=True)
        return f"({','.join(texts)})", lambda hand: any(fits(hand) for fits in members)
    if kind < 0.25:
        name = draw.choice(("np", "op", "tp", "nt"))
        return f"${name}", lambda hand: _is_paired(hand, name)
    if kind < 0.35:
        name, counts = draw.choice(sorted(SUIT_PATTERNS[size].items()))
        return f"${name}", lambda hand: _suits(hand) == list(counts)
    if kind < 0.45:
        place = draw.randrange(10)
        high = [12 - place, 12 - place, 11 - place][: draw.randrange(2, 4)]
        steps = draw.randrange(0, 11 - place)
        runs = [[rank - step for rank in high] for step in range(steps + 1)]
        text = "-".join("".join(RANKS[12 - rank] for rank in run) for run in (runs[0], runs[-1]))
        hands = [[_of_rank(rank) for rank in run] for run in runs]
        return text, lambda hand: any(_fits(hand, elements) for elements in hands)
    elements = [_draw_element(draw) for _ in range(draw.randrange(1, size + 1))]
    # No card twice, which is an error.
    single = {next(iter(e.cards)): e for e in elements if len(e.cards) == 1}
    elements = [e for e in elements if len(e.cards) > 1] + list(single.values())
    draw.shuffle(elements)
    # A suit after a rank is the rank's, and $F before a capital is no set of ranks.
    elements.sort(key=lambda e: (not e.text.islower(), e.text == "$F"))
    return "".join(element.text for element in elements), lambda hand: _fits(hand, elements)


def _of_rank(rank: int) -> Element:
    return Element(RANKS[12 - rank], frozenset(range(4 * rank, 4 * rank + 4)), named_rank=rank)


def _draw_element(draw: random.Random) -> Element:
    rank, suit, letter = draw.randrange(13), draw.randrange(4), draw.choice("wxyz")
    every = frozenset(range(52))
    of_suit = frozenset(range(suit, 52, 4))
    named = _of_rank(rank)
    high, low = max(rank, suit + 4), min(rank, suit + 4)
    between = frozenset(range(4 * low, 4 * high + 4))
    return draw.choice(
        (
            named,
            named,
            replace(named, text=named.text + letter, suit=letter),
            Element(named.text + "cdhs"[suit], named.cards & of_suit, "", "", rank, suit),
            Element("cdhs"[suit], of_suit, named_suit=suit),
            Element(letter, every, suit=letter),
            Element("*", every),
            Element("RRON"[suit], every, rank="RRON"[suit]),
            Element("RRON"[suit] + letter, every, rank="RRON"[suit], suit=letter),
            Element(f"[{RANKS[12 - high]}-{RANKS[12 - low]}]", between),
            Element(f"[{named.text},{'cdhs'[suit]}]", named.cards | of_suit),
            Element("$F", frozenset(range(36, 48))),
        )
    )


def _fits(hand: Hand, elements: Sequence[Element]) -> bool:
    """Return whether some cards of a hand, in some order, are the elements."""
    ranks = {element.named_rank for element in elements}
    suits = {element.named_suit for element in elements}

    def are(cards: Hand) -> bool:
        rank_of: dict[str, int] = {}
        suit_of: dict[str, int] = {}
        for card, element in zip(cards, elements, strict=True):
            if card not in element.cards:
                return False
            if element.rank and (
                card >> 2 in ranks or rank_of.setdefault(element.rank, card >> 2) != card >> 2
            ):
                return False
            if element.suit and (
                card & 3 in suits or suit_of.setdefault(element.suit, card & 3) != card & 3
            ):
                return False
        return all(len({*of.values()}) == len(of) for of in (rank_of, suit_of))

    return any(are(cards) for cards in permutations(hand, len(elements)))


def _is_paired(hand: Hand, name: str) -> bool:
    counts = Counter(card >> 2 for card in hand).values()
    pairs = sum(count == 2 for count in counts)
    return max(counts) < 3 and (name == "nt" or pairs == ("np", "op", "tp").index(name))


def _suits(hand: Hand) -> list[int]:
    return sorted(Counter(card & 3 for card in hand).values(), reverse=True)
