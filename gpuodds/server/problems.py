"""Errors that clients see: problem+json (RFC 9457), one line, never a traceback."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from gpuodds.errors import InputError, NotEnoughSamples

if TYPE_CHECKING:
    from fastapi.responses import JSONResponse

TYPES = "https://gpuodds.invalid/problems/"


class Problem(Exception):
    """An error that a client sees instead of an answer."""

    def __init__(
        self,
        status: int,
        name: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        retry_after: int | None = None,
        **members: Any,
    ) -> None:
        """Describe an error.

        Args:
            status: HTTP status.
            name: For programs: the end of the problem's type.
            detail: For people: one line.
            headers: Further headers of the response.
            retry_after: Seconds after which to retry, for the header and the JSON object.
            members: Further members of the JSON object.
        """
        super().__init__(detail)
        self.status, self.name, self.headers, self.members = status, name, dict(headers or {}), members
        if retry_after is not None:
            self.headers["Retry-After"] = str(retry_after)
            self.members["retry_after"] = retry_after

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle, for a worker process that hands it over."""
        return _made, (self.status, self.name, str(self), self.headers, self.members)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "type": TYPES + self.name,
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": str(self),
            **self.members,
        }

    def response(self) -> JSONResponse:
        """Return the HTTP response."""
        from fastapi.responses import JSONResponse  # worker processes need none

        return JSONResponse(
            self.to_dict(), self.status, self.headers, media_type="application/problem+json"
        )


def _made(
    status: int, name: str, detail: str, headers: dict[str, str], members: dict[str, Any]
) -> Problem:
    problem = Problem(status, name, detail)
    problem.headers, problem.members = headers, members
    return problem


class InputErrorAt(InputError):
    """Invalid input, and which input of the request is at fault: ``hands.1``, ``board``, ..."""

    def __init__(self, message: str, place: str) -> None:
        """Take the message, and the name of the input."""
        super().__init__(message)
        self.input = place


def as_problem(error: Exception) -> Problem:
    """Return what a client sees of an error: bad input in full, others without any detail."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, NotEnoughSamples):
        return not_enough_samples(str(error))
    if isinstance(error, InputErrorAt):
        return Problem(400, "bad-input", str(error), input=error.input)
    if isinstance(error, InputError):
        return Problem(400, "bad-input", str(error))
    return Problem(500, "fault", "an internal fault")


def not_enough_samples(detail: str) -> Problem:
    """Return the problem of an answer from too few samples."""
    return Problem(422, "not-enough-samples", detail)


def warming_up(reason: str, seconds: int) -> Problem:
    """Return the problem of a request that needs a worker before one is ready.

    Args:
        reason: Why none is, if that is known.
        seconds: After which to retry.
    """
    why = f" ({reason})" if reason else ""
    detail = f"the server is warming up{why}: ask again in {seconds} s"
    return Problem(503, "warming-up", detail, retry_after=seconds)


def first_error(errors: Sequence[Any]) -> str:
    """Return a line with the first of pydantic's errors, and how many more there are."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "path", "query"))
    more = f" ({len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{place or 'body'}: {first['msg']}{more}"
