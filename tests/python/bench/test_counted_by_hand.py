# SPDX-License-Identifier: Apache-2.0
"""Figures of the bench beside figures worked out by hand.

Code, RAM, stack and cycles are those of programs so small that they can be
counted with the manuals: AVR instruction set manual 0856 (ATmega column), MSP430
SLAU049 (3.4.4), Cortex-M3 DDI 0337I (3.3).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

import pytest
from bench_toys import ONE_OF_EACH, cipher_folder, run_program, task, toy

from samara.bench import building, devices, recording, running, subjects
from samara.bench.devices import Quantity
from samara.bench.measuring import WrongAnswerError, measure
from samara.bench.results import OF_MESSAGES, Operation
from samara.bench.simulators import Run, StackOverflowError
from samara.bench.simulators.base import StackWatch, repeated
from samara.bench.ways import Build

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.results import Result
    from samara.bench.simulators import Simulator


class Counted(NamedTuple):
    """Assembly, and what it adds to a function that it is in."""

    assembly: str
    code_bytes: int
    cycles: int
    stack_bytes: int


BODIES = {
    # NOP 1, PUSH 2, POP 2; two bytes each.
    "atmega328p": Counted(r"nop\n push r24\n push r24\n pop r24\n pop r24", 10, 9, 2),
    # NOP 1 (MOV R3, R3), PUSH 3, POP 2 (MOV @SP+); two bytes each.
    "msp430f1611": Counted(r"nop\n push r12\n push r12\n pop r12\n pop r12", 10, 11, 4),
    # NOP 1, PUSH and POP of two 1 + 2; two bytes each.
    "cortex-m3": Counted(r"nop\n nop\n push {r4, r5}\n pop {r4, r5}", 8, 8, 8),
}


def on_devices(text: str) -> str:
    """Return C that the compiler of this machine does not see."""
    machines = "defined(__AVR__) || defined(__MSP430__) || defined(__arm__)"
    return f"\n#if {machines}\n{text}\n#endif\n"


def measured(folder: Path, device: str, body: str = "", extra: str = "") -> Result:
    (row,) = measure(task(device, toy(cipher_folder(folder, body, extra))))
    assert row.problem is None
    return row


PUSH_POP = {
    "atmega328p": ("push r24", "pop r24"),
    "msp430f1611": ("push r12", "pop r12"),
    "cortex-m3": ("push {r4}", "pop {r4}"),
}


def deepest(device: str, assembly: str) -> str:
    """Return C that runs assembly where the stack is deeper than anywhere else."""
    push, pop = (rf".rept 40\n {one}\n .endr\n" for one in PUSH_POP[device])
    return on_devices(f'__asm__ __volatile__("{push} {assembly}\\n {pop}");')


@pytest.mark.slow
@pytest.mark.parametrize("device", ONE_OF_EACH)
def test_instructions_add_what_they_are_and_take(device: str, tmp_path: Path) -> None:
    body = BODIES[device]
    plain = measured(tmp_path / "plain", device, deepest(device, ""))
    more = measured(tmp_path / "more", device, deepest(device, body.assembly))
    assert plain.cycles
    assert more.cycles
    assert more.cycles[Operation.SEAL] - plain.cycles[Operation.SEAL] == body.cycles
    assert more.cycles[Operation.OPEN] == plain.cycles[Operation.OPEN]
    assert plain.code_bytes is not None
    assert more.code_bytes == plain.code_bytes + body.code_bytes
    assert plain.stack_bytes is not None
    # In seal, which is neither the first operation nor the last.
    assert more.stack_bytes == plain.stack_bytes + body.stack_bytes


RETURN = {"atmega328p": "ret", "msp430f1611": "ret", "cortex-m3": "bx lr"}
ADDRESS = {"atmega328p": ".word", "msp430f1611": ".word", "cortex-m3": ".long"}
POINTER_BYTES = {"atmega328p": 2, "msp430f1611": 2, "cortex-m3": 4}


@pytest.mark.slow
@pytest.mark.parametrize("device", ONE_OF_EACH)
@pytest.mark.parametrize("section", ["none", "bss", "data"])
def test_code_and_ram_are_those_of_the_cipher_alone(
    section: str, device: str, tmp_path: Path
) -> None:
    """Two functions in assembly, and a variable of 48 bytes."""
    cipher_folder(tmp_path / "cipher")
    (tmp_path / "cipher" / "encrypt.c").unlink()
    kind = "@nobits" if section == "bss" else "@progbits"
    align = 4 if device.startswith("cortex") else 2
    text = ".syntax unified\n.thumb\n" if device.startswith("cortex") else ""
    if section != "none":
        text += f'.section .{section}.table, "aw", {kind}\n.balign 4\n'
        text += "table:\n" + (".skip 48\n" if section == "bss" else ".fill 48, 1, 7\n")
    for name in ("crypto_aead_encrypt", "crypto_aead_decrypt"):
        text += (
            f'.section .text.{name}, "ax", @progbits\n.balign {align}\n.global {name}\n'
        )
        text += ".thumb_func\n" if device.startswith("cortex") else ""
        text += f"{name}:\nnop\nnop\nnop\n{RETURN[device]}\n"
        text += f"{ADDRESS[device]} table\n" * (section != "none")
    (tmp_path / "cipher" / "all.S").write_text(text.replace("@", "%"))
    build = Build(devices.device(device), "portable", "Os")
    program = building.build(build, toy(tmp_path / "cipher"))
    # Three NOPs and a return, of two bytes each, and the variable's address.
    pointer = POINTER_BYTES[device] * (section != "none")
    code = 2 * (4 * 2 + pointer)
    between = -(8 + pointer) % align
    initial = 48 * (section == "data")
    assert program.code_bytes in (
        code + between + initial,
        code + 2 * between + initial,
    )
    assert program.static_ram_bytes == 48 * (section != "none")


@pytest.mark.slow
@pytest.mark.parametrize("device", ONE_OF_EACH)
def test_an_expanded_key_is_ram_and_no_code(device: str) -> None:
    build = Build(devices.device(device), "portable", "Os")
    # FIPS 197: 11 round keys of 16 bytes. Speck128/128: 32 of 8 bytes.
    for slug, size in (("aes128", 11 * 16), ("speck128-128", 32 * 8)):
        program = building.build(build, subjects.subject(slug))
        assert program.static_ram_bytes == size


DEEP = """
__attribute__((noinline)) static void deep(void) {
  byte lowest[SIZE];
  lowest[0] = 1;
  __asm__ __volatile__("" ::"r"(lowest) : "memory");
}
static volatile byte is_done;
"""


@pytest.mark.slow
@pytest.mark.parametrize("device", ONE_OF_EACH)
@pytest.mark.parametrize("operation", ["seal", "open"])
def test_the_stack_of_the_first_call_counts(
    operation: str, device: str, tmp_path: Path
) -> None:
    """Tables that are made once: deep, and mostly left as they were."""
    size = 700 if device == "atmega328p" else 5000
    call = "if (!is_done) { is_done = 1; deep(); }"
    folder = cipher_folder(tmp_path / "deep", "BODY", DEEP.replace("SIZE", str(size)))
    text = (folder / "encrypt.c").read_text()
    if operation == "seal":
        text = text.replace("BODY", call)
    else:
        text = text.replace("BODY", "").replace(
            "*mlen = clen - 1;", f"*mlen = clen - 1; {call}"
        )
    (folder / "encrypt.c").write_text(text)
    (row,) = measure(task(device, toy(folder)))
    assert row.stack_bytes is not None
    assert size < row.stack_bytes < size + 200


@pytest.mark.slow
@pytest.mark.parametrize("device", ONE_OF_EACH)
def test_a_stack_that_memory_does_not_suffice_for_is_reported(
    device: str, tmp_path: Path
) -> None:
    known = devices.device(device)
    size = known.ram_bytes - 100
    every = "for (unsigned i = 0; i < sizeof lowest; i++) lowest[i] = 1;"
    extra = DEEP.replace("SIZE", str(size)).replace("lowest[0] = 1;", every)
    folder = cipher_folder(tmp_path / "deep", "deep();", extra)
    (row,) = measure(task(device, toy(folder), (32, 4)))
    assert row.cycles is None
    assert row.problem is not None
    assert "stack" in row.problem


# Writes below the deepest stack pointer, as what wipes does, in each way that an AVR
# can: the bytes from the stack pointer on that are taken. A read takes none.
WRITES_BELOW = {
    "st Z, r1": 9,
    "st Z+, r1": 9,
    "st -Z, r1": 10,
    "std Z+3, r1": 6,
    "ld r31, -Z": 0,
}


@pytest.mark.slow
@pytest.mark.parametrize("store", WRITES_BELOW)
def test_what_is_written_below_the_stack_pointer_is_stack(
    store: str, tmp_path: Path
) -> None:
    device = "atmega328p"
    point = r"in r30, 0x3d\n in r31, 0x3e\n sbiw r30, 8\n"
    wiping = deepest(device, point + store).replace('");', '" ::: "r30", "r31");')
    plain = measured(tmp_path / "plain", device, deepest(device, ""))
    row = measured(tmp_path / "wiping", device, wiping)
    assert plain.stack_bytes is not None
    assert row.stack_bytes == plain.stack_bytes + WRITES_BELOW[store]


@pytest.mark.slow
@pytest.mark.parametrize("device", ONE_OF_EACH)
def test_a_few_cycles_more_are_not_constant_time(device: str, tmp_path: Path) -> None:
    # A loop, because a condition may become an instruction that is skipped.
    body = 'for (byte i = k[2] & 3; i; i--) __asm__ __volatile__("nop");'
    row = measured(tmp_path / "leaky", device, body)
    assert row.constant_time is False
    # Three turns of three or four instructions.
    assert 0 < row.varies[Operation.SEAL] < 32


def test_the_most_of_all_operations_is_the_stack() -> None:
    runs = {
        name: Run(cycles=1, instructions=1, stack_bytes=stack)
        for name, stack in zip(OF_MESSAGES, (7, 9, 8), strict=True)
    }
    device = devices.device("atmega328p")
    assert recording.figures(device, runs, {}).stack_bytes == 9
    assert recording.figures(device, runs, {}, 12).stack_bytes == 12


class Memory:
    """A simulator that is memory alone."""

    def __init__(self) -> None:
        self.cells = bytearray(300)

    def fill(self, address: int, size: int, pattern: bytes) -> None:
        self.cells[address : address + size] = repeated(pattern, size)

    def read(self, address: int, size: int) -> bytes:
        return bytes(self.cells[address : address + size])


def test_the_stack_watch_sees_the_lowest_byte_in_one_call_or_the_next() -> None:
    """A byte that a program writes may be what was there: not twice."""
    memory = Memory()
    watch = StackWatch(cast("Simulator", memory))
    for value in range(256):
        seen = []
        for _ in range(2):
            watch.begin(stack=250, floor=10)
            assert watch.grown() == 0
            memory.cells[200] = value
            seen.append(watch.grown())
        # Nothing else was written, so nothing less is seen.
        assert max(seen) == 50
    watch.begin(stack=250, floor=10)
    memory.cells[10] ^= 1
    with pytest.raises(StackOverflowError):
        watch.grown()


@pytest.mark.slow
@pytest.mark.parametrize("device", ONE_OF_EACH)
def test_a_cipher_that_refuses_has_no_figure(device: str, tmp_path: Path) -> None:
    body = on_devices("return -1;")
    with pytest.raises(WrongAnswerError):
        measured(tmp_path / "refuses", device, body)


def test_samples_are_as_many_as_docs_say() -> None:
    chosen = running.plan([devices.device("atmega328p")], [subjects.subject("aes128")])
    assert {task.samples for task in chosen} == {64}


def test_time_and_energy_by_hand() -> None:
    """4 MHz, 3 V, 2 mA: four million cycles are one second and six millijoules."""
    device = replace(
        devices.device("msp430f1611"),
        clock_hz=4_000_000,
        supply_voltage_v=Quantity(3.0, "", checked=True),
        active_current_a=Quantity(0.002, "", checked=True),
    )
    assert device.time_us(4_000_000) == pytest.approx(1e6)
    assert device.energy_uj(4_000_000) == pytest.approx(6000)
    runs = dict.fromkeys(OF_MESSAGES, Run(4000, 4000, 0))
    found = recording.figures(device, runs, {Operation.SEAL: 1})
    assert found.time_us == dict.fromkeys(runs, 1000)
    assert found.energy_uj == dict.fromkeys(runs, 6)
    assert found.cycles == dict.fromkeys(runs, 4000)
    assert found.constant_time is False
    assert found.varies == {"seal": 1}


# What differs between devices that one compiler and simulator serve, again, from
# the data sheets: name, processor, bytes of flash memory, first address and bytes
# of RAM.
MEMORIES = [
    # 2467, front page and figure 9: internal SRAM from 0x100 on.
    ("atmega128", "atmega128", 128 * 1024, 0x100, 4 * 1024),
    # 8266, front page and figure 7-2.
    ("atmega128rfa1", "atmega128rfa1", 128 * 1024, 0x200, 16 * 1024),
    # 2549, front page and figure 8-2.
    ("atmega2560", "atmega2560", 256 * 1024, 0x200, 8 * 1024),
    # 8271, front page and figure 8-3.
    ("atmega328p", "atmega328p", 32 * 1024, 0x100, 2 * 1024),
    # Data sheet of ATmega4808 and 4809: 48 KB of flash memory, 6 KB of RAM, which ends
    # where flash memory is mapped, at 0x4000.
    ("atmega4809", "avrxmega3", 48 * 1024, 0x4000 - 6 * 1024, 6 * 1024),
    # avr/iox128a1.h of avr-libc: 128 KiB of flash memory, 8 KiB for a boot loader.
    ("atxmega128a1", "atxmega128a1", (128 + 8) * 1024, 0x2000, 8 * 1024),
    # nRF51822: 256 kB of flash memory and 16 kB of RAM.
    ("cortex-m0", "cortex-m0", 256 * 1024, 0x20000000, 16 * 1024),
    # SAM D21, 42181: 256 KB of flash memory and 32 KB of RAM.
    ("cortex-m0plus", "cortex-m0plus", 256 * 1024, 0x20000000, 32 * 1024),
    # ESP32-C3: 400 KB of RAM, 16 KB of them a cache; 4 MB of flash memory.
    ("ibex", "rv32imc", 4096 * 1024, 0x20000000, 384 * 1024),
    # iCE40 UltraPlus, FPGA-DS-02008: 1,024 kbit of single-port RAM; boards have 1 MB of
    # SPI flash and more.
    ("picorv32", "rv32imc", 1024 * 1024, 0x20000000, 128 * 1024),
    # CC1350, SWRS183: 128 kB of flash memory and 20 kB of RAM.
    ("cortex-m3", "cortex-m3", 128 * 1024, 0x20000000, 20 * 1024),
    # nRF52840: 1 MB of flash memory and 256 kB of RAM.
    ("cortex-m4", "cortex-m4", 1024 * 1024, 0x20000000, 256 * 1024),
    # nRF54L15: 1,524 KB of resistive memory and 256 KB of RAM.
    ("cortex-m33", "cortex-m33", 1524 * 1024, 0x20000000, 256 * 1024),
    # SLAS368: 48 kB of flash memory and 10 kB of RAM from 0x1100 on.
    ("msp430f1611", "msp430f1611", 48 * 1024, 0x1100, 10 * 1024),
    # msp430fr5969's memory.x: FRAM from 0x4400 to 0xff7f, 2 kB of RAM from 0x1c00 on.
    ("msp430fr5969", "msp430fr5969", 0xFF80 - 0x4400, 0x1C00, 2 * 1024),
]


@pytest.mark.parametrize(("name", "mcu", "flash", "start", "ram"), MEMORIES)
def test_devices_have_the_memory_of_their_data_sheets(
    name: str, mcu: str, flash: int, start: int, ram: int
) -> None:
    device = devices.device(name)
    assert (device.mcu, device.flash_bytes) == (mcu, flash)
    assert (device.ram_start, device.ram_bytes) == (start, ram)


CLOCKS_HZ = {
    # The boards' crystals: Arduino Uno and Mega.
    "atmega328p": 16_000_000,
    "atmega2560": 16_000_000,
    # 8266, front page: 16 MHz, the radio's crystal.
    "atmega128rfa1": 16_000_000,
    # The most at 5 V; the most at 3 V.
    "atmega4809": 20_000_000,
    "atxmega128a1": 32_000_000,
    # nRF51822: 16 MHz; CC1350: 48 MHz; nRF52840: 64 MHz.
    "cortex-m0": 16_000_000,
    # SAM D21: at most 48 MHz; ESP32-C3: at most 160 MHz.
    "cortex-m0plus": 48_000_000,
    "ibex": 160_000_000,
    # The crystal of the iCEBreaker and its kin.
    "picorv32": 12_000_000,
    "cortex-m3": 48_000_000,
    "cortex-m4": 64_000_000,
    # nRF54L15: 128 MHz.
    "cortex-m33": 128_000_000,
    # Tmote Sky: the DCO at 4 MHz, where its active current was measured.
    "msp430f1611": 4_000_000,
    # The highest clock without wait states of FRAM.
    "msp430fr5969": 8_000_000,
}


@pytest.mark.parametrize("name", CLOCKS_HZ)
def test_devices_have_the_clocks_of_their_boards(name: str) -> None:
    assert devices.device(name).clock_hz == CLOCKS_HZ[name]


def test_the_aes_engine_takes_384_cycles(tmp_path: Path) -> None:
    """24 us at 16 MHz (8266, 9.8.8): asked for until it is done.

    LDI 1 and STS 2 start it; 77 turns of LDS 2, SBRS 1 and RJMP 2 end with the
    first that begins 384 cycles later or more, at 385; then LDS 2 and SBRS,
    which skips, 2.
    """
    assembly = (
        r"ldi r24, 0x80\n sts 0x13c, r24\n"
        r"1: lds r24, 0x13d\n sbrs r24, 0\n rjmp 1b"
    )
    run = run_program(tmp_path, "atmega128rfa1", assembly)
    assert run.cycles == 3 + 77 * 5 + 4


# A loop of three turns and a call, on each family: cycles and instructions.
BRANCHES = [
    # LDI 1; DEC 1, BRNE 2 when taken, else 1; RCALL 3, RET 4, RJMP 2.
    (
        "atmega328p",
        r"ldi r24, 3\n 1: dec r24\n brne 1b\n rcall 2f\n rjmp 3f\n 2: ret\n 3:",
        *(1 + 3 * 1 + 2 * 2 + 1 + 3 + 4 + 2, 10),
    ),
    # A program counter of 22 bits: RCALL 4, RET 5.
    (
        "atmega2560",
        r"ldi r24, 3\n 1: dec r24\n brne 1b\n rcall 2f\n rjmp 3f\n 2: ret\n 3:",
        *(1 + 3 * 1 + 2 * 2 + 1 + 4 + 5 + 2, 10),
    ),
    # MOV #N 2; ADD R 1; any jump 2; CALL #N 5; RET 3.
    (
        "msp430f1611",
        (
            r"mov #0x2000, r12\n 1: add r12, r12\n jnc 1b\n"
            r"call #2f\n jmp 3f\n 2: ret\n 3:"
        ),
        *(2 + 3 * 1 + 3 * 2 + 5 + 3 + 2, 10),
    ),
    # MOVS 1; SUBS 1; branches 3 when taken, else 1; BL 3, BX 3.
    *(
        (
            core,
            (
                r".syntax unified\n movs r0, #3\n 1: subs r0, #1\n bne 1b\n"
                r"bl 2f\n b 3f\n 2: bx lr\n 3:"
            ),
            *(1 + 3 * 1 + 2 * 3 + 1 + bl + 3 + 3, 10),
        )
        for core, bl in (("cortex-m0", 4), ("cortex-m3", 3), ("cortex-m4", 3))
    ),
    # The same with branches of 2 when taken, else 1; BL 3, BX 2.
    (
        "cortex-m0plus",
        (
            r".syntax unified\n movs r0, #3\n 1: subs r0, #1\n bne 1b\n"
            r"bl 2f\n b 3f\n 2: bx lr\n 3:"
        ),
        *(1 + 3 * 1 + 2 * 2 + 1 + 3 + 2 + 2, 10),
    ),
    # BNE pairs with SUBS, whose flags it reads: 2 when taken, else none. BL, BX and B
    # are alone: 2 each.
    (
        "cortex-m33",
        (
            r".syntax unified\n movs r0, #3\n 1: subs r0, #1\n bne 1b\n"
            r"bl 2f\n b 3f\n 2: bx lr\n 3:"
        ),
        *(1 + 3 * 1 + 2 * 2 + 2 + 2 + 2, 10),
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("device", "assembly", "cycles", "instructions"), BRANCHES)
def test_branches_that_are_taken_and_not(
    device: str, assembly: str, cycles: int, instructions: int, tmp_path: Path
) -> None:
    run = run_program(tmp_path, device, assembly)
    assert (run.cycles, run.instructions) == (cycles, instructions)


# Instructions of the MSP430 (SLAU049, tables 3-14 to 3-16), and their cycles.
MSP430 = [
    ("mov r10, r12", 1),
    ("add #0x1234, r12", 2),
    ("mov @r1, r12", 2),
    ("mov 2(r1), r12", 3),
    ("mov &0x1100, r12", 3),
    ("mov r12, &0x3000", 4),
    ("mov #0x1234, &0x3000", 5),
    ("add &0x3000, &0x3002", 6),
    ("add @r1, &0x3002", 5),
    ("swpb r12", 1),
    ("rra r12", 1),
    ("rrc &0x3000", 4),
    ("push #0x1234", 4),
    ("clr r12", 1),
]


@pytest.mark.slow
@pytest.mark.parametrize(("assembly", "cycles"), MSP430)
def test_the_cycles_of_the_msp430_are_those_of_its_tables(
    assembly: str, cycles: int, tmp_path: Path
) -> None:
    assert run_program(tmp_path, "msp430f1611", assembly).cycles == cycles


# By the tables each takes one cycle: the constant generator makes 1, 2, 4, 8 and -1
# without memory (SLAU049, 3.2.4). mspdebug counts a cycle more, two for 1.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("assembly", "more"),
    [("dec r12", 2), ("add #2, r12", 1), ("bis #8, r12", 1), ("inv r12", 1)],
)
def test_mspdebug_counts_too_much_for_the_constant_generator(
    assembly: str, more: int, tmp_path: Path
) -> None:
    """Why the cycles of the MSP430 are called estimated, and are never too few."""
    assert run_program(tmp_path, "msp430f1611", assembly).cycles == 1 + more
    assert devices.device("msp430f1611").family.cycles == "estimated"
