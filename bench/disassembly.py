"""Basic blocks, loops and classes of instructions of the text that ``nvdisasm -c -gi`` prints.

A kernel is cut into basic blocks at labels and branches; a loop is the natural loop of a back edge, and
loops with the same header are one. A called function (the compiler's 64-bit division) counts where it
is called, each of its instructions once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

# The unit that carries an instruction out, by its opcode up to the first dot; the first match counts.
CLASSES = {
    "lds": "LDS|LDSM|UBLKCP",
    "sts": "STS|STSM",
    "atoms": "ATOMS",
    "ldg": "LDG|LD|TEX|TLD|LDGSTS",
    "stg": "STG|ST",
    "atomg": "ATOMG|ATOM|RED|REDG",
    "local": "LDL|STL",
    "shfl": "SHFL|VOTE|VOTEU|MATCH",
    "barrier": "BAR|MEMBAR|DEPBAR|ERRBAR|CCTL|CCTLL|FENCE|SYNCS|ARRIVES|LDGDEPBAR",
    "branch": "BRA|BRXU?|JMP|JMXU?|EXIT|RET|CALL|BSSY|BSYNC|BREAK|BMOV|WARPSYNC|YIELD|NANOSLEEP|KILL",
    "popc": "POPC|FLO|BREV|I2F|F2I|F2F|I2I|FRND|MUFU|REDUX|CREDUX|I2FP|F2IP|UFLO|UPOPC|UBREV",
    "fp64": "DFMA|DADD|DMUL|DSETP|DMMA",
    "tensor": "HMMA|IMMA|BMMA|QGMMA|HGMMA|IGMMA|BGMMA|WARPGROUP",
    "mad": "IMAD|IMUL|IDP|IDP4A|XMAD",
    "fp32": "FFMA|FADD|FMUL|FSWZADD|FFMA32I|FADD32I|FMUL32I|HFMA2|HADD2|HMUL2",
    "uniform": "U[A-Z0-9]+|R2UR",
    "constant": "LDC|LDCU",
    "system": "S2R|S2UR|CS2R|NOP|LEPC|PMTRIG|SETCTAID|R2B|B2R|GETLMEMBASE",
}
ALU = "alu"  # whatever is left: integer arithmetic, comparisons, selections, moves, predicates
_PATTERNS = {name: re.compile(pattern) for name, pattern in CLASSES.items()}

SECTION = re.compile(r'^\t\.section\s+\.text\.(\w+),"ax"')
LABEL = re.compile(r"^([.$\w]+):\s*$")
LINES = re.compile(r"\bline (\d+)")
INSTRUCTION = re.compile(
    r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:@(!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;?\s*(?:/\*.*)?$"
)
TARGET = re.compile(r"`\(([^)]+)\)")


def class_of(opcode: str) -> str:
    """Return the class of an opcode, such as ``"lds"`` of ``"LDS.U16"``."""
    stem = opcode.partition(".")[0]
    return next((name for name, pattern in _PATTERNS.items() if pattern.fullmatch(stem)), ALU)


@dataclass(frozen=True)
class Instruction:
    """An instruction with the source lines that it comes from, innermost first."""

    opcode: str
    operands: str
    predicate: str
    lines: tuple[int, ...]

    @property
    def target(self) -> str | None:
        """The label that it names."""
        found = TARGET.search(self.operands)
        return found[1] if found else None


@dataclass
class Block:
    """Instructions without a branch in or out but at their ends; ``calls`` are functions called."""

    instructions: list[Instruction] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    next: list[int] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)


@dataclass
class Loop:
    """A natural loop: its blocks, the loops inside it, and the loop around it."""

    header: int
    blocks: set[int]
    inside: list[Loop] = field(default_factory=list)
    around: Loop | None = None

    @property
    def own(self) -> set[int]:
        """The blocks that are in no loop inside it."""
        return self.blocks.difference(*(loop.blocks for loop in self.inside))

    @property
    def depth(self) -> int:
        """The number of loops around it."""
        return 0 if self.around is None else 1 + self.around.depth


@dataclass
class Function:
    """A kernel: its blocks in order, the first one the entry, and its loops, outer before inner."""

    name: str
    blocks: list[Block]
    loops: list[Loop]
    at: dict[str, int]  # the block of each label

    def instructions(self, blocks: set[int]) -> Iterator[Instruction]:
        """Yield the instructions of blocks and of the functions that they call."""
        for number in sorted(blocks):
            yield from self.blocks[number].instructions
            for name in self.blocks[number].calls:
                yield from self.instructions(self.reachable(self.at[name]))

    def reachable(self, first: int) -> set[int]:
        """Return the blocks that can follow a block, and itself."""
        found, left = set(), [first]
        while left:
            number = left.pop()
            if number not in found:
                found.add(number)
                left += self.blocks[number].next
        return found

    def count(self, blocks: set[int]) -> Counter[str]:
        """Count the instructions of blocks by class."""
        return Counter(class_of(one.opcode) for one in self.instructions(blocks))


def read_functions(text: str) -> dict[str, Function]:
    """Return the kernels of a disassembly by name."""
    functions: dict[str, Function] = {}
    name = ""
    lines: list[str] = []
    for line in [*text.splitlines(), '\t.section\t.text.end,"ax"']:
        section = SECTION.match(line)
        if section:
            if name:
                functions[name] = _function(name, _blocks(lines))
            name, lines = section[1], []
        else:
            lines.append(line)
    return functions


def _blocks(text: list[str]) -> list[Block]:
    blocks = [Block()]
    source: tuple[int, ...] = ()
    fresh = False  # whether the last line was a source line, which the next one adds to
    for line in text:
        label, found = LABEL.match(line), INSTRUCTION.match(line)
        if line.lstrip().startswith("//##"):
            numbers = tuple(int(number) for number in LINES.findall(line))
            source = (*source, *numbers) if fresh else numbers
            fresh = True
        elif label:
            if blocks[-1].instructions:
                blocks.append(Block())
            blocks[-1].labels.append(label[1])
        elif found:
            fresh = False
            instruction = Instruction(found[3], found[4], found[2] or "", source)
            blocks[-1].instructions.append(instruction)
            if _ends_block(instruction):
                blocks.append(Block())
    return [block for block in blocks if block.instructions]


def _ends_block(instruction: Instruction) -> bool:
    return instruction.opcode.partition(".")[0] in {"BRA", "BRX", "JMP", "EXIT", "RET", "CALL", "BREAK"}


def _function(name: str, blocks: list[Block]) -> Function:
    at = {label: number for number, block in enumerate(blocks) for label in block.labels}
    for number, block in enumerate(blocks):
        last = block.instructions[-1]
        stem, target = last.opcode.partition(".")[0], last.target
        goes_on = number + 1 < len(blocks)
        if stem in {"BRA", "JMP"} and target in at:
            block.next.append(at[target])
            # BRA.DIV, BRA.CONV and a branch with a uniform predicate as operand can fall through.
            goes_on &= bool(last.predicate) or "," in last.operands
        elif stem == "CALL":
            block.calls += [target] if target in at else []
        elif stem in {"EXIT", "RET", "BRX", "BRXU", "JMP"}:
            goes_on &= bool(last.predicate)
        if goes_on:
            block.next.append(number + 1)
    return Function(name, blocks, find_loops([block.next for block in blocks]), at)


def find_loops(following: list[list[int]]) -> list[Loop]:
    """Return the natural loops of a graph whose entry is 0, outer before inner."""
    dominators = _dominators(following)
    before: list[list[int]] = [[] for _ in following]
    for number, targets in enumerate(following):
        for target in targets:
            before[target].append(number)
    bodies: dict[int, set[int]] = {}
    for number, targets in enumerate(following):
        for header in targets:
            if header not in dominators[number]:
                continue
            body, left = bodies.setdefault(header, {header}), [number]
            while left:
                at = left.pop()
                if at not in body:
                    body.add(at)
                    left += before[at]
    loops = [Loop(header, body) for header, body in bodies.items()]
    loops.sort(key=lambda loop: (-len(loop.blocks), loop.header))
    for place, loop in enumerate(loops):
        outer = [
            other
            for other in loops[:place]
            if loop.header in other.blocks and loop.blocks < other.blocks
        ]
        if outer:
            loop.around = outer[-1]
            outer[-1].inside.append(loop)
    return sorted(loops, key=lambda loop: (loop.header, -len(loop.blocks)))


def _dominators(following: list[list[int]]) -> list[set[int]]:
    """Return the blocks on every way from the entry to each block; none for one out of reach."""
    before: list[list[int]] = [[] for _ in following]
    reached, left = {0}, [0]
    while left:
        number = left.pop()
        for target in following[number]:
            before[target].append(number)
            if target not in reached:
                reached.add(target)
                left.append(target)
    order = sorted(reached)
    dominators = [set(reached) if number in reached else set() for number in range(len(following))]
    dominators[0] = {0}
    changed = True
    while changed:
        changed = False
        for number in order[1:]:
            new = set.intersection(*(dominators[x] for x in before[number])) | {number}
            if new != dominators[number]:
                dominators[number], changed = new, True
    return dominators
