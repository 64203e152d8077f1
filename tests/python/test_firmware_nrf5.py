# SPDX-License-Identifier: Apache-2.0
"""Projects of firmware for Cortex-M: built, and run on simulated nRF51 and nRF52.

What a board sends is judged by the receiver of the project's own node. Its power fails
again and again, also within writes and erases of its flash memory.
"""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from firmware_boards import (
    STEP,
    Receiving,
    SimulatedBoard,
    cost_of_a_message,
    made,
    plant_a_forgetful_store,
    runs_beside_a_node,
)

from samara.bench.devices import device
from samara.firmware.templates import target

if TYPE_CHECKING:
    from pathlib import Path

READING = b"25 C"
PROGRAM = (sys.executable, "-m", "samara.bench.simulators.nrf5_board")
PARTS = ("active", "eeprom", "idle", "asleep")


def power_cycled(folder: Path, chip: str, count: int) -> Receiving:
    """Return what arrives while the power of a board fails so often."""
    board = SimulatedBoard(PROGRAM, chip, device(chip).clock_hz)
    return board.received(folder, READING, count)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chip", "build"), [("cortex-m0", "make"), ("cortex-m4", "cmake")]
)
def test_no_number_comes_back(chip: str, build: str, tmp_path: Path) -> None:
    folder = made(tmp_path / "sensor", device=chip, build=build, interval_s=0.5)
    received = power_cycled(folder, chip, 20)
    received.assert_fresh(at_least=41, skipped_most=3 * STEP * 20)
    assert received.torn > 5


@pytest.mark.slow
def test_a_store_that_forgets_is_seen(tmp_path: Path) -> None:
    """The judge: with a store that gives one number more than it reserved."""
    folder = made(tmp_path / "sensor", device="nrf51822", interval_s=0.5)
    plant_a_forgetful_store(folder)
    assert power_cycled(folder, "cortex-m0", 12).repeated > 0


@pytest.mark.slow
def test_it_runs_beside_a_node_and_goes_on_after_its_end(tmp_path: Path) -> None:
    folder = made(tmp_path / "sensor", device="cortex-m0", interval_s=0.5)
    runs = runs_beside_a_node(folder)
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
    cost = cost_of_a_message(made(tmp_path / "sensor", device="cortex-m0"))
    assert cost["uart_bytes"]["value"] == 24
    assert cost["sending_time"]["value"] == pytest.approx(24 * 10 / 9600, rel=1e-3)
    assert cost["computing"]["origin"] == "estimated"
    # A record of 12 bytes for 16 messages, each word in 46.3 microseconds.
    assert cost["memory_bytes"]["value"] == 12 / 16
    assert cost["memory_time"]["value"] == pytest.approx(3 / 16 * 46.3e-6, rel=1e-2)
    assert 30_000 < cost["computing"]["value"] < 200_000
    # Where the bench measures the same calls (docs/nodes.md): about 1,000 bytes.
    assert 800 < cost["stack"]["value"] < 1_500
    assert cost["interrupts_off"]["value"] == 0


@pytest.mark.slow
def test_the_chip_refuses_what_its_specification_forbids(tmp_path: Path) -> None:
    board = SimulatedBoard(PROGRAM, "cortex-m0", 16_000_000)
    folder = made(tmp_path / "sensor", device="cortex-m0")
    head = '#include "board.h"\n#define AT(a) (*(volatile uint32_t *)(a))\n'
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
        ('__asm("mov r1, sp; add r1, #1; ldr r2, [r1]" ::: "r1", "r2");', "not lie"),
    ):
        source = f"{head}int main(void) {{ {code} }}\n"
        (line,) = board.refuse(folder, source).report.splitlines()
        assert words in line, code


def test_a_memory_of_another_chip_is_refused(tmp_path: Path) -> None:
    flash = tmp_path / "flash"
    flash.write_bytes(b"\xff" * 100)
    words = ["cortex-m0", "16000000", str(tmp_path / "none.elf"), str(flash), "1"]
    command = [*PROGRAM, *words, "0", "0"]
    done = subprocess.run(command, check=False, capture_output=True)
    assert done.returncode == 1
    assert b"has 100 bytes, not 8192" in done.stderr
    assert subprocess.run(PROGRAM, check=False, capture_output=True).returncode == 2


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
