# SPDX-License-Identifier: Apache-2.0
"""Security of an IEEE 802.15.4 link: keys, devices and frame counters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from samara import _core
from samara._core import FrameCipher, Role
from samara.crypto.names import find
from samara.errors import TableError
from samara.link.ieee802154.frames.frame import Frame, FrameType, KeyId, build, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.crypto.bytes_like import BytesLike
    from samara.link.ieee802154.frames.batch import (
        OpenedFrames,
        ProtectedFrames,
    )
    from samara.link.ieee802154.frames.packing import Packed


@cache
def _by_slug() -> dict[str, FrameCipher]:
    return {row.slug: row for row in _core.frame_ciphers()}


def frame_ciphers() -> list[FrameCipher]:
    """Return the ciphers that can secure frames, in the order of the registry."""
    return list(_by_slug().values())


def frame_cipher(slug: str) -> FrameCipher:
    """Return the cipher with this name, such as ``"aes128"``.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such name. The text suggests the nearest names.
    """
    return find("cipher for frames", slug, _by_slug())


@dataclass(frozen=True, slots=True)
class Opened:
    """A frame that was accepted.

    Parameters
    ----------
    frame
        Frame with decrypted payload.
    level
        Security level; 0 for a frame that is not secured and can be a forgery.
    device
        Place of the device that sent the frame; None is possible at level 0 only.
    key
        Place of the key; None at level 0.
    lost
        Frame counters that left the window of late frames by this frame, without a
        frame that had them; 0 if late frames are refused.
    """

    frame: Frame
    level: int
    device: int | None
    key: int | None
    lost: int = 0


class Security(_core.SecurityState):
    """Keys, devices and frame counters of one end of a link.

    The counters are in memory only. Store them, and set them after a restart before
    the first frame. A counter never decreases.

    Parameters
    ----------
    address
        Our extended address, 8 bytes, most significant byte first.
    pan
        PAN of frames that do not contain one.
    keys, devices
        Number of places in the tables.
    late
        Whether a frame is accepted whose counter is among the 64 below the highest, and
        was not received yet (samara/ieee802154_window.h). The standard refuses it.
    """

    def __init__(
        self,
        address: bytes,
        pan: int = 0xFFFF,
        *,
        keys: int = 8,
        devices: int = 32,
        late: bool = False,
    ) -> None:
        super().__init__(address, pan, keys=keys, devices=devices, late=late)
        self.address = bytes(address)
        self._key_places: set[int] = set()
        self._device_places: dict[bytes, int] = {}
        self._key_count, self._device_count = keys, devices

    # ---- keys ----

    def add_key(  # noqa: PLR0913 - what a key is, by name
        self,
        key: bytes,
        key_id: KeyId,
        *,
        cipher: str = "aes128",
        role: Role = Role.CURRENT,
        family: int | None = None,
        device: int | None = None,
        asn: bool = False,
        encryption_only: bool = False,
    ) -> int:
        """Add a key to the table with all counters 0, and return its place.

        Parameters
        ----------
        key
            The key.
        key_id
            Key identifier in frames.
        cipher
            One of `frame_ciphers`.
        role, family
            Role among the keys of a family, which rotate together. Default: a family
            of its own, with the number of its place.
        device
            Place of the only device that may use the key. Default: all devices.
        asn
            Whether nonces are made from the ASN instead of the frame counter.
        encryption_only
            Whether level 4, which does not authenticate, is allowed.

        Raises
        ------
        TableError
            When the table is full ("place"), contains the key already
            ("key-repeated"), or the settings do not fit ("key-settings").
        """
        place = self._free_place(self._key_places, self._key_count)
        self.set_key(
            place,
            cipher=frame_cipher(cipher).slug,
            key=key,
            mode=key_id.mode,
            source=key_id.source,
            index=key_id.index,
            role=role,
            family=place if family is None else family,
            device=device,
            asn=asn,
            encryption_only=encryption_only,
        )
        self._key_places.add(place)
        return place

    @staticmethod
    def _free_place(used: Iterable[int], count: int) -> int:
        taken = set(used)
        for place in range(count):
            if place not in taken:
                return place
        text = f"the table is full: all {count} places are used"
        raise TableError(text, "place")

    def remove_key(self, place: int) -> None:
        """Wipe a key and its counters."""
        super().remove_key(place)
        self._key_places.discard(place)

    def rotate(self, family: int) -> None:
        """Make a family's next key current and its current key previous.

        The previous key is wiped. Each key keeps its own counters. Without a next key
        this raises `TableError` ("no-next-key"), and nothing changes.
        """
        super().rotate(family)
        self._key_places = set(filter(self._has_key, self._key_places))

    def _has_key(self, place: int) -> bool:
        try:
            self.transmit_counter(place)
        except TableError:
            return False
        return True

    # ---- devices ----

    def add_device(
        self, address: bytes, *, pan: int = 0xFFFF, short: int | None = None
    ) -> int:
        """Add a device to the table, or change it, and return its place.

        Parameters
        ----------
        address
            Extended address, 8 bytes, most significant byte first.
        pan, short
            PAN, and short address if the device has one.

        Raises
        ------
        TableError
            When the table is full, or the address is our own or that of another
            device.
        """
        address = bytes(address)
        place = self._device_places.get(address)
        if place is None:
            place = self._free_place(self._device_places.values(), self._device_count)
        self.set_device(place, address, pan=pan, short_address=short)
        self._device_places[address] = place
        return place

    def remove_device(self, place: int) -> None:
        """Remove a device and its receive counters."""
        super().remove_device(place)
        self._device_places = {
            address: other
            for address, other in self._device_places.items()
            if other != place
        }

    def device(self, address: bytes) -> int | None:
        """Return the place of the device with this extended address, or None."""
        return self._device_places.get(bytes(address))

    def require(
        self,
        level: int,
        types: Iterable[FrameType] = tuple(FrameType),
        *,
        device: int | None = None,
    ) -> None:
        """Set the minimum security level of received frames. Default: 1.

        Parameters
        ----------
        level
            Security level, 0 to 7; 0 accepts frames that are not secured.
        types
            Frame types that the minimum applies to. Default: all.
        device
            Place of a device. Default: all devices that are not in the table, and
            those that are added later.
        """
        for one in types:
            self.require_level(device, one, level)

    # ---- frames ----

    def protect(self, frame: Frame | BytesLike, *, asn: int | None = None) -> bytes:
        """Secure a frame as its auxiliary security header specifies.

        Parameters
        ----------
        frame
            Frame with `security` and without MIC, or its bytes. The frame counter is
            replaced by the key's next one.
        asn
            Absolute slot number, for keys whose nonces are made from it.

        Returns
        -------
        bytes
            The frame with its MIC, without FCS.

        Raises
        ------
        FrameError
            When the frame cannot be secured; see `reason`: "no-key", "counter-end",
            "unsecured", ...
        """
        data = build(frame) if isinstance(frame, Frame) else frame
        return self.protect_bytes(data, asn=asn)

    def open(
        self, data: BytesLike, *, asn: int | None = None, device: int | None = None
    ) -> Opened:
        """Open a frame. Its frame counter counts as received only if the MIC is right.

        Parameters
        ----------
        data
            The frame with its MIC, without FCS.
        asn
            Absolute slot number, for keys whose nonces are made from it.
        device
            Place of the device that sent a frame without a source address.

        Raises
        ------
        FrameError
            When the frame is refused; see `reason`: "authentication", "replay",
            "unsecured", ... No counter changes then, with one exception: "element"
            may also mean a genuine frame with malformed information elements.
        """
        opened = self.open_bytes(data, asn=asn, device=device)
        frame = parse(opened.frame, opened=True)
        return Opened(frame, opened.level, opened.device, opened.key, opened.lost)

    def open_many(
        self,
        frames: Iterable[BytesLike] | Packed,
        *,
        asns: Iterable[int] | None = None,
    ) -> OpenedFrames:
        """Open frames in their order, each as `open` would, in one call.

        A frame that is refused does not stop the others, changes no counter and
        releases nothing. Several frames may come from one device.

        Parameters
        ----------
        frames
            Frames with their MIC, without FCS; at most 65,536: a list, or arrays with
            the bytes of all and the size of each (`packing.PackedFrames`).
        asns
            Absolute slot number of each frame, for keys whose nonces are made from it.

        Returns
        -------
        OpenedFrames
            Arrays with one element for each frame.

        Raises
        ------
        ValueError
            When there are too many frames, or not as many slot numbers, or sizes that
            do not fit the bytes. No counter has changed then.
        """
        # NumPy takes longer to import than a node to start.
        from samara.link.ieee802154.frames import batch  # noqa: PLC0415

        return batch.open_many(self, frames, asns)

    def protect_many(
        self,
        frames: Iterable[BytesLike] | Packed,
        *,
        asns: Iterable[int] | None = None,
    ) -> ProtectedFrames:
        """Secure frames in their order, each as `protect` would, in one call.

        A frame that is refused does not stop the others and has no bytes in the
        answer. The keys of a table may take turns in any order.

        Parameters
        ----------
        frames
            Frames without MIC and FCS, whose frame counters are replaced; at most
            65,536: a list, or arrays with the bytes of all and the size of each
            (`packing.PackedFrames`).
        asns
            Absolute slot number of each frame, for keys whose nonces are made from it.

        Returns
        -------
        ProtectedFrames
            Arrays with one element for each frame.

        Raises
        ------
        ValueError
            As for `open_many`.
        """
        from samara.link.ieee802154.frames import batch  # noqa: PLC0415

        return batch.protect_many(self, frames, asns)


def acknowledges(acknowledgement: BytesLike, sent: BytesLike) -> None:
    """Check that an acknowledgement, which was opened, belongs to the frame sent.

    Raises
    ------
    FrameError
        "other-frame" if it does not; "unsecured" or "level" if the frame was secured
        (2015) and the acknowledgement has a lower level.
    """
    _core.parse_frame(acknowledgement).acknowledges(_core.parse_frame(sent))


__all__ = [
    "FrameCipher",
    "Opened",
    "Role",
    "Security",
    "TableError",
    "acknowledges",
    "frame_cipher",
    "frame_ciphers",
]
