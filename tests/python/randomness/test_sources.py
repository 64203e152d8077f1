# SPDX-License-Identifier: Apache-2.0
"""Sources: models against the C library, streams without seams, files and programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from samara import crypto
from samara.crypto import grain128ple, keystreams
from samara.errors import MisuseError
from samara.randomness import rounds
from samara.randomness.rounds import grain
from samara.randomness.sources import BAD, GivenSource, computed, is_given

if TYPE_CHECKING:
    from pathlib import Path

ROWS = 5


def rows(size: int, seed: int) -> np.ndarray:  # type: ignore[type-arg]
    return np.random.default_rng(seed).integers(0, 256, (ROWS, size), np.uint8)


@pytest.mark.parametrize("cipher", crypto.block_ciphers(), ids=lambda each: each.slug)
def test_a_model_at_full_rounds_is_the_cipher(cipher: crypto.BlockCipher) -> None:
    model = rounds.model(cipher.slug)
    assert (model.key_size, model.block_size) == (cipher.key_size, cipher.block_size)
    keys, blocks = rows(cipher.key_size, 1), rows(cipher.block_size, 2)
    found = model.encrypt(keys, blocks)
    for key, block, result in zip(keys, blocks, found, strict=True):
        assert result.tobytes() == cipher.encrypt(key.tobytes(), block.tobytes())
    # One key for all blocks, and as many states as rounds.
    states = list(model.states(keys[:1], blocks))
    assert len(states) == model.rounds
    assert states[0].shape == blocks.shape
    assert states[-1][0].tobytes() == found[0].tobytes()


def test_the_model_of_grain_is_the_cipher() -> None:
    keys, nonces = rows(16, 1), rows(12, 2)
    found = grain.keystream(keys, nonces, 64)
    for key, nonce, bits in zip(keys, nonces, found, strict=True):
        expected = grain128ple.keystream(key.tobytes(), nonce.tobytes(), 64)
        assert bits.tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    "name",
    ["aes128-ctr", "grain128ple", "ctr:speck32-64", "ctr:simon96-96@20", "grain:64",
     "bad:counter"],
)  # fmt: skip
def test_sequences_follow_one_another(name: str) -> None:
    source = computed(name, 7)
    parts = b"".join(source.sequence(index, 1001) for index in range(5))
    assert parts == source.sequence(0, 5005)
    assert parts != computed(name, 8).sequence(0, 5005) or name == "bad:counter"


def test_a_suite_is_what_the_command_prints() -> None:
    source = computed("grain128aead", 3)
    suite = crypto.suite(source.facts["suite"])
    key, nonce = (bytes.fromhex(source.facts[name]) for name in ("key", "nonce"))
    stream = keystreams.Stream(suite, key, nonce)
    assert source.sequence(2, 5000) == stream.read(10_000, 5000)


def test_counter_mode_of_a_cipher_is_that_of_its_suite() -> None:
    assert computed("ctr:aes128", 3).sequence(1, 100) == computed(
        "ctr:aes128@10", 3
    ).sequence(1, 100)
    key = bytes.fromhex(computed("ctr:aes128", 3).facts["key"])
    expected = crypto.suite("aes128-ctr").seal(key, bytes(16), bytes(200))
    assert computed("ctr:aes128", 3).sequence(1, 100) == expected[100:]


def test_cbc_and_avalanche_are_as_nist_had_them() -> None:
    aes = crypto.block_cipher("aes128")
    first = computed("cbc:aes128", 1).sequence(0, 48)
    other = computed("cbc:aes128", 1).sequence(1, 48)
    assert first != other
    from samara.randomness.sources.keys import drawn  # noqa: PLC0415

    key = drawn(16, 1, "key", "aes128", 0)
    assert first == crypto.suite("aes128-cbc").seal(key, bytes(16), bytes(48))[:48]
    text = drawn(16, 1, "text", "aes128", 0, 0)
    flipped = bytes([text[0] ^ 0x80, *text[1:]])
    pair = aes.encrypt(bytes(16), text), aes.encrypt(bytes(16), flipped)
    changed = bytes(a ^ b for a, b in zip(*pair, strict=True))
    assert computed("plaintext-avalanche:aes128", 1).sequence(0, 16) == changed
    key = drawn(16, 1, "key", "aes128", 0, 0)
    flipped = bytes([key[0] ^ 0x40, *key[1:]])
    pair = aes.encrypt(key, bytes(16)), aes.encrypt(flipped, bytes(16))
    changed = bytes(a ^ b for a, b in zip(*pair, strict=True))
    assert computed("key-avalanche:aes128", 1).sequence(0, 32)[16:] == changed


def test_rc4_heads_are_of_rc4() -> None:
    # RFC 6229 has no key of zeros; this is the classical vector of key "Key".
    from samara.randomness.sources import weak  # noqa: PLC0415

    key = np.frombuffer(bytes.fromhex("0102030405060708090a0b0c0d0e0f10"), np.uint8)
    # RFC 6229, 128-bit key: offset 0 begins 9a c7.
    assert weak._rc4(key[None, :]).tobytes().hex() == "9ac7"  # noqa: SLF001 - a part of a source


def test_the_shift_register_keeps_its_polynomial() -> None:
    packed = np.frombuffer(computed("bad:lfsr", 1).sequence(0, 1000), np.uint8)
    bits = np.unpackbits(packed)
    assert bits.any()
    assert not (bits[89:] ^ bits[38:-51] ^ bits[:-89]).any()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("aes129-ctr", "did you mean"),
        ("ctr:aes129", "did you mean"),
        ("ctr:aes128@11", "1 to 10 rounds"),
        ("ctr:aes128@0", "1 to 10 rounds"),
        ("ctr:aes128@", "1 to 10 rounds"),
        ("grain:513", "0 to 512"),
        ("grain:x", "0 to 512"),
        ("bad:nothing", "unknown bad source"),
        ("what:ever", "unknown kind of source"),
        ("ascon-aead128", "no keystream"),
    ],
)
def test_an_unknown_source_is_one_sentence(name: str, words: str) -> None:
    with pytest.raises(MisuseError, match=words):
        computed(name, 1)


def test_a_file_is_read_once_and_can_be_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "bits"
    path.write_bytes(bytes(range(200)))
    assert is_given(str(path))
    assert not is_given("aes128-ctr")
    with GivenSource(f"file:{path}") as given:
        assert (given.size, given.can_be_read_again) == (200, True)
        given.skip(190)
        assert given.read(100) == bytes(range(190, 200))
        assert given.size == 0


def test_a_program_is_read_and_ended() -> None:
    program = (
        f"exec:{sys.executable} -c 'import sys\nwhile 1: sys.stdout.write(\"ab\")'"
    )
    with GivenSource(program) as given:
        assert given.size is None
        assert given.read(100_001) == (b"ab" * 50_001)[:-1]
        child = given._program  # noqa: SLF001 - what must not be left behind
    assert child is not None
    assert child.returncode is not None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("exec:", "takes a command"),
        ("file:", "takes a path"),
        ("exec:no-such-program", "cannot run no-such-program"),
        ("exec:'", "cannot be split"),
        ("exec:false", "exit status 1 and printed nothing"),
        ("/", "is a directory"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(name: str, words: str) -> None:
    with pytest.raises(MisuseError, match=words), GivenSource(name) as given:
        given.read(10)


def test_each_bad_source_makes_bytes() -> None:
    for name in BAD:
        if name != "air-plain":
            assert len(computed(f"bad:{name}", 1).sequence(1, 999)) == 999
