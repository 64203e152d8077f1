# SPDX-License-Identifier: Apache-2.0
"""Tables by which Wireshark and tshark open frames of IEEE 802.15.4.

A pcapng file can have a block of keys (decryption secrets), but no type of it is for
keys of IEEE 802.15.4. Wireshark reads these, and the extended addresses that belong to
short ones, from tables in its directory of personal settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.link.ieee802154.frames.tools import FrameDevice, FrameKey

KEYS = "ieee802154_keys"
CIPHER = "aes128"
"""The only one that Wireshark has."""
_ADDRESSES = "802154_addresses"


def tables(
    keys: Iterable[FrameKey], senders: Iterable[FrameDevice]
) -> dict[str, list[str]]:
    """Return the rows of both tables, by their names.

    Raises
    ------
    MisuseError
        When a key is of a cipher that Wireshark does not have.
    """
    return {
        KEYS: [_key_row(key) for key in keys],
        _ADDRESSES: [_address_row(sender) for sender in senders],
    }


def _key_row(key: FrameKey) -> str:
    if key.cipher != CIPHER:
        message = (
            f"Wireshark cannot open frames of {key.cipher}, only of {CIPHER}: "
            "write a file of another name than *.pcapng, without keys"
        )
        raise MisuseError(message)
    return f'"{key.key.hex()}","{key.key_id.index}","No hash"'


def _address_row(sender: FrameDevice) -> str:
    return f'"{sender.short:04x}","{sender.pan:04x}",{sender.extended.hex()}'
