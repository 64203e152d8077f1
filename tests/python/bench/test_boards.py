# SPDX-License-Identifier: Apache-2.0
"""Boards by name: which device stands for them, and what is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from samara.bench import boards, devices, places
from samara.bench.cores import core_of
from samara.crypto import UnknownNameError
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# What people call them, and the device of the chip in their documentation.
KNOWN = [
    ("uno", "atmega328p"),
    ("Arduino Uno", "atmega328p"),
    ("nano", "atmega328p"),
    ("mega", "atmega2560"),
    ("leonardo", "atmega328p"),
    ("Nano Every", "atmega4809"),
    ("uno-wifi-rev2", "atmega4809"),
    ("due", "cortex-m3"),
    ("zero", "cortex-m0plus"),
    ("pico", "cortex-m0plus"),
    ("pico2", "cortex-m33"),
    ("Thingy 91", "cortex-m33"),
    ("Thingy 53", "cortex-m33"),
    ("nucleo-u575zi-q", "cortex-m33"),
    ("bluepill", "cortex-m3"),
    ("Blue Pill", "cortex-m3"),
    ("blackpill", "cortex-m4"),
    ("nucleo-f401re", "cortex-m4"),
    ("NUCLEO-F103RB", "cortex-m3"),
    ("nucleo-l053r8", "cortex-m0plus"),
    ("microbit", "cortex-m0"),
    ("microbit-v2", "cortex-m4"),
    ("telosb", "msp430f1611"),
    ("micaz", "atmega128"),
    ("MSP-EXP430FR5969", "msp430fr5969"),
    ("msp-exp430fr5994", "msp430fr5969"),
    ("zigduino", "atmega128rfa1"),
    ("esp32-c3", "ibex"),
    ("ESP32-C3-WROOM-02", "ibex"),
]


@pytest.mark.parametrize(("name", "device"), KNOWN)
def test_a_board_has_the_device_of_its_chip(name: str, device: str) -> None:
    found = devices.device(name)
    assert found.name == device
    notice = devices.stands_for(name, found)
    assert notice.startswith(f"{name} is a")
    assert device in notice


def test_what_is_reported_names_chip_and_what_is_not_the_boards() -> None:
    def chip_notice(name: str) -> str:
        return devices.stands_for(name, devices.device(name))

    assert chip_notice("uno") == (
        "uno is an Arduino Uno, measured as atmega328p:"
        " ATmega328P, as on the Arduino Uno"
    )
    assert chip_notice("due") == (
        "due is an Arduino Due: sam3x8e is measured as cortex-m3: same processor;"
        " clock (48 MHz), memory and current are those of"
        ' "Cortex-M3, with the figures of the CC1350"'
    )
    assert chip_notice("esp32c3") == (
        "esp32c3 is an ESP32-C3: ibex stands in for it: same instructions (RV32IMC),"
        " clock and memory; two stages, where the ESP32-C3 has four, and no waits for"
        " its flash memory and cache"
    )
    assert chip_notice("atmega328p") == ""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nucleo-h743zi", "whose stm32h743zi has a Cortex-M7, which samara has not"),
        ("uno-r4", "it is an Arduino Uno R4, whose ra4m1 has a Cortex-M4: give cortex"),
        ("d1 mini", "whose esp8266 has an Xtensa LX106, which samara has not measured"),
        ("nucleo-x99", "it is an STM32 Nucleo, whose stm32x99 samara does not know"),
        ("nucleo", "samara bench devices lists all"),
        ("blupill", "did you mean bluepill"),
        ("unoo", "did you mean uno"),
    ],
)
def test_a_board_without_a_device_is_refused_with_its_processor(
    name: str, reason: str
) -> None:
    with pytest.raises(UnknownNameError) as raised:
        devices.device(name)
    assert str(raised.value).startswith(f"unknown device or chip {name!r}: ")
    assert reason in str(raised.value)


def test_every_name_is_one_board_s() -> None:
    every = [name for board in boards.boards() for name in board.names]
    assert len(every) == len(set(every)) > 30
    chips = {chip for device in devices.devices() for chip in device.chips}
    assert not set(every) & (chips | {each.name for each in devices.devices()})


@pytest.fixture
def row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return what makes a row the only one of devices/boards.toml."""
    (tmp_path / "devices").mkdir()
    monkeypatch.setattr(places, "root", lambda: tmp_path)
    monkeypatch.setattr(boards, "boards", boards.boards.__wrapped__)

    def write(text: str) -> None:
        (tmp_path / "devices" / "boards.toml").write_text(f"[[board]]\n{text}")

    return write


def test_a_name_is_found_in_any_spelling(row: Callable[[str], None]) -> None:
    row('names = ["Toy-Board 2", "Toy_X*"]\ntitle = "a toy"\nchip = "atmega328p"\n')
    for name in ("toyboard2", "Toy-Board 2", "TOY_BOARD_2", "toy x5"):
        found = boards.board_of(name)
        assert found is not None
        assert found.title == "a toy"
    assert boards.board_of("toy") is None


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('names = ["toy"]\nchip = "atmega328p"', "lacks title"),
        ('names = ["toy"]\ntitle = "a"\nchip = "c"\nx = 1', "has an unknown x"),
        ('names = "toy"\ntitle = "a"\nchip = "c"', "names of .* expected a list of"),
        ("names = [", "devices/boards.toml is not TOML"),
    ],
)
def test_a_row_that_is_wrong_is_one_sentence(
    row: Callable[[str], None], text: str, wrong: str
) -> None:
    row(text)
    with pytest.raises(MisuseError, match=wrong) as raised:
        boards.board_of("toy")
    assert "devices/boards.toml" in str(raised.value)


@pytest.mark.parametrize("board", boards.boards(), ids=lambda board: str(board.title))
def test_the_chip_of_every_row_is_known(board: boards.Board) -> None:
    assert board.title.startswith(("a ", "an "))
    chip = board.chip.removesuffix("*")
    names = devices.names()
    assert chip in names or core_of(chip) or any(n.startswith(chip) for n in names)


def test_names_offers_boards_that_a_device_stands_for() -> None:
    names = devices.names()
    assert {"uno", "mega", "bluepill", "atmega328p", "nrf52840"} <= set(names)
    assert not {"unor4", "nodemcu", "nucleo*"} & set(names)
    known = {device.name for device in devices.devices()}
    assert {devices.device(name).name for name in names} == known
