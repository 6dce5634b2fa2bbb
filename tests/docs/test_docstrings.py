"""Docstrings and types of public names are complete, by griffe and by pyright."""

from __future__ import annotations

import json
import logging
import os
import pydoc
import re
import subprocess
import sys
import textwrap
from importlib import import_module

import griffe
import pytest
from pages import ROOT

import gpuodds

STABILITY = (ROOT / "docs" / "stability.md").read_text("utf-8")
MODULES = re.findall(r"^\| `(gpuodds[\w.]*)` \|", STABILITY, re.M)
"""The public modules, as the page lists them."""
SCREEN = 52 if sys.version_info >= (3, 13) else 42  # lines; from 3.13 on the signature alone has 20
ROLE = re.compile(r":(?:class|func|meth|attr|mod|data|exc):`~?([^`]+)`")

griffe.stdlib_decorators["gpuodds.basics.lazy.cached_property"] = {"cached", "property"}
CODE = griffe.load("gpuodds", search_paths=[ROOT], resolve_aliases=True)


def objects_of(module: str) -> dict[str, griffe.Object]:
    """Return what the public names of a module stand for, by their paths for users."""
    found = {}
    for name in import_module(module).__all__:
        one = CODE[f"{module}.{name}".removeprefix("gpuodds.")]
        found[f"{module}.{name}"] = one.final_target if isinstance(one, griffe.Alias) else one
    return found


def members_of(objects: dict[str, griffe.Object]) -> dict[str, griffe.Object]:
    """Return the public methods, properties and fields of the classes among the objects."""
    return {
        f"{path}.{name}": member
        for path, found in objects.items()
        if isinstance(found, griffe.Class)
        for name, member in found.members.items()
        if not name.startswith("_") and isinstance(member, griffe.Object)
    }


OBJECTS = {module: objects_of(module) for module in MODULES}
MEMBERS = {module: members_of(OBJECTS[module]) for module in MODULES}

by_module = pytest.mark.parametrize("module", MODULES)


def functions_of(found: dict[str, griffe.Object]) -> dict[str, griffe.Function]:
    return {path: one for path, one in found.items() if isinstance(one, griffe.Function)}


def text_of(found: griffe.Object) -> str:
    return found.docstring.value if found.docstring else ""


def entries(found: griffe.Object, kind: str) -> list[str]:
    """Return the names that a section of the docstring has an entry for."""
    sections = found.docstring.parse("google") if found.docstring else []
    return [entry.name for part in sections if part.kind.value == kind for entry in part.value]


def arguments(function: griffe.Function) -> list[str]:
    return [one.name.lstrip("*") for one in function.parameters if one.name not in ("self", "cls")]


def has_section(found: griffe.Object, title: str) -> bool:
    return re.search(rf"^{title}:\n    \S", text_of(found), re.M) is not None


def is_field(found: griffe.Object | griffe.Alias) -> bool:
    return isinstance(found, griffe.Attribute) and "property" not in found.labels


def has_entry(field: griffe.Object) -> bool:
    """Return whether the docstring of its class has an entry for a field."""
    return field.parent is not None and field.name in entries(field.parent, "attributes")


@by_module
def test_public_names_have_docstrings(module: str) -> None:
    """A field may have an entry in the docstring of its class instead."""
    missing = [
        path
        for path, found in (OBJECTS[module] | MEMBERS[module]).items()
        if not (text_of(found) or (is_field(found) and has_entry(found)))
    ]
    assert missing == []


@by_module
def test_docstrings_can_be_read(module: str, caplog: pytest.LogCaptureFixture) -> None:
    """The parser warns of an entry that is no argument, and of one that it cannot read."""
    with caplog.at_level(logging.WARNING, "griffe"):
        for found in (OBJECTS[module] | MEMBERS[module]).values():
            entries(found, "parameters")
    assert caplog.messages == []


@by_module
def test_each_argument_has_an_entry(module: str) -> None:
    """Of a constructor in the docstring of the class or of ``__init__``; see fields for dataclasses."""
    found = functions_of(OBJECTS[module] | MEMBERS[module])
    wrong = [path for path, one in found.items() if entries(one, "parameters") != arguments(one)]
    for path, one in OBJECTS[module].items():
        made_by = one.members.get("__init__")
        if isinstance(made_by, griffe.Function) and "dataclass" not in one.labels:
            told = (entries(one, "parameters"), entries(made_by, "parameters"))
            wrong += [path] * (arguments(made_by) not in told)
    assert wrong == []


@by_module
def test_entries_of_fields_are_fields(module: str) -> None:
    for path, found in OBJECTS[module].items():
        assert {*entries(found, "attributes")} <= {
            member.name for member in found.members.values() if is_field(member)
        }, path


@by_module
def test_what_is_returned_is_told(module: str) -> None:
    """In a section of its own for a function; for a method the first line is enough."""
    missing = [
        path
        for path, found in functions_of(OBJECTS[module] | MEMBERS[module]).items()
        if str(found.returns) != "None"
        and not has_section(found, "Returns")
        and not (path in MEMBERS[module] and text_of(found).startswith(("Return", "Yield")))
    ]
    assert missing == []


@by_module
def test_functions_have_examples(module: str) -> None:
    """``tests/docs/test_docs.py`` runs them."""
    for path, found in functions_of(OBJECTS[module]).items():
        assert has_section(found, "Example") and ">>> " in text_of(found), path


@by_module
def test_references_lead_to_public_names(module: str) -> None:
    """By the path for users; within a class by the name of a member."""
    names = {path for each in (*OBJECTS.values(), *MEMBERS.values()) for path in each}
    for path, found in (OBJECTS[module] | MEMBERS[module]).items():
        home = path if isinstance(found, griffe.Class) else path.rpartition(".")[0]
        for target in ROLE.findall(text_of(found)):
            assert target in {*MODULES, *names} or f"{home}.{target}" in MEMBERS[module], path


@by_module
def test_no_first_line_reads_as_a_type(module: str) -> None:
    """In the Google style ``int: The number.`` begins a section Returns, and describes an attribute."""
    for path, found in (OBJECTS[module] | MEMBERS[module]).items():
        lines = re.findall(r"^(?:Returns|Yields):\n    (.*)", text_of(found), re.M)
        if isinstance(found, griffe.Attribute):
            lines += text_of(found).splitlines()[:1]
        for line in lines:
            assert ":" not in re.sub(r"(:\w+:)?`+[^`]*`+", "", line), path


@pytest.mark.weekly
def test_types_of_public_names_are_complete() -> None:
    """Pyright knows each without inferring it; private modules it may infer."""
    pytest.importorskip("pyright", reason="needs pyright, of the extra dev")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    command += ["--verifytypes", "gpuodds", "--ignoreexternal", "--outputjson"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}  # an editable install has no folder to read
    run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    symbols = json.loads(run.stdout)["typeCompleteness"]["symbols"]
    paths = {path for each in OBJECTS.values() for path in each}
    paths |= {found.path for each in OBJECTS.values() for found in each.values()}
    public = [
        symbol
        for symbol in symbols
        if any(f"{symbol['name']}.".startswith(f"{path}.") for path in paths)
    ]
    assert len(public) > len(paths) > 150
    assert [
        symbol["name"] for symbol in public if symbol["isTypeAmbiguous"] or not symbol["isTypeKnown"]
    ] == []


def test_help_of_equity_fits_a_screen() -> None:
    text = pydoc.plain(pydoc.render_doc(gpuodds.equity))
    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, 80) or [""]]
    assert len(lines) <= SCREEN, "\n".join(lines)
