"""Shared by all tests: golden integers with their source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="session")
def golden_equity() -> Any:
    """Reference integers of hold'em equity; the file says where each comes from."""
    return json.loads((GOLDEN / "equity.json").read_text("utf-8"))
