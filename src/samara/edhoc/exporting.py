# SPDX-License-Identifier: Apache-2.0
"""Keys for other protocols from a run of EDHOC (RFC 9528, section 4.2.1)."""

from __future__ import annotations

from dataclasses import dataclass, field

from samara import hkdf

_PRK_EXPORTER = 10
_MASTER_SECRET, _MASTER_SALT = 0, 1
_BYTES, _UNSIGNED = 2, 0


@dataclass(frozen=True, slots=True)
class Exporter:
    """What a completed run exports keys from.

    lakers 0.6.2 exports the standard's keys for labels up to 23 and contexts up to 255
    bytes; it refuses labels from 256 on, and so those for private use.
    """

    secret: bytes = field(repr=False)
    """PRK_out of RFC 9528."""

    def export(self, label: int, context: bytes, size: int) -> bytes:
        """Return a key.

        Parameters
        ----------
        label
            0 to 65535: from 32768 on for private use.
        context
            What else the key depends on.
        size
            In bytes.
        """
        exporter = _expanded(self.secret, _PRK_EXPORTER, b"", hkdf.HASH_SIZE)
        return _expanded(exporter, label, context, size)


@dataclass(frozen=True, slots=True)
class OscoreContext:
    """What OSCORE (RFC 8613) needs from a run, by its defaults (RFC 9528, A.1)."""

    secret: bytes = field(repr=False)
    salt: bytes = field(repr=False)
    sender: bytes
    recipient: bytes

    @classmethod
    def of(cls, exporter: Exporter, *, own: bytes, other: bytes) -> OscoreContext:
        """Return the context of one end.

        Parameters
        ----------
        own, other
            Connection identifiers that the two ends have chosen: each sends with that
            of the other one.
        """
        return cls(
            exporter.export(_MASTER_SECRET, b"", 16),
            exporter.export(_MASTER_SALT, b"", 8),
            sender=other,
            recipient=own,
        )


def _expanded(key: bytes, label: int, context: bytes, size: int) -> bytes:
    """EDHOC_Expand of EDHOC_KDF: HKDF-Expand with SHA-256 (RFC 5869)."""
    info = _head(_UNSIGNED, label) + _head(_BYTES, len(context)) + context
    info += _head(_UNSIGNED, size)
    return hkdf.expanded(key, info, size)


def _head(major: int, number: int) -> bytes:
    """Return the head of a CBOR item (RFC 8949, section 3)."""
    for extra, size in ((24, 1), (25, 2)):
        if number < extra:
            break
        if number < 1 << 8 * size:
            return bytes([major << 5 | extra]) + number.to_bytes(size)
    return bytes([major << 5 | number])
