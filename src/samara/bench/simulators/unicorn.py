# SPDX-License-Identifier: Apache-2.0
"""Cortex-M: the processor of QEMU through unicorn; cycles are estimated.

Unicorn tells each block of instructions before it runs. What a block takes is
worked out once, by `cortex_timing`; whether the branch at its end was taken
shows when the next block begins.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Self

from samara.bench import images
from samara.bench.simulators.base import CrashError, Run, gone, paint
from samara.bench.simulators.cortex_timing import CORES, Block, block
from samara.bench.toolchain import ToolMissingError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from samara.bench.devices import Device

_PAGE = 4096


class Unicorn:
    """A Cortex-M with a program in it."""

    def __init__(self, device: Device, image: Path) -> None:
        unicorn, capstone = _extra("unicorn"), _extra("capstone")
        self._registers = _extra("unicorn.arm_const")
        self._error = unicorn.UcError
        self._core = CORES[device.mcu]
        self._machine = _machine(device, image)
        self._decoder = capstone.Cs(
            capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS
        )
        self._machine.hook_add(unicorn.UC_HOOK_BLOCK, self._on_block)
        self._blocks: dict[tuple[int, int], Block] = {}
        self._begin_count(0)

    def _begin_count(self, limit: int) -> None:
        self._cycles = self._instructions = 0
        self._limit = limit
        # Of the block that runs: what its branch adds, and where it ends.
        self._last: Block | None = None
        self._end = 0

    def write(self, address: int, data: bytes) -> None:
        """Write into memory."""
        self._machine.mem_write(address, data)

    def read(self, address: int, size: int) -> bytes:
        """Read from memory."""
        return bytes(self._machine.mem_read(address, size))

    def go(self, until: int, *, limit: int, floor: int, watch_stack: bool) -> Run:
        """Run until the program counter is at `until`.

        The stack is watched by what is left of a pattern below it.
        """
        begin = self._machine.reg_read(self._registers.UC_ARM_REG_PC)
        self._begin_count(limit)
        if begin == until:
            return Run(0, 0, 0)
        stack = self._machine.reg_read(self._registers.UC_ARM_REG_SP)
        painted = paint(self, stack, floor) if watch_stack else None
        # Code translated earlier would not stop there.
        self._machine.ctl_flush_tb()
        try:
            self._machine.emu_start(begin | 1, until)
        except self._error as error:
            where = self._machine.reg_read(self._registers.UC_ARM_REG_PC)
            message = f"{error} at {where:#x}"
            raise CrashError(message) from None
        if self._cycles > self._limit:
            message = "it takes more cycles than the limit"
            raise CrashError(message)
        self._end_block(until)
        grown = gone(self, *painted) if painted else None
        return Run(self._cycles, self._instructions, grown)

    def _on_block(self, machine: Any, address: int, size: int, _user: object) -> None:  # noqa: ANN401 - unicorn's own is untyped
        self._end_block(address)
        key = (address, size)
        found = self._blocks.get(key)
        if found is None:
            code = bytes(machine.mem_read(address, size))
            found = block(self._core, self._decoder.disasm(code, address))
            self._blocks[key] = found
        self._cycles += found.cycles
        self._instructions += found.instructions
        self._last = found
        self._end = address + size
        if self._cycles > self._limit:
            machine.emu_stop()

    def _end_block(self, following: int) -> None:
        """Add what the last block's branch took, now that it is known."""
        last = self._last
        if last is not None and not (last.conditional and following == self._end):
            self._cycles += last.taken

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        del self._machine


def _machine(device: Device, image: Path) -> Any:  # noqa: ANN401 - untyped
    unicorn, arm_const = _extra("unicorn"), _extra("unicorn.arm_const")
    machine = unicorn.Uc(
        unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS
    )
    model = f"UC_CPU_ARM_{device.mcu.upper().replace('-', '_')}"
    machine.ctl_set_cpu_model(getattr(arm_const, model))
    machine.mem_map(0, -(-device.flash_bytes // _PAGE) * _PAGE)
    machine.mem_map(device.ram_start, -(-device.ram_bytes // _PAGE) * _PAGE)
    for address, data in images.contents(image):
        machine.mem_write(address, data)
    vectors = bytes(machine.mem_read(0, 8))
    stack, start = (int.from_bytes(vectors[i : i + 4], "little") for i in (0, 4))
    machine.reg_write(arm_const.UC_ARM_REG_SP, stack)
    machine.reg_write(arm_const.UC_ARM_REG_PC, start & ~1)
    return machine


def _extra(name: str) -> Any:  # noqa: ANN401 - a module without types
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ToolMissingError(name) from None
