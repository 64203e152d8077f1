# SPDX-License-Identifier: Apache-2.0
"""What the tests of the energy model have in common."""

from __future__ import annotations

from samara.energy import catalogue, quantity
from samara.energy.medium_access import Hop
from samara.energy.transceiver import Transceiver, transceiver

# AT86RF231 at 3.0 V: 14.0 mA and 12.3 mA; 250 kbit/s, 6 bytes in front of a frame.
TRANSMIT_W, RECEIVE_W, IDLE_W = 0.0420, 0.0369, 0.0012
BYTE_S, TURNAROUND_S, START_S = 32e-6, 192e-6, 380e-6
ACK_S = (6 + 5) * BYTE_S
GAP_S = TURNAROUND_S + ACK_S


def radio(name: str = "at86rf231") -> Transceiver:
    """Return a radio as stated, without a controller."""
    return transceiver(catalogue.radio(name), quantity.nominal)


def hop(frame_bytes: float = 127, name: str = "at86rf231") -> Hop:
    return Hop(radio(name), frame_bytes)
