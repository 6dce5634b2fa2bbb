"""Cards and hands as callers write them: text, card numbers, lists of them, words of a command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, wraps
from itertools import chain
from typing import TypeAlias, TypeVar

from gpuodds.basics.arguments import as_whole, listed, shown
from gpuodds.cards import DECK_SIZE, RANKS, format_card, format_cards, parse_cards, refuse_repeats
from gpuodds.errors import InputError, excerpt
from gpuodds.games.game import HOLDEM_FAMILY, OMAHA_FAMILY, Game
from gpuodds.games.holdem.game import HOLDEM

Cards: TypeAlias = "str | Iterable[int] | Iterable[str] | None"
"""Cards as text (``"2s7d9h"``), card numbers, 4 x rank + suit, or a list of texts; None for none."""

Hand: TypeAlias = tuple[int, ...]
"""The numbers of a hand's cards, all different: two, or as many as the game has hole cards."""

T = TypeVar("T")

KEPT_TEXTS = 1024  # hands and ranges that are kept as read
SHORT_TEXT = 256  # characters, of a text that is kept: a solver writes a hundred thousand

_RANK = r"(?:10|[2-9TJQKAX])"
_CARD = r"(?:1[0-3]|[1-9TJQKA])[CDHS\u2660-\u2667]\ufe0f?"
_VERSUS = re.compile(r"\s+(?:vs?\.?|versus|against)\s+", re.IGNORECASE)
_RANGE = re.compile(
    rf"""(?:random | any | \*\* | XxXx).*          # every hand, and its weight
    | [\d.]*%.*                                    # the best part of all hands
    | [\d.]*[-:!({{\[\#@].*                         # exclusion, weight before the hand, a name
    | set_range.*                                  # a line of a solver's script
    | {_RANK}{_RANK}.*                             # a starting hand, XX, and anything after it
    | {_CARD}{_CARD}[-+:@(].*                      # combos: a run, a weight
    | .*[*$\[].*                                   # a generic hand: A*, $B$B, [A-T][A-T]
    | {_RANK}[wxyz]{_RANK}[wxyz].* | [RONPG]{{2}}.*  # AxKx, RR
    """,
    re.IGNORECASE | re.VERBOSE | re.ASCII | re.DOTALL,
)

_ONE_RANGE = {  # separators of items but blanks, and a line of a solver's script
    HOLDEM_FAMILY: re.compile(r"[,;]|^\s*set_range", re.IGNORECASE),
    OMAHA_FAMILY: re.compile(r"[,;\n]"),
}
_TOKENS = {  # operators with the blanks around them, brackets, other blanks, and the rest
    family: re.compile(
        rf"(?P<operator>\s*(?:{operator})\s*)|(?P<closing>{closing})|(?P<opening>[({{\[])"
        r"|(?P<blanks>\s+)|.",
        re.DOTALL,
    )
    for family, operator, closing in (
        (HOLDEM_FAMILY, r"[:@]|-(?!\s*\()", r"[)}]|\[/"),
        (OMAHA_FAMILY, "[-:@!]", r"[)\]]"),
    )
}


def _keep_short(read: Callable[[str, Game], T]) -> Callable[[str, Game], T]:
    """Keep what a function returns for short texts."""
    kept = lru_cache(KEPT_TEXTS)(read)

    @wraps(read)
    def call(text: str, game: Game) -> T:
        return kept(text, game) if len(text) <= SHORT_TEXT else read(text, game)

    return call


def read_cards(cards: Cards) -> tuple[int, ...]:
    """Return the numbers of cards given as text, as card numbers, or as a list of texts.

    Args:
        cards: The cards; None for no cards.

    Raises:
        InputError: ``cards`` is of another type, a text cannot be read, or a number is not a card.

    >>> read_cards("AsKs") == read_cards(["As", "Ks"]) == read_cards([51, 47]) == (51, 47)
    True
    """
    if cards is None:
        return ()
    if isinstance(cards, str):
        return parse_cards(cards) if cards else ()
    expected = "text, such as 2s7d9h, or card numbers"
    if isinstance(cards, Mapping):
        raise InputError(f"cards {shown(cards)}: expected {expected}")
    numbers: list[int] = []
    for card in listed("cards", cards, expected):
        numbers_read = parse_cards(card) if isinstance(card, str) else (as_whole("card number", card),)
        for number in numbers_read:
            if not 0 <= number < DECK_SIZE:
                raise InputError(f"card number {number}: expected 0 to 51")
        numbers += numbers_read
    return tuple(numbers)


def read_hand(hand: Cards, game: Game) -> Hand:
    """Return a hand of the game's number of different cards, given as text or as numbers.

    Raises:
        InputError: The number of cards is wrong, one is not a card, or two are the same.

    >>> read_hand("AsKs", HOLDEM), read_hand([51, 47], HOLDEM)
    ((51, 47), (51, 47))
    """
    if isinstance(hand, str):
        refuse_several_hands(hand, game)
    cards = read_cards(hand)
    if len(cards) != game.hole_cards:
        named = excerpt(format_cards(cards))
        raise InputError(f"hand {named}: {_has_cards(game)}, found {_number_or_none(len(cards))}")
    repeated = next((card for card in cards if cards.count(card) > 1), None)
    if repeated is not None:
        raise InputError(f"{format_card(repeated)}: {_has_cards(game, 'different ')}")
    return cards


def read_texts(texts: Sequence[str], game: Game) -> list[Hand | str]:
    """Return the hands and ranges that texts name, such as the arguments of a command.

    A text of all cards of a hand is a hand; texts of one card make up hands in order. The cards of a
    hand keep the order in which they were written. A text that looks like a range is returned
    unchanged. A single text may have several hands, separated by blanks. Hands may share cards: the
    spot checks that.

    Raises:
        InputError: A text is neither a card nor a hand nor looks like a range, single cards do not make
            up a hand, or one of several texts has several hands.

    >>> read_texts(["AsKs", "12h", "12d", "QQ+"], HOLDEM)
    [(51, 47), (42, 41), 'QQ+']
    >>> read_texts(["AsKs QhQd"], HOLDEM)
    [(51, 47), (42, 41)]
    """
    if len(texts) == 1:
        texts = split_hands(texts[0], game) or texts
    elif texts and not any(_VERSUS.fullmatch(f" {text} ") for text in (texts[0], texts[-1])):
        texts = [word for word in texts if not _VERSUS.fullmatch(f" {word} ")]
    hands: list[Hand | str] = []
    singles: list[int] = []
    for text in texts:
        cards = _read_word(text, game)
        if len(cards) == 1:
            if cards[0] in singles:
                raise InputError(f"{format_card(cards[0])}: {_has_cards(game, 'different ')}")
            singles.append(cards[0])
            if len(singles) == game.hole_cards:
                hands.append(tuple(singles))
                singles = []
            continue
        if singles:
            missing = "the second one" if game.hole_cards == 2 else f"{_missing(singles, game)} more"
            raise InputError(
                f"{format_cards(singles)}: {_has_cards(game)}, expected {missing} before the hand "
                f"{excerpt(text)}"
            )
        hands.append(cards or text)
    if singles:
        only = "this is the only card of the last hand"
        if len(singles) > 1:
            only = f"the last hand only these {number_word(len(singles))}"
        raise InputError(f"{format_cards(singles)}: {_has_cards(game)}, {only}")
    return hands


@_keep_short
def read_text(text: str, game: Game) -> Hand | str:
    """Return the hand of one player's text, or the text itself if it looks like a range.

    Raises:
        InputError: The text is neither, or has several hands.

    >>> read_text("AsKs", HOLDEM), read_text("QQ+", HOLDEM)
    ((51, 47), 'QQ+')
    """
    refuse_several_hands(text, game)
    (hand,) = read_texts([text], game)
    return hand


def split_hands(text: str, game: Game) -> list[str]:
    """Return the hands of a text of two or more, separated by blanks alone; else an empty list.

    Hands and ranges with ``vs`` between them are separated there.

    >>> [split_hands(text, HOLDEM) for text in ("AsKs QhQd", "AsKs,QhQd", "AsKs")]
    [['AsKs', 'QhQd'], [], []]
    """
    if len(players := _VERSUS.split(text.strip())) > 1:
        return players
    parts = [] if "," in text else text.split()
    return parts if len(parts) > 1 and all(_is_hand(part, game) for part in parts) else []


def refuse_several_hands(text: str, game: Game) -> None:
    """Refuse hands, or hands and ranges, separated by blanks alone, where a text is for one player.

    Ranges alone, such as ``QQ+ AK``, are items of one range.

    Raises:
        InputError: The text has several hands, or a hand and a range; the message names both readings.

    >>> refuse_several_hands("QQ+ AK", HOLDEM)
    """
    if len(apart := _VERSUS.split(text.strip())) > 1:
        raise InputError(f"{excerpt(text)}: {len(apart)} players: expected one hand or range")
    hands = split_hands(text, game)
    if parts := hands or _split_hands_and_ranges(text, game):
        what = "a range of combos" if hands else "a range"
        players = f"{excerpt(parts[0])} and {excerpt(parts[1])} as two players"
        if len(parts) > 2 and not hands:
            players = f"{excerpt(', '.join(parts))} as players"
        raise InputError(
            f"{excerpt(text)}: two readings: write {excerpt(','.join(parts))} for {what}, "
            f"or give {players}"
        )


def _split_hands_and_ranges(text: str, game: Game) -> list[str]:
    """Return the hands and ranges of a text that has both, separated by blanks alone; else no parts."""
    words = text.split()
    if len(words) < 2 or _ONE_RANGE[game.family].search(text):
        return []
    if not any(_is_hand(word, game) for word in words):
        return []
    parts, depth = [""], 0
    for token in _TOKENS[game.family].finditer(text):
        depth += (token.lastgroup == "opening") - (token.lastgroup == "closing")
        if token.lastgroup == "blanks" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += token[0].strip() if token.lastgroup == "operator" else token[0]
    parts = [part for part in parts if part]
    hands = [part for part in parts if _is_hand(part, game)]
    ranges = [part for part in parts if not part.startswith(("!", "-")) and not _is_cards(part)]
    are_read = all(_looks_like_range([part], game) for part in ranges)
    return parts if hands and ranges and are_read else []


def _read_word(word: str, game: Game) -> Hand:
    """Return the cards of a word, one or all of a hand; none if the word looks like a range."""
    refuse_several_hands(word, game)
    parts = [part for part in re.split(r"[,;\s]+", word) if part]
    if len(parts) > 1 and all(_is_hand(part, game) for part in parts):
        return ()  # a list of combos
    if _looks_like_range(parts, game) and not _is_cards(word):
        return ()
    try:
        cards = parse_cards(word)
    except InputError as error:
        from gpuodds.spots.hints import hinted
        from gpuodds.spots.ranges.names import find_named

        if find_named(word, game) is not None:
            return ()
        raise hinted(error, word, game) from None
    if len(cards) not in (1, game.hole_cards):
        found = f"{excerpt(word)}: {_has_cards(game)}, found {_number_or_none(len(cards))}"
        more = ", as omaha has" if game is HOLDEM and len(cards) in (4, 5, 6) else ""
        raise InputError(found + more)
    return cards


def _looks_like_range(parts: Sequence[str], game: Game) -> bool:
    if game.family == HOLDEM_FAMILY:
        return any(_RANGE.fullmatch(part) for part in parts)
    return bool(parts)  # the grammar of ranges tells what is wrong with it


@_keep_short
def is_no_range(text: str, game: Game) -> bool:
    """Return whether a text cannot be a range: False in Omaha, where only the grammar tells."""
    if game.family != HOLDEM_FAMILY:
        return False
    return not _looks_like_range(re.split(r"[,;\s]+", text), game) and not _is_cards(text)


def _is_hand(text: str, game: Game) -> bool:
    if len(text) < 2 * game.hole_cards:  # a card has two characters or more
        return False
    return _is_cards(text) and len(parse_cards(text)) == game.hole_cards


def _is_cards(text: str) -> bool:
    try:
        parse_cards(text)
    except InputError:
        return False
    return True


def _has_cards(game: Game, different: str = "") -> str:
    of_game = "" if game is HOLDEM else f" of {game.name}"
    return f"a hand{of_game} has {number_word(game.hole_cards)} {different}cards"


def _missing(singles: Sequence[int], game: Game) -> str:
    return number_word(game.hole_cards - len(singles))


def number_word(number: int) -> str:
    """Return a number of cards, 1 to 6, as a word."""
    return ("one", "two", "three", "four", "five", "six")[number - 1]


def _number_or_none(number: int) -> str:
    return str(number) if number else "none"


def check_cards(
    game: Game,
    board: Sequence[int],
    dead: Sequence[int],
    hands: Sequence[Hand] = (),
    folded: Sequence[Hand] = (),
) -> None:
    """Refuse a board of too many cards, a repeated card, and a card that the game's deck lacks.

    Args:
        game: The game.
        board: Card numbers.
        dead: Card numbers.
        hands: The known hands.
        folded: The known hands of folded players.

    Raises:
        InputError: The board has too many cards, or a card is repeated or not in the deck.
    """
    if len(board) > game.board_cards:
        most = f"expected at most {game.board_cards} cards"
        raise InputError(f"board {format_cards(board)}: {most}, found {len(board)}")
    cards = list(chain(board, dead, *hands, *folded))
    if game.missing and (absent := [card for card in cards if card in game.missing]):
        lowest = RANKS[len(game.missing) // 4]
        raise InputError(f"{format_card(absent[0])}: {game.name} has cards from {lowest} to A")
    if len({*cards}) == len(cards):
        return
    named = [(format_cards(hand), hand) for hand in hands]
    named += [(f"folded {format_cards(hand)}", hand) for hand in folded]
    refuse_repeats(*named, ("the board", board), ("the dead cards", dead))
