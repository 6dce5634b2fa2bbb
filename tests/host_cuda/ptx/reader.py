"""Reads PTX: the variables of a module, its kernels, and the statements of a kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# Bytes by type; a predicate is a bit a lane.
SIZES = {"pred": 0, "b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2}
SIZES |= {"b32": 4, "u32": 4, "s32": 4, "f32": 4, "b64": 8, "u64": 8, "s64": 8, "f64": 8}

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
DEBUG = re.compile(r"^\s*\.(section|file)\b", re.MULTILINE)  # from here on nothing runs
HEAD = re.compile(
    r"(?:\.(?:visible|weak|extern)\s+)*\.(?P<kind>entry|func)\s+(?:\([^)]*\)\s*)?(?P<name>[\w$]+)\s*"
    r"(?:\((?P<parameters>[^)]*)\))?(?P<directives>[^{;]*)(?P<end>[{;])"
)
VARIABLE = re.compile(
    r"(?:\.(?:visible|weak|extern|common)\s+)*\.(?P<space>global|const|shared|local)\s+"
    r"(?:\.align\s+(?P<align>\d+)\s+)?\.(?P<type>\w+)\s+(?P<name>[\w$]+)\s*(?P<dimensions>(?:\[\d*\])*)\s*"
    r"(?:=\s*(?P<values>\{[^}]*\}|[^;]+))?;"
)
PARAMETER = re.compile(
    r"\.param\s+(?:\.align\s+(?P<align>\d+)\s+)?\.(?P<type>\w+)\s+"
    r"(?:\.ptr\s*(?:\.(?:global|const|shared|local)\s*)?(?:\.align\s+\d+\s*)?)?"
    r"(?P<name>[\w$]+)\s*(?:\[(?P<count>\d+)\])?"
)
STATEMENT = re.compile(
    r"\s*(?:(?P<open>\{)|(?P<close>\})|(?P<label>[\w$]+)\s*:(?!:)"
    r"|\.loc\s+\d+\s+(?P<line>\d+)\s+\d+[^\n]*\n"
    r"|\.branchtargets(?P<targets>[^;]*);|\.pragma[^;]*;"
    r"|\.reg\s+\.(?P<register_type>\w+)\s+(?P<registers>[^;]+);"
    r"|(?P<variable>\.(?:shared|local)[^;]*;)|(?P<text>[^;]+);|(?P<rest>\Z))"
)


class PtxError(Exception):
    """PTX that the interpreter does not know."""


@dataclass(frozen=True)
class Variable:
    """A variable: its space, bytes (0: dynamic shared memory), alignment, what it holds at first."""

    space: str
    name: str
    size: int
    align: int
    values: bytes


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel: where it is among all, and its bytes."""

    name: str
    offset: int
    size: int


@dataclass
class Statement:
    """An instruction, or a label before it: text without the semicolon, and the line of the source."""

    text: str = ""
    line: int = 0
    label: str = ""


@dataclass
class Function:
    """A kernel: its parameters, registers by name or prefix with their bytes, variables, statements.

    A prefix ends in ``"<"``. ``targets`` are labels of indexed branches, by the label of their list.
    """

    name: str
    parameters: list[Parameter] = field(default_factory=list)
    registers: dict[str, int] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    targets: dict[str, list[str]] = field(default_factory=dict)

    @property
    def parameter_bytes(self) -> int:
        """The bytes of all parameters."""
        return self.parameters[-1].offset + self.parameters[-1].size if self.parameters else 0


@dataclass
class Module:
    """What a source became: variables and kernels by name."""

    variables: list[Variable] = field(default_factory=list)
    functions: dict[str, Function] = field(default_factory=dict)


def read_number(text: str) -> int | None:
    """Return the integer that a constant stands for, None if it is none; floats as their bits.

    >>> read_number("-0x10"), read_number("0d3FF0000000000000"), read_number("%r1")
    (-16, 4607182418800017408, None)
    """
    negative = text.startswith("-")
    digits = text.removeprefix("-").strip()
    if re.fullmatch(r"0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}", digits):
        value = int(digits[2:], 16)
        return value ^ (1 << (4 * len(digits) - 9)) if negative else value
    digits = digits.removesuffix("U")
    if not re.fullmatch(r"0[xX][0-9a-fA-F]+|\d+", digits):
        return None
    octal = len(digits) > 1 and digits[0] == "0" and digits.isdecimal()
    value = int(digits, 8 if octal else 0)
    return -value if negative else value


def read_module(ptx: str) -> Module:
    """Return the variables and kernels of PTX."""
    text = COMMENT.sub("", ptx)
    module, at = Module(), 0
    if debug := DEBUG.search(text, text.find(".entry")):
        text = text[: debug.start()]
    outside = []
    while head := HEAD.search(text, at):
        outside.append(text[at : head.start()])
        at = head.end()
        if head["end"] == ";":  # declared alone
            continue
        if head["kind"] == "func":
            raise PtxError(
                f"{head['name']}: a function that is called; expected all of it in its kernel"
            )
        end = _find_end(text, at)
        function = Function(head["name"], list(_read_parameters(head["parameters"] or "")))
        _read_body(function, text[at : end - 1])
        module.functions[function.name] = function
        at = end
    outside.append(text[at:])
    module.variables += [_read_variable(found) for found in VARIABLE.finditer("".join(outside))]
    return module


def _find_end(text: str, at: int) -> int:
    depth = 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at


def _read_parameters(text: str) -> Iterator[Parameter]:
    offset = 0
    for part in filter(None, (part.strip() for part in text.split(","))):
        found = PARAMETER.fullmatch(part)
        if found is None:
            raise PtxError(f"parameter {part!r}")
        align = int(found["align"] or SIZES[found["type"]])
        offset = -(-offset // align) * align
        size = SIZES[found["type"]] * int(found["count"] or 1)
        yield Parameter(found["name"], offset, size)
        offset += size


def _read_variable(found: re.Match[str]) -> Variable:
    each, count = SIZES[found["type"]], 1
    for length in re.findall(r"\[(\d*)\]", found["dimensions"]):
        count *= int(length or 0)
    values = b""
    for text in re.findall(r"[-\w.]+", found["values"] or ""):
        number = read_number(text)
        if number is None:
            raise PtxError(f"{found['name']}: value {text!r}")
        values += (number % (1 << 8 * each)).to_bytes(each, "little")
    return Variable(found["space"], found["name"], each * count, int(found["align"] or each), values)


def _read_body(function: Function, text: str) -> None:
    """Read statements; the registers of inner scopes get names of their own."""
    at, line, label = 0, 0, ""
    scopes: list[tuple[int, set[str]]] = []  # where each begins, and the names that it declares
    while True:
        found = STATEMENT.match(text, at)
        if found is None:
            raise PtxError(f"{function.name}: {text[at : at + 80]!r}")
        at = found.end()
        if found["rest"] is not None:
            return
        if found["open"]:
            scopes.append((at, set()))
        elif found["close"]:
            scopes.pop()
        elif found["label"]:
            label = found["label"]
            function.statements.append(Statement(label=label))
        elif found["line"]:
            line = int(found["line"]) or line  # 0: of the compiler itself
        elif found["targets"]:
            function.targets[label] = [name.strip() for name in found["targets"].split(",")]
        elif found["register_type"]:
            for name in (name.strip() for name in found["registers"].split(",")):
                known = re.sub(r"<\d+>$", "<", name)
                if scopes:
                    scopes[-1][1].add(name)
                    known = _inner(name, scopes[-1][0])
                function.registers[known] = SIZES[found["register_type"]]
        elif found["variable"]:
            variable = VARIABLE.fullmatch(found["variable"].strip())
            if variable is None:
                raise PtxError(f"{function.name}: {found['variable']}")
            function.variables.append(_read_variable(variable))
        elif found["text"]:
            statement = " ".join(found["text"].split())
            for number, names in scopes:
                for name in names:
                    statement = re.sub(rf"{re.escape(name)}(?![\w$])", _inner(name, number), statement)
            function.statements.append(Statement(statement, line))


def _inner(name: str, scope: int) -> str:
    return f"{name}_of_{scope}"
