# SPDX-License-Identifier: Apache-2.0
"""Usage: msp430_board DEVICE CLOCK_HZ IMAGE FLASH CYCLES SEED PACE [PORT].

A board with an MSP430F1611, until its power fails: mspdebug runs the program, with its
watchdog timer, which wakes the program, and its multiplier. What it lacks is done here,
where it stops: UART 0, the converter, and the controller of the flash memory, which
refuses what the user's guide (SLAU049) forbids. FLASH has the first eight segments of
the flash memory. `samara.bench.simulators.simulated_board` explains the other arguments
and the line on stderr at the end.
"""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, NamedTuple

from samara.bench import images
from samara.bench.simulators import simulated_board
from samara.bench.simulators.base import CrashError
from samara.bench.simulators.mspdebug import MspDebug, complaint, counts, registers
from samara.bench.simulators.simulated_board import Board, PowerFailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from samara.bench.devices import Device
    from samara.bench.simulators.simulated_board import PowerPlan

STORE = range(0x4000, 0x5000)
"""The first eight segments of the flash memory, which outlast the power."""
SUPPLY_CODE = 3686
"""What the converter tells of half the supply: 2700 mV."""

_SEGMENT, _WORD, _ERASED = 512, 2, 0xFF
_MARK = b"\x5a"
_BAUD, _SLOW_HZ = 9600, 32_768
_SLOW_OF_SIMULATOR = 256
"""Cycles of the processor in one of the slow clock, in mspdebug."""
_ERASES, _WRITES = 0x02, 0x40
_KEY, _LOCK, _BY_MCLK = 0xA5, 0x10, 0x40
_CLOCK_HZ = range(257_000, 476_001)
_WORD_CLOCKS, _SEGMENT_CLOCKS = 35, 4819
_GIE = 8

U0CTL, U0TCTL, U0MCTL, U0BR0, U0BR1 = 0x70, 0x71, 0x73, 0x74, 0x75
U0TXBUF, P3SEL = 0x77, 0x1B
FCTL1, FCTL2, FCTL3 = 0x128, 0x12A, 0x12C
_ADC12MEM9 = 0x152
_UART_9600 = {U0CTL: 0x10, U0TCTL: 0x10, U0BR0: 3, U0BR1: 0, U0MCTL: 0x4A}
_UTXD0 = 0x10

_EVENT = re.compile(
    r"^ +(\d+): (?:"
    r"(write|read)\.[wb] => 0x([0-9a-f]+)(?: 0x([0-9a-f]+))?|system reset)$",
    re.MULTILINE,
)
_STATUS = re.compile(r"\( SR: ([0-9a-f]+)\)")
_ACLK = re.compile(r"^ACLK: +(\d+)$", re.MULTILINE)
# `bis #bits, r2`, where the bits have CPUOFF.
_SLEEP, _CPUOFF = b"\x32\xd0", 0x10


class _Event(NamedTuple):
    """What the program did with a register."""

    cycle: int
    """Cycles of the processor since the last stop."""
    writes: bool
    address: int
    value: int


class Msp430Board(MspDebug, Board):
    """A board with an MSP430."""

    # mspdebug answers for no register that it does not have. Those that keep what is
    # written to them are timers that never count, and their places; the state of the
    # UART is the input of a port.
    _peripherals = (
        "simio add hwmult multiplier",
        "simio add tracer tracer 8192",
        "simio add wdt watchdog",
        "simio add gpio uart",
        f"simio config uart base {U0TCTL}",
        "simio config uart noirq",
        "simio add timer flash 2",
        f"simio config flash base {FCTL3 - 0x12}",
        "simio config flash iv 0x1fe",
        "simio add timer results 2",
        f"simio config results base {_ADC12MEM9 - 0x12}",
        "simio config results iv 0x1fe",
        "simio add timer converter 2",
        "simio config converter base 0x1a0",
        "simio config converter iv 0x1fe",
    )

    @staticmethod
    def store_size(device: Device) -> int:
        """Return how many bytes of its flash memory are kept while it has no power."""
        del device
        return len(STORE)

    def __init__(
        self,
        device: Device,
        image: Path,
        store: bytearray,
        plan: PowerPlan,
        send: Callable[[bytes], None],
    ) -> None:
        MspDebug.__init__(self, device, image)
        Board.__init__(self, device, image, store, plan, send)
        self._is_sending = False
        self._mode, self._clock, self._is_locked = 0, 0, True
        self._values: dict[int, int] = {}
        self._sleeps = set(_sleeps(image))
        self._prepare()

    def _prepare(self) -> None:
        """Write what the chip has at its start, and say where to stop."""
        self._fill_unused_ram()
        self.write(STORE.start, bytes(self.store))
        # Of the UART: it takes a byte. Bit 1 is the oscillator's.
        self.write(0x02, b"\x82")
        # mspdebug leaves out the last word of what is written to registers.
        self.write(_ADC12MEM9, SUPPLY_CODE.to_bytes(4, "little"))
        stops = [("setwatch_w", U0TCTL), ("setwatch_w", FCTL1), ("setwatch", FCTL3)]
        stops += [("setbreak", place) for place in sorted(self._sleeps)]
        self._commands += [
            f"{kind} {place} {i}" for i, (kind, place) in enumerate(stops)
        ]
        self._commands.append("simio config tracer clear")

    def run(self) -> None:
        """Run until the power fails."""
        with contextlib.suppress(PowerFailedError):
            while True:
                self._go_on()

    def _go_on(self) -> None:
        """Run until the program does something that is to be done here."""
        self._commands += ["run", "simio info tracer", "simio config tracer clear"]
        said = self._until_or_interrupted(self._begin_commands())
        if wrong := complaint(said):
            message = f"the program stopped: {wrong}"
            raise CrashError(message)
        place, _ = registers(said)
        _, cycles = counts(said)
        changes = self._mode
        self._sleep(said, cycles)
        begin = self.now
        # All of them first: a reset counts before what came after it.
        for event in list(_events(said)):
            # What waited since has made it later.
            self._pass(max(begin + event.cycle - self.now, 0))
            begin += self._do(event)
        self._pass(max(begin + cycles - self.now, 0))
        if changes:
            self._look(changes, said)
        if place in self._sleeps:
            self._begin_sleep()

    def _sleep(self, said: str, cycles: int) -> None:
        """Count the sleep with which a run began, by the slow clock."""
        found = _ACLK.search(said)
        ticks = int(found[1]) if found else 0
        slept = max(ticks - cycles // _SLOW_OF_SIMULATOR, 0) * self._hz // _SLOW_HZ
        slept = self._until_end(slept)
        self._asleep += slept
        self._pass(slept)

    def _begin_sleep(self) -> None:
        if self._read_store() != self.store:
            message = "the program writes to flash memory that is locked"
            raise CrashError(message)
        if self._count_send():
            raise PowerFailedError
        self._keep_pace()

    def _pass(self, cycles: int) -> None:
        """Let time pass; the power may fail."""
        self._cycles += cycles
        ends = self.now >= self._plan.cycles and not self._plan.ends_in_write
        # A write that is still to come ends it, at most a minute later.
        late = self.now >= self._plan.cycles + 60 * self._hz
        if ends:
            self._cycles = min(self._cycles, self._plan.cycles)
        if self._asked_to_end or ends or late:
            raise PowerFailedError

    def _do(self, event: _Event) -> int:
        """Do what a register does; return for how many cycles the program waited."""
        if event.writes:
            self._values[event.address] = event.value
        match event:
            case _Event(_, True, address=0x77):
                self._transmit(event.value)
            case _Event(_, True, address=0x71):
                # The port took what was written for its input.
                self._commands.append("simio config uart set 0 1")
            case _Event(_, False, address=0x71) if self._is_sending:
                return self._wait_for_byte()
            case _Event(_, True, address=0x128 | 0x12A | 0x12C):
                self._control(event.address, event.value)
        return 0

    def _transmit(self, value: int) -> None:
        values = self._values
        is_on = values.get(P3SEL, 0) & _UTXD0
        if not is_on or any(values.get(a) != v for a, v in _UART_9600.items()):
            message = "the program sends a byte before its UART has 9,600 baud"
            raise CrashError(message)
        if self._is_sending:
            message = "the program sends a byte before the last one is out"
            raise CrashError(message)
        self._is_sending = True
        self._send_byte(value, _BAUD)

    def _wait_for_byte(self) -> int:
        # The program asks again and again until then: it computes.
        waits = max(self._sent_at - self.now, 0)
        self._is_sending = False
        self._pass(waits)
        return waits

    def _control(self, address: int, value: int) -> None:
        """Take what the program writes to the controller of the flash memory."""
        if value >> 8 != _KEY:
            message = "the program writes to the flash controller without its key"
            raise CrashError(message)
        low = value & 0xFF
        if address == FCTL2:
            self._clock = low
        elif address == FCTL3:
            self._is_locked = bool(low & _LOCK)
        else:
            self._mode = low
            if low == _ERASES:
                # The write that erases is seen, whatever was in the segment.
                self.fill(STORE.start, len(STORE), _MARK)

    def _look(self, mode: int, said: str) -> None:
        """Do what a write into the flash memory does in this mode."""
        found = self._read_store()
        before = _MARK * len(STORE) if mode == _ERASES else bytes(self.store)
        places = [
            i for i, (a, b) in enumerate(zip(before, found, strict=True)) if a != b
        ]
        if not places:
            self._restore(mode)
            return
        self._check(said)
        if mode == _ERASES:
            start = places[0] - places[0] % _SEGMENT
            erased = bytes([_ERASED]) * _SEGMENT
            cycles = _SEGMENT_CLOCKS * self._divider
            self._change(slice(start, start + _SEGMENT), erased, cycles)
            self._restore(mode)
            return
        start = places[0] - places[0] % _WORD
        place = slice(start, start + _WORD)
        if places[-1] >= start + _WORD or mode != _WRITES:
            message = "the program writes before the last word is done"
            raise CrashError(message)
        if any(byte != _ERASED for byte in self.store[place]):
            message = f"the program writes twice at {STORE.start + start:#x}"
            raise CrashError(message)
        self._store_bytes += _WORD
        self._change(place, found[place], _WORD_CLOCKS * self._divider)

    def _restore(self, mode: int) -> None:
        """Put back what was marked, once the controller erases no more."""
        if mode == _ERASES:
            self.write(STORE.start, bytes(self.store))
            if self._mode == _ERASES:
                self.fill(STORE.start, len(STORE), _MARK)

    @property
    def _divider(self) -> int:
        """Cycles of the processor in one clock of the flash controller."""
        return (self._clock & 0x3F) + 1

    def _check(self, said: str) -> None:
        """Raise unless the controller is ready for a change."""
        if self._is_locked:
            message = "the program writes to flash memory that is locked"
            raise CrashError(message)
        clock_hz = self._hz // self._divider
        if self._clock & 0xC0 != _BY_MCLK or clock_hz not in _CLOCK_HZ:
            message = "the flash controller has no clock within 257 and 476 kHz"
            raise CrashError(message)
        status = _STATUS.search(said)
        if status is None or int(status[1], 16) & _GIE:
            message = "the program changes flash memory while interrupts are on"
            raise CrashError(message)

    def _read_store(self) -> bytes:
        return self.read(STORE.start, len(STORE))


def _events(said: str) -> Iterator[_Event]:
    """Yield what the program did with registers.

    Raises
    ------
    CrashError
        When it made the chip reset itself.
    """
    for cycle, what, address, value in _EVENT.findall(said):
        if not what:
            message = "the program reset the chip, or its watchdog did"
            raise CrashError(message)
        yield _Event(
            int(cycle), what == "write", int(address, 16), int(value or "0", 16)
        )


def _sleeps(image: Path) -> Iterator[int]:
    """Yield the places of an image where it stops the processor."""
    for start, code in images.contents(image):
        for place in range(0, len(code) - 3, 2):
            bits = int.from_bytes(code[place + 2 : place + 4], "little")
            if code[place : place + 2] == _SLEEP and bits & _CPUOFF:
                yield start + place


def main(words: Sequence[str] | None = None) -> int:
    """Run a board until its power fails; print what it took."""
    return simulated_board.main(__doc__ or "", Msp430Board, words)


if __name__ == "__main__":
    raise SystemExit(main())
