"""The game that a dealer of the Annual Computer Poker Competition was started with, read from its file.

    GAMEDEF
    nolimit
    numPlayers = 2
    numRounds = 4
    stack = 20000 20000
    blind = 100 50
    firstPlayer = 2 1 1 1
    numSuits = 4
    numRanks = 13
    numHoleCards = 2
    numBoardCards = 0 3 1 1
    END GAMEDEF

It is read as the dealer reads it: a line begins with a name in any case, "=" is optional, the later of
two lines of one name counts, and other lines are ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gpuodds.errors import InputError, excerpt
from gpuodds.play.turns import Rules

MAX_CHIPS = 10**9  # the dealer computes with at most twice that
MAX_FILE_BYTES = 1 << 16  # bytes
MAX_ACTIONS = 64  # of one street in the dealer's memory
NAMES = (
    "gamedef",
    "stack",
    "blind",
    "raiseSize",
    "limit",
    "nolimit",
    "numPlayers",
    "numRounds",
    "firstPlayer",
    "maxRaises",
    "numSuits",
    "numRanks",
    "numHoleCards",
    "numBoardCards",
)
HEADS_UP_HOLDEM = {
    "numPlayers": ((2,), "two players"),
    "numRounds": ((4,), "four rounds of betting"),
    "numSuits": ((4,), "a deck of 52 cards"),
    "numRanks": ((13,), "a deck of 52 cards"),
    "numHoleCards": ((2,), "two hole cards"),
    "numBoardCards": ((0, 3, 1, 1), "a flop, a turn and a river"),
    "firstPlayer": ((2, 1, 1, 1), "the small blind first before the flop, last after it"),
}
DEFAULTS = {"firstPlayer": (1, 1, 1, 1)}  # for rounds without a value
NUMBERS = re.compile(r"(?:[\s=]*[+-]?[0-9]+)*", re.ASCII)


@dataclass(frozen=True)
class _Line:
    """A line of the file: its number, its name, its values."""

    number: int
    name: str
    values: tuple[int, ...]

    def refuse(self, expected: str) -> InputError:
        """Return the error for a line of another game."""
        text = " ".join([self.name, *map(str, self.values)])
        return InputError(f"line {self.number}: {text}: expected {expected}")


def read_definition(text: str) -> Rules:
    """Return the blinds and stacks of a game definition file: heads-up no-limit hold'em.

    Args:
        text: The file, from GAMEDEF to END GAMEDEF.

    Returns:
        The rules for :func:`gpuodds.play.play_acpc`.

    Raises:
        InputError: It is another game: limit, more players or other cards, unequal stacks, a limit of
            raises, blinds that are not reversed. One line, with the line of the file.

    Example:
        >>> text = '''GAMEDEF
        ... nolimit
        ... numPlayers = 2
        ... numRounds = 4
        ... stack = 10000 10000
        ... blind = 50 25
        ... firstPlayer = 2 1 1 1
        ... numSuits = 4
        ... numRanks = 13
        ... numHoleCards = 2
        ... numBoardCards = 0 3 1 1
        ... END GAMEDEF'''
        >>> read_definition(text)
        Rules(seats=2, small_blind=25, big_blind=50, ante=0, stack=10000)
    """
    lines = _read_lines(text)
    betting = [line for line in lines.values() if line.name in ("limit", "nolimit")]
    if not betting:
        raise InputError("no line nolimit: a limit game; expected a no-limit one")
    last = max(betting, key=lambda line: line.number)
    if last.name == "limit":
        raise last.refuse("a no-limit game")
    for name, (values, meaning) in HEADS_UP_HOLDEM.items():
        wanted = f"{' '.join(map(str, values))}, {meaning}"
        if name not in lines:
            raise InputError(f"no line {name}: expected {name} = {wanted}")
        if lines[name].values[: len(values)] != values:
            raise lines[name].refuse(wanted)
    if "maxRaises" in lines and any(limit < MAX_ACTIONS for limit in lines["maxRaises"].values[:4]):
        raise lines["maxRaises"].refuse("no limit of the raises in a round")
    return _rules(lines)


def _read_lines(text: str) -> dict[str, _Line]:
    """Return the lines by name."""
    lines: dict[str, _Line] = {}
    for number, line in enumerate(text.split("\n"), 1):
        small = line.lower()
        if small.startswith("end gamedef"):
            break
        name = next((name for name in NAMES if small.startswith(name.lower())), None)
        if name is None:
            continue
        numbers = NUMBERS.match(line, len(name))
        texts = re.findall("[+-]?[0-9]+", numbers[0] if numbers else "")
        if any(len(each) > 11 or int(each) > MAX_CHIPS for each in texts):
            raise InputError(f"line {number}: {excerpt(line)}: expected at most {MAX_CHIPS:,}")
        values = tuple(map(int, texts))
        before = lines[name].values if name in lines else DEFAULTS.get(name, ())
        lines[name] = _Line(number, name, values + before[len(values) :])
    return lines


def _rules(lines: dict[str, _Line]) -> Rules:
    for name, example in (("stack", "20000 20000"), ("blind", "100 50")):
        if name not in lines:
            raise InputError(f"no line {name}: expected one, such as {name} = {example}")
    stack, blind = lines["stack"], lines["blind"]
    if len(stack.values) < 2 or stack.values[0] != stack.values[1]:
        raise stack.refuse("the same stack for each of two players")
    big, small = blind.values[:2] if len(blind.values) >= 2 else (0, 0)
    if not 0 < small < big:
        raise blind.refuse("the big blind, then the small one, such as 100 50")
    if big > stack.values[0]:
        raise blind.refuse(f"at most the stack, {stack.values[0]:,}")
    return Rules(2, small, big, stack=stack.values[0])
