# SPDX-License-Identifier: Apache-2.0
"""A TNC: it sends the contents of KISS frames, and looks at nothing in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from samara.link.rfserial.modules.emulated.far_end import FarEnd
from samara.link.rfserial.modules.wrappings.kiss import Decoder, framed

if TYPE_CHECKING:
    from collections.abc import Mapping


class _Tnc(FarEnd):
    wrapping: ClassVar[str] = "kiss"

    def __init__(self, options: Mapping[str, str], packet: int) -> None:
        super().__init__(options, packet)
        self._decoder = Decoder()

    def take(self, byte: int) -> list[bytes]:
        """Return the frame of data that a byte ends; others set the TNC."""
        frames = self._decoder.feed(bytes((byte,)))
        return [each[1:] for each in frames if each[0] == 0]

    def received(self, packet: bytes) -> bytes:
        """Return a packet as a frame of data."""
        return framed(0, packet)


FAR_END = _Tnc
