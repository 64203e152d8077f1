# SPDX-License-Identifier: Apache-2.0
"""Each instruction of AVRe, AVRxm and AVRxt beside the manual that it is from.

AVR Instruction Set Manual DS40002198: the tables of cycles of section 6.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from bench_toys import run_program

from samara.bench import devices, images, simulators, toolchain
from samara.bench.simulators import CrashError, avr_programs

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.images import Image

# Assembly, and its cycles on AVRe, AVRxm and AVRxt. Y and Z point into the RAM, r24 is
# 0 and r25 is 1.
TAKES = [
    ("nop", 1, 1, 1),
    ("add r24, r24", 1, 1, 1),
    ("movw r18, r24", 1, 1, 1),
    ("adiw r26, 0", 2, 2, 2),
    ("sbiw r26, 0", 2, 2, 2),
    ("mul r24, r25", 2, 2, 2),
    ("muls r24, r25", 2, 2, 2),
    ("fmul r16, r17", 2, 2, 2),
    ("ldi r16, 3", 1, 1, 1),
    ("swap r16", 1, 1, 1),
    ("bst r16, 0", 1, 1, 1),
    ("in r0, 0x3f", 1, 1, 1),
    ("out 0x3f, r0", 1, 1, 1),
    ("wdr", 1, 1, 1),
    # Loads.
    ("lds r0, {ram}", 2, 3, 3),
    ("ld r0, X", 2, 2, 2),
    ("ld r0, X+", 2, 2, 2),
    ("ld r0, -X", 2, 3, 2),
    ("ld r0, Y", 2, 2, 2),
    ("ld r0, Y+", 2, 2, 2),
    ("ld r0, -Y", 2, 3, 2),
    ("ldd r0, Y+1", 2, 3, 2),
    ("ldd r0, Y+8", 2, 3, 2),
    ("ldd r0, Y+63", 2, 3, 2),
    ("ld r0, Z", 2, 2, 2),
    ("ld r0, Z+", 2, 2, 2),
    ("ld r0, -Z", 2, 3, 2),
    ("ldd r0, Z+32", 2, 3, 2),
    # Stores.
    ("sts {ram}, r0", 2, 2, 2),
    ("st X, r0", 2, 1, 1),
    ("st X+, r0", 2, 1, 1),
    ("st -X, r0", 2, 2, 1),
    ("st Y, r0", 2, 1, 1),
    ("st Y+, r0", 2, 1, 1),
    ("st -Y, r0", 2, 2, 1),
    ("std Y+1, r0", 2, 2, 1),
    ("std Y+16, r0", 2, 2, 1),
    ("st Z, r0", 2, 1, 1),
    ("st Z+, r0", 2, 1, 1),
    ("st -Z, r0", 2, 2, 1),
    ("std Z+32, r0", 2, 2, 1),
    ("std Z+63, r0", 2, 2, 1),
    ("push r0", 2, 1, 1),
    ("pop r0", 2, 2, 2),
    ("lpm r0, Z", 3, 3, 3),
    ("lpm r0, Z+", 3, 3, 3),
    ("sbiw r30, 1", 2, 2, 2),
    ("lpm", 3, 3, 3),
    # Bits of the general purpose register at I/O address 0x1e, or of what is there.
    ("cbi 0x1e, 0", 2, 1, 1),
    ("sbi 0x1e, 0", 2, 1, 1),
    ("cbi 0x1e, 0", 2, 1, 1),
    # Skips: not taken, over one word, over two.
    ("sbrc r25, 0", 1, 1, 1),
    ("sbrs r25, 0\n nop", 2, 2, 2),
    ("sbrs r25, 0\n jmp 0", 3, 3, 3),
    ("cpse r24, r25", 1, 1, 1),
    ("cpse r24, r24\n jmp 0", 3, 3, 3),
    ("sbis 0x1e, 0", 1, 2, 1),
    ("sbic 0x1e, 0\n nop", 2, 3, 2),
    ("sbic 0x1e, 0\n jmp 0", 3, 4, 3),
    # Branches and jumps.
    ("cp r24, r25", 1, 1, 1),
    ("breq .+0", 1, 1, 1),
    ("brne .+0", 2, 2, 2),
    ("rjmp .+0", 2, 2, 2),
    ("jmp 1f\n 1:", 3, 3, 3),
]

# Calls, for a program counter of 16 bits and of 22, and the return from them.
CALLS = {
    "atmega328p": {"rcall": 3, "call": 4, "icall": 3, "ret": 4},
    "atmega2560": {"rcall": 4, "call": 5, "icall": 4, "eicall": 4, "ret": 5},
    "atxmega128a1": {"rcall": 3, "call": 4, "icall": 3, "eicall": 3, "ret": 5},
    "atmega4809": {"rcall": 2, "call": 3, "icall": 2, "ret": 4},
}
COLUMN = {"atmega328p": 1, "atmega2560": 1, "atxmega128a1": 2, "atmega4809": 3}


def built(folder: Path, name: str, assembly: str, data: str = "") -> Image:
    """Link a program that is this assembly."""
    device = devices.device(name)
    family = device.family
    source = folder / f"{name}.c"
    lines = "".join(f'"{line}\\n"\n' for line in assembly.splitlines())
    source.write_text(
        f"{data}\nint main(void) {{\n__asm__ __volatile__({lines});\n}}\n"
    )
    flags = [*device.words(family.flags), "-Os"]
    start = [family.folder / each for each in family.sources]
    image = folder / f"{name}.elf"
    command: list[str | Path] = [family.compiler, *flags, source, *start, "-o", image]
    toolchain.run([*command, *device.words(family.linker_flags)])
    return images.read(image)


def cycles_between(name: str, image: Image, labels: list[str]) -> list[int]:
    """Run a program from label to label, and return the cycles."""
    limits = {"limit": 10_000, "floor": devices.device(name).ram_start}
    with simulators.start(devices.device(name), image.path) as simulator:
        simulator.go(image.symbols[labels[0]], **limits)
        return [
            simulator.go(image.symbols[label], **limits).cycles for label in labels[1:]
        ]


def labelled(steps: list[str]) -> tuple[str, list[str]]:
    """Return assembly with a label before each step and behind the last."""
    labels = [f"at_{number}" for number in range(len(steps) + 1)]
    parts = [
        f".global {label}\n{label}:\n{step}"
        for label, step in zip(labels, [*steps, "rjmp .-2"], strict=True)
    ]
    return "\n".join(parts), labels


@pytest.mark.parametrize("name", COLUMN)
def test_an_instruction_takes_what_the_manual_says(name: str, tmp_path: Path) -> None:
    ram = devices.device(name).ram_start + 64
    pointers = "".join(
        f"ldi r{low}, lo8({ram})\n ldi r{low + 1}, hi8({ram})\n" for low in (26, 28, 30)
    )
    steps, labels = labelled([row[0].format(ram=ram) for row in TAKES])
    begin = f"ldi r24, 0\n ldi r25, 1\n {pointers}"
    found = cycles_between(name, built(tmp_path, name, begin + steps), labels)
    column = COLUMN[name]
    wanted = [(row[0], row[column]) for row in TAKES]
    assert list(zip([row[0] for row in TAKES], found, strict=True)) == wanted


@pytest.mark.parametrize("name", CALLS)
def test_a_call_takes_what_the_manual_says(name: str, tmp_path: Path) -> None:
    calls = [verb for verb in CALLS[name] if verb != "ret"]
    begin = "ldi r30, lo8(gs(called))\n ldi r31, hi8(gs(called))\n"
    begin += "ldi r16, 0\n out 0x3c, r16\n" if "eicall" in calls else ""
    targets = [f"{call} {'' if 'icall' in call else 'called'}" for call in calls]
    steps, labels = labelled(targets)
    image = built(tmp_path, name, f"{begin}\n{steps}\n.global called\ncalled: ret")
    stops = [labels[0], *(stop for label in labels[1:] for stop in ("called", label))]
    found = cycles_between(name, image, stops)
    assert found[0::2] == [CALLS[name][call] for call in calls]
    assert found[1::2] == [CALLS[name]["ret"]] * len(calls)


# Copies three bytes in a function.
COPY = (
    r"ldi r26, lo8({ram})\n ldi r27, hi8({ram})\n ldi r30, lo8({ram} + 9)\n"
    r" ldi r31, hi8({ram} + 9)\n call 1f\n rjmp 3f\n"
    r" 1: push r28\n ldi r24, 3\n 2: ld r0, X+\n st Z+, r0\n dec r24\n brne 2b\n"
    r" pop r28\n ret\n 3:"
)


@pytest.mark.parametrize(
    ("name", "cycles"),
    [
        ("atmega328p", 4 * 1 + 4 + 2 + 2 + 1 + 3 * (2 + 2 + 1) + 2 + 2 + 1 + 2 + 4),
        ("atxmega128a1", 4 * 1 + 4 + 2 + 1 + 1 + 3 * (2 + 1 + 1) + 2 + 2 + 1 + 2 + 5),
        ("atmega4809", 4 * 1 + 3 + 2 + 1 + 1 + 3 * (2 + 1 + 1) + 2 + 2 + 1 + 2 + 4),
    ],
)
def test_a_program_takes_what_was_counted_by_hand(
    name: str, cycles: int, tmp_path: Path
) -> None:
    ram = devices.device(name).ram_start + 64
    run = run_program(tmp_path, name, COPY.format(ram=ram))
    assert (run.cycles, run.instructions) == (cycles, 22)


# Flash memory of the ATmega4809 as data

CONSTANT = "__attribute__((used)) static const unsigned char constant[3] = {7, 8, 9};"


def test_what_lies_in_flash_is_loaded_as_data_and_takes_a_cycle_more(
    tmp_path: Path,
) -> None:
    steps, labels = labelled(["lds r24, constant + 1", "ld r25, -X", "ldd r20, Z+1"])
    pointers = "".join(
        f"ldi r{low}, lo8(constant + {at})\n ldi r{low + 1}, hi8(constant + {at})\n"
        for low, at in ((26, 3), (30, -1))
    )
    image = built(tmp_path, "atmega4809", pointers + steps, CONSTANT)
    assert 0x4000 <= image.symbols["constant"] < 0x4000 + 49_152
    with simulators.start(devices.device("atmega4809"), image.path) as simulator:
        simulator.go(image.symbols[labels[0]], limit=1000, floor=0x2800)
        taken = [
            simulator.go(image.symbols[label], limit=9, floor=0x2800).cycles
            for label in labels[1:]
        ]
        loaded = [simulator.read(register, 1)[0] for register in (24, 25, 20)]
    assert (taken, loaded) == ([4, 3, 3], [8, 9, 7])


@pytest.mark.parametrize(
    ("name", "assembly", "address"),
    [
        ("atmega4809", "sts 0x4000, r0", 0x4000),
        ("atmega4809", "sts 0x27ff, r0", 0x27FF),
        ("atmega4809", "lds r0, 0x0000", 0),
        ("atxmega128a1", "lds r0, 0x4000", 0x4000),
        ("atxmega128a1", "sts 0x1fff, r0", 0x1FFF),
    ],
)
def test_memory_that_the_chip_does_not_have_is_a_crash(
    name: str, assembly: str, address: int, tmp_path: Path
) -> None:
    with pytest.raises(CrashError, match=f"there is no memory at {address:#x} at"):
        run_program(tmp_path, name, assembly)


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [("atmega4809", 0x2800, 0xFFFF), ("atxmega128a1", 0x2000, 0x3FFF)],
)
def test_memory_begins_and_ends_where_the_chip_has_it(
    name: str, first: int, last: int, tmp_path: Path
) -> None:
    assembly = f"lds r0, {first}\\n lds r0, {last}"
    in_flash = 1 if name == "atmega4809" else 0
    assert run_program(tmp_path, name, assembly).cycles == 6 + in_flash


@pytest.mark.parametrize("name", ["atmega4809", "atxmega128a1"])
def test_a_stack_pointer_written_low_half_first_is_not_read_in_between(
    name: str, tmp_path: Path
) -> None:
    # 150 times down by 2 bytes and up again, as avr-gcc writes it for XMEGA.
    step = r"1: {change} r28, 2\n out 0x3d, r28\n out 0x3e, r29\n dec r24\n brne 1b\n "
    begin = r"ldi r24, 150\n "
    assembly = (
        r"in r28, 0x3d\n in r29, 0x3e\n "
        + begin
        + step.format(change="sbiw")
        + begin
        + step.format(change="adiw")
    )
    assert run_program(tmp_path, name, assembly).stack_bytes == 300


def test_the_runner_says_how_it_is_called(tmp_path: Path) -> None:
    runner = str(avr_programs.avr_program("runner"))
    for words in ("avrxz 1 2 3 4", "avrxt 1 2 3", "avrxt 0 0 1 0"):
        command = [runner, "atmega644p", "1", str(tmp_path / "none"), *words.split()]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr.startswith("usage: runner MMCU CLOCK_HZ IMAGE [aes-engine]")


def test_an_image_that_is_larger_than_the_flash_is_refused(tmp_path: Path) -> None:
    image = built(tmp_path, "atmega4809", "nop", CONSTANT)
    runner = str(avr_programs.avr_program("runner"))
    for size, code in ((image.flash_bytes, 0), (image.flash_bytes - 1, 2)):
        words = ["atmega644p", "1", str(image.path), "avrxt", "10240", "6144"]
        command = [runner, *words, str(size), "16384"]
        done = subprocess.run(
            command, input="", capture_output=True, text=True, check=False
        )
        assert done.returncode == code
