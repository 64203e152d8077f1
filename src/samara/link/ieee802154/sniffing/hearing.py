# SPDX-License-Identifier: Apache-2.0
"""Hearing frames of IEEE 802.15.4, and writing them for Wireshark."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

import samara
from samara.link.ieee802154.sniffing import wireshark
from samara.link.node.sniffing import AirReceiver, Sniffing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from samara.link.node.sniffing import CaptureWriter, Sniffer


class RadioReceiver(AirReceiver):
    """Hears all frames at a medium, or by a radio that is not a node's."""

    def __init__(self, place: str, channel: int) -> None:
        from samara.link.ieee802154 import radios  # noqa: PLC0415 - late

        self.name, self._radio = radios.observer(place, channel)

    def receive(self, timeout_s: float) -> list[bytes]:
        """Wait for frames, which have their check sequences."""
        return [heard.psdu for heard in self._radio.receive(timeout_s)]

    def notices(self) -> list[str]:
        """Return what happened to the medium or radio since the last call."""
        return self._radio.notices()

    def close(self) -> None:
        """Leave the air."""
        self._radio.close()


class Ieee802154Sniffing(Sniffing):
    """Hears frames at a medium; their nodes' directories have the keys."""

    wireshark_keys = wireshark.KEYS

    def sniffer(self, nodes: Sequence[Path]) -> Sniffer:
        """Return the keys of nodes, which open their frames."""
        from samara.link.ieee802154.sniffing.keyring import Keyring  # noqa: PLC0415

        return Keyring(nodes)

    def receiver(self, settings: Mapping[str, Any], place: str | None) -> AirReceiver:
        """Return an observer at the medium of a node, or at another place."""
        from samara.link.ieee802154 import radios  # noqa: PLC0415 - late
        from samara.link.ieee802154.sniffing import (  # noqa: PLC0415 - late
            capture_stream,
        )

        chosen = place or radios.air_of(settings)
        if chosen.startswith(capture_stream.PREFIX):
            path = chosen.removeprefix(capture_stream.PREFIX)
            return capture_stream.CaptureStream(path)
        return RadioReceiver(chosen, settings["channel"])

    def writer(self, file: IO[bytes], interface: str | None) -> CaptureWriter:
        """Return a writer of frames with their check sequences."""
        from samara.link.ieee802154.captures import pcap, pcapng  # noqa: PLC0415 - late

        if interface is None:
            return pcap.Writer(file, pcap.LinkType.WITH_FCS)
        program = f"samara {samara.__version__}"
        return pcapng.Writer(file, pcap.LinkType.WITH_FCS, program, interface)
