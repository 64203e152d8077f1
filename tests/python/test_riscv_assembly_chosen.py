# SPDX-License-Identifier: Apache-2.0
"""Each RISC-V of 32 bits gets the assembly that runs on it, from gcc and from clang.

One that core/common/machine.h does not know runs C, which is right and slow: no other
test would see it.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = ROOT / "core"
ASSEMBLY = sorted((CORE / "arch" / "rv32").glob("*.c"))
GCC = ("riscv64-unknown-elf-gcc", "--specs=picolibc.specs")
CLANG = ("clang", "--target=riscv32-unknown-elf", "-ffreestanding")
COMPILERS = {"gcc": GCC, "clang": CLANG}
PROGRAM = """#include "common/machine.h"
chosen SAMARA_ARCH_RV32_IS
#if SAMARA_ARCH_RV32
chosen rv32
#endif
"""


def is_chosen(compiler: tuple[str, ...], *flags: str) -> bool:
    """Return whether the assembly is compiled."""
    quiet = "-DSAMARA_MULTIPLIES=0"
    command = [*compiler, *flags, quiet, "-E", "-P", f"-I{CORE}", "-x", "c", "-"]
    done = subprocess.run(
        command, input=PROGRAM, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert "chosen SAMARA_ARCH_RV32_IS" in lines
    return "chosen rv32" in lines


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("march", ["rv32i", "rv32imc", "rv32imac", "rv32imafc"])
def test_those_of_32_bits_take_the_assembly(compiler: str, march: str) -> None:
    assert is_chosen(COMPILERS[compiler], f"-march={march}", "-mabi=ilp32")


@pytest.mark.parametrize(
    ("compiler", "flags"),
    [
        ("gcc", ("-march=rv64imac", "-mabi=lp64")),
        ("gcc", ("-march=rv32emc", "-mabi=ilp32e")),
        ("gcc", ("-march=rv32imc", "-mabi=ilp32", "-DSAMARA_ARCH_RV32=0")),
        ("gcc", ("-march=rv32imc", "-mabi=ilp32", "-mbig-endian")),
        ("clang", ("--target=riscv64-unknown-elf", "-march=rv64imac")),
    ],
)
def test_others_take_c(compiler: str, flags: tuple[str, ...]) -> None:
    assert not is_chosen(COMPILERS[compiler], *flags)


@pytest.mark.parametrize("path", ASSEMBLY, ids=lambda path: path.name)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_it_has_instructions_of_rv32i_alone(
    compiler: str, path: Path, tmp_path: Path
) -> None:
    """The assembler refuses every other one."""
    target = tmp_path / "object.o"
    flags = ("-march=rv32i", "-mabi=ilp32", "-Os", "-Wall", "-Wextra", "-Werror")
    places = (f"-I{CORE}", f"-I{CORE / 'include'}")
    command = [*COMPILERS[compiler], *flags, *places, "-c", str(path), "-o"]
    subprocess.run([*command, str(target)], check=True)
    assert target.read_bytes()


def test_there_is_assembly() -> None:
    assert ASSEMBLY
