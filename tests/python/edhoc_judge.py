# SPDX-License-Identifier: Apache-2.0
"""EDHOC with method 3 and suite 2, written again from RFC 9528, as a judge.

It shares no code with samara or lakers, and takes ephemeral keys, so that the trace of
RFC 9529 can be computed with it.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

CURVE = ec.SECP256R1()


def key_of(private: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(private), CURVE)


def public_of(private: bytes) -> bytes:
    return key_of(private).public_key().public_numbers().x.to_bytes(32)


def shared(private: bytes, public: bytes) -> bytes:
    point = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, b"\x02" + public)
    return key_of(private).exchange(ec.ECDH(), point)


def hashed(*items: bytes) -> bytes:
    return hashlib.sha256(b"".join(items)).digest()


def extract(salt: bytes, secret: bytes) -> bytes:
    return hmac.digest(salt, secret, hashlib.sha256)


def kdf(secret: bytes, label: int, context: bytes, size: int) -> bytes:
    info = b"".join(cbor2.dumps(each) for each in (label, context, size))
    output, block, number = b"", b"", 0
    while len(output) < size:
        number += 1
        block = hmac.digest(secret, block + info + bytes([number]), hashlib.sha256)
        output += block
    return output[:size]


def short(identifier: bytes) -> bytes:
    """Encode an identifier of one byte that is an integer of CBOR as that."""
    assert identifier[0] in range(0x18) or identifier[0] in range(0x20, 0x38)
    return identifier


@dataclass
class Ends:
    """Two ends of a run, with all their private keys."""

    x: bytes
    y: bytes
    sk_i: bytes
    sk_r: bytes
    c_i: bytes
    c_r: bytes
    id_cred_i: bytes
    id_cred_r: bytes
    cred_i: bytes
    cred_r: bytes
    suites: bytes = b"\x02"
    message_1: bytes = b""
    message_2: bytes = b""
    message_3: bytes = b""
    message_4: bytes = b""
    prk_out: bytes = b""

    def run(self) -> None:
        """Compute all messages, and the secret that keys are exported from."""
        g_x, g_y = public_of(self.x), public_of(self.y)
        self.message_1 = b"\x03" + self.suites + cbor2.dumps(g_x) + short(self.c_i)
        th_2 = hashed(cbor2.dumps(g_y), cbor2.dumps(hashed(self.message_1)))
        prk_2e = extract(th_2, shared(self.x, g_y))
        salt = kdf(prk_2e, 1, th_2, 32)
        prk_3e2m = extract(salt, shared(self.x, public_of(self.sk_r)))
        context = short(self.c_r) + self.id_cred_r + cbor2.dumps(th_2) + self.cred_r
        mac_2 = kdf(prk_3e2m, 2, context, 8)
        plain_2 = short(self.c_r) + short(self.id_cred_r[-1:]) + cbor2.dumps(mac_2)
        stream = kdf(prk_2e, 0, th_2, len(plain_2))
        cipher_2 = bytes(a ^ b for a, b in zip(plain_2, stream, strict=True))
        self.message_2 = cbor2.dumps(g_y + cipher_2)
        self._prove(th_2, plain_2, prk_3e2m)

    def _prove(self, th_2: bytes, plain_2: bytes, prk_3e2m: bytes) -> None:
        th_3 = hashed(cbor2.dumps(th_2), plain_2, self.cred_r)
        salt = kdf(prk_3e2m, 5, th_3, 32)
        prk_4e3m = extract(salt, shared(self.y, public_of(self.sk_i)))
        context = self.id_cred_i + cbor2.dumps(th_3) + self.cred_i
        mac_3 = kdf(prk_4e3m, 6, context, 8)
        plain_3 = short(self.id_cred_i[-1:]) + cbor2.dumps(mac_3)
        self.message_3 = sealed(prk_3e2m, 3, th_3, plain_3)
        th_4 = hashed(cbor2.dumps(th_3), plain_3, self.cred_i)
        self.message_4 = sealed(prk_4e3m, 8, th_4, b"")
        self.prk_out = kdf(prk_4e3m, 7, th_4, 32)


def sealed(secret: bytes, label: int, hash_before: bytes, plain: bytes) -> bytes:
    key, nonce = (
        kdf(secret, label, hash_before, 16),
        kdf(secret, label + 1, hash_before, 13),
    )
    data = cbor2.dumps(["Encrypt0", b"", hash_before])
    return cbor2.dumps(AESCCM(key, tag_length=8).encrypt(nonce, plain, data))


class JudgedInitiator:
    """The end that begins, with a responder whose messages it is given."""

    def __init__(self, x: bytes, sk_i: bytes, cred_i: bytes, cred_r: bytes) -> None:
        self.x, self.sk_i, self.cred_i, self.cred_r = x, sk_i, cred_i, cred_r
        self.message_1 = b"\x03\x02" + cbor2.dumps(public_of(x)) + b"\x00"

    def answer(self, message_2: bytes, public_r: bytes) -> tuple[bytes, bytes]:
        """Return message_3 and the secret that keys are exported from."""
        body = cbor2.loads(message_2)
        g_y, cipher_2 = body[:32], body[32:]
        th_2 = hashed(cbor2.dumps(g_y), cbor2.dumps(hashed(self.message_1)))
        prk_2e = extract(th_2, shared(self.x, g_y))
        stream = kdf(prk_2e, 0, th_2, len(cipher_2))
        plain_2 = bytes(a ^ b for a, b in zip(cipher_2, stream, strict=True))
        prk_3e2m = extract(kdf(prk_2e, 1, th_2, 32), shared(self.x, public_r))
        id_cred_r = b"\xa1\x04\x41" + plain_2[1:2]
        context = plain_2[:1] + id_cred_r + cbor2.dumps(th_2) + self.cred_r
        assert cbor2.loads(plain_2[2:]) == kdf(prk_3e2m, 2, context, 8)
        th_3 = hashed(cbor2.dumps(th_2), plain_2, self.cred_r)
        prk_4e3m = extract(kdf(prk_3e2m, 5, th_3, 32), shared(self.sk_i, g_y))
        context = b"\xa1\x04\x41\x00" + cbor2.dumps(th_3) + self.cred_i
        plain_3 = b"\x00" + cbor2.dumps(kdf(prk_4e3m, 6, context, 8))
        th_4 = hashed(cbor2.dumps(th_3), plain_3, self.cred_i)
        return sealed(prk_3e2m, 3, th_3, plain_3), kdf(prk_4e3m, 7, th_4, 32)
