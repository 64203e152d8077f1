# SPDX-License-Identifier: Apache-2.0
"""Usage: nrf5_board CORE CLOCK_HZ IMAGE FLASH CYCLES SEED PACE [PORT].

One life of a board with an nRF51 or nRF52: unicorn runs the program, and what it
needs of the chip is modelled here: UART 0, real-time counter, temperature, and the
controller of the flash memory, which refuses what the product specification forbids.
FLASH is a file with the last eight pages, kept between lives. The power fails after
so many cycles; when CYCLES is sends:N, at the sleep after the N-th time that the
program sent something; or, with an odd SEED, within the next change to these pages
after that: what is changed is then left old, new or mixed. SIGINT and SIGTERM end the
life, too. Bytes of the UART go to PORT, a serial port, or to stdout. With PACE 1 the
life takes as long as on the chip.

The line on stderr at the end is that of the board of AVRs (devices/families/avr/board):
`torn` or `whole`, then all cycles; those asleep with and without a clock; those that
waited for the flash memory; bytes written there and to the UART; the most cycles in a
row in which an interrupt had to wait, which is while that memory is changed; those in
which the UART sent; how many times the program sent something between two sleeps; the
most bytes of stack. Cycles of the program are estimated, see
`samara.bench.simulators.cortex_timing`.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.bench.simulators import board_life
from samara.bench.simulators.base import CrashError
from samara.bench.simulators.board_life import Board, EndOfLifeError
from samara.bench.simulators.unicorn import Unicorn
from samara.extras import need

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from samara.bench.devices import Device
    from samara.bench.simulators.board_life import Life

STORE_PAGES = 8
"""Pages at the end of the flash memory that a life keeps."""

_WORD, _ERASED = 4, 0xFF
_BAUD, _BAUD_9600 = 9600, 0x0027_5000
_SLOW_HZ, _COUNTER_MASK = 32_768, 0xFF_FFFF
_QUARTER_DEGREES = 25 * 4
_WFE = b"\x20\xbf"
_PERIPHERALS, _PERIPHERALS_SIZE = 0x4000_0000, 0x2_0000
_SYSTEM, _SYSTEM_SIZE = 0xE000_E000, 0x1000
# Modes of the flash controller.
_WRITES, _ERASES = 1, 2


class _Register:
    """Addresses of the registers that boards use."""

    LFCLKSTART, LFCLKSTARTED, LFCLKSRC = 0x4000_0008, 0x4000_0104, 0x4000_0518
    STARTTX, TXDRDY, ENABLE = 0x4000_2008, 0x4000_211C, 0x4000_2500
    PSELTXD, TXD, BAUDRATE = 0x4000_250C, 0x4000_251C, 0x4000_2524
    RTC_START, COMPARE0, INTENSET = 0x4000_B000, 0x4000_B140, 0x4000_B304
    COUNTER, CC0 = 0x4000_B504, 0x4000_B540
    TEMP_START, DATARDY, TEMP = 0x4000_C000, 0x4000_C100, 0x4000_C508
    READY, CONFIG, ERASEPAGE = 0x4001_E400, 0x4001_E504, 0x4001_E508
    ICPR, AIRCR, SCR = 0xE000_E280, 0xE000_ED0C, 0xE000_ED10


_R = _Register
_PLAIN = (
    *(_R.LFCLKSRC, _R.ENABLE, _R.PSELTXD, _R.BAUDRATE, _R.INTENSET, _R.CC0),
    *(_R.STARTTX, _R.LFCLKSTARTED, _R.DATARDY, _R.SCR, _R.ICPR, _R.CONFIG),
)
"""Registers that keep what is written to them."""


@dataclass(frozen=True, slots=True)
class Chip:
    """The flash memory of a chip, by its product specification."""

    page_bytes: int
    write_s: float
    erase_s: float


CHIPS = {
    "cortex-m0": Chip(1024, 46.3e-6, 22.3e-3),  # nRF51822
    "cortex-m4": Chip(4096, 41e-6, 85e-3),  # nRF52840
}
"""The chip that is taken for each device."""


class Nrf5Board(Unicorn, Board):
    """A board with an nRF51 or nRF52."""

    @staticmethod
    def store_size(device: Device) -> int:
        """Return how many bytes of its flash memory are kept between lives."""
        return STORE_PAGES * CHIPS[device.name].page_bytes

    def __init__(
        self,
        device: Device,
        image: Path,
        store: bytearray,
        life: Life,
        send: Callable[[bytes], None],
    ) -> None:
        Unicorn.__init__(self, device, image)
        Board.__init__(self, device, image, store, life, send)
        self._chip = CHIPS[device.name]
        self._first = device.flash_bytes - len(store)
        self._values = dict.fromkeys(_PLAIN, 0)
        self._reads, self._writes = self._reading(), self._writing()
        self._rtc_since: int | None = None
        self._compared_at = 0
        self._map(image)
        self._fill_unused_ram()

    def _map(self, image: Path) -> None:
        unicorn = need("unicorn", "bench")
        machine = self._machine
        machine.mem_unmap(self._first, len(self.store))
        machine.mem_protect(0, self._first, unicorn.UC_PROT_READ | unicorn.UC_PROT_EXEC)
        for first, size, read, write in (
            (self._first, len(self.store), self._read_store, self._write_store),
            (_PERIPHERALS, _PERIPHERALS_SIZE, self._read, self._write),
            (_SYSTEM, _SYSTEM_SIZE, self._read, self._write),
        ):
            machine.mmio_map(first, size, read, first, write, first)
        code = bytes(machine.mem_read(0, min(self._first, image.stat().st_size)))
        for place in range(0, len(code), 2):
            if code[place : place + 2] == _WFE:
                machine.hook_add(
                    unicorn.UC_HOOK_CODE, self._wait_for_event, None, place, place
                )

    @property
    def now(self) -> int:
        """Cycles since the start."""
        return self._cycles + int(self._count.cycles)

    def live(self) -> None:
        """Run until the power fails."""
        count = self._count
        count.cycles = count.instructions = count.is_lost = 0
        # A write that is still to come ends it, at most a minute later.
        spare = 60 * self._hz if self._life.ends_in_write else 0
        count.limit = self._life.cycles + spare
        count.last = None
        begin = self._machine.reg_read(self._registers.UC_ARM_REG_PC)
        with contextlib.suppress(EndOfLifeError):
            try:
                self._machine.emu_start(begin | 1, 0)
            except self._error as error:
                where = self._machine.reg_read(self._registers.UC_ARM_REG_PC)
                message = f"{error} at {where:#x}"
                raise CrashError(message) from None
        if count.is_lost:
            message = "the program ran out of its code"
            raise CrashError(message)

    def _pass(self, cycles: int) -> None:
        """Let time pass; the power may fail."""
        self._cycles += cycles
        # What counts cycles has its limit, too.
        self._count.limit = max(self._count.limit - cycles, 0)
        ends = self.now >= self._life.cycles and not self._life.ends_in_write
        self._keep_pace()
        if self._asked_to_end or ends:
            raise EndOfLifeError

    def _wait_for_event(self, _uc: object, address: int, *_: object) -> None:
        """Sleep until the real-time counter reaches its compare register.

        The instruction itself is passed over: unicorn has no event for it.
        """
        self._machine.reg_write(
            self._registers.UC_ARM_REG_PC, (address + len(_WFE)) | 1
        )
        self._asked_to_end |= self._count_send()
        if self._compares():
            return
        if self._rtc_since is None or not self._values[_R.INTENSET]:
            message = "the program sleeps, and nothing wakes it"
            raise CrashError(message)
        cycles = self._until_end(max(self._alarm() - self.now, 0))
        self._asleep += cycles
        self._pass(cycles)

    def _ticks(self) -> int:
        if self._rtc_since is None:
            return 0
        return (self.now - self._rtc_since) * _SLOW_HZ // self._hz

    def _alarm(self) -> int:
        """Return the cycle in which the compare register is reached next."""
        assert self._rtc_since is not None  # noqa: S101 - for the type checker
        ahead = (self._values[_R.CC0] - self._compared_at) & _COUNTER_MASK
        ticks = self._compared_at + (ahead or _COUNTER_MASK + 1)
        return self._rtc_since + -(-ticks * self._hz // _SLOW_HZ)

    def _compares(self) -> bool:
        return self._rtc_since is not None and self.now >= self._alarm()

    def _read(self, _uc: object, offset: int, _size: int, base: int) -> int:
        register = base + offset
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

    def _reading(self) -> dict[int, Callable[[], int]]:
        """Return what answers for the registers that do not keep what is written."""
        return {
            _R.TXDRDY: self._wait_for_byte,
            _R.COUNTER: lambda: self._ticks() & _COUNTER_MASK,
            _R.COMPARE0: lambda: int(self._compares()),
            _R.TEMP: lambda: _QUARTER_DEGREES,
            _R.READY: lambda: 1,
        }

    def _writing(self) -> dict[int, Callable[[int], None]]:
        """Return what is done when a register is written."""
        return {
            _R.LFCLKSTART: lambda _: self._values.update({_R.LFCLKSTARTED: 1}),
            _R.TEMP_START: lambda _: self._values.update({_R.DATARDY: 1}),
            _R.RTC_START: self._start_clock,
            _R.COMPARE0: self._clear_alarm,
            _R.CC0: self._clear_alarm,
            _R.TXDRDY: lambda _: None,
            _R.TXD: self._transmit,
            _R.ERASEPAGE: self._erase,
            _R.AIRCR: self._reset,
        }

    def _start_clock(self, _: int) -> None:
        self._rtc_since = self.now

    def _clear_alarm(self, _: int) -> None:
        self._compared_at = self._ticks()

    def _wait_for_byte(self) -> int:
        # The program asks again and again until then: it computes.
        self._pass(max(self._sent_at - self.now, 0))
        return 1

    def _reset(self, _: int) -> None:
        message = "the program had a fault, and asks for a reset"
        raise CrashError(message)

    def _transmit(self, value: int) -> None:
        if not self._values[_R.STARTTX] or self._values[_R.BAUDRATE] != _BAUD_9600:
            message = "the program sends a byte before its UART has 9,600 baud"
            raise CrashError(message)
        if self.now < self._sent_at:
            message = "the program sends a byte before the last one is out"
            raise CrashError(message)
        self._send_byte(value, _BAUD)

    def _read_store(self, _uc: object, offset: int, size: int, _base: int) -> int:
        return int.from_bytes(self.store[offset : offset + size], "little")

    def _write_store(
        self, _uc: object, offset: int, size: int, value: int, _base: int
    ) -> None:
        place = slice(offset, offset + _WORD)
        if self._values[_R.CONFIG] != _WRITES or size != _WORD or offset % _WORD:
            message = "the program writes to flash memory that takes no words"
            raise CrashError(message)
        if any(byte != _ERASED for byte in self.store[place]):
            message = f"the program writes twice at {self._first + offset:#x}"
            raise CrashError(message)
        self._store_bytes += _WORD
        cycles = round(self._chip.write_s * self._hz)
        self._change(place, value.to_bytes(_WORD, "little"), cycles)

    def _erase(self, address: int) -> None:
        size = self._chip.page_bytes
        offset = address - self._first
        inside = 0 <= offset <= len(self.store) - size
        if self._values[_R.CONFIG] != _ERASES or not inside or offset % size:
            message = f"the program erases at {address:#x}, which is no page of its own"
            raise CrashError(message)
        place, erased = slice(offset, offset + size), bytes([_ERASED]) * size
        self._change(place, erased, round(self._chip.erase_s * self._hz))


def main(words: Sequence[str] | None = None) -> int:
    """Run one life, and tell what it took."""
    return board_life.main(__doc__ or "", Nrf5Board, words)


if __name__ == "__main__":
    raise SystemExit(main())
