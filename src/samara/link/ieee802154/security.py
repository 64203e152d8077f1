# SPDX-License-Identifier: Apache-2.0
"""The state of a secured IEEE 802.15.4 link: see `samara.link.ieee802154`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING

from samara import _core
from samara._core import TableError
from samara.crypto.names import find
from samara.link.ieee802154.frame import Frame, FrameType, KeyId, build, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.crypto.bytes_like import BytesLike

_NO_PLACE = 0xFF
_NO_SHORT_ADDRESS = 0xFFFE
_KEY_ASN = 1
_KEY_ENCRYPTION_ONLY = 2


class Role(IntEnum):
    """What a key does while keys are rotated: the current one sends, all open."""

    PREVIOUS = 1
    CURRENT = 2
    NEXT = 3


@dataclass(frozen=True, slots=True)
class FrameCipher:
    """A cipher that may secure frames. Sizes are in bytes."""

    slug: str
    key_size: int
    tag_size: int
    """The longest MIC."""
    takes_asn: bool
    """Whether nonces may be made of the ASN."""


@cache
def _by_slug() -> dict[str, FrameCipher]:
    return {row[0]: FrameCipher(*row) for row in _core.frame_ciphers()}


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


class Security:
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
        self.address = bytes(address)
        self._key_places: set[int] = set()
        self._device_places: dict[bytes, int] = {}
        self._key_count, self._device_count = keys, devices
        self._raw = _core.RawSecurity(self.address, pan, keys, devices)

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
        flags = _KEY_ASN * asn | _KEY_ENCRYPTION_ONLY * encryption_only
        self._raw.set_key(
            place,
            frame_cipher(cipher).slug,
            key,
            key_id.mode,
            key_id.source,
            key_id.index,
            role,
            place if family is None else family,
            _NO_PLACE if device is None else device,
            flags,
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
        error = TableError(text)
        error.reason = "place"
        raise error

    def remove_key(self, place: int) -> None:
        """Forget a key and its counters."""
        self._raw.remove_key(place)
        self._key_places.discard(place)

    def rotate(self, family: int) -> None:
        """Make a family's next key current and its current key previous.

        The previous one is forgotten. Each key keeps the counters that are its
        own. Raises `TableError` ("no-next-key"), and nothing changes, when there
        is no next key.
        """
        self._raw.rotate(family)
        self._key_places = set(filter(self._has_key, self._key_places))

    def _has_key(self, place: int) -> bool:
        try:
            self._raw.transmit_counter(place)
        except TableError:
            return False
        return True

    def current_key(self, family: int) -> int | None:
        """Return the place of the key that a family sends with, if there is one."""
        return _place(self._raw.current_key(family))

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
        self._raw.set_device(
            place, address, pan, _NO_SHORT_ADDRESS if short is None else short
        )
        self._device_places[address] = place
        return place

    def remove_device(self, place: int) -> None:
        """Forget a device and its receive counters."""
        self._raw.remove_device(place)
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
        place = _NO_PLACE if device is None else device
        for one in types:
            self._raw.require(place, one, level)

    # ---- counters ----

    def transmit_counter(self, key: int) -> int:
        """Return the lowest counter (or ASN) of a key that was not sent with."""
        return self._raw.transmit_counter(key)

    def set_transmit_counter(self, key: int, counter: int) -> None:
        """Raise the transmit counter of a key; `TableError` when it would fall."""
        self._raw.set_transmit_counter(key, counter)

    def receive_counter(self, device: int, key: int) -> int:
        """Return the lowest counter that is accepted from a device."""
        return self._raw.receive_counter(device, key)

    def set_receive_counter(self, device: int, key: int, counter: int) -> None:
        """Raise the receive counter of a device; `TableError` when it would fall."""
        self._raw.set_receive_counter(device, key, counter)

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
        return self._raw.protect(data, asn)

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
        clear, level, sender, key = self._raw.open(
            data, asn, _NO_PLACE if device is None else device
        )
        return Opened(parse(clear, opened=True), level, _place(sender), _place(key))


def acknowledges(acknowledgement: BytesLike, sent: BytesLike) -> None:
    """Check that an acknowledgement, opened before, answers the frame sent.

    Raises
    ------
    FrameError
        "other-frame"; or "unsecured" and "level" when the frame was secured as
        of 2015 and the acknowledgement less.
    """
    answer = _core.parse_frame(acknowledgement, True)  # noqa: FBT003
    answer.acknowledges(_core.parse_frame(sent, True))  # noqa: FBT003


def _place(raw: int) -> int | None:
    return None if raw == _NO_PLACE else raw


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
