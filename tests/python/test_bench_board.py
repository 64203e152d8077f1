# SPDX-License-Identifier: Apache-2.0
"""`samara bench board`: simavr and QEMU at serial ports, in place of boards.

simavr counts cycles exactly, so the program's own timer must give the same counts as
the bench's runner, to the cycle. QEMU with `-icount shift=6` takes 64 ns for each
instruction, and SysTick counts 16 MHz: 1.024 counts for each instruction that unicorn
counts.
"""

from __future__ import annotations

import os
import random
import shutil
from typing import TYPE_CHECKING

import pytest
import shell
from wired_boards import QEMU, qemu_board, simavr_board

from samara.bench import ways
from samara.bench.measuring import Task, measure
from samara.bench.serial_boards import firmware, ports
from samara.bench.serial_boards.comparing import BoardCount, BoardRequest, compare
from samara.bench.subjects import subject
from samara.figure import Origin
from samara.records import Refusal, records_of

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.serial_boards.firmware import Firmware

pytestmark = pytest.mark.slow
BAUD = 38_400


def made(name: str, suite: str, implementation: str = ways.PORTABLE) -> Firmware:
    row = ports.port_of(name)
    build = ways.Build(ports.device_with(name, row), implementation, "Os")
    return firmware.made(build, subject(suite), row, BAUD)


def counts_of(request: BoardRequest) -> list[BoardCount]:
    answer = list(compare(request))
    assert not [each for each in answer if isinstance(each, Refusal)]
    return [each for each in records_of(answer) if isinstance(each, BoardCount)]


def refusals(request: BoardRequest) -> list[str]:
    return [each.text for each in compare(request) if isinstance(each, Refusal)]


@pytest.mark.parametrize(
    ("name", "mcu", "suite", "implementation"),
    [
        # A short one; long ones, whose cycles the timer's 16 bits do not hold; a block.
        ("uno", "atmega328p", "aes128-ccm-8", "assembly"),
        ("mega", "atmega2560", "aes128-ccm-8", "portable"),
        ("atmega128", "atmega128", "grain128ple", "portable"),
        ("uno", "atmega328p", "speck128-128", "portable"),
    ],
)
def test_the_timer_of_an_avr_counts_what_the_runner_counts(
    name: str, mcu: str, suite: str, implementation: str, tmp_path: Path
) -> None:
    image = made(name, suite, implementation).elf
    with simavr_board(mcu, 16_000_000, image, tmp_path) as port:
        found = counts_of(
            BoardRequest(
                device=name,
                port=port,
                suites=(suite,),
                implementations=(implementation,),
                messages=(0, 95),
            )
        )
    assert len(found) == (3 if suite == "speck128-128" else 6)
    for each in found:
        assert each.counted.value == each.simulated.value
        assert each.counted.origin is Origin.MEASURED
    if implementation == "portable" and suite != "speck128-128":
        assert max(each.counted.value for each in found) > 2**16


def test_noise_on_the_line_changes_nothing(tmp_path: Path) -> None:
    image = made("uno", "aes128").elf
    noise = random.Random(0).randbytes(600)  # noqa: S311 - not for secrets
    with simavr_board("atmega328p", 16_000_000, image, tmp_path) as port:
        end = os.open(port, os.O_RDWR | os.O_NOCTTY)
        os.write(end, noise)
        os.close(end)
        found = counts_of(
            BoardRequest(
                device="uno",
                port=port,
                suites=("aes128",),
                implementations=("portable",),
            )
        )
    assert [each.counted.value for each in found] == [
        each.simulated.value for each in found
    ]


def test_a_message_that_the_memory_has_no_room_for_is_refused(tmp_path: Path) -> None:
    """A board would not notice that its stack reaches the data."""
    image = made("uno", "speck128-128-ccm-8").elf
    with simavr_board("atmega328p", 16_000_000, image, tmp_path) as port:
        answer = list(
            compare(
                BoardRequest(
                    device="uno",
                    port=port,
                    suites=("speck128-128-ccm-8",),
                    implementations=("portable",),
                    messages=(16, 1400, 1700),
                )
            )
        )
    sentences = [each.text for each in answer if isinstance(each, Refusal)]
    # The program that serves the host needs more than the cipher in the simulator.
    assert [text.partition(" needs ")[0] for text in sentences] == [
        "speck128-128-ccm-8: a message of 1,400 bytes",
        "speck128-128-ccm-8:",
    ]
    assert sentences[0].endswith(" bytes of RAM on the board, which has 2,048")
    counts = [each for each in answer if isinstance(each, BoardCount)]
    assert [each.message_bytes for each in counts] == [16] * 3
    assert all(each.counted.value == each.simulated.value for each in counts)


def test_another_program_is_named(tmp_path: Path) -> None:
    there, wanted = made("uno", "speck128-128"), made("uno", "aes128")
    with simavr_board("atmega328p", 16_000_000, there.elf, tmp_path) as port:
        sentences = refusals(
            BoardRequest(
                device="uno",
                port=port,
                suites=("aes128",),
                implementations=("portable",),
            )
        )
    expected = (
        f"the board has the program {there.name!r}, not {wanted.name!r}: write"
        f" {wanted.hex_file} to it, or give --flash"
    )
    assert sentences == [expected]


def test_the_command_of_flash_is_called_for_each_program(tmp_path: Path) -> None:
    """It fails here: what it was called with is what counts."""
    note = tmp_path / "note"
    script = f'echo "$0 $1 $2" >> {note}; echo first >&2; echo last >&2; exit 3'
    sentences = refusals(
        BoardRequest(
            device="uno",
            port="/dev/no-port",
            suites=("aes128", "speck128-128"),
            implementations=("portable",),
            flash=f"sh -c '{script}' {{hex}} {{elf}} {{port}}",
        )
    )
    assert sentences == ["the command of --flash failed: last"] * 2
    called = [line.split() for line in note.read_text().splitlines()]
    programs = [made("uno", suite) for suite in ("aes128", "speck128-128")]
    assert called == [
        [str(each.hex_file), str(each.elf), "/dev/no-port"] for each in programs
    ]
    sentences = refusals(
        BoardRequest(device="uno", port="/dev/no", flash="/no/such {hex}")
    )
    assert sentences[0].startswith("the command of --flash cannot be run: ")


def test_a_rate_that_the_clock_does_not_give_is_refused(tmp_path: Path) -> None:
    done = shell.samara(
        *("bench", "board", "--device", "uno", "--baud", "700000"),
        *("--implementation", "portable", "--write", tmp_path),
        folder=tmp_path,
    )
    assert done.returncode == 1
    assert b"the clock does not give this baud rate" in done.stderr
    assert not list(tmp_path.glob("*.hex"))


@pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"NOT TRIED: no {QEMU}")
def test_systick_counts_the_instructions_of_a_microbit() -> None:
    image = made("microbit", "aes128-ccm-8").elf
    with qemu_board("microbit", image, "-icount", "shift=6") as port:
        found = counts_of(
            BoardRequest(
                device="microbit", port=port, messages=(64, 1000), emulator=True
            )
        )
    build = ways.Build(
        ports.device_with("microbit", ports.port_of("microbit")), ways.PORTABLE, "Os"
    )
    sizes = ((64, 14), (1000, 14))
    rows = measure(Task(build, subject("aes128-ccm-8"), sizes, 1))
    expected = [
        count * 1.024 for row in rows for count in (row.instructions or {}).values()
    ]
    assert [each.counted.value for each in found] == pytest.approx(expected, abs=2)
    assert {each.counted.origin for each in found} == {Origin.ASSUMED}
    assert len(found) == 6


@pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"NOT TRIED: no {QEMU}")
def test_an_stm32_answers_rightly() -> None:
    image = made("stm32vldiscovery", "ascon-aead128").elf
    # Its time is of instructions: by the clock of a busy host, a count may be 0.
    with qemu_board("stm32vldiscovery", image, "-icount", "shift=6") as port:
        found = counts_of(
            BoardRequest(
                device="stm32vldiscovery",
                port=port,
                suites=("ascon-aead128",),
                implementations=("portable",),
                emulator=True,
            )
        )
    assert [each.operation for each in found] == ["set_up", "seal", "open"]
    assert all(each.counted.value > 0 for each in found[1:])
