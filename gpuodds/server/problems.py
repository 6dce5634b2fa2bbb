"""Errors as the server tells them: problem+json (RFC 9457), one line, never a traceback."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi.responses import JSONResponse

TYPES = "https://gpuodds.invalid/problems/"


class Problem(Exception):
    """What a request is answered with in place of its answer."""

    def __init__(
        self,
        status: int,
        name: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        retry_after: int | None = None,
        **more: Any,
    ) -> None:
        """Take an HTTP status, a name for programs and a line for people.

        ``retry_after`` is the seconds after which to ask again, for the header and the JSON object.
        """
        super().__init__(detail)
        self.status, self.name, self.headers, self.more = status, name, dict(headers or {}), more
        if retry_after is not None:
            self.headers["Retry-After"] = str(retry_after)
            self.more["retry_after"] = retry_after

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "type": TYPES + self.name,
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": str(self),
            **self.more,
        }

    def response(self) -> JSONResponse:
        """Return the HTTP response."""
        return JSONResponse(
            self.to_dict(), self.status, self.headers, media_type="application/problem+json"
        )


def first_fault(errors: Any) -> str:
    """Return a line for what pydantic found wrong first, and how much more there is."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "path", "query"))
    more = f" ({len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{place or 'body'}: {first['msg']}{more}"
