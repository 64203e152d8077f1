# SPDX-License-Identifier: Apache-2.0
"""Cortex-M: the processor of QEMU through unicorn; cycles are estimated.

Unicorn tells each block of instructions before it runs. What a block takes is
worked out once, by `cortex_timing`; whether the branch at its end was taken
shows when the next block begins. The blocks are added up in C, by counter.c of
the family's folder: there are millions.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from samara import atomic_files
from samara.bench import images, places, toolchain
from samara.bench.flash import LINES_MAX
from samara.bench.hashing import hash_of_files
from samara.bench.simulators.base import (
    CrashError,
    Run,
    StackOverflowError,
    StackWatch,
    repeated,
)
from samara.bench.simulators.cortex_timing import core
from samara.extras import need

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from samara.bench.devices import Device
    from samara.bench.flash import FlashWaits

_PAGE = 4096
_CONSTANTS_MAX = 16
_CONSTANT = re.compile(r"\[pc, #(-?0x[0-9a-f]+|-?\d+)\]")

_LEARN = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint32)


class _Block(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_uint32),
        ("instructions", ctypes.c_uint32),
        ("cycles", ctypes.c_uint32),
        ("taken", ctypes.c_uint32),
        ("conditional", ctypes.c_uint32),
        ("constant_count", ctypes.c_uint32),
        ("constants", ctypes.c_uint32 * _CONSTANTS_MAX),
    ]


class _Lines(ctypes.Structure):
    _fields_ = [
        ("sets", ctypes.c_uint32),
        ("ways", ctypes.c_uint32),
        ("kept", ctypes.c_uint64 * LINES_MAX),
    ]


class _Flash(ctypes.Structure):
    _fields_ = [
        ("wait_states", ctypes.c_uint32),
        ("line_bytes", ctypes.c_uint32),
        ("prefetches", ctypes.c_uint32),
        ("shares", ctypes.c_uint32),
        ("line", ctypes.c_uint64),
        ("line_took", ctypes.c_uint64),
        ("code", _Lines),
        ("data", _Lines),
    ]


class _Counter(ctypes.Structure):
    _fields_ = [
        ("cycles", ctypes.c_uint64),
        ("instructions", ctypes.c_uint64),
        ("limit", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
        ("last", ctypes.POINTER(_Block)),
        ("blocks", ctypes.POINTER(_Block)),
        ("block_count", ctypes.c_uint64),
        ("first", ctypes.c_uint64),
        ("is_lost", ctypes.c_uint32),
        ("is_unaligned", ctypes.c_uint32),
        ("learn", _LEARN),
        ("stop", ctypes.c_void_p),
        ("flash", _Flash),
    ]


@cache
def _counting(folder: Path) -> ctypes.CDLL:
    """Build counter.c when it is not there yet, and load it."""
    target = places.made() / f"cortex-counter-{hash_of_files([folder])}.so"
    if not target.is_file():
        flags = ("-std=c11", "-O2", "-fPIC", "-shared")
        with atomic_files.made_by(target) as temporary:
            toolchain.run(["cc", *flags, folder / "counter.c", "-o", temporary])
    return ctypes.CDLL(str(target))


class Unicorn:
    """A Cortex-M with a program in it.

    Parameters
    ----------
    waits
        How its flash memory makes it wait. Default: not at all.
    """

    def __init__(
        self, device: Device, image: Path, waits: FlashWaits | None = None
    ) -> None:
        unicorn, capstone = need("unicorn", "bench"), need("capstone", "bench")
        self._registers = need("unicorn.arm_const", "bench")
        self._error = unicorn.UcError
        self._core = core(device.mcu)
        self._machine = _machine(device, image)
        self._stack = StackWatch(self)
        self._decoder = capstone.Cs(
            capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS
        )
        self._counting = _counting(device.family.folder)
        code_end = max(start + len(data) for start, data in images.contents(image))
        self._begin = device.flash_start
        self._blocks = (_Block * ((code_end - self._begin) // 2 + 1))()
        # Kept here: C has only its address.
        self._learn_in_c = _LEARN(self._learn)
        self._count = _Counter(
            blocks=self._blocks,
            block_count=len(self._blocks),
            first=self._begin,
            learn=self._learn_in_c,
        )
        if waits is not None and waits.states:
            self._count.flash = _flash(waits)
        self._hook()

    def _hook(self) -> None:
        """Have the blocks counted, and words at addresses that fault found."""
        unicorn = need("unicorn", "bench")
        self._call(unicorn.UC_HOOK_BLOCK, self._counting.counter_begin_block)
        # Not for all cores: with it, unicorn forgets the conditions of IT blocks.
        if self._core.aligned_only:
            accesses = unicorn.UC_HOOK_MEM_READ | unicorn.UC_HOOK_MEM_WRITE
            self._call(accesses, self._counting.counter_check_address)

    def _call(self, events: int, function: Any) -> None:  # noqa: ANN401 - of ctypes
        """Have a function of counter.c called at these events.

        The Python package calls hooks in Python only; its C library is asked.
        """
        library = need("unicorn.unicorn_py3.unicorn", "bench").uclib
        self._count.stop = ctypes.cast(library.uc_emu_stop, ctypes.c_void_p)
        status = library.uc_hook_add(
            self._machine._uch,  # noqa: SLF001 - it has no public name
            ctypes.byref(ctypes.c_size_t()),
            events,
            ctypes.cast(function, ctypes.c_void_p),
            ctypes.cast(ctypes.byref(self._count), ctypes.c_void_p),
            # From 1 to 0: everywhere.
            ctypes.c_uint64(1),
            ctypes.c_uint64(0),
        )
        if status != need("unicorn", "bench").UC_ERR_OK:
            raise self._error(status)

    def _learn(self, address: int, size: int) -> None:
        """Work out what a block takes; called from C."""
        code = bytes(self._machine.mem_read(address, size))
        instructions = list(self._decoder.disasm(code, address))
        found = self._core.block(instructions)
        constants = constants_of(instructions)[:_CONSTANTS_MAX]
        self._blocks[(address - self._begin) // 2] = _Block(
            size,
            found.instructions,
            found.cycles,
            found.taken,
            found.conditional,
            len(constants),
            (ctypes.c_uint32 * _CONSTANTS_MAX)(*constants),
        )

    def write(self, address: int, data: bytes) -> None:
        """Write into memory."""
        self._machine.mem_write(address, data)

    def fill(self, address: int, size: int, pattern: bytes) -> None:
        """Write a pattern again and again."""
        self._machine.mem_write(address, repeated(pattern, size))

    def read(self, address: int, size: int) -> bytes:
        """Read from memory."""
        return bytes(self._machine.mem_read(address, size))

    def registers(self) -> Sequence[bytes]:
        """Return R0 to R12, of 4 bytes each."""
        numbers = (getattr(self._registers, f"UC_ARM_REG_R{n}") for n in range(13))
        words = map(self._machine.reg_read, numbers)
        return [word.to_bytes(4, "little") for word in words]

    def go(self, until: int, *, limit: int, floor: int, watch_stack: int = 0) -> Run:
        """Run until the program counter is at `until`.

        The stack is watched by what is left of a pattern below it.
        """
        begin = self._machine.reg_read(self._registers.UC_ARM_REG_PC)
        if begin == until:
            return Run(0, 0, 0)
        stack = self._machine.reg_read(self._registers.UC_ARM_REG_SP)
        if watch_stack:
            self._stack.begin(stack, floor, watch_stack)
        self._emulate(begin, until, limit, floor)
        grown = self._stack.grown() if watch_stack else None
        return Run(self._count.cycles, self._count.instructions, grown)

    def _emulate(self, begin: int, until: int, limit: int, floor: int) -> None:
        count = self._count
        self._begin_count(limit)
        # Code translated earlier would not stop there.
        for address in (begin, until):
            self._machine.ctl_remove_cache(address, address + 2)
        try:
            self._machine.emu_start(begin | 1, until)
        except self._error as error:
            stack = self._machine.reg_read(self._registers.UC_ARM_REG_SP)
            if stack < floor:
                message = f"the stack reached the data: {error} at {stack:#x}"
                raise StackOverflowError(message) from None
            raise self._crash(error) from None
        self._check_stopped()
        if count.cycles > limit:
            message = "it takes more cycles than the limit"
            raise CrashError(message)
        self._counting.counter_end_block(ctypes.byref(count), ctypes.c_uint64(until))

    def _begin_count(self, limit: int) -> None:
        """Count from zero, up to so many cycles."""
        count = self._count
        count.cycles = count.instructions = count.is_lost = count.is_unaligned = 0
        count.limit = limit
        count.last = None

    def _crash(self, error: Exception) -> CrashError:
        """Return what unicorn refused, with its place."""
        where = self._machine.reg_read(self._registers.UC_ARM_REG_PC)
        return CrashError(f"{error} at {where:#x}")

    def _check_stopped(self) -> None:
        """Raise if what counts the blocks has stopped the program."""
        if self._count.is_unaligned:
            where = self._machine.reg_read(self._registers.UC_ARM_REG_PC)
            message = f"a word at an address where it may not lie, about {where:#x}"
            raise CrashError(message)
        if self._count.is_lost:
            message = "the program ran out of its code"
            raise CrashError(message)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        del self._machine


def constants_of(instructions: Iterable[Any]) -> list[int]:
    """Return the addresses of constants that instructions load by the program counter.

    Parameters
    ----------
    instructions
        As capstone gives them.
    """
    found = ((each.address, _CONSTANT.search(each.op_str)) for each in instructions)
    # ARMv7-M, A5.1.2: of the instruction after the next, in whole words.
    return [(at + 4 & ~3) + int(match[1], 0) for at, match in found if match]


def _flash(waits: FlashWaits) -> _Flash:
    row = waits.flash
    return _Flash(
        wait_states=waits.states,
        line_bytes=row.line_bytes,
        prefetches=row.prefetches,
        shares=row.shares,
        # No line is the first.
        line=2**64 - 2,
        code=_Lines(sets=row.sets, ways=row.lines // row.sets),
        data=_Lines(sets=1, ways=row.data_lines),
    )


def _machine(device: Device, image: Path) -> Any:  # noqa: ANN401 - untyped
    unicorn, arm_const = need("unicorn", "bench"), need("unicorn.arm_const", "bench")
    machine = unicorn.Uc(
        unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS
    )
    # The timings know the core, so unicorn does.
    known = core(device.mcu).model or device.mcu
    model = f"UC_CPU_ARM_{known.upper().replace('-', '_')}"
    machine.ctl_set_cpu_model(getattr(arm_const, model))
    machine.mem_map(device.flash_start, -(-device.flash_bytes // _PAGE) * _PAGE)
    machine.mem_map(device.ram_start, -(-device.ram_bytes // _PAGE) * _PAGE)
    for address, data in images.contents(image):
        machine.mem_write(address, data)
    vectors = bytes(machine.mem_read(device.flash_start, 8))
    stack, start = (int.from_bytes(vectors[i : i + 4], "little") for i in (0, 4))
    machine.reg_write(arm_const.UC_ARM_REG_SP, stack)
    machine.reg_write(arm_const.UC_ARM_REG_PC, start & ~1)
    return machine
