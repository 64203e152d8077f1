# SPDX-License-Identifier: Apache-2.0
"""RISC-V cores from their Verilog: cycles beside those that their authors tell."""

from __future__ import annotations

import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from bench_toys import run_program

from samara.bench import devices, places, simulators
from samara.bench.simulators import CrashError, StackOverflowError, verilated
from samara.errors import MisuseError
from samara.extras import MissingPackageError
from samara.locks import PathLock

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.devices import Device

CORES = ("ibex", "picorv32")
LOAD = r"lw a0, -4(sp)\n"


def device_with(core: str) -> Device:
    """Return a device with a core; its memory is of another's."""
    family = devices._family("riscv")  # noqa: SLF001 - not all cores are devices
    like = devices.by_name()["cortex-m0plus"]
    return replace(like, name=core, family=family, mcu="rv32imc", core=core)


@pytest.fixture(autouse=True)
def _of_each_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each core be a device."""
    both = {core: device_with(core) for core in CORES}
    monkeypatch.setattr(devices, "device", both.__getitem__)


# Instructions, all of 32 bits but for those that begin with "c.", and their cycles.
# PicoRV32: README, "Cycles per Instruction Performance"; the fast multiplier adds
# what pcpi takes. Ibex: "Pipeline Details" of its manual, RV32MFast; a load or a store
# takes two cycles, what jumps a second one to fetch.
CYCLES = [
    ("ibex", r"addi a0, a0, 1\n", 1),
    ("ibex", r"xor a0, a0, a1\n", 1),
    ("ibex", LOAD, 2),
    ("ibex", r"sw a0, -4(sp)\n", 2),
    ("ibex", r"sll a0, a0, a1\n", 1),
    ("ibex", r"mul a0, a0, a1\n", 3),
    ("ibex", r"mulhu a0, a0, a1\n", 4),
    ("ibex", r"divu a0, a0, sp\n", 37),
    ("picorv32", r"addi a0, a0, 1\n", 3),
    ("picorv32", r"xor a0, a0, a1\n", 3),
    ("picorv32", LOAD, 5),
    ("picorv32", r"sw a0, -4(sp)\n", 5),
    ("picorv32", r"sll a0, a0, a1\n", 3),
    ("picorv32", r"divu a0, a0, sp\n", 40),
]


def test_a_core_is_built_once_for_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two ask while it is built: the second one takes what the first one has built."""
    built: list[Path] = []
    asked: list[Path] = []
    both_ask = threading.Event()

    def lock(path: Path, *, waits: bool) -> PathLock:
        asked.append(path)
        if len(asked) > 1:
            both_ask.set()
        return PathLock(path, waits=waits)

    def build(target: Path, *_rest: object) -> None:
        built.append(target)
        assert both_ask.wait(60)
        target.write_text("a program")

    monkeypatch.setattr(verilated, "PathLock", lock)
    monkeypatch.setattr(verilated, "_build", build)
    monkeypatch.setattr(places, "made", lambda: tmp_path / "made")
    ask = verilated._runner.__wrapped__  # noqa: SLF001 - as another process does
    family = devices._family("riscv").folder  # noqa: SLF001 - of no device here
    with ThreadPoolExecutor() as pool:
        first = pool.submit(ask, family, "ibex")
        second = pool.submit(ask, family, "ibex")
    assert first.result() == second.result() == built[0]
    assert len(built) == 1


UNCOMPRESSED = r".option norvc\n"


@pytest.mark.slow
@pytest.mark.parametrize(("core", "instruction", "cycles"), CYCLES)
def test_instructions_take_what_the_authors_tell(
    core: str, instruction: str, cycles: int, tmp_path: Path
) -> None:
    once, often = (
        run_program(tmp_path, core, UNCOMPRESSED + instruction * times)
        for times in (1, 9)
    )
    assert (once.instructions, often.instructions) == (1, 9)
    assert often.cycles - once.cycles == 8 * cycles
    assert once.cycles == cycles


@pytest.mark.slow
@pytest.mark.parametrize(
    ("core", "cycles"),
    [
        # Loading, 3 subtractions, 2 branches taken and one not; JAL, RET and J.
        ("ibex", 1 + 3 * 1 + 2 * 3 + 1 + 3 * 2),
        ("picorv32", 3 + 3 * 3 + 2 * 5 + 3 + 3 + 6 + 3),
    ],
)
def test_branches_that_are_taken_and_not(
    core: str, cycles: int, tmp_path: Path
) -> None:
    assembly = (
        r"li a0, 3\n 1: addi a0, a0, -1\n bnez a0, 1b\n"
        r" jal 2f\n j 3f\n .balign 4\n 2: ret\n .balign 4\n 3:"
    )
    run = run_program(tmp_path, core, UNCOMPRESSED + assembly)
    assert (run.cycles, run.instructions) == (cycles, 10)


@pytest.mark.slow
@pytest.mark.parametrize("core", CORES)
def test_the_stack_is_what_is_taken_or_written(core: str, tmp_path: Path) -> None:
    moved = r"addi sp, sp, -48\n addi sp, sp, 48"
    assert run_program(tmp_path, core, moved).stack_bytes == 48
    written = r"sw a0, -20(sp)\n"
    assert run_program(tmp_path, core, written).stack_bytes == 20
    assert run_program(tmp_path, core, "nop").stack_bytes == 0
    assert run_program(tmp_path, core, "").cycles == 0


@pytest.mark.slow
@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize(
    ("assembly", "reason"),
    [
        (r".word 0", "the processor trapped"),
        (r"li a0, 0x40000000\n lw a0, 0(a0)", "read where no memory is"),
        (r"sw a0, 0x100(zero)", "wrote where no RAM is"),
        (r"1: j 1b", "more cycles than the limit"),
    ],
)
def test_what_must_not_be_is_a_crash(
    core: str, assembly: str, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(CrashError, match=reason):
        run_program(tmp_path, core, assembly)


@pytest.mark.slow
@pytest.mark.parametrize("core", CORES)
def test_a_stack_that_reaches_the_data_is_a_crash(core: str, tmp_path: Path) -> None:
    with pytest.raises(StackOverflowError, match="stack reached the data"):
        run_program(tmp_path, core, r"1: addi sp, sp, -16\n j 1b")


@pytest.mark.slow
@pytest.mark.parametrize("core", CORES)
def test_memory_is_what_was_written(core: str, tmp_path: Path) -> None:
    run_program(tmp_path, core, "nop")
    device = devices.device(core)
    with simulators.start(device, tmp_path / "program.elf") as simulator:
        last = device.ram_start + device.ram_bytes - 3
        simulator.write(last, b"\x01\xfe\x10")
        assert simulator.read(last - 1, 4) == b"\0\x01\xfe\x10"
        simulator.fill(device.ram_start, 5, b"ab")
        assert simulator.read(device.ram_start, 6) == b"ababa\0"
        # It begins with the code: at 0x80 gp is set.
        assert simulator.read(0x80, 1) != b"\0"


def test_a_core_that_is_not_there_is_named(tmp_path: Path) -> None:
    other = device_with("serv")
    with pytest.raises(MisuseError, match="'serv': expected ibex or picorv32"):
        simulators.start(other, tmp_path)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verilated, "_runner", verilated._runner.__wrapped__)  # noqa: SLF001
    monkeypatch.setitem(__import__("sys").modules, "pythondata_cpu_ibex", None)
    folder = devices.device("ibex").family.folder
    with pytest.raises(MissingPackageError, match=r"pip install 'samara\[riscv\]'"):
        verilated._runner(folder, "ibex")  # noqa: SLF001


def test_what_is_left_of_a_simulator_that_was_not_made_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing ends a process that is killed but the next one that makes the same."""
    target, temporary = tmp_path / "riscv-core", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(verilated, "_package", lambda _: tmp_path)
    made: list[Path] = []

    def verilate(_: object, includes: object, into: Path, verilator: Path) -> None:
        del includes, verilator
        assert list(into.iterdir()) == []
        (into / "Vmachine.cpp").touch()
        made.append(into)

    def compile_(folder: Path, runner: Path, verilator: Path, to: Path) -> None:
        del runner, verilator
        if len(made) == 1:
            raise KeyboardInterrupt
        to.write_bytes((folder / "Vmachine.cpp").read_bytes())

    monkeypatch.setattr(verilated, "_verilate", verilate)
    monkeypatch.setattr(verilated, "_compile", compile_)
    with pytest.raises(KeyboardInterrupt):
        verilated._build(target, (), (), tmp_path)  # noqa: SLF001
    assert list(tmp_path.iterdir()) == [temporary]
    # As of a process that was killed.
    made[0].mkdir()
    (made[0] / "other.cpp").touch()
    verilated._build(target, (), (), tmp_path)  # noqa: SLF001
    assert made[0] == made[1]
    assert sorted(tmp_path.iterdir()) == [target, temporary]
    assert list(temporary.iterdir()) == []
