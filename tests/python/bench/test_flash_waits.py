# SPDX-License-Identifier: Apache-2.0
"""Wait states of flash memory: rows, and counts that are worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from bench_toys import run_program

from samara.bench import devices, simulators
from samara.bench.flash import LINES_MAX, Flash, FlashWaits, flash_of, rows
from samara.bench.flash_waits import WaitsRequest, waits
from samara.bench.simulators.unicorn import Unicorn, constants_of
from samara.errors import ArgumentError
from samara.figure import Origin
from samara.records import records_of

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.devices import Device
    from samara.bench.simulators import Simulator

PLAIN = Flash(
    chips=(),
    title="",
    states=((1, 3),),
    line_bytes=8,
    lines=1,
    data_lines=0,
    prefetches=False,
    source="",
    checked=True,
)
# Sixteen instructions of two bytes and one cycle, from a multiple of 8 on: four lines.
STRAIGHT = r".balign 8\n" + r"adds r0, r0, #1\n" * 16
# Twice eight of them, between a load and a jump: behind the first pass all is held
# where there are enough lines.
LOOP = (
    r"movs r1, #3\n.balign 8\n1:\nadds r0, r0, #1\nadds r0, r0, #1\n"
    r"adds r0, r0, #1\nadds r0, r0, #1\nadds r0, r0, #1\nadds r0, r0, #1\n"
    r"subs r1, r1, #1\nbne 1b\n"
)


class Instruction(NamedTuple):
    """What a disassembler tells."""

    address: int
    op_str: str


def cycles_of(
    code: str, flash: Flash | None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> int:
    """Return what assembly takes on a Cortex-M3 with this flash memory."""
    at = None if flash is None else FlashWaits(flash, int(flash.states[0][1]))

    def start(device: Device, image: Path) -> Simulator:
        return Unicorn(device, image, at)

    monkeypatch.setattr(simulators, "start", start)
    return run_program(folder, "cortex-m3", code).cycles


@pytest.mark.parametrize(
    ("change", "added"),
    [
        # The first line holds what comes before; each of the others waits 3 cycles.
        ({}, 4 * 3),
        ({"states": ((1, 1),)}, 4 * 1),
        ({"states": ((1, 0),)}, 0),
        # A line of 16 bytes is read half as often.
        ({"line_bytes": 16}, 2 * 3),
        # The next line is read during the 4 cycles of each: but for the first.
        ({"prefetches": True, "states": ((1, 7),)}, 7 + 3 * (7 - 4)),
    ],
)
def test_lines_of_a_straight_program_are_waited_for(
    change: dict[str, Any],
    added: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    flash = replace(PLAIN, **change)
    without = cycles_of(STRAIGHT, None, tmp_path, monkeypatch)
    waiting = cycles_of(STRAIGHT, flash, tmp_path, monkeypatch)
    line, states = flash.line_bytes, flash.states[0][1]
    # Code around it may begin one line more at either end.
    assert added <= waiting - without <= added + 2 * states, line


def test_a_loop_waits_once_where_its_lines_are_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def added(lines: int) -> int:
        flash = replace(PLAIN, lines=lines)
        return cycles_of(LOOP, flash, tmp_path, monkeypatch) - without

    without = cycles_of(LOOP, None, tmp_path, monkeypatch)
    one, two, all_of_them = added(1), added(2), added(64)
    # Three passes over two lines: six times with one line, else twice.
    assert one - two == (6 - 2) * 3
    assert all_of_them <= two


def test_lines_of_one_set_drive_each_other_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def added(lines: int, sets: int) -> int:
        flash = replace(PLAIN, lines=lines, sets=sets)
        return cycles_of(three_lines, flash, tmp_path, monkeypatch) - without

    three_lines = LOOP.replace("subs", r"adds r0, r0, #1\n" * 4 + "subs")
    without = cycles_of(three_lines, None, tmp_path, monkeypatch)
    # Three passes over three lines. Two lines in one set: each drives out the one that
    # is wanted next. In two sets, the second line stays: it has its set alone.
    assert added(2, 1) - added(2, 2) == (9 - 7) * 3
    # With four sets, or four lines of one, all three stay.
    assert added(2, 2) - added(4, 4) == (7 - 3) * 3
    assert added(4, 4) == added(4, 1)


def test_constants_are_held_among_shared_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The constant is in the line of the instructions behind it.
    load = r"ldr r0, 1f\nb 2f\n.balign 8\n1: .word 7\n2: nop\nb 3f\n.balign 8\n3:\n"
    alone = replace(PLAIN, lines=64)
    shared = replace(alone, shares=True)
    first, second = (
        cycles_of(load, each, tmp_path, monkeypatch) for each in (alone, shared)
    )
    assert first - second == 3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"lines": 3, "sets": 2}, "^lines must be so many of each set, not 3 in 2"),
        ({"sets": 0}, "^lines must be so many of each set, not 1 in 0"),
        (
            {"lines": LINES_MAX + 1},
            f"^lines and data_lines must be at most {LINES_MAX}",
        ),
        ({"data_lines": LINES_MAX + 1}, f"^lines and .* must be at most {LINES_MAX}"),
        ({"shares": True, "data_lines": 1}, "^data_lines must be 0 where"),
    ],
)
def test_lines_that_cannot_be_kept_are_refused(
    change: dict[str, Any], sentence: str
) -> None:
    """More than the counter's table once wrote over other memory."""
    with pytest.raises(ArgumentError, match=sentence):
        replace(PLAIN, **change)


def test_the_last_line_that_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = replace(PLAIN, lines=LINES_MAX, data_lines=LINES_MAX)
    fewer = replace(most, lines=LINES_MAX // 2, data_lines=LINES_MAX // 2)
    assert (
        len({cycles_of(LOOP, each, tmp_path, monkeypatch) for each in (most, fewer)})
        == 1
    )


def test_constants_are_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = r"ldr r0, 1f\nldr r0, 1f\nb 2f\n.balign 4\n1: .word 7\n2:\n"
    none = replace(PLAIN, lines=64)
    held = replace(none, data_lines=1)
    first, second = (
        cycles_of(load, each, tmp_path, monkeypatch) for each in (none, held)
    )
    assert first - second == 3


def test_addresses_of_constants_are_those_of_the_manual() -> None:
    found = constants_of(
        [
            Instruction(0x100, "r0, [pc, #0x1c]"),
            Instruction(0x102, "r0, [pc, #8]"),
            Instruction(0x104, "r0, [r1, #8]"),
            Instruction(0x106, "r0, [pc, #-0x4]"),
        ]
    )
    assert found == [0x104 + 0x1C, 0x104 + 8, 0x108 - 4]


@pytest.mark.parametrize(
    ("name", "clock_mhz", "states"),
    [
        # ST RM0008, FLASH_ACR: the bounds belong to the lower number.
        ("stm32f103", 24, 0),
        ("bluepill", 24.1, 1),
        ("stm32f103c8t6", 48, 1),
        ("Blue Pill", 72, 2),
        ("stm32f405", 168, 5),
        ("atsamd21g18", 48, 1),
        ("nrf52840", 64, 2),
        ("nucleo-l476rg", 80, 4),
        ("stm32u575", 32, 0),
        ("nucleo-u575zi-q", 160, 4),
        ("stm32l552ze", 100, 4),
        ("stm32l562", 110, 5),
        ("msp430fr5994", 8, 0),
        ("mspexp430fr6989", 8.1, 1),
    ],
)
def test_wait_states_are_the_vendors(name: str, clock_mhz: float, states: int) -> None:
    assert flash_of(name).states_at(clock_mhz) == states


def test_a_clock_that_is_too_high_is_refused() -> None:
    with pytest.raises(
        ArgumentError, match=r"^--clock must be at most 72 MHz .* 72.5$"
    ):
        flash_of("bluepill").states_at(72.5)


@pytest.mark.parametrize("name", ["uno", "pico", "esp32-c3", "nothing"])
def test_a_chip_without_a_row_is_refused(name: str) -> None:
    with pytest.raises(ArgumentError, match=f"^samara has no wait states of {name}: "):
        flash_of(name)


def test_each_row_is_of_a_processor_that_waits_and_rises() -> None:
    for row in rows():
        assert row.states == tuple(sorted(row.states))
        assert row.lines >= 1
        assert row.line_bytes & (row.line_bytes - 1) == 0
        known = [each for each in devices.names() if each.startswith(row.chips)]
        assert known
        for name in known:
            family = devices.device(name).family.name
            assert family == "cortex-m" or (family, row.shares) == ("msp430x", True)
            assert flash_of(name) is row


@pytest.mark.slow
def test_the_model_is_within_what_boards_took() -> None:
    """The range of NIST's benchmarks on boards: docs/bench.md, "leave out"."""
    for name, low, high in (("samd21", 1.05, 1.25), ("nrf52840", 1.2, 1.5)):
        found = records_of(waits(WaitsRequest(device=name, suites=("grain128aead",))))
        assert found
        for each in found:
            if each.operation == "set_up":
                continue
            assert each.times is not None
            assert low < each.times < high
            assert each.waiting.origin is Origin.ASSUMED
    with_none = WaitsRequest(device="bluepill", states=0, suites=("aes128",))
    for each in records_of(waits(with_none)):
        assert each.waiting.value == each.without.value
        assert each.waiting.origin is Origin.ESTIMATED
