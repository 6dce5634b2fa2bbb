"""A dialogue as a value: what is said and asked, kept, followed and taken back.

A dialogue is a generator of what it says and asks. A :class:`Conversation` runs one and keeps the
answers; it takes the last one back by starting anew and giving all the answers but that.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from gpuodds.errors import InputError


@dataclass(frozen=True)
class Say:
    """A line to show."""

    text: str


@dataclass(frozen=True)
class Ask:
    """A question; an empty answer stands for the ``default`` if there is one."""

    prompt: str
    default: str = ""
    help: str = ""

    @property
    def text(self) -> str:
        """The prompt as it is shown."""
        return f"{self.prompt} [{self.default}]:" if self.default else f"{self.prompt}:"


@dataclass(frozen=True)
class Refused:
    """Why an answer is not taken; the question comes again."""

    reason: str


Event: TypeAlias = Say | Ask | Refused
Read = TypeVar("Read")
Talk: TypeAlias = Generator[Event, str, Read]


def ask(prompt: str, read: Callable[[str], Read], *, default: str = "", help: str = "") -> Talk[Read]:
    """Ask until ``read`` takes the answer, and return what it makes of it."""
    while True:
        answer = yield Ask(prompt, default, help)
        try:
            return read(answer or default)
        except InputError as error:
            yield Refused(str(error))


class Conversation:
    """A session as it goes: what was said, and the question that is open."""

    def __init__(self, start: Callable[[], Iterator[Event]]) -> None:
        """Begin a session that ``start`` makes, such as :meth:`.session.Session.talk`."""
        self._start = start
        self._begin()

    def _begin(self) -> None:
        self._talk: Any = self._start()
        self.answers: list[str] = []
        self.lines: list[str] = []
        self.question = self._go_on(None)

    def _go_on(self, answer: str | None) -> Ask:
        event = next(self._talk) if answer is None else self._talk.send(answer)
        while isinstance(event, Say):
            self.lines.append(event.text)
            event = next(self._talk)
        if isinstance(event, Refused):
            next(self._talk)
            raise InputError(event.reason)
        question: Ask = event
        return question

    def answer(self, text: str) -> list[str]:
        """Answer the open question; return the lines that follow.

        Raises:
            InputError: The answer makes no sense; the question is still open.
        """
        asked, before = self.question.prompt, len(self.lines)
        answered = text.strip()
        self.lines.append(f"{asked}: {answered or self.question.default}".rstrip())
        try:
            self.question = self._go_on(answered)
        except InputError:
            del self.lines[before:]
            if self._talk.gi_frame is None:  # not refused by the question: it ended the dialogue
                self._replay(self.answers)
            raise
        self.answers.append(answered)
        return self.lines[before + 1 :]

    def follow(self, transcript: str, figures: Sequence[str] = ()) -> list[str]:
        """Give the answers of a transcript; return where its ``figures`` are other than now.

        Lines that answer no question are passed over: what was said, comments, and zeros, with which
        other programs end a round that is over here.

        Raises:
            InputError: An answer makes no sense, or was given to a question that is not asked.
        """
        differences: list[str] = []
        asked: set[str] = set()
        said: dict[str, str] = {}
        for number, line in enumerate(transcript.splitlines(), 1):
            name, colon, said_then = line.strip().partition(":")
            if not colon or line.startswith("#"):
                continue
            said_then = said_then.strip()
            asked.add(self.question.prompt)
            if name == self.question.prompt:
                try:
                    lines = self.answer(said_then)
                except InputError as error:
                    if not said_then:  # the question that was open when the transcript ended
                        break
                    raise InputError(f"line {number}, {name}: {error}") from None
                said = {key: value.strip() for key, _, value in (new.partition(":") for new in lines)}
            elif name in figures and name in said:
                if said_then not in ("0", said[name]):
                    differences.append(f"line {number}: {name} {said_then} then, {said[name]} now")
            elif said_then != "0" and name in asked:
                raise InputError(f"line {number}: {name} is not asked, but {self.question.prompt}")
        return differences

    def undo(self) -> bool:
        """Take the last answer back; return whether there was one."""
        if not self.answers:
            return False
        self._replay(self.answers[:-1])
        return True

    def _replay(self, answers: Sequence[str]) -> None:
        self._begin()
        for answer in answers:
            self.answer(answer)
