# SPDX-License-Identifier: Apache-2.0
"""AVR: a runner of our own around libsimavr, in a process of its own.

The runner is under another licence than this package: see its folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench.simulators.avr_programs import avr_program
from samara.bench.simulators.runner import Runner

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.devices import Device


class SimAvr(Runner):
    """An AVR with a program in it."""

    def __init__(self, device: Device, image: Path) -> None:
        command = [str(avr_program("runner")), device.mcu, str(device.clock_hz)]
        command += [str(image)]
        command += [word for word in device.features if word == "aes-engine"]
        super().__init__(command)
