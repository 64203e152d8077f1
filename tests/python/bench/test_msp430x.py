# SPDX-License-Identifier: Apache-2.0
"""The simulated MSP430FR: its instructions beside mspdebug's, its cycles, its engine.

Cycles are those of TI's tables for the CPUX (SLAU445, 4-9 and 4-10), results those of
another simulator and of FIPS 197.
"""

from __future__ import annotations

import random
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from bench_toys import linked_program, run_program

from samara.bench import building, devices, simulators, subjects
from samara.bench.flash import FlashWaits, flash_of
from samara.bench.measuring import Task, measure_in
from samara.bench.simulators import CrashError, msp430x
from samara.bench.simulators.msp430x import Msp430x
from samara.bench.ways import Build

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.images import Image
    from samara.bench.simulators import Run

CHIP = "msp430fr5969"
TWIN = "msp430f1611"

# Assembly and its cycles. r10 is 0x1c80, in RAM.
TAKES = [
    ("mov r11, r12", 1),
    ("add #0x1234, r12", 2),
    # Constants that the processor has itself are registers.
    ("add #8, r12", 1),
    ("inv r12", 1),
    ("mov @r10, r12", 2),
    ("mov @r10+, r12", 2),
    ("mov 2(r10), r12", 3),
    ("mov &0x1c80, r12", 3),
    # MOV, BIT and CMP take one less where the destination is memory.
    ("mov r12, 0(r10)", 3),
    ("add r12, 0(r10)", 4),
    ("add #2, &0x1c80", 4),
    ("cmp #0x1234, &0x1c80", 4),
    ("bit @r10, 2(r10)", 4),
    ("xor @r10, 2(r10)", 5),
    ("add #0x1234, &0x1c80", 5),
    ("mov &0x1c80, &0x1c82", 5),
    ("add &0x1c80, &0x1c82", 6),
    ("add 2(r10), 4(r10)", 6),
    # What is written into the program counter.
    ("mov #1f, r11\n mov r11, r0\n 1:", 2 + 3),
    ("br #1f\n 1:", 3),
    ("mov #1f, 0(r10)\n mov @r10, r0\n 1:", 4 + 4),
    ("mov #1f, 0(r10)\n mov 0(r10), r0\n 1:", 4 + 5),
    ("jmp 1f\n 1:", 2),
    ("jz 1f\n 1:", 2),
    # One operand.
    ("swpb r12", 1),
    ("rra r12", 1),
    ("rrc @r10", 3),
    ("rrc &0x1c80", 4),
    ("sxt 0(r10)", 4),
    ("push r12\n pop r12", 3 + 2),
    ("push #0x1234\n pop r12", 3 + 2),
    ("push #4\n pop r12", 3 + 2),
    # PUSH 2(R10), which clang does not assemble.
    (".word 0x121a, 2\n pop r12", 4 + 2),
    ("call #1f\n jmp 2f\n 1: ret\n 2:", 4 + 4 + 2),
    ("mov #1f, r11\n call r11\n jmp 2f\n 1: ret\n 2:", 2 + 4 + 4 + 2),
    ("mov #1f, 0(r10)\n call 0(r10)\n jmp 2f\n 1: ret\n 2:", 4 + 5 + 4 + 2),
    ("mov #1f, 0(r10)\n call &0x1c80\n jmp 2f\n 1: ret\n 2:", 4 + 6 + 4 + 2),
]


@pytest.mark.parametrize(("assembly", "cycles"), TAKES)
def test_instructions_take_the_cycles_of_the_tables(
    assembly: str, cycles: int, tmp_path: Path
) -> None:
    whole = "push r10\n mov #0x1c80, r10\n" + assembly + "\n pop r10"
    run = run_program(tmp_path, CHIP, whole.replace("\n", r"\n"))
    assert run.cycles == 3 + 2 + cycles + 2


def random_program(seed: int) -> str:
    """Return assembly that computes with registers and the stack, and keeps all flags.

    Where both simulators have a memory alike is the stack alone.
    """
    draw = random.Random(seed)  # noqa: S311 - repeatable
    free = [f"r{number}" for number in range(5, 16)]
    lines = ["sub #32, r1"]
    lines += [f"mov #{draw.randrange(65536)}, {one}" for one in free]
    lines += [f"mov {draw.choice(free)}, {at}(r1)" for at in range(0, 32, 2)]
    for _ in range(120):
        suffix = draw.choice(["", ".b"])
        step = 2 if suffix == "" else 1
        place = f"{draw.randrange(0, 30, step)}(r1)"
        edges = [0, 1, 2, 4, 8, -1, 0x7F, 0x80, 0x7FFF, 0x8000]
        number = f"#{draw.choice([*edges, draw.randrange(65536)])}"
        source = draw.choice([*free, *free, number, place, "@r1"])
        target = draw.choice([*free, *free, place])
        two = ["mov", "add", "addc", "subc", "sub", "cmp", "bit", "bic", "bis"]
        two += ["xor", "and"]
        kind = draw.randrange(10)
        if kind < 7:
            lines.append(f"{draw.choice(two)}{suffix} {source}, {target}")
        elif kind == 7:
            lines.append(f"{draw.choice(['rrc', 'rra'])}{suffix} {target}")
        elif kind == 8:
            word = draw.choice([*free, f"{draw.randrange(0, 30, 2)}(r1)"])
            lines.append(f"{draw.choice(['swpb', 'sxt'])} {word}")
        else:
            condition = draw.choice(["jz", "jnz", "jc", "jnc", "jn", "jge", "jl"])
            lines.append(f"{condition} 1f\n inv r5\n 1:")
        # The flags of each step reach the result.
        lines.append("mov r2, r4\n and #0x107, r4\n add r4, r6\n swpb r6")
    return "\n".join(["push r4", *lines])


def memory_after(name: str, assembly: str, folder: Path) -> bytes:
    """Run assembly, and return the registers 4 to 15 and 32 bytes of the stack."""
    saved = "".join(f"push r{number}\n" for number in range(4, 16))
    text = f"{assembly}\n{saved}mov r1, &measure_job_now\n1: jmp 1b\n"
    program = linked_program(folder, name, text.replace("\n", r"\n"))
    device = devices.device(name)
    with simulators.start(device, program.path) as simulator:
        symbols = program.symbols
        simulator.go(symbols["measure_start_seal"], limit=10**6, floor=0)
        with pytest.raises(CrashError, match="more cycles than the limit"):
            simulator.go(1, limit=20_000, floor=0)
        stack = simulator.read(symbols["measure_job_now"], 2)
        return simulator.read(int.from_bytes(stack, "little"), 2 * 12 + 32)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_random_programs_compute_what_they_do_in_mspdebug(
    seed: int, tmp_path: Path
) -> None:
    assembly = random_program(seed)
    ours = memory_after(CHIP, assembly, tmp_path)
    assert ours == memory_after(TWIN, assembly, tmp_path)
    assert ours != memory_after(CHIP, random_program(seed + 1), tmp_path)


@pytest.mark.parametrize(
    ("assembly", "reason"),
    [
        ("1: jmp 1b", "more cycles than the limit"),
        ("bis #16, r2", "switched off"),
        # PUSHM.A #1, R4, which only an MSP430X has.
        (".word 0x1404", "invalid opcode"),
        (".word 0x1300", "RETI"),
        ("dadd r5, r6", "DADD"),
        ("mov &0x3000, r5", "no memory where it reads"),
        ("mov r5, &0x2400", "no memory where it writes"),
        ("mov &0x0200, r5", "reads a register"),
        ("mov r5, &0x0200", "writes a register"),
        ("mov.b &0x09c4, r5", "a byte of a register"),
        ("1: push r5\n jmp 1b", "stack reached the data"),
    ],
)
def test_what_it_cannot_do_is_a_crash(
    assembly: str, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(CrashError, match=reason):
        run_program(tmp_path, CHIP, assembly.replace("\n", r"\n"))


# Three words in FRAM, and one in RAM.
WRITES = """
mov #0x1111, &0xf000
mov.b #0x22, &0xf002
mov #0x3333, &0x2000
mov #0x4444, &0xf004
"""


@pytest.mark.parametrize("after", range(-1, 5))
def test_the_power_fails_in_place_of_a_write_to_fram(
    after: int, tmp_path: Path
) -> None:
    program = linked_program(tmp_path, CHIP, WRITES.replace("\n", r"\n"))
    start, stop = (
        program.symbols[f"measure_{mark}_seal"] for mark in ("start", "stop")
    )
    written = [b"\x11\x11", b"\x22", b"\x44\x44"]
    with Msp430x(devices.device(CHIP), program.path) as simulator:
        simulator.write(0xF000, bytes(6))
        simulator.go(start, limit=10**6, floor=0)
        simulator.let_power_fail(after)
        if 0 <= after < len(written):
            with pytest.raises(CrashError, match="the power fails"):
                simulator.go(stop, limit=10**6, floor=0)
            assert simulator.fram_writes() == (after + 1, 0xF000 + 2 * after)
            written = written[:after]
        else:
            simulator.go(stop, limit=10**6, floor=0)
            assert simulator.fram_writes() == (3, 0xF004)
        simulator.begin_anew()
        left = b"".join(each.ljust(2, b"\0") for each in written).ljust(6, b"\0")
        assert simulator.read(0xF000, 6) == left
        # RAM is lost, and the program begins.
        assert simulator.read(0x2000, 2) == b"\xa5\xa5"
        simulator.let_power_fail(-1)
        simulator.go(start, limit=10**6, floor=0)
        simulator.go(stop, limit=10**6, floor=0)
        assert simulator.read(0xF000, 6) == b"\x11\x11\x22\0\x44\x44"


def test_its_runner_refuses_other_arguments() -> None:
    runner = str(msp430x._program())  # noqa: SLF001 - the program itself
    for words in ([], ["image", "1"], ["image", *"12345678", "engine"]):
        done = subprocess.run(
            [runner, *words], check=False, capture_output=True, text=True
        )
        assert done.returncode == 2
        assert done.stderr.startswith("usage: runner IMAGE RAM_START RAM_BYTES")
    none = [runner, "/dev/null", "7168", "2048", "17408", "0", "1", "1", "1"]
    done = subprocess.run(none, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "runner: cannot load /dev/null\n")


# FIPS 197, C.1 to C.3: one plaintext under keys of 16, 24 and 32 bytes.
PLAINTEXT = bytes.fromhex("00112233445566778899aabbccddeeff")
KNOWN = {
    16: "69c4e0d86a7b0430d8cdb78070b4c55a",
    24: "dda97ca4864cdfe06eaf70a0ec0d7191",
    32: "8ea2b7ca516745bfeafc49904b496089",
}
# From the last word of the data to the first look that finds it done.
RUN_CYCLES = {16: (168, 215), 24: (204, 255), 32: (234, 292)}


def words_of(data: bytes) -> list[int]:
    """Return the words that an MSP430 reads there."""
    return [
        int.from_bytes(data[at : at + 2], "little") for at in range(0, len(data), 2)
    ]


def engine_program(key: bytes, data: bytes, operation: int, *, end: str = "") -> str:
    """Return assembly that gives the engine a key and data, and waits for it."""
    control = operation | (len(key) - 16) // 8 << 2
    lines = [f"mov #{control}, &0x09c0"]
    lines += [f"mov #{word}, &0x09c6" for word in words_of(key)]
    lines += [f"mov #{word}, &0x09c8" for word in words_of(data)]
    return "\n".join([*lines, r"1: bit #1, &0x09c4", "jnz 1b", end])


@pytest.mark.parametrize("size", KNOWN)
@pytest.mark.parametrize("decrypts", [False, True])
def test_the_engine_knows_the_answers_of_fips_197(
    size: int, tmp_path: Path, *, decrypts: bool
) -> None:
    sealed = bytes.fromhex(KNOWN[size])
    given, wanted = (sealed, PLAINTEXT) if decrypts else (PLAINTEXT, sealed)
    key = bytes(range(size))
    text = engine_program(key, given, int(decrypts))
    program = linked_program(tmp_path, CHIP, text.replace("\n", r"\n"))
    with Msp430x(devices.device(CHIP), program.path) as simulator:
        for mark in ("start_seal", "stop_seal"):
            run = simulator.go(program.symbols[f"measure_{mark}"], limit=10**6, floor=0)
        assert simulator.engine() == key.ljust(32, b"\0") + wanted
    # MOV #N 4, or 3 of what the processor has itself; BIT #1 3 and a jump 2, until one
    # begins when the run is over.
    numbers = [decrypts + (size - 16) // 2, *words_of(key), *words_of(given)]
    written = sum(3 if each in {0, 1, 2, 4, 8, 0xFFFF} else 4 for each in numbers)
    turns = -(-RUN_CYCLES[size][decrypts] // 5)
    assert run.cycles == written + 5 * turns + 5


@pytest.mark.parametrize(
    ("end", "key_is_left"),
    [
        ("", True),
        # A software reset, another operation, another length of the key.
        ("mov #0x80, &0x09c0", False),
        ("mov #1, &0x09c0", False),
        ("mov #4, &0x09c0", False),
        ("mov #0, &0x09c0", True),
    ],
)
def test_the_engine_forgets_its_key(
    end: str, tmp_path: Path, *, key_is_left: bool
) -> None:
    text = engine_program(bytes(range(1, 17)), PLAINTEXT, 0, end=end)
    program = linked_program(tmp_path, CHIP, text.replace("\n", r"\n"))
    with Msp430x(devices.device(CHIP), program.path) as simulator:
        simulator.go(program.symbols["measure_stop_seal"], limit=10**6, floor=0)
        assert any(simulator.engine()[:32]) is key_is_left


class Watched(Msp430x):
    """Keeps what the engine holds wherever a run ends."""

    def __init__(self, image: Image) -> None:
        super().__init__(devices.device(CHIP), image.path)
        self._names = {place: name for name, place in image.symbols.items()}
        self.held: list[tuple[str, bytes]] = []

    def go(self, until: int, *, limit: int, floor: int, watch_stack: int = 0) -> Run:
        """Run, and look at the engine."""
        run = super().go(until, limit=limit, floor=floor, watch_stack=watch_stack)
        self.held.append((self._names[until], self.engine()))
        return run


@pytest.mark.slow
@pytest.mark.parametrize(
    "suite", ["aes128-ccm-8", "aes256-cbc", "aes192", "aes128-gcm"]
)
def test_calls_leave_nothing_in_the_engine(suite: str) -> None:
    """Neither a key nor a block."""
    build = Build(devices.device(CHIP), "engine", "Os")
    task = Task(build, subjects.subject(suite), ((32, 0),), samples=2)
    program = building.build(build, task.subject)
    watched: list[Watched] = []

    def start() -> Watched:
        watched.append(Watched(program.image))
        return watched[-1]

    rows = measure_in(task, program, start)
    assert rows
    assert all(row.problem is None for row in rows)
    held = [each for one in watched for each in one.held]
    assert {"measure_stop_seal", "measure_stop_set_up"} <= {name for name, _ in held}
    assert not any(any(data) for _, data in held)


WITH_CACHE = FlashWaits(flash_of(CHIP), 1)


def added(assembly: str, folder: Path, **change: Any) -> int:  # noqa: ANN401 - fields
    """Return what waits of one cycle add to assembly, with a cache of another shape."""
    program = linked_program(folder, CHIP, assembly.replace("\n", r"\n"))
    at = replace(WITH_CACHE, flash=replace(WITH_CACHE.flash, **change))
    cycles = []
    for waits in (None, at):
        with Msp430x(devices.device(CHIP), program.path, waits) as simulator:
            for mark in ("start_seal", "stop_seal"):
                run = simulator.go(
                    program.symbols[f"measure_{mark}"], limit=10**6, floor=0
                )
            cycles.append(run.cycles)
    return cycles[1] - cycles[0]


# 32 instructions of a word from a multiple of 8 on: 8 lines of 8 bytes.
STRAIGHT = ".balign 8\n" + "swpb r5\n" * 32


def test_each_line_of_a_straight_program_is_waited_for(tmp_path: Path) -> None:
    # The code around it may begin a line more at either end.
    assert 8 <= added(STRAIGHT, tmp_path) <= 10
    assert 4 <= added(STRAIGHT, tmp_path, line_bytes=16) <= 6


def test_a_loop_waits_once_where_the_cache_holds_it(tmp_path: Path) -> None:
    body = "swpb r5\n" * 10 + "dec r6\njnz 1b\n"
    loop = "mov #20, r6\nbr #1f\n.balign 8\n1:\n" + body
    # Three lines: held by four, and read in each turn where one is held.
    assert added(loop, tmp_path) <= 6
    assert added(loop, tmp_path, lines=1, sets=1) >= 20 * 3


def test_a_line_gives_way_in_its_set_alone(tmp_path: Path) -> None:
    """Reads of three lines, of one set in the first loop, of both in the second."""
    turn = "mov &{}, r5\nmov &{}, r5\nmov &{}, r5\n"
    loops = []
    for apart in (16, 8):
        places = [0x5000 + apart * number for number in range(3)]
        loops.append(added(turn.format(*places) * 40, tmp_path))
    # Of 120 reads; the instructions move lines too.
    assert loops[0] - loops[1] >= 30


@pytest.mark.slow
@pytest.mark.parametrize(
    ("implementation", "is_constant"),
    [("engine", True), ("bitsliced", True), ("assembly", False), ("portable", False)],
)
def test_tables_in_fram_tell_secrets_where_fram_waits(
    implementation: str, *, is_constant: bool
) -> None:
    """What docs/constant-time.md says: above 8 MHz look-ups take another time."""
    build = Build(devices.device(CHIP), implementation, "Os")
    task = Task(build, subjects.subject("aes128-ccm-8"), ((32, 0),), samples=8)
    program = building.build(build, task.subject)
    path = program.image.path
    for waits, wanted in ((None, True), (WITH_CACHE, is_constant)):
        (row,) = measure_in(task, program, lambda: Msp430x(build.device, path, waits))  # noqa: B023 - called here
        assert row.constant_time is wanted
