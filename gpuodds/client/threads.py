"""The client for threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from gpuodds.client import wire

if TYPE_CHECKING:
    from gpuodds.client.wire import StreamEvent
    from gpuodds.results.result import EquityResult


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
        address: str = wire.DEFAULT_ADDRESS,
        *,
        token: str | None = None,
        timeout: float = wire.DEFAULT_TIMEOUT,
    ) -> None:
        """Connect to a server at the first request."""
        self._address, self._timeout = address, timeout
        with wire.one_line(address, timeout):
            self._http = wire.import_httpx().Client(**wire.http_options(address, token, timeout))

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
        body = wire.body_of(hands, options)
        return wire.result_of(self._ask("POST", "/v1/equity", json=body), body)

    def stream(self, hands: str | Sequence[str], **options: Any) -> Iterator[StreamEvent]:
        """Yield ("estimate", result), ("progress", fraction) and last ("answer", result).

        The answer is exact, or sampled (``exact`` is False) and no worse than the last estimate.

        Args:
            hands: A hand (``"AsKs"``), a range (``"QQ+,AK"``), or a list of them.
            options: Further arguments of :func:`gpuodds.equity`.
        """
        body = wire.body_of(hands, options)
        with (
            wire.one_line(self._address, self._timeout),
            self._http.stream("POST", "/v1/equity/stream", json=body) as response,
        ):
            if response.status_code != 200:
                response.read()
                wire.read(response)
            for event in wire.event_source(response).iter_sse():
                if event.data:
                    yield wire.read_event(event, body)
                    if event.event == "answer":
                        return
            raise wire.broken_off(self._address)

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

    def push_fold(self, stacks: Sequence[float], **options: Any) -> dict[str, Any]:
        """Return an equilibrium of all-in or fold: the object ``gpuodds.push-fold/1``.

        Args:
            stacks: Chips in order of action, the blinds last.
            options: Further arguments of :func:`gpuodds.push_fold` but ``target``, ``time_limit``,
                ``progress`` and ``stop``, and ``hands`` for decisions to explain (``"BB:SB=K2o"``).
        """
        return self._ask("POST", "/v1/push-fold", json={"stacks": list(stacks), **options})

    def flops(self, hands: str | Sequence[str], **options: Any) -> dict[str, Any]:
        """Return the equities on every flop: the object ``gpuodds.board_report/1``.

        Args:
            hands: A hand, a range, or a list of them.
            options: Further arguments of :func:`gpuodds.flop_report`.
        """
        return self._ask("POST", "/v1/flops", json=wire.body_of(hands, options))

    def turns(self, hands: str | Sequence[str], **options: Any) -> dict[str, Any]:
        """Return the equities on every turn card: the object ``gpuodds.board_report/1``.

        Args:
            hands: A hand, a range, or a list of them.
            options: Further arguments of :func:`gpuodds.turn_report`; ``board`` is the flop.
        """
        return self._ask("POST", "/v1/turns", json=wire.body_of(hands, options))

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
        with wire.one_line(self._address, self._timeout):
            return wire.read(self._http.request(method, path, **options))
