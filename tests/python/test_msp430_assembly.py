# SPDX-License-Identifier: Apache-2.0
"""MSP430 assembly: its registers and its answers."""

import functools
import random
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from samara.bench import (
    devices,
    images,
    simulators,
    subjects,
    toolchain,
    ways,
)
from samara.bench.measuring import Task, measure
from samara.bench.simulators.base import Run
from samara.bench.simulators.mspdebug import MspDebug
from samara.crypto import grain128ple
from samara.crypto.block import block_cipher
from samara.crypto.registry import suite

ROOT = Path(__file__).parents[2]
DEVICE = "msp430f1611"

# r4 to r10, and the stack pointer, belong to the caller.
_KEPT = range(4, 11)
_REGISTERS = range(4, 16)
# Arguments on the stack, numbered behind the registers.
_PUSHED = range(16, 20)
_RESULT = 12
_WORD = 2
_PROGRAM = """
#include <stdint.h>
uint16_t target, values[12], pushed[4], after[12], stack_before, stack_after;
int main(void);
__attribute__((naked)) int main(void) {
  __asm__(".global at_call\\n at_call:\\n mov r1, &stack_before\\n"
          PUSH LOAD "call &target\\n" STORE "add #8, r1\\n"
          "mov r1, &stack_after\\n"
          ".global behind_call\\n behind_call: jmp behind_call\\n");
}
"""

_BLOCK_CALLS: dict[str, dict[int, int | tuple[int]]] = {
    "set_key": {12: (0,), 13: (5,)},
    "encrypt": {12: (0,), 13: (5,), 14: (6,)},
    "decrypt": {12: (0,), 13: (6,), 14: (5,)},
}

_ONE_CALL: dict[int, int | tuple[int]] = {
    12: (4,),
    13: (5,),
    14: (6,),
    15: (7,),
    16: (4,),
    17: 20,
    18: (5,),
    19: 33,
}

# Arguments by register: a number, or (n,) for the address of buffer n; and whether r11
# to r15 are zeros at the end.
_FUNCTIONS: dict[str, tuple[dict[int, int | tuple[int]], bool]] = {
    "samara_aes_msp430_encrypt_block": ({12: (0,), 13: 10, 14: (5,), 15: (6,)}, True),
    "samara_aes_msp430_expand_key128": ({12: (0,), 13: (5,)}, True),
    "samara_speck128_128_encrypt": ({12: (0,), 13: (5,), 14: (6,)}, False),
    **{
        f"samara_{cipher}_{verb}": (arguments, False)
        for cipher in ("speck64_96", "speck64_128", "simon64_96", "simon64_128")
        for verb, arguments in _BLOCK_CALLS.items()
    },
    "samara_ascon_msp430_permute": ({12: (0,), 13: 0xB4}, False),
    "samara_grain128_msp430_clocks": ({12: (0,), 13: (1,), 14: 16}, False),
    "samara_grain128aead_encrypt": ({12: (0,), 13: (5,), 14: (6,), 15: 37}, False),
    "samara_grain128aead_decrypt": ({12: (0,), 13: (5,), 14: (6,), 15: 16}, False),
    "samara_grain128aead_absorb": ({12: (0,), 13: (5,), 14: 17}, False),
}
_TURNS = 4
_BUFFERS = 0x1400
"""Above the program's variables and below its stack."""
_BUFFER_BYTES = 0x120


_SMALL = ("-Os", "-DSAMARA_ARCH_MSP430=0", "-DSAMARA_ARCH_MSP430_GRAIN_SMALL=1")
_BUILDS = {"Os": ("-Os",), "O2": ("-O2",), "small": _SMALL}
_CASES = [
    (build, name)
    for build in _BUILDS
    for name in _FUNCTIONS
    if build != "small" or "grain" in name
]
_CALLS = {
    "samara_grain128aead_seal": (_ONE_CALL, True),
    "samara_grain128aead_open": (_ONE_CALL, True),
}
"""Of the small build alone: in the others they are C."""


def _linked(folder: Path, build: str, sources: list[Path]) -> images.Image:
    """Return a program of these sources and the family's own."""
    device = devices.device(DEVICE)
    family = device.family
    headers = toolchain.compiler_headers(family.compiler)
    flags = [word.format(headers=headers) for word in device.words(family.flags)]
    core = ROOT / "core"
    options = [*flags, *_BUILDS[build], f"-I{core}", f"-I{core}/include"]
    objects = []
    for source in [*sources, *(family.folder / name for name in family.sources)]:
        objects.append(folder / f"{source.stem}.o")
        toolchain.run([family.compiler, *options, "-c", source, "-o", objects[-1]])
    linked = folder / "main.elf"
    link = device.words(family.linker_flags)
    toolchain.run([family.linker, *link, *objects, "-o", linked])
    return images.read(linked)


@pytest.fixture(scope="module")
def caller(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], images.Image]:
    """Return how to have the program of a build that calls a function."""

    @functools.cache
    def program(build: str) -> images.Image:
        folder = tmp_path_factory.mktemp("msp430")
        main = folder / "main.c"
        load = "".join(f"mov &values+{_WORD * n - 8}, r{n}\\n" for n in _REGISTERS)
        store = "".join(f"mov r{n}, &after+{_WORD * n - 8}\\n" for n in _REGISTERS)
        push = "".join(
            f"mov &pushed+{_WORD * n}, r4\\n push r4\\n"
            for n in reversed(range(len(_PUSHED)))
        )
        text = _PROGRAM
        for word, code in (("PUSH", push), ("LOAD", load), ("STORE", store)):
            text = text.replace(word, f'"{code}"')
        main.write_text(text)
        core = ROOT / "core" / "arch" / "msp430"
        names = (
            *("aes", "ascon", "speck", "speck_64", "simon_64"),
            *("grain128", "grain128_small"),
        )
        sources = [core / f"{name}_msp430.c" for name in names]
        return _linked(folder, build, [main, *sources])

    return program


def _address(buffer: int, offset: int) -> int:
    """Return the address of a buffer; those from 4 on are of bytes, at any address."""
    return _BUFFERS + _BUFFER_BYTES * (buffer % 4) + (offset if buffer >= 4 else 0)


@dataclass(frozen=True)
class Called:
    """What a call of a function left."""

    before: dict[int, int]
    after: dict[int, int]
    stack_kept: bool
    memory: bytes


def _called(
    image: images.Image,
    name: str,
    arguments: dict[int, int | tuple[int]],
    odd: int,
    memory: bytes,
    turn: int = 0,
) -> Called:
    """Call a function with random registers and these bytes in the buffers."""
    chance = random.Random(f"{name} {odd} {turn}")  # noqa: S311 - any registers
    values = {n: chance.randrange(1, 1 << 16) for n in (*_REGISTERS, *_PUSHED)}
    for register, value in arguments.items():
        values[register] = value if isinstance(value, int) else _address(*value, odd)
    with simulators.start(devices.device(DEVICE), image.path) as simulator:
        simulator.go(image.symbols["at_call"], limit=1_000_000, floor=0)
        for symbol, words in (
            ("target", [image.symbols[name]]),
            ("values", [values[n] for n in _REGISTERS]),
            ("pushed", [values[n] for n in _PUSHED]),
        ):
            data = b"".join(word.to_bytes(_WORD, sys.byteorder) for word in words)
            simulator.write(image.symbols[symbol], data)
        simulator.write(_BUFFERS, memory)
        simulator.go(image.symbols["behind_call"], limit=10_000_000, floor=0)
        raw = simulator.read(image.symbols["after"], _WORD * len(_REGISTERS))
        stacks = [
            simulator.read(image.symbols[f"stack_{when}"], _WORD)
            for when in ("before", "after")
        ]
        left = simulator.read(_BUFFERS, len(memory))
    after = {
        n: int.from_bytes(raw[_WORD * i : _WORD * (i + 1)], sys.byteorder)
        for i, n in enumerate(_REGISTERS)
    }
    return Called(values, after, stacks[0] == stacks[1], left)


@pytest.mark.parametrize("odd", [0, 1])
@pytest.mark.parametrize(
    ("build", "name"), [*_CASES, *(("small", name) for name in _CALLS)]
)
def test_the_registers_of_the_caller_are_kept(
    caller: Callable[[str], images.Image], build: str, name: str, odd: int
) -> None:
    # Several times: a register that is changed may be as it was by chance.
    for turn in range(_TURNS):
        _check_registers(caller(build), name, odd, turn)


def _check_registers(image: images.Image, name: str, odd: int, turn: int) -> None:
    arguments, wipes = (_FUNCTIONS | _CALLS)[name]
    memory = random.Random(f"{name} {turn}").randbytes(4 * _BUFFER_BYTES)  # noqa: S311
    called = _called(image, name, arguments, odd, memory, turn)
    assert called.memory != memory
    assert called.stack_kept
    assert [called.after[n] for n in _KEPT] == [called.before[n] for n in _KEPT]
    if wipes:
        cleared = [n for n in range(11, 16) if name not in _CALLS or n != _RESULT]
        assert not any(called.after[n] for n in cleared)


@pytest.mark.parametrize("odd", [0, 1])
@pytest.mark.parametrize("build", ["Os", "O2"])
@pytest.mark.parametrize(
    "slug", ["speck64-96", "speck64-128", "simon64-96", "simon64-128"]
)
def test_blocks_of_64_bits_are_those_of_the_host(
    caller: Callable[[str], images.Image], slug: str, build: str, odd: int
) -> None:
    """At even and at odd addresses, each way, with nothing written beside."""
    cipher = block_cipher(slug)
    memory = random.Random(f"{slug} {odd}").randbytes(4 * _BUFFER_BYTES)  # noqa: S311
    first, second = (_address(n, odd) - _BUFFERS for n in (5, 6))
    key = memory[first : first + cipher.key_size]
    plaintext = memory[second : second + 8]
    ciphertext = cipher.encrypt(key, plaintext)

    def call(verb: str, memory: bytes) -> bytes:
        name = f"samara_{slug.replace('-', '_')}_{verb}"
        return _called(caller(build), name, _BLOCK_CALLS[verb], odd, memory).memory

    keyed = call("set_key", memory)
    rounds = (
        4
        * {
            "speck64-96": 26,
            "speck64-128": 27,
            "simon64-96": 42,
            "simon64-128": 44,
        }[slug]
    )
    assert keyed[rounds:] == memory[rounds:]
    sealed = call("encrypt", keyed)
    want = bytearray(keyed)
    want[first : first + 8] = ciphertext
    assert sealed == bytes(want)
    want[second : second + 8] = bytes(8)
    opened = call("decrypt", bytes(want))
    want[second : second + 8] = plaintext
    assert opened == bytes(want)


_OVERLAP = 0x10000 - 7
_FORGED = 0x10000 - 1
_CALL_SIZES = ((0, 0), (1, 1), (2, 127), (1, 128), (3, 255), (2, 256))
"""Bytes of message and associated data."""


@pytest.mark.parametrize("odd", [0, 1])
@pytest.mark.parametrize(("size", "ad_size"), _CALL_SIZES)
def test_seal_and_open_write_what_they_ought_to_and_nothing_else(
    caller: Callable[[str], images.Image], size: int, ad_size: int, odd: int
) -> None:
    """Also of a forged message: zeros, whichever bit of the tag was changed."""
    memory = random.Random(f"{size} {odd}").randbytes(4 * _BUFFER_BYTES)  # noqa: S311
    key, tag, ad, text = (_address(n, odd) - _BUFFERS for n in range(4, 8))
    nonce = key + 16
    arguments: dict[int, int | tuple[int]] = {
        12: (4,),
        13: _BUFFERS + text,
        14: (5,),
        15: _BUFFERS + nonce,
        16: (6,),
        17: ad_size,
        18: _BUFFERS + text,
        19: size,
    }

    def call(verb: str, memory: bytes) -> tuple[int, bytes]:
        name = f"samara_grain128aead_{verb}"
        called = _called(caller("small"), name, arguments, odd, memory)
        return called.after[_RESULT], called.memory

    sealed = suite("grain128aead").seal(
        memory[key : key + 16],
        memory[nonce : nonce + 12],
        memory[text : text + size],
        memory[ad : ad + ad_size],
    )
    want = bytearray(memory)
    want[text : text + size] = sealed[:size]
    want[tag : tag + 8] = sealed[size:]
    assert call("seal", memory) == (0, bytes(want))
    opened = bytearray(want)
    opened[text : text + size] = memory[text : text + size]
    assert call("open", bytes(want)) == (0, bytes(opened))
    for bit in (0, 63):
        want[tag + bit // 8] ^= 1 << bit % 8
        wiped = bytearray(want)
        wiped[text : text + size] = bytes(size)
        assert call("open", bytes(want)) == (_FORGED, bytes(wiped))


@pytest.mark.parametrize("verb", ["seal", "open"])
@pytest.mark.parametrize(
    ("distance", "size", "refused"),
    [(1, 2, True), (-1, 2, True), (1, 1, False), (-1, 1, False), (9, 10, True)],
)
def test_output_that_overlaps_input_is_refused(
    caller: Callable[[str], images.Image],
    verb: str,
    distance: int,
    size: int,
    refused: bool,  # noqa: FBT001 - an expectation
) -> None:
    memory = random.Random(verb).randbytes(4 * _BUFFER_BYTES)  # noqa: S311 - any bytes
    text = _address(7, 16)
    arguments: dict[int, int | tuple[int]] = {
        12: (4,),
        13: text + distance,
        14: (5,),
        15: (6,),
        16: (4,),
        17: 2,
        18: text,
        19: size,
    }
    name = f"samara_grain128aead_{verb}"
    called = _called(caller("small"), name, arguments, 0, memory)
    assert (called.after[_RESULT] == _OVERLAP) == refused
    assert (called.memory == memory) == refused


# Ends of the batches of 16 bytes, and each form of the associated data's length.
_SIZES = ((0, 0), (1, 1), (15, 127), (16, 128), (17, 255), (33, 256))


_STREAM_SIZES = tuple((size, 0) for size, _ in _SIZES)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("implementation", "slug", "sizes"),
    [
        ("assembly", "grain128aead", _SIZES),
        ("small", "grain128aead", _SIZES),
        ("assembly", "grain128ple", _STREAM_SIZES),
        ("small", "grain128ple", _STREAM_SIZES),
        ("assembly", "ascon-aead128", _SIZES),
        ("assembly", "speck128-128", ((16, 0),)),
        ("assembly", "speck64-128", ((8, 0),)),
        ("assembly", "simon64-96", ((8, 0),)),
    ],
)
def test_with_o2_answers_are_those_of_the_host(
    implementation: str, slug: str, sizes: tuple[tuple[int, int], ...]
) -> None:
    build = ways.Build(devices.device(DEVICE), implementation, "O2")
    rows = measure(Task(build, subjects.subject(slug), sizes, samples=16))
    assert [row.has_figures for row in rows] == [True] * len(sizes)
    assert [row.varies for row in rows] == [{}] * len(sizes)


_STEPS = 400
"""Steps that the simulator is asked for at a time."""
_STEPPED = {
    "samara_grain128aead_encrypt": {15: 3},
    "samara_grain128aead_absorb": {14: 3},
}
"""Shorter inputs of long functions: few steps are asked for in a second."""


class _Stepped(MspDebug):
    """A processor that is run step by step, to see where words lie.

    The simulator reads words at odd addresses; the chip takes the byte before (SLAU049,
    section 1.4.1).
    """

    def __init__(self, device: devices.Device, image: Path) -> None:
        self.misplaced: list[str] = []
        super().__init__(device, image)

    def go(self, until: int, **bounds: int) -> Run:
        """Run until the program counter is at `until`, from the first call in steps."""
        if self._pc < 0:
            return super().go(until, **bounds)
        end = f"{until:05x})"
        while True:
            self._commands += ["step"] * _STEPS
            steps = self._do_commands().split("( PC: ")[1:]
            ended = [step.startswith(end) for step in steps]
            last = ended.index(True) if any(ended) else len(steps)
            self.misplaced += [
                place for step in steps[:last] for place in _words_misplaced(step)
            ]
            if any(ended):
                return Run(0, 0, None)


_REGISTER = re.compile(r"\( ?(SP|R\d+): ([0-9a-f]+)\)")
_INSTRUCTION = re.compile(
    r"^ +[0-9a-f]{5}: (?:[0-9a-f]{2} )+ +([A-Z.]+) *(.*)$", re.MULTILINE
)
_OPERAND = re.compile(r"@(R\d+|SP)|(-?0x[0-9a-f]+)\((R\d+|SP)\)")


def _words_misplaced(step: str) -> list[str]:
    """Return the instruction of a step if an operand is a word at an odd address."""
    registers = {name: int(value, 16) for name, value in _REGISTER.findall(step)}
    found = _INSTRUCTION.search(step)
    assert found, step
    if found[1].endswith(".B"):
        return []
    addresses = [
        registers[indirect or base] + int(offset or "0", 16)
        for indirect, offset, base in _OPERAND.findall(found[2])
    ]
    return [found[0].strip()] if any(address % 2 for address in addresses) else []


@pytest.mark.slow
@pytest.mark.parametrize(("build", "name"), _CASES)
def test_words_are_at_even_addresses(
    caller: Callable[[str], images.Image],
    build: str,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[_Stepped] = []

    def start(device: devices.Device, image: Path) -> _Stepped:
        started.append(_Stepped(device, image))
        return started[0]

    monkeypatch.setattr(simulators, "start", start)
    arguments = _FUNCTIONS[name][0] | _STEPPED.get(name, {})
    memory = random.Random(name).randbytes(4 * _BUFFER_BYTES)  # noqa: S311 - any bytes
    called = _called(caller(build), name, arguments, 1, memory)
    assert called.memory != memory
    assert not started[0].misplaced


_PLE = """
#include <samara/grain128ple.h>
uint8_t key[16], nonce[12], bytes[40];
int main(void) {
  samara_grain128ple state;
  samara_grain128ple_init(&state, key, nonce);
  samara_grain128ple_keystream(&state, bytes, 5);
  samara_grain128ple_xor(&state, bytes, 5, 8 * 40 - 5);
  __asm__ __volatile__(".global done\\n done: nop");
  for (;;) {
  }
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("build", ["Os", "small"])
def test_keystream_goes_on_behind_pending_bits(tmp_path: Path, build: str) -> None:
    main = tmp_path / "main.c"
    main.write_text(_PLE)
    core = ROOT / "core"
    machine = [f"grain128{part}_msp430.c" for part in ("", "_small", "_start")]
    names = [f"arch/msp430/{name}" for name in machine]
    common = ("stream/grain128ple.c", "common/stack.c", "common/memory.c")
    image = _linked(tmp_path, build, [main, *(core / n for n in (*names, *common))])
    with simulators.start(devices.device(DEVICE), image.path) as simulator:
        simulator.go(image.symbols["done"], limit=100_000_000, floor=0)
        answer = simulator.read(image.symbols["bytes"], 40)
    assert answer == bytes(grain128ple.keystream(bytes(16), bytes(12), 8 * 40))
