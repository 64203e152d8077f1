# SPDX-License-Identifier: Apache-2.0
"""Captures of IEEE 802.15.4 frames: secure or open each frame."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Any, Protocol

from samara.errors import MisuseError, RefusedError
from samara.link.ieee802154.captures.pcap import Captured, Reader, Writer
from samara.link.ieee802154.frames import tools as frame_tools
from samara.link.ieee802154.frames.frame import (
    ADDRESS_SIZE,
    KeyId,
    SecurityHeader,
    build,
    parse,
)
from samara.link.ieee802154.frames.levels import KEY_SOURCE_SIZES
from samara.link.ieee802154.frames.naming import frame_cipher_named
from samara.link.ieee802154.frames.tools import FrameDevice, FrameKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SENDERS_MAX = 254
_KEYS_MAX = 255
_INDICES = range(256)
_KEY_FIELDS = {"key", "mode", "index", "source", "cipher"}
_DEVICE_FIELDS = {"extended", "short", "pan"}


class KeysError(MisuseError):
    """A key file has wrong contents."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The contents of a key file: keys, and devices that send frames."""

    keys: tuple[FrameKey, ...]
    devices: tuple[FrameDevice, ...]


def keys_of(text: str) -> Keys:
    """Return the contents of a key file.

    Parameters
    ----------
    text
        TOML: tables ``[[key]]`` with `key` (hex digits), `mode` (default 0),
        `index` (default 0), `source` (hex digits, in the order of the frame) and
        `cipher` (default aes128; a suite such as aes128-ccm-8 names its cipher),
        and tables ``[[device]]`` with `extended` and, for frames with short
        addresses, `short` and `pan`, all as hex digits.

    Raises
    ------
    KeysError
        When the contents are wrong. The text does not repeat them: they may be a
        key.
    """
    try:
        fields = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        message = "the key file is not TOML"
        raise KeysError(message) from None
    rows = {name: fields.get(name, []) for name in ("key", "device")}
    _check(rows, set(fields) - set(rows))
    if not rows["key"]:
        message = "the key file has no [[key]]"
        raise KeysError(message)
    for name, most in (("key", _KEYS_MAX), ("device", _SENDERS_MAX)):
        if len(rows[name]) > most:
            message = (
                f"the key file has {len(rows[name])} tables [[{name}]]; the most is "
                f"{most}"
            )
            raise KeysError(message)
    return Keys(tuple(map(_key, rows["key"])), tuple(map(_device, rows["device"])))


def _check(rows: Mapping[str, Any], unknown: set[str]) -> None:
    for name, known in (("key", _KEY_FIELDS), ("device", _DEVICE_FIELDS)):
        if not isinstance(rows[name], list):
            unknown.add(name)
            continue
        for row in rows[name]:
            unknown |= set(row) - known if isinstance(row, dict) else {name}
    if unknown:
        message = (
            f"the key file has an unknown or misplaced key {min(unknown)!r}: a [[key]] "
            "has key, mode, index, source, cipher; a [[device]] extended, short, pan"
        )
        raise KeysError(message)


def _key(row: Mapping[str, Any]) -> FrameKey:
    cipher = frame_cipher_named(str(row.get("cipher", "aes128")))
    key = _bytes(row, "key", "[[key]]")
    if len(key) != cipher.key_size:
        message = (
            f"{cipher.slug} takes a key of {cipher.key_size} bytes, and a [[key]] has "
            f"{len(key)}"
        )
        raise KeysError(message)
    mode, index = (row.get(name, 0) for name in ("mode", "index"))
    if type(mode) is not int or mode not in range(len(KEY_SOURCE_SIZES)):
        message = "mode of a [[key]] must be a number from 0 to 3"
        raise KeysError(message)
    if type(index) is not int or index not in _INDICES:
        message = "index of a [[key]] must be a number from 0 to 255"
        raise KeysError(message)
    source = _bytes(row, "source", "[[key]]") if "source" in row else b""
    if len(source) != KEY_SOURCE_SIZES[mode]:
        message = (
            f"source of a [[key]] of mode {mode} must have "
            f"{KEY_SOURCE_SIZES[mode]} bytes, not {len(source)}"
        )
        raise KeysError(message)
    return FrameKey(key, KeyId(mode, index, source), cipher.slug)


def _device(row: Mapping[str, Any]) -> FrameDevice:
    extended = _bytes(row, "extended", "[[device]]")
    if len(extended) != ADDRESS_SIZE:
        message = (
            f"extended of a [[device]] must have {ADDRESS_SIZE} bytes, not "
            f"{len(extended)}"
        )
        raise KeysError(message)
    device = FrameDevice(extended)
    if "short" in row:
        device = replace(device, short=_number(row, "short"))
    return replace(device, pan=_number(row, "pan")) if "pan" in row else device


def _bytes(row: Mapping[str, Any], name: str, table: str) -> bytes:
    try:
        return bytes.fromhex(row[name])
    except (KeyError, TypeError, ValueError):
        message = f"{name} of a {table} must be a text of hex digits, two for each byte"
        raise KeysError(message) from None


def _number(row: Mapping[str, Any], name: str) -> int:
    if not re.fullmatch("[0-9A-Fa-f]{1,4}", str(row[name])):
        message = f"{name} of a [[device]] must be a text of one to four hex digits"
        raise KeysError(message)
    return int(str(row[name]), 16)


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
            places=_SENDERS_MAX,
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
