# SPDX-License-Identifier: Apache-2.0
"""Captures of IEEE 802.15.4 frames: secure or open each frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Protocol

from samara.errors import MisuseError, RefusedError
from samara.link.ieee802154.captures.key_file import SENDERS_MAX, Keys
from samara.link.ieee802154.captures.pcap import Captured, Reader, Writer
from samara.link.ieee802154.frames import tools as frame_tools
from samara.link.ieee802154.frames.frame import SecurityHeader, build, parse

if TYPE_CHECKING:
    from collections.abc import Iterator


class Change(Protocol):
    """A change to the frames of a capture: opening or protecting."""

    def __call__(self, captured: Captured, asn: int | None) -> bytes:
        """Return the changed packet.

        Parameters
        ----------
        captured
            The frame; it is not cut short.
        asn
            The frame's absolute slot number, if it is known.

        Raises
        ------
        RefusedError, MisuseError, ValueError
            When the frame cannot be changed.
        """
        ...


class Opening:
    """Opens frames as one receiver does: a replayed frame is refused.

    The FCS of a frame with a MIC is not checked: the MIC proves more, and some
    sniffers write measured values in place of the FCS.
    """

    def __init__(self, keys: Keys, *, encryption_only: bool = False) -> None:
        self._opener = frame_tools.Opener(
            keys.keys,
            keys.devices,
            encryption_only=encryption_only,
            places=SENDERS_MAX,
        )

    def __call__(self, captured: Captured, asn: int | None) -> bytes:
        """Return the packet with the frame without security."""
        parsed = parse(captured.frame)
        if not parsed.mic:
            _refuse_wrong_fcs(captured)
        if frame_tools.is_slotted(parsed) and asn is None:
            message = (
                "its nonce contains the absolute slot number, which the packet does "
                "not have: give that of the first packet (--asn)"
            )
            raise MisuseError(message)
        opened = self._opener.open(captured.frame, asn=asn)
        return captured.with_frame(build(frame_tools.without_security(opened)))


class Protecting:
    """Secures frames as their senders do.

    Parameters
    ----------
    first_counter
        Each sender's first frame counter; None: nonces contain the absolute slot
        number (ASN).
    """

    def __init__(self, keys: Keys, level: int, first_counter: int | None) -> None:
        self._key, self._devices = keys.keys[0], keys.devices
        self._level = level
        self._first_counter = first_counter
        # The lowest unused frame counter, or ASN, of each sender.
        self._unused: dict[bytes, int] = {}

    def __call__(self, captured: Captured, asn: int | None) -> bytes:
        """Return the packet, secured with the next frame counter or the ASN."""
        _refuse_wrong_fcs(captured)
        parsed = parse(captured.frame)
        slotted = self._first_counter is None
        source = frame_tools.source_of(parsed, self._devices, slotted=slotted)
        if source is None:
            message = (
                "the extended address of its sender is not known: add a [[device]]"
            )
            raise MisuseError(message)
        number = self._slot(source, asn) if slotted else self._counter(source)
        header = SecurityHeader(
            self._level,
            self._key.key_id,
            None if slotted else number,
            asn_in_nonce=slotted,
        )
        secured = frame_tools.protected(
            parsed, header, self._key, source, asn=number if slotted else None
        )
        self._unused[source] = number + 1
        return captured.with_frame(secured, number if slotted else None)

    def _counter(self, source: bytes) -> int:
        return self._unused.get(source, self._first_counter or 0)

    def _slot(self, source: bytes, asn: int | None) -> int:
        if asn is None:
            message = "its absolute slot number is not known: give --asn"
            raise MisuseError(message)
        if asn < self._unused.get(source, 0):
            message = "its sender has already sent a frame in this slot or a later one"
            raise MisuseError(message)
        return asn


def _refuse_wrong_fcs(captured: Captured) -> None:
    if captured.has_wrong_fcs:
        message = "its frame check sequence (FCS) is wrong"
        raise MisuseError(message)


@dataclass(frozen=True, slots=True)
class FrameResult:
    """What happened to one frame of a capture."""

    number: int
    """Counted from 1, as Wireshark does."""
    refused: str = ""
    """Why it was not changed; empty when it was."""


def convert(
    source: IO[bytes],
    target: IO[bytes],
    change: Change,
    *,
    keep: bool,
    first_asn: int | None = None,
) -> Iterator[FrameResult]:
    """Copy a capture, change its frames, and yield what happened to each.

    Parameters
    ----------
    keep
        Whether packets that cannot be changed are copied, byte for byte, instead
        of left out.
    first_asn
        Absolute slot number of the first packet; each further packet is one slot
        later. The ASN in a packet's TAP header has precedence.

    Raises
    ------
    PcapError
        When the source is not a capture, or is damaged.
    """
    reader = Reader(source)
    writer = Writer(target, reader.link_type)
    for number, captured in enumerate(reader, 1):
        asn = captured.asn
        if asn is None and first_asn is not None:
            asn = first_asn + number - 1
        try:
            packet, refused = _changed(captured, change, asn), ""
        except (RefusedError, MisuseError) as error:
            packet, refused = captured.packet, str(error)
        if not refused:
            writer.write(packet, captured.time_ns)
        elif keep:
            writer.write(packet, captured.time_ns, captured.whole_size)
        yield FrameResult(number, refused)


def _changed(captured: Captured, change: Change, asn: int | None) -> bytes:
    if captured.is_cut_short:
        message = (
            f"it is cut short: the capture has only {len(captured.packet)} of its "
            f"{captured.whole_size} bytes"
        )
        raise MisuseError(message)
    return change(captured, asn)
