# SPDX-License-Identifier: Apache-2.0
"""`samara bench add` of block ciphers: what is timed, and what judges them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from shell import assert_done, assert_misuse, objects, said, samara

from samara.bench import added, foreign, subjects
from samara.bench.added import Source
from samara.bench.foreign import NotACipherError, Sizes
from samara.bench.places import root
from samara.bench.results import OF_BLOCKS

if TYPE_CHECKING:
    from pathlib import Path

QUICK = ("--device", "atmega328p", "--opt", "Os", "--json")

API = """
#define CRYPTO_KEYBYTES 12
#define CRYPTO_BLOCKBYTES 8
#define CRYPTO_STATEBYTES 104
"""

# Speck64/96 with samara's order of bytes: words are little-endian, the low one first.
SPECK = """
#include <stdint.h>
#include "crypto_block.h"
typedef unsigned char byte;
static uint32_t load(const byte *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static void store(byte *p, uint32_t x) {
  for (byte i = 0; i < 4; i++, x >>= 8) p[i] = (byte)x;
}
static uint32_t left(uint32_t x, byte n) { return x << n | x >> (32 - n); }
void crypto_block_set_key(void *state, const byte *key) {
  uint32_t *k = state, l[3] = {load(key + 4), load(key + 8)}, a = load(key);
  for (byte i = 0; i < 26; i++) {
    *k++ = a;
    uint32_t new = (left(l[0], 24) + a) ^ i;
    l[0] = l[1], l[1] = new, a = left(a, 3) ^ new;
  }
}
void crypto_block_encrypt(const void *state, byte *b) {
  const uint32_t *k = state;
  uint32_t y = load(b), x = load(b + 4);
  for (byte i = 0; i < 26; i++)
    x = (left(x, 24) + y) ^ *k++, y = left(y, 3) ^ x;
  store(b, y), store(b + 4, x);
}
void crypto_block_decrypt(const void *state, byte *b) {
  const uint32_t *k = (const uint32_t *)state + 26;
  uint32_t y = load(b), x = load(b + 4);
  for (byte i = 0; i < 26; i++)
    y = left(y ^ x, 29), x = left((x ^ *--k) - y, 8);
  store(b, y), store(b + 4, x);
}
"""


def speck_folder(folder: Path, body: str = SPECK, api: str = API) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "api.h").write_text(api)
    (folder / "speck.c").write_text(body)
    return folder


@pytest.fixture(autouse=True)
def own_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what is added remembered for one test only."""
    for name in ("core", "devices", "firmware", "published"):
        (tmp_path / name).symlink_to(root() / name)
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))


def test_the_example_is_xtea() -> None:
    found = added.check("x", Source(root() / "firmware" / "examples" / "xtea"))
    assert found.sizes == Sizes(16, block=8)
    assert found.source.reference == found.source.folder
    # A vector of LibTomCrypt, and the one for a key and a block of zeros.
    key, block = bytes(range(16)), b"ABCDEFGH"
    assert found.seal(key, b"", block, b"").hex() == "497df3d072612cb5"
    assert found.seal(bytes(16), b"", bytes(8), b"").hex() == "dee9d4d8f7131ed9"


def test_a_block_cipher_is_measured_with_its_state() -> None:
    found = added.check("x", Source(root() / "firmware" / "examples" / "xtea"))
    subject = subjects.of_added(found)
    assert (subject.key_size, subject.block_size) == (16, 8)
    assert (subject.nonce_size, subject.tag_size) == (0, 0)
    assert subject.verbs == OF_BLOCKS
    assert subject.macros == ("MEASURE_STATE_BYTES=256",)


@pytest.mark.slow
@pytest.mark.parametrize("device", ["atmega328p", "msp430f1611", "cortex-m0"])
def test_set_up_encryption_and_decryption_are_timed_apart(
    device: str, tmp_path: Path
) -> None:
    folder = speck_folder(tmp_path / "speck")
    words = ("--name", "mine", "--device", device, *QUICK[2:])
    done = samara(
        "bench", "add", folder, *words, "--same-as", "speck64-96", folder=tmp_path
    )
    result, last = objects(assert_done(done))
    assert (result["message_bytes"], result["ad_bytes"]) == (8, 0)
    cycles = {verb: figure["value"] for verb, figure in result["cycles"].items()}
    assert list(cycles) == ["set_up", "encrypt", "decrypt"]
    assert len(set(cycles.values())) == 3
    # Each works on 26 rounds with words of 4 bytes, more than a cycle a byte.
    assert min(cycles.values()) > 26 * 4
    # Both directions have the same operations, and none has the set-up's.
    assert cycles["encrypt"] == pytest.approx(cycles["decrypt"], rel=0.4)
    assert result["static_ram"]["value"] == 104
    assert last["compared_with"] == "the block cipher speck64-96"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("find", "fault", "verb"),
    [
        ("y = left(y, 3) ^ x", "y = left(y, 2) ^ x", "seal"),
        ("left((x ^ *--k) - y, 8)", "left((x ^ *--k) - y, 7)", "open"),
    ],
)
def test_wrong_answers_of_a_device_are_found(
    find: str, fault: str, verb: str, tmp_path: Path
) -> None:
    # Right on this machine, which judges, and wrong on the device.
    assert SPECK.count(find) == 1
    both = f"{SPECK.replace(find, fault)}\n#else\n{SPECK}\n#endif\n"
    folder = speck_folder(tmp_path / "speck", f"#ifdef __AVR__\n{both}")
    done = samara("bench", "add", folder, "--name", "torn", *QUICK, folder=tmp_path)
    assert done.returncode == 1
    text = " ".join(said(done))
    assert f"gives a wrong answer to {verb} for 8 bytes" in text
    assert "torn is not kept" in text


def test_another_cipher_or_another_size_is_refused(tmp_path: Path) -> None:
    folder = speck_folder(tmp_path / "speck")
    with pytest.raises(
        NotACipherError,
        match="speck64-128 takes 16 and 8 bytes of key and block, the directory's"
        " cipher 12 and 8 bytes",
    ):
        added.check("x", Source(folder, same_as="speck64-128"))
    words = ("--name", "x", *QUICK, "--same-as", "aes128-gcm")
    done = samara("bench", "add", folder, *words, folder=tmp_path)
    assert_misuse(done, "unknown block cipher 'aes128-gcm'")
    other = speck_folder(
        tmp_path / "other", api=API.replace("BLOCKBYTES 8", "ABYTES 8")
    )
    with pytest.raises(NotACipherError, match="CRYPTO_NPUBBYTES as a number"):
        added.check("x", Source(folder, reference=other))


def test_known_answers_of_aead_ciphers_are_not_taken(tmp_path: Path) -> None:
    folder = speck_folder(tmp_path / "speck")
    (folder / "LWC_AEAD_KAT_96_64.txt").write_text("Count = 1\n")
    # One beside the sources is not looked at either.
    assert added.check("x", Source(folder)).source.kat is None
    with pytest.raises(NotACipherError, match="--kat has known answers of AEAD"):
        added.check("x", Source(folder, kat=folder / "LWC_AEAD_KAT_96_64.txt"))


def test_without_c_sources_somebody_must_say_what_is_right(tmp_path: Path) -> None:
    assembly = speck_folder(tmp_path / "assembly", "")
    with pytest.raises(
        NotACipherError,
        match="give a reference: --reference DIR or --same-as NAME",
    ):
        added.check("x", Source(assembly))
    c = speck_folder(tmp_path / "c")
    found = added.check("x", Source(assembly, reference=c))
    key = bytes.fromhex("0001020308090a0b10111213")
    # The vector of Speck's paper.
    block = bytes.fromhex("65616e7320466174")
    assert found.seal(key, b"", block, b"").hex() == "6c947541ec52799f"


@pytest.mark.parametrize(
    ("find", "replace", "expected"),
    [
        ("STATEBYTES 104", "STATEBYTES sizeof(long)", "CRYPTO_STATEBYTES as a number"),
        ("STATEBYTES 104", "STATEBYTES 0", "a CRYPTO_STATEBYTES of 0"),
        ("#define CRYPTO_STATEBYTES 104", "", "CRYPTO_STATEBYTES as a number"),
        ("BLOCKBYTES 8", "BLOCKBYTES 0", "a key or a block of 0 bytes"),
        ("KEYBYTES 12", "KEYBYTES 0", "a key or a block of 0 bytes"),
    ],
)
def test_sizes_that_cannot_be_are_refused(
    find: str, replace: str, expected: str, tmp_path: Path
) -> None:
    assert API.count(find) == 1
    folder = speck_folder(tmp_path / "speck", api=API.replace(find, replace))
    with pytest.raises(NotACipherError, match=expected):
        added.check("x", Source(folder))


def test_an_aead_cipher_may_tell_the_size_of_its_blocks(tmp_path: Path) -> None:
    api = (
        "#define CRYPTO_KEYBYTES 16\n#define CRYPTO_NPUBBYTES 12\n"
        "#define CRYPTO_ABYTES 8\n#define CRYPTO_BLOCKBYTES 16\n"
    )
    folder = speck_folder(tmp_path / "aead", api=api)
    assert foreign.sizes((folder,)) == Sizes(16, 12, 8)
