# SPDX-License-Identifier: Apache-2.0
"""Makes answers of ACORN-128, Ketje Jr, NORX32 and ChaCha20-Poly1305."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import acorn
import ketje
import norx
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from vectorfile import (
    Record,
    SelfCheckError,
    SuiteValues,
    draw,
    flip,
    read,
    render,
    suite_values,
)

Seal = Callable[[bytes, bytes, bytes, bytes], tuple[bytes, bytes]]

# Which fields are forged, and how often.
FORGERIES = {"tag": 6, "ciphertext": 4, "ad": 4, "nonce": 3, "key": 3}


@dataclass(frozen=True)
class Model:
    """A cipher in Python, with the answers that it is judged by."""

    slug: str
    title: str
    seal: Seal
    key_size: int
    nonce_size: int
    official: str
    shapes: tuple[tuple[int, int], ...]
    """Sizes in bytes of message and associated data, around what a block takes."""


MODELS = {
    "acorn128": Model(
        "acorn128",
        "ACORN-128 version 3",
        acorn.seal,
        16,
        16,
        "acorn128-caesar.txt",
        (
            *((size, 0) for size in (1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65)),
            *((0, size) for size in (1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65)),
            (3, 3),
            (5, 6),
            (100, 21),
            (255, 40),
        ),
    ),
    "ketje-jr": Model(
        "ketje-jr",
        "Ketje Jr version 2, CAESAR's sizes",
        ketje.seal,
        12,
        10,
        "ketje-jr-caesar.txt",
        (
            *((size, 0) for size in range(6)),
            *((0, size) for size in range(1, 6)),
            *((size, 7 - size) for size in range(1, 7)),
            (40, 14),
        ),
    ),
    "norx32": Model(
        "norx32",
        "NORX32-4-1 version 3",
        norx.seal,
        16,
        16,
        "norx32-caesar.txt",
        (
            *((size, 0) for size in (1, 47, 48, 49, 95, 96, 97)),
            *((0, size) for size in (1, 47, 48, 49, 95, 96, 97)),
            (48, 96),
            (1224, 40),
        ),
    ),
}

# Blocks of the cipher have 64 bytes, of which four are made at a time; those of
# the authenticator 16.
OPENSSL_SHAPES = (
    *((size, 0) for size in (0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 191, 192)),
    *((size, 12) for size in (193, 255, 256, 257, 319, 320, 321, 447, 448, 449)),
    *((0, size) for size in (1, 15, 16, 17, 31, 32, 33, 255, 256, 257)),
    (1224, 40),
    (33, 8200),
)

# RFC 8439, section 2.8.2 and appendix A.5: key, nonce, associated data,
# message, tag. Wycheproof has the first of them.
RFC_8439 = {
    "section 2.8.2": (
        "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
        "070000004041424344454647",
        "50515253c0c1c2c3c4c5c6c7",
        (
            "Ladies and Gentlemen of the class of '99: If I could offer you only one "
            "tip for the future, sunscreen would be it."
        ),
        "1ae10b594f09e26a7e902ecbd0600691",
    ),
    "appendix A.5": (
        "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0",
        "000000000102030405060708",
        "f33388860000000000004e91",
        (
            "Internet-Drafts are draft documents valid for a maximum of six months and "
            "may be updated, replaced, or obsoleted by other documents at any time. It "
            "is inappropriate to use Internet-Drafts as reference material or to cite "
            "them other than as /\u201cwork in progress./\u201d"
        ),
        "eead9d67890cbb22392336fea1851f38",
    ),
}


def check(model: Model) -> None:
    """Raise an error if a model fails the official answers.

    Raises
    ------
    SelfCheckError
        If it does.
    """
    for record in read(model.official):
        values = suite_values(record)
        if sealed(model.seal, values) != values:
            raise SelfCheckError(f"{model.slug} fails {record['name']}")


def sealed(seal: Seal, values: SuiteValues) -> SuiteValues:
    """Return the values with the ciphertext and tag that a model gives."""
    ciphertext, tag = seal(values.key, values.nonce, values.ad, values.message)
    return replace(values, ciphertext=ciphertext, tag=tag)


def unsealed(key: bytes, nonce: bytes, ad: bytes, message: bytes) -> SuiteValues:
    """Return values without ciphertext and tag."""
    return SuiteValues(key, nonce, ad, message, ciphertext=b"", tag=b"")


def drawn(label: str, sizes: tuple[int, int, int, int]) -> SuiteValues:
    """Return inputs of the given sizes: of key, nonce, ad, message."""
    names = ("key", "nonce", "ad", "message")
    parts = [draw(f"{label}/{n}", s) for n, s in zip(names, sizes, strict=True)]
    return unsealed(*parts)


def records_of(slug: str, seal: Seal, key_size: int, nonce_size: int,
               shapes: tuple[tuple[int, int], ...]) -> Iterator[Record]:  # fmt: skip
    """Yield an answer for each shape; forgeries of the first that has both."""
    made = []
    for message, ad in shapes:
        name = f"message {message}, ad {ad}"
        values = drawn(f"{slug}/{name}", (key_size, nonce_size, ad, message))
        made.append(sealed(seal, values))
        yield made[-1].record(slug, name, "pass")
    yield from forgeries(slug, next(v for v in made if v.ad and v.message))


def forgeries(slug: str, values: SuiteValues) -> Iterator[Record]:
    """Yield records of which one bit is inverted, and that must be refused."""
    for part, count in FORGERIES.items():
        size = 8 * len(getattr(values, part))
        for i in range(count):
            # The first bit, the last, and some between them.
            bit = (size - 1) * i // (count - 1)
            changed = flip(getattr(values, part), bit)
            forged = replace(values, **{part: changed}, message=b"")
            yield forged.record(slug, f"forged {part}, bit {bit}", "fail")


def make(slug: str) -> str:
    """Return the file of more answers of a cipher, by its model."""
    model = MODELS[slug]
    check(model)
    header = [
        f"{model.title}: more sizes, and forgeries",
        "Origin: this project; a model in Python that passes the designers' answers",
        f"Made by: tools/make-vectors/make-vectors {slug}-more.txt",
    ]
    records = records_of(
        slug, model.seal, model.key_size, model.nonce_size, model.shapes
    )
    return render(header, records)


def openssl_seal(key: bytes, nonce: bytes, ad: bytes,
                 message: bytes) -> tuple[bytes, bytes]:  # fmt: skip
    """Return what OpenSSL makes of a message."""
    made = ChaCha20Poly1305(key).encrypt(nonce, message, ad)
    return made[:-16], made[-16:]


def rfc_8439() -> Iterator[Record]:
    """Yield the answers that RFC 8439 prints; OpenSSL gives the ciphertexts.

    Raises
    ------
    SelfCheckError
        If OpenSSL gives another tag, and so perhaps another ciphertext.
    """
    for place, (key, nonce, ad, text, tag) in RFC_8439.items():
        values = unsealed(
            bytes.fromhex(key), bytes.fromhex(nonce), bytes.fromhex(ad), text.encode()
        )
        values = sealed(openssl_seal, values)
        if values.tag.hex() != tag:
            raise SelfCheckError(f"OpenSSL fails {place} of RFC 8439")
        yield values.record("chacha20-poly1305", f"RFC 8439 {place}", "pass")


def make_chacha20_poly1305() -> str:
    """Return the answers of RFC 8439, and OpenSSL's around what a block takes."""
    slug = "chacha20-poly1305"
    header = [
        "ChaCha20-Poly1305: the answers of RFC 8439, more sizes, and forgeries",
        "Origin: RFC 8439; the records that do not name it: OpenSSL",
        f"Made by: tools/make-vectors/make-vectors {slug}-openssl.txt",
    ]
    more = records_of(slug, openssl_seal, 32, 12, OPENSSL_SHAPES)
    return render(header, [*rfc_8439(), *more])
