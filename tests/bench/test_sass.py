"""``bench/gpu/sass.py``: loops and classes of machine code, and what follows from them."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import pytest
from paths import ROOT

sys.path.append(str(ROOT))

from bench.gpu import sass

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
LINES = ["start", "for rows", "add(cell)", "for columns", "store"]


def test_a_disassembly_has_the_loops_of_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    codes = sass.read_codes(TEXT)
    assert list(codes) == ["sum", "nothing"] and codes["nothing"].loops == []
    code = codes["sum"]
    # The jump to itself behind the end is no loop, nor is the jump forward.
    assert code.loops == [range(2, 12), range(4, 9)] and code.hottest == range(4, 9)
    assert code.count(code.hottest) == {"memory": 2, "alu": 2, "control": 1}
    assert code.lines[4] == 3  # the innermost of the inlined
    sass.print_loops(code, LINES)
    said = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in said] == ["  10", "    5"]
    assert said[0].endswith(": for rows") and said[1].endswith("control 1: add(cell)")
    assert codes["nothing"].hottest == range(1)


def test_branches_to_one_place_are_one_loop() -> None:
    lines = [".L_a:", "/*0000*/ IADD3 R0 ;", "/*0010*/ @P0 BRA `(.L_a) ;", "/*0020*/ BRA `(.L_a) ;"]
    (code,) = sass.read_codes('\t.section\t.text.k,"ax",@progbits\n' + "\n".join(lines)).values()
    assert code.loops == [range(3)]


@pytest.mark.parametrize(
    ("opcode", "expected"),
    [
        ("IMAD.WIDE.U32", "mad"), ("IADD3.X", "alu"), ("VIMNMX3.U16x2", "alu"), ("LDS.U16", "memory"),
        ("ATOMS.POPC.INC.32", "memory"), ("LDG.E.U8.CONSTANT", "memory"), ("STG.E.64", "memory"),
        ("REDG.E.ADD.64", "memory"), ("STL.64", "memory"), ("SHFL.IDX", "memory"),
        ("BAR.SYNC.DEFER_BLOCKING", "control"), ("FLO.U32", "popc"), ("DFMA", "fp64"),
        ("FADD.FTZ", "fp32"), ("UIADD3", "control"), ("ULDC.64", "control"), ("BSSY", "control"),
        ("S2UR", "control"), ("IDP.4A.U8.U8", "mad"), ("LDC.64", "control"), ("SEL", "alu"),
        ("ISETP.GE.U32.AND", "alu"),
    ],
)  # fmt: skip
def test_classes_of_opcodes(opcode: str, expected: str) -> None:
    assert sass.class_of(opcode) == expected


@pytest.mark.parametrize(
    ("counts", "cycles", "bound"),
    [
        ({"alu": 2, "control": 30}, 32 / 4, "issue"),
        ({"alu": 2, "popc": 3, "memory": 2}, 3 * 32 / 16, "popc"),
        ({"memory": 7}, 7, "memory"),
    ],
)
def test_the_slowest_unit_bounds_the_rate(counts: dict[str, int], cycles: float, bound: str) -> None:
    assert sass.predict(Counter(counts)) == (132 * 1.98e9 * 32 / cycles, bound)


def test_resources_are_read_from_the_compiler() -> None:
    log = """ptxas info    : Compiling entry function 'one' for 'sm_90'
    64 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 46 registers, used 1 barriers, 632 bytes smem
ptxas info    : Compiling entry function 'two' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers"""
    assert sass.read_resources(log) == {
        "one": {"registers": 46, "shared": 632, "spills": 12, "stack": 64},
        "two": {"registers": 8, "shared": 0, "spills": 0, "stack": 0},
    }


def test_changes_show_figures_before_and_after(capsys: pytest.CaptureFixture[str]) -> None:
    def report(**registers: int) -> list[dict[str, Any]]:
        plain = {
            "instructions": 70,
            "shared": 0,
            "spills": 0,
            "loop": "x = order[i];",
            "counts": {"alu": 4},
            "rate": 5e9,
            "bound": "alu",
        }
        return [plain | {"kernel": name, "registers": number} for name, number in registers.items()]

    now, before = report(one=40, two=30, new=20), report(one=48, two=30, old=24)
    sass.print_changes(now, before, everything=True)
    said = capsys.readouterr().out
    lines = [line.replace("│", "").split()[:3] for line in said.splitlines()]
    at = lines.index(["one", "70", "40"])
    assert lines[at + 1] == ["before", "70", "48"] and ["new", "70", "20"] in lines
    assert "order[i]" in said and "5e+09/s" in said
    assert "two" not in said and "did not change: 1" in said and "gone: old" in said
    sass.print_changes(now, now, everything=False)
    assert capsys.readouterr().out == "kernels that did not change: 3\n"


@pytest.mark.parametrize(
    "names", [["known_hands/sums"], pytest.param([], marks=pytest.mark.weekly, id="all")]
)
def test_kernels_are_compiled_and_predicted(names: list[str]) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-bindings is not installed")
    try:
        sass.find_disassembler()
    except sass.MissingError as missing:
        assert "pip install" in str(missing)
        pytest.skip(str(missing))
    rows = [figures for figures, _, _ in sass.measure(names, "sm_90")]
    assert not [row["kernel"] for row in rows if row["spills"] or not row["registers"]]
    if names:
        assert [row["kernel"] for row in rows] == ["add_classes", "add_chunks", "close_sums"]
        assert all("[" in row["loop"] for row in rows)  # it reads the numbers that it adds
