"""What is probably meant by a command that cannot be read: other names of options, other values."""

from __future__ import annotations

import logging
import re
import shlex
from collections.abc import Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

from gpuodds.cards import parse_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.omaha.game import OMAHA

HAND, PLAYERS = "HAND", "PLAYERS"  # a value that is a hand; a number of players, oneself among them
STREETS = ("--flop", "--turn", "--river")
OPTIONS = {  # what people write, by the option that is meant, with its value if it is in the name
    "--board": "--flop --turn --river --community --community-cards",
    "--opponents": "--opponent --villains --num-opponents --n-opponents -n -o --random",
    PLAYERS: "--players --player --num-players --seats -p",
    HAND: "--vs --v --against --villain --villain-range --hero --hand --hands --range --hole --cards",
    "--dead": "--dead-cards --exclude --muck --mucked --burn --removed --discards",
    "--folded": "--fold --folds --folded-range",
    "--samples": "--iterations --iters --trials --sims --simulations --runs -i -s",
    "--standard-error": "--error --se --precision --tolerance --stderr",
    "--time-limit": "--time --timeout --max-time",
    "--game": "--variant --type --rules -g",
    "--backend": "--device --engine",
    "--method": "--mode",
    "--method monte-carlo": "--monte-carlo --mc --montecarlo --simulate --sample",
    "--method exact": "--exact --exhaustive --enumerate --full",
    "--backend cuda": "--gpu --cuda",
    "--backend cpu": "--cpu",
    "--game omaha": "--omaha --plo",
    "--game omaha-hi-lo": "--omaha8 --hi-lo --plo8",
    "--game short-deck": "--short-deck --shortdeck",
    "--by-hand": "--per-hand --each-hand --breakdown",
    "--explain": "--verbose -v --why",
}
VALUES = {  # of options
    "--method": {
        "monte-carlo": "mc montecarlo monte_carlo simulation simulate sample sampling random",
        "exact": "exhaustive enumerate enumeration full all",
    },
    "--backend": {"cuda": "gpu nvidia", "cpu": "numba none"},
    "--game": {
        "holdem": "hold'em texas texas-holdem nlhe nlh nl he",
        "omaha": "plo4 omaha4",
        "omaha-hi-lo": "omaha/8 plo8 o8 hilo",
        "short-deck": "6+ sixplus shortdeck short",
    },
}
COMMANDS = {
    "equity": "odds eq equities calc calculate sim simulate win vs prob probability preflop",
    "kelly": "bet betting bankroll",
    "rank": "evaluate eval hand rank-hand",
    "range": "ranges preset presets",
    "serve": "server web gui ui page",
    "doctor": "check info version status gpu",
}
NUMBERS = ("--opponents", "--samples", "--seed", "--time-limit", "--standard-error")
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
LARGE = {"k": 10**3, "m": 10**6}
_RENAMED = {word: option for option, words in OPTIONS.items() for word in words.split()}
_REVALUED = {
    (option, word): value
    for option, values in VALUES.items()
    for value, words in values.items()
    for word in words.split()
}
_COMMANDS = {word: command for command, words in COMMANDS.items() for word in words.split()}


def probably_meant(arguments: Sequence[str], commands: Sequence[str], known: Mapping[str, bool]) -> str:
    """Return the command that is probably meant, or an empty text.

    Args:
        arguments: What was written, without the name of the program.
        commands: The names of the commands.
        known: The options of the command that was written, and whether each takes a value; empty if the
            options are not at fault.
    """
    words = list(arguments)
    if words and words[0] in commands:
        words = [words[0], *_with_options(words[1:], known)]
    elif words and not words[0].startswith("-"):
        words = _with_command(words, commands)
    return "" if words == list(arguments) else f"gpuodds {shlex.join(words)}"


def describe_usage_error(error: Any, arguments: Sequence[str]) -> str:
    """Return the message of an error of typer; of a value that is no number, with the value."""
    message: str = error.format_message()
    if message.startswith("No such command"):
        return message.partition(". Did you mean")[0].rstrip(".")
    if hasattr(error, "option_name"):
        return str(error.message)
    names = getattr(getattr(error, "param", None), "opts", [])
    kind = next((kind for kind in ("integer", "number") if f"valid {kind}" in message), "")
    for place, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if kind and name in names:
            written = value if equals else next(iter(arguments[place + 1 :]), "")
            wanted = "a whole number" if kind == "integer" else "a number"
            return f"{name} {excerpt(written)}: expected {wanted}"
    return message


def _with_command(words: list[str], commands: Sequence[str]) -> list[str]:
    """Return words that begin with a command; they begin with another word, or with a hand."""
    first = words[0].lower()
    if first in _COMMANDS:
        return [_COMMANDS[first], *(["--presets"] if first.startswith("preset") else words[1:])]
    if near := get_close_matches(first, commands, 1, 0.7):
        return [near[0], *words[1:]]
    if _is_hand(words[0], HOLDEM):
        return ["equity", *words]
    if "--game" in words or not _is_hand(words[0], OMAHA):
        return words
    return ["equity", *words, "--game", OMAHA.name]


def _is_hand(word: str, game: Game) -> bool:
    """Return whether a word is a card, a hand or a range."""
    from gpuodds.spots.ranges.range import Range

    logger = logging.getLogger("gpuodds")
    disabled, logger.disabled = (
        logger.disabled,
        True,
    )  # the command that is meant says how it reads the word
    try:
        return bool(Range(word, game=game))
    except InputError:
        return _is_card(word)
    finally:
        logger.disabled = disabled


def _is_card(word: str) -> bool:
    try:
        return len(parse_cards(word)) == 1
    except InputError:
        return False


def _with_options(words: list[str], known: Mapping[str, bool]) -> list[str]:
    """Return words with options, and their values, as the command has them."""
    meant: list[str] = []
    rest = iter(words)
    for word in rest:
        if not re.match(r"--?[A-Za-z]", word):
            meant.append(word)
            continue
        name, equals, value = word.partition("=")
        option, *fixed = _option(name, known).split()
        if fixed or not known.get(option, True):
            meant += [option, *fixed]
            continue
        given = value if equals else next(rest, None)
        if not given:  # none, or an empty one
            meant += [option] if given is None else [f"{option}="] if equals else [option, ""]
            continue
        value = given
        if option == HAND:
            meant.append(value)
        elif name in STREETS and "--board" in meant:
            meant[meant.index("--board") + 1] += value
        elif option == PLAYERS:
            number = _value("--opponents", value)
            meant += ["--opponents", str(int(number) - 1) if number.isdecimal() else value]
        else:
            value = _value(option, value)
            meant += [f"{option}={value}"] if equals else [option, value]
    return meant


def _option(name: str, known: Mapping[str, bool]) -> str:
    """Return the option that a name means, the name itself if there is no likely one."""
    if not known or name in known:
        return name
    named = _RENAMED.get(name, "")
    if named.split()[:1] in ([HAND], [PLAYERS]) or named.partition(" ")[0] in known:
        return named
    if f"-{name}" in known:
        return f"-{name}"
    return next(iter(get_close_matches(name, known, 1, 0.75)), name)


def _value(option: str, value: str) -> str:
    """Return the value that a text means, the text itself if there is no likely one."""
    text = value.lower()
    if (option, text) in _REVALUED:
        return _REVALUED[option, text]
    if option not in NUMBERS:
        return value
    if text in WORDS:
        return str(WORDS.index(text))
    if match := re.fullmatch(r"(\d{1,6}(?:\.\d+)?)\s*(k|m|s|sec|seconds|%)?", text.replace(",", "")):
        number, unit = Decimal(match[1]), match[2] or ""
        number = number / 100 if unit == "%" else number * LARGE.get(unit, 1)
        return format(number.normalize(), "f")
    if re.fullmatch(r"\d(?:\.\d+)?e\d", text):
        return format(Decimal(text), "f")
    return value
