# SPDX-License-Identifier: Apache-2.0
"""What programs that simulate a board have in common: its power and its counts.

Their command line and the line at the end are those of the board of AVRs
(devices/families/avr/board).

FLASH is a file with the part of the flash memory that has keys and counters; it is made
when it is not there. The power fails

- after CYCLES cycles;
- when CYCLES is ``sends:N``, at the sleep after the program has sent something N times;
- with an odd SEED, within the next change of that memory after CYCLES: what is changed
  is then left old, new or mixed.

SIGINT and SIGTERM end the run, too. With PACE 1 it takes as long as on the chip. Bytes
of the UART go to PORT, a serial port, or to stdout.

The line on stderr at the end has, in this order: ``torn`` or ``whole``; all cycles;
those asleep with and without a clock; those that waited for the flash memory; bytes
written there, and to the UART; the most cycles in a row in which an interrupt had to
wait, which is while that memory is changed; those in which the UART sent; how many
times the program sent something between two sleeps; the most bytes of stack.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import termios
import time
import tty
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from samara.bench import images
from samara.bench.chips import chip_or_device
from samara.bench.simulators.base import CrashError
from samara.bench.toolchain import ToolMissingError
from samara.extras import MissingPackageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from samara.bench.devices import Device

_USAGE = 7
_BY_SENDS, _LONGEST = "sends:", 1 << 62
_ERASED, _UNUSED = 0xFF, b"\xa5"
_BITS_OF_BYTE = 10


@dataclass(slots=True)
class PowerPlan:
    """When the power of a board fails, and how its time passes."""

    cycles: int
    """After which the power fails."""
    ends_in_write: bool
    paced: bool
    chance: random.Random
    sends: int | None = None
    """The power fails at the sleep after the program sent something so often."""


class PowerFailedError(Exception):
    """The power failed, or somebody asked for the end."""


class Board(ABC):
    """A board with a program in it: what it counts, and how its power fails.

    A class of boards derives from this and from the simulator of its processor.

    Parameters
    ----------
    device
        The microcontroller.
    image
        The program.
    store
        What its memory of key and counters has.
    plan
        When its power fails, and how its time passes.
    send
        Takes each byte that the UART has sent.
    """

    def __init__(
        self,
        device: Device,
        image: Path,
        store: bytearray,
        plan: PowerPlan,
        send: Callable[[bytes], None],
    ) -> None:
        self._hz = device.clock_hz
        self.store = store
        self._plan, self._send = plan, send
        self._cycles = 0
        self._idle = self._asleep = self._waited = self._store_bytes = (
            self._longest_wait
        ) = 0
        self._uart_bytes = self._sending = self._sends = 0
        self._has_sent = self._is_torn = self._asked_to_end = False
        self._sent_at = 0
        self._started_at_s = time.monotonic()
        used = images.read(image).ram_bytes
        self._unused_ram = range(
            device.ram_start + used, device.ram_start + device.ram_bytes
        )

    @property
    def now(self) -> int:
        """Cycles since the start."""
        return self._cycles

    @abstractmethod
    def run(self) -> None:
        """Run until the power fails.

        Raises
        ------
        CrashError
            When the program does something that the chip would not do.
        """

    @abstractmethod
    def fill(self, address: int, size: int, pattern: bytes) -> None:
        """Write a pattern into memory again and again."""

    @abstractmethod
    def read(self, address: int, size: int) -> bytes:
        """Read from memory."""

    @abstractmethod
    def _pass(self, cycles: int) -> None:
        """Let time pass; the power may fail."""

    def ask_to_end(self, *_: object) -> None:
        """End the run soon: a handler of signals."""
        self._asked_to_end = True

    def _fill_unused_ram(self) -> None:
        """Write a pattern below the stack, which shows later how far it grew."""
        self.fill(self._unused_ram.start, len(self._unused_ram), _UNUSED)

    def _keep_pace(self) -> None:
        """Wait until as much time has passed as on the chip."""
        if self._plan.paced:
            ahead_s = self.now / self._hz - (time.monotonic() - self._started_at_s)
            time.sleep(max(ahead_s, 0))

    def _count_send(self) -> bool:
        """Count what was sent since the last sleep; return whether it was the last."""
        self._sends += self._has_sent
        self._has_sent = False
        return self._sends == self._plan.sends

    def _until_end(self, cycles: int) -> int:
        """Return for how many of these cycles the power is there."""
        if self._plan.ends_in_write:
            return cycles
        return min(cycles, max(self._plan.cycles - self.now, 0))

    def _send_byte(self, value: int, baud: int) -> None:
        """Send the low byte of what the program wrote to its UART."""
        takes = self._hz * _BITS_OF_BYTE // baud
        self._sent_at = self.now + takes
        self._sending += takes
        self._uart_bytes += 1
        self._has_sent = True
        self._send(bytes([value & 0xFF]))

    def _change(self, place: slice, new: bytes, cycles: int) -> None:
        """Change cells of the store; the processor stands still for so long."""
        if self._plan.ends_in_write and self.now >= self._plan.cycles:
            old = bytes(self.store[place])
            self.store[place] = _torn(self._plan.chance, old, new)
            self._is_torn = True
            raise PowerFailedError
        self.store[place] = new
        self._waited += cycles
        self._longest_wait = max(self._longest_wait, cycles)
        self._pass(cycles)

    def _stack_bytes(self) -> int:
        """Return how many bytes at the end of the RAM are not as they were."""
        content = self.read(self._unused_ram.start, len(self._unused_ram))
        return len(content.lstrip(_UNUSED))

    def summary(self) -> str:
        """Return the line at the end."""
        times = (self.now, self._idle, self._asleep, self._waited)
        sent = (self._store_bytes, self._uart_bytes, self._longest_wait, self._sending)
        numbers = (*times, *sent, self._sends, self._stack_bytes())
        return " ".join(["torn" if self._is_torn else "whole", *map(str, numbers)])


class BoardMaker(Protocol):
    """A class of boards."""

    def __call__(
        self,
        device: Device,
        image: Path,
        store: bytearray,
        plan: PowerPlan,
        send: Callable[[bytes], None],
    ) -> Board:
        """Make a board with a program in it."""
        ...

    def store_size(self, device: Device) -> int:
        """Return how many bytes of its flash memory are kept without power."""
        ...


def _torn(chance: random.Random, old: bytes, new: bytes) -> bytes:
    """Return what a power cut leaves of a change: old, new or mixed."""
    mixed = bytes(
        a ^ ((a ^ b) & chance.randrange(256)) for a, b in zip(old, new, strict=True)
    )
    return chance.choice((old, new, mixed))


def main(doc: str, maker: BoardMaker, words: Sequence[str] | None) -> int:
    """Run a board until its power fails, as a command line says; print what it took."""
    words = sys.argv[1:] if words is None else words
    usage, *_ = doc.splitlines()
    name = usage.removeprefix("Usage: ").split()[0]
    if len(words) < _USAGE:
        print(usage, file=sys.stderr)
        return 2
    try:
        summary = _run_board(maker, words)
    except (CrashError, MissingPackageError, ToolMissingError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    print(summary, file=sys.stderr)
    return 0


def _run_board(maker: BoardMaker, words: Sequence[str]) -> str:
    name, clock, image, flash, cycles, seed, pace, *port = words
    device = chip_or_device(name)
    if int(clock) != device.clock_hz:
        message = f"the clock of {name} is {device.clock_hz} Hz"
        raise CrashError(message)
    store = _load(Path(flash), maker.store_size(device))
    plan = _plan_of(cycles, int(seed), is_paced=pace == "1")
    descriptor = _port(port[0] if port else None)
    board = maker(
        device, Path(image), store, plan, lambda sent: _send(descriptor, sent)
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, board.ask_to_end)
    try:
        board.run()
    finally:
        _save(Path(flash), bytes(board.store))
    return board.summary()


def _plan_of(cycles: str, seed: int, *, is_paced: bool) -> PowerPlan:
    is_by_sends = cycles.startswith(_BY_SENDS)
    return PowerPlan(
        _LONGEST if is_by_sends else int(cycles),
        seed % 2 == 1,
        is_paced,
        random.Random(seed),  # noqa: S311 - the same in each run
        int(cycles.removeprefix(_BY_SENDS)) if is_by_sends else None,
    )


def _load(path: Path, size: int) -> bytearray:
    """Return what the file has; one that is not there is a new chip."""
    try:
        content = bytearray(path.read_bytes())
    except FileNotFoundError:
        content = bytearray([_ERASED]) * size
    if len(content) != size:
        message = f"{path} has {len(content)} bytes, not {size}: it is of another chip"
        raise CrashError(message)
    return content


def _save(path: Path, content: bytes) -> None:
    """Write keys and counters for their owner alone."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(file, "wb") as stream:
        stream.write(content)


def _port(name: str | None) -> int:
    if name is None:
        return sys.stdout.fileno()
    port = os.open(name, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(port)
    settings = termios.tcgetattr(port)
    settings[4] = settings[5] = termios.B9600
    termios.tcsetattr(port, termios.TCSANOW, settings)
    return port


def _send(descriptor: int, sent: bytes) -> None:
    os.write(descriptor, sent)
