# SPDX-License-Identifier: Apache-2.0
"""What boards with a Cortex-M have in common, whatever chip is around the processor.

unicorn runs the program. A class of a chip has its registers: it says what reading and
writing them does, and when what wakes the program comes.
"""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from typing import TYPE_CHECKING

from samara.bench.simulators.base import CrashError
from samara.bench.simulators.simulated_board import Board, PowerFailedError
from samara.bench.simulators.unicorn import Unicorn
from samara.extras import need

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import ClassVar

    from samara.bench.devices import Device
    from samara.bench.simulators.simulated_board import PowerPlan

ERASED = 0xFF
AIRCR, SCR = 0xE000_ED0C, 0xE000_ED10
"""Registers of the processor: reset; sleep."""

_BAUD = 9600
_WFE = b"\x20\xbf"
_SYSTEM = (0xE000_E000, 0x1000)


class CortexBoard(Unicorn, Board):
    """A board with a Cortex-M, whose registers a class of a chip has."""

    peripherals: ClassVar[tuple[int, int]]
    """First address, and size, of the registers of its chip."""
    plain: ClassVar[tuple[int, ...]]
    """Registers that keep what is written to them."""

    def __init__(
        self,
        device: Device,
        image: Path,
        store: bytearray,
        plan: PowerPlan,
        send: Callable[[bytes], None],
    ) -> None:
        Unicorn.__init__(self, device, image)
        Board.__init__(self, device, image, store, plan, send)
        self._device = device
        self._flash = device.flash_start
        self._first = device.flash_start + device.flash_bytes - len(store)
        self._values = dict.fromkeys(self.plain, 0)
        self._reads, self._writes = self._reading(), self._writing()
        self._end: PowerFailedError | CrashError | None = None
        """Why the run ended while a register was read."""
        self._map(image)
        self._fill_unused_ram()

    def _map(self, image: Path) -> None:
        unicorn = need("unicorn", "bench")
        machine = self._machine
        size = self._first - self._flash
        machine.mem_unmap(self._first, len(self.store))
        machine.mem_protect(
            self._flash, size, unicorn.UC_PROT_READ | unicorn.UC_PROT_EXEC
        )
        for (first, room), read, write in (
            ((self._first, len(self.store)), self._read_store, self._write_store),
            (self.peripherals, self._read, self._write),
            (_SYSTEM, self._read, self._write),
        ):
            machine.mmio_map(first, room, read, first, write, first)
        code = bytes(machine.mem_read(self._flash, min(size, image.stat().st_size)))
        for place in range(0, len(code), 2):
            if code[place : place + 2] == _WFE:
                at = self._flash + place
                machine.hook_add(
                    unicorn.UC_HOOK_CODE, self._wait_for_event, None, at, at
                )

    @abstractmethod
    def _reading(self) -> dict[int, Callable[[], int]]:
        """Return what answers for the registers that do not keep what is written."""

    @abstractmethod
    def _writing(self) -> dict[int, Callable[[int], None]]:
        """Return what is done when a register is written."""

    @abstractmethod
    def _is_woken(self) -> bool:
        """Whether an event is there, so that the program does not sleep."""

    @abstractmethod
    def _alarm(self) -> int | None:
        """Return the cycle in which the next event comes; None if there is none."""

    @abstractmethod
    def _is_deep(self) -> bool:
        """Whether the clock of the processor stands in the sleep that begins."""

    @abstractmethod
    def _write_store(
        self, _uc: object, offset: int, size: int, value: int, base: int
    ) -> None:
        """Write into the part of the flash memory that outlasts the power."""

    @property
    def now(self) -> int:
        """Cycles since the start."""
        return self._cycles + int(self._count.cycles)

    def run(self) -> None:
        """Run until the power fails."""
        # A write that is still to come ends it, at most a minute later.
        spare = 60 * self._hz if self._plan.ends_in_write else 0
        self._begin_count(self._plan.cycles + spare)
        begin = self._machine.reg_read(self._registers.UC_ARM_REG_PC)
        with contextlib.suppress(PowerFailedError):
            try:
                self._machine.emu_start(begin | 1, 0)
            except self._error as error:
                raise self._crash(error) from None
            if self._end is not None:
                raise self._end
        self._check_stopped()

    def _pass(self, cycles: int) -> None:
        """Let time pass; the power may fail."""
        self._cycles += cycles
        # What counts cycles has its limit, too.
        self._count.limit = max(self._count.limit - cycles, 0)
        ends = self.now >= self._plan.cycles and not self._plan.ends_in_write
        self._keep_pace()
        if self._asked_to_end or ends:
            raise PowerFailedError

    def _wait_for_event(self, _uc: object, address: int, *_: object) -> None:
        """Sleep until the event comes.

        The instruction itself is passed over: unicorn has no event for it.
        """
        self._machine.reg_write(
            self._registers.UC_ARM_REG_PC, (address + len(_WFE)) | 1
        )
        self._asked_to_end |= self._count_send()
        if self._is_woken():
            return
        alarm = self._alarm()
        if alarm is None:
            message = "the program sleeps, and nothing wakes it"
            raise CrashError(message)
        cycles = self._until_end(max(alarm - self.now, 0))
        if self._is_deep():
            self._asleep += cycles
        else:
            self._idle += cycles
        self._pass(cycles)
        # What woke it is used up.
        self._is_woken()

    def _read(self, _uc: object, offset: int, _size: int, base: int) -> int:
        try:
            return self._read_register(base + offset)
        except (PowerFailedError, CrashError) as error:
            # C wants a number from this call, and prints what else comes.
            self._end = error
            self._machine.emu_stop()
            return 0

    def _read_register(self, register: int) -> int:
        if register in self._reads:
            return self._reads[register]()
        if register in self._values:
            return self._values[register]
        message = f"the program reads the register {register:#x}, which is not modelled"
        raise CrashError(message)

    def _write(
        self, _uc: object, offset: int, _size: int, value: int, base: int
    ) -> None:
        register = base + offset
        if register not in self._values and register not in self._writes:
            message = (
                f"the program writes the register {register:#x}, which is not modelled"
            )
            raise CrashError(message)
        if register in self._values:
            self._values[register] = value
        if register in self._writes:
            self._writes[register](value)

    def _reset(self, _: int) -> None:
        message = "the program had a fault, and asks for a reset"
        raise CrashError(message)

    @abstractmethod
    def _has_9600_baud(self) -> bool:
        """Whether the UART is on and sends so fast, through a pin."""

    def _transmit(self, value: int) -> None:
        if not self._has_9600_baud():
            message = "the program sends a byte before its UART has 9,600 baud"
            raise CrashError(message)
        if self.now < self._sent_at:
            message = "the program sends a byte before the last one is out"
            raise CrashError(message)
        self._send_byte(value, _BAUD)

    def _wait_for_byte(self) -> None:
        """Let time pass until the UART is ready.

        The program asks again and again until then: it computes.
        """
        self._pass(max(self._sent_at - self.now, 0))

    def _read_store(self, _uc: object, offset: int, size: int, _base: int) -> int:
        return int.from_bytes(self.store[offset : offset + size], "little")

    def _change_for(self, place: slice, new: bytes, takes_s: float) -> None:
        """Change cells of the store, which takes so long."""
        self._change(place, new, round(takes_s * self._hz))
