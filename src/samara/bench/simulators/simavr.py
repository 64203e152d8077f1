# SPDX-License-Identifier: Apache-2.0
"""AVR: a runner of our own around libsimavr, in a process of its own.

The runner is under another licence than this package: see its folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench.simulators.avr_programs import avr_program
from samara.bench.simulators.runner import Runner

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from samara.bench.devices import Device


class SimAvr(Runner):
    """An AVR with a program in it."""

    def __init__(self, device: Device, image: Path) -> None:
        chip = device.family.simulated_as or device.mcu
        command = [str(avr_program("runner")), chip, str(device.clock_hz)]
        command += [str(image)]
        command += [word for word in device.features if word == "aes-engine"]
        if device.family.timing:
            command += [device.family.timing, *_memory(device)]
        super().__init__(command)

    def registers(self) -> Sequence[bytes]:
        """Return none: they are at the beginning of the memory."""
        return ()


def _memory(device: Device) -> list[str]:
    """Return the numbers that the runner takes for a chip that libsimavr has not."""
    sizes = (device.ram_start, device.ram_bytes, device.flash_bytes)
    return [str(number) for number in (*sizes, device.mapped_flash)]
