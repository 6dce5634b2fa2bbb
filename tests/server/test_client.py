"""The clients, where no server answers or one breaks off: an error of one line."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import gpuodds
from gpuodds.client import ServerError
from gpuodds.errors import InputError


@contextmanager
def answering(*parts: bytes, wait: float = 0.0) -> Iterator[str]:
    """Accept one request, send these bytes, wait, and close the connection."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            link, _ = listening.accept()
            with link:
                link.recv(65536)
                for part in parts:
                    link.sendall(part)
                time.sleep(wait)

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join()


def client_fault(address: str, call: str, **options: Any) -> Exception:
    """Return the error of a plain or an async client: one line, without a chained traceback."""

    async def later() -> None:
        async with gpuodds.AsyncClient(address, **options) as client:
            if call.endswith("stream"):
                _ = [event async for event in client.stream("AsKs")]
            else:
                await client.equity("AsKs")

    with pytest.raises((ServerError, InputError)) as raised:
        if call.startswith("later"):
            asyncio.run(later())
        else:
            with gpuodds.Client(address, **options) as client:
                _ = list(client.stream("AsKs")) if call == "stream" else client.equity("AsKs")
    assert "\n" not in str(raised.value)
    return raised.value


CALLS = ["plain", "stream", "later", "later stream"]


@pytest.mark.parametrize("call", CALLS)
def test_a_client_without_a_server(call: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    fault = client_fault(address, call)
    assert isinstance(fault, ServerError) and fault.status == 0
    assert str(fault).startswith(f"{address}: no server answers there (")
    assert str(fault).endswith("); start one with: gpuodds serve")
    fault = client_fault("127.0.0.1:8000", call)
    assert isinstance(fault, InputError)
    assert str(fault) == "address 127.0.0.1:8000: expected http://HOST:PORT or https://HOST:PORT"


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

ESTIMATE = b'event: estimate\ndata: {"exact": false}\n\n'

CHUNK = b"%x\r\n%s\r\n" % (len(ESTIMATE), ESTIMATE)


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("parts", "options", "expected"),
    [
        ([], {}, ": the connection ended before the answer"),
        ([HEAD + b"Content-Length: 100\r\n\r\n", b"{"], {}, ": the connection ended before the answer"),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno"], {}, None),
        (
            [b"HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno"],
            {},
            "the answer is not that of a gpuodds",
        ),
        ([b"SSH-2.0-OpenSSH_9.2\r\n"], {}, ": the connection ended before the answer"),
        ([], {"timeout": 0.2}, ": no answer within 0.2 s"),
    ],
)
def test_a_server_that_breaks_off(
    call: str, parts: list[bytes], options: dict[str, float], expected: str | None
) -> None:
    with answering(*parts, wait=0.6 if options else 0.0) as address:
        fault = client_fault(address, call, **options)
    assert isinstance(fault, ServerError) and fault.status == 0
    assert str(fault).startswith(address)
    if expected is None:
        stream = "stream" in call
        expected = "the connection ended" if stream else "the answer is not that of a gpuodds server"
    assert expected in str(fault)


@pytest.mark.parametrize("ending", [b"", b"0\r\n\r\n"])
def test_a_stream_that_breaks_off(ending: bytes) -> None:
    # Between two chunks, and as if it were whole.
    names = []
    with answering(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK + ending) as address:
        client = gpuodds.Client(address)
        with pytest.raises(ServerError, match=": the connection ended before the answer"):
            for name, _ in client.stream("AsKs"):
                names.append(name)
        client.close()
    assert names == ["estimate"]


@pytest.mark.parametrize("hands", ["\ud800", ["AA", "KK\udfff"]])
def test_half_characters_are_not_sent(hands: str | list[str]) -> None:
    half = "".join(hands)[-1]
    message = f"expected text, found {ascii(half)[1:-1]}, half of a character"
    with gpuodds.Client("http://127.0.0.1:9") as client:
        for ask in (client.equity, lambda hands: list(client.stream(hands)), client.flops):
            with pytest.raises(InputError) as error:
                ask(hands)
            assert str(error.value) == message
        with pytest.raises(InputError, match="expected finite numbers: "):
            client.equity("AA", time_limit=float("nan"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"type": "x/bad-input"}', "the server gave no reason"),
        (b'{"type": "x/not-enough-samples", "detail": 5}', "5"),
        (b'{"status": "no", "detail": "away"}', "away"),
    ],
)
def test_problems_of_other_servers(body: bytes, message: str) -> None:
    with answering(b"HTTP/1.1 500 No\r\nContent-Length: %d\r\n\r\n" % len(body) + body) as address:
        assert str(client_fault(address, "plain")) == message


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"{", "an event of the server is no JSON"), (b"[]", "the server gave no reason")],
)
def test_events_of_other_servers(data: bytes, message: str) -> None:
    event = b"event: error\ndata: %s\n\n" % data
    with answering(HEAD + b"Content-Length: %d\r\n\r\n" % len(event) + event) as address:
        assert str(client_fault(address, "stream")) == message


def test_an_event_that_breaks_off() -> None:
    event = b"event: answer\ndata: {}\n"  # the empty line that ends an event is missing
    with answering(HEAD + b"Content-Length: %d\r\n\r\n" % len(event) + event) as address:
        message = str(client_fault(address, "stream"))
    assert message == f"{address}: the connection ended before the answer"


def test_results_are_those_of_the_library(address: str) -> None:
    """What a server answers has the attributes of a result, and its figures."""
    spots: list[tuple[list[str], dict[str, Any]]] = [
        (["AsKs"], {"opponents": 3, "board": "2s7d9h"}),
        (["QQ+,AK:0.5", "22+"], {"board": "2s7d9h", "by_hand": True, "made_hands": True}),
        (["AKs", "QQ"], {"folded": ["AA"], "pot": 1100, "to_call": 1000, "explain": True}),
        (["AsAh2c3h", "7c8c9dTd"], {"board": "2s7d9h", "game": "omaha-hi-lo"}),
        (["random", "random"], {"board": "2s7d9h"}),
        (["AsKs", "QQ"], {"method": "monte-carlo", "samples": 5000, "seed": 1}),
    ]
    with gpuodds.Client(address) as client:
        for hands, options in spots:
            found = client.equity(hands, **options)
            assert isinstance(found, gpuodds.EquityResult)
            expected = gpuodds.equity(hands, **options, backend="cpu")
            for name in (
                *("exact", "method", "backend", "winners", "low_winners", "by_hand", "made_hands"),
                *("call", "outcomes", "random_equity", "equity"),
            ):
                assert getattr(found, name) == getattr(expected, name), name
            for player, other in zip(found.players, expected.players, strict=True):
                for name in (
                    *("hand", "equity", "equity_exact", "win", "tie", "lose", "standard_error"),
                    *("win_outcomes", "tie_outcomes", "outcomes"),
                ):
                    one, two = getattr(player, name), getattr(other, name)
                    assert one == two or (one != one and two != two), name
            assert found.spot.names == expected.spot.names
            assert (found.explanation is None) == (expected.explanation is None)
            assert found.seconds >= 0 and "<table>" in found._repr_html_()
            if found.by_hand is not None:
                assert found.hands_above(0.5) == expected.hands_above(0.5)
                assert found.equity_graph(0) == expected.equity_graph(0)
        graph = client.equity(["QQ+", "22+"], board="2s7d9h", equity_graph=True).equity_graph(1)
        count = gpuodds.equity(["QQ+", "22+"], board="2s7d9h", by_hand=True)
        assert graph == count.equity_graph(1)
        kinds = {kind: type(value) for kind, value in client.stream(["25%", "QQ"], board="2s7d9h")}
        assert issubclass(kinds["answer"], gpuodds.EquityResult)
