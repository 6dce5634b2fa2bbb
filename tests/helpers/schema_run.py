"""Runs of Schemathesis: requests drawn from the server's OpenAPI description, each answer checked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest
from pages import ROOT
from server_fixture import idle_within, request, serving


def run_schemathesis(folder: Path, seed: int, *options: str, **environment: str) -> str:
    """Start a server, send it drawn requests, and fail if an answer is not what it describes.

    Args:
        folder: An empty folder.
        seed: The requests depend on it, on the description and on the options.
        options: Further options of Schemathesis.
        environment: Variables of its environment.

    Returns:
        What Schemathesis printed.
    """
    own = Path(sys.executable).parent / "schemathesis"
    program = str(own) if own.exists() else which("schemathesis")
    if program is None:
        pytest.skip("schemathesis is not installed")
    environment["SCHEMATHESIS_HOOKS"] = str(ROOT / "tests/server/routes/schemathesis_hooks.py")
    # Long requests are refused, and the server ends the others after 60 seconds: the client waits
    # longer, for a busy machine.
    with serving(folder, "--time-limit", "1") as address:
        run = subprocess.run(
            [
                *(program, "--config-file", str(ROOT / "tests/server/routes/schemathesis.toml")),
                *("run", f"{address}/v1/openapi.json", "--checks", "all", "--seed", str(seed)),
                *("--exclude-path-regex", "stream", "--no-color", *options),
                *("--request-timeout", "90", "--max-response-time", "90"),
            ],
            cwd=folder,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=1800,
        )
        assert run.returncode == 0, f"{run.stdout[-20_000:]}\n{run.stderr[-2000:]}\nseed {seed}"
        assert idle_within(address)
        assert request(address, "/healthz", method="GET")[0] == 200
    return run.stdout
