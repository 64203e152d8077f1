# SPDX-License-Identifier: Apache-2.0
"""The state of a secured IEEE 802.15.4 link: see `samara.link.ieee802154`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from samara import _core
from samara._core import FrameCipher, Role
from samara.crypto.names import find
from samara.errors import TableError
from samara.link.ieee802154.frame import Frame, FrameType, KeyId, build, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.crypto.bytes_like import BytesLike


@cache
def _by_slug() -> dict[str, FrameCipher]:
    return {row.slug: row for row in _core.frame_ciphers()}


def frame_ciphers() -> list[FrameCipher]:
    """Return the ciphers that fit a frame, in the order of the registry."""
    return list(_by_slug().values())


def frame_cipher(slug: str) -> FrameCipher:
    """Return the cipher of this name, such as ``"aes128"``.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is none; the text tells the nearest names.
    """
    return find("cipher for frames", slug, _by_slug())


@dataclass(frozen=True, slots=True)
class Opened:
    """A frame that was accepted.

    Parameters
    ----------
    frame
        The frame with its payload as plaintext.
    level
        Its security level; 0 of a frame that is not secured, which proves
        nothing.
    device
        The place of the device that sent it, or None: only at level 0.
    key
        The place of its key, or None at level 0.
    """

    frame: Frame
    level: int
    device: int | None
    key: int | None


class Security(_core.SecurityState):
    """Keys, devices and counters of one end of a link.

    Nothing here is durable: store the counters, and set them before the first
    frame after a restart. A counter only goes up.

    Parameters
    ----------
    address
        Our extended address, 8 bytes, highest first.
    pan
        The PAN of frames that do not tell one.
    keys, devices
        Places in the tables.
    """

    def __init__(
        self, address: bytes, pan: int = 0xFFFF, *, keys: int = 8, devices: int = 32
    ) -> None:
        super().__init__(address, pan, keys=keys, devices=devices)
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
        """Put a key into the table, its counters at 0, and return its place.

        Parameters
        ----------
        key
            The key's bytes.
        key_id
            How frames name it.
        cipher
            One of `frame_ciphers`.
        role, family
            Its role among the keys that rotate together; a family of its own by
            default, numbered as its place.
        device
            The place of the only device that it is for.
        asn
            Whether its nonces are made of the ASN, and not of frame counters.
        encryption_only
            Whether level 4, which authenticates nothing, is allowed.

        Raises
        ------
        TableError
            When the table is full, has the key already ("key-repeated"), or the
            key cannot be so ("key-settings").
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
        text = f"all {count} places of the table are taken"
        raise TableError(text, "place")

    def remove_key(self, place: int) -> None:
        """Forget a key and its counters."""
        super().remove_key(place)
        self._key_places.discard(place)

    def rotate(self, family: int) -> None:
        """Make a family's next key current and its current key previous.

        The previous one is forgotten. Each key keeps the counters that are its
        own. Raises `TableError` ("no-next-key"), and nothing changes, when there
        is no next key.
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
        """Put a device into the table, or change it, and return its place.

        Parameters
        ----------
        address
            Its extended address, 8 bytes, highest first.
        pan, short
            Its PAN and short address, where it has one.

        Raises
        ------
        TableError
            When the table is full, or the address is our own or another's.
        """
        address = bytes(address)
        place = self._device_places.get(address)
        if place is None:
            place = self._free_place(self._device_places.values(), self._device_count)
        self.set_device(place, address, pan=pan, short_address=short)
        self._device_places[address] = place
        return place

    def remove_device(self, place: int) -> None:
        """Forget a device and its receive counters."""
        super().remove_device(place)
        self._device_places = {
            address: other
            for address, other in self._device_places.items()
            if other != place
        }

    def device(self, address: bytes) -> int | None:
        """Return the place of the device with this extended address, if any."""
        return self._device_places.get(bytes(address))

    def require(
        self,
        level: int,
        types: Iterable[FrameType] = tuple(FrameType),
        *,
        device: int | None = None,
    ) -> None:
        """Require a security level of frames; level 1 is required at first.

        Parameters
        ----------
        level
            0 to 7; 0 accepts frames that are not secured.
        types
            The types of frames it is required of.
        device
            The place of a device; otherwise of all that are not in the table,
            and those added from now on begin with it.
        """
        for one in types:
            self.require_level(device, one, level)

    # ---- frames ----

    def protect(self, frame: Frame | BytesLike, *, asn: int | None = None) -> bytes:
        """Secure a frame as its auxiliary security header says.

        Parameters
        ----------
        frame
            A frame with `security` and without MIC, or its bytes. Its counter is
            replaced by the key's next one.
        asn
            The absolute slot number, for keys whose nonces are made of it.

        Returns
        -------
        bytes
            The frame with its MIC, without FCS.

        Raises
        ------
        FrameError
            `reason` names why not: "no-key", "counter-end", "unsecured", ...
        """
        data = build(frame) if isinstance(frame, Frame) else frame
        return self.protect_bytes(data, asn=asn)

    def open(
        self, data: BytesLike, *, asn: int | None = None, device: int | None = None
    ) -> Opened:
        """Open a frame, and count it as received once its MIC was right.

        Parameters
        ----------
        data
            The frame with its MIC, without FCS.
        asn
            The absolute slot number, for keys whose nonces are made of it.
        device
            The place of the device that a frame without a source is from.

        Raises
        ------
        FrameError
            `reason` names why it is refused: "authentication", "replay",
            "unsecured", ...; nothing has changed then. Only "element" is told of
            a genuine frame too, whose sender wrote elements that cannot be read.
        """
        opened = self.open_bytes(data, asn=asn, device=device)
        frame = parse(opened.frame, opened=True)
        return Opened(frame, opened.level, opened.device, opened.key)


def acknowledges(acknowledgement: BytesLike, sent: BytesLike) -> None:
    """Check that an acknowledgement, opened before, answers the frame sent.

    Raises
    ------
    FrameError
        "other-frame"; or "unsecured" and "level" when the frame was secured as
        of 2015 and the acknowledgement less.
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
