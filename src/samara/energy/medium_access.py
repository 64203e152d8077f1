# SPDX-License-Identifier: Apache-2.0
"""What a way of medium access is: how long radios are on for a message.

Each module of `samara.energy.mac` is one way. It says in closed form how long the
radios at both ends of a hop are in each state. The power in each state comes from
the radio's model; security changes only the length of the frame.

The means are taken over the time at which a receiver wakes up, which is evenly
distributed, and which the sender does not know unless the docstring says that it
does. Waiting for a free medium is not in them, nor are collisions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from samara.energy.transceiver import RadioTimes
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.energy.copies import Copies
    from samara.energy.quantity import Value
    from samara.energy.transceiver import Transceiver

ACK_BYTES = 5
"""An immediate acknowledgement of IEEE 802.15.4, with its check sequence."""

HELP, LEAST = "help", "least"
"""What the metadata of a setting has."""


def setting(
    default: float,
    help: str,  # noqa: A002 - as a Parameter has it
    *,
    least: float | None = None,
) -> Any:  # noqa: ANN401 - a field, which is annotated with its own type
    """Return a field of a medium access, which is an option of commands.

    Parameters
    ----------
    help
        What it is, in a sentence.
    least
        The least value. Default: above 0, or 0 if that is the default.
    """
    metadata = {HELP: help} if least is None else {HELP: help, LEAST: least}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Hop:
    """One frame from a node to the next."""

    radio: Transceiver
    frame_bytes: Value
    """With its check sequence, and with what security adds."""
    ack_bytes: Value = ACK_BYTES

    @property
    def frame_s(self) -> Value:
        """How long the frame is on the air."""
        return self.radio.air_s(self.frame_bytes)

    @property
    def ack_s(self) -> Value:
        """How long the acknowledgement is on the air."""
        return self.radio.air_s(self.ack_bytes)

    @property
    def gap_s(self) -> Value:
        """How long a sender listens after a frame: until an acknowledgement ends."""
        return self.radio.turnaround_s + self.ack_s

    @property
    def period_s(self) -> Value:
        """How long a frame that is repeated takes, with the gap after it."""
        return self.frame_s + self.gap_s


@dataclass(frozen=True, slots=True)
class OwnFrame:
    """The frame that a medium access has in place of the link's, in bytes."""

    header_bytes: int
    """Without security: all but the message, with the check sequence."""
    most_bytes: int
    """The longest message that it carries, with what security adds."""


@dataclass(frozen=True, slots=True)
class Requests:
    """Frames that a node sends at regular times to be given what waits for it."""

    frame_bytes: int
    """Without security, with the check sequence."""
    per_s: Value
    times: Callable[[Hop], RadioTimes]
    """Radio times of one request; the frame of the hop is the request."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What is around the busiest node of a network, at most."""

    children: int
    """Nodes that send to it."""
    neighbours: int
    messages_per_s: float
    """Of all its children together."""


class MediumAccess(ABC):
    """A way of medium access, with its settings as fields."""

    title: ClassVar[str]
    links: ClassVar[tuple[str, ...]]
    """The kinds of link whose nodes can have it, by name."""
    standard: ClassVar[str] = ""
    """The standard that it is of, in words; empty: there is none."""
    acknowledges: ClassVar[bool] = True
    """Whether a node learns that its message arrived."""
    relays: ClassVar[bool] = True
    """Whether nodes can pass on the messages of others."""
    shares_medium: ClassVar[bool] = True
    """Whether a node that sends keeps its neighbours from sending."""
    ack_bytes: ClassVar[int] = ACK_BYTES
    """Of an acknowledgement without security, with its check sequence."""
    secures_acks: ClassVar[bool] = False
    """Whether acknowledgements are secured where frames are: those of frames of 2015
    are (enhanced), those of older frames never (immediate)."""

    usual_radio: ClassVar[str] = ""
    """The radio that is assumed where the one of the device lacks what it `needs`."""

    @abstractmethod
    def send(self, hop: Hop) -> RadioTimes:
        """Return what sending a frame takes, until the acknowledgement is there."""

    @abstractmethod
    def receive(self, hop: Hop) -> RadioTimes:
        """Return what receiving it takes, besides waiting for it."""

    @abstractmethod
    def overhear(self, hop: Hop) -> RadioTimes:
        """Return what it costs a neighbour that the frame is not for."""

    @abstractmethod
    def broadcast(self, hop: Hop) -> RadioTimes:
        """Return what sending a frame to all neighbours takes."""

    @abstractmethod
    def idle(self, hop: Hop) -> RadioTimes:
        """Return what waiting for frames takes, in each second, without requests."""

    @abstractmethod
    def latency_s(self, hop: Hop) -> Value:
        """Return the mean time from making a message until the frame is received."""

    def receive_broadcast(self, hop: Hop) -> RadioTimes:
        """Return what receiving a frame that is for all takes."""
        return self.overhear(hop)

    def beacons(self, hop: Hop) -> RadioTimes:  # noqa: ARG002 - most have none
        """Return what the beacons of one neighbour take, in each second."""
        return RadioTimes()

    @property
    def needs(self) -> str:
        """What its radio has to send: a word of `Radio.waveforms`.

        Empty: frames at the radio's bit rate.
        """
        return ""

    @property
    def own_frame(self) -> OwnFrame | None:
        """The frame that carries messages; None: that of the link."""
        return None

    @property
    def beside_w(self) -> Value:
        """What is drawn beside the radio while waiting, in watts. Most: nothing."""
        return 0.0

    def air_s(self, hop: Hop) -> Value:
        """Return how long a frame with the message is on the air."""
        return hop.frame_s

    @property
    def requests(self) -> Requests | None:
        """The requests that nodes send while they wait. Most send none."""
        return None

    def held_s(self, hop: Hop) -> Value:
        """Return for how long a message keeps others from sending."""
        return self.send(hop).on_s

    def service_s(self, hop: Hop) -> Value:
        """Return how long a node cannot begin with another message."""
        return self.send(hop).on_s

    @property
    def cell_takes_sender(self) -> bool:
        """Whether a sender cannot receive in other cells of its time (`cell_s`)."""
        return True

    def doubts(self, hop: Hop, around: Neighbourhood) -> Iterator[str]:  # noqa: ARG002
        """Yield what its figures leave out in such a network. Most: nothing."""
        return iter(())

    def sent_blind(self, hop: Hop) -> Copies | None:  # noqa: ARG002 - most listen
        """Return what is sent without listening first. Most: nothing."""
        return None

    def slot_share(self, hop: Hop) -> Value:  # noqa: ARG002 - most have no slots
        """Return which share of a slot a frame takes; above 1 it does not fit."""
        return 0.0

    def cell_s(self, hop: Hop) -> Value:  # noqa: ARG002 - nothing
        """Return what a frame takes of the schedule of its sender, and of its receiver.

        0 without a schedule: what the medium carries is the bound then.
        """
        return 0.0

    def met_share(self, hop: Hop) -> Value:  # noqa: ARG002 - nothing
        """Return the share of its receiver's schedule that a node without messages has.

        Of those with a schedule.
        """
        return 0.0


@dataclass(frozen=True, slots=True)
class Sampling(MediumAccess):
    """A medium access whose receivers sleep, and wake up to listen."""

    wake_interval_s: Value = setting(
        0.25, "Time from one wake-up of the receiver to the next."
    )
    wake_listen_s: Value = setting(
        2.5e-3, "How long a receiver listens at each wake-up when the channel is quiet."
    )

    def __post_init__(self) -> None:
        """Refuse to listen for longer than there is time."""
        if np.any(np.asarray(self.wake_listen_s) >= self.wake_interval_s):
            message = (
                f"a wake-up interval of {self.wake_interval_s:g} s is too short: nodes "
                f"listen for {self.wake_listen_s:g} s at each wake-up"
            )
            raise MisuseError(message)

    def idle(self, hop: Hop) -> RadioTimes:  # noqa: ARG002 - the same for all frames
        """Start the radio once an interval, listen, and stop it."""
        wakes = 1 / self.wake_interval_s
        return RadioTimes(listen_s=self.wake_listen_s * wakes, starts=wakes)

    def train(self, hop: Hop) -> RadioTimes:
        """Repeat the frame for an interval and its own time, so that all hear one.

        That takes ``n = ceil((interval + frame) / period)`` frames.
        """
        copies = np.ceil((self.wake_interval_s + hop.frame_s) / hop.period_s)
        return RadioTimes(
            data_s=copies * hop.frame_s,
            listen_s=copies * hop.gap_s,
            starts=1,
            copies=copies,
        )

    def part_of_train(self, hop: Hop) -> RadioTimes:
        """Receive the next whole frame of a train, after half a period on average."""
        return RadioTimes(listen_s=hop.period_s / 2, receive_s=hop.frame_s)

    def overheard(self, hop: Hop, copies: Value) -> RadioTimes:
        """Wake up while a neighbour sends so many frames to somebody else.

        Who wakes up in any period but the last hears a whole frame; in the last
        one, it hears the rest of a frame, and nothing follows.
        """
        whole = (copies - 1) * hop.period_s / self.wake_interval_s
        rest = hop.period_s / self.wake_interval_s
        return RadioTimes(
            listen_s=(whole + rest) * hop.period_s / 2, receive_s=whole * hop.frame_s
        )


def acknowledged(times: RadioTimes, hop: Hop) -> RadioTimes:
    """Return what the same takes a receiver that acknowledges."""
    return RadioTimes(
        control_s=times.control_s + hop.ack_s,
        listen_s=times.listen_s,
        receive_s=times.receive_s,
        spared_s=times.spared_s,
        starts=times.starts,
    )
