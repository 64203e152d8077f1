# SPDX-License-Identifier: Apache-2.0
"""Which assembly the compiler is asked for: that of the device's own processor."""

import pytest

from samara.bench import devices, ways


@pytest.mark.parametrize(
    ("device", "implementation", "wanted"),
    [
        ("cortex-m0", "assembly", {"SAMARA_ARCH_ARMV6M"}),
        ("cortex-m0plus", "assembly", {"SAMARA_ARCH_ARMV6M"}),
        ("cortex-m3", "assembly", {"SAMARA_ARCH_ARMV7M"}),
        ("cortex-m0", "portable", set()),
        ("atmega328p", "assembly", {"SAMARA_ARCH_AVR"}),
        ("atmega128rfa1", "engine", {"SAMARA_ARCH_AVR_AES_ENGINE"}),
        ("atxmega128a1", "engine", {"SAMARA_ARCH_AVR_AES_ENGINE"}),
        ("msp430fr5969", "engine", {"SAMARA_ARCH_MSP430_AES_ENGINE"}),
        ("msp430fr5969", "assembly", {"SAMARA_ARCH_MSP430"}),
        ("ibex", "assembly", {"SAMARA_ARCH_RV32"}),
        ("ibex", "portable", set()),
    ],
)
def test_a_build_has_the_assembly_of_its_processor(
    device: str, implementation: str, wanted: set[str]
) -> None:
    build = ways.Build(devices.device(device), implementation, "Os")
    values = dict(
        word.removeprefix("-D").split("=")
        for word in build.flags
        if word.startswith("-DSAMARA_ARCH_")
    )
    assert {name for name, value in values.items() if value == "1"} == wanted
    assert set(values.values()) <= {"0", "1"}
    assert values
