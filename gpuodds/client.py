"""A client of the calculation server, for threads and for coroutines."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from gpuodds.errors import InputError

if TYPE_CHECKING:
    import httpx

USUAL_ADDRESS = "http://127.0.0.1:8000"
SECONDS = 120.0  # to wait for an answer


class ServerError(RuntimeError):
    """The server did not answer: it is busy, stopping, or the computation failed.

    ``status`` is the HTTP status, ``problem`` the problem+json object.
    """

    def __init__(self, problem: dict[str, Any]) -> None:
        """Take a problem+json object."""
        super().__init__(problem.get("detail", "the server gave no reason"))
        self.problem = problem
        self.status = int(problem.get("status", 500))


class Client:
    """Asks a server; answers are the JSON objects that the server gives.

    Bad input raises :class:`gpuodds.InputError`, another failure :class:`ServerError`.

    >>> with Client("http://127.0.0.1:8000") as client:  # doctest: +SKIP
    ...     client.equity("AsKs", opponents=3, board="2s7d9h")["players"][0]["equity"]
    0.257969821635901
    """

    def __init__(
        self, address: str = USUAL_ADDRESS, *, token: str | None = None, timeout: float = SECONDS
    ) -> None:
        """Take the server's address, and its token if it has one.

        Raises:
            InputError: httpx is not installed.
        """
        self._http = _httpx().Client(**_options(address, token, timeout))

    def __enter__(self) -> Client:
        """Use it in a ``with`` statement."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def equity(self, hands: str | Sequence[str], **options: Any) -> dict[str, Any]:
        """Return the equity of hands or ranges; options are those of :func:`gpuodds.equity`."""
        return _read(self._http.post("/v1/equity", json=_question(hands, options)))

    def stream(self, hands: str | Sequence[str], **options: Any) -> Iterator[tuple[str, Any]]:
        """Give ("estimate", dict), ("progress", share) and at last ("answer", dict).

        The answer is exact, or sampled (``"exact": False``) and no worse than the last estimate.
        """
        body = _question(hands, options)
        with self._http.stream("POST", "/v1/equity/stream", json=body) as response:
            if response.status_code != 200:
                response.read()
                _read(response)
            name = ""
            for line in response.iter_lines():
                name, event = _event(name, line)
                if event is not None:
                    yield event

    def range(self, text: str) -> dict[str, Any]:
        """Return a range's combos, grid, weights and its text in other dialects."""
        return _read(self._http.post("/v1/range", json={"text": text}))

    def kelly(self, hand: str, **options: Any) -> dict[str, Any]:
        """Return how much to bet; options are those of :func:`gpuodds.betting.kelly_bet`."""
        return _read(self._http.post("/v1/kelly", json={"hand": hand, **options}))

    def tables(self) -> dict[str, Any]:
        """Return the tables that the server has."""
        return _read(self._http.get("/v1/tables"))

    def rows(self, table: str, *hands: str, board: str = "") -> dict[str, Any]:
        """Return what a table has of some hands."""
        query = {"hand": list(hands), "board": board}
        return _read(self._http.get(f"/v1/tables/{table}/rows", params=query))

    def equities(self, board: str, opponents: int = 1) -> dict[str, Any]:
        """Return the equity of every hand on a board."""
        query = {"opponents": opponents}
        return _read(self._http.get(f"/v1/boards/{board}/equities", params=query))


class AsyncClient:
    """The same for coroutines: see :class:`Client`."""

    def __init__(
        self, address: str = USUAL_ADDRESS, *, token: str | None = None, timeout: float = SECONDS
    ) -> None:
        """Take the server's address, and its token if it has one.

        Raises:
            InputError: httpx is not installed.
        """
        self._http = _httpx().AsyncClient(**_options(address, token, timeout))

    async def __aenter__(self) -> AsyncClient:
        """Use it in an ``async with`` statement."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close it."""
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def equity(self, hands: str | Sequence[str], **options: Any) -> dict[str, Any]:
        """Return the equity of hands or ranges; options are those of :func:`gpuodds.equity`."""
        return _read(await self._http.post("/v1/equity", json=_question(hands, options)))

    async def stream(
        self, hands: str | Sequence[str], **options: Any
    ) -> AsyncIterator[tuple[str, Any]]:
        """Give ("estimate", dict), ("progress", share) and at last ("answer", dict).

        The answer is exact, or sampled (``"exact": False``) and no worse than the last estimate.
        """
        body = _question(hands, options)
        async with self._http.stream("POST", "/v1/equity/stream", json=body) as response:
            if response.status_code != 200:
                await response.aread()
                _read(response)
            name = ""
            async for line in response.aiter_lines():
                name, event = _event(name, line)
                if event is not None:
                    yield event

    async def range(self, text: str) -> dict[str, Any]:
        """Return a range's combos, grid, weights and its text in other dialects."""
        return _read(await self._http.post("/v1/range", json={"text": text}))

    async def kelly(self, hand: str, **options: Any) -> dict[str, Any]:
        """Return how much to bet; options are those of :func:`gpuodds.betting.kelly_bet`."""
        return _read(await self._http.post("/v1/kelly", json={"hand": hand, **options}))

    async def tables(self) -> dict[str, Any]:
        """Return the tables that the server has."""
        return _read(await self._http.get("/v1/tables"))

    async def rows(self, table: str, *hands: str, board: str = "") -> dict[str, Any]:
        """Return what a table has of some hands."""
        query = {"hand": list(hands), "board": board}
        return _read(await self._http.get(f"/v1/tables/{table}/rows", params=query))

    async def equities(self, board: str, opponents: int = 1) -> dict[str, Any]:
        """Return the equity of every hand on a board."""
        query = {"opponents": opponents}
        return _read(await self._http.get(f"/v1/boards/{board}/equities", params=query))


def _httpx() -> Any:
    try:
        import httpx
    except ImportError:
        raise InputError("client: httpx is not installed: pip install 'gpuodds[server]'") from None
    return httpx


def _options(address: str, token: str | None, timeout: float) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return {"base_url": address, "headers": headers, "timeout": timeout, "trust_env": False}


def _question(hands: str | Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    return {"hands": [hands] if isinstance(hands, str) else list(hands), **options}


def _read(response: httpx.Response) -> dict[str, Any]:
    if response.status_code == 200:
        found: dict[str, Any] = response.json()
        return found
    try:
        problem = response.json()
    except ValueError:
        problem = {"status": response.status_code, "detail": "the server gave no reason"}
    raise _error(problem)


def _error(problem: dict[str, Any]) -> Exception:
    names = ("bad-input", "malformed", "too-expensive")
    if str(problem.get("type", "")).endswith(names):
        return InputError(problem["detail"])
    return ServerError(problem)


def _event(name: str, line: str) -> tuple[str, tuple[str, Any] | None]:
    """Read a line of server-sent events; return the event's name so far, and the event if whole."""
    if line.startswith("event: "):
        return line.removeprefix("event: "), None
    if line.startswith("data: "):
        value = json.loads(line.removeprefix("data: "))
        if name == "error":
            raise _error(value)
        return name, (name, value)
    return name, None
