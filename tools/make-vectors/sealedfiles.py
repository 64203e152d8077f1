# SPDX-License-Identifier: Apache-2.0
"""Makes sealed files, from docs/sealed-files.md and ciphers of others.

HKDF, CCM, GCM and ChaCha20-Poly1305 are those of the package cryptography. Ketje Jr and
NORX32 have nonces of other sizes; they are the models that pass the official answers.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import ketje
import norx
import rivalfiles
from cryptography.hazmat.primitives.ciphers.aead import (
    AESCCM,
    AESGCM,
    ChaCha20Poly1305,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from vectorfile import Record, draw, flip, render

# Key, nonce, associated data, message; returns ciphertext and tag as one.
Seal = Callable[[bytes, bytes, bytes, bytes], bytes]

HEADER = 74
CHUNK = 16
FORGED_CHUNKS = 3


class Suite(NamedTuple):
    """A suite with the sizes that the format takes from it."""

    slug: str
    key_size: int
    nonce_size: int
    tag_size: int
    seal: Seal


def ccm(tag_size: int) -> Seal:
    """Return AES-CCM with tags of this size."""
    return lambda key, nonce, ad, message: AESCCM(key, tag_size).encrypt(
        nonce, message, ad
    )


SUITES = (
    Suite("aes128-ccm-8", 16, 13, 8, ccm(8)),
    Suite("aes256-ccm-16", 32, 13, 16, ccm(16)),
    Suite("aes256-gcm", 32, 12, 16, lambda k, n, ad, m: AESGCM(k).encrypt(n, m, ad)),
    Suite(
        "chacha20-poly1305",
        32,
        12,
        16,
        lambda k, n, ad, m: ChaCha20Poly1305(k).encrypt(n, m, ad),
    ),
    Suite(
        "ketje-jr", 12, 10, 12, lambda k, n, ad, m: b"".join(ketje.seal(k, n, ad, m))
    ),
    Suite("norx32", 16, 16, 16, lambda k, n, ad, m: b"".join(norx.seal(k, n, ad, m))),
)


class File(NamedTuple):
    """A sealed file in its parts, and what it was made of."""

    key: bytes
    ad: bytes
    message: bytes
    header: bytes
    chunks: list[bytes]

    def record(self, slug: str, name: str, result: str, parts: list[bytes]) -> Record:
        """Return a record of a file that consists of these parts."""
        fields = {
            "name": name,
            "key": self.key.hex(),
            "ad": self.ad.hex(),
            "message": self.message.hex(),
            "file": b"".join(parts).hex(),
            "result": result,
        }
        return Record(slug, fields)


def made(suite: Suite, label: str, chunk_size: int, size: int) -> File:
    """Return a file with a message of this size, made of drawn bytes."""
    label = f"sealed file/{suite.slug}/{label}"
    key, salt = draw(f"{label}/key", suite.key_size), draw(f"{label}/salt", 32)
    ad, message = draw(f"{label}/ad", size % 7), draw(f"{label}/message", size)
    header = b"samara\x00\x01" + suite.slug.encode().ljust(32, b"\x00")
    header += chunk_size.to_bytes(2, "big") + salt
    length = suite.key_size + suite.nonce_size - 5
    derived = HKDF(SHA256(), length, salt, header).derive(key)
    file_key, prefix = derived[: suite.key_size], derived[suite.key_size :]
    starts = range(0, max(size, 1), chunk_size)
    chunks = [
        suite.seal(
            file_key,
            prefix + number.to_bytes(4, "big") + bytes([start == starts[-1]]),
            header + ad,
            message[start : start + chunk_size],
        )
        for number, start in enumerate(starts)
    ]
    return File(key, ad, message, header, chunks)


def genuine(suite: Suite) -> Iterator[Record]:
    """Yield files with messages around whole chunks."""
    for size in (0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5):
        name = f"{size} bytes in chunks of {CHUNK}"
        file = made(suite, name, CHUNK, size)
        yield file.record(suite.slug, name, "pass", [file.header, *file.chunks])


def forged(suite: Suite) -> Iterator[Record]:
    """Yield a file of three whole chunks, changed in each way that must be noticed."""
    file = made(suite, "forged", CHUNK, FORGED_CHUNKS * CHUNK)
    head, (one, two, three) = file.header, file.chunks
    changes = {
        "cut after its header": [head],
        "cut after chunk 1": [head, one],
        "cut after chunk 2": [head, one, two],
        "cut in its last tag": [head, one, two, three[:-1]],
        "chunk 1 missing": [head, two, three],
        "chunk 2 missing": [head, one, three],
        "chunks 1 and 2 exchanged": [head, two, one, three],
        "chunk 2 twice": [head, one, two, two, three],
        "last chunk twice": [head, one, two, three, three],
        "a byte appended": [head, one, two, three, b"\x00"],
        "last chunk first": [head, three],
        "magic changed": [flip(head, 0), one, two, three],
        "version changed": [flip(head, 57), one, two, three],
        "name of the suite changed": [flip(head, 64), one, two, three],
        "byte behind the name changed": [flip(head, 8 * 39), one, two, three],
        "chunk size changed": [flip(head, 8 * 41), one, two, three],
        "chunk size 0": [head[:40] + bytes(2) + head[42:], one, two, three],
        "salt changed": [flip(head, 8 * 42), one, two, three],
        "end of the salt changed": [flip(head, 8 * HEADER - 1), one, two, three],
        "ciphertext changed": [head, one, flip(two, 5), three],
        "tag changed": [head, one, two, flip(three, 8 * len(three) - 1)],
    }
    for name, parts in changes.items():
        yield file.record(suite.slug, name, "fail", parts)


def make() -> str:
    """Return the file of sealed files."""
    rivalfiles.check(rivalfiles.MODELS["ketje-jr"])
    rivalfiles.check(rivalfiles.MODELS["norx32"])
    records: list[Record] = []
    for suite in SUITES:
        records += genuine(suite)
        records += forged(suite)
    # The chunk size that samara writes.
    gcm = SUITES[2]
    file = made(gcm, "16385 bytes", 16384, 16385)
    parts = [file.header, *file.chunks]
    records.append(file.record(gcm.slug, "16385 bytes, chunks of 16384", "pass", parts))
    header = (
        "Sealed files (docs/sealed-files.md), written from that description.",
        "Origin: tools/make-vectors: HKDF, CCM, GCM and ChaCha20-Poly1305 of Python's",
        "package cryptography; Ketje Jr and NORX32 of models that pass the official",
        "answers. file: header and chunks. result = fail: opening must be refused.",
    )
    return render(header, records)
