"""Random numbers and cards as the package documents them, word by word, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice

from gpuodds.backends.cpu.shared.random_words import philox

LOW = 0xFFFFFFFF


def words_of(stream: int, sample: int, seed: int) -> Iterator[int]:
    """Give the words of a sample's stream."""
    for block in count():
        yield from (int(word) for word in philox(block, stream, sample, seed))


def draw_below(words: Iterator[int], bound: int) -> int:
    """Draw a number from 0 to ``bound`` - 1."""
    while (product := next(words) * bound) & LOW < 2**32 % bound:
        pass
    return product >> 32


def deal_cards(
    known: Sequence[int], held: Sequence[int], wanted: int, sample: int, seed: int,
    own_words: Sequence[int] = (),
) -> tuple[list[int], int]:  # fmt: skip
    """Deal cards that are neither known nor held; return them and how many words were drawn again.

    ``own_words`` come before those of the stream of cards.
    """
    deck = [card for card in reversed(range(52)) if card not in known]
    for card in sorted(held):
        deck[deck.index(card)] = deck[-1]
        deck.pop()
    dealt: list[int] = []
    again = 0
    for number in range(-(-wanted // 3)):
        bounds = [max(1, len(deck) - x) for x in range(3)]
        ways = bounds[0] * bounds[1] * bounds[2]
        for stream in count(1):
            word = next(islice(words_of(stream, sample, seed), number, None))
            if own_words and stream == 1:
                word = own_words[number]
            if word * ways & LOW >= 2**32 % ways:
                break
            again += 1
        for bound in bounds[: wanted - 3 * number]:
            word *= bound
            at = word >> 32
            word &= LOW
            dealt.append(deck[at])
            deck[at] = deck[-1]
            deck.pop()
    return dealt, again
