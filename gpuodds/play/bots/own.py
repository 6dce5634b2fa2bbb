"""Bots that users write: classes in a file or a module of their own, ``bot.py:PotOdds``."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, NoReturn, get_args

from gpuodds.client import ServerError
from gpuodds.errors import InputError, escaped, excerpt
from gpuodds.play.equities import ENGINE, Equities
from gpuodds.play.failure import BotError
from gpuodds.play.game import Ended
from gpuodds.play.turns import Kind, Move, Observation

KINDS = get_args(Kind)


def own_bot(bot: str | Callable[..., Any], equities: Equities | None) -> Callable[[Random], OwnBot]:
    """Return a function that makes a bot of the user's from the source of its draws.

    Args:
        bot: ``FILE.py:CLASS``, ``MODULE:CLASS``, or the class.
        equities: Handed to a class whose constructor has a parameter of this name.

    Raises:
        InputError: There is no such file, module or class, or it is not one of a bot.
        BotError: The file or the module fails.
    """
    made = _load(bot) if isinstance(bot, str) else bot
    name = bot if isinstance(bot, str) else bot_name(bot)
    if not callable(getattr(made, "act", None)):
        raise InputError(f"bot {excerpt(name, 200)}: expected a class with a method act")
    return lambda draw: OwnBot(name, made, draw, equities)


def bot_name(bot: str | Callable[..., Any]) -> str:
    """Return the name of a bot: the text that names it, or the name of its class."""
    return bot if isinstance(bot, str) else str(getattr(bot, "__name__", bot))


def check_processes(bots: Iterable[str | Callable[..., Any]], workers: int) -> None:
    """Check that other processes can import the bots.

    Raises:
        InputError: A class is not part of a file, and there is more than one process.
    """
    for bot in bots:
        main = sys.modules["__main__"]
        at_hand = getattr(bot, "__module__", "") == "__main__" and not hasattr(main, "__file__")
        if workers > 1 and not isinstance(bot, str) and (at_hand or "<locals>" in bot.__qualname__):
            raise InputError(
                f"bot {bot_name(bot)}, workers {workers}: expected a class of a file,"
                f" as in FILE.py:{bot_name(bot)}, which other processes can read"
            )


class OwnBot:
    """A user's bot, whose errors name the line at fault.

    Args:
        name: The bot, as the user named it.
        made: The class. Its constructor takes nothing, or the source of its draws, and ``equities`` if
            it has a parameter of this name.
        draw: A ``random.Random``.
        equities: A :class:`gpuodds.play.ServerEquities`. Default: the engine of this process.

    Raises:
        BotError: The constructor fails.
    """

    def __init__(
        self, name: str, made: Callable[..., Any], draw: Random, equities: Equities | None
    ) -> None:
        """Make the bot."""
        self._name, self._file = name, _file_of(made)
        try:
            parameters = list(inspect.signature(made).parameters.values())
            places = [each for each in parameters if each.kind in (0, 1, 2) and each.name != "equities"]
            has_equities = any(each.name == "equities" for each in parameters)
            keywords = {"equities": equities or ENGINE} if has_equities else {}
            self._bot = made(*([draw] if places else []), **keywords)
        except (Exception, SystemExit) as error:
            _fail(name, self._file, error)

    def act(self, seen: Observation) -> Move:
        """Return the bot's move.

        Args:
            seen: What the player knows.

        Raises:
            BotError: The bot fails, or returns no move.
        """
        try:
            move = self._bot.act(seen)
        except (Exception, SystemExit) as error:
            _fail(self._name, self._file, error)
        if not isinstance(move, Move) or move.kind not in KINDS or not isinstance(move.to, int | float):
            code = getattr(inspect.unwrap(self._bot.act), "__code__", None)
            place = f", line {code.co_firstlineno}" if code is not None else ""
            raise BotError(
                f"bot {escaped(self._name)}{place}, in act: expected a Move of fold, call or raise,"
                f" found {excerpt(repr(move), 80)}"
            )
        return move

    def end(self, hand: Ended) -> None:
        """Tell the bot how the hand ended, if it has a method ``end``.

        Args:
            hand: What the player knows of it.

        Raises:
            BotError: The bot fails.
        """
        end = getattr(self._bot, "end", None)
        if end is not None:
            try:
                end(hand)
            except (Exception, SystemExit) as error:
                _fail(self._name, self._file, error)


def _load(name: str) -> Callable[..., Any]:
    """Return the class that a text names."""
    place, colon, wanted = name.rpartition(":")
    if not colon:
        place, wanted = wanted, ""
    if place.endswith(".py"):
        path = Path(place).expanduser()
        if not path.is_file():
            raise InputError(f"bot {excerpt(name, 200)}: there is no file {excerpt(place, 200)}")
        module = _run_file(os.path.abspath(path), path.stat().st_mtime_ns, name)
    else:
        module = _import(place, name)
    found = getattr(module, wanted, None) if wanted else None
    if found is None or not callable(found):
        classes = [
            key
            for key, value in vars(module).items()
            if inspect.isclass(value) and value.__module__ == module.__name__ and hasattr(value, "act")
        ]
        written = ", ".join(f"{place}:{each}" for each in classes) or f"{place}:CLASS with a method act"
        raise InputError(f"bot {excerpt(name, 200)}: expected {written}")
    return found  # type: ignore[no-any-return]


@lru_cache(maxsize=64)
def _run_file(path: str, changed: int, name: str) -> Any:
    """Return the module of a file; run it once, and again after a change.

    Args:
        path: The whole path.
        changed: When the file was changed.
        name: The bot, for messages.
    """
    key = f"gpuodds_bot_{Path(path).stem}_{abs(hash(path)):x}"
    spec = importlib.util.spec_from_file_location(key, path)
    if spec is None or spec.loader is None:
        raise InputError(f"bot {excerpt(name, 200)}: expected a file of Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[key] = module  # dataclasses look their module up
    if (folder := os.path.dirname(path)) not in sys.path:
        sys.path.append(folder)  # for the files beside it
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[key]
        _fail(name, path, error)
    return module


def _import(module: str, name: str) -> Any:
    """Return a module by its name; the current folder counts, as for ``python -m``."""
    if (folder := os.getcwd()) not in sys.path:
        sys.path.append(folder)
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            _fail(name, "", error)
        raise InputError(
            f"bot {excerpt(name, 200)}: there is no module {excerpt(module)}; a file is FILE.py:CLASS"
        ) from None
    except (ValueError, TypeError):
        raise InputError(f"bot {excerpt(name, 200)}: expected FILE.py:CLASS or MODULE:CLASS") from None
    except (Exception, SystemExit) as error:
        _fail(name, "", error)


def _file_of(made: Callable[..., Any]) -> str:
    try:
        return inspect.getfile(made)
    except (TypeError, OSError):
        return ""


def _fail(name: str, file: str, error: BaseException) -> NoReturn:
    """Raise what a bot raised as an error that names the line of the bot that was at fault."""
    if isinstance(error, ServerError):
        raise error
    if isinstance(error, SyntaxError):
        place = f"{error.filename or name}, line {error.lineno}"
    else:
        trace = traceback.extract_tb(error.__traceback__)
        frames = [frame for frame in trace if not frame.filename.startswith("<frozen")]
        own = [frame for frame in frames if frame.filename == file] or frames[-1:]
        frame = own[-1]
        within = "" if frame.name == "<module>" else f", in {frame.name}"
        place = f"{frame.filename}, line {frame.lineno}{within}"
    written = name.rpartition(":")[0]
    if file and place.startswith(file) and written.endswith(".py"):
        place = written + place[len(file) :]
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    what = f"{type(error).__name__}: {text}" if text else type(error).__name__
    raise BotError(f"bot {escaped(place)}: {excerpt(what, 200)}") from error
