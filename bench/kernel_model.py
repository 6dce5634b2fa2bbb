"""What a kernel's inner loop costs a multiprocessor: its weighted instructions, and what bounds it.

Everything here is a prediction from the text of the compiled kernel. It leaves latencies out (a kernel
with enough warps hides them), and tails of launches; every lane is taken to be active, every branch of
a loop to be run unless a row of the table says otherwise.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bench.disassembly import ALU, Function, Loop, class_of

WARP = 32
# Lanes that a multiprocessor of compute capability 9.0 starts a clock, by class of instruction
# (CUDA programming guide, "throughput of native arithmetic instructions").
LANES = {ALU: 64, "mad": 64, "fp32": 128, "fp64": 64, "popc": 16}
MEMORY = ("lds", "sts", "atoms", "ldg", "stg", "atomg", "local", "shfl")  # through the load/store units
LSU_LANES = 32
SHARED_BYTES = 128  # a clock
SCHEDULERS = 4  # each starts one warp instruction a clock
WIDTH = re.compile(r"\.(64|128)\b")


@dataclass(frozen=True)
class Device:
    """A GPU: multiprocessors, clock in Hz, bytes a second of its memory."""

    name: str
    processors: int
    clock: float
    bandwidth: float


H100 = Device("H100 SXM", 132, 1.98e9, 3.35e12)
H200 = Device("H200", 132, 1.98e9, 4.3e12)  # the bandwidth is that of a measured copy; 4.8e12 on paper

REGISTERS, SHARED_MEMORY, MAX_THREADS, MAX_BLOCKS = 65536, 228 << 10, 2048, 32  # of a multiprocessor
RESERVED_SHARED = 1 << 10  # of each block
REGISTERS_PER_WARP_UNIT, SHARED_UNIT = 256, 128


@dataclass(frozen=True)
class Resources:
    """What a thread and a block of a kernel take, in registers and bytes."""

    registers: int
    shared: int
    stack: int
    spills: int


def resident_blocks(resources: Resources, threads: int, dynamic_shared: int = 0) -> int:
    """Return how many blocks of a kernel a multiprocessor runs at once.

    >>> resident_blocks(Resources(64, 8876, 0, 0), 128)
    8
    """
    warps = -(-threads // WARP)
    per_warp = -(-resources.registers * WARP // REGISTERS_PER_WARP_UNIT) * REGISTERS_PER_WARP_UNIT
    # Each of the four schedulers has a quarter of the registers, and whole warps.
    warps_by_registers = REGISTERS // SCHEDULERS // per_warp * SCHEDULERS
    shared = resources.shared + dynamic_shared + RESERVED_SHARED
    shared = -(-shared // SHARED_UNIT) * SHARED_UNIT
    by_threads = MAX_THREADS // WARP // warps
    return min(warps_by_registers // warps, SHARED_MEMORY // shared, by_threads, MAX_BLOCKS)


@dataclass(frozen=True)
class Inner:
    """How often a loop inside the unit's loop runs: ``times`` in all for each of the outer one.

    ``marker`` is source text in it. An unrolled loop holds several copies of ``opcode``, each one time.
    """

    marker: str
    times: float
    opcode: str = ""


@dataclass(frozen=True)
class Row:
    """Where a kernel's loop is, and what one iteration does.

    Args:
        file: A file of kernels/ or tests/reference/, without its suffix.
        kernel: A kernel in it.
        threads: Threads of a block.
        unit: What the rate counts.
        per: Regular expressions of opcodes in the loop, each with the units that one of them stands
            for; none: an iteration is a unit.
        marker: Source text of the loop; several with " & " between, if an
            instruction and the calls that it is inlined in have them all.
        units: Units of an iteration, without opcodes.
        innermost: Whether the marker means the innermost loop that has it.
        inner: How often the loops inside it run; one that is not named runs once.
        chance: How often code whose source has a text is run, where that is not at each iteration.
        active: The share of lanes that have work.
        hbm: Bytes of device memory for a unit.
        gathers: Cycles in which the L1 cache serves the global loads of 32 units, where that is more
            than one each.
        shared_cycles: Cycles for which a shared-memory access of a warp takes, by opcode; default: its
            bytes / 128.
        dynamic_shared: Bytes of a block.
        note: What the figures rest on.
    """

    file: str
    kernel: str
    threads: int
    unit: str
    per: tuple[tuple[str, float], ...] = ()
    marker: str = ""
    innermost: bool = False
    units: float = 1.0
    inner: tuple[Inner, ...] = ()
    chance: tuple[tuple[str, float], ...] = ()
    active: float = 1.0
    hbm: float = 0.0
    gathers: float = 0.0
    shared_cycles: tuple[tuple[str, float], ...] = ()
    dynamic_shared: int = 0
    note: str = ""


@dataclass(frozen=True)
class Cost:
    """An iteration of a loop of a warp: instructions by class, units, cycles by what could bound it."""

    units: float
    counts: Counter[str]
    cycles: dict[str, float]

    @property
    def instructions(self) -> float:
        """All of them."""
        return sum(self.counts.values())

    @property
    def bound(self) -> str:
        """What takes the most cycles."""
        return max(self.cycles, key=lambda name: self.cycles[name])


class Source:
    """A source as it was compiled, by line."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()

    def has(self, numbers: Sequence[int], marker: str) -> bool:
        """Return whether some lines contain a text, or each of several with " & " between."""
        lines = [self.lines[number - 1] for number in numbers if number <= len(self.lines)]
        return all(any(text in line for line in lines) for text in marker.split(" & "))


def find_loop(row: Row, function: Function, source: Source) -> Loop | None:
    """Return the loop of a row.

    A loop fits that has the row's marker and opcodes in no loop inside it. Of loops one in the other it
    is the inner one if the row has opcodes, no marker, or says so, else the outer one; of the rest that
    with the most instructions.
    """

    def fits(loop: Loop) -> bool:
        own = [one for number in loop.own for one in function.blocks[number].instructions]
        if row.marker and not any(source.has(one.lines, row.marker) for one in own):
            return False
        return _units(row, loop, function) > 0

    found = [loop for loop in function.loops if fits(loop)]
    if row.per or row.innermost or not row.marker:
        found = [loop for loop in found if not any(one.blocks < loop.blocks for one in found)]
    return max(found, key=lambda loop: function.count(loop.blocks).total(), default=None)


def _units(row: Row, loop: Loop, function: Function) -> float:
    if not row.per:
        return row.units
    own = [one.opcode for number in loop.own for one in function.blocks[number].instructions]
    total = 0.0
    for opcode in own:
        total += next((units for pattern, units in row.per if re.fullmatch(pattern, opcode)), 0)
    return total


def cost(row: Row, function: Function, loop: Loop, source: Source) -> Cost:
    """Return what an iteration of a row's loop costs a warp."""
    weights = {number: 1.0 for number in loop.own}
    _weigh_inner(row, function, loop, source, 1.0, weights)
    counts: Counter[str] = Counter()
    shared = 0.0
    for number, weight in weights.items():
        block = list(function.instructions({number}))
        for text, chance in row.chance:
            if 2 * sum(source.has(one.lines, text) for one in block) > len(block):
                weight *= chance
        for one in block:
            counts[class_of(one.opcode)] += weight  # type: ignore[assignment]
            if class_of(one.opcode) in ("lds", "sts", "atoms"):
                shared += weight * _shared_cycles(row, one.opcode)
    units = _units(row, loop, function)
    cycles = {"issue": sum(counts.values()) / SCHEDULERS}
    cycles |= {name: counts[name] * WARP / lanes for name, lanes in LANES.items()}
    others = sum(counts[name] for name in MEMORY if name not in ("lds", "sts", "atoms"))
    cycles["lsu"] = (others + sum(counts[name] for name in ("lds", "sts", "atoms"))) * WARP / LSU_LANES
    cycles["shared"] = shared
    cycles["l1"] = units * row.gathers
    return Cost(units, counts, cycles)


def _shared_cycles(row: Row, opcode: str) -> float:
    for pattern, cycles in row.shared_cycles:
        if re.fullmatch(pattern, opcode):
            return cycles
    width = WIDTH.search(opcode)
    return (int(width[1]) // 8 if width else 4) * WARP / SHARED_BYTES


def _weigh_inner(
    row: Row, function: Function, loop: Loop, source: Source, weight: float, weights: dict[int, float]
) -> None:
    """Enter in ``weights`` how often the blocks of the loops inside a loop run."""
    trips = {inner.header: 1.0 for inner in loop.inside}
    for inner in row.inner:
        copies = {}
        for one in loop.inside:
            own = [x for number in one.own for x in function.blocks[number].instructions]
            if any(source.has(x.lines, inner.marker) for x in own):
                found = (
                    sum(bool(re.fullmatch(inner.opcode, x.opcode)) for x in own) if inner.opcode else 1
                )
                copies[one.header] = max(found, 1)
        left = inner.times
        for place, header in enumerate(sorted(copies, key=lambda header: -copies[header])):
            last = place == len(copies) - 1
            trips[header] = left / copies[header] if last else left // copies[header]
            left -= trips[header] * copies[header]
    for one in loop.inside:
        times = weight * trips[one.header]
        for number in one.own:
            weights[number] = times
        _weigh_inner(row, function, one, source, times, weights)


@dataclass(frozen=True)
class Prediction:
    """The predicted rate of a kernel on a device in units a second, and what bounds it."""

    rate: float
    bound: str


def predict(row: Row, found: Cost, device: Device) -> Prediction:
    """Return the predicted rate of a loop on a device."""
    units = found.units * WARP * row.active
    rate = units / found.cycles[found.bound] * device.processors * device.clock
    if row.hbm and device.bandwidth / row.hbm < rate:
        return Prediction(device.bandwidth / row.hbm, "memory")
    return Prediction(rate, found.bound)
