"""What GitHub, Docker and citation tools read, in step with the code."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from paths import ROOT

from gpuodds import __version__
from gpuodds.cli.main import make_app

GITHUB = ROOT / ".github"
WORKFLOWS = sorted(path.name for path in (GITHUB / "workflows").iterdir())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def read(path: Path) -> Any:
    # As YAML 1.1 has it, the key "on" is true.
    return yaml.safe_load(path.read_text("utf-8"))


def jobs_of(workflow: str) -> dict[str, Any]:
    jobs: dict[str, Any] = read(GITHUB / "workflows" / workflow)["jobs"]
    return jobs


def steps() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Return each step of all workflows, after its workflow and job."""
    for workflow in WORKFLOWS:
        for job in jobs_of(workflow).values():
            for step in job.get("steps", []):
                yield workflow, job, step


def test_a_forks_code_does_not_reach_the_gpu() -> None:
    """The machine with a GPU keeps its state; fork and label are asked before it is taken."""
    owned = [(name, job) for name, job, _ in steps() if "self-hosted" in job["runs-on"]]
    assert {name for name, _ in owned} == {"gpu.yml"}
    content = read(GITHUB / "workflows" / "gpu.yml")
    assert "pull_request_target" not in content[True]
    assert content[True]["pull_request"] == {"types": ["labeled"]}
    for _, job in owned:
        assert "github.event.label.name == 'gpu'" in job["if"]
        assert "head.repo.full_name == github.repository" in job["if"]
        assert job["environment"] == "gpu"


def sessions_called() -> Iterator[str]:
    """Return the nox sessions that workflows name, one by one where a matrix has them."""
    for _, job, step in steps():
        if step.get("uses") == "./.github/actions/nox":
            for values in matrix(job):
                session: str = step["with"]["session"]
                for name, value in values.items():
                    session = session.replace(f"${{{{ matrix.{name} }}}}", str(value))
                yield session


def matrix(job: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the values of each job that a matrix makes."""
    lists = dict(job.get("strategy", {}).get("matrix", {}))
    excluded, included = lists.pop("exclude", []), lists.pop("include", [])
    crossed = [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]
    crossed = [values for values in crossed if values not in excluded]
    return included if included and not lists else crossed + included


def test_workflows_call_sessions_that_there_are() -> None:
    named = set(sessions_called())
    pythons = {name.removeprefix("tests-") for name in named if name.startswith("tests-")}
    assert pythons == {"3.11", "3.12", "3.13", "3.14"}
    tree = ast.parse((ROOT / "noxfile.py").read_text("utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    sessions = {
        node.name
        for node in functions
        if any("session" in ast.unparse(decorator) for decorator in node.decorator_list)
    }
    assert {name.partition("-3.")[0] for name in named} <= sessions


def test_workflows_run_scripts_that_there_are() -> None:
    named = {
        word
        for _, _, step in steps()
        for word in step.get("run", "").split()
        if word.startswith(".ci/")
    }
    assert named >= {".ci/run", ".ci/container", ".ci/release-notes"}
    for script in named:
        assert (ROOT / script).read_text("utf-8").startswith("#!/usr/bin/env bash\n")
        assert os.name == "nt" or os.access(ROOT / script, os.X_OK), script


def test_dependabot_knows_every_place_with_versions() -> None:
    watched = read(GITHUB / "dependabot.yml")["updates"]
    places = {
        entry["package-ecosystem"]: entry.get("directories", [entry.get("directory")])
        for entry in watched
    }
    actions = {
        f"/{path.parent.relative_to(ROOT).as_posix()}" for path in GITHUB.glob("actions/*/action.yml")
    }
    assert places == {"github-actions": ["/", *sorted(actions)], "pip": ["/"], "docker": ["/"]}


@pytest.mark.parametrize("form", ["bug", "idea", "wrong-figure"])
def test_forms_of_issues(form: str) -> None:
    content = read(GITHUB / "ISSUE_TEMPLATE" / f"{form}.yml")
    assert content["name"] and content["description"]
    fields = [field for field in content["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields)
    assert fields[0]["validations"]["required"]


CHANGELOG = """\
# Changelog

## [Unreleased]

- Not out yet.

## [1.2.0] - 2026-11-24

### Added

- A thing ([docs/page.md](docs/page.md), [elsewhere](https://example.org/)).

## [1.1.0] - 2026-10-01

- An older thing.

[1.2.0]: https://example.org/1.2.0
"""


@pytest.fixture
def release(tmp_path: Path) -> Any:
    """A function that prints the notes of a release with ``.ci/release-notes``."""
    if os.name == "nt":
        pytest.skip("the script is for bash")

    def run(*arguments: str, version: str = "1.2.0", changelog: str = CHANGELOG) -> Any:
        for folder in (".ci", "gpuodds"):
            (tmp_path / folder).mkdir(exist_ok=True)
        shutil.copy2(ROOT / ".ci/release-notes", tmp_path / ".ci")
        (tmp_path / "gpuodds/_version.py").write_text(
            f'"""The version."""\n\n__version__ = "{version}"\n'
        )
        (tmp_path / "CHANGELOG.md").write_text(changelog)
        return subprocess.run(
            [tmp_path / ".ci/release-notes", *arguments], capture_output=True, text=True, check=False
        )

    return run


def test_release_notes_are_a_section_of_the_changelog(release: Any) -> None:
    ended = release("v1.2.0")
    links = "[docs/page.md](docs/page.md), [elsewhere](https://example.org/)"
    assert (ended.returncode, ended.stdout) == (0, f"### Added\n\n- A thing ({links}).\n")
    ended = release("v1.1.0", "https://x.org/v1.1.0", version="1.1.0")
    assert ended.stdout == "- An older thing.\n"
    ended = release("v1.2.0", "https://x.org/v1.2.0")
    assert "(https://x.org/v1.2.0/docs/page.md), [elsewhere](https://example.org/)" in ended.stdout


@pytest.mark.parametrize(
    ("tag", "version", "message"),
    [
        ("v1.2.0", "1.1.0", "v1.2.0: gpuodds/_version.py states 1.1.0"),
        ("1.2.0", "1.2.0", "1.2.0: gpuodds/_version.py states 1.2.0"),
        ("v1.2", "1.2", "no text under '## [1.2]'"),
        ("v1.3.0", "1.3.0", "no text under '## [1.3.0]'"),
    ],
)
def test_no_release_without_version_and_notes(
    release: Any, tag: str, version: str, message: str
) -> None:
    ended = release(tag, version=version, changelog=f"{CHANGELOG}\n## [1.3.0] - 2026-12-01\n\n")
    assert ended.returncode == 1
    assert message in ended.stderr
    assert ended.stdout == ""


def test_citation_states_the_version() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert citation["version"] == __version__
    assert citation["title"] == PROJECT["name"]
    assert citation["authors"] == PROJECT["authors"]
    assert citation["license"] == PROJECT["license"].split(" AND ")[0]  # that of the code


def dockerfile() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile, in order, each with its arguments on one line."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8"), flags=re.M)
    lines = text.replace("\\\n", " ").splitlines()
    return [(words[0], words[1].strip()) for line in lines if len(words := line.split(None, 1)) == 2]


def test_image_serves_by_default() -> None:
    (entry,) = [ast.literal_eval(text) for name, text in dockerfile() if name == "ENTRYPOINT"]
    (words,) = [ast.literal_eval(text) for name, text in dockerfile() if name == "CMD"]
    assert entry == list(PROJECT["scripts"]) == ["gpuodds"]
    command: Any = typer.main.get_command(make_app())
    given = command.commands[words[0]].make_context(words[0], words[1:]).params
    assert given["host"] == "0.0.0.0"
    assert ("EXPOSE", given["port"]) in dockerfile()


def test_image_is_built_from_files_that_there_are() -> None:
    sources = [
        name
        for instruction, text in dockerfile()
        if instruction == "COPY" and not text.startswith("--from=")
        for name in shlex.split(text)[:-1]
    ]
    let_in = [
        line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line[0] == "!"
    ]
    assert sorted(sources) == let_in
    assert all((ROOT / name).exists() for name in sources)
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    folders = {*setuptools["package-dir"].values(), setuptools["packages"][0]}
    assert folders == {name for name in sources if (ROOT / name).is_dir()}
    assert {PROJECT["readme"], *(name for name in PROJECT["license-files"] if "/" not in name)} <= set(
        sources
    )


def test_image_has_extras_and_a_python_that_there_are() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    extras = {name for found in re.findall(r"whl\)\[([\w,]+)\]", text) for name in found.split(",")}
    assert extras == {"server", "cuda13"} <= set(PROJECT["optional-dependencies"])
    pythons = set(re.findall(r"^FROM python:([\d.]+)-", text, re.M))
    assert len(pythons) == 1
    assert f"Programming Language :: Python :: {pythons.pop()}" in PROJECT["classifiers"]


def test_image_runs_as_no_root() -> None:
    stages: list[list[tuple[str, str]]] = []
    for instruction, text in dockerfile():
        if instruction == "FROM":
            stages.append([])
        stages[-1].append((instruction, text))
    named = {stage[0][1].split(" AS ")[1]: stage for stage in stages}
    assert named["cpu"] == [("FROM", "server AS cpu")]  # the last stage is what docker build makes
    assert stages[-1] is named["cpu"]
    for name in ("server", "cuda"):
        users = [text for instruction, text in named[name] if instruction == "USER"]
        assert users[-1] == "10001"
