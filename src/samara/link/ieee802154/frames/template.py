# SPDX-License-Identifier: Apache-2.0
"""The frames that two nodes exchange: what is the same in all of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from samara.link.ieee802154.frames.acks import (
    BROADCAST_SHORT,
    answer_to,
    confirmation_of,
)
from samara.link.ieee802154.frames.fcs import FCS_SIZE, PSDU_SIZE_MAX
from samara.link.ieee802154.frames.frame import (
    Address,
    Frame,
    FrameType,
    KeyId,
    SecurityHeader,
    Version,
    build,
)
from samara.link.ieee802154.frames.levels import mic_size
from samara.link.ieee802154.medium_access import access_of

if TYPE_CHECKING:
    from collections.abc import Mapping

VERSIONS = {2006: Version.V2006, 2015: Version.V2015}
"""Frame versions by the year of the standard that defined them."""


def asks_for_acks(settings: Mapping[str, Any]) -> bool:
    """Tell whether a node wants its frames to be acknowledged."""
    return (
        settings.get("frame_retries") is not None or access_of(settings).asks_for_acks
    )


@dataclass(frozen=True, slots=True)
class FrameTemplate:
    """Level, key identifier, version and addresses of the frames of one end."""

    level: int
    key_id: KeyId
    version: Version
    source: Address
    destination: Address
    """Of the other end of a pair. In a network each frame has its own; this one has
    their form."""
    asks_ack: bool = False
    """Whether receivers are to acknowledge frames (`samara.link.ieee802154.mac`)."""

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> FrameTemplate:
        """Return the template that the settings of a node ask for."""
        mode = settings["key_id_mode"]
        return cls(
            level=settings["level"],
            key_id=KeyId(mode, min(mode, 1), bytes.fromhex(settings["key_source"])),
            version=VERSIONS[settings["frame_version"]],
            source=_address(settings, "own"),
            destination=_address(settings, "peer" if settings["peer"] else "own"),
            asks_ack=asks_for_acks(settings),
        )

    def to(self, short: int, extended: bytes) -> FrameTemplate:
        """Return the template of frames to a neighbour with these addresses."""
        return replace(self, destination=self._like_own(short, extended))

    def to_all(self) -> FrameTemplate:
        """Return the template of frames to everybody in the PAN."""
        everybody = Address(pan=self.source.pan, short=BROADCAST_SHORT)
        return replace(self, destination=everybody)

    def with_key(self, index: int) -> FrameTemplate:
        """Return the template of frames that are secured with another key."""
        index = index if self.key_id.mode else 0
        return replace(self, key_id=replace(self.key_id, index=index))

    def to_extended(self, extended: bytes) -> FrameTemplate:
        """Return the template of frames to an address that is no neighbour's.

        They ask for no acknowledgement.
        """
        destination = Address(pan=self.source.pan, long=extended)
        return replace(self, destination=destination, asks_ack=False)

    def from_extended(self, extended: bytes) -> FrameTemplate:
        """Return the template of frames from an address that nobody knows yet."""
        return replace(self, source=Address(pan=self.source.pan, long=extended))

    def _like_own(self, short: int, extended: bytes) -> Address:
        if self.source.long is None:
            return Address(pan=self.source.pan, short=short)
        return Address(pan=self.source.pan, long=extended)

    def frame(self, payload: bytes, counter: int) -> Frame:
        """Return a frame that is not secured yet."""
        # With two extended addresses, compression removes both PANs (2015).
        both_long = self.source.long is not None and self.destination.long is not None
        compressed = self.version is Version.V2006 or not both_long
        return Frame(
            version=self.version,
            sequence=counter & 0xFF,
            destination=self.destination,
            source=self.source,
            pan_compression=compressed,
            ack_request=self.asks_ack and self.destination.short != BROADCAST_SHORT,
            security=SecurityHeader(self.level, self.key_id) if self.level else None,
            payload=payload,
        )

    def answer_to(self, frame: Frame) -> Frame:
        """Return the acknowledgement of a secured frame of 2015, not secured yet.

        It has a source address, so that whoever has the key can make its nonce.
        """
        return replace(
            self.frame(confirmation_of(frame), 0),
            type=FrameType.ACKNOWLEDGEMENT,
            sequence=frame.sequence,
            ack_request=False,
        )

    def psdu_of(self, payload_size: int) -> bytes:
        """Return a frame with its FCS as it is sent, all secret bytes zero."""
        mic = bytes(mic_size(self.level))
        frame = replace(self.frame(bytes(payload_size), 0), mic=mic)
        return build(frame) + bytes(FCS_SIZE)

    def acknowledgements_of(self, count: int) -> list[bytes]:
        """Return the acknowledgements of so many frames with their FCS, if any."""
        if not self.asks_ack:
            return []
        asking = self.frame(b"", 0)
        if self.version is Version.V2015 and self.level:
            answer = replace(self.answer_to(asking), mic=bytes(mic_size(self.level)))
        else:
            answer = answer_to(asking)
        return [build(answer) + bytes(FCS_SIZE)] * count

    @property
    def payload_size(self) -> int:
        """Bytes of the longest payload of a frame."""
        return PSDU_SIZE_MAX - len(self.psdu_of(0))


def _address(settings: Mapping[str, Any], end: str) -> Address:
    pan = int(settings["pan"], 16)
    if settings["addresses"] == "short":
        return Address(pan=pan, short=int(settings[end]["short"], 16))
    return Address(pan=pan, long=bytes.fromhex(settings[end]["extended"]))
