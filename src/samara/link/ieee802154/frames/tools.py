# SPDX-License-Identifier: Apache-2.0
"""Opening and protecting single IEEE 802.15.4 frames with given keys.

Nothing is stored between calls of a program: the caller chooses frame counters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from samara.errors import MisuseError
from samara.link.ieee802154.frames.frame import (
    ADDRESS_SIZE,
    Frame,
    KeyId,
    SecurityHeader,
    Version,
    build,
    parse,
)
from samara.link.ieee802154.frames.levels import ENCRYPTION_ONLY
from samara.link.ieee802154.frames.security import Security, frame_cipher

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

COUNTER_END = 0xFFFF_FFFF
"""The lowest frame counter that must not be sent."""
ASN_END = (1 << 40) - 1
"""The lowest absolute slot number (ASN) that must not be used in a nonce."""

_NO_PAN = 0xFFFF
# Our own address, which no frame has: we only receive.
_NOBODY = b"\xff" * ADDRESS_SIZE
# A nonce with the ASN has a short address as the company identifier of IEEE 802.15
# and a zero byte, followed by PAN and address (9.3.2.2 of IEEE 802.15.4-2015).
_SHORT_SOURCE = bytes.fromhex("ba55ec00")


@dataclass(frozen=True, slots=True)
class FrameKey:
    """A key, with the key identifier by which frames name it."""

    key: bytes
    key_id: KeyId
    cipher: str = "aes128"


@dataclass(frozen=True, slots=True)
class FrameDevice:
    """A sender; nonces contain its extended address."""

    extended: bytes
    short: int | None = None
    pan: int | None = None
    """The PAN in which the short address is valid; None: every PAN."""


class Opener:
    """Opens frames of all senders that have the keys; a replayed frame is refused.

    A sender takes a place in the table only when one of its frames was genuine.
    Forged frames with many addresses therefore cannot fill the table.

    Parameters
    ----------
    devices
        The senders whose frames have short addresses.
    encryption_only
        Whether frames of level 4, which have no MIC, are opened too.
    places
        The most senders for each kind of nonce.
    """

    def __init__(
        self,
        keys: Sequence[FrameKey],
        devices: Sequence[FrameDevice],
        *,
        encryption_only: bool = False,
        places: int = 32,
    ) -> None:
        self._devices = devices
        slotted = [key for key in keys if frame_cipher(key.cipher).takes_asn]
        self._counted = _Receiver(
            keys, asn=False, encryption_only=encryption_only, places=places
        )
        self._slotted = _Receiver(
            slotted, asn=True, encryption_only=encryption_only, places=places
        )

    def open(
        self, data: bytes, *, asn: int | None = None, sender: bytes | None = None
    ) -> Frame:
        """Return a frame with its payload decrypted.

        Parameters
        ----------
        asn
            Absolute slot number, for a frame that suppresses its frame counter.
        sender
            Extended address of the sender, for a frame without a source address.

        Raises
        ------
        FrameError
            When the frame is refused, or is not secured.
        """
        frame = parse(data)
        source = source_of(frame, self._devices, slotted=is_slotted(frame))
        receiver = self._slotted if is_slotted(frame) else self._counted
        return receiver.open(data, frame, source or sender, asn)


class _Receiver:
    """Keys for one kind of nonce, and the senders of genuine frames."""

    def __init__(
        self,
        keys: Sequence[FrameKey],
        *,
        asn: bool,
        encryption_only: bool,
        places: int,
    ) -> None:
        self._keys, self._asn = keys, asn
        self._opens_level_4 = encryption_only
        self._known = self._security(places)

    def _security(self, places: int) -> Security:
        security = Security(_NOBODY, keys=len(self._keys), devices=places)
        for each in self._keys:
            security.add_key(
                each.key,
                each.key_id,
                cipher=each.cipher,
                asn=self._asn,
                encryption_only=self._opens_level_4,
            )
        return security

    def open(
        self, data: bytes, frame: Frame, source: bytes | None, asn: int | None
    ) -> Frame:
        if source is None:
            return self._known.open(data, asn=asn).frame
        if self._known.device(source) is None:
            # Verified in a table of its own before it takes a place in the common one.
            opened = self._opened(self._security(1), data, frame, source, asn)
            if frame.level == ENCRYPTION_ONLY:
                return opened
        return self._opened(self._known, data, frame, source, asn)

    def _opened(
        self,
        security: Security,
        data: bytes,
        frame: Frame,
        source: bytes,
        asn: int | None,
    ) -> Frame:
        place = security.device(source)
        if frame.source.short is not None:
            place = security.add_device(
                source, pan=_pan_of(frame), short=frame.source.short
            )
        elif place is None:
            place = security.add_device(source)
        # Required for each frame anew: level 4 would refuse levels 1 to 3.
        only_encrypts = frame.level == ENCRYPTION_ONLY and self._opens_level_4
        security.require(frame.level if only_encrypts else 1, device=place)
        return security.open(data, asn=asn, device=place).frame


def is_slotted(frame: Frame) -> bool:
    """Return whether the frame's nonce contains the ASN."""
    return frame.security is not None and frame.security.counter is None


def protected(
    frame: Frame,
    header: SecurityHeader,
    key: FrameKey,
    sender: bytes,
    *,
    asn: int | None = None,
) -> bytes:
    """Return a frame, secured as its sender does it.

    Parameters
    ----------
    frame
        Frame without security. A frame of version 2003 becomes one of version
        2006, the first that has an auxiliary security header.
    header
        Level, key identifier and frame counter. NEVER use a frame counter twice
        with the same key and sender. It is None when `asn` is given.
    sender
        Extended address of the sender; when `asn` is given, what `source_of`
        returns.
    asn
        Absolute slot number, which the nonce contains instead of the frame
        counter. NEVER use it twice with the same key and sender either.

    Raises
    ------
    FrameError
        When the frame cannot be secured in this way.
    MisuseError
        When the frame is already secured, when the frame counter or ASN is out of
        range, or when the frame or the cipher does not support an ASN.
    """
    if frame.security is not None or frame.legacy_security:
        message = "the frame is already secured"
        raise MisuseError(message)
    if asn is None:
        _check_counter(header.counter)
    else:
        _check_asn(asn, frame, key)
    if frame.version is Version.V2003:
        frame = replace(frame, version=Version.V2006, reserved=0)
    security = Security(sender, keys=1, devices=1)
    place = security.add_key(
        key.key,
        key.key_id,
        cipher=key.cipher,
        asn=asn is not None,
        encryption_only=header.level == ENCRYPTION_ONLY,
    )
    security.set_transmit_counter(place, header.counter or 0)
    return security.protect(replace(frame, security=header), asn=asn)


def _check_counter(counter: int | None) -> None:
    if counter is None or not 0 <= counter < COUNTER_END:
        message = (
            f"the frame counter must be between 0 and {COUNTER_END - 1}, not {counter}"
        )
        raise MisuseError(message)


def _check_asn(asn: int, frame: Frame, key: FrameKey) -> None:
    if not 0 <= asn < ASN_END:
        message = (
            f"the absolute slot number (ASN) must be between 0 and {ASN_END - 1}, not "
            f"{asn}"
        )
        raise MisuseError(message)
    if frame.version is not Version.V2015:
        year = frame.version.name.removeprefix("V")
        message = (
            f"the frame is of version {year}, and only frames of version 2015 have "
            "nonces with the absolute slot number: give a frame counter"
        )
        raise MisuseError(message)
    if not frame_cipher(key.cipher).takes_asn:
        message = (
            f"{key.cipher} does not support nonces with the absolute slot number: "
            "give a frame counter"
        )
        raise MisuseError(message)


def without_security(frame: Frame) -> Frame:
    """Return an opened frame without its security header and MIC."""
    return replace(frame, security=None, mic=b"", encrypted=False)


def secured_part(frame: Frame) -> bytes:
    """Return the part that levels 4 to 7 encrypt: payload IEs and payload."""
    clear = without_security(frame)
    header = build(replace(clear, payload=b"", payload_elements=()))
    return build(clear)[len(header) :]


def extended_source(frame: Frame, devices: Iterable[FrameDevice]) -> bytes | None:
    """Return the extended address of a frame's sender, if it is known."""
    if frame.source.long is not None:
        return frame.source.long
    if frame.source.short is None:
        return None
    for device in devices:
        fits = device.pan in (None, _pan_of(frame))
        if fits and device.short == frame.source.short:
            return device.extended
    return None


def source_of(
    frame: Frame, devices: Iterable[FrameDevice], *, slotted: bool
) -> bytes | None:
    """Return the 8 bytes of the nonce that identify the sender, if they are known.

    They are the extended address. If nonces contain the ASN (`slotted`), a short
    source address is not replaced by the extended one.
    """
    if slotted and frame.source.short is not None:
        numbers = (_pan_of(frame), frame.source.short)
        return _SHORT_SOURCE + b"".join(each.to_bytes(2, "big") for each in numbers)
    return extended_source(frame, devices)


def _pan_of(frame: Frame) -> int:
    """Return the PAN of the sender; the broadcast PAN if the frame has none."""
    pan = frame.destination.pan if frame.source.pan is None else frame.source.pan
    return _NO_PAN if pan is None else pan
