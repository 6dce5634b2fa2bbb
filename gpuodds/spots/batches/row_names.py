"""Names of a batch's columns, read alike from files, data frames and dicts; none goes unnoticed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from gpuodds.basics.arguments import listed
from gpuodds.errors import InputError, excerpt

OPTIONAL = ("board", "dead", "opponents", "pot", "to_call", "game")
"""The columns that a row may have beside its players."""
EXPECTED = f"hand_1, hand_2, ..., and optionally {', '.join(OPTIONAL)}, folded or folded_1, ..."
ALL = "all"
NEAR = 0.8  # of 1, as difflib measures: hand2 is near hand_2, but hand_id and name are near nothing
MOST_NEAR = 40  # characters of a name that is compared
MOST_SHOWN = 5  # names in an error
_NUMBERED = re.compile(r"(hand|folded)_([1-9][0-9]{0,8})")
_DIGITS = re.compile(r"[0-9]+")
_PATTERNS = ("hand_#", *OPTIONAL, "folded", "folded_#")
_ANSWER = re.compile(
    r"(equity|win|tie)_[1-9][0-9]*|pot_odds|expected_value|outcomes|method|exact|backend|error"
)
_EVERY_ANSWER = frozenset({"equity_1", "win_1", "tie_1", "method", "exact", "error"})


@dataclass(frozen=True)
class Keep:
    """The columns that go with the answers.

    Attributes:
        names: Their names as :func:`plain_name` has them, each once, in order; ``all`` stands for all
            that are not known.
        is_option: Whether they were named by an option of the command, for messages.
    """

    names: tuple[str, ...] = ()
    is_option: bool = False

    @staticmethod
    def read(keep: Any) -> Keep:
        """Return the columns of an argument: a name, or a list of them.

        Raises:
            InputError: It is neither.
        """
        names = [keep] if isinstance(keep, str) else listed("keep", keep, "names of columns, or 'all'")
        return Keep(tuple(dict.fromkeys(map(plain_name, names))))

    @staticmethod
    def read_option(text: str | None) -> Keep:
        """Return the columns of the option ``--keep``, apart by commas; none for None.

        Raises:
            InputError: The text has no name.
        """
        names = [name for part in (text or "").split(",") if (name := plain_name(part))]
        if text is not None and not names:
            raise InputError(f"--keep {excerpt(text)}: expected names of columns, or all")
        return Keep(tuple(dict.fromkeys(names)), is_option=True)

    @property
    def has_all(self) -> bool:
        """Whether all columns are kept that are not known."""
        return ALL in self.names

    def hint(self, *more: str) -> str:
        """Return how these columns are kept as well, for messages."""
        names = list(dict.fromkeys([*self.names, *more]))
        if len(names) > MOST_SHOWN:
            names = list(dict.fromkeys([ALL, *more]))
        if not self.is_option:
            return f"keep={[excerpt(name) for name in names]}"
        return f"--keep {shlex.quote(','.join(map(excerpt, names)))}"


NOTHING = Keep()
"""No column goes with the answers."""


class RowNames(NamedTuple):
    """The columns of a batch, or the keys of one row.

    Attributes:
        used: Their names as they are given, by what they mean: ``hand_1``, ``board``.
        kept: The names of those that go with the answers, as they are given.
        error: What is wrong with them.
        hands: Of those used, ``hand_1``, ``hand_2``, ..., by number.
        folded: Of those used, ``folded``, then ``folded_1``, ``folded_2``, ..., by number.
    """

    used: dict[str, Any]
    kept: list[Any]
    error: InputError | None
    hands: list[str]
    folded: list[str]


def plain_name(name: Any) -> str:
    """Return a name without blanks around it, in small letters.

    >>> plain_name(" Hand_1 ")
    'hand_1'
    """
    return str(name).strip().lower()


def is_known(plain: str) -> bool:
    """Return whether a name, as :func:`plain_name` has it, is one of a column that is read."""
    return plain in ("hands", "folded", *OPTIONAL) or _NUMBERED.fullmatch(plain) is not None


def is_answer(plain: str) -> bool:
    """Return whether a name, as :func:`plain_name` has it, is one of a column of answers."""
    return _ANSWER.fullmatch(plain) is not None


def folded_names(names: Collection[str]) -> list[str]:
    """Return the names ``folded`` and ``folded_1``, ``folded_2``, ... among names, in this order.

    >>> folded_names(["folded_10", "folded_2", "board"])
    ['folded_2', 'folded_10']
    """
    return [*(["folded"] if "folded" in names else []), *_numbered_names(names, "folded")]


def hand_names(names: Iterable[str]) -> list[str]:
    """Return the names ``hand_1``, ``hand_2``, ... among names, in this order.

    Raises:
        InputError: There is none, or one is missing between others.
    """
    numbered = _numbered_names(names, "hand")
    wanted = [f"hand_{number}" for number in range(1, len(numbered) + 1)] or ["hand_1"]
    for name in wanted:
        if name not in numbered:
            raise InputError(f"column {name} is missing: expected {EXPECTED}")
    return wanted


def read_names(
    names: Iterable[Any], keep: Keep, *, what: str = "column", lists: bool = True
) -> RowNames:
    """Read the names of columns, or the keys of a row: each is known, kept or an error.

    Args:
        names: The names, usually texts.
        keep: Which ones go with the answers.
        what: ``"column"``, or ``"key"`` for those of one row, which may lack a column to be kept.
        lists: Whether a cell can be a list of players, so that there may be a column ``hands``.
    """
    by_plain_name: dict[str, Any] = {}
    error = None
    for name in names:
        plain = plain_name(name)
        if plain in by_plain_name and error is None:
            error = _is_twice(what, by_plain_name[plain], name)
        by_plain_name.setdefault(plain, name)
    used = {plain: name for plain, name in by_plain_name.items() if is_known(plain)}
    unknown = [plain for plain in by_plain_name if plain not in used]
    wanted = {*keep.names, *(unknown if keep.has_all else ())}
    kept = [name for plain, name in by_plain_name.items() if plain in wanted and not is_answer(plain)]
    error = error or _find_error(what, by_plain_name, used, unknown, keep, lists)
    return RowNames(used, kept, error, _numbered_names(used, "hand"), folded_names(used))


def nearest_name(name: str, lists: bool = True) -> str | None:
    """Return the known name that a name is nearly, if there is one.

    Args:
        name: The name, as :func:`plain_name` has it.
        lists: Whether ``hands`` is one of them.

    >>> nearest_name("hand2"), nearest_name("hand_02"), nearest_name("oponents"), nearest_name("id")
    ('hand_2', 'hand_2', 'opponents', None)
    """
    number = _DIGITS.search(name)
    near = _nearest_pattern(_DIGITS.sub("#", name), lists) if len(name) <= MOST_NEAR else None
    if near is None or "#" not in near:
        return near
    if number is None:
        return f"{near.replace('#', '1')}, {near.replace('#', '2')}, ..."
    return near.replace("#", str(max(int(number[0]), 1)))


@lru_cache(1 << 12)
def _nearest_pattern(name: str, lists: bool) -> str | None:
    from difflib import get_close_matches

    nearest = get_close_matches(name, ("hands", *_PATTERNS) if lists else _PATTERNS, 1, NEAR)
    return nearest[0] if nearest else None


def _numbered_names(names: Iterable[str], what: str) -> list[str]:
    """Return the names ``hand_1``, ``hand_2``, ... or ``folded_1``, ... among names, by number."""
    matches = [match for name in names if (match := _NUMBERED.fullmatch(name)) and match[1] == what]
    return [match[0] for match in sorted(matches, key=lambda match: int(match[2]))]


def _is_twice(what: str, first: Any, second: Any) -> InputError:
    shown = "" if str(first) == str(second) else f": {excerpt(repr(first))} and {excerpt(repr(second))}"
    return InputError(f"{what} {excerpt(plain_name(first))} is there twice{shown}")


def _find_error(
    what: str,
    by_plain_name: dict[str, Any],
    used: dict[str, Any],
    unknown: list[str],
    keep: Keep,
    lists: bool,
) -> InputError | None:
    """Return what is wrong with names of which none is there twice; what explains most comes first."""
    for plain in unknown:
        near = None if plain in keep.names else nearest_name(plain, lists)
        if near is not None:
            name, hint = excerpt(str(by_plain_name[plain])), keep.hint(plain)
            return InputError(
                f"{what} {name}: not known: did you mean {near}? ({hint} copies it unread)"
            )
    if not lists and "hands" in used:
        return InputError("column hands: expected a column for each player: hand_1, hand_2, ...")
    if "hands" not in used:
        try:
            hand_names(used)
        except InputError as error:
            return InputError(
                f"{error}; found {excerpt(','.join(map(str, by_plain_name.values())), 60)}"
            )
    return (
        _find_old_answers(what, by_plain_name, unknown, keep)
        or _find_absent(what, by_plain_name, keep)
        or _find_unknown(what, by_plain_name, unknown, keep, lists)
    )


def _find_old_answers(
    what: str, by_plain_name: dict[str, Any], unknown: list[str], keep: Keep
) -> InputError | None:
    """Return an error for names that the columns of the answers have, unless these replace them."""
    old = [plain for plain in unknown if is_answer(plain)]
    named = [plain for plain in old if plain in keep.names]
    if not old or (keep.has_all and not named and by_plain_name.keys() >= _EVERY_ANSWER):
        return None
    if named or not by_plain_name.keys() >= _EVERY_ANSWER:
        name = excerpt(str(by_plain_name[(named or old)[0]]))
        return InputError(f"{what} {name}: the answers have that name: rename it or leave it out")
    names, hint = _list([str(by_plain_name[plain]) for plain in old]), keep.hint(ALL)
    return InputError(f"{what}s {names}: answers from before: {hint} has new ones take their place")


def _find_unknown(
    what: str, by_plain_name: dict[str, Any], unknown: list[str], keep: Keep, lists: bool
) -> InputError | None:
    left = [plain for plain in unknown if plain not in keep.names]
    if keep.has_all or not left:
        return None
    many, pronoun = ("s", "them") if len(left) > 1 else ("", "it")
    shown = _list([str(by_plain_name[plain]) for plain in left])
    can_be_named = len(left) <= MOST_SHOWN and all(plain and "," not in plain for plain in left)
    hint = keep.hint(*(left if can_be_named else [ALL]))
    expected = f"{'hands, or ' if lists else ''}{EXPECTED}"
    return InputError(
        f"{what}{many} {shown}: not known: expected {expected} ({hint} copies {pronoun} unread)"
    )


def _find_absent(what: str, by_plain_name: dict[str, Any], keep: Keep) -> InputError | None:
    """Return an error for a name of a column to be kept that there is not."""
    absent = [name for name in keep.names if name not in by_plain_name and name != ALL]
    if what != "column" or not absent:
        return None
    from difflib import get_close_matches

    near = get_close_matches(absent[0][:MOST_NEAR], list(by_plain_name), 1, NEAR)
    meant = f": did you mean {excerpt(str(by_plain_name[near[0]]))}?" if near else ""
    option = "--keep" if keep.is_option else "keep"
    return InputError(f"{option} {excerpt(absent[0])}: there is no such column{meant}")


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_SHOWN:,} more" if len(names) > MOST_SHOWN else ""
    return ", ".join(map(excerpt, names[:MOST_SHOWN])) + more
