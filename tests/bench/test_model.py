"""``bench/gpu/model.py``: units of instructions, and the rates that follow from what was executed."""

from __future__ import annotations

import json
import sys
from collections import Counter
from functools import partial
from typing import Any

import pytest
from paths import ROOT

sys.path.append(str(ROOT))

from bench.gpu import machine_code, model, resources
from bench.gpu.model import Executed, measure, unit_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add.s32 %r1, %r2, 1;", ("alu", 1)), ("@!%p3 and.b64 %rd1, %rd2, 1;", ("alu", 2)),
        ("setp.lt.u64 %p1, %rd1, %rd2;", ("alu", 2)), ("div.u64 %rd1, %rd2, %rd3;", ("alu", 80)),
        ("mul.wide.u32 %rd1, %r1, 4;", ("mad", 1)), ("mul.lo.s64 %rd1, %rd2, %rd3;", ("mad", 3)),
        ("popc.b32 %r1, %r2;", ("popc", 1)), ("cvt.rn.f64.s64 %fd1, %rd1;", ("popc", 2)),
        ("cvt.u64.u32 %rd1, %r1;", ("", 0)), ("mov.u32 %r1, %tid.x;", ("", 0)),
        ("fma.rn.f64 %fd1, %fd2, %fd3, %fd4;", ("fp64", 1)),
        ("div.rn.f64 %fd1, %fd2, %fd3;", ("fp64", 12)),
        ("ld.shared.u8 %rs1, [%r1];", ("memory", 1)),
        ("ld.param.u64 %rd1, [k_param_0];", ("control", 1)),
        ("shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;", ("memory", 1)), ("ret;", ("control", 1)),
        ("@%p1 bra $L__BB0_2;", ("control", 1)), ("bar.sync 0;", ("control", 1)),
    ],
)  # fmt: skip
def test_units_of_instructions(text: str, expected: tuple[str, int]) -> None:
    assert unit_of(text) == expected


@pytest.mark.parametrize(
    ("units", "passes", "cycles", "bound"),
    [
        ({"alu": 2, "control": 30}, 0, 32 / 4, "issue"),
        ({"alu": 2, "popc": 3, "memory": 2}, 0, 3 * 32 / 16, "popc"),
        ({"memory": 7}, 0, 7, "memory"),
        ({"alu": 4, "memory": 2}, 64, 64, "memory"),  # conflicts of banks
    ],
)
def test_the_slowest_unit_bounds_the_rate(
    units: dict[str, int], passes: int, cycles: float, bound: str
) -> None:
    found = Executed("k", Counter(units), warps=10, lanes=160, passes=passes, sectors=0)
    assert found.bound == bound and found.active == 0.5
    assert found.seconds == pytest.approx(cycles / 132 / 1.98e9)


def test_what_a_kernel_executes_is_counted(cuda: Any) -> None:
    """A thread takes a hand: more of them cost more, but tables are copied once."""
    if cuda.__version__ != "stand-in":
        pytest.skip("counted in the interpreter")
    import numpy as np
    from ptx.machine import Check

    from gpuodds.backends.cuda.arrays.ranks import rank_cards
    from gpuodds.games.holdem.game import HOLDEM

    cuda.cuda.settings.checks = Check.TRANSACTIONS
    cards = np.tile(np.arange(7, dtype=np.uint8), (4000, 1))
    rates = []
    for count in (1000, 4000):
        hands = cuda.asarray(cards[:count])
        (row,) = measure(partial(rank_cards, hands, HOLDEM))
        assert row.kernel == "rank_hands" and 0.3 < row.active <= 1.0
        assert row.sectors * 32 >= 9 * count and row.seconds > 0
        rates.append(sum(row.by_unit.values()))
    assert rates[0] < rates[1] < 4 * rates[0]


def test_workloads_have_names_of_their_own(cuda: Any) -> None:
    from bench.gpu.workloads import WORKLOADS

    assert len({work.name for work in WORKLOADS}) == len(WORKLOADS) > 25


def test_figures_are_of_every_workload() -> None:
    """The figures on the page are of today's workloads: run ``model.py`` after a change."""
    from bench.gpu.workloads import WORKLOADS

    rows = json.loads(model.RESULTS.read_text("utf-8"))["rows"]
    assert {row["workload"] for row in rows} == {work.name for work in WORKLOADS}
    assert all(row["rate"] > 0 and 0 < row["active"] <= 1 for row in rows)


def test_instructions_of_ptx_and_of_machine_code_are_counted() -> None:
    ptx = """.visible .entry k(
\t.param .u64 k_param_0
)
{
\t.reg .pred %p<3>;
\tld.param.u64 \t%rd1, [k_param_0];
\tmov.u32 \t%r1, %tid.x;
\t@%p1 bra \t$L__BB0_2;
\tadd.s64 \t%rd2, %rd1, 1;
$L__BB0_2:
\tret;
}"""
    code = """\t.section\t.text.k,"ax",@progbits
.text.k:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/              @!P0 EXIT ;
.L_1:
        /*0020*/                   BRA `(.L_1) ;
"""
    assert machine_code.count_ptx(machine_code.bodies(ptx)["k"]) == 1 + 0 + 1 + 2 + 1
    assert machine_code.count_machine(machine_code.bodies(code)["k"]) == 3


def test_unknown_workloads_and_too_few_devices_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    for arguments, said in (
        (["all pears"], "workload 'all pears': expected one of: all 7-card hands, "),
        (["--devices", "0"], "--devices 0: expected 1 or more"),
    ):
        monkeypatch.setattr(sys, "argv", ["model.py", *arguments])
        with pytest.raises(SystemExit) as stopped:
            model.main()
        assert stopped.value.code == 2 and said in capsys.readouterr().err


def test_resources_are_read_from_the_compiler() -> None:
    log = """ptxas info    : Compiling entry function 'one' for 'sm_90'
    64 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 46 registers, used 1 barriers, 632 bytes smem
ptxas info    : Compiling entry function 'two' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers"""
    assert resources.read_resources(log) == {
        "one": {"registers": 46, "shared": 632, "spills": 12, "stack": 64},
        "two": {"registers": 8, "shared": 0, "spills": 0, "stack": 0},
    }
