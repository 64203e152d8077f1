# SPDX-License-Identifier: Apache-2.0
"""Programs that samara calls and pip does not have: their packages and their uses."""

from __future__ import annotations

from typing import NamedTuple


class Program(NamedTuple):
    """A program of the system."""

    command: str
    package: str
    """Of Debian; several have spaces between them."""
    serves: str
    """The commands that need it."""
    version: str = "--version"
    """The option that prints its version; empty: it has none."""


PROGRAMS = (
    Program("cc", "gcc libc6-dev", "bench run, bench add"),
    Program("avr-gcc", "gcc-avr avr-libc", "bench run for AVR"),
    Program(
        "arm-none-eabi-gcc",
        "gcc-arm-none-eabi libnewlib-arm-none-eabi",
        "bench run for Cortex-M",
    ),
    Program("clang", "clang", "bench run for MSP430"),
    Program("ld.lld", "lld", "bench run for MSP430"),
    Program("mspdebug", "mspdebug", "bench run for MSP430"),
    Program("sta", "opensta", "chip synth, power, report", "-version"),
    Program("iverilog", "iverilog", "chip power, report", "-V"),
    Program("dieharder", "dieharder", "randomness run --battery dieharder", ""),
    Program("ent", "ent", "randomness run --battery ent", ""),
    Program("ip", "iproute2", "ip lab, ip up", "-V"),
    Program("tshark", "tshark", "nothing; it reads what ip watch writes"),
    Program("chromium", "chromium", "console (or another browser)"),
    Program("cargo", "cargo", "speed with ciphers of Rust"),
)


def package_of(command: str) -> str | None:
    """Return Debian's package of a program, or None if samara does not know it."""
    return next((row.package for row in PROGRAMS if row.command == command), None)
