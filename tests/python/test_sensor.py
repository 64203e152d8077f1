# SPDX-License-Identifier: Apache-2.0
"""The example sensor: an ATmega328P in libsimavr, and nodes of the host.

What the device sends is judged by the host's own receiver. Its power fails again and
again, also within writes to its EEPROM, which outlasts that.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from firmware_boards import (
    BoardRun,
    Receiving,
    SimulatedBoard,
    plant_a_forgetful_store,
)
from links import Running, listening

from samara.bench.simulators.avr_programs import avr_program
from samara.link.node import exporting
from samara.link.node import folder as folders

ROOT = Path(__file__).parents[2]
SENSOR = ROOT / "firmware" / "examples" / "sensor"
CLOCK = 16_000_000
READING = rb"\d{3,4} mV"


@dataclass(frozen=True)
class Device:
    """A device and the node at the other end of its link."""

    host: Path
    folder: Path

    def build(self, step: int, core: Path = ROOT / "core") -> Path:
        """Build the firmware as its user does."""
        place = self.folder / f"sensor-{step}-{core.parent.name}"
        shutil.copytree(SENSOR, place)
        shutil.copy(self.folder / "record.h", place)
        command = ["make", f"CORE={core}", f"EXTRA=-DSTEP={step}"]
        subprocess.run(command, cwd=place, check=True, capture_output=True)
        return place / "sensor.elf"

    def run(
        self, image: Path, seconds: float, seed: int, port: Path | None = None
    ) -> BoardRun:
        """Run the firmware until the power fails."""
        board = SimulatedBoard((avr_program("board"),), "atmega328p", CLOCK)
        return board.run(image, image.with_name("eeprom"), seconds, seed, port)


@pytest.fixture
def device(tmp_path: Path) -> Device:
    host, record = tmp_path / "host", tmp_path / "record.h"
    folders.make_pair(host, "rf-serial", {"port": "/dev/null"})
    list(exporting.export(exporting.ExportRequest(pair=host, output=record)))
    return Device(host, tmp_path)


def power_cycled(device: Device, image: Path, step: int, count: int) -> Receiving:
    """Cut the power so often, after up to three records of the store."""
    chance = random.Random(step)  # noqa: S311 - the same in each run
    runs = (
        device.run(image, chance.uniform(0.1, 1.8 * step), seed)
        for seed in range(count)
    )
    return Receiving(device.host, READING).take_all(runs)


@pytest.mark.slow
@pytest.mark.parametrize(("step", "count"), [(2, 90), (16, 30)])
def test_no_number_comes_back(device: Device, step: int, count: int) -> None:
    received = power_cycled(device, device.build(step), step, count)
    # A power cut loses the rest of a record, and one more when that was torn.
    received.assert_fresh(at_least=count * step + 1, skipped_most=3 * step * count)
    assert received.torn > count // 3


@pytest.mark.slow
def test_a_store_that_forgets_is_seen(device: Device) -> None:
    """The judge: with a store that gives one number more than it reserved."""
    core = device.folder / "faulty" / "core"
    shutil.copytree(ROOT / "core", core)
    plant_a_forgetful_store(core.parent)
    assert power_cycled(device, device.build(2, core), 2, 30).repeated > 0


@pytest.mark.slow
def test_a_node_hears_it_through_two_modems(device: Device) -> None:
    """In real time: the device, a modem, the air, a modem, a node of the host."""
    image = device.build(4)
    ports = [device.folder / f"modem-{end}" for end in "ab"]
    links = [f"--link-{end}={port}" for end, port in zip("ab", ports, strict=True)]
    where = ("--port", str(ports[1]), "--baud", "9600")
    with Running(device.folder, "modem", "--baud", "9600", *links) as modem:
        assert "two modems" in modem.next_message()
        with listening(device.folder, str(device.host), *where) as node:
            for seed in (0, 2):
                # Four messages, or five, in each run of three seconds.
                device.run(image, 3, seed, ports[0])
            events = node.interrupted_after(8)
    received = [one for one in events if one["type"] == "received"]
    assert len(received) >= 8
    assert {one["type"] for one in events} <= {"received", "notice", "lost"}
    assert all(re.fullmatch(READING, one["text"].encode()) for one in received)
