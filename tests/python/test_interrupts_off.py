# SPDX-License-Identifier: Apache-2.0
"""How long the C library switches interrupts off: `samara bench interrupts`.

On a Cortex-M, an MSP430 and a RISC-V it never does. On an AVR, a function that sets
the stack pointer does, and so does avr-libc where a byte of the EEPROM is written.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import shell

from samara.bench import devices, machine_code, toolchain, ways
from samara.bench.interrupts import (
    InterruptsOff,
    InterruptsRequest,
    interrupts,
    windows_of,
)
from samara.bench.machine_code import UnknownInstructionError, Window
from samara.bench.ways import Build
from samara.errors import MisuseError
from samara.figure import Origin
from samara.records import records_of

ROOT = Path(__file__).parents[2]
CORE = ROOT / "core"
SENSOR = ROOT / "firmware" / "examples" / "sensor"
OF_STACK_POINTER, OF_EEPROM = 4, 12
"""Cycles that docs/nodes.md tells."""

ZICSR = ".option arch, +zicsr; "
IMPLEMENTATIONS = pytest.mark.parametrize(
    "implementation",
    ["assembly", pytest.param(ways.PORTABLE, marks=pytest.mark.thorough)],
)


def read(device: str, implementation: str) -> list[InterruptsOff]:
    asked = InterruptsRequest(devices=(device,), implementations=(implementation,))
    return list(records_of(interrupts(asked)))


def windows(
    device: str, folder: Path, code: str, *, attribute: str = ""
) -> list[Window]:
    """Return where interrupts are off in a function of instructions."""
    found = devices.device(device)
    build = Build(found, ways.PORTABLE, "Os")
    source, made = folder / "off.c", folder / "off.o"
    body = f'{{ __asm__("{code}"); }}'
    source.write_text(f"void off(void); {attribute} void off(void) {body}\n")
    compiler = [found.family.compiler, *build.flags]
    toolchain.run([*compiler, "-c", source, "-o", made], folder=ROOT)
    return windows_of(found, [made])


@pytest.mark.slow
@IMPLEMENTATIONS
@pytest.mark.parametrize("device", ["cortex-m4", "msp430f1611"])
def test_no_function_switches_them_off(device: str, implementation: str) -> None:
    (record,) = read(device, implementation)
    assert record.device == device
    assert record.function is None
    assert record.cycles is not None
    assert (record.cycles.value, record.cycles.unit) == (0, "cycle")


@pytest.mark.parametrize(
    ("device", "word"),
    [
        ("cortex-m4", "cpsid i"),
        ("cortex-m4", "msr primask, r0"),
        ("cortex-m4", "msr basepri, r0"),
        ("cortex-m0", "cpsid i"),
        ("msp430f1611", "dint"),
        ("msp430f1611", "mov r5, r2"),
        ("msp430f1611", "mov @r5+, r2"),
        ("msp430f1611", "pop r2"),
        ("msp430f1611", "and #65527, r2"),
        ("ibex", f"{ZICSR}csrci mstatus, 8"),
        ("ibex", f"{ZICSR}csrrw a0, mstatus, a1"),
    ],
)
def test_a_function_that_does_is_seen(device: str, word: str, tmp_path: Path) -> None:
    assert windows(device, tmp_path, word) == [Window("off", None)]


@pytest.mark.parametrize(
    ("device", "word"),
    [
        ("cortex-m4", "cpsie i; mrs r0, primask"),
        ("msp430f1611", "eint; mov r2, r5"),
        ("ibex", f"{ZICSR}csrsi mstatus, 8; csrr a0, mstatus"),
        ("atmega328p", "sei; in r0, 0x3f"),
    ],
)
def test_what_lets_them_in_is_not_taken_for_it(
    device: str, word: str, tmp_path: Path
) -> None:
    assert windows(device, tmp_path, word) == []


@pytest.mark.slow
@IMPLEMENTATIONS
def test_an_avr_while_it_sets_the_stack_pointer_and_writes_to_the_eeprom(
    implementation: str,
) -> None:
    records = read("atmega328p", implementation)
    found = {each.function: each for each in records}
    assert len(found) == len(records) > 100
    cycles = {name: each.cycles.value for name, each in found.items() if each.cycles}
    assert len(cycles) == len(found)
    assert set(cycles.values()) == {OF_STACK_POINTER, OF_EEPROM}
    assert cycles["stack_wipe"] == OF_STACK_POINTER
    (writing,) = [name for name, each in cycles.items() if each == OF_EEPROM]
    assert writing == records[0].function
    assert str(writing).startswith("eeprom_")
    time = records[0].time
    assert time is not None
    assert (time.value, time.unit) == (OF_EEPROM / 16e6, "s")
    assert time.origin is Origin.MEASURED


@pytest.mark.slow
def test_a_whole_sensor_does_so_alone(tmp_path: Path) -> None:
    """The whole program, with avr-libc; the handlers of interrupts are its user's."""
    place = Path(shutil.copytree(SENSOR, tmp_path / "sensor"))
    (place / "record.h").write_text(
        "#pragma once\n#include <samara/samara.h>\n"
        "#define SAMARA_NODE_RECORD_AEAD samara_aes128_ccm_aead\n"
        "typedef samara_aes128_key samara_node_record_key;\n"
        "static const uint8_t samara_node_record[32] = {0};\n"
    )
    command = ["make", f"CORE={CORE}"]
    subprocess.run(command, cwd=place, check=True, capture_output=True)
    family = devices.device("atmega328p").family
    found = machine_code.windows(family, place / "sensor.elf")
    assert {each.cycles for each in found} == {OF_STACK_POINTER, OF_EEPROM}


def test_a_longer_time_is_seen(tmp_path: Path) -> None:
    code = "in r0, 0x3f\\ncli\\nsbi 5, 1\\nsbi 5, 2\\nout 0x3f, r0\\nsbi 5, 3\\n"
    assert windows("atmega328p", tmp_path, code) == [Window("off", 8)]


def test_a_block_of_a_user_is_counted(tmp_path: Path) -> None:
    """As ATOMIC_BLOCK of avr-libc: a word is read, and interrupts let in by sei."""
    code = "cli\\nlds r24, 256\\nlds r25, 257\\nsei\\nmovw r30, r24"
    assert windows("atmega328p", tmp_path, code) == [Window("off", 1 + 2 + 2 + 1 + 1)]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("cli\\nrcall off\\nout 0x3f, r0\\n", "off has 'rcall' while"),
        ("cli\\nret\\nout 0x3f, r0\\n", "off has 'ret' while"),
    ],
)
def test_a_time_that_cannot_be_counted_is_an_error(
    code: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(UnknownInstructionError, match=words):
        windows("atmega328p", tmp_path, code)


def test_a_program_that_never_lets_them_in_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnknownInstructionError, match="never lets them in again"):
        windows(
            *("atmega328p", tmp_path, "cli\\nsbi 5, 1\\ncli\\nsbi 5, 2"),
            attribute="__attribute__((naked))",
        )


def test_what_does_not_exist_is_refused() -> None:
    for asked, words in (
        (InterruptsRequest(implementations=("fast",)), "unknown implementation"),
        (
            InterruptsRequest(devices=("cortex-m0",), implementations=("engine",)),
            "none of these devices",
        ),
        (InterruptsRequest(devices=("none",)), "unknown device"),
    ):
        with pytest.raises(MisuseError, match=words):
            records_of(interrupts(asked))


@pytest.mark.slow
def test_people_are_shown_a_row_for_each_time(tmp_path: Path) -> None:
    words = ("bench", "interrupts", "--device", "uno", "--implementation", "assembly")
    done = shell.samara(*words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.decode().splitlines()]
    rows = [row for row in rows if row[:1] == ["atmega328p"]]
    assert [(row[3], row[4]) for row in rows] == [("12", "0.750"), ("4", "0.250")]
    lines = shell.samara(*words, "--json", folder=tmp_path).stdout.splitlines()
    assert int(rows[0][5]) + int(rows[1][5]) == len(lines)
    assert json.loads(lines[0])["cycles"]["value"] == OF_EEPROM


def test_the_docs_have_these_figures() -> None:
    text = " ".join((ROOT / "docs" / "nodes.md").read_text("utf-8").split())
    assert f"for {OF_STACK_POINTER} cycles where a function sets" in text
    assert f"for {OF_EEPROM} where avr-libc" in text
