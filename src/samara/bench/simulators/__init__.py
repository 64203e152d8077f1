# SPDX-License-Identifier: Apache-2.0
"""Simulators of processors, all driven the same way.

A simulator holds one program, at its beginning. It runs it from address to
address and counts; in between, memory is written and read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench.simulators.base import (
    ALL_MEMORY,
    CrashError,
    Processor,
    Run,
    Simulator,
    StackOverflowError,
)
from samara.bench.simulators.msp430x import Msp430x
from samara.bench.simulators.mspdebug import MspDebug
from samara.bench.simulators.simavr import SimAvr
from samara.bench.simulators.unicorn import Unicorn
from samara.bench.simulators.verilated import Verilated

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from samara.bench.devices import Device
    from samara.bench.flash import FlashWaits

__all__ = [
    "ALL_MEMORY",
    "CrashError",
    "Processor",
    "Run",
    "Simulator",
    "StackOverflowError",
    "start",
    "start_waiting",
]

_STARTERS: dict[str, Callable[[Device, Path], Simulator]] = {
    "msp430x": Msp430x,
    "mspdebug": MspDebug,
    "simavr": SimAvr,
    "unicorn": Unicorn,
    "verilator": Verilated,
}


def start(device: Device, image: Path) -> Simulator:
    """Start the device's simulator with a program; `with` ends it."""
    return _STARTERS[device.family.simulator](device, image)


def start_waiting(device: Device, image: Path, waits: FlashWaits) -> Simulator:
    """Start it so that it counts waits for flash memory, or FRAM, too."""
    starter = Msp430x if device.family.simulator == "msp430x" else Unicorn
    return starter(device, image, waits)
