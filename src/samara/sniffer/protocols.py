# SPDX-License-Identifier: Apache-2.0
"""All physical layers that the sniffer knows, by their names."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.sniffer.protocol import Protocol

DEFAULT = "oqpsk-2450"


@cache
def protocols() -> Mapping[str, Protocol]:
    """Return the protocols: the layers of IEEE 802.15.4, and profiles of chips."""
    from samara.phy.receivers.dsss_table import SPREADINGS  # noqa: PLC0415 - NumPy
    from samara.phy.transceivers.profile import profiles  # noqa: PLC0415 - as above
    from samara.sniffer.chips import ChipPackets  # noqa: PLC0415 - as above
    from samara.sniffer.ieee802154 import SpreadFrames  # noqa: PLC0415 - as above

    found: list[Protocol] = [SpreadFrames(each) for each in SPREADINGS.values()]
    found += [ChipPackets(each) for each in profiles().values()]
    return {each.name: each for each in found}


def protocol_named(name: str) -> Protocol:
    """Return a protocol.

    Raises
    ------
    MisuseError
        If there is none of this name.
    """
    known = protocols()
    if name not in known:
        message = f"unknown protocol {name!r}: expected one of {', '.join(known)}"
        raise MisuseError(message)
    return known[name]
