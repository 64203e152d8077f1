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
from links import Running, listening
from receivers import receiver_of

from samara.bench.simulators.avr_programs import avr_program
from samara.link import rfserial
from samara.link.node import exporting
from samara.link.node import folder as folders

ROOT = Path(__file__).parents[2]
SENSOR = ROOT / "firmware" / "examples" / "sensor"
CLOCK = 16_000_000
MESSAGE = re.compile(rb"\d{3,4} mV")


@dataclass(frozen=True)
class Device:
    """A device and the node at the other end of its link."""

    host: Path
    run: Path
    folder: Path

    def build(self, step: int, core: Path = ROOT / "core") -> Path:
        """Build the firmware as its user does."""
        place = self.folder / f"sensor-{step}-{core.parent.name}"
        shutil.copytree(SENSOR, place)
        shutil.copy(self.folder / "record.h", place)
        command = ["make", f"CORE={core}", f"EXTRA=-DSTEP={step}"]
        subprocess.run(command, cwd=place, check=True, capture_output=True)
        return place / "sensor.elf"

    def live(
        self, image: Path, cycles: int, seed: int, *port: str
    ) -> tuple[bytes, bool]:
        """Return what one life sends, and whether it ended within a write."""
        pace = "1" if port else "0"
        numbers = [str(cycles), str(seed), pace]
        eeprom = image.with_name("eeprom")
        chip = ["atmega328p", str(CLOCK), str(image), str(eeprom)]
        command = [str(self.run), *chip, *numbers, *port]
        done = subprocess.run(command, check=True, capture_output=True)
        return done.stdout, done.stderr.startswith(b"torn ")

    def receiver(self) -> rfserial.Receiver:
        """Return a receiver as the node of the host has one."""
        return receiver_of(self.host)


@pytest.fixture(scope="module")
def run() -> Path:
    """Return the program that runs one life."""
    return avr_program("board")


@pytest.fixture
def device(run: Path, tmp_path: Path) -> Device:
    host, record = tmp_path / "host", tmp_path / "record.h"
    folders.make_pair(host, "rf-serial", {"port": "/dev/null"})
    list(exporting.export(exporting.ExportRequest(pair=host, output=record)))
    return Device(host, run, tmp_path)


@dataclass
class Heard:
    """What a receiver heard of some lives."""

    numbers: list[int]
    repeated: int = 0
    torn: int = 0


def lives(device: Device, image: Path, step: int, count: int) -> Heard:
    """Run lives of up to three records of the store, and open what they send."""
    chance = random.Random(step)  # noqa: S311 - the same in each run
    receiver, heard = device.receiver(), Heard([])
    for seed in range(count):
        cycles = chance.randrange(CLOCK // 10, 3 * step * CLOCK * 6 // 10)
        sent, torn = device.live(image, cycles, seed)
        heard.torn += torn
        for event in receiver.feed(sent):
            match event:
                case rfserial.Message(number, payload):
                    assert MESSAGE.fullmatch(payload) or payload == b"\xf5\x01"
                    heard.numbers.append(number)
                case rfserial.Repeated():
                    heard.repeated += 1
    return heard


@pytest.mark.slow
@pytest.mark.parametrize(("step", "count"), [(2, 90), (16, 30)])
def test_no_number_comes_back(device: Device, step: int, count: int) -> None:
    heard = lives(device, device.build(step), step, count)
    assert heard.repeated == 0
    assert heard.numbers == sorted(set(heard.numbers))
    assert len(heard.numbers) > count * step
    assert heard.torn > count // 3
    # A life loses the rest of a record, and one more when that was torn.
    assert heard.numbers[-1] < len(heard.numbers) + 3 * step * count


@pytest.mark.slow
def test_a_store_that_forgets_is_seen(device: Device) -> None:
    """The judge: with a store that gives one number more than it reserved."""
    core = device.folder / "faulty" / "core"
    shutil.copytree(ROOT / "core", core)
    source = core / "store" / "counter.c"
    text = source.read_text(encoding="utf-8")
    right = "if (number < ring->sequence"
    assert text.count(right) == 1
    text = text.replace(right, "if (number <= ring->sequence")
    source.write_text(text, encoding="utf-8")
    assert lives(device, device.build(2, core), 2, 30).repeated > 0


@pytest.mark.slow
def test_a_node_hears_it_through_two_modems(device: Device) -> None:
    """In real time: the device, a modem, the air, a modem, a node of the host."""
    image = device.build(4)
    ports = [f"{device.folder}/modem-{end}" for end in "ab"]
    links = [f"--link-{end}={port}" for end, port in zip("ab", ports, strict=True)]
    where = ("--port", ports[1], "--baud", "9600")
    with Running(device.folder, "modem", "--baud", "9600", *links) as modem:
        assert "two modems" in modem.next_message()
        with listening(device.folder, str(device.host), *where) as node:
            for seed in (0, 2):
                # Four messages, or five, in each life of three seconds.
                device.live(image, 3 * CLOCK, seed, ports[0])
            events = node.interrupted_after(8)
    received = [one for one in events if one["type"] == "received"]
    assert len(received) >= 8
    assert {one["type"] for one in events} <= {"received", "notice", "lost"}
    assert all(MESSAGE.fullmatch(one["text"].encode()) for one in received)
