"""The server keeps to its OpenAPI description: every week for ten minutes, with other requests.

A failure names its seed.
``GPUODDS_DRAWN_SEED=SEED pytest -m weekly tests/server/routes/test_server_schema_drawn.py`` draws them
again, as many as there is time for. ``GPUODDS_SCHEMA_SECONDS`` are the seconds of each test.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from schema_run import run_schemathesis

SEED = int(os.environ.get("GPUODDS_DRAWN_SEED") or int.from_bytes(os.urandom(4), "big"))
SECONDS = os.environ.get("GPUODDS_SCHEMA_SECONDS", "300")


@pytest.mark.weekly
def test_any_request(tmp_path: Path) -> None:
    print(f"GPUODDS_DRAWN_SEED={SEED}")
    run_schemathesis(tmp_path, SEED, "--max-time", SECONDS)


@pytest.mark.weekly
def test_requests_that_can_be_answered(tmp_path: Path) -> None:
    """Their texts are hands, ranges and boards."""
    print(f"GPUODDS_DRAWN_SEED={SEED}")
    run_schemathesis(tmp_path, SEED, "--max-time", SECONDS, "--mode", "positive", GPUODDS_PLAYABLE="1")
