"""What is probably meant by a text that is neither a hand nor a range: the end of its error."""

from __future__ import annotations

import re
from decimal import Decimal

from gpuodds.errors import InputError, excerpt
from gpuodds.games.game import HOLDEM_FAMILY, Game

_ANY_CASE = re.IGNORECASE | re.ASCII
_RANK = r"(?:10|[2-9TJQKA])"
_CARD = rf"{_RANK}[cdhs]"
_NUMBER = r"(?:\d{1,3}(?:\.\d{0,4})?|\.\d{1,4})"
_SHARE = re.compile(rf"(?:top|best)?\s*({_NUMBER})\s*(?:%|pct|percent|per cent)?", _ANY_CASE)
_TWO_RANKS = re.compile(rf"({_RANK})-?({_RANK})\s*-?(suited|offsuit|off|ss?|oo?)?", _ANY_CASE)
_WORDS = {  # what people say, and the range
    "22+": "pair pairs pocketpair pocketpairs anypair allpairs",
    "AA": "aces pocketaces",
    "KK": "kings pocketkings",
    "QQ": "queens pocketqueens",
    "JJ": "jacks pocketjacks",
    "TT": "tens pockettens",
    "AK": "aceking bigslick",
    "AX": "anyace acex",
    "A2s+": "suitedace suitedaces anysuitedace",
    "[A-T][A-T]": "broadway broadways anybroadway",
    "*x*x": "suited anysuited",
    "*x*y": "offsuit anyoffsuit",
    "AKs-32s": "connectors suitedconnector suitedconnectors",
    "random": "all every everything anytwo anytwocards anyhand anycards unknown ? ?? unknownhand",
}
_MEANT = {word: text for text, words in _WORDS.items() for word in words.split()}


def hinted(error: InputError, text: str, game: Game) -> InputError:
    """Return an error with what is probably meant at its end.

    Args:
        error: What is wrong with the text.
        text: The text.
        game: The game.

    Returns:
        The error itself if there is nothing to say.
    """
    hint = _hint(" ".join(text.split()), game)
    return type(error)(f"{error}; {hint}") if hint else error


def _hint(text: str, game: Game) -> str:
    if not text or len(text) > 80:
        return ""
    if game.family == HOLDEM_FAMILY and (meant := _holdem_hint(text)):
        return meant
    if (match := _SHARE.fullmatch(text)) and text != f"{match[1]}%":  # which is written so already
        return _percent_hint(Decimal(match[1]))
    from gpuodds.spots.ranges.names import nearest_name

    name = nearest_name(text, game)
    return f"is {name} meant? gpuodds range --presets lists names" if name else ""


def _percent_hint(number: Decimal) -> str:
    share = number * 100 if number < 1 else number
    if not 0 < share <= 100:
        return ""
    written = format(share.normalize(), "f")
    return f"write {written}% for the best {written} % of hands"


def _holdem_hint(text: str) -> str:
    word = re.sub(r"[\s-]+", "", text).lower()
    if word in _MEANT:
        return f"write {_MEANT[word]}"
    if match := _TWO_RANKS.fullmatch(text):
        first, second, kind = match[1].upper(), match[2].upper(), (match[3] or "").lower()
        if first == second:
            return f"write {first}{second} for the pair"
        return f"write {first}{second}{kind[:1]}"
    if match := re.fullmatch(rf"({_CARD})[-/_+|]({_CARD})", text, _ANY_CASE):
        return f"write {match[1]}{match[2]}"
    if match := re.search(rf"([^\s,;]+?)\s*[:=]\s*({_NUMBER})\s*(%?)(?=$|[\s,;])", text):
        hands, number = match[1], Decimal(match[2])
        if 2 <= number <= 100 or match[3]:
            percent, share = (format(each.normalize(), "f") for each in (number, number / 100))
            return f"write {hands}@{percent} for a weight of {percent} %, or {hands}:{share}"
    if re.search(r"\+\+|--", text):
        once = re.sub(r"([+-])+", r"\1", text)
        return f"write {excerpt(once)}"
    return ""
