# SPDX-License-Identifier: Apache-2.0
"""Usage: stm32f1_board CHIP CLOCK_HZ IMAGE FLASH CYCLES SEED PACE [PORT].

A board with an STM32F103 of 64 KB or more, until its power fails: unicorn runs the
program, and what it needs of the chip is modelled here: gates of clocks, USART 1,
real-time clock by the oscillator of 40 kHz, its line of EXTI, stop mode, converter, and
the controller of the flash memory. A program that does what the reference manual
(RM0008) or the manual of the flash memory (PM0075) forbids ends with a sentence. FLASH
has the last eight pages of the flash memory. Cycles of the program are estimated
(`samara.bench.simulators.cortex_timing`).
`samara.bench.simulators.simulated_board` explains the other arguments and the line on
stderr at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench.simulators import simulated_board
from samara.bench.simulators.base import CrashError
from samara.bench.simulators.cortex_board import AIRCR, ERASED, SCR, CortexBoard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from samara.bench.devices import Device

STORE_PAGES = 8
"""Of the flash memory: how many pages at its end outlast the power."""
WRITE_S, ERASE_S = 52.5e-6, 40e-3
"""What a half-word and a page take: the data sheet's usual and longest time, from
memory."""
SUPPLY_MV, REFERENCE_MV = 3300, 1200
"""What the converter sees."""

_HALF, _BAUD_9600 = 2, 833
_SMALL_BYTES, _SMALL_PAGE, _PAGE = 128 << 10, 1024, 2048
_SLOW_HZ, _LAST_CODE = 40_000, 4095
_SLOW_STARTS_S, _CONVERTS_S = 85e-6, 63e-6
# Periods of the slow clock that the real-time clock takes for what is written to it.
_WRITE_PERIODS = 3
_KEYS = (0x4567_0123, 0xCDEF_89AB)


class _Register:
    """Addresses of the registers that boards use."""

    RTC_CRH, RTC_CRL, PRLH, PRLL = (0x4000_2800 + 4 * i for i in range(4))
    CNTH, CNTL, ALRH, ALRL = 0x4000_2818, 0x4000_281C, 0x4000_2820, 0x4000_2824
    PWR_CR = 0x4000_7000
    IMR, EMR, RTSR, PR = 0x4001_0400, 0x4001_0404, 0x4001_0408, 0x4001_0414
    CRH = 0x4001_0804
    ADC_SR, ADC_CR2, SMPR1 = 0x4001_2400, 0x4001_2408, 0x4001_240C
    SQR1, SQR3, ADC_DR = 0x4001_242C, 0x4001_2434, 0x4001_244C
    USART_SR, USART_DR = 0x4001_3800, 0x4001_3804
    USART_BRR, USART_CR1 = 0x4001_3808, 0x4001_380C
    APB2ENR, APB1ENR, BDCR, RCC_CSR = (0x4002_1018 + 4 * i for i in range(4))
    KEYR, FLASH_SR, FLASH_CR, AR = 0x4002_2004, 0x4002_200C, 0x4002_2010, 0x4002_2014


_R = _Register

# Bits, as in the vendor's header.
_ALRF, _CNF, _RTOFF = 1 << 1, 1 << 4, 1 << 5
_PDDS, _DBP = 1 << 1, 1 << 8
_BY_LSI, _RTCSEL, _RTCEN, _BDRST = 2 << 8, 3 << 8, 1 << 15, 1 << 16
_LSION, _LSIRDY = 1 << 0, 1 << 1
_LINE_17 = 1 << 17
_ADON, _CALIBRATIONS, _SWSTART = 1 << 0, 3 << 2, 1 << 22
_CONVERTS = _ADON | 7 << 17 | 1 << 20 | _SWSTART | 1 << 23
_SLOW_SAMPLES, _REFERENCE_CHANNEL = 7 << 21, 17
_TC, _TXE = 1 << 6, 1 << 7
_UE_TE = 1 << 13 | 1 << 3
_PG, _PER, _STRT, _FLASH_LOCK = 1 << 0, 1 << 1, 1 << 6, 1 << 7
_SLEEPDEEP = 1 << 2
# Of CRH: pin 9 as a push-pull output of its alternate function.
_PIN_9, _ALTERNATE = 4, (0x9, 0xA, 0xB)

# Which bit of which register switches the clock of registers on: by first address.
_GATES = (
    (0x4000_2800, 0x4000_2C00, _R.APB1ENR, 3 << 27, "the backup domain"),
    (0x4000_7000, 0x4000_7400, _R.APB1ENR, 1 << 28, "the power controller"),
    (0x4001_0800, 0x4001_0C00, _R.APB2ENR, 1 << 2, "port A"),
    (0x4001_2400, 0x4001_2800, _R.APB2ENR, 1 << 9, "the converter"),
    (0x4001_3800, 0x4001_3C00, _R.APB2ENR, 1 << 14, "USART 1"),
)


def page_bytes(device: Device) -> int:
    """Return what the flash memory of a chip erases at once (PM0075)."""
    return _SMALL_PAGE if device.flash_bytes <= _SMALL_BYTES else _PAGE


class Stm32f1Board(CortexBoard):
    """A board with an STM32F103."""

    peripherals = (0x4000_0000, 0x3_0000)
    plain = (
        *(_R.APB1ENR, _R.APB2ENR, _R.PWR_CR, _R.CRH, _R.IMR, _R.EMR, _R.RTSR, SCR),
        *(_R.ADC_CR2, _R.SMPR1, _R.SQR1, _R.SQR3, _R.USART_BRR, _R.USART_CR1),
        *(_R.BDCR, _R.RCC_CSR, _R.PRLH, _R.PRLL, _R.CNTH, _R.CNTL, _R.ALRH, _R.ALRL),
        *(_R.AR, _R.RTC_CRH),
    )
    # The real-time clock: when it began to count from CNT, what came of it.
    _since = _configured_at = _slow_since = 0
    _configures = _has_alarm = _is_pending = _has_event = False
    _alarm_at: int | None = None
    _converted_at: int | None = None
    _flash_control, _keys = _FLASH_LOCK, 0

    @staticmethod
    def store_size(device: Device) -> int:
        """Return how many bytes of its flash memory are kept while it has no power."""
        return STORE_PAGES * page_bytes(device)

    def _reading(self) -> dict[int, Callable[[], int]]:
        return {
            _R.RTC_CRL: self._clock_state,
            _R.PR: self._pending,
            _R.RCC_CSR: self._slow_state,
            _R.ADC_CR2: lambda: self._values[_R.ADC_CR2] & ~_CALIBRATIONS & ~_SWSTART,
            _R.ADC_SR: self._converted,
            _R.ADC_DR: lambda: REFERENCE_MV * _LAST_CODE // SUPPLY_MV,
            _R.USART_SR: self._sent,
            _R.FLASH_SR: lambda: 0,
            _R.FLASH_CR: lambda: self._flash_control,
        }

    def _writing(self) -> dict[int, Callable[[int], None]]:
        of_clock = (_R.PRLH, _R.PRLL, _R.CNTH, _R.CNTL, _R.ALRH, _R.ALRL)
        return {
            **dict.fromkeys(of_clock, self._check_configures),
            _R.RTC_CRH: self._set_interrupts,
            _R.RTC_CRL: self._configure,
            _R.BDCR: self._set_backup,
            _R.RCC_CSR: self._start_slow,
            _R.PR: self._clear_pending,
            _R.ADC_CR2: self._convert,
            _R.USART_DR: self._transmit,
            _R.KEYR: self._unlock,
            _R.FLASH_SR: lambda _: None,
            _R.FLASH_CR: self._control_flash,
            AIRCR: self._reset,
        }

    def _read(self, uc: object, offset: int, size: int, base: int) -> int:
        self._check_gate(base + offset)
        return super()._read(uc, offset, size, base)

    def _write(self, uc: object, offset: int, size: int, value: int, base: int) -> None:
        self._check_gate(base + offset)
        super()._write(uc, offset, size, value, base)

    def _check_gate(self, register: int) -> None:
        for first, end, gate, bits, title in _GATES:
            if first <= register < end and self._values[gate] & bits != bits:
                message = f"the program uses {title}, whose clock is off"
                raise CrashError(message)

    # The slow oscillator, and the real-time clock in the backup domain.

    def _start_slow(self, value: int) -> None:
        if value & _LSION and not self._slow_since:
            self._slow_since = self.now + round(_SLOW_STARTS_S * self._hz)

    def _slow_state(self) -> int:
        runs = self._slow_since and self.now >= self._slow_since
        return self._values[_R.RCC_CSR] & _LSION | (_LSIRDY if runs else 0)

    def _check_backup(self) -> None:
        if not self._values[_R.PWR_CR] & _DBP:
            message = "the program writes to the backup domain, which is protected"
            raise CrashError(message)

    def _set_backup(self, value: int) -> None:
        self._check_backup()
        if value & _BDRST:
            self._values[_R.BDCR] = 0
            self._alarm_at, self._configures = None, False

    def _check_configures(self, _: int) -> None:
        self._check_backup()
        if not self._configures:
            message = (
                "the program sets the real-time clock outside of its configuration"
            )
            raise CrashError(message)

    def _is_idle(self) -> bool:
        """Whether the real-time clock has taken what was written last."""
        periods = _WRITE_PERIODS * self._hz // _SLOW_HZ
        return self.now >= self._configured_at + periods

    def _clock_state(self) -> int:
        self._look()
        state = _RTOFF if self._is_idle() else 0
        state |= _CNF if self._configures else 0
        return state | (_ALRF if self._has_alarm else 0)

    def _configure(self, value: int) -> None:
        self._check_backup()
        wanted = self._values[_R.BDCR] & (_RTCSEL | _RTCEN)
        if wanted != _BY_LSI | _RTCEN or not self._slow_state() & _LSIRDY:
            message = "the program sets the real-time clock, which does not run"
            raise CrashError(message)
        self._check_idle()
        self._look()
        self._has_alarm &= bool(value & _ALRF)
        was, self._configures = self._configures, bool(value & _CNF)
        if was and not self._configures:
            self._configured_at = self.now
            self._count_from_here()

    def _set_interrupts(self, _: int) -> None:
        self._check_idle()
        self._configured_at = self.now

    def _check_idle(self) -> None:
        if not self._is_idle():
            message = "the program writes to the real-time clock while it is busy"
            raise CrashError(message)

    def _count_from_here(self) -> None:
        """Begin a whole tick, as the clock does after its counter was written."""
        values = self._values
        divider = (values[_R.PRLH] << 16 | values[_R.PRLL]) + 1
        counted = values[_R.CNTH] << 16 | values[_R.CNTL]
        ticks = (values[_R.ALRH] << 16 | values[_R.ALRL]) - counted
        self._alarm_at = None
        if ticks > 0:
            self._alarm_at = self.now + -(-ticks * divider * self._hz // _SLOW_HZ)

    def _look(self) -> None:
        """Do what the alarm does, if its time has come."""
        if self._alarm_at is None or self.now < self._alarm_at:
            return
        self._alarm_at = None
        # The line of EXTI sees an edge of a flag that was clear.
        is_on = self._values[_R.RTC_CRH] & _ALRF and self._values[_R.RTSR] & _LINE_17
        rises = is_on and not self._has_alarm
        self._has_alarm = True
        self._is_pending |= bool(rises and self._values[_R.IMR] & _LINE_17)
        self._has_event |= bool(rises and self._values[_R.EMR] & _LINE_17)

    def _pending(self) -> int:
        self._look()
        return _LINE_17 if self._is_pending else 0

    def _clear_pending(self, value: int) -> None:
        self._look()
        self._is_pending &= not value & _LINE_17

    # Sleep.

    def _is_woken(self) -> bool:
        self._look()
        woken, self._has_event = self._has_event, False
        return woken

    def _alarm(self) -> int | None:
        values = self._values
        line = values[_R.EMR] & values[_R.RTSR] & _LINE_17
        wakes = line and values[_R.RTC_CRH] & _ALRF and not self._has_alarm
        return self._alarm_at if wakes else None

    def _is_deep(self) -> bool:
        if not self._values[SCR] & _SLEEPDEEP:
            return False
        if self._values[_R.PWR_CR] & _PDDS:
            message = "the program goes to standby, which loses its RAM"
            raise CrashError(message)
        if self.now < self._sent_at:
            message = "the program stops the clock of its UART, which still sends"
            raise CrashError(message)
        if self._values[_R.ADC_CR2] & _ADON:
            message = "the program sleeps while its converter is on"
            raise CrashError(message)
        return True

    # Converter and UART.

    def _convert(self, value: int) -> None:
        values = self._values
        if value & _CALIBRATIONS and not value & _ADON:
            message = "the program calibrates its converter, which is off"
            raise CrashError(message)
        if value & _SWSTART:
            settings = (values[_R.SMPR1], values[_R.SQR1], values[_R.SQR3])
            if value != _CONVERTS or settings != (_SLOW_SAMPLES, 0, _REFERENCE_CHANNEL):
                message = "the program converts something else than the reference"
                raise CrashError(message)
            self._converted_at = self.now + round(_CONVERTS_S * self._hz)

    def _converted(self) -> int:
        if self._converted_at is None:
            return 0
        # The program asks again and again until then: it computes.
        self._pass(max(self._converted_at - self.now, 0))
        self._converted_at = None
        return 1 << 1

    def _sent(self) -> int:
        self._wait_for_byte()
        return _TC | _TXE

    def _has_9600_baud(self) -> bool:
        values = self._values
        is_on = values[_R.USART_CR1] & _UE_TE == _UE_TE
        is_out = values[_R.CRH] >> _PIN_9 & 0xF in _ALTERNATE
        return is_on and is_out and values[_R.USART_BRR] == _BAUD_9600

    # The flash memory.

    def _unlock(self, key: int) -> None:
        if self._keys == len(_KEYS) or key != _KEYS[self._keys]:
            message = "the program gives the flash controller a key that it refuses"
            raise CrashError(message)
        self._keys += 1
        if self._keys == len(_KEYS):
            self._flash_control = 0

    def _control_flash(self, value: int) -> None:
        if self._flash_control & _FLASH_LOCK:
            message = "the program writes to the flash controller, which is locked"
            raise CrashError(message)
        if value & _STRT:
            self._erase(self._values[_R.AR])
        self._flash_control = value & ~_STRT
        if value & _FLASH_LOCK:
            self._flash_control, self._keys = _FLASH_LOCK, 0

    def _erase(self, address: int) -> None:
        offset = address - self._first
        page = page_bytes(self._device)
        inside = 0 <= offset <= len(self.store) - page
        if self._flash_control != _PER or not inside or offset % page:
            message = f"the program erases at {address:#x}, which is no page of its own"
            raise CrashError(message)
        place = slice(offset, offset + page)
        self._change_for(place, bytes([ERASED]) * page, ERASE_S)

    def _write_store(
        self, _uc: object, offset: int, size: int, value: int, _base: int
    ) -> None:
        place = slice(offset, offset + _HALF)
        if self._flash_control != _PG or size != _HALF or offset % _HALF:
            message = "the program writes to flash memory that takes no half-words"
            raise CrashError(message)
        if any(byte != ERASED for byte in self.store[place]):
            message = f"the program writes twice at {self._first + offset:#x}"
            raise CrashError(message)
        self._store_bytes += _HALF
        self._change_for(place, value.to_bytes(_HALF, "little"), WRITE_S)


def main(words: Sequence[str] | None = None) -> int:
    """Run a board until its power fails; print what it took."""
    return simulated_board.main(__doc__ or "", Stm32f1Board, words)


if __name__ == "__main__":
    raise SystemExit(main())
