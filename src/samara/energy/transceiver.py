# SPDX-License-Identifier: Apache-2.0
"""What a radio and its controller draw in each state, and how long frames take."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.parts import Part, Parts

if TYPE_CHECKING:
    from samara.energy.catalogue import Radio
    from samara.energy.quantity import Draw, Value


@dataclass(frozen=True, slots=True)
class Transceiver:
    """A radio's states in watts, and its times in seconds.

    The controller's share is in the watts: what it draws while the radio sends
    or receives is drawn because of the radio.
    """

    transmit_w: Value
    receive_w: Value
    idle_w: Value
    sleep_w: Value
    start_s: Value
    """From sleep until it can be told to receive, at `idle_w`."""
    turnaround_s: Value
    byte_s: Value
    overhead_bytes: Value
    """In front of each frame."""
    event_j: Value = 0.0
    """What a start from sleep takes besides the radio's states: the processor wakes
    up, its software prepares the radio and looks at what was received."""
    send_j: Value = 0.0
    """What a start takes more in which a frame is sent: software, and sensing the
    medium where that is not in it."""
    connection_j: Value | None = None
    """What a start for an event of a connection takes in place of `event_j`; None: as
    much."""

    def air_s(self, frame_bytes: Value) -> Value:
        """Return how long a frame is on the air.

        Parameters
        ----------
        frame_bytes
            With its check sequence, without what the radio puts in front.
        """
        return (self.overhead_bytes + frame_bytes) * self.byte_s


def transceiver(
    radio: Radio, draw: Draw, *, controller_a: Value = 0.0, senses: bool = False
) -> Transceiver:
    """Return a radio as it is taken to be.

    Parameters
    ----------
    controller_a
        What the controller draws while the radio is on, in ampere, at the radio's
        voltage; zero when it sleeps, or when the radio's currents have it in.
    senses
        Whether the medium is sensed before a frame is sent.

    >>> from samara.energy import catalogue, quantity
    >>> radio = transceiver(catalogue.radio("at86rf231"), quantity.nominal)
    >>> round(radio.transmit_w, 6), round(radio.air_s(127), 6)
    (0.042, 0.004256)
    """
    drawn = radio.draw(draw)
    volts = drawn["supply_v"]
    return Transceiver(
        transmit_w=volts * (drawn["transmit_a"] + controller_a),
        receive_w=volts * (drawn["receive_a"] + controller_a),
        idle_w=volts * (drawn["idle_a"] + controller_a),
        sleep_w=volts * drawn["sleep_a"],
        start_s=drawn["start_s"],
        turnaround_s=drawn["turnaround_s"],
        byte_s=8 / drawn["bit_rate"],
        overhead_bytes=drawn["overhead_bytes"],
        event_j=volts * drawn["event_c"],
        send_j=volts * (drawn["send_c"] + senses * drawn["sense_c"]),
        connection_j=volts * drawn["connection_c"]
        if radio.connection_c.value
        else None,
    )


@dataclass(frozen=True, slots=True)
class RadioTimes:
    """How long a radio is in each state: for one action, or in each second.

    For one action all are seconds; as a share of time they are seconds a second.
    """

    data_s: Value = 0.0
    """Sending frames with the message."""
    control_s: Value = 0.0
    """Sending all else."""
    listen_s: Value = 0.0
    """Receiving when nothing is on the air for this node."""
    receive_s: Value = 0.0
    """Receiving frames and acknowledgements."""
    spared_s: Value = 0.0
    """Listening that waiting for frames has, and that is not done for this action."""
    starts: Value = 0.0
    """Number of starts of the radio from sleep; each is one radio event, however many
    frames are sent and received in it."""
    copies: Value = 0.0
    """Number of frames with the message that are sent."""
    meetings: Value = 0.0
    """Number of the starts that are for an event of a connection."""

    def __add__(self, other: RadioTimes) -> RadioTimes:
        """Return one after the other."""
        return RadioTimes(
            *(
                getattr(self, each.name) + getattr(other, each.name)
                for each in fields(self)
            )
        )

    def __mul__(self, factor: Value) -> RadioTimes:
        """Return so many times the same."""
        return RadioTimes(*(factor * getattr(self, each.name) for each in fields(self)))

    @property
    def transmit_s(self) -> Value:
        """How long the transmitter is on."""
        return self.data_s + self.control_s

    @property
    def on_s(self) -> Value:
        """How long the radio sends or receives."""
        return self.transmit_s + self.listen_s + self.receive_s

    def energy_j(self, radio: Transceiver) -> Parts:
        """Return the energy by part; in watts when these are shares of time."""
        start_j = radio.start_s * radio.idle_w + radio.event_j
        # What an event of a connection takes more, or less, than another.
        met_j = (
            0.0 if radio.connection_j is None else radio.connection_j - radio.event_j
        )
        # A train is sent in one start; a frame between other cells in none of its own.
        sending_j = np.minimum(self.starts, self.copies) * radio.send_j
        return Parts(
            {
                Part.DATA: self.data_s * radio.transmit_w,
                Part.WAKE: self.starts * start_j + self.meetings * met_j + sending_j,
                Part.LISTEN: (self.listen_s - self.spared_s) * radio.receive_w,
                Part.RECEIVE: self.receive_s * radio.receive_w,
                Part.CONTROL: self.control_s * radio.transmit_w,
            }
        )
