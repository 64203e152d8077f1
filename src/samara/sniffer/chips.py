# SPDX-License-Identifier: Apache-2.0
"""Profiles of transceiver chips that send 2-FSK or GFSK: a file each in `profiles`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError
from samara.phy.receivers.fsk_waves import Keying
from samara.sniffer.packet_formats import Check, Layout, PacketFormat, Whitening
from samara.sniffer.protocol import Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.phy.receivers.streaming import Packet, PacketReceiver

_HERE = Path(__file__).parent / "profiles"
_USER_0 = 147
"""Link type of packets that only their users know."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How a chip sends packets."""

    name: str
    title: str
    source: str
    """Where the values were read."""
    keying: Keying
    preamble: bytes
    sync: bytes
    format: PacketFormat


class ChipPackets(Protocol):
    """Packets of a chip; their payloads are unknown to Wireshark."""

    link_type = _USER_0
    channels: Mapping[int, float] = {}

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.name, self.title = profile.name, profile.title
        self.sample_rate = profile.keying.sample_rate

    def receiver(self) -> PacketReceiver:
        """Return a receiver."""
        from samara.phy.receivers.fsk import FskReceiver  # noqa: PLC0415 - SciPy

        profile = self._profile
        return FskReceiver(
            profile.keying,
            profile.preamble,
            profile.sync,
            profile.format.longest_bits,
            profile.format.parse,
        )

    def captured(self, packet: Packet, channel: int | None) -> bytes:
        """Return a packet without its sync word and whitening."""
        del channel
        return packet.content


@cache
def profiles() -> Mapping[str, Profile]:
    """Return all profiles by their names, which are those of the files."""
    found = {path.stem: path for path in sorted(_HERE.glob("*.toml"))}
    return {name: read_profile(path) for name, path in found.items()}


def read_profile(path: Path) -> Profile:
    """Read a profile.

    Raises
    ------
    MisuseError
        If the file cannot be read, or a value is missing or wrong.
    """
    try:
        values = tomllib.loads(path.read_text("utf-8"))
        return _profile(path.stem, values)
    except KeyError as error:
        reason = f"{error.args[0]} is missing"
    except OSError as error:
        reason = error.strerror or str(error)
    except (ValueError, TypeError, AttributeError) as error:
        reason = str(error)
    message = f"{path} is not a profile of a chip: {reason}"
    raise MisuseError(message)


def _profile(name: str, values: Mapping[str, Any]) -> Profile:
    sync = bytes.fromhex(values["sync"])
    keying = Keying(
        float(values["bit_rate"]),
        float(values["deviation"]),
        float(values.get("bandwidth_time", 0.0)),
    )
    if not sync or keying.bit_rate <= 0 or keying.deviation <= 0:
        reason = "sync, bit_rate and deviation have to be more than nothing"
        raise ValueError(reason)
    packet_format = PacketFormat(
        Layout(values["layout"]),
        Whitening(values.get("whitening", "none")),
        Check(**values["check"]) if "check" in values else None,
        int(values["longest"]),
        sync,
    )
    preamble = bytes.fromhex(values["preamble"])
    return Profile(
        name, values["title"], values["source"], keying, preamble, sync, packet_format
    )
