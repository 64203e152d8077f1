# SPDX-License-Identifier: Apache-2.0
"""Usage: nrf5_board CORE CLOCK_HZ IMAGE FLASH CYCLES SEED PACE [PORT].

A board with an nRF51 or nRF52, until its power fails: unicorn runs the program, and
what it needs of the chip is modelled here: UART 0, real-time counter, temperature, and
the controller of the flash memory, which refuses what the product specification
forbids. FLASH has the last eight pages of the flash memory. Cycles of the program are
estimated (`samara.bench.simulators.cortex_timing`).
`samara.bench.simulators.simulated_board` explains the other arguments and the line on
stderr at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.bench.simulators import simulated_board
from samara.bench.simulators.base import CrashError
from samara.bench.simulators.cortex_board import AIRCR, ERASED, SCR, CortexBoard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from samara.bench.devices import Device

STORE_PAGES = 8
"""Pages at the end of the flash memory that outlast the power."""

_WORD = 4
_BAUD_9600 = 0x0027_5000
_SLOW_HZ, _COUNTER_MASK = 32_768, 0xFF_FFFF
_QUARTER_DEGREES = 25 * 4
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
    ICPR = 0xE000_E280


_R = _Register


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


class Nrf5Board(CortexBoard):
    """A board with an nRF51 or nRF52."""

    peripherals = (0x4000_0000, 0x2_0000)
    plain = (
        *(_R.LFCLKSRC, _R.ENABLE, _R.PSELTXD, _R.BAUDRATE, _R.INTENSET, _R.CC0),
        *(_R.STARTTX, _R.LFCLKSTARTED, _R.DATARDY, SCR, _R.ICPR, _R.CONFIG),
    )
    _rtc_since: int | None = None
    _compared_at = 0

    @staticmethod
    def store_size(device: Device) -> int:
        """Return how many bytes of its flash memory are kept while it has no power."""
        return STORE_PAGES * CHIPS[device.name].page_bytes

    @property
    def _chip(self) -> Chip:
        return CHIPS[self._device.name]

    def _ticks(self) -> int:
        if self._rtc_since is None:
            return 0
        return (self.now - self._rtc_since) * _SLOW_HZ // self._hz

    def _alarm(self) -> int | None:
        """Return the cycle in which the compare register is reached next."""
        if self._rtc_since is None or not self._values[_R.INTENSET]:
            return None
        return self._compared()

    def _compared(self) -> int:
        assert self._rtc_since is not None  # noqa: S101 - for the type checker
        ahead = (self._values[_R.CC0] - self._compared_at) & _COUNTER_MASK
        ticks = self._compared_at + (ahead or _COUNTER_MASK + 1)
        return self._rtc_since + -(-ticks * self._hz // _SLOW_HZ)

    def _is_woken(self) -> bool:
        return self._rtc_since is not None and self.now >= self._compared()

    def _is_deep(self) -> bool:
        return True

    def _reading(self) -> dict[int, Callable[[], int]]:
        return {
            _R.TXDRDY: self._sent,
            _R.COUNTER: lambda: self._ticks() & _COUNTER_MASK,
            _R.COMPARE0: lambda: int(self._is_woken()),
            _R.TEMP: lambda: _QUARTER_DEGREES,
            _R.READY: lambda: 1,
        }

    def _writing(self) -> dict[int, Callable[[int], None]]:
        return {
            _R.LFCLKSTART: lambda _: self._values.update({_R.LFCLKSTARTED: 1}),
            _R.TEMP_START: lambda _: self._values.update({_R.DATARDY: 1}),
            _R.RTC_START: self._start_clock,
            _R.COMPARE0: self._clear_alarm,
            _R.CC0: self._clear_alarm,
            _R.TXDRDY: lambda _: None,
            _R.TXD: self._transmit,
            _R.ERASEPAGE: self._erase,
            AIRCR: self._reset,
        }

    def _start_clock(self, _: int) -> None:
        self._rtc_since = self.now

    def _clear_alarm(self, _: int) -> None:
        self._compared_at = self._ticks()

    def _sent(self) -> int:
        self._wait_for_byte()
        return 1

    def _has_9600_baud(self) -> bool:
        values = self._values
        return bool(values[_R.STARTTX]) and values[_R.BAUDRATE] == _BAUD_9600

    def _write_store(
        self, _uc: object, offset: int, size: int, value: int, _base: int
    ) -> None:
        place = slice(offset, offset + _WORD)
        if self._values[_R.CONFIG] != _WRITES or size != _WORD or offset % _WORD:
            message = "the program writes to flash memory that takes no words"
            raise CrashError(message)
        if any(byte != ERASED for byte in self.store[place]):
            message = f"the program writes twice at {self._first + offset:#x}"
            raise CrashError(message)
        self._store_bytes += _WORD
        self._change_for(place, value.to_bytes(_WORD, "little"), self._chip.write_s)

    def _erase(self, address: int) -> None:
        size = self._chip.page_bytes
        offset = address - self._first
        inside = 0 <= offset <= len(self.store) - size
        if self._values[_R.CONFIG] != _ERASES or not inside or offset % size:
            message = f"the program erases at {address:#x}, which is no page of its own"
            raise CrashError(message)
        self._change_for(
            slice(offset, offset + size), bytes([ERASED]) * size, self._chip.erase_s
        )


def main(words: Sequence[str] | None = None) -> int:
    """Run a board until its power fails; print what it took."""
    return simulated_board.main(__doc__ or "", Nrf5Board, words)


if __name__ == "__main__":
    raise SystemExit(main())
