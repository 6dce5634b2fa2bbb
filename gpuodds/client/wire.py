"""What both clients share: requests, answers, events and failures as they travel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from gpuodds.errors import NO_REASON, InputError, NotEnoughSamples, ServerError, excerpt

if TYPE_CHECKING:
    import httpx
    from httpx_sse import EventSource, ServerSentEvent

    from gpuodds.results.result import EquityResult
    from gpuodds.spots.spot import Spot

    StreamEvent: TypeAlias = (
        tuple[Literal["estimate"], EquityResult]
        | tuple[Literal["progress"], float]
        | tuple[Literal["answer"], EquityResult]
    )

DEFAULT_ADDRESS = "http://127.0.0.1:8000"
DEFAULT_TIMEOUT = 120.0  # seconds to wait for an answer


def import_httpx() -> Any:
    """Return the module httpx; raise InputError if it is not installed."""
    try:
        import httpx
    except ImportError:
        raise InputError("client: httpx is not installed: pip install 'gpuodds[server]'") from None
    return httpx


def http_options(address: str, token: str | None, timeout: float) -> dict[str, Any]:
    """Return the arguments of an httpx client."""
    # As bytes: httpx takes only ASCII text.
    authorization = b"Bearer " + token.encode("utf-8", "surrogateescape") if token else b""
    headers = {"Authorization": authorization} if token else {}
    return {"base_url": address, "headers": headers, "timeout": timeout, "trust_env": False}


@contextmanager
def one_line(address: str, timeout: float) -> Iterator[None]:
    """Raise transport errors as one line that names the server."""
    httpx = import_httpx()
    try:
        yield
    except (httpx.UnsupportedProtocol, httpx.InvalidURL):
        raise InputError(
            f"address {excerpt(address)}: expected http://HOST:PORT or https://HOST:PORT"
        ) from None
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise _no_answer(
            f"{address}: no server answers there ({error}); start one with: gpuodds serve"
        ) from None
    except httpx.TimeoutException:
        raise _no_answer(f"{address}: no answer within {timeout:g} s") from None
    except httpx.TransportError:
        raise broken_off(address) from None
    except httpx.HTTPError:
        raise _not_gpuodds(address) from None
    except UnicodeEncodeError as error:
        half = excerpt(error.object[error.start : error.end])
        raise InputError(f"expected text, found {half}, half of a character") from None
    except InputError:
        raise
    except ValueError as error:  # of what JSON has no way to write
        raise InputError(f"expected finite numbers: {excerpt(str(error), 100)}") from None


def _no_answer(detail: str) -> ServerError:
    return ServerError({"status": 0, "detail": detail})


def _not_gpuodds(address: object) -> ServerError:
    return _no_answer(f"{address}: the answer is not that of a gpuodds server")


def broken_off(address: str) -> ServerError:
    """Return the error of a connection that ended too early."""
    return _no_answer(f"{address}: the connection ended before the answer")


def body_of(hands: str | Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a request for some hands."""
    return {"hands": [hands] if isinstance(hands, str) else list(hands), **options}


def read(response: httpx.Response) -> dict[str, Any]:
    """Return the JSON object of a response, or raise the error that it describes."""
    try:
        answer = response.json()
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise _not_gpuodds(response.url)
    if response.status_code == 200:
        return answer
    raise _error(answer)


def _error(problem: dict[str, Any]) -> Exception:
    kind, detail = str(problem.get("type", "")), str(problem.get("detail", NO_REASON))
    if kind.endswith("not-enough-samples"):
        return NotEnoughSamples(detail)
    if kind.endswith(("bad-input", "malformed", "too-expensive")):
        return InputError(detail)
    return ServerError(problem)


def event_source(response: httpx.Response) -> EventSource:
    """Return the reader of a response's server-sent events."""
    try:
        from httpx_sse import EventSource
    except ImportError:
        raise InputError("client: httpx-sse is not installed: pip install 'gpuodds[server]'") from None
    return EventSource(response)


def read_event(event: ServerSentEvent, body: dict[str, Any]) -> StreamEvent:
    """Return an event; raise the error that it tells of."""
    try:
        value = event.json()
    except ValueError:
        raise _no_answer("an event of the server is no JSON") from None
    if event.event == "error":
        raise _error(value if isinstance(value, dict) else {})
    if event.event == "progress" and isinstance(value, int | float):
        return "progress", float(value)
    if event.event in ("estimate", "answer") and isinstance(value, dict):
        return event.event, result_of(value, body)  # type: ignore[return-value]
    raise _no_answer("an event of the server is not known")


def result_of(answer: dict[str, Any], body: dict[str, Any]) -> EquityResult:
    """Return the result of an answer to a request; its spot is read when it is asked for."""
    from gpuodds.results.served import ServedResult

    def read_spot() -> Spot:
        from gpuodds.spots.spot import Spot

        names = ("opponents", "board", "dead", "folded", "game")
        return Spot.of(body["hands"], **{name: body[name] for name in names if name in body})

    return ServedResult(answer, read_spot)
