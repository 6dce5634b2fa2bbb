"""Reads instructions: opcodes and operands become operations on registers.

Operations are named as in ``interpreter/operations.h``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from .reader import SIZES, PtxError, Statement, read_number
from .storage import NONE, SPACES, Space, Storage

ADDRESS = 8  # bytes
SPACE_SHIFT = 56  # generic addresses have the space in their top byte


class Kind(IntEnum):
    """What an instruction does to the lanes that execute it."""

    ORDINARY = 0
    BRANCH = 1
    INDEXED_BRANCH = 2
    END = 3
    BLOCK_BARRIER = 4
    TOGETHER = 5


JOINS = {"and": 1, "or": 2, "xor": 3}
ROUNDINGS = {"rzi": 0, "rni": 1, "rmi": 2, "rpi": 3}
NON_COHERENT, STRONG = 1, 2  # accesses: as interpreter/memory.h has them
SHUFFLES = {"up": 0, "down": 1, "bfly": 2, "idx": 3}
UNSIGNED_COMPARISONS = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
ATOMICS = {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"}
# Operations that are the same for both signs, and those that are not.
WIDTHS = {"add", "sub", "and", "or", "xor", "not", "cnot", "neg", "mov", "popc", "clz", "brev"}
TYPED = {"div", "rem", "abs", "min", "max"}
FLOATS = {"add", "sub", "mul", "div", "min", "max", "fma", "mov", "neg", "abs", "sqrt", "rcp"}


@dataclass
class Instruction:
    """An instruction: its text and source line, its operation, and what the interpreter needs of it."""

    text: str
    line: int
    operation: str = ""
    kind: Kind = Kind.ORDINARY
    guard: int = NONE
    negated: bool = False
    written: list[int] = field(default_factory=list)
    read: list[int] = field(default_factory=list)
    number: int = 0
    space: Space = Space.GENERIC
    option: int = 0
    narrow: bool = False
    labels: list[str] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)


def split_operands(text: str) -> list[str]:
    """Return operands; braces and brackets keep theirs together.

    >>> split_operands("{%r1, %r2}, [%rd1+8]")
    ['{%r1, %r2}', '[%rd1+8]']
    """
    return [part.strip() for part in re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,\s][^,]*", text)]


class InstructionReader:
    """An instruction's opcode and operands, being read; a method reads what begins with its name."""

    def __init__(
        self, storage: Storage, made: Instruction, parts: list[str], operands: list[str]
    ) -> None:
        self.storage, self.made, self.parts, self.operands = storage, made, parts, operands
        self.types = [part for part in parts if part in SIZES]
        self.type = self.types[0] if self.types else ""
        self.size = SIZES[self.type] if self.types else 0

    # -- operands

    def to(self, operand: str) -> int:
        return NONE if operand == "_" else self.storage.register(operand)[0]

    def source(self, operand: str, size: int | None = None) -> int:
        """Return the offset of a register, a constant or an address, of the type's bytes or others."""
        size = self.size if size is None else size
        number = read_number(operand)
        if number is not None:
            return self.storage.constant(number if size else -bool(number), size)
        symbol, _, more = operand.partition("+")
        if symbol in self.storage.symbols:
            return self.storage.constant(self.storage.symbols[symbol][1] + int(more or 0), size)
        return self.storage.register(operand)[0]

    def negatable(self, operand: str, bit: int) -> int:
        """Return the offset of a predicate, and note in the option if it is negated."""
        self.made.option |= bit * operand.startswith("!")
        return self.source(operand.removeprefix("!"), 0)

    def register_size(self, operand: str) -> int:
        """Return the bytes of an operand's register; of a constant those of the type, two at least."""
        if read_number(operand) is not None or operand in self.storage.symbols:
            return max(2, self.size)
        return self.storage.register(operand)[1]

    def address(self, operand: str) -> int:
        """Return the offset of an address's register, or NONE; note displacement, width and space."""
        base, _, more = operand[1:-1].replace(" ", "").partition("+")
        self.made.number = int(more or 0)
        said = [SPACES[part.split("::")[0]] for part in self.parts if part.split("::")[0] in SPACES]
        if said:
            self.made.space = said[0]
        if base in self.storage.symbols:
            space, at = self.storage.symbols[base]
            self.made.number += at
            if not said:
                self.made.space = space
            return NONE
        if (number := read_number(base)) is not None:
            self.made.number += number
            return NONE
        offset, size = self.storage.register(base)
        self.made.narrow = size == 4
        return offset

    # -- what is made

    def make(self, operation: str, *read: int, written: list[str] | None = None) -> None:
        self.made.operation = operation
        self.made.read = list(read)
        given = self.operands[:1] if written is None else written
        self.made.written = [self.to(operand) for operand in given]

    def by_width(self, name: str, *sizes: int) -> None:
        """Make an operation that is the same for both signs, of all operands or some sizes of them."""
        operands = self.operands[1:]
        given = sizes or (self.size,) * len(operands)
        read = [self.source(o, size) for o, size in zip(operands, given, strict=True)]
        self.make(f"{name}.{self._width()}", *read)

    def by_type(self, name: str, *sizes: int) -> None:
        """Make an operation that depends on the sign."""
        self.by_width(name, *sizes)
        self.made.operation = f"{name}.{self._signed()}"

    def _width(self) -> str:
        return "f64" if self.type == "f64" else str(8 * self.size)

    def _signed(self) -> str:
        return self.type.replace("b", "u")

    def refuse(self, *modifiers: str) -> None:
        """Refuse what the interpreter would do otherwise."""
        if self.type in ("f16", "f32") or set(modifiers) & set(self.parts):
            raise PtxError(f"{self.storage.function.name}: no instruction {self.made.text!r}")

    def plain(self) -> None:
        """Read an operation of numbers or predicates."""
        self.refuse("sat", "approx", "full", "rz", "rm", "rp")
        name = self.parts[0]
        if self.type == "pred":
            read = [self.negatable(o, 1 << k) for k, o in enumerate(self.operands[1:])]
            self.make(f"{name}.pred", *read)
        elif self.type == "f64" and name not in FLOATS:
            self.refuse(name)
        elif self.type == "f64" or name in WIDTHS:
            self.by_width(name)
        else:
            self.by_type(name)

    def carries(self) -> bool:
        """Read a sum that takes or gives a carry; false if this one does neither."""
        takes, gives = self.parts[0].endswith("c"), "cc" in self.parts
        if not takes and not gives:
            return False
        half = [part for part in self.parts if part in ("lo", "hi")]
        if "hi" in half and self.type[0] == "s":
            self.refuse("hi")
        self.by_width(".".join([self.parts[0].removesuffix("c") + "c", *half]))
        self.made.option = takes | 2 * gives
        return True

    def add(self) -> None:
        if not self.carries():
            self.plain()

    sub = addc = subc = madc = add

    def mul(self) -> None:
        if self.type == "f64":
            self.plain()
        elif "wide" in self.parts:
            sizes = (self.size, self.size, 2 * self.size)
            self.by_type(f"{self.parts[0]}.wide", *sizes[: len(self.operands) - 1])
        elif "hi" in self.parts:
            self.by_type(f"{self.parts[0]}.hi")
        else:
            self.by_width(f"{self.parts[0]}.lo")

    def mad(self) -> None:
        if self.type == "f64":
            self.parts[0] = "fma"
            self.plain()
        elif not self.carries():
            self.mul()

    def shl(self) -> None:
        self.by_width("shl", self.size, 4)

    def shr(self) -> None:
        self.by_type("shr", self.size, 4)

    def shf(self) -> None:
        self.make(".".join(self.parts[:3]), *(self.source(o, 4) for o in self.operands[1:]))

    def bfe(self) -> None:
        self.by_type("bfe", self.size, 4, 4)

    def bfi(self) -> None:
        self.by_width("bfi", self.size, self.size, 4, 4)

    def bfind(self) -> None:
        self.by_type(".".join(part for part in self.parts if part != self.type))

    def lop3(self) -> None:
        self.made.number = read_number(self.operands[4]) or 0
        self.make("lop3", *(self.source(o, 4) for o in self.operands[1:4]))

    def prmt(self) -> None:
        if len(self.parts) > 2:
            self.refuse(*self.parts)
        self.make("prmt", *(self.source(o, 4) for o in self.operands[1:]))

    def dp4a(self) -> None:
        self.make(".".join(self.parts), *(self.source(o, 4) for o in self.operands[1:]))

    dp2a = dp4a

    def setp(self) -> None:
        comparison = UNSIGNED_COMPARISONS.get(self.parts[1], self.parts[1])
        same = comparison in ("eq", "ne") or self.type == "f64"
        self.refuse("ftz")
        read = [self.source(o) for o in self.operands[1:3]]
        for part in self.parts[2:]:
            if part in JOINS:
                self.made.option = JOINS[part]
                read.append(self.negatable(self.operands[3], 4))
        name = f"setp.{comparison}.{self._width() if same else self._signed()}"
        self.make(name, *read, written=self.operands[0].split("|"))

    def selp(self) -> None:
        first, second, which = self.operands[1:]
        self.make(
            f"selp.{self._width()}", self.source(first), self.source(second), self.negatable(which, 1)
        )

    def mov(self) -> None:
        to, given = self.operands
        if self.type == "pred":
            self.make("mov.pred", self.negatable(given, 1))
        elif given.startswith("{"):
            inner = split_operands(given[1:-1])
            self.made.option = self.size // len(inner)
            self.make("pack", *(self.source(o, self.made.option) for o in inner))
        elif to.startswith("{"):
            inner = split_operands(to[1:-1])
            self.made.option = self.size // len(inner)
            self.make("unpack", self.source(given), written=inner)
        else:
            self.plain()

    def cvt(self) -> None:
        to, given = self.types[:2]
        self.refuse("sat")
        self.size = SIZES[given]
        source = self.source(self.operands[1], size := self.register_size(self.operands[1]))
        roundings = [ROUNDINGS[part] for part in self.parts if part in ROUNDINGS]
        if to == given == "f64":
            self.made.option = roundings[0]
            self.make("cvt.round.f64", source)
        elif to == "f64":
            self.refuse("rz", "rm", "rp")
            self._same_size(self.operands[1], given)
            self.make(f"cvt.of.{given}", source)
        elif given == "f64":
            self.made.option = roundings[0]
            self._same_size(self.operands[0], to)
            self.make(f"cvt.to.{to}", source)
        else:
            codes = [SIZES[kind] + 16 * (kind[0] == "s") for kind in (given, to)]
            sizes = size, self.register_size(self.operands[0])
            self.made.option = codes[0] | sizes[0] << 8 | codes[1] << 16 | sizes[1] << 24
            self.make("cvt", source)

    def _same_size(self, operand: str, kind: str) -> None:
        if kind == "f32" or self.register_size(operand) != SIZES[kind]:
            raise PtxError(f"{self.storage.function.name}: no instruction {self.made.text!r}")

    def cvta(self) -> None:
        space = next(SPACES[part] for part in self.parts if part in SPACES)
        offset = space << SPACE_SHIFT
        self.made.number = -offset if "to" in self.parts else offset
        self.make("cvta", self.source(self.operands[1], ADDRESS))

    def isspacep(self) -> None:
        self.made.space = next(
            SPACES[p.split("::")[0]] for p in self.parts if p.split("::")[0] in SPACES
        )
        self.make("isspacep", self.source(self.operands[1], ADDRESS))

    # -- memory

    def ld(self) -> None:
        to, place = self.operands
        written = split_operands(to[1:-1]) if to.startswith("{") else [to]
        size = next(self.register_size(o) for o in written if o != "_")
        self.made.option = NON_COHERENT * ("nc" in self.parts) | self.strong()
        kind = self.type.replace("b", "u").replace("f", "u")
        self.make(f"ld.{kind}.{8 * size}", self.address(place), written=written)

    ldu = ld

    def strong(self) -> int:
        """Return the option of an access that may meet others of its kind."""
        return STRONG * bool({"volatile", "relaxed", "acquire", "release"} & set(self.parts))

    def st(self) -> None:
        self.made.option = self.strong()
        place, given = self.operands
        values = split_operands(given[1:-1]) if given.startswith("{") else [given]
        registers = {self.register_size(o) for o in values if read_number(o) is None}
        size = registers.pop() if registers else max(2, self.size)
        if registers:
            raise PtxError(
                f"{self.storage.function.name}: registers of several sizes: {self.made.text!r}"
            )
        read = self.address(place), *(self.source(o, size) for o in values)
        self.make(f"st.u{8 * self.size}.{8 * size}", *read, written=[])

    def atom(self) -> None:
        to, place, *values = self.operands
        how = next(part for part in self.parts if part in ATOMICS)
        read = self.address(place), *(self.source(o) for o in values)
        self.make(f"atom.{how}.{self._signed()}", *read, written=[to])

    def red(self) -> None:
        self.operands.insert(0, "_")
        self.atom()

    # -- warps, blocks, where to go on

    def together(self, operation: str, *read: int, written: list[str] | None = None) -> None:
        self.made.kind = Kind.TOGETHER
        self.make(operation, *read, written=written)

    def shfl(self) -> None:
        self.made.option = SHUFFLES[self.parts[2]]
        read = [self.source(o, 4) for o in self.operands[1:]]
        self.together("shfl", *read, written=self.operands[0].split("|"))

    def vote(self) -> None:
        read = self.negatable(self.operands[1], 1), self.source(self.operands[2], 4)
        self.together(f"vote.{self.parts[2]}", *read)

    def match(self) -> None:
        self.refuse("all")
        read = self.source(self.operands[1]), self.source(self.operands[2], 4)
        self.together(f"match.any.{self._width()}", *read)

    def redux(self) -> None:
        read = self.source(self.operands[1]), self.source(self.operands[2], 4)
        self.together(f"redux.{self.parts[2]}.{self._signed()}", *read)

    def activemask(self) -> None:
        self.make("activemask")

    def bar(self) -> None:
        if "warp" in self.parts:
            self.together("bar.warp", self.source(self.operands[0], 4), written=[])
        elif self.parts[-1] == "sync" and self.operands == ["0"]:
            self.made.kind = Kind.BLOCK_BARRIER
        else:
            self.refuse(*self.parts)

    barrier = bar

    def bra(self) -> None:
        self.made.kind, self.made.labels = Kind.BRANCH, self.operands[:1]

    def brx(self) -> None:
        index, name = self.operands
        self.made.kind = Kind.INDEXED_BRANCH
        self.made.read = [self.source(index, 4)]
        self.made.labels = self.storage.function.targets[name]

    def ret(self) -> None:
        self.made.kind = Kind.END

    exit = ret

    def trap(self) -> None:
        self.make("trap", written=[])

    def fence(self) -> None:
        """Read what orders or hastens memory: here every access is done before the next begins."""
        self.make("nothing", written=[])

    membar = nanosleep = prefetch = fence


READERS: dict[str, Callable[[InstructionReader], None]] = dict.fromkeys(
    [*WIDTHS, *TYPED, *FLOATS], InstructionReader.plain
)


def read_instruction(statement: Statement, storage: Storage) -> Instruction:
    """Return the instruction that a statement is; its registers are given room in the storage."""
    found = re.fullmatch(r"(?:@(!?)([%\w$]+)\s+)?([\w.:]+)\s*(.*)", statement.text)
    if found is None:
        raise PtxError(f"{storage.function.name}: {statement.text}")
    negated, guard, opcode, operands = found.groups()
    made = Instruction(statement.text, statement.line)
    if guard:
        made.guard, made.negated = storage.register(guard)[0], bool(negated)
    parts = opcode.split(".")
    read = getattr(InstructionReader, parts[0], None) or READERS.get(parts[0])
    if read is None:
        raise PtxError(f"{storage.function.name}: no instruction {statement.text!r}")
    read(InstructionReader(storage, made, parts, split_operands(operands)))
    return made
