# SPDX-License-Identifier: Apache-2.0
"""Projects of firmware for Cortex-M: built, and run on simulated nRF51 and nRF52.

What a board sends is judged by the receiver of the project's own node. Its power fails
again and again, also within writes and erases of its flash memory.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import shell
from receivers import receiver_of

from samara.bench.devices import device
from samara.firmware import project as projects
from samara.firmware.making import new
from samara.firmware.planning import NewRequest
from samara.firmware.templates import target
from samara.link import rfserial
from samara.records import records_of

ROOT = Path(__file__).parents[2]
STEP = 2
READING = re.compile(rb"25 C")
BOARD = (sys.executable, "-m", "samara.bench.simulators.nrf5_board")
PARTS = ("active", "eeprom", "idle", "asleep")


def made(folder: Path, **options: object) -> Path:
    records_of(new(NewRequest(project=folder, **options)))  # type: ignore[arg-type]
    return folder


def often(folder: Path) -> Path:
    """Let a project write a record for two messages, and return its image."""
    settings = folder / "settings.h"
    settings.write_text(settings.read_text().replace("STEP 16", f"STEP {STEP}"))
    return projects.read(folder).make()


@dataclass(frozen=True)
class Life:
    """What a board sent, and what it told at its end."""

    sent: bytes
    told: str


def live(image: Path, chip: str, flash: Path, seconds: float, seed: int = 0) -> Life:
    """Return one life of a board."""
    clock = device(chip).clock_hz
    words = [chip, str(clock), str(image), str(flash), str(round(seconds * clock))]
    done = subprocess.run(
        [*BOARD, *words, str(seed), "0"], check=True, capture_output=True
    )
    return Life(done.stdout, done.stderr.decode())


def lives(host: Path, image: Path, chip: str, count: int) -> tuple[list[int], int, int]:
    """Return numbers of messages, how many came again, and how many ends were torn."""
    chance = random.Random(chip)  # noqa: S311 - the same in each run
    receiver, numbers, repeated, torn = receiver_of(host), [], 0, 0
    for seed in range(count):
        seconds = chance.uniform(0.05, 1.5 * STEP)
        life = live(image, chip, image.parent / "flash", seconds, seed)
        torn += life.told.startswith("torn ")
        for event in receiver.feed(life.sent):
            match event:
                case rfserial.Message(number, payload):
                    assert READING.fullmatch(payload) or payload == b"\xf5\x01"
                    numbers.append(number)
                case rfserial.Repeated():
                    repeated += 1
    return numbers, repeated, torn


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chip", "build"), [("cortex-m0", "make"), ("cortex-m4", "cmake")]
)
def test_no_number_comes_back(chip: str, build: str, tmp_path: Path) -> None:
    folder = made(tmp_path / "sensor", device=chip, build=build, interval_s=0.5)
    numbers, repeated, torn = lives(folder / "host", often(folder), chip, 20)
    assert repeated == 0
    assert numbers == sorted(set(numbers))
    assert len(numbers) > 40
    assert torn > 5
    assert numbers[-1] < len(numbers) + 3 * STEP * 20


@pytest.mark.slow
def test_a_store_that_forgets_is_seen(tmp_path: Path) -> None:
    """The judge: with a store that gives one number more than it reserved."""
    folder = made(tmp_path / "sensor", device="nrf51822", interval_s=0.5)
    source = folder / "core" / "store" / "counter.c"
    text = source.read_text(encoding="utf-8")
    right = "if (number < ring->sequence"
    assert text.count(right) == 1
    source.write_text(text.replace(right, "if (number <= ring->sequence"))
    assert lives(folder / "host", often(folder), "cortex-m0", 12)[1] > 0


@pytest.mark.slow
def test_it_runs_beside_a_node_and_goes_on_after_its_end(tmp_path: Path) -> None:
    made(tmp_path / "sensor", device="cortex-m0", interval_s=0.5)
    command = ("firmware", "run", "sensor", "--seconds", "2.5", "--json")
    runs = []
    for _ in range(2):
        done = shell.samara(*command, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        runs.append([json.loads(line) for line in done.stdout.splitlines()])
    for *messages, receipt in runs:
        assert {each["text"] for each in messages} == {"25 C"}
        assert receipt["messages"] == len(messages) >= 3
        assert receipt["time"]["value"] == pytest.approx(2.5)
        assert receipt["time"]["origin"] == "estimated"
        assert receipt["uart_bytes"]["value"] >= 24 * len(messages)
        parts = [receipt[f"{each}_time"]["value"] for each in PARTS]
        assert sum(parts) == pytest.approx(2.5)
        assert parts[-1] > parts[0] > 0
    # The key is written in the first run alone, one record of numbers in each.
    first, second = (run[-1]["eeprom_bytes"]["value"] for run in runs)
    assert first > 32 > second > 0
    # Words alone are written then, 46.3 microseconds each: no page is erased.
    waited_s = runs[1][-1]["eeprom_time"]["value"]
    assert waited_s == pytest.approx(second / 4 * 46.3e-6, rel=1e-3)
    # While a page is erased, no instruction runs.
    held = [run[-1]["interrupts_off"]["value"] for run in runs]
    assert held == pytest.approx([22.3e-3, 46.3e-6], rel=1e-3)
    memory = tmp_path / "sensor" / "simulated" / "eeprom"
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
    assert memory.stat().st_size == 8 * 1024


@pytest.mark.slow
def test_the_cost_of_a_message(tmp_path: Path) -> None:
    made(tmp_path / "sensor", device="cortex-m0")
    done = shell.samara("firmware", "cost", "sensor", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["uart_bytes"]["value"] == 24
    assert told["sending_time"]["value"] == pytest.approx(24 * 10 / 9600, rel=1e-3)
    assert told["computing"]["origin"] == "estimated"
    # A record of 12 bytes for 16 messages, each word in 46.3 microseconds.
    assert told["memory_bytes"]["value"] == 12 / 16
    assert told["memory_time"]["value"] == pytest.approx(3 / 16 * 46.3e-6, rel=1e-2)
    assert 30_000 < told["computing"]["value"] < 200_000
    # Where the bench measures the same calls (docs/nodes.md): about 1,000 bytes.
    assert 800 < told["stack"]["value"] < 1_500
    assert told["interrupts_off"]["value"] == 0


def refused(tmp_path: Path, code: str) -> str:
    """Return what the board says of a program whose `main` has this code."""
    folder = tmp_path / "sensor"
    if not folder.exists():
        made(folder, device="cortex-m0")
    program = '#include "board.h"\n#define AT(a) (*(volatile uint32_t *)(a))\n'
    (folder / "sensor.c").write_text(f"{program}int main(void) {{ {code} }}\n")
    (folder / "sensor.elf").unlink(missing_ok=True)
    image = projects.read(folder).make()
    words = ["cortex-m0", "16000000", str(image), str(tmp_path / "flash"), "99999999"]
    done = subprocess.run([*BOARD, *words, "0", "0"], check=False, capture_output=True)
    assert done.returncode == 1, done
    return done.stderr.decode()


@pytest.mark.slow
def test_the_chip_refuses_what_its_specification_forbids(tmp_path: Path) -> None:
    page = 262_144 - 8 * 1024
    write = "AT(0x4001e504) = 1;"
    for code, words in (
        (f"AT({page}) = 1;", "takes no words"),
        (f"{write} AT({page}) = 1; AT({page}) = 0;", "writes twice"),
        (f"AT(0x4001e508) = {page};", "no page of its own"),
        ("AT(0x4001e504) = 2; AT(0x4001e508) = 0;", "no page of its own"),
        ("AT(0x4000251c) = 1;", "before its UART has 9,600 baud"),
        ("board_start(); AT(0x4000251c) = 1; AT(0x4000251c) = 1;", "before the last"),
        ('__asm volatile("wfe");', "nothing wakes it"),
        ("AT(0x40003000) = 1;", "register 0x40003000"),
        ("return (int)AT(0x40003000);", "register 0x40003000"),
        ("AT(0x100) = 1;", "WRITE"),
        ("AT(0x30000000) = 1;", "UNMAPPED"),
    ):
        assert words in refused(tmp_path, code), code


def test_a_memory_of_another_chip_is_refused(tmp_path: Path) -> None:
    flash = tmp_path / "flash"
    flash.write_bytes(b"\xff" * 100)
    words = ["cortex-m0", "16000000", str(tmp_path / "none.elf"), str(flash), "1"]
    done = subprocess.run([*BOARD, *words, "0", "0"], check=False, capture_output=True)
    assert done.returncode == 1
    assert b"has 100 bytes, not 8192" in done.stderr
    assert subprocess.run(BOARD, check=False, capture_output=True).returncode == 2


def test_the_chip_of_a_board_is_named(tmp_path: Path) -> None:
    found, family = target("nRF52840")
    assert (found.name, "armv7m" in family.machines) == ("cortex-m4", True)
    folder = made(tmp_path / "sensor", device="nrf52840")
    assert "samara/memories/nrf52.h" in (folder / "board.h").read_text()
    assert (folder / "core/include/samara/memories/nrf52.h").is_file()
    assert not (folder / "core/arch/avr").exists()
    assert not any(b"@" in path.name.encode() for path in folder.rglob("*"))
    for path in ("board.c", "board.h", "board.ld", "start.c", "Makefile", "README.md"):
        assert not re.search(r"@\w+@", (folder / path).read_text()), path
    shutil.rmtree(folder)
