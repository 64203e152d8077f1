# SPDX-License-Identifier: Apache-2.0
"""How a radio is asked to receive the bursts of another one, without its key."""

from __future__ import annotations

from typing import Annotated

from samara.phy.modulation import DEFAULT
from samara.phy.parameters import Frequency, ModulationName
from samara.records import Between, Parameter, Request, request_class
from samara.units import BYTES, DECIBEL, HERTZ


@request_class
class ReceivingRequest(Request):
    """The radio, and what the bursts are that it receives."""

    radio: Annotated[
        str,
        Parameter(
            metavar="RADIO",
            help="Radio: zmq, zmq:ADDRESS, file:PATH, uhd:ARGS or soapy:ARGS.",
        ),
    ] = "zmq"
    number: Annotated[
        int,
        Parameter(
            help="zmq: number of the radio in the channel, from 0.", values=Between(0)
        ),
    ] = 1
    rate: Annotated[
        float,
        Parameter(help="Sample rate in Hz.", unit=HERTZ, values=Between(1e4)),
    ] = 1e6
    modulation: ModulationName = DEFAULT
    frame_size: Annotated[
        int,
        Parameter(
            help="Frame size of the link in bytes.",
            unit=BYTES,
            values=Between(1, 1020),
        ),
    ] = 252
    frequency_hz: Frequency = 868.3e6
    gain: Annotated[
        float, Parameter(help="Gain of the receiver in dB.", unit=DECIBEL)
    ] = 30.0
