# SPDX-License-Identifier: Apache-2.0
"""Directories by which Wireshark and tshark open the frames of nodes.

A pcapng file can have a block of keys (decryption secrets), but no type of it is for
keys of IEEE 802.15.4. Wireshark reads these, and the extended addresses that belong to
short ones, from tables in its directory of personal settings, which the environment
variable WIRESHARK_CONFIG_DIR names. A command line with keys could be read by all
users of the machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.atomic_files import MODE_OF_OWNER, replacing
from samara.errors import MisuseError

if TYPE_CHECKING:
    from ipaddress import IPv6Network
    from pathlib import Path

    from samara.link.ieee802154.frames.tools import FrameDevice, FrameKey
    from samara.net.keyring import Keyring

ENVIRONMENT = "WIRESHARK_CONFIG_DIR"
CIPHER = "aes128"
"""The only one that Wireshark has."""
_MODE_OF_FOLDER = 0o700
_KEYS, _ADDRESSES = "ieee802154_keys", "802154_addresses"
_PREFERENCES, _DISABLED = "preferences", "disabled_protos"
# They, too, look at payloads that nothing names, and would take some for theirs.
_OTHERS = ("lwm", "zbee_aps", "zbee_beacon", "zbee_nwk", "zbee_nwk_gp")


@dataclass(frozen=True, slots=True)
class Profile:
    """A directory of settings that has the keys of nodes.

    Parameters
    ----------
    folder
        It is made, or files in it are replaced. Only its owner can read them.
    prefix
        The network: context 0 of header compression.
    """

    folder: Path
    prefix: IPv6Network

    def write(self, keyring: Keyring) -> None:
        """Write all keys that were seen."""
        self.folder.mkdir(mode=_MODE_OF_FOLDER, exist_ok=True)
        self.folder.chmod(_MODE_OF_FOLDER)
        self._put(_KEYS, [_key_row(key) for key in keyring.keys])
        rows = [_address_row(device) for device in keyring.devices()]
        self._put(_ADDRESSES, rows)
        self._put(_PREFERENCES, [f"6lowpan.context0: {self.prefix}"])
        self._put(_DISABLED, list(_OTHERS))

    def _put(self, name: str, rows: list[str]) -> None:
        path = self.folder / name
        with replacing(path, exclusive=False, mode=MODE_OF_OWNER) as file:
            file.write("".join(f"{row}\n" for row in rows).encode("ascii"))


def check_folder(folder: Path) -> None:
    """Refuse a directory that is there for something else.

    Raises
    ------
    MisuseError
        When it is no directory, or one with other files than Wireshark's.
    """
    if folder.exists() and not folder.is_dir():
        message = f"{folder} is not a directory: name another one for Wireshark"
        raise MisuseError(message)
    if folder.exists() and any(folder.iterdir()) and not (folder / _KEYS).exists():
        message = (
            f"{folder} has other files than Wireshark's: name a new directory, or an "
            "empty one"
        )
        raise MisuseError(message)


def check(keyring: Keyring) -> None:
    """Refuse frames that Wireshark cannot open.

    Raises
    ------
    MisuseError
        When they are of a cipher that it does not have.
    """
    for key in keyring.keys:
        if key.cipher != CIPHER:
            message = (
                f"Wireshark cannot open frames of {key.cipher}, only of {CIPHER}: "
                "write a file of another name than *.pcapng, without keys"
            )
            raise MisuseError(message)


def _key_row(key: FrameKey) -> str:
    return f'"{key.key.hex()}","{key.key_id.index}","No hash"'


def _address_row(device: FrameDevice) -> str:
    return f'"{device.short:04x}","{device.pan:04x}",{device.extended.hex()}'
