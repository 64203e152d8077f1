# SPDX-License-Identifier: Apache-2.0
"""Projects of firmware for the MSP430F1611: built, and run in mspdebug.

What a board sends is judged by the receiver of the project's own node. Its power fails
again and again, also within writes and erases of its flash memory.
"""

from __future__ import annotations

import re
import stat
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

import firmware_boards
import pytest
from firmware_boards import (
    STEP,
    Receiving,
    SimulatedBoard,
    cost_of_a_message,
    plant_a_forgetful_store,
    runs_beside_a_node,
)

from samara.bench.devices import device

if TYPE_CHECKING:
    from pathlib import Path

CHIP = "msp430f1611"
CLOCK_HZ = device(CHIP).clock_hz
# Half the supply, as the converter of the simulated board has it.
READING = b"2700 mV"
PROGRAM = (sys.executable, "-m", "samara.bench.simulators.msp430_board")
BOARD = SimulatedBoard(PROGRAM, CHIP, CLOCK_HZ)
PARTS = ("active", "eeprom", "idle", "asleep")

made = partial(firmware_boards.made, device=CHIP)


def power_cycled(folder: Path, count: int) -> Receiving:
    """Return what arrives while the power of a board fails so often."""
    return BOARD.received(folder, READING, count)


@pytest.mark.slow
def test_no_number_comes_back(tmp_path: Path) -> None:
    folder = made(tmp_path / "sensor", build="cmake", interval_s=0.5)
    received = power_cycled(folder, 16)
    received.assert_fresh(at_least=31, skipped_most=3 * STEP * 16)
    assert received.torn > 4


@pytest.mark.slow
def test_a_store_that_forgets_is_seen(tmp_path: Path) -> None:
    """The judge: with a store that gives one number more than it reserved."""
    folder = made(tmp_path / "sensor", interval_s=0.5)
    plant_a_forgetful_store(folder)
    assert power_cycled(folder, 24).repeated > 0


@pytest.mark.slow
def test_it_runs_beside_a_node_and_goes_on_after_its_end(tmp_path: Path) -> None:
    runs = runs_beside_a_node(made(tmp_path / "sensor", interval_s=0.5))
    for *messages, receipt in runs:
        assert {each["text"] for each in messages} == {READING.decode()}
        assert receipt["messages"] == len(messages) >= 3
        assert receipt["time"]["value"] == pytest.approx(2.5)
        assert receipt["time"]["origin"] == "estimated"
        assert receipt["uart_bytes"]["value"] >= 24 * len(messages)
        parts = [receipt[f"{each}_time"]["value"] for each in PARTS]
        assert sum(parts) == pytest.approx(2.5)
        assert parts[-1] > parts[0] > 0
    # Words alone are written in the second run, 35 clocks of MCLK / 11 each.
    written = runs[1][-1]["eeprom_bytes"]["value"]
    waited_s = runs[1][-1]["eeprom_time"]["value"]
    assert waited_s == pytest.approx(written / 2 * 35 * 11 / CLOCK_HZ)
    # While a segment is erased, no instruction runs: 4819 clocks.
    held = [run[-1]["interrupts_off"]["value"] for run in runs]
    assert held == pytest.approx([4819 * 11 / CLOCK_HZ, 35 * 11 / CLOCK_HZ])
    memory = tmp_path / "sensor" / "simulated" / "eeprom"
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
    assert memory.stat().st_size == 8 * 512


@pytest.mark.slow
def test_the_cost_of_a_message(tmp_path: Path) -> None:
    cost = cost_of_a_message(made(tmp_path / "sensor"))
    assert cost["uart_bytes"]["value"] == 24
    assert cost["sending_time"]["value"] == pytest.approx(24 * 10 / 9600, rel=1e-3)
    assert cost["computing"]["origin"] == "estimated"
    # A record of 12 bytes for 16 messages.
    assert cost["memory_bytes"]["value"] == 12 / 16
    # The bench has 160,314 cycles to send (docs/nodes.md); the converter's reference
    # takes 17 ms at 5 MHz more.
    assert 245_000 < cost["computing"]["value"] < 350_000
    assert 650 < cost["stack"]["value"] < 900


UNLOCK = "AT(0x12c) = 0xa500; AT(0x12a) = 0xa54a; AT(0x128) = 0xa540; "
WAIT = " while (AT(0x12c) & 1) { } "


@pytest.mark.slow
def test_the_chip_refuses_what_its_guide_forbids(tmp_path: Path) -> None:
    folder = made(tmp_path / "sensor")
    head = '#include "board.h"\n#define AT(a) (*(volatile uint16_t *)(a))\n'
    head += "#define BYTE(a) (*(volatile uint8_t *)(a))\n"
    for code, words in (
        (f"AT(0x128) = 0xa540; AT(0x4000) = 1; {WAIT}", "is locked"),
        ("AT(0x4000) = 1; board_sleep();", "is locked"),
        ("AT(0x12c) = 0;", "without its key"),
        (f"{UNLOCK} AT(0x12a) = 0xa542; AT(0x4000) = 1; {WAIT}", "257 and 476 kHz"),
        (f"{UNLOCK} AT(0x4000) = 1; AT(0x4002) = 1; {WAIT}", "the last word is done"),
        (
            f"{UNLOCK} AT(0x4200) = 1; {WAIT} AT(0x4200) = 0; {WAIT}",
            "writes twice at 0x4200",
        ),
        (f'{UNLOCK} __asm("eint"); AT(0x4400) = 1; {WAIT}', "interrupts are on"),
        ("BYTE(0x77) = 1; board_sleep();", "before its UART has 9,600 baud"),
        (
            "board_start(); BYTE(0x77) = 1; BYTE(0x77) = 1; board_sleep();",
            "before the last one is out",
        ),
        ("AT(0x120) = 0; for (;;) { }", "reset the chip"),
    ):
        source = f"{head}int main(void) {{ {code} }}\n"
        assert words in BOARD.refuse(folder, source).report, code


@pytest.mark.slow
def test_it_builds_without_warnings(tmp_path: Path) -> None:
    folder = made(tmp_path / "sensor", suite="ascon-aead128")
    command = ["make", "EXTRA=-Werror"]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    for path in ("board.c", "board.h", "board.ld", "start.c", "Makefile", "README.md"):
        assert not re.search(r"@\w+@", (folder / path).read_text()), path
    assert (folder / "core/include/samara/memories/msp430.h").is_file()
    assert not (folder / "core/arch/avr").exists()
