# SPDX-License-Identifier: Apache-2.0
"""The settings of a node of IEEE 802.15.4: drawn for a new one, and checked."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from samara.crypto.resolving import cipher_and_tag
from samara.errors import MisuseError
from samara.link import ieee802154
from samara.link.ieee802154 import medium_access
from samara.link.ieee802154.frames.levels import (
    ENCRYPTION_ONLY,
    KEY_SOURCE_SIZES,
    MIC_SIZES,
    mic_size,
)
from samara.link.ieee802154.frames.naming import frame_cipher_named
from samara.link.ieee802154.frames.template import asks_for_acks
from samara.link.ieee802154.limits import NAME, SHORT_ADDRESSES
from samara.link.ieee802154.link_options import DEFAULT_LEVEL, OPTIONS
from samara.link.ieee802154.radios.place import MEDIUM, place_of
from samara.link.node.options import (
    HexDigits,
    SettingError,
    check_keys,
    check_settings,
    settings_from,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from samara.link.node.options import Settings

_V2015 = 2015


def new_settings(link: str, given: Mapping[str, Any]) -> Settings:
    """Return the settings of a new node from options, without its addresses."""
    settings = settings_from(link, OPTIONS, given)
    settings |= cipher_and_level(settings["suite"], given.get("level"))
    settings["key_source"] = drawn_source(settings)
    return settings


def check(settings: Settings, keys: Mapping[str, bytes] | None) -> None:
    """Check all settings of an end, and its key.

    Raises
    ------
    MisuseError
        When one is not accepted; the text names it, and repeats no key.
    """
    is_pair = settings.get("peer") is not None
    check_settings(settings, OPTIONS, _OF_PAIRS if is_pair else _OF_NETWORKS)
    cipher = ieee802154.frame_cipher(settings["suite"])
    _check_mic(cipher, settings["level"])
    if len(settings["key_source"]) != 2 * KEY_SOURCE_SIZES[settings["key_id_mode"]]:
        message = (
            f"the key source has {len(settings['key_source'])} hex digits; key id "
            f"mode {settings['key_id_mode']} needs "
            f"{2 * KEY_SOURCE_SIZES[settings['key_id_mode']]}"
        )
        raise SettingError(message)
    _check_acknowledged(settings)
    _check_radio(settings)
    own, peer = settings["own"], settings["peer"]
    if is_pair and any(own[name].lower() == peer[name].lower() for name in own):
        # They would use the same nonces.
        message = "both ends have the same address"
        raise SettingError(message)
    if is_pair and keys != {}:
        # None: they were renewed, and are in the state.
        check_keys(keys, {"key": cipher.key_size})
    elif not is_pair:
        check_keys(keys, {})


def cipher_and_level(suite: str, level: int | None) -> Settings:
    """Return cipher and level for a suite, or for a cipher alone.

    Frames name a cipher and a level. A suite such as `aes128-ccm-8` has both: the
    size of its tag stands for the level, unless a level is given, too.
    """
    cipher = frame_cipher_named(suite, level)
    tag_size = cipher_and_tag(suite).tag_size
    if level is None:
        encrypted = None if tag_size is None else MIC_SIZES.index(tag_size)
        level = DEFAULT_LEVEL if encrypted is None else ENCRYPTION_ONLY + encrypted
    return {"suite": cipher.slug, "level": level}


def _check_mic(cipher: ieee802154.FrameCipher, level: int) -> None:
    if mic_size(level) > cipher.tag_size:
        message = (
            f"level {level} has a MIC of {mic_size(level)} bytes, and the longest of "
            f"{cipher.slug} has {cipher.tag_size}"
        )
        raise MisuseError(message)


def _check_acknowledged(settings: Settings) -> None:
    is_2015 = settings["frame_version"] == _V2015
    if asks_for_acks(settings) and is_2015 and settings["level"] == ENCRYPTION_ONLY:
        name = medium_access.name_of(settings)
        asks = medium_access.access_of(settings).asks_for_acks
        option = f"--mac {name}" if asks else "--frame-retries"
        message = (
            f"{option} needs --frame-version 2006, or another level than "
            f"{ENCRYPTION_ONLY}, which does not authenticate: acknowledgements of 2015 "
            "are secured like the frames that they answer"
        )
        raise SettingError(message)


def _check_radio(settings: Settings) -> None:
    """Refuse what a radio co-processor would answer in its own way."""
    place = place_of(settings)
    if place.kind == MEDIUM:
        return
    if medium_access.access_of(settings).is_repeating:
        message = (
            f"--radio {place.kind} has its radio always on: it takes no --mac"
            f" {medium_access.name_of(settings)}"
        )
        raise SettingError(message)
    if asks_for_acks(settings) and settings["frame_version"] == _V2015:
        message = (
            f"--frame-retries with --radio {place.kind} needs --frame-version 2006: a"
            " radio co-processor secures the acknowledgements of 2015 itself, and has"
            " no key"
        )
        raise SettingError(message)


def two_addresses() -> tuple[Settings, Settings]:
    """Draw the addresses of two nodes."""
    shorts = secrets.SystemRandom().sample(SHORT_ADDRESSES, 2)
    first, second = (
        # Locally administered: no other device has it.
        {"short": f"{short:04x}", "extended": f"02{secrets.token_hex(7)}"}
        for short in shorts
    )
    return first, second


def _has_addresses(value: object) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"short", "extended"}
        and value["short"] in HexDigits(4, 4)
        and value["extended"] in HexDigits(16, 16)
        and int(value["short"], 16) in SHORT_ADDRESSES
    )


def _is_key_source(value: object) -> bool:
    return any(value in HexDigits(2 * size, 2 * size) for size in KEY_SOURCE_SIZES)


def is_name(value: object) -> bool:
    """Tell whether a value can be the name of a node of a network."""
    return isinstance(value, str) and NAME.fullmatch(value) is not None


def drawn_source(settings: Settings) -> str:
    """Draw a key source, as long as the key identifier mode says."""
    return secrets.token_hex(KEY_SOURCE_SIZES[settings["key_id_mode"]])


_OF_PAIRS: Mapping[str, Callable[[Any], bool]] = {
    "key_source": _is_key_source,
    "own": _has_addresses,
    "peer": _has_addresses,
}
"""Settings that are drawn, and what tells whether they are good."""

_OF_NETWORKS: Mapping[str, Callable[[Any], bool]] = {
    **_OF_PAIRS,
    "peer": lambda value: value is None,
    "name": is_name,
}
"""The same of a node whose neighbours are in its state."""
