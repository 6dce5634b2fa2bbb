"""Every check, a session each: ``nox -l`` lists them, ``nox -s lint`` runs one.

A session has a virtual environment of its own in ``.nox/``, which is kept. ``.ci/run`` runs the same
sessions in one environment that has all they need (``--no-venv --no-install``).
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys
import tempfile
from pathlib import Path

import nox

PROJECT = nox.project.load_toml("pyproject.toml")["project"]
DEV = PROJECT["optional-dependencies"]["dev"]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]

nox.needs_version = ">=2025.5"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["lint", "types", f"tests-{sys.version_info[0]}.{sys.version_info[1]}"]


def tools(*names: str) -> list[str]:
    """Return the requirements of these tools as the extra ``dev`` states them."""
    found = {re.split(r"[\[=<>]", line)[0]: line for line in DEV}
    return [found[name] for name in names]


def test_command() -> list[str]:
    """Return how README.md runs the tests."""
    text = Path("README.md").read_text("utf-8")
    found = re.search(r"<!-- test-command -->\n```sh\n.*\.venv/bin/(pytest\b.*)\n```", text)
    assert found, "README.md: no pytest in the block after <!-- test-command -->"
    return found[1].split()


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the default tests; arguments after ``--`` go to pytest."""
    session.install("-e", ".[test]")
    session.run(*test_command(), *session.posargs)


@nox.session(python=PYTHONS[0])
def oldest(session: nox.Session) -> None:
    """Run the default tests with the oldest Python, NumPy and numba that are supported."""
    lines = [line for line in PROJECT["dependencies"] if re.match(r"(numpy|numba)>=[\d.]+$", line)]
    session.install("-e", ".[test]", *(f"{line.replace('>=', '==')}.*" for line in lines))
    session.run(*test_command(), *session.posargs)


@nox.session
def slow(session: nox.Session) -> None:
    """Run the slow tests of every change: whole processes, a server, a browser, larger spots."""
    session.install("-e", ".[test]")
    session.run(*test_command(), "-q", "-m", "slow and not weekly", *session.posargs)


@nox.session
def weekly(session: nox.Session) -> None:
    """Run the tests of every week: what takes long, and spots drawn by a new seed each time.

    GPUODDS_DRAWN_SEED=SEED draws the same spots again.
    """
    session.install("-e", ".[test]")
    seed = os.environ.get("GPUODDS_DRAWN_SEED") or str(secrets.randbelow(1 << 32))
    session.log(f"GPUODDS_DRAWN_SEED={seed}")
    session.run(
        *test_command(), "-q", "-m", "weekly", *session.posargs, env={"GPUODDS_DRAWN_SEED": seed}
    )


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, imports and workflows; ``-- --fix`` formats the code instead of checking it."""
    session.install(*tools("ruff", "clang-format", "import-linter"))
    fix = "--fix" in session.posargs
    session.run("ruff", "check", *(["--fix"] if fix else []))
    session.run("ruff", "format", *([] if fix else ["--check"]))
    sources = sorted(
        path
        for kind in ("kernels/**/*.cu*", "tests/**/*.cu", "tests/**/*.h", "tests/**/*.cpp")
        for path in Path().glob(kind)
    )
    session.run("clang-format", *(["-i"] if fix else ["--dry-run", "--Werror"]), *map(str, sources))
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder))
        with session.chdir(folder):
            session.run("lint-imports", "--no-cache", env={"PYTHONPATH": folder})
    session.run(".ci/workflows", external=True)


def lay_out(tree: Path) -> None:
    """Copy the package as it installs."""
    shutil.copy("pyproject.toml", tree)
    shutil.copytree("gpuodds", tree / "gpuodds")
    for name in ("cli", "kernels"):
        shutil.copytree(name, tree / "gpuodds" / name)


@nox.session
def types(session: nox.Session) -> None:
    """Check the types of Python, on each platform, and of the page's JavaScript (with node and npm)."""
    session.install("-e", ".[dev]")
    session.run("mypy")
    for platform in ("darwin", "win32"):
        session.run("mypy", "--platform", platform, "gpuodds")
    session.run("pyright")
    session.run(".ci/page", external=True)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site, with warnings as errors."""
    session.install("-e", ".[docs]")
    session.run(".ci/docs", env={"SPHINX": "sphinx-build"}, external=True)


@nox.session
def cuda(session: nox.Session) -> None:
    """Check, without a GPU, what the packages for one say and compile."""
    session.install("-e", ".[test,cuda13]")
    session.run(
        "pytest",
        "-q",
        "-m",
        "not weekly and not gpu",
        "tests/backends/cuda/test_cuda_device.py",
        "tests/backends/cuda/kernels/test_cuda_simulator.py",
    )
    session.run(
        "pytest", "-q", "-m", "weekly", "-k", "sm_90", "tests/backends/cuda/kernels/test_kernels.py"
    )


@nox.session
def ptx(session: nox.Session) -> None:
    """Run the tests of the backend on PTX of three architectures, with all checks, in drawn orders.

    Then ask every question of ``tests/methods``, golden ones among them, of the kernels.

    HOST_CUDA_SCHEDULE=SEED draws the same orders again.
    """
    session.install("-e", ".[test]")
    seed = int(os.environ.get("HOST_CUDA_SCHEDULE") or 1 + secrets.randbelow(1 << 30))
    session.log(f"HOST_CUDA_SCHEDULE={seed}")
    pytest = [*test_command(), "-q", "-m", "not weekly and not gpu"]
    pytest += ["tests/backends/cuda", "-k", "host and not interpreter"]
    for architecture in ("sm_75", "sm_90", "sm_120"):
        for options in (
            ["--ptx-checks", "7"],
            ["--ptx-processors", "132", "--ptx-schedule", str(seed)],
        ):
            session.run(*pytest, "--ptx-architecture", architecture, *options, *session.posargs)
        questions = [*test_command(), "-q", "--on-cuda", "tests/methods"]
        session.run(*questions, "--ptx-architecture", architecture, *session.posargs)


@nox.session
def package(session: nox.Session) -> None:
    """Build the sdist and the wheel into dist/ and check them."""
    session.install(*tools("build", "twine"))
    shutil.rmtree("dist", ignore_errors=True)
    session.run("python", "-m", "build", silent=True)
    session.run("twine", "check", "--strict", *map(str, sorted(Path("dist").glob("*"))))


@nox.session
def coverage(session: nox.Session) -> None:
    """Measure which branches the default tests take."""
    session.install("-e", ".[dev]")
    session.run("coverage", "erase")
    session.run("coverage", "run", "-m", *test_command(), *session.posargs)
    session.run("coverage", "combine", "--quiet")
    session.run("coverage", "report")


@nox.session
def mutants(session: nox.Session) -> None:
    """Measure the mutation score; arguments after ``--`` go to .ci/mutants."""
    session.install("-e", ".[test,mutants]")
    session.run("python", ".ci/mutants", *session.posargs)


@nox.session
def gpu(session: nox.Session) -> None:
    """Run every check that needs an NVIDIA GPU; arguments after ``--`` go to .ci/gpu."""
    session.install("-e", ".[test,cuda13]")
    session.run(".ci/gpu", *session.posargs, env={"PYTHON": "python"}, external=True)
