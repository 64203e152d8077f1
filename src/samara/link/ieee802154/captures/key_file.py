# SPDX-License-Identifier: Apache-2.0
"""The key file of captures: keys, and devices that send frames."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from samara.crypto.keys import shared_file_notice
from samara.errors import MisuseError
from samara.link.ieee802154.frames.frame import ADDRESS_SIZE, KeyId
from samara.link.ieee802154.frames.levels import KEY_SOURCE_SIZES
from samara.link.ieee802154.frames.naming import frame_cipher_named
from samara.link.ieee802154.frames.tools import FrameDevice, FrameKey

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import Path

    from samara.records import Notice

SENDERS_MAX = 254
"""The most devices of a key file."""
_KEYS_MAX = 255
# A key file has a few hundred bytes.
_SIZE_MAX = 1 << 20
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


def keys_in(path: Path) -> Generator[Notice, None, Keys]:
    """Return the contents of a key file.

    Yields
    ------
    What its owner should know: who else can read it.

    Raises
    ------
    KeysError, OSError
        When the contents are wrong, or cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(_SIZE_MAX)
        yield from shared_file_notice(path, path.stat().st_mode)
    return keys_of(content.decode("utf-8", "replace"))


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
    for name, most in (("key", _KEYS_MAX), ("device", SENDERS_MAX)):
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
