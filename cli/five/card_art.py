"""Cards as ASCII art, each one line lower than the one before."""

from __future__ import annotations

from collections.abc import Sequence

from gpuodds.cards import RANKS

STEP, HEIGHT = 7, 6  # columns from card to card, lines of a card
PIPS = {
    "s": (" .  ", " /.\\ ", "(_._)", "  |  "),
    "d": (" ^  ", " / \\ ", " \\ / ", "  .  "),
    "c": (" _  ", " ( ) ", "(_'_)", "  |  "),
    "h": ("_ _ ", "( v )", " \\ / ", "  .  "),
}


def draw_cards(cards: Sequence[int]) -> str:
    r"""Return a picture of cards, the first to the left and on top.

    >>> print(draw_cards([51, 48]))
     _____
    |A .  | _____
    | /.\ ||A _  |
    |(_._)|| ( ) |
    |  |  ||(_'_)|
    |____V||  |  |
           |____V|
    """
    width, height = STEP * len(cards) + 1, HEIGHT + len(cards) - 1
    canvas = [[" "] * width for _ in range(height)]
    for place, card in enumerate(cards):
        for row, line in enumerate(_card(card)):
            for column, letter in enumerate(line):
                if column or letter != " ":
                    canvas[place + row][STEP * place + column] = letter
    return "\n".join("".join(line).rstrip() for line in canvas)


def _card(card: int) -> list[str]:
    rank, suit = RANKS[card >> 2], "cdhs"[card & 3]
    top, *body = PIPS[suit]
    turned = "V" if rank == "A" else rank
    lines = [" _____ ", f"|{rank}{top}|"]
    lines += [f"|{line}|" for line in body]
    return [*lines, f"|____{turned}|"]
