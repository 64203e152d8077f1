# SPDX-License-Identifier: Apache-2.0
"""What programs that simulate a board have in common: how a life begins and ends.

Their command line and the line at the end are those of the board of AVRs
(devices/families/avr/board).
"""

from __future__ import annotations

import os
import random
import signal
import sys
import termios
import tty
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from samara.bench.devices import device as device_of
from samara.bench.simulators.base import CrashError
from samara.bench.toolchain import ToolMissingError
from samara.extras import MissingPackageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from samara.bench.devices import Device

_USAGE = 7
_BY_SENDS, _LONGEST = "sends:", 1 << 62
_ERASED = 0xFF


@dataclass(slots=True)
class Life:
    """How a life goes and ends."""

    cycles: int
    """After which the power fails."""
    ends_in_write: bool
    paced: bool
    chance: random.Random
    sends: int | None = None
    """Ends at the sleep after it sent something so often."""


class EndOfLifeError(Exception):
    """The power failed, or somebody asked for the end."""


class Board(Protocol):
    """A board with a program in it."""

    store: bytearray
    """What its memory of key and counters has."""

    def ask_to_end(self, *_: object) -> None:
        """End the life soon: a handler of signals."""
        ...

    def live(self) -> None:
        """Run until the power fails."""
        ...

    def summary(self) -> str:
        """Return the line at the end."""
        ...


class BoardMaker(Protocol):
    """A class of boards."""

    def __call__(
        self,
        device: Device,
        image: Path,
        store: bytearray,
        life: Life,
        send: Callable[[bytes], None],
    ) -> Board:
        """Make a board with a program in it."""
        ...

    def store_size(self, device: Device) -> int:
        """Return how many bytes of its flash memory are kept between lives."""
        ...


def torn(chance: random.Random, old: bytes, new: bytes) -> bytes:
    """Return what a power cut leaves of a change: old, new or mixed."""
    mixed = bytes(
        a ^ ((a ^ b) & chance.randrange(256)) for a, b in zip(old, new, strict=True)
    )
    return chance.choice((old, new, mixed))


def main(doc: str, maker: BoardMaker, words: Sequence[str] | None) -> int:
    """Run one life as the words of a command line say, and tell what it took."""
    words = sys.argv[1:] if words is None else words
    usage, *_ = doc.splitlines()
    name = usage.removeprefix("Usage: ").split()[0]
    if len(words) < _USAGE:
        print(usage, file=sys.stderr)
        return 2
    try:
        summary = _live(maker, words)
    except (CrashError, MissingPackageError, ToolMissingError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    print(summary, file=sys.stderr)
    return 0


def _live(maker: BoardMaker, words: Sequence[str]) -> str:
    name, clock, image, flash, cycles, seed, pace, *port = words
    device = device_of(name)
    if int(clock) != device.clock_hz:
        message = f"the clock of {name} is {device.clock_hz} Hz"
        raise CrashError(message)
    store = _load(Path(flash), maker.store_size(device))
    life = _life(cycles, int(seed), is_paced=pace == "1")
    descriptor = _port(port[0] if port else None)
    board = maker(
        device, Path(image), store, life, lambda sent: _send(descriptor, sent)
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, board.ask_to_end)
    try:
        board.live()
    finally:
        _save(Path(flash), bytes(board.store))
    return board.summary()


def _life(cycles: str, seed: int, *, is_paced: bool) -> Life:
    is_by_sends = cycles.startswith(_BY_SENDS)
    return Life(
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
