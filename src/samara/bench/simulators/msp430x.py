# SPDX-License-Identifier: Apache-2.0
"""MSP430FR: a runner of our own, with FRAM, its cache and the AES engine."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from samara.bench.simulators.runner import Runner
from samara.bench.simulators.runner_programs import runner_program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from samara.bench.devices import Device
    from samara.bench.flash import FlashWaits


class Msp430x(Runner):
    """An MSP430FR with a program in it."""

    def __init__(
        self, device: Device, image: Path, waits: FlashWaits | None = None
    ) -> None:
        numbers = (device.ram_start, device.ram_bytes, device.flash_start)
        command = [str(_program()), str(image), *map(str, (*numbers, *_cache(waits)))]
        command += [word for word in device.features if word == "aes-engine"]
        super().__init__(command)

    def engine(self) -> bytes:
        """Return what the AES engine holds: 32 bytes of the key, 16 of data."""
        return bytes.fromhex(self._ask("e"))

    def registers(self) -> Sequence[bytes]:
        """Return R4 to R15, of 2 bytes each."""
        return self._words("x")

    def let_power_fail(self, after: int) -> None:
        """Let the power fail in place of a write to FRAM, after so many others.

        `go` raises CrashError there. A negative number lets it never fail.
        """
        self._say(f"p {after}")

    def fram_writes(self) -> tuple[int, int]:
        """Return the writes to FRAM since `let_power_fail`, and where the last one was.

        The write in whose place the power failed counts.
        """
        count, place = self._ask("n").split()
        return int(count), int(place)

    def begin_anew(self) -> None:
        """Begin as after a power cut: FRAM is kept, and RAM is lost."""
        self._say("z")


def _cache(waits: FlashWaits | None) -> tuple[int, int, int, int]:
    """Return wait states, sets, lines of a set and bytes of a line."""
    if waits is None:
        return 0, 1, 1, 1
    flash = waits.flash
    return waits.states, flash.sets, flash.lines // flash.sets, flash.line_bytes


@cache
def _program() -> Path:
    return runner_program("msp430x", "runner", "-lelf")
