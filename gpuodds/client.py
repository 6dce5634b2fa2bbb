"""A client of the calculation server, for threads and for coroutines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias
from urllib.parse import quote

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

__all__ = ["AsyncClient", "Client", "ServerError"]

DEFAULT_ADDRESS = "http://127.0.0.1:8000"
DEFAULT_TIMEOUT = 120.0  # seconds to wait for an answer


class Client:
    """A client of a calculation server: equities are results, other answers the server's JSON objects.

    Bad input raises :class:`gpuodds.InputError`, any other failure :class:`gpuodds.ServerError`.

    Args:
        address: The server's address.
        token: The server's token, if it has one.
        timeout: Seconds to wait for an answer, above 0.

    Raises:
        InputError: httpx is not installed, or the address is not an http:// or https:// address.

    Example:
        >>> with Client("http://127.0.0.1:8000") as client:  # doctest: +SKIP
        ...     client.equity("AsKs", opponents=3, board="2s7d9h").equity
        0.257969821635901
    """

    def __init__(
        self,
        address: str = DEFAULT_ADDRESS,
        *,
        token: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        """Connect to a server at the first request."""
        self._address, self._timeout = address, timeout
        with _one_line(address, timeout):
            self._http = _httpx().Client(**_options(address, token, timeout))

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the connections."""
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def equity(self, hands: str | Sequence[str], **options: Any) -> EquityResult:
        """Return each player's win, tie and equity, as :func:`gpuodds.equity` does.

        ``result.to_dict()`` is the object that the server sent.

        Args:
            hands: A hand (``"AsKs"``), a range (``"QQ+,AK"``), or a list of them.
            options: Further arguments of :func:`gpuodds.equity`; ``deadline`` in seconds.
        """
        body = _body(hands, options)
        return _result(self._ask("POST", "/v1/equity", json=body), body)

    def stream(self, hands: str | Sequence[str], **options: Any) -> Iterator[StreamEvent]:
        """Yield ("estimate", result), ("progress", fraction) and last ("answer", result).

        The answer is exact, or sampled (``exact`` is False) and no worse than the last estimate.

        Args:
            hands: A hand (``"AsKs"``), a range (``"QQ+,AK"``), or a list of them.
            options: Further arguments of :func:`gpuodds.equity`.
        """
        body = _body(hands, options)
        with (
            _one_line(self._address, self._timeout),
            self._http.stream("POST", "/v1/equity/stream", json=body) as response,
        ):
            if response.status_code != 200:
                response.read()
                _read(response)
            for event in _event_source(response).iter_sse():
                if event.data:
                    yield _event(event, body)
                    if event.event == "answer":
                        return
            raise _broken_off(self._address)

    def range(self, text: str, *, game: str = "holdem") -> dict[str, Any]:
        """Return a range's combos, grid or classes, weights and its text in other dialects.

        Args:
            text: The range.
            game: The name of the game.
        """
        return self._ask("POST", "/v1/range", json={"text": text, "game": game})

    def hits(self, text: str, **options: Any) -> dict[str, Any]:
        """Return a range's made hands and draws: the object ``gpuodds.hits/1``.

        Args:
            text: The range.
            options: ``board``, ``dead``, ``game``, ``by_hand`` for what each combo has, and
                ``filters`` for the range of those that have something.
        """
        return self._ask("POST", "/v1/hits", json={"text": text, **options})

    def kelly(self, hand: str, **options: Any) -> dict[str, Any]:
        """Return how much to bet: the object ``gpuodds.kelly/1``.

        Args:
            hand: The player's cards.
            options: Further arguments of :func:`gpuodds.betting.kelly_bet`.
        """
        return self._ask("POST", "/v1/kelly", json={"hand": hand, **options})

    def flops(self, hands: str | Sequence[str], **options: Any) -> dict[str, Any]:
        """Return the equities on every flop: the object ``gpuodds.board_report/1``.

        Args:
            hands: A hand, a range, or a list of them.
            options: Further arguments of :func:`gpuodds.flop_report`.
        """
        return self._ask("POST", "/v1/flops", json=_body(hands, options))

    def turns(self, hands: str | Sequence[str], **options: Any) -> dict[str, Any]:
        """Return the equities on every turn card: the object ``gpuodds.board_report/1``.

        Args:
            hands: A hand, a range, or a list of them.
            options: Further arguments of :func:`gpuodds.turn_report`; ``board`` is the flop.
        """
        return self._ask("POST", "/v1/turns", json=_body(hands, options))

    def games(self) -> dict[str, Any]:
        """Return the games that the server knows, with their rules."""
        return self._ask("GET", "/v1/games")

    def presets(self, game: str = "holdem") -> dict[str, Any]:
        """Return the ranges by name that the server offers: the object ``gpuodds.presets/1``.

        Args:
            game: The name of the game.
        """
        return self._ask("GET", "/v1/presets", params={"game": game})

    def tables(self) -> dict[str, Any]:
        """Return the tables that the server has."""
        return self._ask("GET", "/v1/tables")

    def rows(self, table: str, *hands: str, board: str = "") -> dict[str, Any]:
        """Return the rows of a table for some hands.

        Args:
            table: The table's name.
            hands: As many as the table compares, as text.
            board: The board's cards, as text.
        """
        query = {"hand": list(hands), "board": board}
        return self._ask("GET", f"/v1/tables/{quote(table, safe='')}/rows", params=query)

    def equities(self, board: str, opponents: int = 1) -> dict[str, Any]:
        """Return the equity of every hand of hold'em on a board, 0 to 1, by hand.

        Args:
            board: Three to five cards, as text.
            opponents: The number of random opponents, 1 or more.
        """
        query = {"opponents": opponents}
        return self._ask("GET", f"/v1/boards/{quote(board, safe='')}/equities", params=query)

    def _ask(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        with _one_line(self._address, self._timeout):
            return _read(self._http.request(method, path, **options))


class AsyncClient:
    """A client for coroutines with the methods of :class:`gpuodds.Client`.

    Args:
        address: The server's address.
        token: The server's token, if it has one.
        timeout: Seconds to wait for an answer, above 0.

    Raises:
        InputError: httpx is not installed, or the address is not an http:// or https:// address.

    Example:
        >>> async with AsyncClient("http://127.0.0.1:8000") as client:  # doctest: +SKIP
        ...     answer = await client.equity("AsKs", opponents=3, board="2s7d9h")
    """

    def __init__(
        self,
        address: str = DEFAULT_ADDRESS,
        *,
        token: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        """Connect to a server at the first request."""
        self._address, self._timeout = address, timeout
        with _one_line(address, timeout):
            self._http = _httpx().AsyncClient(**_options(address, token, timeout))

    async def __aenter__(self) -> Self:
        """Return the client."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close the connections."""
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def equity(self, hands: str | Sequence[str], **options: Any) -> EquityResult:
        """Return each player's win, tie and equity, as :func:`gpuodds.equity` does.

        ``result.to_dict()`` is the object that the server sent.

        Args:
            hands: A hand (``"AsKs"``), a range (``"QQ+,AK"``), or a list of them.
            options: Further arguments of :func:`gpuodds.equity`; ``deadline`` in seconds.
        """
        body = _body(hands, options)
        return _result(await self._ask("POST", "/v1/equity", json=body), body)

    async def stream(self, hands: str | Sequence[str], **options: Any) -> AsyncIterator[StreamEvent]:
        """Yield ("estimate", result), ("progress", fraction) and last ("answer", result).

        The answer is exact, or sampled (``exact`` is False) and no worse than the last estimate.

        Args:
            hands: A hand (``"AsKs"``), a range (``"QQ+,AK"``), or a list of them.
            options: Further arguments of :func:`gpuodds.equity`.
        """
        body = _body(hands, options)
        with _one_line(self._address, self._timeout):
            async with self._http.stream("POST", "/v1/equity/stream", json=body) as response:
                if response.status_code != 200:
                    await response.aread()
                    _read(response)
                async for event in _event_source(response).aiter_sse():
                    if event.data:
                        yield _event(event, body)
                        if event.event == "answer":
                            return
            raise _broken_off(self._address)

    async def range(self, text: str, *, game: str = "holdem") -> dict[str, Any]:
        """Return a range's combos, grid or classes, weights and its text in other dialects.

        Args:
            text: The range.
            game: The name of the game.
        """
        return await self._ask("POST", "/v1/range", json={"text": text, "game": game})

    async def hits(self, text: str, **options: Any) -> dict[str, Any]:
        """Return a range's made hands and draws: the object ``gpuodds.hits/1``.

        Args:
            text: The range.
            options: ``board``, ``dead``, ``game``, ``by_hand`` for what each combo has, and
                ``filters`` for the range of those that have something.
        """
        return await self._ask("POST", "/v1/hits", json={"text": text, **options})

    async def kelly(self, hand: str, **options: Any) -> dict[str, Any]:
        """Return how much to bet: the object ``gpuodds.kelly/1``.

        Args:
            hand: The player's cards.
            options: Further arguments of :func:`gpuodds.betting.kelly_bet`.
        """
        return await self._ask("POST", "/v1/kelly", json={"hand": hand, **options})

    async def flops(self, hands: str | Sequence[str], **options: Any) -> dict[str, Any]:
        """Return the equities on every flop: the object ``gpuodds.board_report/1``.

        Args:
            hands: A hand, a range, or a list of them.
            options: Further arguments of :func:`gpuodds.flop_report`.
        """
        return await self._ask("POST", "/v1/flops", json=_body(hands, options))

    async def turns(self, hands: str | Sequence[str], **options: Any) -> dict[str, Any]:
        """Return the equities on every turn card: the object ``gpuodds.board_report/1``.

        Args:
            hands: A hand, a range, or a list of them.
            options: Further arguments of :func:`gpuodds.turn_report`; ``board`` is the flop.
        """
        return await self._ask("POST", "/v1/turns", json=_body(hands, options))

    async def games(self) -> dict[str, Any]:
        """Return the games that the server knows, with their rules."""
        return await self._ask("GET", "/v1/games")

    async def presets(self, game: str = "holdem") -> dict[str, Any]:
        """Return the ranges by name that the server offers: the object ``gpuodds.presets/1``.

        Args:
            game: The name of the game.
        """
        return await self._ask("GET", "/v1/presets", params={"game": game})

    async def tables(self) -> dict[str, Any]:
        """Return the tables that the server has."""
        return await self._ask("GET", "/v1/tables")

    async def rows(self, table: str, *hands: str, board: str = "") -> dict[str, Any]:
        """Return the rows of a table for some hands.

        Args:
            table: The table's name.
            hands: As many as the table compares, as text.
            board: The board's cards, as text.
        """
        query = {"hand": list(hands), "board": board}
        return await self._ask("GET", f"/v1/tables/{quote(table, safe='')}/rows", params=query)

    async def equities(self, board: str, opponents: int = 1) -> dict[str, Any]:
        """Return the equity of every hand of hold'em on a board, 0 to 1, by hand.

        Args:
            board: Three to five cards, as text.
            opponents: The number of random opponents, 1 or more.
        """
        query = {"opponents": opponents}
        return await self._ask("GET", f"/v1/boards/{quote(board, safe='')}/equities", params=query)

    async def _ask(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        with _one_line(self._address, self._timeout):
            return _read(await self._http.request(method, path, **options))


def _httpx() -> Any:
    try:
        import httpx
    except ImportError:
        raise InputError("client: httpx is not installed: pip install 'gpuodds[server]'") from None
    return httpx


def _options(address: str, token: str | None, timeout: float) -> dict[str, Any]:
    # As bytes: httpx takes only ASCII text.
    authorization = b"Bearer " + token.encode("utf-8", "surrogateescape") if token else b""
    headers = {"Authorization": authorization} if token else {}
    return {"base_url": address, "headers": headers, "timeout": timeout, "trust_env": False}


@contextmanager
def _one_line(address: str, timeout: float) -> Iterator[None]:
    """Raise transport errors as one line that names the server."""
    httpx = _httpx()
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
        raise _broken_off(address) from None
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


def _broken_off(address: str) -> ServerError:
    return _no_answer(f"{address}: the connection ended before the answer")


def _body(hands: str | Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    return {"hands": [hands] if isinstance(hands, str) else list(hands), **options}


def _read(response: httpx.Response) -> dict[str, Any]:
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


def _event_source(response: httpx.Response) -> EventSource:
    """Return the reader of a response's server-sent events."""
    try:
        from httpx_sse import EventSource
    except ImportError:
        raise InputError("client: httpx-sse is not installed: pip install 'gpuodds[server]'") from None
    return EventSource(response)


def _event(event: ServerSentEvent, body: dict[str, Any]) -> StreamEvent:
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
        return event.event, _result(value, body)  # type: ignore[return-value]
    raise _no_answer("an event of the server is not known")


def _result(answer: dict[str, Any], body: dict[str, Any]) -> EquityResult:
    """Return the result of an answer to a request; its spot is read when it is asked for."""
    from gpuodds.results.served import ServedResult

    def read_spot() -> Spot:
        from gpuodds.spots.spot import Spot

        names = ("opponents", "board", "dead", "folded", "game")
        return Spot.of(body["hands"], **{name: body[name] for name in names if name in body})

    return ServedResult(answer, read_spot)
