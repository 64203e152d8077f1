# SPDX-License-Identifier: Apache-2.0
"""Whole captures of IEEE 802.15.4, secured or opened frame by frame."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Any, Protocol

from samara.errors import MisuseError, RefusedError
from samara.link import frame_tools
from samara.link.frame_tools import ADDRESS_SIZE, FrameDevice, FrameKey
from samara.link.ieee802154 import KeyId, SecurityHeader, build, frame_cipher, parse
from samara.link.pcap import Reader, Writer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SENDERS_MAX = 254
_KEY_FIELDS = {"key", "mode", "index", "source", "cipher"}
_DEVICE_FIELDS = {"extended", "short", "pan"}


class KeysError(MisuseError):
    """A file of keys that is not what it should be."""


@dataclass(frozen=True, slots=True)
class Keys:
    """What a capture is secured with, and who sends in it."""

    keys: tuple[FrameKey, ...]
    devices: tuple[FrameDevice, ...]


def keys_of(text: str) -> Keys:
    """Read a file of keys.

    Parameters
    ----------
    text
        TOML: tables ``[[key]]`` with `key` (hex digits), `mode` (0 if not told),
        `index`, `source` (hex digits, as on the air) and `cipher` (aes128 if not
        told), and tables ``[[device]]`` with `extended` and, for frames with
        short addresses, `short` and `pan`, all hex digits.

    Raises
    ------
    KeysError
        When it is not that. What is wrong is not repeated: it may be a key.
    """
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        message = "the file of keys is not TOML"
        raise KeysError(message) from None
    rows = {name: fields.get(name, []) for name in ("key", "device")}
    _check(rows, set(fields) - set(rows))
    if not rows["key"]:
        message = "the file of keys has no [[key]]"
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
        message = f"the file of keys has {min(unknown)!r} where nothing is looked for"
        raise KeysError(message)


def _key(row: Mapping[str, Any]) -> FrameKey:
    cipher = frame_cipher(str(row.get("cipher", "aes128")))
    key = _bytes(row, "key", "[[key]]")
    if len(key) != cipher.key_size:
        message = f"{cipher.slug} takes a key of {cipher.key_size} bytes"
        raise KeysError(message)
    mode, index = (row.get(name, 0) for name in ("mode", "index"))
    if not isinstance(mode, int) or not isinstance(index, int):
        message = "mode and index of a [[key]] are numbers"
        raise KeysError(message)
    source = _bytes(row, "source", "[[key]]") if "source" in row else b""
    return FrameKey(key, KeyId(mode, index, source), cipher.slug)


def _device(row: Mapping[str, Any]) -> FrameDevice:
    extended = _bytes(row, "extended", "[[device]]")
    if len(extended) != ADDRESS_SIZE:
        message = f"extended of a [[device]] has {ADDRESS_SIZE} bytes"
        raise KeysError(message)
    device = FrameDevice(extended)
    if "short" in row:
        device = replace(device, short=_number(row, "short"))
    return replace(device, pan=_number(row, "pan")) if "pan" in row else device


def _bytes(row: Mapping[str, Any], name: str, table: str) -> bytes:
    try:
        return bytes.fromhex(row[name])
    except (KeyError, TypeError, ValueError):
        message = f"{name} of a {table} is hex digits, two a byte"
        raise KeysError(message) from None


def _number(row: Mapping[str, Any], name: str) -> int:
    if not re.fullmatch("[0-9A-Fa-f]{1,4}", str(row[name])):
        message = f"{name} of a [[device]] is a text of one to four hex digits"
        raise KeysError(message)
    return int(str(row[name]), 16)


class Change(Protocol):
    """What becomes of a frame."""

    def __call__(self, frame: bytes) -> bytes:
        """Return another frame; raise RefusedError or ValueError for none."""
        ...


class Opening:
    """Opens frames as one receiver would: a replay is refused."""

    def __init__(self, keys: Keys, *, encryption_only: bool = False) -> None:
        self._opener = frame_tools.Opener(
            keys.keys,
            keys.devices,
            encryption_only=encryption_only,
            places=_SENDERS_MAX,
        )

    def __call__(self, frame: bytes) -> bytes:
        """Return the frame as it was before it was secured."""
        return build(frame_tools.without_security(self._opener.open(frame)))


class Protecting:
    """Secures frames as each of their senders would."""

    def __init__(self, keys: Keys, level: int, first_counter: int) -> None:
        self._keys, self._level = keys, level
        self._first_counter = first_counter
        self._counters: dict[bytes, int] = {}

    def __call__(self, frame: bytes) -> bytes:
        """Return the frame, secured with its sender's next counter."""
        parsed = parse(frame)
        source = frame_tools.extended_source(parsed, self._keys.devices)
        if source is None:
            message = "the extended address of its sender is not known"
            raise ValueError(message)
        counter = self._counters.get(source, self._first_counter)
        key = self._keys.keys[0]
        header = SecurityHeader(self._level, key.key_id, counter)
        secured = frame_tools.protected(parsed, header, key, source)
        self._counters[source] = counter + 1
        return secured


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one frame of a capture."""

    number: int
    """From 1, as Wireshark has it."""
    refused: str = ""
    """Why it could not be changed; empty when it was."""


def convert(
    source: IO[bytes], target: IO[bytes], change: Change, *, keep: bool
) -> Iterator[Outcome]:
    """Copy a capture and change its frames; tell of each.

    Parameters
    ----------
    keep
        Whether frames that cannot be changed are copied as they are; otherwise
        they are left out.

    Raises
    ------
    PcapError
        When the source is no capture, or damaged.
    """
    reader = Reader(source)
    writer = Writer(target, reader.link_type)
    for number, captured in enumerate(reader, 1):
        try:
            packet, refused = captured.packet(change(captured.frame)), ""
        except (RefusedError, MisuseError, ValueError) as error:
            packet, refused = captured.packet(), str(error)
        if not refused or keep:
            writer.write(packet, captured.time_ns)
        yield Outcome(number, refused)
