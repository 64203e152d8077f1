# SPDX-License-Identifier: Apache-2.0
"""Directories by which Wireshark and tshark open the frames of nodes.

Wireshark reads keys from tables in its directory of personal settings, which the
environment variable WIRESHARK_CONFIG_DIR names. A command line with keys could be read
by all users of the machine. Which tables there are depends on the kind of link.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.atomic_files import MODE_OF_OWNER, replacing
from samara.errors import MisuseError
from samara.link.node.kinds import kinds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from ipaddress import IPv6Network
    from pathlib import Path

    from samara.link.node.sniffing import Sniffer

ENVIRONMENT = "WIRESHARK_CONFIG_DIR"
_MODE_OF_FOLDER = 0o700
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

    def write(self, sniffer: Sniffer) -> None:
        """Write all keys that were seen.

        Raises
        ------
        MisuseError
            When they are of a cipher that Wireshark does not have.
        """
        tables = sniffer.wireshark_tables()
        self.folder.mkdir(mode=_MODE_OF_FOLDER, exist_ok=True)
        self.folder.chmod(_MODE_OF_FOLDER)
        for name, rows in tables.items():
            self._put(name, rows)
        self._put(_PREFERENCES, [f"6lowpan.context0: {self.prefix}"])
        self._put(_DISABLED, _OTHERS)

    def _put(self, name: str, rows: Sequence[str]) -> None:
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
    sniffing = filter(None, (each.sniffing for each in kinds().values()))
    is_ours = any((folder / each.wireshark_keys).exists() for each in sniffing)
    if folder.exists() and any(folder.iterdir()) and not is_ours:
        message = (
            f"{folder} has other files than Wireshark's: name a new directory, or an "
            "empty one"
        )
        raise MisuseError(message)
