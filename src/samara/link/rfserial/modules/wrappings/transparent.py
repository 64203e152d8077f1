# SPDX-License-Identifier: Apache-2.0
"""Bytes as they are: the module cuts them into packets by number and by silence."""

from __future__ import annotations

from samara.link.rfserial.modules.wrapping import Session, Wrapping


class _Transparent(Session):
    def wrap(self, packet: bytes) -> bytes:
        """Return the packet as it is."""
        return packet

    def feed(self, data: bytes) -> list[bytes]:
        """Return the bytes as they are."""
        return [data] if data else []


WRAPPING = Wrapping(
    name="transparent",
    title="bytes as they are",
    session=lambda _: _Transparent(),
    line_size=lambda size: size,
    keeps_packets=False,
)
