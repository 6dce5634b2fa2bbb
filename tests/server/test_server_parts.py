"""Parts of the server that a request does not reach easily."""

from __future__ import annotations

import asyncio
import errno
import json
import socket
from itertools import permutations
from pathlib import Path
from typing import Any

import needs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from server_fixture import NoProcesses

import gpuodds
from gpuodds.cards import SUITS
from gpuodds.cli.main import run
from gpuodds.errors import InputError
from gpuodds.server.cache.cache import MemoryCache, default_file, open_cache
from gpuodds.server.cache.disk import DiskStore
from gpuodds.server.cache.store import Failures
from gpuodds.server.connections.middleware import AccessMiddleware
from gpuodds.server.dispatch.dispatcher import Dispatcher
from gpuodds.server.dispatch.reader import MAX_READ
from gpuodds.server.reading.parsed import ParsedRequest
from gpuodds.server.requests import EquityRequest
from gpuodds.server.settings import Settings


def parsed(hands: list[str], **options: Any) -> ParsedRequest:
    return ParsedRequest(EquityRequest.model_validate({"hands": hands, **options}))


RANGES = st.sampled_from(["QQ+,AK", "AKs:0.5,22", "AsKs,AhKd", "15%", "JTs"])
DECK = [rank + suit for rank in "23456789TJQKA" for suit in SUITS]


@st.composite
def spots(draw: st.DrawFn) -> tuple[list[str], str, str]:
    cards = draw(st.permutations(DECK))
    known = [cards[0] + cards[1], cards[2] + cards[3]][: draw(st.integers(0, 2))]
    ranges = draw(st.lists(RANGES, min_size=2 - len(known), max_size=3 - len(known)))
    board = "".join(cards[4 : 4 + draw(st.sampled_from([3, 4, 5]))])
    return [*known, *ranges], board, "".join(cards[10 : 10 + draw(st.integers(0, 2))])


def renamed(text: str, names: tuple[str, ...]) -> str:
    letters = dict(zip(SUITS, names, strict=True))
    # Suits follow ranks; an s of "AKs" follows a rank, too, and is no suit.
    parts = []
    for item in text.split(","):
        is_cards = len(item) % 2 == 0 and all(letter in SUITS for letter in item[1::2])
        parts.append("".join(letters.get(c, c) for c in item) if is_cards else item)
    return ",".join(parts)


@settings(deadline=None, max_examples=60)
@given(spots(), st.sampled_from(list(permutations(SUITS))), st.randoms())
def test_equal_spots_share_a_key(
    spot: tuple[list[str], str, str], names: tuple[str, ...], draw: Any
) -> None:
    hands, board, dead = spot
    try:
        one = parsed(hands, board=board, dead=dead)
    except InputError:
        return
    others = [renamed(hand, names) for hand in hands]
    draw.shuffle(others)
    other = parsed(others, board=renamed(board, names), dead=renamed(dead, names))
    assert one.key == other.key
    assert parsed(hands, board=board, dead=dead, opponents=1).key != one.key
    assert parsed(hands, board=board, dead=dead, table=False).key != one.key


@pytest.mark.parametrize("by_hand", [False, True])
def test_answers_survive_the_canonical_form(by_hand: bool) -> None:
    for hands, board in ((["QQ,AsKs", "JTs", "AhKd"], "2h7d9s"), (["AsKs", "QhQd"], "2c7s9h3d")):
        asked = parsed(hands, board=board, by_hand=by_hand)
        answer = gpuodds.equity(hands, board=board, by_hand=by_hand, backend="cpu").to_dict()
        canonical = json.loads(json.dumps(asked.form.to_canonical(answer)))
        assert asked.form.from_canonical(canonical) == answer


def test_notes_on_a_range_are_those_of_the_request() -> None:
    noted, plain = parsed(["76s+", "22"], board="2s7d9h"), parsed(["76s", "22"], board="2s7d9h")
    assert noted.key == plain.key
    answer = gpuodds.equity(["76s+", "22"], board="2s7d9h", backend="cpu").to_dict()
    canonical = json.loads(json.dumps(noted.form.to_canonical(answer)))
    assert "notes" not in canonical and "notes" not in plain.form.from_canonical(canonical)
    assert noted.form.from_canonical(canonical) == answer and answer["notes"][0].startswith(
        "76s+ is read as"
    )


@pytest.mark.parametrize(
    ("hand", "noted"),
    [
        ("AsKs QhQd", "two readings"),
        ("AsKs QQ", "two readings"),
        ("#UTG#", "only the command"),
        ("@/etc/hosts", "only the command"),
    ],
)
def test_a_hand_is_one_player_and_no_file(hand: str, noted: str) -> None:
    with pytest.raises(InputError, match=noted):
        parsed([hand, "22"])


def test_memory_is_bounded() -> None:
    memory = MemoryCache(1000)
    for number in range(100):
        memory.put(f"{number:03}", b"x" * 97)
        memory.get("000")
    assert memory.num_bytes == 1000 and len(memory) == 10
    assert memory.get("000") and memory.get("099") and memory.get("050") is None
    memory.put("099", b"y")
    assert memory.num_bytes == 904
    memory.put("huge", b"x" * 2000)
    assert len(memory) == 0 and memory.num_bytes == 0


def test_a_file_is_bounded_and_shared(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "answers.sqlite"

    async def fill() -> None:
        one, two = DiskStore(path, 5000, Failures()), DiskStore(path, 5000, Failures())
        for number in range(300):
            await one.put(f"{number:03}", b"x" * 100)
        assert await one.get("299") == b"x" * 100  # before it is written
        await one.close()
        assert await two.get("299") == b"x" * 100
        assert await two.get("000") is None
        await two.close()

    asyncio.run(fill())
    assert path.stat().st_size < 200_000
    with pytest.raises(InputError, match=r"cache .*: "):
        open_cache(str(path / "below-a-file" / "answers.sqlite"), 1000)


def test_the_default_file_of_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_file() == tmp_path / "gpuodds" / "answers.sqlite"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "me")
    assert default_file() == tmp_path / "me" / ".cache" / "gpuodds" / "answers.sqlite"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # of which the XDG specification takes no notice
    assert default_file() == tmp_path / "me" / ".cache" / "gpuodds" / "answers.sqlite"
    monkeypatch.setattr(Path, "home", lambda: Path("here"))
    with pytest.raises(InputError, match="this user has no home"):
        default_file()

    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    with pytest.raises(
        InputError, match="this user has no home: expected memory, a file, or XDG_CACHE"
    ):
        open_cache("disk", 1000)


@needs.posix
def test_a_file_of_the_cache_that_others_can_write_is_said(tmp_path: Path, caplog: Any) -> None:
    asyncio.run(open_cache(str(tmp_path / "answers.sqlite"), 1000).close())
    assert not caplog.messages
    (tmp_path / "answers.sqlite").chmod(0o666)
    asyncio.run(open_cache(str(tmp_path / "answers.sqlite"), 1000).close())
    why = f"{tmp_path / 'answers.sqlite'} is writable for everyone"
    assert caplog.messages == [
        f"cache {tmp_path / 'answers.sqlite'}: {why}: others can change what this server answers"
    ]


def test_a_client_that_does_not_read_is_disconnected() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def stuck(message: Any) -> None:
        await asyncio.sleep(60)

    async def nothing() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    counted: list[tuple[str, int]] = []
    middleware = AccessMiddleware(
        app, Settings(send_seconds=0.1), lambda path, status, seconds: counted.append((path, status))
    )
    scope = {"type": "http", "path": "/", "headers": [(b"host", b"localhost:8000")]}
    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(asyncio.wait_for(middleware(scope, nothing, stuck), 5))
    assert counted == [("other", 200)]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--host", "0.0.0.0"], "host 0.0.0.0: beyond this machine a token is needed"),
        (["--port", "70000"], "--port 70000: expected 0 to 65535"),
        (["--port", "x"], "--port x: expected a whole number"),
        (["--workers", "0"], "--workers 0: expected 1 or more"),
        (["--cache", f"{__file__}/x"], f"cache {__file__}/x: "),
        (["--time-limit", "0"], "--time-limit 0: expected 1 or more"),
        (["--backend", "tpu"], "backend"),
    ],
)
def test_bad_options(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    expected: str,
) -> None:
    monkeypatch.delenv("GPUODDS_TOKEN", raising=False)
    assert run(["serve", *arguments]) == 2
    assert expected in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("host", "fault", "expected"),
    [
        (
            "127.0.0.1",
            PermissionError(errno.EACCES, "no"),
            "--port 80: not allowed for this user; use",
        ),
        ("192.0.2.1", None, "--host 192.0.2.1: this machine has no such address"),
        ("a.invalid", None, "--host a.invalid: expected an address of this machine"),
        (70 * "a", None, f"--host {40 * 'a'}...: expected an address of this machine"),
    ],
)
def test_addresses_that_cannot_be_used(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    fault: OSError | None,
    expected: str,
) -> None:
    def fail(*address: Any, **options: Any) -> Any:
        raise fault or AssertionError

    monkeypatch.setenv("GPUODDS_TOKEN", "a token")
    if fault is not None:  # what a user without privileges meets
        monkeypatch.setattr(socket, "create_server", fail)
    assert run(["serve", "--host", host, "--port", "80" if fault else "0", "--cache", "memory"]) == 2
    assert capsys.readouterr().err.startswith(f"gpuodds: {expected}")


def test_two_servers_do_not_share_a_port() -> None:
    from gpuodds.cli.serve import _listen

    with _listen("127.0.0.1", 0) as first, pytest.raises(InputError, match="in use; choose"):
        _listen("127.0.0.1", first.getsockname()[1])
    with _listen("::1", 0) as first:
        assert first.getsockname()[0] == "::1"


async def status_of(
    headers: list[tuple[bytes, bytes]], kind: str = "http", query: bytes = b"", **options: Any
) -> int:
    """Return the status that a request with these headers gets, 200 if it passes the middleware."""
    status = [0]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        status[0] = 200

    async def nothing() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def sent(message: Any) -> None:
        status[0] = status[0] or message.get("status", 403)

    scope = {"type": kind, "path": "/v1/tables", "headers": headers, "query_string": query}
    middleware = AccessMiddleware(app, Settings(**options), lambda *counted: None)
    await middleware(scope, nothing, sent)
    return status[0]


NAMES = st.sampled_from(
    [b"host", b"origin", b"authorization", b"sec-fetch-site", b"sec-fetch-mode", b"content-length"]
)
VALUES = st.one_of(
    st.binary(max_size=20),
    st.sampled_from(
        [
            b"http://[",
            b"http://[::1",
            b"localhost",
            b"[::1",
            b"[",
            b"Bearer ",
            b"bearer x",
            b"Bearer \xff",
        ]
    ),
)


@settings(deadline=None)
@given(
    st.lists(st.tuples(NAMES, VALUES)), st.binary(max_size=30), st.sampled_from(["http", "websocket"])
)
def test_odd_headers_cause_no_fault(
    headers: list[tuple[bytes, bytes]], query: bytes, kind: str
) -> None:
    assert asyncio.run(status_of(headers, kind, query)) in (200, 400, 403, 413)
    found = asyncio.run(status_of(headers, kind, b"token=%ff&" + query, token="\xfc \udcff"))
    assert found in (400, 401, 403)


def test_the_socket_that_is_silent_longest_is_closed() -> None:
    ended: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            await send({"type": "websocket.send", "text": "heard"})
        ended.append(scope["name"])
        assert message["code"] == 1013

    async def work() -> None:
        middleware = AccessMiddleware(app, Settings(sockets=3), lambda *counted: None)
        queues: dict[str, asyncio.Queue[Any]] = {}
        sent: list[tuple[str, Any]] = []

        def begin(name: str) -> asyncio.Task[None]:
            queues[name] = asyncio.Queue()
            headers = [(b"host", b"localhost")]
            scope = {"type": "websocket", "path": "/v1/socket", "headers": headers, "name": name}

            async def send(message: Any) -> None:
                sent.append((name, message.get("code")))

            return asyncio.create_task(middleware(scope, queues[name].get, send))

        tasks = []
        for name in "abc":
            tasks.append(begin(name))
            await asyncio.sleep(0)
        queues["a"].put_nowait({"type": "websocket.receive"})
        while not sent:
            await asyncio.sleep(0)
        for name in "de":
            tasks.append(begin(name))
            await asyncio.sleep(0)
        await asyncio.gather(tasks[1], tasks[2])
        assert ended == ["b", "c"] and sent == [("a", None), ("b", 1013), ("c", 1013)]
        for task in tasks:
            task.cancel()

    asyncio.run(work())


def test_an_answer_is_written_anew_when_the_cache_holds_another() -> None:
    request = ParsedRequest(EquityRequest(hands=["QQ+,AK", "22+"], board="2s7d9h"))
    answer = request.form.to_canonical(gpuodds.equity(["QQ+,AK", "22+"], board="2s7d9h").to_dict())
    values = [json.dumps(answer | {"seconds": seconds}).encode() for seconds in (1.0, 2.0)]
    written = [request.form.write_answer(value) for value in (*values, *values[1:])]
    assert [json.loads(text)["seconds"] for text in written] == [1.0, 2.0, 2.0]
    assert written[1] == written[2]


def test_requests_that_were_read_are_kept_up_to_a_number() -> None:
    async def read() -> None:
        dispatcher = Dispatcher(NoProcesses(), open_cache("memory", 1000), Settings())
        body = EquityRequest(hands=["QQ+", "AK"], board="2s7d9h")
        first = await dispatcher.reader.read(body, stream=False)
        again = await dispatcher.reader.read(body.model_copy(), stream=False)
        assert again is first
        by_hand = body.model_copy(update={"by_hand": True})
        assert await dispatcher.reader.read(by_hand, stream=False) is not first
        for seed in range(MAX_READ):
            await dispatcher.reader.read(body.model_copy(update={"seed": seed}), stream=False)
        assert await dispatcher.reader.read(body, stream=False) is not first

    asyncio.run(read())
