# SPDX-License-Identifier: Apache-2.0
"""Toy ciphers and programs that the tests of the bench measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench import devices, images, simulators, toolchain
from samara.bench.added import AddedCipher, Source
from samara.bench.foreign import Sizes
from samara.bench.measuring import Task
from samara.bench.places import root
from samara.bench.subjects import Subject
from samara.bench.ways import Build

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.images import Image
    from samara.bench.simulators import Run

ONE_OF_EACH = ("atmega328p", "msp430f1611", "cortex-m3")

API = """
#define CRYPTO_KEYBYTES 4
#define CRYPTO_NPUBBYTES 4
#define CRYPTO_ABYTES 1
"""

# Adds the key to each byte; the tag is the sum of key and header.
SOUND = """
typedef unsigned char byte;
typedef unsigned long long size;
EXTRA
int crypto_aead_encrypt(byte *c, size *clen, const byte *m, size mlen,
                        const byte *ad, size adlen, const byte *nsec,
                        const byte *npub, const byte *k) {
  byte tag = k[1];
  (void)nsec, (void)npub;
  for (unsigned i = 0; i < adlen; i++) tag += ad[i];
  for (unsigned i = 0; i < mlen; i++) c[i] = m[i] ^ k[0];
  c[mlen] = tag;
  *clen = mlen + 1;
  BODY
  return 0;
}
int crypto_aead_decrypt(byte *m, size *mlen, byte *nsec, const byte *c,
                        size clen, const byte *ad, size adlen,
                        const byte *npub, const byte *k) {
  (void)nsec, (void)npub, (void)ad, (void)adlen;
  for (unsigned i = 0; i + 1 < clen; i++) m[i] = c[i] ^ k[0];
  *mlen = clen - 1;
  return 0;
}
"""


def cipher_folder(folder: Path, body: str = "", extra: str = "") -> Path:
    """Write a cipher; `body` runs at the end of each encryption."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "api.h").write_text(API)
    text = SOUND.replace("BODY", body).replace("EXTRA", extra)
    (folder / "encrypt.c").write_text(text)
    return folder


def toy(folder: Path) -> Subject:
    """Return the cipher in a folder as something to be measured."""
    source = Source(folder, reference=folder)
    return Subject(
        slug="toy",
        binding="lwc",
        cipher="toy",
        key_size=4,
        nonce_size=4,
        tag_size=1,
        reference=AddedCipher("toy", source, Sizes(4, 4, 1)),
        source=source,
    )


def task(
    device: str, subject: Subject, *sizes: tuple[int, int], opt: str = "Os"
) -> Task:
    """Return a task with a few samples."""
    build = Build(devices.device(device), "portable", opt)
    return Task(build, subject, sizes or ((16, 4),), samples=16)


def linked_program(folder: Path, device_name: str, assembly: str) -> Image:
    """Link assembly between two marks."""
    device = devices.device(device_name)
    family = device.family
    measure = root() / "firmware" / "measure"
    source = folder / "program.c"
    source.write_text(
        '#include "measure.h"\nmeasure_job measure_job_now;\nint main(void) {\n'
        "  MEASURE_MARK(ready);\n  MEASURE_START(seal);\n"
        f'  __asm__ __volatile__("{assembly}" ::: "memory");\n'
        "  MEASURE_STOP(seal);\n  for (;;) {}\n}\n"
    )
    image = folder / "program.elf"
    objects = []
    for path in [source, *(family.folder / name for name in family.sources)]:
        objects.append(folder / f"{path.stem}.o")
        flags = [*Build(device, "portable", "Os").flags, f"-I{measure}"]
        toolchain.run([family.compiler, *flags, "-c", path, "-o", objects[-1]])
    flags = device.words(family.linker_flags)
    libraries = family.libraries
    toolchain.run([family.linker, *flags, *objects, *libraries, "-o", image])
    return images.read(image)


def run_program(folder: Path, device_name: str, assembly: str) -> Run:
    """Run assembly between two marks, and return what it took."""
    device = devices.device(device_name)
    image = linked_program(folder, device_name, assembly)
    floor = image.symbols["_end"] - device.family.data_offset
    with simulators.start(device, image.path) as simulator:
        for mark in ("ready", "start_seal", "stop_seal"):
            run = simulator.go(
                image.symbols[f"measure_{mark}"],
                limit=10**6,
                floor=floor,
                watch_stack=simulators.ALL_MEMORY,
            )
    return run
