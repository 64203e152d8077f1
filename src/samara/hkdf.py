# SPDX-License-Identifier: Apache-2.0
"""HKDF with SHA-256 (RFC 5869): keys that are derived from a secret.

The package `cryptography` has it, too, but samara needs that one only for EDHOC: new
keys of nodes are derived without it (`samara.link.ieee802154.keys.renewing`). Tests
compare this one with the vectors of the RFC.
"""

from __future__ import annotations

import hmac

_HASH = "sha256"
HASH_SIZE = 32
"""Bytes of a block of output, and of a pseudorandom key."""
SIZE_MAX = 255 * HASH_SIZE
"""Bytes that can be derived at most."""


def derived(secret: bytes, *, salt: bytes, info: bytes, size: int) -> bytes:
    """Return `size` bytes that are derived from a secret.

    Parameters
    ----------
    salt
        Need not be secret; the empty one stands for `HASH_SIZE` zeros.
    info
        What the output is for: another one gives an independent output.

    Raises
    ------
    ValueError
        When `size` is above `SIZE_MAX`.
    """
    return expanded(hmac.digest(salt, secret, _HASH), info, size)


def expanded(key: bytes, info: bytes, size: int) -> bytes:
    """Return `size` bytes from a pseudorandom key: HKDF-Expand alone.

    Raises
    ------
    ValueError
        When `size` is above `SIZE_MAX`.
    """
    if size > SIZE_MAX:
        message = f"HKDF derives at most {SIZE_MAX} bytes, not {size}"
        raise ValueError(message)
    output = block = b""
    for number in range(1, 1 + -(-size // HASH_SIZE)):
        block = hmac.digest(key, block + info + bytes([number]), _HASH)
        output += block
    return output[:size]
