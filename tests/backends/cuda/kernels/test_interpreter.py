"""The interpreter of PTX: operations against Python's integers, reports of broken kernels, counts."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

HERE = Path(__file__).parent
OPTIONS = ("-std=c++17", "--device-int128")
M32, M64 = (1 << 32) - 1, (1 << 64) - 1
ALL = 7  # the checks: uninitialized reads, races, writes to read-only memory
COUNT_TRANSACTIONS = 8


@pytest.fixture
def stand_in(cuda: Any) -> Any:
    if cuda.__version__ != "stand-in":
        pytest.skip("tests the stand-in")
    return cuda


def launch(stand_in: Any, name: str, *arguments: Any, blocks: int = 1, threads: int = 64) -> None:
    code = (HERE / "broken.cu").read_text("utf-8")
    kernel = stand_in.RawModule(code=code, options=OPTIONS).get_function(name)
    kernel((blocks,), (threads,), arguments)


def zeros(stand_in: Any, count: int = 64) -> Any:
    return stand_in.zeros(count, np.int32)


# On a device these fault, hang or have undefined results.
@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "past_the_end",
            r"global write of 4 bytes, 4 past the end of 256 bytes, lane 31; block 0, warp 1",
        ),
        ("before_the_begin", r"global write of 4 bytes, .* lane 0; block 0, warp 0"),
        ("past_shared", r"shared write of 4 bytes, \d+ past the end of 0 bytes, lane 0"),
        ("part_of_a_warp", r"deadlock: lanes 0000ffff|names lanes that have exited"),
        ("shuffle_of_a_part", r"names lanes that have exited|deadlock"),
        ("shuffle_from_outside", r"a shuffle reads an inactive lane"),
        ("no_member", r"lanes 0000ffff in an operation of the members ffff0000"),
        ("divergent_barrier", r"divergent barrier"),
        ("barrier_after_the_end", r"a barrier of the block after some of its threads have exited"),
        ("two_barriers", r"warps of a block wait at different barriers"),
        ("stop", r"trap"),
    ],
)
def test_faults_stop_a_launch(stand_in: Any, name: str, says: str) -> None:
    with pytest.raises(AssertionError, match=rf"^{name}: .*({says})"):
        launch(stand_in, name, zeros(stand_in))


def test_a_misaligned_access_is_refused(stand_in: Any) -> None:
    with pytest.raises(AssertionError, match="misaligned global write of 4 bytes"):
        launch(stand_in, "misaligned", stand_in.zeros(64, np.int8))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("race", "race: shared (read after write|write after read)"),
        ("race_in_a_warp", "race: shared (read after write|write after read)"),
        ("race_of_equal_values", "race: shared write after write"),
        ("race_of_blocks", "race: global (read after write|write after read|write after write)"),
        ("race_with_an_atomic", "race: global read after write"),
        ("uninitialized_shared", "an uninitialized shared read"),
        ("uninitialized_register", "a read of an uninitialized register"),
    ],
)
@pytest.mark.parametrize("seed", [0, 5])
def test_findings_of_the_checks(stand_in: Any, name: str, says: str, seed: int) -> None:
    stand_in.cuda.settings.checks = 0
    blocks = 2 if name == "race_of_blocks" else 1
    launch(stand_in, name, zeros(stand_in), blocks=blocks)  # without checks it passes
    stand_in.cuda.settings.checks, stand_in.cuda.settings.seed = ALL, seed
    with pytest.raises(AssertionError, match=says):
        launch(stand_in, name, zeros(stand_in), blocks=blocks)


@pytest.mark.parametrize("name", ["no_race", "no_race_in_a_warp"])
@pytest.mark.parametrize("seed", [0, 5])
def test_right_kernels_pass_the_checks(stand_in: Any, name: str, seed: int) -> None:
    stand_in.cuda.settings.checks, stand_in.cuda.settings.seed = ALL, seed
    out = zeros(stand_in)
    launch(stand_in, name, out)
    other = 33 if name == "no_race" else 1
    assert stand_in.asnumpy(out).tolist() == [thread ^ other for thread in range(64)]
    launch(stand_in, "no_race_of_blocks", out, blocks=9)
    assert int(out[0]) == other + 9
    launch(stand_in, "no_race_with_an_atomic", out)


def test_uninitialized_reads_are_found(stand_in: Any) -> None:
    stand_in.cuda.settings.checks = ALL
    given, out = stand_in.empty(64, np.int32), stand_in.empty(64, np.int32)
    with pytest.raises(AssertionError, match="an uninitialized global read, 64 times"):
        launch(stand_in, "uninitialized_global", given, out)
    given[:40] = 1
    with pytest.raises(AssertionError, match="an uninitialized global read, 24 times"):
        launch(stand_in, "uninitialized_global", given, out)
    given[40:] = 2
    launch(stand_in, "uninitialized_global", given, out)
    assert int(out.sum()) == 40 + 48
    with pytest.raises(AssertionError, match="an uninitialized local read"):
        launch(stand_in, "uninitialized_local", zeros(stand_in), np.int32(3))


def test_read_only_memory_may_not_be_written(stand_in: Any) -> None:
    """With ``const __restrict__`` a device may keep what it has read: one array as two breaks that."""
    stand_in.cuda.settings.checks = 4
    here, there = zeros(stand_in), zeros(stand_in)
    launch(stand_in, "constant", here, there)
    with pytest.raises(AssertionError, match="a write to memory that the launch reads as read-only"):
        launch(stand_in, "constant", here, here)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_lanes_may_wait_for_one_another(stand_in: Any, seed: int) -> None:
    """Since compute capability 7.0 each lane goes on by itself."""
    stand_in.cuda.settings.seed = seed
    out = zeros(stand_in)
    launch(stand_in, "wait_for_a_lane", out)
    assert int(out[0]) == 1


@pytest.mark.parametrize(("step", "wavefronts"), [(1, 1), (2, 2), (32, 32)])
def test_instructions_and_bank_conflicts_are_counted(stand_in: Any, step: int, wavefronts: int) -> None:
    stand_in.cuda.settings.checks = COUNT_TRANSACTIONS
    code = (HERE / "broken.cu").read_text("utf-8")
    kernel = stand_in.RawModule(code=code, options=OPTIONS).get_function("stride")
    interpreted = kernel.interpreted
    interpreted.clear()
    kernel((3,), (48,), (zeros(stand_in), np.int32(step)))
    counts = interpreted.counts()
    texts = [instruction.text for instruction in interpreted.program.instructions]
    (load,) = [at for at, text in enumerate(texts) if text.startswith("ld.shared")]
    # Three blocks of a whole warp and half of one.
    assert (counts.warps[load], counts.lanes[load], counts.accesses[load]) == (6, 3 * 48, 6)
    assert counts.transactions[load] == 3 * (wavefronts + -(-wavefronts // 2))


def signed(value: int, bits: int = 64) -> int:
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def float_bits(value: float) -> int:
    return int.from_bytes(struct.pack("<d", value), "little")


def expected_row(x: int, y: int) -> list[int]:
    low, other, high = x & M32, y & M32, x >> 32
    product = x * y + (y << 64)
    both = low | other << 32
    remainder = abs(signed(x)) % abs(signed(y)) * (-1 if signed(x) < 0 else 1)
    less = signed(low, 32) < signed(other, 32)
    high_product = (low * other >> 32) + ((signed(low, 32) * signed(other, 32) >> 32 & M32) << 32)
    rounded = abs(signed(low, 32)) // 2 * (-1 if signed(low, 32) < 0 else 1)
    exact = 4 * signed(low, 32) * signed(other, 32) + 1  # quarters, rounded once
    return [
        x * y >> 64,
        signed(x) * signed(y) >> 64,
        x // y,
        remainder,
        int(f"{x:064b}"[::-1], 2),
        64 - x.bit_length() + 100 * (x & -x).bit_length() + 10000 * x.bit_count(),
        product,
        product >> 64,
        sum((both >> 8 * (x >> 40 >> 4 * k & 7) & 255) << 8 * k for k in range(4)),
        ((high << 32 | low) << (other & 31)) >> 32 & M32,
        (high << 32 | low) >> (other & 31) & M32,
        5 + sum((low >> k & 255) * (other >> k & 255) for k in (0, 8, 16, 24)) & M32,
        7 + (low & 0xFFFF) * (other & 255) + (low >> 16) * (other >> 8 & 255) & M32,
        signed(x) >> (y & 63),
        signed(low, 32) >> (y & 31) & M32,
        x << (y & 63),
        signed(x & 255, 8) + signed(y & 0xFFFF, 16),
        signed(low, 32) * signed(other, 32) if less else low * other,
        high_product,
        (x >> 3 & 0xFFFF) // (y & 0xFFFF) + (low % other << 32),
        rounded,
        float_bits(exact / 4),
        min(signed(x), signed(y)) ^ max(low, other),
        32 + 1,  # lanes that add one up, and those that have this row
    ]


@pytest.mark.parametrize("architecture", ["sm_75", "sm_90", "sm_120"])
def test_operations_give_what_python_does(stand_in: Any, architecture: str) -> None:
    stand_in.cuda.settings.architecture = architecture
    check_operations(stand_in)


def test_operations_of_this_device_give_what_python_does(cuda: Any) -> None:
    check_operations(cuda)


def check_operations(cuda: Any) -> None:
    code = (HERE / "operations.cu").read_text("utf-8")
    if int(cuda.cuda.Device().compute_capability) < 80:  # which has no reductions of a warp
        code = code.replace("__reduce_add_sync(~0u, 1u)", "32")
    kernel = cuda.RawModule(code=code, options=OPTIONS).get_function("operate")
    rng, rows = np.random.default_rng(1), 1024
    x, y = rng.integers(0, 1 << 64, (2, rows), np.uint64) >> rng.integers(0, 64, (2, rows), np.uint64)
    out = cuda.zeros((rows, 24), np.uint64)
    kernel((1,), (64,), (cuda.asarray(x), cuda.asarray(y), out, np.int32(rows)))
    for i, (row, a, b) in enumerate(
        zip(cuda.asnumpy(out).tolist(), x.tolist(), y.tolist(), strict=True)
    ):
        assert row == [value & M64 for value in expected_row(a, b | 1)], (i, a, b)
