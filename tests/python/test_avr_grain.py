# SPDX-License-Identifier: Apache-2.0
"""Grain in AVR assembly, in what the bench does not call: pieces, sizes, refusals."""

import subprocess
from pathlib import Path

import pytest

from samara import crypto
from samara.bench import devices, images, simulators

ROOT = Path(__file__).parents[2]

# Each check stores its number before it is made: that of the first one that fails is
# left. Tags of associated data around the borders of DER's lengths are for the host.
_PROGRAM = """
#include <samara/samara.h>
#include <string.h>

enum { most = 21, sizes = 8 };

#define FOR_PYTHON __attribute__((used, externally_visible))
FOR_PYTHON volatile uint8_t check = 0;
FOR_PYTHON uint8_t tags[sizes][8];
static const uint16_t data_sizes[sizes] = {0, 1, 127, 128, 129, 255, 256, 300};
static uint8_t data[300];
static uint8_t key[16], nonce[12], message[most], wanted[most], tag[8];

FOR_PYTHON __attribute__((noinline)) void finished(void) { __asm__ volatile("nop"); }

#define CHECK(number, right)  \\
  do {                        \\
    check = (number);         \\
    if (!(right)) finished(); \\
  } while (0)

static void pieces(size_t size, size_t cut) {
  samara_grain128aead state;
  uint8_t text[most], other[8];
  samara_grain128aead_seal_init(&state, key, nonce, data, cut);
  CHECK(1, samara_grain128aead_seal_update(&state, text, message, cut) == SAMARA_OK);
  CHECK(2, samara_grain128aead_seal_update(&state, text + cut, message + cut,
                                           size - cut) == SAMARA_OK);
  CHECK(3, samara_grain128aead_seal_finish(&state, other) == SAMARA_OK);
  CHECK(4, samara_grain128aead_seal(key, wanted, tag, nonce, data, cut, message,
                                    size) == SAMARA_OK);
  CHECK(5, memcmp(text, wanted, size) == 0);
  CHECK(6, memcmp(other, tag, 8) == 0);
  samara_grain128aead_unverified_open_init(&state, key, nonce, data, cut);
  CHECK(7, samara_grain128aead_unverified_open_update(&state, text, text, cut) ==
               SAMARA_OK);
  CHECK(8, samara_grain128aead_unverified_open_update(&state, text + cut, text + cut,
                                                      size - cut) == SAMARA_OK);
  CHECK(9, samara_grain128aead_unverified_open_finish(&state, tag) == SAMARA_OK);
  CHECK(10, memcmp(text, message, size) == 0);
}

static void refusals(void) {
  static const uint8_t zeros[most];
  uint8_t text[most + 1];
  CHECK(20, samara_grain128aead_seal(key, text, tag, nonce, data, 9, message, most) ==
                SAMARA_OK);
  CHECK(21, samara_grain128aead_open(key, text, tag, nonce, data, 9, text, most) ==
                SAMARA_OK);
  CHECK(22, memcmp(text, message, most) == 0);
  CHECK(23, samara_grain128aead_seal(key, text, tag, nonce, data, 9, text, most) ==
                SAMARA_OK);
  for (unsigned i = 0; i < 64; i++) {
    tag[i / 8] ^= 1 << i % 8;
    memset(wanted, 1, most);
    CHECK(24, samara_grain128aead_open(key, wanted, tag, nonce, data, 9, text, most) ==
                  SAMARA_ERROR_AUTHENTICATION);
    CHECK(25, memcmp(wanted, zeros, most) == 0);
    CHECK(26, samara_grain128aead_open_truncated(key, wanted, tag, 4, nonce, data, 9,
                                                 text, most) ==
                  (i < 32 ? SAMARA_ERROR_AUTHENTICATION : SAMARA_OK));
    tag[i / 8] ^= 1 << i % 8;
  }
  CHECK(27, samara_grain128aead_open_truncated(key, wanted, NULL, 0, nonce, data, 9,
                                               text, most) == SAMARA_OK);
  CHECK(28, memcmp(wanted, message, most) == 0);
  memset(tag, 0x5a, 8);
  CHECK(29, samara_grain128aead_seal_truncated(key, wanted, tag, 5, nonce, data, 9,
                                               message, most) == SAMARA_OK);
  CHECK(30, tag[4] != 0x5a && tag[5] == 0x5a && tag[7] == 0x5a);
  CHECK(31, samara_grain128aead_seal_truncated(key, wanted, tag, 3, nonce, data, 9,
                                               message, most) == SAMARA_ERROR_TAG_SIZE);
  for (unsigned gap = 0; gap <= 2; gap++) {
    const samara_result expected = gap == 1 ? SAMARA_ERROR_OVERLAP : SAMARA_OK;
    CHECK(32, samara_grain128aead_seal(key, text + gap, tag, nonce, data, 9, text,
                                       gap == 2 ? 2 : most) == expected);
    CHECK(33, samara_grain128aead_seal(key, text, tag, nonce, data, 9, text + gap,
                                       gap == 2 ? 2 : most) == expected);
  }
  CHECK(34, samara_grain128aead_seal(key, NULL, tag, nonce, NULL, 0, NULL, 0) ==
                SAMARA_OK);
}

int main(void) {
  for (unsigned i = 0; i < sizeof data; i++) {
    data[i] = i * 7 + 3;
  }
  memcpy(key, data + 20, 16);
  memcpy(nonce, data + 40, 12);
  memcpy(message, data + 60, most);
  for (unsigned i = 0; i < sizes; i++) {
    CHECK(40, samara_grain128aead_seal(key, wanted, tags[i], nonce, data, data_sizes[i],
                                       message, most) == SAMARA_OK);
  }
  for (size_t cut = 0; cut <= most; cut++) {
    pieces(most, cut);
  }
  for (size_t size = 0; size < most; size++) {
    pieces(size, size / 2);
  }
  refusals();
  check = 255;
  finished();
}
"""
_VARIANTS = {
    "fast": (),
    "balanced": ("-DSAMARA_ARCH_AVR_GRAIN_BALANCED=1",),
    "small": ("-DSAMARA_ARCH_AVR_GRAIN_SMALL=1",),
    "C": ("-DSAMARA_ARCH_AVR=0",),
    # As Arduino does: functions of a file are no longer together.
    "fast with link-time optimisation": ("-flto",),
    "small with link-time optimisation": ("-flto", "-DSAMARA_ARCH_AVR_GRAIN_SMALL=1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", _VARIANTS)
def test_pieces_sizes_and_refusals(name: str, tmp_path: Path) -> None:
    main, linked = tmp_path / "main.c", tmp_path / "main.elf"
    main.write_text(_PROGRAM)
    core = ROOT / "core"
    names = ("aead/grain128aead*.c", "stream/grain128.c", "common/*.c", "arch/avr/*.c")
    sources = [path for pattern in names for path in sorted(core.glob(pattern))]
    flags = ["-mmcu=atmega328p", "-std=c11", "-Os", f"-I{core}", f"-I{core}/include"]
    flags += ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
    command = ["avr-gcc", *flags, *_VARIANTS[name], str(main), *map(str, sources)]
    subprocess.run([*command, "-o", str(linked)], check=True)
    image = images.read(linked)
    device = devices.device("atmega328p")
    offset = device.family.data_offset
    with simulators.start(device, linked) as simulator:
        simulator.go(image.symbols["finished"], limit=2_000_000_000, floor=0x300)
        check = simulator.read(image.symbols["check"] - offset, 1)[0]
        tags = simulator.read(image.symbols["tags"] - offset, 64)
    assert check == 255
    data = bytes((i * 7 + 3) % 256 for i in range(300))
    suite = crypto.suite("grain128aead")
    for n, size in enumerate((0, 1, 127, 128, 129, 255, 256, 300)):
        sealed = suite.seal(data[20:36], data[40:52], data[60:81], data[:size])
        assert tags[8 * n : 8 * n + 8] == sealed[-8:], size
