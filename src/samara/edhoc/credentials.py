# SPDX-License-Identifier: Apache-2.0
"""Static keys of P-256, and the credentials that EDHOC names them by.

A public key is its x-coordinate alone: 32 bytes. A credential is a CWT claims set with
one key, and a key identifier of one byte (RFC 9528, section 3.5.2).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Self

from samara import hkdf
from samara.extras import needed

with needed("edhoc"):
    from cryptography.hazmat.primitives.asymmetric import ec

KEY_SIZE = 32
"""Of private keys, and of public ones."""

_STATIC_KEY = b"samara edhoc static key 1"
_CURVE = ec.SECP256R1()
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
# Claim 8 (cnf), COSE_Key: key type 2 (EC2), key identifier, curve 1 (P-256), x.
_BEFORE_KID = bytes.fromhex("a108a101a401020241")
_BEFORE_X = bytes.fromhex("2001215820")
# With an even y-coordinate; ECDH of x-coordinates does not depend on it.
_EVEN = b"\x02"


def is_point(public: bytes) -> bool:
    """Return whether some point of the curve has this x-coordinate."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, _EVEN + public)
    except ValueError:
        return False
    return len(public) == KEY_SIZE


@dataclass(frozen=True, slots=True)
class StaticKey:
    """A private key with its public one."""

    private: bytes = field(repr=False)

    @classmethod
    def drawn(cls) -> Self:
        """Draw a key."""
        return cls._of(1 + secrets.randbelow(_ORDER - 1))

    @classmethod
    def derived(cls, secret: bytes, label: bytes) -> Self:
        """Return the key that all who know a secret can compute.

        The private key is HKDF of the secret with SHA-256 (RFC 5869), 16 bytes longer
        than the order of the curve, modulo that order: as good as drawn (FIPS 186-5,
        A.2.1).
        """
        size = KEY_SIZE + 16
        output = hkdf.derived(secret, salt=_STATIC_KEY, info=label, size=size)
        number = int.from_bytes(output)
        return cls._of(1 + number % (_ORDER - 1))

    @classmethod
    def _of(cls, number: int) -> Self:
        return cls(number.to_bytes(KEY_SIZE))

    @property
    def public(self) -> bytes:
        """The public key."""
        key = ec.derive_private_key(int.from_bytes(self.private), _CURVE)
        return key.public_key().public_numbers().x.to_bytes(KEY_SIZE)


def credential(public: bytes, kid: int) -> bytes:
    """Return the credential of a public key, with a key identifier of one byte."""
    return _BEFORE_KID + bytes([kid]) + _BEFORE_X + public
