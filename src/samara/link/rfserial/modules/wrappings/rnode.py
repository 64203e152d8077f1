# SPDX-License-Identifier: Apache-2.0
"""RNode: a modem for LoRa that takes KISS frames, and is set up by its host each time.

Source: the commands of the RNode firmware, as the Reticulum network stack names them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from samara.link.rfserial.modules.wrapping import Session, Wrapping
from samara.link.rfserial.modules.wrappings.kiss import Decoder, framed

if TYPE_CHECKING:
    from collections.abc import Mapping

_DATA, _FREQUENCY, _BANDWIDTH, _POWER, _SF, _CR, _STATE = range(7)
_ERROR: Final = 0x90
_ON = b"\x01"
_LIMITS: Final = {
    "frequency": range(100_000_000, 3_000_000_001),
    "bandwidth": range(7_800, 1_625_001),
    "power": range(38),
    "sf": range(5, 13),
    "cr": range(5, 9),
}


class _RNode(Session):
    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__()
        self._decoder = Decoder()
        self._numbers = {name: _number(name, options[name]) for name in _LIMITS}

    def begin(self) -> list[bytes]:
        """Return the frames that set the modem, and switch it on."""
        of = self._numbers
        return [
            framed(_FREQUENCY, of["frequency"].to_bytes(4, "big")),
            framed(_BANDWIDTH, of["bandwidth"].to_bytes(4, "big")),
            framed(_POWER, bytes((of["power"],))),
            framed(_SF, bytes((of["sf"],))),
            framed(_CR, bytes((of["cr"],))),
            framed(_STATE, _ON),
        ]

    def wrap(self, packet: bytes) -> bytes:
        """Return a packet as a frame of data."""
        return framed(_DATA, packet)

    def feed(self, data: bytes) -> list[bytes]:
        """Return what frames of data carry; reports of the radio are left out."""
        frames = self._decoder.feed(data)
        self.damaged = self._decoder.damaged
        self.refused += sum(frame[0] == _ERROR for frame in frames)
        return [frame[1:] for frame in frames if frame[0] == _DATA]


def _number(name: str, text: str) -> int:
    limits = _LIMITS[name]
    is_number = text.isascii() and text.isdecimal() and len(text) < len(str(10**10))
    if not is_number or int(text) not in limits:
        message = f"{name} must be {limits[0]:,} to {limits[-1]:,}, not {text!r:.40}"
        raise ValueError(message)
    return int(text)


WRAPPING = Wrapping(
    name="rnode",
    title="frames of an RNode",
    session=_RNode,
    line_size=lambda size: size + 3,
    options={
        "frequency": "868100000",
        "bandwidth": "125000",
        "power": "14",
        "sf": "7",
        "cr": "5",
    },
)
