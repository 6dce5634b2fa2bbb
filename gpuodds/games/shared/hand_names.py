"""Name the hand ranks 1 to 7462.

Within a category, the ranks of the cards order hands, the most frequent rank first. So listing these
ranks in ascending order gives the hand ranks one after another.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, combinations, pairwise
from operator import index

from gpuodds.errors import InputError

Faces = tuple[int, ...]

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
_SIZES = (1277, 2860, 858, 858, 10, 1277, 156, 156, 10)
_ENDS = tuple(accumulate(_SIZES, initial=1))

#: The hand ranks of each category, in the order of ``CATEGORIES``.
CATEGORY_RANKS = tuple(range(begin, end) for begin, end in pairwise(_ENDS))

_ONE = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
]
_MANY = [name + ("es" if name == "six" else "s") for name in _ONE]


def category(rank: int) -> str:
    """Return the category of a hand rank, one of ``CATEGORIES``.

    A royal flush is in the category straight flush.

    Raises:
        InputError: The number is not a hand rank, 1 to 7462.

    >>> category(7462)
    'straight flush'
    """
    return CATEGORIES[_category_number(rank)]


def hand_name(rank: int) -> str:
    """Return the name of a hand rank; different ranks have different names.

    Raises:
        InputError: The number is not a hand rank, 1 to 7462.

    >>> hand_name(1)
    'high card, seven five four three two'
    >>> hand_name(7461)
    'straight flush, king high'
    """
    number = _category_number(rank)
    faces = list_faces(number)[index(rank) - CATEGORY_RANKS[number].start]
    name = CATEGORIES[number]
    single = [_ONE[face] for face in faces]
    many = [_MANY[face] for face in faces]
    if name == "pair":
        return f"pair of {many[0]}, {' '.join(single[1:])} kickers"
    if name == "two pair":
        return f"two pair, {many[0]} and {many[1]}, {single[2]} kicker"
    if name == "three of a kind":
        return f"three of a kind, {many[0]}, {' '.join(single[1:])} kickers"
    if name == "full house":
        return f"full house, {many[0]} over {many[1]}"
    if name == "four of a kind":
        return f"four of a kind, {many[0]}, {single[1]} kicker"
    if name == "straight flush" and single == ["ace"]:
        return "royal flush"
    if name in ("straight", "straight flush"):
        return f"{name}, {single[0]} high"
    return f"{name}, {' '.join(single)}"


def card_ranks(rank: int) -> Faces:
    """Return the ranks of a hand's five cards, 0 (deuce) to 12 (ace), the most frequent first.

    A straight begins with its highest card, a wheel with its five.

    Raises:
        InputError: The number is not a hand rank, 1 to 7462.

    >>> card_ranks(7296)
    (12, 12, 12, 11, 11)
    """
    number = _category_number(rank)
    faces = list_faces(number)[index(rank) - CATEGORY_RANKS[number].start]
    name = CATEGORIES[number]
    if name in ("straight", "straight flush"):
        return tuple((faces[0] - step) % 13 for step in range(5))
    times = {
        "pair": (2, 1, 1, 1),
        "two pair": (2, 2, 1),
        "three of a kind": (3, 1, 1),
        "full house": (3, 2),
        "four of a kind": (4, 1),
    }.get(name, (1, 1, 1, 1, 1))
    return tuple(face for face, count in zip(faces, times, strict=True) for _ in range(count))


def _category_number(rank: int) -> int:
    for number, ranks in enumerate(CATEGORY_RANKS):
        if index(rank) in ranks:
            return number
    raise InputError(f"hand rank {rank}: expected a number from 1 to 7462")


@lru_cache
def list_faces(number: int) -> list[Faces]:
    """Return, for the category of a number, the card ranks that tell its hands apart, worst first."""
    return sorted(_faces_of(CATEGORIES[number]))


def _faces_of(name: str) -> Iterator[Faces]:
    if name in ("straight", "straight flush"):
        yield from ((top,) for top in range(3, 13))
    elif name in ("high card", "flush"):
        wheel = (12, 3, 2, 1, 0)
        for faces in _descending(5):
            if faces[0] - faces[4] != 4 and faces != wheel:
                yield faces
    elif name == "two pair":
        for pairs in _descending(2):
            yield from ((*pairs, kicker) for kicker in range(13) if kicker not in pairs)
    else:
        kickers = {"pair": 3, "three of a kind": 2, "full house": 1, "four of a kind": 1}[name]
        for face in range(13):
            yield from ((face, *more) for more in _descending(kickers) if face not in more)


def _descending(size: int) -> Iterator[Faces]:
    """Return the sets of ``size`` card ranks, the highest rank first in each."""
    return combinations(range(12, -1, -1), size)
