# SPDX-License-Identifier: Apache-2.0
"""AVR assembly: the registers of the compiler's convention."""

import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from samara.bench import devices, images, simulators

ROOT = Path(__file__).parents[2]

# r2 to r17 and Y belong to the caller; r1 is zero for every function.
_KEPT = (*range(2, 18), 28, 29)
# Above the program's variables and below its stack.
_BUFFERS = 0x200
_BUFFERS_SIZE = 0x300
_PROGRAM = """
#define CALL(name) \\
  __asm__ __volatile__(".global at_" #name "\\n at_" #name ": call " #name \\
                       "\\n .global behind_" #name "\\n behind_" #name ": nop")
__attribute__((section(".noinit"))) volatile unsigned char which;
int main(void) {
  switch (which) {
"""

_DATA = (0, *range(18, 26))
_AES = (*_DATA, 30)

# Arguments, by register pair, and the registers that are zero in the end.
_FUNCTIONS: dict[str, tuple[dict[int, float], tuple[int, ...]]] = {
    "samara_aes_avr_encrypt_block": ({24: 0, 22: 10, 20: 1, 18: 2}, _AES),
    "samara_aes_avr_absorb_blocks": ({24: 0, 22: 10, 20: 1, 18: 2, 16: 3}, _AES),
    "samara_aes_avr_count_blocks": (
        {24: 0, 22: 10, 20: 1, 18: 2, 16: 2, 14: 14, 12: 3},
        _AES,
    ),
    "samara_aes_avr_expand_key128": ({24: 0, 22: 1}, _AES),
    **{
        f"samara_aes_avr_expand_key_more {words}": ({24: 0, 22: 1, 20: words}, _AES)
        for words in (6, 8)
    },
    "samara_aes_avr_decrypt_block": ({24: 0.75, 22: 10, 20: 1, 18: 2}, _AES),
    "samara_ghash_avr_multiply": ({24: 0}, (0, 18, 20, 21)),
    "samara_avr_xor_bytes": ({24: 0, 22: 1, 20: 2, 18: 21}, ()),
    "samara_avr_wipe": ({24: 0, 22: 21}, ()),
    "samara_ascon_avr_permute": ({24: 0, 22: 0xB4}, _DATA),
    "samara_chacha20_avr_rounds": ({24: 0}, (18, 19, 20, 21)),
    # An odd and an even number of words, without and with input and output.
    **{
        f"samara_acorn128_avr_clocks {words} {flags}": (
            {24: 0, 22: 1, 20: 2, 18: words, 16: flags},
            _DATA,
        )
        for words in (1, 2)
        for flags in (0, 7, 24, 31)
    },
    "samara_poly1305_avr_block": ({24: 0, 22: 1}, (0, 18, 19, 20, 21)),
}
_POINTERS: dict[str, tuple[int, ...]] = {
    "samara_avr_xor_bytes": (24, 22, 20),
    "samara_avr_wipe": (24,),
    "samara_aes_avr_encrypt_block": (24, 20, 18),
    "samara_aes_avr_absorb_blocks": (24, 20, 18),
    "samara_aes_avr_count_blocks": (24, 20, 18, 16),
    "samara_aes_avr_expand_key128": (24, 22),
    "samara_aes_avr_expand_key_more": (24, 22),
    "samara_aes_avr_decrypt_block": (24, 20, 18),
    "samara_ghash_avr_multiply": (24,),
    "samara_ascon_avr_permute": (24,),
    "samara_chacha20_avr_rounds": (24,),
    "samara_acorn128_avr_clocks": (24, 22, 20),
    "samara_poly1305_avr_block": (24, 22),
}
# Rounds for each size of word: those of all sizes of key, where they differ in how
# they enter an unrolled loop.
_SPECK_ROUNDS = {16: (22,), 24: (22, 23), 32: (26, 27), 48: (28, 29), 64: (32, 33, 34)}
for _bits, _each in _SPECK_ROUNDS.items():
    for _verb, _keys in (("encrypt", 0), ("decrypt", 1)):
        _name = f"samara_speck_avr_{_verb}{_bits}"
        _POINTERS[_name] = (24, 20, 18)
        for _rounds in _each:
            _arguments: dict[int, float] = {24: _keys, 22: _rounds, 20: 1, 18: 2}
            _FUNCTIONS[f"{_name} {_rounds}"] = (_arguments, _DATA)
    for _verb in ("expand", "schedule"):
        _name = f"samara_speck_avr_{_verb}{_bits}"
        _POINTERS[_name] = (24, 22)
        _FUNCTIONS[_name] = ({24: 0, 22: 2, 20: _each[0], 18: 3}, _DATA)
_SIMON_ROUNDS = {16: (32,), 24: (36,), 32: (42,), 48: (52,), 64: (68, 69)}
for _bits, _each in _SIMON_ROUNDS.items():
    for _verb, _keys in (("encrypt", 0), ("decrypt", 3)):
        _name = f"samara_simon_avr_{_verb}{_bits}"
        _POINTERS[_name] = (24, 20, 18)
        for _rounds in _each:
            _arguments = {24: _keys, 22: _rounds, 20: 1, 18: 2}
            _FUNCTIONS[f"{_name} {_rounds}"] = (_arguments, _DATA)
    _name = f"samara_simon_avr_expand{_bits}"
    _POINTERS[_name] = (16, 14)
    _arguments = {16: 0, 14: 2, 12: _each[0], 10: 3}
    _FUNCTIONS[_name] = (_arguments, _DATA)
for _cipher in ("speck64_96", "speck64_128", "simon64_96", "simon64_128"):
    _POINTERS[f"samara_{_cipher}_set_key"] = (24, 22)
    _FUNCTIONS[f"samara_{_cipher}_set_key"] = ({24: 0, 22: 2}, _DATA)
    for _verb in ("encrypt", "decrypt"):
        _name = f"samara_{_cipher}_{_verb}"
        _POINTERS[_name] = (24, 22, 20)
        _FUNCTIONS[_name] = ({24: 0, 22: 1, 20: 2}, _DATA)
for _bits in (128, 192, 256):
    _POINTERS[f"samara_modspeck_avr_derive{_bits}"] = (24, 22)
    _FUNCTIONS[f"samara_modspeck_avr_derive{_bits}"] = ({24: 0, 22: 1}, _DATA)


_NEXT: dict[int, float] = {24: 0}
_INIT: dict[int, float] = {24: 0, 22: 1, 20: 0.5}
_CRYPT: dict[int, float] = {24: 0, 22: 2, 20: 1, 18: 17}
_WHOLE: dict[int, float] = {
    24: 0,
    22: 1,
    20: 1.5,
    18: 0.5,
    16: 0.75,
    14: 20,
    12: 2,
    10: 30,
}
_GRAIN: dict[str, tuple[dict[int, float], tuple[int, ...]]] = {
    "samara_grain128_next": (_NEXT, (24,)),
    "samara_grain128_init": (_INIT, (24, 22, 20)),
    "samara_grain128aead_begin": ({**_INIT, 18: 200}, (24, 22, 20)),
    "samara_grain128aead_absorb": ({24: 0, 22: 1, 20: 9}, (24, 22)),
    "samara_grain128aead_encrypt": (_CRYPT, (24, 22, 20)),
    "samara_grain128aead_decrypt": (_CRYPT, (24, 22, 20)),
    "samara_grain128aead_finish": ({24: 0, 22: 1}, (24, 22)),
    "samara_grain128aead_seal": (_WHOLE, (24, 22, 20, 18, 16, 12)),
    "samara_grain128aead_open": (_WHOLE, (24, 22, 20, 18, 16, 12)),
    "samara_grain128aead_avr_call": ({**_WHOLE, 8: 0x84}, (24, 22, 20, 18, 16, 12)),
}
for _name, (_values, _places) in _GRAIN.items():
    _FUNCTIONS[_name] = (_values, ())
    _POINTERS[_name] = _places
_VARIANTS = {
    "assembly": (),
    "balanced": ("-DSAMARA_ARCH_AVR_GRAIN_BALANCED=1",),
    "small": ("-DSAMARA_ARCH_AVR_GRAIN_SMALL=1",),
    "registers without addresses": ("-DSAMARA_AVR_MAPPED_REGISTERS=0",),
}


_TURNS = 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("avr")


@cache
def _image(folder: Path, variant: str) -> images.Image:
    main = folder / "main.c"
    calls = "".join(
        f"  case {n}:\n    CALL({name});\n    break;\n"
        for n, name in enumerate(_POINTERS)
    )
    main.write_text(f"{_PROGRAM}{calls}  }}\n}}\n")
    core = ROOT / "core"
    sources = [*sorted((core / "arch" / "avr").glob("*.c")), core / "block/aes_flash.c"]
    linked = folder / f"{variant}.elf"
    flags = ["-mmcu=atmega328p", "-std=c11", "-Os", f"-I{core}", f"-I{core}/include"]
    files = [str(path) for path in (main, *sources)]
    command = ["avr-gcc", *flags, *_VARIANTS[variant], *files, "-o", str(linked)]
    subprocess.run(command, check=True)
    return images.read(linked)


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        *((name, "assembly") for name in _FUNCTIONS),
        *((name, variant) for variant in list(_VARIANTS)[1:] for name in _GRAIN),
    ],
)
def test_the_registers_of_the_caller_are_kept(
    folder: Path, name: str, variant: str
) -> None:
    # Several times: a register that is left as it was may be zero by chance.
    for turn in range(_TURNS):
        _check_registers(folder, name, variant, random.Random(f"{name} {turn}"))  # noqa: S311 - any registers


def _check_registers(
    folder: Path, name: str, variant: str, chance: random.Random
) -> None:
    values, zeros = _FUNCTIONS[name]
    name = name.partition(" ")[0]
    registers = bytearray(chance.randbytes(32))
    registers[1] = 0
    for pair, value in values.items():
        word = value
        if pair in _POINTERS[name]:
            word = _BUFFERS + 0x100 * value
        registers[pair : pair + 2] = int(word).to_bytes(2, sys.byteorder)
    memory = bytearray(chance.randbytes(_BUFFERS_SIZE))
    memory[32] = 3  # of Grain's state: bytes of the current block that are done
    after, _ = _called(_image(folder, variant), name, bytes(registers), bytes(memory))
    assert [after[n] for n in _KEPT] == [registers[n] for n in _KEPT]
    assert after[1] == 0
    assert not any(after[n] for n in zeros)
    if values == _WHOLE:  # they leave what they were given
        kept = (*range(18, 24), 27)
        assert [after[n] for n in kept] == [registers[n] for n in kept]


def _called(
    image: images.Image, name: str, registers: bytes, memory: bytes
) -> tuple[bytes, bytes]:
    """Call a function with registers and buffers, and return both as it left them."""
    device = devices.device("atmega328p")
    with simulators.start(device, image.path) as simulator:
        which = image.symbols["which"] - device.family.data_offset
        simulator.write(which, bytes([list(_POINTERS).index(name)]))
        simulator.go(image.symbols[f"at_{name}"], limit=1_000_000, floor=0)
        simulator.write(_BUFFERS, memory)
        simulator.write(0, registers)
        simulator.go(image.symbols[f"behind_{name}"], limit=1_000_000, floor=0x500)
        return simulator.read(0, 32), simulator.read(_BUFFERS, len(memory))


# The least and the greatest that poly1305_bytes.h allows, and random ones between.
_H = (0, 1, 4, (1 << 130) - 6, (1 << 130) - 5, (1 << 130) - 1, (6 << 128) - 1)
_R = (0, 1, 4, 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF)
_BLOCKS = (0, 1, (1 << 128) - 6, (1 << 128) - 1)


@pytest.mark.parametrize("r", _R)
@pytest.mark.parametrize("h", _H)
def test_a_block_of_poly1305_at_its_limits(folder: Path, h: int, r: int) -> None:
    image = _image(folder, "assembly")
    chance = random.Random(f"{h} {r}")  # noqa: S311 - the same in each run
    for block in (*_BLOCKS, chance.randrange(1 << 128)):
        random_r = chance.randrange(1 << 128) & _R[-1]
        for factor in {r, random_r}:
            memory = bytearray(chance.randbytes(_BUFFERS_SIZE))
            memory[:33] = h.to_bytes(17, "little") + factor.to_bytes(16, "little")
            memory[0x100:0x110] = block.to_bytes(16, "little")
            registers = bytearray(32)
            for pair, at in ((24, _BUFFERS), (22, _BUFFERS + 0x100)):
                registers[pair : pair + 2] = at.to_bytes(2, "little")
            name = "samara_poly1305_avr_block"
            _, left = _called(image, name, bytes(registers), bytes(memory))
            found = int.from_bytes(left[:17], "little")
            want = (h + block + (1 << 128)) * factor
            assert found % ((1 << 130) - 5) == want % ((1 << 130) - 5)
            assert found < 6 << 128
            assert left[17:33] == memory[17:33]
            assert left[66:] == memory[66:]
