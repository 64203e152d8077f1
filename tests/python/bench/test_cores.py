# SPDX-License-Identifier: Apache-2.0
"""A chip that was not measured is answered with its processor, never with another."""

from __future__ import annotations

import pytest

from samara.bench import cores, devices
from samara.crypto import UnknownNameError

ROWS = [(core, beginning) for core in cores.cores() for beginning in core.chips]
TAKEN = {chip for device in devices.devices() for chip in device.chips}
RELATIVE = (
    "which samara has not measured; nearest is {}, whose instructions it has, in other"
    " numbers of cycles"
)
NO_RELATIVE = "which samara has not measured, nor one that runs its code"


def answer(name: str) -> str:
    with pytest.raises(UnknownNameError) as raised:
        devices.device(name)
    return str(raised.value)


@pytest.mark.parametrize(("core", "chip"), ROWS, ids=[chip for _, chip in ROWS])
def test_the_chips_of_every_row_are_answered_with_it(
    core: cores.Core, chip: str
) -> None:
    for name in (chip, f"{chip}g18a", chip.upper()):
        assert cores.core_of(name) is core
    if chip not in TAKEN:
        assert answer(f"{chip}9xyz").endswith(core.answer)


@pytest.mark.parametrize("core", cores.cores(), ids=lambda core: core.title)
def test_a_row_names_devices_that_there_are(core: cores.Core) -> None:
    named = [name for name in (core.device, core.nearest) if name]
    assert len(named) <= 1
    for name in named:
        assert devices.device(name).name == name
        assert name in core.answer


def test_no_beginning_stands_in_two_rows() -> None:
    beginnings = [beginning for _, beginning in ROWS]
    assert len(beginnings) == len(set(beginnings))


@pytest.mark.parametrize(
    "device", devices.devices(), ids=lambda device: str(device.name)
)
def test_the_chips_of_a_device_have_its_processor(device: devices.Device) -> None:
    for chip in device.chips:
        core = cores.core_of(chip)
        if core is not None:
            of_device = devices.device(core.device)
            # Two devices may have one processor: the ATmega128 and its RFA1.
            assert (of_device.family, of_device.mcu[:8]) == (
                device.family,
                device.mcu[:8],
            )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mkl25z128", "a Cortex-M0+: give cortex-m0plus"),
        ("ATSAMD21G18A", "a Cortex-M0+: give cortex-m0plus"),
        ("atsamd51j20a", "a Cortex-M4: give cortex-m4"),
        ("esp32", f"an Xtensa LX6, {NO_RELATIVE}"),
        ("ESP32-WROOM-32", "an Xtensa LX6, "),
        (
            "esp32-c6",
            f"a RISC-V with 32 registers and multiplication, {RELATIVE.format('ibex')}",
        ),
        ("esp32h2", "a RISC-V with 32 registers and multiplication, "),
        ("ch32v203", "a RISC-V with 32 registers and multiplication, "),
        ("ch32v003", f"a RISC-V with 16 registers (RV32EC), {NO_RELATIVE}"),
        ("esp32-s3", "an Xtensa LX7, "),
        ("esp8266", "an Xtensa LX106, "),
        ("stm32f031", "a Cortex-M0: give cortex-m0"),
        ("stm32f101", "a Cortex-M3: give cortex-m3"),
        ("stm32f446re", "a Cortex-M4: give cortex-m4"),
        ("stm32l496", "a Cortex-M4: give cortex-m4"),
        ("stm32wle4", "a Cortex-M4: give cortex-m4"),
        ("nrf51802", "a Cortex-M0: give cortex-m0"),
        ("nrf52820", "a Cortex-M4: give cortex-m4"),
        ("nrf5430", "a Cortex-M33: give cortex-m33"),
        ("rp2354b", "a Cortex-M33: give cortex-m33"),
        ("stm32u599", "a Cortex-M33: give cortex-m33"),
        ("stm32n657", f"a Cortex-M55, {RELATIVE.format('cortex-m33')}"),
        ("stm32h743", f"a Cortex-M7, {RELATIVE.format('cortex-m4')}"),
        ("efr32mg13p", "a Cortex-M4: give cortex-m4"),
        ("efr32mg27", "a Cortex-M33: give cortex-m33"),
        ("cc2642r", "a Cortex-M4: give cortex-m4"),
        ("cc2620", "a Cortex-M3: give cortex-m3"),
        ("attiny85", f"an AVR without a multiplier, {NO_RELATIVE}"),
        ("attiny402", "an AVR of the series 0 to 2, Dx or Ex (AVRxt): give atmega4809"),
        (
            "avr128da48",
            "an AVR of the series 0 to 2, Dx or Ex (AVRxt): give atmega4809",
        ),
        ("atmega32", "an AVR with a multiplier: give atmega328p"),
        ("atxmega32a4", "an XMEGA's AVR: give atxmega128a1"),
        ("msp430fr2433", f"an MSP430X CPU, {RELATIVE.format('msp430fr5969')}"),
        ("msp430fr5949", "an MSP430X CPU with FRAM and an AES256 engine: give msp430"),
        ("msp430g2553", "an MSP430 CPU: give msp430f1611"),
        ("cortex-m0+", "a Cortex-M0+: give cortex-m0plus"),
    ],
)
def test_known_chips(name: str, expected: str) -> None:
    assert f"unknown device or chip {name!r}: it has {expected}" in answer(name)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("atmgea328p", "atmega328p"),
        ("atmeg328p", "atmega328p"),
        ("ntf52840", "nrf52840"),
        ("stm23f103", "stm32f103"),
        ("cortx-m4", "cortex-m4"),
        ("smad51", "samd51"),
    ],
)
def test_a_typing_error_gets_the_nearest_name(typed: str, meant: str) -> None:
    text = answer(typed)
    assert text.startswith(f"unknown device or chip {typed!r}: did you mean ")
    assert meant in text


@pytest.mark.parametrize("name", ["samd99", "pic18f4550", "z80", "foo328", "cortex"])
def test_of_other_chips_no_processor_is_guessed(name: str) -> None:
    assert answer(name) == (
        f"unknown device or chip {name!r}: samara bench devices lists all"
    )
