# SPDX-License-Identifier: Apache-2.0
"""Programs and files that samara uses and pip does not have: packages and uses."""

from __future__ import annotations

from pathlib import Path
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


class SystemFile(NamedTuple):
    """A file of the system that samara reads, or that shows that a library is there."""

    name: str
    path: Path
    package: str
    """Of Debian; several have spaces between them."""
    serves: str
    """The commands that need it."""


PROGRAMS = (
    Program("cc", "gcc libc6-dev", "bench run, bench add"),
    Program("avr-gcc", "gcc-avr avr-libc", "bench run for AVR, firmware size, run"),
    Program("make", "make", "firmware size, run"),
    Program("cmake", "cmake", "firmware size, run with --build cmake"),
    Program(
        "arduino-builder",
        "arduino-builder arduino-core-avr",
        "firmware size, run with --build arduino",
        "",
    ),
    Program(
        "arm-none-eabi-gcc",
        "gcc-arm-none-eabi libnewlib-arm-none-eabi",
        "bench run for Cortex-M, firmware size, run",
    ),
    Program("clang", "clang", "bench run for MSP430"),
    Program("c++", "g++", "bench run for RISC-V"),
    Program(
        "riscv64-unknown-elf-gcc",
        "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf",
        "bench run for RISC-V",
    ),
    Program("ld.lld", "lld", "bench run for MSP430"),
    Program("llvm-objdump", "llvm", "bench interrupts for MSP430"),
    Program("mspdebug", "mspdebug", "bench run for MSP430"),
    Program("sta", "opensta", "chip synth, power, report", "-version"),
    Program("iverilog", "iverilog", "chip power, report", "-V"),
    Program("vvp", "iverilog", "chip power, report", "-V"),
    Program("dieharder", "dieharder", "randomness run --battery dieharder", ""),
    Program("ent", "ent", "randomness run --battery ent", ""),
    Program("ip", "iproute2", "ip lab, ip up", "-V"),
    Program("coap-client-openssl", "libcoap3-bin", "demo --over coap", ""),
    Program(
        "qemu-system-arm", "qemu-system-arm", "nothing; tests run firmware in it, too"
    ),
    Program("tshark", "tshark", "nothing; it reads what ip watch writes"),
    Program("chromium", "chromium", "console (or another browser)"),
    Program("cargo", "cargo", "speed with ciphers of Rust"),
)

SIMAVR = SystemFile(
    "simavr (library)",
    Path("/usr/include/simavr/sim_avr.h"),
    "libsimavr-dev libelf-dev",
    "bench run for AVR, firmware run",
)
CELL_LIBRARY = SystemFile(
    "standard cells (osu018)",
    Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib"),
    "qflow-tech-osu018",
    "chip synth, power, report (or --liberty)",
)


def package_of(command: str) -> str | None:
    """Return Debian's package of a program, or None if samara does not know it."""
    return next((row.package for row in PROGRAMS if row.command == command), None)
