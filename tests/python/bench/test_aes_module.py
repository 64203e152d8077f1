# SPDX-License-Identifier: Apache-2.0
"""The AES module of the ATxmega in the simulator, and the code that uses it.

What the module does is from the XMEGA A manual 8077I, 23.4, and the XMEGA AU manual
8331, p. 316 to 322.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench_toys import run_program

from samara.bench import devices, images, simulators, subjects, toolchain
from samara.bench.places import root
from samara.bench.ways import Build

if TYPE_CHECKING:
    from pathlib import Path

DEVICE = "atxmega128a1"

# FIPS 197, appendix B.
KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
INPUT = bytes.fromhex("3243f6a8885a308d313198a2e0370734")
OUTPUT = bytes.fromhex("3925841d02dc09fbdc118597196a0b32")
LAST_ROUND_KEY = bytes.fromhex("d014f9a8c9ee2589e13f0cc8b6630ca6")

PROGRAM = """
#include <avr/io.h>
#include "block/aes_rounds.h"
typedef uint8_t block[16];
static const block key = KEY, input = INPUT, last = LAST;
volatile uint8_t found[64], status;
static void set_key(const uint8_t *from) {{
  for (uint8_t i = 0; i < 16; i++) AES.KEY = from[i];
}}
static void write(const uint8_t *from, uint8_t size) {{
  for (uint8_t i = 0; i < size; i++) AES.STATE = from[i];
}}
static void run(uint8_t control) {{
  AES.CTRL = control | AES_START_bm;
  while ((AES.STATUS & (AES_SRIF_bm | AES_ERROR_bm)) == 0) {{}}
}}
static void read(uint8_t place) {{
  for (uint8_t i = 0; i < 16; i++) found[place + i] = AES.STATE;
}}
static void read_key(uint8_t place) {{
  for (uint8_t i = 0; i < 16; i++) found[place + i] = AES.KEY;
}}
int main(void) {{
  (void)set_key; (void)write; (void)run; (void)read; (void)read_key; (void)last;
  {body}
  status = AES.STATUS;
  __asm__ __volatile__(".global done\\ndone:");
  for (;;) {{}}
}}
"""


def _numbers(block: bytes) -> str:
    return "{" + ", ".join(map(str, block)) + "}"


def after(folder: Path, body: str) -> tuple[bytes, int]:
    """Run statements on the device; return `found` and the status behind them."""
    device = devices.device(DEVICE)
    core = root() / "core"
    text = PROGRAM.format(body=body, KEY="KEY", INPUT="INPUT", LAST="LAST")
    for name, block in (("KEY", KEY), ("INPUT", INPUT), ("LAST", LAST_ROUND_KEY)):
        text = text.replace(f"= {name}", f"= {_numbers(block)}")
    source, image = folder / "program.c", folder / "program.elf"
    source.write_text(text)
    build = Build(device, "engine", "Os")
    names = ("arch/avr/aes_engine_xmega.c", "arch/avr/bytes_avr.c", "common/memory.c")
    flags = [*build.flags, f"-I{core}", f"-I{core}/include"]
    files = [source, *(core / name for name in names)]
    linker = ["-Wl,--gc-sections", *device.words(device.family.linker_flags)]
    toolchain.run([device.family.compiler, *flags, *files, *linker, "-o", image])
    symbols = images.read(image).symbols
    offset = device.family.data_offset
    with simulators.start(device, image) as simulator:
        simulator.go(symbols["done"], limit=10**5, floor=device.ram_start)
        found = simulator.read(symbols["found"] - offset, 64)
        (status,) = simulator.read(symbols["status"] - offset, 1)
    return found, status


def test_a_block_takes_375_cycles(tmp_path: Path) -> None:
    """Asked for until it is done.

    LDI 1 and STS 2 start it; 75 turns of LDS of a register 2, SBRS 1 and RJMP 2 end
    with one that begins 375 cycles later; then LDS 2 and SBRS, which skips, 2.
    """
    assembly = (
        r"ldi r24, 0x80\n sts 0xc0, r24\n"
        r"1: lds r24, 0xc1\n sbrs r24, 0\n rjmp 1b"
    )
    assert run_program(tmp_path, DEVICE, assembly).cycles == 3 + 75 * 5 + 4


def test_it_encrypts_and_leaves_the_last_round_key(tmp_path: Path) -> None:
    body = "set_key(key); write(input, 16); run(0); read(0); read_key(16);"
    found, status = after(tmp_path, body)
    assert (found[:16], found[16:32]) == (OUTPUT, LAST_ROUND_KEY)
    # Reading the state clears the bit that says that it is ready.
    assert status == 0


def test_it_decrypts_from_the_last_round_key(tmp_path: Path) -> None:
    body = (
        "set_key(key); write(input, 16); run(0); AES.STATUS = AES_SRIF_bm;"
        " set_key(last); AES.CTRL = AES_DECRYPT_bm; run(AES_DECRYPT_bm);"
        " read(0); read_key(16);"
    )
    found, _ = after(tmp_path, body)
    assert (found[:16], found[16:32]) == (INPUT, KEY)


def test_a_block_without_its_key_is_another(tmp_path: Path) -> None:
    body = "set_key(key); write(input, 16); run(0); read(0); write(input, 16); run(0);"
    found, _ = after(tmp_path, body + " read(16);")
    assert found[:16] == OUTPUT
    assert found[16:32] != OUTPUT


def test_a_run_whose_result_is_not_read_is_told_in_the_next(tmp_path: Path) -> None:
    """A program that does not clear the bit takes a block before it is there."""
    body = "run(0); AES.CTRL = AES_START_bm; found[0] = AES.STATUS;"
    assert after(tmp_path, body)[0][0] == 0x01


def test_what_is_written_is_added_where_that_is_asked_for(tmp_path: Path) -> None:
    body = "write(input, 16); AES.CTRL = AES_XOR_bm; write(key, 16); read(0);"
    found, _ = after(tmp_path, body)
    assert found[:16] == _sum(INPUT, KEY)


def test_a_full_state_starts_it_where_that_is_asked_for(tmp_path: Path) -> None:
    body = (
        "set_key(key); AES.CTRL = AES_AUTO_bm; write(input, 16);"
        " while (AES.STATUS == 0) {} read(0);"
    )
    assert after(tmp_path, body)[0][:16] == OUTPUT


def test_a_reset_wipes_both_memories(tmp_path: Path) -> None:
    body = (
        "set_key(key); write(input, 16); run(0);"
        " AES.CTRL = AES_RESET_bm; read(0); read_key(16);"
    )
    found, status = after(tmp_path, body)
    assert found[:32] == bytes(32)
    assert status == 0


@pytest.mark.parametrize(
    "fault",
    [
        # The control register is read or written during a run.
        "AES.CTRL = AES_START_bm; (void)AES.CTRL;",
        "AES.CTRL = AES_START_bm; AES.CTRL = 0;",
        # A start while a memory is written or read in part.
        "write(input, 3); AES.CTRL = AES_START_bm;",
        "AES.KEY = 1; AES.CTRL = AES_START_bm;",
        "(void)AES.KEY; AES.CTRL = AES_START_bm;",
    ],
)
def test_a_wrong_access_is_an_error_that_a_one_clears(
    fault: str, tmp_path: Path
) -> None:
    body = f"{fault} found[0] = AES.STATUS; AES.STATUS = AES_ERROR_bm;"
    found, status = after(tmp_path, body)
    assert (found[0], status) == (0x80, 0)


def test_nothing_is_reported_during_a_run(tmp_path: Path) -> None:
    body = (
        "set_key(key); write(input, 16); AES.CTRL = AES_START_bm;"
        " found[0] = AES.STATE; found[1] = AES.KEY; AES.STATE = 1; AES.KEY = 1;"
        " while (AES.STATUS == 0) {} read(2);"
    )
    found, _ = after(tmp_path, body)
    assert (found[:2], found[2:18]) == (bytes(2), OUTPUT)


def _encrypted(block: bytes) -> bytes:
    reference = subjects.subject("aes128").reference
    assert reference is not None
    return reference.seal(KEY, b"", block, b"")


def _sum(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


# Calls of core for two equal blocks, and what they write.
CALLS = {
    "encrypt": ("encrypt((void *)key, 10, out, input, 2)", OUTPUT * 2),
    "decrypt": ("decrypt((void *)key, 10, out, input, 2)", INPUT * 2),
    "absorb": (
        "absorb_blocks((void *)key, 10, out, input, 2)",
        _encrypted(_sum(OUTPUT, INPUT)) + bytes(16),
    ),
    "count": (
        "count_blocks((void *)key, 10, out, input, counter, 14, 2)",
        b"".join(
            _sum(INPUT, _encrypted(number.to_bytes(16, "big"))) for number in (0, 1)
        ),
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_leaves_nothing_in_the_module(call: str, tmp_path: Path) -> None:
    statement, wanted = CALLS[call]
    block = OUTPUT if call == "decrypt" else INPUT
    body = (
        f"static uint8_t input[32] = {_numbers(block * 2)}; static block counter;"
        " static uint8_t out[32]; (void)counter;"
        # Another's run, whose result was not read, and whose mode is still set.
        " set_key(last); AES.CTRL = AES_XOR_bm; write(last, 16); run(AES_XOR_bm);"
        f" samara_aes_engine_{statement};"
        " for (uint8_t i = 0; i < 32; i++) found[i] = out[i];"
        " read(32); read_key(48);"
    )
    found, status = after(tmp_path, body)
    assert found[32:] == bytes(32)
    assert status == 0
    assert found[:32] == wanted
