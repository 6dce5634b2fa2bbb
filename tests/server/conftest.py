"""Shared by the server's tests: one server with default settings, and its page in a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from page_driver import looks
from server_fixture import serving

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    with serving(tmp_path_factory.mktemp("serve")) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser. Its event loop runs as long, so no other test of the process can run one."""
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


@pytest.fixture(params=looks(pytest.mark.weekly))
def page(request: pytest.FixtureRequest, browser: Any, address: str) -> Iterator[Any]:
    """A tab for the page: without a fault of its own, and without a request to another host."""
    width, height, theme = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    context.set_default_timeout(20_000)
    tab, faults, hosts = context.new_page(), [], set()
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    tab.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    yield tab
    # What the server refuses, or a test cuts off, shows as an error of the console; nothing else may.
    known = ("status of 4", "status of 503", "net::ERR_CONNECTION_REFUSED", "net::ERR_FAILED")
    assert [fault for fault in faults if not any(part in fault for part in known)] == []
    assert hosts == {address.split("/")[2]}
    context.close()
