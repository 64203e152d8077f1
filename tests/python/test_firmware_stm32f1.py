# SPDX-License-Identifier: Apache-2.0
"""Projects of firmware for the STM32F103: built, and run on a simulated chip.

What a board sends is judged by the receiver of the project's own node. Its power fails
again and again, also within writes and erases of its flash memory.
"""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

import firmware_boards
import pytest
import shell
from firmware_boards import (
    STEP,
    Receiving,
    SimulatedBoard,
    cost_of_a_message,
    image_of_board_alone,
    image_with_short_records,
    plant_a_forgetful_store,
    runs_beside_a_node,
)

from samara.bench.simulators.stm32f1_board import Stm32f1Board
from samara.crypto import UnknownNameError
from samara.figure import Origin
from samara.firmware.templates import target

if TYPE_CHECKING:
    from pathlib import Path

CHIP = "stm32f103"
# What the converter of the simulated board tells.
READING = b"3300 mV"
PROGRAM = (sys.executable, "-m", "samara.bench.simulators.stm32f1_board")
BOARD = SimulatedBoard(PROGRAM, CHIP, 8_000_000)
PARTS = ("active", "eeprom", "idle", "asleep")

made = partial(firmware_boards.made, device=CHIP)


def power_cycled(folder: Path, count: int) -> Receiving:
    """Return what arrives while the power of the board fails so often."""
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
    assert power_cycled(folder, 12).repeated > 0


@pytest.mark.slow
def test_it_runs_beside_a_node_and_goes_on_after_its_end(tmp_path: Path) -> None:
    folder = made(tmp_path / "sensor", device="bluepill", interval_s=0.5)
    runs = runs_beside_a_node(folder)
    for *messages, receipt in runs:
        assert {each["text"] for each in messages} == {"3300 mV"}
        assert receipt["device"] == CHIP
        assert receipt["messages"] == len(messages) >= 3
        assert receipt["time"]["value"] == pytest.approx(2.5)
        assert receipt["time"]["origin"] == "estimated"
        assert receipt["uart_bytes"]["value"] >= 24 * len(messages)
        parts = [receipt[f"{each}_time"]["value"] for each in PARTS]
        assert sum(parts) == pytest.approx(2.5)
        assert parts[-1] > parts[0] > parts[2] == 0
        # The currents of the chip, which are not those of the bench's Cortex-M3.
        asleep = receipt["asleep_energy"]
        assert asleep["value"] == pytest.approx(parts[-1] * 15e-6 * 3.3)
        assert asleep["origin"] == "assumed"
    # Half-words alone are written in the second run: no page is erased.
    written = runs[1][-1]["eeprom_bytes"]["value"]
    waited_s = runs[1][-1]["eeprom_time"]["value"]
    assert waited_s == pytest.approx(written / 2 * 52.5e-6)
    # While a page is erased, no instruction runs.
    held = [run[-1]["interrupts_off"]["value"] for run in runs]
    assert held == pytest.approx([40e-3, 52.5e-6])
    memory = tmp_path / "sensor" / "simulated" / "eeprom"
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
    assert memory.stat().st_size == 8 * 1024


@pytest.mark.slow
def test_the_cost_of_a_message(tmp_path: Path) -> None:
    cost = cost_of_a_message(made(tmp_path / "sensor"))
    assert cost["uart_bytes"]["value"] == 24
    assert cost["sending_time"]["value"] == pytest.approx(24 * 10 / 9600, rel=1e-3)
    assert cost["computing"]["origin"] == "estimated"
    cycles = cost["computing"]["value"]
    assert 12_000 < cycles < 30_000
    # At 8 MHz, and not at the 48 MHz of the bench's Cortex-M3.
    assert cost["computing_time"]["value"] == pytest.approx(cycles / 8e6)
    # A record of 12 bytes for 16 messages, each half-word in 52.5 microseconds.
    assert cost["memory_bytes"]["value"] == 12 / 16
    assert cost["memory_time"]["value"] == pytest.approx(6 / 16 * 52.5e-6, rel=1e-2)
    assert 800 < cost["stack"]["value"] < 1_500
    assert cost["interrupts_off"]["value"] == 0


@pytest.mark.slow
def test_a_sleep_takes_half_a_second(tmp_path: Path) -> None:
    """Of the oscillator of 40 kHz, and with the clock of the processor off."""
    folder = made(tmp_path / "sensor", interval_s=0.5)
    image, memory = image_with_short_records(folder), tmp_path / "memory"
    # The first run erases pages.
    BOARD.run(image, memory, 1.0)
    report = BOARD.run(image, memory, 4.0).report
    _, cycles, idle, asleep, *_, sends, _ = report.split()
    assert (int(cycles), int(idle)) == (32_000_000, 0)
    # Seven whole sleeps and a part. What is between two of them takes 25 to 30 ms;
    # what is before the first takes 60 ms more.
    assert int(sends) == 8
    assert 7 * 0.5 + 0.15 < int(asleep) / 8e6 < 7 * 0.5 + 0.3


@pytest.mark.slow
def test_a_light_sleep_is_told_apart(tmp_path: Path) -> None:
    """Without the bit of deep sleep the clock of the processor goes on."""
    folder = made(tmp_path / "sensor")
    light = "board_start(); *(volatile uint32_t *)0xe000ed10 = 0;"
    source = f"int main(void) {{ {light} for (;;) {{ board_sleep(); }} }}\n"
    image = image_of_board_alone(folder, f'#include "board.h"\n{source}')
    report = BOARD.run(image, tmp_path / "memory", 2.25).report
    _, cycles, idle, asleep, *_ = report.split()
    assert (int(cycles), int(asleep)) == (18_000_000, 0)
    assert 17_900_000 < int(idle) < 18_000_000


UNLOCK = "AT(0x40022004) = 0x45670123; AT(0x40022004) = 0xcdef89ab;"
PAGE = "0x0800e000"
ERASE = f"{UNLOCK} AT(0x40022010) = 2;"
START = "AT(0x40022010) = 0x42;"
WRITE = f"{UNLOCK} AT(0x40022010) = 1;"
SET_CLOCK = "AT(0x40002804) = 0x10;"


@pytest.mark.slow
def test_the_chip_refuses_what_its_manuals_forbid(tmp_path: Path) -> None:
    folder = made(tmp_path / "sensor")
    kinds = (("AT", "uint32_t"), ("AT16", "uint16_t"))
    macros = [f"#define {name}(a) (*(volatile {of} *)(a))\n" for name, of in kinds]
    head = "".join(['#include "board.h"\n', *macros])
    for code, words in (
        (f"AT16({PAGE}) = 1;", "takes no half-words"),
        (f"{WRITE} AT({PAGE}) = 1;", "takes no half-words"),
        (f"{ERASE} AT16({PAGE}) = 1;", "takes no half-words"),
        (f"{WRITE} AT16({PAGE}) = 1; AT16({PAGE}) = 0;", "writes twice at 0x800e000"),
        ("AT(0x40022010) = 1;", "which is locked"),
        ("AT(0x40022004) = 1;", "a key that it refuses"),
        (f"{WRITE} AT(0x40022010) = 0x80; AT(0x40022010) = 1;", "which is locked"),
        (f"{ERASE} AT(0x40022014) = 0x08000000; {START}", "no page of its own"),
        (f"{ERASE} AT(0x40022014) = {PAGE} + 2; {START}", "no page of its own"),
        (f"{WRITE} AT(0x40022014) = {PAGE}; {START}", "no page of its own"),
        ("AT(0x40013804) = 1;", "USART 1, whose clock is off"),
        ("AT(0x40021018) = 0x4000; AT(0x40013804) = 1;", "before its UART has 9,600"),
        (
            "board_start(); AT(0x40013804) = 1; AT(0x40013804) = 1;",
            "before the last one is out",
        ),
        ("board_start(); AT(0x40013804) = 1; board_sleep();", "which still sends"),
        ("AT(0x4002101c) = 3 << 27; AT(0x40021020) = 0;", "which is protected"),
        ("board_start(); AT(0x40002818) = 0;", "outside of its configuration"),
        (f"board_start(); {SET_CLOCK} AT(0x40002804) = 0; {SET_CLOCK}", "it is busy"),
        (
            f"AT(0x4002101c) = 3 << 27; AT(0x40007000) = 0x100; {SET_CLOCK}",
            "which does not run",
        ),
        ("board_start(); AT(0x40012408) = 1; board_sleep();", "its converter is on"),
        ("board_start(); AT(0x40012408) = 4;", "its converter, which is off"),
        ("board_start(); AT(0x40012408) = 1 << 22;", "something else"),
        ("board_start(); AT(0x40007000) = 0x102; board_sleep();", "loses its RAM"),
        ("board_start(); AT(0x40010404) = 0; board_sleep();", "nothing wakes it"),
        ('__asm volatile("wfe");', "nothing wakes it"),
        ("AT(0x40003000) = 1;", "register 0x40003000"),
        ("AT(0x08000100) = 1;", "WRITE"),
        ("AT(0x30000000) = 1;", "UNMAPPED"),
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
    assert (folder / "core/include/samara/memories/stm32f1.h").is_file()
    assert "0x8000000" in (folder / "board.ld").read_text()


def test_an_advice_is_of_another_device(tmp_path: Path) -> None:
    """It names the device of the bench; what is not the same is reported."""
    options = {"suite": "aes128-ccm-8", "framing": "sealed"}
    best = {"layer": "link", "suite": "aes128-ccm-8", "options": options, "opt": "O2"}
    head = {"type": "advice", "link": "rf-serial", "device": "cortex-m3"}
    best["implementation"] = "assembly"
    file = tmp_path / "advice.json"
    file.write_text(json.dumps({**head, "sentence": "s", "recommended": best}))
    words = ("firmware", "new", "sensor", "--advise", file)
    done = shell.samara(*words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "currents of stm32f103" in done.stderr.decode()
    settings = (tmp_path / "sensor" / "samara.toml").read_text()
    assert 'device = "stm32f103"' in settings


@pytest.mark.parametrize(
    "name",
    ["stm32f103", "STM32F103C8T6", "stm32f103rb", "Blue Pill", "nucleo-f103rb"],
)
def test_its_names(name: str) -> None:
    found, family = target(name)
    assert (found.name, found.mcu, found.clock_hz) == (CHIP, "cortex-m3", 8_000_000)
    assert found.flash_start + found.flash_bytes == 0x0801_0000
    assert Stm32f1Board.store_size(found) == 8192
    assert family.runner_of(found.name).endswith("stm32f1_board")
    assert found.energy_origin == Origin.ASSUMED


@pytest.mark.parametrize("name", ["stm32f103rc", "STM32F103ZET6", "stm32f103vg"])
def test_larger_chips_have_larger_pages(name: str, tmp_path: Path) -> None:
    found, _ = target(name)
    assert found.name == "stm32f103xc"
    assert found.flash_start + found.flash_bytes == 0x0804_0000
    assert Stm32f1Board.store_size(found) == 16384
    with pytest.raises(UnknownNameError):
        target("stm32f1031")
    folder = firmware_boards.made(tmp_path / "sensor", device=name)
    linked = (folder / "board.ld").read_text()
    assert "LENGTH = 262144 - 16384" in linked
    text = (folder / "board.h").read_text()
    assert "#define SAMARA_STM32F1_PAGE_SIZE 2048u" in text
    assert "the last eight pages of the first 256 KB" in text


@pytest.mark.slow
def test_no_number_comes_back_on_a_larger_chip(tmp_path: Path) -> None:
    folder = firmware_boards.made(
        tmp_path / "sensor", device="stm32f103rc", interval_s=0.5
    )
    board = SimulatedBoard(PROGRAM, "stm32f103xc", 8_000_000)
    board.received(folder, READING, 8).assert_fresh(
        at_least=15, skipped_most=3 * STEP * 8
    )


ERASES_ALL = """
int main(void) {
  board_start();
  bool is_done = true;
  for (uint32_t at = 0; at < BOARD_MEMORY_SIZE; at += BOARD_MEMORY.page_size) {
    is_done = BOARD_MEMORY.erase(0, BOARD_MEMORY_FIRST + at) && is_done;
  }
  (void)board_write(0, (const uint8_t *)(is_done ? "done" : "not"), 4);
  for (;;) {
    board_sleep();
  }
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "chip", "page"),
    [("stm32f103c8", CHIP, 1024), ("stm32f103rc", "stm32f103xc", 2048)],
)
def test_pages_are_those_of_the_chip(
    name: str, chip: str, page: int, tmp_path: Path
) -> None:
    folder = firmware_boards.made(tmp_path / "sensor", device=name)
    head, other = '#include "board.h"\n', 3 * 1024 - page
    board = SimulatedBoard(PROGRAM, chip, 8_000_000)
    image = image_of_board_alone(folder, head + ERASES_ALL)
    assert board.run(image, tmp_path / "memory", 1.0).sent == b"done"
    assert (tmp_path / "memory").stat().st_size == 8 * page
    # The judge: with pages of the other chips, one of them is refused, or missed.
    settings = folder / "board.h"
    text = settings.read_text()
    settings.write_text(text.replace(f"SIZE {page}u", f"SIZE {other}u"))
    if other < page:
        said = board.refuse(folder, head + ERASES_ALL).report
        assert "which is no page of its own" in said
