"""Shared by the server's tests: one server with default settings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from server_fixture import serving


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    with serving(tmp_path_factory.mktemp("serve")) as found:
        yield found
