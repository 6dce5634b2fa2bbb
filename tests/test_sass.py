"""``bench/sass.py``: blocks, loops and classes of machine code, what follows from them, the docs."""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT))

from bench import forecasts, kernel_model, kernel_rows, sass, sweeps  # noqa: E402
from bench.disassembly import class_of, find_loops, read_functions  # noqa: E402
from bench.kernel_model import H100, H200, Inner, Resources, Row, Source  # noqa: E402
from bench.report import Bar  # noqa: E402

# A loop over rows around an unrolled loop over columns, as nvdisasm writes them.
TEXT = """
\t.section\t.text.sum,"ax",@progbits
sum:
.text.sum:
\t//## File "kernel.cu", line 1
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   CALL.REL.NOINC `($sum$divide) ;
.L_x_0:
\t//## File "kernel.cu", line 2
        /*0020*/                   IMAD.MOV.U32 R0, RZ, RZ, RZ ;
        /*0030*/               @P1 BRA `(.L_x_2) ;
.L_x_1:
\t//## File "kernel.cu", line 3 inlined at "kernel.cu", line 4
\t//## File "kernel.cu", line 4
        /*0040*/                   LDS.128 R4, [R0] ;
        /*0050*/                   IADD3 R5, R4, R5, RZ ;
        /*0060*/                   LDS.128 R8, [R0+0x10] ;
        /*0070*/                   IADD3 R5, R8, R5, RZ ;
        /*0080*/              @!P0 BRA `(.L_x_1) ;
.L_x_2:
\t//## File "kernel.cu", line 5
        /*0090*/                   STG.E desc[UR4][R2.64], R5 ;
        /*00a0*/                   POPC R6, R5 ;
        /*00b0*/              @!P2 BRA `(.L_x_0) ;
        /*00c0*/                   EXIT ;
$sum$divide:
        /*00d0*/                   MUFU.RCP R9, R9 ;
        /*00e0*/                   RET.REL.NODEC R20 `(sum) ;
.L_x_9:
        /*00f0*/                   BRA `(.L_x_9);
\t.section\t.text.nothing,"ax",@progbits
nothing:
        /*0000*/                   EXIT ;
"""
LINES = "start\nfor rows\nadd(cell)\nfor columns\nstore\n"


def test_a_disassembly_has_the_loops_of_the_source() -> None:
    functions = read_functions(TEXT)
    assert list(functions) == ["sum", "nothing"] and functions["nothing"].loops == []
    function = functions["sum"]
    outer, inner = (loop for loop in function.loops if len(loop.blocks) < 9 and loop.header < 6)
    assert inner.around is outer and outer.inside == [inner] and (outer.depth, inner.depth) == (0, 1)
    assert function.count(inner.blocks) == {"lds": 2, "alu": 2, "branch": 1}
    assert function.count(outer.own) == {"mad": 1, "stg": 1, "popc": 1, "branch": 2}
    # The called function counts where it is called.
    assert function.count({0}) == {"constant": 1, "branch": 2, "popc": 1}


def test_loops_of_graphs() -> None:
    def found(following: list[list[int]]) -> list[tuple[int, set[int], int]]:
        return [(loop.header, loop.blocks, loop.depth) for loop in find_loops(following)]

    assert found([[1], [2], []]) == []
    assert found([[1], [1, 2], []]) == [(1, {1}, 0)]
    # Two ways round one header are one loop; a jump into the middle of a cycle makes none.
    assert found([[1], [2, 3], [1], [1, 4], []]) == [(1, {1, 2, 3}, 0)]
    assert found([[1, 2], [2], [1, 3], []]) == []
    assert found([[1], [2], [3, 2], [1, 4], []]) == [(1, {1, 2, 3}, 0), (2, {2}, 1)]


@pytest.mark.parametrize(
    ("opcode", "expected"),
    [
        ("IMAD.WIDE.U32", "mad"), ("IADD3.X", "alu"), ("VIMNMX3.U16x2", "alu"), ("LDS.U16", "lds"),
        ("ATOMS.POPC.INC.32", "atoms"), ("LDG.E.U8.CONSTANT", "ldg"), ("REDG.E.ADD.64", "atomg"),
        ("STL.64", "local"), ("SHFL.IDX", "shfl"), ("BAR.SYNC.DEFER_BLOCKING", "barrier"),
        ("FLO.U32", "popc"), ("DFMA", "fp64"), ("UIADD3", "uniform"), ("ULDC.64", "uniform"),
        ("BSSY", "branch"), ("S2UR", "system"),
        ("IDP.4A.U8.U8", "mad"), ("LDC.64", "constant"), ("ISETP.GE.U32.AND", "alu"),
    ],
)  # fmt: skip
def test_classes_of_opcodes(opcode: str, expected: str) -> None:
    assert class_of(opcode) == expected


def measure(row: Row) -> Any:
    function, source = read_functions(TEXT)["sum"], Source(LINES)
    loop = kernel_model.find_loop(row, function, source)
    return None if loop is None else kernel_model.cost(row, function, loop, source)


def test_a_row_chooses_its_loop_and_counts_units() -> None:
    by_load = measure(Row("sum", "sum", 128, "number", (("LDS.128", 4),)))
    assert (by_load.units, by_load.instructions, by_load.bound) == (8, 5, "shared")
    assert by_load.cycles["shared"] == 2 * 4 and by_load.cycles["issue"] == 5 / 4
    narrow = measure(
        Row("sum", "sum", 128, "number", (("LDS.128", 4),), shared_cycles=((r"LDS.*", 1),))
    )
    assert narrow.cycles["shared"] == 2 and narrow.bound == "lsu"
    # By source text it is the outer loop, whose inner one runs three times for six cells.
    cells = (Inner("add(cell)", 6, r"LDS\.128"),)
    by_row = measure(Row("sum", "sum", 128, "row", marker="store", inner=cells))
    assert (by_row.units, by_row.instructions) == (1, 5 + 3 * 5)
    rare = measure(Row("sum", "sum", 128, "row", marker="store", inner=cells, chance=(("store", 0.5),)))
    assert rare.instructions == 2 + 3 * 5 + 3 / 2
    both = measure(Row("sum", "sum", 128, "number", marker="add(cell) & for columns"))
    assert both.counts["lds"] == 2
    assert measure(Row("sum", "sum", 128, "number", marker="add(cell) & store")) is None


def test_rates_follow_from_cycles_and_memory() -> None:
    row = Row("sum", "sum", 128, "number", (("LDS.128", 4),))
    found = measure(row)
    assert kernel_model.predict(row, found, H100).rate == 8 * 32 / 8 * 132 * 1.98e9
    heavy = kernel_model.predict(Row(**vars(row) | {"hbm": 64.0}), found, H200)
    assert (heavy.rate, heavy.bound) == (4.3e12 / 64, "memory")


@pytest.mark.parametrize(
    ("registers", "shared", "threads", "blocks"),
    [(32, 0, 256, 8), (33, 0, 256, 6), (64, 8876, 128, 8), (255, 0, 256, 1), (16, 0, 32, 32),
     (48, 16512, 256, 5), (32, 100_000, 128, 2), (31, 0, 1024, 2)],
)  # fmt: skip
def test_resident_blocks(registers: int, shared: int, threads: int, blocks: int) -> None:
    assert kernel_model.resident_blocks(Resources(registers, shared, 0, 0), threads) == blocks


def test_resources_are_read_from_the_compiler() -> None:
    log = """ptxas info    : Compiling entry function 'one' for 'sm_90'
    64 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 46 registers, used 1 barriers, 632 bytes smem
ptxas info    : Compiling entry function 'two' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers"""
    found = sass.read_resources(log)
    assert found == {"one": Resources(46, 632, 64, 12), "two": Resources(8, 0, 0, 0)}


def test_the_tables_show_predictions_as_such_and_measurements_next_to_them() -> None:
    figures = {"predictions": {"H100 SXM": {"rate": 5e9, "bound": "alu"}}}
    loop = {"instructions": 10.0, "units": 2.0}
    kernel = {
        "kernel": "k",
        "unit": "hand",
        "registers": 32,
        "shared": 8,
        "dynamic_shared": 0,
        "blocks": 8,
    }
    kernels = [kernel | {"threads": 128, "loop": loop} | figures]
    rows = {"fast": {"seconds": 0.2, "rate": 5e9, "least": True, "note": "A part."}}
    bars = {"fast": Bar(1.0, "s"), "many": Bar(1e9, "hands/s"), "free": None}
    (kernel_line,) = forecasts.kernel_table(kernels)[2:]
    assert kernel_line == "| `k` | hand | 5 | 32 | 8 | 8 x 128 | 5 G/s | alu |"
    titles, _, *lines = forecasts.row_table(rows, bars, [])
    assert titles == "| row | bar | predicted | measured | of the prediction |"
    assert lines == [
        "| fast | < 1 s | more than 200 ms | not measured yet | A part. |",
        "| many | >= 1,000 million/s | none | not measured yet |  |",
    ]
    run = {
        "machine": {"devices": ["NVIDIA H200, 140 GiB"]},
        "rows": [{"name": "fast", "seconds": {"median": 0.25}, "rate": None}],
    }
    titles, _, *lines = forecasts.row_table(rows, bars, [run])
    assert titles == "| row | bar | predicted | measured, NVIDIA H200 | of the prediction |"
    assert lines[0] == "| fast | < 1 s | more than 200 ms | 250 ms | A part. |"
    assert "| not measured yet |" in lines[1]


def test_changes_show_figures_before_and_after(capsys: pytest.CaptureFixture[str]) -> None:
    def report(**registers: int) -> dict[str, Any]:
        plain = {
            "unit": "hand",
            "shared": 0,
            "spills": 0,
            "blocks": 8,
            "threads": 256,
            "occupancy": 1.0,
        }
        kernels = [
            plain | {"kernel": name, "registers": number, "loop": None}
            for name, number in registers.items()
        ]
        seconds = {"fast": 0.001 * registers["one"], "slow": 7.0}
        rows = {name: {"seconds": x, "least": False} for name, x in seconds.items()}
        return {"kernels": kernels, "rows": rows}

    now, before = report(one=40, two=30, new=20), report(one=48, two=30, old=24)
    sass.print_changes(now, before, everything=True)
    said = capsys.readouterr().out
    lines = [line.replace("│", "").split()[:3] for line in said.splitlines()]
    at = lines.index(["one", "hand", "40"])
    assert lines[at + 1] == ["before", "hand", "48"] and ["new", "hand", "20"] in lines
    assert "two" not in said and "did not change: 1" in said and "gone: old" in said
    assert "fast: predicted 40 ms, before 48 ms" in said and "slow" not in said
    sass.print_changes(now, now, everything=False)
    assert capsys.readouterr().out == "kernels that did not change: 3\n"


@pytest.mark.parametrize(
    ("items", "threads", "ties"), [(1, 32, 4), (3, 32, 4), (12, 128, 2), (40, 32, 9), (200, 32, 3)]
)
def test_numbers_and_lane_slots_of_a_step(items: int, threads: int, ties: int) -> None:
    most, done, edges, states = 9, 11, 7, 12
    waiting = np.arange(states) % 5
    rows = 1  # as Share of matchings.cu parts a block: threads to items, then to rows of edges
    while items * rows < 2 * threads and 2 * rows <= min(edges, threads):
        rows *= 2

    def numbers(item: int, row: int) -> int:
        if item >= items:
            return 0
        open_cards = waiting[item % states] + item // states
        fits = row < edges and open_cards + row <= most and open_cards + 2 * row <= done
        return sum(tie < ties for tie in range(row + 1)) if fits else 0

    total = sum(numbers(item, row) for item in range(items) for row in range(edges))
    slots = 0
    for begin in range(0, items, 32 // rows):
        for turn in range(edges):
            lanes = [(begin + lane // rows, lane % rows + turn * rows) for lane in range(32)]
            slots += 32 * max(numbers(*lane) for lane in lanes)
    found = sweeps.count_numbers(waiting, states, items, done, most, edges, ties, threads)
    assert found == (total, slots)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_boards_on_which_a_flush_is_possible(size: int) -> None:
    boards = [(0, 1, 2, 3, 4), (0, 4, 5, 9, 13), (0, 4, 8, 13, 17), (0, 4, 8, 12, 51)]
    for board in boards:
        known = board[:size]
        left = [card for card in range(52) if card not in known]
        flushes = sum(
            max(np.bincount([card % 4 for card in (*known, *runout)])) >= 3
            for runout in combinations(left, 5 - size)
        )
        suits = np.bincount([card % 4 for card in known], minlength=4).tolist()
        assert forecasts.count_flushes(suits) == flushes


def test_every_kernel_has_a_row() -> None:
    names = {name for text in sass.sources().values() for name in sass.kernel_names(text)}
    assert names == {row.kernel for row in kernel_rows.KERNELS}


@pytest.mark.parametrize("names", [["sums"], pytest.param([], marks=pytest.mark.weekly, id="all")])
def test_the_loop_of_each_row_is_found(names: list[str]) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-bindings is not installed")
    try:
        sass.find_disassembler()
    except sass.MissingError as missing:
        assert "pip install" in str(missing)
        pytest.skip(str(missing))
    rows = sass.measure_all(names, "sm_90")
    assert not [row["kernel"] for row in rows if row["loop"] is None or row["spills"]]
    if names:
        assert [row["kernel"] for row in rows] == ["add_classes", "add_chunks", "close_sums"]
    else:
        assert {row.row for row in forecasts.FORECASTS} == set(forecasts.predict_rows(rows))
