"""The responses of routes in the OpenAPI description."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from gpuodds.server.answers import ProblemAnswer

_SCHEMA = {"application/problem+json": {"schema": ProblemAnswer.model_json_schema()}}
_LATER = {
    "description": "Seconds after which to retry.",
    "schema": {"type": "integer", "minimum": 1},
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": text, "content": _SCHEMA}
    for status, text in {
        400: "The input is invalid; the detail says why.",
        401: "A token is needed.",
        403: "The Host or the Origin is another server, or the request comes from another site.",
        404: "Not found.",
        405: "The method is not allowed.",
        408: "The head or the body arrived too slowly.",
        413: "The body is too large.",
        415: "The Content-Type is not the route's.",
        422: "The request is malformed, would take too long, or allows too few samples.",
        429: "The server is too busy to answer in time; Retry-After says when to retry.",
        431: "The head is too large.",
        500: "The computation failed.",
        503: "The server is stopping, warming up, or has too many connections.",
        504: "No answer in time.",
    }.items()
}
PROBLEMS[429]["headers"] = {"Retry-After": {**_LATER, "required": True}}
PROBLEMS[503]["headers"] = {"Retry-After": _LATER}  # none from a server that stops


def described(answer: type[BaseModel]) -> dict[int | str, dict[str, Any]]:
    """Return the responses of a route: its answer, and all problems."""
    return {200: {"model": answer, "description": (answer.__doc__ or "").strip()}, **PROBLEMS}
