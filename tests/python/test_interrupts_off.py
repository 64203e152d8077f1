# SPDX-License-Identifier: Apache-2.0
"""How long the C library switches interrupts off: looked up in its machine code.

On a Cortex-M and an MSP430 it never does. On an AVR, a function that sets the stack
pointer does, and so does avr-libc where a byte of the EEPROM is written.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from samara.bench import devices, toolchain, ways
from samara.bench.ways import Build

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
CORE = ROOT / "core"
SENSOR = ROOT / "firmware" / "examples" / "sensor"

# What switches interrupts off in assembly: PRIMASK and the like; bit GIE of SR, which
# is r2, by itself or with the others.
OFF = {
    "cortex-m4": re.compile(
        r"^\s*(cpsid|msr\s+(primask|basepri|faultmask))", re.MULTILINE | re.IGNORECASE
    ),
    "msp430f1611": re.compile(
        r"^\s*(dint|(mov|bic|and|xor)(\.w)?\s[^\n]*,\s*(r2|sr)\s*$)",
        re.MULTILINE | re.IGNORECASE,
    ),
}

# Of an AVR: cycles of what stands between `cli` and the end of it (manual 0856), and
# of the instruction after that, which comes before any interrupt.
CYCLES = {"cli": 1, "out": 1, "sbi": 2, "ret": 4}
HALT = 2
"""Cycles that an AVR stands still after bit EEPE of EECR is set (its data sheet)."""
END = ("rjmp", ".-2")
"""Where a program stays when main has returned."""
SREG, EECR, EEPE = "0x3f", "0x1f", "1"
INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\t(?:[0-9a-f]{2} )+\s*\t(\S+)(?:\t([^;\n]*))?")

OF_STACK_POINTER, OF_EEPROM = 4, 12
"""Cycles that docs/nodes.md tells."""


IMPLEMENTATIONS = pytest.mark.parametrize(
    "implementation",
    ["assembly", pytest.param(ways.PORTABLE, marks=pytest.mark.thorough)],
)


def sources() -> list[Path]:
    """Return all sources but those for hosts."""
    return sorted(
        path
        for path in CORE.glob("**/*.c")
        if not {"host", "x86_64", "aarch64"} & set(path.relative_to(CORE).parts)
    )


def compiled(build: Build, source: Path, output: Path, *options: str) -> Path:
    includes = (f"-I{CORE}", f"-I{CORE}/include")
    words = [build.device.family.compiler, *build.flags, *includes, *options]
    toolchain.run([*words, "-o", output, source], folder=ROOT)
    return output


def windows(file: Path) -> Iterator[int]:
    """Yield for how many cycles interrupts are off, for each place of a program."""
    command = ["avr-objdump", "-d", str(file)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    cycles, is_over = 0, False
    for line in done.stdout.splitlines():
        found = INSTRUCTION.match(line)
        if found is None:
            continue
        name, words = found[1], "".join((found[2] or "").split()).split(",")
        if name == "cli":
            cycles = CYCLES["cli"]
        elif cycles and (name, *words) == END:
            cycles = 0
        elif cycles:
            # A name that is not there, such as a jump, is an error of the test.
            cycles += CYCLES[name]
            cycles += HALT if (name, *words) == ("sbi", EECR, EEPE) else 0
            if is_over:
                yield cycles
                cycles = 0
            is_over = (name, words[0]) == ("out", SREG)
    assert cycles == 0, "they are never let in again"


@pytest.mark.slow
@IMPLEMENTATIONS
@pytest.mark.parametrize("device", OFF)
def test_no_function_switches_them_off(
    device: str, implementation: str, tmp_path: Path
) -> None:
    build = Build(devices.device(device), implementation, "Os")
    for source in sources():
        text = compiled(build, source, tmp_path / "code.s", "-S").read_text("utf-8")
        assert not OFF[device].findall(text), source


@pytest.mark.parametrize(
    ("device", "word"), [("cortex-m4", "cpsid i"), ("msp430f1611", "dint")]
)
def test_a_function_that_does_is_seen(device: str, word: str, tmp_path: Path) -> None:
    build = Build(devices.device(device), ways.PORTABLE, "Os")
    source = tmp_path / "off.c"
    source.write_text(f'void off(void); void off(void) {{ __asm__("{word}"); }}\n')
    text = compiled(build, source, tmp_path / "code.s", "-S").read_text("utf-8")
    assert OFF[device].search(text)


@pytest.mark.slow
@IMPLEMENTATIONS
def test_an_avr_only_while_the_stack_pointer_is_set(
    implementation: str, tmp_path: Path
) -> None:
    build = Build(devices.device("atmega328p"), implementation, "Os")
    found = set[int]()
    for source in sources():
        found |= set(windows(compiled(build, source, tmp_path / "code.o", "-c")))
    assert found == {OF_STACK_POINTER}


@pytest.mark.slow
def test_a_sensor_also_while_it_writes_to_its_eeprom(tmp_path: Path) -> None:
    """The whole program, with avr-libc; the handlers of interrupts are its user's."""
    place = Path(shutil.copytree(SENSOR, tmp_path / "sensor"))
    (place / "record.h").write_text(
        "#include <samara/samara.h>\n"
        "#define SAMARA_NODE_RECORD_AEAD samara_aes128_ccm_aead\n"
        "typedef samara_aes128_key samara_node_record_key;\n"
        "static const uint8_t samara_node_record[32] = {0};\n"
    )
    command = ["make", f"CORE={CORE}"]
    subprocess.run(command, cwd=place, check=True, capture_output=True)
    assert set(windows(place / "sensor.elf")) == {OF_STACK_POINTER, OF_EEPROM}


def test_a_longer_time_is_seen(tmp_path: Path) -> None:
    build = Build(devices.device("atmega328p"), ways.PORTABLE, "Os")
    source = tmp_path / "long.c"
    code = "in r0, 0x3f\\ncli\\nsbi 5, 1\\nsbi 5, 2\\nout 0x3f, r0\\nsbi 5, 3\\n"
    source.write_text(f'void off(void); void off(void) {{ __asm__("{code}"); }}\n')
    made = compiled(build, source, tmp_path / "code.o", "-c")
    assert list(windows(made)) == [8]


def test_the_docs_have_these_figures() -> None:
    text = " ".join((ROOT / "docs" / "nodes.md").read_text("utf-8").split())
    assert f"for {OF_STACK_POINTER} cycles where a function sets" in text
    assert f"for {OF_EEPROM} where avr-libc" in text
