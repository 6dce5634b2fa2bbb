"""The server keeps to its OpenAPI description: the same requests with every change."""

from __future__ import annotations

from pathlib import Path

import pytest
from schema_run import run_schemathesis


@pytest.mark.slow
def test_the_server_keeps_to_its_description(tmp_path: Path) -> None:
    run_schemathesis(tmp_path, 1, "--max-examples", "12")
