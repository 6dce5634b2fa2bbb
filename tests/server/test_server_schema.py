"""The server keeps to its OpenAPI description, for any request."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest
from server_fixture import idle_within, request, serving

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "unsupported_method",
)


@pytest.mark.slow
def test_the_server_keeps_to_its_description(tmp_path: Path) -> None:
    own = Path(sys.executable).parent / "schemathesis"
    program = str(own) if own.exists() else which("schemathesis")
    if program is None:
        pytest.skip("schemathesis is not installed")
    # Long requests are refused, and the server ends the others after 60 seconds: the client waits
    # longer, for a busy machine.
    with serving(tmp_path, "--time-limit", "1") as address:
        run = subprocess.run(
            [
                program,
                "--config-file",
                str(Path(__file__).parents[1] / "schemathesis.toml"),
                "run",
                f"{address}/v1/openapi.json",
                "--checks",
                ",".join(CHECKS),
                "--max-examples",
                "12",
                "--seed",
                "1",
                "--exclude-path-regex",
                "stream",
                "--request-timeout",
                "90",
                "--no-color",
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=900,
        )
        assert run.returncode == 0, run.stdout[-5000:]
        assert idle_within(address)
        assert request(address, "/healthz", method="GET")[0] == 200
